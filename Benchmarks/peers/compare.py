"""Compares the detectors on a folder of recordings and prints one table. compare.sh starts it and describes its use."""

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

import numpy as np

import cost
import metrics
from detectors import Ours, WebRTC, networks
from processor import processor
from recordings import HOP_SECONDS, Problem, decode_folder

three_decimals = "{:.3f}".format
whole = "{:,.0f}".format

# Columns: title, key, format.
WITH_LABELS = [("AUC", "auc", three_decimals), ("AP", "average_precision", three_decimals),
               ("best F1", "best_f1", three_decimals), ("F1", "f1", three_decimals)]
WITHOUT_LABELS = [("as Silero", "agreement", three_decimals), ("kappa", "kappa", three_decimals)]
COST = [("delay ms", "delay_ms", whole), ("CPU s/h", "cpu_seconds_per_hour", "{:.2f}".format),
        ("ratio", "cpu_ratio", "{:.2f}".format), ("instr/hop", "instructions_per_hop", whole),
        ("B/stream", "stream_bytes", whole), ("kB shared", "shared_bytes", lambda size: whole(size / 1000))]

LABELLED_NOTE = """\
Accuracy: 10 ms hops, pooled over the recordings. F1 is at the own decision: mode 3's; more than half of the modes;
0.5 for the networks, FSMN's 0.8; this one's speech state. No rule on the length of a segment follows."""
UNLABELLED_NOTE = """\
As Silero: the share of 10 ms hops with Silero's decision (at 0.5), and Cohen's kappa, which takes chance off it; not
accuracy, for Silero errs too."""
NOTES = """\
Each value stands at the samples that it was made from (WebRTC, RNNoise, TEN VAD, FireRed, FSMN: 10 ms; earshot, akiki:
16 ms; MarbleNet: 20 ms; Silero: 32 ms; this: moved back by the look-ahead), so the delay neither helps nor harms.
MarbleNet and FSMN hear the whole recording before they score it.
CPU: of one thread, for an hour of sound at 16 kHz, without decoding; the ratio is to WebRTC's mode 3, in turns with
the others. The two in C: {compiler}, -O2.
Silero, MarbleNet and FSMN: onnxruntime on one thread. The other networks: the libraries of their packages; RNNoise's
hears 48 kHz and is built without AVX. All are called from Python.
Shared by all streams: code and constants of the two in C; what a network and its library add to a process. A stream of
TEN VAD, earshot, FireRed or akiki: what fifty add, and akiki's have weights of their own."""


def detect(recordings, others, ours):
    """Returns {key: detector}: name, delay, and for each recording an array of scores and one of decisions."""
    webrtc = [WebRTC.decisions(recording) for recording in recordings]
    modes = {f"mode{i}": dict(name=f"WebRTC mode {i}", delay_ms=WebRTC.delay_ms, decisions=[d[i] for d in webrtc],
                              scores=[d[i].astype(float) for d in webrtc]) for i in range(4)}
    means = [d.mean(axis=0) for d in webrtc]
    probabilities = {network: [network.scores(recording) for recording in recordings] for network in others}
    scores, decisions = ours.scores_and_decisions(recordings)
    return modes | {
        "modes": dict(name="WebRTC, mean of the modes", delay_ms=WebRTC.delay_ms, scores=means,
                      decisions=[mean > 0.5 for mean in means]),
    } | {
        network.key: dict(name=network.name, delay_ms=network.delay_ms, scores=scores,
                          decisions=[score >= network.threshold for score in scores])
        for network, scores in probabilities.items()
    } | {
        "ours": dict(name="this", delay_ms=ours.delay_ms, scores=scores, decisions=decisions),
    }


def accuracy(truths, detector):
    truth, score, decision = (np.concatenate(list_) for list_ in (truths, detector["scores"], detector["decisions"]))
    return {"auc": metrics.auc(truths, detector["scores"]),
            "average_precision": metrics.average_precision(truth, score),
            "best_f1": metrics.best_f1(truth, score), "f1": metrics.f1(truth, decision)}


def agreement(detector, reference):
    same, kappa = metrics.agreement(np.concatenate(detector["decisions"]), np.concatenate(reference["decisions"]))
    return {"agreement": same, "kappa": kappa}


def compare(folder, build, vadmon, work):
    """Returns the contents of the table."""
    recordings = decode_folder(folder, work)
    labelled = [recording for recording in recordings if recording.speech is not None]
    if labelled and len(labelled) < len(recordings):
        print(f"compare: {len(recordings) - len(labelled)} recordings without labels are left out", file=sys.stderr)
    recordings = labelled or recordings
    truths = [recording.speech for recording in labelled]
    if labelled and len(np.unique(np.concatenate(truths))) < 2:
        raise Problem(f"{folder}: the labels have to leave some time with speech and some without", os.EX_DATAERR)

    others, ours = networks(), Ours(vadmon)
    detectors = detect(recordings, others, ours)
    figures, simd = cost.measure(build, work, recordings, others, ours)
    figures["mode3"] = figures.pop("webrtc")
    result = {"folder": str(folder), "recordings": len(recordings), "labelled": bool(labelled),
              "seconds": sum(recording.hops for recording in recordings) * HOP_SECONDS,
              "processor": processor(), "simd": simd, "detectors": []}
    for key, detector in detectors.items():
        row = {"name": detector["name"], "delay_ms": detector["delay_ms"]}
        row |= accuracy(truths, detector) if labelled else agreement(detector, detectors["silero"])
        result["detectors"].append(row | figures.get(key, {}))
    if len(labelled) > 1:
        difference = metrics.auc_difference(truths, detectors["ours"]["scores"], detectors["silero"]["scores"])
        result["auc_this_minus_silero"] = dict(zip(("difference", "low", "high"), difference))
    return result


def table(result):
    columns = (WITH_LABELS if result["labelled"] else WITHOUT_LABELS) + COST
    rows = [[""] + [title for title, _, _ in columns]]
    for detector in result["detectors"]:
        values = [(detector.get(key), text_of) for _, key, text_of in columns]
        rows.append([detector["name"]] + ["–" if value is None else text_of(value) for value, text_of in values])
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [f"{result['recordings']} recordings, {result['seconds'] / 60:.1f} min",
             f"{result['processor']}; SIMD body of this: {result['simd']}", ""]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  ".join(cells))
    if gap := result.get("auc_this_minus_silero"):
        lines += ["", f"AUC, this minus Silero: {gap['difference']:+.3f}; 95 % of {metrics.RESAMPLES} paired "
                  f"resamplings of the recordings lie in {gap['low']:+.3f} … {gap['high']:+.3f}"]
    return "\n".join(lines + ["", LABELLED_NOTE if result["labelled"] else UNLABELLED_NOTE,
                              NOTES.format(compiler=result["compiler"])])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--build", type=Path, required=True, help="where compare.sh builds the programs in C")
    parser.add_argument("--vadmon", required=True)
    parser.add_argument("--compiler", required=True, help="what it used for that")
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as work:
            result = compare(options.folder, options.build, options.vadmon, Path(work))
            result["compiler"] = options.compiler
    except Problem as problem:
        print(f"compare: {problem}", file=sys.stderr)
        sys.exit(problem.code)
    except OSError as error:
        print(f"compare: {error}", file=sys.stderr)
        sys.exit(os.EX_IOERR)
    except KeyboardInterrupt:
        sys.exit(130)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that stops early ends this quietly
    print(table(result))


if __name__ == "__main__":
    main()
