#!/bin/sh
# Creates FOLDER/python, an environment with the packages in REQUIREMENTS, from PyPI. Creates it again if that file has
# changed.
#
#     Scripts/python-environment.sh REQUIREMENTS FOLDER
#
# If Python or PyPI is not available, it prints one sentence and exits with 69. FOLDER/installed.txt lists what was
# installed.
set -eu

requirements=$1 folder=$2
fail() {
  echo "python-environment: $1" >&2
  exit 69
}

cmp -s "$requirements" "$folder/installed.txt" && exit 0
command -v python3 > /dev/null || fail "python3 is not on PATH: apt-get install python3 python3-venv"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "python3 is older than 3.11"
rm -rf "$folder/python" "$folder/installed.txt"
mkdir -p "$folder"
echo "Fetching from PyPI into $(basename "$folder"): $(sed 's/#.*//; s/;.*//' "$requirements" | grep . | tr '\n' ' ')" >&2
python3 -m venv "$folder/python" > "$folder/log" ||
  fail "python3 cannot make an environment; on Debian, install python3-venv"
"$folder/python/bin/pip" --quiet --retries 2 --disable-pip-version-check install --no-deps --only-binary :all: \
  --requirement "$requirements" 2> "$folder/log" ||
  fail "PyPI does not give $(python3 --version) what $requirements names; is there a network? pip says: $(grep ERROR "$folder/log" | head -n 1)"
cp "$requirements" "$folder/installed.txt"
