#include "net/congestion.hpp"

#include <netinet/tcp.h>

#include <cerrno>

#include "sys/socket.hpp"

namespace headrace::net {
namespace {

// Part of every kernel, cannot be a module, and needs no privilege.
constexpr std::string_view unpaced = "reno";

// The kernel cuts longer names in silence and would then take another control (TCP_CA_NAME_MAX).
constexpr std::size_t longest_name = 15;

Result<void> set(DescriptorRef socket, std::string_view name) {
  if (name.size() > longest_name) return fail(sys::option::congestion.set_call, ENOENT);
  return sys::setsockopt_name(socket, sys::option::congestion, name);
}

std::string refusal_note(std::string_view before, const Error& error) {
  return "congestion control stays " + std::string(before) +
         ", which paces on loopback: " + std::string(unpaced) + " refused (" +
         std::string(error.call) + ": " + error.code.message() + ")";
}

bool is_tcp(DescriptorRef socket) {
  return sys::getsockopt(socket, sys::option::no_delay).has_value();
}

}  // namespace

bool paces(std::string_view congestion) { return congestion.starts_with("bbr"); }

Result<CongestionChoice> choose_congestion(DescriptorRef socket, bool local,
                                           const std::optional<std::string>& named) {
  if (!named && !is_tcp(socket)) return CongestionChoice{};
  const auto before = sys::getsockopt_name(socket, sys::option::congestion);
  if (!before) return std::unexpected(before.error());
  CongestionChoice choice{.congestion = {.in_force = *before, .before = {}}, .note = {}};
  if (!named && !(local && paces(*before))) return choice;
  const auto answer = set(socket, named ? std::string_view{*named} : unpaced);
  if (!answer && named) return std::unexpected(answer.error());
  if (!answer) {
    choice.note = refusal_note(*before, answer.error());
    return choice;
  }
  const auto now = sys::getsockopt_name(socket, sys::option::congestion);
  if (!now) return std::unexpected(now.error());
  if (*now != *before) choice.congestion = {.in_force = *now, .before = *before};
  return choice;
}

}  // namespace headrace::net
