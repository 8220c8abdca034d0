#include "http/server/put_answer.hpp"

#include "http/server/answering.hpp"
#include "http/server/discard_answer.hpp"
#include "http/server/upload_answer.hpp"

namespace headrace::http::server {
namespace {

std::optional<Answer> refusal(Connection& connection, const Surroundings& surroundings) {
  const Request& request = connection.exchange().request;
  auto cached = connection.lane().files().find(request.target.path, connection.lane().wall_time());
  Found found = Directory{};
  if (const auto* const absent = std::get_if<Absent>(&cached)) found = *absent;
  const auto* const file = std::get_if<std::shared_ptr<CachedFile>>(&cached);
  if (file != nullptr) found = &(*file)->facts();
  return answer_put(request, found, surroundings);
}

}  // namespace

Step begin_put(Connection& connection, const Surroundings& surroundings) {
  const auto refused = refusal(connection, surroundings);
  if (refused) return reply(connection, *refused);
  if (connection.lane().configuration().uploads == Uploads::discarded) {
    connection.become(std::make_unique<DiscardAnswer>(connection));
  } else {
    connection.become(std::make_unique<UploadAnswer>(connection));
  }
  return Step::again;
}

}  // namespace headrace::http::server
