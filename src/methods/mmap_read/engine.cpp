#include "methods/mmap_read/engine.hpp"

#include <sys/mman.h>

#include <cerrno>

#include "sys/files.hpp"

namespace headrace {
namespace {

bool is_full(const Error& error) {
  const int number = error.code.value();
  return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

}  // namespace

MmapReadEngine::MmapReadEngine(const Job& job)
    : JobEngine(job),
      reader_(job.source.descriptor, job.source_facts),
      room_(job.destination.descriptor),
      window_size_(window_size(job.buffer)) {}

// A turn that paused leaves its window behind.
MmapReadEngine::~MmapReadEngine() {
  if (start_ && !room_.give_back(position())) return;  // nobody is left to be told
}

Progress MmapReadEngine::advance(Bytes budget) {
  if (remaining() == 0) return finished();
  if (!start_ && !ask_position()) return progress_;
  run(budget);
  settle();
  return progress_;
}

std::vector<std::string> MmapReadEngine::notes() const {
  std::vector<std::string> notes{window_note(window_size_)};
  const auto& error = progress_.error;
  if (error && error->call == "mmap" && error->code.value() == ESTALE) {
    notes.emplace_back("somebody else has cut the destination meanwhile");
  }
  return notes;
}

bool MmapReadEngine::ask_position() {
  const auto position = sys::lseek(job_.destination.descriptor, 0, SEEK_CUR);
  if (position) {
    start_ = *position;
    return true;
  }
  stopped_by(position.error(), Wait::timer);
  return false;
}

void MmapReadEngine::run(Bytes budget) {
  const Bytes start = progress_.moved;
  while (remaining() > 0) {
    const Bytes turn = progress_.moved - start;
    if (turn_is_over(turn, budget)) {
      paused(Wait::nothing);
      return;
    }
    if (!map()) return;
    const Step filled = fill(std::min(remaining(), budget - turn));
    if (filled == Step::stopped) return;
    if (filled == Step::ended) break;
  }
  finished();
}

// The position goes along as it would with write(2); the end of the file when all is over.
void MmapReadEngine::settle() {
  const auto placed =
      sys::lseek(job_.destination.descriptor, static_cast<std::int64_t>(position()), SEEK_SET);
  const bool over = progress_.ending != Ending::paused;
  if (over) window_ = {};
  const auto cut = over ? room_.give_back(position()) : Result<void>{};
  if (progress_.ending == Ending::failed) return;
  if (!placed) failed(placed.error());
  if (!cut) failed(cut.error());
}

bool MmapReadEngine::map() {
  if (window_.holds(position())) return true;
  window_ = {};
  const auto end = make_room();
  if (!end) {
    stopped_by(end.error(), Wait::destination_writable);
    return false;
  }
  auto window = Window::map(job_.destination.descriptor, position(), *end, PROT_READ | PROT_WRITE);
  if (window) {
    window_ = std::move(*window);
    return true;
  }
  refused_by(window.error(), no_mapping);
  return false;
}

// Where a whole window does not fit any more a smaller one may, and the source may need no more:
// so a limit is reached to the byte, as it would be by write(2).
Result<Bytes> MmapReadEngine::make_room() {
  const Bytes begin = position();
  Bytes bytes = std::min(remaining(), window_end(begin, window_size_) - begin);
  auto made = room_.make(begin, begin + bytes);
  while (!made && is_full(made.error()) && bytes > 1) {
    bytes /= 2;
    made = room_.make(begin, begin + bytes);
  }
  if (!made) return std::unexpected(made.error());
  return begin + bytes;
}

MmapReadEngine::Step MmapReadEngine::fill(Bytes most) {
  const auto room = window_.at(position(), most);
  const auto step = reader_.read(room, source_offset());
  progress_.calls += reader_.take_calls();
  if (!step && is_page_missing(step.error())) {
    failed(why_missing(step.error(), position() + room.size()));
    return Step::stopped;
  }
  if (!step) {
    stopped_by(step.error(), Wait::source_readable);
    return Step::stopped;
  }
  if (!believe(*step, room.size(), "read")) return Step::stopped;
  if (*step == 0) return Step::ended;
  return arrived(*step) ? Step::moved : Step::stopped;
}

// The last page takes bytes behind the end of the file, too, and drops them in silence.
bool MmapReadEngine::arrived(std::size_t count) {
  const auto size = room_.size();
  if (size && *size >= position() + count) {
    progress_.moved += count;
    return true;
  }
  if (!rewindable()) progress_.stranded += count;
  failed(size ? fail("mmap", ESTALE).error() : size.error());
  return false;
}

// EFAULT says only that a page is not there.
Error MmapReadEngine::why_missing(const Error& error, Bytes end) const {
  const auto size = room_.size();
  if (size && *size < end) return fail("mmap", ESTALE).error();
  const auto disk = sys::fstatfs(job_.destination.descriptor);
  if (disk && disk->f_bavail == 0) return fail("mmap", ENOSPC).error();
  return error;
}

}  // namespace headrace
