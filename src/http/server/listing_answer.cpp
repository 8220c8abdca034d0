#include "http/server/listing_answer.hpp"

#include "http/message/listing.hpp"
#include "http/server/answering.hpp"

namespace headrace::http::server {
namespace {

std::string print_listing(Listing listing, std::string_view type) {
  if (type == listing_json_type) return listing_json(std::move(listing));
  if (type == listing_text_type) return listing_text(std::move(listing));
  return listing_html(std::move(listing));
}

class ListingAnswer final : public Activity {
 public:
  ListingAnswer(Connection& connection, Descriptor directory, Answer answer)
      : connection_(connection), directory_(std::move(directory)), answer_(std::move(answer)) {}

  Step advance() override {
    if (!read_) {
      read_ = true;
      connection_.run([this] { read(); });
      return Step::waits;
    }
    if (!outgoing_) outgoing_.emplace(outgoing(connection_, answer_));
    return outgoing_->advance(connection_.wire(), connection_.exchange());
  }
  [[nodiscard]] Life life() const override { return connection_.wire().acknowledged(); }

 private:
  // On a worker.
  void read() {
    const std::string& path = connection_.exchange().request.target.path;
    auto listing = connection_.lane().common().site.list(directory_.ref(), path);
    if (!listing) {
      const bool close = answer_.close;
      answer_ = answer_status(status_of(listing.error()));
      answer_.close = close;
      return;
    }
    answer_.content = Answer::Content::text;
    answer_.text = print_listing(std::move(*listing), answer_.listing_type);
  }

  Connection& connection_;
  Descriptor directory_;
  Answer answer_;
  bool read_ = false;
  std::optional<Outgoing> outgoing_;
};

}  // namespace

Step list(Connection& connection, Descriptor directory, Answer answer) {
  connection.become(
      std::make_unique<ListingAnswer>(connection, std::move(directory), std::move(answer)));
  return Step::again;
}

}  // namespace headrace::http::server
