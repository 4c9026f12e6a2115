"""MPEG audio: its frames, and the frame that states how many there are."""

from __future__ import annotations

import functools
import struct
from typing import NamedTuple

from . import programs
from .catalogue import decoded
from .sound import Sound, silence, speech

RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)
# kbit/s by (is it MPEG-1, layer)
BIT_RATES = {
    (True, 1): range(0, 449, 32),
    (True, 2): (0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (True, 3): (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (False, 1): (0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (False, 2): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
BIT_RATES[False, 3] = BIT_RATES[False, 2]
DECODER_DELAY = 529  # samples, of every decoder of layer III


class Frame(NamedTuple):
    start: int
    size: int
    samples: int
    rate: int
    side: int  # where the side information of layer III ends, and an Info frame has its numbers

    @property
    def end(self) -> int:
        return self.start + self.size

    @property
    def middle(self) -> int:
        return self.start + self.size // 2


def frames(data: bytes) -> list[Frame]:
    """The frames of a recording that consists of nothing else."""
    found, at = [], 0
    while at + 4 <= len(data):
        found.append(frame(data, at))
        at = found[-1].end
    return found


def frame(data: bytes, at: int) -> Frame:
    head = int.from_bytes(data[at : at + 4], "big")
    version, layer = head >> 19 & 3, 4 - (head >> 17 & 3)
    assert head >> 21 == 0x7FF and version != 1 and layer != 4, f"no frame at {at}"
    one, mono = version == 3, head >> 6 & 3 == 3
    rate = (44100, 48000, 32000)[head >> 10 & 3] >> {3: 0, 2: 1, 0: 2}[version]
    bits = 1000 * BIT_RATES[one, layer][head >> 12 & 15]
    samples = 384 if layer == 1 else 576 if layer == 3 and not one else 1152
    pad = head >> 9 & 1
    size = (12 * bits // rate + pad) * 4 if layer == 1 else samples // 8 * bits // rate + pad
    return Frame(at, size, samples, rate, 4 + ((17 if mono else 32) if one else (9 if mono else 17)))


def lame(sound: Sound, *options: str, info: bool = True) -> bytes:
    """MP3 at the sound's rate, with an Info (CBR) or Xing (VBR) frame or without."""
    mode = ["-m", "m" if sound.channels == 1 else "s", "--resample", str(sound.rate / 1000), *options]
    return programs.converted(
        ["lame", "--quiet", *mode, *([] if info else ["-t"]), "{in}", "{out}"], sound.wav(), ".mp3"
    )


def layer2(sound: Sound, encoder: str = "mp2") -> bytes:
    return programs.ffmpeg(sound.wav(), "-c:a", encoder, ending=".mp2")


def layer1(seconds: float) -> tuple[bytes, Sound]:
    """Silence: no sub-band has bits. 32 kbit/s at 32 kHz are frames of 48 bytes."""
    count = round(seconds * 32000 / 384)
    return (b"\xff\xff\x18\xc0" + bytes(44)) * count, silence(32000, 1, 384 * count)


@functools.cache
def played(data: bytes) -> Sound:
    """Every frame of a recording, without what a player leaves out at both ends."""
    return decoded(data, before=("-flags2", "+skip_manual"))


def info_at(data: bytes) -> int | None:
    """Where the first frame states its numbers."""
    at = frame(data, 0).side
    return at if data[at : at + 4] in (b"Info", b"Xing") else None


def joined(*parts: bytes) -> Sound:
    """MPEG recordings in a row as a player plays them: the frame of numbers of all but the first is played as silence,
    and of the first, the delay of encoder and decoder is left out. With one part, so is what fills its last frame."""
    sounds = []
    for part in parts:
        head, at = frame(part, 0), info_at(part)
        sound = played(part)
        if at is not None and not sounds:
            delay = int.from_bytes(part[at + 141 : at + 144], "big")
            padding = (delay & 4095) - DECODER_DELAY if len(parts) == 1 else 0
            sound = sound[(delay >> 12) + DECODER_DELAY : sound.frames - max(0, padding)]
        elif at is not None:
            sound = silence(sound.rate, sound.channels, head.samples) + sound
        sounds.append(sound)
    return functools.reduce(Sound.__add__, sounds)


def patched_info(data: bytes, *, frames: int | None = None, size: int | None = None) -> bytes:
    """Changes what an Info frame states: the number of frames, and of bytes."""
    at = info_at(data)
    new = bytearray(data)
    for offset, value in ((8, frames), (12, size)):
        if value is not None:
            struct.pack_into(">I", new, at + offset, value)
    return bytes(new)


def vbri(data: bytes, *, frames: int, size: int) -> bytes:
    """Puts a VBRI frame, as Fraunhofer's encoder writes, in front of a recording: of the size of its first frame."""
    numbers = struct.pack(">4sHHHIIHHHH", b"VBRI", 1, 0, 75, size, frames, 1, 1, 4, frames or 1) + struct.pack(
        ">I", size
    )
    first = frame(data, 0)
    return (data[:4] + bytes(32) + numbers).ljust(first.size, b"\0") + data


@functools.cache
def plain(rate: int = 16000, channels: int = 1) -> bytes:
    """MP3 of one bit rate that is nothing but frames of sound."""
    bits = {1: "48", 2: "96"}[channels] if rate > 12000 else "32"
    return lame(speech(rate, channels), "--cbr", "-b", bits, info=False)


def adts_frames(data: bytes) -> list[int]:
    """Where the frames of AAC begin, and the end."""
    starts = [0]
    while starts[-1] < len(data):
        starts.append(starts[-1] + (int.from_bytes(data[starts[-1] + 3 : starts[-1] + 6], "big") >> 5 & 8191))
    return starts
