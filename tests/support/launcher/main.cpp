// Runs a command of which some system calls are answered by us instead of by the kernel.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <span>

#include "support/deny.hpp"
#include "support/launcher/calls.hpp"
#include "support/launcher/options.hpp"
#include "support/short_call.hpp"

namespace headrace::testing {
namespace {

constexpr std::string_view usage =
    R"(deny_run [--limit SECONDS] [--told FILE] DENIAL... -- COMMAND [ARGUMENT...]
  DENIAL: --call NAME  then any of
    --errno E     answered with this errno (EIO or 5); the call does not run
    --result N    answered with this result, 0 or a huge one too; the call does not run
    --most N      the call runs with its count cut to N bytes
    --at N        only the Nth of the calls looked at (from 1)
    --from N      the Nth and all later ones
    --on KIND     looks only at calls on a descriptor that is a file, socket or pipe
    --under PATH  looks only at calls on a descriptor of this path, or of what is inside it
  Of several denials the first that fits answers. Without an answer a denial only counts.
  --told FILE     writes a line for each denial: NAME SEEN ANSWERED
deny_run --calls  lists the calls known, and which of them --most can cut
Status: the command's; 124 where it hung and was killed, 125 where seccomp is not to be had.
)";
constexpr int of_hung = 124;
constexpr int of_no_seccomp = 125;
constexpr int of_no_command = 127;

int list_calls() {
  for (const auto& known : known_calls()) {
    const bool cut = !known.match && can_be_shortened(known.call);
    std::cout << known.name << (cut ? " most\n" : "\n");
  }
  return 0;
}

int execute(std::vector<std::string> command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (auto& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  std::perror(arguments.front());
  return of_no_command;
}

bool tell(const Options& options, const std::vector<Count>& counts) {
  if (options.told.empty()) return true;
  std::ofstream file(options.told);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    file << options.names[i] << ' ' << counts[i].seen << ' ' << counts[i].answered << '\n';
  }
  return static_cast<bool>(file.flush());
}

int run(const Options& options) {
  const auto ended = run_denied_and_count(
      options.denials, [&] { return execute(options.command); }, options.limit);
  if (ended.status == cannot_deny) {
    std::cerr << "deny_run: no seccomp notification here\n";
    return of_no_seccomp;
  }
  if (!tell(options, ended.counts)) std::cerr << "deny_run: cannot write " << options.told << '\n';
  return ended.status == hung ? of_hung : ended.status;
}

}  // namespace
}  // namespace headrace::testing

int main(int count, char** values) {
  const std::span all(values, static_cast<std::size_t>(count));
  const std::vector<std::string> arguments(all.begin() + 1, all.end());
  if (arguments == std::vector<std::string>{"--calls"}) return headrace::testing::list_calls();
  const auto options = headrace::testing::parse(arguments);
  if (options) return headrace::testing::run(*options);
  std::cerr << "deny_run: " << options.error() << '\n' << headrace::testing::usage;
  return 2;
}
