#!/usr/bin/env python3
"""Measures whether a profile of the user, learned while unmuted, tells a second person beside them better than the level
does: docs/target-speaker.md.

    Benchmarks/echo/compare.sh speaker --speech FOLDER… [--seed N] [--trials N] [--coloured]

The speech must have the speaker in its names (sounds.speaker_of), and four recordings of each. The user's profile is learned
from three; the fourth is said while muted. A second person, another speaker in the same room, is 8 dB quieter there."""

import argparse
import sys

import numpy as np
from scipy.fft import dct
from scipy.stats import mannwhitneyu

import sounds
from sounds import HOP, RATE
from television import active_power, gain, room, trimmed, turned_away

WINDOW = 512
BANDS = 40
BELOW_DB = 8
FALL_HOPS = 4
DECISION_HOPS = (50, 100, 200)   # of speech, over which a decision is taken
PITCH_HZ = (60, 400)
OCTAVE_COST = 0.05


def coloured(random, sound):
    """What another microphone makes of a recording: a tilt of up to 3 dB an octave, and three resonances of up to 8 dB."""
    spectrum, hz = np.fft.rfft(sound), np.maximum(np.fft.rfftfreq(len(sound), 1 / RATE), 50)
    db = random.uniform(-3, 3) * np.log2(hz / 1000)
    for _ in range(3):
        centre = 2 ** random.uniform(np.log2(150), np.log2(6000))
        db += random.uniform(-8, 8) * np.exp(-(np.log2(hz / centre) / 0.5) ** 2)
    out = np.fft.irfft(spectrum * 10 ** (db / 20), len(sound))
    return out / np.sqrt(active_power(out))


def recordings(random, folders, colours):
    """Returns {speaker: four recordings, at an active level of 0 dBFS}, each `coloured` if so."""
    speakers = {}
    for path in sounds.readable(folders)[0]:
        if speaker := sounds.speaker_of(path):
            speakers.setdefault(speaker, []).append(path)
    chosen = {}
    for speaker, paths in speakers.items():
        clips = [trimmed(sounds.read(path)) for path in paths[:4]]
        if len(clips) == 4 and all(len(clip) > RATE for clip in clips):
            chosen[speaker] = [coloured(random, clip) if colours else clip / np.sqrt(active_power(clip)) for clip in clips]
    return chosen


def filters():
    """Triangles from 100 to 7,000 Hz, evenly spaced on the mel scale: (BANDS, bins)."""
    mel = np.linspace(*(2595 * np.log10(1 + np.array([100, 7000]) / 700)), BANDS + 2)
    edges = 700 * (10 ** (mel / 2595) - 1)
    bins = np.arange(WINDOW // 2 + 1) * RATE / WINDOW
    rise = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    fall = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    return np.clip(np.minimum(rise, fall), 0, None)


FILTERS = filters()


def features(sound):
    """Returns, by hop of speech, the level in dB; the profile's features: bands over their mean, cepstra, and log2 of the
    pitch with whether there is one; and how many of four groups of bands have fallen by 10 dB, and could have."""
    frames = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[::HOP]
    level = 10 * np.log10(np.mean(frames**2, axis=1) + 1e-10)
    speech = level > np.percentile(level, 95) - 20
    power = np.abs(np.fft.rfft(frames * np.hanning(WINDOW))) ** 2
    bands = 10 * np.log10(power @ FILTERS.T + 1e-8)
    groups = bands[:, 8:].reshape(len(bands), 4, 8).mean(axis=2)
    before = np.roll(groups, FALL_HOPS, axis=0)
    loud = before > np.percentile(groups, 5, axis=0) + 12
    rose = groups - before > 4
    lately = np.roll(rose, FALL_HOPS, axis=0) | np.roll(rose, FALL_HOPS + 2, axis=0)  # a key's click rises, too
    fallen = loud & (before - groups > 10) & ~lately
    falls = np.column_stack([fallen.sum(axis=1), loud.sum(axis=1)])[speech]
    frames, level, bands = frames[speech], level[speech], bands[speech]
    bands -= bands.mean(axis=1, keepdims=True)
    shortest, longest = RATE // PITCH_HZ[1], RATE // PITCH_HZ[0]
    spectrum = np.abs(np.fft.rfft(frames - frames.mean(axis=1, keepdims=True), 2 * WINDOW)) ** 2
    same = np.fft.irfft(spectrum)[:, :longest + 1]
    same = same / same[:, :1] / (1 - np.arange(longest + 1) / WINDOW)
    longer = OCTAVE_COST * np.log2(np.arange(shortest, longest + 1))  # two periods are as much alike as one
    lag = shortest + (same[:, shortest:] - longer).argmax(axis=1)
    voiced = same[np.arange(len(lag)), lag] > 0.5
    pitch = np.where(voiced, np.log2(RATE / lag / 150), 0)
    profile = {"long-term spectrum": bands, "cepstra": dct(bands)[:, 1:14] / (2 * BANDS), "pitch": np.column_stack([pitch, voiced])}
    return level, profile, falls


def heard(random, sound, at_db, direct_db, rt60):
    """What the microphone hears of a clip."""
    return (room(random, sound, direct_db, rt60) * gain(at_db) + random.standard_normal(len(sound)) * gain(-75)
            ).astype(np.float32)


def trial(random, speakers, names, number):
    """Returns the profile's material, what the user says while muted, facing the microphone and turned away, and what the
    second person says: features of each."""
    user, other = names[number % len(names)], names[(number + 1 + random.integers(len(names) - 1)) % len(names)]
    level, rt60, own, theirs = random.uniform(-35, -18), random.uniform(.2, .6), random.uniform(6, 14), random.uniform(-4, 6)
    order = random.permutation(4)
    vary = lambda: random.uniform(-5, 5)  # noqa: E731
    learned = [features(heard(random, speakers[user][i], level + vary(), own, rt60)) for i in order[:3]]
    last = speakers[user][order[3]]
    said = {"facing": heard(random, last, level + vary(), own, rt60),
            "turned away": heard(random, turned_away(last), level + vary(), own, rt60),
            "second person": heard(random, speakers[other][random.integers(4)], level - BELOW_DB + vary(), theirs, rt60)}
    return learned, {who: features(sound) for who, sound in said.items()}


def likelihood(x, mean, deviation):
    return (-0.5 * ((x - mean) / deviation) ** 2 - np.log(deviation)).sum(axis=1)


def scores(learned, said, world):
    """Returns {measure: mean over hops of how well what is said fits the user rather than anybody}, and the level over
    the learned one."""
    levels = np.concatenate([level for level, _, _ in learned])
    power = 10 ** (levels / 10)
    values = {"level": lambda n: 10 * np.log10(np.mean(10 ** (said[0][:n] / 10)) / (np.sum(power**2) / np.sum(power)))}
    values["clarity"] = lambda n: np.log((said[2][:n, 0].sum() + 1) / (said[2][:n, 1].sum() + 20))
    for name, x in said[1].items():
        own = np.concatenate([profile[name] for _, profile, _ in learned])
        mean, deviation = world[name]
        fits = (likelihood(x, own.mean(axis=0), deviation) - likelihood(x, mean, deviation)) / x.shape[1]
        values[name] = lambda n, fits=fits: fits[:n].mean()
    return values


def auc(high, low):
    return mannwhitneyu(high, low).statistic / (len(high) * len(low))


def fit(x, y):
    """Logistic regression by Newton's method, a little regularised."""
    x = np.column_stack([x, np.ones(len(x))])
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 1e-2 * np.eye(len(w)), x.T @ (y - p) - 1e-2 * w)
    return w


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", help=argparse.SUPPRESS)
    parser.add_argument("--speech", nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coloured", action="store_true", help="each recording by another microphone")
    parser.add_argument("--trials", type=int, default=600)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    speakers = recordings(random, options.speech, options.coloured)
    if len(speakers) < 8:
        sys.exit("speaker: fewer than 8 speakers with four recordings each: name folders of such speech")
    names = list(random.permutation(sorted(speakers)))
    halves = names[::2], names[1::2]
    material = {half: [trial(random, speakers, halves[half], n) for n in range(options.trials // 2)] for half in (0, 1)}
    print(f"{len(speakers)} speakers; half of them fits the weights, {len(halves[1])} are measured in "
          f"{len(material[1])} trials; a second person {BELOW_DB} dB quieter.\n")
    everything = [profile for learned, _ in material[0] for _, profile, _ in learned]
    world = {name: (x.mean(axis=0), x.std(axis=0)) for name in everything[0]
             for x in [np.concatenate([profile[name] for profile in everything])]}
    measures = ["level", "clarity", "pitch", "long-term spectrum", "cepstra"]
    print("| measure | decided after, s | AUC facing / turned away | second persons accepted where 2 % (5 %) of the users "
          "who face the microphone are rejected, % | of those who turn away, rejected, % |")
    print("|---|--:|--:|--:|--:|")
    for hops in DECISION_HOPS:
        table = {}
        for half, trials in material.items():
            rows = {who: [] for who in ("facing", "turned away", "second person")}
            for learned, said in trials:
                for who, what in said.items():
                    values = scores(learned, what, world)
                    rows[who].append([values[name](hops) for name in measures])
            table[half] = {who: np.array(row) for who, row in rows.items()}
        sets = [*([m] for m in measures), ["level", "clarity"], ["level", "pitch", "long-term spectrum"],
                ["level", "pitch", "long-term spectrum", "cepstra"], measures]
        for chosen in sets:
            columns = [measures.index(m) for m in chosen]
            mean, deviation = table[0]["facing"][:, columns].mean(axis=0), table[0]["facing"][:, columns].std(axis=0)
            pick = lambda half, who: (table[half][who][:, columns] - mean) / deviation  # noqa: E731
            users = np.concatenate([pick(0, "facing"), pick(0, "turned away")[::3]])
            others = pick(0, "second person")
            weights = fit(np.concatenate([users, others]), np.repeat([1.0, 0.0], [len(users), len(others)]))
            value = {who: pick(1, who) @ weights[:-1] for who in table[1]}
            cells = []
            for lost in (2, 5):
                threshold = np.percentile(value["facing"], lost)
                cells.append((100 * np.mean(value["second person"] >= threshold), 100 * np.mean(value["turned away"] < threshold)))
            print(f"| {' + '.join(chosen)} | {hops / 100:g} | {auc(value['facing'], value['second person']):.3f} / "
                  f"{auc(value['turned away'], value['second person']):.3f} | {cells[0][0]:.0f} ({cells[1][0]:.0f}) | "
                  f"{cells[0][1]:.0f} ({cells[1][1]:.0f}) |")


if __name__ == "__main__":
    main()
