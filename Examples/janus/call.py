#!/usr/bin/env python3
"""Runs a call through a private Janus on a narrow path, with the driver of this folder and without it, and compares them.

    sudo Examples/janus/call.py --build FOLDER --work FOLDER [--policies driver none]

Needs root: the subscriber is in a network namespace of its own, behind a token bucket (tc tbf). `make janus` builds the
programs and starts this. Four publishers send recorded video in three layers and speak in turn.
"""

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "sfu"))

import analysis  # noqa: E402  of Examples/sfu, as is `run`
import run as media  # noqa: E402
import signalling  # noqa: E402
import timeline  # noqa: E402

SERVER, CLIENT, SERVER_LINK, CLIENT_LINK = "janus-server", "janus-client", "janus-s0", "janus-c0"
ADDRESS = "10.78.0.1"
API, DRIVER, GATEWAY = 8088, 8090, 8080
JOIN = 6.0  # s between the start of the publishers and the subscriber
PHASES = [analysis.Phase("2.5 Mbit/s", 0, 20, 2_500_000), analysis.Phase("400 kbit/s", 20, 50, 400_000),
          analysis.Phase("2.5 Mbit/s again", 50, 90, 2_500_000)]
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


# ---- The path ----

def inside(namespace, *command):
    return ["ip", "netns", "exec", namespace, *map(str, command)]


@contextlib.contextmanager
def path():
    """Two namespaces with a link between them, which carries what `set_rate` says from the server to the client."""
    for name in (SERVER, CLIENT):
        media.sh("ip", "netns", "del", name, check=False)
        media.sh("ip", "netns", "add", name)
        media.sh(*inside(name, "ip", "link", "set", "lo", "up"))
    try:
        media.sh(*inside(SERVER, "ip", "link", "add", SERVER_LINK, "type", "veth", "peer", "name", CLIENT_LINK, "netns", CLIENT))
        for name, link, address in ((SERVER, SERVER_LINK, ADDRESS), (CLIENT, CLIENT_LINK, "10.78.0.2")):
            media.sh(*inside(name, "ip", "address", "add", f"{address}/24", "dev", link))
            media.sh(*inside(name, "ip", "link", "set", link, "up"))
        set_rate(PHASES[0].rate)
        yield
    finally:
        for name in (SERVER, CLIENT):
            media.sh("ip", "netns", "del", name, check=False)


def set_rate(rate):
    media.sh(*inside(SERVER, "tc", "qdisc", "replace", "dev", SERVER_LINK, "root", "tbf", "rate", rate, "burst", 6000,
                     "latency", "300ms"))


# ---- A call ----

def start(folder, namespace, name, *command):
    with open(folder / f"{name}.out", "w") as output, open(folder / f"{name}.err", "w") as errors:
        return subprocess.Popen(inside(namespace, *command), stdout=output, stderr=errors)


def run_call(policy, options, videos, rates, folder):
    """Runs a call and returns what its participants wrote down."""
    shutil.rmtree(folder, ignore_errors=True)
    configure(folder / "configuration")
    api, gateway, processes = f"http://127.0.0.1:{API}/janus", f"http://127.0.0.1:{GATEWAY}", []

    def begin(*command):
        processes.append(start(folder, *command))
        return processes[-1]

    with path():
        try:
            observe = [] if policy == "driver" else ["-observe"]
            begin(SERVER, "driver", options.build / "driver", "-listen", f"127.0.0.1:{DRIVER}", "-janus", api, "-notify",
                  f"{gateway}/paused", *observe)
            begin(SERVER, "janus", "janus", "-F", folder / "configuration")
            begin(SERVER, "gateway", sys.executable, HERE / "signalling.py", GATEWAY, api)
            time.sleep(2)
            started = time.time()
            for number in range(1, media.PUBLISHERS + 1):
                begin(SERVER, f"publisher-{number}", options.build / "client", "publish", "-server", gateway, "-participant",
                      number, "-video", videos, "-rates", ",".join(map(str, rates)), "-audio", videos / f"voice-{number - 1}",
                      "-seconds", END + 2 * JOIN, "-log", folder / f"publisher-{number}.jsonl")
                time.sleep(0.3)  # so that they get their numbers in this order
            time.sleep(max(0, started + JOIN - time.time()))
            joined = time.time()
            subscriber = begin(CLIENT, "subscriber", HERE / "subscriber.py", "--janus", f"http://{ADDRESS}:{API}/janus",
                               "--feeds", media.PUBLISHERS, "--seconds", END, "--log", folder / "subscriber.jsonl")
            for phase in PHASES[1:]:
                time.sleep(max(0, joined + phase.start - time.time()))
                set_rate(phase.rate)
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
    calls = {}
    for policy in options.policies:
        print(f"janus: a call of {END:.0f} s with the policy {policy}", file=sys.stderr, flush=True)
        calls[policy] = run_call(policy, options, videos, rates, options.work / policy)
    print(timeline.tables(calls))


if __name__ == "__main__":
    main()
