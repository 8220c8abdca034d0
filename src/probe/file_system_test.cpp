#include "probe/file_system.hpp"

#include <gtest/gtest.h>
#include <linux/magic.h>

namespace headrace {
namespace {

void expect(std::uint64_t magic, std::string_view name, bool pseudo, bool may_clone) {
  const FileSystem found = file_system_of(magic);
  EXPECT_EQ(found.name, name);
  EXPECT_EQ(found.pseudo, pseudo) << name;
  EXPECT_EQ(found.may_clone, may_clone) << name;
}

TEST(FileSystem, OrdinaryOnesAreKnownToShareNothing) {
  expect(EXT4_SUPER_MAGIC, "ext4", false, false);
  expect(TMPFS_MAGIC, "tmpfs", false, false);
  expect(RAMFS_MAGIC, "ramfs", false, false);
  expect(MSDOS_SUPER_MAGIC, "vfat", false, false);
  expect(0x2011BAB0, "exfat", false, false);
  expect(ISOFS_SUPER_MAGIC, "iso9660", false, false);
  expect(SQUASHFS_MAGIC, "squashfs", false, false);
  expect(0x00c0ffee, "hostfs", false, false);
  expect(HUGETLBFS_MAGIC, "hugetlbfs", false, false);
}

TEST(FileSystem, ThoseThatMayShareExtentsAreTried) {
  expect(0x58465342, "xfs", false, true);
  expect(BTRFS_SUPER_MAGIC, "btrfs", false, true);
  expect(0xca451a4e, "bcachefs", false, true);
  expect(0x2fc12fc1, "zfs", false, true);
  expect(OVERLAYFS_SUPER_MAGIC, "overlay", false, true);
  expect(0x6969, "nfs", false, true);
  expect(0xFF534D42, "cifs", false, true);
  expect(SMB2_SUPER_MAGIC, "smb2", false, true);
  expect(0x65735546, "fuse", false, true);
  expect(V9FS_MAGIC, "9p", false, true);
}

TEST(FileSystem, ContentsMadeWhenReadArePseudo) {
  expect(PROC_SUPER_MAGIC, "proc", true, false);
  expect(SYSFS_MAGIC, "sysfs", true, false);
  expect(DEBUGFS_MAGIC, "debugfs", true, false);
  expect(TRACEFS_MAGIC, "tracefs", true, false);
  expect(SECURITYFS_MAGIC, "securityfs", true, false);
  expect(CGROUP_SUPER_MAGIC, "cgroup", true, false);
  expect(CGROUP2_SUPER_MAGIC, "cgroup2", true, false);
  expect(0x62656570, "configfs", true, false);
  expect(0x19800202, "mqueue", true, false);
  expect(BPF_FS_MAGIC, "bpf", true, false);
}

TEST(FileSystem, AnUnknownOneIsTriedAndItsSizesBelieved) {
  expect(0x12345678, "unknown", false, true);
}

}  // namespace
}  // namespace headrace
