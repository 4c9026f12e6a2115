"""A small run on samples/ with what must hold on any run: `make echo`. Ten seconds of one synthetic voice are enough to
show that everything works together, not how well."""

import report
from compare import ROOT, choose, plan, run
from methods import PRESETS, Core
from scenes import KINDS
from scoring import RATIOS, RETURNS, TOLD_HOPS

SAMPLES = ROOT / "samples"
HOURS = 0.1


def run_check(arguments):
    """Prints the tables of the small run, then what is wrong. Returns 0 or 1."""
    arguments.speech = [SAMPLES / "speech.flac", SAMPLES / "muted-talk.flac"]
    arguments.noise, arguments.music = [SAMPLES / "keyboard.flac"], [SAMPLES / "music.flac"]
    arguments.hours, arguments.jobs = HOURS, 2
    core = Core(arguments.library)
    files, chosen = choose(arguments, core)
    counts = plan(HOURS, 0.03, KINDS)
    tally = run(arguments, files, counts)
    print(report.head(arguments, core.name, counts, chosen))
    print(report.tables(tally, KINDS))

    few = {name: counts[name] for name in ("start", "headset")}
    arguments.jobs = 1
    again = run(arguments, files, few)
    wrong = [message for message, holds in (*laws(tally.counts, counts), *outcomes(tally.counts)) if not holds]
    if any(tally.counts[key] != count for key, count in again.counts.items()):
        wrong.append("one process and two count differently")
    for message in wrong:
        print(f"echo: {message}")
    return 1 if wrong else 0


def laws(counts, planned):
    """Yields (what is wrong if it does not hold, whether it holds) for what is so with any detector."""
    for preset in PRESETS:
        for method in ("product", "beside", "geigel", "bound"):
            of = f"of {method}, {preset}"
            for name, kind in KINDS.items():
                key = (name, method, preset)
                if kind.near:
                    yield (f"{name}: onsets {of} are not those of the bound",
                           counts["onsets", name, *key] == counts["onsets", name, name, "bound", preset] > 0)
                    half, one = (counts["told", limit, name, *key] for limit in TOLD_HOPS)
                    yield f"{name}: told {of}: {half} in 0.5 s, {one} in 1 s", half <= one <= counts["onsets", name, *key]
                    continue
                yield f"{name}: scenes {of} are missing", counts["scenes", *key] == planned[name][0]
                yield (f"{name}: classes of false notices {of} do not add up",
                       sum(counts["false", c, *key] for c in RETURNS) == counts["false", *key])
                yield (f"{name}: classes of hours {of} do not add up",
                       sum(counts["hops", c, *key] for c in RETURNS) == counts["hops", *key] > 0)
                yield (f"{name}: false notices {of} after changes are more than all",
                       counts["false after jump", *key] + counts["false after move", *key] <= counts["false", *key])
            double = ("double", "conversation", method, preset)
            yield (f"classes of double talk {of} do not add up",
                   sum(counts["onsets", c, *double] for c in RATIOS) == counts["onsets", *double])


def outcomes(counts):
    """Yields the same for what is so with this detector, with wide margins."""
    for preset in PRESETS:
        false = {method: counts["false", "long", method, preset] for method in ("product", "beside", "bound")}
        yield f"{preset}: false notices: {false}", false["product"] >= 40 and 4 * false["beside"] <= false["product"]
        yield f"{preset}: the bound has false notices: {false}", 10 * false["bound"] <= false["product"]
        for name in ("conversation", "headset", "none"):
            onsets = counts["onsets", name, name, "bound", preset]
            told, bound = (counts["told", 100, name, name, method, preset] for method in ("beside", "bound"))
            yield f"{preset}: of {onsets} onsets of {name}, {told} are told, bound {bound}", told >= 0.7 * bound > 0
