#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "http/client/partial_record.hpp"
#include "transfer/destination.hpp"
#include "transfer/metadata.hpp"

namespace headrace::http::client {

inline constexpr Reason partial_not_ours{
    "partial-not-ours", "FILE.part is there and nothing tells that a download left it"};
inline constexpr Reason partial_in_use{"partial-in-use",
                                       "another process is downloading to the same file"};
inline constexpr Reason destination_exists{"destination-exists",
                                           "a name that the server gave replaces no file"};

/// The content of a file on its way: FILE.part, and FILE.part.json which says what it is a part of.
///
/// FILE itself stays what it is until `commit`. However the download ends, also by SIGKILL, what
/// came stays in FILE.part for the next one. Owns its descriptors, and holds a lock on FILE.part
/// against others. Threads: one at a time.
class Partial {
 public:
  /// Decides whether the place can be taken and opens what is there. Changes nothing.
  ///
  /// `destination` is absent or regular. Obstacles: those of replacing it, `partial_not_ours`,
  /// `partial_in_use`; `destination_exists` unless it may be replaced.
  static Placed<Partial> open(Destination destination, bool may_replace = true);

  /// Bytes of FILE.part; 0: there is none worth the name.
  [[nodiscard]] Bytes have() const { return have_; }
  /// What it is a part of; absent where nothing readable says it.
  [[nodiscard]] const std::optional<PartialRecord>& record() const { return record_; }

  /// FILE.part is empty from now on, and said to be a part of that.
  Placed<void> begin(const PartialRecord& record);
  /// It begins with a copy of these first bytes of `file`: the same blocks, where they can be
  /// shared.
  Placed<void> begin_with(const PartialRecord& record, DescriptorRef file, Bytes bytes);
  /// It stays, and what follows is written behind it.
  Placed<void> go_on(const PartialRecord& record);

  /// FILE.part, for reading and writing; none where there is none yet.
  [[nodiscard]] DescriptorRef file() const { return file_.ref(); }

  /// The content is whole: it becomes FILE, with the metadata of the FILE that was there. Returns
  /// what could not be kept of those, for the report.
  Placed<std::vector<std::string>> commit();

  /// After a failure: how many bytes FILE.part has now. Where it has none both files are removed.
  Bytes leave();

  /// The open FILE.part, to be held on: while it is open no other file gets its number.
  Descriptor release() { return std::move(file_); }

  /// For messages.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Destination& destination() const { return destination_; }

 private:
  Partial(Destination destination, bool may_replace);
  Placed<void> open_existing();
  Placed<void> claim();
  Placed<void> make();
  Placed<void> write_record(const PartialRecord& record);
  bool read_record();
  Placed<void> put_in_place();
  [[nodiscard]] Result<void> take_free_name() const;
  [[nodiscard]] Obstacle obstacle(const Error& error, std::string_view what) const;

  Destination destination_;
  bool may_replace_;
  PartialNames names_;
  std::string path_;
  Originals originals_;
  Descriptor file_;
  Bytes have_ = 0;
  std::optional<PartialRecord> record_;
};

}  // namespace headrace::http::client
