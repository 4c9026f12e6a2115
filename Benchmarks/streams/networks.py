"""Prints how many streams a core can follow with each network of ../peers that takes streams: lines of
streams<TAB>name.

    networks.py FILE      raw 16-bit samples of 16 kHz, one channel, in the machine's byte order

measure.py runs it with the Python of .build-peers. One stream, the fastest of five rounds in turn.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "peers"))
from cost import ROUNDS, network_seconds
from detectors import networks
from recordings import HOP_SECONDS, Recording

with tempfile.TemporaryDirectory() as folder:
    recording = Recording.write(Path(folder) / "sound.wav", np.fromfile(sys.argv[1], np.int16))
    inputs = {network: network.input(recording) for network in networks() if network.delay_ms}
rounds = [[network_seconds(network, samples) for network, samples in inputs.items()] for _ in range(ROUNDS)]
for network, seconds in zip(inputs, map(min, zip(*rounds))):
    print(f"{recording.hops * HOP_SECONDS / seconds:.0f}\t{network.name}")
