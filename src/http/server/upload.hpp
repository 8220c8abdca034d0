#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headrace/transfer.hpp"
#include "http/body/chunked_input.hpp"
#include "http/message/framing.hpp"
#include "http/server/upload_place.hpp"
#include "transfer/replacement.hpp"

namespace headrace::http::server {

/// One PUT whose head was accepted: its bytes go into a file without a name, which takes the
/// target's place when the body is whole. Until then readers see what was there before. Under
/// Uploads::discarded there is no file: /dev/null takes the bytes.
///
/// Everything here may sleep on a disk, destroying it included: to be called on a worker.
/// Destroyed without `finish` it leaves nothing behind. Threads: one at a time.
class Upload {
 public:
  struct Order {
    std::string path;     ///< decoded, begins with '/'
    BodyFraming framing;  ///< of a length, or chunked
    /// What was read of the connection behind the head. Copied.
    std::span<const std::byte> ahead;
  };

  /// Decides whether the body may come, and makes room for it where its length is known: so that a
  /// disk that is too full is told before 100 Continue.
  /// Rejections: 403, 409, 413, 507, or 500 and 503 for what is no fault of the client's.
  static Taken<std::unique_ptr<Upload>> begin(const Site& site, const Configuration& configuration,
                                              Order order);

  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;
  ~Upload() = default;

  /// Something is still to be transferred; else `finish` with a fresh Report.
  [[nodiscard]] bool has_body() const;
  /// Something is still to be read from the socket: an `Expect: 100-continue` is to be answered.
  [[nodiscard]] bool wants_more() const;
  /// What is to be transferred: to `destination`, with `options`. It borrows this object.
  [[nodiscard]] Body body(DescriptorRef socket) const;
  [[nodiscard]] Plain destination() const { return Plain{file_}; }
  [[nodiscard]] Options options() const;

  struct Stored {
    int status = 201;                ///< 201 where it is new, 204 where it replaced something
    std::vector<std::string> notes;  ///< what could not be kept of the file that was replaced
  };
  /// Puts the file in place where `report` says that all of it came. What is rejected leaves the
  /// target as it was.
  /// Rejections: 400 where the body is not whole or no chunks, and those of begin().
  Taken<Stored> finish(const Report& report);

  /// What was read of the connection and belongs to the next request, once the body is over.
  [[nodiscard]] std::span<const std::byte> surplus() const;

 private:
  Upload(const Configuration& configuration, Order order);
  Taken<void> open_file(const Site& site);
  Taken<void> open_sink();

  [[nodiscard]] bool is_chunked() const { return chunks_ != nullptr; }
  [[nodiscard]] std::span<const std::byte> ahead() const;
  Taken<void> make_room() const;
  [[nodiscard]] bool is_whole(const Report& report) const;

  std::optional<Replacement> replacement_;
  Descriptor sink_;  // where there is no replacement
  DescriptorRef file_;
  std::string path_;
  Bytes length_;  // where it is known
  Wishes wishes_;
  std::optional<Bytes> rate_;
  std::vector<std::byte> ahead_;          // as read; of a chunked body they are in chunks_
  std::shared_ptr<ChunkedInput> chunks_;  // none: the length is known
};

}  // namespace headrace::http::server
