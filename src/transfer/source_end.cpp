#include "transfer/source_end.hpp"

#include <cerrno>

#include "sys/files.hpp"

namespace headrace {
namespace {

// Under a mapping a source that shrank looks like a failure of the call.
bool lost_its_pages(const Report& report) {
  if (report.outcome != Outcome::failed || report.legs.empty()) return false;
  const auto& error = report.legs.back().error;
  return error && (error->code.value() == EFAULT || error->code.value() == ESTALE);
}

void note_growth(Bytes bytes, Report& report) {
  report.notes.push_back("the source grew by " + std::to_string(bytes) +
                         " bytes meanwhile; the bytes it had at the start were moved");
}

}  // namespace

void source_changed(const Change& change, Report& report) {
  report.outcome = Outcome::source_changed;
  if (!report.change) report.change = change;
}

void judge_source(const Part& part, const Facts& before, Bytes wanted, Bytes moved,
                  Report& report) {
  const bool complete = report.outcome == Outcome::complete;
  const bool came_short = complete && moved < wanted;
  if (came_short) {
    report.notes.push_back("the source ended after " + std::to_string(moved) + " of " +
                           std::to_string(wanted) + " bytes");
  }
  if (!part.promised || before.kind != Kind::regular) return;
  const auto now = sys::fstat(part.job.source.descriptor);
  const Bytes size = now ? static_cast<Bytes>(now->st_size) : before.size;
  if (came_short || (lost_its_pages(report) && size < part.end)) {
    source_changed({.kind = Change::Kind::shrank, .bytes = size}, report);
  } else if (complete && size > before.size) {
    note_growth(size - before.size, report);
  }
}

}  // namespace headrace
