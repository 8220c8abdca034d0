#include "denied/pairs.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "headrace/plan.hpp"
#include "support/ends.hpp"
#include "support/must.hpp"

namespace headrace::testing {
namespace {

constexpr int roomy = 1 << 20;  // 256 slots, of which a small piece takes a whole one

std::string content() { return random_bytes(content_size); }

void put_all(const Descriptor& destination, const std::string& bytes) {
  const auto put = must(::write(destination.ref().number(), bytes.data(), bytes.size()), "write");
  if (static_cast<std::size_t>(put) != bytes.size()) give_up("write", "does not fit");
}

Descriptor file_with(const std::filesystem::path& folder, std::string_view name,
                     const std::string& bytes, int flags = O_RDWR) {
  const TemporaryFolder own(folder);
  return open_file(own.file(name, bytes), flags);
}

Descriptor pipe_holding(const std::string& bytes) {
  const Pipe pipe = open_pipe(Mode::blocking, roomy);
  put_all(pipe.writer, bytes);
  return Descriptor{must(::fcntl(pipe.reader.ref().number(), F_DUPFD_CLOEXEC, 0), "fcntl")};
}

Descriptor socket_holding(const std::string& bytes) {
  Pair pair = connected_unix(Mode::nonblocking);
  put_all(pair.far, bytes);
  return std::move(pair.near);
}

Ends file_source(const std::filesystem::path& folder) {
  Ends ends;
  ends.content = content();
  ends.source = file_with(folder, "source", ends.content, O_RDONLY);
  return ends;
}

Ends stream_source(Descriptor (*holding)(const std::string&)) {
  Ends ends;
  ends.content = content();
  ends.source = holding(ends.content);
  ends.stream = true;
  return ends;
}

Ends to_file(Ends ends, const std::filesystem::path& folder, int flags = O_RDWR) {
  ends.destination = file_with(folder, "destination", "", flags);
  return ends;
}

Ends to_pipe(Ends ends, Mode mode) {
  Pipe pipe = open_pipe(mode, roomy);
  ends.destination = std::move(pipe.writer);
  ends.reader = std::move(pipe.reader);
  return ends;
}

Ends to_socket(Ends ends, Pair pair) {
  ends.destination = std::move(pair.near);
  ends.reader = std::move(pair.far);
  return ends;
}

using Folder = std::filesystem::path;

Ends file_to_file(const Folder& folder) { return to_file(file_source(folder), folder); }
Ends file_to_log(const Folder& folder) {
  return to_file(file_source(folder), folder, O_RDWR | O_APPEND);
}
Ends file_to_pipe(const Folder& folder) { return to_pipe(file_source(folder), Mode::nonblocking); }
Ends file_to_blocking_pipe(const Folder& folder) {
  return to_pipe(file_source(folder), Mode::blocking);
}
Ends file_to_tcp(const Folder& folder) {
  return to_socket(file_source(folder), connected_tcp(Mode::nonblocking));
}
Ends pipe_to_file(const Folder& folder) { return to_file(stream_source(pipe_holding), folder); }
Ends socket_to_file(const Folder& folder) { return to_file(stream_source(socket_holding), folder); }
Ends socket_to_socket(const Folder&) {
  return to_socket(stream_source(socket_holding), connected_unix(Mode::nonblocking));
}

constexpr std::array kinds{
    PairKind{"two files that may share extents", file_to_file, true},
    PairKind{"file to file", file_to_file},
    PairKind{"file to a file that appends", file_to_log},
    PairKind{"file to pipe", file_to_pipe},
    PairKind{"file to blocking pipe", file_to_blocking_pipe},
    PairKind{"file to tcp", file_to_tcp},
    PairKind{"pipe to file", pipe_to_file},
    PairKind{"socket to file", socket_to_file},
    PairKind{"socket to socket", socket_to_socket},
};

// To the end, or to where nothing more is there now.
std::string rest_of(const Descriptor& source) {
  std::string bytes;
  std::array<char, 65536> buffer{};
  for (;;) {
    const auto got = ::read(source.ref().number(), buffer.data(), buffer.size());
    if (got < 0 && (errno == EAGAIN || errno == ECONNRESET)) return bytes;
    if (must(got, "read") == 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

void make_blocking(const Descriptor& descriptor) {
  const int flags = must(::fcntl(descriptor.ref().number(), F_GETFL), "fcntl");
  must(::fcntl(descriptor.ref().number(), F_SETFL, flags & ~O_NONBLOCK), "fcntl");
}

Plan plan_for(const Ends& ends, const Wishes& wishes) {
  const auto source = probe(ends.source.ref());
  const auto destination = probe(ends.destination.ref());
  if (!source || !destination) give_up("probe", "cannot be asked");
  return make_plan(all_methods(), *source, *destination, wishes);
}

}  // namespace

std::span<const PairKind> pair_kinds() { return kinds; }

std::string Ends::arrived() {
  if (!reader.valid()) return read_all(destination);
  destination = Descriptor{};
  make_blocking(reader);  // TCP may still be on its way
  return rest_of(reader);
}

Bytes Ends::taken() {
  if (!stream) return offset_of(source);
  return content.size() - rest_of(source).size();
}

bool serves(const Method& method, const Ends& ends) {
  return !plan_for(ends, {.methods = {std::string(method.name)}}).usable.empty();
}

bool leads(const Method& method, const Ends& ends) {
  const Plan plan = plan_for(ends, {});
  return !plan.usable.empty() && plan.usable.front() == &method;
}

}  // namespace headrace::testing
