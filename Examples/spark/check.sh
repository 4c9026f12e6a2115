#!/bin/sh
# Makes .build-spark, an environment with PySpark, and runs check.py there with the vadmon of .build/release.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
"$root/Scripts/python-environment.sh" "$here/requirements.txt" "$root/.build-spark"
exec "$root/.build-spark/python/bin/python" "$here/check.py" --vadmon "$root/.build/release/vadmon" "$@"
