#include "support/temporary.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "support/must.hpp"

namespace headrace::testing {
namespace {

std::filesystem::path new_folder(const std::filesystem::path& parent) {
  std::string name = parent / "headrace-test-XXXXXX";
  must(::mkdtemp(name.data()) == nullptr ? -1 : 0, "mkdtemp");
  return name;
}

void write_all(DescriptorRef file, std::string_view content) {
  while (!content.empty()) {
    const auto written = must(::write(file.number(), content.data(), content.size()), "write");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

// splitmix64: one multiplication chain per 8 bytes, which is fast even under the sanitizers.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

TemporaryFolder::TemporaryFolder() : TemporaryFolder(std::filesystem::temp_directory_path()) {}
TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent) : path_(new_folder(parent)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // a mount or a file of another user may be left: nothing to do here
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::file(std::string_view name, std::string_view content) const {
  auto path = path_ / name;
  const Descriptor file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
  write_all(file.ref(), content);
  return path;
}

Descriptor file_holding(std::string_view content) {
  std::string name = std::filesystem::temp_directory_path() / "headrace-file-XXXXXX";
  Descriptor file{must(::mkostemp(name.data(), O_CLOEXEC), "mkostemp")};
  must(::unlink(name.c_str()), "unlink");
  write_all(file.ref(), content);
  must(::lseek(file.ref().number(), 0, SEEK_SET), "lseek");
  return file;
}

Descriptor open_file(const std::filesystem::path& path, int flags) {
  return Descriptor{must(::open(path.c_str(), flags | O_CLOEXEC, 0644), "open")};
}

std::string read_all(DescriptorRef file) {
  std::string content;
  std::array<char, 16384> buffer{};
  for (;;) {
    const auto at = static_cast<off_t>(content.size());
    const auto got = must(::pread(file.number(), buffer.data(), buffer.size(), at), "pread");
    if (got == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::string read_all(const Descriptor& file) { return read_all(file.ref()); }

std::string read_all(const std::filesystem::path& path) {
  return read_all(open_file(path, O_RDONLY));
}

std::string random_bytes(std::size_t bytes, std::uint64_t seed) {
  std::string content(bytes, '\0');
  std::uint64_t state = mixed(seed + 1);
  for (std::size_t at = 0; at < bytes; at += sizeof state) {
    const std::uint64_t word = mixed(state += 0x9e3779b97f4a7c15);
    std::memcpy(content.data() + at, &word, std::min(sizeof word, bytes - at));
  }
  return content;
}

Bytes offset_of(DescriptorRef file) {
  return static_cast<Bytes>(must(::lseek(file.number(), 0, SEEK_CUR), "lseek"));
}
Bytes offset_of(const Descriptor& file) { return offset_of(file.ref()); }

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  // The iterator's own descriptor is among them.
  return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 1;
}

}  // namespace headrace::testing
