# The Debian packages headrace needs: the one list. Sourced by tools/setup.sh.
# shellcheck shell=bash disable=SC2034

# To build and run the tool.
build_packages=(g++ cmake ninja-build libcli11-dev libfmt-dev nlohmann-json3-dev libxxhash-dev
  libboost1.81-dev)

# To run every check as well: the test framework, the linters, witnesses, peers, file systems and a
# second kernel.
check_packages=(libgtest-dev clang-19 libclang-rt-19-dev clang-tidy-19 clang-format-19 python3 strace
  socat netcat-openbsd iproute2 procps e2fsprogs xfsprogs btrfs-progs
  user-mode-linux kmod curl nginx-light wrk)
