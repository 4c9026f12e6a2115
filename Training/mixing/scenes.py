"""Scenes of 20 s: people who talk before a background, or a background alone, as a microphone hears them.

The choices and their chances are the training's real content. They say what the network must not be misled by: any
voice, level, microphone, room, telephone or sample rate; noise as loud as the speech; sounds that start and stop like
words (coughs, barks, knocks, strokes); voices too far away to be anybody's; what an echo canceller leaves; and music.
"""

import dataclasses

import numpy as np
from scipy.signal import resample_poly

from features import HOP, RATE
from synthesis.sound import add, chance, coloured

from . import voices
from .bank import cut
from .codecs import PHONE_HZ, codec, telephone
from .echo import loudspeaker, residue
from .effects import SPEEDS, coloured_noise, gain, hum, microphone, rms
from .rooms import impulse_response, within

SECONDS = 20
COUNT = SECONDS * RATE
HOPS = COUNT // HOP

BED_SECONDS = 2.5      # a recording this long can be a background …
EVENT_SECONDS = 6      # … and one no longer than this something that happens
# Names of sounds that are most like voices: events are drawn from them oftener.
VOICE_LIKE = (
    'dog bark wolf howl cat cow sheep goat horse bird rooster chicken duck owl pig animal growl roar cry baby bear '
    'eagle bat gryphon seal monkey frog donkey elephant lion parrot hawk cough sneeze snor burp scream laugh throat '
    'sigh groan pain death die voices siren').split()
STEADY = '/fan/ /hiss/ /hum/ /rain/ /stream/ /engine/'.split()  # families of sounds that hardly change
SPEECH_SHARE = 0.6     # of the scenes
TELEVISION_SHARE = 0.02  # of the scenes: a loudspeaker talks, quietly; that is speech
EARLIEST = 100         # hops before the scene at which somebody may have begun to talk
LATE_SHARE = 0.12      # of the scenes with talk: steady noise for LATE_SECONDS before the first word
LATE_SECONDS = 2, 6
PAUSED_SHARE = 0.2     # of the utterances: with pauses of PAUSE_HOPS cut in, which the labels keep
PAUSE_HOPS = 5, 30
FAR_SHARE = 0.12       # of the speakers: farther away, or softer, by FAR_DB
FAR_DB = 6, 16
MEETING_SHARE = 0.15   # of the scenes with talk: up to MOST_AT_TABLE people around one far microphone, who interrupt
MOST_AT_TABLE = 6
LEVELS = -62, -12      # dBFS, of a scene
TELEVISION_LEVELS = -65, -42
RATES = [(8000, 0.18), (11025, 0.0125), (12000, 0.0125)] + [(r, 0.015) for r in (22050, 24000, 32000, 44100, 48000)]
TELEPHONE_SHARE = 2 / 3  # of the scenes at PHONE_HZ


@dataclasses.dataclass
class Scene:
    samples: np.ndarray  # float32 at `rate`
    rate: int
    speech: np.ndarray   # bool per hop
    weight: np.ndarray   # float per hop: how sure the label is
    has_talk: bool


def loudest(samples):
    """The highest RMS within 30 ms."""
    span = 480
    if len(samples) <= span:
        return rms(samples)
    return float(np.sqrt(np.convolve(samples**2, np.ones(span) / span, 'valid').max())) + 1e-6


def burst(samples, rng):
    """A piece of 80 to 800 ms with soft ends."""
    samples = cut(samples, min(len(samples), int(rng.uniform(0.08, 0.8) * RATE)), rng)
    to_end = np.minimum(np.arange(len(samples)), np.arange(len(samples))[::-1])
    return samples * np.minimum(1, to_end / rng.integers(40, 400))


def pause(rng, brisk):
    """Seconds between two utterances."""
    kind = rng.random()
    length = rng.uniform(0, 0.3) if kind < 0.35 else rng.uniform(0.3, 1.5) if kind < 0.8 else rng.uniform(1.5, 5)
    return length * (0.2 if brisk else 1)


def at_speed(samples, speech, weight, rng):
    """The utterance a little faster and higher, or slower and lower, its labels with it."""
    up, down = SPEEDS[rng.integers(len(SPEEDS))]
    if up == down:
        return samples, speech, weight
    hop = np.minimum(np.arange(len(speech) * up // down) * down // up, len(speech) - 1)
    return resample_poly(samples, up, down).astype(np.float32), speech[hop], weight[hop]


def with_pauses(samples, speech, weight, rng):
    """The utterance with one to four pauses of PAUSE_HOPS cut in where it is quietest nearby: labelled as no speech."""
    levels = (samples[: len(speech) * HOP].reshape(-1, HOP) ** 2).sum(1)
    for _ in range(rng.integers(1, 5)):
        inside = np.flatnonzero(speech[:-1] & speech[1:])
        if not len(inside):
            break
        near = inside[np.abs(inside - rng.choice(inside)) < 10]
        cut_at = near[(levels[near] + levels[near + 1]).argmin()] + 1
        hops = int(rng.integers(PAUSE_HOPS[0], PAUSE_HOPS[1] + 1))
        samples = samples.copy()
        fade = np.linspace(1, 0, HOP // 2)  # 5 ms
        samples[cut_at * HOP - len(fade) : cut_at * HOP] *= fade
        samples[cut_at * HOP : cut_at * HOP + len(fade)] *= fade[::-1]
        samples = np.insert(samples, cut_at * HOP, np.zeros(hops * HOP, np.float32))
        speech, levels = (np.insert(x, cut_at, np.zeros(hops, x.dtype)) for x in (speech, levels))
        weight = np.insert(weight, cut_at, np.ones(hops, weight.dtype))
    return samples, speech, weight


class Mixer:
    def __init__(self, speech, noise, music):
        self.speech, self.noise, self.music = speech, noise, music
        self.beds = noise.which(shortest=BED_SECONDS)
        self.events = noise.which(longest=EVENT_SECONDS)
        self.voice_like = noise.which(longest=SECONDS, words=VOICE_LIKE)
        self.steady = noise.which(shortest=BED_SECONDS, words=STEADY)

    # What a scene is made of

    def bed(self, rng):
        """A background for the whole scene; RMS 1."""
        kind = rng.random()
        if kind < 0.1:
            return coloured_noise(COUNT, rng)
        if kind < 0.32 or not len(self.beds):
            samples = self.music.piece(rng, COUNT)
        else:
            samples = self.noise.piece(rng, COUNT, self.beds)
        return samples / rms(samples)

    def steady_bed(self, rng):
        """A background that hardly changes; RMS 1."""
        if chance(rng, 0.5) or not len(self.steady):
            samples = coloured(rng, COUNT, rng.uniform(-9, 2)).astype(np.float32)
        else:
            samples = self.noise.piece(rng, COUNT, self.steady)
        return samples / rms(samples)

    def residual_echo(self, rng):
        """A caller's voice behind an echo canceller; 1 is the highest RMS within 30 ms."""
        left = residue(self.speech.piece(rng, COUNT), rng)
        return left / loudest(left)

    def babble(self, rng):
        """A dozen or more people at once, too many to be anybody: no speech. RMS 1."""
        total = np.zeros(COUNT, np.float32)
        for _ in range(rng.integers(12, 30)):
            voice = self.speech.piece(rng, COUNT)
            total += voice / rms(voice) * rng.uniform(0.3, 1)
        total = within(total, impulse_response(rng))
        return total / rms(total)

    def event(self, rng):
        """Something that happens; 1 is the highest RMS within 30 ms."""
        kind = rng.random()
        if kind < 0.08 or not len(self.events):
            samples = self.music.samples(self.music.draw(rng))
            longest = rng.uniform(0.2, 3)
        else:
            among = self.voice_like if kind < 0.48 and len(self.voice_like) else self.events
            samples = self.noise.samples(self.noise.draw(rng, among))
            longest = 4 if len(samples) <= 4 * RATE else rng.uniform(0.3, 4)
        samples = cut(samples, min(len(samples), int(longest * RATE)), rng)
        if chance(rng, 0.5):
            samples = resample_poly(samples, *SPEEDS[rng.integers(len(SPEEDS))])
        if chance(rng, 0.3) and len(samples) > 800:
            samples = burst(samples, rng)
        return (samples / loudest(samples)).astype(np.float32)

    def happenings(self, rng, spacing):
        """Events, some of them several times, `spacing` seconds apart in the mean."""
        total, time = np.zeros(COUNT, np.float32), rng.uniform(0, 2)
        while time < SECONDS:
            event, gap = self.event(rng), rng.uniform(0.1, 1.2)
            for _ in range(rng.choice([1, 1, 1, 2, 4, 8])):
                add(total, event * gain(rng.uniform(-3, 3)), int(time * RATE))
                time += len(event) / RATE * rng.uniform(0.5, 1) + gap * rng.uniform(0.6, 1.4)
                if time > SECONDS:
                    break
            time += rng.exponential(spacing)
        return within(total, impulse_response(rng)) if chance(rng, 0.35) else total

    def utterance(self, rng, voice=voices.as_recorded):
        """(samples, label, weight): speech at an RMS of 1 where it is labelled, give or take 4 dB."""
        samples, speech, weight = self.speech.labelled(self.speech.draw(rng))
        hops = HOPS + EARLIEST  # no scene needs more
        samples, speech, weight = at_speed(samples[: hops * HOP], speech[:hops], weight[:hops], rng)
        if chance(rng, PAUSED_SHARE):
            samples, speech, weight = with_pauses(samples, speech, weight, rng)
        samples = voice(samples, rng)
        heard = samples[: len(speech) * HOP].reshape(-1, HOP)[speech]
        return samples * (gain(rng.uniform(-4, 4)) / (rms(heard) if heard.size else rms(samples))), speech, weight

    def talk(self, rng, late=False):
        """One to three people in turns, or a meeting: (samples, label, weight). The labels are those of the dry sound: what
        a room adds after a word is not speech. late: nobody says anything for LATE_SECONDS."""
        meeting = chance(rng, MEETING_SHARE)
        speakers = rng.integers(3, MOST_AT_TABLE + 1) if meeting else rng.integers(1, 4)
        speaking = [voices.draw(rng) for _ in range(speakers)]
        tracks = np.zeros((speakers, COUNT), np.float32)
        speech, weight = np.zeros(HOPS, bool), np.ones(HOPS, np.float32)
        far = (rng.random(speakers) < FAR_SHARE) * rng.uniform(*FAR_DB, speakers)
        loudness = gain(rng.uniform(-4, 4, speakers) - far)
        brisk, interrupting = chance(rng, 0.15), meeting or chance(rng, 0.03)
        hop = int(rng.exponential(0.8) * RATE) // HOP
        if late:
            hop = int(rng.uniform(*LATE_SECONDS) * RATE) // HOP
        elif chance(rng, 0.4):  # the scene, and the detector with it, starts while somebody talks
            hop = -int(rng.integers(0, EARLIEST))
        while hop < HOPS:
            speaker = rng.integers(speakers)
            samples, found, sure = self.utterance(rng, speaking[speaker])
            skip = min(max(0, -hop), len(found) - 1)
            samples, found, sure, hop = samples[skip * HOP :], found[skip:], sure[skip:], max(hop, 0)
            count = min(len(found), HOPS - hop)
            add(tracks[speaker], samples * loudness[speaker], hop * HOP)
            speech[hop : hop + count] |= found[:count]
            weight[hop : hop + count] = np.minimum(weight[hop : hop + count], sure[:count])
            hop += len(found) + int(pause(rng, brisk) * RATE / HOP)
            if interrupting:
                hop -= int(rng.uniform(0, 0.5) * len(found))
        rooms = (within(track, impulse_response(rng, far=meeting)) if meeting or chance(rng, 0.6) else track
                 for track in tracks)
        return sum(rooms), speech, weight

    # Scenes

    def conversation(self, rng):
        """Talk at 30 to -5 dB over its background; one in eight is nearly clean."""
        late = chance(rng, LATE_SHARE)
        samples, speech, weight = self.talk(rng, late)
        if late:
            return samples + self.steady_bed(rng) * gain(-rng.uniform(-5, 25)), speech, weight
        if chance(rng, 0.12):
            return samples + self.bed(rng) * gain(-rng.uniform(30, 60)), speech, weight
        samples = samples + self.bed(rng) * gain(-rng.uniform(-5, 30))
        if chance(rng, 0.15):
            samples += self.bed(rng) * gain(-rng.uniform(0, 30))
        if chance(rng, 0.35):
            samples += self.happenings(rng, 3) * gain(-rng.uniform(-6, 18))
        if chance(rng, 0.08):
            samples += self.babble(rng) * gain(-rng.uniform(3, 20))
        if chance(rng, 0.05):
            samples += self.residual_echo(rng) * gain(-rng.uniform(15, 35))
        return samples, speech, weight

    def television(self, rng):
        """Talk from a loudspeaker in the room, over a quiet background."""
        samples, speech, weight = self.talk(rng)
        return loudspeaker(samples, rng) + self.bed(rng) * gain(-rng.uniform(5, 25)), speech, weight

    def background(self, rng):
        """Nobody talks."""
        samples = self.bed(rng) * gain(-rng.uniform(-3, 25))
        kind = rng.random()
        if kind < 0.7:
            samples += self.happenings(rng, 1) * gain(rng.uniform(-2, 6))
        elif kind < 0.78:
            samples += self.babble(rng)
        elif kind < 0.9:
            samples += self.residual_echo(rng) * rms(samples) * gain(-rng.uniform(-6, 12))
        if chance(rng, 0.2):
            samples += self.bed(rng) * gain(-rng.uniform(-3, 15))
        return samples, np.zeros(HOPS, bool), np.ones(HOPS, np.float32)

    def made(self, rng):
        """(samples, label, weight, has_talk, levels in dBFS) of a scene before its microphone."""
        if chance(rng, TELEVISION_SHARE):
            return *self.television(rng), True, TELEVISION_LEVELS
        has_talk = chance(rng, SPEECH_SHARE)
        return *(self.conversation(rng) if has_talk else self.background(rng)), has_talk, LEVELS

    def scene(self, rng):
        samples, speech, weight, has_talk, levels = self.made(rng)
        return Scene(*captured(microphone(samples, rng), rng, levels), speech, weight, has_talk)


def captured(samples, rng, levels=LEVELS):
    """(samples, rate) at any of the levels, with what a sound card and a connection add."""
    samples = samples / rms(samples)
    if chance(rng, 0.10):  # somebody turns the gain
        samples[rng.integers(2 * RATE, 18 * RATE) :] *= gain(rng.uniform(-25, 25))
    samples *= gain(rng.uniform(*levels))
    if chance(rng, 0.05):  # clipped
        samples *= gain(rng.uniform(0, 14))
    samples += rng.standard_normal(COUNT).astype(np.float32) * gain(rng.uniform(-98, -60))
    if chance(rng, 0.08):
        samples += hum(COUNT, rng) * gain(rng.uniform(-70, -30))
    if chance(rng, 0.05):  # a direct current
        samples += rng.uniform(-0.05, 0.05)
    return transmitted(np.clip(samples, -1, 1).astype(np.float32), rng)


def transmitted(samples, rng):
    """(samples, rate) behind a connection: codecs, 16 bits, another rate, a telephone."""
    if chance(rng, 0.07):
        samples = codec(samples, rng)
    if chance(rng, 0.75):  # 16 bits
        samples = np.round(samples * 32768) / 32768
    samples, rate = at_another_rate(samples, rng)
    if rate == PHONE_HZ and chance(rng, TELEPHONE_SHARE):
        samples = telephone(samples, rng)
    return samples, rate


def at_another_rate(samples, rng):
    """Three scenes in ten are not at 16 kHz."""
    rates, chances = zip(*RATES)
    rate = int(rng.choice([*rates, RATE], p=[*chances, 1 - sum(chances)]))
    divisor = np.gcd(rate, RATE)
    return resample_poly(samples, rate // divisor, RATE // divisor).astype(np.float32) if rate != RATE else samples, rate
