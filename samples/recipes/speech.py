"""Speech by espeak-ng, placed at known times, and the labels that follow from where it was placed."""

import subprocess
import tempfile
from pathlib import Path

from .audio import db, read_wav, rms, scaled

# A 10 ms frame belongs to speech when it is within 40 dB of the phrase's loudest frame; pauses
# shorter than 200 ms (stops, breaths between words) do not end a label.
FRAME_SECONDS = 0.010
ACTIVE_BELOW_PEAK_DB = 40
BRIDGED_PAUSE_SECONDS = 0.200

# Level of the speech while it lasts.
SPEECH_LEVEL_DBFS = -23


def phrase(text, voice, rate, speed=160, pitch=50):
    """One phrase, spoken by espeak-ng and resampled by sox without dither."""
    with tempfile.TemporaryDirectory() as folder:
        spoken, resampled = Path(folder, "spoken.wav"), Path(folder, "resampled.wav")
        espeak = ["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch), "-w", spoken, text]
        subprocess.run(espeak, check=True)
        # 3 dB down first, so that the resampler's overshoot does not clip.
        subprocess.run(
            ["sox", "-D", spoken, "-b", "16", resampled, "gain", "-3", "rate", "-h", str(rate)],
            check=True)
        return read_wav(resampled)[1]


def active_spans(signal, rate):
    """[start, end) in seconds of what is audible in a clean signal."""
    size = round(FRAME_SECONDS * rate)
    levels = [rms(signal[i : i + size]) for i in range(0, len(signal) - size + 1, size)]
    threshold = max(levels) * db(-ACTIVE_BELOW_PEAK_DB)
    spans = []
    for index, level in enumerate(levels):
        if level < threshold:
            continue
        start, end = index * FRAME_SECONDS, (index + 1) * FRAME_SECONDS
        if spans and start - spans[-1][1] < BRIDGED_PAUSE_SECONDS:
            spans[-1][1] = end
        else:
            spans.append([start, end])
    return [(start, end) for start, end in spans]


def dialogue(lines, seconds, rate):
    """Puts (time, text, voice, …) on a track of silence. Gives the track and its labels."""
    track, labels = [0.0] * round(seconds * rate), []
    for time, *how in lines:
        signal = phrase(*how[:2], rate, *how[2:])
        spans = active_spans(signal, rate)
        loud = [x for a, b in spans for x in signal[round(a * rate) : round(b * rate)]]
        first = round(time * rate)
        assert first + len(signal) <= len(track), f"{how[0]!r} does not fit"
        for index, x in enumerate(scaled(signal, db(SPEECH_LEVEL_DBFS) / rms(loud))):
            track[first + index] += x
        labels += [(time + a, time + b) for a, b in spans]
    return track, labels


def speech_power_rms(track, labels, rate):
    """RMS of the track where the labels say speech: the S in the samples' SNR."""
    return rms([x for a, b in labels for x in track[round(a * rate) : round(b * rate)]])
