#pragma once

#include <string>
#include <vector>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"
#include "headrace/report.hpp"
#include "headrace/result.hpp"
#include "net/congestion.hpp"
#include "net/options.hpp"

namespace headrace::net {

/// A connected stream socket of ours: non-blocking, close-on-exec, TCP_NODELAY.
struct Connection {
  Descriptor socket;
  Congestion congestion;
  Bytes send_buffer = 0;  ///< as the kernel gives it: twice what was asked for
  Bytes receive_buffer = 0;
  std::string peer;                ///< "127.0.0.1:80", "[::1]:80", "unix:/run/x"
  bool peer_local = false;         ///< on this machine
  std::vector<std::string> notes;  ///< for the report
};

/// A fresh stream socket with the options that every one of ours has and the window wished for.
Result<Descriptor> open_stream(int family, const SocketOptions& options);

/// Fills in what only a connected socket can tell.
Result<Connection> describe_connection(Descriptor socket, CongestionChoice congestion,
                                       std::string peer, bool peer_local);

}  // namespace headrace::net
