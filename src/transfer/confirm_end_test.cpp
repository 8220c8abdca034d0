#include "transfer/confirm_end.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using testing::open_pipe;

Job job_from(const Descriptor& source) { return testing::job_between(source, source); }

void put(const Descriptor& destination) {
  testing::must(::write(destination.ref().number(), "x", 1), "write");
}

TEST(ConfirmEnd, AFileEndsAtTheJobsOffsetAndNotAtItsPosition) {
  const Descriptor file = file_holding("four");
  Job job = job_from(file);
  EXPECT_FALSE(at_end(job));
  job.offset = 3;
  EXPECT_FALSE(at_end(job));
  job.offset = 4;
  EXPECT_TRUE(at_end(job));
  job.offset = 400;
  EXPECT_TRUE(at_end(job));
  EXPECT_EQ(testing::offset_of(file), 0U);
}

TEST(ConfirmEnd, APipeEndsWhenItIsEmptyAndHasNoWriter) {
  auto pipe = open_pipe();
  const Job job = job_from(pipe.reader);
  EXPECT_FALSE(at_end(job)) << "a writer is left";
  put(pipe.writer);
  pipe.writer = {};
  EXPECT_FALSE(at_end(job)) << "a byte is left";
  char byte = 0;
  testing::must(::read(pipe.reader.ref().number(), &byte, 1), "read");
  EXPECT_TRUE(at_end(job));
}

TEST(ConfirmEnd, ASocketEndsWhenItsPeerSaidSo) {
  for (const bool tcp : {false, true}) {
    const auto socket = tcp ? testing::connected_tcp() : testing::connected_unix();
    const Job job = job_from(socket.near);
    EXPECT_FALSE(at_end(job)) << "silence is no end, and is not waited for";
    testing::must(::shutdown(socket.far.ref().number(), SHUT_WR), "shutdown");
    EXPECT_TRUE(at_end(job));
  }
}

TEST(ConfirmEnd, TakesNoByteFromASocket) {
  auto socket = testing::connected_unix();
  put(socket.far);
  socket.far = {};
  EXPECT_FALSE(at_end(job_from(socket.near)));
  char byte = 0;
  EXPECT_EQ(::read(socket.near.ref().number(), &byte, 1), 1);
  EXPECT_TRUE(at_end(job_from(socket.near)));
}

TEST(ConfirmEnd, ARefusedReadDecidesNothing) {
  const Descriptor write_only = testing::open_file("/dev/null", O_WRONLY);
  Job job = job_from(write_only);
  job.offset = 0;
  EXPECT_FALSE(at_end(job));
}

TEST(ConfirmEnd, WhereOnlyATrueReadCouldTellItSaysNo) {
  const Descriptor device = testing::open_file("/dev/null", O_RDONLY);
  EXPECT_FALSE(at_end(job_from(device)));
}

}  // namespace
}  // namespace headrace
