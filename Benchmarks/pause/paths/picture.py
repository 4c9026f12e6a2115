"""A picture of a comparison: quality against shortfall, and quality against toggles."""

import math
from html import escape
from itertools import cycle

WIDTH, HEIGHT, LEFT, TOP, GAP = 340, 260, 60, 50, 70
LEGEND_WIDTH, LINE = 240, 18
OURS, CURVES = "#222", ("#c0392b", "#2471a3", "#1e8449", "#b9770e", "#6c3483")
PANELS = {"shortfall": "share of time in which more is sent than the path carries",
          "toggles": "toggles of a stream a minute"}
TICKS = 5


class Symbols:
    """A number for each other policy, and a curve for settings of the coordinator with the same name before a slash.

    All curves begin at the coordinator's default settings.
    """

    def __init__(self, policies, settings, default):
        self.default = default
        self.others = [title for title in policies if title not in settings]
        self.curves = {}
        for title in settings:
            if title != default:
                self.curves.setdefault(title.split("/")[0], [default]).append(title)

    def colored(self):
        return zip(cycle(CURVES), self.curves.items())


def svg(rows, settings, default):
    """Returns the picture of {heading: {policy: measures}}, one row of panels for each heading."""
    symbols = Symbols(next(iter(rows.values())), settings, default)
    height = len(rows) * (HEIGHT + GAP + TOP)
    right = LEFT + len(PANELS) * (WIDTH + GAP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{right + LEGEND_WIDTH}" height="{height}" '
             f'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for row, (heading, found) in enumerate(rows.items()):
        top = TOP + row * (HEIGHT + GAP + TOP)
        parts.append(text(LEFT, top - 25, heading, weight="bold"))
        for column, measure in enumerate(PANELS):
            parts += panel(LEFT + column * (WIDTH + GAP), top, found, measure, symbols)
    return "\n".join([*parts, *legend(right, TOP, symbols), "</svg>", ""])


def panel(left, top, found, measure, symbols):
    limit = round_above(max(measures[measure] for measures in found.values()))

    def place(policy):
        return left + WIDTH * found[policy][measure] / limit, top + HEIGHT * (1 - found[policy]["quality"])

    parts = axes(left, top, limit, PANELS[measure])
    for color, (_, titles) in symbols.colored():
        points = [place(policy) for policy in titles]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [dot(*point, 3, color) for point in points]
    for number, policy in enumerate(symbols.others, 1):
        x, y = place(policy)
        parts += [dot(x, y, 8, "white", "#444"), text(x, y + 4, number, "middle")]
    return [*parts, dot(*place(symbols.default), 6, OURS)]


def round_above(value):
    """Returns a limit of an axis that is not below the value and that five ticks divide well."""
    unit = 10 ** math.floor(math.log10(value or 1))
    return next(step * unit for step in (1, 2, 3, 4, 5, 10) if step * unit >= value)


def axes(left, top, limit, title):
    """Returns the frame, with quality upwards from 0 to 1 and the other measure to the right."""
    bottom = top + HEIGHT
    parts = [f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#444"/>',
             text(left + WIDTH / 2, bottom + 38, title, "middle"), text(left, top - 8, "quality")]
    for tick in range(TICKS + 1):
        y = bottom - HEIGHT * tick / TICKS
        parts.append(f'<line x1="{left}" x2="{left + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text(left - 8, y + 4, f"{tick / TICKS:.1f}", "end"))
        parts.append(text(left + WIDTH * tick / TICKS, bottom + 18, f"{limit * tick / TICKS:.2g}", "middle"))
    return parts


def legend(left, top, symbols):
    parts, y = [], top
    for number, policy in enumerate(symbols.others, 1):
        parts += [text(left + 8, y, number, "middle"), text(left + 26, y, policy)]
        y += LINE
    parts += [dot(left + 8, y - 4, 6, OURS), text(left + 26, y, symbols.default)]
    for color, (name, _) in symbols.colored():
        y += LINE
        parts += [f'<path d="M{left} {y - 4}h18" stroke="{color}" stroke-width="3"/>', text(left + 26, y, name)]
    return parts


def dot(x, y, radius, fill, stroke="none"):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" fill-opacity="0.85" stroke="{stroke}"/>'


def text(x, y, words, anchor="start", weight="normal"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">{escape(str(words))}</text>'
