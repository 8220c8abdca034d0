#pragma once

#include <memory>
#include <optional>

#include "http/body/chunked_input.hpp"
#include "http/server/receiving.hpp"

namespace headrace::http::server {

/// The body of a PUT on its way to nowhere: what a measurement of the way itself needs. No worker:
/// /dev/null never sleeps.
class DiscardAnswer final : public Receiving {
 public:
  explicit DiscardAnswer(Connection& connection);
  DiscardAnswer(const DiscardAnswer&) = delete;
  DiscardAnswer& operator=(const DiscardAnswer&) = delete;
  ~DiscardAnswer() override { drop_task(); }

  Step time_out() override { return Step::broken; }

 private:
  std::optional<Answer> outcome() override;
  [[nodiscard]] bool is_asked_first() const override;
  Step take_turn() override;

  std::shared_ptr<ChunkedInput> chunks_;  // none: the length is known
  Body body_;
  Options options_;
  std::optional<Report> report_;
};

}  // namespace headrace::http::server
