#include <fcntl.h>

#include <headrace/explain.hpp>
#include <headrace/transfer.hpp>
#include <iostream>

// consumer SOURCE DESTINATION: copies a file and prints the report.
int main(int count, char** arguments) {
  if (count != 3) return 2;
  const headrace::Descriptor source{::open(arguments[1], O_RDONLY | O_CLOEXEC)};
  const headrace::Descriptor destination{
      ::open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
  const auto report = headrace::transfer(headrace::body_of(source.ref()), {destination.ref()});
  if (!report) return 1;
  std::cout << headrace::to_text(*report);
  return report->outcome == headrace::Outcome::complete ? 0 : 1;
}
