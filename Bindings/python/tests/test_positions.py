"""A stream that has lasted for long: positions are whole numbers of any size, from the core to the caller."""

import struct
import unittest
import zlib
from array import array
from typing import Any

from voiceactivity import Detector, Frames
from voiceactivity._core import Cutter

from .support import needs_contract, read_talk

RATE_HZ, HOPS_A_SECOND = 11025, 100  # an odd rate: a float does not hold its positions beyond 2^53
POSITION = 52  # in what save() returns: the position, then the hops, each in 8 bytes; a CRC-32 is at the end


def started_at(position: int) -> Detector:
    """Returns a new stream that begins at a position: a whole number of seconds."""
    saved = bytearray(Detector(RATE_HZ).save())
    struct.pack_into("<QQ", saved, POSITION, position, position // RATE_HZ * HOPS_A_SECOND)
    struct.pack_into("<I", saved, len(saved) - 4, zlib.crc32(saved[:-4]))
    return Detector.restore(bytes(saved))


@needs_contract
class Positions(unittest.TestCase):
    def heard(self, start: int) -> "tuple[list[Any], list[Any]]":
        sound = array("h", bytes(2 * RATE_HZ)) + read_talk()
        detector, frames = started_at(start), Frames()
        cutter = Cutter(detector, min_silence_ms=100, pad_before_ms=50)
        events = detector.process(sound, frames=frames) + detector.gap(RATE_HZ, frames=frames)
        events += detector.process(sound, frames=frames) + detector.flush(frames=frames)
        cuts = cutter.push(events, frames) + cutter.finish(start + 3 * len(sound))
        for event in events:
            self.assertEqual(event.time, float(event.position) / RATE_HZ)
        found = [(it.type, it.position - start, it.decided_at - start, it.length) for it in events]
        columns = [list(frames.posterior), list(frames.flags), [position - start for position in frames.position],
                   [(first - start, end - start) for first, end in cuts], detector.hops - start // RATE_HZ * HOPS_A_SECOND]
        return found, columns

    def test_a_late_stream_is_a_new_one_moved(self) -> None:
        expected, columns = self.heard(60 * RATE_HZ)  # hops that wait for their look-ahead come first, but not at 0
        self.assertGreater(len(expected), 6)
        self.assertGreater(len(columns[3]), 3)
        for bits in 31, 32, 53, 56:
            start = (2**bits // RATE_HZ - 4) * RATE_HZ  # what is crossed lies in the talk
            self.assertEqual(self.heard(start), (expected, columns), bits)


if __name__ == "__main__":
    unittest.main()
