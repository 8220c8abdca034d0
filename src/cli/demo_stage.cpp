#include "cli/demo_stage.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cli/console.hpp"
#include "cli/demo_bytes.hpp"
#include "headrace/explain.hpp"
#include "sys/files.hpp"

namespace headrace::cli {

Result<DemoFolder> DemoFolder::make(const std::string& parent) {
  std::string pattern = parent + "/headrace-demo-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) return fail("mkdtemp", errno);
  return DemoFolder{std::move(pattern)};
}

DemoFolder::~DemoFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<void> DemoStage::set() {
  auto source = create("source");
  if (!source) return std::unexpected(source.error());
  source_ = std::move(*source);
  return fill(source_.ref(), size_, stop_);
}

void DemoStage::say(const std::string& text) { print("demo", text); }

Options DemoStage::options(std::string source, std::string destination) const {
  return {.idle_timeout = demo_patience,
          .stop = stop_,
          .source_name = std::move(source),
          .destination_name = std::move(destination)};
}

Result<Descriptor> DemoStage::create(const std::string& name) const {
  return sys::openat(sys::working_directory, folder_.file(name),
                     O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

Result<bool> DemoStage::verified(const Report& report, DescriptorRef arrived) const {
  say(to_text(report));
  if (report.outcome != Outcome::complete) return false;
  const auto same = same_bytes(source_.ref(), arrived, stop_);
  if (!same) return same;
  say(*same ? "  verified     every byte is right\n" : "  verified     THE BYTES DIFFER\n");
  return same;
}

Result<bool> DemoStage::verified(const Report& report, const std::string& arrived) const {
  const auto file = sys::openat(sys::working_directory, arrived, O_RDONLY | O_CLOEXEC);
  // What is not complete has no file, and its report says why.
  if (!file && report.outcome == Outcome::complete) return std::unexpected(file.error());
  return verified(report, file ? file->ref() : DescriptorRef{});
}

void DemoStage::remove(const std::string& name) const {
  std::error_code ignored;
  std::filesystem::remove(folder_.file(name), ignored);
}

}  // namespace headrace::cli
