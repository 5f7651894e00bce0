"""Check-ins as fast as a Python client can send them: kept connections, each with one request in flight."""
import asyncio
import json

from host import code_of
from kept_connection import KeptConnection


class CheckInLoad(KeptConnection):
    """One connection. It takes people from `people` until none is left or the connection ends, and puts the
    answers into `acknowledged`, by address."""

    def __init__(self, session, people, acknowledged):
        super().__init__()
        self.code = code_of(session)
        self.people, self.acknowledged = people, acknowledged
        self.asked = None
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        super().connection_made(transport)
        self.ask()

    def ask(self):
        self.asked = next(self.people, None)
        if self.asked is None:
            self.transport.close()
            return
        body = json.dumps(
            {"code": self.code, "name": f"Guest {self.asked}",
                "email": f"guest{self.asked}@example.org"}).encode()
        self.transport.write(
            b"POST /api/v1/check-ins HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def answered(self, head, body):
        if head.startswith(b"HTTP/1.1 201 "):
            self.acknowledged[f"guest{self.asked}@example.org"] = json.loads(body)
        if b"connection: close" not in head.lower():
            self.ask()

    def connection_lost(self, error):
        if not self.done.done():
            self.done.set_result(None)


async def check_in_all(port, session, people, acknowledged, connections=32):
    """Returns when every connection has ended."""
    loop = asyncio.get_running_loop()
    people = iter(people)
    made = []
    for _ in range(connections):
        _, connection = await loop.create_connection(lambda: CheckInLoad(session, people, acknowledged),
            "127.0.0.1", port)
        made.append(connection)
    await asyncio.gather(*(connection.done for connection in made))
