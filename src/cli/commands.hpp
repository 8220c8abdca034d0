#pragma once

#include "cli/arguments.hpp"
#include "headrace/transfer.hpp"

namespace headrace::cli {

// One command each; the answer is the exit status (README, "Other options"). They write to standard
// output and error, and stop when `stop` says so.

int copy(const CopyArguments& arguments, const Stop& stop);
int send(const PeerArguments& arguments, const Stop& stop);
int receive(const PeerArguments& arguments, const Stop& stop);
int get(const GetArguments& arguments, const Stop& stop);
int put(const PutArguments& arguments, const Stop& stop);
int serve(const ServeArguments& arguments, const Stop& stop);
int explain(const ExplainArguments& arguments, const Stop& stop);
int demo(const DemoArguments& arguments, const Stop& stop);

}  // namespace headrace::cli
