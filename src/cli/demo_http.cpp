#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

#include "cli/demo_stage.hpp"
#include "headrace/explain.hpp"
#include "http/client/download.hpp"
#include "http/client/put.hpp"
#include "http/server/server.hpp"

namespace headrace::cli {
namespace {

using http::server::Server;

const std::string folder_name = "served";
const std::string log_name = "log";

/// A server on a thread of its own, that ends with this object.
class Serving {
 public:
  explicit Serving(std::unique_ptr<Server> server)
      : server_(std::move(server)), thread_([&served = *server_] { served.run(); }) {}
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  ~Serving() {
    if (server_) server_->stop();
  }

  /// Lets every answer end, then the thread; its log is whole then.
  void end() {
    server_->drain();
    thread_.join();
    server_.reset();
  }

 private:
  std::unique_ptr<Server> server_;
  std::jthread thread_;
};

Result<std::unique_ptr<Server>> open_server(const DemoStage& stage) {
  std::error_code error;
  std::filesystem::create_directory(stage.folder().file(folder_name), error);
  if (error) return fail("mkdir", error.value());
  http::server::Configuration configuration;
  configuration.directory = stage.folder().file(folder_name);
  configuration.listen = {net::Address{.host = "127.0.0.1", .port = "0", .path = {}}};
  configuration.uploads = http::server::Uploads::stored;
  configuration.log.path = stage.folder().file(log_name);
  return Server::open(std::move(configuration));
}

http::client::Settings settings(const DemoStage& stage) {
  return {.socket = {},
          .idle_timeout = demo_patience,
          .stop = stage.stop(),
          .user_agent = "headrace-demo",
          .limits = {}};
}

Result<bool> put(const DemoStage& stage, http::client::Client& client, const http::Url& url) {
  Options options = stage.options("source", to_string(url));
  options.fallback_contract = Contract::guarded;  // as the command does
  auto report = http::client::put(client, url, stage.whole_file(),
                                  {.fields = {}, .transfer = std::move(options)});
  if (!report) return std::unexpected(report.error());
  report->command = "put";
  return stage.verified(*report, stage.folder().file(folder_name + "/file"));
}

Result<bool> get(const DemoStage& stage, http::client::Client& client, const http::Url& url) {
  const std::string fetched = stage.folder().file("fetched");
  auto destination = find_destination(fetched, {});
  if (!destination) return fail("open", EIO);
  http::client::GetOptions options;
  options.transfer = stage.options(to_string(url), "fetched");
  auto done = download(client, url, {.destination = std::move(*destination), .find = {}}, options);
  done.report.command = "get";
  return stage.verified(done.report, fetched);
}

void show_log(const DemoStage& stage) {
  std::ifstream log(stage.folder().file(log_name));
  DemoStage::say("The server's log\n");
  DemoStage::say(std::string(std::istreambuf_iterator<char>(log), {}));
}

Result<bool> put_and_get(const DemoStage& stage, const std::string& address) {
  const auto url = http::parse_url("http://" + address + "/file");
  if (!url) return std::unexpected(url.error());
  http::client::Client client{settings(stage)};
  const auto stored = put(stage, client, *url);
  if (!stored || !*stored) return stored;
  return get(stage, client, *url);
}

}  // namespace

Result<bool> demo_http(const DemoStage& stage) {
  DemoStage::say("\nFile to an HTTP server and back\n");
  auto server = open_server(stage);
  if (!server) return std::unexpected(server.error());
  const std::string address = (*server)->addresses().front();
  Serving serving{std::move(*server)};
  const auto good = put_and_get(stage, address);
  if (!good || !*good) return good;
  serving.end();
  show_log(stage);
  return true;
}

}  // namespace headrace::cli
