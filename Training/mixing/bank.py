"""Recordings of one kind, as material.py wrote them, drawn at random."""

import numpy as np

from features import HOP, RATE

EVENNESS = 0.6  # a family's chance grows with this power of its duration: 1 would be by duration, 0 all alike


class Bank:
    """Recording i is `samples(i)`; speech also has `labelled(i)`. The samples stay in the file and are shared by all
    processes that map it."""

    def __init__(self, work, kind):
        index = np.load(work / f'{kind}.npz')
        self.names, self.families = index['names'], index['families']
        self.lengths = index['lengths']  # samples
        self._ends = np.cumsum(self.lengths)
        self._hop_ends = np.cumsum(self.lengths // HOP)
        self._labels, self._weights = index['labels'], index['weights']
        self._pcm = np.memmap(work / f'{kind}.s16', np.int16, 'r')
        self._chances = {}

    def __len__(self):
        return len(self.lengths)

    def samples(self, i):
        """float32, full scale 1"""
        end = self._ends[i]
        return self._pcm[end - self.lengths[i] : end].astype(np.float32) / 32768

    def labelled(self, i):
        """samples, and per hop whether it is speech and how sure that is"""
        end, hops = self._hop_ends[i], self.lengths[i] // HOP
        found, weight = self._labels[end - hops : end], self._weights[end - hops : end]
        return self.samples(i), found.copy(), weight.astype(np.float32)

    def which(self, shortest=0, longest=np.inf, words=()):
        """Numbers of the recordings of this length, in seconds, whose name or family has one of the words."""
        found = (self.lengths >= shortest * RATE) & (self.lengths <= longest * RATE)
        if words:
            texts = np.char.lower(np.char.add(np.char.add(self.families, '/'), self.names))
            found &= np.any([np.char.find(texts, word) >= 0 for word in words], axis=0)
        return np.flatnonzero(found)

    def draw(self, rng, among=None):
        """The number of a recording: first a family, then one of it. `among`: numbers, as from `which`; all without."""
        key = None if among is None else id(among)
        if key not in self._chances:
            numbers = np.arange(len(self)) if among is None else among
            families, family = np.unique(self.families[numbers], return_inverse=True)
            duration = np.bincount(family, self.lengths[numbers]) ** EVENNESS
            members = [numbers[family == f] for f in range(len(families))]
            self._chances[key] = among, members, duration / duration.sum()  # keeps `among`, so that its id stays its own
        _, members, chance = self._chances[key]
        return int(rng.choice(members[rng.choice(len(members), p=chance)]))

    def piece(self, rng, count, among=None):
        """`count` samples from anywhere in a recording that is drawn."""
        return cut(self.samples(self.draw(rng, among)), count, rng)


def cut(samples, count, rng):
    """`count` samples from anywhere in a recording, which repeats where it is too short."""
    if len(samples) < count:
        samples = np.tile(samples, count // len(samples) + 2)
    start = rng.integers(len(samples) - count + 1)
    return samples[start : start + count]
