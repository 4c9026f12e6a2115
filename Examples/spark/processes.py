"""Finds a vadmon at the moment in which it analyses a certain file, so that it can be killed then."""

import os
from pathlib import Path


def workers_with(path, vadmon):
    """Processes of the program `vadmon` that have the file open; ours, for the file is one that we have made."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(folder / "exe") == str(vadmon):
                if any(os.readlink(file) == str(path) for file in (folder / "fd").iterdir()):
                    yield int(folder.name)
        except OSError:
            continue  # It has ended meanwhile.


def ancestors(pid):
    """Its parent, that one's parent and so on."""
    while pid > 1:
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        yield pid
