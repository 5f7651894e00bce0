"""One slow flush of the disk delays the check-ins that wait for it, and no others."""
import json
import os
import selectors
import socket
import tempfile
import time
import unittest

import pytest

from host import Host, code_of
from server_process import DEADLINE, PATIENCE, Server, Stopwatch, preloaded

# If the file SLOW_FLUSH exists, the next flush deletes it and takes one second longer.
SLOW = """
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int fdatasync(int file) {
    if (unlink(getenv("SLOW_FLUSH")) == 0) poll(0, 0, 1000);
    return (int)syscall(SYS_fdatasync, file);
}
"""
CONNECTIONS, PEOPLE = 64, 2000


@pytest.mark.alone("measures how long requests wait")
@unittest.skipIf(PATIENCE > 1, "a sanitizer's library must be the first")
class SlowFlushTests(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        library, self.mark = preloaded(SLOW, folder), os.path.join(folder, "mark")
        self.server = Server("--signup", "open")
        self.server.environment = lambda: {**Server.environment(), "LD_PRELOAD": library,
            "SLOW_FLUSH": self.mark}
        self.enterContext(self.server)

    def slow_check_ins(self, code):
        """Checks people in over all connections while one flush is slow. Returns the connection and the
        seconds of each check-in that waited for longer than half a second."""
        ready = self.enterContext(selectors.DefaultSelector())
        slow, sent, done, watch = [], 0, 0, None

        def send(connection):
            nonlocal sent
            body = json.dumps({"code": code, "name": f"Guest {sent}", "email": f"guest{sent}@example.org"})
            sent += 1
            ready.modify(connection, selectors.EVENT_READ, time.monotonic())
            connection.sendall((f"POST /api/v1/check-ins HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
                f"application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())

        for _ in range(CONNECTIONS):
            connection = self.enterContext(socket.create_connection(("127.0.0.1", self.server.port)))
            ready.register(connection, selectors.EVENT_READ)
            send(connection)
        while done < PEOPLE:
            answered, now = ready.select(DEADLINE), time.monotonic()
            self.assertTrue(answered, "no answer")
            late = [key for key, _ in answered if now - key.data > 0.5]
            if late:
                waited = -watch.without_waits(0)
                slow += [(key.fileobj, now - key.data - waited) for key in late]
            for key, _ in answered:
                self.assertTrue(key.fileobj.recv(65536).startswith(b"HTTP/1.1 201 "))
                send(key.fileobj)
            done += len(answered)
            if watch is None and done >= PEOPLE // 2:
                watch = Stopwatch()
                with open(self.mark, "w", encoding="utf-8"):
                    pass
        return slow

    def test_a_flush_of_a_second_delays_each_connection_once_and_hardly_longer(self):
        slow = self.slow_check_ins(code_of(Host(self.server).session()))
        self.assertFalse(os.path.exists(self.mark))
        self.assertTrue(slow)
        self.assertEqual(len(slow), len({connection for connection, _ in slow}), "a connection waited twice")
        self.assertLess(max(seconds for _, seconds in slow), 1.2)


if __name__ == "__main__":
    unittest.main()
