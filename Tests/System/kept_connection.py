"""Kept connections that read one answer after the other."""
import asyncio


class KeptConnection(asyncio.Protocol):
    """Calls `answered(head, body)` with each complete answer."""

    def __init__(self):
        self.buffer = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.buffer += data
        head, separator, body = self.buffer.partition(b"\r\n\r\n")
        if not separator:
            return
        length = next(int(line.split(b":")[1])
            for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        if len(body) < length:
            return
        self.buffer = body[length:]
        self.answered(head, body[:length])
