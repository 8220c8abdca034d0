#include "probe/file_system.hpp"

#include <linux/magic.h>

#include <algorithm>
#include <array>

#include "sys/files.hpp"

namespace headrace {
namespace {

struct Row {
  std::uint64_t magic = 0;
  FileSystem file_system;
};

// Numbers that linux/magic.h of Debian 12 lacks; statfs(2) lists them.
constexpr std::uint64_t xfs_magic = 0x58465342;
constexpr std::uint64_t exfat_magic = 0x2011BAB0;
constexpr std::uint64_t fuse_magic = 0x65735546;
constexpr std::uint64_t nfs_magic = 0x6969;
constexpr std::uint64_t cifs_magic = 0xFF534D42;
constexpr std::uint64_t hostfs_magic = 0x00c0ffee;
constexpr std::uint64_t mqueue_magic = 0x19800202;
constexpr std::uint64_t configfs_magic = 0x62656570;
constexpr std::uint64_t bcachefs_magic = 0xca451a4e;
constexpr std::uint64_t zfs_magic = 0x2fc12fc1;

constexpr FileSystem pseudo(std::string_view name) {
  return {.name = name, .pseudo = true, .may_clone = false};
}
constexpr FileSystem plain(std::string_view name) {
  return {.name = name, .pseudo = false, .may_clone = false};
}
constexpr FileSystem cloning(std::string_view name) {
  return {.name = name, .pseudo = false, .may_clone = true};
}

constexpr std::array rows{
    Row{EXT4_SUPER_MAGIC, plain("ext4")},  // ext2 and ext3 bear the same number
    Row{TMPFS_MAGIC, plain("tmpfs")},
    Row{RAMFS_MAGIC, plain("ramfs")},
    Row{MSDOS_SUPER_MAGIC, plain("vfat")},
    Row{exfat_magic, plain("exfat")},
    Row{ISOFS_SUPER_MAGIC, plain("iso9660")},
    Row{SQUASHFS_MAGIC, plain("squashfs")},
    Row{hostfs_magic, plain("hostfs")},
    Row{HUGETLBFS_MAGIC, plain("hugetlbfs")},
    Row{xfs_magic, cloning("xfs")},
    Row{BTRFS_SUPER_MAGIC, cloning("btrfs")},
    Row{bcachefs_magic, cloning("bcachefs")},
    Row{zfs_magic, cloning("zfs")},
    Row{OVERLAYFS_SUPER_MAGIC, cloning("overlay")},
    Row{nfs_magic, cloning("nfs")},
    Row{cifs_magic, cloning("cifs")},
    Row{SMB2_SUPER_MAGIC, cloning("smb2")},
    Row{fuse_magic, cloning("fuse")},
    Row{V9FS_MAGIC, cloning("9p")},
    Row{PROC_SUPER_MAGIC, pseudo("proc")},
    Row{SYSFS_MAGIC, pseudo("sysfs")},
    Row{DEBUGFS_MAGIC, pseudo("debugfs")},
    Row{TRACEFS_MAGIC, pseudo("tracefs")},
    Row{SECURITYFS_MAGIC, pseudo("securityfs")},
    Row{CGROUP_SUPER_MAGIC, pseudo("cgroup")},
    Row{CGROUP2_SUPER_MAGIC, pseudo("cgroup2")},
    Row{configfs_magic, pseudo("configfs")},
    Row{mqueue_magic, pseudo("mqueue")},
    Row{BPF_FS_MAGIC, pseudo("bpf")},
};

}  // namespace

FileSystem file_system_of(std::uint64_t magic) {
  const auto* const row = std::ranges::find(rows, magic, &Row::magic);
  return row == rows.end() ? FileSystem{} : row->file_system;
}

FileSystem file_system_holding(DescriptorRef file) {
  const auto status = sys::fstatfs(file);
  return status ? file_system_of(static_cast<std::uint64_t>(status->f_type)) : FileSystem{};
}

}  // namespace headrace
