#pragma once

#include <functional>
#include <optional>
#include <string>

#include "headrace/body.hpp"
#include "headrace/report.hpp"
#include "headrace/transfer.hpp"
#include "http/client/client.hpp"
#include "http/message/field.hpp"
#include "http/message/framing.hpp"

namespace headrace::http::client {

/// What neither the URL nor the place says about a download.
struct GetOptions {
  Fields fields;              ///< besides those that every request has
  Options transfer;           ///< wishes, contract and names; get sets the rest
  std::optional<Bytes> rate;  ///< bytes per second, at most
  /// Asked before the first byte, with how many are to come where that is known: who is to be told
  /// of the progress. Empty: nobody.
  std::function<Observer(std::optional<Bytes> expected)> watch;
};

/// An answer whose content is still on its way.
struct Answer {
  Connection* connection = nullptr;  ///< the client's: valid until its next call
  ResponseHead head;
  BodyFraming framing;
};

/// Asks for `url` as it is, without any coding, with `more` fields for this request alone. Follows
/// redirects, within the bounds of the settings; asks again where a kept connection turns out to be
/// closed. `exchange` tells all of that, also where it came to nothing; attempts are added to it.
/// Errors: the client's and the connection's; a HeadFault; redirect_of()'s,
/// Fault::too_many_redirects.
Result<Answer> ask(Client& client, const Url& url, const Fields& more, const GetOptions& options,
                   Exchange& exchange);

/// Moves the content of `answer` to `destination`, at most `length` bytes where that is known, and
/// says how. The connection serves no other exchange afterwards.
///
/// What came together with the head is a leg of its own; a chunked body has one way, which reads
/// it. Where fewer bytes come than were announced the outcome is `failed`, with
/// BodyFault::ended_early. Errors: those of transfer().
Result<Report> take(Client& client, const Answer& answer, std::optional<Bytes> length,
                    Plain destination, const GetOptions& options);

/// Makes the outcome of `report` that of an error of ours: `interrupted` where it was the stop.
void fail_with(const Error& error, Report& report);

}  // namespace headrace::http::client
