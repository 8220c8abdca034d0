#include "transfer/overlap.hpp"

namespace headrace {
namespace {

bool same_file(const Facts& one, const Facts& other) {
  return is_file(one.kind) && one.kind == other.kind && one.device == other.device &&
         one.inode == other.inode;
}

}  // namespace

bool ranges_overlap(const Job& job) {
  const Facts& destination = job.destination_facts;
  if (!same_file(job.source_facts, destination)) return false;
  const Bytes bytes = job.bytes.value_or(everything);
  const Bytes read_at = job.offset.value_or(job.source_facts.position);
  const Bytes written_at = destination.appends ? destination.size : destination.position;
  // Both are as long: they overlap where one starts inside the other.
  const Bytes apart = read_at < written_at ? written_at - read_at : read_at - written_at;
  return apart < bytes;
}

}  // namespace headrace
