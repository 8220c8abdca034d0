#include "checked/second_read.hpp"

#include <cerrno>
#include <chrono>
#include <system_error>

#include "net/wait.hpp"
#include "sys/read_write.hpp"
#include "transfer/cpu_meter.hpp"

namespace headrace::checked {
namespace {

// What read_write was measured to be best with: it fits a core's second cache.
constexpr Bytes buffer_size = 256 * kibibyte;

}  // namespace

SecondRead::SecondRead(DescriptorRef file, Bytes start, const Stop& stop)
    : file_(file),
      start_(start),
      stop_(stop),
      hashed_{.digest = {},
              .bytes = 0,
              .seconds = 0,
              .cpu_user = 0,
              .cpu_system = 0,
              .reread = true,
              .error = {}},
      buffer_(std::make_unique_for_overwrite<std::byte[]>(buffer_size)) {}

Result<std::unique_ptr<SecondRead>> SecondRead::begin(DescriptorRef file, Bytes start,
                                                      const Stop& stop) {
  std::unique_ptr<SecondRead> reader{new SecondRead(file, start, stop)};
  try {
    reader->thread_ = std::jthread([reader = reader.get()] { reader->run(); });
  } catch (const std::system_error& refused) {
    return std::unexpected(Error{refused.code(), "pthread_create"});
  }
  return reader;
}

void SecondRead::moved(Bytes bytes) {
  {
    const std::lock_guard lock(mutex_);
    moved_ = bytes;
  }
  more_.notify_one();
}

Hashed SecondRead::finish(Bytes bytes) {
  end_at(bytes);
  hashed_.digest = hash_.value();
  return hashed_;
}

void SecondRead::end_at(Bytes bytes) {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    moved_ = bytes;
    over_ = true;
  }
  more_.notify_one();
  thread_.join();
}

void SecondRead::run() {
  const CpuMeter cpu;
  while (wait_for_more()) {
    const auto start = net::Clock::now();
    const bool goes_on = read_on();
    const std::chrono::duration<double> elapsed = net::Clock::now() - start;
    hashed_.seconds += elapsed.count();
    if (!goes_on) break;
  }
  const auto spent = cpu.spent();
  hashed_.cpu_user = spent.user;
  hashed_.cpu_system = spent.system;
}

// False when all that moved is hashed and no more will.
bool SecondRead::wait_for_more() {
  std::unique_lock lock(mutex_);
  more_.wait(lock, [this] { return over_ || moved_ > hashed_.bytes; });
  until_ = moved_;
  return until_ > hashed_.bytes;
}

// False where it cannot go on: an error, a stop, or a file that ends before what has moved of it.
bool SecondRead::read_on() {
  while (hashed_.bytes < until_ && !net::stop_requested(stop_)) {
    const std::span room{buffer_.get(), next_request(until_ - hashed_.bytes, buffer_size)};
    const auto step = sys::pread(file_, room, start_ + hashed_.bytes);
    if (!step && step.error().code == std::errc::interrupted) continue;
    if (!step) hashed_.error = step.error();
    if (!step || *step == 0) return false;
    hash_.add(room.first(*step));
    hashed_.bytes += *step;
  }
  return !net::stop_requested(stop_);
}

}  // namespace headrace::checked
