#!/usr/bin/env python3
"""Fits the weights in CSupport/CVoiceActivity/posterior.c.

    python3 Training/fit_posterior.py SPEECH_DIR NOISE_DIR [NOISE_DIR …]

SPEECH_DIR: recordings of near-clean speech, any format that ffmpeg reads, short ones are fine.
NOISE_DIR: recordings without speech: ambience, machines, music.
Needs numpy, scipy, ffmpeg and clang. Two minutes on one core for an hour of mixtures. Prints the C tables.

Mixtures: 20 s each; two thirds with utterances at -3 … 3 dB among each other and pauses of 0 … 3 s between them;
background made of one to a few noises; SNR -3 … 30 dB; white noise 30 … 60 dB below; level -50 … -15 dBFS. Labels:
hops within 32 dB of an utterance's loudest, gaps of at most 80 ms filled.
Model: logistic regression on the seven features and their pairwise products, speech hops weighing twice.
"""
import argparse
import pathlib
import random
import subprocess
import tempfile

import numpy as np
from scipy.optimize import minimize

CORE = pathlib.Path(__file__).resolve().parent.parent / 'CSupport' / 'CVoiceActivity'
RATE, HOP, SECONDS = 16000, 160, 20
LOOKAHEAD_HOPS = 2      # VA_LOOKAHEAD_HOPS
SPEECH_WEIGHT = 2.0
CONSTANT_SHIFT = 1.5    # added to the fitted constant: calls hold more speech than the mixtures
# centre and scale of each feature, as in posterior.c
CENTRE = np.array([8, 8, 0.3, 5, -8, 3, 5])
SCALE = np.array([10, 10, 0.2, 10, 10, 3, 5])


def decode(path):
    command = ['ffmpeg', '-v', 'error', '-i', str(path), '-f', 'f32le', '-ac', '1', '-ar', str(RATE), '-']
    return np.frombuffer(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout, np.float32)


def load(folders, count, least, rng):
    files = sorted(p for f in folders for p in pathlib.Path(f).rglob('*') if p.is_file())
    rng.shuffle(files)
    return [x for x in (decode(p) for p in files[:count]) if len(x) > least]


def active_hops(x):
    energy = 10 * np.log10((x[:len(x) // HOP * HOP].reshape(-1, HOP) ** 2).mean(1) + 1e-9)
    active = energy > energy.max() - 32
    on = np.flatnonzero(active)
    for a, b in zip(on, on[1:]):
        if b - a <= 8:
            active[a:b] = True
    return active


def talk(speech, rng, noise):
    """Utterances one after another, and the hops at which they sound."""
    x, y = np.zeros(SECONDS * RATE, np.float32), np.zeros(SECONDS * RATE // HOP, bool)
    at = int(noise.uniform(0, 3) * RATE) // HOP * HOP
    while True:
        s = speech[rng.randrange(len(speech))]
        if at + len(s) > len(x):
            return x, y
        a = active_hops(s)
        rms = np.sqrt((s[:len(a) * HOP].reshape(-1, HOP)[a] ** 2).mean())
        x[at:at + len(s)] += s / max(rms, 1e-4) * 10 ** (noise.uniform(-3, 3) / 20)
        y[at // HOP:at // HOP + len(a)] |= a
        pause = noise.uniform(0, 0.3) if rng.random() < 0.5 else noise.uniform(0.3, 3)
        at = (at + len(s) + int(pause * RATE)) // HOP * HOP


def background(noises, rng, noise):
    parts, length = [], 0
    while length < SECONDS * RATE:
        x = noises[rng.randrange(len(noises))]
        times = 1 if len(x) > SECONDS * RATE // 2 else rng.choice([1, 3, 5])
        gain = 10 ** (noise.uniform(-4, 4) / 20) / (np.sqrt((x ** 2).mean()) + 1e-6)
        parts.append(np.tile(x * gain, times))
        length += len(parts[-1])
    return np.concatenate(parts)[:SECONDS * RATE]


def mixture(index, speech, noises, rng, noise):
    empty = index % 3 == 2
    x, y = (np.zeros(SECONDS * RATE), np.zeros(SECONDS * RATE // HOP, bool)) if empty else talk(speech, rng, noise)
    snr = noise.uniform(-10, 10) if empty else noise.uniform(-3, 30)
    hiss = noise.standard_normal(len(x)) * 10 ** (noise.uniform(-60, -30) / 20)
    x = x + background(noises, rng, noise) * 10 ** (-snr / 20) + hiss
    return np.clip(x * 10 ** (noise.uniform(-50, -15) / 20), -1, 1).astype(np.float32), y


def build_features_program(folder):
    program = pathlib.Path(folder) / 'features'
    subprocess.run(['clang', '-std=c11', '-O2', f'-I{CORE}', f'-I{CORE}/include', str(pathlib.Path(__file__).with_name('features.c')),
                    *map(str, CORE.glob('*.c')), '-lm', '-o', str(program)], check=True)
    return program


def expand(features):
    z = np.clip((features - CENTRE) / SCALE, -3, 3)
    i, j = np.triu_indices(z.shape[1])
    return np.concatenate([np.ones((len(z), 1)), z, z[:, i] * z[:, j]], 1)


def fit(x, y):
    weight = np.where(y, SPEECH_WEIGHT, 1.0)
    weight /= weight.mean()

    def loss(w):
        t = x @ w
        p = 1 / (1 + np.exp(-t))
        value = (weight * (np.logaddexp(0, t) - y * t)).mean() + 1e-4 * (w @ w)
        return value, x.T @ (weight * (p - y)) / len(y) + 2e-4 * w

    return minimize(loss, np.zeros(x.shape[1]), jac=True, method='L-BFGS-B', options={'maxiter': 500}).x


def print_tables(w):
    n = len(CENTRE)
    print(f'static const float bias = {w[0] + CONSTANT_SHIFT:.3f}f;')
    print('static const float linear[VA_FEATURES] = {' + ', '.join(f'{v:.3f}f' for v in w[1:1 + n]) + '};')
    products = np.zeros((n, n))
    products[np.triu_indices(n)] = w[1 + n:]
    print('static const float products[VA_FEATURES][VA_FEATURES] = {')
    for row in products:
        print('    {' + ', '.join(f'{v:.3f}f' if v else '0' for v in row) + '},')
    print('};')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('speech')
    parser.add_argument('noise', nargs='+')
    parser.add_argument('--mixtures', type=int, default=180)
    parser.add_argument('--seed', type=int, default=5)
    a = parser.parse_args()
    rng, noise = random.Random(a.seed), np.random.default_rng(a.seed)
    speech, noises = load([a.speech], 500, 3000, rng), load(a.noise, 500, 4000, rng)
    rows, labels = [], []
    with tempfile.TemporaryDirectory() as folder:
        program = build_features_program(folder)
        for index in range(a.mixtures):
            x, y = mixture(index, speech, noises, rng, noise)
            out = subprocess.run([program], input=x.tobytes(), stdout=subprocess.PIPE, check=True).stdout
            f = np.frombuffer(out, np.float32).reshape(-1, len(CENTRE))[LOOKAHEAD_HOPS:]
            heard = ~np.isnan(f[:, 0])
            rows.append(f[heard])
            labels.append(y[:len(f)][heard])
    print_tables(fit(expand(np.concatenate(rows).astype(float)), np.concatenate(labels)))


if __name__ == '__main__':
    main()
