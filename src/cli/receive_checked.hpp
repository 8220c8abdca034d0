#pragma once

#include "cli/arguments.hpp"
#include "cli/place.hpp"
#include "headrace/transfer.hpp"
#include "net/connection.hpp"

namespace headrace::cli {

/// `receive --checked` from the moment a peer has come; returns the exit status.
int receive_checked(const net::Connection& connection, Place place, const PeerArguments& arguments,
                    const Stop& stop);

}  // namespace headrace::cli
