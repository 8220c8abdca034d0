#include "http/server/crew.hpp"

namespace headrace::http::server {

Result<std::unique_ptr<Crew>> Crew::gather(Common& common, const std::vector<Door>& doors) {
  auto loop = Loop::open();
  if (!loop) return std::unexpected(loop.error());
  std::unique_ptr<Crew> crew{new Crew{common, std::move(*loop)}};
  for (const Door& door : doors) {
    auto keeper = std::make_unique<Doorkeeper>(crew->lane_, door);
    const auto opened = keeper->open();
    if (!opened) return std::unexpected(opened.error());
    crew->doorkeepers_.push_back(std::move(keeper));
  }
  return crew;
}

void Crew::drain() {
  loop_->post([this] {
    for (const auto& keeper : doorkeepers_) keeper->close();
    lane_.drain();
  });
}

}  // namespace headrace::http::server
