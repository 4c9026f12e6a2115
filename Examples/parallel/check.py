#!/usr/bin/env python3
"""Stops run.sh and slurm.sbatch in every way, goes on, and compares the result with what one plain vadmon says.

    Examples/parallel/check.py --vadmon PATH [--files 60]

Needs sox and parallel; and Slurm and root for the last part, in which it runs a Slurm of its own on loopback. Everything
is stopped while a vadmon is at one certain, long recording, so that it is always in the middle.
"""

import argparse
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
from local_slurm import LocalSlurm  # noqa: E402
from processes import workers_with  # noqa: E402

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
        self.long = sounds / "3" / "unlucky.wav"
        recordings.make_long(self.long, minutes=20)
        found = subprocess.run(["find", sounds, "!", "-type", "d", "-print0"], stdout=subprocess.PIPE, check=True).stdout
        self.names = sorted(found.split(b"\0")[:-1])
        listed = b"".join(name + b"\0" for name in self.names)
        subprocess.run([HERE / "make-shards.sh", "7", folder / "shards"], input=listed, check=True)
        self.expected = subprocess.run(
            [vadmon, "analyze", "-0", "--files-from", "-", "--format", "file-jsonl", "--accept-bad"], input=listed,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        # The shard is found by content, for where it is depends on the names' order.
        self.unlucky = next(shard.name for shard in (folder / "shards").iterdir()
                            if bytes(self.long) in shard.read_bytes())

    def start(self, command, **environment):
        """In a session of its own, as a terminal's foreground job is."""
        return subprocess.Popen(command, env={**self.environment, **environment}, start_new_session=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def stop_in_the_middle(self, stop):
        """Calls `stop(process)` when a vadmon has the long recording open."""
        for _ in range(12_000):
            for worker in workers_with(self.long, self.vadmon):
                return stop(worker)
            time.sleep(0.005)
        sys.exit("check.py: nobody has analysed the long recording for a minute")

    def results(self, folder):
        return {file.name: file.stat().st_ino for file in folder.glob("[0-9]*.jsonl")}

    def collect(self, results):
        return subprocess.run([HERE / "collect.sh", self.folder / "shards", results], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode

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
        self.stop_in_the_middle(lambda worker: os.kill(worker, signal.SIGKILL))
        said = run.communicate()[0]
        expect(run.returncode == 0, f"it is tried again: {said.strip()}")
        self.expect_all(results)

    def stopped_run(self, name, number):
        print(f"run.sh: everything is stopped ({name}) and run again")
        results = self.folder / name
        run = self.start(self.run_command(results))
        self.stop_in_the_middle(lambda worker: os.killpg(run.pid, number))
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

    def slurm_script(self):
        print("slurm.sbatch without Slurm, task by task; one gets SIGTERM, as at its time limit, and is run again")
        results = self.folder / "slurm"
        shards = sorted((self.folder / "shards").iterdir())

        def task(index):
            return self.start(["sh", HERE / "slurm.sbatch"], SLURM_ARRAY_TASK_ID=str(index), HERE=str(HERE),
                              SHARDS=str(self.folder / "shards"), RESULTS=str(results))

        for index, shard in enumerate(shards):
            run = task(index)
            if shard.name == self.unlucky:
                self.stop_in_the_middle(lambda worker: os.killpg(run.pid, signal.SIGTERM))
                expect(run.wait() == 143, "the task ends with 143")
            elif run.wait():
                expect(False, f"task {index} is done")
        expect(self.collect(results) == 75, "collect.sh says that a shard is missing")
        expect(task(shards.index(self.folder / "shards" / self.unlucky)).wait() == 0, "the task runs again")
        expect(self.collect(results) == 0, "collect.sh has all")
        self.expect_all(results)

    def slurm(self):
        print("slurm.sbatch with Slurm; a vadmon is killed, then a task is put back into the queue")
        results = self.folder / "array"
        last = len(list((self.folder / "shards").iterdir())) - 1
        words = ["sbatch", "--parsable", f"--array=0-{last}%2", f"--output={self.folder}/slurm-%a.log",
                 f"--export=ALL,SHARDS={self.folder}/shards,RESULTS={results},HERE={HERE}", HERE / "slurm.sbatch"]
        with LocalSlurm(self.folder / "local-slurm") as slurm:
            slurm.run(words, self.environment)
            self.stop_in_the_middle(lambda worker: os.kill(worker, signal.SIGKILL))
            slurm.wait()
            expect(self.collect(results) == 75, "collect.sh says that a shard is missing")
            before = self.results(results)
            array = slurm.run(words, self.environment)
            self.stop_in_the_middle(lambda worker: slurm.run(["scontrol", "requeue", f"{array}_{int(self.unlucky)}"]))
            slurm.wait()
            job = slurm.run(["scontrol", "show", "job", f"{array}_{int(self.unlucky)}"])
            expect("Restarts=1 " in job, "the task was put back while it ran")
        expect(self.collect(results) == 0, "Slurm runs the task again, and collect.sh has all")
        expect(before.items() <= self.results(results).items(), "what was done is not done again")
        self.expect_all(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--vadmon", required=True, type=lambda path: Path(path).resolve())
    parser.add_argument("--files", type=int, default=60)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check = Check(arguments.vadmon, Path(folder).resolve(), arguments.files)
        check.killed_worker()
        for name, number in ("Ctrl-C", signal.SIGINT), ("SIGTERM", signal.SIGTERM), ("SIGKILL", signal.SIGKILL):
            check.stopped_run(name, number)
        check.slurm_script()
        if LocalSlurm.is_possible():
            check.slurm()
        else:
            print("slurm.sbatch with Slurm: left out; it needs root and slurmctld, slurmd, slurm-client and munge")
    if FAILURES:
        sys.exit(f"{len(FAILURES)} of the checks failed")


if __name__ == "__main__":
    main()
