#pragma once

#include <span>

#include "headrace/transfer.hpp"
#include "transfer/keeping.hpp"
#include "transfer/pace.hpp"
#include "transfer/sink.hpp"

namespace headrace {

/// What all pieces and legs of one transfer share. Borrows body and options.
class Course {
 public:
  Course(const Body& what, Plain to, Facts facts, const Options& how);
  Course(const Course&) = delete;
  Course& operator=(const Course&) = delete;
  ~Course() = default;

  /// Of the destination: moved, and holes that needed no moving.
  [[nodiscard]] Bytes done() const { return report.bytes + sink.holes(); }
  [[nodiscard]] bool goes_on() const { return report.outcome == Outcome::complete; }
  [[nodiscard]] bool stop_requested() const;
  [[nodiscard]] bool restricted() const;
  void tell_observers() const;
  /// Several pieces: the weakest of their contracts is the one that holds for the whole.
  void promise(Contract contract);
  void head_sent(Bytes bytes);

  /// False, and the transfer has failed outside any leg, where `result` is an error.
  template <class T>
  bool succeeded(const Result<T>& result) {
    if (!result) fail_with(result.error());
    return result.has_value();
  }
  void fail_with(const Error& error);
  void refuse(const Reason& reason);

  // NOLINTBEGIN(*-non-private-member-variables-in-classes): shared is what it is for
  const Body& body;
  const Options& options;
  Plain destination;
  Report report;
  Sink sink;
  Keeping keeping;
  Pace pace;
  std::span<const std::byte> head;  // of Options::head: what is still to be sent
  bool length_known = true;         // of all pieces so far
                                    // NOLINTEND(*-non-private-member-variables-in-classes)

 private:
  bool promised_ = false;
};

}  // namespace headrace
