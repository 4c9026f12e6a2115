#!/usr/bin/env python3
"""Runs calls through the SFU of this folder on poor paths, once with each policy, and compares them.

    sudo Examples/sfu/run.py --server FILE --client FILE --work FOLDER [--calls varying harsh] [--runs 2]
                             [--policies coordinator naive all] [--svg FOLDER]

Needs root: the subscriber is in a network namespace of its own, behind a token bucket (tc tbf). `make sfu` builds the
programs and starts this. Four publishers send recorded video in three layers and speak in turn. CALLS says what the paths
are like.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import analysis
import picture
from path import Line, Link, in_turn, sh

ROOT = Path(__file__).resolve().parents[2]
PUBLISHERS = 4
TURN = 8.0  # s: how long each of them speaks
LAYERS = {"q": (320, 180, 30, 100_000), "h": (640, 360, 30, 350_000), "f": (1280, 720, 30, 1_200_000)}
VIDEO_SECONDS = 10
VOICES = ["speech.flac", "muted-talk.flac", "stereo-48k.flac", "speech.flac"]
JOIN = 3.0  # s between the start of the publishers and the subscriber
WIDE = Line(5_000_000)


def outages(seconds):
    """Returns the lines of a phase of 30 s with three outages of a wide path."""
    return [(0, WIDE)] + [change for at in (5, 15, 25) for change in ((at, replace(WIDE, loss=100)), (at + seconds, WIDE))]


CALLS = {
    "varying": in_turn(
        ("500 kbit/s", 30, [(0, Line(500_000))]), ("5 Mbit/s", 30, [(0, WIDE)]), ("outages of 1 s", 30, outages(1)),
        ("3 % loss", 30, [(0, replace(WIDE, loss=3))])),
    "harsh": in_turn(
        ("outages of 2 s", 30, outages(2)),
        ("4 Mbit/s and 300 kbit/s", 40, [(10 * turn, Line(300_000 if turn % 2 else 4_000_000)) for turn in range(4)]),
        ("queue of 2 s", 30, [(0, Line(1_000_000, queue=2))]),
        ("20 % loss", 30, [(0, replace(WIDE, loss=20))])),
}


# ---- Media ----

def make_video(folder):
    """Encodes the layers, with a key frame each second, because a recording cannot make one when it is asked to. Returns
    their rates, which are not quite those that the encoder is asked for."""
    rates = []
    for rid, (width, height, frames, rate) in LAYERS.items():
        file = folder / f"{rid}.ivf"
        sh("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc=size={width}x{height}:rate={frames}", "-t",
           VIDEO_SECONDS, "-c:v", "libvpx", "-b:v", rate, "-minrate", rate, "-maxrate", rate, "-bufsize", rate // 2, "-g",
           frames, "-deadline", "realtime", "-cpu-used", 8, file)
        rates.append(file.stat().st_size * 8 // VIDEO_SECONDS)
    return rates


def make_voice(folder, number, seconds):
    """Makes a voice that speaks in its turns: Opus in pages of a packet, and the same as PCM."""
    turn, wav = folder / "turn.wav", folder / f"voice-{number}.wav"
    rest = (PUBLISHERS - 1 - number) * TURN
    sh("sox", ROOT / "samples" / VOICES[number], "-r", 48000, "-c", 1, "-b", 16, turn, "trim", 0, TURN - 0.5, "gain", "-n", -6,
       "pad", number * TURN, rest + 0.5)
    sh("sox", turn, wav, "trim", 0, PUBLISHERS * TURN, "repeat", int(seconds / TURN / PUBLISHERS) + 1, "trim", 0, seconds)
    sh("ffmpeg", "-v", "error", "-y", "-i", wav, "-c:a", "libopus", "-b:a", 24_000, "-page_duration", 20_000,
       wav.with_suffix(".ogg"))
    sh("sox", wav, "-t", "s16", wav.with_suffix(".s16"))


def speaker(at):
    """Returns whose turn it is, as a participant's number, at a time after the publishers' start."""
    return int(at / TURN) % PUBLISHERS + 1


# ---- A call ----

def run_call(policy, phases, options, media, rates, folder):
    """Runs a call and returns what its participants wrote down."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    processes, end = [], phases[-1].end

    def begin(name, *command):
        with open(folder / f"{name}.err", "w") as errors:
            processes.append(subprocess.Popen(command, stdout=errors, stderr=errors))
        return processes[-1]

    with Link(f"{policy[:4]}{os.getpid()}", "10.77.0") as link:
        try:
            link.set(phases[0].lines[0][1])
            begin("server", *link.at_server(options.server, "-listen", "0.0.0.0:8080", "-policy", policy, "-log",
                                            folder / "server.jsonl"))
            time.sleep(0.5)
            began = time.time()
            for number in range(PUBLISHERS):
                begin(f"publisher-{number + 1}", *link.at_server(
                    options.client, "publish", "-participant", number + 1, "-video", media, "-rates",
                    ",".join(map(str, rates)), "-audio", media / f"voice-{number}", "-seconds", end + 2 * JOIN, "-log",
                    folder / f"publisher-{number + 1}.jsonl"))
                time.sleep(0.2)  # so that they get their numbers in this order
            time.sleep(max(0, began + JOIN - time.time()))
            joined = time.time()
            subscriber = begin("subscriber", *link.at_client(
                options.client, "subscribe", "-server", f"http://{link.address}:8080", "-feeds", PUBLISHERS, "-seconds", end,
                "-log", folder / "subscriber.jsonl"))
            link.follow(phases, joined)
            if subscriber.wait(timeout=end) != 0:
                sys.exit(f"sfu: the subscriber failed: {(folder / 'subscriber.err').read_text()}")
            for process in processes[1:-1]:
                process.wait(timeout=4 * JOIN)
        finally:
            for process in processes:
                process.kill()
    return analysis.Call(folder, phases, joined, began, speaker)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("server", "client", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--calls", nargs="+", choices=CALLS, default=["varying", "harsh"])
    parser.add_argument("--policies", nargs="+", default=["coordinator", "naive", "all"])
    parser.add_argument("--runs", type=int, default=2, help="how often each call is run")
    parser.add_argument("--svg", type=Path, help="the folder for pictures of the first runs, CALL.svg")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("sfu: root is needed for the network namespaces: sudo make sfu")
    media = options.work / "media"
    media.mkdir(parents=True, exist_ok=True)
    rates = make_video(media)
    longest = max(CALLS[name][-1].end for name in options.calls)
    for number in range(PUBLISHERS):
        make_voice(media, number, longest + 3 * JOIN)
    for name in options.calls:
        runs = []
        for run in range(1, options.runs + 1):
            print(f"sfu: the {name} call of {CALLS[name][-1].end:.0f} s, run {run}; load {os.getloadavg()[0]:.1f}",
                  file=sys.stderr, flush=True)
            with ThreadPoolExecutor() as pool:  # at the same time, so that what else the machine does disturbs all alike
                runs.append(dict(zip(options.policies, pool.map(
                    lambda policy: run_call(policy, CALLS[name], options, media, rates, options.work / f"{name}-{policy}-{run}"),
                    options.policies))))
        print(analysis.tables(runs), flush=True)
        if options.svg:
            (options.svg / f"{name}.svg").write_text(picture.draw(runs[0]))


if __name__ == "__main__":
    main()
