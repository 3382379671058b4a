#!/bin/sh
# Makes an archive of one object, in which only what is not hidden can be seen, from an archive.
# Usage: archive.sh FROM TO FOLDER LD OBJCOPY AR
set -eu
from=$1 to=$2 folder=$3 ld=$4 objcopy=$5 ar=$6
mkdir -p "$folder"
"$ld" -r -o "$folder/framehound.o" --whole-archive "$from"
"$objcopy" --localize-hidden "$folder/framehound.o"
rm -f "$to"
"$ar" rcsD "$to" "$folder/framehound.o"
