"""Measures how well scores and decisions agree with labels, on 10 ms hops pooled over recordings."""

import numpy as np

RESAMPLES = 1000


def win_matrix(speech, scores):
    """Returns [i, j]: how often a speech hop of recording i scores above a non-speech hop of j; ties count half.

    The area under the ROC curve is the share of such pairs that are won (Hanley and McNeil, Radiology 143, 1982),
    and with the matrix the area of every resampling of the recordings is a weighted sum.
    """
    owner = np.concatenate([np.full(truth.sum(), i) for i, truth in enumerate(speech)])
    positives = np.concatenate([score[truth] for truth, score in zip(speech, scores)])
    columns = []
    for truth, score in zip(speech, scores):
        negatives = np.sort(score[~truth])
        below = np.searchsorted(negatives, positives, "left")
        not_above = np.searchsorted(negatives, positives, "right")
        columns.append(np.bincount(owner, (below + not_above) / 2, minlength=len(speech)))
    return np.stack(columns, axis=1)


def areas(speech, wins, weights):
    """Returns the AUC for each row of weights (how often each recording counts); NaN where one class is missing."""
    with_speech = weights @ [truth.sum() for truth in speech]
    without = weights @ [(~truth).sum() for truth in speech]
    with np.errstate(invalid="ignore"):
        return ((weights @ wins) * weights).sum(axis=1) / (with_speech * without)


def auc(speech, scores):
    return areas(speech, win_matrix(speech, scores), np.ones((1, len(speech))))[0]


def auc_difference(speech, scores, others):
    """Returns (difference, low, high): the AUC of `scores` minus that of `others`, and its 95 % interval by a paired
    bootstrap: both are measured on the same recordings, drawn with replacement (Efron's percentile interval)."""
    count = len(speech)
    draws = np.random.default_rng(1).multinomial(count, [1 / count] * count, RESAMPLES)
    wins = win_matrix(speech, scores), win_matrix(speech, others)
    first, drawn = (areas(speech, wins[0], w) - areas(speech, wins[1], w) for w in (np.ones((1, count)), draws))
    return first[0], *np.nanpercentile(drawn, [2.5, 97.5])


def sweep(truth, score):
    """Returns the true and false positives at each distinct threshold, from the highest down."""
    order = np.argsort(-score, kind="stable")
    last_of_ties = np.append(np.flatnonzero(np.diff(score[order])), len(order) - 1)
    hits = np.cumsum(truth[order])[last_of_ties]
    return hits, last_of_ties + 1 - hits


def average_precision(truth, score):
    hits, false_alarms = sweep(truth, score)
    return np.sum(np.diff(hits, prepend=0) * hits / (hits + false_alarms)) / truth.sum()


def best_f1(truth, score):
    hits, false_alarms = sweep(truth, score)
    return np.max(2 * hits / (hits + false_alarms + truth.sum()))


def f1(truth, decision):
    return 2 * np.sum(truth & decision) / (truth.sum() + decision.sum())


def agreement(first, second):
    """Returns (share of hops decided alike, Cohen's kappa). Kappa is None if neither decision ever changes."""
    same = np.mean(first == second)
    chance = first.mean() * second.mean() + (~first).mean() * (~second).mean()
    return same, (same - chance) / (1 - chance) if chance < 1 else None
