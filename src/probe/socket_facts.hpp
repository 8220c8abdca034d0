#pragma once

#include "headrace/facts.hpp"

namespace headrace {

/// Fills in what only sockets have: kind, buffers, congestion control, where the peer is.
void learn_socket(DescriptorRef socket, Facts& facts);

}  // namespace headrace
