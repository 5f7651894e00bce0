"""A server on PostgreSQL: a live session, an outage, and what a start says about an unsuitable database."""
import os
import random
import re
import signal
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from api import API
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


class RefusedValueTests(unittest.TestCase):
    def setUp(self):
        database = shared().database()
        self.schema = database.rpartition("=")[2].rstrip("'")
        self.server = self.enterContext(Server("--signup", "open", "--database", database))
        self.host = Host(self.server)

    def metric(self, name):
        return int(re.search(rf"^{name} (\d+)$", API(self.server).get("/metrics").expect(200).text, re.M)[1])

    def test_names_and_numbers_of_any_length_check_in_and_join_a_roster(self):
        made = self.host.meeting("Long", identifyBy="number")
        path = f"/api/v1/meetings/{made['meeting']['id']}"
        names, numbers = [long(100, seed) for seed in range(2)], [long(50, seed) for seed in range(2)]
        people = [{"name": name, "number": number} for name, number in zip(names, numbers)]
        imported = self.host.put(f"{path}/roster", {"people": people}).expect(200).json
        self.assertEqual(imported["added"], 2)
        check_in(self.host, made["session"], names[0], number=numbers[0]).expect(201)
        attendees = self.host.all(f"/api/v1/sessions/{made['session']['id']}/attendees")
        self.assertEqual(sorted((one["status"], one["walkIn"]) for one in attendees),
            [("awaited", False), ("present", False)])
        check_in(self.host, self.host.session(identifyBy="name"), names[1]).expect(201)

    def test_a_value_that_the_database_refuses_fails_alone_and_is_logged_and_counted(self):
        session = self.host.session()
        shared().sql(f"ALTER TABLE {self.schema}.attendees ADD CHECK (name <> 'Nobody')")
        names = [f"Guest {number}" for number in range(PEOPLE)] + ["Nobody"]
        with ThreadPoolExecutor(PEOPLE) as pool:
            answers = list(pool.map(
                lambda name: check_in(API(self.server), session, name, f"{name[-2:].strip()}@example.org"),
                names))
        self.assertEqual([answer.status for answer in answers], [201] * PEOPLE + [500])
        self.assertEqual(answers[-1].code, "internal_error")
        self.assertIn("could not store one of the values", answers[-1].json["detail"])
        self.server.log.wait_for_match("POST /api/v1/check-ins: .*insert attendee: unstorable.*23514")
        self.assertEqual(self.metric("qring_journal_failed_commands_total"), 1)
        self.assertEqual(self.metric("qring_journal_failures_total"), 0)
        self.host.get("/readyz", token=None).expect(200)

    def test_an_import_with_a_refused_person_ends_and_the_server_starts_again(self):
        made = self.host.meeting("School")
        path = f"/api/v1/meetings/{made['meeting']['id']}"
        shared().sql(f"ALTER TABLE {self.schema}.people ADD CHECK (name <> 'Person 777')")
        people = [{"name": f"Person {n}", "email": f"p{n}@example.org"} for n in range(800)]
        job = self.host.put(f"{path}/roster", {"people": people}, headers={"Prefer": "respond-async"})
        job = job.expect(202).headers["Location"]
        self.server.kill()
        # The server completes the import before it listens.
        self.server.start()
        self.server.log.wait_for_match("a step of a long change was left out.*insert person: unstorable")
        ended = self.host.get(job).expect(200).json
        self.assertEqual((ended["state"], ended["status"]), ("failed", 500))
        self.assertIn("except for at least one entry", ended["problem"]["detail"])
        names = [person["name"] for person in self.host.all(f"{path}/roster")]
        self.assertEqual(len(names), 799)
        self.assertNotIn("Person 777", names)


def long(characters, seed):
    """Returns so many characters of about 50 bytes each, which no compression makes much shorter."""
    marks = random.Random(seed)
    return "".join(
        "x" + "".join(chr(0x300 + marks.randrange(0x6F)) for _ in range(25)) for _ in range(characters))


def refusal(test, database, folder=None, **environment):
    """Returns what a server says that cannot start."""
    server = Server("--database", database, folder=folder)
    try:
        process = server.spawn()
        said = ""
        with process.stderr:
            for line in process.stderr:
                said += line
                if "listening on port" in line:
                    process.kill()
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

    def test_malformed_settings_are_reported_without_the_password_in_them(self):
        for settings in ("host=/nowhere password=secretly wrong",
                "postgres://qring:secretly@host:wrong/qring", "postgres://qring:secretly/wrong@host/qring",
                "postgres://qring:secretly%zz@host/qring"):
            with self.subTest(settings):
                said = refusal(self, settings)
                self.assertRegex(said, "cannot be read.*postgres://USER@HOST/NAME")
                self.assertNotRegex(said, "secretly|wrong")

    def test_a_password_in_the_command_line_causes_a_warning_and_one_in_the_environment_none(self):
        shared().sql("CREATE ROLE loud LOGIN SUPERUSER PASSWORD 'right-one'")
        database = shared().database().replace("user=qring", "user=loud password=right-one")
        server = self.enterContext(Server("--database", database))
        server.log.wait_for_match("Every user of this machine can read the password")
        server.stop()
        self.assertNotIn("right-one", "".join(server.log.lines))
        server = Server(folder=server.folder)
        server.environment = lambda: {**Server.environment(), "QRING_DATABASE": database}
        self.enterContext(server)
        server.stop()
        self.assertNotRegex("".join(server.log.lines), "right-one|can read the password")

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
        self.assertRegex(refusal(self, server.options[-1], server.folder), "has no secret, but the database")

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

    def test_commands_use_the_database_and_the_doctor_judges_it(self):
        database = shared().database()
        server = self.enterContext(Server("--database", database))
        self.assertEqual(server.stop(), 0)
        options = {"database": database, "folder": server.folder}
        added = self.admin("user", "list", **options)
        self.assertEqual(added.returncode, 0, added.stderr)
        doctor = self.admin("doctor", **options)
        self.assertIn("PostgreSQL can be used.", doctor.stdout)
        self.assertNotRegex(doctor.stdout, "copies its log|read the password")
        shared().sql("SELECT pg_create_physical_replication_slot('copy')")
        self.addCleanup(shared().sql, "SELECT pg_drop_replication_slot('copy')")
        doctor = self.admin("doctor", "--database", f"{database} password=nothing", **options)
        self.assertRegex(doctor.stdout, "copies its log.*\n.*after a short time")
        self.assertRegex(doctor.stdout, "can read the password.*\n.*PGPASSWORD")
