# shellcheck shell=bash
# Where the set-up puts things, and how a command reaches the Emscripten toolchain.
# Sourced by ./run, ./test and the scripts beside this file; needs `set -euo pipefail` and nothing else.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${TP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/transformer-playground}

# What the toolchain root holds. Its folder is named after this list, so a changed list makes a new root.
root_release=trixie
root_packages=emscripten,cmake,ninja-build,ccache
emscripten_root=$cache/emscripten-$root_release-$(printf %s "$root_packages" | sha256sum | cut -c1-8)

# Third-party sources, by Debian source or binary package. The same copies serve native and web builds.
sources_version=1
# shellcheck disable=SC2034  # used by the scripts that source this file
sources=$cache/sources-$sources_version
# Eigen's headers, in a folder that the toolchain root sees, too; another number makes it anew.
# shellcheck disable=SC2034
eigen=$cache/eigen-1

oldest_emcc=3.1.60  # LLVM 19 or newer: the SIMD code generation that the numbers in bench/ rest on

say() { printf '\033[1m==>\033[0m %s\n' "$*"; }
die() {
  printf '\033[1;31merror:\033[0m %s\n' "$*" >&2
  exit 1
}

# Version comparison: at_least HAVE WANT
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# True when the person's own Emscripten is recent enough; the root is then never made.
own_emcc() {
  command -v emcc >/dev/null && command -v emcmake >/dev/null && command -v ninja >/dev/null &&
    at_least "$(emcc -dumpversion 2>/dev/null || echo 0)" "$oldest_emcc"
}

# Runs a command where emcc, cmake and ninja of the web build are found. Paths mean the same inside
# and outside, because the project and the cache are mounted at their own places.
with_emscripten() {
  if own_emcc; then
    "$@"
    return
  fi
  # Certificate variables name files that do not exist inside the root; node warns about each of them.
  local quiet=(env -u NODE_EXTRA_CA_CERTS -u SSL_CERT_FILE -u SSL_CERT_DIR PATH=/usr/bin:/bin HOME=/tmp TP_CACHE="$cache")
  if bwrap --bind / / true 2>/dev/null; then
    # The empty /tmp comes first: the project or the cache may live below it.
    bwrap --bind "$emscripten_root" / --proc /proc --dev /dev --tmpfs /tmp \
      --bind "$project" "$project" --bind "$cache" "$cache" --chdir "$PWD" "${quiet[@]}" "$@"
  else
    chroot_with_mounts "${quiet[@]}" "$@"
  fi
}

# For machines without user namespaces: the same, with bind mounts that are undone afterwards.
chroot_with_mounts() {
  [ "$(id -u)" = 0 ] || die "bubblewrap cannot start here and chroot needs root: allow user namespaces, or run this as root."
  local mounted=() place status=0
  for place in "$project" "$cache" /proc /dev; do
    mkdir -p "$emscripten_root$place"
    mount --rbind "$place" "$emscripten_root$place"
    mounted=("$emscripten_root$place" "${mounted[@]}")
  done
  # shellcheck disable=SC2016  # expanded by the inner shell
  chroot "$emscripten_root" /bin/sh -c 'cd "$0" && exec "$@"' "$PWD" "$@" || status=$?
  for place in "${mounted[@]}"; do umount -l "$place"; done
  return "$status"
}
