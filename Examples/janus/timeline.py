"""What a subscriber of Janus got, and when."""

import json
from bisect import bisect_right

import analysis
from analysis import LATE, NONE, percent, quantile, read, row

HEIGHTS = [180, 360, 720]
SHORT = 1.0  # s: what is forwarded for a shorter time is left out


def number(folder):
    """Gives the audio that arrived the numbers with which it was sent. Janus begins each stream at 1."""
    file = folder / "subscriber.jsonl"
    arrived = read(file)
    for participant in {x["participant"] for x in arrived if x["type"] == "audio"}:
        sent = [x["at"] for x in read(folder / f"publisher-{participant}.jsonl")]
        mine = [x for x in arrived if x["type"] == "audio" and x["participant"] == participant]
        # The largest shift with which nothing arrives before it was sent.
        shift = min(bisect_right(sent, x["at"]) - 1 - x["sequence"] for x in mine)
        for x in mine:
            x["sequence"] += shift
    file.write_text("".join(json.dumps(x) + "\n" for x in arrived))


class Call(analysis.Call):
    def __init__(self, folder, phases, joined, is_driven):
        number(folder)
        super().__init__(folder, phases, joined, joined, self.talking)
        # What the application was told. Without the driver, these are wishes.
        self.changes = [(x["at"] - joined, x["change"]) for x in read(folder / "server.jsonl")
                        if x["type"] == "paused_tracks" and is_driven]

    def state(self, at):
        place = bisect_right(self.states, at, key=lambda state: state[0])
        return self.states[max(0, place - 1)][1]

    def talking(self, at):
        """Returns who began to talk last, as Janus says."""
        return (self.state(at)["speakers"] or [1])[0]


def forwarded(call, participant, at):
    """Returns what the subscriber sees of a camera: nothing while it is reported paused, otherwise what Janus forwards."""
    paused = set()
    for when, change in call.changes:
        if when <= at:
            paused = paused - change["resumed"].keys() | change["paused"].keys()
    layer = call.state(at)["layers"][str(participant)]
    return "–" if layer == NONE or str(participant) in paused else f"{HEIGHTS[layer]}p"


def shown(call, participant, phase):
    spans = []
    for at in call.moments(phase):
        name = forwarded(call, participant, at)
        if spans and name != spans[-1][1] and at - spans[-1][0] < SHORT:
            spans.pop()
        if not spans or spans[-1][1] != name:
            spans.append((at, name))
    return ", ".join([spans[0][1]] + [f"{name} from {at:.0f}" for at, name in spans[1:]])


def moves(call, participant, phase):
    """The share of the time in which a picture moves."""
    moments = call.moments(phase)
    return sum(call.is_moving(participant, at) for at in moments) / len(moments)


def told(call, phase):
    """Returns how many pauses and returns the application was told in a phase."""
    changes = [change for at, change in call.changes if phase.start <= at < phase.end]
    return [sum(len(tracks) for change in changes for tracks in change[half].values()) for half in ("paused", "resumed")]


def tables(calls):
    parts = []
    for policy, call in calls.items():
        lines = [f"**{policy}**", "", row(["", *(f"{p.name}, {p.start:.0f}–{p.end:.0f} s" for p in call.phases)]),
                 "|---|" + "---|" * len(call.phases)]
        lines += [row([f"camera {number}", *(f"{shown(call, number, p)}; moves {100 * moves(call, number, p):.0f} %" for p in call.phases)])
                  for number in call.participants]
        counts = [told(call, phase) for phase in call.phases]
        lines.append(row(["pauses, returns", *(f"{paused}, {resumed}" for paused, resumed in counts)]))
        delays = [call.delays(phase) for phase in call.phases]
        arrived = [[delay for delay in some if delay is not None] for some in delays]
        lines.append(row(["audio lost", *(f"{percent(len(some) - len(came), len(some))} %" for some, came in zip(delays, arrived))]))
        lines.append(row([f"audio later than {1000 * LATE:.0f} ms",
                          *(f"{percent(sum(d > LATE for d in came), len(some))} %" for some, came in zip(delays, arrived))]))
        lines.append(row(["audio's delay, median", *(f"{1000 * quantile(came, .5):.0f} ms" for came in arrived)]))
        lines.append(row(["speaker's picture moves", *(f"{100 * call.speaker_moves(phase):.0f} %" for phase in call.phases)]))
        parts.append("\n".join(lines))
    return "\n\n".join(parts)
