#!/usr/bin/env python3
"""Measures `vadmon analyze --files-from -` as a worker: memory, start-up, and the cost of a second of sound by format.

    Benchmarks/worker.py [VADMON] [--names 20000] [--minutes 30]      (default: .build/release/vadmon)
    Benchmarks/worker.py [VADMON] --against OTHER [--minutes 60]

Memory is the resident set after the first 500 names and after the last; each name is written after the result of the
previous one has arrived. Start-up and seconds of sound are counted in instructions (valgrind), which do not depend on
the load of the machine; time is shown as a ratio to sha256sum and to `ffmpeg -f null` over the same files in the same
run, one thread each. Needs sox, ffmpeg, opus-tools, lame and valgrind.

With --against, compares the instructions of whole runs with those of another program, and exits with 1 if any run
takes over 3 % more.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPEECH = ROOT / "samples/speech.flac"  # ten seconds
BRIEF_SECONDS = 10
WORKER = ["analyze", "--files-from", "-", "--format", "file-jsonl", "--quiet", "--accept-bad", "--jobs", "1"]


def sox(*arguments):
    subprocess.run(["sox", "-R", "-V1", *map(str, arguments)], check=True)


def resident_kib(pid):
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def memory(vadmon, folder, count):
    """Returns the resident KiB after 500 and after all names: `count` files of a second, alternating three formats."""
    sources = []
    for ending in ("wav", "flac", "ogg"):
        sources.append(folder / f"second.{ending}")
        sox(SPEECH, sources[-1], "trim", 1, 1)
    names = []
    for index in range(count):
        source = sources[index % len(sources)]
        names.append(folder / f"{index:06}{source.suffix}")
        os.link(source, names[-1])
    process = subprocess.Popen([vadmon, *WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for number, name in enumerate(names, 1):
        process.stdin.write(os.fsencode(name) + b"\n")
        process.stdin.flush()
        assert b'"type": "file"' in process.stdout.readline()
        if number == 500:
            early = resident_kib(process.pid)
    late = resident_kib(process.pid)
    process.stdin.close()
    assert process.wait() == 0
    return early, late


def instructions(vadmon, names):
    """Counts the instructions of a whole run over `names`, including start-up.

    `rep movsb`, with which glibc copies from some KiB on, is one instruction, but valgrind counts each byte. glibc is
    told to copy with other instructions."""
    tunables = {**os.environ, "GLIBC_TUNABLES": f"glibc.cpu.x86_rep_movsb_threshold={1 << 30}"}
    run = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", vadmon,
                          *WORKER], input="".join(f"{name}\n" for name in names), env=tunables, text=True,
                         capture_output=True, check=True)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", run.stderr)[1].replace(",", ""))


def processor_seconds(command, input=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=input, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_formats(folder, seconds):
    """Writes the same sound in formats common in archives, with sox or, where it cannot, with other encoders."""
    repeats = seconds // 10 - 1
    mono, stereo = folder / "16k.wav", folder / "48k-stereo.wav"
    sox(SPEECH, mono, "repeat", repeats)
    sox(SPEECH, "-r", 48000, "-c", 2, stereo, "repeat", repeats)
    for name, wav in (("16k.flac", mono), ("48k-stereo.flac", stereo)):
        sox(wav, folder / name)
    sox(mono, "-r", 8000, "-e", "a-law", folder / "8k-alaw.wav")
    quietly = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(["opusenc", "--quiet", "--bitrate", "32", mono, folder / "48k-32kbit.opus"], **quietly)
    subprocess.run(["lame", "--quiet", "-b", "64", stereo, folder / "48k-stereo-64kbit.mp3"], **quietly)
    return sorted(path for path in folder.iterdir())


def stripped(vadmon, copy):
    """Strips a copy of the program: valgrind 3.19 cannot read this compiler's DWARF 5."""
    subprocess.run(["strip", "--strip-debug", "-o", copy, vadmon], check=True)
    return copy


def show_formats(vadmon, folder, minutes):
    brief, long = folder / "brief", folder / "long"
    bare = stripped(vadmon, folder / "vadmon")
    start = instructions(bare, [])
    print(f"start-up: {start / 1e6:.1f} M instructions\n")
    print("format                   kB/s  M instr./s  as start-up  h/core h  MB/s a core  x sha256sum  x ffmpeg")
    for folder_of, seconds in (brief, BRIEF_SECONDS), (long, minutes * 60):
        folder_of.mkdir()
        make_formats(folder_of, seconds)
    for file in sorted(long.iterdir()):
        # The difference of two runs excludes the start-up.
        once, twice = (instructions(bare, [brief / file.name] * count) for count in (1, 2))
        per_second = (twice - once) / BRIEF_SECONDS
        own = processor_seconds([vadmon, *WORKER], f"{file}\n")
        digest = processor_seconds(["sha256sum", file])
        decode = processor_seconds(["ffmpeg", "-nostdin", "-threads", "1", "-i", file, "-f", "null", "-"])
        rate = file.stat().st_size / (minutes * 60) / 1000
        speed = minutes * 60 / own
        print(f"{file.name:24} {rate:5.0f} {per_second / 1e6:11.2f} {start / per_second:10.1f} s {speed:9.0f}"
              f" {speed * rate / 1000:12.0f} {own / digest:12.1f} {own / decode:9.2f}", flush=True)


def make_runs(folder, minutes):
    """Returns the recordings of each run to compare, by its name."""
    second, long = folder / "second", folder / "long"
    long.mkdir()
    make_formats(long, minutes * 60)
    for name, options in (("24bit.wav", ["-b", 24]), ("float.wav", ["-e", "float", "-b", 32]), ("8bit.wav", ["-b", 8]),
                          ("24bit.flac", ["-b", 24]), ("16k.aiff", []), ("16k.caf", []), ("16k.au", [])):
        sox(long / "16k.wav", *options, long / name)
    for name, rate in ("16k", 32), ("48k-stereo", 128):
        command = ["lame", "--quiet", "-b", str(rate), long / f"{name}.wav", long / f"{name}-{rate}kbit.mp3"]
        subprocess.run(command, check=True)
    second.mkdir()
    for ending in ("wav", "flac", "ogg"):
        sox(SPEECH, second / f"1.{ending}", "trim", 1, 1)
    subprocess.run(["lame", "--quiet", second / "1.wav", second / "1.mp3"], check=True)
    short = sorted(second.iterdir())
    runs = {"start-up": [], "1 s of WAV": [second / "1.wav"], "200 s in 200 files": short * (200 // len(short))}
    return runs | {f"{minutes} min of {file.name}": [file] for file in sorted(long.iterdir())}


def compare(vadmon, other, folder, minutes):
    programs = [stripped(other, folder / "before"), stripped(vadmon, folder / "after")]
    print(f"| M instructions | {other} | {vadmon} | ratio |\n|---|--:|--:|--:|")
    dearer = []
    for name, files in make_runs(folder, minutes).items():
        before, after = (instructions(program, files) for program in programs)
        print(f"| {name} | {before / 1e6:.1f} | {after / 1e6:.1f} | {after / before:.3f} |", flush=True)
        if after > 1.03 * before:
            dearer.append(name)
    if dearer:
        sys.exit(f"worker.py: over 3 % more: {', '.join(dearer)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("vadmon", nargs="?", default=ROOT / ".build/release/vadmon", type=lambda path: Path(path).resolve())
    parser.add_argument("--names", type=int, default=20_000)
    parser.add_argument("--minutes", type=int, default=30, help="of sound in each format")
    parser.add_argument("--against", metavar="OTHER", type=Path, help="another program, to compare instructions")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.against:
            return compare(arguments.vadmon, arguments.against, folder, arguments.minutes)
        sounds = folder / "names"
        sounds.mkdir()
        early, late = memory(arguments.vadmon, sounds, arguments.names)
        print(f"memory: {early:,} KiB after 500 names, {late:,} KiB after {arguments.names:,}")
        show_formats(arguments.vadmon, folder, arguments.minutes)


if __name__ == "__main__":
    main()
