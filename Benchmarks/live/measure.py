#!/usr/bin/env python3
"""Measures the cost of `vadmon live`, and its delay.

    Benchmarks/live/measure.py [--program FILE] [--seconds 60] [--words 200]

Prints two Markdown tables in about seven minutes; builds vadmon unless --program names one. The microphone is the
project's virtual device, which plays in real time inside the program's capture thread, so its own work is included in
the measurement.

Cost: `vadmon live --json` at 48 kHz stereo, on the repeated speech of samples/. Processor time and wake-ups (voluntary
context switches) of each thread come from /proc, over the given seconds after a warm-up of two; for comparison,
`arecord` runs on the same kind of device and writes the same frames to /dev/null. Memory is the peak resident set of a
separate run whose device has no sound file in memory.

Delay: words of espeak-ng, cut so that they begin at full strength (the first sample at a tenth of the word's peak),
each after 1.2 s of faint noise. The delay is from the moment at which the word's first sample was made, by the device's
clock, to the moment at which the onset's line can be read from the pipe. It is also split into the part before the line
could be known at all (the position `decided_at`) and the rest, which the program causes.
"""

import argparse
import json
import random
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import wave
from pathlib import Path

from microphone import ROOT, Microphone, build_driver

RATE = 16_000
GAP = 1.2  # seconds before each word

SYLLABLES = "pa ta ka ba da ga bo do go pe te ke ti ki pi po to ko bi di gi be de ge".split()
VOICES = ["en-us", "en-gb", "de", "fr-fr", "es", "it"]


def program():
    subprocess.run(["make", "-C", str(ROOT), "build"], check=True, stdout=sys.stderr)
    return Path(ROOT, "build/program/bin/vadmon")


# Cost


def threads(pid):
    """Returns each thread's processor time in s and its number of waits."""
    found = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        on_cpu_ns = int((task / "schedstat").read_text().split()[0])
        status = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
        found[task.name] = (on_cpu_ns / 1e9, int(status["voluntary_ctxt_switches"]))
    return found


def observe(command, environment, seconds):
    """Returns each thread's share of a core and wake-ups a second, the busiest thread first."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(2)
    before, begin = threads(process.pid), time.monotonic()
    time.sleep(seconds)
    after, elapsed = threads(process.pid), time.monotonic() - begin
    process.send_signal(signal.SIGINT)
    process.wait()
    return sorted(
        ((after[task][0] - was[0]) / elapsed, (after[task][1] - was[1]) / elapsed)
        for task, was in before.items() if task in after)[::-1]


def peak_memory(command, environment):
    """Returns the peak resident MiB in 8 s."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(8)
    status = Path(f"/proc/{process.pid}/status").read_text()
    process.send_signal(signal.SIGINT)
    process.wait()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def cost(vadmon, folder, environment, seconds):
    sound = folder / "talk.wav"
    speech = str(ROOT / "samples/speech.flac")
    repeats = (seconds + 4) // 8 + 1
    subprocess.run(
        ["sox", *[speech] * repeats, "-r", "48000", "-c", "2", "-b", "16", str(sound)], check=True)
    shape = "rate 48000\nchannels 2\nformat S16_LE\n"

    def ours(name, sound):
        microphone = Microphone(folder, name, f"{shape}sound {sound}\n")
        return [str(vadmon), "live", "--json", "--device", microphone.name, "--channels", "2", "--muted"]

    rows = {"vadmon live --json": observe(ours("cost", sound), environment, seconds)}
    if shutil.which("arecord"):
        device = Microphone(folder, "reference", f"{shape}sound {sound}\n").name
        command = ["arecord", "-q", "-D", device, "-f", "S16_LE", "-r", "48000", "-c", "2", "-t", "raw", "/dev/null"]
        command[1:1] = ["--period-time=10000", "--buffer-time=200000"]
        rows["arecord"] = observe(command, environment, seconds)
    print(f"| 48 kHz stereo, {seconds} s | % of a core | by thread | wake-ups a second | by thread |")
    print("|---|--:|--:|--:|--:|")
    for name, found in rows.items():
        shares, waits = zip(*found)
        each = [", ".join(f"{value:.{places}f}" for value in values if value >= 0.005)
                for values, places in (([100 * share for share in shares], 2), (waits, 1))]
        print(f"| `{name}` | {100 * sum(shares):.2f} | {each[0]} | {sum(waits):.1f} | {each[1]} |")
    print(f"\nMemory: {peak_memory(ours('memory', 'ramp'), environment):.1f} MiB\n", flush=True)


# Delay


def word(folder, index, generator):
    """Returns the samples of an invented word that begins at full strength."""
    path = folder / "word.wav"
    text = "".join(generator.choices(SYLLABLES, k=generator.randint(2, 4)))
    voice, pitch = generator.choice(VOICES), generator.randint(20, 80)
    speed = generator.randint(120, 200)
    subprocess.run(["espeak-ng", "-v", voice, "-p", str(pitch), "-s", str(speed), "-w", str(path), text], check=True)
    raw = subprocess.run(
        ["sox", str(path), "-r", str(RATE), "-c", "1", "-b", "16", "-t", "raw", "-e", "signed", "-"],
        check=True, capture_output=True).stdout
    samples = struct.unpack(f"<{len(raw) // 2}h", raw)
    peak = max(map(abs, samples))
    first = next(i for i, sample in enumerate(samples) if abs(sample) * 10 >= peak)
    scale = 0.3 * 32767 / peak
    return [round(sample * scale) for sample in samples[first:]]


def words(folder, count):
    """Writes a recording of `count` words. Returns its path, the start of each word, and its length in frames."""
    generator = random.Random(3)
    samples, onsets = [], []
    for index in range(count):
        samples += (round(generator.gauss(0, 3)) for _ in range(int(GAP * RATE)))
        onsets.append(len(samples))
        samples += word(folder, index, generator)
    samples += [0] * RATE
    path = folder / "words.wav"
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        out.writeframes(struct.pack(f"<{len(samples)}h", *samples))
    return path, onsets, len(samples)


def listen(command, environment, length):
    """Returns the config record, and each onset with the time at which its line arrived."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    config, onsets = None, []
    timer = threading.Timer(length / RATE + 2, lambda: process.send_signal(signal.SIGINT))
    timer.start()
    for line in process.stdout:
        now = time.monotonic_ns()
        record = json.loads(line)
        if record["type"] == "config":
            config = record
        if record["type"] == "onset":
            onsets.append((record["time"], record["decided_at"], now))
    timer.cancel()
    return config, onsets


def find(config, name):
    """Returns a member of a nested record by name, or None."""
    for key, value in config.items():
        if key == name:
            return value
        if isinstance(value, dict) and (inner := find(value, name)) is not None:
            return inner
    return None


def delay(vadmon, folder, environment, count):
    sound, begins, length = words(folder, count)
    microphone = Microphone(folder, "words", f"rate {RATE}\nsound {sound}\n")
    command = [str(vadmon), "live", "--json", "--device", microphone.name, "--rate", str(RATE)]
    config, onsets = listen(command, environment, length)
    start = microphone.start_ns()
    whole, known, own = [], [], []
    for begin in begins:
        at = begin / RATE
        found = [onset for onset in onsets if at - 0.1 <= onset[0] < at + GAP]
        if found:
            time_s, decided_at, now = found[0]
            whole.append((now - start) / 1e6 - 1000 * at)
            known.append(1000 * (decided_at - at))
            own.append((now - start) / 1e6 - 1000 * decided_at)
    debounce, lookahead = find(config, "onset_debounce_ms"), find(config, "lookahead_ms")
    bound = debounce + lookahead + 30
    print(f"{len(whole)} of {count} words heard; onset debounce {debounce} ms, look-ahead {lookahead} ms;")
    print(f"{sum(value <= bound for value in whole)} within these and 30 ms more\n")
    print("| ms | median | 95 % | 99 % | most |\n|---|--:|--:|--:|--:|")
    for name, values in {
        "from sound to line": whole, "of that, until it could be known": known, "of that, the program's": own,
    }.items():
        values.sort()
        at = [values[min(len(values) - 1, int(share * len(values)))] for share in (0.95, 0.99)]
        print(f"| {name} | {statistics.median(values):.1f} | {at[0]:.1f} | {at[1]:.1f} | {values[-1]:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--words", type=int, default=200)
    options = parser.parse_args()
    vadmon = options.program or program()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = build_driver(folder)
        cost(vadmon, folder, environment, options.seconds)
        delay(vadmon, folder, environment, options.words)


if __name__ == "__main__":
    main()
