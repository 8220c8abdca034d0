#pragma once

#include "headrace/body.hpp"
#include "headrace/report.hpp"
#include "headrace/transfer.hpp"
#include "http/client/client.hpp"
#include "http/message/field.hpp"

namespace headrace::http::client {

/// Whether the server is asked before the body is sent.
enum class Expect {
  automatic,  ///< where much would be sent in vain, or what can be sent only once
  always,
  never,
};

/// A body up to this goes in one send with its head, and needs no wait at its end: see
/// `Options::copy_limit`.
inline constexpr Bytes put_copy_limit = 64 * kibibyte;

/// What the body itself does not say about an upload.
struct PutOptions {
  Expect expect = Expect::automatic;
  Fields fields;     ///< besides those that every request has
  Options transfer;  ///< head, copy_limit and replies are set by put() itself
};

/// Sends `body` to `url` by PUT and says how. Its length, where every piece has one, is declared
/// and never exceeded; else it is sent in chunks.
///
/// Redirects are followed, and what a kept connection swallowed is sent again, both where the body
/// can be read again. `Report::exchange` tells the answer; where its status is 400 or more the
/// outcome is not `complete`, nor where the server answered before it had everything.
/// Errors: only where nothing could be sent: those of Client::to() and of a head that cannot be
/// printed; Fault::length_unknown. Borrows the descriptors of `body`; the positions of seekable
/// ones are not touched.
Result<Report> put(Client& client, const Url& url, const Body& body, const PutOptions& options);

}  // namespace headrace::http::client
