#!/usr/bin/env bash
# Writes the layouts of TOD and HMD for other people's tools, from the tables of the program.
#
#     docs/update-formats.sh WRITE_SCHEMA [FOLDER]
#
# WRITE_SCHEMA is scanner/write_schema of a build; FOLDER is docs/formats unless given.
set -eu

write_schema=$1
folder=${2:-$(dirname "$0")/formats}
mkdir -p "$folder"
for format in tod hmd; do
  for form in ksy hexpat; do
    "$write_schema" "$format" "$form" >"$folder/$format.$form"
  done
done
