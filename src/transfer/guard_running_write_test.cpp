#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cstdint>
#include <memory>

#include "transfer/guard_testing.hpp"

namespace headrace {
namespace {

using namespace guard_testing;

/// Memory whose second page is not there until it is asked to be: a write(2) from it stops in the
/// middle.
class StallingBuffer {
 public:
  static std::unique_ptr<StallingBuffer> make() {
    const Descriptor fault{static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC))};
    if (!fault.valid()) return nullptr;
    return std::unique_ptr<StallingBuffer>{new StallingBuffer};
  }
  StallingBuffer(const StallingBuffer&) = delete;
  StallingBuffer& operator=(const StallingBuffer&) = delete;
  ~StallingBuffer() { ::munmap(bytes_, 2 * page); }

  [[nodiscard]] const char* bytes() const { return bytes_; }
  /// Returns when somebody waits for the second page.
  void wait() const {
    uffd_msg message{};
    must(::read(fault_.ref().number(), &message, sizeof message), "read");
  }
  void go_on() const {
    const std::string content(page, 'n');
    uffdio_copy copy{};
    copy.dst = address_of(bytes_ + page);
    copy.src = address_of(content.data());
    copy.len = page;
    must(::ioctl(fault_.ref().number(), UFFDIO_COPY, &copy), "UFFDIO_COPY");
  }

 private:
  StallingBuffer() {
    uffdio_api api{.api = UFFD_API};
    must(::ioctl(fault_.ref().number(), UFFDIO_API, &api), "UFFDIO_API");
    std::fill_n(bytes_, page, 'n');
    uffdio_register second{};
    second.range = {.start = address_of(bytes_ + page), .len = page};
    second.mode = UFFDIO_REGISTER_MODE_MISSING;
    must(::ioctl(fault_.ref().number(), UFFDIO_REGISTER, &second), "UFFDIO_REGISTER");
  }
  static std::uint64_t address_of(const void* place) {
    return reinterpret_cast<std::uintptr_t>(place);
  }

  Descriptor fault_{static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC))};
  char* bytes_ = static_cast<char*>(
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
};

TEST(WhatTimesDoNotSee, AWriteThatRanAlreadyAtTheFirstLook) {
  const auto buffer = StallingBuffer::make();
  if (!buffer) GTEST_SKIP() << "no userfaultfd here";
  const Source source;
  const Descriptor writer = open_file(source.path, O_WRONLY);
  std::jthread writing(
      [&] { must(::pwrite(writer.ref().number(), buffer->bytes(), 2 * page, 0), "pwrite"); });
  buffer->wait();
  const Guard guard = guard_of(source);
  buffer->go_on();
  writing.join();
  EXPECT_EQ(headrace::testing::read_all(source.file).back(), 'n') << "it was written afterwards";
  EXPECT_FALSE(change_seen(guard));
  EXPECT_EQ(guard.evidence(), Evidence::times) << "no lease beside a writer";
}

}  // namespace
}  // namespace headrace
