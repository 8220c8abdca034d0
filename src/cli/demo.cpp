#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/demo_stage.hpp"
#include "cli/signals.hpp"
#include "headrace/explain.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "demo";

// The file, its copy on the server, and what is got from there; asked for before the disk is
// filled.
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

Result<bool> run(DemoStage& stage, Bytes size) {
  if (auto set = stage.set(); !set) return std::unexpected(set.error());
  DemoStage::say(fmt::format("A file of {} with random content.\n", format_size(size)));
  const std::array<std::function<Result<bool>()>, 4> acts{
      [&] { return demo_copy(stage); },
      [&] { return demo_socket(stage, "127.0.0.1:0", "loopback TCP"); },
      [&] { return demo_socket(stage, "unix:" + stage.folder().file("socket"), "a unix socket"); },
      [&] { return demo_http(stage); }};
  for (const auto& act : acts) {
    const auto good = act();
    if (!good || !*good) return good;
    for (const auto* const name : {"copy", "received"}) stage.remove(name);
  }
  DemoStage::say("Every byte arrived five times.\n");
  return true;
}

}  // namespace

Result<bool> demo_copy(const DemoStage& stage) {
  DemoStage::say("\nFile to file\n");
  auto destination = stage.create("copy");
  if (!destination) return std::unexpected(destination.error());
  Options wished = stage.options("source", "copy");
  wished.fallback_contract = Contract::guarded;  // as the command does
  auto report = transfer(stage.whole_file(), Plain{destination->ref()}, wished);
  if (!report) return std::unexpected(report.error());
  report->command = "copy";
  return stage.verified(*report, destination->ref());
}

int demo(const DemoArguments& arguments, const Stop& stop) {
  // Before any thread exists.
  const char* const wished = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
  const std::string parent = wished != nullptr ? wished : "/tmp";
  auto folder = DemoFolder::make(parent);
  if (!folder) {
    complain(command, "make a folder in", parent, folder.error());
    return status_failed;
  }
  if (!has_room(parent, arguments.size)) return status_failed;
  DemoStage stage{arguments.size, stop, std::move(*folder)};
  const auto good = run(stage, arguments.size);
  if (stopping_signal() != 0) return status_of_stop();
  if (!good) complain(command, describe(good.error()));
  return good && *good ? status_ok : status_failed;
}

}  // namespace headrace::cli
