"""A client of Socket.IO by PyPI's python-socketio, version 4 or 5 by PYTHONPATH. Prints what it hears as
lines of JSON, and sends each line of its input, `[event, argument]`, with an acknowledgement.

usage: socketio_client.py VERSION URL TOKEN once|again TRANSPORT…      `again`: connects again after a loss
"""
import itertools
import json
import sys

import socketio

EVENTS = ["frame", "joined", "left", "closed", "problem", "homeCnt", "homeAttendCnt", "meetingAttendCnt",
    "meetingFeedbackCnt"]


def say(*message):
    # Handlers run in threads of their own. One write keeps a line whole.
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    version, url, token, often, *transports = sys.argv[1:]
    client = socketio.Client(reconnection=often == "again")
    for event in EVENTS:
        client.on(event, lambda *arguments, event=event: say(event, *arguments))
    client.on("disconnect", lambda *_: say("disconnect"))
    # The library may call the handler of the first connection late, on a thread of its own.
    connected = itertools.count()
    client.on("connect", lambda *_: say("again") if next(connected) else None)
    # Version 4 has no `auth`.
    proof = {"auth": {"token": token}} if version == "5" and token else {}
    query = f"?token={token}" if version == "4" and token else ""
    try:
        client.connect(url + query, transports=transports or None, **proof)
    except socketio.exceptions.ConnectionError as error:
        return say("refused", str(error))
    say("connect", client.transport() if callable(client.transport) else client.transport)
    for line in sys.stdin:
        event, argument = json.loads(line)
        if isinstance(argument, str) and argument.startswith("bytes:"):
            argument = argument.encode()
        client.emit(event, argument, callback=lambda *answer: say("ack", *answer))
    client.disconnect()


main()
