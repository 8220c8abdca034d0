#include "http/server/upload_answer.hpp"

namespace headrace::http::server {
namespace {

// A worker has nobody else to serve meanwhile but other uploads.
constexpr Bytes most_a_turn = 4 * mebibyte;

Answer answer_rejected(const Rejection& rejection) {
  Answer answer = answer_status(rejection.status);
  answer.close = true;  // what is still to come of the body is no request
  return answer;
}

}  // namespace

// Giving up what was written may sleep too.
UploadAnswer::~UploadAnswer() {
  drop_task();
  const auto& workers = connection().lane().common().workers;
  if (workers != nullptr && upload_) workers->run([upload = std::move(*upload_)] {});
}

std::optional<Answer> UploadAnswer::outcome() {
  Exchange& exchange = connection().exchange();
  const Rejection* rejection = nullptr;
  if (upload_ && !*upload_) rejection = &upload_->error();
  if (stored_ && !*stored_) rejection = &stored_->error();
  if (rejection != nullptr) {
    // What was lost patience with has its word already.
    if (exchange.refusal.empty()) exchange.refusal = rejection->detail;
    return answer_rejected(*rejection);
  }
  if (!stored_) return std::nullopt;
  connection().lane().files().forget(exchange.request.target.path);
  connection().input().prepend((**upload_)->surplus());
  return answer_taken((*stored_)->status);
}

bool UploadAnswer::is_asked_first() const {
  return upload_ && !has_task() && connection().exchange().request.expects_continue;
}

Step UploadAnswer::take_turn() {
  connection().run([this] { work(); });
  return Step::waits;
}

// As much as can be done at once, so that a small upload comes to a worker once.
void UploadAnswer::work() {
  if (!upload_) {
    begin();
    if (!*upload_) return;
    if (is_asked_first() && (**upload_)->wants_more()) return;
    ask_no_more();
  }
  receive();
}

void UploadAnswer::begin() {
  Lane& lane = connection().lane();
  const Request& request = connection().exchange().request;
  upload_.emplace(
      Upload::begin(lane.common().site, lane.configuration(),
                    {.path = request.target.path, .framing = request.framing, .ahead = ahead()}));
}

void UploadAnswer::receive() {
  Upload& upload = ***upload_;
  if (!has_task() && upload.has_body()) {
    body_ = upload.body(connection().wire().socket());
    options_ = upload.options();
    start_task(body_, upload.destination(), options_);
  }
  const auto report = has_task() ? turn(most_a_turn) : Report{};
  if (!report) return;
  connection().exchange().received = report->bytes;
  connection().exchange().path = logged_path(*report);
  stored_.emplace(upload.finish(*report));
}

// The client is told, where it listens.
Step UploadAnswer::time_out() {
  if (answering() || !has_task()) return Step::broken;
  task().woken(Woken::silent);
  connection().run([this] { receive(); });
  return Step::waits;
}

}  // namespace headrace::http::server
