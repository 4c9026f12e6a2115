"""What a subscriber of Janus got, and when."""

import json
from bisect import bisect_right

from analysis import LATE, percent, quantile, read, row

SHORT = 0.5  # s: what is shown for a shorter time is left out


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


def spans(call, participant, phase):
    """Returns the lines of a camera's picture in a phase, 0 for none, as (from, lines)."""
    found = []
    for at in call.moments(phase):
        lines = call.newest(participant, at)[1] if call.is_moving(participant, at) else 0
        if found and at - found[-1][0] < SHORT and lines != found[-1][1]:
            found.pop()
        if not found or found[-1][1] != lines:
            found.append((at, lines))
    return found


def shown(call, participant, phase):
    words = [f"{lines}p" if lines else "–" for _, lines in spans(call, participant, phase)]
    starts = [at for at, _ in spans(call, participant, phase)]
    return ", ".join([words[0]] + [f"{word} from {at:.0f}" for word, at in zip(words[1:], starts[1:])])


def told(call, phase):
    """Returns how many pauses and returns the application was told in a phase."""
    changes = [change for at, change in call.changes if phase.start <= at < phase.end]
    return [sum(len(tracks) for change in changes for tracks in change[half].values()) for half in ("paused", "resumed")]


def tables(calls):
    parts = []
    for policy, call in calls.items():
        lines = [f"**{policy}**", "", row(["", *(f"{p.name}, {p.start:.0f}–{p.end:.0f} s" for p in call.phases)]),
                 "|---|" + "---|" * len(call.phases)]
        lines += [row([f"participant {number}", *(shown(call, number, p) for p in call.phases)])
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
