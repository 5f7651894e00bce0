"""A websocket made by hand, for bytes that no client library sends."""
import os
import socket
import struct

from server_process import DEADLINE

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
FINAL = 0x80


def upgrade(*lines, path="/rooms"):
    """Returns the bytes of an upgrade, with additional lines."""
    return "\r\n".join([
        f"GET {path} HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: qring.v1", *lines, "", ""]).encode()


def frame(first, payload=b"", *, masked=True, announced=None):
    """`first` is the frame's first byte: the final bit, reserved bits, and the opcode."""
    length = len(payload) if announced is None else announced
    mask = 0x80 if masked else 0
    if length < 126:
        head = bytes([first, mask | length])
    elif length < 65536:
        head = bytes([first, mask | 126]) + struct.pack(">H", length)
    else:
        head = bytes([first, mask | 127]) + struct.pack(">Q", length)
    if not masked:
        return head + payload
    key = os.urandom(4)
    return head + key + bytes(byte ^ key[index % 4] for index, byte in enumerate(payload))


class RawWebSocket:
    """A connection after the upgrade."""

    def __init__(self, port, *lines, receive_buffer=None, path="/rooms"):
        self.socket = socket.socket()
        self.socket.settimeout(DEADLINE)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(upgrade(*lines, path=path))
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        self.head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        assert self.head.startswith(b"HTTP/1.1 101 "), self.head

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _more(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise ConnectionResetError("the server has closed the connection")
        self.buffer += piece

    def send(self, data):
        """Sends as much as the server accepts. It is no error if the server closes the connection."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def say(self, text):
        self.send(frame(FINAL | TEXT, text.encode()))

    def receive(self):
        """Returns the next frame as `(opcode, payload)`."""
        while True:
            if len(self.buffer) >= 2:
                length, start = self.buffer[1] & 0x7F, 2
                if length == 126:
                    start = 4
                    length = int.from_bytes(self.buffer[2:4], "big") if len(self.buffer) >= 4 else 1 << 40
                elif length == 127:
                    start = 10
                    length = int.from_bytes(self.buffer[2:10], "big") if len(self.buffer) >= 10 else 1 << 40
                if len(self.buffer) >= start + length:
                    opcode, payload = self.buffer[0] & 0x0F, self.buffer[start:start + length]
                    self.buffer = self.buffer[start + length:]
                    return opcode, payload
            self._more()

    def close_code(self):
        """Reads until the server closes. Returns the close code, or None without one."""
        try:
            while True:
                opcode, payload = self.receive()
                if opcode == CLOSE:
                    return int.from_bytes(payload[:2], "big") if len(payload) >= 2 else None
        except ConnectionResetError:
            return None
