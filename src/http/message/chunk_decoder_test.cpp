#include "http/message/chunk_decoder.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "http/message/chunk_head.hpp"

namespace headrace::http {
namespace {

using namespace std::string_literals;

/// What a decoder makes of a whole body that comes in the parts between `cuts`.
struct Read {
  std::string data;
  std::string fault;  // empty: none
  bool finished = false;
  std::size_t consumed = 0;
  friend bool operator==(const Read&, const Read&) = default;
};

std::ostream& operator<<(std::ostream& stream, const Read& read) {
  return stream << read.data << " [" << read.fault << "] finished " << read.finished << " after "
                << read.consumed;
}

void feed(ChunkDecoder& decoder, std::string_view part, Read& read) {
  while (!part.empty() && !read.finished && read.fault.empty()) {
    const auto step = decoder.decode(std::as_bytes(std::span(part)));
    if (!step) {
      read.fault = step.error().code.message();
      return;
    }
    for (const std::byte byte : step->data) read.data += std::to_integer<char>(byte);
    read.consumed += step->consumed;
    read.finished = step->finished;
    part.remove_prefix(step->consumed);
  }
}

Read read_in_parts(std::string_view body, const std::vector<std::size_t>& cuts) {
  ChunkDecoder decoder;
  Read read;
  std::size_t from = 0;
  for (const std::size_t cut : cuts) {
    feed(decoder, body.substr(from, cut - from), read);
    from = cut;
  }
  feed(decoder, body.substr(from), read);
  return read;
}

Read read_whole(std::string_view body) { return read_in_parts(body, {}); }

std::string text_of(ChunkFault fault) { return make_error_code(fault).message(); }

TEST(ChunkDecoder, GivesTheDataAndStopsBehindTheBody) {
  const std::string body = "5\r\nhello\r\n1;a=b\r\n,\r\nA\r\n0123456789\r\n0\r\n\r\n";
  EXPECT_EQ(read_whole(body + "GET /"), (Read{"hello,0123456789", "", true, body.size()}));
}

TEST(ChunkDecoder, ReadsAnEmptyBody) {
  EXPECT_EQ(read_whole(last_chunk), (Read{"", "", true, last_chunk.size()}));
  EXPECT_EQ(read_whole("000\r\n\r\n"), (Read{"", "", true, 7}));
  EXPECT_EQ(read_whole("0000000000000000\r\n\r\n"), (Read{"", "", true, 20}));
}

TEST(ChunkDecoder, ReadsSizesOfBothCases) {
  const std::string data(0xAB, 'x');
  EXPECT_EQ(read_whole("aB\r\n" + data + "\r\n0\r\n\r\n").data, data);
  EXPECT_EQ(read_whole("00Ab\r\n" + data + "\r\n0\r\n\r\n").data, data);
}

TEST(ChunkDecoder, GivesDataInsideTheInput) {
  const std::string_view body = "5\r\nhello\r\n";
  const auto bytes = std::as_bytes(std::span(body));
  ChunkDecoder decoder;
  const auto step = decoder.decode(bytes);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->data.data(), bytes.data() + 3);
  EXPECT_EQ(step->data.size(), 5);
  EXPECT_EQ(step->consumed, 8);
  EXPECT_FALSE(step->finished);
}

TEST(ChunkDecoder, KnowsWhatIsStillToComeOfAChunk) {
  ChunkDecoder decoder;
  EXPECT_EQ(decoder.rest_of_chunk(), 0);
  ASSERT_TRUE(decoder.decode(std::as_bytes(std::span(std::string_view("12")))));
  EXPECT_EQ(decoder.rest_of_chunk(), 0);
  ASSERT_TRUE(decoder.decode(std::as_bytes(std::span(std::string_view("\r\n")))));
  EXPECT_EQ(decoder.rest_of_chunk(), 0x12);
  ASSERT_TRUE(decoder.decode(std::as_bytes(std::span(std::string_view("ab")))));
  EXPECT_EQ(decoder.rest_of_chunk(), 0x10);
}

TEST(ChunkDecoder, SaysAgainThatItIsOverOrThatItHasFailed) {
  const auto bytes = std::as_bytes(std::span(std::string_view("0\r\n\r\n")));
  ChunkDecoder decoder;
  ASSERT_TRUE(decoder.decode(bytes));
  const auto again = decoder.decode(bytes);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->finished);
  EXPECT_EQ(again->consumed, 0);

  ChunkDecoder failing;
  EXPECT_FALSE(failing.decode(std::as_bytes(std::span(std::string_view("x")))));
  EXPECT_EQ(failing.decode(bytes).error().code, ChunkFault::bad_size);
  EXPECT_EQ(failing.decode({}).error().code, ChunkFault::bad_size);
}

TEST(ChunkDecoder, DropsExtensionsAndTrailers) {
  EXPECT_EQ(read_whole("1;a\r\nx\r\n1;b=c;d=\"e;\\\"f\"\r\ny\r\n1 \t; g\t\r\nz\r\n0;last\r\n"
                       "Digest: a b\r\nEmpty:\r\nX-Y:\tz \r\n\r\n"),
            (Read{"xyz", "", true, 80}));
}

struct Hostile {
  std::string name;
  std::string body;
  ChunkFault fault;
};

std::vector<Hostile> hostile_bodies() {
  const std::string one = "1\r\nx\r\n";
  return {
      {"no size", "\r\nx\r\n", ChunkFault::bad_size},
      {"no number", "x\r\n", ChunkFault::bad_size},
      {"sign", "+1\r\nx\r\n", ChunkFault::bad_size},
      {"negative", "-1\r\nx\r\n", ChunkFault::bad_size},
      {"prefix", "0x1\r\nx\r\n", ChunkFault::bad_size},
      {"blank before", " 1\r\nx\r\n", ChunkFault::bad_size},
      {"blank behind", "1 \r\nx\r\n", ChunkFault::bad_size},
      {"blanks and a bare LF", "1 \nx\r\n", ChunkFault::bad_line_ending},
      {"underscore", "1_0\r\nx\r\n", ChunkFault::bad_size},
      {"NUL", "1\0\r\nx\r\n"s, ChunkFault::bad_size},
      {"extension without size", ";a\r\nx\r\n", ChunkFault::bad_size},
      {"17 digits", "00000000000000001\r\nx\r\n", ChunkFault::size_too_large},
      {"2^63", "8000000000000000\r\n", ChunkFault::size_too_large},
      {"2^64 - 1", "ffffffffffffffff\r\n", ChunkFault::size_too_large},
      {"2^64 + 1", "10000000000000001\r\n", ChunkFault::size_too_large},
      {"bare LF behind the size", "1\nx\r\n", ChunkFault::bad_line_ending},
      {"bare CR behind the size", "1\rx\r\n", ChunkFault::bad_line_ending},
      {"CR CR LF", "1\r\r\nx\r\n", ChunkFault::bad_line_ending},
      {"bare LF in an extension", "1;a\nx\r\n", ChunkFault::bad_line_ending},
      {"bare CR in an extension", "1;a\rb\r\nx\r\n", ChunkFault::bad_line_ending},
      {"NUL in an extension", "1;a\0b\r\nx\r\n"s, ChunkFault::bad_extension},
      {"DEL in an extension", "1;a\x7F\r\nx\r\n", ChunkFault::bad_extension},
      {"more data than its size", "1\r\nxy\r\n", ChunkFault::data_not_ended},
      {"data ended by LF", "1\r\nx\n0\r\n\r\n", ChunkFault::data_not_ended},
      {"data ended by CR", "1\r\nx\r0\r\n\r\n", ChunkFault::data_not_ended},
      {"data not ended", "1\r\nx0\r\n\r\n", ChunkFault::data_not_ended},
      {"last chunk ended by LF", one + "0\n\r\n", ChunkFault::bad_line_ending},
      {"body ended by LF", one + "0\r\n\n", ChunkFault::bad_line_ending},
      {"body ended by CR", one + "0\r\n\rX", ChunkFault::bad_line_ending},
      {"request as trailer", "0\r\nGET / HTTP/1.1\r\n", ChunkFault::bad_trailer},
      {"folded trailer", "0\r\nA: b\r\n c\r\n\r\n", ChunkFault::bad_trailer},
      {"trailer without name", "0\r\n: b\r\n\r\n", ChunkFault::bad_trailer},
      {"trailer without colon", "0\r\nA\r\n\r\n", ChunkFault::bad_trailer},
      {"blank before the colon", "0\r\nA : b\r\n\r\n", ChunkFault::bad_trailer},
      {"bare LF in a trailer", "0\r\nA: b\n\r\n", ChunkFault::bad_line_ending},
      {"bare CR in a trailer", "0\r\nA: b\rc\r\n\r\n", ChunkFault::bad_line_ending},
      {"NUL in a trailer", "0\r\nA: \0\r\n\r\n"s, ChunkFault::bad_trailer},
  };
}

TEST(ChunkDecoder, RefusesHostileBodies) {
  for (const Hostile& row : hostile_bodies()) {
    EXPECT_EQ(read_whole(row.body).fault, text_of(row.fault)) << row.name;
  }
}

TEST(ChunkDecoder, TakesAChunkAsLargeAsAFileCanBe) {
  const Read read = read_whole("7fffffffffffffff\r\nabc");
  EXPECT_EQ(read, (Read{"abc", "", false, 21}));
}

TEST(ChunkDecoder, BoundsWhatItDrops) {
  const std::string bound(4096 - 1, 'e');
  EXPECT_EQ(read_whole("1;" + bound + "e\r\nx\r\n0\r\n\r\n").data, "x");
  EXPECT_EQ(read_whole("1;" + bound + "ee\r\nx\r\n").fault,
            text_of(ChunkFault::extension_too_long));
  const std::string blanks(4096, ' ');
  EXPECT_EQ(read_whole("1" + blanks + ";\r\nx\r\n0\r\n\r\n").data, "x");
  EXPECT_EQ(read_whole("1" + blanks + " ;\r\nx\r\n").fault, text_of(ChunkFault::bad_size));
  // Each chunk may have its own.
  EXPECT_EQ(read_whole("1;" + bound + "\r\nx\r\n1;" + bound + "\r\ny\r\n0\r\n\r\n").data, "xy");

  const std::string line = "Name: " + std::string(1024 - 8, 'v') + "\r\n";
  std::string trailers;
  for (int i = 0; i < 15; ++i) trailers += line;
  EXPECT_TRUE(read_whole("0;" + bound + "\r\n" + trailers + "\r\n").finished);
  EXPECT_EQ(read_whole("0\r\n" + trailers + line + line + "\r\n").fault,
            text_of(ChunkFault::trailers_too_long));
}

TEST(ChunkDecoder, ReadsTheSameHoweverTheBytesAreSplit) {
  std::vector<std::string> bodies{
      "5\r\nhello\r\n1;a=\"b\"\r\n,\r\n6\r\n world\r\n0;x\r\nA: b\r\nC:\r\n\r\nnext",
      std::string(last_chunk)};
  for (const Hostile& row : hostile_bodies()) bodies.push_back(row.body);
  for (const std::string& body : bodies) {
    const Read whole = read_whole(body);
    std::vector<std::size_t> every;
    for (std::size_t first = 0; first <= body.size(); ++first) {
      every.push_back(first);
      for (std::size_t second = first; second <= body.size(); ++second) {
        Read parts = read_in_parts(body, {first, second});
        // Where it fails inside an input that input is not consumed.
        parts.consumed = whole.fault.empty() ? parts.consumed : whole.consumed;
        ASSERT_EQ(parts, whole) << body << " cut at " << first << " and " << second;
      }
    }
    Read bytewise = read_in_parts(body, every);
    bytewise.consumed = whole.fault.empty() ? bytewise.consumed : whole.consumed;
    EXPECT_EQ(bytewise, whole) << body;
  }
}

TEST(ChunkDecoder, ReadsBackWhatIsWritten) {
  std::string body;
  std::string data;
  for (const std::size_t size : {1U, 15U, 16U, 4096U, 65536U}) {
    const std::string chunk(size, static_cast<char>('a' + size % 26));
    body.append(chunk_head(size)).append(chunk).append(chunk_end);
    data += chunk;
  }
  body += last_chunk;
  EXPECT_EQ(read_whole(body), (Read{data, "", true, body.size()}));
}

TEST(ChunkFault, HasATextOfItsOwn) {
  std::set<std::string> texts;
  const int last = static_cast<int>(ChunkFault::trailers_too_long);
  for (int value = 1; value <= last; ++value) {
    EXPECT_TRUE(texts.insert(text_of(static_cast<ChunkFault>(value))).second);
  }
  EXPECT_FALSE(texts.contains("unknown fault"));
  EXPECT_EQ(text_of(static_cast<ChunkFault>(last + 1)), "unknown fault");
}

}  // namespace
}  // namespace headrace::http
