#pragma once

#include <expected>
#include <string>

#include "http/server/site.hpp"
#include "transfer/destination.hpp"

namespace headrace::http::server {

/// Why an upload is not taken: the status that says so, and a clause for the log.
struct Rejection {
  int status = 500;
  std::string detail;
};

template <class T>
using Taken = std::expected<T, Rejection>;

/// Where an upload to `path` goes, symbolic links followed under the site's rules. Creates nothing.
///
/// Rejections: 409 for a directory, and where the directory of the path does not exist; 403 for
/// what is no regular file, and for links that lead where they must not. May sleep on a disk.
Taken<Destination> find_upload_place(const Site& site, const std::string& path);

/// What it means for an upload that its file cannot be made or put in place.
Rejection rejection_of(const Obstacle& obstacle);
/// What an error of writing the file means: 507 where there is no room, 413 where no file is so
/// large.
int status_of_write(const Error& error);

}  // namespace headrace::http::server
