"""The path from a server to a subscriber: two network namespaces, and a link that is as poor as it is told to be."""

import subprocess
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """What the path does from a time on."""
    rate: int           # bit/s from the server to the client
    loss: int = 0       # % of these packets; with 100, nothing passes in either direction
    queue: float = 0.3  # s that packets wait at most


@dataclass
class Phase:
    """A part of a call. `lines` are (seconds after its start, Line)."""
    name: str
    start: float
    end: float
    lines: list

    def changes(self):
        return [(self.start + after, line) for after, line in self.lines]


def in_turn(*parts):
    """Returns phases, one after the other, of (name, seconds, lines)."""
    phases, start = [], 0
    for name, seconds, lines in parts:
        phases.append(Phase(name, start, start + seconds, lines))
        start += seconds
    return phases


def sh(*command, check=True, **options):
    return subprocess.run([str(word) for word in command], check=check, capture_output=True, text=True, **options)


class Link:
    """Needs root. `name` has at most 12 letters, because names of links have at most 15."""

    def __init__(self, name, network):
        self.server, self.client, self.link = f"{name}-server", f"{name}-client", f"{name}-s0"
        self.far, self.network, self.address = f"{name}-c0", network, f"{network}.1"

    def at_server(self, *command):
        return ["ip", "netns", "exec", self.server, *map(str, command)]

    def at_client(self, *command):
        return ["ip", "netns", "exec", self.client, *map(str, command)]

    def __enter__(self):
        self.remove()
        for name in (self.server, self.client):
            sh("ip", "netns", "add", name)
        sh(*self.at_server("ip", "link", "add", self.link, "type", "veth", "peer", "name", self.far, "netns", self.client))
        for inside, link, host in ((self.at_server, self.link, 1), (self.at_client, self.far, 2)):
            sh(*inside("ip", "address", "add", f"{self.network}.{host}/24", "dev", link))
            for name in ("lo", link):
                sh(*inside("ip", "link", "set", name, "up"))
        return self

    def __exit__(self, *_):
        self.remove()

    def remove(self):
        for name in (self.server, self.client):
            sh("ip", "netns", "del", name, check=False)

    def set(self, line):
        sh(*self.at_server("tc", "qdisc", "replace", "dev", self.link, "root", "tbf", "rate", line.rate, "burst", 6000,
                        "latency", f"{1000 * line.queue:.0f}ms"))
        share = "" if line.loss == 100 else f"meta l4proto udp numgen random mod 100 < {line.loss}"
        rules = ["flush ruleset"]
        if line.loss:
            rules += ["add table inet call", "add chain inet call sent { type filter hook output priority 0; }",
                      f"add rule inet call sent oifname {self.link} {share} drop"]
        if line.loss == 100:
            rules += ["add chain inet call received { type filter hook input priority 0; }",
                      f"add rule inet call received iifname {self.link} drop"]
        sh(*self.at_server("nft", "-f", "-"), input="\n".join(rules) + "\n")

    def follow(self, phases, joined):
        """Does what the phases say, from the subscriber's join on."""
        for phase in phases:
            for at, line in phase.changes():
                time.sleep(max(0, joined + at - time.time()))
                self.set(line)
