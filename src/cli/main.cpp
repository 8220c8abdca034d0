#include "cli/command_line.hpp"
#include "cli/standard_descriptors.hpp"

int main(int argc, char** argv) {
  headrace::cli::occupy_standard_descriptors();
  return headrace::cli::run(argc, argv);
}
