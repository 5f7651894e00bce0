"""Backups hold what was acknowledged, restores renew the epoch, and checks find faults."""
import json
import os
import shutil
import stat
import subprocess
import threading
import unittest

from admin import Admin, rows
from api import API
from host import Host, check_in
from room import Room
from server_process import DEADLINE, QRING, Server


class Crowd:
    """People who check in, several at once, for as long as the block lasts."""

    def __init__(self, server, session, threads=4):
        self.server, self.session = server, session
        self.acknowledged = []
        self.failures = []
        self.changed = threading.Condition()
        self.is_over = False
        self.threads = [threading.Thread(target=self._come, args=(number,), daemon=True)
            for number in range(threads)]

    def _come(self, number):
        api, count = API(self.server), 0
        while not self.is_over:
            email = f"guest{number}-{count}@example.org"
            count += 1
            try:
                check_in(api, self.session, f"Guest {number} {count}", email).expect(201)
            except (OSError, AssertionError) as error:
                self.failures.append(error)
                return
            with self.changed:
                self.acknowledged.append(email)
                self.changed.notify_all()

    def wait_for(self, count):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.acknowledged) >= count, DEADLINE), self.failures
            return list(self.acknowledged)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        for thread in self.threads:
            thread.join(DEADLINE)


class BackupTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.session = self.host.session()
        self.file = os.path.join(self.server.temporary, "monday.backup")

    def test_a_backup_under_load_holds_everything_acknowledged_before_it(self):
        person = check_in(self.host, self.session, "First", "first@example.org").expect(201).json
        self.host.post(
            f"/api/v1/sessions/{self.session['id']}/responses",
            {"answers": {self.host.questions(self.session)["rating"]: 5}},
            token=person["receipt"]).expect(201)
        with Crowd(self.server, self.session) as crowd:
            before = crowd.wait_for(100)
            backup = Admin("backup", self.file, folder=self.server.folder).expect(0).answer
            crowd.wait_for(len(before) + 100)
        self.assertEqual(crowd.failures, [])
        self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o600)
        self.assertEqual(os.listdir(self.server.temporary).count("monday.backup"), 1)
        self.assertEqual([name for name in os.listdir(self.server.temporary) if "partial" in name], [])

        folder = os.path.join(self.server.temporary, "restored")
        restore = Admin("restore", self.file, folder=folder).expect(0).answer
        self.assertNotEqual(restore["epoch"], backup["epoch"])
        self.assertTrue(Admin("verify", folder=folder).expect(0).answer["ok"])
        kept = {identity for identity, in rows(folder, "SELECT identity FROM attendees")}
        self.assertLessEqual(set(before), kept)
        with Server("--signup", "open", folder=folder) as restored:
            # The secret was restored too: signed texts are still valid.
            API(restored).get("/api/v1/check-ins/current", token=person["receipt"]).expect(200)
        self.assertTrue(Admin("verify", folder=self.server.folder).expect(0).answer["ok"])

    def test_a_restore_moves_old_data_aside_and_renews_the_epoch(self):
        check_in(self.host, self.session, "Kept", "kept@example.org").expect(201)
        room = f"session:{self.session['id']}"
        Admin("backup", self.file, folder=self.server.folder).expect(0)
        check_in(self.host, self.session, "Later", "later@example.org").expect(201)
        with Room(self.server, self.host.token, room) as watcher:
            self.assertEqual(len(watcher.snapshot["arrivals"]), 2)
            since = watcher.position
        self.assertIn("running",
            Admin("restore", self.file, "--replace", folder=self.server.folder).expect(6).said)
        self.assertEqual(self.server.stop(), 0)
        self.assertIn("--replace", Admin("restore", self.file, folder=self.server.folder).expect(6).said)
        answer = Admin("restore", self.file, "--replace", folder=self.server.folder).expect(0).answer
        self.assertEqual(len(rows(answer["replaced"], "SELECT 1 FROM attendees")), 2)
        self.server.start()
        # A sequence may be used twice, for different events: the epoch tells them apart.
        check_in(self.host, self.session, "Other", "other@example.org").expect(201)
        with Room(self.server, self.host.token, room, since) as watcher:
            self.assertFalse(watcher.joined["recovered"])
            self.assertEqual(watcher.joined["epoch"], answer["epoch"])
            self.assertEqual([attendee["name"] for attendee in watcher.snapshot["arrivals"]],
                ["Kept", "Other"])

    def test_a_file_that_is_copied_back_renews_the_epoch_and_a_kill_does_not(self):
        self.assertEqual(self.server.stop(), 0)
        old = os.path.join(self.server.temporary, "old.db")
        shutil.copy(self.server.database, old)
        self.server.start()
        check_in(self.host, self.session, "Later", "later@example.org").expect(201)
        epoch = rows(self.server.folder, "SELECT value FROM meta WHERE key = 'epoch'")
        self.server.kill()
        self.server.start()
        self.assertEqual(rows(self.server.folder, "SELECT value FROM meta WHERE key = 'epoch'"), epoch)
        self.assertEqual(self.server.stop(), 0)
        shutil.copy(old, self.server.database)
        self.server.start()
        self.assertTrue(any("older" in line for line in self.server.log.lines), self.server.log.lines)
        self.assertNotEqual(rows(self.server.folder, "SELECT value FROM meta WHERE key = 'epoch'"), epoch)

    def test_a_backup_overwrites_no_file_and_needs_a_database(self):
        with open(self.file, "w") as file:
            file.write("mine")
        Admin("backup", self.file, folder=self.server.folder).expect(6)
        with open(self.file) as file:
            self.assertEqual(file.read(), "mine")
        Admin("restore", self.file, folder=os.path.join(self.server.temporary, "new")).expect(1)
        Admin("backup", self.file + "2", folder=os.path.join(self.server.temporary, "none")).expect(5)
        Admin("verify", folder=os.path.join(self.server.temporary, "none")).expect(5)
        for folder in (os.path.join(self.server.temporary, "none"), self.file):
            wrong = Admin("backup", os.path.join(folder, "backup"), folder=self.server.folder).expect(1)
            self.assertIn(f"cannot be written into {folder}", wrong.said)
            self.assertNotIn(self.server.folder, wrong.said)
        Admin("backup", folder=self.server.folder).expect(2)


class VerifyTests(unittest.TestCase):
    def test_rows_changed_by_sql_are_reported_with_their_session(self):
        with Server("--signup", "open") as server:
            host = Host(server)
            sessions = [host.session(name) for name in ("One", "Two")]
            for session in sessions:
                people = [check_in(host, session, f"P {n}", f"p{n}@example.org").expect(201).json
                    for n in range(4)]
                rating = host.questions(session)["rating"]
                for person in people:
                    host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": {rating: 4}},
                        token=person["receipt"]).expect(201)
            self.assertTrue(Admin("verify", folder=server.folder).expect(0).answer["ok"])
            self.assertEqual(server.stop(), 0)
            damages = {
                "journalGap": "DELETE FROM events WHERE sequence = 3 AND session = {id}",
                "counterDiffers": "UPDATE sessions SET sequence = 99 WHERE id = {id}",
                "headCountDiffers": "UPDATE sessions SET present = 9 WHERE id = {id}",
                "arrivalLost": "DELETE FROM attendees WHERE session = {id} AND name = 'P 1'",
                "arrivalWithoutEvent": "UPDATE attendees SET arrival_sequence = 1 WHERE session = {id} AND "
                    "name = 'P 1'",
                "unknownEventData": "UPDATE events SET fields = 'p1@example.org' WHERE session = {id} AND "
                    "sequence = 2",
                "responsesDiffer": "DELETE FROM responses WHERE session = {id}",
                "tallyDiffers": "UPDATE responses SET answers = replace(answers, ':4', ':3') WHERE session = "
                    "{id}",
                "marksDiffer": "DELETE FROM answered WHERE attendee IN (SELECT id FROM attendees WHERE "
                    "session = {id})",
                "anonymousNamed": "UPDATE responses SET attendee = (SELECT id FROM attendees LIMIT 1) "
                                  "WHERE session = {id} AND id = (SELECT max(id) FROM responses WHERE "
                                  "session = {id})",
            }
            (which, name), = rows(server.folder,
                "SELECT s.id, m.name FROM sessions s JOIN meetings m ON m.id = s.meeting "
                                                 "WHERE m.name = 'Two'")
            self.assertEqual(name, "Two")
            for kind, sql in damages.items():
                with self.subTest(kind):
                    copy = os.path.join(server.temporary, kind)
                    shutil.copytree(server.folder, copy)
                    rows(copy, sql.replace("{id}", f"x'{which.hex()}'"))
                    answer = Admin("verify", folder=copy).expect(1).answer
                    self.assertIn((kind, sessions[1]["id"]),
                        [(found["kind"], found.get("session")) for found in answer["findings"]])
                    self.assertNotIn(sessions[0]["id"],
                        [found.get("session") for found in answer["findings"]])
                    self.assertFalse(answer["ok"])


class DoctorTests(unittest.TestCase):
    def test_a_good_set_up_has_no_failures_with_and_without_a_running_server(self):
        with Server() as server:
            listen = ("--listen", f"127.0.0.1:{server.port}")
            answer = Admin("doctor", *listen, folder=server.folder).expect(0)
            self.assertTrue(answer.answer["ok"])
            for name in ("folder", "files", "secret", "server", "database", "clock", "zones", "sqlite",
                    "libuv", "listen"):
                self.assertEqual(answer.check(name), ("ok", None), name)
            self.assertEqual(answer.check("publicURL")[0], "warn")
            self.assertIn(str(server.process.pid), str(answer.answer))
            self.assertEqual(server.stop(), 0)
            names = sorted(os.listdir(server.folder))
            Admin("doctor", *listen, folder=server.folder).expect(0)
            self.assertEqual(sorted(os.listdir(server.folder)), names)
            new = os.path.join(server.temporary, "new")
            Admin("doctor", *listen, folder=new).expect(0)
            self.assertFalse(os.path.exists(new))

    def test_each_fault_is_reported_with_its_remedy(self):
        with Server() as server:
            port = server.port
            self.assertEqual(server.stop(), 0)
            folder, secret = server.folder, os.path.join(server.folder, "secret")

            def doctor(code, *words):
                return Admin("doctor", *(words or ("--listen", f"127.0.0.1:{port}")),
                    folder=folder).expect(code)

            os.chmod(folder, 0o755)
            self.assertEqual(doctor(0).check("folder"), ("warn", f"run: chmod 700 {folder}"))
            os.chmod(server.database, 0o644)
            self.assertEqual(doctor(0).check("files"), ("warn", f"run: chmod 600 {server.database}"))
            os.chmod(secret, 0o640)
            self.assertEqual(doctor(1).check("secret"), ("fail", f"run: chmod 600 {secret}"))
            os.chmod(secret, 0o600)
            os.truncate(secret, 31)
            self.assertEqual(doctor(1).check("secret")[0], "fail")
            os.remove(secret)
            self.assertIn("put the secret back", doctor(1).check("secret")[1])
            rows(folder, "PRAGMA user_version = 99")
            self.assertIn("newer QRing", str(doctor(1).answer))
            self.assertEqual(doctor(1).check("database")[0], "fail")
            with Server() as other:
                self.assertEqual(doctor(1, "--listen", f"127.0.0.1:{other.port}").check("listen")[0], "fail")
            self.assertEqual(doctor(1, "--listen", "192.0.2.1:8080").check("listen")[0], "fail")
            self.assertEqual(doctor(1, "--listen", "here").check("listen")[0], "fail")
            self.assertEqual(
                doctor(1, "--listen", "127.0.0.1:0", "--public-url", "qring").check("publicURL")[0], "fail")

    def test_each_wrong_flag_of_the_server_is_reported_with_its_remedy(self):
        with Server() as server:
            self.assertEqual(server.stop(), 0)
            folder, terms, latin = server.folder, os.path.join(server.temporary,
                "terms.txt"), os.path.join(server.temporary, "latin.txt")
            for path, text in [(terms, b"Be kind."), (latin, b"\xff")]:
                with open(path, "wb") as file:
                    file.write(text)
            url, local = ["--public-url", "https://qring.invalid"], ["--listen", "127.0.0.1:0"]
            cores = os.cpu_count()
            for name, words, state, remedy in [
                ("trustedProxy", [*url], "fail", "--trusted-proxy loopback"),
                ("trustedProxy", [*url, "--trusted-proxy", "loopback"], "ok", None),
                ("trustedProxy", ["--trusted-proxy", "loopback"], "warn", "add --public-url"),
                ("trustedProxy", [*url, "--trusted-proxy", "loopback", "--listen", "0.0.0.0:0"], "warn",
                    "--listen 127.0.0.1:0"),
                ("trustedProxy", [*url, "--trusted-proxy", "loopback,172.17.0.0/16", "--listen", "0.0.0.0:0"],
                    "ok", None),
                (
                    "trustedProxy", [*url, "--trusted-proxy", "10.0.0.5"], "fail",
                    "use a --listen address that they can reach"),
                ("trustedProxy", [*url, "--trusted-proxy", "10.0.0.5", "--listen", "0.0.0.0:0"], "ok", None),
                ("trustedProxy", [*url, "--trusted-proxy", "fd00::/8,loopback"], "ok", None),
                *[("trustedProxy", [*url, "--trusted-proxy", wide], "fail", "name only your proxies")
                  for wide in ["0.0.0.0/0", "::/0", "0.0.0.0/1,128.0.0.0/1", "2000::/3",
                      "loopback,0.0.0.0/0"]],
                ("trustedProxy", ["--trusted-proxy", "10.0.0.0/33"], "fail", "QRING_TRUSTED_PROXY"),
                ("metricsListen", ["--metrics-listen", "127.0.0.1:0"], "ok", None),
                ("metricsListen", ["--metrics-listen", "[::]:0"], "warn", "firewall"),
                ("metricsListen", ["--metrics-listen", "0.0.0.0:0"], "warn",
                    "--metrics-listen 127.0.0.1:9090"),
                    ("metricsListen", ["--metrics-listen", "9090"], "fail", "127.0.0.1:8080"),
                (
                    "metricsListen", ["--metrics-listen", "192.0.2.1:9090"], "fail",
                    "stop the program that uses the address"),
                ("metricsListen",
                    ["--metrics-listen", f"127.0.0.1:{server.port}", "--listen", f"0.0.0.0:{server.port}"],
                    "fail", "give --metrics-listen another port"),
                ("connectionsPerAddress", ["--connections-per-address", "1000000"], "fail", "LimitNOFILE"),
                ("connectionsPerAddress", ["--connections-per-address", "600"], "ok", None),
                ("connectionsPerAddress", ["--connections-per-address", "100"], "warn", "10000"),
                ("connectionsPerAddress", ["--connections-per-address", "0"], "fail",
                    "QRING_CONNECTIONS_PER_ADDRESS"),
                ("importFrom", ["--import-from", "10.0.0.7"], "ok", None),
                ("importFrom", ["--import-from", "loopback"], "warn", "10.0.0.7"),
                ("importFrom", ["--import-from", "169.254.0.0/16"], "warn", "--import-from"),
                ("importFrom", ["--import-from", "x"], "fail", "QRING_IMPORT_FROM"),
                ("terms", ["--terms", terms], "ok", None),
                ("terms", ["--terms", latin], "fail", "omit --terms"),
                ("terms", ["--terms", os.path.join(server.temporary, "none")], "fail", "this user"),
                ("loops", ["--loops", "1"], "ok", None),
                ("loops", ["--loops", "64"], *(("warn", f"--loops {cores}") if cores < 64 else ("ok", None))),
                ("loops", ["--loops", "65"], "fail", "--loops"),
                ("interests", ["--interests", "21"], "fail", "QRING_INTERESTS"),
                ("publicURL", ["--public-url", "http://127.0.0.1:8080"], "warn", "--public-url"),
            ]:
                with self.subTest(name=name, words=words):
                    found, said = Admin("doctor", *words, *([] if "--listen" in words else local),
                        folder=folder).check(name)
                    self.assertEqual(found, state, said)
                    self.assertIn(remedy or "", said or "")
                    self.assertEqual(said is None, remedy is None)
            # The environment works as the flags do, and flags that were not given are not reported.
            run = subprocess.run(
                [QRING, "admin", "doctor", "--data", folder, *local, "--json", "--lang", "ko"],
                capture_output=True, text=True, timeout=DEADLINE * 3,
                env={"PATH": os.environ["PATH"], "HOME": server.temporary, "QRING_SIGNUP": "all",
                    "QRING_LOG": "xml", "QRING_TRUSTED_PROXY": "0.0.0.0/0"})
            self.assertEqual(run.returncode, 1, run.stderr)
            states = {found["check"]: found["state"] for found in json.loads(run.stdout)["checks"]}
            self.assertEqual([states[name] for name in ("signup", "log", "trustedProxy")], ["fail"] * 3)
            quiet = {found["check"] for found in Admin("doctor", *local, folder=folder).answer["checks"]}
            self.assertFalse(
                quiet & {"trustedProxy", "metricsListen", "connectionsPerAddress", "importFrom", "terms",
                    "loops", "signup", "interests", "log"})


if __name__ == "__main__":
    unittest.main()
