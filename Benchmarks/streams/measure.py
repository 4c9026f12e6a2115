#!/usr/bin/env python3
"""Measures how many streams a core can follow: call by call, through the batch entry, with WebRTC's VAD, and with the
networks of Benchmarks/peers.

    Benchmarks/streams/measure.py

Prints Markdown tables in half a minute; the first run fetches the peers from PyPI. This detector and WebRTC's are
compiled by Swift's clang with -O2. The input is recordings of samples/ (speech, a café, a fan, music, keys), with a
different starting point for each stream, in hops of 10 ms of 16-bit samples. These detectors alternate in one process;
the fastest of 30 rounds counts. Streams per core are 10 ms divided by the time of a hop. The networks follow one stream,
called from Python, which costs little beside them; the fastest of 5 rounds counts. Rely on the ratios, because the times
depend on the machine.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'Benchmarks' / 'peers'))
from processor import processor

CORE = ROOT / 'CSupport' / 'CVoiceActivity'
PEERS = ROOT / '.build-peers'
MATERIAL = ('speech', 'speech-cafe-10db', 'speech-fan-0db', 'music', 'keyboard')
FLEETS = (1, 100, 1000, 10_000)


def fail(code, sentence):
    print(f'measure: {sentence}', file=sys.stderr)
    sys.exit(code)


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode:
        fail(70, f'{command[0]} failed: {done.stderr.strip() or done.returncode}')
    return done.stdout


def build(folder):
    """Builds the program streams.c with both detectors."""
    subprocess.run([ROOT / 'Benchmarks' / 'peers' / 'fetch.sh'], check=True)
    clang = Path(os.path.realpath(shutil.which('swift'))).with_name('clang')
    webrtc = PEERS / 'cbits' / 'webrtc' / 'common_audio'
    sources = [*webrtc.glob('vad/*.c'), *webrtc.glob('signal_processing/*.c')]
    run(clang, '-O2', '-w', '-c', '-DWEBRTC_POSIX', '-I', PEERS / 'cbits', *sources, cwd=folder)
    program = folder / 'streams'
    run(clang, '-O2', '-std=c11', '-Wall', '-Wextra', '-isystem', PEERS / 'cbits', '-I', CORE / 'include',
        ROOT / 'Benchmarks' / 'streams' / 'streams.c', *CORE.glob('*.c'), *folder.glob('*.o'), '-lm', '-o', program)
    return program


def sound(folder, rate):
    """Writes the material as raw samples, and returns the path."""
    path = folder / f'{rate}.raw'
    inputs = [word for name in MATERIAL for word in ('-i', ROOT / 'samples' / f'{name}.flac')]
    run('ffmpeg', '-y', '-v', 'error', *inputs, '-filter_complex', f'concat=n={len(MATERIAL)}:v=0:a=1', '-ar', rate,
        '-ac', 1, '-f', 's16le', path)
    return path


def hop_times(program, rate, path, streams):
    """Returns the nanoseconds per hop, by detector, and the SIMD body."""
    simd, *lines = run(program, rate, path, streams).splitlines()
    return {name: float(time) for name, time in map(str.split, lines)}, simd


def row(cells):
    print('| ' + ' | '.join(str(cell) for cell in cells) + ' |', flush=True)


def head(*cells):
    row(cells)
    row(['---'] + ['--:'] * (len(cells) - 1))


def capacity(program, folder):
    _, simd = hop_times(program, 16_000, sound(folder, 16_000), 1)
    print(f'{processor()}; SIMD body of this: {simd}\n')
    head('streams of 10 ms hops', 'WebRTC', 'a call each', 'ratio', 'batch', 'ratio')
    for rate in (16_000, 48_000, 8000):
        path = sound(folder, rate)
        for streams in FLEETS if rate == 16_000 else (1000,):
            times, _ = hop_times(program, rate, path, streams)
            per_core = {name: round(1e7 / time) for name, time in times.items()}
            ratio = {name: f'{times["webrtc"] / times[name]:.2f}' for name in times}
            row([f'{streams:,} at {rate // 1000} kHz', per_core['webrtc'], per_core['single'], ratio['single'],
                 per_core['batch'], ratio['batch']])


def networks(folder):
    print()
    head('networks, one stream at 16 kHz', 'streams')
    command = [PEERS / 'python' / 'bin' / 'python', Path(__file__).with_name('networks.py'), folder / '16000.raw']
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)  # its errors say which are left out
    if done.returncode:
        fail(70, 'networks.py failed')
    for line in done.stdout.splitlines():
        streams, name = line.split('\t')
        row([name, streams])


def main():
    for tool in ('swift', 'ffmpeg'):
        if not shutil.which(tool):
            fail(69, f'{tool} is not on PATH; `make streams` installs what is missing')
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(folder)
        capacity(program, folder)
        networks(folder)


if __name__ == '__main__':
    main()
