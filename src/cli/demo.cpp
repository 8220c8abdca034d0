#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/signals.hpp"
#include "headrace/explain.hpp"
#include "net/accept.hpp"
#include "net/address.hpp"
#include "net/connect.hpp"
#include "net/finish.hpp"
#include "net/listen.hpp"
#include "net/wait.hpp"
#include "sys/files.hpp"
#include "sys/read_write.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "demo";
constexpr std::chrono::seconds patience{60};
constexpr std::size_t piece_size = mebibyte;

/// A folder of the demo's own, removed with everything in it.
class Folder {
 public:
  static Result<Folder> make(const std::string& parent) {
    std::string pattern = parent + "/headrace-demo-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) return fail("mkdtemp", errno);
    return Folder{std::move(pattern)};
  }
  Folder(Folder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Folder& operator=(Folder&&) = delete;
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

Result<void> write_all(DescriptorRef file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto written = sys::write(file, bytes);
    if (!written) return std::unexpected(written.error());
    bytes = bytes.subspan(*written);
  }
  return {};
}

// Incompressible and different everywhere, so that a lost, doubled or swapped piece is seen.
Result<void> fill(DescriptorRef file, Bytes size, const Stop& stop) {
  std::mt19937_64 random{size};
  std::vector<std::uint64_t> piece(piece_size / sizeof(std::uint64_t));
  for (Bytes written = 0; written < size;) {
    if (net::stop_requested(stop)) return fail("write", ECANCELED);
    for (auto& word : piece) word = random();
    const auto bytes =
        std::as_bytes(std::span{piece}).first(next_request(size - written, piece_size));
    if (auto done = write_all(file, bytes); !done) return done;
    written += bytes.size();
  }
  return {};
}

Result<std::size_t> read_piece(DescriptorRef file, std::span<std::byte> piece, Bytes offset) {
  std::size_t filled = 0;
  while (filled < piece.size()) {
    const auto step = sys::pread(file, piece.subspan(filled), offset + filled);
    if (!step) return step;
    if (*step == 0) break;
    filled += *step;
  }
  return filled;
}

Result<bool> same_bytes(DescriptorRef one, DescriptorRef other, const Stop& stop) {
  std::vector<std::byte> left(piece_size);
  std::vector<std::byte> right(piece_size);
  for (Bytes offset = 0;;) {
    if (net::stop_requested(stop)) return fail("pread", ECANCELED);
    const auto from_one = read_piece(one, left, offset);
    if (!from_one) return std::unexpected(from_one.error());
    const auto from_other = read_piece(other, right, offset);
    if (!from_other) return std::unexpected(from_other.error());
    if (*from_one != *from_other ||
        !std::equal(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(*from_one),
                    right.begin())) {
      return false;
    }
    if (*from_one == 0) return true;
    offset += *from_one;
  }
}

// The file, its copy, and one that is received; asked for before the disk is filled.
bool has_room(const std::string& parent, Bytes size) {
  constexpr Bytes files = 3;
  std::error_code error;
  const auto space = std::filesystem::space(parent, error);
  if (error || space.available / files >= size) return true;
  complain(command,
           fmt::format("'{}' has {} free, and three files of {} are needed: name a smaller "
                       "--size, or another folder in TMPDIR",
                       parent, format_size(space.available), format_size(size)));
  return false;
}

class Demo {
 public:
  Demo(const DemoArguments& arguments, const Stop& stop, Folder folder)
      : size_(arguments.size), stop_(stop), folder_(std::move(folder)) {}

  Result<bool> run() {
    auto source = create("source");
    if (!source) return std::unexpected(source.error());
    source_ = std::move(*source);
    if (auto filled = fill(source_.ref(), size_, stop_); !filled)
      return std::unexpected(filled.error());
    say(fmt::format("A file of {} with random content.\n", format_size(size_)));

    for (const auto& act : std::array<std::function<Result<bool>()>, 3>{
             [this] { return copy_file(); }, [this] { return over("127.0.0.1:0", "loopback TCP"); },
             [this] { return over("unix:" + folder_.file("socket"), "a unix socket"); }}) {
      const auto good = act();
      if (!good || !*good) return good;
    }
    say("Every byte arrived three times.\n");
    return true;
  }

 private:
  static void say(const std::string& text) { print(command, text); }

  Result<Descriptor> create(const std::string& name) const {
    return sys::openat(sys::working_directory, folder_.file(name),
                       O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }

  [[nodiscard]] Options options(std::string source, std::string destination) const {
    return {.idle_timeout = patience,
            .stop = stop_,
            .source_name = std::move(source),
            .destination_name = std::move(destination)};
  }

  [[nodiscard]] Body whole_file() const { return body_of(source_.ref(), Bytes{0}); }

  Result<bool> copy_file() {
    say("\nFile to file\n");
    auto destination = create("copy");
    if (!destination) return std::unexpected(destination.error());
    Options wished = options("source", "copy");
    wished.fallback_contract = Contract::guarded;  // as the command does
    auto report = transfer(whole_file(), Plain{destination->ref()}, wished);
    if (!report) return std::unexpected(report.error());
    report->command = "copy";
    return verified(*report, destination->ref());
  }

  Result<bool> verified(const Report& report, DescriptorRef arrived) const {
    say(to_text(report));
    if (report.outcome != Outcome::complete) return false;
    const auto same = same_bytes(source_.ref(), arrived, stop_);
    if (!same) return same;
    say(*same ? "  verified     every byte is right\n" : "  verified     THE BYTES DIFFER\n");
    return same;
  }

  // One thread receives into a file while this one sends.
  Result<bool> over(const std::string& where, const std::string& what) {
    say(fmt::format("\nFile to {} to file\n", what));
    const auto address = net::parse_address(where);
    if (!address) return std::unexpected(address.error());
    const auto listener = net::listen(*address, {}, stop_);
    if (!listener) return std::unexpected(listener.error());
    auto destination = create("received");
    if (!destination) return std::unexpected(destination.error());
    // The queue of the listener takes us: nobody waits yet for a connection that may fail.
    auto connection = connect(listener->address);
    if (!connection) return std::unexpected(connection.error());
    Result<Report> received = fail("receive", ECANCELED);
    {
      const std::jthread receiver{[&] { received = receive(*listener, destination->ref()); }};
      auto sent = send(std::move(*connection), listener->address);
      if (!sent) return std::unexpected(sent.error());
      say(to_text(*sent));
      if (sent->outcome != Outcome::complete) return false;
    }
    if (!received) return std::unexpected(received.error());
    return verified(*received, destination->ref());
  }

  Result<net::Connection> connect(const std::string& where) const {
    const auto address = net::parse_address(where);
    if (!address) return std::unexpected(address.error());
    return net::connect(*address, {}, patience, stop_);
  }

  // Owns the connection, so that it is closed, and the receiver done, however this ends.
  Result<Report> send(net::Connection connection, const std::string& where) const {
    const DescriptorRef socket = connection.socket.ref();
    auto report = transfer(whole_file(), Plain{socket}, options("source", where));
    if (!report) return report;
    report->command = "send";
    report->congestion = connection.congestion;
    const auto end = net::finish(socket, {.idle = patience}, stop_);
    if (end.error) return std::unexpected(*end.error);
    if (end.unacknowledged) report->acknowledged = report->bytes - *end.unacknowledged;
    return report;
  }

  Result<Report> receive(const net::Listener& listener, DescriptorRef destination) const {
    const auto connection = net::accept(listener, {}, stop_, patience);
    if (!connection) return std::unexpected(connection.error());
    Options wished = options(connection->peer, "received");
    const auto facts = probe(destination);
    if (facts) wished.reserve = best_reserve(*facts, false);
    auto report = transfer(body_of(connection->socket.ref()), Plain{destination}, wished);
    if (report) report->command = "receive";
    if (report) report->congestion = connection->congestion;
    return report;
  }

  Bytes size_;
  const Stop& stop_;
  Folder folder_;
  Descriptor source_;
};

}  // namespace

int demo(const DemoArguments& arguments, const Stop& stop) {
  // Before any thread exists.
  const char* const wished = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
  const std::string parent = wished != nullptr ? wished : "/tmp";
  auto folder = Folder::make(parent);
  if (!folder) {
    complain(command, "make a folder in", parent, folder.error());
    return status_failed;
  }
  if (!has_room(parent, arguments.size)) return status_failed;
  const auto good = Demo{arguments, stop, std::move(*folder)}.run();
  if (stopping_signal() != 0) return status_of_stop();
  if (!good) complain(command, describe(good.error()));
  return good && *good ? status_ok : status_failed;
}

}  // namespace headrace::cli
