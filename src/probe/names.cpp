#include "headrace/facts.hpp"

namespace headrace {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::regular:
      return "regular-file";
    case Kind::directory:
      return "directory";
    case Kind::pipe:
      return "pipe";
    case Kind::tcp:
      return "tcp";
    case Kind::unix_stream:
      return "unix-stream";
    case Kind::socket:
      return "socket";
    case Kind::terminal:
      return "terminal";
    case Kind::null_device:
      return "null-device";
    case Kind::zero_device:
      return "zero-device";
    case Kind::character_device:
      return "character-device";
    case Kind::block_device:
      return "block-device";
    case Kind::other:
      break;
  }
  return "other";
}

}  // namespace headrace
