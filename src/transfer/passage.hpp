#pragma once

#include "transfer/drive.hpp"
#include "transfer/extents.hpp"
#include "transfer/part.hpp"

namespace headrace {

/// One piece of a body on its way: its plan, one method after the other, where holes are kept one
/// run of data after the other. Each of these is a leg.
class Passage {
 public:
  /// Borrows all. Plans and makes ready; moves nothing.
  Passage(const Piece& piece, Part& part, const Tap* tap, Course& course);

  /// At most `budget` bytes; `over` when nothing of the piece is to be moved any more.
  Need turn(Bytes budget);
  void woken(Woken woken, const std::optional<Error>& trouble);
  /// Once, when it is over: the source's position and what became of the source.
  void end();
  /// The next turn may do so, as far as it is known.
  [[nodiscard]] bool sleeps_on_disk() const;

 private:
  void expect(std::optional<Bytes> bytes);
  void leave_reservation();
  Plan plan_or_clone();
  bool make_ready();
  Result<void> make_room();

  bool next_leg();
  void begin_method(const Method& method);
  bool next_extent();
  bool leave_hole(Bytes bytes);
  void start(const Method& method, Job& job);
  void end_leg();
  void end_method(bool over);
  void end_extents();
  bool take(Driven driven, Job& job);
  void note_exposure(const Method& method, Bytes moved);

  const Piece& piece_;
  Part& part_;
  Course& course_;
  Bytes before_;      // done when it began
  Bytes wanted_ = 0;  // where the length is known
  Plan plan_;
  std::size_t method_ = 0;  // of plan_.usable
  bool overlaps_ = false;
  bool over_ = false;
  std::optional<Extents> extents_;
  bool last_take_over_ = true;  // of the extents
  Job data_;                    // one of them
  std::optional<Drive> drive_;
};

}  // namespace headrace
