"""Names the processor, because times mean little without it."""

import platform
from pathlib import Path


def name_of(cpuinfo):
    """Returns the name in the text of /proc/cpuinfo with family and model, because virtual machines shorten the name;
    None where there is no name, as on AArch64."""
    first = cpuinfo.split("\n\n")[0]
    fields = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in first.splitlines())}
    if "model name" not in fields:
        return None
    return f"{fields['model name']} (family {fields.get('cpu family', '?')}, model {fields.get('model', '?')})"


def processor():
    return name_of(Path("/proc/cpuinfo").read_text()) or platform.machine()
