"""People who check in until somebody acknowledges it, and watchers who go on elsewhere when a server ends."""
import collections
import json
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from api import API
from host import code_of
from server_process import PATIENCE, SEED, wait_until


class Broken(AssertionError):
    """Something acknowledged was lost or doubled, or an answer was wrong."""


class Person:
    """A person who tries to check in until an answer is an acknowledgement."""

    def __init__(self, session, number):
        self.session = session
        self.name = f"Guest {number}"
        self.body = json.dumps({"code": code_of(session), "name": self.name,
            "email": f"guest{number}@example.org"}).encode()
        self.key = f"key-{number}"
        self.attendee = None

    def try_once(self, api):
        """Returns None if the person is checked in, or what has prevented it."""
        try:
            answer = api.request("POST", "/api/v1/check-ins", self.body,
                headers={"Idempotency-Key": self.key, "Content-Type": "application/json"})
        except Exception:  # The server was killed, or is not yet back.
            return "broken"
        if answer.status == 503:
            if not answer.headers["Retry-After"]:
                raise Broken(f"503 without Retry-After: {answer}")
            return "503"
        if answer.status not in (200, 201):
            raise Broken(f"{self.name} was answered {answer}")
        self.attendee = answer.json["attendee"]["id"]
        return None


class Watcher:
    """Follows a session at one of the servers, and goes on from its position at another one when a connection
    ends. `faults` gets the failures of the test's threads; the first one ends every wait."""

    def __init__(self, servers, faults, token, session, seed):
        self.servers, self.faults, self.token, self.session = servers, faults, token, session
        self.random = random.Random(seed)
        self.arrivals = []
        self.times = {}
        self.server = None
        self.position = None
        self.moves = 0
        self.is_over = threading.Event()
        self.changed = threading.Condition()

    def follow(self):
        while not self.is_over.is_set():
            server = self.random.choice(self.servers)
            try:
                self.watch(server)
            except (OSError, WebSocketException, EOFError):
                pass
            self.moves += 1
            self.is_over.wait(0.05)

    def watch(self, server):
        message = {"join": f"session:{self.session['id']}", "id": 1}
        if self.position:
            message["since"] = {"epoch": self.position[0], "sequence": self.position[1]}
        with connect(server.rooms_url, subprotocols=["qring.v1"], max_size=None, proxy=None,
                ssl=getattr(server, "context", None), open_timeout=3, close_timeout=1,
                additional_headers={"Authorization": f"Bearer {self.token}"}) as socket:
            socket.send(json.dumps(message))
            self.server = server
            while not self.is_over.is_set():
                try:
                    frame = json.loads(socket.recv(0.5))
                except TimeoutError:
                    continue
                self.take(frame)

    def take(self, frame):
        if "joined" in frame:
            if self.position and not frame["recovered"]:
                raise Broken("a watcher could not go on from its position")
            self.position = self.position or (frame["epoch"], frame["sequence"])
            return
        if frame.get("snapshot") and frame["snapshot"].get("arrivals"):
            raise Broken("a watcher missed the beginning")
        with self.changed:
            for attendee in frame.get("arrivals", []):
                self.arrivals.append(attendee["id"])
                self.times[attendee["id"]] = time.monotonic()
            if len(set(self.arrivals)) != len(self.arrivals):
                raise Broken("a watcher got an arrival twice")
            self.changed.notify_all()
        if frame.get("sequence") is not None:
            if frame["sequence"] < self.position[1]:
                raise Broken(f"the sequence went back from {self.position[1]} to {frame['sequence']}")
            self.position = (self.position[0], frame["sequence"])

    def time_of(self, attendee):
        with self.changed:
            if not self.changed.wait_for(lambda: attendee in self.times, 60 * PATIENCE):
                raise Broken("a watcher waits for an arrival")
            return self.times[attendee]

    def wait_for(self, expected):
        with self.changed:
            done = self.changed.wait_for(
                lambda: len(self.arrivals) >= len(expected) or self.faults, 60 * PATIENCE)
        if self.faults:
            raise self.faults[0]
        if not done or set(self.arrivals) != expected:
            raise Broken(f"a watcher got {len(self.arrivals)} of {len(expected)} arrivals")


class Crowd:
    """Checks people in at the servers, in `workers` threads, while watchers follow the session."""

    def __init__(self, servers, host, session, watchers=2, workers=6):
        self.servers, self.host, self.session, self.workers = servers, host, session, workers
        self.faults = []
        # What has delayed people, and how often.
        self.counts = collections.Counter()
        self.lock = threading.Lock()
        self.acknowledged = []
        self.times = []
        self.watchers = [
            Watcher(servers, self.faults, host.token, session, SEED + number) for number in range(watchers)]
        self.pool = ThreadPoolExecutor(workers + watchers)
        self.tasks = []

    def __enter__(self):
        for watcher in self.watchers:
            self.start(watcher.follow)
        # Nobody arrives before every watcher has joined.
        wait_until(lambda: self.faults or all(watcher.position for watcher in self.watchers))
        return self

    def __exit__(self, *_):
        # Ends the waits of everybody, if the test has failed.
        self.faults.append(Broken("the test is over"))
        for watcher in self.watchers:
            watcher.is_over.set()
        self.pool.shutdown()

    def start(self, body, *arguments):
        def guarded():
            try:
                body(*arguments)
            except BaseException as error:
                self.faults.append(error)
                raise
        self.tasks.append(self.pool.submit(guarded))

    def come(self, count):
        """Begins to check so many people in. `wait_for` waits for them."""
        people = iter([Person(self.session, len(self.acknowledged) + number) for number in range(count)])
        for number in range(self.workers):
            self.start(self.work, people, SEED * 1000 + number)

    def work(self, people, seed):
        choice = random.Random(seed)
        apis = [API(server) for server in self.servers]
        while True:
            with self.lock:
                person = next(people, None)
            if person is None:
                return
            wait_until(lambda: self.faults or self.tried(person, choice.choice(apis)))
            if self.faults:
                return
            with self.lock:
                self.acknowledged.append(person)
                self.times.append(time.monotonic())

    def tried(self, person, api):
        refusal = person.try_once(api)
        if refusal:
            with self.lock:
                self.counts[refusal] += 1
        return not refusal

    def wait_for(self, count):
        """Waits until so many people are acknowledged."""
        wait_until(lambda: self.faults or len(self.acknowledged) >= count)
        if self.faults:
            raise self.faults[0]

    @property
    def longest_gap(self):
        """The longest time without an acknowledgement, in seconds."""
        return max(later - earlier for earlier, later in zip(self.times, self.times[1:]))

    @property
    def stored(self):
        """The ids of the attendees, in the order of their arrival."""
        path = f"/api/v1/sessions/{self.session['id']}/attendees"
        return [attendee["id"] for attendee in API(self.servers[0], self.host.token).all(path)]

    def judge(self):
        """Checks that everybody is stored once, and that each watcher got everybody once, in one order."""
        stored = self.stored
        mine = [person.attendee for person in self.acknowledged]
        if sorted(mine) != sorted(stored):
            raise Broken(f"{len(mine)} acknowledged, {len(stored)} stored, "
                f"{len(set(mine) - set(stored))} lost, {len(set(stored) - set(mine))} unknown")
        for watcher in self.watchers:
            watcher.wait_for(set(stored))
        orders = [watcher.arrivals for watcher in self.watchers]
        if any(order != orders[0] for order in orders):
            raise Broken("two watchers got the arrivals in different orders")
