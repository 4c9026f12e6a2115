"""Calls through a loudspeaker: what the microphone hears, what went to the loudspeaker, and who really spoke.

A scene is a function of seed, kind and index. Levels are dBFS of active speech."""

import zlib
from dataclasses import dataclass, field

import numpy as np
from scipy.signal import butter, iirpeak, lfilter, oaconvolve, sosfilt

import room
import sounds
from sounds import HOP, RATE, voices

DELAY_SECONDS = (0.001, 0.495)  # jumps and drift never lead out of this range
LAG_SECONDS = 0.1               # the latest reference of the kind `lag`
FAR_NOISE_DB = 20, 50           # so much below the far end's speech is its background …
LINE_NOISE_DB = 5, 25           # … and the noise of a noisy line
VIDEO_MUSIC_DB = 0, 12          # so much below a video's speech is its music
STEP_DB = 6, 25                 # a step of a level, up or down …
STEPS_REACH_DB = 25             # … but never farther from the first level
NEAR_TO_ECHO_DB = -10, 20       # the level of who is near …
SOFT_DB = -14, -4               # … softly
GATE_DB = -30                   # of a device's microphone while the far end talks
TELEPHONE = butter(3, [300, 3400], "band", fs=RATE, output="sos")


@dataclass(frozen=True)
class Kind:
    """`share`: hours of it in an hour of long scenes. `near`: somebody speaks at the microphone. `echo`: it hears the
    loudspeaker. `noisy_line`: the far end calls by telephone, with noise on the line. `room`: what Way is drawn.
    `steps`: whose level steps now and then. `quiet`: the reference is far quieter than its echo. `gates`: the device turns
    its microphone down while the far end talks. `whispers`: who is near whispers. `soft`: who is near is SOFT_DB from the
    echo."""
    seconds: int
    share: float
    near: bool = False
    echo: bool = True
    reference: str = "far end"
    programme: str = "speech"
    speakers: int = 1
    lags: bool = False
    noisy_line: bool = False
    room: str = "small"
    steps: str = ""
    quiet: bool = False
    gates: bool = False
    whispers: bool = False
    soft: bool = False


KINDS = {
    "long": Kind(120, 1.0),
    "start": Kind(20, 0.2),
    "conversation": Kind(20, 0.25, near=True),
    "noisy line": Kind(20, 0.1, near=True, noisy_line=True),
    "headset": Kind(20, 0.1, near=True, echo=False),
    "none": Kind(20, 0.07, near=True, echo=False, reference="none"),
    "foreign": Kind(20, 0.1, near=True, reference="foreign"),
    "foreign far end": Kind(120, 0.07, reference="foreign"),
    "music": Kind(120, 0.08, programme="music"),
    "two loudspeakers": Kind(120, 0.08, speakers=2),
    "lag": Kind(120, 0.08, lags=True),
    "reverberant": Kind(120, 0.2, room="reverberant"),
    "reverberant conversation": Kind(20, 0.08, near=True, room="reverberant"),
    "volume": Kind(120, 0.1, steps="echo"),
    "volume conversation": Kind(20, 0.08, near=True, steps="echo"),
    "reference's level": Kind(120, 0.1, steps="reference"),
    "music conversation": Kind(20, 0.08, near=True, programme="music"),
    "video conversation": Kind(20, 0.08, near=True, programme="video"),
    "whisper conversation": Kind(20, 0.08, near=True, whispers=True),
    "soft conversation": Kind(20, 0.08, near=True, soft=True),
    "quiet reference": Kind(20, 0.05, quiet=True),
    "gating device": Kind(120, 0.06, gates=True),
}


@dataclass
class Scene:
    kind: str
    index: int
    microphone: np.ndarray            # int16, 16 kHz
    reference: np.ndarray | None      # int16, as it reaches the detector
    clean: np.ndarray                 # the microphone without any echo
    near: np.ndarray                  # bool by hop: near-end speech, as dry
    far: np.ndarray                   # bool by hop: the far end, as the microphone hears it
    delay: np.ndarray                 # by hop: seconds from reference to echo, without the way through the air
    echo_return_db: float             # echo over reference
    near_to_echo_db: float
    jump: float | None = None         # seconds: the delay jumps
    moved: float | None = None        # seconds: the path changes
    gains: list = field(default_factory=list)  # seconds: gain control begins to act
    steps: list = field(default_factory=list)  # seconds: the level of the echo or the reference steps
    noise: str = ""


def ramp(length, start, seconds, end_value):
    """Returns 0 until `start` seconds, `end_value` from `start` + `seconds` on, and a line between."""
    hops = np.arange(0, length + HOP, HOP) / RATE
    line = np.interp(hops, [start, start + seconds], [0, end_value])
    return np.interp(np.arange(length), np.arange(len(hops)) * HOP, line).astype(np.float32)


def talk(random, speech, length, first, turn, pause):
    """Returns turns of speech and its active hops. `first`, `turn`, `pause`: ranges in seconds."""
    samples, active = np.zeros(length, np.float32), np.zeros(length // HOP, bool)
    hop = int(100 * random.uniform(*first))
    while hop < len(active) - 50:
        end = hop + 100 * random.uniform(*turn)
        while hop < min(end, len(active) - 50):
            phrase, spoken = speech.utterance(random)
            count = min(len(spoken), len(active) - hop)
            samples[hop * HOP:(hop + count) * HOP] += phrase[:count * HOP]
            active[hop:hop + count] |= spoken[:count]
            hop += count + int(100 * random.uniform(0.05, 0.5))
        hop += int(100 * random.uniform(*pause))
    return samples, active


def clip(random, samples):
    """A small loudspeaker's softly clipped, asymmetric excursion. An RMS of 1 is speech, whose peaks are near 4."""
    drive = np.float32(10 ** (random.uniform(-10, 10) / 20) / 4)
    driven = drive * samples
    clipped = np.tanh(driven + np.float32(random.uniform(0, 0.15)) * driven**2) / drive
    return clipped - clipped.mean()


class Way:
    """From the loudspeaker's cone to the microphone and from the talker to it, in one room."""
    RT60, SPEAKER = (0.15, 0.6), (0.08, 0.4)  # seconds, metres
    impulse_response = staticmethod(room.response)

    def __init__(self, random):
        self.size = np.array([random.uniform(2.5, 7), random.uniform(2.5, 6), random.uniform(2.3, 3.2)])
        self.rt60 = random.uniform(*self.RT60)
        self.microphone = np.array([*random.uniform(1, self.size[:2] - 1), random.uniform(0.7, 1.1)])
        # The loudspeaker's own filters.
        self.low = butter(2, random.uniform(4500, 7600), "low", fs=RATE, output="sos")
        self.resonances = [(*iirpeak(random.uniform(300, 4000), random.uniform(1, 4), fs=RATE), random.uniform(-0.5, 1))
                           for _ in range(2)]
        self.speaker = self.around(random, *self.SPEAKER)
        self.talker = self.around(random, 0.4, 1.0)

    def around(self, random, nearest, farthest):
        """Returns a place this far from the microphone, rather beside it than above it."""
        direction = random.standard_normal(3) * [1, 1, 0.4]
        place = self.microphone + direction / np.linalg.norm(direction) * random.uniform(nearest, farthest)
        return np.clip(place, 0.1, self.size - 0.1)

    def response(self, random, source, microphone):
        """The way through the air from the direct sound on, with an energy of 1."""
        sound = self.impulse_response(random, self.size, source, microphone, self.rt60, RATE)
        flight = np.linalg.norm(source - microphone) / room.SPEED_OF_SOUND * RATE
        sound = sound[max(int(flight) - room.TAPS // 2, 0):].astype(np.float32)
        return sound / np.linalg.norm(sound)

    def echo(self, random, moved=False, speaker=None):
        """The same from the loudspeaker, through its filters; `moved`: after one of the two has been moved a little."""
        speaker, microphone = self.speaker if speaker is None else speaker, self.microphone
        if moved:
            speaker = np.clip(speaker + random.standard_normal(3) * 0.05, 0.1, self.size - 0.1)
            microphone = np.clip(microphone + random.standard_normal(3) * 0.15, 0.2, self.size - 0.2)
        sound = sosfilt(self.low, self.response(random, speaker, microphone))
        for b, a, gain in self.resonances:
            sound = sound + gain * lfilter(b, a, sound)
        return (sound / np.linalg.norm(sound)).astype(np.float32)


class ReverberantWay(Way):
    """In a room of bare walls, with the loudspeaker up to 2 m away: images alone, without the noise of Way's tail."""
    RT60, SPEAKER = (0.8, 1.2), (0.1, 2.0)
    impulse_response = staticmethod(room.response_of_images)


WAYS = {"small": Way, "reverberant": ReverberantWay}


def delays(random, seconds, lags):
    """Returns times and delays, in seconds, between which the delay changes evenly, and the time of a jump or None."""
    base = random.uniform(0.01, 0.06) if lags else random.uniform(0.01, 0.4)
    jump, after = None, base
    if random.random() < (0.3 if seconds < 60 else 0.1):
        jump = random.uniform(0.3, 0.7) * seconds
        after = np.clip(base + random.choice([-1, 1]) * random.uniform(0.02, 0.2), 0.005, 0.45)
    drift = random.choice([0, 1e-4, -1e-4, 1e-3, -1e-3], p=[0.4, 0.2, 0.2, 0.1, 0.1])
    step = seconds if jump is None else jump
    times = np.array([0, step, step, seconds])
    return times, np.array([base, base, after, after]) + drift * times, jump


def delay_at(where, times, values):
    """Returns the delay at times `where`, as they ascend, kept within DELAY_SECONDS."""
    before = np.searchsorted(where, times[1])
    return np.clip(np.concatenate([np.interp(where[:before], times[:2], values[:2]),
                                   np.interp(where[before:], times[2:], values[2:])]), *DELAY_SECONDS)


def delayed(samples, delay):
    """Returns samples[n - delay[n]], `delay` in samples, linearly between samples, 0 outside."""
    return np.interp(np.arange(len(samples)) - delay, np.arange(len(samples)), samples, 0, 0).astype(np.float32)


def delayed_by(samples, count):
    """Returns the samples `count` later, behind silence, in the same length."""
    return np.concatenate([np.zeros(count, samples.dtype), samples[:len(samples) - count]])


def programme(random, kind, material, length):
    """Returns what the far end sends, active parts at an RMS of 1, and its active hops."""
    if kind.programme != "music":
        spoken, active = talk(random, material.speech, length, (0, 2), (3, 12), (0.3, 2.5))
        if kind.programme == "speech":
            return spoken, active
    music = sounds.music(random, material.music, length)
    if kind.programme == "video":
        music = spoken + music * decibels(-random.uniform(*VIDEO_MUSIC_DB))
    return music, np.ones(length // HOP, bool)


def level_steps(random, seconds):
    """Returns a level in dB by sample that steps, at once or within a second, and when it does."""
    times, curve, level = [], np.zeros(seconds * RATE, np.float32), 0.0
    while (moment := (times[-1] if times else 0) + random.uniform(7, 14)) < seconds - 5:
        step = random.uniform(*STEP_DB) * random.choice([-1, 1])
        step = -step if abs(level + step) > STEPS_REACH_DB else step
        within = random.uniform(0.05, 1) if random.random() < 0.5 else 0.001
        curve += ramp(len(curve), moment, within, step)
        times.append(moment)
        level += step
    return curve, times


def gate(random, heard, length):
    """Returns the level in dB by sample of a device that turns its microphone down while it hears the far end."""
    attack, hold, release = (int(100 * random.uniform(*seconds)) for seconds in ((0.02, 0.15), (0.1, 0.5), (0.1, 0.4)))
    level, talks, closed, by_hop = 0.0, 0, 0, np.zeros(len(heard), np.float32)
    for hop, talking in enumerate(heard):
        talks = talks + 1 if talking else 0
        closed = hold if talks > attack else max(closed - 1, 0)
        level += np.clip((GATE_DB if closed else 0) - level, GATE_DB / 3, -GATE_DB / release)
        by_hop[hop] = level
    return np.interp(np.arange(length), np.arange(len(heard)) * HOP, by_hop).astype(np.float32)


def active_rms(samples, active):
    return np.sqrt(np.mean(samples.reshape(-1, HOP)[active] ** 2)) if active.any() else 1.0


def decibels(value):
    return np.float32(10 ** (value / 20))


def sixteen_bits(samples):
    return np.rint(np.clip(samples, -1, 1) * 32767).astype(np.int16)


def make(seed, name, index, material):
    """Makes scene `index` of the kind `name`. `material` has `speech`, `music` (files) and `background`."""
    random = np.random.default_rng([seed, zlib.crc32(name.encode()), index])
    kind = KINDS[name]
    length = kind.seconds * RATE
    way = WAYS[kind.room](random)

    near, near_active = np.zeros(length, np.float32), np.zeros(length // HOP, bool)
    if kind.near:
        pause = (1, 4) if random.random() < 0.5 else (2, 7)
        near, near_active = talk(random, material.speech, length, (0.5, 5), (1, 5), pause)
    if kind.whispers:
        near = voices.whispered(near.astype(np.float64), np.random.default_rng([seed, index])).astype(np.float32)

    near_db, near_to_echo_db = random.uniform(-42, -18), random.uniform(*(SOFT_DB if kind.soft else NEAR_TO_ECHO_DB))
    echo_return_db = random.uniform(-30, -5) if random.random() < 0.85 else random.uniform(-5, 10)
    if kind.quiet:
        echo_return_db = random.uniform(5, 30)
    far_db = np.clip(near_db - near_to_echo_db - echo_return_db, *((-70, -40) if kind.quiet else (-38, -12)))
    echo_db = far_db + echo_return_db
    if kind.soft:
        near_db = echo_db + near_to_echo_db
    if kind.near:
        near_to_echo_db = near_db - echo_db
    noise_db = max(echo_db, echo_db + near_to_echo_db) - random.uniform(12, 40)

    # What is sent to the loudspeakers, and what comes back.
    times, values, jump = delays(random, kind.seconds, kind.lags)
    delay = delay_at(np.arange(length) / RATE, times, values)
    moved = random.uniform(0.3, 0.7) * kind.seconds if random.random() < 0.3 else None
    moved_gain = decibels(random.uniform(-8, 8))
    high = butter(2, random.uniform(120, 450), "high", fs=RATE, output="sos")
    telephone = random.random() < 0.3 or kind.noisy_line
    reference, echo = np.zeros(length, np.float32), np.zeros(length, np.float32)
    heard = np.zeros(length // HOP, bool)
    for speaker in range(kind.speakers):
        far, active = programme(random, kind, material, length)
        if telephone:
            far = sosfilt(TELEPHONE, far).astype(np.float32)
            far /= active_rms(far, active)
        behind, _ = material.background(random, length)
        if kind.noisy_line:
            behind = sosfilt(TELEPHONE, behind).astype(np.float32)
            behind /= max(np.sqrt(np.mean(behind**2)), 1e-3)  # a rumble may have nothing in the band
        far = far + behind * decibels(-random.uniform(*(LINE_NOISE_DB if kind.noisy_line else FAR_NOISE_DB)))
        reference += far / kind.speakers
        source = np.maximum(np.arange(len(active)) - np.rint(100 * delay[::HOP]).astype(int), -1)
        heard |= (source >= 0) & active[source]
        if not kind.echo:
            continue
        played = clip(random, sosfilt(high, delayed(far, delay * RATE)).astype(np.float32))
        place = way.speaker if speaker == 0 else way.around(random, *way.SPEAKER)
        back = oaconvolve(played, way.echo(random, speaker=place))[:length]
        if moved is not None:
            other = oaconvolve(played, way.echo(random, moved=True, speaker=place))[:length] * moved_gain
            back = back + ramp(length, moved, 0.2, 1) * (other - back)
        echo += back
    if kind.echo:
        echo *= decibels(echo_db) / active_rms(echo, heard)
    reference *= decibels(far_db)
    steps = []
    if kind.steps:
        curve, steps = level_steps(random, kind.seconds)
        if kind.steps == "echo":
            echo *= decibels(curve)
        else:
            reference *= decibels(curve - curve.max())  # else it would be clipped, and its echo not

    if kind.reference == "foreign":
        other, _ = talk(random, material.speech, length, (0, 2), (3, 12), (0.3, 2.5))
        reference = other * decibels(far_db)
    if kind.lags:
        lag = int(random.uniform(0, LAG_SECONDS) * RATE)
        reference = delayed_by(reference, lag)
        delay = delay - lag / RATE

    # What else the microphone hears, and what its gain control does.
    spoken = oaconvolve(near, way.response(random, way.talker, way.microphone))[:length]
    spoken *= decibels(near_db) / active_rms(spoken, near_active)
    noise, noise_name = material.background(random, length)
    clean = spoken + noise * decibels(noise_db)
    gain, gains = np.float32(1), []
    if random.random() < 0.3:
        for _ in range(random.integers(1, 3)):
            gains.append(random.uniform(0.15, 0.85) * kind.seconds)
            gain = gain * decibels(ramp(length, gains[-1], random.uniform(0.1, 2), random.uniform(-9, 9)))
    if kind.gates:
        gain = gain * decibels(gate(random, heard, length))
    return Scene(name, index, sixteen_bits((clean + echo) * gain),
                 None if kind.reference == "none" else sixteen_bits(reference), sixteen_bits(clean * gain),
                 near_active, heard & kind.echo, delay[::HOP], echo_return_db, near_to_echo_db,
                 jump, moved if kind.echo else None, gains, steps, noise_name)
