#include "http/server/site.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "sys/files.hpp"
#include "sys/openat2.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::server {
namespace {

struct Row {
  int number;
  int status;
};
// What is not here is a fault of ours or of the disk: 500.
constexpr std::array rows{
    Row{ENOENT, 404}, Row{ENOTDIR, 404}, Row{ENAMETOOLONG, 404}, Row{EXDEV, 404},  Row{ELOOP, 404},
    Row{EACCES, 403}, Row{EPERM, 403},   Row{ENXIO, 403},        Row{ENODEV, 403}, Row{EMFILE, 503},
    Row{ENFILE, 503}, Row{ENOMEM, 503},  Row{EAGAIN, 503},
};

// RESOLVE_BENEATH gives up with EAGAIN where a rename raced with it; again, but not for ever.
constexpr int most_tries = 8;

std::uint64_t resolve_flags(Symlinks symlinks) {
  switch (symlinks) {
    case Symlinks::never:
      return RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
    case Symlinks::beneath:
      return RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    case Symlinks::any:
      break;
  }
  return RESOLVE_NO_MAGICLINKS;
}

std::string read_whole(const std::string& path) {
  std::string text;
  const auto file = sys::openat(sys::working_directory, path, O_RDONLY | O_CLOEXEC);
  std::array<char, 64 * kibibyte> buffer{};
  while (file) {
    const auto got = sys::read(file->ref(), std::as_writable_bytes(std::span(buffer)));
    if (!got || *got == 0) break;
    text.append(buffer.data(), *got);
  }
  return text;
}

}  // namespace

int status_of(const Error& error) {
  const auto* const row = std::ranges::find(rows, error.code.value(), &Row::number);
  return row == rows.end() ? 500 : row->status;
}

bool is_hidden(std::string_view path) { return path.find("/.") != std::string_view::npos; }

Result<Site> Site::open(const Configuration& configuration) {
  auto root = sys::openat(sys::working_directory, configuration.directory,
                          O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (!root) return std::unexpected(root.error());
  // Absent on many machines: the built-in types will do.
  return Site{std::move(*root), MediaTypes::load(read_whole("/etc/mime.types")), configuration};
}

Result<Descriptor> Site::open(const std::string& path, int flags) const {
  const open_how how{.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC,
                     .mode = 0,
                     .resolve = resolve_flags(symlinks_)};
  const std::string name = path == "/" ? "." : path.substr(1);
  auto opened = sys::openat2(root_.ref(), name, how);
  for (int tries = 1; !opened && opened.error().code.value() == EAGAIN && tries < most_tries;
       ++tries) {
    opened = sys::openat2(root_.ref(), name, how);
  }
  return opened;
}

Opened Site::find(const std::string& path) const {
  if (!dotfiles_ && is_hidden(path)) return Absent{404};
  // O_NONBLOCK: a FIFO that is found here must not wait for a writer.
  auto opened = open(path, O_RDONLY | O_NONBLOCK);
  if (!opened) return Absent{status_of(opened.error())};
  Opened found = examine(std::move(*opened), path);
  auto* const directory = std::get_if<OpenDirectory>(&found);
  if (directory == nullptr || !path.ends_with('/')) return found;
  return index_of(std::move(directory->descriptor), path);
}

Opened Site::examine(Descriptor opened, std::string_view path) {
  const auto status = sys::fstat(opened.ref());
  if (!status) return Absent{500};
  if (S_ISDIR(status->st_mode)) return OpenDirectory{std::move(opened)};
  if (!S_ISREG(status->st_mode)) return Absent{403};
  return OpenFile{.descriptor = std::move(opened),
                  .status = *status,
                  .name = std::string(path.substr(path.rfind('/') + 1))};
}

Opened Site::index_of(Descriptor directory, const std::string& path) const {
  const std::string index = path + "index.html";
  auto opened = open(index, O_RDONLY | O_NONBLOCK);
  if (!opened) return OpenDirectory{std::move(directory)};
  Opened found = examine(std::move(*opened), index);
  if (std::holds_alternative<OpenFile>(found)) return found;
  return OpenDirectory{std::move(directory)};
}

}  // namespace headrace::http::server
