#pragma once

#include <sys/socket.h>

#include <atomic>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "checked/receiver.hpp"
#include "checked/sender.hpp"
#include "support/ends.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"

// What the tests of a whole checked session share.
namespace headrace::checked::testing {

using headrace::testing::must;

inline Options patient() {
  Options options;
  options.idle_timeout = std::chrono::seconds{60};
  return options;
}

/// How one side ended: its report, or the error before one.
struct Ended {
  std::optional<Report> report;
  std::optional<Error> error;
  std::string content;  ///< of the receiver's file
  [[nodiscard]] Outcome outcome() const { return report ? report->outcome : Outcome::failed; }
  [[nodiscard]] std::string answer() const {
    return report && report->check ? report->check->answer : "";
  }
};

inline Ended ended(Result<Report> result) {
  if (!result) return {.report = {}, .error = result.error(), .content = {}};
  return {.report = std::move(*result), .error = {}, .content = {}};
}

/// Sends all of `file`; closes the socket when it is over, as a program's end does.
inline Ended send_all(Descriptor socket, DescriptorRef file, std::optional<Bytes> length,
                      const Options& options = patient()) {
  return ended(send({.body = body_of(file), .length = length, .name = "a"}, socket.ref(), options));
}

/// Receives into an unnamed file.
inline Ended receive_all(Descriptor socket, bool again = true, const Options& options = patient(),
                         Observer observer = {}) {
  const auto facts = probe(socket.ref());
  Reception reception{socket.ref(), *facts, options};
  if (const auto header = reception.meet(); !header) {
    return {.report = {}, .error = header.error(), .content = {}};
  }
  const Descriptor file = headrace::testing::file_holding("");
  Body body = body_of(socket.ref());
  if (observer) body = observed(std::move(body), std::move(observer));
  Ended end = ended(reception.take(std::move(body), Plain{file.ref()}, options, again));
  if (end.report) reception.answer(*end.report);
  end.content = headrace::testing::read_all(file);
  return end;
}

/// A connection whose bytes pass through us: `forth` are the sender's, `back` the receiver's. A
/// change is told the offset of each byte in its direction.
class MiddleMan {
 public:
  using Change = std::function<void(Bytes offset, std::byte& byte)>;

  explicit MiddleMan(Change forth, Change back = {}, std::optional<Bytes> cut = {})
      : for_sender(headrace::testing::connected_tcp()),
        for_receiver(headrace::testing::connected_tcp()),
        forth_([this, change = std::move(forth), cut] {
          relay(for_sender.far.ref(), for_receiver.far.ref(), change, cut);
        }),
        back_([this, change = std::move(back)] {
          relay(for_receiver.far.ref(), for_sender.far.ref(), change, {});
        }) {}

  // `near` of each goes to the side under test.
  headrace::testing::Pair for_sender;    // NOLINT(*-non-private-member-variables-in-classes)
  headrace::testing::Pair for_receiver;  // NOLINT(*-non-private-member-variables-in-classes)

 private:
  // To the end of `from`, or for `cut` bytes: then all of it breaks off.
  static void relay(DescriptorRef from, DescriptorRef to, const Change& change,
                    std::optional<Bytes> cut) {
    std::vector<std::byte> buffer(64 * kibibyte);
    Bytes offset = 0;
    for (;;) {
      const ssize_t got = ::recv(from.number(), buffer.data(), buffer.size(), 0);
      if (got <= 0) break;
      auto bytes = std::span(buffer).first(static_cast<std::size_t>(got));
      if (cut && offset + bytes.size() >= *cut) bytes = bytes.first(*cut - offset);
      for (std::byte& byte : bytes) {
        if (change) change(offset, byte);
        ++offset;
      }
      if (!forward(to, bytes)) break;
      if (cut && offset == *cut) break;
    }
    ::shutdown(to.number(), SHUT_WR);
    if (cut) ::shutdown(from.number(), SHUT_RDWR);
  }

  static bool forward(DescriptorRef to, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(to.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    return true;
  }

  std::jthread forth_;
  std::jthread back_;
};

struct Session {
  Ended sender;
  Ended receiver;
};

/// Both sides at once, each on a thread of its own.
inline Session run(Descriptor sending, Descriptor receiving, DescriptorRef file,
                   std::optional<Bytes> length, bool again = true) {
  auto received = std::async(
      std::launch::async, [&receiving, again] { return receive_all(std::move(receiving), again); });
  Session session;
  session.sender = send_all(std::move(sending), file, length);
  session.receiver = received.get();
  return session;
}

/// Says `bytes` at once, closes its sending side, and keeps what it hears.
inline std::string play(const Descriptor& end, std::initializer_list<Encoded> frames,
                        std::string_view body = {}, const Encoded& last = {}) {
  const auto say = [&](std::span<const std::byte> bytes) {
    if (!bytes.empty()) ::send(end.ref().number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  };
  for (const Encoded& frame : frames) say(frame);
  say(std::as_bytes(std::span(body)));
  say(last);
  ::shutdown(end.ref().number(), SHUT_WR);
  headrace::testing::Drain drain{end};
  return drain.bytes();
}

inline Trailer trailer_of(std::string_view body) {
  Hash hash;
  hash.add(std::as_bytes(std::span(body)));
  return {.length = body.size(), .digest = hash.value()};
}

}  // namespace headrace::checked::testing
