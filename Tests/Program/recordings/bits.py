"""Bits and checksums."""

from __future__ import annotations


class BitWriter:
    """Writes numbers of any width, the most significant bit first."""

    def __init__(self) -> None:
        self.text: list[str] = []

    def number(self, value: int, width: int) -> None:
        if width:
            self.text.append(format(value & (1 << width) - 1, f"0{width}b"))

    def unary(self, zeros: int) -> None:
        self.text.append("0" * zeros + "1")

    def bytes(self) -> bytes:
        """The bits so far, and zeros up to the next byte."""
        text = "".join(self.text)
        size = -(-len(text) // 8)
        return int(text.ljust(8 * size, "0"), 2).to_bytes(size, "big")


def table(polynomial: int, width: int) -> list[int]:
    def entry(value: int) -> int:
        value <<= width - 8
        for _ in range(8):
            value = value << 1 ^ (polynomial if value >> width - 1 else 0)
        return value

    return [entry(value) for value in range(256)]


CRC8, CRC16, CRC32 = table(0x107, 8), table(0x18005, 16), table(0x104C11DB7, 32)


def crc8(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc = CRC8[crc ^ byte]
    return crc


def crc16(data: bytes) -> int:
    crc, entries = 0, CRC16
    for byte in data:
        crc = (crc << 8 & 0xFFFF) ^ entries[crc >> 8 ^ byte]
    return crc


def crc32(data: bytes) -> int:
    """That of Ogg, which does not reflect its bits."""
    crc, entries = 0, CRC32
    for byte in data:
        crc = (crc << 8 & 0xFFFFFFFF) ^ entries[crc >> 24 ^ byte]
    return crc
