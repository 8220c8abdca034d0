#include "http/server/workers.hpp"

#include "http/server/masked_thread.hpp"

namespace headrace::http::server {

Result<std::unique_ptr<Workers>> Workers::start(std::size_t threads) {
  std::unique_ptr<Workers> workers(new Workers);
  for (; threads > 0; --threads) {
    auto thread = start_masked([&serving = *workers] { serving.serve(); });
    if (!thread) return std::unexpected(thread.error());
    workers->threads_.push_back(std::move(*thread));
  }
  return workers;
}

Workers::~Workers() {
  {
    const std::scoped_lock lock(mutex_);
    finishing_ = true;
  }
  more_.notify_all();
  threads_.clear();  // joins
}

void Workers::run(Job job) {
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  more_.notify_one();
}

void Workers::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    more_.wait(lock, [this] { return finishing_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    job = nullptr;  // what it held may be destroyed only outside the lock
    lock.lock();
  }
}

}  // namespace headrace::http::server
