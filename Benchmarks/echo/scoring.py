"""Counts what detectors did with scenes. Counts add up over scenes, in any order, and need no memory for the scenes."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from scipy.special import gammaincinv

from scenes import KINDS

HOPS_PER_HOUR = 360_000
START_HOPS = 400        # the first 4 s of the far end are its start, and 4 s after a change belong to the change
QUIET_HOPS = 50         # near silence before an onset
TOLD_HOPS = (50, 100)   # an onset's notice is in time within 0.5 s, and within 1 s
BINS = 4096             # of the posteriors' logits, -BINS_END … BINS_END, for the area under the ROC curve
BINS_END = 16.0

RETURNS = {"below -20 dB": (-99, -20), "-20 … -10 dB": (-20, -10), "-10 … -5 dB": (-10, -5), "above -5 dB": (-5, 99)}
RATIOS = {"below 0 dB": (-99, 0), "0 … 10 dB": (0, 10), "above 10 dB": (10, 99)}


def class_of(value, classes):
    return next(name for name, (low, high) in classes.items() if low <= value < high)


def poisson_interval(count):
    """Returns the exact (Garwood's) 95 % interval of the mean of a Poisson variable of which `count` were seen."""
    return gammaincinv(count, 0.025) if count else 0.0, gammaincinv(count + 1, 0.975)


def wilson_interval(count, of):
    """Returns Wilson's 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    z, share = 1.959964, count / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * np.sqrt(share * (1 - share) / of + (z / (2 * of)) ** 2)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def histogram(posteriors, truth):
    """Returns counts of posteriors by their logit: row 0 for hops without near speech, row 1 for those with it."""
    truth = truth[:len(posteriors)]  # the last hops are missing where the microphone was held back
    p = np.clip(posteriors.astype(np.float64), 1e-9, 1 - 1e-9)
    place = (np.log(p / (1 - p)) + BINS_END) * (BINS / (2 * BINS_END))
    place = np.clip(place, 0, BINS - 1).astype(int)
    return np.stack([np.bincount(place[truth == value], minlength=BINS) for value in (False, True)])


def auc(counts):
    """Returns the area under the ROC curve, where posteriors of one bin tie, or None without both kinds of hops."""
    without, with_ = counts.astype(np.float64)
    if not without.sum() or not with_.sum():
        return None
    below = np.cumsum(without) - without
    return float(np.sum(with_ * (below + without / 2)) / (without.sum() * with_.sum()))


def onsets(near):
    """Returns the hops at which near speech begins after half a second without any, fills more than half of the next
    half second, and can be told within the scene."""
    rises = np.flatnonzero(near & ~np.concatenate([[False], near[:-1]]))
    return [hop for hop in rises if QUIET_HOPS <= hop < len(near) - 130 and not near[hop - QUIET_HOPS:hop].any()
            and near[hop:hop + 50].mean() > 0.5]


def situation(far, hop):
    """Tells whether an onset meets the far end: `single`, `double`, or None for what is neither."""
    if far[hop:hop + 50].mean() > 0.5:
        return "double"
    return "single" if far[max(hop - 20, 0):hop + 50].mean() < 0.1 else None


@dataclass
class Tally:
    counts: Counter = field(default_factory=Counter)
    histograms: dict = field(default_factory=dict)
    notices: list = field(default_factory=list)

    def add(self, other):
        self.counts.update(other.counts)
        self.notices += other.notices
        for key, counts in other.histograms.items():
            self.histograms[key] = self.histograms.get(key, 0) + counts


def after(begins, moment):
    """Tells whether a notice begins within 4 s after a moment, in seconds; `begins` in hops."""
    if moment is None:
        return np.zeros(len(begins), bool)
    return (begins >= 100 * moment) & (begins < 100 * moment + START_HOPS)


def count_false(tally, scene, method, preset, begins):
    """Counts the notices of a scene in which nobody near speaks. A notice is at the hop that decided it."""
    key = (scene.kind, method, preset)
    first = int(np.argmax(scene.far)) if scene.far.any() else len(scene.far)
    at_risk = max(len(scene.far) - first - START_HOPS, 0)
    early = bool(((begins >= first) & (begins < first + START_HOPS)).any())
    late = begins[begins >= first + START_HOPS]
    jump, moved = after(late, scene.jump), after(late, scene.moved)
    returns = class_of(scene.echo_return_db, RETURNS)
    counts = tally.counts
    counts["scenes", *key] += 1
    counts["early", *key] += early
    counts["hops", *key] += at_risk
    counts["hops", returns, *key] += at_risk
    counts["false", *key] += len(late)
    counts["false", returns, *key] += len(late)
    counts["false after jump", *key] += int(jump.sum())
    counts["false after move", *key] += int((moved & ~jump).sum())
    for change, moments in (("jump", [scene.jump]), ("move", [scene.moved]), ("step", scene.steps)):
        for moment in moments:
            if moment is not None and 100 * moment >= first:
                counts[change, *key] += 1
                counts[change, "noticed", *key] += bool(after(begins, moment).any())
    for hop in late:
        tally.notices.append((*key, scene.index, int(hop) / 100, first / 100, scene.jump, scene.moved, scene.gains,
                              scene.echo_return_db, scene.near_to_echo_db, float(scene.delay[hop]), scene.noise))


def count_onsets(tally, scene, method, preset, notice, lookahead_hops):
    """Counts the onsets of near speech that are told in time. A hop's state is known `lookahead_hops` behind it."""
    for hop in onsets(scene.near):
        for group in (scene.kind, situation(scene.far, hop)):
            if group is None:
                continue
            key = (group, scene.kind, method, preset)
            if group == "double":
                tally.counts["onsets", class_of(scene.near_to_echo_db, RATIOS), *key] += 1
            tally.counts["onsets", *key] += 1
            for limit in TOLD_HOPS:
                told = bool(notice[hop:hop + limit - lookahead_hops].any())
                tally.counts["told", limit, *key] += told
                if group == "double":
                    tally.counts["told", limit, class_of(scene.near_to_echo_db, RATIOS), *key] += told


def score(scene, method, decisions, lookahead_hops):
    """Returns the tally of a scene: `decisions` by preset."""
    tally = Tally()
    for preset, decision in decisions.items():
        if KINDS[scene.kind].near:
            count_onsets(tally, scene, method, preset, decision.notice, lookahead_hops)
        else:
            count_false(tally, scene, method, preset, decision.begins)
    posteriors = next(iter(decisions.values())).posteriors
    tally.histograms[scene.kind, method] = histogram(posteriors, scene.near)
    return tally
