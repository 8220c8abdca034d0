#include "support/cloning_file_system.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdlib>

#include "support/must.hpp"

namespace headrace::testing {
namespace {

constexpr off_t image_size = off_t{320} << 20;  // mkfs.xfs takes nothing below 300 MiB; sparse

bool runs(const std::string& command) {
  // NOLINTNEXTLINE(cert-env33-c, concurrency-mt-unsafe): fixed commands and a path of ours
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

// So that nobody else sees the mount, and it ends with the process.
bool private_mounts() {
  return ::unshare(CLONE_NEWNS) == 0 &&
         ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

}  // namespace

CloningFileSystem::CloningFileSystem() {
  if (::geteuid() != 0 || !private_mounts()) return;
  const std::string image = folder_ / "image";
  const std::string place = folder_ / "mounted";
  must(::ftruncate(open_file(image, O_RDWR | O_CREAT).ref().number(), image_size), "ftruncate");
  std::filesystem::create_directory(place);
  const std::string path = "PATH=$PATH:/usr/sbin:/sbin ";
  const bool made = runs(path + "mkfs.xfs -q -f '" + image + "'") ||
                    runs(path + "mkfs.btrfs -q -f '" + image + "'");
  if (made && runs(path + "mount -o loop '" + image + "' '" + place + "'")) path_ = place;
}

CloningFileSystem::~CloningFileSystem() {
  if (path_) must(::umount2(path_->c_str(), MNT_DETACH), "umount2");
}

}  // namespace headrace::testing
