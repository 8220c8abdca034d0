// Our client and server as benchmarks/http/speed drives them, beside Go's (go/main.go):
//
//   http_peer pair FILE COUNT
//   http_peer serve                    ends when standard input does
//   http_peer put URL FILE COUNT
//
// Uploads are thrown away, as in Go's BenchmarkFileAndServer. One line of JSON: requests, bytes,
// wall and CPU seconds of this process for them.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "headrace/body.hpp"
#include "http/client/client.hpp"
#include "http/client/put.hpp"
#include "http/message/url.hpp"
#include "http/server/server.hpp"

namespace {

using namespace headrace;

[[noreturn]] void fail(std::string_view what, const Error& error) {
  std::fprintf(stderr, "http_peer: %.*s: %.*s: %s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(error.call.size()), error.call.data(),
               error.code.message().c_str());
  std::exit(1);
}

double cpu() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// A server of one loop that throws uploads away, on a thread of its own.
class Discarding {
 public:
  Discarding() {
    http::server::Configuration configuration;
    configuration.directory = "/";
    configuration.listen = {{.host = "127.0.0.1", .port = "0", .path = {}}};
    configuration.uploads = http::server::Uploads::discarded;
    configuration.threads = 1;
    auto server = http::server::Server::open(std::move(configuration));
    if (!server) fail("serve", server.error());
    server_ = std::move(*server);
    thread_ = std::thread([this] { server_->run(); });
  }
  ~Discarding() {
    server_->stop();
    thread_.join();
  }
  Discarding(const Discarding&) = delete;
  Discarding& operator=(const Discarding&) = delete;
  [[nodiscard]] std::string address() const { return server_->addresses().front(); }

 private:
  std::unique_ptr<http::server::Server> server_;
  std::thread thread_;
};

Bytes put_once(http::client::Client& client, const http::Url& url, const char* path) {
  const Descriptor file{::open(path, O_RDONLY | O_CLOEXEC)};
  const auto report = http::client::put(
      client, url, body_of(file.ref(), Bytes{0}),
      {.transfer = {
           .fallback_contract = Contract::guarded, .source_name = path, .source_path = path}});
  if (!report) fail(path, report.error());
  if (report->outcome != Outcome::complete) {
    std::fprintf(stderr, "http_peer: %s: %s\n", path, name_of(report->outcome).data());
    std::exit(1);
  }
  return report->bytes;
}

int puts(const std::string& text, const char* path, long count) {
  const auto url = http::parse_url(text);
  if (!url) fail(text, url.error());
  http::client::Client client{{.user_agent = "http_peer"}};
  put_once(client, *url, path);  // connects; not counted
  Bytes bytes = 0;
  const auto start = std::chrono::steady_clock::now();
  const double before = cpu();
  for (long i = 0; i < count; ++i) bytes += put_once(client, *url, path);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf(R"({"requests": %ld, "bytes": %llu, "seconds": %.9f, "cpu": %.6f})"
              "\n",
              count, static_cast<unsigned long long>(bytes), elapsed.count(), cpu() - before);
  return 0;
}

int pair(const char* path, long count) {
  const Discarding server;
  return puts("http://" + server.address() + "/upload", path, count);
}

int serve() {
  const double before = cpu();
  const Discarding server;
  std::printf("listening on %s\n", server.address().c_str());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  std::printf(R"({"cpu": %.6f})"
              "\n",
              cpu() - before);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // as the tool does
  const std::string_view job = argc > 1 ? argv[1] : "";
  if (job == "pair" && argc == 4) return pair(argv[2], std::atol(argv[3]));
  if (job == "serve" && argc == 2) return serve();
  if (job == "put" && argc == 5) return puts(argv[2], argv[3], std::atol(argv[4]));
  std::fputs("usage: http_peer pair FILE COUNT | serve | put URL FILE COUNT\n", stderr);
  return 2;
}
