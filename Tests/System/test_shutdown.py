"""SIGTERM during a hall's check-in: acknowledged check-ins are kept, every client gets an answer or a close,
and no loop spins."""
import asyncio
import random
import signal
import socket
import threading
import time
import unittest

import pytest

from api import API
from check_in_load import check_in_all
from host import Host
from room import Room
from server_process import DEADLINE, PATIENCE, Server, wait_until

# A half-sent request keeps the server waiting for its four seconds, in which it must be idle.
MOST_CPU = 1.5 * PATIENCE


@pytest.mark.alone("measures processor time and how soon a server ends")
class ShutdownTests(unittest.TestCase):
    def test_a_server_that_stops_under_load_loses_nothing_acknowledged(self):
        for seed in range(3):
            with self.subTest(seed=seed):
                self.end_under_load(random.Random(seed).uniform(0.2, 1.0))

    def end_under_load(self, after):
        with Server("--signup", "open") as server:
            host = Host(server)
            session = host.session()
            rooms = [self.enterContext(Room(server, host.token, name))
                for name in [f"session:{session['id']}", f"presenter:{session['id']}", "home"]]
            for room in rooms:
                self.assertTrue(room.snapshot)
            kept, half, silent = (
                [self.enterContext(socket.create_connection(("127.0.0.1", server.port), DEADLINE))
                    for _ in range(8)] for _ in range(3))
            for connection in kept:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                self.assertTrue(connection.recv(65536).startswith(b"HTTP/1.1 200 "))
            for connection in half:
                connection.sendall(
                    b"POST /api/v1/grants HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    b"Content-Length: 100\r\n\r\n{")
            acknowledged = {}
            load = threading.Thread(
                target=lambda: asyncio.run(check_in_all(server.port, session, range(10**6), acknowledged)),
                daemon=True)
            load.start()
            wait_until(lambda: len(acknowledged) >= 200)
            # Pause: the moment of the signal is the subject.
            time.sleep(after)
            spent = spent_last = server.cpu_seconds()
            began = time.monotonic()
            server.process.terminate()
            while server.process.poll() is None and time.monotonic() - began < 5 * PATIENCE:
                spent_last = server.cpu_seconds() or spent_last
                # Pause: the processor time is sampled until the process ends.
                time.sleep(0.005)
            self.assertEqual(server.process.poll(), 0)
            self.assertLess(time.monotonic() - began, 5 * PATIENCE)
            self.assertLess(spent_last - spent, MOST_CPU, "it spins while it waits")
            load.join(DEADLINE)
            self.assertFalse(load.is_alive())
            self.assertGreater(len(acknowledged), 200)
            self.assertEqual([room.close_code for room in rooms], [1001] * 3)
            for connection in [*kept, *half, *silent]:
                self.assertIn(connection.recv(65536)[:13], (b"", b"HTTP/1.1 503 "))
            self.judge_what_was_kept(server.start(), host, session, acknowledged)

    def judge_what_was_kept(self, server, host, session, acknowledged):
        rows = host.all(f"/api/v1/sessions/{session['id']}/attendees", limit=200)
        by_email = {row["email"]: row for row in rows}
        self.assertEqual(len(by_email), len(rows))
        self.assertLessEqual(set(acknowledged), set(by_email), "an acknowledged check-in is lost")
        for email, answer in acknowledged.items():
            self.assertEqual(answer["attendee"]["id"], by_email[email]["id"])
        # At most one request for each connection was in flight.
        self.assertLessEqual(len(rows) - len(acknowledged), 32)
        for answer in list(acknowledged.values())[-20:]:
            API(server, answer["receipt"]).get("/api/v1/check-ins/current").expect(200)
        found = host.get(f"/api/v1/sessions/{session['id']}").json
        self.assertEqual(found["attendance"]["checkedIn"], len(rows))
        events = self.journal(host, session)
        self.assertEqual(events, list(range(1, len(events) + 1)), "the journal has a gap")

    def test_a_second_ctrl_c_ends_a_server_that_still_waits_for_a_request(self):
        for first in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(first=first), Server() as server, \
                    socket.create_connection(("127.0.0.1", server.port), DEADLINE) as half:
                half.sendall(
                    b"POST /api/v1/grants HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    b"Content-Length: 100\r\n\r\n{")
                # The answer on another connection shows that the server has accepted the first one.
                API(server).get("/healthz").expect(200)
                server.process.send_signal(first)
                server.log.wait_for_match("stopping: no more connections")
                server.process.send_signal(signal.SIGINT)
                self.assertEqual(server.process.wait(DEADLINE), -signal.SIGINT)
                self.assertFalse([line for line in server.log.lines if line.endswith("stopped")])
                server.start()

    @staticmethod
    def journal(host, session):
        sequences, since = [], 0
        while True:
            found = [event["sequence"]
                for event in host.get(
                    f"/api/v1/sessions/{session['id']}/journal?since={since}&limit=200").expect(200).json[
                        "items"]]
            if not found:
                return sequences
            sequences += found
            since = found[-1]


if __name__ == "__main__":
    unittest.main()
