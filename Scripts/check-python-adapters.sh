#!/bin/sh
# Tests the Python package's adapters with the frameworks that they are for, and compares them with the VADs that those
# bring:
#
#     Scripts/check-python-adapters.sh
#
# The frameworks come from PyPI into .build-python/adapters (0.8 GB). pyright checks the types if node is installed.
set -eu
cd "$(dirname "$0")/.."

Scripts/python-environment.sh Bindings/python/requirements-adapters.txt .build-python/adapters
python=$PWD/.build-python/adapters/python/bin/python

Scripts/install-python-package.sh "$python"

# pipecat logs every change of its parameters.
export LOGURU_LEVEL=WARNING
(cd Bindings/python && "$python" -m unittest discover --quiet -s adapter_tests)
if command -v node > /dev/null; then
  PYRIGHT_PYTHON_IGNORE_WARNINGS=1 "$python" -m pyright --pythonpath "$python" \
    --project Bindings/python/adapter_tests/pyrightconfig.json
else
  echo "check-python-adapters: node is not installed, so the types are not checked"
fi
"$python" Benchmarks/adapters/compare.py
