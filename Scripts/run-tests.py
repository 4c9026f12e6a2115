#!/usr/bin/env python3
"""Runs the built tests, one after the other in each module, and lists the slowest.

    Scripts/run-tests.py FOLDER [--filter REGEX]… [--skip REGEX]…     FOLDER: the folder of the build's products

`swift test` starts all tests together. Each then appears to take as long as the whole run, and on a busy machine tests
that follow a device in real time wait for hundreds of others. This script runs five modules (JOBS), or parts of larger
ones, at a time, each in its own process: most of the slow tests wait for a device, a server or a program. A test that
takes 5 s or longer must have the tag `slow`; the list shows where the tag is missing. A process in which no test begins or
ends for a quarter of an hour is killed, and its test has failed.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SLOW_SECONDS = 5
STUCK_SECONDS = 900
LISTED = 15
PORTION = 40  # tests
NO_TESTS = 69  # Swift Testing's exit code if no test matches the filter

printing = threading.Lock()


def parse(arguments):
    """Returns the folder, the patterns of --filter, and the arguments to pass to the tests."""
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    folder, *rest = arguments
    patterns, others = [], []
    while rest:
        if rest[0] not in ("--filter", "--skip") or len(rest) < 2:
            sys.exit(f"run-tests: {rest[0]}: what is this? --filter REGEX and --skip REGEX are known")
        (patterns if rest[0] == "--filter" else others).extend(rest[1:2] if rest[0] == "--filter" else rest[:2])
        rest = rest[2:]
    return Path(folder), patterns, others


def portions(command):
    """Returns (module, regular expression of its suites) for each module with tests, in parts if it has over PORTION.

    Modules that follow devices in real time, or start many programs, come first, because they take longest."""
    listed = subprocess.run([*command, "--list-tests"], check=True, capture_output=True, text=True).stdout
    suites = {}
    for line in listed.splitlines():
        module, _, test = line.partition(".")
        suites.setdefault(module, Counter())[test.split("/")[0]] += 1
    found = []
    for module in sorted(suites, key=lambda name: (name not in ("ALSAInputTests", "AudioInputTests", "vadmonTests"), name)):
        count = math.ceil(suites[module].total() / PORTION)
        names = sorted(suites[module])
        found += [(module, "|".join(map(re.escape, names[part::count]))) for part in range(count)]
    return found


def run(command, portion, patterns, events):
    """Runs a portion of the tests and prints their output. Returns the exit code and the lines about failures."""
    module, suites = portion
    wanted = "|".join(patterns)
    selection = rf"^(?={module}\.(?:{suites})(?:/|$))" + (f"(?=.*(?:{wanted}))" if wanted else "")
    process = subprocess.Popen(
        [*command, "--no-parallel", "--filter", selection, "--event-stream-output-path", events,
         "--event-stream-version", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    failures, was_failure, line = [], False, ""
    watchdog = threading.Timer(STUCK_SECONDS, process.kill)
    watchdog.start()
    for line in process.stdout:
        watchdog.cancel()
        watchdog = threading.Timer(STUCK_SECONDS, process.kill)
        watchdog.start()
        was_failure = "✘" in line or (was_failure and "↳" in line)  # the next line has the details
        if was_failure:
            failures.append(line)
        with printing:
            sys.stdout.write(line)
            sys.stdout.flush()
    watchdog.cancel()
    code = process.wait()
    if code not in (0, NO_TESTS) and not failures:
        failures.append(f"✘ {module} ended with {code}; its last line: {line.strip()}\n")
    return code, failures


def times(events):
    """Returns for each test function: seconds, name, whether it is tagged `slow`, whether it failed."""
    tagged, begins, found, failed = {}, {}, {}, set()
    for line in events.open(errors="replace") if events.exists() else []:
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "test" and payload["kind"] == "function":
            tagged[payload["id"]] = any(tag.split(".")[-1] == "slow" for tag in payload.get("_tags", []))
        elif payload.get("testID") in tagged:
            at = payload["instant"]["absolute"]
            if payload["kind"] == "testStarted":
                begins[payload["testID"]] = at
            elif payload["kind"] == "testEnded":
                found[payload["testID"]] = at - begins[payload["testID"]]
            elif payload["kind"] == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
                failed.add(payload["testID"])
    return [(seconds, test.rsplit("/", 1)[0], tagged[test], test in failed) for test, seconds in found.items()]


def main():
    folder, patterns, others = parse(sys.argv[1:])
    command = [str(folder / "voice-activityPackageTests.xctest"), "--testing-library", "swift-testing", *others]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as events, ThreadPoolExecutor(int(os.environ.get("JOBS", 5))) as pool:
        work = portions(command)
        files = [Path(events, str(index)) for index in range(len(work))]
        results = list(pool.map(lambda portion, file: run(command, portion, patterns, str(file)), work, files))
        done = sorted((entry for file in files for entry in times(file)), reverse=True)

    print(f"\n{len(done)} tests in {time.monotonic() - begin:.0f} s. The slowest:")
    for seconds, test, is_tagged, _ in done[:LISTED]:
        missing = "   lacks .tags(.slow)" if seconds >= SLOW_SECONDS and not is_tagged else ""
        print(f"{seconds:8.1f} s  {test}{missing}")
    failures = [line for _, lines in results for line in lines]
    if failures:
        print("\nWhat failed:")
        sys.stdout.writelines(failures)
    elif not done:
        sys.exit("run-tests: no test has such a name")
    failed = sum(did_fail for _, _, _, did_fail in done)
    print(f"\n{len(done) - failed} passed, {failed} failed")
    sys.exit(any(code not in (0, NO_TESTS) for code, _ in results))


if __name__ == "__main__":
    main()
