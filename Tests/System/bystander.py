"""An honest client beside an attack: it sends requests all the time, and watches a room."""
import threading
import time

from api import API
from host import check_in
from room import Room
from server_process import DEADLINE, PATIENCE


class Bystander:
    """Every few milliseconds it sends a request that needs the storage. When the block ends, every answer
    must have come in time, and its room must be live: it shows a check-in."""

    def __init__(self, test, server, host, session, *, slowest=2.0):
        self.test, self.server, self.host, self.session = test, server, host, session
        self.slowest = slowest * PATIENCE
        self.room = Room(server, host.token, f"session:{session['id']}")
        self.longest, self.answers, self.failure = 0, 0, None
        self.stop, self.has_begun = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._ask, daemon=True)

    def _ask(self):
        api = API(self.server, self.host.token)
        while not self.stop.wait(0.02):
            began = time.monotonic()
            try:
                api.get(f"/api/v1/sessions/{self.session['id']}").expect(200)
            except Exception as failure:
                self.failure = failure
                return
            self.longest = max(self.longest, time.monotonic() - began)
            self.answers += 1
            self.has_begun.set()
        api.close()

    def __enter__(self):
        self.room.__enter__()
        self.test.assertTrue(self.room.snapshot)
        self.thread.start()
        self.has_begun.wait(DEADLINE)
        return self

    def __exit__(self, kind, *_):
        self.stop.set()
        self.thread.join(DEADLINE)
        try:
            if kind is None:
                self._judge()
        finally:
            self.room.__exit__()

    def _judge(self):
        self.test.assertIsNone(self.failure)
        self.test.assertGreater(self.answers, 0)
        self.test.assertLess(self.longest, self.slowest, "another client noticed")
        name = f"Witness {time.monotonic_ns()}"
        check_in(API(self.server), self.session, name, f"{time.monotonic_ns()}@example.org").expect(201)
        self.room.wait_until(
            lambda frames: any(person["name"] == name for frame in frames
                for person in frame.get("arrivals", [])))
