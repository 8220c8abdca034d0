#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "headrace/method.hpp"
#include "headrace/transfer.hpp"
#include "http/client/put.hpp"
#include "http/message/field.hpp"
#include "http/server/configuration.hpp"
#include "transfer/preserve.hpp"

namespace headrace::cli {

// What the command line says, as plain values: command_line.cpp fills them in, the commands read
// them, and tests write them by hand.

enum class ReportFormat { text, json, none };
enum class ProgressDisplay { automatic, always, never };

/// How long a silence may last; absent: for ever.
using Patience = std::optional<std::chrono::milliseconds>;

/// `--range OFFSET:LENGTH`; an absent length is the rest.
struct Range {
  Bytes offset = 0;
  std::optional<Bytes> length;
};

/// What more than one command takes.
struct CommonArguments {
  Wishes wishes;
  std::optional<Range> range;
  std::optional<Bytes> limit_rate;
  std::optional<std::chrono::milliseconds> idle_timeout;
  ReportFormat report = ReportFormat::text;
  std::string report_file;  ///< empty: none
  ProgressDisplay progress = ProgressDisplay::automatic;
  bool quiet = false;
};

enum class Reflink { automatic, always, never };

struct CopyArguments {
  CommonArguments common;
  std::string source;
  std::string destination;
  bool in_place = false;
  std::optional<Preserve> preserve;  ///< absent: not said, so mode and times as far as possible
  std::optional<Sparse> sparse;      ///< absent: not said
  Reflink reflink = Reflink::automatic;
  bool durable = false;  ///< --fsync
  bool preallocate = false;
  bool verify = false;
};

/// What `send` and `receive` share; `listens` is each one's own default.
struct PeerArguments {
  CommonArguments common;
  std::string address;
  std::string file;
  bool listens = false;
  std::optional<Bytes> window;
  std::optional<std::string> congestion;
  bool checked = false;  ///< both sides hash, the receiver answers: docs/checked.md
};

/// What `put` and `get` share.
struct HttpArguments {
  CommonArguments common;
  http::Fields headers;  ///< --header
  std::optional<Bytes> window;
  std::optional<std::string> congestion;
};

struct GetArguments {
  HttpArguments http;
  std::string url;
  std::string file;  ///< `-`: standard output; empty: named after the URL
  bool resume = false;
  bool content_disposition = false;  ///< the server may name the file
};

struct PutArguments {
  HttpArguments http;
  std::vector<std::string> ends;  ///< FILE and URL, in turn
  http::client::Expect expect = http::client::Expect::automatic;
};

struct ServeArguments {
  CommonArguments common;           ///< its wishes and `quiet`
  std::vector<std::string> listen;  ///< as typed; none: the default
  bool upload = false;
  Patience idle_timeout;
  std::string log;                            ///< empty: not said
  http::server::Configuration configuration;  ///< everything else
};

struct ExplainArguments {
  CommonArguments common;
  std::string source;
  std::string destination;
  bool methods = false;
  bool kernel = false;
};

struct DemoArguments {
  CommonArguments common;
  Bytes size = 64 * mebibyte;
};

}  // namespace headrace::cli
