#!/usr/bin/env python3
"""Builds the documentation of the Swift modules. Fails if there is a warning or an undocumented public symbol.

    Scripts/make-docs.py MODULES FOLDER

MODULES is the folder of a build's modules (swift build --show-bin-path). FOLDER receives a web site that any static file
server can serve. The script uses the toolchain's own docc and an existing build, so it takes seconds and needs no
plugin.

Only parameters whose names do not explain them are documented, so docc does not report the others.
"""

import json
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = [
    "RealTime", "VoiceActivity", "VoiceMonitor", "Speakers", "AudioInput", "ALSAInput", "ActivityReporting", "Annotations",
    "SpeechScoring", "PauseTrace", "Charts", "VideoPause", "CallPresentation",
]


def run(*command):
    """Returns a command's standard output. Exits if the command fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]} {command[1]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def extract(module, flags, folder):
    """Writes the module's public symbols to the folder, and returns those without a comment."""
    target = f"{platform.machine()}-unknown-linux-gnu"
    options = ["-minimum-access-level", "public", "-skip-synthesized-members", "-target", target]
    folder.mkdir()
    run("swift", "symbolgraph-extract", "-module-name", module, *flags, *options, "-output-dir", folder)
    symbols = json.loads((folder / f"{module}.symbols.json").read_text())["symbols"]
    if not symbols:
        sys.exit(f"{module} has no public symbols: is it built?")
    return [".".join([module, *symbol["pathComponents"]]) for symbol in symbols if "docComment" not in symbol]


def convert(module, symbols, archive):
    """Writes the module's pages."""
    catalogue = ROOT / "Sources" / module / f"{module}.docc"
    names = ["--fallback-display-name", module, "--fallback-bundle-identifier", f"voice-activity.{module}"]
    strict = ["--warnings-as-errors", "--disable-parameters-and-returns-validation"]
    strict.append("--enable-experimental-markdown-output")  # Scripts/site/pages.py makes the reference of it
    run("docc", "convert", catalogue, "--additional-symbol-graph-dir", symbols, *names, *strict, "--output-path", archive)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    flags = run(ROOT / "Scripts" / "module-flags.sh", sys.argv[1]).split()
    site = Path(sys.argv[2])
    shutil.rmtree(site, ignore_errors=True)
    site.parent.mkdir(parents=True, exist_ok=True)
    silent = []
    with tempfile.TemporaryDirectory() as work:
        archives = []
        for module in MODULES:
            symbols, archive = Path(work, module), Path(work, f"{module}.doccarchive")
            silent += extract(module, flags, symbols)
            convert(module, symbols, archive)
            archives.append(archive)
        run("docc", "merge", *archives, "--output-path", site, "--synthesized-landing-page-name", "voice-activity")
    if silent:
        sys.exit("public, and nothing is said of them:\n  " + "\n  ".join(silent))
    print(f"{site}: {', '.join(MODULES)}")


if __name__ == "__main__":
    main()
