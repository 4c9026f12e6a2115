"""How soon pictures are back once a path is wide again, in the closed loop."""

from . import closed_loop, subscriber
from .layers import camera
from .traces import BIN_MS, ROW_MS, Trace

SEEDS = range(1, 9)  # of the estimator's noise
WIDE = 4_000_000
SPEAKER_HEIGHT = 360


def rates(*stretches):
    """Returns the rows of a trace of (seconds, bit/s)."""
    return [rate for seconds, rate in stretches for _ in range(round(1000 * seconds / ROW_MS))]


OUTAGES = Trace("outage-and-glitches", rates((10, WIDE), (6.5, 0), (1.5, WIDE), (1, 0), (2, WIDE), (1, 0), (60, WIDE)))
STEP = Trace("step", rates((30, 500_000), (60, 5_000_000)))


def lines(participants):
    """A call of cameras. The first of them speaks."""
    names = [f"p{number}" for number in range(participants)]
    sent = [layer.line() for layer in camera(3, 1)]
    return [{"at": 0, "type": "audio", "streams": min(participants, 3)},
            *({"at": 0, "type": "stream", "participant": name, "layers": sent} for name in names),
            {"at": 0, "type": "speakers", "participants": names[:1]}]


class Meter:
    """Watches the speaker's picture, and all pictures, while the path is wide."""

    def __init__(self, trace):
        self.trace, self.at = trace, 0
        self.missing = self.longest = 0
        self.all = self.size = None
        self.narrow_until = ROW_MS * max(row + 1 for row, rate in enumerate(trace.rates) if rate < WIDE)

    def set(self, now, scene, shown):
        self.speaker = shown.get(scene.wanted[0].key)
        self.is_complete = all(stream.key in shown for stream in scene.wanted)

    def advance(self, delay):
        is_wide = self.trace.rates[self.at // ROW_MS] >= WIDE
        self.missing = self.missing + BIN_MS if is_wide and not self.speaker else 0
        self.longest = max(self.longest, self.missing)
        if self.at >= self.narrow_until:
            since = (self.at - self.narrow_until) / 1000
            if self.is_complete and self.all is None:
                self.all = since
            if self.speaker and self.speaker.height >= SPEAKER_HEIGHT and self.size is None:
                self.size = since
        self.at += BIN_MS

    def result(self, path):
        """Returns the longest time without the speaker, and the times until all pictures and until the speaker's size."""
        return {"missing": self.longest / 1000, "all": self.all, "size": self.size}


def measured(sender, trace, participants, seed):
    called = lines(participants)
    return closed_loop.measure(sender, trace, called, subscriber.scenes(called), seed, Meter(trace))


def measure(make_sender, seed):
    """Returns how long the only camera and the speaker among nine are dark after outages, and after a step up the
    times until all pictures are shown and until the speaker is in 360p, in seconds."""
    step = measured(make_sender(), STEP, 9, seed)
    return {"alone": measured(make_sender(), OUTAGES, 1, seed)["missing"],
            "speaker": measured(make_sender(), OUTAGES, 9, seed)["missing"], "all": step["all"], "size": step["size"]}
