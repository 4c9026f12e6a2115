#!/usr/bin/env python3
"""Measures notices of a television, or of the next desk, while the user is muted: with the user's own level and without.

Renders scenes from folders of speech and of noise, and runs the C core on them with the preset `notice`. In a scene the
user talks unmuted for 20 to 45 s, mutes, is silent for 60 s while a television plays, and then speaks a few times while
muted; in half of the scenes, the television goes on then. It is 6 to 30 dB below the user, in a room, band-limited; half of
the scenes have it from the start, half only from the mute on. Each is heard once more with a keyboard from the mute on. In
other scenes the user becomes 10 dB quieter at the mute and talks at once. television.md says more.

    Benchmarks/echo/compare.sh television --speech FOLDER… --noise FOLDER… [--half 0|1] [--scenes N] [--seed N]
                                          [--margin DB…]

A clip belongs to half 0 or 1 by the CRC-32 of its name: constants were chosen on half 0, television.md shows half 1."""

import argparse
import math
import pathlib
import sys
import typing
from collections import Counter

import numpy as np
import scipy.signal as signal
import soundfile

import sounds
from methods import Core
from report import table
from scoring import poisson_interval
from sounds import HOP, RATE, voices

KEYS = pathlib.Path(__file__).parents[2] / "samples/keyboard.flac"
TELEVISION_SECONDS = 60
DISTANCES = (9, 12, 15, 18, 21, 24, 27)  # dB, each within 1.5 and the last ones with what is beyond
TALK_SECONDS = 20
TOO_HIGH_DB = 10
RELEASE_SECONDS = 2  # so long after the user, no notice is the television's

# ---- sounds ---------------------------------------------------------------------------------------------------------


def active_power(sound):
    """The mean square of the hops that are within 16 dB of the mean of those hops (as ITU-T P.56 does, iterated)."""
    powers = np.mean(np.square(sound[:len(sound) // HOP * HOP].reshape(-1, HOP)), axis=1)
    power = powers.mean()
    for _ in range(4):
        power = powers[powers > power / 40].mean() if np.any(powers > power / 40) else power
    return max(power, 1e-12)


def trimmed(sound):
    """Without what is more than 30 dB below the loudest 10 ms, at the beginning and at the end."""
    powers = np.mean(np.square(sound[:len(sound) // HOP * HOP].reshape(-1, HOP)), axis=1)
    loud = np.flatnonzero(powers > powers.max() / 1000)
    return sound[loud[0] * HOP:(loud[-1] + 1) * HOP]


def load_keys(path):
    keys, rate = soundfile.read(path, dtype="float32")
    assert rate == RATE and keys.ndim == 1
    return keys / np.abs(keys).max()


def load(folders, half, trim=False):
    clips = []
    for path in sorted(path for folder in folders for path in pathlib.Path(folder).iterdir()):
        # By recording, unlike sounds.is_of_half: so the constants were chosen.
        if half not in (None, sounds.half_of(path.name)):
            continue
        try:
            sound, rate = soundfile.read(path, dtype="float32", always_2d=True)
        except soundfile.LibsndfileError:
            continue
        sound = sound[:, 0]
        if rate != RATE:
            sound = signal.resample_poly(sound, RATE, rate).astype(np.float32)
        if len(sound) >= RATE // 4 and np.any(sound):
            sound = trimmed(sound) if trim else sound
            clips.append((sound / math.sqrt(active_power(sound))).astype(np.float32))  # active level: 0 dBFS
    return clips


def gain(db):
    return 10 ** (db / 20)


def room(random, sound, direct_db, seconds):
    """Adds the tail of a room: noise that decays by 60 dB in `seconds`. direct_db: the direct sound over the tail."""
    length = int(RATE * seconds)
    tail = random.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    tail[:RATE // 500] = 0
    tail *= gain(-direct_db) / math.sqrt(np.sum(tail ** 2))
    return sound + signal.oaconvolve(sound, tail)[:len(sound)].astype(np.float32)


def speak(random, clips, count, pause, level):
    """Utterances of at least 1.5 s with pauses between them; level: the offset of an utterance in dB."""
    sound, spans, at = np.zeros(count, np.float32), [], random.uniform(*pause)
    while True:
        parts, length = [], 0
        while length < 1.5 * RATE:
            part = clips[random.integers(len(clips))]
            parts += [part, np.zeros(int(RATE * random.uniform(.02, .15)), np.float32)]
            length += len(part)
        utterance = np.concatenate(parts)
        start = int(at * RATE)
        if start + len(utterance) > len(sound):
            return sound, spans
        sound[start:start + len(utterance)] += utterance * gain(level())
        spans.append((start, start + len(utterance)))
        at = (start + len(utterance)) / RATE + random.uniform(*pause)


def turned_away(sound):
    """10 dB quieter, and duller: one pole at 1.2 kHz, scaled to the level asked for."""
    dull = signal.lfilter(*signal.butter(1, 1200, fs=RATE), sound)
    return (dull * gain(-10) * math.sqrt(active_power(sound) / active_power(dull))).astype(np.float32)


def quieter(sound, random):
    return sound * gain(-random.uniform(5, 10))


def whispered(sound, random):
    """As Training makes whispers of speech: 4 to 14 dB quieter where there is a voice, which low frequencies lose most."""
    return voices.whispered(sound.astype(np.float64), random).astype(np.float32)


MANNERS = {"facing": lambda sound, random: sound, "quiet": quieter, "turned away": lambda sound, random: turned_away(sound),
           "whispering": whispered}


def television(random, speech, mix):
    """One voice or three, sometimes over music or noise, through small loudspeakers in a room. Active level: 0 dBFS."""
    voices = 1 if random.random() < .5 else 3
    sound = sum(speak(random, speech, len(mix), (.1, .8), lambda: random.uniform(-3, 3))[0] for _ in range(voices))
    if random.random() < .6:
        sound = sound + gain(random.uniform(-20, -5)) * mix
    band = signal.butter(2, (150, math.exp(random.uniform(math.log(2500), math.log(6500)))), "band", fs=RATE, output="sos")
    sound = signal.sosfilt(band, sound).astype(np.float32)
    sound = room(random, sound, random.uniform(-8, 2), random.uniform(.25, .8))
    return sound / math.sqrt(active_power(sound))


def with_keys(sound, mute, keys):
    """From the mute on, somebody types: the loudest key is as high as the user's active level."""
    typed = sound.copy()
    typed[mute:] += np.resize(keys, len(sound) - mute) * math.sqrt(active_power(sound[:mute]))
    return typed


def ambience(random, noise, count):
    sound = np.zeros(0, np.float32)
    while len(sound) < count:
        sound = np.concatenate([sound, noise[random.integers(len(noise))]])
    return sound[:count]


class Scene(typing.NamedTuple):
    sound: np.ndarray
    mute: int  # samples
    speaks: int  # the sample at which the user may speak again
    episodes: list  # (start, end, turned away): what the user says then
    below: float  # the television's distance below the user, dB
    heard: bool  # the television, while unmuted too
    goes_on: bool  # the television, during the episodes


def render(number, seed, speech, noise):
    random = np.random.default_rng([seed, number])
    own = random.permutation(len(speech))
    near_clips, far_clips = [speech[i] for i in own[::2]], [speech[i] for i in own[1::2]]
    level, below, heard = random.uniform(-35, -18), random.uniform(6, 30), bool(random.random() < .5)
    offset = lambda: random.uniform(-5, 5)  # noqa: E731
    near, spans = speak(random, near_clips, int(random.uniform(20, 45) * RATE), (.3, 2.5), offset)
    for start, end in spans:
        if random.random() < .14:
            near[start:end] = turned_away(near[start:end])
    mute = len(near)
    quiet = TELEVISION_SECONDS * RATE
    episodes, sounds = [], [near, np.zeros(quiet, np.float32)]
    at = mute + quiet
    for _ in range(5):
        utterance, spans = speak(random, near_clips, 40 * RATE, (.05, .1), offset)
        start, end = spans[0]
        away = bool(random.random() < .3)
        one = utterance[start:end]
        sounds += [turned_away(one) if away else one, np.zeros(int(random.uniform(4.5, 6) * RATE), np.float32)]
        episodes.append((at, at + len(one), away))
        at += len(sounds[-1]) + len(sounds[-2])
    near = np.concatenate(sounds)
    near = room(random, near, random.uniform(6, 14), random.uniform(.2, .6)) * gain(level)
    mix = ambience(random, noise, len(near))
    far = television(random, far_clips, mix)
    if not heard:
        far[:mute] = 0
    goes_on = bool(random.random() >= .5)
    if not goes_on:
        far[mute + quiet:] = 0
    hiss = ambience(random, noise, len(near)) * gain(random.uniform(-80, -60))
    sound = near + far * gain(level - below) + hiss
    return Scene(np.clip(sound, -1, 1).astype(np.float32), mute, mute + quiet, episodes, below, heard, goes_on)


def render_talk(number, seed, speech, noise):
    """Returns a scene in which the user is TOO_HIGH_DB quieter from the mute on, and talks: its sound, the sample of the
    mute, that of the first word, the manner, and whether a television plays, 12 to 24 dB below the unmuted user."""
    random = np.random.default_rng([seed, number, 1])
    own = random.permutation(len(speech))
    near_clips, far_clips = [speech[i] for i in own[::2]], [speech[i] for i in own[1::2]]
    level, heard, manner = random.uniform(-35, -18), bool(random.random() < .5), list(MANNERS)[number % len(MANNERS)]
    offset = lambda: random.uniform(-5, 5)  # noqa: E731
    unmuted, _ = speak(random, near_clips, int(random.uniform(20, 45) * RATE), (.3, 2.5), offset)
    talk, spans = speak(random, near_clips, TALK_SECONDS * RATE, (.1, .8), offset)
    begin = len(unmuted) + RATE + spans[0][0]
    talk = MANNERS[manner](talk, random) * gain(-TOO_HIGH_DB)
    near = room(random, np.concatenate([unmuted, np.zeros(RATE, np.float32), talk]), random.uniform(6, 14),
                random.uniform(.2, .6)) * gain(level)
    mix = ambience(random, noise, len(near))
    far = television(random, far_clips, mix) * gain(level - random.uniform(12, 24)) if heard else 0
    hiss = ambience(random, noise, len(near)) * gain(random.uniform(-80, -60))
    return np.clip(near + far + hiss, -1, 1).astype(np.float32), len(unmuted), begin, manner, heard


# ---- the measurement ------------------------------------------------------------------------------------------------


def notice_starts(raised, begin, end):
    return int(np.count_nonzero(raised[begin + 1:end] & ~raised[begin:end - 1]) + raised[begin])


class Tally:
    """What was counted with one margin."""

    def __init__(self):
        self.notices, self.seconds, self.missed, self.episodes = Counter(), Counter(), Counter(), Counter()
        self.later_notices, self.later_seconds = Counter(), Counter()
        self.talks, self.unnoticed = Counter(), Counter()

    def add(self, raised, scene):
        distance = min(DISTANCES, key=lambda d: abs(d - scene.below))
        self.notices[distance] += notice_starts(raised, scene.mute // HOP, scene.speaks // HOP)
        self.seconds[distance] += (scene.speaks - scene.mute) / RATE
        if scene.goes_on:
            self.add_pauses(raised, scene, distance)
        for start, _, away in scene.episodes:
            self.episodes[away] += 1
            for wait in (1, 2):
                self.missed[away, wait] += not np.any(raised[start // HOP:start // HOP + 100 * wait + 3])

    def add_pauses(self, raised, scene, distance):
        """Counts the television's notices after the user has spoken."""
        following = [start for start, _, _ in scene.episodes[1:]] + [len(scene.sound)]
        for (_, end, _), next_start in zip(scene.episodes, following):
            begin = end // HOP + 100 * RELEASE_SECONDS
            self.later_notices[distance] += notice_starts(raised, begin, next_start // HOP)
            self.later_seconds[distance] += (next_start // HOP - begin) / 100

    def add_talk(self, raised, begin, manner):
        self.talks[manner] += 1
        for wait in (2, 5, 10):
            self.unnoticed[manner, wait] += not np.any(raised[begin // HOP:begin // HOP + 100 * wait + 3])

    def row(self):
        cells = self.rates(self.notices, self.seconds)
        for away in (False, True):
            cells.append("/".join(f"{100 * self.missed[away, wait] / max(self.episodes[away], 1):.1f}" for wait in (1, 2)))
        return cells

    def later_row(self):
        return self.rates(self.later_notices, self.later_seconds)

    @staticmethod
    def rates(notices, seconds):
        cells = []
        for distance in DISTANCES:
            count, hours = notices[distance], max(seconds[distance], 1) / 3600
            low, high = poisson_interval(count)
            cells.append(f"{count / hours:.0f} ({low / hours:.0f}–{high / hours:.0f})")
        return cells

    def talk_row(self):
        return ["/".join(f"{100 * self.unnoticed[manner, wait] / max(self.talks[manner], 1):.0f}" for wait in (2, 5, 10))
                for manner in MANNERS]


def print_table(headings, rows):
    print("\n" + table(headings, rows))


def name_of(margin):
    return "off" if math.isinf(margin) else f"{margin:g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--speech", nargs="+", required=True)
    parser.add_argument("--noise", nargs="+", required=True)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--scenes", type=int, default=450)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--margin", type=float, nargs="+", default=[math.inf, 15])
    options = parser.parse_args()
    speech, noise = load(options.speech, options.half, trim=True), load(options.noise, options.half)
    if len(speech) < 10 or not noise:
        sys.exit("television: the folders hold too few recordings: name folders of speech and of noise")
    tallies = {margin: Tally() for margin in options.margin}
    with_typing = {margin: Tally() for margin in options.margin}
    parts = {True: {margin: Tally() for margin in options.margin}, False: {margin: Tally() for margin in options.margin}}
    core, keys = Core(options.library), load_keys(KEYS)
    for number in range(options.scenes):
        scene = render(number, options.seed, speech, noise)
        talk, talk_mute, begin, manner, during = render_talk(number, options.seed, speech, noise)
        for margin in options.margin:
            raised, raised_in_talk = core.notices(scene.sound, scene.mute, margin), core.notices(talk, talk_mute, margin)
            tallies[margin].add(raised, scene)
            parts[scene.heard][margin].add(raised, scene)
            typed = core.notices(with_keys(scene.sound, scene.mute, keys), scene.mute, margin)
            with_typing[margin].add(typed, scene)
            tallies[margin].add_talk(raised_in_talk, begin, manner)
            parts[during][margin].add_talk(raised_in_talk, begin, manner)
    any_tally = tallies[options.margin[0]]
    print(f"{sum(any_tally.seconds.values()) / 3600:.1f} h of television, {any_tally.episodes[False]} onsets facing the "
          f"microphone, {any_tally.episodes[True]} turned away; 95 % Poisson intervals")
    groups = [("", tallies), (", television unmuted too", parts[True]), (", only while muted", parts[False]),
              (", keys too", with_typing)]
    print_table(["margin, dB", *(f"notices/h, {distance} dB below" for distance in DISTANCES),
                 "missed after 1 / 2 s, %: facing", "turned away"],
                [[name_of(margin) + title, *tally.row()] for title, group in groups for margin, tally in group.items()])
    print(f"\nNotices of a television that goes on, in the pauses of a user who speaks while muted, from {RELEASE_SECONDS} s on: "
          f"{sum(any_tally.later_seconds.values()) / 3600:.1f} h")
    print_table(["margin, dB", *(f"notices/h, {distance} dB below" for distance in DISTANCES)],
                [[name_of(margin), *tally.later_row()] for margin, tally in tallies.items()])
    print(f"\n{sum(any_tally.talks.values())} talks {TOO_HIGH_DB} dB below what was learned, not noticed after 2 / 5 / 10 s, %")
    groups = [("", tallies), (", beside a television", parts[True]), (", alone", parts[False])]
    print_table(["margin, dB", *MANNERS],
                [[name_of(margin) + title, *tally.talk_row()] for title, group in groups for margin, tally in group.items()])


if __name__ == "__main__":
    main()
