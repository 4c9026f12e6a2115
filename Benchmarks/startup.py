#!/usr/bin/env python3
"""Times how fast vadmon starts, beside /bin/true.

    Benchmarks/startup.py [VADMON]        (default: .build/release/vadmon; `make build` makes it)

Each command runs fifty times, and the best time counts, because other work on the machine can only add time. The ratio
is more meaningful than the times.
"""

import subprocess
import sys
import time
from pathlib import Path

VADMON = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / ".build/release/vadmon")


def best(*command):
    """Returns the least seconds on the clock of fifty runs."""
    times = []
    for _ in range(50):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return min(times)


nothing, start = best("/bin/true"), best(VADMON, "--version")
print(f"start-up of vadmon --version  {start * 1e3:.1f} ms  {start / nothing:.1f} x /bin/true")
