#include "http/server/server.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <thread>

#include "http/server/crew.hpp"
#include "http/server/masked_thread.hpp"
#include "http/server/sandbox.hpp"
#include "sys/files.hpp"
#include "sys/landlock.hpp"
#include "sys/limits.hpp"

namespace headrace::http::server {
namespace {

constexpr std::size_t fallback_connections = 512;
// Each costs a descriptor that a connection could have.
constexpr std::size_t enough_files = 512;

// The rest of the descriptors is for files, pipes and what the process has open besides.
std::size_t most_connections(const Configuration& configuration) {
  if (configuration.max_connections) return *configuration.max_connections;
  const auto limit = sys::getrlimit(RLIMIT_NOFILE);
  return limit ? static_cast<std::size_t>(limit->rlim_cur / 4 * 3) : fallback_connections;
}

// Of the descriptors that are no connection's, half.
std::size_t most_files(unsigned threads) {
  const auto limit = sys::getrlimit(RLIMIT_NOFILE);
  if (!limit) return enough_files;
  const auto share = static_cast<std::size_t>(limit->rlim_cur / 8 / threads);
  return std::clamp(share, std::size_t{1}, enough_files);
}

Result<std::unique_ptr<LogFile>> open_log(const LogChoice& choice) {
  if (choice.path.empty()) return std::unique_ptr<LogFile>{};
  if (choice.path == "-") return LogFile::lent(DescriptorRef{STDOUT_FILENO}, choice.format);
  return LogFile::open(choice.path, choice.format);
}

Result<std::string> random_boundary() {
  std::array<unsigned char, 16> random{};
  const auto got = sys::getrandom(random, 0);
  if (!got) return std::unexpected(got.error());
  constexpr std::string_view digits = "0123456789abcdef";
  std::string boundary;
  for (const unsigned char byte : random) {
    boundary += digits[byte >> 4];
    boundary += digits[byte & 15];
  }
  return boundary;
}

Result<Descriptor> open_nowhere(const Configuration& configuration) {
  if (configuration.uploads != Uploads::discarded) return Descriptor{};
  return sys::openat(sys::working_directory, "/dev/null", O_WRONLY | O_CLOEXEC);
}

// Links that may lead anywhere are the user's word against a wall around the directory.
void confine_to(const Site& site, const Configuration& configuration) {
  if (configuration.symlinks == Symlinks::any) return;
  confine(site.root(), configuration.uploads == Uploads::stored);
}

unsigned threads_of(const Configuration& configuration) {
  if (configuration.threads > 0) return configuration.threads;
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

class Server::Parts {
 public:
  Parts(Configuration configuration, Site site, std::string boundary, Descriptor nowhere,
        std::unique_ptr<LogFile> log, std::vector<Door> doors)
      : common_{.configuration = std::move(configuration),
                .site = std::move(site),
                .boundary = std::move(boundary),
                .most_connections = most_connections(common_.configuration),
                .most_files = most_files(threads_of(common_.configuration)),
                .nowhere = std::move(nowhere),
                .log = std::move(log)},
        doors_(std::move(doors)) {}

  Result<void> gather();
  void run();
  void drain();
  void stop();

  [[nodiscard]] const std::optional<Error>& trouble() const { return trouble_; }
  [[nodiscard]] const std::vector<Door>& doors() const { return doors_; }
  [[nodiscard]] LogFile* log() const { return common_.log.get(); }

 private:
  void work();
  Result<void> run_crews();
  void end_by(const Error& error);

  Common common_;
  std::vector<Door> doors_;
  std::vector<std::unique_ptr<Crew>> crews_;
  std::mutex mutex_;
  std::optional<Error> trouble_;
};

Result<void> Server::Parts::gather() {
  for (unsigned threads = threads_of(common_.configuration); threads > 0; --threads) {
    auto crew = Crew::gather(common_, doors_);
    if (!crew) return std::unexpected(crew.error());
    crews_.push_back(std::move(*crew));
  }
  return {};
}

// The caller's thread stays what it was: unconfined, its signals as they are.
void Server::Parts::run() {
  const auto thread = start_masked([this] { work(); });
  if (!thread) end_by(thread.error());
}

void Server::Parts::work() {
  confine_to(common_.site, common_.configuration);
  auto workers = Workers::start(common_.configuration.workers);
  if (!workers) {
    end_by(workers.error());
    return;
  }
  common_.workers = std::move(*workers);
  const auto ended = run_crews();
  if (!ended) end_by(ended.error());
  common_.workers.reset();  // finishes what they have
}

// The first has this thread. Returns when all have ended.
Result<void> Server::Parts::run_crews() {
  std::vector<std::jthread> others;
  for (std::size_t index = 1; index < crews_.size(); ++index) {
    auto thread = start_masked([&crew = *crews_[index], this] {
      const auto ended = crew.run();
      if (!ended) end_by(ended.error());
    });
    if (!thread) {
      stop();  // those that run already
      return std::unexpected(thread.error());
    }
    others.push_back(std::move(*thread));
  }
  return crews_.front()->run();
}

void Server::Parts::end_by(const Error& error) {
  const std::scoped_lock lock(mutex_);
  if (!trouble_) trouble_ = error;
  stop();
}

void Server::Parts::drain() {
  for (const auto& crew : crews_) crew->drain();
}

void Server::Parts::stop() {
  for (const auto& crew : crews_) crew->stop();
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(Configuration configuration) {
  auto site = Site::open(configuration);
  if (!site) return std::unexpected(site.error());
  auto doors = open_doors(configuration);
  if (!doors) return std::unexpected(doors.error());
  auto log = open_log(configuration.log);
  if (!log) return std::unexpected(log.error());
  auto boundary = random_boundary();
  if (!boundary) return std::unexpected(boundary.error());
  auto nowhere = open_nowhere(configuration);
  if (!nowhere) return std::unexpected(nowhere.error());
  auto parts =
      std::make_unique<Parts>(std::move(configuration), std::move(*site), std::move(*boundary),
                              std::move(*nowhere), std::move(*log), std::move(*doors));
  const auto gathered = parts->gather();
  if (!gathered) return std::unexpected(gathered.error());
  return std::unique_ptr<Server>{new Server{std::move(parts)}};
}

std::vector<std::string> Server::addresses() const {
  std::vector<std::string> addresses;
  for (const Door& door : parts_->doors()) addresses.push_back(door.listener.address);
  return addresses;
}

std::vector<std::string> Server::notes() const {
  std::vector<std::string> notes;
  for (const Door& door : parts_->doors()) {
    const auto& of_door = door.listener.notes;
    notes.insert(notes.end(), of_door.begin(), of_door.end());
  }
  if (!sys::landlock_abi()) notes.emplace_back("this kernel has no Landlock: openat2 alone guards");
  return notes;
}

void Server::run() { parts_->run(); }
const std::optional<Error>& Server::trouble() const { return parts_->trouble(); }
void Server::drain() { parts_->drain(); }
void Server::stop() { parts_->stop(); }

void Server::reopen_log() {
  if (parts_->log() != nullptr) parts_->log()->reopen();
}

}  // namespace headrace::http::server
