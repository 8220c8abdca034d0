#include "http/server/upload.hpp"

#include <cerrno>
#include <utility>

#include "http/body/body_fault.hpp"
#include "http/body/chunked_receive.hpp"
#include "probe/file_system.hpp"
#include "sys/files.hpp"

namespace headrace::http::server {
namespace {

// A body that came with its head or right behind it is written before anybody asked whether it
// should be sent: then the write itself tells that the disk is full.
constexpr Bytes worth_reserving = 64 * kibibyte;

bool no_room(const Error& error) {
  return error.code.value() == ENOSPC || error.code.value() == EDQUOT;
}

std::unexpected<Rejection> reject(int status, std::string detail) {
  return std::unexpected(Rejection{status, std::move(detail)});
}

std::string describe(const Error& error) {
  return std::string(error.call) + ": " + error.code.message();
}

/// Reserving on tmpfs fills pages with zeros only to be overwritten: there the count of free ones
/// must do. The write has the last word everywhere.
Result<void> reserve(DescriptorRef file, Bytes length) {
  const auto status = sys::fstatfs(file);
  const auto magic = status ? static_cast<std::uint64_t>(status->f_type) : 0;
  if (file_system_of(magic).name != "tmpfs") {
    return sys::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, length);
  }
  const bool limited = status->f_blocks > 0;
  const auto block = static_cast<Bytes>(status->f_bsize);
  if (limited && status->f_bavail < (length + block - 1) / block) return fail("fstatfs", ENOSPC);
  return {};
}

/// The error that ended a transfer, wherever it is told.
std::optional<Error> error_of(const Report& report) {
  if (report.error) return report.error;
  return report.legs.empty() ? std::nullopt : report.legs.back().error;
}

int status_of_failure(const Error& error) {
  if (error.code == BodyFault::too_large) return 413;
  if (error.code.category() != std::system_category()) return 400;  // no chunks
  if (error.code.value() == ETIMEDOUT) return 408;
  return error.code.value() == ECONNRESET ? 400 : status_of_write(error);
}

/// Why `report` is not that of a whole body.
Rejection rejection_of_failure(const Report& report) {
  const auto error = error_of(report);
  if (report.outcome == Outcome::refused) {
    const std::string why =
        report.refused.empty() ? "" : ": " + std::string(report.refused.back().reason.code);
    return {500, "no method that was asked for can take it" + why};
  }
  if (report.outcome == Outcome::interrupted) return {503, "stopped"};
  if (!error) return {400, make_error_code(BodyFault::ended_early).message()};
  return {status_of_failure(*error), describe(*error)};
}

}  // namespace

Taken<std::unique_ptr<Upload>> Upload::begin(const Site& site, const Configuration& configuration,
                                             Order order) {
  const bool known = order.framing.kind == BodyFraming::Kind::length;
  const auto most = configuration.max_upload;
  if (known && most && order.framing.length > *most) {
    return reject(413, "larger than --max-upload");
  }
  std::unique_ptr<Upload> upload{new Upload(configuration, std::move(order))};
  const bool discards = configuration.uploads == Uploads::discarded;
  const auto opened = discards ? upload->open_sink() : upload->open_file(site);
  if (!opened) return std::unexpected(opened.error());
  return upload;
}

Upload::Upload(const Configuration& configuration, Order order)
    : path_(std::move(order.path)),
      length_(order.framing.length),
      wishes_(configuration.wishes),
      rate_(configuration.limit_rate) {
  // A contract is about sources that are files; here the source is a connection.
  wishes_.contract.reset();
  if (order.framing.kind == BodyFraming::Kind::chunked) {
    chunks_ =
        std::make_shared<ChunkedInput>(order.ahead, configuration.max_upload.value_or(everything),
                                       wishes_.buffer.value_or(ChunkedInput::default_buffer));
  } else {
    ahead_.assign(order.ahead.begin(), order.ahead.end());
  }
}

Taken<void> Upload::open_file(const Site& site) {
  auto place = find_upload_place(site, path_);
  if (!place) return std::unexpected(std::move(place.error()));
  auto replacement = Replacement::open(std::move(*place));
  if (!replacement) return std::unexpected(rejection_of(replacement.error()));
  replacement_.emplace(std::move(*replacement));
  file_ = replacement_->file();
  return make_room();
}

Taken<void> Upload::open_sink() {
  auto sink = sys::openat(sys::working_directory, "/dev/null", O_WRONLY | O_CLOEXEC);
  if (!sink) return reject(status_of_write(sink.error()), describe(sink.error()));
  sink_ = std::move(*sink);
  file_ = sink_.ref();
  return {};
}

Taken<void> Upload::make_room() const {
  if (is_chunked() || length_ < worth_reserving) return {};
  const auto reserved = reserve(file_, length_);
  const bool too_large = !reserved && reserved.error().code.value() == EFBIG;
  // A file system that cannot reserve may still have room.
  if (reserved || !(no_room(reserved.error()) || too_large)) return {};
  return reject(status_of_write(reserved.error()), describe(reserved.error()));
}

std::span<const std::byte> Upload::ahead() const {
  return std::span(ahead_).first(next_request(ahead_.size(), length_));
}

bool Upload::has_body() const { return is_chunked() || length_ > 0; }

bool Upload::wants_more() const {
  // Of chunks only decoding tells; whoever sends some before being asked will send them all.
  return is_chunked() ? chunks_->in_hand() == 0 : ahead().size() < length_;
}

Body Upload::body(DescriptorRef socket) const {
  Body body;
  body.rate = rate_;
  if (is_chunked()) {
    body.pieces.push_back({.source = Plain{socket},
                           .offset = {},
                           .length = {},
                           .only_way = chunked_receive(chunks_)});
    body.opaque = body_in_chunks;
    return body;
  }
  if (!ahead().empty()) {
    body.pieces.push_back(
        {.source = Memory{ahead()}, .offset = {}, .length = {}, .excepted = true});
  }
  const Bytes rest = length_ - ahead().size();
  if (rest > 0) body.pieces.push_back({.source = Plain{socket}, .offset = {}, .length = rest});
  return body;
}

Options Upload::options() const {
  Options options;
  options.wishes = wishes_;
  options.source_name = "the client";
  options.destination_name = path_;
  return options;
}

bool Upload::is_whole(const Report& report) const {
  if (is_chunked()) return chunks_->complete() && chunks_->content().empty();
  if (!replacement_) return report.bytes == length_;
  const auto status = sys::fstat(file_);
  return status && static_cast<Bytes>(status->st_size) == length_;
}

Taken<Upload::Stored> Upload::finish(const Report& report) {
  if (report.outcome != Outcome::complete || !is_whole(report)) {
    return std::unexpected(rejection_of_failure(report));
  }
  if (!replacement_) return Stored{.status = 204, .notes = {}};
  auto committed = replacement_->commit();
  if (!committed) return std::unexpected(rejection_of(committed.error()));
  return Stored{.status = committed->replaced ? 204 : 201, .notes = std::move(committed->notes)};
}

std::span<const std::byte> Upload::surplus() const {
  if (is_chunked()) return chunks_->surplus();
  return std::span(ahead_).subspan(ahead().size());
}

}  // namespace headrace::http::server
