"""A file that may not grow, as under `ulimit -f`, a damaged page, and a folder that is taken away: 503,
nothing acknowledged is lost, and no crash."""
import glob
import os
import resource
import shutil
import subprocess
import unittest

from admin import Admin, rows
from api import API
from host import Host, check_in, code_of
from server_process import DEADLINE, PATIENCE, QRING, Server, wait_until
from test_start_faults import Disk

AWAY = "moved, replaced or deleted under this server"


class NoRoomTests(unittest.TestCase):
    """Needs no superuser, unlike a full disk (test_start_faults.py). SQLite reports a failed write and not a
    full disk: only the system's error (EFBIG, EDQUOT) tells what to do."""

    def limit(self, server, size):
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def test_at_a_limit_on_files_nothing_is_lost_and_a_later_retry_succeeds(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session()
        path = f"/api/v1/sessions/{session['id']}"
        self.limit(server,
            max(os.path.getsize(os.path.join(server.folder, name))
                for name in os.listdir(server.folder)) + 65_536)
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
        # Reads succeed, and writes are still refused, also a commit with fewer pages than the refused one.
        self.limit(server, 4096)
        self.assertEqual(host.get(path).expect(200).json["attendance"]["checkedIn"], len(acknowledged))
        self.assertEqual(check_in(host, session, "Other", "other@example.org").code, "storage_full")
        self.limit(server, resource.RLIM_INFINITY)
        # The refused request was not stored: under the same key it now succeeds once.
        for replayed in [None, "true"]:
            answer = host.post("/api/v1/check-ins", refused, headers={"Idempotency-Key": email},
                token=None).expect(201)
            self.assertEqual(answer.headers["Idempotency-Replayed"], replayed)
        server.kill()
        self.assertTrue(Admin("verify", folder=server.folder).expect(0).answer["ok"])
        self.assertEqual({identity for identity, in rows(server.folder, "SELECT identity FROM attendees")},
            acknowledged | {email})
        server.start()
        self.assertEqual(API(server, host.token).get(path).expect(200).json["attendance"]["checkedIn"],
            len(acknowledged) + 1)


    @unittest.skipIf(PATIENCE > 1, "the limit on files stops a sanitizer at its start")
    def test_a_start_and_a_backup_that_find_no_room_say_so(self):
        def no_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))

        server = self.enterContext(Server("--signup", "open"))
        Host(server).session()
        for words, folder in [(["admin", "backup", os.path.join(server.temporary, "backup")], server.folder),
                (["serve", "--listen", "127.0.0.1:0"], os.path.join(server.temporary, "new"))]:
            with self.subTest(words):
                run = subprocess.run([QRING, *words, "--data", folder, "--lang", "en"],
                    env=Server.environment(), capture_output=True, text=True, timeout=DEADLINE,
                    preexec_fn=no_room)
                self.assertEqual(run.returncode, 1, run.stderr)
                said = " ".join(run.stderr.split())
                self.assertRegex(said, "the disk of .* is full")
                self.assertIn("File too large", said)
                self.assertIn("raise the quota or the limit on file sizes", said)
        self.assertFalse(os.path.exists(os.path.join(server.temporary, "backup")))
        self.assertIsNone(server.process.poll())

    def test_a_long_change_that_the_disk_stops_is_completed_once(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        made = host.meeting(identifyBy="email")
        path = f"/api/v1/meetings/{made['meeting']['id']}"
        people = "name,email\n" + "".join(f"P {n},p{n}@example.org\n" for n in range(3000))
        host.put(f"{path}/roster", body=people.encode(), headers={"Content-Type": "text/csv"}).expect(200)
        before = host.get(f"{path}/sessions").expect(200).json["items"]
        server.stop()
        server.start()
        # The first transaction has room; the slots of 3,000 people in five sessions do not.
        self.limit(server, 1_500_000)
        change = {"rule": "weekly", "count": 5}
        key = {"Idempotency-Key": "series-on-a-full-disk"}
        answer = host.post(f"{path}/sessions/repeat", change, headers=key)
        self.assertEqual((answer.status, answer.code), (503, "storage_unavailable"))
        self.assertIn("begun this change", answer.json["detail"])
        self.limit(server, resource.RLIM_INFINITY)
        wait_until(lambda: len(host.get(f"{path}/sessions").expect(200).json["items"]) > len(before))
        again = host.post(f"{path}/sessions/repeat", change, headers=key).expect(201)
        self.assertEqual(again.headers["Idempotency-Replayed"], "true")
        self.assertEqual(len(host.get(f"{path}/sessions").expect(200).json["items"]), len(before) + 5)


class ReadinessTests(unittest.TestCase):
    """`/readyz` tells a proxy whether check-ins would be saved now; `/healthz` that the process runs."""

    def wait_until_ready(self, host):
        """The server tries again once a second, even if nobody writes."""
        wait_until(lambda: host.get("/readyz", token=None).status == 200)

    def test_a_failed_write_is_reported_until_one_succeeds(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session()
        host.get("/readyz", token=None).expect(200)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        self.assertEqual(check_in(host, session, "Kim", "kim@example.org").code, "storage_full")
        answer = host.get("/readyz", token=None)
        self.assertEqual((answer.status, answer.code), (503, "storage_full"))
        host.get("/healthz", token=None).expect(200)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE,
            (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.wait_until_ready(host)
        check_in(host, session, "Kim", "kim@example.org").expect(201)

    @unittest.skipUnless(os.geteuid() == 0, "only the superuser can mount")
    def test_little_free_space_is_reported_before_the_disk_is_full(self):
        disk = self.enterContext(Disk("80m"))
        server = self.enterContext(Server("--signup", "open", folder=os.path.join(disk.path, "data")))
        host = Host(server)
        session = host.session()
        host.get("/readyz", token=None).expect(200)
        filler = os.path.join(disk.path, "filler")
        with open(filler, "wb") as file:
            file.write(b"\0" * 40_000_000)
        answer = host.get("/readyz", token=None)
        self.assertEqual((answer.status, answer.code), (503, "storage_full"))
        self.assertIn("50", answer.json["detail"])
        host.get("/healthz", token=None).expect(200)
        check_in(host, session, "Kim", "kim@example.org").expect(201)
        os.remove(filler)
        host.get("/readyz", token=None).expect(200)


class TakenAwayTests(unittest.TestCase):
    """Open files continue without their names: bytes that are written to them are lost when the server ends.
    """

    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.session = self.host.session()
        self.acknowledged = set()
        for _ in range(3):
            self.assertEqual(self.come().status, 201)

    def come(self):
        """Checks in a new person. Everybody who got 201 must be found afterwards."""
        email = f"g{len(self.acknowledged)}@example.org"
        answer = check_in(self.host, self.session, "Guest", email)
        if answer.status == 201:
            self.acknowledged.add(email)
        return answer

    def assert_refused(self, times=1):
        """Every write is refused with what to do about it; `/readyz` and the log say it too, and old data can
        still be read."""
        for _ in range(3):
            answer = self.come()
            self.assertEqual((answer.status, answer.code), (503, "storage_unavailable"), answer)
            self.assertIn("restore the folder, or restart the server", answer.json["detail"])
            self.assertRegex(answer.headers["Retry-After"], r"^\d+$")
        body = {"code": code_of(self.session), "name": "손님", "email": "guest@example.org"}
        answer = self.host.post("/api/v1/check-ins", body, headers={"Accept-Language": "ko"}, token=None)
        self.assertIn("원래 위치에", answer.json["detail"])
        self.assertEqual(self.host.get("/readyz", token=None).code, "storage_unavailable")
        self.assertEqual(self.host.get("/healthz", token=None).status, 200)
        self.assertEqual(self.attendance(self.host), len(self.acknowledged))
        self.server.log.wait_for(lambda _: self.said(AWAY) == times)

    def said(self, words):
        return sum(words in line for line in self.server.log.lines)

    def attendance(self, api):
        return api.get(f"/api/v1/sessions/{self.session['id']}").expect(200).json["attendance"]["checkedIn"]

    def assert_all_found(self, folder):
        self.assertTrue(Admin("verify", folder=folder).expect(0).answer["ok"])
        self.assertEqual({identity for identity, in rows(folder, "SELECT identity FROM attendees")},
            self.acknowledged)

    def assert_stops(self):
        self.assertEqual(self.server.stop(), 0)
        self.assertEqual(self.said(AWAY), 1)
        self.assertFalse([line for line in self.server.log.lines if "failed(" in line])

    def test_a_moved_folder_refuses_writes_until_it_is_put_back(self):
        away = self.server.folder + "-away"
        for times in [1, 2]:
            os.rename(self.server.folder, away)
            self.assert_refused(times)
            os.rename(away, self.server.folder)
            self.assertEqual(self.come().status, 201)
            self.host.get("/readyz", token=None).expect(200)
            self.server.log.wait_for(lambda _: self.said("the data folder is back") == times)
        self.assertEqual((self.said(AWAY), self.said("the data folder is back")), (2, 2))
        self.server.kill()
        self.assert_all_found(self.server.folder)

    def test_a_folder_that_stays_moved_holds_everything_acknowledged(self):
        away = self.server.folder + "-away"
        os.rename(self.server.folder, away)
        self.assert_refused()
        self.assert_stops()
        self.assertFalse(os.path.exists(self.server.folder))
        self.assert_all_found(away)

    def test_a_deleted_database_can_be_saved_while_the_server_runs(self):
        os.remove(self.server.database)
        self.assert_refused()
        # The steps of docs/operations/data.md.
        saved = self.server.folder + "-saved"
        os.mkdir(saved)
        for link in glob.glob(f"/proc/{self.server.process.pid}/fd/*"):
            name = os.path.basename(os.readlink(link)).removesuffix(" (deleted)")
            if name in ("journal.db", "journal.db-wal"):
                shutil.copyfile(link, os.path.join(saved, name))
        self.assert_all_found(saved)
        self.assert_stops()

    def test_with_a_deleted_folder_writes_are_refused_and_the_server_stops(self):
        shutil.rmtree(self.server.folder)
        self.assert_refused()
        self.assert_stops()
        self.assertFalse(os.path.exists(self.server.folder))

    def test_a_replaced_database_is_refused_and_not_changed(self):
        other = self.enterContext(Server("--signup", "open"))
        Host(other)
        self.assertEqual(other.stop(), 0)
        with open(other.database, "rb") as file:
            content = file.read()
        os.replace(other.database, self.server.database)
        self.assert_refused()
        self.assert_stops()
        with open(self.server.database, "rb") as file:
            self.assertEqual(file.read(), content)

    def test_with_a_deleted_log_writes_are_refused_and_a_stop_saves_it(self):
        os.remove(self.server.database + "-wal")
        self.assert_refused()
        self.assert_stops()
        self.assert_all_found(self.server.folder)
        self.server.start()
        self.assertEqual(self.attendance(API(self.server, self.host.token)), len(self.acknowledged))


if __name__ == "__main__":
    unittest.main()
