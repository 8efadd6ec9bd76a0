#!/bin/sh
# usage: arm64_root.sh DIRECTORY
# Makes DIRECTORY a root with Debian's libraries and headers for arm64 that hiaton needs, for a cross compiler
# (--sysroot) and for qemu-aarch64 (-L). apt downloads the packages with lists and a state of its own, in
# DIRECTORY.apt, and nothing is installed on the host. It needs no root, and some 20 MB from the network.
set -eu

packages="libc6-dev libfyaml-dev libsqlite3-dev libxxhash-dev libzstd-dev librandom123-dev uthash-dev"
# What libc6-dev depends on for NIS and RPC, which hiaton does not use.
unneeded='krb5|k5crypto|gssapi|keyutils|com-err|ssl3|tirpc|nsl|rpcsvc|libc-dev-bin'

[ $# -eq 1 ] || { echo "usage: arm64_root.sh DIRECTORY" >&2; exit 2; }
mkdir -p "$1"
root=$(cd "$1" && pwd)
[ ! -e "$root/complete" ] || exit 0
apt=$root.apt
rm -rf "$apt"
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
: >"$apt/state/status"

# The mirror and release of the host; Debian 12 where it says none.
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
mirror=$(apt-cache policy 2>/dev/null | sed -n 's/^ *[0-9-]* \(http[^ ]*debian\) .*\/main .*/\1/p' | head -n 1)
cat >"$apt/sources.list" <<TEXT
deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} ${release:-bookworm} main
TEXT
cat >"$apt/apt.conf" <<TEXT
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Dir::State "$apt/state";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Debug::NoLocking "true";
TEXT
APT_CONFIG=$apt/apt.conf
export APT_CONFIG

apt-get -q update
# shellcheck disable=SC2086 # a list of words
apt-get -qy --download-only install $packages
for file in "$apt"/cache/archives/*.deb; do
    echo "${file##*/}" | grep -qE "$unneeded" || dpkg-deb -x "$file" "$root"
done
# Links lead to what is in the root, not on the host.
find "$root" -type l -lname '/*' | while read -r link; do
    ln -sfn "$root$(readlink "$link")" "$link"
done
rm -rf "$apt"
touch "$root/complete"
