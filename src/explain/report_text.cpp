#include <algorithm>
#include <string>
#include <vector>

#include "explain/headline.hpp"
#include "explain/words.hpp"
#include "headrace/explain.hpp"

namespace headrace {
namespace {

using explain::labelled;

std::string advice_line(const Report& report) {
  const auto cause = explain::cause_of(report);
  const std::string text = cause ? advice(*cause, report.source, report.destination) : "";
  return text.empty() ? "" : labelled("advice", text);
}

std::string path_line(const Report& report) {
  const auto path_class = class_of(report);
  if (!path_class) return "";
  std::vector<std::string_view> names;
  for (const Leg& leg : report.legs) {
    const std::string_view name = explain::name_of(leg.method);
    if (leg.bytes > 0 && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::string text(name_of(*path_class));
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? ": " : ", ";
    text += names[i];
  }
  return labelled("path", text);
}

std::string ending_of(const Leg& leg) {
  std::string text(leg.ending == Ending::paused ? "stopped" : name_of(leg.ending));
  if (leg.error) text += ": " + explain::describe(*leg.error);
  return text;
}

std::vector<std::string> cells_of(const Leg& leg, bool with_waits) {
  std::vector<std::string> cells{
      std::string(explain::name_of(leg.method)),
      leg.bytes < kibibyte ? explain::counted(leg.bytes, "byte") : format_size(leg.bytes),
      explain::counted(leg.calls, "call")};
  if (with_waits) cells.push_back(explain::counted(leg.waits, "wait"));
  cells.push_back(explain::format_seconds(leg.seconds));
  cells.push_back(ending_of(leg));
  return cells;
}

std::string leg_lines(const Report& report) {
  const bool waited =
      std::ranges::any_of(report.legs, [](const Leg& leg) { return leg.waits > 0; });
  std::vector<std::vector<std::string>> rows;
  rows.reserve(report.legs.size());
  for (const Leg& leg : report.legs) rows.push_back(cells_of(leg, waited));
  const auto lines = explain::aligned(rows);
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += labelled("leg " + std::to_string(i + 1), lines[i]);
    for (const auto& note : report.legs[i].notes) {
      text += labelled("", "note: " + explain::printable(note));
    }
  }
  return text;
}

// Exact, on one line, wherever the counts differ from each other or a transfer is not whole.
std::string counts_line(const Report& report) {
  const bool all_acknowledged = report.acknowledged == report.bytes;
  const Bytes done = report.bytes + report.holes;
  const bool as_expected = report.stranded == 0 && report.expected.value_or(done) == done;
  if (report.outcome == Outcome::complete && as_expected) {
    if (!report.acknowledged) return "";
    if (all_acknowledged) return labelled("peer", "acknowledged every byte");
  }
  std::string text = "moved " + std::to_string(report.bytes);
  if (report.expected) text += ", expected " + std::to_string(*report.expected);
  if (report.acknowledged) text += ", acknowledged " + std::to_string(*report.acknowledged);
  return labelled("bytes", text + ", stranded " + std::to_string(report.stranded));
}

// What the destination holds without a byte having been written for it.
std::string blocks_line(const Report& report) {
  std::string text;
  if (report.holes > 0) text += format_size(report.holes) + " of holes kept";
  if (report.shared) {
    text += text.empty() ? "" : ", ";
    text += format_size(*report.shared) + " shared with other files (FIEMAP)";
  }
  return text.empty() ? "" : labelled("blocks", text);
}

std::string refusal_lines(const Report& report) {
  std::string text;
  for (const Refusal& refusal : report.refused) {
    if (!explain::worth_saying(refusal)) continue;
    text += labelled("passed over", explain::describe(refusal));
  }
  return text;
}

std::string_view meaning_of(const Report& report) {
  switch (report.contract) {
    case Contract::live:
      if (report.peer_memory) return " (later writes to the source may be seen)";
      return " (writes to the source during the transfer may be in it)";
    case Contract::guarded:
      if (report.change) return " (a change of the source was seen)";
      if (!report.evidence) return " (it ended before the source was compared)";
      return " (no change of the source was seen)";
    case Contract::stable:
      if (report.evidence == Evidence::clone) return " (the bytes as they were at the start)";
      if (report.evidence == Evidence::sealed) return " (nobody can change the bytes)";
      return " (the bytes as they were when read)";
  }
  return "";
}

std::string contract_lines(const Report& report) {
  // Only a file can be written to while it is read.
  const bool nothing = report.bytes + report.holes == 0 && !report.change;
  if (!is_file(report.source.kind) || nothing) return "";
  std::string text(name_of(report.contract));
  if (report.evidence) {
    text += " by ";
    text += name_of(*report.evidence);
  }
  text += meaning_of(report);
  std::string lines = labelled("contract", text);
  if (report.change) lines += labelled("change", "the source " + describe(*report.change));
  if (report.peer_memory) {
    lines += labelled("exposure",
                      "peer-memory (bytes the peer has not read are still pages of the file)");
  }
  return lines;
}

std::string congestion_line(const Congestion& congestion) {
  if (congestion.in_force.empty()) return "";
  const std::string was = congestion.before.empty() ? "" : " (was " + congestion.before + ")";
  return labelled("congestion", congestion.in_force + was);
}

// "memory", "disk", or how much of it came from the disk. Holes, which no disk is asked for, are
// not among `data`.
std::string read_from(std::optional<Bytes> from_disk, Bytes data) {
  if (!from_disk) return "nobody knows where";
  if (*from_disk == 0) return "memory";
  if (*from_disk >= data) return "disk";
  return "memory and disk (" + format_size(*from_disk) + ")";
}

std::string verification_line(const Report& report) {
  if (!report.verification) return "";
  const Verification& found = *report.verification;
  const bool same = found.source_digest == found.destination_digest;
  const Bytes data = found.bytes - std::min(found.bytes, report.holes);
  return labelled(same ? "verified" : "differs",
                  format_size(found.bytes) + " read again, " + found.algorithm + " " +
                      found.destination_digest + (same ? "" : " instead of ") +
                      (same ? "" : found.source_digest) + "; source from " +
                      read_from(found.source_from_disk, data) + ", destination from " +
                      read_from(found.destination_from_disk, data));
}

std::string check_lines(const Report& report) {
  if (!report.check) return "";
  const Check& check = *report.check;
  std::string lines;
  if (!check.name.empty()) lines += labelled("name", explain::printable(check.name));
  std::string text = check.algorithm + " " + check.digest;
  if (!check.peer_digest.empty() && check.peer_digest != check.digest) {
    text += ", the peer has " + check.peer_digest;
  }
  lines += labelled("hash", text);
  lines +=
      labelled("hashed", format_size(check.bytes) +
                             (check.reread ? " by a second read beside it" : " as they passed") +
                             " in " + explain::format_seconds(check.seconds));
  const std::string answer = check.answer.empty() ? "none" : check.answer;
  return lines + labelled("answer", answer);
}

// "201 Created to PUT http://host/name, 2 attempts, kept connection"
std::string exchange_line(const Report& report) {
  if (!report.exchange) return "";
  const Exchange& exchange = *report.exchange;
  std::string text = exchange.status > 0 ? std::to_string(exchange.status) : "no answer";
  if (!exchange.reason.empty()) text += " " + exchange.reason;
  text += " to " + exchange.method + " " + exchange.url;
  if (exchange.attempts > 1) text += ", " + explain::counted(exchange.attempts, "attempt");
  if (!exchange.hops.empty()) text += ", " + explain::counted(exchange.hops.size(), "redirect");
  if (exchange.reused) text += ", kept connection";
  if (!exchange.answer.empty()) text += ": " + exchange.answer;
  return labelled("http", explain::printable(text));
}

}  // namespace

std::string to_text(const Report& report) {
  std::string text = explain::headline(report) + path_line(report) + leg_lines(report);
  if (report.error) text += labelled("error", explain::describe(*report.error));
  text += exchange_line(report) + advice_line(report) + counts_line(report) + blocks_line(report) +
          refusal_lines(report) + contract_lines(report) + verification_line(report) +
          check_lines(report) + congestion_line(report.congestion);
  for (const auto& note : report.notes) text += labelled("note", explain::printable(note));
  return text;
}

}  // namespace headrace
