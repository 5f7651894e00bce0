"""`qring admin copy`: a server moves from SQLite to PostgreSQL and back; refused and interrupted copies."""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest

from data_folder import content, lasting
from host import Host, check_in
from postgres import shared
from room import Room
from server_process import DEADLINE, QRING, Server, wait_until
from test_jobs import EARLY, Jobs, Shown, roster
from test_postgres import refusal as server_refusal

PEOPLE = 40
PUPILS = 2_000
# These keys of `meta` belong to one database, and are never copied.
OWN = ("epoch", "mark", "qring schema", "secret")


def copy(source, target, *words, **environment):
    """Runs `qring admin copy`. Returns the process."""
    return subprocess.Popen(
        [QRING, "admin", "copy", "--from", source, "--to", target, "--lang", "en", *words],
        env={**Server.environment(), **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)


def copied(source, target, code=0, **environment):
    """Runs a copy to its end. Returns what it printed, as one line."""
    process = copy(source, target, **environment)
    out, err = process.communicate(timeout=3 * DEADLINE)
    assert process.returncode == code, (process.returncode, out, err)
    assert "Fatal error" not in err, err
    return " ".join((out + err).split())


def dump(folder):
    """Returns all rows of all tables, without the keys of `meta` that belong to one database."""
    database = sqlite3.connect(f"file:{folder}/journal.db?mode=ro", uri=True)
    try:
        tables = [name for name, in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
        found = {name: sorted(database.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
            for name in tables}
    finally:
        database.close()
    found["meta"] = [row for row in found["meta"] if row[0] not in OWN]
    return found


def epoch(folder):
    database = sqlite3.connect(f"file:{folder}/journal.db?mode=ro", uri=True)
    try:
        return database.execute("SELECT value FROM meta WHERE key = 'epoch'").fetchone()[0]
    finally:
        database.close()


def schema(database):
    """Returns the name of the schema that the settings choose."""
    return database.rpartition("=")[2].rstrip("'")


def tables(database):
    """Returns the number of tables in the database."""
    return int(shared().sql(f"SELECT count(*) FROM pg_tables WHERE schemaname = '{schema(database)}'"))


def scalar(sql):
    return shared().sql(sql).strip()


class Story:
    """A session with anonymous answers, questions of the audience, a correction, a merge and a link, and a
    meeting with a roster."""

    def __init__(self, server):
        self.host = host = Host(server)
        session = host.session(session={"anonymous": True})
        self.path = path = f"/api/v1/sessions/{session['id']}"
        kinds = host.questions(session)
        host.patch(f"{path}/audience-settings", {"open": True}).expect(200)
        self.receipts = []
        for number in range(PEOPLE):
            answer = check_in(host, session, f"Guest {number} 🧭", f"guest{number}@example.org").expect(201)
            receipt = answer.json["receipt"]
            self.receipts.append(receipt)
            if number % 4:
                host.post(f"{path}/responses", {"answers": {kinds["rating"]: number % 5 + 1,
                    kinds["shortAnswer"]: f"Nothing, {number}"}}, token=receipt).expect(201)
            else:
                host.post(f"{path}/audience-questions", {"text": f"Why {number}?"}, token=receipt).expect(201)
        first, second, third = host.all(f"{path}/attendees")[:3]
        host.patch(f"/api/v1/attendees/{first['id']}", {"name": "다른 이름"}).expect(200)
        host.post(f"/api/v1/attendees/{second['id']}/merge", {"into": third["id"]}).expect(200)
        host.post(f"{path}/presenter-links").expect(201)
        made = host.meeting("School")
        host.put(f"/api/v1/meetings/{made['meeting']['id']}/roster", {"people": [
            {"name": f"Pupil {number}", "email": f"p{number}@example.org", "number": str(number)}
            for number in range(PEOPLE)]}).expect(200)

    def seen(self, server):
        """Returns what the host and an attendee see on a server with this data."""
        self.host.server = server
        parts = ("", "/attendees", "/audience-questions", "/results", "/journal")
        answers = [self.host.get(self.path + part).expect(200).json for part in parts]
        own = self.host.get("/api/v1/check-ins/current", token=self.receipts[5]).expect(200).json
        for answer in [*answers, own]:
            # These values change with the clock.
            for changing in ("serverTime", "code", "checkInUrl"):
                answer.pop(changing, None)
        return [*answers, own]


class Folders(unittest.TestCase):
    def folder(self, secret_of=None):
        """Makes a folder with the secret of another one."""
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-copy-"))
        if secret_of:
            shutil.copy(os.path.join(secret_of, "secret"), folder)
        return folder

    def story(self):
        """Returns a story and the folder of its server, which has stopped."""
        server = self.sqlite()
        story = Story(server)
        story.before = story.seen(server)
        self.assertEqual(server.stop(), 0)
        return story, server.folder

    @staticmethod
    def environment():
        return {**Server.environment(), "TERM": "xterm", "QRING_LANG": "en"}

    def sqlite(self, folder=None):
        return self.enterContext(Server("--signup", "open", folder=folder))


class MoveTests(Folders):
    def test_a_server_moves_to_postgresql_and_back_and_everything_is_equal(self):
        story, folder = self.story()
        files = lasting(content(folder))
        database, back = shared().database(), self.folder(secret_of=folder)
        said = copied(folder, database)
        self.assertRegex(said, r"Copied \d+ rows of \d+ tables to PostgreSQL postgres.*and are equal")
        self.assertIn(f"--data {folder}", said)
        self.assertEqual(lasting(content(folder)), files, "the source does not change")
        self.assertIn("Start the server with", copied(database, back))
        self.assertEqual(dump(back), dump(folder))
        self.assertNotEqual(epoch(back), epoch(folder))
        self.assertEqual(os.listdir(back).count("restore.partial"), 0)
        # Both servers have the secret of the first one, so tokens and receipts are valid.
        on_postgres = self.enterContext(Server("--database", database, folder=folder))
        self.assertEqual(story.seen(on_postgres), story.before)
        with Room(on_postgres, story.host.token, f"session:{story.path.rpartition('/')[2]}") as room:
            self.assertEqual(len(room.snapshot["arrivals"]), PEOPLE - 1)
        self.assertEqual(on_postgres.stop(), 0)
        again = self.sqlite(folder=back)
        self.assertEqual(story.seen(again), story.before)
        self.assertEqual(again.stop(), 0)
        verified = subprocess.run([QRING, "admin", "verify", "--data", back], capture_output=True, text=True,
            env=Server.environment(), timeout=DEADLINE, check=False)
        self.assertEqual(verified.returncode, 0, verified.stdout)

    def test_json_has_the_counts_and_the_new_epoch_and_a_pipe_shows_no_progress(self):
        _, folder = self.story()
        database = shared().database()
        process = copy(folder, database, "--json")
        out, err = process.communicate(timeout=3 * DEADLINE)
        answer = json.loads(out)
        rows = sum(map(len, dump(folder).values()))
        self.assertEqual((answer["rows"], answer["tables"]), (rows, len(dump(folder))))
        self.assertEqual(answer["epoch"],
            scalar(f"SELECT value FROM {schema(database)}.meta WHERE key = 'epoch'"))
        self.assertNotIn("\r", err)

    def test_a_terminal_shows_the_progress(self):
        _, folder = self.story()
        shown = Shown(self, ["admin", "copy", "--from", folder, "--to", shared().database()])
        self.assertEqual(shown.process.wait(3 * DEADLINE), 0)
        for part in ("recounting", "checking", "copying", "comparing", "100%"):
            self.assertIn(part, shown.text())

    def test_a_job_of_a_killed_server_is_completed_on_the_other_engine(self):
        server = self.sqlite()
        host = Host(server)
        jobs = Jobs(host)
        made = host.meeting("School")
        path = f"/api/v1/meetings/{made['meeting']['id']}"
        # The second server completes the job before it listens, so the job is short.
        people = roster("First")["people"][:PUPILS]
        job = jobs.start(host.put(f"{path}/roster", {"people": people}, headers=EARLY))
        jobs.wait_for_progress(job)
        server.kill()
        database = shared().database()
        copied(server.folder, database)
        host.server = self.enterContext(Server("--database", database, folder=server.folder))
        self.assertEqual(jobs.ended(job)["status"], 200)
        self.assertEqual(len(host.all(f"{path}/roster", limit=200)), PUPILS)

    def test_one_folder_and_one_database_are_copied_to_another(self):
        _, folder = self.story()
        one, other, end = shared().database(), shared().database(), self.folder(secret_of=folder)
        copied(folder, one)
        copied(one, other)
        copied(other, end)
        self.assertEqual(dump(end), dump(folder))
        twin = self.folder(secret_of=folder)
        copied(folder, twin)
        self.assertEqual(dump(twin), dump(folder))


class InterruptionTests(Folders):
    def interrupted(self, process, how):
        process.send_signal(how)
        out, err = process.communicate(timeout=DEADLINE)
        self.assertNotEqual(process.returncode, 0, out + err)

    def test_a_kill_while_postgresql_is_written_leaves_it_empty_and_a_repeat_completes(self):
        _, folder = self.story()
        database = shared().database()
        name = schema(database)
        # A server has made the tables. The trigger stops the copy in the middle of its transaction.
        first = self.enterContext(Server("--database", database))
        self.assertEqual(first.stop(), 0)
        shared().sql(f"""
            CREATE FUNCTION {name}.wait() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_sleep(600); RETURN NULL; END';
            CREATE TRIGGER wait BEFORE INSERT ON {name}.responses EXECUTE FUNCTION {name}.wait()""")
        waiting = (f"SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' "
            f"AND query LIKE 'COPY%responses%'")
        process = copy(folder, database)
        pid = wait_until(lambda: scalar(waiting), lambda: process.poll() or "no copy waits")
        self.interrupted(process, signal.SIGKILL)
        # A sleeping server process notices only at its end that the program is gone.
        shared().sql(f"SELECT pg_terminate_backend({pid}); DROP TRIGGER wait ON {name}.responses")
        wait_until(lambda: not scalar(f"SELECT 1 FROM pg_stat_activity WHERE pid = {pid}"))
        self.assertEqual(scalar(f"SELECT count(*) FROM {name}.accounts"), "0")
        copied(folder, database)
        back = self.folder(secret_of=folder)
        copied(database, back)
        self.assertEqual(dump(back), dump(folder))

    def test_a_kill_while_sqlite_is_written_leaves_no_database_and_a_repeat_completes(self):
        _, folder = self.story()
        database, back = shared().database(), self.folder(secret_of=folder)
        copied(folder, database)
        name = schema(database)
        # While somebody holds this lock, the copy waits for the table.
        holder = subprocess.Popen([shared().command("psql"), "-h", shared().folder, "-U", "qring", "-d",
            "postgres", "-qc", f"BEGIN; LOCK {name}.responses", "-c", "SELECT pg_sleep(600)"],
            stdout=subprocess.DEVNULL)
        waiting = f"SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '{name}.responses'::regclass"
        held = f"SELECT 1 FROM pg_locks WHERE granted AND relation = '{name}.responses'::regclass"
        try:
            wait_until(lambda: scalar(held))
            process = copy(database, back)
            wait_until(lambda: scalar(waiting), lambda: process.poll() or "no copy waits")
            self.assertIn("restore.partial", os.listdir(back))
            self.interrupted(process, signal.SIGKILL)
        finally:
            shared().sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
            holder.wait(DEADLINE)
        self.assertNotIn("journal.db", os.listdir(back))
        copied(database, back)
        self.assertNotIn("restore.partial", os.listdir(back))
        self.assertEqual(dump(back), dump(folder))


class RefusalTests(Folders):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        Host(cls.server)
        assert cls.server.stop() == 0

    def setUp(self):
        self.source = self.folder()
        shutil.copytree(self.server.folder, self.source, dirs_exist_ok=True)

    def refused(self, source, target, pattern, code=1):
        said = copied(source, target, code)
        self.assertRegex(said, pattern)
        return said

    def change(self, sql, *values):
        database = sqlite3.connect(os.path.join(self.source, "journal.db"))
        with database:
            database.execute(sql, values)
        database.close()

    def test_a_running_server_on_either_side(self):
        database = shared().database()
        running = self.sqlite()
        self.refused(running.folder, database, "A server is running on .* Stop it first", code=6)
        self.assertEqual(tables(database), 0)
        self.refused(self.source, running.folder, "A server is running on .* Stop it first", code=6)
        other = self.enterContext(Server("--database", database))
        self.refused(self.source, database, "server or a command of QRing uses this database")
        self.refused(database, self.folder(secret_of=other.folder), "server or a command of QRing uses")

    def test_a_target_with_data(self):
        database = shared().database()
        copied(self.source, database)
        self.refused(self.source, database, "postgres already has data.*createdb", code=6)
        self.refused(database, self.source, "already has a database.*Move the files journal", code=6)

    def test_a_source_without_data(self):
        database, empty = shared().database(), self.folder()
        self.refused(empty, database, f"{empty} contains no data.*--from", code=5)
        self.refused(database, self.folder(secret_of=self.source), "postgres contains no data", code=5)
        self.assertEqual(tables(database), 0)
        self.assertEqual(os.listdir(empty), [])

    def test_a_folder_without_the_secret(self):
        database, empty = shared().database(), self.folder()
        copied(self.source, database)
        self.refused(database, empty, "no file .*/secret.*Copy the file secret")
        self.assertEqual(os.listdir(empty), [])

    def test_a_folder_with_another_secret(self):
        database, other = shared().database(), self.folder()
        with open(os.path.join(other, "secret"), "wb") as file:
            file.write(os.urandom(32))
        os.chmod(file.name, 0o600)
        copied(self.source, database)
        for source in (database, self.source):
            self.refused(source, other, "/secret is not the secret of the servers that used the source")
        self.assertNotIn("journal.db", os.listdir(other))
        said = server_refusal(self, database, other)
        self.assertRegex(said, "secret")

    def test_the_same_database_twice(self):
        database = shared().database()
        self.refused(self.source, f"{self.source}/../{os.path.basename(self.source)}", "same database")
        self.refused(database, database, "same database")

    def test_a_character_that_postgresql_cannot_store(self):
        self.change("UPDATE accounts SET name = 'a' || char(0) || 'b'")
        database = shared().database()
        said = self.refused(self.source, database,
            "table accounts, column name.*Nothing was copied.*: id [0-9a-f]{32}")
        self.assertNotIn("\0", said)
        self.assertEqual(tables(database), 0)

    def test_a_text_that_is_too_long_for_an_index(self):
        key = "".join(f"{number:x}" for number in os.urandom(9000))
        self.change("UPDATE accounts SET email_key = ?", key)
        database = shared().database()
        said = self.refused(self.source, database,
            "table accounts is too long for an index.*: id [0-9a-f]{32}")
        self.assertNotIn(key[:20], said)
        self.assertEqual(tables(database), 0)

    def test_a_source_with_faults(self):
        self.change("""INSERT INTO tokens (hash, account, kind, sign_in, created_at, expires_at, client)
            VALUES (x'01', x'00112233445566778899aabbccddeeff', 0, x'00', 0, 0, '')""")
        self.refused(self.source, shared().database(), "refer to a missing row.*found 1 fault, listed above")

    def test_an_older_and_a_newer_source(self):
        database = shared().database()
        copied(self.source, database)
        known = scalar(f"SELECT value FROM {schema(database)}.meta WHERE key = 'qring schema'")
        shared().sql(f"UPDATE {schema(database)}.meta SET value = '99' WHERE key = 'qring schema'")
        self.refused(database, self.folder(secret_of=self.source), "a newer QRing wrote the database")
        self.assertNotEqual(known, "99")
        self.change("PRAGMA user_version = 999")
        self.refused(self.source, shared().database(), "written by a newer QRing")
        self.change("PRAGMA user_version = 20")
        self.refused(self.source, shared().database(), "written by a QRing before 0.1.0")

    def test_lost_commits(self):
        database = os.path.join(self.source, "journal.db")
        shutil.copy(database, database + ".old")
        self.change("UPDATE meta SET value = (CAST(value AS INTEGER) - 3) || ' 1' WHERE key = 'mark'")
        self.refused(self.source, shared().database(), "3 acknowledged commits are missing.*admin verify")

    def test_messages_never_contain_the_password(self):
        for url in ("postgres://qring:sec/ret@db/qring", "postgres://qring:sec@ret@db/qring",
                "postgres://qring:sec%zzret@db/qring", "postgres://qring:se[cret@[::1/qring",
                "password=sec ret", "postgres://qring:secret@127.0.0.1:1/qring",
                f"{shared().settings} user=nobody password=secret"):
            with self.subTest(url):
                for source, target in ((url, self.folder(secret_of=self.source)), (self.source, url)):
                    said = copied(source, target, code=1)
                    self.assertRegex(said,
                        "cannot be read. Write postgres://|cannot be reached|refused the user")
                    self.assertNotRegex(said, "sec|cret|ret@|zz")


if __name__ == "__main__":
    unittest.main()
