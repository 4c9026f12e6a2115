"""Markdown tables of the measures, averaged over traces."""

from .intervals import interval
from .measures import mean_of_calls

# name: (heading, format)
COLUMNS = {
    "toggles": ("toggles of a stream a minute", ".2f"), "worst": ("most in any 60 s", ".0f"),
    "paused": ("paused", ".2f"), "dark": ("dark", ".3f"), "needless": ("dark though it fits", ".3f"),
    "first": ("first picture, s", ".1f"), "use": ("use", ".2f"), "shortfall": ("shortfall", ".3f"),
    "quality": ("quality", ".3f"), "sizes": ("sizes of a stream a minute", ".2f"),
}


def table(rows, columns=COLUMNS, with_intervals=True):
    """Returns a table of {policy: [measures of each trace]}."""
    lines = ["| policy | " + " | ".join(heading for heading, _ in columns.values()) + " |",
             "|---" + "|--:" * len(columns) + "|"]
    for title, results in rows.items():
        middles = mean_of_calls(results)
        cells = (cell(middles[name], form, with_intervals and name != "worst" and interval([r[name] for r in results]))
                 for name, (_, form) in columns.items())
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(middle, form, ends):
    if middle is None:
        return "–"
    return format(middle, form) + (f" ({ends[0]:{form}}–{ends[1]:{form}})" if ends else "")
