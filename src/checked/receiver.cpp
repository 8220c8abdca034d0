#include "checked/receiver.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "checked/chunks.hpp"
#include "net/finish.hpp"
#include "sys/socket.hpp"
#include "transfer/sigpipe_mask.hpp"

namespace headrace::checked {
namespace {

Error named(const Error& error, std::string_view frame) {
  return {error.code, error.call == "frame" ? frame : error.call};
}

bool is_errno(const Error& error) {
  return error.code.category() == std::system_category() ||
         error.code.category() == std::generic_category();
}

const Error* cause_of(const Report& report) {
  if (report.error) return &*report.error;
  if (report.legs.empty() || !report.legs.back().error) return nullptr;
  return &*report.legs.back().error;
}

void set_error(Answer& answer, const Error& error) {
  answer.verdict = Verdict::failed;
  if (is_errno(error)) answer.error_number = static_cast<std::uint32_t>(error.code.value());
  answer.text = std::string(error.call) + ": " + error.code.message();
}

}  // namespace

Reception::Reception(DescriptorRef socket, const Facts& facts, const Options& options)
    : socket_(socket), options_(options), line_(socket, facts, options) {}

Result<Header> Reception::meet() {
  const SigpipeMask mask;
  const auto greeted = line_.write(encode(Greeting{}));
  auto header =
      greeted ? line_.read_frame(decode_header) : Result<Header>(std::unexpected(greeted.error()));
  if (header) {
    header_ = *header;
    return header;
  }
  Error error = named(header.error(), "header");
  if (error.code == Fault::ended_early && !line_.frame_began()) error.code = Fault::not_checked;
  if (error.code == Fault::damaged) {
    say({.verdict = Verdict::mismatch, .error_number = 0, .length = 0, .digest = {}, .text = {}});
  } else {
    [[maybe_unused]] const auto lost = net::abandon(socket_);
  }
  return std::unexpected(error);
}

Result<Report> Reception::take(Body body, Plain destination, const Options& options, bool again) {
  const SigpipeMask mask;
  Result<Moved> moved = std::unexpected(Error{});
  if (header_.length) {
    body.pieces.front().length = header_.length;
    const auto readable =
        again ? std::optional{Readable{.file = destination.descriptor, .start = 0}} : std::nullopt;
    moved = move_hashed(std::move(body), destination, options, readable);
  } else {
    moved = receive_chunks(body, destination.descriptor, options);
  }
  if (!moved) return std::unexpected(moved.error());
  Report& report = moved->report;
  add_check(moved->hashed, report);
  report.check->name = header_.name;
  compare(moved->hashed, report);
  return std::move(report);
}

void Reception::compare(const Hashed& hashed, Report& report) {
  reply_ = {.verdict = Verdict::ok,
            .error_number = 0,
            .length = report.bytes,
            .digest = hashed.digest,
            .text = {}};
  if (report.outcome != Outcome::complete) return;
  const auto right = is_right(hashed, report);
  if (right) {
    if (!*right) report.outcome = Outcome::mismatched;
    return;
  }
  const bool stopped =
      right.error().code == std::errc::operation_canceled && net::stop_requested(options_.stop);
  report.outcome = stopped ? Outcome::interrupted : Outcome::failed;
  if (!stopped) report.error = right.error();
}

Result<bool> Reception::is_right(const Hashed& hashed, Report& report) {
  if (hashed.error) return std::unexpected(*hashed.error);
  if (net::stop_requested(options_.stop)) return fail("poll", ECANCELED);
  if (report.bytes < header_.length.value_or(0)) {
    return std::unexpected(Error{Fault::ended_early, "body"});
  }
  const auto trailer = read_end();
  if (!trailer && trailer.error().code == Fault::damaged) return false;
  if (!trailer) return std::unexpected(trailer.error());
  report.check->peer_digest = hexadecimal(trailer->digest);
  return trailer->length == hashed.bytes && hashed.bytes == report.bytes &&
         trailer->digest == hashed.digest;
}

// The trailer and, right behind it, the end of the sender's side.
Result<Trailer> Reception::read_end() {
  auto trailer = line_.read_frame(decode_trailer);
  if (!trailer) {
    Error error = named(trailer.error(), "trailer");
    // Where a trailer should be and is none, bytes were lost or put in.
    if (error.code == Fault::not_checked) error.code = Fault::damaged;
    return std::unexpected(error);
  }
  std::array<std::byte, 1> more{};
  const auto got = line_.read_some(more);
  if (!got) return std::unexpected(got.error());
  if (*got > 0) return std::unexpected(Error{Fault::bytes_after, "trailer"});
  return trailer;
}

void Reception::answer(Report& report) {
  if (report.outcome == Outcome::mismatched) reply_.verdict = Verdict::mismatch;
  if (report.outcome == Outcome::failed || report.outcome == Outcome::refused ||
      report.outcome == Outcome::source_changed) {
    const Error* const cause = cause_of(report);
    set_error(reply_, cause != nullptr ? *cause : Error{Fault::receiver_failed, "receiver"});
    if (report.outcome == Outcome::refused) reply_.text = "refused by the receiver's options";
  }
  if (report.outcome == Outcome::interrupted) {
    set_error(reply_, Error{std::make_error_code(std::errc::operation_canceled), "receiver"});
  }
  if (report.check) report.check->answer = name_of(reply_.verdict);
  say(reply_);
}

void Reception::decline(const Error& error) {
  set_error(reply_, error);
  say(reply_);
}

// Where the sender is still sending, it is listened to until it has heard: closing on unread bytes
// is a reset, which may destroy what was just said.
void Reception::say(const Answer& answer) {
  const SigpipeMask mask;
  Line last = line_;
  last.go_on_after_stop();
  last.hurry(net::peer_end_grace);
  if (const auto said = last.write(encode(answer)); !said) return;
  if (answer.verdict == Verdict::ok) {
    [[maybe_unused]] const auto closed = sys::shutdown(socket_, SHUT_WR);
    return;
  }
  [[maybe_unused]] const auto end =
      net::finish(socket_, {.idle = options_.idle_timeout}, options_.stop);
}

}  // namespace headrace::checked
