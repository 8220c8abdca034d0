#include "http/server/log_file.hpp"

#include "http/server/log_queue.hpp"
#include "http/server/log_writer.hpp"
#include "http/server/masked_thread.hpp"

namespace headrace::http::server {

struct LogFile::State {
  template <class File, class... Path>
  explicit State(LogFormat wanted, File file, Path... path)
      : format(wanted), writer(queue, std::move(file), std::move(path)..., wanted) {}

  LogFormat format;
  LogQueue queue{queue_limit};
  LogWriter writer;
};

Result<std::unique_ptr<LogFile>> LogFile::open(const std::string& path, LogFormat format) {
  auto file = open_log(path);
  if (!file) return std::unexpected(file.error());
  return start(std::make_shared<State>(format, std::move(*file), path));
}

Result<std::unique_ptr<LogFile>> LogFile::lent(DescriptorRef descriptor, LogFormat format) {
  return start(std::make_shared<State>(format, descriptor));
}

Result<std::unique_ptr<LogFile>> LogFile::start(std::shared_ptr<State> state) {
  if (const auto opened = state->queue.open(); !opened) return std::unexpected(opened.error());
  auto thread = start_masked([state] { state->writer.run(); });
  if (!thread) return std::unexpected(thread.error());
  return std::unique_ptr<LogFile>(new LogFile(std::move(state), std::move(*thread)));
}

LogFile::~LogFile() {
  state_->queue.close();
  if (state_->queue.await_end(last_patience)) return;
  state_->queue.abandon();
  // Now only a write that sleeps in the kernel (a dead network disk) can hold the thread up.
  if (!state_->queue.await_end(last_patience)) thread_.detach();
}

LogFormat LogFile::format() const { return state_->format; }

void LogFile::write(std::string_view line) { state_->queue.add(line); }

void LogFile::reopen() { state_->queue.ask_reopen(); }

bool LogFile::flush(std::chrono::milliseconds patience) {
  return state_->queue.await_written(patience);
}

std::optional<Error> LogFile::trouble() const { return state_->queue.trouble(); }

}  // namespace headrace::http::server
