#!/bin/sh
# Tells how well detectors keep the user's own voice apart from the far end that the loudspeaker plays: it builds calls
# from your recordings, and counts wrong notices and the user's words that are noticed. README.md describes both.
#
#     Benchmarks/echo/compare.sh --speech PATH… --noise PATH… [--music PATH…] [--recordings FOLDER] [--hours H]
#                                [--canceller-hours H] [--seed S] [--jobs J] [--notices FILE]
#     Benchmarks/echo/compare.sh --check      a small run on samples/, whose result must be right: make echo
#     Benchmarks/echo/compare.sh television   a television while the user is muted, as television.md says
#     Benchmarks/echo/compare.sh speaker      a second person beside the user, as docs/target-speaker.md says
#
# PATH is a recording (WAV, FLAC, Ogg, Opus) or a folder of them, with sub-folders. The first run fetches
# requirements.txt from PyPI into .build-echo. speexdsp takes part if it is installed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
core=$root/CSupport/CVoiceActivity
build=$root/.build-echo

script=compare
case ${1:-} in
  television | speaker) script=$1; shift ;;
  "" | -h | --help) exec sed -n '2,/^$/s/^# \{0,1\}//p' "$0" ;;
esac
command -v swift > /dev/null || { echo "compare: swift is not on PATH; its clang compiles the C core" >&2; exit 69; }

"$root/Scripts/python-environment.sh" "$here/requirements.txt" "$build" || exit
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
"$clang" -O2 -std=c11 -Wall -Wextra -Werror -fPIC -shared -I "$core/include" "$here/detect.c" "$core"/*.c -lm \
  -o "$build/libdetect.so"

python=$build/python/bin/python
(cd "$here" && LIBDETECT=$build/libdetect.so "$python" -m unittest 2> "$build/log") ||
  { echo "compare: the measures fail their tests: $(cat "$build/log")" >&2; exit 70; }
exec "$python" "$here/$script.py" --library "$build/libdetect.so" "$@"
