"""What a call was like, from what its participants wrote down."""

import json
from bisect import bisect_right

from path import Phase

LATE = 0.25     # s: audio that takes longer is of no use
STILL = 0.5     # s: a picture that is older does not move
STEP = 0.1      # s: how often the picture is looked at
NONE = -1       # the layer of a stream that is not forwarded


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


class Call:
    """Times are seconds after the subscriber joined."""

    def __init__(self, folder, phases, joined, began, speaker):
        self.phases = phases
        self.speaker = lambda at: speaker(at + joined - began)
        received = read(folder / "subscriber.jsonl")
        arrived = {(x["participant"], x["sequence"]): x["at"] - joined for x in received if x["type"] == "audio"}
        sent = {(x["participant"], x["sequence"]): x["at"] - joined
                for file in folder.glob("publisher-*.jsonl") for x in read(file)}
        # From the first packet on: the connection takes a moment.
        first = min(arrived.values(), default=phases[-1].end)
        self.audio = [(at, arrived[key] - at if key in arrived else None)
                      for key, at in sorted(sent.items(), key=lambda item: item[1])
                      if first <= at < phases[-1].end - 1]
        self.frames = {}
        for x in received:
            if x["type"] == "frame":
                self.frames.setdefault(x["participant"], []).append((x["at"] - joined, x["height"]))
        self.states = [(x["at"] - joined, x) for x in read(folder / "server.jsonl")
                       if x["type"] == "state" and x["at"] >= joined]
        self.told = [(x["at"] - joined, x["change"]) for x in received if x["type"] == "paused_tracks"]

    def delays(self, phase):
        """The delays of the audio that was sent in a phase; None for lost packets."""
        return [delay for at, delay in self.audio if phase.start <= at < phase.end]

    def newest(self, participant, at):
        """Returns the time and the height of the last frame before `at`; None before the first."""
        frames = self.frames.get(participant, [])
        place = bisect_right(frames, (at, 10_000))
        return frames[place - 1] if place else None

    def moments(self, phase):
        count = int((phase.end - phase.start) / STEP)
        return [phase.start + i * STEP for i in range(count)]

    def is_moving(self, participant, at):
        frame = self.newest(participant, at)
        return frame is not None and at - frame[0] < STILL

    def speaker_moves(self, phase):
        """The share of the time in which the speaker's picture moves."""
        moments = self.moments(phase)
        return sum(self.is_moving(self.speaker(at), at) for at in moments) / len(moments)

    def moving(self, phase):
        """How many pictures move, on average."""
        moments = self.moments(phase)
        return sum(self.is_moving(participant, at) for at in moments for participant in self.participants) / len(moments)

    @property
    def participants(self):
        return sorted(int(name) for name in self.states[-1][1]["layers"])

    def toggles(self, phase):
        """How often a stream was paused or resumed."""
        count, before = 0, None
        for at, state in self.states:
            if phase.start <= at < phase.end:
                shown = {name: layer != NONE for name, layer in state["layers"].items()}
                count += sum(shown[name] != before[name] for name in shown) if before else 0
                before = shown
        return count

    def freezes(self, phase):
        """How often a picture that is forwarded stood still for longer than STILL."""
        count = 0
        for participant, frames in self.frames.items():
            for (at, _), (after, _) in zip(frames, frames[1:]):
                if phase.start <= at < phase.end and after - at > STILL and self.is_forwarded(participant, at, after):
                    count += 1
        return count

    def is_forwarded(self, participant, start, end):
        return all(state["layers"][str(participant)] != NONE for at, state in self.states if start <= at <= end)

    def first_picture(self):
        return min((frames[0][0] for frames in self.frames.values()), default=None)

    def recovery(self):
        """Seconds from the widening of the path until all pictures move, and until the speaker's has 360 lines."""
        start, everybody, large = self.phases[1].start, None, None
        for at in self.moments(Phase("", start, self.phases[-1].end, [])):
            if everybody is None and all(self.is_moving(participant, at) for participant in self.participants):
                everybody = at - start
            speaker = self.speaker(at)
            if large is None and self.is_moving(speaker, at) and self.newest(speaker, at)[1] >= 360:
                large = at - start
        return everybody, large


def percent(count, of):
    return f"{100 * count / of:.1f}" if of else "–"


def seconds(value):
    return "never" if value is None else f"{value:.1f}"


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def measures(call, phase):
    delays = call.delays(phase)
    arrived = [delay for delay in delays if delay is not None]
    return [percent(len(delays) - len(arrived), len(delays)), percent(sum(delay > LATE for delay in arrived), len(delays)),
            f"{1000 * quantile(arrived, .95):.0f}", f"{100 * call.speaker_moves(phase):.0f}", f"{call.moving(phase):.1f}",
            call.toggles(phase), call.freezes(phase)]


def beside(cells):
    """Puts the measures of several runs beside each other."""
    return [" · ".join(map(str, values)) for values in zip(*cells)]


def tables(runs):
    """Returns the tables of some runs of a call, each {policy: Call}."""
    phases = next(iter(runs[0].values())).phases
    lines = [row(["path", "policy", "audio lost %", "audio late %", "delay, 95 %, ms", "speaker moves %", "pictures that move",
                  "toggles", "freezes"]), "|---|---|" + "--:|" * 7]
    lines += [row([phase.name, policy, *beside([measures(run[policy], phase) for run in runs])])
              for phase in phases for policy in runs[0]]
    if phases[0].lines[0][1].rate < phases[1].lines[0][1].rate:
        lines += ["", row(["policy", "first picture s", "all pictures after the path widened s", "speaker in 360p s"]),
                  "|---|--:|--:|--:|"]
        lines += [row([policy, *beside([list(map(seconds, (run[policy].first_picture(), *run[policy].recovery()))) for run in runs])])
                  for policy in runs[0]]
    return "\n".join(lines)
