#!/bin/sh
# Proves that bash, zsh and fish complete vadmon's command line with the scripts under PREFIX/share: each shell that is
# installed completes the same beginnings of commands. No terminal is needed; zsh gets a pseudo-terminal from its module
# zpty.
#
#     Tests/Program/completions.sh PREFIX
set -eu
export share="$(cd "$1/share" && pwd)"
export PATH="$(cd "$1/bin" && pwd):$PATH"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME="$work" TERM=dumb
touch talk.wav other.wav

# Each function takes a line whose last word has one completion, and prints the completed word.
in_bash() {
  bash --norc --noprofile -c '
    . "$share/bash-completion/completions/vadmon"
    read -ra COMP_WORDS <<< "$1"
    COMP_LINE=$1 COMP_POINT=${#1} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    function=$(complete -p vadmon | sed "s/.*-F \([^ ]*\) .*/\1/")
    "$function" vadmon "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"' bash "$1"
}

# Types the line followed by a tab.
in_zsh() {
  rm -f .line
  zsh -f -c '
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "fpath=(\$share/zsh/site-functions \$fpath); autoload -U compinit; compinit -u -d \$PWD/.dump"
    zpty -w shell "complete() { zle complete-word; print -r -- \$BUFFER > .line; exit }"
    zpty -w shell "zle -N complete; bindkey \"^I\" complete"
    zpty -n -w shell "$1"$'"'\\t'"'
    while zpty -r shell shown; do :; done' zsh "$1"
  sed 's/ *$//; s/.* //' .line
}

in_fish() {
  fish --no-config -c '
    source "$share/fish/vendor_completions.d/vadmon.fish"
    complete -C "$argv[1]"' "$1" | cut -f 1 | paste -s -d ' '
}

shells=
for shell in bash zsh fish; do
  if command -v $shell > /dev/null; then shells="$shells $shell"; fi
done
count=0
while IFS='|' read -r line completed; do
  for shell in $shells; do
    found=$("in_$shell" "$line" < /dev/null)
    if [ "$found" != "$completed" ]; then
      echo "completions: $shell completes '$line' to '$found' and not to '$completed'" >&2
      exit 1
    fi
    count=$((count + 1))
  done
done << 'LINES'
vadmon an|analyze
vadmon analyze ta|talk.wav
vadmon analyze --files-f|--files-from
vadmon analyze --format rt|rttm
vadmon analyze --preset n|notice
vadmon live --on-event-k|--on-event-kinds
vadmon live --channel m|mix
vadmon devices --j|--json
vadmon compare --rel|--reliability
vadmon pause --sum|--summary
vadmon li|live
vadmon tal|talk.wav
vadmon talk.wav ot|other.wav
vadmon --save-s|--save-segments
vadmon talk.wav --save-s|--save-segments
vadmon talk.wav --format rt|rttm
vadmon --preset n|notice
vadmon -q talk.wav --channel ea|each
vadmon other.wav live --waveform al|always
LINES
echo "completions:$shells complete vadmon, $count times"
