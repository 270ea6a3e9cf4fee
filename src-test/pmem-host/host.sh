# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share; they read it in, nobody runs it.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

# Keeps what is fetched and made: kernel, initrd, images. Nothing in it is needed for good.
cache=${PMEM_HOST:-$here/../target/pmem-host}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd -P)

# Users other than root often have no sbin on their path.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# Says what is wrong on the error output and ends the script with status $1.
fail() {
  local status=$1
  shift
  echo "${0##*/}: $*" >&2
  exit "$status"
}

# The status of a script where this machine lacks something.
readonly LACKING=3

# The status of a boot where QEMU or the guest died.
readonly KILLED=125
