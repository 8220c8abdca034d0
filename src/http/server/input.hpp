#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "headrace/descriptor.hpp"

namespace headrace::http::server {

/// What a client has sent and nobody has read yet.
///
/// It stands in a buffer that many connections share while one of them has its turn, and only what
/// is left over then moves into memory of its own: an idle connection has none.
class Input {
 public:
  enum class Received {
    some,
    nothing,  ///< no more for now
    ended,    ///< the client has ended its side
    broken,   ///< the connection is gone
  };

  [[nodiscard]] std::string_view view() const { return view_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(view_)); }
  void consume(std::size_t bytes) { view_.remove_prefix(bytes); }

  /// One recv(2) by way of `shared`, behind what is there already. `drained` is set where it took
  /// all there was.
  Received receive(DescriptorRef socket, std::span<std::byte> shared, bool& drained);
  /// Puts back what was read beyond somebody's end.
  void prepend(std::span<const std::byte> bytes);
  /// To be called before others use the shared buffer.
  void keep();

 private:
  [[nodiscard]] bool is_own() const;

  std::string own_;
  std::string_view view_;  // in own_ or in the shared buffer
};

}  // namespace headrace::http::server
