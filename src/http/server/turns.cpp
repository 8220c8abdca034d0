#include "http/server/turns.hpp"

#include <algorithm>

namespace headrace::http::server {

Handler::~Handler() { leave(); }

void Handler::leave() {
  if (queue_ == nullptr) return;
  (before_ != nullptr ? before_->behind_ : queue_->first_) = behind_;
  (behind_ != nullptr ? behind_->before_ : queue_->last_) = before_;
  --queue_->size_;
  queue_ = nullptr;
  before_ = nullptr;
  behind_ = nullptr;
}

Turns::~Turns() {
  while (first_ != nullptr) first_->leave();
}

void Turns::add(Handler& handler) {
  if (handler.queue_ != nullptr) return;
  handler.queue_ = this;
  handler.before_ = last_;
  (last_ != nullptr ? last_->behind_ : first_) = &handler;
  last_ = &handler;
  ++size_;
}

void Turns::run(std::size_t most) {
  for (most = std::min(most, size_); most > 0 && first_ != nullptr; --most) {
    Handler& handler = *first_;
    handler.leave();
    handler.turn();  // `handler` may be gone after this
  }
}

}  // namespace headrace::http::server
