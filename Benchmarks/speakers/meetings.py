"""Meetings with known speakers: who has a turn when, and the contents of each participant's packets.

A meeting is a script (turns, backchannels, coughs), a track for each participant, and the 20 ms packets of each track:
RFC 6464 level, the voice flag and the posterior that this project's detector has produced by the time of sending.
"""

import subprocess
import wave
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from speech_bank import RATE, cough

PACKET_MS = 20
PACKET = RATE * PACKET_MS // 1000
LOOKAHEAD_HOPS = 3  # 10 ms hops by which the posterior lags the newest sample (`lookahead_ms` of vadmon's JSON)
DTX_AFTER_PACKETS = 10  # Opus sends nothing after 200 ms without speech ...
DTX_EVERY_PACKETS = 20  # ... but one packet every 400 ms (RFC 6716, 2.1.9)


@dataclass
class Turn:
    """A speaker has the floor from start to end, in seconds."""

    speaker: int
    start: float
    end: float


@dataclass
class Meeting:
    name: str
    participants: int
    seconds: float
    turns: list
    tracks: list = field(default_factory=list)  # float32, full scale 1
    dtx: list = field(default_factory=list)  # for each participant, whether it stops sending in silence


def decibels(x):
    return 10 ** (x / 20)


class Writer:
    """Generates one meeting from one random-number generator."""

    def __init__(self, seed, bank, seconds):
        self.rng, self.bank = np.random.default_rng(seed), bank
        self.count = int(self.rng.integers(3, 9))
        self.talkers = self.rng.permutation(len(bank.sentences))[: self.count]
        self.levels = self.rng.uniform(-36, -18, self.count)  # dBFS of each while speaking
        self.eager = self.rng.dirichlet(np.full(self.count, 1.5))  # how often each takes the floor
        self.tracks = np.zeros((self.count, round(seconds * RATE)), np.float32)
        self.seconds, self.turns = seconds, []

    def add(self, who, x, at, gain_db=0.0):
        """Adds sound to a track at a time. Returns its end, or None if it does not fit."""
        first = round(at * RATE)
        if first < 0 or first + len(x) > self.tracks.shape[1]:
            return None
        self.tracks[who, first : first + len(x)] += x * decibels(self.levels[who] + gain_db)
        return (first + len(x)) / RATE

    def turn(self, who, start):
        """Adds one to four sentences with pauses. Returns the turn and the starts of pauses, or None at the end."""
        rng, at, pauses, end = self.rng, start, [], None
        for index in range(int(rng.integers(1, 5))):
            phrase = self.bank.sentences[self.talkers[who]][rng.integers(20)]
            done = self.add(who, phrase, at, rng.normal(0, 1.5))
            if done is None:
                break
            end = done
            pauses.append(end)
            at = end + rng.gamma(2.0, 0.17)  # mean 0.34 s, now and then above 1 s
        if end is None:
            return None
        self.turns.append(Turn(who, start, end))
        return self.turns[-1], pauses

    def next_start(self, turn):
        """Returns the start of the next turn: after a gap of 0.2 s +- 0.4 s; one in ten interrupts 1 to 3 s early."""
        if self.rng.random() < 0.1:
            return max(turn.start + 0.5, turn.end - self.rng.uniform(1, 3))
        return max(turn.start + 0.5, turn.end + np.clip(self.rng.normal(0.2, 0.4), -0.8, 2))

    def backchannels(self, turn, pauses):
        """Adds listeners' short answers at pauses of the turn, or anywhere in it."""
        rng = self.rng
        for _ in range(rng.poisson((turn.end - turn.start) / 9)):
            who = int(rng.integers(self.count))
            if who == turn.speaker:
                continue
            phrase = self.bank.backchannels[self.talkers[who]][rng.integers(8)]
            at = rng.choice(pauses) + rng.normal(0, 0.15) if rng.random() < 0.5 else rng.uniform(turn.start, turn.end)
            if at + len(phrase) / RATE < turn.end + 0.2:
                self.add(who, phrase, at, -3)

    def noises(self):
        """Adds coughs, and hiss or a fan 8 to 45 dB below each talker; one in five tracks also has echo."""
        rng = self.rng
        for _ in range(rng.poisson(self.seconds / 40)):
            self.add(int(rng.integers(self.count)), cough(rng), rng.uniform(0, self.seconds), rng.uniform(0, 12))
        clean = self.tracks.copy()
        for who in range(self.count):
            white = rng.standard_normal(self.tracks.shape[1]).astype(np.float32)
            brown = np.convolve(white, np.exp(-np.arange(64) / 12.0).astype(np.float32), "same")
            noise = (white, brown / brown.std())[rng.integers(2)]
            self.tracks[who] += noise * decibels(self.levels[who] - rng.uniform(8, 45))
            if rng.random() < 0.2:  # the residue of the others after an echo canceller, 60 ms later
                others = clean.sum(axis=0) - clean[who]
                self.tracks[who, 960:] += others[:-960] * decibels(rng.uniform(-34, -22))
            if rng.random() < 0.25:
                self.typing(who)

    def typing(self, who):
        """Adds bursts of key clicks: 20 ms of decaying noise, 4 to 9 a second, for a few seconds at a time."""
        rng, click = self.rng, np.exp(-np.arange(320) / 60.0)
        for start in np.cumsum(rng.exponential(25, 40)):
            for at in start + np.cumsum(rng.uniform(0.08, 0.3, int(rng.integers(8, 30)))):
                self.add(who, (rng.standard_normal(320) * click).astype(np.float32), at, rng.uniform(-8, 4))

    def write(self, name):
        previous, at = -1, 1.0
        while True:
            share = self.eager.copy()
            if previous >= 0:
                share[previous] = 0
            who = int(self.rng.choice(self.count, p=share / share.sum()))
            told = self.turn(who, at)
            if told is None:
                break
            self.backchannels(*told)
            previous, at = who, self.next_start(told[0])
            if self.rng.random() < 0.05:
                at += self.rng.uniform(2, 8)  # a general pause
        self.noises()
        dtx = [bool(x) for x in self.rng.random(self.count) < 0.5]
        return Meeting(name, self.count, self.seconds, self.turns, list(np.clip(self.tracks, -1, 1)), dtx)


def write_wav(path, track):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((track * 32767).astype("<i2").tobytes())


def posteriors(tracks, vadmon, work):
    """Returns vadmon's posterior and decision for each hop of each track."""
    sound, frames = Path(work, "sound"), Path(work, "frames")
    sound.mkdir(parents=True)
    for number, track in enumerate(tracks):
        write_wav(sound / f"{number:03}.wav", track)
    subprocess.run([vadmon, "analyze", "--no-config", "--quiet", "--jobs", "1", sound, "--frames", frames, "--live"],
                   check=True, stdout=subprocess.DEVNULL)
    tables = [np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2) for path in sorted(frames.glob("*.csv"))]
    return [table[:, 1] for table in tables], [table[:, 3] > 0.5 for table in tables]


def newest_known(values, packets):
    """Returns for each packet the larger value of the last two hops that a live sender has decided when it sends it."""
    behind = np.concatenate([np.zeros(LOOKAHEAD_HOPS), values])[: 2 * packets]
    behind = np.pad(behind, (0, 2 * packets - len(behind)))
    return behind.reshape(-1, 2).max(axis=1)


def levels(track):
    """Returns the RFC 6464 level of each packet: -dBov, 0 (loud) … 127; 0 dBov is a full-scale square wave."""
    power = (track[: len(track) // PACKET * PACKET].reshape(-1, PACKET).astype(float) ** 2).mean(axis=1)
    return np.clip(np.round(-10 * np.log10(np.maximum(power, 1e-13))), 0, 127).astype(int)


def sent(voice, rng, dtx, loss):
    """Returns which packets arrive: DTX omits silence, and the network loses packets in runs of 1 to 3."""
    arrives, silent = np.ones(len(voice), bool), 0
    for index, active in enumerate(voice):
        silent = 0 if active else silent + 1
        if dtx and silent > DTX_AFTER_PACKETS:
            arrives[index] = (silent - DTX_AFTER_PACKETS) % DTX_EVERY_PACKETS == 0
    for start in np.flatnonzero(rng.random(len(voice)) < loss / 2):
        arrives[start : start + rng.integers(1, 4)] = False
    return arrives


def packets(meeting, vadmon, work, seed, loss=0.02):
    """Returns rows (ms of arrival, participant, level, voice 0|1, posterior), in order of time."""
    rng, rows = np.random.default_rng([seed, 7]), []
    probabilities, decisions = posteriors(meeting.tracks, vadmon, work)
    for who, track in enumerate(meeting.tracks):
        level = levels(track)
        voice = newest_known(decisions[who], len(level)) > 0.5
        posterior = newest_known(probabilities[who], len(level))
        kept = np.flatnonzero(sent(voice, rng, meeting.dtx[who], loss))
        rows += [((i + 1) * PACKET_MS, who, int(level[i]), int(voice[i]), float(posterior[i])) for i in kept]
    return sorted(rows)
