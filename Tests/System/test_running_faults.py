"""A file that may grow no more, as under `ulimit -f`, and a page that went bad: 503, nothing acknowledged and lost, and no crash."""
import os
import resource
import sqlite3
import subprocess
import unittest

from admin import Admin, rows
from api import API
from host import Host, check_in, code_of
from server_process import DEADLINE, QRING, Server


class NoRoomTests(unittest.TestCase):
    """Needs no superuser, as a full disk does (test_start_faults.py). To SQLite it is a write that failed, and not a disk that is full: only the
    system's own word (EFBIG, EDQUOT) tells what to do about it."""

    def limit(self, server, size):
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def test_a_limit_on_files_answers_503_and_loses_nothing_and_a_retry_comes_in_when_there_is_room(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session()
        path = f"/api/v1/sessions/{session['id']}"
        self.limit(server, max(os.path.getsize(os.path.join(server.folder, name)) for name in os.listdir(server.folder)) + 65_536)
        acknowledged, refused = set(), None
        while refused is None:
            email = f"g{len(acknowledged)}@example.org"
            body = {"code": code_of(session), "name": "Guest", "email": email}
            answer = host.post("/api/v1/check-ins", body, headers={"Idempotency-Key": email}, token=None)
            if answer.status == 201:
                acknowledged.add(email)
                self.assertLess(len(acknowledged), 5000, "the file never filled up")
            else:
                refused = body
        self.assertEqual((answer.status, answer.code), (503, "storage_full"))
        self.assertIn("quota", answer.json["detail"])
        self.assertRegex(answer.headers["Retry-After"], r"^\d+$")
        # Reading goes on, and so does refusing.
        self.assertEqual(host.get(path).expect(200).json["attendance"]["checkedIn"], len(acknowledged))
        self.assertEqual(check_in(host, session, "Other", "other@example.org").code, "storage_full")
        self.limit(server, resource.RLIM_INFINITY)
        # What was refused was not kept: under the same key it is done now, once.
        for replayed in [None, "true"]:
            answer = host.post("/api/v1/check-ins", refused, headers={"Idempotency-Key": email}, token=None).expect(201)
            self.assertEqual(answer.headers["Idempotency-Replayed"], replayed)
        server.kill()
        self.assertTrue(Admin("verify", folder=server.folder).expect(0).answer["ok"])
        self.assertEqual({identity for identity, in rows(server.folder, "SELECT identity FROM attendees")}, acknowledged | {email})
        server.start()
        self.assertEqual(API(server, host.token).get(path).expect(200).json["attendance"]["checkedIn"], len(acknowledged) + 1)


    def test_a_start_and_a_backup_that_find_no_room_say_so(self):
        def no_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))

        server = self.enterContext(Server("--signup", "open"))
        Host(server).session()
        for words, folder in [(["admin", "backup", os.path.join(server.temporary, "backup")], server.folder), (["serve", "--listen", "127.0.0.1:0"], os.path.join(server.temporary, "new"))]:
            with self.subTest(words):
                run = subprocess.run([QRING, *words, "--data", folder, "--lang", "en"], env=Server.environment(), capture_output=True, text=True, timeout=DEADLINE, preexec_fn=no_room)
                self.assertEqual(run.returncode, 1, run.stderr)
                said = " ".join(run.stderr.split())
                self.assertRegex(said, "no room on the disk of")
                self.assertIn("File too large", said)
                self.assertIn("raise the quota or the limit on file sizes", said)
        self.assertFalse(os.path.exists(os.path.join(server.temporary, "backup")))
        self.assertIsNone(server.process.poll())


class DamagedPageTests(unittest.TestCase):
    def test_a_page_that_went_bad_is_told_as_503_and_found_by_verify_and_the_rest_goes_on(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session()
        check_in(host, session, "Kim", "kim@example.org").expect(201)
        self.assertEqual(server.stop(), 0)
        database = sqlite3.connect(server.database)
        (root,), = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'attendees'")
        (size,), = database.execute("PRAGMA page_size")
        database.close()
        with open(server.database, "r+b") as file:
            file.seek((root - 1) * size)
            file.write(b"\xff" * size)
        server.start()
        path = f"/api/v1/sessions/{session['id']}"
        for answer in [host.get(path + "/attendees"), check_in(host, session, "Lee", "lee@example.org")]:
            self.assertEqual((answer.status, answer.code), (503, "storage_unavailable"), answer)
        self.assertEqual(host.get(path).expect(200).json["id"], session["id"])
        host.meeting("Another")
        found = Admin("verify", folder=server.folder).expect(1).answer
        self.assertFalse(found["ok"])
        self.assertLessEqual({finding["kind"] for finding in found["findings"]}, {"damagedFile", "unreadable"})
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
