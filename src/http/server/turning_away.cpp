#include "http/server/turning_away.hpp"

#include "http/server/answering.hpp"

namespace headrace::http::server {

TurningAway::TurningAway(Connection& connection) : connection_(connection) {}

Step TurningAway::advance() {
  Answer answer = answer_status(503, {{"Retry-After", "1"}});
  answer.close = true;
  connection_.begin_exchange();
  connection_.exchange().refusal = "as many connections as --max-connections";
  return reply(connection_, answer);
}

}  // namespace headrace::http::server
