#include "http/client/download.hpp"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "http/client/fetching.hpp"
#include "http/client/partial.hpp"
#include "http/message/content_disposition.hpp"
#include "sys/files.hpp"

namespace headrace::http::client {
namespace {

std::string quoted(const std::string& path) { return "'" + path + "'"; }

/// One download into a file.
class Download {
 public:
  Download(Client& client, const Url& url, FilePlace place, const GetOptions& options)
      : url_(url), place_(std::move(place)), fetching_(client, url, options) {}

  Downloaded run() {
    if (place_.destination && !open(std::exchange(place_.destination, {}), true)) return finish();
    if (place_.resume && partial_) look_for_continuation();
    const auto verdict = fetching_.settle(continuation_, here());
    if (verdict) act_on(*verdict);
    return finish();
  }

 private:
  // False where something is in the way, which the report tells then.
  bool open(std::optional<Destination> destination, bool may_replace) {
    file_is_there_ = destination->kind == DestinationKind::regular;
    path_ = destination->path;
    auto opened = Partial::open(std::move(*destination), may_replace);
    if (opened) {
      partial_ = std::move(*opened);
      return true;
    }
    fetching_.fail(std::move(opened.error()));
    return false;
  }

  // --- What is here already ---

  void look_for_continuation() {
    if (partial_->have() == 0) {
      look_at_file();
      return;
    }
    const auto& record = partial_->record();
    if (!record || record->url != to_string(url_)) {
      fetching_.note("started over: " + quoted(partial_->path()) + " is no part of this URL");
      return;
    }
    continue_at(partial_->have(), record->validator);
    continuation_->total = record->total;
  }

  void look_at_file() {
    if (!file_is_there_) return;
    const Destination& destination = partial_->destination();
    auto file = sys::openat(destination.directory.ref(), destination.name,
                            O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const auto status =
        file ? sys::fstat(file->ref()) : Result<struct stat>(std::unexpected(file.error()));
    if (!status) {
      fetching_.note("started over: " + quoted(path_) +
                     " cannot be read: " + status.error().code.message());
      return;
    }
    if (status->st_size == 0) return;
    file_ = std::move(*file);
    continue_at(static_cast<Bytes>(status->st_size), {});
  }

  void continue_at(Bytes have, std::string validator) {
    const Bytes compared = validator.empty() ? std::min(have, most_compared) : 0;
    continuation_ = Continuation{
        .have = have, .from = have - compared, .validator = std::move(validator), .total = {}};
  }

  [[nodiscard]] bool continues_file() const { return file_.valid(); }
  [[nodiscard]] DescriptorRef here() const {
    if (continues_file()) return file_.ref();
    return partial_ ? partial_->file() : DescriptorRef{};
  }

  // --- What the answer means for it ---

  void act_on(const Verdict& verdict) {
    switch (verdict.use) {
      case Use::whole:
        take_whole(verdict);
        break;
      case Use::rest:
        take_rest(*verdict.total);
        break;
      case Use::complete:
        all_is_here();
        break;
      default:
        fetching_.leave(verdict);
        if (!verdict.why.empty()) left_alone(verdict.why);
    }
  }

  void left_alone(const std::string& why) {
    aftermath_ =
        quoted(continues_file() ? path_ : partial_->path()) + ": " + why + "; it stays as it is";
    fetching_.note(aftermath_);
  }

  void take_whole(const Verdict& verdict) {
    if (!partial_ && !open_named_by_answer()) return;
    begun_ = true;
    auto begun = partial_->begin(record(verdict.total));
    if (placed(begun)) take(verdict.length);
  }

  void take_rest(Bytes total) {
    const Bytes have = continuation_->have;
    if (have == total) {
      all_is_here();
      return;
    }
    begun_ = true;
    auto ready = continues_file() ? partial_->begin_with(record(total), file_.ref(), have)
                                  : partial_->go_on(record(total));
    if (!placed(ready)) return;
    fetching_.note("continued at byte " + std::to_string(have) + " of " + std::to_string(total));
    take(total - have);
  }

  void take(std::optional<Bytes> length) {
    fetching_.take(length, partial_->file());
    if (fetching_.is_complete()) commit();
  }

  void all_is_here() {
    fetching_.note("nothing is left to be fetched: all " + std::to_string(continuation_->have) +
                   " bytes are here");
    begun_ = !continues_file();
    if (begun_) commit();
  }

  void commit() {
    auto notes = partial_->commit();
    if (!placed(notes)) return;
    begun_ = false;
    for (std::string& note : *notes) fetching_.note(std::move(note));
  }

  // The server's name first, where it may give one: nothing of it but a name inside this folder.
  bool open_named_by_answer() {
    const auto field = find(fetching_.head().fields, "Content-Disposition");
    const auto given = field ? disposition_file_name(*field) : std::nullopt;
    const std::string name = given.value_or(file_name(url_));
    if (name.empty()) {
      fetching_.fail(Error{ContentFault::no_name, "get"});
      return false;
    }
    auto found = place_.find(name);
    if (!placed(found)) return false;
    fetching_.goes_to(name);
    if (found->kind == DestinationKind::written_through) {
      fetching_.fail(Obstacle{destination_exists, {}, quoted(name) + " is no regular file"});
      return false;
    }
    return open(std::move(*found), !given);
  }

  [[nodiscard]] PartialRecord record(std::optional<Bytes> total) const {
    return {.url = to_string(url_), .validator = fetching_.validator(), .total = total};
  }

  // False, and the report tells, where something was in the way.
  template <class T>
  bool placed(Placed<T>& result) {
    if (!result) fetching_.fail(std::move(result.error()));
    return result.has_value();
  }

  Downloaded finish() {
    if (begun_ && partial_) tell_what_is_left();
    Downloaded done = fetching_.finish(std::move(aftermath_));
    if (partial_) done.file = partial_->release();
    return done;
  }

  void tell_what_is_left() {
    if (const Bytes left = partial_->leave(); left > 0) {
      aftermath_ = quoted(partial_->path()) + " has " + std::to_string(left) +
                   " bytes: get --resume goes on with them";
    } else {
      aftermath_ =
          file_is_there_ ? quoted(path_) + " is what it was" : "no " + quoted(path_) + " was made";
    }
  }

  const Url& url_;
  FilePlace place_;
  Fetching fetching_;
  std::optional<Partial> partial_;
  Descriptor file_;  // FILE, where it is what the request continues
  std::optional<Continuation> continuation_;
  std::string path_;
  std::string aftermath_;
  bool file_is_there_ = false;
  bool begun_ = false;  // FILE.part was touched, and is not FILE yet
};

}  // namespace

Downloaded download(Client& client, const Url& url, FilePlace place, const GetOptions& options) {
  return Download{client, url, std::move(place), options}.run();
}

Downloaded download_through(Client& client, const Url& url,
                            const std::function<Placed<DescriptorRef>()>& open,
                            const GetOptions& options) {
  Fetching fetching(client, url, options);
  const auto verdict = fetching.settle({}, {});
  if (verdict && verdict->use == Use::whole) {
    auto opened = open();
    if (opened) {
      fetching.take(verdict->length, *opened);
    } else {
      fetching.fail(std::move(opened.error()));
    }
  } else if (verdict) {
    fetching.leave(*verdict);
  }
  return fetching.finish({});
}

}  // namespace headrace::http::client
