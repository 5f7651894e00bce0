"""With many connections at once, all are answered, and the rate does not collapse (an internal thread of
libmicrohttpd did)."""
import asyncio
import time
import unittest

import pytest

from host import Host
from kept_connection import KeptConnection
from server_process import DEADLINE, MEASURES, Server

REQUESTS = 1024
MOST_ROUNDS = 8


class Asker(KeptConnection):
    """One kept connection. It sends the same request again when the answer is complete."""

    def __init__(self, request, times):
        super().__init__()
        self.request, self.left = request, times
        self.statuses = []
        self.done = asyncio.get_running_loop().create_future()

    def ask(self):
        self.transport.write(self.request)

    def answered(self, head, body):
        self.statuses.append(int(head.split(b" ", 2)[1]))
        self.left -= 1
        if self.left:
            self.ask()
        elif not self.done.done():
            self.done.set_result(None)

    def connection_lost(self, error):
        if not self.done.done():
            self.done.set_exception(error or ConnectionError(f"closed with {self.left} requests unanswered"))


async def ask_at_once(port, request, connections):
    """Opens all connections, then sends on all of them at once. Returns the statuses and the
    requests a second."""
    loop = asyncio.get_running_loop()
    times = REQUESTS // connections
    askers = []
    for _ in range(connections):
        _, asker = await loop.create_connection(lambda: Asker(request, times), "127.0.0.1", port)
        askers.append(asker)
    began = time.monotonic()
    for asker in askers:
        asker.ask()
    try:
        await asyncio.wait_for(asyncio.gather(*(asker.done for asker in askers)), DEADLINE)
        return [status for asker in askers
            for status in asker.statuses], times * connections / (time.monotonic() - began)
    finally:
        for asker in askers:
            asker.transport.close()


@pytest.mark.alone("compares rates")
class ManyConnectionsTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.session = cls.host.session()

    def requests(self):
        """Three kinds: answered at once on the loop, after a read of the storage, and refused after its body
        was read."""
        token = f"Authorization: Bearer {self.host.token}\r\n"
        body = b'{"code":""}'
        return {
            200: [b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
                  f"GET /api/v1/sessions/{self.session['id']} HTTP/1.1\r\nHost: a\r\n{token}\r\n".encode()],
            422: [
                b"POST /api/v1/grants HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n" % len(body) + body],
        }

    def test_all_connections_are_answered_and_the_rate_does_not_collapse(self):
        for status, requests in self.requests().items():
            for request in requests:
                with self.subTest(request=request.split(b" HTTP")[0]):
                    best = {}
                    # If one round is too slow, take the best of several, because others use the machine too.
                    for _ in range(MOST_ROUNDS):
                        for connections in [1, 64, 128, 512]:
                            statuses, rate = asyncio.run(ask_at_once(self.server.port, request, connections))
                            self.assertEqual(statuses, [status] * REQUESTS)
                            best[connections] = max(rate, best.get(connections, 0))
                        # The stall that this test finds went from 180,000 a second to 100.
                        if not MEASURES or min(best[128], best[512]) > best[64] / 4:
                            break
                    else:
                        self.fail(f"the rate collapses: {best}")


if __name__ == "__main__":
    unittest.main()
