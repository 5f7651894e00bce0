"""Disturbs several servers on one PostgreSQL database, and checks whether anything acknowledged is lost.

People check in through all nodes, each until somebody acknowledges it. Watchers follow the sessions, and
go on at another node when theirs ends. Meanwhile nodes are killed and started, PostgreSQL is stopped and
killed, links to the database are cut and restored, nodes are cut off in network namespaces of their own,
wall clocks are set 3 to 30 seconds wrong (libfaketime), and notifications are forbidden. The seed chooses
the order of the disturbances. At the end, every acknowledged check-in must exist once, every watcher must
have got every arrival once and in the order of the journal, every node must report the same counts, and
every request that was not done must have been answered with 503 and Retry-After.

Its pauses are a part of the load, at random moments.
"""
import argparse
import collections
import glob
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
import urllib.request

from api import API
from crowd import Broken, Person, Watcher
from host import Host
from link import Link
from namespaces import Namespace
from nodes import share_secrets
from postgres import Cluster
from server_process import DEADLINE, Server, wait_until

WORKERS = 6
SESSIONS = 4
# Check-ins of the measurement before the disturbances, once with notifications and once without.
CALM = 200
# A pause of this many seconds lies between two disturbances, and most disturbances last as long.
PAUSE = 2.0


def faketime():
    """Returns the library that gives a program another wall clock (Debian's libfaketime)."""
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not found:
        sys.exit("libfaketime is missing: scripts/packages test")
    return found[0]


class Node:
    def __init__(self, number, cluster, folder, schema, secrets):
        self.number = number
        self.namespace = Namespace(number)
        self.link = Link(os.path.join(cluster.folder, ".s.PGSQL.5432"), self.namespace.database)
        database = (f"host={self.link.host} port={self.link.port} user=worker dbname=postgres "
            f"options='-c search_path={schema}'")
        self.server = Server("--signup", "open", "--database", database,
            folder=os.path.join(folder, f"node{number}"), host=self.namespace.address,
            before=self.namespace.command)
        self.server.options += ("--metrics-listen", f"{self.namespace.address}:0")
        self.clock = os.path.join(folder, f"clock{number}")
        self.set_clock(0)
        environment = {**Server.environment(), "LD_PRELOAD": faketime(), "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_TIMESTAMP_FILE": self.clock, "FAKETIME_CACHE_DURATION": "1"}
        self.server.environment = lambda: environment
        self.secrets = secrets
        self.lock = threading.Lock()

    def start(self):
        if self.secrets and not os.path.exists(self.server.folder):
            share_secrets(self.secrets, self.server.folder)
        self.server.start()

    def set_clock(self, seconds):
        """Sets the wall clock of the node, which differs from the true time by so many seconds."""
        with open(self.clock, "w", encoding="ascii") as file:
            file.write(f"{seconds:+}\n")

    def skew(self):
        port = self.server.log.wait_for_match(r"metrics on port (\d+)").group(1)
        with urllib.request.urlopen(f"http://{self.server.host}:{port}/metrics", timeout=DEADLINE) as answer:
            metrics = answer.read().decode()
        return float(re.search(r"^qring_clock_skew_seconds (\S+)", metrics, re.M)[1])

    def close(self):
        self.server.close()
        self.link.close()
        self.namespace.close()


class Chaos:
    def __init__(self, arguments):
        self.arguments = arguments
        self.random = random.Random(arguments.seed)
        self.over = threading.Event()
        self.faults = []
        self.counts = collections.Counter()
        self.numbers = iter(range(1, 10_000_000))
        self.lock = threading.Lock()
        self.acknowledged = []

    def run(self):
        folder = tempfile.mkdtemp(prefix="qring-chaos-")
        cluster = Cluster().start()
        try:
            cluster.sql("CREATE ROLE worker LOGIN; CREATE SCHEMA chaos AUTHORIZATION worker")
            self.nodes = []
            for number in range(self.arguments.nodes):
                self.nodes.append(Node(number, cluster, folder, "chaos",
                    self.nodes[0].server.folder if self.nodes else None))
                self.nodes[-1].start()
            self.cluster = cluster
            self.judge(*self.disturb())
        finally:
            for node in getattr(self, "nodes", []):
                node.close()
            cluster.close()
            shutil.rmtree(folder, ignore_errors=True)

    def disturb(self):
        host = Host(self.nodes[0].server)
        sessions = [host.session(f"Meeting {number}") for number in range(SESSIONS)]
        servers = [node.server for node in self.nodes]
        watchers = [Watcher(servers, self.faults, host.token, sessions[number % SESSIONS],
            self.arguments.seed * 77 + number) for number in range(2 * len(self.nodes))]
        threads = [threading.Thread(target=self.guard, args=(watcher.follow,)) for watcher in watchers]
        workers = [threading.Thread(target=self.guard, args=(self.work, sessions, number))
            for number in range(WORKERS)]
        for thread in threads:
            thread.start()
        # Nobody arrives before every watcher has joined.
        wait_until(lambda: self.faults or all(watcher.position for watcher in watchers))
        self.measure(sessions, watchers)
        for thread in workers:
            thread.start()
        end = time.monotonic() + 60 * self.arguments.minutes
        turn = 0
        while time.monotonic() < end and not self.faults:
            turn += 1
            disturbance = self.random.choice(
                [self.kill_node, self.suspend_node, self.stop_database, self.cut_link, self.sever_link,
                    self.cut_network, self.skew_clock, self.silence])
            print(f"{turn:4} {disturbance.__name__}", end="", flush=True)
            self.sessions = sessions
            disturbance()
            time.sleep(self.random.random() * PAUSE)
            print(f"  {len(self.acknowledged)} acknowledged, {dict(self.counts)}", flush=True)
        self.over.set()
        for thread in workers:
            thread.join()
        return host, sessions, watchers, threads

    def measure(self, sessions, watchers):
        """Prints the time from an answer to the frame at the watchers of other nodes, in quiet rooms."""
        for silent, limit in ((False, 20), (True, 60)):
            if silent:
                self.cluster.sql("REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC")
            delays = []
            for number in range(CALM):
                node = self.nodes[number % len(self.nodes)]
                person = Person(sessions[number % SESSIONS], next(self.numbers))
                self.try_once(person, API(node.server))
                answered = time.monotonic()
                self.acknowledged.append(person)
                for watcher in watchers:
                    if watcher.session is person.session and watcher.server is not node.server:
                        delays.append(1000 * (watcher.time_of(person.attendee) - answered))
                # A room that has just sent a frame waits 50 ms before the next.
                time.sleep(0.02)
            if silent:
                self.cluster.sql("GRANT EXECUTE ON FUNCTION pg_notify(text, text) TO PUBLIC")
            delays.sort()
            how = "without notifications" if silent else "with notifications"
            print(f"from the answer to a frame of another node, {how}: median "
                f"{delays[len(delays) // 2]:.1f} ms, p99 {delays[-1 - len(delays) // 100]:.1f} ms "
                f"(to reach: {limit} ms)", flush=True)

    # The disturbances. Each one ends with all nodes running.

    def kill_node(self):
        node = self.random.choice(self.nodes)
        node.server.kill()
        time.sleep(self.random.random() * PAUSE)
        node.start()

    def suspend_node(self):
        """A long suspension ends the node's connection, and others take over."""
        node = self.random.choice(self.nodes)
        node.server.process.send_signal(signal.SIGSTOP)
        time.sleep(self.random.choice([0.5 * PAUSE, 8 * PAUSE]))
        node.server.process.send_signal(signal.SIGCONT)

    def stop_database(self):
        self.cluster.stop(self.random.choice([signal.SIGINT, signal.SIGQUIT]))
        time.sleep(self.random.random() * PAUSE)
        self.cluster.start()

    def cut_link(self):
        link = self.random.choice(self.nodes).link
        link.cut()
        time.sleep(self.random.random() * 6 * PAUSE)
        link.restore()

    def sever_link(self):
        self.random.choice(self.nodes).link.sever()

    def cut_network(self):
        """Packets between a node and the database vanish. Clients still reach the node."""
        namespace = self.random.choice(self.nodes).namespace
        namespace.cut()
        time.sleep(self.random.random() * 12 * PAUSE)
        namespace.restore()

    def skew_clock(self):
        """The clock of a node is set wrong, so the node writes nothing, until the clock is right again."""
        node = self.random.choice(self.nodes)
        seconds = self.random.choice([-1, 1]) * self.random.randrange(3, 30)
        node.set_clock(seconds)
        wait_until(lambda: abs(node.skew() - seconds) < 1, lambda: f"a skew of {node.skew()}")
        person = Person(self.random.choice(self.sessions), next(self.numbers))
        refused = self.counts["503"]
        self.try_once(person, API(node.server))
        if person.attendee:
            raise Broken(f"a node whose clock differs by {seconds} s took a check-in")
        if self.counts["503"] == refused:
            raise Broken(f"a node whose clock differs by {seconds} s gave no answer to a check-in")
        node.set_clock(0)
        wait_until(lambda: abs(node.skew()) < 1, lambda: f"a skew of {node.skew()}")

    def silence(self):
        self.cluster.sql("REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC")
        time.sleep(self.random.random() * 2 * PAUSE)
        self.cluster.sql("GRANT EXECUTE ON FUNCTION pg_notify(text, text) TO PUBLIC")

    # The load.

    def guard(self, body, *arguments):
        try:
            body(*arguments)
        except BaseException as error:  # A thread's failure must end the run.
            self.faults.append(error)
            raise

    def work(self, sessions, worker):
        choice = random.Random(self.arguments.seed * 1000 + worker)
        apis = [API(node.server) for node in self.nodes]
        while not self.over.is_set() and not self.faults:
            with self.lock:
                number = next(self.numbers)
            person = Person(choice.choice(sessions), number)
            while person.attendee is None and not self.faults:
                self.try_once(person, choice.choice(apis))
            with self.lock:
                self.acknowledged.append(person)
            time.sleep(0.002)

    def try_once(self, person, api):
        refusal = person.try_once(api)
        if refusal:
            self.counts[refusal] += 1
            time.sleep(0.05)

    # The judgement.

    def judge(self, host, sessions, watchers, threads):
        try:
            if self.faults:
                raise self.faults[0]
            expected = {}
            for session in sessions:
                path = f"/api/v1/sessions/{session['id']}"
                counts = set()
                for node in self.nodes:
                    api = API(node.server, host.token)
                    # Each connection of a node notices for itself that the database has stopped.
                    def session_body(api=api, path=path):
                        answer = api.get(path)
                        return answer.json if answer.status == 200 else None

                    counts.add(wait_until(session_body)["attendance"]["checkedIn"])
                stored = API(self.nodes[0].server, host.token).all(f"{path}/attendees")
                order = [attendee["id"] for attendee in stored]
                mine = [person.attendee for person in self.acknowledged if person.session is session]
                if sorted(mine) != sorted(order):
                    raise Broken(f"{len(mine)} acknowledged, {len(order)} stored, "
                        f"{len(set(mine) - set(order))} lost, {len(set(order) - set(mine))} unknown")
                if counts != {len(order)}:
                    raise Broken(f"the nodes report {counts}, and {len(order)} are stored")
                expected[session["id"]] = set(order)
            for watcher in watchers:
                watcher.wait_for(expected[watcher.session["id"]])
            for session in sessions:
                orders = [watcher.arrivals for watcher in watchers if watcher.session is session]
                if any(order != orders[0] for order in orders):
                    raise Broken("two watchers got the arrivals in different orders")
            print(f"{len(self.acknowledged)} check-ins, each stored once; {len(watchers)} watchers got each "
                f"arrival once and in one order; they moved {sum(w.moves for w in watchers)} times")
        finally:
            for watcher in watchers:
                watcher.is_over.set()
            self.over.set()
            for thread in threads:
                thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=random.randrange(1, 2**31))
    arguments = parser.parse_args()
    print(f"repeat with: scripts/torture nodes --minutes {arguments.minutes:g} --nodes {arguments.nodes} "
        f"--seed {arguments.seed}", file=sys.stderr, flush=True)
    try:
        Chaos(arguments).run()
    except Broken as broken:
        sys.exit(f"BROKEN: {broken}")


if __name__ == "__main__":
    main()
