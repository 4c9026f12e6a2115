"""95 % intervals of a mean over traces, by the percentile bootstrap with a fixed seed."""

import random

DRAWS = 2_000


def interval(values):
    """Returns the lower and the upper end, or None for fewer than two values."""
    values = [value for value in values if value is not None]
    if len(values) < 2:
        return None
    draw = random.Random(0)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(DRAWS))
    return means[DRAWS * 25 // 1000], means[DRAWS * 975 // 1000 - 1]
