"""Janus' HTTP API, as far as a call in VideoRoom needs it; as a program, the gateway of an application.

    signalling.py PORT http://127.0.0.1:8088/janus
"""

import http.server
import itertools
import json
import sys
import urllib.request

ROOM = 1234


class Handle:
    """A session of Janus with one handle of VideoRoom. One thread at a time sends and waits."""

    transactions = itertools.count()

    def __init__(self, url, opaque):
        self.session = f"{url}/{request(url, janus='create')['data']['id']}"
        attached = request(self.session, janus="attach", plugin="janus.plugin.videoroom", opaque_id=opaque)
        self.url = f"{self.session}/{attached['data']['id']}"

    def ask(self, body, jsep=None):
        """Sends a message and returns the event that answers it."""
        transaction = f"call-{next(self.transactions)}"
        members = {"jsep": jsep} if jsep else {}
        request(self.url, janus="message", transaction=transaction, body=body, **members)
        while True:
            event = self.event()
            if event.get("transaction") == transaction and event["janus"] == "event":
                if "error" in event["plugindata"]["data"]:
                    raise RuntimeError(f"VideoRoom refuses {body['request']}: {event['plugindata']['data']['error']}")
                return event

    def event(self):
        """Waits for the next event, or half a minute."""
        with urllib.request.urlopen(self.session, timeout=60) as response:
            return json.load(response)


def request(url, transaction="call", **members):
    body = json.dumps(members | {"transaction": transaction}).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body), timeout=10) as response:
        answer = json.load(response)
    if answer["janus"] == "error":
        raise RuntimeError(f"Janus refuses {members['janus']}: {answer['error']['reason']}")
    return answer


class Gateway(http.server.ThreadingHTTPServer):
    """Answers the offers of publishers, POST /publish, with Janus' answers, and prints what is POSTed to /paused. The
    publishers are participants 1, 2, … in the order of their offers."""

    def __init__(self, address, janus):
        super().__init__(address, Request)
        self.janus, self.numbers = janus, itertools.count(1)

    def publish(self, offer):
        number = next(self.numbers)
        # The client names its smallest encoding first.
        event = Handle(self.janus, f"publisher-{number}").ask(
            {"request": "joinandconfigure", "ptype": "publisher", "room": ROOM, "id": number}, offer | {"rid_order": "lmh"})
        return event["jsep"]


class Request(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        code, answer = 200, ""
        try:
            if self.path.startswith("/publish"):
                answer = json.dumps(self.server.publish(body))
            else:
                print(json.dumps(body), flush=True)
        except (OSError, RuntimeError) as error:
            code, answer = 502, str(error)
        self.send_response(code)
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    Gateway(("127.0.0.1", int(sys.argv[1])), sys.argv[2]).serve_forever()
