#include "checked/sender.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "checked/body_hash.hpp"
#include "checked/chunks.hpp"
#include "checked/line.hpp"
#include "net/finish.hpp"
#include "net/outstanding.hpp"
#include "sys/files.hpp"
#include "sys/socket.hpp"
#include "transfer/sigpipe_mask.hpp"

namespace headrace::checked {
namespace {

/// What tells of a write to the source between its two reads.
struct Times {
  std::optional<struct stat> status;
  explicit Times(DescriptorRef file) {
    if (const auto now = sys::fstat(file)) status = *now;
  }
  [[nodiscard]] bool differ(const Times& other) const {
    if (!status || !other.status || !S_ISREG(status->st_mode)) return false;
    const auto& mine = status->st_mtim;
    const auto& theirs = other.status->st_mtim;
    return mine.tv_sec != theirs.tv_sec || mine.tv_nsec != theirs.tv_nsec ||
           status->st_size != other.status->st_size;
  }
};

class Sender {
 public:
  Sender(Outgoing outgoing, DescriptorRef socket, const Facts& facts, const Options& options)
      : outgoing_(std::move(outgoing)),
        socket_(socket),
        options_(options),
        line_(socket, facts, options),
        before_(source()) {}

  Result<Report> run() {
    const SigpipeMask mask;
    if (const auto met = meet(); !met) {
      give_up();
      return std::unexpected(met.error());
    }
    auto moved = move();
    if (!moved) {
      give_up();
      return std::unexpected(moved.error());
    }
    report_ = std::move(moved->report);
    add_check(moved->hashed, report_);
    report_.check->name = outgoing_.name;
    if (moved->hashed.error) fail_with(*moved->hashed.error);
    conclude(moved->hashed);
    return std::move(report_);
  }

 private:
  [[nodiscard]] DescriptorRef source() const {
    return descriptor_of(outgoing_.body.pieces.front());
  }

  // The receiver speaks first: a peer that does not is sent nothing.
  Result<void> meet() {
    Line greeted = line_;
    greeted.hurry(std::min(options_.idle_timeout.value_or(greeting_limit), greeting_limit));
    const auto greeting = greeted.read_frame(decode_greeting);
    if (!greeting) return std::unexpected(of_stranger(greeting.error(), greeted));
    return line_.write(encode(Header{.length = outgoing_.length, .name = outgoing_.name}));
  }

  static Error of_stranger(const Error& error, const Line& line) {
    const bool silent = !line.frame_began() &&
                        (error.code == std::errc::timed_out || error.code == Fault::ended_early);
    return {silent ? make_error_code(Fault::not_checked) : error.code, "greeting"};
  }

  Result<Moved> move() {
    if (!outgoing_.length) return send_chunks(outgoing_.body, socket_, options_);
    Piece& piece = outgoing_.body.pieces.front();
    piece.length = outgoing_.length;
    return move_hashed(outgoing_.body, Plain{socket_}, options_, readable(piece));
  }

  // A descriptor without offsets cannot be read twice.
  static std::optional<Readable> readable(const Piece& piece) {
    const auto facts = probe(descriptor_of(piece));
    if (!facts || !facts->seekable) return std::nullopt;
    return Readable{.file = descriptor_of(piece), .start = piece.offset.value_or(facts->position)};
  }

  void conclude(const Hashed& hashed) {
    const auto start = net::Clock::now();
    const Bytes behind = say_the_end(hashed);
    const std::chrono::duration<double> waited = net::Clock::now() - start;
    report_.seconds += waited.count();
    if (report_.outcome == Outcome::complete) {
      report_.acknowledged = report_.bytes;
      return;
    }
    note_change();
    count_acknowledged(behind);
    give_up();
  }

  // Returns how many bytes were handed to the socket behind the body.
  Bytes say_the_end(const Hashed& hashed) {
    const bool whole = report_.outcome == Outcome::complete &&
                       report_.bytes == outgoing_.length.value_or(report_.bytes);
    if (!whole) {
      hear_early_answer();
      return 0;
    }
    Bytes written = 0;
    const Trailer trailer{.length = report_.bytes, .digest = hashed.digest};
    auto said = line_.write(encode(trailer), written);
    if (said) said = sys::shutdown(socket_, SHUT_WR);
    if (!said) {
      fail_with(said.error());
      hear_early_answer();
      return written;
    }
    hear_answer(trailer);
    return written + 1;  // the half-close counts as one
  }

  void hear_answer(const Trailer& ours) {
    const auto answer = line_.read_frame(decode_answer);
    if (answer) {
      judge(*answer, ours);
    } else {
      fail_with({answer.error().code, "answer"});
    }
    if (report_.outcome == Outcome::complete) expect_end();
  }

  // A receiver that gives up says why before it closes.
  void hear_early_answer() {
    if (report_.outcome == Outcome::interrupted || report_.outcome == Outcome::refused) return;
    Line last = line_;
    last.hurry(std::chrono::milliseconds{0});
    const auto answer = last.read_frame(decode_answer);
    if (answer && answer->verdict != Verdict::ok) judge(*answer, {});
  }

  void judge(const Answer& answer, const Trailer& ours) {
    report_.check->answer = name_of(answer.verdict);
    if (answer.verdict == Verdict::ok || answer.length > 0)
      report_.check->peer_digest = hexadecimal(answer.digest);
    const bool same = answer.digest == ours.digest && answer.length == ours.length;
    if (answer.verdict == Verdict::failed) {
      receiver_failed(answer);
    } else if (answer.verdict == Verdict::mismatch || !same) {
      report_.outcome = Outcome::mismatched;
    }
  }

  void receiver_failed(const Answer& answer) {
    const auto number = static_cast<int>(answer.error_number);
    fail_with({number == 0 ? make_error_code(Fault::receiver_failed)
                           : std::error_code(number, std::system_category()),
               "receiver"});
    std::string note = "the receiver had written " + std::to_string(answer.length) + " bytes";
    if (!answer.text.empty()) note += " and says: " + answer.text;
    report_.notes.push_back(std::move(note));
  }

  // The receiver has nothing more to say and closes; a second answer would put the first in doubt.
  void expect_end() {
    Line last = line_;
    last.hurry(net::peer_end_grace);
    std::array<std::byte, 1> more{};
    const auto got = last.read_some(more);
    if (got && *got > 0) fail_with({Fault::bytes_after, "answer"});
    if (!got && got.error().code == std::errc::timed_out) {
      report_.notes.emplace_back("the receiver has answered and keeps its side open");
    }
  }

  void note_change() {
    if (report_.change || !before_.differ(Times{source()})) return;
    report_.notes.emplace_back("the source was written to meanwhile");
  }

  void count_acknowledged(Bytes behind) {
    const auto domain = sys::getsockopt(socket_, sys::option::domain);
    if (!domain || *domain == AF_UNIX) return;
    const auto outstanding = net::unacknowledged(socket_);
    if (!outstanding) return;
    const Bytes of_body = *outstanding - std::min(*outstanding, behind);
    report_.acknowledged = report_.bytes - std::min(of_body, report_.bytes);
  }

  void fail_with(const Error& error) {
    const bool stopped =
        error.code == std::errc::operation_canceled && net::stop_requested(options_.stop);
    report_.outcome = stopped ? Outcome::interrupted : Outcome::failed;
    if (!stopped) report_.error = error;
  }

  // The peer must not take what it has for all.
  void give_up() { [[maybe_unused]] const auto lost = net::abandon(socket_); }

  Outgoing outgoing_;
  DescriptorRef socket_;
  const Options& options_;
  Line line_;
  Times before_;
  Report report_;
};

}  // namespace

Result<Report> send(Outgoing outgoing, DescriptorRef socket, const Options& options) {
  const auto facts = probe(socket, options.destination_name);
  if (!facts) return std::unexpected(facts.error());
  return Sender{std::move(outgoing), socket, *facts, options}.run();
}

}  // namespace headrace::checked
