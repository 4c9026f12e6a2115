"""Builds the programs that the benchmarks of this folder run."""

import subprocess
import sys
from pathlib import Path


def built(package, product):
    """Builds a product of a Swift package, optimised, and returns its path."""
    command = ["swift", "build", "--package-path", str(package), "-c", "release"]
    subprocess.run([*command, "--product", product], check=True, stdout=sys.stderr)
    folder = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return Path(folder.strip(), product)
