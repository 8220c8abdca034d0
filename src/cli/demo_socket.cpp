#include <fmt/format.h>

#include <thread>

#include "cli/demo_stage.hpp"
#include "headrace/explain.hpp"
#include "net/accept.hpp"
#include "net/address.hpp"
#include "net/connect.hpp"
#include "net/finish.hpp"
#include "net/listen.hpp"

namespace headrace::cli {
namespace {

Result<net::Connection> connect(const DemoStage& stage, const std::string& where) {
  const auto address = net::parse_address(where);
  if (!address) return std::unexpected(address.error());
  return net::connect(*address, {}, demo_patience, stage.stop());
}

// Owns the connection, so that it is closed, and the receiver done, however this ends.
Result<Report> send(const DemoStage& stage, net::Connection connection, const std::string& where) {
  const DescriptorRef socket = connection.socket.ref();
  auto report = transfer(stage.whole_file(), Plain{socket}, stage.options("source", where));
  if (!report) return report;
  report->command = "send";
  report->congestion = connection.congestion;
  const auto end = net::finish(socket, {.idle = demo_patience}, stage.stop());
  if (end.error) return std::unexpected(*end.error);
  if (end.unacknowledged) report->acknowledged = report->bytes - *end.unacknowledged;
  return report;
}

Result<Report> receive(const DemoStage& stage, const net::Listener& listener,
                       DescriptorRef destination) {
  const auto connection = net::accept(listener, {}, stage.stop(), demo_patience);
  if (!connection) return std::unexpected(connection.error());
  Options wished = stage.options(connection->peer, "received");
  const auto facts = probe(destination);
  if (facts) wished.reserve = best_reserve(*facts, false);
  auto report = transfer(body_of(connection->socket.ref()), Plain{destination}, wished);
  if (report) report->command = "receive";
  if (report) report->congestion = connection->congestion;
  return report;
}

}  // namespace

// One thread receives into a file while this one sends.
Result<bool> demo_socket(const DemoStage& stage, const std::string& where,
                         const std::string& what) {
  DemoStage::say(fmt::format("\nFile to {} to file\n", what));
  const auto address = net::parse_address(where);
  if (!address) return std::unexpected(address.error());
  const auto listener = net::listen(*address, {}, stage.stop());
  if (!listener) return std::unexpected(listener.error());
  auto destination = stage.create("received");
  if (!destination) return std::unexpected(destination.error());
  // The queue of the listener takes us: nobody waits yet for a connection that may fail.
  auto connection = connect(stage, listener->address);
  if (!connection) return std::unexpected(connection.error());
  Result<Report> received = fail("receive", ECANCELED);
  {
    const std::jthread receiver{[&] { received = receive(stage, *listener, destination->ref()); }};
    auto sent = send(stage, std::move(*connection), listener->address);
    if (!sent) return std::unexpected(sent.error());
    DemoStage::say(to_text(*sent));
    if (sent->outcome != Outcome::complete) return false;
  }
  if (!received) return std::unexpected(received.error());
  return stage.verified(*received, destination->ref());
}

}  // namespace headrace::cli
