"""Markdown tables of the measures."""

from .intervals import interval
from .measures import mean_of_calls

# measure: (heading, format)
OPEN = {
    "toggles": ("toggles of a stream a minute", ".2f"), "worst": ("most in any 60 s", ".0f"), "dark": ("dark", ".3f"),
    "use": ("use", ".2f"), "shortfall": ("shortfall", ".3f"), "quality": ("quality", ".3f"),
}
CLOSED = {
    "quality": ("quality", ".3f"), "late": ("late by 250 ms", ".3f"), "very_late": ("by 600 ms", ".3f"),
    "lost": ("lost", ".4f"), "dark": ("dark", ".3f"), "toggles": ("toggles of a stream a minute", ".2f"),
    "worst": ("most in any 60 s", ".0f"),
}
NOISE = {name: OPEN[name] for name in ("toggles", "worst", "use", "shortfall")}
RECOVERY = {
    "alone": ("one camera dark, s", ".1f"), "speaker": ("speaker of nine dark, s", ".1f"),
    "all": ("all pictures, s", ".1f"), "size": ("speaker in 360p, s", ".1f"),
}


def table(rows, columns, with_intervals=False):
    """Returns a table of {title: [measures of each trace]}, each cell the mean over the traces."""
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
