#include <string>
#include <utility>
#include <vector>

#include "explain/words.hpp"
#include "headrace/explain.hpp"

namespace headrace {
namespace {

using explain::labelled;

std::string named(const Method& method) {
  std::string text(method.name);
  text += " (";
  text += name_of(method.path_class);
  return text + ")";
}

std::string chosen_lines(const Plan& plan) {
  if (plan.usable.empty()) return "plan: no way, every method is passed over\n";
  std::string lines = "plan: " + named(*plan.usable.front()) + "\n";
  for (std::size_t i = 1; i < plan.usable.size(); ++i) {
    lines += labelled(i == 1 ? "then" : "", named(*plan.usable[i]));
  }
  return lines;
}

using Part = std::pair<bool, std::string>;  // whether it is worth saying, and the words

std::vector<Part> parts_of(const Facts& facts) {
  const bool file = is_file(facts.kind);
  const bool sized = file && !facts.pseudo;
  std::vector<Part> parts;
  parts.emplace_back(!facts.file_system.empty(), "on " + std::string(facts.file_system));
  parts.emplace_back(sized, explain::exact_size(facts.size));
  parts.emplace_back(facts.pseudo, "made when read, its size means nothing");
  parts.emplace_back(facts.seekable && facts.position > 0,
                     "position " + std::to_string(facts.position));
  parts.emplace_back(facts.may_clone, "may share extents");
  parts.emplace_back(facts.appends, "appends");
  parts.emplace_back(facts.kind == Kind::pipe, "capacity " + format_size(facts.pipe_capacity));
  parts.emplace_back(facts.send_buffer > 0, "buffers: send " + format_size(facts.send_buffer) +
                                                ", receive " + format_size(facts.receive_buffer));
  parts.emplace_back(!facts.congestion.empty(), "congestion control " + facts.congestion);
  parts.emplace_back(facts.peer_local, "the peer is on this machine");
  parts.emplace_back(facts.nonblocking && !is_file(facts.kind), "non-blocking");
  return parts;
}

std::string facts_line(std::string_view label, const Facts& facts) {
  std::string text = facts.name.empty() ? "" : explain::printable(facts.name) + ": ";
  text += name_of(facts.kind);
  for (const auto& [worth_saying, words] : parts_of(facts)) {
    if (worth_saying) text += ", " + words;
  }
  return labelled(label, text);
}

std::string_view meaning_for(Contract contract, const Facts& destination) {
  switch (contract) {
    case Contract::guarded:
      return "the source is compared before and after, and a change leaves the result visibly "
             "incomplete";
    case Contract::stable:
      return "the bytes are those read at the time of the call; later writes are never seen";
    case Contract::live:
      break;
  }
  if (destination.peer_local || destination.kind == Kind::pipe) {
    return "a write to the source is seen by the reader until it has taken the bytes";
  }
  if (is_socket(destination.kind)) {
    return "a write to the source may be seen by the peer until it has acknowledged the bytes";
  }
  return "a write to the source while it is read may be seen at the destination";
}

}  // namespace

std::string to_text(const Plan& plan, const Facts& source, const Facts& destination) {
  std::string text = chosen_lines(plan);
  for (const Refusal& refusal : plan.refused) {
    text += labelled("passed over", explain::describe(refusal));
  }
  text += facts_line("source", source) + facts_line("destination", destination);
  std::string contract(name_of(plan.contract));
  contract += plan.clones_source ? ", by a clone of the source: " : ": ";
  contract += meaning_for(plan.contract, destination);
  return text + labelled("contract", contract);
}

}  // namespace headrace
