"""Builds the scenes, runs the methods on each, and prints the tables. compare.sh starts it and describes its use."""

import argparse
import csv
import multiprocessing
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import recordings
import report
import scenes
import sounds
from methods import PRESETS, Core, Decisions, cancellers, geigel
from scoring import Tally, score
from sounds import HOP, Problem

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Material:
    speech: sounds.Speech
    background: sounds.Background
    music: list


@dataclass
class Bench:
    """What a process needs to make and to judge scenes."""
    seed: int
    core: Core
    cancellers: dict
    material: Material

    def decisions(self, scene, cancelled):
        """Yields (method, {preset: Decisions})."""
        core, reference = self.core, scene.reference
        plain = {preset: core.detect(scene.microphone, preset) for preset in PRESETS}
        yield "product", plain
        yield "beside", {preset: core.detect(scene.microphone, preset, reference) for preset in PRESETS}
        if scenes.KINDS[scene.kind].lags:
            yield "held back", {preset: self.held_back(scene, preset) for preset in PRESETS}
        if reference is None:
            yield "geigel", plain
        else:
            gated = geigel(plain["notice"].posteriors, scene.microphone, reference)
            yield "geigel", {preset: core.decide(gated, preset) for preset in PRESETS}
            for name, cancel in self.cancellers.items() if cancelled else ():
                rest = cancel(scene.microphone, reference)
                yield name, {preset: core.detect(rest, preset) for preset in PRESETS}
                yield f"{name} beside", {preset: core.detect(rest, preset, reference) for preset in PRESETS}
        echoes = scenes.KINDS[scene.kind].echo
        yield "bound", {preset: core.detect(scene.clean, preset) for preset in PRESETS} if echoes else plain

    def held_back(self, scene, preset):
        """Decides with the microphone LAG_SECONDS later, and moves the decisions back."""
        hops = int(100 * scenes.LAG_SECONDS)
        later = scenes.delayed_by(scene.microphone, hops * HOP)
        d = self.core.detect(later, preset, scene.reference)
        begins = d.begins[d.begins >= hops] - hops
        return Decisions(*(x[hops:] for x in (d.posteriors, d.speech, d.notice)), begins)

    def __call__(self, job):
        name, index, cancelled = job
        tally = Tally()
        scene = scenes.make(self.seed, name, index, self.material)
        for method, decisions in self.decisions(scene, cancelled):
            tally.add(score(scene, method, decisions, self.core.lookahead_hops))
        return name, tally


def choose(arguments, core):
    """Returns the recordings to build scenes of: {use: files}, and a sentence that says how many."""
    files, said = {"speech": [], "noise": [], "music": []}, []
    for use, chosen in files.items():
        if paths := getattr(arguments, use):
            good, unreadable = sounds.readable(paths, arguments.half)
            chosen += [file for file in good if use != "noise" or sounds.is_noise(file, core.posteriors)]
            left_out = [f"{len(good) - len(chosen)} that are not noise to the detector"] * (len(good) > len(chosen))
            left_out += [f"{unreadable} that cannot be read"] * bool(unreadable)
            said.append(f"{use}: {len(chosen)} recordings" + (f" (without {' and '.join(left_out)})" if left_out else ""))
    return files, "; ".join(said)


def plan(hours, cancelled_hours, kinds):
    """Returns {kind: (scenes, scenes with the cancellers)}."""
    counts = {}
    for name in kinds:
        kind = scenes.KINDS[name]
        count = max(round(hours * kind.share * 3600 / kind.seconds), 1)
        counts[name] = count, min(round(count * cancelled_hours / hours), count)
    return counts


bench = None


def start_process(seed, library, files):
    global bench
    bench = Bench(seed, Core(library), cancellers(),
                  Material(sounds.Speech(files["speech"]), sounds.Background(files["noise"]), files["music"]))


def run_one(job):
    return bench(job)


def run(arguments, files, counts):
    """Runs all scenes and returns the tally of everything. Kinds take turns, so that progress tells the time left."""
    jobs = [(name, index, index < cancelled) for name, (count, cancelled) in counts.items() for index in range(count)]
    random.Random(0).shuffle(jobs)
    total, done, began, shown = Tally(), 0.0, time.monotonic(), 0.0
    seconds = sum(scenes.KINDS[name].seconds for name, *_ in jobs)
    with multiprocessing.Pool(arguments.jobs, start_process, (arguments.seed, arguments.library, files)) as pool:
        for name, tally in pool.imap_unordered(run_one, jobs):
            total.add(tally)
            done += scenes.KINDS[name].seconds
            spent = time.monotonic() - began
            if spent > shown + 15 or done == seconds:
                shown = spent
                print(f"compare: {done / 3600:.2f} of {seconds / 3600:.2f} h, {spent:.0f} s, about "
                      f"{spent * (seconds / done - 1):.0f} s left", file=sys.stderr, flush=True)
    total.notices.sort(key=lambda notice: notice[:5])
    return total


def write_notices(file, notices):
    """Writes a line for each false notice, with what happened around it."""
    with open(file, "w", newline="") as out:
        writer = csv.writer(out, delimiter="\t")
        writer.writerow("kind method preset scene at far_end_from jump moved gain_control echo_return_db near_to_echo_db "
                        "delay_s noise".split())
        for notice in notices:
            writer.writerow(f"{x:.3f}" if isinstance(x, float) else
                            " ".join(f"{y:.2f}" for y in x) if isinstance(x, list) else x for x in notice)


def main():
    parser = argparse.ArgumentParser(prog="compare", description=__doc__.partition("\n")[0])
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help="run on samples/ and check the result")
    for name in ("speech", "noise", "music"):
        parser.add_argument(f"--{name}", nargs="+", metavar="PATH", default=[])
    parser.add_argument("--recordings", metavar="FOLDER", help="pairs of a microphone's recording and its reference")
    parser.add_argument("--hours", type=float, default=1.0, help="hours of the far end alone in scenes of 120 s (1)")
    parser.add_argument("--canceller-hours", type=float, default=0.5, help="so many of them with cancellers, too (0.5)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", type=int, choices=(0, 1), help="only recordings of this half; "
                        "the shipped weights beside an echo were trained with half 0")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--notices", metavar="FILE", help="where to list each false notice")
    arguments = parser.parse_args()
    try:
        if arguments.check:
            import check
            return check.run_check(arguments)
        compare(arguments)
    except Problem as problem:
        print(f"compare: {problem}", file=sys.stderr)
        return 66
    return 0


def compare(arguments):
    core = Core(arguments.library)
    if arguments.recordings:
        print(report.recordings(recordings.measure(core, arguments.recordings), core.name), flush=True)
        if not arguments.speech:
            return
    if not arguments.speech:
        raise Problem("give --speech, and --noise if there is any; or --recordings")
    files, chosen = choose(arguments, core)
    kinds = [name for name, kind in scenes.KINDS.items() if files["music"] or kind.programme == "speech"]
    counts = plan(arguments.hours, arguments.canceller_hours, kinds)
    tally = run(arguments, files, counts)
    if arguments.notices:
        write_notices(arguments.notices, tally.notices)
    print(report.head(arguments, core.name, counts, chosen))
    print(report.tables(tally, kinds))


if __name__ == "__main__":
    sys.exit(main())
