"""A server on PostgreSQL: a live session, an outage, and what a start says about an unsuitable database."""
import os
import signal
import subprocess
import unittest

from host import Host, check_in
from postgres import Cluster, shared
from room import Room
from server_process import DEADLINE, QRING, Server, wait_until

PEOPLE = 30


class LiveTests(unittest.TestCase):
    def test_a_session_survives_the_kill_of_its_server(self):
        server = self.enterContext(Server("--signup", "open", "--database", shared().database()))
        host = Host(server)
        session = host.session()
        path = f"/api/v1/sessions/{session['id']}"
        with Room(server, host.token, f"session:{session['id']}") as room:
            self.assertEqual(room.snapshot["arrivals"], [])
            for number in range(PEOPLE):
                check_in(host, session, f"Guest {number}", f"guest{number}@example.org").expect(201)
            room.wait_until(lambda frames: len(room_arrivals(frames)) == PEOPLE)
            names = [attendee["name"] for attendee in room.arrivals]
        self.assertEqual(names, [f"Guest {number}" for number in range(PEOPLE)])
        server.kill()
        server.start()
        attendance = host.get(path).expect(200).json["attendance"]
        self.assertEqual(attendance["checkedIn"], PEOPLE)
        self.assertEqual(len(host.all(f"{path}/attendees")), PEOPLE)
        check_in(host, session, "Late", "late@example.org").expect(201)

    def test_a_second_server_needs_the_secret_of_the_first(self):
        database = shared().database()
        self.enterContext(Server("--database", database))
        self.assertRegex(refusal(self, database), "has no secret, but the database has data")


def room_arrivals(frames):
    return [attendee for frame in frames for attendee in frame.get("arrivals", [])]


class OutageTests(unittest.TestCase):
    def test_an_outage_answers_503_and_loses_nothing_acknowledged(self):
        cluster = Cluster().start()
        self.addCleanup(cluster.close)
        server = self.enterContext(Server("--signup", "open", "--database", cluster.database()))
        host = Host(server)
        session = host.session()
        acknowledged = []
        for how in (signal.SIGINT, signal.SIGQUIT):
            name = f"Before {how.name}"
            check_in(host, session, name, f"{how.name}@example.org").expect(201)
            acknowledged.append(name)
            cluster.stop(how)
            answer = check_in(host, session, "Nobody", "nobody@example.org")
            self.assertEqual((answer.status, answer.code), (503, "storage_unavailable"))
            self.assertGreaterEqual(int(answer.headers["Retry-After"]), 1)
            self.assertEqual(host.get("/readyz", token=None).status, 503)
            host.get("/healthz", token=None).expect(200)
            cluster.start()
            wait_until(lambda: host.get("/readyz", token=None).status == 200)
        check_in(host, session, "After", "after@example.org").expect(201)
        acknowledged.append("After")
        attendees = host.all(f"/api/v1/sessions/{session['id']}/attendees")
        self.assertEqual([attendee["name"] for attendee in attendees], acknowledged)


def refusal(test, database, folder=None, **environment):
    """Returns what a server says that cannot start."""
    server = Server("--database", database, folder=folder)
    try:
        process = server.spawn()
        with process.stderr:
            said = process.stderr.read()
        test.assertEqual(process.wait(DEADLINE), 1, said)
        test.assertNotIn("Fatal error", said)
        return said
    finally:
        server.close()


class StartTests(unittest.TestCase):
    def test_an_unreachable_server(self):
        self.assertRegex(refusal(self, "postgres:///qring?host=/nowhere"), "PostgreSQL cannot be reached")

    def test_an_unknown_database(self):
        said = refusal(self, f"{shared().settings} dbname=nothing")
        self.assertRegex(said, 'no such database.*"nothing" does not exist.*createdb')

    def test_a_wrong_password_is_reported_without_it(self):
        shared().sql("DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'right'")
        said = refusal(self, f"{shared().settings} user=locked password=secretly-wrong")
        self.assertRegex(said, "refused the user or the password.*PGPASSWORD")
        self.assertNotIn("secretly-wrong", said)

    def test_another_encoding(self):
        shared().sql("DROP DATABASE IF EXISTS latin")
        shared().sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
        self.assertRegex(refusal(self, f"{shared().settings} dbname=latin"), "LATIN1.*UTF-8")

    def test_the_tables_of_another_program(self):
        database = shared().database()
        schema = database.rpartition("=")[2].rstrip("'")
        shared().sql(f"CREATE TABLE {schema}.notes (text text)")
        self.assertRegex(refusal(self, database), "tables of another program")

    def test_a_lost_secret(self):
        server = self.enterContext(Server("--database", shared().database()))
        self.assertEqual(server.stop(), 0)
        os.remove(os.path.join(server.folder, "secret"))
        self.assertRegex(refusal(self, server.options[-1], server.folder), "secret .*is missing")

    def test_a_data_folder_that_cannot_be_made_leaves_the_database_empty(self):
        database = shared().database()
        self.assertIn("/proc/qring", refusal(self, database, "/proc/qring"))
        # With a folder for its secret, the server begins anew.
        self.enterContext(Server("--database", database))


class AdminTests(unittest.TestCase):
    def admin(self, *words, database, folder):
        return subprocess.run(
            [QRING, "admin", *words, "--data", folder, "--lang", "en"], capture_output=True, text=True,
            env={**Server.environment(), "QRING_DATABASE": database}, timeout=3 * DEADLINE, check=False)

    def test_commands_use_the_database_or_say_why_they_cannot(self):
        database = shared().database()
        server = self.enterContext(Server("--database", database))
        self.assertEqual(server.stop(), 0)
        options = {"database": database, "folder": server.folder}
        added = self.admin("user", "list", **options)
        self.assertEqual(added.returncode, 0, added.stderr)
        doctor = self.admin("doctor", **options)
        self.assertIn("PostgreSQL can be used.", doctor.stdout)
        for words in (("backup", "b.backup"), ("verify",), ("mail", "queue"),
                ("person", "export", "lee@example.org")):
            with self.subTest(words):
                done = self.admin(*words, **options)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertRegex(done.stderr, "works on SQLite's file.*pg_dump")
