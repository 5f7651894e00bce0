"""An operator's commands on a PostgreSQL database that servers use: backups, checks, and data of people."""
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from admin import Admin
from host import Host, check_in
from postgres import shared
from release_data import FOLDER, Release
from server_process import DEADLINE, QRING, Server
from test_copy import PEOPLE, Story, scalar, schema, tables


class Databases(unittest.TestCase):
    def folder(self):
        return self.enterContext(tempfile.TemporaryDirectory(prefix="qring-operating-"))

    def server(self, database=None, folder=None, *options):
        self.database = database or shared().database()
        return self.enterContext(
            Server("--signup", "open", "--database", self.database, *options, folder=folder))

    def admin(self, *words, folder, database=None):
        return Admin(*words, "--database", database or self.database, folder=folder)


class BackupTests(Databases):
    def test_a_backup_of_a_running_server_is_restored_on_both_engines(self):
        server = self.server()
        story = Story(server)
        before = story.seen(server)
        path = os.path.join(self.folder(), "monday.backup")
        made = self.admin("backup", path, folder=server.folder).expect(0).answer
        self.assertEqual(made["epoch"], scalar(f"SELECT value FROM {schema(self.database)}.meta "
            "WHERE key = 'epoch'"))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        copy = sqlite3.connect(path)
        self.assertEqual(copy.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        # The order of a table with row ids must not show in which order the people did something.
        self.assertEqual(copy.execute("SELECT count(*) FROM responses").fetchone(), (PEOPLE * 3 // 4,))
        for name, in copy.execute("SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr = 0 "
                "AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'backup'").fetchall():
            key = ", ".join(column for column, in copy.execute(
                "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", (name,)))
            stored = copy.execute(f"SELECT {key} FROM {name} ORDER BY rowid").fetchall()
            self.assertEqual(stored, copy.execute(f"SELECT {key} FROM {name} ORDER BY {key}").fetchall())
        copy.close()
        self.assertEqual(story.seen(server), before)
        self.assertEqual([name for name in os.listdir(server.folder) if "partial" in name], [])
        server.stop()
        on_sqlite = os.path.join(self.folder(), "data")
        Admin("restore", path, folder=on_sqlite).expect(0)
        with Server("--signup", "open", folder=on_sqlite) as again:
            self.assertEqual(story.seen(again), before)
        Admin("verify", folder=on_sqlite).expect(0)
        empty, fresh = shared().database(), os.path.join(self.folder(), "data")
        restored = self.admin("restore", path, folder=fresh, database=empty).expect(0).answer
        self.assertNotEqual(restored["epoch"], made["epoch"])
        self.assertEqual(os.listdir(fresh), ["secret"])
        with Server("--signup", "open", "--database", empty, folder=fresh) as again:
            self.assertEqual(story.seen(again), before)
        clean = os.path.join(self.folder(), "clean")
        os.mkdir(clean)
        nowhere = "host=/nowhere dbname=postgres"
        for database, said in [(nowhere, "cannot be reached"), (empty, "already has data")]:
            self.assertIn(said, self.admin("restore", path, folder=clean, database=database).said)
            self.assertEqual(os.listdir(clean), [])
        for words, folder, said in [(("--replace",), fresh, "empty database"),
                ((), self.server().folder, "not the secret of this backup")]:
            self.assertIn(said,
                self.admin("restore", path, *words, folder=folder, database=shared().database()).said)

    def test_a_backup_of_an_older_version_is_migrated_into_the_database(self):
        folder = self.folder()
        data = Release(os.path.join(FOLDER, "0.1.0.tar.gz"), folder).folder
        path = os.path.join(folder, "old.backup")
        old = Admin("backup", path, folder=data).expect(0).answer["schema"]
        self.database = shared().database()
        fresh = os.path.join(self.folder(), "data")
        self.admin("restore", path, folder=fresh).expect(0)
        self.assertEqual(os.listdir(fresh), ["secret"])
        counts = self.admin("verify", folder=fresh).expect(0).answer["counts"]
        self.assertGreater(counts["responses"], 0)
        again = self.admin("backup", os.path.join(folder, "new.backup"), folder=fresh).expect(0).answer
        self.assertGreater(again["schema"], old)

    def test_a_backup_that_does_not_fit_is_refused_in_words_of_a_restore(self):
        server = self.server()
        Host(server)
        path = os.path.join(self.folder(), "monday.backup")
        self.admin("backup", path, folder=server.folder).expect(0)
        token = """INSERT INTO tokens (hash, account, kind, sign_in, created_at, expires_at, client)
            VALUES (x'01', x'00112233445566778899aabbccddeeff', 0, x'00', 0, 0, '')"""
        for change, said in (
                ("UPDATE accounts SET name = 'a' || char(0) || 'b'",
                    "cannot store a value of the table accounts"),
                (token, "recount of .*monday.*found 1 fault, listed above")):
            with self.subTest(change=change):
                damaged = os.path.join(self.folder(), "monday.backup")
                shutil.copy(path, damaged)
                file = sqlite3.connect(damaged)
                with file:
                    file.execute(change)
                file.close()
                empty, folder = shared().database(), self.folder()
                run = self.admin("restore", damaged, folder=folder, database=empty).expect(1)
                self.assertRegex(run.said.replace("\n", " "), said)
                self.assertIn("Nothing was restored", run.said.replace("\n", " "))
                self.assertNotRegex(run.said, "copied|copy again|--from|--to")
                self.assertEqual((tables(empty), os.listdir(folder)), (0, []))

    def test_a_backup_needs_the_secret_of_the_servers(self):
        server = self.server()
        path = os.path.join(self.folder(), "monday.backup")
        self.assertIn("secret is missing", self.admin("backup", path, folder=self.folder()).said)
        other = self.server()
        run = self.admin("backup", path, folder=server.folder, database=other.options[-1]).expect(1)
        self.assertIn("not the secret of this database's servers", run.said)
        self.assertFalse(os.path.exists(path))

    def test_the_check_of_a_database_recounts_it(self):
        server = self.server()
        Story(server)
        counts = self.admin("verify", folder=server.folder).expect(0).answer["counts"]
        self.assertEqual((counts["checkedIn"], counts["responses"]), (PEOPLE - 1, PEOPLE * 3 // 4))
        shared().sql(f"UPDATE {schema(self.database)}.question_sets SET responses = responses + 1 "
            "WHERE responses > 0")
        found = self.admin("verify", folder=server.folder).expect(1).answer["findings"]
        self.assertEqual([fault["kind"] for fault in found], ["responsesDiffer"])
        self.assertEqual([name for name in os.listdir(server.folder) if "partial" in name], [])
        empty = self.admin("verify", folder=server.folder, database=shared().database())
        self.assertIn("contains no data", empty.said)

    def test_two_servers_of_a_database_compare_their_backups(self):
        folders = [self.folder(), self.folder()]
        one = self.server(None, None, "--backup-to", folders[0])
        one.log.wait_for_match("backup written and verified")
        host = Host(one)
        session = host.session(session={"anonymous": True})
        kinds = host.questions(session)

        def answer(*numbers):
            for number in numbers:
                receipt = check_in(host, session, f"Guest {number}", f"g{number}@example.org").json["receipt"]
                host.post(f"/api/v1/sessions/{session['id']}/responses",
                    {"answers": {kinds["rating"]: 3}}, token=receipt).expect(201)

        answer(1)
        # The first backup of this server in its folder is compared with that of the other server.
        other = Server("--database", self.database, "--backup-to", folders[1],
            folder=self.secret(one, self.folder()))
        with other:
            other.log.wait_for_match("a backup is due and waits")
        self.assertEqual(os.listdir(folders[1]), [])
        answer(2, 3)
        with other:
            other.log.wait_for_match("backup written and verified")

    @staticmethod
    def secret(server, folder):
        with open(os.path.join(server.folder, "secret"), "rb") as source:
            with open(os.path.join(folder, "secret"), "wb") as target:
                os.chmod(target.fileno(), 0o600)
                target.write(source.read())
        return folder


class PeopleTests(Databases):
    def test_a_person_is_exported_and_erased_while_servers_run(self):
        server = self.server()
        host = Host(server)
        session = host.session()
        for name in ("Kim", "Lee"):
            check_in(host, session, name, f"{name.lower()}@example.org").expect(201)
        data = self.admin("person", "export", "Lee@example.org", folder=server.folder).expect(0).answer
        self.assertEqual([found["stored"]["name"] for found in data["checkIns"]], ["Lee"])
        self.admin("person", "erase", "lee@example.org", "--yes", folder=server.folder).expect(0)
        attendees = host.all(f"/api/v1/sessions/{session['id']}/attendees")
        self.assertEqual([attendee["name"] for attendee in attendees], ["Kim"])
        again = self.admin("person", "export", "lee@example.org", folder=server.folder).expect(0).answer
        self.assertEqual(again["checkIns"], [])
        self.admin("verify", folder=server.folder).expect(0)

    def test_the_queue_of_mails_is_listed(self):
        server = self.server()
        answer = self.admin("mail", "queue", folder=server.folder).expect(0).answer
        self.assertEqual((answer["items"], answer["counts"]["waiting"]), ([], 0))


class EpochTests(Databases):
    def renew(self):
        return subprocess.run([QRING, "admin", "new-epoch", "--database", self.database, "--lang", "en"],
            capture_output=True, text=True, env=Server.environment(), timeout=DEADLINE, check=False)

    def test_a_new_epoch_needs_that_all_servers_have_stopped(self):
        server = self.server()
        epoch = f"SELECT value FROM {schema(self.database)}.meta WHERE key = 'epoch'"
        before = scalar(epoch)
        refused = self.renew()
        self.assertEqual(refused.returncode, 1)
        self.assertIn("qring admin nodes", refused.stderr)
        self.assertEqual(scalar(epoch), before)
        self.assertEqual(server.stop(), 0)
        self.assertEqual(self.renew().returncode, 0)
        self.assertNotEqual(scalar(epoch), before)
        server.start()
        self.database = shared().database()
        self.assertIn("contains no data", self.renew().stderr)


if __name__ == "__main__":
    unittest.main()
