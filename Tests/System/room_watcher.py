"""An independent websocket client in a process of its own: prints the moment of each frame in seconds and the
frame as a line, and at the end the close code.

usage: room_watcher.py URL TOKEN ROOM [EPOCH:SEQUENCE]
"""
import json
import sys
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def main(url, token, room, since=None):
    message = {"join": room, "id": 1}
    if since:
        epoch, sequence = since.split(":")
        message["since"] = {"epoch": epoch, "sequence": int(sequence)}
    # The server limits the length of an answer, so the client does not. It uses no proxy of the environment.
    with connect(url, subprotocols=["qring.v1"], additional_headers={"Authorization": f"Bearer {token}"},
            max_size=None, proxy=None) as socket:
        socket.send(json.dumps(message))
        try:
            while True:
                print(time.monotonic(), socket.recv(), flush=True)
        except ConnectionClosed:
            print(time.monotonic(),
                json.dumps({"closed": socket.close_code, "reason": socket.close_reason}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
