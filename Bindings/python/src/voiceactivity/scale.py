"""The scale of silero_vad, in whose terms programs and frameworks state their thresholds.

Its probabilities and this engine's posteriors come from different models, so that the same number means another
certainty. silero_vad begins speech at .5 and goes on down to .35, where this engine's preset `conversation` has its own
two thresholds. The scale lets these correspond. Between and beyond, the log odds of one are linear in those of the
other.
"""

from __future__ import annotations

from math import exp, log

from ._core import Detector

_ONSET, _OFFSET = 0.5, 0.35
_DISTANCE, _LEAST = 0.15, 0.01


def _log_odds(probability: float) -> float:
    return log(probability / (1 - probability))


_settings = Detector().settings
_SLOPE = (_log_odds(_settings["onset_threshold"]) - _log_odds(_settings["offset_threshold"])) / (
    _log_odds(_ONSET) - _log_odds(_OFFSET)
)
_SHIFT = _log_odds(_settings["onset_threshold"]) - _SLOPE * _log_odds(_ONSET)


def posterior(threshold: float) -> float:
    """Returns the posterior that corresponds to a threshold of silero_vad's. Those from 0 down and from 1 up stay."""
    if not 0 < threshold < 1:
        return threshold
    return 1 / (1 + exp(-_SLOPE * _log_odds(threshold) - _SHIFT))


def probability(posterior: float) -> float:
    """Returns what silero_vad would call a posterior: the inverse."""
    if not 0 < posterior < 1:
        return posterior
    return 1 / (1 + exp(-(_log_odds(posterior) - _SHIFT) / _SLOPE))


def below(threshold: float) -> float:
    """Returns the threshold down to which speech goes on that began at `threshold`, by silero_vad's rule."""
    return max(threshold - _DISTANCE, _LEAST)
