"""A minimal encoder of FLAC (RFC 9639): samples as they are, at every depth, in frames of any format."""

from __future__ import annotations

import struct

from .bits import BitWriter, crc8, crc16
from .sound import Sound

BLOCK, BLOCK_CODE = 1152, 3
DEPTH_CODES = {8: 1, 12: 2, 16: 4, 20: 5, 24: 6, 32: 7}
RATE_CODES = {
    88200: 1,
    176400: 2,
    192000: 3,
    8000: 4,
    16000: 5,
    22050: 6,
    24000: 7,
    32000: 8,
    44100: 9,
    48000: 10,
    96000: 11,
}


def head(sound: Sound, depth: int, total: int | None = None) -> bytes:
    """The mark and STREAMINFO, without sizes of frames and without a checksum of the samples."""
    total = sound.frames if total is None else total
    numbers = sound.rate << 44 | sound.channels - 1 << 41 | depth - 1 << 36 | total
    return (
        b"fLaC"
        + struct.pack(">B3sHH", 0x80, b"\0\0\x22", BLOCK, BLOCK)
        + bytes(6)
        + numbers.to_bytes(8, "big")
        + bytes(16)
    )


def utf8(number: int) -> bytes:
    return chr(number).encode()  # the numbers of our frames are small


def frame(number: int, sound: Sound, depth: int, *, states_depth: bool) -> bytes:
    """One frame. Without a code of its own, a depth is STREAMINFO's."""
    code = DEPTH_CODES.get(depth, 0)
    assert code or not states_depth, f"a frame cannot state a depth of {depth} bits"
    short = sound.frames != BLOCK
    rate = RATE_CODES.get(sound.rate, 13)
    start = bytes([0xFF, 0xF8, (7 if short else BLOCK_CODE) << 4 | rate, sound.channels - 1 << 4 | code << 1]) + utf8(
        number
    )
    start += struct.pack(">H", sound.frames - 1) * short + struct.pack(">H", sound.rate) * (rate == 13)
    bits = BitWriter()
    for channel in range(sound.channels):
        subframe(bits, sound.channel(channel), depth)
    data = start + bytes([crc8(start)]) + bits.bytes()
    return data + struct.pack(">H", crc16(data))


def subframe(bits: BitWriter, samples: list[int], depth: int) -> None:
    """CONSTANT or VERBATIM. The samples have 16 bits; deeper ones get zeros, shallower ones lose their last bits."""
    values = [sample << depth - 16 if depth > 16 else sample >> 16 - depth for sample in samples]
    same = len(set(values)) == 1
    bits.number(0 if same else 2, 8)
    mask, form = (1 << depth) - 1, f"0{depth}b"
    bits.text += [format(value & mask, form) for value in (values[:1] if same else values)]


def frames(sound: Sound, depth: int, *, start: int = 0, states_depth: bool = False) -> list[bytes]:
    starts = range(0, sound.frames, BLOCK)
    return [
        frame(start + number, sound[at : at + BLOCK], depth, states_depth=states_depth)
        for number, at in enumerate(starts)
    ]


def encoded(sound: Sound, depth: int = 16, total: int | None = None) -> bytes:
    return head(sound, depth, total) + b"".join(frames(sound, depth))


def at_depth(sound: Sound, depth: int) -> Sound:
    """What remains of a sound at a depth."""
    lost = max(0, 16 - depth)
    samples = sound.samples()
    for index, sample in enumerate(samples):
        samples[index] = sample >> lost << lost
    return Sound(sound.rate, sound.channels, samples.tobytes())


def with_blocks(data: bytes, *blocks: tuple[int, bytes]) -> bytes:
    """Adds metadata blocks (type, content) behind STREAMINFO."""
    last = bool(data[4] & 0x80)
    heads = [bytes([kind]) + len(content).to_bytes(3, "big") + content for kind, content in blocks]
    if last and heads:
        heads[-1] = bytes([heads[-1][0] | 0x80]) + heads[-1][1:]
    return data[:4] + bytes([data[4] & 0x7F if blocks else data[4]]) + data[5:42] + b"".join(heads) + data[42:]
