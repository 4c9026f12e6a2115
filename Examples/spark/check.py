#!/usr/bin/env python3
"""Runs job.py on two workers and kills what can be killed; every file must be in the result exactly once.

    Examples/spark/check.sh                     makes the environment and calls
    check.py --vadmon PATH [--files 10000]        this, in an environment with PySpark

Each run has 10,000 good recordings of a few seconds, ten bad ones, and two long ones, `unlucky` and `poison`. While
they are analysed, their vadmon is killed (SIGKILL): that of `unlucky` the first time, that of `poison` in each attempt,
and once more when it is tried alone. A second run is on a cluster of two executors, one of which is killed while it has
`unlucky`. What the rows say is compared with what one plain `vadmon analyze` says.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import recordings
from processes import ancestors, workers_with

HERE = Path(__file__).resolve().parent
ATTEMPTS = 4
UNLUCKY, POISON = "sounds/3/unlucky.wav", "sounds/6/poison.wav"
FAILURES = []
# Loopback alone; and compilers that start fast, for the run is short: it takes half the processor time.
ENVIRONMENT = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
               "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}


def submit(master, *arguments):
    spark = Path(sys.prefix) / "bin/spark-submit"
    return [str(word) for word in (spark, "--master", master, "--conf", "spark.ui.enabled=false", *arguments)]


def expect(condition, what):
    print(f"{'ok  ' if condition else 'FAIL'}  {what}", flush=True)
    if not condition:
        FAILURES.append(what)


def executor_of(worker):
    """The JVM that the worker belongs to."""
    for ancestor in ancestors(worker):
        if b"CoarseGrainedExecutorBackend" in Path(f"/proc/{ancestor}/cmdline").read_bytes():
            return ancestor
    raise LookupError("this vadmon has no executor")


class Killer(threading.Thread):
    """Kills the process `victim(worker)` when a vadmon has a file open, at most `times` for each file."""

    def __init__(self, vadmon, times, victim):
        super().__init__(daemon=True)
        self.vadmon, self.times, self.victim = vadmon, times, victim
        self.killed = {file: set() for file in times}
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(0.01):
            for file, limit in self.times.items():
                for worker in workers_with(file, self.vadmon):
                    if worker in self.killed[file] or len(self.killed[file]) >= limit:
                        continue
                    self.killed[file].add(worker)
                    os.kill(self.victim(worker), signal.SIGKILL)


def run_job(arguments, master, names, output, times, victim):
    """The rows, and how often was killed."""
    log = output.with_suffix(".log")
    command = submit(master, HERE / "job.py", "--vadmon", arguments.vadmon, "--names", names, "--partition", "250",
                     "--attempts", ATTEMPTS, output)
    began = time.monotonic()
    with open(log, "w") as stderr:
        job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=ENVIRONMENT,
                               cwd=output.parent)
        killer = Killer(arguments.vadmon, times, victim)
        killer.start()
        said = job.communicate()[0]
        killer.ended.set()
    expect(job.returncode == 0, f"the job ends well, in {time.monotonic() - began:.0f} s")
    print(said, end="")
    if job.returncode:
        print("\n".join(log.read_text().splitlines()[-30:]))
    rows = [json.loads(line) for part in sorted(output.glob("part-*")) for line in part.read_text().splitlines()]
    return rows, {file.name: len(workers) for file, workers in killer.killed.items()}


def shown(name):
    return name.decode("utf-8", "backslashreplace")


def plain(vadmon, names):
    """What one vadmon, without Spark, says of each name."""
    run = subprocess.run([vadmon, "analyze", "--files-from", "-", "-0", "--format", "file-jsonl", "--accept-bad"],
                         input=b"".join(name + b"\0" for name in names), stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=True)
    lines = run.stdout.splitlines()
    assert len(lines) == len(names)
    return {shown(name): {**json.loads(line), "file": shown(name)} for name, line in zip(names, lines)}


def compare(rows, expected, poisoned):
    expect(len(rows) == len(expected), f"{len(rows)} rows for {len(expected)} files")
    expect({row["file"] for row in rows} == expected.keys(), "every file is there")
    fields = ["type", "sample_rate", "channels", "analysed_channels", "duration", "speech_seconds",
              "muted_speech_seconds", "segment_count", "warnings", "message", "exit_code"]
    different = [row["file"] for row in rows if not row["file"].endswith(poisoned)
                 and any(row.get(field) != expected[row["file"]].get(field) for field in fields)]
    expect(not different, f"every row says what plain vadmon says{different[:3] or ''}")
    errors = sum(row["type"] == "error" for row in rows)
    print(f"      {errors} of them errors, {sum(row['attempt'] > 0 for row in rows)} from a repeated task")


def check_workers(arguments, folder, names, expected):
    print("local[2,4]: two tasks at a time; a vadmon is killed once, another each time")
    rows, killed = run_job(arguments, f"local[2,{ATTEMPTS}]", names, folder / "local",
                           {folder / UNLUCKY: 1, folder / POISON: ATTEMPTS + 1}, lambda worker: worker)
    expect(killed == {"unlucky.wav": 1, "poison.wav": ATTEMPTS + 1}, f"killed: {killed}")
    compare(rows, expected, poisoned="poison.wav")
    by_name = {Path(row["file"]).name: row for row in rows}
    expect(by_name["unlucky.wav"]["attempt"] >= 1, "what was killed once was done by another attempt")
    poison = by_name["poison.wav"]
    expect("signal 9" in poison.get("message", ""), f"the other is a row: {poison}")


def check_executors(arguments, folder, names, expected):
    print("local-cluster[2,1,1024]: two executors; one is killed")
    rows, killed = run_job(arguments, "local-cluster[2,1,1024]", names, folder / "cluster", {folder / UNLUCKY: 1},
                           executor_of)
    expect(killed == {"unlucky.wav": 1}, f"killed an executor: {killed}")
    compare(rows, expected, poisoned=())
    expect(any(row["attempt"] for row in rows), "its partition was run again")


def check_pipe(arguments, folder, names, expected):
    print("pipe.py: RDD.pipe")
    good = [name for name in names if b"\n" not in name and b"\xff" not in name]
    listed = folder / "lines"
    listed.write_bytes(b"\n".join(good) + b"\n")
    subprocess.run(submit("local[2]", HERE / "pipe.py", arguments.vadmon, listed, folder / "piped"), check=True,
                   stderr=subprocess.DEVNULL, env=ENVIRONMENT, cwd=folder)
    lines = [json.loads(line) for part in (folder / "piped").glob("part-*") for line in part.read_text().splitlines()]
    expect(sorted(lines, key=str) == sorted((expected[shown(name)] for name in good), key=str),
           f"{len(lines)} lines, each what plain vadmon says")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--vadmon", required=True, type=lambda path: Path(path).resolve())
    parser.add_argument("--files", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        sounds = folder / "sounds"
        recordings.make_many(sounds, arguments.files)
        recordings.make_bad(sounds / "bad")
        # On a busy machine, the killer may come a second late.
        recordings.make_long(folder / UNLUCKY, minutes=60)
        os.link(folder / UNLUCKY, folder / POISON)
        found = subprocess.run(["find", sounds, "!", "-type", "d", "-print0"], stdout=subprocess.PIPE, check=True).stdout
        (folder / "names").write_bytes(found)
        names = sorted(found.split(b"\0")[:-1])
        expected = plain(arguments.vadmon, names)
        check_workers(arguments, folder, folder / "names", expected)
        check_executors(arguments, folder, folder / "names", expected)
        check_pipe(arguments, folder, names, expected)
    if FAILURES:
        sys.exit(f"{len(FAILURES)} of the checks failed")


if __name__ == "__main__":
    main()
