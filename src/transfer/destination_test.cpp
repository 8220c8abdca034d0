#include "transfer/destination.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <climits>

#include "transfer/commit_testing.hpp"

namespace headrace {
namespace {

using namespace commit_testing;

Reason reason_for(const std::string& path) {
  const auto found = find_destination(path, "f");
  EXPECT_FALSE(found.has_value()) << path;
  return found ? Reason{"none", ""} : found.error().reason;
}

int number_for(const std::string& path) {
  const auto found = find_destination(path, "f");
  EXPECT_FALSE(found.has_value()) << path;
  return found || !found.error().error ? 0 : found.error().error->code.value();
}

DestinationKind kind_for(const std::string& path) {
  const auto found = find_destination(path, "f");
  EXPECT_TRUE(found.has_value()) << path << ": " << (found ? "" : describe(found.error()));
  return found ? found->kind : DestinationKind::absent;
}

TEST(FindDestination, TellsNewFilesFromOldOnes) {
  const Folder folder;
  write_file(folder / "old", "x");
  EXPECT_EQ(kind_for(folder / "new"), DestinationKind::absent);
  EXPECT_EQ(kind_for(folder / "old"), DestinationKind::regular);
  EXPECT_EQ(folder.names(), Names{"old"});
}

TEST(FindDestination, WritesThroughDevicesFifosAndFilesOfTheKernel) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(kind_for(folder / "fifo"), DestinationKind::written_through);
  EXPECT_EQ(kind_for("/dev/null"), DestinationKind::written_through);
  EXPECT_EQ(kind_for("/proc/self/comm"), DestinationKind::written_through);
}

TEST(FindDestination, RefusesADirectoryAndSaysWhatToType) {
  const Folder folder;
  for (const std::string& path :
       {folder.path(), folder.path() + "/", folder / ".", folder / ".."}) {
    const auto found = find_destination(path, "report.txt");
    ASSERT_FALSE(found.has_value()) << path;
    EXPECT_EQ(found.error().reason, destination_is_directory);
    const std::string typed = path.ends_with('/') ? path : path + "/";
    EXPECT_NE(found.error().detail.find("'" + typed + "report.txt'"), std::string::npos);
  }
  EXPECT_EQ(reason_for("/"), destination_is_directory);
}

TEST(FindDestination, RefusesASocketAndNamesSend) {
  const Folder folder;
  const Descriptor listener{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder / "socket";
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(
      ::bind(listener.ref().number(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
      0);
  const auto found = find_destination(path, "f");
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().reason, destination_is_socket);
  EXPECT_NE(found.error().detail.find("headrace send"), std::string::npos);
}

TEST(FindDestination, FollowsLinksToTheirEnd) {
  const Folder folder;
  ASSERT_EQ(::mkdir((folder / "d").c_str(), 0755), 0);
  write_file(folder / "d/target", "x");
  fs::create_symlink("d/relative", folder / "first");
  fs::create_symlink("target", folder / "d/relative");
  fs::create_symlink(folder / "first", folder / "absolute");
  fs::create_symlink("d", folder / "linked-directory");
  for (const char* name : {"first", "absolute", "linked-directory/relative", "d/../first"}) {
    const auto found = find_destination(folder / name, "f");
    ASSERT_TRUE(found.has_value()) << name;
    EXPECT_EQ(found->name, "target") << name;
    EXPECT_EQ(found->kind, DestinationKind::regular) << name;
  }
}

TEST(FindDestination, TakesADanglingLinkForItsAbsentTarget) {
  const Folder folder;
  fs::create_symlink("target", folder / "link");
  const auto found = find_destination(folder / "link", "f");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kind, DestinationKind::absent);
  EXPECT_EQ(found->name, "target");
}

TEST(FindDestination, EndsALoopOfLinks) {
  const Folder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  EXPECT_EQ(number_for(folder / "a"), ELOOP);
}

TEST(FindDestination, SaysWhatIsWrongWithAPath) {
  const Folder folder;
  write_file(folder / "file", "x");
  EXPECT_EQ(number_for(""), ENOENT);
  EXPECT_EQ(number_for(folder / "missing/f"), ENOENT);
  EXPECT_EQ(number_for(folder / "file/f"), ENOTDIR);
  EXPECT_EQ(number_for(folder / "file/"), ENOTDIR);
  EXPECT_EQ(number_for(folder / "new/"), ENOTDIR);
  EXPECT_EQ(number_for(folder / std::string(NAME_MAX + 1, 'n')), ENAMETOOLONG);
  EXPECT_EQ(number_for("/" + std::string(PATH_MAX, '/') + "tmp/f"), ENAMETOOLONG);
  const auto found = find_destination(folder / "missing/f", "f");
  ASSERT_FALSE(found.has_value());
  EXPECT_NE(describe(found.error()).find("missing/' does not exist"), std::string::npos);
  EXPECT_EQ(folder.names(), Names{"file"});
}

TEST(FindDestination, WantsADirectoryBehindALinkThatEndsInASlash) {
  const Folder folder;
  write_file(folder / "file", "x");
  fs::create_symlink("file", folder / "link");
  fs::create_symlink("file/", folder / "slashed");
  EXPECT_EQ(number_for(folder / "link/"), ENOTDIR);
  EXPECT_EQ(number_for(folder / "slashed"), ENOTDIR);
}

TEST(FindDestination, TakesOurOwnDescriptorsForThemselves) {
  const Folder folder;
  write_file(folder / "log", "old\n");
  const Descriptor log{::open((folder / "log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)};
  const std::string number = std::to_string(log.ref().number());
  fs::create_symlink("/proc/self/fd/" + number, folder / "link");
  for (const std::string& path :
       {"/dev/fd/" + number, "/proc/self/fd/" + number, folder / "link"}) {
    const auto found = find_destination(path, "f");
    ASSERT_TRUE(found.has_value()) << path;
    EXPECT_EQ(found->kind, DestinationKind::written_through);
    EXPECT_EQ(found->own, log.ref());
    const auto opened = open_through(*found);
    ASSERT_TRUE(opened.has_value());
    EXPECT_NE(::fcntl(opened->ref().number(), F_GETFL) & O_APPEND, 0);
  }
  EXPECT_EQ(content_of(folder / "log"), "old\n");
}

TEST(FindDestination, HoldsTheKernelToItsRuleForLinksOfOthersInASharedDirectory) {
  if (!is_root()) GTEST_SKIP() << "needs root to make another user's link";
  std::ifstream setting("/proc/sys/fs/protected_symlinks");
  int protects = 0;
  setting >> protects;
  if (protects == 0) GTEST_SKIP() << "fs.protected_symlinks is off on this machine";
  const Folder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 01777), 0);
  fs::create_symlink("/dev/null", folder / "trap");
  ASSERT_EQ(::lchown((folder / "trap").c_str(), nobody, nobody), 0);
  EXPECT_EQ(number_for(folder / "trap"), EACCES);
}

TEST(RefuseSameFile, ComparesDeviceAndInodeWhateverThePathLooksLike) {
  const Folder folder;
  write_file(folder / "f", "x");
  write_file(folder / "other", "x");
  fs::create_symlink("f", folder / "symlink");
  fs::create_hard_link(folder / "f", folder / "hardlink");
  const struct stat source = status_of(folder / "f");
  for (const char* name : {"f", "./f", "symlink", "hardlink"}) {
    const auto found = find_destination(folder / name, "f");
    ASSERT_TRUE(found.has_value());
    const auto obstacle = refuse_same_file(*found, source);
    ASSERT_TRUE(obstacle.has_value()) << name;
    EXPECT_EQ(obstacle->reason, same_file);
  }
  for (const char* name : {"other", "new"}) {
    const auto found = find_destination(folder / name, "f");
    ASSERT_TRUE(found.has_value());
    EXPECT_FALSE(refuse_same_file(*found, source).has_value()) << name;
  }
}

TEST(RefuseSameFile, LetsATerminalOrNullDeviceBeBothEnds) {
  const auto found = find_destination("/dev/null", "f");
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(refuse_same_file(*found, status_of("/dev/null")).has_value());
}

TEST(OpenInPlace, KeepsTheOldContentUntilTheCallerTruncates) {
  const Folder folder;
  write_file(folder / "f", "old");
  const ino_t inode = status_of(folder / "f").st_ino;
  const auto found = find_destination(folder / "f", "f");
  ASSERT_TRUE(found.has_value());
  const auto file = open_in_place(*found);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(content_of(folder / "f"), "old");
  ASSERT_EQ(::write(file->ref().number(), "NEW", 3), 3);
  EXPECT_EQ(content_of(folder / "f"), "NEW");
  EXPECT_EQ(status_of(folder / "f").st_ino, inode);
}

TEST(OpenInPlace, MakesAFileThatIsAbsent) {
  const Folder folder;
  const auto found = find_destination(folder / "f", "f");
  ASSERT_TRUE(found.has_value());
  ASSERT_TRUE(open_in_place(*found).has_value());
  EXPECT_EQ(folder.names(), Names{"f"});
}

TEST(OpenInPlace, OpensAFileThatMayBeWrittenAndNotRead) {
  if (!is_root()) GTEST_SKIP() << "needs root to drop its privileges";
  const Folder folder;
  write_file(folder / "f", "old", 0222);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  EXPECT_TRUE(in_child([&] {
    const auto found = become_nobody() ? find_destination(folder / "f", "f")
                                       : Placed<Destination>{std::unexpected(Obstacle{})};
    return found && open_in_place(*found).has_value();
  }));
}

TEST(OpenInPlace, RefusesWhatTookTheFilesPlaceMeanwhile) {
  const Folder folder;
  write_file(folder / "f", "old");
  const auto found = find_destination(folder / "f", "f");
  ASSERT_TRUE(found.has_value());
  fs::remove(folder / "f");
  ASSERT_EQ(::mkfifo((folder / "f").c_str(), 0600), 0);
  const auto fifo = open_in_place(*found);
  ASSERT_FALSE(fifo.has_value());
  EXPECT_EQ(fifo.error().reason, destination_changed);
  fs::remove(folder / "f");
  fs::create_symlink("/dev/null", folder / "f");
  EXPECT_FALSE(open_in_place(*found).has_value());
}

TEST(OpenThrough, SaysThatAFifoHasNoReaderYetInsteadOfHanging) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  const auto found = find_destination(folder / "fifo", "f");
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(waits_for_reader(*found));
  const auto early = open_through(*found);
  ASSERT_FALSE(early.has_value());
  EXPECT_EQ(early.error().error->code.value(), ENXIO);
  const Descriptor reader{::open((folder / "fifo").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  const auto opened = open_through(*found);
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(::write(opened->ref().number(), "x", 1), 1);
}

TEST(OpenThrough, OpensTheNullDeviceWithoutBlocking) {
  const auto found = find_destination("/dev/null", "f");
  ASSERT_TRUE(found.has_value());
  const auto opened = open_through(*found);
  ASSERT_TRUE(opened.has_value());
  EXPECT_NE(::fcntl(opened->ref().number(), F_GETFL) & O_NONBLOCK, 0);
}

}  // namespace
}  // namespace headrace
