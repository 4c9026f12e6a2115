#!/usr/bin/env python3
"""Measures how long `vadmon live` takes to end when everything around it hangs.

    Benchmarks/live/stop.py [--program FILE] [--runs N]

Prints a Markdown table in three minutes. What hangs, alone and together:

- stdout, stderr: a full pipe without a reader
- tty: a terminal that accepts no output (TCOOFF, as after Ctrl-S)
- server, opening: PulseAudio, stopped (SIGSTOP) while vadmon listens to it, or before vadmon opens it
- hook: a program of --on-event, with another that it has started in the background, sleeps for ever and ignores SIGTERM
- record: the target of the recording is a pipe whose reader does not read

Each run is ended by --duration, by one SIGINT and by one SIGTERM. "longest" is the longest time from the signal, or
from the end of the duration, to the end of the process; "left behind" counts the processes of the run that still exist
then.

The limit is 500 ms. The exit code is 1 if a run takes longer or leaves a process behind.
"""

import argparse
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

from measure import program
from microphone import ROOT

LIMIT_MS = 500
DURATION = 1.5  # s
F_SETPIPE_SZ = 1031
MARK = "STOP_BENCHMARK"


class PulseServer:
    """A separate sound server with a null sink, as in Tests/VirtualDeviceSupport."""

    def __init__(self, folder):
        self.folder = folder / "pulse"
        self.folder.mkdir(mode=0o700)
        self.address = f"unix:{self.folder}/native"
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder),
            "PULSE_SERVER": self.address}
        self.process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
             "-L", f"module-native-protocol-unix socket={self.folder}/native auth-anonymous=1",
             "-L", "module-null-sink sink_name=loudspeaker rate=48000 channels=1"],
            env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while subprocess.run(["pactl", "info"], env=self.environment, capture_output=True).returncode:
            time.sleep(0.05)

    def hang(self, hangs):
        os.kill(self.process.pid, signal.SIGSTOP if hangs else signal.SIGCONT)

    def end(self):
        self.hang(False)
        self.process.terminate()
        self.process.wait()


def left_behind(mark):
    """Counts the processes that have the run's mark in their environment."""
    found = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found += f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                pass
    return found


class Run:
    """A running vadmon; `wait` returns the time in ms from the signal or the end of the duration to its end."""

    def __init__(self, vadmon, arguments, environment, mark, output, how, errors, options):
        self.how = how
        if how == "--duration":
            arguments = [*arguments, "--duration", f"{DURATION}s"]
        self.start = time.monotonic()
        self.process = subprocess.Popen(
            [str(vadmon), "live", *options, *arguments], env=dict(environment, **{MARK: mark}), stdout=output,
            stdin=subprocess.DEVNULL, stderr=errors)

    def wait(self):
        if self.how == "--duration":
            start = self.start + DURATION
        else:
            start = time.monotonic()
            self.process.send_signal(getattr(signal, self.how))
        try:
            errors = self.process.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            errors = self.process.communicate()[1]
        return (time.monotonic() - start) * 1000, self.process.returncode, (errors or b"").decode().strip()


def fill(writer):
    """Writes until the pipe has no room left."""
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b" ")
    except BlockingIOError:
        os.set_blocking(writer, True)


HOOK = ["--on-event", "sh", "--on-event-argument=-c",
        "--on-event-argument=trap '' TERM; sleep 1000 & while :; do sleep 1000; done", "--on-event-timeout", "1h"]


def full_pipe():
    """Returns both ends of a full pipe that nothing reads."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, F_SETPIPE_SZ, 4096)
    fill(writer)
    return reader, writer


def hanging(context, what, how, mark):
    """Returns the result of a run around which all of `what` hang; `opening` is a server that hangs from before on."""
    arguments, options, opened, errors = [], ["--json"], [], subprocess.PIPE
    with open(os.devnull, "wb") as nothing:
        output = nothing.fileno()
        if "stdout" in what:
            opened += (pipe := full_pipe())
            output = pipe[1]
        if "stderr" in what:
            opened += (pipe := full_pipe())
            errors = pipe[1]
        if "tty" in what:
            opened += (pty := os.openpty())
            output, options = pty[1], []
        if "record" in what:
            target = context.folder / f"{mark}.fifo"
            os.mkfifo(target)
            opened.append(reader := os.open(target, os.O_RDONLY | os.O_NONBLOCK))
            fcntl.fcntl(reader, F_SETPIPE_SZ, 4096)
            arguments += ["--record", str(target)]
        if "hook" in what:
            arguments += HOOK
        sound = ["--input", str(ROOT / "samples/speech.flac")]
        if "opening" in what:
            context.server.hang(True)
        if "opening" in what or "server" in what:
            sound = ["--device", "pulse:DEVICE=loudspeaker.monitor"]
        environment = dict(context.pulse, TERM="xterm")
        run = Run(context.vadmon, [*sound, *arguments], environment, mark, output, how, errors, options)
    time.sleep(1)
    if "tty" in what:
        termios.tcflow(output, termios.TCOOFF)
    if "server" in what:
        context.server.hang(True)
    time.sleep(0.3)
    result = run.wait()
    context.server.hang(False)
    for descriptor in opened:
        os.close(descriptor)
    return result


class Context:
    def __init__(self, vadmon, folder):
        self.vadmon, self.folder = vadmon, folder
        self.server = PulseServer(folder)
        self.pulse = dict(os.environ, PULSE_SERVER=self.server.address)


CASES = [("stdout",), ("server",), ("opening",), ("hook",), ("stdout", "hook"), ("stdout", "stderr"),
         ("stdout", "stderr", "hook"), ("tty", "hook"), ("record",), ("stdout", "record", "hook"), ("server", "stdout"),
         ("server", "stdout", "stderr", "record", "hook"), ("server", "tty", "record", "hook")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    vadmon = arguments.program or program()
    print("| hangs | ended by | longest | left behind | exit codes | said last |\n|---|---|--:|--:|---|---|")
    is_good = True
    with tempfile.TemporaryDirectory() as name:
        context = Context(vadmon, Path(name))
        for what in CASES:
            for how in ("--duration", "SIGINT", "SIGTERM"):
                results, left = [], 0
                for index in range(arguments.runs):
                    mark = f"{'-'.join(what)}-{how.strip('-')}-{index}"
                    results.append(hanging(context, what, how, mark))
                    left += left_behind(mark)
                longest = max(time for time, _, _ in results)
                is_good = is_good and longest <= LIMIT_MS and left == 0
                codes = ", ".join(sorted({str(code) for _, code, _ in results}))
                said = results[0][2].splitlines()[-1:]
                print(f"| {' + '.join(what)} | {how} | {longest:.0f} ms | {left} | {codes} | {''.join(said)} |", flush=True)
        context.server.end()
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
