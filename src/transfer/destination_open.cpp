#include "sys/files.hpp"
#include "transfer/destination.hpp"

namespace headrace {
namespace {

bool is(const Error& error, std::errc condition) { return error.code == condition; }

Placed<Descriptor> opened(Result<Descriptor> file, const Destination& destination) {
  if (file) return std::move(*file);
  const Error& error = file.error();
  const bool denied = is(error, std::errc::permission_denied) ||
                      is(error, std::errc::operation_not_permitted) ||
                      is(error, std::errc::read_only_file_system);
  const Reason reason = denied ? destination_not_writable : destination_failed;
  return std::unexpected(Obstacle{reason, error, "cannot write to '" + destination.path + "'"});
}

/// O_NONBLOCK: a FIFO that took the file's place meanwhile must not hang us; files ignore it.
Result<Descriptor> try_in_place(const Destination& destination) {
  const DescriptorRef directory = destination.directory.ref();
  const int flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  if (destination.kind == DestinationKind::absent) {
    return sys::openat(directory, destination.name, O_RDWR | O_CREAT | flags, 0666);
  }
  auto file = sys::openat(directory, destination.name, O_RDWR | flags);
  if (file || !is(file.error(), std::errc::permission_denied)) return file;
  return sys::openat(directory, destination.name, O_WRONLY | flags);
}

}  // namespace

Placed<Descriptor> open_in_place(const Destination& destination) {
  auto file = opened(try_in_place(destination), destination);
  if (!file) return file;
  const auto status = sys::fstat(file->ref());
  if (!status || S_ISREG(status->st_mode)) return file;
  return std::unexpected(
      Obstacle{destination_changed, {}, "'" + destination.path + "' is no regular file any more"});
}

Placed<Descriptor> open_through(const Destination& destination) {
  if (destination.own.valid()) return opened(sys::duplicate(destination.own), destination);
  return opened(sys::openat(destination.directory.ref(), destination.name,
                            O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC),
                destination);
}

bool is_to_be_emptied(const Destination& destination) {
  return S_ISREG(destination.status.st_mode) && !destination.own.valid();
}

bool waits_for_reader(const Destination& destination) {
  return S_ISFIFO(destination.status.st_mode) && !destination.own.valid();
}

}  // namespace headrace
