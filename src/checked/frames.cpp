#include "checked/frames.hpp"

#include <algorithm>
#include <array>

namespace headrace::checked {
namespace {

// Beginning with a byte that no text has, as a file of some other kind must not be taken for ours.
constexpr std::string_view greeting_magic = "\x89HRGREET";
constexpr std::string_view header_magic = "\x89HRBEGIN";
constexpr std::string_view trailer_magic = "\x89HRTRAIL";
constexpr std::string_view answer_magic = "\x89HRREPLY";
static_assert(greeting_magic.size() == magic_size && header_magic.size() == magic_size);
static_assert(trailer_magic.size() == magic_size && answer_magic.size() == magic_size);

constexpr std::size_t size_end = magic_size + 2;  // the frame's own size stands behind its magic
constexpr std::size_t check_size = 8;
constexpr Bytes unknown_length = everything;

constexpr std::size_t greeting_size = size_end + 2 + check_size;
constexpr std::size_t most_unknown = 255;
constexpr std::size_t header_size = size_end + 2 + 2 + 8 + check_size;  // and the name
constexpr std::size_t trailer_size = size_end + 8 + sizeof(Digest::bytes) + check_size;
constexpr std::size_t answer_size =
    size_end + 2 + 4 + 8 + sizeof(Digest::bytes) + check_size;  // and the text

// Big-endian, as networks have it and as a digest's canonical form is.
template <class Number>
void put(std::span<std::byte> place, Number number) {
  for (std::size_t i = place.size(); i > 0; --i) {
    place[i - 1] = static_cast<std::byte>(number & 0xFFU);
    number = static_cast<Number>(number >> 8U);
  }
}

template <class Number>
Number get(std::span<const std::byte> place) {
  Number number = 0;
  for (const std::byte byte : place) {
    number = static_cast<Number>((number << 8U) | std::to_integer<Number>(byte));
  }
  return number;
}

std::array<std::byte, check_size> check_of(std::span<const std::byte> bytes) {
  Hash hash;
  hash.add(bytes);
  std::array<std::byte, check_size> check{};
  std::ranges::copy_n(hash.value().bytes.begin(), check_size, check.begin());
  return check;
}

/// Writes the fields of one frame, one behind the other.
class FrameWriter {
 public:
  explicit FrameWriter(std::string_view magic) {
    text(magic);
    number(std::uint16_t{0});  // the size, when it is known
  }

  template <class Number>
  FrameWriter& number(Number value) {
    bytes_.resize(bytes_.size() + sizeof(Number));
    put(std::span(bytes_).last(sizeof(Number)), static_cast<std::uint64_t>(value));
    return *this;
  }
  FrameWriter& digest(const Digest& digest) {
    bytes_.insert(bytes_.end(), digest.bytes.begin(), digest.bytes.end());
    return *this;
  }
  FrameWriter& text(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Encoded done() {
    put(std::span(bytes_).subspan(magic_size, 2), bytes_.size() + check_size);
    const auto check = check_of(bytes_);
    bytes_.insert(bytes_.end(), check.begin(), check.end());
    return std::move(bytes_);
  }

 private:
  Encoded bytes_;
};

/// Reads them again; the caller has looked that they are there.
class FrameReader {
 public:
  explicit FrameReader(std::span<const std::byte> fields) : rest_(fields) {}

  template <class Number>
  Number number() {
    return get<Number>(take(sizeof(Number)));
  }
  Digest digest() {
    Digest digest;
    std::ranges::copy(take(digest.bytes.size()), digest.bytes.begin());
    return digest;
  }
  std::string text() {
    std::string text;
    for (const std::byte byte : rest_) text += static_cast<char>(byte);
    return text;
  }

 private:
  std::span<const std::byte> take(std::size_t size) {
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  std::span<const std::byte> rest_;
};

struct Shape {
  std::string_view magic;
  std::size_t least;
  std::size_t most;
};

// The fields between size and checksum.
Decoded<std::span<const std::byte>> open_frame(std::span<const std::byte> bytes,
                                               const Shape& shape) {
  const auto magic = std::as_bytes(std::span(shape.magic));
  const std::size_t common = std::min(bytes.size(), magic.size());
  if (!std::ranges::equal(bytes.first(common), magic.first(common))) return Fault::not_checked;
  if (bytes.size() < size_end) return Need{size_end};
  const auto size = get<std::uint16_t>(bytes.subspan(magic_size, 2));
  if (size < shape.least || size > shape.most) return Fault::damaged;
  if (bytes.size() < size) return Need{size};
  const auto covered = bytes.first(size - check_size);
  if (!std::ranges::equal(check_of(covered), bytes.subspan(covered.size(), check_size))) {
    return Fault::damaged;
  }
  return covered.subspan(size_end);
}

// Fields that a frame's own checksum vouches for, made into a value by `make`.
template <class Frame, class Make>
Decoded<Frame> decode(std::span<const std::byte> bytes, const Shape& shape, Make make) {
  const auto opened = open_frame(bytes, shape);
  if (const auto* need = std::get_if<Need>(&opened)) return *need;
  if (const auto* fault = std::get_if<Fault>(&opened)) return *fault;
  FrameReader fields{std::get<0>(opened)};
  return make(fields);
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::mismatch:
      return "mismatch";
    case Verdict::failed:
      return "failed";
  }
  return "";
}

Encoded encode(const Greeting& /*greeting*/) {
  return FrameWriter{greeting_magic}.number(version).done();
}

Encoded encode(const Header& header) {
  const std::string_view name = std::string_view(header.name).substr(0, header.name.find('\0'));
  constexpr std::uint16_t flags = 0;
  return FrameWriter{header_magic}
      .number(version)
      .number(flags)
      .number(header.length.value_or(unknown_length))
      .text(name.substr(0, longest_name))
      .done();
}

Encoded encode(const Trailer& trailer) {
  return FrameWriter{trailer_magic}.number(trailer.length).digest(trailer.digest).done();
}

Encoded encode(const Answer& answer) {
  return FrameWriter{answer_magic}
      .number(static_cast<std::uint16_t>(answer.verdict))
      .number(answer.error_number)
      .number(answer.length)
      .digest(answer.digest)
      .text(std::string_view(answer.text).substr(0, longest_text))
      .done();
}

Decoded<Greeting> decode_greeting(std::span<const std::byte> bytes) {
  // A later version may have more to say.
  const Shape shape{
      .magic = greeting_magic, .least = greeting_size, .most = greeting_size + most_unknown};
  return decode<Greeting>(bytes, shape, [](FrameReader& fields) -> Decoded<Greeting> {
    if (fields.number<std::uint16_t>() != version) return Fault::other_version;
    if (!fields.text().empty()) return Fault::damaged;
    return Greeting{};
  });
}

Decoded<Header> decode_header(std::span<const std::byte> bytes) {
  const Shape shape{
      .magic = header_magic, .least = header_size, .most = header_size + longest_name};
  return decode<Header>(bytes, shape, [](FrameReader& fields) -> Decoded<Header> {
    if (fields.number<std::uint16_t>() != version) return Fault::other_version;
    if (fields.number<std::uint16_t>() != 0) return Fault::other_version;  // flags nobody has yet
    const auto length = fields.number<Bytes>();
    Header header{.length = {}, .name = fields.text()};
    if (length != unknown_length) header.length = length;
    if (header.name.contains('\0')) return Fault::damaged;
    return header;
  });
}

Decoded<Trailer> decode_trailer(std::span<const std::byte> bytes) {
  const Shape shape{.magic = trailer_magic, .least = trailer_size, .most = trailer_size};
  return decode<Trailer>(bytes, shape, [](FrameReader& fields) -> Decoded<Trailer> {
    const auto length = fields.number<Bytes>();
    return Trailer{.length = length, .digest = fields.digest()};
  });
}

Decoded<Answer> decode_answer(std::span<const std::byte> bytes) {
  const Shape shape{
      .magic = answer_magic, .least = answer_size, .most = answer_size + longest_text};
  return decode<Answer>(bytes, shape, [](FrameReader& fields) -> Decoded<Answer> {
    const auto verdict = fields.number<std::uint16_t>();
    if (verdict > static_cast<std::uint16_t>(Verdict::failed)) return Fault::damaged;
    Answer answer{.verdict = static_cast<Verdict>(verdict),
                  .error_number = fields.number<std::uint32_t>(),
                  .length = {},
                  .digest = {},
                  .text = {}};
    answer.length = fields.number<Bytes>();
    answer.digest = fields.digest();
    answer.text = fields.text();
    return answer;
  });
}

void encode_chunk_size(std::uint32_t size, ChunkHead head) { put(head, size); }

std::uint32_t decode_chunk_size(std::span<const std::byte, chunk_head_size> head) {
  return get<std::uint32_t>(head);
}

}  // namespace headrace::checked
