"""Three servers on one PostgreSQL database: every watcher sees every change, once and in order."""
import json
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from api import API
from host import Host, check_in, moment
from nodes import Nodes
from postgres import shared
from room import Room
from server_process import DEADLINE, PATIENCE, QRING, Server, Stopwatch, wait_until

PEOPLE = 60
WITHIN = 1.0 * PATIENCE


def admin(database, *words):
    """Runs a command of the operator, and returns its JSON."""
    done = subprocess.run([QRING, "admin", *words, "--database", database, "--json"],
        capture_output=True, text=True, timeout=DEADLINE, check=False, env=Server.environment())
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


class ThreeNodesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.database = shared().database()
        cls.nodes = cls.enterClassContext(Nodes(cls.database))
        cls.host = Host(cls.nodes[0])

    def api(self, number):
        """Returns the host's client of a node."""
        api = API(self.nodes[number])
        api.token = self.host.token
        return api

    def rooms(self, session):
        return [self.enterContext(Room(node, self.host.token, f"session:{session['id']}"))
            for node in self.nodes]

    def test_every_watcher_gets_every_arrival_once_and_in_order(self):
        session = self.host.session()
        path = f"/api/v1/sessions/{session['id']}"
        rooms = self.rooms(session)
        for room in rooms:
            self.assertEqual(room.snapshot["arrivals"], [])
        rating = self.host.questions(session)["rating"]

        def come(number):
            api = API(self.nodes[number % len(self.nodes)])
            receipt = check_in(api, session, f"Guest {number}", f"guest{number}@example.org") \
                .expect(201).json["receipt"]
            # The answer comes through another node.
            API(self.nodes[(number + 1) % len(self.nodes)]).post(f"{path}/responses",
                {"answers": {rating: 1 + number % 5}}, token=receipt).expect(201)

        with ThreadPoolExecutor(12) as pool:
            list(pool.map(come, range(PEOPLE)))
        stored = self.host.all(f"{path}/attendees")
        self.assertEqual(len(stored), PEOPLE)
        for number, room in enumerate(rooms):
            with self.subTest(node=number):
                room.wait_until(lambda frames: sum(
                    len(frame.get("arrivals", [])) for frame in frames) >= PEOPLE)
                # Results are read after the commit, so they come a moment later.
                room.wait_until(lambda frames: any(
                    frame.get("feedback", {}).get("responses") == PEOPLE for frame in frames))
                names = [attendee["name"] for attendee in room.arrivals]
                self.assertEqual(sorted(names), sorted(attendee["name"] for attendee in stored))
                positions = [frame["sequence"] for frame in room.frames if frame.get("sequence")]
                self.assertEqual(positions, sorted(positions))
        orders = [[attendee["id"] for attendee in room.arrivals] for room in rooms]
        self.assertEqual(orders[1:], orders[:-1])
        for number in range(len(self.nodes)):
            found = self.api(number).get(path).expect(200).json
            self.assertEqual(found["attendance"]["checkedIn"], PEOPLE)

    def test_changes_on_one_node_reach_all_nodes(self):
        meeting = self.host.meeting("Before")
        session = meeting["session"]
        path = f"/api/v1/sessions/{session['id']}"
        rooms = self.rooms(session)
        for room in rooms:
            self.assertEqual(room.snapshot["session"]["meetingName"], "Before")
        self.api(1).patch(f"/api/v1/meetings/{meeting['meeting']['id']}", {"name": "After"}).expect(200)
        for room in rooms:
            room.wait_until(lambda frames: any(
                frame.get("session", {}).get("meetingName") == "After" for frame in frames))
        # Every node knows the key of a retry.
        plan = {"name": "Once", "session": {"startsAt": moment(300), "endsAt": moment(360)}}
        made = [self.api(number).post("/api/v1/meetings", plan, headers={"Idempotency-Key": "one-key"})
            .expect(201).json["meeting"]["id"] for number in (0, 2)]
        self.assertEqual(made[0], made[1])
        self.api(2).delete(f"/api/v1/meetings/{meeting['meeting']['id']}?confirm=After")
        for room in rooms:
            self.assertEqual(room.close_code, 4003)
        for number in range(len(self.nodes)):
            self.assertEqual(self.api(number).get(path).status, 404)

    def test_a_right_that_ends_on_one_node_ends_on_all(self):
        host = Host(self.nodes[1])
        session = host.session()
        rooms = [self.enterContext(Room(node, host.token, f"session:{session['id']}")) for node in self.nodes]
        for room in rooms:
            self.assertIsNotNone(room.snapshot)
        watch = Stopwatch()
        host.delete("/api/v1/tokens/current").expect(204)
        for number, room in enumerate(rooms):
            with self.subTest(node=number):
                self.assertEqual(room.close_code, 4001)
        self.assertLess(watch.seconds, WITHIN)
        for node in self.nodes:
            api = API(node)
            api.token = host.token
            self.assertEqual(api.get(f"/api/v1/sessions/{session['id']}").status, 401)

    def test_a_watcher_of_a_killed_node_goes_on_at_another_one(self):
        node = self.nodes.make(len(self.nodes))
        self.nodes.start(node)
        self.addCleanup(node.close)
        session = self.host.session()
        with Room(node, self.host.token, f"session:{session['id']}") as room:
            self.assertEqual(room.snapshot["arrivals"], [])
            check_in(API(node), session, "Before", "before@example.org").expect(201)
            room.wait_until(lambda frames: any(frame.get("arrivals") for frame in frames))
            position = room.position
        node.kill()
        check_in(API(self.nodes[0]), session, "Meanwhile", "meanwhile@example.org").expect(201)
        with Room(self.nodes[2], self.host.token, f"session:{session['id']}", since=position) as room:
            self.assertTrue(room.joined["recovered"])
            room.wait_until(lambda frames: any(frame.get("arrivals") for frame in frames))
            self.assertEqual([attendee["name"] for attendee in room.arrivals], ["Meanwhile"])
        # The others notice it, and remove the node from the list.
        wait_until(lambda: len(admin(self.database, "nodes")["items"]) == len(self.nodes))

    def test_the_operator_sees_the_nodes(self):
        nodes = admin(self.database, "nodes")["items"]
        self.assertEqual([node["running"] for node in nodes][:3], [True] * 3)
        self.assertRegex(nodes[0]["name"], r"127\.0\.0\.1:0$")


class LostNotificationTests(unittest.TestCase):
    def test_a_commit_without_a_notification_reaches_the_others_by_their_polls(self):
        cluster = shared()
        cluster.sql("DO $$ BEGIN CREATE ROLE silent LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;"
            "REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC;")
        self.addCleanup(cluster.sql, "GRANT EXECUTE ON FUNCTION pg_notify(text, text) TO PUBLIC")
        database = cluster.database().replace("user=qring", "user=silent")
        schema = database.rsplit("=", 1)[1].rstrip("'")
        cluster.sql(f"ALTER SCHEMA {schema} OWNER TO silent")
        with Nodes(database, 2) as nodes:
            host = Host(nodes[0])
            session = host.session()
            with Room(nodes[1], host.token, f"session:{session['id']}") as room:
                self.assertEqual(room.snapshot["arrivals"], [])
                check_in(host, session, "Guest", "guest@example.org").expect(201)
                room.wait_until(lambda frames: any(frame.get("arrivals") for frame in frames))


class SecretTests(unittest.TestCase):
    def test_a_node_with_another_secret_is_refused(self):
        database = shared().database()
        with Nodes(database, 1), Server() as stranger:
            stranger.kill()
            stranger.options = ("--database", database)
            process = stranger.spawn()
            with process.stderr:
                said = process.stderr.read()
            self.assertEqual(process.wait(DEADLINE), 1, said)
            self.assertIn("the other servers of this database have another secret", said)
