"""Music without voices: scores written by rule and played by fluidsynth, and tunes from oscillators alone."""

import pathlib
import subprocess
import tempfile

import numpy as np
import soundfile
from scipy.signal import resample_poly

from .sound import RATE, add, band, chance, clock, coloured, curve, log_uniform, partials, samples, sine, swell, unit

SOUNDFONTS = {
    '/usr/share/sounds/sf2/FluidR3_GM.sf2': 'fluid-soundfont-gm',
    '/usr/share/sounds/sf2/TimGM6mb.sf2': 'timgm6mb-soundfont',
}
REQUIRED = {'fluidsynth': 'fluidsynth', **SOUNDFONTS}  # program or path: the Debian package that holds it
FLUIDSYNTH = [*'fluidsynth -n -i -q -g 0.4 -C 0 -o synth.dynamic-sample-loading=1 -r'.split(), str(3 * RATE)]
SCALES = [(0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10), (0, 2, 3, 5, 7, 9, 10), (0, 2, 4, 7, 9), (0, 3, 5, 6, 7, 10)]
PROGRESSIONS = [(0, 3, 4, 0), (0, 4, 5, 3), (0, 5, 3, 4), (1, 4, 0, 0), (0, 0, 3, 4), (5, 3, 0, 4), (0, 2, 3, 4)]
VOICES = {52, 53, 54, 85, 91}  # General MIDI's choirs and voices, counted from 0
PROGRAMS = [p for p in range(120) if p not in VOICES]  # from 120 on they are effects, not instruments
# What sounds like a voice when alone: accordion, harmonica, violin … cello, trumpet … horn, saxes … clarinet, flutes …
# ocarina, synth leads, bagpipe, fiddle; and piano, organ, guitar, bass.
SOLO = [21, 22, 23, *range(40, 43), *range(56, 61), *range(64, 69), 70, 71, *range(73, 76), 77, 79, 80, 81, 84, 87]
SOLO += [109, 110, 0, 19, 24, 33]
TICKS = 480  # a quarter note


def length(value):
    """MIDI's variable-length number."""
    out = [value & 127]
    while value := value >> 7:
        out.insert(0, 128 | value & 127)
    return bytes(out)


def midi(events, tempo):
    """A standard MIDI file, format 0, of (tick, message) pairs."""
    track, now = b'\0\xff\x51\3' + int(60e6 / tempo).to_bytes(3, 'big'), 0
    for tick, message in sorted(events, key=lambda e: (e[0], e[1][0] & 0xF0 == 0x90)):
        track += length(tick - now) + bytes(message)
        now = tick
    track += b'\0\xff\x2f\0'
    return b'MThd\0\0\0\6\0\0\0\1' + TICKS.to_bytes(2, 'big') + b'MTrk' + len(track).to_bytes(4, 'big') + track


def melody(rng, key, scale, bars, low):
    """Notes of one line: (tick, ticks, pitch): a random walk over the scale in a rhythm that comes back."""
    rhythm = rng.choice([TICKS // 2, TICKS, TICKS, 2 * TICKS, TICKS * 3 // 2, TICKS // 4], rng.integers(3, 9))
    step, tick, notes, index = int(rng.integers(0, len(scale))), 0, [], 0
    while tick < bars * 4 * TICKS:
        ticks = int(rhythm[index % len(rhythm)])
        step = int(np.clip(step + rng.integers(-3, 4), -3, 2 * len(scale)))
        if rng.random() > 0.12:
            notes.append((tick, ticks, low + key + scale[step % len(scale)] + 12 * (step // len(scale))))
        tick, index = tick + ticks, index + 1
    return notes


def chord(scale, degree, size):
    return [scale[(degree + 2 * i) % len(scale)] + 12 * ((degree + 2 * i) // len(scale)) for i in range(size)]


def score(rng, solo):
    """The events of a piece, its tempo, and how many seconds it lasts."""
    tempo, key, scale = rng.uniform(50, 180), int(rng.integers(0, 12)), SCALES[rng.integers(len(SCALES))]
    seconds = rng.uniform(10, 30)
    bars, events = int(seconds * tempo / 240) + 1, []

    def play(channel, tick, ticks, pitch, loud):
        pitch = int(np.clip(pitch, 12, 115))
        start = max(0, tick + int(rng.normal(0, 6)))
        events.append((start, (0x90 | channel, pitch, int(np.clip(loud + rng.normal(0, 8), 20, 127)))))
        events.append((max(start + 10, tick + ticks), (0x80 | channel, pitch, 0)))

    def lead(channel, program, low, loud, expressive):
        events.append((0, (0xC0 | channel, program)))
        hold = rng.uniform(0.5, 1.0)
        for tick, ticks, pitch in melody(rng, key, scale, bars, low):
            play(channel, tick, int(ticks * hold), pitch, loud)
            if expressive and ticks >= TICKS:  # vibrato wheel, and a scoop into the note
                events.append((tick + ticks // 3, (0xB0 | channel, 1, int(rng.integers(20, 100)))))
                events.append((tick + ticks - 1, (0xB0 | channel, 1, 0)))
                for i, bent in enumerate(np.linspace(rng.uniform(-0.5, 0), 0, 5)):
                    wheel = int(8192 + 8191 * bent / 2)
                    events.append((tick + 20 * i, (0xE0 | channel, wheel & 127, wheel >> 7)))

    if solo:
        lead(0, int(rng.choice(SOLO)), int(rng.choice([36, 48, 48, 60])), 100, True)
        return events, tempo, seconds
    parts = int(rng.integers(1, 5))
    progression = PROGRESSIONS[rng.integers(len(PROGRESSIONS))]
    for channel in range(parts):
        program = int(rng.choice(PROGRAMS))
        if channel == 0:
            lead(0, program, 60, 95, chance(rng, 0.5))
            continue
        events.append((0, (0xC0 | channel, program)))
        style, octave = rng.integers(0, 3), int(rng.choice([36, 48, 60])) if channel > 1 else 36
        for bar in range(bars):
            notes = chord(scale, progression[bar % 4], 1 if channel == 1 else int(rng.integers(3, 5)))
            for beat in range(4 if style else 1):
                if style == 2:  # arpeggio
                    play(channel, (4 * bar + beat) * TICKS, TICKS, octave + key + notes[beat % len(notes)], 80)
                    continue
                for note in notes:
                    play(channel, (4 * bar + beat) * TICKS, TICKS if style else 4 * TICKS, octave + key + note, 75)
    if chance(rng, 0.6):  # drums: channel 10
        events.append((0, (0xC9, int(rng.choice([0, 8, 16, 24, 25, 32, 40])))))
        pattern = {
            36: rng.random(16) < 0.2,
            38: rng.random(16) < 0.12,
            42: rng.random(16) < rng.uniform(0.2, 0.9),
            int(rng.integers(39, 82)): rng.random(16) < 0.1,
        }
        pattern[36][0] = pattern[38][4] = pattern[38][12] = True
        for bar in range(bars):
            for drum, hits in pattern.items():
                for sixteenth in np.flatnonzero(hits):
                    play(9, 4 * bar * TICKS + int(sixteenth) * TICKS // 4, 60, drum, 95)
    return events, tempo, seconds


def played(rng, solo):
    events, tempo, seconds = score(rng, solo)
    font = str(rng.choice(list(SOUNDFONTS)))
    with tempfile.TemporaryDirectory() as folder:
        tune, path = pathlib.Path(folder) / 'a.mid', pathlib.Path(folder) / 'a.wav'
        tune.write_bytes(midi(events, tempo))
        subprocess.run(
            [*FLUIDSYNTH, '-R', str(int(chance(rng, 0.7))), '-F', str(path), font, str(tune)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        x, rate = soundfile.read(path)
    assert rate == 3 * RATE  # fluidsynth folds what lies above its rate: filter here instead
    return resample_poly(x.mean(1), 1, 3)[: samples(seconds)]


def midi_band(rng):
    return played(rng, False)


def midi_solo(rng):
    return played(rng, True)


# From oscillators alone


def pitch_hertz(note):
    return 440 * 2 ** ((note - 69) / 12)


def oscillator(rng, kind, hertz):
    if kind == 'chip':
        phase = np.cumsum(hertz) / RATE % 1
        return np.where(phase < rng.choice([0.125, 0.25, 0.5]), 1.0, -1.0)
    if kind == 'sine':
        return sine(hertz)
    return partials(rng, hertz, {'saw': -6, 'mellow': -12}[kind])


def note(rng, kind, midi_note, seconds):
    n = samples(seconds)
    vibrato = 1 + rng.uniform(0, 0.012) * np.sin(2 * np.pi * rng.uniform(4, 7) * clock(n)) * curve(
        n, (0, 0), (0.4, 0.5), (1, 1)
    )
    return oscillator(rng, kind, pitch_hertz(midi_note) * vibrato) * swell(
        n, rng.uniform(0.005, 0.05), min(0.1, seconds / 2)
    )


def drum(rng, kind):
    n = samples({'kick': 0.3, 'snare': 0.2, 'hat': 0.08}[kind])
    t = clock(n)
    if kind == 'kick':
        return sine(45 + 120 * np.exp(-30 * t)) * np.exp(-12 * t)
    if kind == 'snare':
        return band(coloured(rng, n, 0), 800, 7000) * 0.3 * np.exp(-20 * t) + 0.5 * np.sin(
            2 * np.pi * 190 * t
        ) * np.exp(-25 * t)
    return band(coloured(rng, n, 0), 5000, 8000) * 0.3 * np.exp(-60 * t)


def synthetic(rng):
    """Chords, an arpeggio or a tune from oscillators, with or without a drum machine."""
    tempo, key, scale = rng.uniform(60, 180), int(rng.integers(0, 12)), SCALES[rng.integers(len(SCALES))]
    n = samples(rng.uniform(10, 30))
    beat, out = 60 / tempo, np.zeros(n + RATE)
    bars = int(n / RATE / beat / 4) + 1
    progression = PROGRESSIONS[rng.integers(len(PROGRESSIONS))]
    kind = str(rng.choice(['chip', 'saw', 'mellow', 'sine']))

    def put(x, seconds, level):
        add(out, level * x, samples(seconds))

    layers = rng.random(4) < (0.6, 0.5, 0.6, 0.5)  # chords, arpeggio, tune, drums
    if not layers[:3].any():
        layers[2] = True
    for bar in range(bars):
        notes = [48 + key + c for c in chord(scale, progression[bar % 4], 3)]
        if layers[0]:
            for c in notes:
                put(unit(note(rng, kind, c, 4 * beat)), 4 * bar * beat, 0.25)
        if layers[1]:
            for i in range(8):
                put(unit(note(rng, kind, notes[i % 3] + 12, beat / 2)), (4 * bar + i / 2) * beat, 0.3)
    if layers[2]:
        for tick, ticks, pitch in melody(rng, key, scale, bars, 60):
            put(unit(note(rng, kind, pitch, ticks / TICKS * beat * 0.95)), tick / TICKS * beat, 0.5)
    if layers[3]:
        hits = {'kick': rng.random(16) < 0.25, 'snare': rng.random(16) < 0.15, 'hat': rng.random(16) < 0.6}
        for bar in range(bars):
            for name, when in hits.items():
                for sixteenth in np.flatnonzero(when):
                    put(drum(rng, name), (4 * bar + sixteenth / 4) * beat, 1.2)
    return band(out[:n], 30, log_uniform(rng, 2500, 9000))


FAMILIES = {'band': (midi_band, 5), 'solo': (midi_solo, 3), 'oscillators': (synthetic, 2)}
