#include "checked/frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <string>

namespace headrace::checked {
namespace {

using Bytestring = std::span<const std::byte>;

Digest some_digest() {
  Hash hash;
  hash.add(std::as_bytes(std::span(std::string_view("some"))));
  return hash.value();
}

std::string hex(Bytestring bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) >> 4U];
    text += digits[std::to_integer<unsigned>(byte) & 0xFU];
  }
  return text;
}

/// A frame with a right checksum around any fields: what only another version would send.
Encoded frame(std::string_view magic, Encoded fields) {
  Encoded bytes;
  for (const char letter : magic) bytes.push_back(static_cast<std::byte>(letter));
  const std::size_t size = magic.size() + 2 + fields.size() + 8;
  bytes.push_back(static_cast<std::byte>(size >> 8U));
  bytes.push_back(static_cast<std::byte>(size & 0xFFU));
  bytes.insert(bytes.end(), fields.begin(), fields.end());
  Hash hash;
  hash.add(bytes);
  const Digest digest = hash.value();
  bytes.insert(bytes.end(), digest.bytes.begin(), digest.bytes.begin() + 8);
  return bytes;
}

Encoded header_fields(unsigned of_version, unsigned flags, std::string_view name) {
  Encoded fields{std::byte{0}, static_cast<std::byte>(of_version), std::byte{0},
                 static_cast<std::byte>(flags)};
  fields.resize(fields.size() + 8);
  for (const char letter : name) fields.push_back(static_cast<std::byte>(letter));
  return fields;
}

constexpr std::string_view header_magic = "\x89HRBEGIN";
constexpr std::string_view greeting_magic = "\x89HRGREET";

/// One frame of each kind with the outcome of its own decoder, as one type.
struct Sample {
  std::string name;
  Encoded bytes;
  enum class Outcome { frame, need, fault };
  std::function<Outcome(Bytestring)> decode;
};

template <class Frame>
Sample sample(const std::string& name, const Frame& value, Decoded<Frame> (*decode)(Bytestring)) {
  return {.name = name, .bytes = encode(value), .decode = [decode](Bytestring bytes) {
            return static_cast<Sample::Outcome>(decode(bytes).index());
          }};
}

std::vector<Sample> samples() {
  return {sample("greeting", Greeting{}, decode_greeting),
          sample("header", Header{.length = 17, .name = "a file"}, decode_header),
          sample("header without length", Header{.length = {}, .name = ""}, decode_header),
          sample("trailer", Trailer{.length = 17, .digest = some_digest()}, decode_trailer),
          sample("answer",
                 Answer{.verdict = Verdict::failed,
                        .error_number = 28,
                        .length = 5,
                        .digest = some_digest(),
                        .text = "write: No space left on device"},
                 decode_answer)};
}

TEST(Frames, ComeBackAsTheyWere) {
  EXPECT_EQ(std::get<Greeting>(decode_greeting(encode(Greeting{}))), Greeting{});
  for (const auto length :
       {std::optional<Bytes>{}, std::optional<Bytes>{0}, std::optional<Bytes>{1},
        std::optional<Bytes>{Bytes{1} << 63U}, std::optional{everything - 1}}) {
    const Header header{.length = length, .name = "../\x01\xff/x\n"};
    EXPECT_EQ(std::get<Header>(decode_header(encode(header))), header);
  }
  const Trailer trailer{.length = 0x0123456789abcdef, .digest = some_digest()};
  EXPECT_EQ(std::get<Trailer>(decode_trailer(encode(trailer))), trailer);
  for (const auto verdict : {Verdict::ok, Verdict::mismatch, Verdict::failed}) {
    const Answer answer{.verdict = verdict,
                        .error_number = 0xfedcba98,
                        .length = 3,
                        .digest = some_digest(),
                        .text = "why"};
    EXPECT_EQ(std::get<Answer>(decode_answer(encode(answer))), answer);
  }
}

// The very bytes: docs/checked.md promises them to other programs.
TEST(Frames, AreTheBytesOfTheDocument) {
  EXPECT_EQ(hex(encode(Greeting{})), "8948524752454554001400013a498b1f6f331d38");
  EXPECT_EQ(hex(encode(Header{.length = 5, .name = "a"})),
            "894852424547494e001f0001000000000000000000056159d3bf149fc54bd1");
  Hash hash;
  hash.add(std::as_bytes(std::span(std::string_view("hello"))));
  EXPECT_EQ(hex(encode(Trailer{.length = 5, .digest = hash.value()})),
            "894852545241494c002a0000000000000005b5e9c1ad071b3e7fc779cfaa5e5238181b5cd2badd99acd6");
  EXPECT_EQ(hex(encode(Answer{.verdict = Verdict::ok,
                              .error_number = 0,
                              .length = 5,
                              .digest = hash.value(),
                              .text = ""})),
            "8948525245504c5900300000000000000000000000000005b5e9c1ad071b3e7fc779cfaa5e523818c85f84"
            "ca0cef2b46");
}

TEST(Frames, EveryPrefixAsksForMoreAndNeverForTooMuch) {
  for (const Sample& one : samples()) {
    for (std::size_t size = 0; size < one.bytes.size(); ++size) {
      EXPECT_EQ(one.decode(Bytestring(one.bytes).first(size)), Sample::Outcome::need)
          << one.name << ", " << size << " bytes";
    }
  }
  const Encoded header = encode(Header{.length = 1, .name = "name"});
  EXPECT_EQ(std::get<Need>(decode_header({})), Need{10});
  EXPECT_EQ(std::get<Need>(decode_header(Bytestring(header).first(9))), Need{10});
  EXPECT_EQ(std::get<Need>(decode_header(Bytestring(header).first(10))), Need{header.size()});
}

TEST(Frames, WhatFollowsIsNotLookedAt) {
  for (const Sample& one : samples()) {
    Encoded longer = one.bytes;
    longer.insert(longer.end(), 100, std::byte{0xAA});
    EXPECT_EQ(one.decode(longer), Sample::Outcome::frame) << one.name;
  }
}

TEST(Frames, NoFlippedBitGoesUnseen) {
  for (const Sample& one : samples()) {
    for (std::size_t bit = 0; bit < one.bytes.size() * 8; ++bit) {
      Encoded bytes = one.bytes;
      bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
      EXPECT_NE(one.decode(bytes), Sample::Outcome::frame) << one.name << ", bit " << bit;
    }
  }
}

TEST(Frames, RandomMutationsAreNeverAFrameAndNeverReadTooFar) {
  std::mt19937_64 random(20061130);
  for (const Sample& one : samples()) {
    for (int trial = 0; trial < 20'000; ++trial) {
      Encoded bytes = one.bytes;
      const auto changes = 1 + random() % 8;
      for (std::uint64_t i = 0; i < changes; ++i) {
        bytes[random() % bytes.size()] = static_cast<std::byte>(random());
      }
      // On the heap and cut to size, so that the sanitizers see a read beyond the end.
      const Encoded cut(bytes.begin(),
                        bytes.begin() + static_cast<std::ptrdiff_t>(random() % (bytes.size() + 1)));
      const bool same = cut == one.bytes;
      EXPECT_EQ(one.decode(cut) == Sample::Outcome::frame, same) << one.name << " " << hex(cut);
    }
  }
}

TEST(Frames, RandomBytesAreFaults) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 50'000; ++trial) {
    Encoded bytes(random() % 400);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    for (const Sample& one : samples()) {
      const auto outcome = one.decode(bytes);
      EXPECT_NE(outcome, Sample::Outcome::frame) << hex(bytes);
      const bool decided = bytes.size() >= 8;  // a whole magic
      EXPECT_TRUE(!decided || outcome == Sample::Outcome::fault) << hex(bytes);
    }
  }
}

TEST(Frames, AStrangerIsKnownByItsFirstByte) {
  for (const std::string_view text : {"G", "GET / HTTP/1.1\r\n",
                                      "\x7f"
                                      "ELF",
                                      " "}) {
    const auto bytes = std::as_bytes(std::span(text));
    EXPECT_EQ(std::get<Fault>(decode_header(bytes)), Fault::not_checked);
    EXPECT_EQ(std::get<Fault>(decode_greeting(bytes)), Fault::not_checked);
  }
  // Two receivers, or two senders, that found each other.
  EXPECT_EQ(std::get<Fault>(decode_header(encode(Greeting{}))), Fault::not_checked);
  EXPECT_EQ(std::get<Fault>(decode_greeting(encode(Header{}))), Fault::not_checked);
}

TEST(Frames, AnotherVersionIsTold) {
  EXPECT_EQ(std::get<Fault>(decode_header(frame(header_magic, header_fields(2, 0, "a")))),
            Fault::other_version);
  EXPECT_EQ(std::get<Fault>(decode_header(frame(header_magic, header_fields(1, 1, "a")))),
            Fault::other_version);
  EXPECT_EQ(std::get<Fault>(
                decode_greeting(frame(greeting_magic, {std::byte{0}, std::byte{2}, std::byte{7}}))),
            Fault::other_version);
}

TEST(Frames, ANameHasAtMost255BytesAndNoNul) {
  const std::string longest(longest_name, 'n');
  EXPECT_EQ(std::get<Header>(decode_header(encode(Header{.length = 1, .name = longest}))).name,
            longest);
  EXPECT_EQ(
      std::get<Header>(decode_header(encode(Header{.length = 1, .name = longest + "o"}))).name,
      longest);
  EXPECT_EQ(std::get<Header>(decode_header(frame(header_magic, header_fields(1, 0, longest)))).name,
            longest);
  EXPECT_EQ(std::get<Fault>(decode_header(frame(header_magic, header_fields(1, 0, longest + "o")))),
            Fault::damaged);
  EXPECT_EQ(std::get<Fault>(decode_header(
                frame(header_magic, header_fields(1, 0, std::string_view("a\0b", 3))))),
            Fault::damaged);
}

TEST(Frames, ATextIsCutToItsMost) {
  const Answer answer{.verdict = Verdict::failed,
                      .error_number = 5,
                      .length = 0,
                      .digest = {},
                      .text = std::string(1000, 't')};
  EXPECT_EQ(std::get<Answer>(decode_answer(encode(answer))).text, std::string(longest_text, 't'));
}

TEST(Frames, AnUnknownVerdictIsDamage) {
  Encoded fields(2 + 4 + 8 + 16);
  fields[1] = std::byte{3};
  EXPECT_EQ(std::get<Fault>(decode_answer(frame("\x89HRREPLY", fields))), Fault::damaged);
}

TEST(ChunkSize, ComesBackBigEndian) {
  std::array<std::byte, chunk_head_size> head{};
  encode_chunk_size(0x01020304, head);
  EXPECT_EQ(hex(head), "01020304");
  EXPECT_EQ(decode_chunk_size(head), 0x01020304U);
}

}  // namespace
}  // namespace headrace::checked
