#!/usr/bin/env python3
"""Stops run.sh and slurm.sbatch in every way, goes on, and compares the result with what one plain vadmon says.

    Examples/parallel/check.py --vadmon PATH [--files 60]

Needs sox and parallel. Everything is stopped while a vadmon is at one certain, long recording, so that it is always in
the middle. Slurm itself is not needed: its script runs as a task of an array does, by SLURM_ARRAY_TASK_ID.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "spark"))
import recordings  # noqa: E402
from processes import Processes  # noqa: E402

UNLUCKY = "unlucky.wav"
FAILURES = []


def expect(condition, what):
    print(f"{'ok  ' if condition else 'FAIL'}  {what}", flush=True)
    if not condition:
        FAILURES.append(what)


class Check:
    def __init__(self, vadmon, folder, files):
        self.vadmon, self.folder = vadmon, folder
        self.environment = {**os.environ, "VADMON": str(vadmon), "PARALLEL_HOME": str(folder / "home")}
        sounds = folder / "sounds"
        recordings.make_good(sounds, files)
        recordings.make_bad(sounds / "bad")
        recordings.make_long(sounds / "3" / UNLUCKY, minutes=20)
        found = subprocess.run(["find", sounds, "!", "-type", "d", "-print0"], stdout=subprocess.PIPE, check=True).stdout
        self.names = sorted(found.split(b"\0")[:-1])
        listed = b"".join(name + b"\0" for name in self.names)
        subprocess.run([HERE / "make-shards.sh", "7", folder / "shards"], input=listed, check=True)
        self.expected = subprocess.run(
            [vadmon, "analyze", "-0", "--files-from", "-", "--format", "file-jsonl", "--accept-bad"], input=listed,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        # The shard is found by content, for where it is depends on the names' order.
        self.unlucky = next(shard.name for shard in (folder / "shards").iterdir() if UNLUCKY.encode() in shard.read_bytes())

    def start(self, command, **environment):
        """In a session of its own, as a terminal's foreground job is."""
        return subprocess.Popen(command, env={**self.environment, **environment}, start_new_session=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def stop_at_unlucky(self, process, stop):
        """Calls `stop(pid of the vadmon)` when one has the file open."""
        processes = Processes(process.pid, self.vadmon)
        while process.poll() is None:
            for worker in processes.workers_with(UNLUCKY):
                return stop(worker)
            time.sleep(0.005)
        expect(False, f"somebody analysed {UNLUCKY}")

    def results(self, folder):
        return {file.name: file.stat().st_ino for file in folder.glob("[0-9]*.jsonl")}

    def expect_all(self, results):
        expect((results / "all.jsonl").read_bytes() == self.expected,
               f"all {len(self.names)} files are there once, in order, and say what plain vadmon says")
        leftovers = [file.name for file in results.iterdir() if ".jsonl." in file.name]
        expect(not leftovers, f"nothing half-written is left {leftovers or ''}")

    def run_command(self, results):
        return [HERE / "run.sh", self.folder / "shards", results, "--jobs", "2"]

    def killed_worker(self):
        print("run.sh: a vadmon is killed (SIGKILL)")
        results = self.folder / "worker"
        run = self.start(self.run_command(results))
        self.stop_at_unlucky(run, lambda worker: os.kill(worker, signal.SIGKILL))
        said = run.communicate()[0]
        expect(run.returncode == 0, f"it is tried again: {said.strip()}")
        self.expect_all(results)

    def stopped_run(self, name, number):
        print(f"run.sh: everything is stopped ({name}) and run again")
        results = self.folder / name
        run = self.start(self.run_command(results))
        self.stop_at_unlucky(run, lambda worker: os.killpg(run.pid, number))
        run.communicate()
        expect(run.returncode != 0, f"it says that it is not done: {run.returncode}")
        before = self.results(results)
        expect(f"{self.unlucky}.jsonl" not in before, f"{len(before)} shards are done, the one in the middle is not")
        again = self.start(self.run_command(results))
        again.communicate()
        expect(again.returncode == 0, "it goes on")
        after = self.results(results)
        expect(before.items() <= after.items(), "what was done is not done again")
        if number == signal.SIGKILL:  # Nobody could clear up.
            for file in results.glob("*.jsonl.*"):
                file.unlink()
        self.expect_all(results)

    def slurm(self):
        print("slurm.sbatch, task by task; one gets SIGTERM, as at its time limit, and is run again")
        results = self.folder / "slurm"
        shards = sorted((self.folder / "shards").iterdir())

        def task(index):
            return self.start(["sh", HERE / "slurm.sbatch"], SLURM_ARRAY_TASK_ID=str(index), HERE=str(HERE),
                              SHARDS=str(self.folder / "shards"), RESULTS=str(results))

        def collect():
            return subprocess.run([HERE / "collect.sh", self.folder / "shards", results], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL).returncode

        for index, shard in enumerate(shards):
            run = task(index)
            if shard.name == self.unlucky:
                self.stop_at_unlucky(run, lambda worker: os.killpg(run.pid, signal.SIGTERM))
                expect(run.wait() == 143, "the task ends with 143")
            elif run.wait():
                expect(False, f"task {index} is done")
        expect(collect() == 75, "collect.sh says that a shard is missing")
        expect(task(shards.index(self.folder / "shards" / self.unlucky)).wait() == 0, "the task runs again")
        expect(collect() == 0, "collect.sh has all")
        self.expect_all(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--vadmon", required=True, type=lambda path: Path(path).resolve())
    parser.add_argument("--files", type=int, default=60)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check = Check(arguments.vadmon, Path(folder), arguments.files)
        check.killed_worker()
        for name, number in ("Ctrl-C", signal.SIGINT), ("SIGTERM", signal.SIGTERM), ("SIGKILL", signal.SIGKILL):
            check.stopped_run(name, number)
        check.slurm()
    if FAILURES:
        sys.exit(f"{len(FAILURES)} of the checks failed")


if __name__ == "__main__":
    main()
