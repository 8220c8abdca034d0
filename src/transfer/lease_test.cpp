#include "transfer/lease.hpp"

#include <cerrno>
#include <csignal>

#include "sys/lease.hpp"
#include "transfer/guard_testing.hpp"

namespace headrace {
namespace {

using namespace guard_testing;

class LeaseOfAFile : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kernel_leases(source_.file)) GTEST_SKIP() << "no leases here";
  }
  [[nodiscard]] int errno_of_take() const {
    const auto lease = Lease::take(source_.file.ref());
    return lease ? 0 : lease.error().code.value();
  }
  [[nodiscard]] bool writable_at_once() const {
    const Descriptor file{::open(source_.path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)};
    return file.valid();
  }

  Source source_;
};

TEST_F(LeaseOfAFile, KeepsWritersOutUntilItIsGivenBack) {
  auto lease = Lease::take(source_.file.ref());
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->look(), Lease::State::held);
  EXPECT_FALSE(writable_at_once());
  EXPECT_EQ(lease->look(), Lease::State::wanted_back);
  lease->give_back();
  EXPECT_TRUE(writable_at_once());
}

TEST_F(LeaseOfAFile, IsGivenBackAtTheEndOfItsLife) {
  {
    const auto lease = Lease::take(source_.file.ref());
    ASSERT_TRUE(lease);
  }
  EXPECT_TRUE(writable_at_once());
}

TEST_F(LeaseOfAFile, MovesWithItsOwner) {
  auto lease = Lease::take(source_.file.ref());
  ASSERT_TRUE(lease);
  {
    const Lease moved = std::move(*lease);
    EXPECT_EQ(moved.look(), Lease::State::held);
  }
  EXPECT_TRUE(writable_at_once());
}

TEST_F(LeaseOfAFile, LetsReadersIn) {
  const auto lease = Lease::take(source_.file.ref());
  ASSERT_TRUE(lease);
  const Descriptor reader = open_file(source_.path, O_RDONLY);
  EXPECT_TRUE(reader.valid());
  EXPECT_EQ(lease->look(), Lease::State::held);
}

TEST_F(LeaseOfAFile, IsWantedBackByATruncation) {
  auto lease = Lease::take(source_.file.ref());
  ASSERT_TRUE(lease);
  {
    const std::jthread truncater([&] { EXPECT_EQ(::truncate(source_.path.c_str(), 1), 0); });
    while (lease->look() == Lease::State::held) ::poll(nullptr, 0, 1);
    EXPECT_EQ(std::filesystem::file_size(source_.path), 2 * page);
    lease->give_back();
  }
  EXPECT_EQ(std::filesystem::file_size(source_.path), 1);
}

TEST_F(LeaseOfAFile, IsNotToBeHadBesideAWriter) {
  const Descriptor writer = open_file(source_.path, O_WRONLY);
  EXPECT_EQ(errno_of_take(), EAGAIN);
}

TEST_F(LeaseOfAFile, IsNotToBeHadBesideAWritableMapping) {
  std::optional<Descriptor> writer{open_file(source_.path, O_RDWR)};
  const Mapped mapping{*writer};
  writer.reset();
  EXPECT_EQ(errno_of_take(), EAGAIN);
}

TEST_F(LeaseOfAFile, IsNotToBeHadWhileAWriterWaitsForAnother) {
  auto lease = Lease::take(source_.file.ref());
  ASSERT_TRUE(lease);
  const std::jthread writer([&] { EXPECT_TRUE(open_file(source_.path, O_WRONLY).valid()); });
  while (lease->look() == Lease::State::held) ::poll(nullptr, 0, 1);
  EXPECT_EQ(errno_of_take(), EAGAIN);
  lease->give_back();
}

TEST_F(LeaseOfAFile, KeepsThisProcessesRecordLocks) {
  struct flock lock{};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  must(::fcntl(source_.file.ref().number(), F_SETLK, &lock), "fcntl");
  EXPECT_EQ(errno_of_take(), EBUSY);
  EXPECT_TRUE(sys::has_record_lock(source_.file.ref()).value()) << "the lock is gone";
}

TEST_F(LeaseOfAFile, LeavesTheDescriptorItIsTakenForAlone) {
  const int number = source_.file.ref().number();
  const int flags = ::fcntl(number, F_GETFL);
  const auto lease = Lease::take(source_.file.ref());
  ASSERT_TRUE(lease);
  EXPECT_EQ(::fcntl(number, F_GETFL), flags);
  EXPECT_EQ(::fcntl(number, F_GETOWN), 0);
  EXPECT_EQ(::fcntl(number, F_GETSIG), 0);
}

/// Blocks what a broken lease might send, so that it would stay pending and be seen.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&held_);
    sigaddset(&held_, SIGIO);
    sigaddset(&held_, SIGURG);
    must(::pthread_sigmask(SIG_BLOCK, &held_, &before_), "pthread_sigmask");
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  [[nodiscard]] static bool any() {
    sigset_t pending{};
    must(::sigpending(&pending), "sigpending");
    return sigismember(&pending, SIGIO) == 1 || sigismember(&pending, SIGURG) == 1;
  }

 private:
  sigset_t held_{};
  sigset_t before_{};
};

TEST_F(LeaseOfAFile, SendsNoSignalWhenItIsBroken) {
  const HeldSignals signals;
  const auto lease = Lease::take(source_.file.ref());
  ASSERT_TRUE(lease);
  EXPECT_FALSE(writable_at_once());
  EXPECT_EQ(lease->look(), Lease::State::wanted_back);
  EXPECT_FALSE(HeldSignals::any());
}

TEST_F(LeaseOfAFile, SendsNoSignalWhenAnotherWriterComesWhileOneWaits) {
  const HeldSignals signals;  // before the thread: it inherits the mask
  auto lease = Lease::take(source_.file.ref());
  ASSERT_TRUE(lease);
  const std::jthread writer([&] { EXPECT_TRUE(open_file(source_.path, O_WRONLY).valid()); });
  while (lease->look() == Lease::State::held) ::poll(nullptr, 0, 1);
  EXPECT_FALSE(writable_at_once());
  EXPECT_FALSE(HeldSignals::any());
  lease->give_back();
}

TEST(Lease, OfWhatIsNoFileIsRefused) {
  std::array<int, 2> ends{};
  must(::pipe2(ends.data(), O_CLOEXEC), "pipe2");
  const Descriptor reader{ends[0]};
  const Descriptor writer{ends[1]};
  EXPECT_FALSE(Lease::take(reader.ref()));
}

}  // namespace
}  // namespace headrace
