"""The scale of silero_vad, on which programs and frameworks state thresholds.

silero_vad's probabilities and this engine's posteriors come from different models, so equal numbers do not mean equal
confidence. silero_vad begins speech at .5 and ends it below .35, where this engine's preset `conversation` has its own
two thresholds. These pairs correspond. Between them, the log odds of one are linear in those of the other; beyond them,
both change by the same amount.
"""

from __future__ import annotations

from math import exp, log

from ._core import Detector

_ONSET, _OFFSET = 0.5, 0.35
_DISTANCE, _LEAST = 0.15, 0.01


def _log_odds(probability: float) -> float:
    return log(probability / (1 - probability))


_settings = Detector().settings
_THEIRS = _log_odds(_OFFSET), _log_odds(_ONSET)
_OURS = _log_odds(_settings["offset_threshold"]), _log_odds(_settings["onset_threshold"])


def posterior(threshold: float) -> float:
    """Returns the posterior that corresponds to a threshold. Values outside (0, 1) are returned unchanged."""
    return _convert(threshold, _THEIRS, _OURS)


def probability(posterior: float) -> float:
    """Returns the probability on silero_vad's scale that corresponds to a posterior: the inverse."""
    return _convert(posterior, _OURS, _THEIRS)


def _convert(value: float, given: tuple[float, float], wanted: tuple[float, float]) -> float:
    if not 0 < value < 1:
        return value
    odds = _log_odds(value)
    if odds < given[0]:
        odds += wanted[0] - given[0]
    elif odds > given[1]:
        odds += wanted[1] - given[1]
    else:
        odds = wanted[0] + (odds - given[0]) * (wanted[1] - wanted[0]) / (given[1] - given[0])
    return 1 / (1 + exp(-odds))


def below(threshold: float) -> float:
    """Returns the threshold below which speech ends that began at `threshold`, by silero_vad's rule."""
    return max(threshold - _DISTANCE, _LEAST)
