#!/usr/bin/env bash
# Writes the rule reference, a page for each table of rules, from what the program says.
#
#     docs/update-rules.sh FRAMEHOUND [FOLDER]
#
# FOLDER is docs/rules unless given.
set -eu

framehound=$1
folder=${2:-$(dirname "$0")/rules}
pages=$(mktemp)
trap 'rm -f "$pages"' EXIT
"$framehound" rules --format markdown >"$pages"

mkdir -p "$folder"
rm -f "$folder"/*.md
awk -v folder="$folder" '
  /^# Rules: / { page = folder "/" $3 ".md" }
  { print >page }
' "$pages"
