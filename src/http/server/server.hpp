#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headrace/result.hpp"
#include "http/server/configuration.hpp"

namespace headrace::http::server {

/// Serves one directory by HTTP/1.1.
///
/// Everything that can fail before the first connection fails in `open`, which binds and listens:
/// connections that come before `run` wait in the kernel's queue. Prints nothing.
/// Threads: `drain`, `stop` and `reopen_log` from any thread, not from a signal handler.
class Server {
 public:
  /// Errors: the directory ("openat2"), an address (net::listen's), the log ("openat").
  static Result<std::unique_ptr<Server>> open(Configuration configuration);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// What is listened on, in the order asked for: "127.0.0.1:40123", "[::1]:80", "unix:/run/x".
  [[nodiscard]] std::vector<std::string> addresses() const;
  /// What should be told before the first request: a congestion control that was changed, a kernel
  /// without Landlock.
  [[nodiscard]] std::vector<std::string> notes() const;

  /// Serves until it has been drained or stopped. Once. Threads of its own do the work.
  void run();
  /// What ended `run` although nobody asked for it: no thread could be had, or a loop failed.
  [[nodiscard]] const std::optional<Error>& trouble() const;
  /// Takes no new connection, ends idle ones, and lets every answer that is under way end.
  void drain();
  /// Ends everything now; what is under way stays visibly incomplete.
  void stop();
  /// Opens the log's path again, after it has been moved away.
  void reopen_log();

 private:
  class Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace headrace::http::server
