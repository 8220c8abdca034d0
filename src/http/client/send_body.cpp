#include "http/client/send_body.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "transfer/course.hpp"
#include "transfer/cpu_meter.hpp"
#include "transfer/part.hpp"
#include "transfer/piece_plan.hpp"
#include "transfer/sigpipe_mask.hpp"
#include "transfer/task.hpp"
#include "transfer/waiter.hpp"

namespace headrace::http::client {
namespace {

void carry_out(Task& task, Waiter& waiter, Connection& connection) {
  for (Need need = task.turn(everything); need.what != Need::What::over;) {
    const Woken woken = waiter.wait(need, task.done());
    if (woken == Woken::answered && !connection.final_answer_begins()) continue;
    task.woken(woken, waiter.trouble());
    need = task.turn(everything);
  }
}

// What cannot be probed is the transfer's to tell.
bool is_refused(const Body& body, Plain end, const Options& options) {
  auto facts = probe(end.descriptor);
  if (!facts) return false;
  const Course course(body, end, std::move(*facts), options);
  return std::ranges::any_of(body.pieces, [&](const Piece& piece) {
    if (std::holds_alternative<Memory>(piece.source)) return false;
    const auto source = probe(descriptor_of(piece));
    if (!source) return false;
    const Part part = part_of(piece, end, *source, course.report.destination, options);
    return plan_of(piece, part.job, course).usable.empty();
  });
}

// Both ends were probed before: the source for its length, the connection when it was new.
class Ends {
 public:
  Ends(const Outgoing& outgoing, Connection& connection, const Options& options)
      : source_(outgoing.source) {
    if (source_) source_->name = options.source_name;
    const auto facts = connection.facts();
    if (!facts) return;  // what cannot be probed is the task's to tell
    destination_ = **facts;
    destination_->name = options.destination_name;
  }
  [[nodiscard]] Known known() const {
    return {.source = source_ ? &*source_ : nullptr,
            .destination = destination_ ? &*destination_ : nullptr};
  }

 private:
  std::optional<Facts> source_;
  std::optional<Facts> destination_;
};

Result<Report> send(const Outgoing& outgoing, Plain end, const Options& options,
                    Connection& connection) {
  const Ends ends(outgoing, connection, options);
  Task task(outgoing.body, end, options, ends.known());
  const SigpipeMask mask;
  const CpuMeter cpu;
  Waiter waiter(task.job(), options, task.keeping());
  carry_out(task, waiter, connection);
  auto report = task.finish();
  if (!report) return report;
  const auto spent = cpu.spent();
  report->cpu_user = spent.user;
  report->cpu_system = spent.system;
  return report;
}

}  // namespace

Result<Report> send_body(const Outgoing& outgoing, Connection& connection, Options options) {
  options.replies = Replies::end_it;
  return std::visit([&](auto end) { return send(outgoing, end, options, connection); },
                    connection.endpoint());
}

bool is_refused(const Body& body, const Connection& connection, const Options& options) {
  const Wishes& wishes = options.wishes;
  if (wishes.methods.empty() && !wishes.require && !wishes.contract) return false;
  return std::visit([&](auto end) { return is_refused(body, end, options); },
                    connection.endpoint());
}

}  // namespace headrace::http::client
