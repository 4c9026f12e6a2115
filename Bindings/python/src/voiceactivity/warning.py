"""Warnings about what the caller passed, at the caller's line."""

from __future__ import annotations

import sys
import warnings


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warns at the innermost line outside this package.

    Python shows a text once for each line that warns: one in here would be the same for every caller.
    """
    level, frame = 1, sys._getframe()  # pyright: ignore[reportPrivateUsage]
    while frame.f_back and str(frame.f_globals.get("__name__")).partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
