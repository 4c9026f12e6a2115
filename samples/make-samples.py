#!/usr/bin/env python3
"""Makes the recordings in this folder, and their labels, from nothing but this script.

    ./make-samples.py            writes them beside this script
    ./make-samples.py --check    makes them anew elsewhere and says which differ (exit code 1)

Needs espeak-ng, sox and flac. The same versions of these give the same samples, bit for bit;
another espeak-ng may speak differently, and then the labels move with it.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from recipes import music, noise
from recipes.audio import db, mixed, rms, scaled, write_audio
from recipes.speech import dialogue, speech_power_rms

HERE = Path(__file__).resolve().parent

# A quiet room under every clean recording: real recordings are never digitally silent.
ROOM_LEVEL_DBFS = -78


def room(seed, count):
    return scaled(noise.white(random.Random(seed), count), db(ROOM_LEVEL_DBFS))


def at_snr(track, labels, background, snr_db, rate):
    """Speech over a background whose RMS lies `snr_db` below that of the speech while it lasts."""
    level = speech_power_rms(track, labels, rate) / db(snr_db)
    return mixed(track, scaled(background, level / rms(background)))


def speech(rate=16000):
    """One speaker, clean."""
    track, labels = dialogue([
        (0.70, "Good morning. Can everybody hear me?", "en-us", 155),
        (3.90, "The build is green again.", "en-us", 150),
        (6.60, "Let us look at the numbers from last week.", "en-us", 160),
    ], 10, rate)
    return rate, [mixed(track, room(1, len(track)))], labels


def speech_cafe_10db(rate=16000):
    """Two speakers in a café, 10 dB SNR."""
    track, labels = dialogue([
        (0.90, "Shall we sit by the window?", "en-gb", 155, 45),
        (3.10, "Yes, I will get us some coffee.", "en-us+f3", 160),
        (6.40, "Thank you, black for me.", "en-gb", 150, 45),
    ], 9, rate)
    background = noise.cafe(random.Random(2), 9, rate)
    return rate, [at_snr(track, labels, background, 10, rate)], labels


def speech_fan_0db(rate=16000):
    """One speaker beside a ventilator, 0 dB SNR."""
    track, labels = dialogue([
        (1.00, "It is too warm in this room.", "en-gb-scotland", 150),
        (4.00, "Please leave the fan on while we talk.", "en-gb-scotland", 155),
    ], 8, rate)
    background = noise.fan(random.Random(3), 8, rate)
    return rate, [at_snr(track, labels, background, 0, rate)], labels


def keyboard(rate=16000):
    """Typing and no speech."""
    typing = noise.keyboard(random.Random(4), 8, rate)
    return rate, [scaled(typing, db(-36) / rms(typing))], []


def tune(rate=16000):
    """Music and no speech."""
    piece = music.piece(8, rate)
    return rate, [scaled(piece, db(-24) / rms(piece))], []


def telephone_8k(rate=8000):
    """A call: 8 kHz μ-law, 300 to 3400 Hz, rain behind the caller at 10 dB SNR."""
    track, labels = dialogue([
        (0.60, "Hello, I am calling about the bicycle.", "en-us+f2", 160),
        (4.20, "Is it still for sale?", "en-us+f2", 155),
    ], 7, rate)
    call = at_snr(track, labels, noise.rain(random.Random(5), 7, rate), 10, rate)
    for kind, frequency in (("high", 300), ("low", 3400)):
        call = noise.biquad(call, kind, frequency, rate)
    return rate, [call], labels


def stereo_48k(rate=48000):
    """48 kHz stereo: speech on the left, rain on the right."""
    track, labels = dialogue([
        (0.50, "The left channel is me.", "en-gb+f4", 155),
        (2.70, "The right one is the weather.", "en-gb+f4", 155),
    ], 5, rate)
    weather = noise.rain(random.Random(6), 5, rate)
    left = mixed(track, room(7, len(track)))
    return rate, [left, scaled(weather, db(-50) / rms(weather))], labels


def muted_talk(rate=16000):
    """Somebody who forgets to unmute: meant to be muted from 4 s to 10 s."""
    track, labels = dialogue([
        (0.60, "I will be right back, one moment please.", "en-us", 160),
        (5.50, "So, as I said, the second plan is better.", "en-us", 160),
        (10.60, "Sorry, I was muted.", "en-us", 160),
    ], 12.5, rate)
    return rate, [mixed(track, room(8, len(track)))], labels


SAMPLES = {
    "speech.flac": speech,
    "speech-cafe-10db.flac": speech_cafe_10db,
    "speech-fan-0db.flac": speech_fan_0db,
    "keyboard.flac": keyboard,
    "music.flac": tune,
    "telephone-8k.wav": telephone_8k,
    "stereo-48k.flac": stereo_48k,
    "muted-talk.flac": muted_talk,
}


def write_labels(path, labels):
    """Audacity's label track: start, end and text between tabs, in seconds."""
    lines = (f"{start:.3f}\t{end:.3f}\tspeech\n" for start, end in labels)
    path.write_text("".join(lines))


def make(folder):
    for name, recipe in SAMPLES.items():
        rate, channels, labels = recipe()
        write_audio(folder / name, rate, channels)
        write_labels((folder / name).with_suffix(".txt"), labels)


def content(path):
    """The samples of a recording, whatever encoder packed them, or the text of labels."""
    if path.suffix == ".txt":
        return path.read_bytes()
    raw = ["sox", path, "-t", "raw", "-e", "signed", "-b", "16", "-"]
    return subprocess.run(raw, check=True, capture_output=True).stdout


def check():
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))
        made = sorted(Path(folder).iterdir())
        differing = [
            p.name for p in made
            if not (HERE / p.name).exists() or content(p) != content(HERE / p.name)
        ]
    for name in differing:
        print(f"{name}: differs from what this script makes here", file=sys.stderr)
    print(f"{len(made) - len(differing)} of {len(made)} files are as this script makes them")
    return 1 if differing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if parser.parse_args().check:
        return check()
    make(HERE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
