#!/usr/bin/env python3
"""Derives what `vadmon pause` records of traces from the traces, and compares.

    Tests/Program/pause_records.py VADMON TRACE…            checks the records of these traces
    Tests/Program/pause_records.py VADMON --random COUNT    … and of as many random calls

Only the choice of layers is taken from the records. The reserves, the sums, the reason for each pause, what became of each
layer and why, and the missing bits follow from them and from the inputs. Exits 1 with the first ten differences.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

SIZES = {"90": 90, "180": 180, "360": 360, "720": 720}
LADDER = ("forwarded", "surpassed", "bandwidth", "heldBack")


def quality(name):
    """Returns the height and the frame rate of a quality, for instance of r360p_15fps."""
    height, rate = name[1:].split("p_")
    rate = float(rate.removesuffix("fps"))
    return SIZES[height], 7.5 if rate == 7 else rate


def fps_of(layer, layers):
    """Returns the frame rate of a layer; if it is not known, 30 for the fastest of its size, and half for each one below."""
    if layer.get("fps"):
        return layer["fps"]
    fastest = max(other.get("temporal", 0) for other in layers if other["spatial"] == layer["spatial"])
    return 30 / 2 ** (fastest - layer.get("temporal", 0))


def worth(layer, stream):
    """Returns what a layer is worth: a quarter of an octave for each other of the same size and rate below it."""
    key = ("width", "height", "fps", "temporal")
    below = sum(all(other.get(name, 0) == layer.get(name, 0) for name in key) and other["spatial"] < layer["spatial"]
                for other in stream["layers"])
    height = layer["height"] ** (4 if stream["kind"] == "screenShare" else 1)
    return height * fps_of(layer, stream["layers"]) * 2 ** (below / 4)


class Call:
    """What the subscriber's inputs say."""

    def __init__(self):
        self.streams, self.audio, self.other, self.receive_720p, self.layout = {}, (0, 0), 0, None, False
        self.can_pause = True

    def take(self, line):
        key = (line.get("participant"), line.get("track", "video"))
        kind = line["type"]
        if kind == "stream":
            usual = "screenShare" if key[1] == "screenShare" else "camera"
            old = self.streams.get(key, {"demand": {}})
            self.streams[key] = {**old, "layers": line["layers"], "kind": line.get("kind") or usual}
        elif kind == "remove_stream":
            del self.streams[key]
        elif kind == "demand":
            self.streams[key]["demand"] = line
        elif kind == "audio":
            self.audio = (line["streams"], line.get("measured_bps") or 0)
        elif kind == "other_traffic":
            self.other = line["bps"]
        elif kind == "receive_720p":
            self.receive_720p = line["enabled"]
        elif kind == "layout_streams":
            self.layout = True
        elif kind == "capabilities":
            self.can_pause = bool(line.get("enable")) or self.can_pause and not line.get("disable")

    def outcomes(self, row, receives_720p):
        """Returns what should have become of each layer, with None for those to choose from, and whether a cheaper one than
        these is excluded by the least quality."""
        stream = self.streams[row["participant"], row["track"]]
        demand, layers = stream["demand"], stream["layers"]
        sent = [layer for layer in layers if layer.get("active", True) and layer["bps"] > 0]
        height, rate = float("inf"), float("inf")
        if demand.get("maximum_quality"):
            height, rate = quality(demand["maximum_quality"])
        rate = min(rate, demand.get("maximum_fps") or rate)
        if not receives_720p and stream["kind"] == "camera":
            height = min(height, 360)
        if demand.get("view"):
            filling = [layer["height"] for layer in sent if layer["height"] >= demand["view"]["height"]]
            height = min([height, *filling])
        least, slowest = quality(demand["minimum_quality"]) if demand.get("minimum_quality") else (0, 0)
        within = [layer for layer in sent if layer["height"] <= height and layer.get("fps", 0) <= rate]
        useful = [layer for layer in sent if layer["height"] >= min(least, height)
                  and (not layer.get("fps") or layer["fps"] >= min(slowest, rate))]
        wanted = [layer for layer in within if layer in useful]
        if not within and useful:
            wanted = [min(useful, key=lambda layer: layer["bps"])]

        def beats(a, b):
            if abs(worth(a, stream) / worth(b, stream) - 1) < 1e-9:
                return (a["bps"], layers.index(a)) < (b["bps"], layers.index(b))
            return a["bps"] <= b["bps"] and worth(a, stream) > worth(b, stream)

        ladder = [layer for layer in wanted if not any(beats(other, layer) for other in wanted if other is not layer)]
        careless = min((layer["bps"] for layer in within or sent), default=None)
        raised = careless is not None and careless < min((layer["bps"] for layer in ladder), default=float("inf"))
        found = []
        for layer in layers:
            if layer not in sent:
                found.append("notSent")
            elif row["ideal"] is None and row["reason"] != "belowMinimumQuality":
                found.append("notWanted")
            elif layer in ladder:
                found.append(None)
            elif layer["height"] > height or layer.get("fps", 0) > rate:
                found.append("aboveDemand")
            else:
                found.append("dominated" if layer in useful else "belowMinimumQuality")
        return found, raised


class Checker:
    def __init__(self, name):
        self.name, self.call, self.config, self.faults = name, Call(), None, []
        self.rows = self.missing = self.layers = 0

    def expect(self, found, wanted, what, at):
        if found != wanted:
            self.faults.append(f"{self.name}, {at} s: {what}: {found}, not {wanted}")

    def check(self, record):
        at, config, rows = record["at"], self.config, record["streams"]
        count, measured = self.call.audio
        expected = config["audio_bitrate_per_stream_bps"] * min(count, config["audio_stream_limit"])
        reserve = max(measured, expected) * config["audio_headroom"]
        if abs(record["audio_reserve_bps"] - reserve) > 1:
            self.faults.append(f"{self.name}, {at} s: the reserve for audio: {record['audio_reserve_bps']}, not {reserve}")
        self.expect(record["other_reserve_bps"], max(config["other_traffic_reserve_bps"], self.call.other),
                    "the reserve for other traffic", at)
        self.expect(record["target_bps"], sum(row["forward"]["bps"] for row in rows if row["forward"]), "target_bps", at)
        self.expect(record["ideal_bps"], sum(row["ideal"]["bps"] for row in rows if row["ideal"]), "ideal_bps", at)
        self.expect(record["oversending"], record["target_bps"] > record["keep_bps"], "oversending", at)
        self.expect(record["deficient"], any(row["ideal"] != row["forward"] for row in rows), "deficient", at)
        self.expect([row["rank"] for row in rows], list(range(len(rows))), "ranks", at)
        ladders = [sorted((layer for layer in row["layers"] if layer["outcome"] in LADDER), key=lambda layer: layer["bps"])
                   for row in rows]
        self.check_missing(record, ladders)
        receives_720p = config["receive_720p"] if self.call.receive_720p is None else self.call.receive_720p
        for row in rows:
            self.rows += 1
            if not self.call.layout:
                self.check_layers(row, receives_720p, at)

    def check_missing(self, record, ladders):
        rows, shown = record["streams"], 0
        first = next((row["rank"] for row in rows if row["ideal"]), None)
        for row, ladder in zip(rows, ladders):
            if not row["forward"]:
                continue
            base = ladder[0]["bps"]
            if record["strategy"] == "stage" and row["rank"] == first:
                layers = self.call.streams[row["participant"], row["track"]]["layers"]
                heights = {(layer["spatial"], layer.get("temporal", 0)): layer["height"] for layer in layers}
                height = [heights[layer["spatial"], layer["temporal"]] for layer in ladder]
                motion = max(layer["bps"] for layer, its in zip(ladder, height) if its == height[0])
                base = min(row["forward"]["bps"], motion)
            shown += base
        for row, ladder in zip(rows, ladders):
            wanted = 0
            if row["ideal"] and not row["forward"]:
                policy = self.call.streams[row["participant"], row["track"]]["demand"].get("pause_policy")
                permitted = record["pictures_bps"] + (self.config["maximum_oversend_bps"] if policy == "never" else 0)
                wanted = max(0, shown + ladder[0]["bps"] - permitted)
                self.missing += 1
            self.expect(row["missing_bps"], wanted, f"missing_bps of {row['participant']}", record["at"])

    def check_layers(self, row, receives_720p, at):
        outcomes, raised = self.call.outcomes(row, receives_720p)
        name = row["participant"]
        if row["ideal"] and not row["forward"]:
            self.expect(row["reason"], "belowMinimumQuality" if raised else "bandwidth", f"the reason of {name}", at)
        for layer, outcome in zip(row["layers"], outcomes, strict=True):
            self.layers += 1
            if outcome is None and row["forward"]:
                forward = row["forward"]
                is_it = all(forward[key] == layer[key] for key in ("spatial", "temporal"))
                outcome = "forwarded" if is_it else "surpassed" if layer["bps"] < forward["bps"] else "bandwidth"
            elif outcome is None:
                outcome = "bandwidth" if row["missing_bps"] > 0 else "heldBack"
            self.expect(layer["outcome"], outcome, f"{name}'s layer {layer['spatial']}.{layer['temporal']}", at)


def microseconds(at):
    return round(at * 1e6)


def check(vadmon, name, text):
    """Returns a checker that has seen a trace and its records."""
    run = subprocess.run([vadmon, "pause", "-", "--quiet"], input=text, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"check-pause-records: {name}: {run.stderr.strip()}")
    inputs = [json.loads(line) for line in text.splitlines() if line.strip()]
    inputs = [line for line in inputs if line["type"] != "config"]
    checker, taken = Checker(name), 0
    for record in map(json.loads, run.stdout.splitlines()):
        if record["type"] == "config":
            checker.config = record
        if record["type"] != "decision":
            continue
        while taken < len(inputs) and microseconds(inputs[taken]["at"]) <= microseconds(record["at"]):
            checker.call.take(inputs[taken])
            taken += 1
        checker.check(record)
    return checker


def random_call(seed):
    """Returns a trace with every input that changes what is divided, in any order."""
    rng = random.Random(seed)
    lines = [{"type": "config", "strategy": rng.choice(["grid", "priority", "stage"]),
              "other_traffic_reserve_bps": rng.choice([0, 40_000])}]
    names, present, at, estimate = "abcdefgh", set(), 0.0, 2_000_000

    def publish(name):
        base, is_scalable = rng.choice([50_000, 100_000, 150_000]), rng.random() < 0.3
        layers = [{"spatial": spatial, "temporal": temporal, "width": height * 16 // 9, "height": height,
                   "fps": (7.5, 15, 30)[temporal], "bps": base * 3 ** spatial * (temporal + 2) // 2,
                   "active": rng.random() < 0.95, "decode_target": is_scalable}
                  for spatial, height in enumerate((180, 360, 720)[:rng.randint(1, 3)]) for temporal in range(rng.randint(1, 3))]
        if is_scalable:
            layers = [layer for layer in layers if layer["temporal"] == 0]
        present.add(name)
        return {"type": "stream", "participant": name, "track": rng.choice(["video"] * 9 + ["screenShare"]), "layers": layers}

    tracks = {}
    for _ in range(rng.randint(100, 600)):
        at = round(at + rng.random() * rng.choice([0.05, 0.4, 2]), 3)
        kind, name = rng.random(), rng.choice(names)
        if kind < 0.55:
            estimate = rng.choice([0, 60_000, 3_000_000]) if rng.random() < 0.03 else estimate * (1 + rng.gauss(0, 0.1))
            estimate = min(20_000_000, max(0, int(estimate)))
            line = {"type": "estimate", "bps": estimate}
            if rng.random() < 0.05:
                line["congestion"] = rng.choice(["earlyWarning", "congested"])
        elif kind < 0.65 or not tracks:
            line = publish(name)
            tracks[name, line["track"]] = True
        elif kind < 0.8:
            name, track = rng.choice(sorted(tracks))
            height, qualities = rng.choice([90, 180, 360, 720]), ["r90p_3fps", "r180p_15fps", "r360p_30fps", "r720p_7fps"]
            line = {"type": "demand", "participant": name, "track": track, "visible": rng.random() < 0.9}
            for member, value in (("view", {"width": height * 2, "height": height}), ("priority", "high"), ("pin", {}),
                                  ("maximum_quality", rng.choice(qualities)), ("minimum_quality", rng.choice(qualities)),
                                  ("pause_policy", rng.choice(["never", "lastResort"])), ("maximum_fps", 15)):
                if rng.random() < 0.25:
                    line[member] = value
        else:
            name, track = rng.choice(sorted(tracks))
            line = rng.choice([
                {"type": "audio", "streams": rng.randint(0, 5), "measured_bps": rng.choice([None, 150_000])},
                {"type": "other_traffic", "bps": rng.randint(0, 200_000)},
                {"type": "speaking", "participant": name, "speaking": rng.random() < 0.5},
                {"type": "last_n", "count": rng.choice([None, 2, 5])},
                {"type": "strategy", "strategy": rng.choice(["grid", "priority", "stage"])},
                {"type": "receive_720p", "enabled": rng.random() < 0.7},
                {"type": "publisher_muted", "participant": name, "track": track, "muted": rng.random() < 0.3},
                {"type": "locked", "participant": name, "track": track},
                {"type": "capabilities", rng.choice(["enable", "enable", "disable"]): ["subscriberVideoPause"]},
            ])
        lines.append({"at": at, **line})
    return "".join(json.dumps(line) + "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vadmon")
    parser.add_argument("traces", nargs="*", type=Path)
    parser.add_argument("--random", type=int, default=0, metavar="COUNT")
    options = parser.parse_args()
    texts = [(str(path), path.read_text()) for path in options.traces]
    texts += [(f"random call {seed}", random_call(seed)) for seed in range(options.random)]
    checkers = [check(options.vadmon, name, text) for name, text in texts]
    faults = [fault for checker in checkers for fault in checker.faults]
    for fault in faults[:10]:
        print(f"check-pause-records: {fault}", file=sys.stderr)
    rows, layers, missing = (sum(getattr(each, name) for each in checkers) for name in ("rows", "layers", "missing"))
    print(f"{len(checkers)} traces, {rows} rows, {layers} layers, {missing} pauses for bandwidth; {len(faults)} differences")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
