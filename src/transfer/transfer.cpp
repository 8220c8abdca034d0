#include "headrace/transfer.hpp"

#include "transfer/cpu_meter.hpp"
#include "transfer/sigpipe_mask.hpp"
#include "transfer/task.hpp"
#include "transfer/waiter.hpp"

namespace headrace {
namespace {

void carry_out(Task& task, Waiter& waiter) {
  for (;;) {
    const Need need = task.turn(everything);
    if (need.what == Need::What::over) return;
    const Woken woken = waiter.wait(need, task.done());
    task.woken(woken, waiter.trouble());
  }
}

}  // namespace

Result<Report> transfer(const Body& body, Plain destination, const Options& options) {
  Task task(body, destination, options);
  const SigpipeMask mask;
  const CpuMeter cpu;
  Waiter waiter(task.job(), options, task.keeping());
  carry_out(task, waiter);
  auto report = task.finish();
  if (!report) return report;
  const auto spent = cpu.spent();
  report->cpu_user = spent.user;
  report->cpu_system = spent.system;
  if (waiter.discarded() > 0) {
    report->notes.push_back(std::to_string(waiter.discarded()) +
                            " bytes that the peer sent back were thrown away");
  }
  return report;
}

}  // namespace headrace
