#!/usr/bin/env python3
"""Decodes recordings to 16 kHz mono, once, and labels the speech in them.

    python3 Training/material.py WORK --speech DIR … --noise DIR … --speechless DIR … --music DIR … [--teacher silero]

Writes WORK/speech.s16, noise.s16 and music.s16, all recordings one after another as 16-bit samples, each with a
.npz that tells their names, families, lengths and, of speech, labels. Every audio file in the folders is taken that
libsndfile or ffmpeg reads, of each at most the first two minutes.

A *family* is what should sound alike: the folder that a file lies in, and the part of its name before a last number
(bark-0012). Mixtures are drawn family by family, so that a large collection does not drown the small ones.

Speech should be near-clean. Without a teacher its labels come from its energy alone. With one, the teacher says which
of it is speech; and recordings of --noise in which it hears speech are left out (those of --speechless are not).

Recordings that labelled sets hold are left out, with a line for each.
"""

import itertools
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess

os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')

import numpy as np
import soundfile
from scipy.signal import resample_poly

import labelled
from debian import SUFFIXES
from exits import DATA, IO, NO_INPUT, Parser, fail
from features import RATE
from labels import label

LONGEST = 120                # s taken of a recording
SHORTEST = 0.1               # s
PEAK = 0.9                   # of full scale, after decoding
SILENT = 1e-3                # peaks below hold nothing
HEARS_SPEECH = 0.5           # the teacher's posterior from which noise is taken for speech
SURE_SPEECH = 0.8            # … and that a speech recording must reach somewhere
AT_ONCE = 512                # recordings held in memory


def family(path, root):
    numbered = re.fullmatch(r'(.+)-\d+', path.stem)
    parts = [root.name, *path.parent.relative_to(root).parts] + ([numbered[1]] if numbered else [])
    return '/'.join(parts)


def recordings(folders):
    """(path, family) of every audio file below the folders, in order."""
    found = []
    for folder in folders:
        if not folder.is_dir():
            fail(NO_INPUT, f'{folder}: no such folder')
        paths = sorted(path for path in folder.rglob('*') if path.suffix.lower() in SUFFIXES)
        if not paths:
            fail(NO_INPUT, f'{folder}: no audio file in it (of {" ".join(sorted(SUFFIXES))})')
        root = folder.resolve()  # links lead elsewhere, but their families are here
        found += [(path.resolve(), family(root / path.relative_to(folder), root)) for path in paths]
    return found


def by_ffmpeg(path):
    raw = ['-f', path.suffix[1:]] if path.suffix in ('.g722', '.gsm') else []
    command = ['ffmpeg', '-v', 'quiet', *raw, '-t', str(LONGEST), '-i', str(path)]
    command += ['-f', 'f32le', '-ac', '1', '-ar', str(RATE), '-']
    return np.frombuffer(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout, np.float32)


def decode(path):
    """16-bit samples at 16 kHz, brought to one peak; None for what is too short, silent or broken."""
    try:
        with soundfile.SoundFile(path) as file:
            rate, channels = file.samplerate, file.read(LONGEST * file.samplerate, 'float32', always_2d=True)
        divisor = np.gcd(rate, RATE)
        samples = resample_poly(channels.mean(1), RATE // divisor, rate // divisor)
    except soundfile.SoundFileError:
        samples = by_ffmpeg(path) if shutil.which('ffmpeg') else np.zeros(0)
    peak = np.abs(samples).max(initial=0)
    if len(samples) < SHORTEST * RATE or not np.isfinite(peak) or peak < SILENT:
        return None
    return np.round(samples * (PEAK * 32767 / peak)).astype(np.int16)


def trainable(path):
    """The samples of a recording; None, and a message, for what labelled sets hold (labelled.py)."""
    pcm = decode(path)
    reason = '' if pcm is None else labelled.reason(path, pcm)
    if reason:
        print(f'left out: {path}: {reason}', flush=True)
    return None if reason else pcm


def keep_speech(samples, teacher):
    """(label, weight) of a speech recording, or None if there is none in it."""
    if teacher is not None and teacher.max(initial=0) < SURE_SPEECH:
        return None
    found, weight = label(samples, teacher)
    return (found, weight) if found.any() else None


def keep_noise(samples, teacher):
    silent = np.zeros(0, bool), np.zeros(0, np.float32)
    return None if teacher is not None and teacher.max(initial=0) > HEARS_SPEECH else silent


def judged(pool, sources, keep, teacher):
    """((path, family), samples, (label, weight)) of the recordings that are kept, in order."""
    for first in range(0, len(sources), AT_ONCE):
        some = sources[first : first + AT_ONCE]
        decoded = zip(some, pool.imap(trainable, [path for path, _ in some]))
        decoded = [(source, pcm) for source, pcm in decoded if pcm is not None]
        samples = [pcm.astype(np.float32) / 32768 for _, pcm in decoded]
        opinions = teacher.posteriors(samples) if teacher else [None] * len(samples)
        for (source, pcm), labels in zip(decoded, map(keep, samples, opinions)):
            if labels is not None:
                yield source, pcm, labels


def write(work, kind, kept, asked):
    """One kind's two files."""
    names, families, lengths, labels, weights = [], [], [], [], []
    part = work / f'{kind}.part'
    with open(part, 'wb') as file:
        for (path, group), pcm, (found, weight) in kept:
            file.write(pcm.tobytes())
            names.append(path.name)
            families.append(group)
            lengths.append(len(pcm))
            labels.append(found)
            weights.append(weight.astype(np.float16))
    if not names:
        fail(DATA, f'none of the {asked} recordings of {kind} could be used')
    np.savez(work / f'{kind}.npz', names=names, families=families, lengths=lengths,
             labels=np.concatenate(labels), weights=np.concatenate(weights))
    part.rename(work / f'{kind}.s16')
    hours = sum(lengths) / RATE / 3600
    print(f'{kind}: {len(names)} of {asked} recordings, {len(set(families))} families, {hours:.2f} h', flush=True)


def arguments():
    parser = Parser(__doc__)
    parser.add_argument('work', metavar='WORK', type=pathlib.Path)
    for kind in 'speech', 'noise', 'speechless', 'music':
        parser.add_argument(f'--{kind}', nargs='+', type=pathlib.Path, metavar='DIR', default=[])
    parser.add_argument('--teacher', choices=['silero'])
    parser.add_argument('--jobs', type=int, default=2, metavar='N')
    options = parser.parse_args()
    if not (options.speech and options.music and options.noise + options.speechless):
        parser.error('a folder of each kind is needed: --speech, --noise or --speechless, and --music')
    return options


def main():
    options = arguments()
    teacher = None
    if options.teacher:
        from teacher import Silero  # needs onnxruntime, which nothing else does

        teacher = Silero()
    noise, speechless = recordings(options.noise), recordings(options.speechless)
    speech, music = recordings(options.speech), recordings(options.music)
    options.work.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(options.work / 'mixtures', ignore_errors=True)  # of other material
    with multiprocessing.Pool(options.jobs) as pool:
        write(options.work, 'speech', judged(pool, speech, keep_speech, teacher), len(speech))
        noises = itertools.chain(
            judged(pool, noise, keep_noise, teacher), judged(pool, speechless, keep_noise, None))
        write(options.work, 'noise', noises, len(noise) + len(speechless))
        write(options.work, 'music', judged(pool, music, keep_noise, None), len(music))


if __name__ == '__main__':
    try:
        main()
    except OSError as error:
        fail(IO, f'{error}: make WORK writable; an hour of sound takes 115 MB there')
