"""Puts the frames of a VP8 stream together, and knows whether they can be decoded. aiortc's own buffer waits for a lost
packet until 128 others have come, which takes seconds on a narrow path; browsers do not."""

from aiortc.codecs.vpx import VpxPayloadDescriptor

PATIENCE = 0.3  # s: how long a missing packet is waited for: it may be sent again
REPEAT = 0.5    # s: between requests for a key frame


class Pictures:
    def __init__(self):
        self.next, self.waiting, self.since = None, {}, 0  # since when the next packet is missing
        self.is_inside, self.is_key, self.height = False, False, 0
        self.is_broken, self.asked = True, 0

    def add(self, packet, now):
        """Returns the frames that can be shown after this packet, as (is_key, height)."""
        if self.next is None:
            self.next = packet.sequence_number
        if (packet.sequence_number - self.next) % 0x10000 < 0x8000:
            self.waiting[packet.sequence_number] = packet
        return list(self.release(now))

    def give_up(self, now):
        """Goes on without packets that have not come in time, and returns the frames that can be shown."""
        if not self.waiting or now - self.since < PATIENCE:
            return []
        self.next = min(self.waiting, key=lambda number: (number - self.next) % 0x10000)
        self.is_broken, self.is_inside = True, False
        return list(self.release(now))

    def wants_key_frame(self, now):
        """Returns whether to ask for one, not too often."""
        if not self.is_broken or now - self.asked < REPEAT:
            return False
        self.asked = now
        return True

    def release(self, now):
        while self.next in self.waiting:
            packet = self.waiting.pop(self.next)
            self.next = (self.next + 1) % 0x10000
            self.since = now
            if self.take(packet):
                yield self.is_key, self.height
        if not self.waiting:
            self.since = now

    def take(self, packet):
        """Returns whether this packet completes a frame that can be shown."""
        try:
            descriptor, payload = VpxPayloadDescriptor.parse(packet.payload)
        except ValueError:
            return False
        if descriptor.partition_start == 1 and descriptor.partition_id == 0:
            self.is_inside, self.is_key = True, len(payload) > 9 and payload[0] & 1 == 0  # RFC 6386, 9.1
            if self.is_key:
                self.is_broken, self.height = False, payload[8] | (payload[9] & 0x3F) << 8
        if not packet.marker or not self.is_inside:
            return False
        self.is_inside = False
        return not self.is_broken
