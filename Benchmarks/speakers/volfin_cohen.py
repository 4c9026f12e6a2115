"""The reference: Volfin and Cohen's dominant speaker identification, as conferencing servers run it.

I. Volfin and I. Cohen, "Dominant speaker identification for multipoint videoconferencing", Computer Speech and
Language 27(4), 2013, with the constants, the noise floor and the idle rule of jitsi-utils'
DominantSpeakerIdentification (mediasoup's ActiveSpeakerObserver is a port of it). This is an independent implementation
of the formulas.
"""

import math
from collections import deque

SUBUNIT = 10  # levels in one unit of the immediate score
BLOCK, BLOCKS = 5, 10  # levels in a medium span (100 ms), medium spans in a long one (1 s)
IMMEDIATE_ABOVE, MEDIUM_ABOVE = 7, 4  # values above these count in the next longer span
SCALES = ((13, 0.78, 3), (5, 24, 2), (10, 47, 0))  # n, lambda, and the minimum log ratio C, from immediate to long
MIN_SCORE = 1e-10
DECIDE_EVERY_MS, IDLE_MS = 300, 40
FLOOR_WINDOW = 750  # levels


def score(value, n, lambda_):
    """Returns the log-likelihood ratio of speech for `value` of `n` active parts, at least MIN_SCORE."""
    chance = math.log(math.comb(n, value)) + n * math.log(0.5)
    return max(chance - math.log(lambda_) + lambda_ * value, MIN_SCORE)


TABLES = [[score(value, n, lambda_) for value in range(n + 1)] for n, lambda_, _ in SCALES]


class NoiseFloor:
    """The lowest level above 0. After FLOOR_WINDOW levels without a lower one, it moves half way (in log) to theirs."""

    def __init__(self):
        self.value = self.next = self.seen = 0

    def add(self, level):
        if level == 0:
            return
        if self.value == 0 or level < self.value:
            self.value, self.next, self.seen = level, 0, 0
            return
        self.next = level if self.seen == 0 else min(self.next, level)
        self.seen += 1
        if self.seen >= FLOOR_WINDOW:
            self.value, self.next, self.seen = int(math.sqrt(self.value * self.next)), 0, 0


class Speaker:
    def __init__(self):
        self.levels = deque([0] * BLOCK * BLOCKS, BLOCK * BLOCKS)  # newest first, 127 is loud
        self.floor, self.heard_ms = NoiseFloor(), 0

    def add(self, level, now_ms):
        self.levels.appendleft(level)
        self.floor.add(level)
        self.heard_ms = now_ms

    def scores(self):
        least = self.floor.value + SUBUNIT
        immediates = [level // SUBUNIT if level >= least else 0 for level in self.levels]
        loud = [value > IMMEDIATE_ABOVE for value in immediates]
        mediums = [sum(loud[i : i + BLOCK]) for i in range(0, len(loud), BLOCK)]
        long = sum(value > MEDIUM_ABOVE for value in mediums)
        return [table[value] for table, value in zip(TABLES, (immediates[0], mediums[0], long))]


class VolfinCohen:
    def __init__(self, participants):
        self.speakers = [Speaker() for _ in range(participants)]
        self.dominant = 0  # from the beginning, the first speaker

    def decide(self):
        own, best = self.speakers[self.dominant].scores(), SCALES[1][2]
        winner = self.dominant
        for who, speaker in enumerate(self.speakers):
            if who == self.dominant:
                continue
            ratios = [math.log(a / b) for a, b in zip(speaker.scores(), own)]
            if all(ratio > scale[2] for ratio, scale in zip(ratios, SCALES)) and ratios[1] > best:
                winner, best = who, ratios[1]
        self.dominant = winner

    def fill_idle(self, now_ms):
        for speaker in self.speakers:
            if now_ms - speaker.heard_ms >= IDLE_MS:
                speaker.add(0, now_ms)


def switches(rows, participants):
    """Returns (ms, dominant) for each change of the dominant speaker, from the rows of meetings.packets."""
    detector, found, clock = VolfinCohen(participants), [], 0
    for now, who, level, *_ in rows:
        while clock + 20 < now:  # a decision follows all packets of its time
            clock += 20
            if clock % IDLE_MS == 0:
                detector.fill_idle(clock)
            if clock % DECIDE_EVERY_MS == 0:
                detector.decide()
                if not found or found[-1][1] != detector.dominant:
                    found.append((clock, detector.dominant))
        detector.speakers[who].add(127 - level, now)
    return found
