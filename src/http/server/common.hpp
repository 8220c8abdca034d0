#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "http/server/configuration.hpp"
#include "http/server/log_file.hpp"
#include "http/server/site.hpp"
#include "http/server/workers.hpp"

namespace headrace::http::server {

/// What all loops of a server share. Nothing of it changes once they run, but what is made for
/// that.
struct Common {
  Configuration configuration;
  Site site;
  std::string boundary;          ///< of multipart answers; random, new with each start
  std::size_t most_connections;  ///< over all loops
  std::size_t most_files;        ///< kept open by each loop
  Descriptor nowhere;            ///< /dev/null, where uploads are discarded
  std::unique_ptr<LogFile> log;  ///< none: nobody asked for one
  std::unique_ptr<Workers> workers;
  std::atomic<std::size_t> connections{0};
  std::atomic<std::size_t> turned_away{0};  ///< besides those: they take nobody's place
};

}  // namespace headrace::http::server
