# Finds out what is missing, installs it, builds a preset. Sourced by ./run and ./check, which set
# `root`. Nothing here reads standard input or writes to standard output: both belong to the tool.
# shellcheck shell=bash

# shellcheck source=tools/packages.sh
. "$root/tools/packages.sh"

say() { printf 'headrace: %s\n' "$*" >&2; }

# quietly LOG COMMAND...: the output goes to LOG, and to standard error when the command fails.
quietly() {
  local log=$1 status=0
  shift
  "$@" </dev/null >"$log" 2>&1 || status=$?
  [ "$status" = 0 ] || cat "$log" >&2
  return "$status"
}

# missing_packages PACKAGE...: those that are not installed, one a line.
missing_packages() {
  local package installed
  # Where there is no dpkg, the build itself tells what it lacks.
  command -v dpkg-query >/dev/null || return 0
  installed=" $(dpkg-query -W -f='${Package}=${db:Status-Status} ' "$@" 2>/dev/null || true)"
  for package in "$@"; do
    [[ $installed == *" $package=installed "* ]] || printf '%s\n' "$package"
  done
}

# ensure_packages PACKAGE...: installs what is missing, or says what it is and exits with 2.
ensure_packages() {
  local missing log
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    say "these Debian packages are missing: ${missing[*]}"
    say "install them with: sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
    exit 2
  fi
  say "installing ${missing[*]}"
  log=$(mktemp)
  # A stale list may still hold what is needed, so a failed update alone does not stop us.
  quietly "$log" apt_get update || say "apt-get update failed; trying the package lists at hand"
  if ! quietly "$log" apt_get install -y --no-install-recommends "${missing[@]}"; then
    rm -f "$log"
    say "could not install ${missing[*]}: is the network there? The answer of apt-get stands above."
    exit 1
  fi
  rm -f "$log"
}

apt_get() { DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"; }

# build_preset NAME [TARGET...]: configures and builds into build/NAME; says why where it cannot.
build_preset() {
  local preset=$1 fresh=() log="$root/build/$1.log" cache="$root/build/$1/CMakeCache.txt"
  local targets=("${@:2}")
  # A tree that was moved or copied cannot go on from the old cache.
  if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    fresh=(--fresh)
  fi
  quietly "$log" in_root cmake --preset "$preset" "${fresh[@]}" &&
    quietly "$log" in_root cmake --build "build/$preset" -j "$(nproc)" \
      ${targets[@]:+--target "${targets[@]}"}
}

in_root() { (cd "$root" && "$@"); }
