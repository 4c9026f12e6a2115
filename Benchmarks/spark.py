#!/usr/bin/env python3
"""Measures how many short recordings a core analyses in tasks of Examples/spark/job.py, beside plain `vadmon analyze`.

    Examples/spark/check.sh                                            makes .build-spark, once
    .build-spark/python/bin/python Benchmarks/spark.py [VADMON]        (default: .build/release/vadmon)
        [--files 10000] [--partition 4000] [--repeat 5]

Both run on one core, in turns: Spark as local[1], with its JVM, Python and vadmon; and one vadmon. The time of a task
is Executor Run Time in Spark's event log. The first task is left out of the ratio, because it starts Python and compiles
the plan, once for each core of a cluster. Needs sox, and Java 17.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Examples" / "spark"))

import recordings  # noqa: E402
from check import ENVIRONMENT, submit  # noqa: E402


def plain(vadmon, names):
    """Seconds for a recording."""
    began = time.monotonic()
    subprocess.run([vadmon, "analyze", "--files-from", "-", "-0", "--format", "file-jsonl", "--quiet", "--jobs", "1"],
                   input=b"".join(name + b"\0" for name in names), stdout=subprocess.DEVNULL, check=True)
    return (time.monotonic() - began) / len(names)


def spark(vadmon, listed, partition, folder):
    """Seconds for a recording in tasks after the first, and the seconds of the first task, and of the whole job."""
    events = folder / "events"
    events.mkdir()
    settings = ["--conf", "spark.eventLog.enabled=true", "--conf", f"spark.eventLog.dir={events.as_uri()}",
                "--conf", "spark.eventLog.rolling.enabled=false", "--conf", "spark.eventLog.compress=false"]
    began = time.monotonic()
    job = submit("local[1]", *settings, ROOT / "Examples/spark/job.py", "--vadmon", vadmon, "--names", listed,
                 "--partition", partition, folder / "rows")
    subprocess.run(job, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT, cwd=folder)
    seconds = time.monotonic() - began
    log, = events.iterdir()
    ended = [event["Task Metrics"] for event in map(json.loads, log.open()) if event["Event"] == "SparkListenerTaskEnd"]
    tasks = [(metrics["Executor Run Time"] / 1e3, metrics["Output Metrics"]["Records Written"]) for metrics in ended]
    (first, _), *others = [(time, count) for time, count in tasks if count]
    return sum(time for time, _ in others) / sum(count for _, count in others), first, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("vadmon", nargs="?", type=Path, default=ROOT / ".build/release/vadmon")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--partition", type=int, default=4000)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    arguments.vadmon = arguments.vadmon.resolve()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    ratios = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        names = [bytes(path) for path in recordings.make_many(folder / "sounds", arguments.files)]
        listed = folder / "names"
        listed.write_bytes(b"".join(name + b"\0" for name in names))
        for turn in range(arguments.repeat):
            (folder / str(turn)).mkdir()
            alone = plain(arguments.vadmon, names)
            task, first, seconds = spark(arguments.vadmon, listed, arguments.partition, folder / str(turn))
            ratios.append(alone / task)
            print(f"{alone * 1e3:.2f} ms a recording alone, {task * 1e3:.2f} in Spark; {alone / task:.2f} times the "
                  f"throughput; first task {first:.1f} s, job {seconds:.1f} s", flush=True)
    print(f"median: {statistics.median(ratios):.2f} times the throughput of plain vadmon")


if __name__ == "__main__":
    main()
