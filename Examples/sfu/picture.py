"""Draws calls over time: what the path carries, what is estimated and sent, the layers of each camera, and the delay of
the audio."""

from html import escape
from math import ceil

LEFT, WIDTH, GAP = 130, 900, 46
RATES, LANE, DELAYS = 150, 14, 60            # heights
STACK = {"audio": "#1e8449", "video": "#7fb3d5", "repeated": "#b9770e", "padding": "#d5d8dc"}
LAYERS = ["#d6eaf8", "#7fb3d5", "#1f618d"]   # the smallest first; white is paused
SPEAKER, ESTIMATE, CAPACITY, DELAY = "#c0392b", "#222", "#888", "#6c3483"
MOST_RATE, MOST_DELAY = 2_000_000, 0.6       # the ends of the axes, in bit/s and seconds
THIN = 6                                     # one of so many states is drawn: one for two points
BIN = 0.2                                    # s, for the worst delay
LOOK = 0.5                                   # s between two looks at who speaks


def text(x, y, words, anchor="start", weight="normal"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" font-weight="{weight}">{escape(str(words))}</text>'


def rectangle(x, y, width, height, fill):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, .5):.1f}" height="{height:.1f}" fill="{fill}"/>'


def line(points, stroke, width=1.5, dash=""):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="{width}" stroke-dasharray="{dash}"/>'


def runs(values, end):
    """Yields (value, start, end) for each time in which a value stays the same, of (time, value) in order."""
    (start, value), *rest = values
    for at, next_value in [*rest, (end, None)]:
        if next_value != value:
            yield value, start, at
            start, value = at, next_value


class Picture:
    def __init__(self, call, top):
        self.call, self.top, self.end = call, top, call.phases[-1].end
        self.lanes_top = top + RATES + 10
        self.delays_top = self.lanes_top + len(call.participants) * (LANE + 2) + 8
        self.bottom = self.delays_top + DELAYS

    def x(self, at):
        return LEFT + WIDTH * max(0, min(1, at / self.end))

    def y(self, rate):
        return self.top + RATES * (1 - min(1, rate / MOST_RATE))

    def rates(self):
        states = self.call.states[::THIN]
        floor, parts = [0] * len(states), []
        for name, color in STACK.items():
            ceiling = [low + state[name] for low, (_, state) in zip(floor, states)]
            outline = [(self.x(at), self.y(rate)) for (at, _), rate in zip(states, ceiling)]
            outline += [(self.x(at), self.y(rate)) for (at, _), rate in reversed(list(zip(states, floor)))]
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline)
            parts.append(f'<polygon points="{points}" fill="{color}"/>')
            floor = ceiling
        changes = [(at, 0 if line.loss == 100 else line.rate) for phase in self.call.phases for at, line in phase.changes()]
        ends = [at for at, _ in changes[1:]] + [self.end]
        path = [(self.x(at), self.y(rate)) for (start, rate), end in zip(changes, ends) for at in (start, end)]
        parts.append(line(path, CAPACITY, 1.5, "5 3"))
        parts.append(line([(self.x(at), self.y(state["estimate"])) for at, state in states], ESTIMATE))
        for rate in (0, 500_000, 1_000_000, 2_000_000):
            parts.append(text(LEFT - 8, self.y(rate) + 4, f"{rate / 1e6:g} Mbit/s", "end"))
        return parts

    def span(self, start, end, y, height, fill):
        return rectangle(self.x(start), y, self.x(end) - self.x(start), height, fill)

    def lanes(self):
        parts, tops = [], {}
        for row, participant in enumerate(self.call.participants):
            y = tops[participant] = self.lanes_top + row * (LANE + 2)
            parts.append(text(LEFT - 8, y + LANE - 3, f"camera {participant}", "end"))
            states = [(at, state["layers"][str(participant)]) for at, state in self.call.states]
            parts += [self.span(start, end, y, LANE, LAYERS[layer])
                      for layer, start, end in runs(states, self.end) if layer >= 0]
        turns = [(LOOK * place, self.call.speaker(LOOK * place)) for place in range(ceil(self.end / LOOK))]
        return parts + [self.span(start, end, tops[speaker] + LANE - 2, 2, SPEAKER)
                        for speaker, start, end in runs(turns, self.end)]

    def delays(self):
        worst, lost = {}, set()
        for at, delay in self.call.audio:
            place = int(at / BIN)
            if delay is None:
                lost.add(place)
            else:
                worst[place] = max(worst.get(place, 0), delay)
        points = [(self.x((place + .5) * BIN), self.delays_top + DELAYS * (1 - min(1, delay / MOST_DELAY)))
                  for place, delay in sorted(worst.items())]
        losses = [(place * BIN, place in lost) for place in range(ceil(self.end / BIN))]
        parts = [self.span(start, end, self.delays_top, 5, SPEAKER)
                 for is_lost, start, end in runs(losses, self.end) if is_lost]
        parts += [line(points, DELAY), text(LEFT - 8, self.delays_top + 10, f"{MOST_DELAY:g} s", "end"),
                  text(LEFT - 8, self.delays_top + DELAYS, "audio's delay", "end")]
        return parts

    def draw(self, title):
        parts = [text(LEFT, self.top - 12, title, weight="bold")]
        for phase in self.call.phases:
            x = self.x(phase.start)
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{self.top}" y2="{self.bottom}" stroke="#bbb"/>')
            parts.append(text(x + 4, self.top + 12, phase.name))
        return parts[:1] + self.rates() + self.lanes() + self.delays() + parts[1:]


def legend(y):
    """Says what the colours mean."""
    words = [(color, name) for name, color in STACK.items()]
    words += [(color, f"{height}p") for color, height in zip(LAYERS, (180, 360, 720))]
    words += [(SPEAKER, "speaks; audio lost"), (ESTIMATE, "estimate"), (CAPACITY, "capacity, at most 2 Mbit/s shown")]
    parts, x = [], LEFT
    for color, name in words:
        parts += [rectangle(x, y - 9, 12, 10, color), text(x + 16, y, name)]
        x += 30 + 7 * len(name)
    return parts


def draw(calls):
    """Returns the picture of {policy: Call} as SVG, a block for each policy."""
    parts, top = [], GAP
    for policy, call in calls.items():
        picture = Picture(call, top)
        parts += picture.draw(f"policy: {policy}")
        top = picture.bottom + GAP
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{top}" font-family="sans-serif" font-size="11">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, *legend(top - 14), "</svg>", ""])
