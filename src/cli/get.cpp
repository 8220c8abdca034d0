#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <utility>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/http_client.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/target.hpp"
#include "http/client/download.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "get";

using http::client::Downloaded;

/// One URL and where it goes.
class Get {
 public:
  Get(const GetArguments& arguments, const Stop& stop, http::Url url)
      : arguments_(arguments),
        common_(arguments.http.common),
        url_(std::move(url)),
        client_(client_settings(arguments.http, stop)),
        file_(arguments.file) {}

  int run() {
    if (!is_possible()) return status_usage;
    if (file_ == "-") return to(standard_output());
    if (file_.empty()) return to_file(std::nullopt);
    auto found = find_destination(file_, file_name(url_));
    if (!found) {
      complain_of(command, found.error());
      return status_failed;
    }
    if (found->kind == DestinationKind::absent) return to_file(std::move(*found));
    if (!report_file_is_free(command, common_, found->status)) return status_usage;
    if (found->kind == DestinationKind::regular) return to_file(std::move(*found));
    return through(*found);
  }

 private:
  // The name is settled before the server is asked, unless the server is to give it.
  bool is_possible() {
    if (!report_has_a_place(command, common_, file_ == "-")) return false;
    if (arguments_.content_disposition && !file_.empty()) {
      return usage("--content-disposition lets the server name the file: leave FILE out");
    }
    if (arguments_.resume && (file_ == "-" || arguments_.content_disposition)) {
      return usage("--resume must know the file before the server answers: name it");
    }
    if (!arguments_.content_disposition && file_.empty()) file_ = file_name(url_);
    if (file_ == "-" && arguments_.file.empty()) file_ = "./-";  // a file: nobody typed a dash
    if (!arguments_.content_disposition && file_.empty()) {
      return usage(fmt::format("'{}' names no file: give FILE", arguments_.url));
    }
    return true;
  }

  static bool usage(std::string_view why) {
    complain(command, why);
    return false;
  }

  [[nodiscard]] http::client::GetOptions options(bool truncate) {
    return {.fields = arguments_.http.headers,
            .transfer = {.wishes = common_.wishes,
                         .fallback_contract = Contract::live,
                         .truncate = truncate,
                         .source_name = to_string(url_),
                         .destination_name = file_},
            .rate = common_.limit_rate,
            .watch = [this](std::optional<Bytes> expected) { return watch(expected); }};
  }

  Observer watch(std::optional<Bytes> expected) {
    progress_.emplace(common_.progress, common_.quiet, expected);
    if (!progress_->wanted()) return {};
    return [this](Bytes moved) { progress_->update(moved); };
  }

  int to_file(std::optional<Destination> destination) {
    return end(download(client_, url_,
                        {.destination = std::move(destination),
                         .find = [](const std::string& name) { return find_destination(name, {}); },
                         .resume = arguments_.resume},
                        options(false)));
  }

  int through(const Destination& destination) {
    const bool output = destination.own == DescriptorRef{STDOUT_FILENO};
    if (!report_has_a_place(command, common_, output)) return status_usage;
    if (arguments_.resume) {
      usage(fmt::format("'{}' is no regular file: there is nothing in it to go on with", file_));
      return status_usage;
    }
    std::optional<Target> target;
    const auto open = [&]() -> Placed<DescriptorRef> {
      const Settings& settings = client_.settings();
      auto opened = wait_for_target_through(destination, settings.stop, settings.idle_timeout);
      if (!opened) return std::unexpected(std::move(opened.error()));
      return target.emplace(std::move(*opened)).descriptor;
    };
    auto done = download_through(client_, url_, open, options(is_to_be_emptied(destination)));
    if (target) close_target(*target, done.report);
    return end(std::move(done));
  }

  int to(const Target& target) {
    file_ = target.name;
    return end(download_through(
        client_, url_, [&]() -> Placed<DescriptorRef> { return target.descriptor; },
        options(false)));
  }

  int end(Downloaded done) {
    if (progress_) progress_->clear();
    if (done.obstacle && done.report.outcome != Outcome::interrupted) {
      complain_of(command, *done.obstacle);
    }
    done.report.command = command;
    return deliver(done.report, common_, stopping_signal(), done.aftermath);
  }

  using Settings = http::client::Settings;

  const GetArguments& arguments_;
  const CommonArguments& common_;
  http::Url url_;
  http::client::Client client_;
  std::string file_;
  std::optional<Progress> progress_;
};

}  // namespace

int get(const GetArguments& arguments, const Stop& stop) {
  if (!methods_exist(command, arguments.http.common.wishes)) return status_usage;
  auto url = url_of(command, arguments.url);
  if (!url) return status_usage;
  return Get{arguments, stop, std::move(*url)}.run();
}

}  // namespace headrace::cli
