"""A path whose queue the sender fills, and an estimator that sees the queue."""

import random
from collections import deque

from .estimators import CUT, SHORTEST_BETWEEN_CUTS, Noise, risen
from .traces import BIN_MS, ROW_MS

SMALLEST_QUEUE = 200_000  # bits
REPORT_MS = 100  # between estimates, and until one arrives
WINDOW_BINS = 500 // BIN_MS  # over which rates and losses are measured
START = 300_000
NOISE = 0.02
# Overuse: this much queue, or growth by so much in two reports of more than a little queue, in milliseconds.
LONG_QUEUE, GROWTH, LITTLE_QUEUE = 100, 15, 30
DRAINED = 5  # the queue falls if it is so much shorter than two reports before
TOLERATED_LOSS = 0.1
PROBE_MS = 500
PROBE_BINS = 400 // BIN_MS  # the first 100 ms of a probe are still on their way
PROBE_GAIN = 0.95  # of what a probe delivers
STANDING_QUEUE = 1200  # ms of queue that a host may report as congestion


class Path:
    """A bottleneck that queues what it cannot carry at once, and drops what the queue has no room for.

    The queue holds a second of the path's mean rate.
    """

    def __init__(self, trace):
        self.rates = trace.rates
        self.room = max(SMALLEST_QUEUE, trace.mean(0, trace.end))
        self.queue = deque()  # [place of the bin in which the bits came, bits]
        self.queued = 0.0
        self.sent, self.delivered, self.lost = [0.0], [0.0], [0.0]  # bits until each bin

    @property
    def place(self):
        """The next bin."""
        return len(self.sent) - 1

    def carry(self, rate):
        """Lets a bin pass in which so much is sent."""
        place, sent = self.place, rate * BIN_MS / 1000
        accepted = min(sent, self.room - self.queued)
        if accepted > 0:
            self.queue.append([place, accepted])
            self.queued += accepted
        delivered = self._serve(self.rates[place * BIN_MS // ROW_MS] * BIN_MS / 1000)
        self.sent.append(self.sent[-1] + sent)
        self.delivered.append(self.delivered[-1] + delivered)
        self.lost.append(self.lost[-1] + sent - accepted)

    def _serve(self, bits):
        left = bits
        while self.queue and left > 0:
            served = min(left, self.queue[0][1])
            left -= served
            self.queue[0][1] -= served
            if self.queue[0][1] < 1:  # less than a bit is rounding
                self.queue.popleft()
        self.queued = sum(bits for _, bits in self.queue) if self.queue else 0.0
        return bits - left

    @property
    def delay(self):
        """How long the oldest bits in the queue have waited, in milliseconds."""
        return (self.place - self.queue[0][0]) * BIN_MS if self.queue else 0

    def rate(self, bins):
        """Returns the rate at which so many last bins delivered."""
        return recent(self.delivered, bins) / (min(bins, self.place) * BIN_MS / 1000)

    @property
    def loss(self):
        """The share of what was sent lately that was dropped."""
        sent = recent(self.sent, WINDOW_BINS)
        return recent(self.lost, WINDOW_BINS) / sent if sent else 0.0


def recent(sums, bins):
    return sums[-1] - sums[max(0, len(sums) - 1 - bins)]


class LoopEstimator:
    """An estimator after GCC: it cuts when the queue grows or packets are lost, and rises otherwise."""

    def __init__(self, seed):
        self.noise = Noise(random.Random(f"loop/{seed}"), NOISE)
        self.rate = START
        self.cut_at = -SHORTEST_BETWEEN_CUTS
        self.delays = deque([0, 0, 0], maxlen=3)  # of the present report and the two before
        self.told = deque([(START, "none")] * 2, maxlen=2)
        self.probe = None  # the rate to send, and the end

    @property
    def estimate(self):
        """The estimate that has arrived."""
        return self.told[0][0]

    @property
    def congestion(self):
        """The state of the path that came with it."""
        return self.told[0][1]

    def update(self, now, path):
        """Takes a report on the path and sends an estimate, which arrives with the next report."""
        if path.place:
            self._follow(now, path)
        state = "congested" if path.delay > STANDING_QUEUE else "none"
        self.told.append((self.noise.apply(self.rate), state))

    def _follow(self, now, path):
        self.delays.append(path.delay)
        growth = path.delay - self.delays[0]
        delivered = path.rate(WINDOW_BINS)
        if path.delay > LONG_QUEUE or growth > GROWTH and path.delay > LITTLE_QUEUE:
            self.probe = None
            if now - self.cut_at >= SHORTEST_BETWEEN_CUTS:
                self._cut(now, delivered, path.loss)
        elif growth >= -DRAINED:
            self.rate = risen(self.rate, delivered, REPORT_MS / 1000)
        if self.probe and now >= self.probe[1]:
            self.probe = None
            self.rate = max(self.rate, PROBE_GAIN * path.rate(PROBE_BINS))

    def _cut(self, now, delivered, loss):
        by_loss = self.rate * (1 - loss / 2) if loss > TOLERATED_LOSS else self.rate
        self.rate, self.cut_at = min(by_loss, CUT * delivered), now

    def begin_probe(self, now, rate):
        self.probe = rate, now + PROBE_MS

    def padding(self, sent):
        """Returns the rate to send beyond `sent`."""
        return max(0, self.probe[0] - sent) if self.probe else 0
