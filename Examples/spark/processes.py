"""Finds a vadmon at the moment in which it analyses a certain file, so that it can be killed then."""

import os
from pathlib import Path


class Processes:
    """The processes below one of ours, from /proc: nobody else's are ever touched."""

    def __init__(self, root, vadmon):
        self.root, self.vadmon = root, str(vadmon)

    def parent(self, pid):
        try:
            return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            return 0

    def ancestors(self, pid):
        """From its parent up to the root; empty if it is not below the root."""
        line = []
        while pid > 1 and pid != self.root:
            pid = self.parent(pid)
            line.append(pid)
        return line if pid == self.root else []

    def workers_with(self, name):
        """Those vadmon that have the file open."""
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(folder / "exe") != self.vadmon or not self.ancestors(int(folder.name)):
                    continue
                if any(os.readlink(file).endswith("/" + name) for file in (folder / "fd").iterdir()):
                    yield int(folder.name)
            except OSError:
                continue  # It has ended meanwhile.
