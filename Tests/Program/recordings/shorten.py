"""An encoder of shorten 2, inside of SPHERE as the LDC distributes it: first differences in Rice codes."""

from __future__ import annotations

from .bits import BitWriter
from .sound import Sound

BLOCK = 256
S16_LITTLE_ENDIAN = 5
DIFFERENCE, QUIT = 1, 4  # of functions
FUNCTION_BITS, ENERGY_BITS, ULONG_BITS = 2, 3, 2


def unsigned(bits: BitWriter, value: int, width: int) -> None:
    """A Rice code."""
    bits.unary(value >> width)
    bits.number(value, width)


def ulong(bits: BitWriter, value: int) -> None:
    width = value.bit_length()
    unsigned(bits, width, ULONG_BITS)
    unsigned(bits, value, width)


def signed(bits: BitWriter, value: int, width: int) -> None:
    unsigned(bits, value << 1 if value >= 0 else ~value << 1 | 1, width + 1)


def encoded(sound: Sound) -> bytes:
    bits = BitWriter()
    # No linear prediction, no running mean, no bytes to skip.
    for value in (S16_LITTLE_ENDIAN, sound.channels, BLOCK, 0, 0, 0):
        ulong(bits, value)
    channels = [sound.channel(number) for number in range(sound.channels)]
    before = [0] * sound.channels
    for start in range(0, sound.frames - BLOCK + 1, BLOCK):
        for number, samples in enumerate(channels):
            unsigned(bits, DIFFERENCE, FUNCTION_BITS)
            block = samples[start : start + BLOCK]
            differences = [sample - last for sample, last in zip(block, [before[number], *block])]
            before[number] = block[-1]
            width = max(0, (sum(map(abs, differences)) // BLOCK).bit_length())
            unsigned(bits, width, ENERGY_BITS)
            for difference in differences:
                signed(bits, difference, width)
    unsigned(bits, QUIT, FUNCTION_BITS)
    data = bits.bytes()
    return b"ajkg\2" + data + bytes(-(len(data) + 5) % 4)


def sphere(sound: Sound) -> bytes:
    """The last samples that do not fill a block are left out."""
    count = sound.frames // BLOCK * BLOCK
    fields = (
        f"NIST_1A\n   1024\nsample_count -i {count}\nsample_n_bytes -i 2\nchannel_count -i {sound.channels}\n"
        f"sample_byte_format -s2 01\nsample_rate -i {sound.rate}\nsample_sig_bits -i 16\n"
        "sample_coding -s26 pcm,embedded-shorten-v2.00\nend_head\n"
    )
    return fields.encode().ljust(1024) + encoded(sound)
