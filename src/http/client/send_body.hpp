#pragma once

#include "http/client/connection.hpp"
#include "http/client/outgoing.hpp"

namespace headrace::http::client {

/// `transfer` to a connection, which ends where the server begins its final answer
/// (Outcome::answered_early): interim ones are taken and dropped, whenever they come.
///
/// `options.replies` is set here. Errors, threads and signals: as for `transfer`.
Result<Report> send_body(const Outgoing& outgoing, Connection& connection, Options options);

/// The wishes leave no method for a piece of it: nothing needs to be sent to find that out.
bool is_refused(const Body& body, const Connection& connection, const Options& options);

}  // namespace headrace::http::client
