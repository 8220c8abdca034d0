#pragma once

#include <string>
#include <utility>

#include "headrace/method.hpp"
#include "support/must.hpp"

namespace headrace::testing {

/// A job between two descriptors as `transfer` would make it: facts asked of the kernel, a seekable
/// source read at its position by offset, everything else a stream.
inline Job job_between(DescriptorRef source, DescriptorRef destination) {
  auto from = probe(source);
  auto to = probe(destination);
  if (!from || !to) give_up("probe", "cannot be asked");
  Job job;
  job.source = Plain{source};
  job.destination = Plain{destination};
  if (from->seekable) job.offset = from->position;
  job.source_facts = std::move(*from);
  job.destination_facts = std::move(*to);
  return job;
}

inline Job job_between(const Descriptor& source, const Descriptor& destination) {
  return job_between(source.ref(), destination.ref());
}

/// The same with a length.
inline Job job_of(const Descriptor& source, const Descriptor& destination, Bytes bytes) {
  Job job = job_between(source, destination);
  job.bytes = bytes;
  return job;
}

/// Facts by hand, of ends that nothing is wrong with; a rule's test changes one thing.
inline Facts good_file() {
  return {.kind = Kind::regular,
          .readable = true,
          .writable = true,
          .seekable = true,
          .size = 1000,
          .file_system = "xfs",
          .may_clone = true};
}
inline Facts good_stream(Kind kind) {
  return {.kind = kind, .readable = true, .writable = true, .nonblocking = true};
}
/// `facts` with one field changed.
template <class Field, class Value>
Facts changed(Facts facts, Field Facts::* field, Value value) {
  facts.*field = std::move(value);
  return facts;
}

}  // namespace headrace::testing
