#!/usr/bin/env python3
"""Runs a call through a private Janus on a narrow path, with the driver of this folder and without it, and compares them.

    sudo Examples/janus/call.py --build FOLDER --work FOLDER [--policies driver none]

Needs root: the subscriber is in a network namespace of its own, behind a token bucket (tc tbf). `make janus` builds the
programs and starts this. Four publishers send recorded video in three layers and speak in turn.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "sfu"))

import run as media  # noqa: E402  of Examples/sfu, as is `path`
from path import Line, Link, in_turn  # noqa: E402
import signalling  # noqa: E402
import timeline  # noqa: E402

API, DRIVER, GATEWAY = 8088, 8090, 8080
JOIN = 6.0  # s between the start of the publishers and the subscriber
NARROW, WIDE = Line(400_000), Line(2_500_000)
PHASES = in_turn(("2.5 Mbit/s", 20, [(0, WIDE)]), ("400 kbit/s", 30, [(0, NARROW)]), ("2.5 Mbit/s again", 40, [(0, WIDE)]))
END = PHASES[-1].end
LIBRARIES = next(Path("/usr/lib").glob("*/janus"), Path("/usr/lib/janus"))

CONFIGURATION = {
    "janus.jcfg": """
general: {{
  configs_folder = "{folder}"
  plugins_folder = "{libraries}/plugins"
  transports_folder = "{libraries}/transports"
  events_folder = "{libraries}/events"
  loggers_folder = "{libraries}/loggers"
  debug_level = 3
  session_timeout = 0
}}
nat: {{ ice_enforce_list = "10.78." }}
plugins: {{ disable = "{other_plugins}" }}
transports: {{ disable = "{other_transports}" }}
events: {{
  broadcast = true
  disable = "{other_events}"
  stats_period = 1
}}
""",
    "janus.transport.http.jcfg": """
general: {{
  json = "compact"
  http = true
  port = {api}
}}
admin: {{ admin_http = false }}
""",
    "janus.eventhandler.sampleevh.jcfg": """
general: {{
  enabled = true
  events = "handles,media,plugins"
  backend = "http://127.0.0.1:{driver}/events"
}}
""",
    "janus.plugin.videoroom.jcfg": """
room-{room}: {{
  publishers = 10
  bitrate = 3000000
  videocodec = "vp8"
  audiolevel_event = true
  audio_active_packets = 10
  audio_level_average = 50
  transport_wide_cc_ext = false
}}
""",
}


def configure(folder):
    """Writes a folder of configuration for a Janus with VideoRoom alone."""
    folder.mkdir(parents=True)

    def others(kind, kept):
        return ",".join(sorted(file.name for file in (LIBRARIES / kind).glob("*.so") if kept not in file.name))

    values = {"folder": folder, "libraries": LIBRARIES, "api": API, "driver": DRIVER, "room": signalling.ROOM,
              "other_plugins": others("plugins", "videoroom"), "other_transports": others("transports", "http"),
              "other_events": others("events", "sampleevh")}
    for name, text in CONFIGURATION.items():
        (folder / name).write_text(text.format(**values))


# ---- A call ----

def run_call(policy, options, videos, rates, folder):
    """Runs a call and returns what its participants wrote down."""
    shutil.rmtree(folder, ignore_errors=True)
    configure(folder / "configuration")
    api, gateway, processes = f"http://127.0.0.1:{API}/janus", f"http://127.0.0.1:{GATEWAY}", []

    def begin(name, *command):
        with open(folder / f"{name}.out", "w") as output, open(folder / f"{name}.err", "w") as errors:
            processes.append(subprocess.Popen(command, stdout=output, stderr=errors))
        return processes[-1]

    with Link(f"{policy[:4]}{os.getpid()}", "10.78.0") as link:
        try:
            link.set(WIDE)
            observe = [] if policy == "driver" else ["-observe"]
            begin("driver", *link.at_server(options.build / "driver", "-listen", f"127.0.0.1:{DRIVER}", "-janus", api, "-notify",
                                            f"{gateway}/paused", *observe))
            begin("janus", *link.at_server("janus", "-F", folder / "configuration"))
            begin("gateway", *link.at_server(sys.executable, HERE / "signalling.py", GATEWAY, api))
            time.sleep(2)
            started = time.time()
            for number in range(1, media.PUBLISHERS + 1):
                begin(f"publisher-{number}", *link.at_server(
                    options.build / "client", "publish", "-server", gateway, "-participant", number, "-video", videos, "-rates",
                    ",".join(map(str, rates)), "-audio", videos / f"voice-{number - 1}", "-seconds", END + 2 * JOIN, "-log",
                    folder / f"publisher-{number}.jsonl"))
                time.sleep(0.3)  # so that they get their numbers in this order
            time.sleep(max(0, started + JOIN - time.time()))
            joined = time.time()
            subscriber = begin("subscriber", *link.at_client(
                HERE / "subscriber.py", "--janus", f"http://{link.address}:{API}/janus", "--feeds", media.PUBLISHERS,
                "--seconds", END, "--log", folder / "subscriber.jsonl"))
            link.follow(PHASES, joined)
            if subscriber.wait(timeout=END + 60) != 0:
                sys.exit(f"janus: the subscriber failed: {(folder / 'subscriber.err').read_text()}")
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(timeout=10)
    shutil.move(folder / "driver.out", folder / "server.jsonl")
    return timeline.Call(folder, PHASES, joined, is_driven=policy == "driver")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="the folder of driver and client")
    parser.add_argument("--work", type=Path, required=True, help="where to write what happens")
    parser.add_argument("--policies", nargs="+", choices=["driver", "none"], default=["driver", "none"])
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("janus: root is needed for the network namespaces: sudo make janus")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the namespaces go
    options.build, options.work = options.build.resolve(), options.work.resolve()
    videos = options.work / "media"
    videos.mkdir(parents=True, exist_ok=True)
    rates = media.make_video(videos)
    for number in range(media.PUBLISHERS):
        media.make_voice(videos, number, END + 3 * JOIN)
    print(f"janus: a call of {END:.0f} s with the policies {', '.join(options.policies)}", file=sys.stderr, flush=True)
    with ThreadPoolExecutor() as pool:  # at the same time, so that what else the machine does disturbs all alike
        calls = dict(zip(options.policies, pool.map(
            lambda policy: run_call(policy, options, videos, rates, options.work / policy), options.policies)))
    print(timeline.tables(calls))


if __name__ == "__main__":
    main()
