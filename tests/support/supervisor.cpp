#include "support/supervisor.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "support/must.hpp"
#include "support/process_handle.hpp"
#include "support/seen_descriptor.hpp"
#include "support/short_call.hpp"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)  // Linux 5.19
#endif

namespace headrace::testing {
namespace {

constexpr std::uint32_t offset_of_argument(unsigned argument) {
  static_assert(std::endian::native == std::endian::little);  // the low half comes first
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                    argument * sizeof(std::uint64_t));
}

constexpr sock_filter load(std::uint32_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
}
constexpr sock_filter answer(std::uint32_t verdict) { return BPF_STMT(BPF_RET | BPF_K, verdict); }
constexpr sock_filter skip_unless(std::uint32_t value, std::uint8_t instructions) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, instructions);
}

void add_rule(std::vector<sock_filter>& program, int call, std::optional<Match> match,
              std::uint32_t verdict) {
  program.push_back(load(offsetof(seccomp_data, nr)));
  program.push_back(skip_unless(static_cast<std::uint32_t>(call), match ? 3 : 1));
  if (match) {
    program.push_back(load(offset_of_argument(match->argument)));
    program.push_back(skip_unless(match->value, 1));
  }
  program.push_back(answer(verdict));
}

// Returns what seccomp(2) returned, -errno when it failed.
int install(std::vector<sock_filter>& program, unsigned long flags) {
  program.push_back(answer(SECCOMP_RET_ALLOW));
  must(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl");
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  const auto result = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
  program.pop_back();
  return static_cast<int>(result < 0 ? -errno : result);
}

}  // namespace

void deny_call(int call, int number, std::optional<Match> match) {
  std::vector<sock_filter> program;
  add_rule(program, call, match, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(number));
  must(install(program, 0), "seccomp");
}

int install_notification(const std::vector<Denial>& denials) {
  std::vector<sock_filter> program;
  for (const auto& denial : denials) {
    add_rule(program, denial.call, denial.match, SECCOMP_RET_USER_NOTIF);
  }
  // A signal must not make the kernel ask twice for one call; before 5.19 it may.
  const int listener =
      install(program, SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
  return listener == -EINVAL ? install(program, SECCOMP_FILTER_FLAG_NEW_LISTENER) : listener;
}

Supervisor::Supervisor(Descriptor listener, pid_t supervised, const std::vector<Denial>& denials)
    : listener_(std::move(listener)),
      supervised_(supervised),
      process_(must(pidfd_open(supervised), "pidfd_open")) {
  for (const auto& denial : denials) denials_.push_back({denial});
}

void Supervisor::run() {
  std::array<pollfd, 2> both{
      {{listener_.ref().number(), POLLIN, 0}, {process_.ref().number(), POLLIN, 0}}};
  while (both[1].revents == 0) {
    if (::poll(both.data(), both.size(), -1) < 0 && errno != EINTR) must(-1, "poll");
    if ((both[0].revents & POLLIN) != 0) answer_one();
  }
}

Answer Supervisor::answer_to(int call, const Arguments& arguments) {
  for (auto& [denial, count] : denials_) {
    if (!looks_at(denial, call, arguments)) continue;
    ++count.seen;
    if (count.seen < denial.first || count.seen > denial.last) continue;
    if (denial.answer.kind != Answer::Kind::truth) ++count.answered;
    return denial.answer;
  }
  return {};
}

bool Supervisor::looks_at(const Denial& denial, int call, const Arguments& arguments) const {
  if (denial.call != call) return false;
  const auto& match = denial.match;
  if (match && match->value != static_cast<std::uint32_t>(arguments[match->argument])) return false;
  if (denial.on == On::anything && denial.under.empty()) return true;
  return std::ranges::any_of(descriptors_of(call, arguments), [&](int descriptor) {
    return is_meant(seen_descriptor(supervised_, descriptor), denial.on, denial.under);
  });
}

std::vector<Count> Supervisor::counts() const {
  std::vector<Count> counts;
  counts.reserve(denials_.size());
  for (const auto& counted : denials_) counts.push_back(counted.count);
  return counts;
}

// The answer is encoded as the kernel wants it; `truth` lets it run the call itself.
seccomp_notif_resp Supervisor::response_to(const seccomp_data& call) {
  const auto arguments = std::bit_cast<Arguments>(call.args);
  const Answer answer = answer_to(call.nr, arguments);
  const auto most = static_cast<std::size_t>(answer.value);
  switch (answer.kind) {
    case Answer::Kind::truth:
      return {.id = 0, .val = 0, .error = 0, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    case Answer::Kind::error:
      return {.id = 0, .val = 0, .error = -static_cast<int>(answer.value), .flags = 0};
    case Answer::Kind::result:
      return {.id = 0, .val = answer.value, .error = 0, .flags = 0};
    case Answer::Kind::most:
      break;
  }
  const auto result = short_call({supervised_, process_.ref()}, call.nr, arguments, most);
  if (result < 0) return {.id = 0, .val = 0, .error = static_cast<int>(result), .flags = 0};
  return {.id = 0, .val = result, .error = 0, .flags = 0};
}

void Supervisor::answer_one() {
  seccomp_notif call{};
  // ENOENT, here and below: the caller was killed in between.
  if (::ioctl(listener_.ref().number(), SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return;
  seccomp_notif_resp response = response_to(call.data);
  response.id = call.id;
  const int sent = ::ioctl(listener_.ref().number(), SECCOMP_IOCTL_NOTIF_SEND, &response);
  if (sent != 0 && errno != ENOENT) must(sent, "SECCOMP_IOCTL_NOTIF_SEND");
}

}  // namespace headrace::testing
