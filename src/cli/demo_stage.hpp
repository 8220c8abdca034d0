#pragma once

#include <string>
#include <utility>

#include "headrace/body.hpp"
#include "headrace/report.hpp"
#include "headrace/transfer.hpp"

namespace headrace::cli {

/// A folder of the demo's own, removed with everything in it.
class DemoFolder {
 public:
  static Result<DemoFolder> make(const std::string& parent);
  DemoFolder(DemoFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  DemoFolder& operator=(DemoFolder&&) = delete;
  DemoFolder(const DemoFolder&) = delete;
  DemoFolder& operator=(const DemoFolder&) = delete;
  ~DemoFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit DemoFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

inline constexpr std::chrono::seconds demo_patience{60};

/// What the acts of the demo have in common: one file with random content in a folder, how it is
/// moved, and whether what arrived is the same.
class DemoStage {
 public:
  DemoStage(Bytes size, const Stop& stop, DemoFolder folder)
      : size_(size), stop_(stop), folder_(std::move(folder)) {}

  /// Makes the file. To be called before the first act.
  Result<void> set();

  static void say(const std::string& text);

  [[nodiscard]] const Stop& stop() const { return stop_; }
  [[nodiscard]] const DemoFolder& folder() const { return folder_; }
  [[nodiscard]] DescriptorRef source() const { return source_.ref(); }
  [[nodiscard]] Body whole_file() const { return body_of(source_.ref(), Bytes{0}); }
  [[nodiscard]] Options options(std::string source, std::string destination) const;

  /// A new file, or an old one emptied.
  [[nodiscard]] Result<Descriptor> create(const std::string& name) const;
  /// Shows the report, and holds what arrived against the file: false where it is another.
  [[nodiscard]] Result<bool> verified(const Report& report, DescriptorRef arrived) const;
  /// The same for a file by its path.
  [[nodiscard]] Result<bool> verified(const Report& report, const std::string& arrived) const;
  /// Room for the next act.
  void remove(const std::string& name) const;

 private:
  Bytes size_;
  const Stop& stop_;
  DemoFolder folder_;
  Descriptor source_;
};

// The acts, in order. False: the report was shown, and tells why not.

Result<bool> demo_copy(const DemoStage& stage);
/// Sends to `where`, an address to listen on, and receives there.
Result<bool> demo_socket(const DemoStage& stage, const std::string& where, const std::string& what);
/// Serves a folder, puts the file there and gets it again.
Result<bool> demo_http(const DemoStage& stage);

}  // namespace headrace::cli
