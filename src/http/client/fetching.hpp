#pragma once

#include <optional>
#include <string>
#include <vector>

#include "http/client/content.hpp"
#include "http/client/download.hpp"
#include "http/client/get.hpp"

namespace headrace::http::client {

/// What both kinds of downloads do between the question and the report, which it gathers.
class Fetching {
 public:
  Fetching(Client& client, const Url& url, GetOptions options);

  /// Asks until there is an answer that says what to do: never `start_over`, which asks again for
  /// everything. Nothing, and the report tells why, where none can be had. What comes twice of a
  /// continuation is compared with `here`, and taken off the connection.
  std::optional<Verdict> settle(std::optional<Continuation> continuation, DescriptorRef here);

  [[nodiscard]] const ResponseHead& head() const { return answer_.head; }
  /// What a later request can continue this answer by.
  [[nodiscard]] const std::string& validator() const { return exchange_.validator; }
  [[nodiscard]] bool is_complete() const { return report_.outcome == Outcome::complete; }

  /// The file has got its name only now.
  void goes_to(const std::string& name);
  /// Moves the content, `length` bytes where that is known.
  void take(std::optional<Bytes> length, DescriptorRef destination);
  /// The content is not taken, for the reason in the verdict.
  void leave(const Verdict& verdict);

  void note(std::string text) { notes_.push_back(std::move(text)); }
  void fail(const Error& error) { fail_with(error, report_); }
  void fail(Obstacle obstacle);
  Downloaded finish(std::string aftermath);

 private:
  std::optional<Verdict> judge_next(const std::optional<Continuation>& continuation,
                                    DescriptorRef here);
  void leave_error();

  Client& client_;
  const Url& url_;
  GetOptions options_;
  Exchange exchange_;
  Answer answer_;
  Report report_;
  std::vector<std::string> notes_;
  std::optional<Obstacle> obstacle_;
};

}  // namespace headrace::http::client
