"""The tables, in Markdown."""

import scenes
from methods import PRESETS
from scoring import HOPS_PER_HOUR, RATIOS, RETURNS, TOLD_HOPS, auc, poisson_interval, wilson_interval

METHODS = {"product": "without reference", "beside": "**beside the reference**", "held back": "beside it, held back 100 ms",
           "geigel": "Geigel, -6 dB", "aec3": "AEC3", "aec3 beside": "AEC3, beside the reference",
           "processed": "AEC3 and processing", "processed beside": "AEC3 and processing, beside the reference",
           "speex": "speexdsp, 512 ms", "speex beside": "speexdsp, beside the reference",
           "bound": "bound: without any echo"}
ORDER = sorted(PRESETS, reverse=True)
ALONE = [name for name, kind in scenes.KINDS.items() if not kind.near]


def table(head, rows):
    def line(cells):
        return "| " + " | ".join(map(str, cells)) + " |"

    return "\n".join([line(head), "|---|" + "--:|" * (len(head) - 1), *map(line, rows)])


def share(count, of):
    return f"{100 * count / of:.0f}" if of else "–"


def share_and_interval(count, of):
    low, high = wilson_interval(count, of)
    return f"{100 * count / of:.1f} % ({100 * low:.1f}–{100 * high:.1f})" if of else "–"


def rate(count, hops):
    """Returns notices an hour with their interval."""
    if not hops:
        return "–"
    hours = hops / HOPS_PER_HOUR
    low, high = poisson_interval(count)
    places = 0 if count / hours >= 100 else 1
    return f"{count / hours:,.{places}f} ({low / hours:,.{places}f}–{high / hours:,.{places}f})"


def present(counts, kind, preset="notice"):
    """Returns the methods that ran on a kind."""
    return [method for method in METHODS if counts["scenes", kind, method, preset]]


def far_alone(counts):
    """The far end alone: notices an hour in long scenes, calls with one at the start, and what changes do."""
    rows = []
    for preset in ORDER:
        for method in present(counts, "long", preset):
            key, start = ("long", method, preset), ("start", method, preset)
            false, jump, move = (counts[name, *key] for name in ("false", "false after jump", "false after move"))
            changes = []
            for change in ("jump", "move"):
                of = sum(counts[change, *k] for k in (key, start))
                changes.append(f"{sum(counts[change, 'noticed', *k] for k in (key, start))} of {of}")
            rows.append([METHODS[method], f"`{preset}`", f"{counts['hops', *key] / HOPS_PER_HOUR:.2f}", false,
                         rate(false, counts["hops", *key]), f"{jump} / {move} / {false - jump - move}",
                         share_and_interval(counts["early", *start], counts["scenes", *start]), *changes])
    return table(["method", "preset", "hours", "false notices", "an hour (95 %)", "after a jump / a move / neither",
                  "calls with one in the first 4 s", "jumps with one", "moves with one"], rows)


def told(counts, *key):
    of = counts["onsets", *key]
    return "/".join(share(counts["told", limit, *key], of) for limit in TOLD_HOPS) + f" ({of})" if of else "–"


def near_onsets(counts):
    columns = [("single talk", "single", "conversation"), ("double talk", "double", "conversation"),
               ("double talk, noisy line", "double", "noisy line"),
               ("headset", "headset", "headset"), ("no reference", "none", "none"), ("foreign", "foreign", "foreign")]
    others = "reverberant", "volume", "music", "video", "whisper", "soft"
    columns += [(name, "double", f"{name} conversation") for name in others]
    rows = [[METHODS[method], f"`{preset}`"] + [told(counts, group, kind, method, preset) for _, group, kind in columns]
            for preset in ORDER for method in METHODS if counts["onsets", "conversation", "conversation", method, preset]]
    return table(["method", "preset", *(title for title, *_ in columns)], rows)


def areas(tally):
    kinds = ["conversation", "headset", "none", "foreign"]
    rows = []
    for method in METHODS:
        if ("conversation", method) not in tally.histograms:
            continue
        parts = [tally.histograms.get((kind, method)) for kind in ("conversation", "start", "headset", "none")]
        cells = [sum(part for part in parts if part is not None)] + [tally.histograms.get((kind, method)) for kind in kinds]
        values = [None if cell is None else auc(cell) for cell in cells]
        rows.append([METHODS[method]] + ["–" if value is None else f"{value:.3f}".lstrip("0") for value in values])
    return table(["AUC over hops", "calls: the next three and far end alone", "conversation", "headset", "no reference",
                  "foreign"], rows)


def by_class(counts):
    rows = [[METHODS[method], f"`{preset}`"]
            + [rate(counts["false", name, "long", method, preset], counts["hops", name, "long", method, preset])
               for name in RETURNS]
            + [told(counts, name, "double", "conversation", method, preset) for name in RATIOS]
            for preset in ORDER for method in present(counts, "long", preset)]
    return table(["method", "preset", *(f"return {name}" for name in RETURNS),
                  *(f"near to echo {name}" for name in RATIOS)], rows)


def other_far_ends(counts, kinds):
    names = [name for name in ALONE if name in kinds and name not in ("long", "start")]
    rows = []
    for preset in ORDER:
        for method in METHODS:
            if any(counts["scenes", name, method, preset] for name in names):
                rows.append([METHODS[method], f"`{preset}`"]
                            + [rate(counts["false", name, method, preset], counts["hops", name, method, preset])
                               for name in names])
    hours = [f"{name}, {counts['hops', name, 'product', 'notice'] / HOPS_PER_HOUR:.2f} h" for name in names]
    return table(["method", "preset", *hours], rows)


def steps(counts):
    """Steps of a level, and after how many of them a notice begins within 4 s."""
    names = [name for name, kind in scenes.KINDS.items() if kind.steps and not kind.near]
    rows = [[METHODS[method], f"`{preset}`"]
            + [f"{counts['step', 'noticed', name, method, preset]} of {counts['step', name, method, preset]}"
               for name in names]
            for preset in ORDER for method in METHODS if counts["scenes", names[0], method, preset]]
    return table(["method", "preset", *(f"{name}: steps with a notice" for name in names)], rows)


def head(arguments, core, counts, chosen):
    seconds = sum(scenes.KINDS[name].seconds * count for name, (count, _) in counts.items())
    listed = ", ".join(f"{count} {name}" for name, (count, _) in counts.items())
    cancelled = ", ".join(f"{some} {name}" for name, (_, some) in counts.items())
    return f"""\
Seed {arguments.seed}, {arguments.hours:g} h of the far end alone in long scenes, {seconds / 3600:.1f} h in all; the C core with \
{core}.
Material: {chosen}; coloured noise.
Scenes: {listed}.
With cancellers, only the first of each kind: {cancelled}.
"""


def tables(tally, kinds):
    counts = tally.counts
    return f"""\
### The far end alone
Notices from 4 s behind the first far-end speech on, in scenes of 120 s. Starts, in scenes of 20 s. Changes, in both.

{far_alone(counts)}

### Near speech told within 0.5 s / 1 s, in % (onsets)

{near_onsets(counts)}

{areas(tally)}

### By echo return and near-to-echo ratio
False notices an hour in the long scenes; onsets in double talk told within 0.5 s / 1 s.

{by_class(counts)}

### Other far ends and references
False notices an hour of the far end alone.

{other_far_ends(counts, kinds)}

{steps(counts)}
"""


def recordings(measured, core):
    rows = []
    for name, seconds, results in measured:
        cells = []
        for decisions in (d for preset in ORDER for d in results[preset]):
            cells += [len(decisions.begins), f"{100 * decisions.speech.mean():.0f} %"]
        rows.append([name, f"{seconds:.0f}", *cells])
    titles = [f"{what} {how}, `{preset}`" for preset in ORDER for how in ("without", "with")
              for what in ("notices", "speech")]
    return f"Recordings, by the C core with {core}: without and with the reference.\n\n" + \
        table(["recording", "s", *titles], rows) + "\n"
