"""What the networks learn of the mixtures: P(speech) of each hop, from its label and from what detectors believe.

Labels know where words begin, detectors know sounds and how sure one can be. So the label alone counts where nobody
talks, and near its changes it counts more. In labelled speech only the surer teacher counts, because each of them fails
on voices that the other knows. Beside speech a target is at least a tenth of it, less with the distance: pauses in a turn
belong to it for some who label, and not for others.
"""

import numpy as np
from scipy.ndimage import maximum_filter1d

CERTAINTY = 0.98            # of a label: never ask for a logit without end
SHARE = 0.6                 # of what is believed, …
NEAR, NEAR_SHARE = 24, 0.5  # … and where the label changes within so many hops around
SHARPNESS = 1.25            # of what is believed, in logits: the mean of detectors is less sure than each of them
LIMITS = 0.003, 0.99        # of what is believed, so that its logits have an end
BESIDE, FADE = 0.1, 0.98    # what a hop beside speech has of it, and how that falls from hop to hop


def sharpened(believed):
    odds = believed.clip(LIMITS[0], 1 - LIMITS[0])
    odds = (odds / (1 - odds)) ** SHARPNESS
    return np.minimum(odds / (1 + odds), LIMITS[1])


def believed(file):
    """P(speech) [scene, hop] of the detector, with what follows, and of the teachers."""
    own, taught = file['smoothed'].astype(np.float32), file['taught'].astype(np.float32)
    everybody = (own + taught.sum(-1)) / (1 + taught.shape[-1])
    return np.where(file['label'], (own + taught.max(-1)) / 2, everybody)


def beside(target):
    """target [scene, hop] with what a hop has of speech near it, before or after."""
    near = target**2
    for order in slice(None), slice(None, None, -1):
        recent, ordered = np.zeros(len(near)), near[:, order]  # a view: what is written is in `near`
        for hop in range(near.shape[1]):
            ordered[:, hop] = recent = np.maximum(recent * FADE, ordered[:, hop])
    return target + (1 - target) * BESIDE * near


def targets(file):
    """P(speech) [scene, hop] to be learned of a file of mixtures; of its labels alone without teachers."""
    target = 0.5 + CERTAINTY * (file['label'] - 0.5)
    if 'taught' not in file:
        return target
    changes = np.diff(file['label'], axis=1, prepend=file['label'][:, :1])
    near = maximum_filter1d(changes.astype(np.uint8), NEAR, axis=1) > 0
    share = np.where(near, NEAR_SHARE, SHARE) * file['has_talk'][:, None]
    return beside(target + share * (sharpened(believed(file)) - target))
