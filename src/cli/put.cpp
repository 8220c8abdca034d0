#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/http_client.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/source.hpp"
#include "http/client/put.hpp"
#include "http/message/target.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "put";

/// One file and where it goes.
struct Errand {
  std::string file;
  http::Url url;
};

// A URL that ends in / is a folder: the file keeps its name in it.
bool name_in_folder(const std::string& file, const std::string& text, http::Url& url) {
  const std::size_t query = std::min(url.target.find('?'), url.target.size());
  if (url.target[query - 1] != '/') return true;
  if (file == "-") {
    complain(command, fmt::format("'{}' is a folder: standard input has no name in it", text));
    return false;
  }
  const std::string name = file.substr(file.rfind('/') + 1);
  if (name.empty()) {
    complain(command, fmt::format("'{}' is a directory: name a file in it", file));
    return false;
  }
  url.target.insert(query, http::encode_segment(name));
  return true;
}

std::optional<std::vector<Errand>> errands_of(const std::vector<std::string>& ends) {
  if (ends.size() % 2 != 0) {
    complain(command,
             fmt::format("'{}' has no URL: give FILE URL, one pair after the other", ends.back()));
    return std::nullopt;
  }
  std::vector<Errand> errands;
  for (std::size_t at = 0; at < ends.size(); at += 2) {
    auto url = url_of(command, ends[at + 1]);
    if (!url || !name_in_folder(ends[at], ends[at + 1], *url)) return std::nullopt;
    errands.push_back({.file = ends[at], .url = std::move(*url)});
  }
  return errands;
}

// What could not even be started has a report too: one for each file.
Report not_started(const Source& source, const http::client::PutOptions& options,
                   const Error& error) {
  Report report;
  report.source = source.facts;
  report.destination.name = options.transfer.destination_name;
  report.wishes = options.transfer.wishes;
  report.outcome = Outcome::failed;
  report.error = error;
  return report;
}

int put_one(const Errand& errand, const PutArguments& arguments, http::client::Client& client,
            bool first) {
  const CommonArguments& common = arguments.http.common;
  const Stop& stop = client.settings().stop;
  const auto source = open_source(command, errand.file, stop, common.idle_timeout);
  if (!source) return status_of_stop();
  if (!range_fits(command, source->facts, common)) return status_usage;
  if (!report_file_is_free(command, common, source->status)) return status_usage;
  Progress progress{common.progress, common.quiet, expected_bytes(source->facts, common)};
  const http::client::PutOptions options{
      .expect = arguments.expect,
      .fields = arguments.http.headers,
      .transfer = {.wishes = common.wishes,
                   .fallback_contract = Contract::guarded,
                   .source_name = source->name,
                   .source_path = errand.file == "-" ? "" : errand.file,
                   .destination_name = to_string(errand.url)}};
  const Body body = make_body(source->descriptor, source->facts, common, progress);
  auto report = http::client::put(client, errand.url, body, options);
  progress.clear();
  if (!report) report = not_started(*source, options, report.error());
  report->command = command;
  return deliver(*report, common, stopping_signal(), {},
                 first ? ReportPlace::fresh : ReportPlace::behind);
}

}  // namespace

int put(const PutArguments& arguments, const Stop& stop) {
  if (!methods_exist(command, arguments.http.common.wishes)) return status_usage;
  const auto errands = errands_of(arguments.ends);
  if (!errands) return status_usage;
  http::client::Client client{client_settings(arguments.http, stop)};
  int status = status_ok;
  for (const Errand& errand : *errands) {
    const int ended = put_one(errand, arguments, client, &errand == errands->data());
    if (status == status_ok) status = ended;
    if (stop.requested->load()) break;
  }
  return status;
}

}  // namespace headrace::cli
