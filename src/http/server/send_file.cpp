#include "http/server/send_file.hpp"

#include <cstring>

#include "http/server/answering.hpp"
#include "http/server/file_answer.hpp"
#include "http/server/small_read.hpp"

namespace headrace::http::server {
namespace {

// Whoever asks for a way, a contract or a rate has it at any size.
bool may_copy(const Configuration& configuration, const Answer& answer) {
  const Wishes& wishes = configuration.wishes;
  const bool asked = !wishes.methods.empty() || wishes.require || wishes.contract;
  return !asked && !configuration.limit_rate && answer.length <= configuration.copy_limit &&
         answer.part_heads.empty();
}

Bytes offset_of(const Answer& answer) {
  return answer.ranges.empty() ? 0 : answer.ranges.front().first;
}

void note_copy(Exchange& exchange, Bytes bytes) {
  exchange.path.path_class = PathClass::user;
  exchange.path.legs = "read_write:" + std::to_string(bytes);
  exchange.path.evidence = Evidence::read;
}

Answer answer_cut_short(Exchange& exchange) {
  exchange.path = {};
  exchange.refusal = "the file ended, or failed, while it was read";
  return answer_status(500);
}

/// Content that was not in memory: a worker reads it.
class ColdFile final : public Activity {
 public:
  ColdFile(Connection& connection, std::shared_ptr<CachedFile> file, const std::string& head,
           const Answer& answer)
      : connection_(connection),
        file_(std::move(file)),
        offset_(offset_of(answer)),
        head_(head.size()),
        text_(head) {
    text_.resize(head_ + answer.length);
  }

  Step advance() override {
    if (!begun_) {
      begun_ = true;
      connection_.run([this] { read(); });
      return Step::waits;
    }
    if (!outgoing_) outgoing_.emplace(whole_ ? Outgoing{std::move(text_), head_} : apology());
    return outgoing_->advance(connection_.wire(), connection_.exchange());
  }
  [[nodiscard]] Life life() const override { return connection_.wire().acknowledged(); }

 private:
  void read() {
    const auto room = std::as_writable_bytes(std::span(text_)).subspan(head_);
    whole_ = read_small(file_->descriptor(), room, offset_, true) == SmallRead::whole;
  }
  Outgoing apology() { return outgoing(connection_, answer_cut_short(connection_.exchange())); }

  Connection& connection_;
  std::shared_ptr<CachedFile> file_;
  Bytes offset_;
  std::size_t head_;
  std::string text_;
  bool begun_ = false;
  bool whole_ = false;
  std::optional<Outgoing> outgoing_;
};

Step send_small(Connection& connection, const std::shared_ptr<CachedFile>& file,
                const Answer& answer, const std::string& head) {
  const std::span<std::byte> output = connection.lane().output();
  std::memcpy(output.data(), head.data(), head.size());
  const auto content = output.subspan(head.size(), answer.length);
  switch (file->read(content, offset_of(answer))) {
    case SmallRead::whole:
      return send_all(connection, output.first(head.size() + content.size()), head.size());
    case SmallRead::cold:
    case SmallRead::unknown:
      connection.become(std::make_unique<ColdFile>(connection, file, head, answer));
      return Step::again;
    case SmallRead::cut_short:
      break;
  }
  return reply(connection, answer_cut_short(connection.exchange()));
}

}  // namespace

Step send_file(Connection& connection, const std::shared_ptr<CachedFile>& file, Answer answer) {
  std::string& head = connection.lane().head();
  begin_answer(connection, answer, file->head(), head);
  const bool fits = head.size() + answer.length <= connection.lane().output().size();
  if (!fits || !may_copy(connection.lane().configuration(), answer)) {
    connection.become(std::make_unique<FileAnswer>(connection, file, head, std::move(answer)));
    return Step::again;
  }
  if (connection.lane().common().log != nullptr) note_copy(connection.exchange(), answer.length);
  return send_small(connection, file, answer, head);
}

}  // namespace headrace::http::server
