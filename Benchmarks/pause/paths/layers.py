"""What publishers send, and what a layer is worth to somebody who watches it."""

from typing import NamedTuple

CAMERA_SIZES = ((180, 150_000), (360, 500_000), (720, 1_500_000))
CAMERA_RATES = ((7.5, 0.4), (15, 0.6), (30, 1.0))  # frames per second, and their share of the cost
SHARE_RATES = ((5, 350_000), (15, 800_000), (30, 1_500_000))

# Of the value of a camera in 720p and 30 frames per second. 360p costs a third of 720p and shows most of it.
VALUE_OF_HEIGHT = {180: 0.5, 360: 0.75, 720: 1.0, 1080: 1.0}
VALUE_OF_RATE = {"camera": {7.5: 0.6, 15: 0.85, 30: 1.0}, "screenShare": {5: 0.85, 15: 0.95, 30: 1.0}}


class Layer(NamedTuple):
    spatial: int
    temporal: int
    height: int
    fps: float
    bps: int

    def value(self, kind):
        return VALUE_OF_HEIGHT[self.height] * VALUE_OF_RATE[kind][self.fps]

    def line(self):
        """The layer as a trace for `vadmon pause` spells it."""
        return {"spatial": self.spatial, "temporal": self.temporal, "width": self.height * 16 // 9,
                "height": self.height, "fps": self.fps, "bps": self.bps}

    @staticmethod
    def read(line):
        return Layer(line["spatial"], line["temporal"], line["height"], line["fps"], line["bps"])


def camera(sizes, factor):
    """Returns the layers of a camera with so many simulcast sizes, at so many times the usual cost."""
    return [Layer(spatial, temporal, height, fps, int(cost * share * factor))
            for spatial, (height, cost) in enumerate(CAMERA_SIZES[:sizes])
            for temporal, (fps, share) in enumerate(CAMERA_RATES)]


def screen_share():
    return [Layer(0, temporal, 1080, fps, cost) for temporal, (fps, cost) in enumerate(SHARE_RATES)]
