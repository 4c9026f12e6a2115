"""Measures the detectors' CPU time, instructions and memory: one thread, the same two minutes of sound for each."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from detectors import WebRTC
from recordings import HOP_SAMPLES, RATE_HZ, Problem, Recording

SECONDS = 120
ROUNDS = 5  # the detectors alternate, so that load slows all of them; the best round counts
PASSES = 5  # of a C program in each round


def excerpt(recordings, path):
    """Writes the beginnings of all recordings, equally long, one after the other; repeated if the total is too
    short."""
    share = -(-SECONDS * RATE_HZ // len(recordings))
    return Recording.write(path, np.resize(np.concatenate([r.samples(share) for r in recordings]), SECONDS * RATE_HZ))


def run(program, path, passes):
    """Runs a program built from cost.c. Returns (speech hops, CPU seconds per hour of sound, bytes of state, SIMD
    body)."""
    done = subprocess.run([program, str(passes), path], capture_output=True, text=True)
    if done.returncode != 0:
        raise Problem(f"{program} failed: {done.stderr.strip()}", os.EX_SOFTWARE)
    hops, speech_hops, seconds, state, simd = done.stdout.split()
    return int(speech_hops), float(seconds) * per_hour(int(hops)), int(state), simd


def per_hour(hops):
    return 3600 / (hops * HOP_SAMPLES / RATE_HZ)


def instructions_per_hop(program, path, hops):
    """Returns callgrind's count, which does not depend on the load of the machine, or None if it cannot count."""
    if not shutil.which("valgrind"):
        return None
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
               "--toggle-collect=count_speech_hops", program, "1", path]
    said = subprocess.run(command, capture_output=True, text=True).stderr
    found = re.search(r"Collected : (\d+)", said)
    if not found:
        print(f"compare: valgrind cannot run {program}; no instructions are counted", file=sys.stderr)
        return None
    return int(found[1]) / hops


def shared_bytes(object_file):
    """Returns the size of a detector's code and constants, which all streams of a process share."""
    text, data = subprocess.run(["size", object_file], capture_output=True, text=True, check=True) \
        .stdout.splitlines()[1].split()[:2]
    return int(text) + int(data)


def speech_hops_scored(sound, ours):
    """Returns the speech hops that the scored detectors find in the timed sound. The C programs must find as many."""
    _, (decisions,) = ours.scores_and_decisions([sound])
    return {"webrtc": WebRTC.decisions(sound)[3].sum(), "ours": decisions.sum()}


def network_bytes(network):
    """Returns detectors.network_bytes from a process of its own, where no memory that others freed hides some."""
    code = f"import json, detectors; print(json.dumps(detectors.network_bytes({type(network).__name__!r})))"
    run = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def network_seconds(network, samples):
    """Returns the CPU seconds of this thread while a network follows one stream."""
    start = time.thread_time()
    network.probabilities(samples)
    return time.thread_time() - start


def measure(build, folder, recordings, networks, ours):
    """Returns ({detector: figures}, the core's SIMD body)."""
    sound = excerpt(recordings, folder / "excerpt.wav")
    raw = folder / "excerpt.s16"
    sound.samples().tofile(raw)
    inputs = {network: network.input(sound) for network in networks}
    best, simd, state = {}, {}, {}
    expected = speech_hops_scored(sound, ours)
    for _ in range(ROUNDS):
        for name in ("webrtc", "ours"):
            speech_hops, seconds, state[name], simd[name] = run(build / f"cost_{name}", raw, PASSES)
            if speech_hops != expected[name]:
                raise Problem(f"cost_{name} finds {speech_hops} hops with speech where the detector that was scored "
                              f"finds {expected[name]}: they are not the same version", os.EX_SOFTWARE)
            best[name] = min(seconds, best.get(name, seconds))
        for network, samples in inputs.items():
            seconds = network_seconds(network, samples) * per_hour(sound.hops)
            best[network.key] = min(seconds, best.get(network.key, seconds))

    programs = {name: build / f"cost_{name}" for name in ("webrtc", "ours")}
    shared = {name: shared_bytes(build / f"{name}.o") for name in programs}
    for network in networks:
        shared[network.key], state[network.key] = network_bytes(network)
    counted = {name: instructions_per_hop(program, raw, sound.hops) for name, program in programs.items()}
    figures = {name: {"cpu_seconds_per_hour": best[name], "cpu_ratio": best[name] / best["webrtc"],
                   "instructions_per_hop": counted.get(name), "stream_bytes": state[name],
                   "shared_bytes": shared[name]} for name in best}
    return figures, simd["ours"]
