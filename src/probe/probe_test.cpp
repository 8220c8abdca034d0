#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/loop.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>

#include "headrace/facts.hpp"
#include "support/ends.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using testing::Mode;
using testing::must;
using testing::open_file;
using testing::TemporaryFolder;

Facts facts_of(const Descriptor& descriptor) { return probe(descriptor.ref()).value(); }

TEST(Probe, ABadDescriptorIsAnError) {
  const auto none = probe(DescriptorRef{});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().call, "fstat");
  EXPECT_EQ(none.error().code.value(), EBADF);
}

TEST(Probe, KeepsTheNameForMessages) {
  const Descriptor file = file_holding("");
  EXPECT_EQ(probe(file.ref(), "as typed").value().name, "as typed");
}

TEST(Probe, ARegularFileHasSizePositionAndIdentity) {
  const TemporaryFolder folder;
  const Descriptor file = open_file(folder.file("f", "0123456789"), O_RDWR);
  must(::lseek(file.ref().number(), 4, SEEK_SET), "lseek");
  struct stat status{};
  must(::fstat(file.ref().number(), &status), "fstat");
  const Facts facts = facts_of(file);
  EXPECT_EQ(facts.kind, Kind::regular);
  EXPECT_EQ(facts.size, 10U);
  EXPECT_EQ(facts.position, 4U);
  EXPECT_TRUE(facts.seekable);
  EXPECT_FALSE(facts.pseudo);
  EXPECT_TRUE(size_is_known(facts));
  EXPECT_EQ(facts.device, status.st_dev);
  EXPECT_EQ(facts.inode, status.st_ino);
  EXPECT_NE(facts.file_system, "");
  EXPECT_EQ(testing::offset_of(file), 4U);
}

TEST(Probe, TellsWhatTheDescriptorMayDo) {
  const TemporaryFolder folder;
  const auto path = folder.file("f", "");
  const Facts reader = facts_of(open_file(path, O_RDONLY));
  EXPECT_TRUE(reader.readable && !reader.writable && !reader.appends && !reader.nonblocking);
  const Facts writer = facts_of(open_file(path, O_WRONLY));
  EXPECT_TRUE(!writer.readable && writer.writable);
  const Facts appender = facts_of(open_file(path, O_RDWR | O_APPEND | O_NONBLOCK));
  EXPECT_TRUE(appender.readable && appender.writable && appender.appends && appender.nonblocking);
}

TEST(Probe, AsksTheFlagsAnewEachTime) {
  const Descriptor file = file_holding("");
  EXPECT_FALSE(facts_of(file).appends);
  must(::fcntl(file.ref().number(), F_SETFL, O_APPEND), "fcntl");
  EXPECT_TRUE(facts_of(file).appends);
}

TEST(Probe, BelievesNoSizeOfAPseudoFile) {
  const Facts facts = facts_of(open_file("/proc/self/status", O_RDONLY));
  EXPECT_EQ(facts.kind, Kind::regular);
  EXPECT_EQ(facts.file_system, "proc");
  EXPECT_TRUE(facts.pseudo);
  EXPECT_FALSE(facts.may_clone);
  EXPECT_FALSE(size_is_known(facts));
}

TEST(Probe, BelievesNoSizeOfZero) {
  EXPECT_FALSE(size_is_known(facts_of(file_holding(""))));
  EXPECT_TRUE(size_is_known(facts_of(file_holding("x"))));
}

TEST(Probe, AFileInMemoryLiesOnTmpfsAndCannotBeCloned) {
  const Descriptor file{must(::memfd_create("test", MFD_CLOEXEC), "memfd_create")};
  const Facts facts = facts_of(file);
  EXPECT_EQ(facts.kind, Kind::regular);
  EXPECT_EQ(facts.file_system, "tmpfs");
  EXPECT_FALSE(facts.may_clone);
  EXPECT_FALSE(facts.pseudo);
}

TEST(Probe, ADirectoryIsOne) {
  const TemporaryFolder folder;
  EXPECT_EQ(facts_of(open_file(folder.path(), O_RDONLY | O_DIRECTORY)).kind, Kind::directory);
}

TEST(Probe, APipeHasACapacityAndNoPosition) {
  const auto pipe = testing::open_pipe(Mode::nonblocking, 131072);
  for (const auto* end : {&pipe.reader, &pipe.writer}) {
    const Facts facts = facts_of(*end);
    EXPECT_EQ(facts.kind, Kind::pipe);
    EXPECT_EQ(facts.pipe_capacity, 131072U);
    EXPECT_TRUE(facts.nonblocking);
    EXPECT_FALSE(facts.seekable);
    EXPECT_EQ(facts.size, 0U);
  }
  EXPECT_TRUE(facts_of(pipe.reader).readable);
  EXPECT_FALSE(facts_of(pipe.reader).writable);
  EXPECT_TRUE(facts_of(pipe.writer).writable);
}

TEST(Probe, AFifoIsAPipe) {
  const TemporaryFolder folder;
  must(::mkfifo((folder / "fifo").c_str(), 0600), "mkfifo");
  const Facts facts = facts_of(open_file(folder / "fifo", O_RDWR | O_NONBLOCK));
  EXPECT_EQ(facts.kind, Kind::pipe);
  EXPECT_GT(facts.pipe_capacity, 0U);
}

TEST(Probe, ATcpSocketHasBuffersCongestionAndALocalPeer) {
  const auto pair = testing::connected_tcp(Mode::nonblocking);
  for (const auto* end : {&pair.near, &pair.far}) {
    const Facts facts = facts_of(*end);
    EXPECT_EQ(facts.kind, Kind::tcp);
    EXPECT_GT(facts.send_buffer, 0U);
    EXPECT_GT(facts.receive_buffer, 0U);
    EXPECT_FALSE(facts.congestion.empty());
    EXPECT_TRUE(facts.peer_local);
    EXPECT_TRUE(facts.nonblocking);
    EXPECT_FALSE(facts.seekable);
  }
}

TEST(Probe, TheCongestionControlIsTheOneInForce) {
  const auto pair = testing::connected_tcp();
  constexpr std::string_view reno = "reno";  // the kernel always has it
  must(
      ::setsockopt(pair.near.ref().number(), IPPROTO_TCP, TCP_CONGESTION, reno.data(), reno.size()),
      "setsockopt");
  EXPECT_EQ(facts_of(pair.near).congestion, "reno");
}

TEST(Probe, AnIPv6PeerOnThisMachineIsLocal) {
  const Descriptor listener{must(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")};
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener.ref().number(), generic, size) != 0) GTEST_SKIP() << "no IPv6 here";
  must(::listen(listener.ref().number(), 1), "listen");
  must(::getsockname(listener.ref().number(), generic, &size), "getsockname");
  const Descriptor client{must(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")};
  must(::connect(client.ref().number(), generic, size), "connect");
  EXPECT_EQ(facts_of(client).kind, Kind::tcp);
  EXPECT_TRUE(facts_of(client).peer_local);
}

// The peer itself is on this machine: the client was told to come from another of its addresses.
TEST(Probe, TheWholeLoopbackNetworkIsLocal) {
  const Descriptor listener{must(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 41);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  must(::bind(listener.ref().number(), generic, size), "bind");
  must(::listen(listener.ref().number(), 1), "listen");
  must(::getsockname(listener.ref().number(), generic, &size), "getsockname");
  const Descriptor client{must(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")};
  sockaddr_in near{};
  near.sin_family = AF_INET;
  near.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
  must(::bind(client.ref().number(), reinterpret_cast<sockaddr*>(&near), sizeof near), "bind");
  must(::connect(client.ref().number(), generic, size), "connect");
  EXPECT_TRUE(facts_of(client).peer_local);
}

TEST(Probe, ASocketWithoutAPeerHasNoLocalOne) {
  const Descriptor socket{must(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")};
  EXPECT_EQ(facts_of(socket).kind, Kind::tcp);
  EXPECT_FALSE(facts_of(socket).peer_local);
}

TEST(Probe, AUnixStreamsPeerIsAlwaysLocal) {
  const auto pair = testing::connected_unix();
  const Facts facts = facts_of(pair.near);
  EXPECT_EQ(facts.kind, Kind::unix_stream);
  EXPECT_TRUE(facts.peer_local);
  EXPECT_GT(facts.send_buffer, 0U);
  EXPECT_EQ(facts.congestion, "");
  EXPECT_FALSE(facts.nonblocking);
}

TEST(Probe, SocketsOfMessagesAreOtherSockets) {
  for (const auto& [domain, type] :
       {std::pair{AF_INET, SOCK_DGRAM}, {AF_UNIX, SOCK_DGRAM}, {AF_UNIX, SOCK_SEQPACKET}}) {
    const Descriptor socket{must(::socket(domain, type | SOCK_CLOEXEC, 0), "socket")};
    EXPECT_EQ(facts_of(socket).kind, Kind::socket) << domain << " " << type;
    EXPECT_EQ(facts_of(socket).congestion, "");
  }
}

TEST(Probe, BothEndsOfATerminalAreTerminals) {
  const auto terminal = testing::open_terminal();
  EXPECT_EQ(facts_of(terminal.near).kind, Kind::terminal);
  EXPECT_EQ(facts_of(terminal.far).kind, Kind::terminal);
  EXPECT_FALSE(facts_of(terminal.near).seekable);
}

TEST(Probe, KnowsTheDevicesThatTakeOrGiveAnything) {
  EXPECT_EQ(facts_of(open_file("/dev/null", O_WRONLY)).kind, Kind::null_device);
  EXPECT_EQ(facts_of(open_file("/dev/zero", O_RDONLY)).kind, Kind::zero_device);
  EXPECT_EQ(facts_of(open_file("/dev/full", O_WRONLY)).kind, Kind::character_device);
  EXPECT_EQ(facts_of(open_file("/dev/urandom", O_RDONLY)).kind, Kind::character_device);
  EXPECT_FALSE(size_is_known(facts_of(open_file("/dev/zero", O_RDONLY))));
}

TEST(Probe, WhatIsNoFileAtAllIsOther) {
  const Descriptor event{must(::eventfd(0, EFD_CLOEXEC), "eventfd")};
  EXPECT_EQ(facts_of(event).kind, Kind::other);
}

/// A file as a block device, for as long as it lives; empty where this machine has none to give.
Descriptor loop_device(const Descriptor& file) {
  const Descriptor control{::open("/dev/loop-control", O_RDWR | O_CLOEXEC)};
  if (!control.valid()) return {};
  for (int attempt = 0; attempt < 10; ++attempt) {  // others may take the free one first
    const int number = ::ioctl(control.ref().number(), LOOP_CTL_GET_FREE);
    if (number < 0) return {};
    Descriptor device{::open(("/dev/loop" + std::to_string(number)).c_str(), O_RDONLY | O_CLOEXEC)};
    if (!device.valid()) return {};
    loop_config configuration{};
    configuration.fd = static_cast<__u32>(file.ref().number());
    configuration.info.lo_flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_READ_ONLY;
    if (::ioctl(device.ref().number(), LOOP_CONFIGURE, &configuration) == 0) return device;
    if (errno != EBUSY) return {};
  }
  return {};
}

TEST(Probe, ABlockDeviceHasItsSizeAndAPosition) {
  const Descriptor file = file_holding(std::string(mebibyte, 'b'));
  const Descriptor device = loop_device(file);
  if (!device.valid()) GTEST_SKIP() << "no loop device can be had";
  must(::lseek(device.ref().number(), 512, SEEK_SET), "lseek");
  const Facts facts = facts_of(device);
  EXPECT_EQ(facts.kind, Kind::block_device);
  EXPECT_EQ(facts.size, mebibyte);
  EXPECT_EQ(facts.position, 512U);
  EXPECT_TRUE(facts.seekable);
  EXPECT_TRUE(size_is_known(facts));
}

}  // namespace
}  // namespace headrace
