"""A thousand watchers never read while five thousand people check in: nobody else waits, and the server's
memory does not grow."""
import asyncio
import json
import re
import resource
import socket
import threading
import time
import unittest

import pytest

from api import API
from check_in_load import check_in_all
from host import Host
from raw_websocket import FINAL, TEXT, RawWebSocket, frame, upgrade
from server_process import DEADLINE, MEASURES, PATIENCE, Server, Stopwatch, wait_until

SILENT = 1_000
CHECK_INS = 5_000
MOST_GROWTH = 20 << 20
LATEST = 0.25 * PATIENCE


@pytest.mark.alone("measures memory and how soon a count is told")
class SlowWatchersTests(unittest.TestCase):
    def setUp(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4_096), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.session = self.host.session(session={"plannedCount": CHECK_INS})
        self.authorization = f"Authorization: Bearer {self.host.token}"
        self.join = frame(FINAL | TEXT,
            json.dumps({"join": f"session:{self.session['id']}", "id": 1}).encode())

    def silent(self):
        """Joins, and does not even read the answer to its upgrade."""
        connection = self.enterContext(socket.socket())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        connection.connect(("127.0.0.1", self.server.port))
        connection.sendall(upgrade(self.authorization))
        return connection

    def metric(self, name):
        return int(
            re.search(rf"^qring_{name} (\d+)$", API(self.server).get("/metrics").text, re.MULTILINE).group(1))

    def wait_for_metric(self, name, value):
        wait_until(lambda: self.metric(name) >= value, lambda: f"{name} is {self.metric(name)}")

    def memory(self):
        with open(f"/proc/{self.server.process.pid}/status") as file:
            return int(re.search(r"^VmRSS:\s+(\d+) kB$", file.read(), re.MULTILINE).group(1)) << 10

    def test_a_thousand_clients_that_never_read_slow_nobody_down(self):
        silent = [self.silent() for _ in range(SILENT)]
        self.wait_for_metric("websocket_connections", SILENT)
        for connection in silent:
            connection.sendall(self.join)
        watchers = [self.enterContext(RawWebSocket(self.server.port, self.authorization)) for _ in range(3)]
        for watcher in watchers:
            watcher.send(self.join)
        self.wait_for_metric("room_watchers", SILENT + len(watchers))
        final, seen = f'"checkedIn":{CHECK_INS}'.encode(), []

        def watch(watcher):
            while final not in watcher.receive()[1]:
                pass
            seen.append(time.monotonic())

        threads = [threading.Thread(target=watch, args=(watcher,), daemon=True) for watcher in watchers]
        for thread in threads:
            thread.start()
        before, highest, stop = self.memory(), [], threading.Event()

        def look():
            while not stop.wait(0.05):
                highest.append(self.memory())

        looking = threading.Thread(target=look, daemon=True)
        looking.start()
        acknowledged = {}
        asyncio.run(check_in_all(self.server.port, self.session, range(CHECK_INS), acknowledged))
        watch, answered = Stopwatch(), time.monotonic()
        self.assertEqual(len(acknowledged), CHECK_INS)
        for thread in threads:
            thread.join(DEADLINE)
        stop.set()
        looking.join(DEADLINE)
        self.assertEqual(len(seen), len(watchers))
        self.assertLess(watch.without_waits(max(seen) - answered), LATEST)
        if MEASURES:
            self.assertLess(max(highest) - before, MOST_GROWTH, f"{(max(highest) - before) >> 20} MB more")
        # The watchers had an effect: only they have fallen behind.
        self.assertGreaterEqual(self.metric("websocket_fell_behind_total"), SILENT)


if __name__ == "__main__":
    unittest.main()
