#!/usr/bin/env python3
"""Runs the shell commands of README.md and of the pages about the terminal in order, with recordings of the names that they use.

    Scripts/check-readme-commands.py VADMON [PAGE…]

Every ```sh block of a page is run, unless NOT_RUN has a reason not to. The blocks of a page share a scratch folder, so
that each finds the files of those before it. Recordings, labels and results of another detector are made from samples/;
the microphone is the project's virtual device, and `arecord` is a stand-in with the same output. A command that listens
for ever is stopped with SIGINT after a few seconds, as by Ctrl-C. Every command must end with exit code 0.
"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Benchmarks/live"))
import microphone  # noqa: E402

# Blocks that are not run, by their first line, and the reasons.
NOT_RUN = {
    "git clone <this repository>": "make demo and make test are what .ci/run runs",
    "make                     # installs": "make installation proves it in a root of its own",
}
PAGES = ["README.md", "docs/terminal.md", "docs/tutorial.md", "docs/recipes.md"]
# The files that the commands of a page must have created.
MADE = {
    "README.md": {"frames", "parts/meeting-0001.wav"},
    "terminal.md": {"parts/meeting-0001.wav", "sides/call-ch1-0001.wav", "words", "meeting.html", "takes", "mic.wav",
                    "notified", "frames"},
}
SECONDS_TO_LISTEN = 4


def blocks(page):
    """Yields (line number, commands) of each block. A backslash continues a command on the next line."""
    inside, number, commands = False, 0, []
    for line_number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("```"):
            if inside:
                yield number, commands
            inside, number, commands = not inside and line == "```sh", line_number + 1, []
        elif inside and commands and commands[-1].endswith("\\"):
            commands[-1] += "\n" + line
        elif inside and line:
            commands.append(line)


def script(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


def sox(*arguments):
    subprocess.run(["sox", "-G", *map(str, arguments)], check=True)


def prepare(folder, vadmon):
    """Creates the files that exist before the first command, and returns the environment."""
    samples = folder / "samples"
    shutil.copytree(ROOT / "samples", samples)
    sox(samples / "speech.flac", folder / "meeting.wav")
    sox(samples / "speech.flac", folder / "night.flac")
    sox(samples / "stereo-48k.flac", folder / "call.wav")
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=r=25:d=10", "-i", folder / "meeting.wav",
                    folder / "talk.mkv"], check=True)
    subprocess.run(["opusenc", "--quiet", folder / "call.wav", folder / "call.opus"], check=True)
    shutil.copy(samples / "traces/falling-line.jsonl", folder / "call.jsonl")
    for name in ("recordings", "labels", "other", "bin"):
        (folder / name).mkdir()
    for path in samples.iterdir():
        if path.suffix in (".flac", ".wav"):
            shutil.copy(path, folder / "recordings")
            shutil.copy(path.with_suffix(".txt"), folder / "labels")
    run = lambda *arguments: subprocess.run([vadmon, "analyze", *arguments], cwd=folder, check=True, stdout=subprocess.PIPE)
    run("recordings", "--preset", "notice", "--frames", "other", "--quiet")
    run("meeting.wav", "--format", "rttm", "--output", "found.rttm")
    # The same recording by another detector, and its length.
    run("meeting.wav", "--preset", "transcription", "--format", "rttm", "--output", "labels.rttm")
    (folder / "all.uem").write_text("meeting 1 0 10\n")

    environment = microphone.build_driver(folder / "bin")
    device = folder / "bin/microphone"
    device.write_text(f"rate 16000 48000\nchannels 1 2\nloop {samples}/muted-talk.flac\n")
    with open(environment["ALSA_CONFIG_PATH"], "a", encoding="utf-8") as configuration:
        configuration.write(f"""
            pcm.!default {{ type virtual file "{device}" }}
            pcm.hw {{ @args [ CARD ] @args.CARD {{ type string }} type virtual file "{device}" }}
            defaults.namehint.showall on
            namehint.pcm [ "default" ]
        """)
    script(folder / "bin/arecord", f"exec sox -G {samples}/speech.flac -t raw -r 16000 -b 16 -e signed -\n")
    script(folder / "bin/notify-send", f"echo \"$*\" >> {folder}/notified\n")
    script(folder / "bin/xdg-open", "exit 0\n")
    # Stopping vadmon with Ctrl-C is intended, so it is not a failure here.
    listening = f"timeout --foreground --preserve-status --signal=INT {SECONDS_TO_LISTEN}"
    script(folder / "bin/vadmon", f"""case $1 in
live) {listening} {vadmon} "$@"; code=$?; [ $code -eq 130 ] || exit $code; exit 0;;
esac
exec {vadmon} "$@"
""")
    return dict(environment, PATH=f"{folder}/bin:{environment['PATH']}", TERM="dumb",
                XDG_CONFIG_HOME=f"{folder}/config")


def check(vadmon, page):
    """Runs the commands of a page. Returns their number, and the entries of NOT_RUN that it used."""
    used, count = set(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        environment = prepare(folder, vadmon)
        for number, commands in blocks(page):
            reasons = {start for start in NOT_RUN if commands[0].startswith(start)}
            used |= reasons
            if reasons:
                continue
            for command in commands:
                result = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment,
                                        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
                if result.returncode != 0 or not (result.stdout or "--output" in command or "live" in command or "ffmpeg" in command):
                    sys.exit(f"check-readme-commands: {page.name}, block of line {number}: exit code {result.returncode}"
                             f" and {len(result.stdout)} characters of\n  {command}\n{result.stderr}")
                count += 1
        expected = MADE.get(page.name, set())
        if missing := {made for made in expected if not (folder / made).exists()}:
            sys.exit(f"check-readme-commands: nothing in {page.name} has made {', '.join(sorted(missing))}")
    return count, used


def main():
    vadmon = Path(sys.argv[1]).resolve()
    pages = [Path(page) for page in sys.argv[2:]] or [ROOT / name for name in PAGES]
    unused = set(NOT_RUN)
    for page in pages:
        count, used = check(vadmon, page)
        unused -= used
        print(f"check-readme-commands: {count} commands of {page.name} run in order; blocks not run: {len(used)}")
    if unused and len(sys.argv) == 2:
        sys.exit(f"check-readme-commands: no block begins with {unused}: take it from NOT_RUN")


if __name__ == "__main__":
    main()
