# Completion of framehound for bash.

_framehound_values() {
  case $1 in
  --fail-on) echo 'error warning note never' ;;
  --formats | -f | --as) echo 'tod hmd tra camerawork' ;;
  --color) echo 'auto always never' ;;
  --grade) echo 'candidate structure references replayed' ;;
  --layout) echo 'auto plain 2048 2336 2352 2368 2448' ;;
  --min-severity) echo 'error warning note' ;;
  --match) echo 'path name' ;;
  --profile) echo '1.31 1.30 4.4 4.0 hermite' ;;
  --severity) echo 'error warning note' ;;
  --progress) echo 'auto always never json' ;;
  query) [ "${3#-}" != "$3" ] || echo 'summary grades scans sources assets findings coverage rules rule-sources shared places related lacking unique duplicates same-motion biggest empty failures broken near-misses' ;;
  --format | -F)
    case $2 in
    check | report) echo 'text concise json jsonl csv sarif junit github gitlab dfxml html' ;;
    replay) echo 'text csv json svg canonical' ;;
    diff | query) echo 'text json csv' ;;
    where | inspect | why) echo 'text json' ;;
    rules) echo 'text markdown json' ;;
    esac
    ;;
  esac
}

_framehound_options() {
  case $1 in
  scan) echo '-o --db -f --formats -j --jobs --manifest -0 --null --shard --resume --layout --address-base --check-sectors --min-evidence --every-offset --no-replay --no-hash --no-unpack --fail-on --progress --worker --time-limit --max-memory --sandbox -h --help' ;;
  check) echo '-F --format --fail-on -j --jobs --changed-since --gitignore --files-from -0 --null --cache --no-cache --no-replay --profile --bac --expect --write-expect --tolerance --fix --diff --min-severity --select --ignore --severity --config --no-config --show-config --baseline --write-baseline --explain --sandbox -h --help' ;;
  reduce) echo '--code -o --output --force --max-steps --no-replay --bac --sandbox -h --help' ;;
  replay) echo '-F --format -o --output --profile --slots --after --time-step --bac --tmd --world --changes --fail-on --sandbox -h --help' ;;
  report) echo '-F --format -o --output --no-detail --fail-on --explain --sandbox -h --help' ;;
  extract) echo '-d --directory -f --formats --ids --grade --dry-run --sandbox -h --help' ;;
  query) echo '-d --db -F --format -n --limit --sandbox -h --help' ;;
  merge) echo '-o --output --sandbox -h --help' ;;
  diff) echo '-F --format --match --sandbox -h --help' ;;
  rules) echo '-F --format --severity --coverage -h --help' ;;
  where) echo '-F --format --layout --sandbox -h --help' ;;
  inspect) echo '-d --depth -u --unfold -r --rules --bytes --color --as -F --format --layout --fail-on --sandbox -h --help' ;;
  why) echo '--as -F --format --layout --sandbox -h --help' ;;
  *) echo '-h --help --version' ;;
  esac
}

_framehound() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="scan check reduce replay report extract query merge diff where inspect why rules $(_framehound_options)"
  else
    words=$(_framehound_values "$before" "${COMP_WORDS[1]}" "$word")
    if [ -z "$words" ] && [ "${word#-}" != "$word" ]; then
      words=$(_framehound_options "${COMP_WORDS[1]}")
    fi
  fi
  # Without words of ours the names of files are completed.
  COMPREPLY=()
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}

complete -o default -F _framehound framehound
