#!/usr/bin/python3
"""Subscribes to the feeds of a room with aiortc, and writes down what arrives, as JSON Lines.

    subscriber.py --janus http://10.78.0.1:8088/janus --feeds 4 --seconds 60 --log FILE

It reports lost packets, asks for key frames, and sends REMB, as a browser does. It decodes nothing.
"""

import argparse
import asyncio
import json
import sys
import time

from aiortc import RTCPeerConnection, RTCSessionDescription, rtcrtpreceiver
from aiortc.codecs import is_rtx
from aiortc.rate import RemoteBitrateEstimator
from aiortc.rtp import unwrap_rtx

import signalling
from pictures import PATIENCE, Pictures


class Journal:
    def __init__(self, path):
        self.file = open(path, "w", buffering=1)

    def write(self, kind, **members):
        print(json.dumps({"type": kind, "at": time.time()} | members), file=self.file)


def drain(loop, frames, tracks):
    """Takes the place of aiortc's decoders."""
    while frames.get() is not None:
        pass


def watch_audio(receiver, participant, journal):
    take = receiver._handle_rtp_packet

    async def handle(packet, **times):
        journal.write("audio", participant=participant, sequence=packet.sequence_number)
        await take(packet, **times)

    receiver._handle_rtp_packet = handle


def watch_video(receiver, participant, journal, estimator):
    # aiortc estimates each stream by itself. What the path carries is a matter of all of them, as in browsers.
    receiver._RTCRtpReceiver__remote_bitrate_estimator = estimator
    take, pictures = receiver._handle_rtp_packet, Pictures()

    def show(frames):
        for is_key, height in frames:
            journal.write("frame", participant=participant, key=is_key, height=height)

    async def handle(packet, **times):
        await take(packet, **times)
        codec = receiver._RTCRtpReceiver__codecs[packet.payload_type]
        if is_rtx(codec):
            if len(packet.payload) < 2:
                return
            packet = unwrap_rtx(packet, payload_type=codec.parameters["apt"], ssrc=packet.ssrc)
        show(pictures.add(packet, time.time()))
        if pictures.wants_key_frame(time.time()):
            await receiver._send_rtcp_pli(packet.ssrc)

    async def give_up():
        while True:
            await asyncio.sleep(PATIENCE / 10)
            show(pictures.give_up(time.time()))

    receiver._handle_rtp_packet = handle
    return asyncio.create_task(give_up())


async def subscribe(options, journal):
    rtcrtpreceiver.decoder_worker = drain
    handle = signalling.Handle(options.janus, "subscriber")
    journal.write("join")
    feeds = [{"feed": number} for number in range(1, options.feeds + 1)]
    offered = handle.ask({"request": "join", "ptype": "subscriber", "room": signalling.ROOM, "streams": feeds})
    feed_of = {stream["mid"]: stream["feed_id"] for stream in offered["plugindata"]["data"]["streams"]}
    connection, estimator = RTCPeerConnection(), RemoteBitrateEstimator()
    await connection.setRemoteDescription(RTCSessionDescription(**{name: offered["jsep"][name] for name in ("sdp", "type")}))
    tasks = []
    for transceiver in connection.getTransceivers():
        receiver, feed = transceiver.receiver, feed_of[transceiver.mid]
        if receiver.track.kind == "audio":
            watch_audio(receiver, feed, journal)
        else:
            tasks.append(watch_video(receiver, feed, journal, estimator))
    await connection.setLocalDescription(await connection.createAnswer())
    answer = {"type": "answer", "sdp": connection.localDescription.sdp}
    handle.ask({"request": "start"}, answer)
    await asyncio.sleep(options.seconds)
    await connection.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--janus", required=True, help="Janus' HTTP API")
    parser.add_argument("--feeds", type=int, default=4, help="how many publishers there are")
    parser.add_argument("--seconds", type=float, default=60, help="how long")
    parser.add_argument("--log", required=True, help="where to write what arrives")
    options = parser.parse_args()
    try:
        asyncio.run(subscribe(options, Journal(options.log)))
    except (OSError, RuntimeError) as error:
        sys.exit(f"subscriber: {error}")


if __name__ == "__main__":
    main()
