#include "cli/target.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "cli/console.hpp"
#include "net/wait.hpp"
#include "probe/file_system.hpp"
#include "sys/files.hpp"

namespace headrace::cli {
namespace {

// Nothing wakes us when a FIFO gets its reader: look often enough not to be felt.
constexpr std::chrono::milliseconds between_tries{20};

bool no_reader_yet(const Obstacle& obstacle) {
  return obstacle.error && obstacle.error->code.value() == ENXIO;
}

// An error when the wait itself failed, was stopped, or has lasted until `end`.
Result<void> pause(const Stop& stop, net::Deadline end) {
  const auto next = net::deadline_after(between_tries);
  const auto woken = net::wait_for({}, 0, net::earlier(next, end), stop);
  if (!woken) return std::unexpected(woken.error());
  if (*woken == net::Woken::stopped) return fail("poll", ECANCELED);
  if (end && net::Clock::now() >= *end) return fail("poll", ETIMEDOUT);
  return {};
}

}  // namespace

void complain_of(std::string_view command, const Obstacle& obstacle) {
  std::string message =
      obstacle.detail.empty() ? std::string(obstacle.reason.text) : obstacle.detail;
  if (obstacle.error) message += " (" + describe(*obstacle.error) + ")";
  complain(command, message + " [" + std::string(obstacle.reason.code) + "]");
}

Target standard_output() {
  return {.owned = {}, .descriptor = DescriptorRef{STDOUT_FILENO}, .name = "standard output"};
}

Placed<Target> wait_for_target_through(const Destination& destination, const Stop& stop,
                                       Patience patience) {
  const auto end = net::deadline_after(patience);
  for (;;) {
    auto opened = open_through(destination);
    if (opened) {
      const DescriptorRef descriptor = opened->ref();
      return Target{.owned = std::move(*opened),
                    .descriptor = descriptor,
                    .name = destination.path,
                    .truncate = is_to_be_emptied(destination)};
    }
    if (!waits_for_reader(destination) || !no_reader_yet(opened.error())) {
      return std::unexpected(opened.error());
    }
    if (const auto paused = pause(stop, end); !paused) {
      return std::unexpected(Obstacle{destination_failed, paused.error(),
                                      "cannot wait for a reader of '" + destination.path + "'"});
    }
  }
}

std::optional<Target> open_target_through(std::string_view command, const Destination& destination,
                                          const Stop& stop, Patience patience) {
  auto target = wait_for_target_through(destination, stop, patience);
  if (target) return std::move(*target);
  if (!net::stop_requested(stop)) complain_of(command, target.error());
  return std::nullopt;
}

std::optional<Facts> facts_of_new_file(std::string_view command, const Destination& destination) {
  Facts facts;
  facts.kind = Kind::regular;
  facts.name = destination.path;
  facts.readable = facts.writable = facts.seekable = true;
  const auto status = sys::fstat(destination.directory.ref());
  if (!status) {
    complain(command, "look at the directory of", destination.path, status.error());
    return std::nullopt;
  }
  facts.device = status->st_dev;
  const FileSystem found = file_system_holding(destination.directory.ref());
  facts.file_system = found.name;
  facts.pseudo = found.pseudo;
  facts.may_clone = found.may_clone;
  return facts;
}

std::optional<Target> open_target_in_place(std::string_view command,
                                           const Destination& destination) {
  auto opened = open_in_place(destination);
  if (!opened) {
    complain_of(command, opened.error());
    return std::nullopt;
  }
  const DescriptorRef descriptor = opened->ref();
  return Target{.owned = std::move(*opened),
                .descriptor = descriptor,
                .name = destination.path,
                .truncate = true};
}

void close_target(Target& target, Report& report) {
  if (!target.owned.valid()) return;
  const auto closed = target.owned.close();
  if (closed) return;
  if (report.outcome != Outcome::complete) {  // what ended it stays what is told first
    report.notes.push_back("the destination's late error: " + describe(closed.error()));
    return;
  }
  report.outcome = Outcome::failed;
  report.error = closed.error();
}

}  // namespace headrace::cli
