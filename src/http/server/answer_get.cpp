#include "http/message/preconditions.hpp"
#include "http/server/answer.hpp"

namespace headrace::http::server {
namespace {

Fields validators_of(const FileFacts& file) {
  return {{"ETag", to_string(file.tag)}, {"Last-Modified", print_date(file.modified)}};
}

// Where the path of a directory lacks its last slash the links of its page would be wrong.
Answer redirect_into(const Target& target) {
  std::string location = encode_path(target.path) + '/';
  if (!target.query.empty()) location += '?' + target.query;
  return answer_status(301, {{"Location", std::move(location)}});
}

Answer answer_directory(const Request& request) {
  if (!request.target.path.ends_with('/')) return redirect_into(request.target);
  Answer answer{.content = Answer::Content::listing};
  answer.listing_type = preferred_listing(request.head.fields);
  answer.fields = {{"Content-Type", std::string(answer.listing_type)}, {"Vary", "Accept"}};
  return answer;
}

Answer answer_not_modified(const FileFacts& file) {
  Answer answer{.status = 304, .fields = validators_of(file)};
  answer.content = Answer::Content::none;
  return answer;
}

Answer answer_range(const FileFacts& file, const Range& range) {
  Answer answer{.status = 206, .fields = validators_of(file), .content = Answer::Content::file};
  answer.fields.push_back({"Content-Type", std::string(file.media_type)});
  answer.fields.push_back({"Content-Range", content_range(range, file.size)});
  answer.ranges = {range};
  answer.length = length(range);
  return answer;
}

std::string part_head(const FileFacts& file, const Range& range, std::string_view boundary) {
  std::string head = "\r\n--";
  head += boundary;
  head += "\r\nContent-Type: ";
  head += file.media_type;
  head += "\r\nContent-Range: " + content_range(range, file.size) + "\r\n\r\n";
  return head;
}

Answer answer_ranges(const FileFacts& file, std::vector<Range> ranges, std::string_view boundary) {
  Answer answer{.status = 206, .fields = validators_of(file), .content = Answer::Content::file};
  answer.fields.push_back(
      {"Content-Type", "multipart/byteranges; boundary=" + std::string(boundary)});
  for (const Range& range : ranges) {
    answer.part_heads.push_back(part_head(file, range, boundary));
    answer.length += answer.part_heads.back().size() + length(range);
  }
  answer.part_heads.push_back("\r\n--" + std::string(boundary) + "--\r\n");
  answer.length += answer.part_heads.back().size();
  answer.ranges = std::move(ranges);
  return answer;
}

Answer answer_whole(const FileFacts& file) {
  return {.content = Answer::Content::file, .length = file.size, .prepared = true};
}

Answer answer_partly(const Request& request, const FileFacts& file, std::string_view boundary) {
  const auto specs = parse_ranges(find(request.head.fields, "Range").value_or(""));
  if (!specs) return answer_whole(file);
  Selection selection = select_ranges(*specs, file.size);
  switch (selection.kind) {
    case Selection::Kind::whole:
      return answer_whole(file);
    case Selection::Kind::unsatisfiable:
      return answer_status(416, {{"Content-Range", content_range_unsatisfied(file.size)}});
    case Selection::Kind::ranges:
      break;
  }
  if (selection.ranges.size() == 1) return answer_range(file, selection.ranges.front());
  return answer_ranges(file, std::move(selection.ranges), boundary);
}

Answer answer_file(const Request& request, const FileFacts& file,
                   const Surroundings& surroundings) {
  const Validators validators{.tag = file.tag,
                              .last_modified = file.modified,
                              .exists = true,
                              .last_modified_strong = file.modified_strong,
                              .now = surroundings.now};
  const Evaluation evaluation = evaluate(request.head.fields, request.head.method, validators);
  switch (evaluation.outcome) {
    case Evaluation::Outcome::not_modified:
      return answer_not_modified(file);
    case Evaluation::Outcome::failed:
      return answer_status(412);
    case Evaluation::Outcome::proceed:
      break;
  }
  if (!evaluation.range_counts) return answer_whole(file);
  return answer_partly(request, file, surroundings.boundary);
}

}  // namespace

Answer answer_get(const Request& request, const Found& found, const Surroundings& surroundings) {
  Answer answer = std::visit(
      [&](const auto& what) -> Answer {
        using What = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<What, Absent>) return answer_status(what.status);
        if constexpr (std::is_same_v<What, Directory>) return answer_directory(request);
        if constexpr (std::is_same_v<What, const FileFacts*>) {
          return answer_file(request, *what, surroundings);
        }
      },
      found);
  // A body of a GET means nothing, and reading it to throw it away is work that nobody wants.
  answer.close = answer.close || request.framing.kind == BodyFraming::Kind::chunked ||
                 request.framing.length > 0;
  return answer;
}

}  // namespace headrace::http::server
