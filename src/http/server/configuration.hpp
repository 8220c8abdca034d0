#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "headrace/bytes.hpp"
#include "headrace/method.hpp"
#include "http/message/head.hpp"
#include "http/server/log_line.hpp"
#include "net/address.hpp"
#include "net/options.hpp"

namespace headrace::http::server {

/// Which symbolic links a target may pass through.
enum class Symlinks {
  never,
  beneath,  ///< those that stay within the directory
  any,      ///< the user's word that they lead where they should
};

enum class Uploads {
  refused,
  stored,
  discarded,  ///< read to their end and thrown away, for measurements
};

/// Where the access log goes; no path: nowhere.
struct LogChoice {
  std::string path;  ///< "-": standard output
  LogFormat format = LogFormat::combined;
};

/// Bodies up to this size are read and sent together with their head in one call.
inline constexpr Bytes default_copy_limit = 64 * kibibyte;

/// Everything `serve` can be told. A plain value.
struct Configuration {
  std::string directory = ".";
  std::vector<net::Address> listen;  ///< empty: 127.0.0.1:8080
  net::SocketOptions socket;

  Uploads uploads = Uploads::refused;
  std::optional<Bytes> max_upload;  ///< absent: as much as the disk takes
  bool dotfiles = false;            ///< names that begin with a dot are shown and taken
  Symlinks symlinks = Symlinks::beneath;
  std::vector<std::string> allowed_hosts;  ///< besides addresses and localhost, on loopback

  unsigned threads = 0;  ///< event loops; 0: one for each processor
  unsigned workers = 4;  ///< threads that may sleep on a disk

  std::chrono::milliseconds idle_timeout{60'000};         ///< without progress
  std::optional<std::chrono::milliseconds> head_timeout;  ///< absent: see `head_timeout_of`
  std::chrono::milliseconds files_idle{10'000};           ///< then unused files are closed
  Bytes min_rate = 32;  ///< bytes per second over any 60 s; 0: none
  /// Absent: three quarters of the descriptors this process may have.
  std::optional<std::size_t> max_connections;
  std::optional<Bytes> limit_rate;  ///< bytes per second, of each connection

  Wishes wishes;  ///< the contract is `guarded` unless one is asked for
  Bytes copy_limit = default_copy_limit;
  HeadLimits heads;
  LogChoice log;
};

/// The longest a head may take from its first byte: twice the idle time-out, at most 30 s.
std::chrono::milliseconds head_timeout_of(const Configuration& configuration);

}  // namespace headrace::http::server
