#!/usr/bin/env python3
"""Runs a call through the SFU of this folder on a poor path, once with each policy, and compares them.

    sudo Examples/sfu/run.py --server FILE --client FILE --work FOLDER [--policies coordinator naive all] [--svg FILE]

Needs root: the subscriber is in a network namespace of its own, behind a token bucket (tc tbf). `make sfu` builds the
programs and starts this. Four publishers send recorded video in three layers and speak in turn. The path carries 500
kbit/s for 30 s, then 5 Mbit/s; from 60 s on it fails for a second each 10 s; from 90 s on it loses 3 % of the packets.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import analysis
import picture

ROOT = Path(__file__).resolve().parents[2]
PUBLISHERS = 4
TURN = 8.0  # s: how long each of them speaks
LAYERS = {"q": (320, 180, 30, 100_000), "h": (640, 360, 30, 350_000), "f": (1280, 720, 30, 1_200_000)}
VIDEO_SECONDS = 10
VOICES = ["speech.flac", "muted-talk.flac", "stereo-48k.flac", "speech.flac"]
SERVER, CLIENT, SERVER_LINK, CLIENT_LINK = "call-server", "call-client", "call-s0", "call-c0"
ADDRESS = "10.77.0.1"
JOIN = 3.0  # s between the start of the publishers and the subscriber
PHASES = [analysis.Phase("500 kbit/s", 0, 30, 500_000), analysis.Phase("5 Mbit/s", 30, 60, 5_000_000),
          analysis.Phase("outages of 1 s", 60, 90, 5_000_000), analysis.Phase("3 % loss", 90, 120, 5_000_000)]
OUTAGES = [65.0, 75.0, 85.0]
END = PHASES[-1].end


def sh(*command, check=True, **options):
    return subprocess.run([str(word) for word in command], check=check, capture_output=True, text=True, **options)


def inside(namespace, *command):
    return ["ip", "netns", "exec", namespace, *map(str, command)]


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


# ---- The path ----

@contextlib.contextmanager
def path():
    """Two namespaces with a link between them, which carries what `set_rate` says from the server to the client."""
    for name in (SERVER, CLIENT):
        sh("ip", "netns", "del", name, check=False)
        sh("ip", "netns", "add", name)
        sh(*inside(name, "ip", "link", "set", "lo", "up"))
    try:
        sh(*inside(SERVER, "ip", "link", "add", SERVER_LINK, "type", "veth", "peer", "name", CLIENT_LINK, "netns", CLIENT))
        for name, link, address in ((SERVER, SERVER_LINK, ADDRESS), (CLIENT, CLIENT_LINK, "10.77.0.2")):
            sh(*inside(name, "ip", "address", "add", f"{address}/24", "dev", link))
            sh(*inside(name, "ip", "link", "set", link, "up"))
        set_rate(PHASES[0].rate)
        yield
    finally:
        for name in (SERVER, CLIENT):
            sh("ip", "netns", "del", name, check=False)


def set_rate(rate):
    sh(*inside(SERVER, "tc", "qdisc", "replace", "dev", SERVER_LINK, "root", "tbf", "rate", rate, "burst", 6000,
               "latency", "300ms"))


def set_loss(percent):
    """Drops this part of the packets that leave for the client; with 100, everything in both directions."""
    share = "" if percent == 100 else f"meta l4proto udp numgen random mod 100 < {percent}"
    rules = ["flush ruleset"]
    if percent:
        rules += ["add table inet call", "add chain inet call sent { type filter hook output priority 0; }",
                  f"add rule inet call sent oifname {SERVER_LINK} {share} drop"]
    if percent == 100:
        rules += ["add chain inet call received { type filter hook input priority 0; }",
                  f"add rule inet call received iifname {SERVER_LINK} drop"]
    sh(*inside(SERVER, "nft", "-f", "-"), input="\n".join(rules) + "\n")


def schedule():
    """Returns the changes of the path as (time, function)."""
    changes = [(phase.start, lambda rate=phase.rate: set_rate(rate)) for phase in PHASES[1:]]
    for at in OUTAGES:
        changes += [(at, lambda: set_loss(100)), (at + 1, lambda: set_loss(0))]
    return sorted(changes + [(PHASES[3].start, lambda: set_loss(3))], key=lambda change: change[0])


# ---- A call ----

def run_call(policy, options, media, rates, folder):
    """Runs a call and returns what its participants wrote down."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    processes = []

    def begin(namespace, name, *command):
        with open(folder / f"{name}.err", "w") as errors:
            processes.append(subprocess.Popen(inside(namespace, *command), stdout=errors, stderr=errors))
        return processes[-1]

    with path():
        try:
            begin(SERVER, "server", options.server, "-listen", "0.0.0.0:8080", "-policy", policy, "-log",
                  folder / "server.jsonl")
            time.sleep(0.5)
            began = time.time()
            for number in range(PUBLISHERS):
                begin(SERVER, f"publisher-{number + 1}", options.client, "publish", "-participant", number + 1, "-video",
                      media, "-rates", ",".join(map(str, rates)), "-audio",
                      media / f"voice-{number}", "-seconds", END + 2 * JOIN, "-log", folder / f"publisher-{number + 1}.jsonl")
                time.sleep(0.2)  # so that they get their numbers in this order
            time.sleep(max(0, began + JOIN - time.time()))
            joined = time.time()
            subscriber = begin(CLIENT, "subscriber", options.client, "subscribe", "-server", f"http://{ADDRESS}:8080", "-feeds",
                               PUBLISHERS, "-seconds", END, "-log", folder / "subscriber.jsonl")
            for at, change in schedule():
                time.sleep(max(0, joined + at - time.time()))
                change()
            if subscriber.wait(timeout=END) != 0:
                sys.exit(f"sfu: the subscriber failed: {(folder / 'subscriber.err').read_text()}")
            for process in processes[1:-1]:
                process.wait(timeout=4 * JOIN)
        finally:
            for process in processes:
                process.kill()
    return analysis.Call(folder, PHASES, joined, began, speaker)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("server", "client", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--policies", nargs="+", default=["coordinator", "naive", "all"])
    parser.add_argument("--svg", type=Path, help="where to draw the calls")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("sfu: root is needed for the network namespaces: sudo make sfu")
    media = options.work / "media"
    media.mkdir(parents=True, exist_ok=True)
    rates = make_video(media)
    for number in range(PUBLISHERS):
        make_voice(media, number, END + 3 * JOIN)
    calls = {}
    for policy in options.policies:
        print(f"sfu: a call of {END:.0f} s with the policy {policy}", file=sys.stderr, flush=True)
        calls[policy] = run_call(policy, options, media, rates, options.work / policy)
    print(analysis.tables(calls))
    if options.svg:
        options.svg.write_text(picture.draw(calls))


if __name__ == "__main__":
    main()
