#include "methods/mmap_write/engine.hpp"

#include <sys/mman.h>

#include <cerrno>

#include "methods/support/reasons.hpp"
#include "sys/files.hpp"

namespace headrace {

MmapWriteEngine::MmapWriteEngine(const Job& job)
    : JobEngine(job),
      writer_(job.destination.descriptor, job.destination_facts),
      window_size_(window_size(job.buffer)) {}

Progress MmapWriteEngine::advance(Bytes budget) {
  if (!job_.offset) return refused(source_not_seekable);
  const Bytes start = progress_.moved;
  if (remaining() > 0 && !ask_size()) return progress_;
  while (remaining() > 0 && *source_offset() < size_) {
    const Bytes turn = progress_.moved - start;
    if (turn_is_over(turn, budget)) return paused(Wait::nothing);
    if (!map() || !write_some(std::min(remaining(), budget - turn))) return progress_;
  }
  return finished();
}

std::vector<std::string> MmapWriteEngine::notes() const {
  std::vector<std::string> notes{window_note(window_size_)};
  if (behind_the_end_ > 0) {
    notes.push_back("the source shrank to " + std::to_string(size_) +
                    " bytes under its mapping: " + std::to_string(behind_the_end_) +
                    " bytes from behind its end were sent, as zeros");
  }
  return notes;
}

// A block device does not shrink, and fstat(2) does not know its size.
bool MmapWriteEngine::ask_size() {
  if (job_.source_facts.kind != Kind::regular) {
    size_ = job_.source_facts.size;
    return true;
  }
  const auto status = sys::fstat(job_.source.descriptor);
  if (!status) {
    failed(status.error());
    return false;
  }
  size_ = static_cast<Bytes>(status->st_size);
  return true;
}

bool MmapWriteEngine::map() {
  const Bytes offset = *source_offset();
  if (window_.holds(offset)) return true;
  const Bytes end = std::min(window_end(offset, window_size_), size_);
  auto window = Window::map(job_.source.descriptor, offset, end, PROT_READ);
  if (window) {
    window_ = std::move(*window);
    return true;
  }
  refused_by(window.error(), no_mapping);
  return false;
}

bool MmapWriteEngine::write_some(Bytes most) {
  const Bytes offset = *source_offset();
  const auto piece = window_.at(offset, std::min(most, size_ - offset));
  const auto step = writer_.write(piece);
  progress_.calls += writer_.take_calls();
  if (!step) return stop_or_shorten(step.error(), offset + piece.size());
  if (!accept(*step, piece.size())) return false;
  if (!writer_.may_sleep()) return true;
  // A signal may have cut that write short: the caller looks before the next one sleeps.
  paused(Wait::nothing);
  return false;
}

// In the last page the bytes behind the end of a file read as zeros, without any error: who does
// not look at the size after the write passes them off as content.
bool MmapWriteEngine::accept(std::size_t count, std::size_t asked) {
  if (!add_moved(count, asked, "write") || !ask_size()) return false;
  const Bytes reached = *source_offset();
  if (reached <= size_) return true;
  behind_the_end_ = std::min(reached - size_, Bytes{count});
  failed(fail("mmap", ESTALE).error());
  return false;
}

// A page that is not there is no fault where the source has become shorter: what it still has goes
// on, and then it is finished.
bool MmapWriteEngine::stop_or_shorten(const Error& error, Bytes end) {
  if (!is_page_missing(error)) {
    stopped_by(error, Wait::destination_writable);
    return false;
  }
  if (!ask_size()) return false;
  if (end > size_) return true;
  failed(error);
  return false;
}

}  // namespace headrace
