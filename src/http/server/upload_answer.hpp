#pragma once

#include <memory>
#include <optional>

#include "http/server/receiving.hpp"
#include "http/server/upload.hpp"

namespace headrace::http::server {

/// The body of a PUT on its way into a file. All that touches the file is done by workers.
class UploadAnswer final : public Receiving {
 public:
  explicit UploadAnswer(Connection& connection) : Receiving(connection) {}
  UploadAnswer(const UploadAnswer&) = delete;
  UploadAnswer& operator=(const UploadAnswer&) = delete;
  ~UploadAnswer() override;

  Step time_out() override;

 private:
  std::optional<Answer> outcome() override;
  [[nodiscard]] bool is_asked_first() const override;
  Step take_turn() override;

  // On a worker.
  void work();
  void begin();
  void receive();

  std::optional<Taken<std::unique_ptr<Upload>>> upload_;  // or why it was not taken
  Body body_;
  Options options_;
  std::optional<Taken<Upload::Stored>> stored_;  // or why it could not be
};

}  // namespace headrace::http::server
