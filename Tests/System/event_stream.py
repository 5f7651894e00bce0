"""An event stream of a room, read by hand from its socket."""
import json
import socket
import time
import urllib.parse

from api import API
from server_process import DEADLINE


class Messages:
    """What a client of one room hears. `hear` returns the next message before the moment `until`; None if
    none came or the connection ended."""

    room, is_closed = None, False

    def hear(self, until):
        raise NotImplementedError

    def hear_until(self, condition, until):
        """Returns the first message that matches; None if the connection or the time ends before it."""
        while (message := self.hear(until)) is not None:
            if condition(message):
                return message
        return None

    def has_ended(self, until):
        """Whether the room or its connection ends before the moment `until`."""
        ended = self.hear_until(lambda message: message.get("left") == self.room, until)
        return ended is not None or self.is_closed

    def removes(self, session, until):
        """Whether this home removes the session before the moment `until`."""
        return self.hear_until(lambda message: session["id"] in message.get("removed", []), until) is not None


def ticket(server, *lines):
    """Returns a ticket for the right that the header lines prove."""
    headers = dict(line.split(": ", 1) for line in lines)
    return API(server).post("/rooms/tickets", headers=headers).expect(201).json["ticket"]


class EventStream(Messages):
    """`lines` are header lines. `query` replaces parameters of the request."""

    def __init__(self, server, room, *lines, **query):
        connection = server.connection()
        connection.connect()
        self.socket, self.room = connection.sock, room
        self.socket.settimeout(DEADLINE)
        query = urllib.parse.urlencode({"room": room, **query})
        self.socket.sendall("\r\n".join(
            [f"GET /rooms/events?{query} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode())
        self.received, self.chunks, self.is_closed, self.closed = b"", b"", False, None
        self.last_id = None
        while b"\r\n\r\n" not in self.received:
            piece = self.socket.recv(65536)
            assert piece, self.received
            self.received += piece
        self.head, rest = self.received.split(b"\r\n\r\n", 1)
        self.received = b""
        self.status = int(self.head.split()[1])
        self.is_chunked = b"transfer-encoding: chunked" in self.head.lower()
        self._take(rest)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _take(self, piece):
        if not self.is_chunked:
            self.received += piece
            return
        self.chunks += piece
        while b"\r\n" in self.chunks:
            size, rest = self.chunks.split(b"\r\n", 1)
            size = int(size, 16)
            if len(rest) < size + 2:
                return
            self.received, self.chunks = self.received + rest[:size], rest[size + 2:]

    @property
    def body(self):
        """Reads until the server closes. Returns everything."""
        while piece := self.socket.recv(65536):
            self._take(piece)
        return self.received

    def hear(self, until):
        while not self.is_closed:
            if b"\n\n" in self.received:
                event, self.received = self.received.split(b"\n\n", 1)
                fields = dict(line.split(": ", 1) for line in event.decode().split("\n"))
                self.last_id = fields.get("id", self.last_id)
                message = json.loads(fields["data"])
                if "event" not in fields:
                    return message
                if fields["event"] == "closed":
                    self.closed, self.is_closed = message, True
                continue
            self.socket.settimeout(max(0.001, until - time.monotonic()))
            try:
                piece = self.socket.recv(65536)
            except (TimeoutError, socket.timeout):
                return None
            except OSError:
                piece = b""
            self.is_closed = not piece
            self._take(piece)
        return None
