"""The project's virtual microphone (Tests/VirtualDevice) for measurements: plays a sound in real time, to the frame."""

import os
import struct
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build_driver(folder):
    """Compiles the driver into the folder. Returns an environment in which ALSA has this driver and nothing else."""
    sources = sorted(map(str, (ROOT / "Tests/VirtualDevice").glob("*.c")))
    library = folder / "virtual.so"
    subprocess.run(
        ["cc", "-std=gnu11", "-O2", "-fPIC", "-DPIC", "-shared", "-o", str(library), *sources, "-lasound", "-lsndfile"],
        check=True)
    configuration = folder / "asound.conf"
    configuration.write_text(f"""
        pcm_type.virtual {{ lib "{library}" }}
        pcm.virtual {{ @args [ FILE ] @args.FILE {{ type string }} type virtual file $FILE }}
    """)
    return dict(os.environ, ALSA_CONFIG_PATH=str(configuration))


class Microphone:
    """A device; `description` is the text of its file (Tests/VirtualDevice/virtual_device.h)."""

    def __init__(self, folder, name, description):
        self.path = folder / name
        self.path.write_text(description)
        self.name = f"virtual:{self.path}"

    def start_ns(self):
        """Returns the CLOCK_MONOTONIC time at which frame 0 began: the first field of the device's state."""
        return struct.unpack("=q", Path(f"{self.path}.state").read_bytes()[:8])[0]

    def frames_read(self):
        """Returns the number of the frame after the last one that the device delivered."""
        return struct.unpack("=4Q", Path(f"{self.path}.state").read_bytes()[:32])[2]
