#!/usr/bin/env python3
"""Measures the cost of `vadmon live` while its device delivers nothing, and how soon it ends when a sound server hangs.

    Benchmarks/live/silence.py [--program FILE] [--seconds 10]

Prints two Markdown tables in about two minutes; builds vadmon unless --program names one.

Cost: processor time and wake-ups (voluntary context switches) of the whole program, from /proc, over the given seconds.
`ready, gives nothing` is the project's virtual device with a descriptor that is always readable. `PulseAudio,
suspended` is a null sink's monitor after `pactl suspend-sink`; its plugin behaves in the same way. `arecord` on the
same source is the reference. `PulseAudio, sound` is the cost while sound arrives.

End: PulseAudio receives SIGSTOP, vadmon receives SIGINT or SIGTERM two seconds later, and the time until vadmon has
exited is measured.
"""

import argparse
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from measure import observe, program
from microphone import Microphone, build_driver

SINK = "loudspeaker"


@contextmanager
def pulse_server(folder, environment):
    """Starts a separate server. Yields its process and an environment whose configuration has the device `pulse`."""
    folder.mkdir(mode=0o700)
    environment = dict(
        environment, HOME=str(folder), XDG_RUNTIME_DIR=str(folder), PULSE_SERVER=f"unix:{folder}/native")
    configuration = folder / "asound.conf"
    driver = Path(environment["ALSA_CONFIG_PATH"]).read_text()
    configuration.write_text(f'{driver}\npcm.pulse {{ type pulse device "{SINK}.monitor" }}\n')
    environment["ALSA_CONFIG_PATH"] = str(configuration)
    server = subprocess.Popen(
        ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
         "-L", f"module-native-protocol-unix socket={folder}/native auth-anonymous=1",
         "-L", f"module-null-sink sink_name={SINK} rate=48000 channels=1 format=s16le"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            if subprocess.run(["pactl", "info"], env=environment, capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        yield server, environment
    finally:
        server.send_signal(signal.SIGCONT)
        server.terminate()
        server.wait()


def suspend(environment, is_suspended):
    subprocess.run(["pactl", "suspend-sink", SINK, str(is_suspended).lower()], env=environment, check=True)


def cost(vadmon, folder, environment, seconds):
    ready = Microphone(folder, "ready", f"rate 48000\nat 4800 idle {48_000 * 3600}\n").name
    listen = [str(vadmon), "live", "--json", "--device"]
    record = ["arecord", "-q", "-D", "pulse", "-f", "S16_LE", "-r", "48000", "-t", "raw",
              "--period-time=10000", "--buffer-time=200000", "/dev/null"]
    rows = [("`vadmon live`, ready, gives nothing", observe([*listen, ready], environment, seconds))]
    with pulse_server(folder / "pulse", environment) as (_, environment):
        rows.append(("`vadmon live`, PulseAudio, sound", observe([*listen, "pulse"], environment, seconds)))
        suspend(environment, True)
        rows.append(("`vadmon live`, PulseAudio, suspended", observe([*listen, "pulse"], environment, seconds)))
        if shutil.which("arecord"):
            rows.append(("`arecord`, PulseAudio, suspended", observe(record, environment, seconds)))
    print("| | % of a core | of the busiest thread | wake-ups a second |\n|---|--:|--:|--:|")
    for name, found in rows:
        share = 100 * sum(share for share, _ in found)
        print(f"| {name} | {share:.2f} | {100 * found[0][0]:.2f} | {sum(waits for _, waits in found):.0f} |", flush=True)


def ending(vadmon, folder, environment, number):
    """Returns the seconds from the signal to the exit, and the exit code."""
    with pulse_server(folder / f"ending{number}", environment) as (server, environment):
        listening = subprocess.Popen(
            [str(vadmon), "live", "--json", "--device", "pulse"], env=environment, stdout=subprocess.DEVNULL)
        time.sleep(4)
        server.send_signal(signal.SIGSTOP)
        time.sleep(2)
        begin = time.monotonic()
        listening.send_signal(number)
        code = listening.wait()
        return time.monotonic() - begin, code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    vadmon = options.program or program()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = build_driver(folder)
        cost(vadmon, folder, environment, options.seconds)
        print("\n| server hangs | ends after | exit code |\n|---|--:|--:|")
        for number in (signal.SIGINT, signal.SIGTERM):
            seconds, code = ending(vadmon, folder, environment, number)
            print(f"| {number.name} | {1000 * seconds:.0f} ms | {code} |", flush=True)


if __name__ == "__main__":
    main()
