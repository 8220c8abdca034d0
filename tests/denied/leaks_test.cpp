#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "headrace/transfer.hpp"
#include "support/ends.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"

namespace headrace::testing {
namespace {

constexpr int transfers = 10'000;
constexpr std::string_view content = "a few bytes of a file";

void rewind(const Descriptor& file) { must(::lseek(file.ref().number(), 0, SEEK_SET), "lseek"); }

// Ends that are used again and again, and what a transfer between them may come to.
class Mixture {
 public:
  Mixture() {
    pipe_ = open_pipe(Mode::nonblocking);
    socket_ = connected_unix(Mode::nonblocking);
    deaf_ = open_pipe(Mode::nonblocking);
    deaf_.reader = Descriptor{};
  }

  // True where the transfer was complete.
  bool run(int number) {
    rewind(source_);
    rewind(file_);
    const auto methods = all_methods();
    Options options;
    const auto choice = static_cast<std::size_t>(number / 7) % (methods.size() + 1);
    if (choice < methods.size()) options.wishes.methods = {std::string(methods[choice]->name)};
    options.idle_timeout = std::chrono::milliseconds{0};
    switch (number % 7) {
      case 0:
        return complete(source_.ref(), file_.ref(), options);
      case 1:
        return complete(source_.ref(), pipe_.writer.ref(), options) && empty(pipe_.reader);
      case 2:
        return complete(source_.ref(), socket_.near.ref(), options) && empty(socket_.far);
      case 3:
        return complete(source_.ref(), null_.ref(), options);
      case 4:
        return complete(source_.ref(), deaf_.writer.ref(), options);  // EPIPE
      case 5:
        return complete(pipe_.reader.ref(), file_.ref(), options);  // silent: times out
      default:
        break;
    }
    return complete(DescriptorRef{9999}, file_.ref(), options);  // cannot be started
  }

 private:
  static bool complete(DescriptorRef source, DescriptorRef destination, const Options& options) {
    const auto report = transfer(body_of(source), Plain{destination}, options);
    return report && report->outcome == Outcome::complete;
  }
  static bool empty(const Descriptor& reader) {
    std::array<char, 4096> buffer{};
    return must(::read(reader.ref().number(), buffer.data(), buffer.size()), "read") > 0;
  }

  Descriptor source_ = file_holding(content);
  Descriptor file_ = file_holding("");
  Descriptor null_ = open_file("/dev/null", O_WRONLY);
  Pipe pipe_;
  Pair socket_;
  Pipe deaf_;
};

TEST(Leaks, NoDescriptorIsLeftAfterManyTransfers) {
  Mixture mixture;
  const std::size_t before = open_descriptors();
  int complete = 0;
  for (int number = 0; number < transfers; ++number) complete += mixture.run(number) ? 1 : 0;
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_GT(complete, transfers / 10) << "both kinds of ends have to be met";
  EXPECT_LT(complete, transfers);
}

}  // namespace
}  // namespace headrace::testing
