"""All kinds of recordings."""

from . import cuts, flacs, foreign, joins, lengths, plain, signals, tagged  # noqa: F401
from .catalogue import KINDS

ORDER = list(KINDS)
