"""A picture of a comparison: quality against shortfall, and quality against toggles."""

from html import escape

WIDTH, HEIGHT, LEFT, TOP, GAP = 340, 260, 60, 50, 70
LEGEND = 240
LINE = 18  # pixels between lines of the legend
COLORS = ("#c0392b", "#2471a3", "#1e8449", "#b9770e", "#6c3483")
PANELS = (("shortfall", "share of time in which more is sent than the path carries"),
          ("toggles", "toggles of a stream a minute"))


def svg(rows, settings, default):
    """Returns the picture of {heading: {policy: measures}}, one row of panels for each heading.

    A policy is a numbered point. The coordinator's `settings` are curves that begin at `default`: settings with the
    same name before a slash lie on one curve, in their order.
    """
    others = [title for title in next(iter(rows.values())) if title not in settings]
    names = curves(settings, default)
    height = len(rows) * (HEIGHT + GAP + TOP)
    width = LEFT + len(PANELS) * (WIDTH + GAP) + LEGEND
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
             f'font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for row, (heading, found) in enumerate(rows.items()):
        top = TOP + row * (HEIGHT + GAP + TOP)
        parts.append(text(LEFT, top - 20, heading, weight="bold"))
        for column, (measure, title) in enumerate(PANELS):
            parts += panel(LEFT + column * (WIDTH + GAP), top, found, measure, title, others, names)
    parts += legend(LEFT + len(PANELS) * (WIDTH + GAP), TOP, others, names)
    return "\n".join([*parts, "</svg>", ""])


def curves(settings, default):
    """Returns {name: titles along the curve}."""
    names = {}
    for title in settings:
        if title != default:
            names.setdefault(title.split("/")[0], [default]).append(title)
    return names or {default: [default]}


def panel(left, top, found, measure, title, others, names):
    limit = 1.1 * max(measures[measure] for measures in found.values()) or 1

    def place(policy):
        return left + WIDTH * found[policy][measure] / limit, top + HEIGHT * (1 - found[policy]["quality"])

    parts = axes(left, top, limit, title)
    for color, titles in zip(cycled(names), names.values()):
        points = [place(policy) for policy in titles]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{6 if number == 0 else 3}" fill="{color}"/>'
                  for number, (x, y) in enumerate(points)]
    for number, policy in enumerate(others, 1):
        x, y = place(policy)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="white" fill-opacity="0.8" stroke="#444"/>')
        parts.append(text(x, y + 4, number, anchor="middle"))
    return parts


def axes(left, top, limit, title):
    """Returns the frame, with quality upwards from 0 to 1 and the other measure to the right."""
    bottom = top + HEIGHT
    parts = [f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#444"/>',
             text(left + WIDTH / 2, bottom + 38, title, anchor="middle"), text(left - 8, top - 6, "quality", "end")]
    for tick in range(6):
        y = bottom - HEIGHT * tick / 5
        parts.append(f'<line x1="{left}" x2="{left + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text(left - 8, y + 4, f"{tick / 5:.1f}", anchor="end"))
        parts.append(text(left + WIDTH * tick / 5, bottom + 18, f"{limit * tick / 5:.2g}", anchor="middle"))
    return parts


def legend(left, top, others, names):
    parts = [text(left, top + LINE * number, f"{number + 1}  {policy}") for number, policy in enumerate(others)]
    for number, (color, (name, titles)) in enumerate(zip(cycled(names), names.items()), len(others) + 1):
        y = top + LINE * number
        parts.append(f'<line x1="{left}" x2="{left + 20}" y1="{y - 4}" y2="{y - 4}" stroke="{color}" stroke-width="3"/>')
        parts.append(text(left + 26, y, name))
    return parts


def cycled(names):
    return [COLORS[number % len(COLORS)] for number in range(len(names))]


def text(x, y, words, anchor="start", weight="normal"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">{escape(str(words))}</text>'
