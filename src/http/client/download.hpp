#pragma once

#include <functional>
#include <optional>
#include <string>

#include "http/client/get.hpp"
#include "transfer/destination.hpp"

namespace headrace::http::client {

/// Where the content of a URL is to go.
struct FilePlace {
  std::optional<Destination>
      destination;  ///< absent or regular; none: found when an answer is here
  /// Finds the place, once the name is known. The server's replaces no file.
  std::function<Placed<Destination>(const std::string& name)> find;
  bool resume = false;  ///< go on with what an earlier download left
};

/// How a download ended.
struct Downloaded {
  Report report;
  std::optional<Obstacle> obstacle;  ///< in the way of the file; the outcome is `failed` then
  std::string aftermath;             ///< of what is not complete: what became of the bytes
  /// What was written to, be it removed since: open, so that no other file is taken for it.
  Descriptor file;
};

/// Fetches `url` into a file, by way of FILE.part (partial.hpp), and says how.
///
/// FILE appears, or gives up its place, when everything has come; until then it is what it was.
/// With `resume` the request asks for what is missing of FILE.part, if its URL was this; else of
/// FILE, whose last 64 KiB are fetched again and compared. What does not fit starts over.
/// `Report::exchange` tells the answer; where that is no success nothing is written. No content at
/// all is moved where everything was here.
Downloaded download(Client& client, const Url& url, FilePlace place, const GetOptions& options);

/// Fetches `url` to what has no name to be replaced: a pipe, a device, standard output. `open` is
/// called when the content is there to be taken.
Downloaded download_through(Client& client, const Url& url,
                            const std::function<Placed<DescriptorRef>()>& open,
                            const GetOptions& options);

}  // namespace headrace::http::client
