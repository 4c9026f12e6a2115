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
from aiortc.rate import RemoteBitrateEstimator

import signalling


class Journal:
    def __init__(self, path):
        self.file = open(path, "w", buffering=1)

    def write(self, kind, **members):
        print(json.dumps({"type": kind, "at": time.time()} | members), file=self.file)


def height_of(frame):
    """The height of a key frame of VP8 (RFC 6386, 9.1); None for other frames."""
    is_key = len(frame) > 9 and frame[0] & 1 == 0 and frame[3:6] == b"\x9d\x01\x2a"
    return frame[8] | (frame[9] & 0x3F) << 8 if is_key else None


class Recorder:
    """Takes the place of the decoder's threads: it writes down the frames that could be decoded."""

    def __init__(self, journal):
        self.journal, self.participants, self.heights = journal, {}, {}

    def __call__(self, loop, frames, tracks):
        participant = self.participants.get(id(frames))
        while (task := frames.get()) is not None:
            codec, frame = task
            height = height_of(frame.data)
            if height:
                self.heights[participant] = height
            if codec.name == "VP8" and participant in self.heights:
                self.journal.write("frame", participant=participant, height=self.heights[participant])

    def lose(self, participant):
        """Nothing can be decoded until the next key frame."""
        self.heights.pop(participant, None)


def watch(receiver, participant, journal, estimator, recorder):
    if receiver.track.kind == "video":
        recorder.participants[id(receiver._RTCRtpReceiver__decoder_queue)] = participant
        # aiortc estimates each stream by itself. What the path carries is a matter of all of them, as in browsers.
        receiver._RTCRtpReceiver__remote_bitrate_estimator = estimator
        ask = receiver._send_rtcp_pli

        async def ask_for_key_frame(ssrc):
            recorder.lose(participant)
            await ask(ssrc)

        receiver._send_rtcp_pli = ask_for_key_frame
    else:
        take = receiver._handle_rtp_packet

        async def handle(packet, **times):
            journal.write("audio", participant=participant, sequence=packet.sequence_number)
            await take(packet, **times)

        receiver._handle_rtp_packet = handle


async def subscribe(options, journal):
    recorder = Recorder(journal)
    rtcrtpreceiver.decoder_worker = recorder
    handle = signalling.Handle(options.janus, "subscriber")
    journal.write("join")
    feeds = [{"feed": number} for number in range(1, options.feeds + 1)]
    offered = handle.ask({"request": "join", "ptype": "subscriber", "room": signalling.ROOM, "streams": feeds})
    feed_of = {stream["mid"]: stream["feed_id"] for stream in offered["plugindata"]["data"]["streams"]}
    connection, estimator = RTCPeerConnection(), RemoteBitrateEstimator()
    await connection.setRemoteDescription(RTCSessionDescription(**{name: offered["jsep"][name] for name in ("sdp", "type")}))
    for transceiver in connection.getTransceivers():
        watch(transceiver.receiver, feed_of[transceiver.mid], journal, estimator, recorder)
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
