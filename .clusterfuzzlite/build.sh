#!/usr/bin/env bash
# What ClusterFuzzLite calls; the work is done where OSS-Fuzz has it done, too.
set -eu
exec "$SRC/framehound/fuzz/oss-fuzz/build.sh"
