"""Long changes that are answered early: a roster that is imported while people check in, a killed server, a
repeated request, a failure, and the command line at a terminal."""
import json
import os
import pty
import signal
import subprocess
import tempfile
import threading
import unittest

from api import API
from host import Host, check_in, moment
from server_process import DEADLINE, QRING, Server, wait_until

EARLY = {"Prefer": "respond-async"}
PEOPLE = 6_000


def roster(prefix):
    return {"people": [
        {"name": f"{prefix} {number}", "email": f"p{number}@example.org", "number": str(number)}
        for number in range(PEOPLE)]}


class Jobs:
    """The jobs of a host."""

    def __init__(self, host):
        self.host = host

    def start(self, answer):
        """Checks that the answer names a new job, and returns the job's address."""
        job = answer.expect(202).json["job"]
        assert answer.headers["Location"] == f"/api/v1/jobs/{job['id']}", answer
        assert answer.headers["Preference-Applied"] == "respond-async", answer
        assert (job["state"], job["done"]) == ("running", 0), job
        return answer.headers["Location"]

    def look(self, path):
        job = self.host.get(path).expect(200).json
        assert 0 <= job["done"] <= job["total"], job
        return job

    def ended(self, path):
        wait_until(lambda: self.look(path)["state"] != "running", seconds=3 * DEADLINE)
        return self.look(path)

    def wait_for_progress(self, path):
        """Waits until the job has finished some steps, and returns the job. It is still running."""
        job = self.look(path)
        while job["state"] == "running" and job["done"] == 0:
            job = self.look(path)
        assert job["state"] == "running", job
        return job


class JobTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def setUp(self):
        # Each test has an account of its own, because these changes use up most of an account's units.
        self.host = Host(self.server)
        self.jobs = Jobs(self.host)

    def school(self):
        """Creates a meeting with four sessions and a roster, and returns the first session. It is open, but
        nobody has checked in, so that `identifyBy` can change."""
        made = self.host.meeting("School")
        self.path = f"/api/v1/meetings/{made['meeting']['id']}"
        series = {"rule": "days", "every": 1, "count": 3, "startsAt": moment(1440), "endsAt": moment(1500),
            "allowOverlap": True}
        self.host.post(f"{self.path}/sessions/repeat", series).expect(201)
        self.jobs.ended(self.jobs.start(self.put("First")))
        return made["session"]

    def put(self, prefix):
        return self.host.put(f"{self.path}/roster", roster(prefix), headers=EARLY)

    def sessions(self):
        return [session["id"] for session in self.host.all(f"{self.path}/sessions")]

    def first_name(self):
        return self.host.get(f"{self.path}/roster?limit=1").expect(200).json["items"][0]["name"].split()[0]

    def test_people_check_in_while_a_roster_is_imported_and_nobody_else_sees_the_job(self):
        self.school()
        hall = self.host.session("Hall")
        stranger = Host(self.server)
        path = self.jobs.start(self.put("Second"))
        states, came = [self.jobs.look(path)], 0
        while states[-1]["state"] == "running":
            check_in(API(self.server), hall, f"Guest {came}", f"guest{came}@example.org").expect(201)
            came += 1
            states.append(self.jobs.look(path))
            self.assertEqual(stranger.get(path).status, 404)
        self.assertGreater(came, 4, "people check in between the slices")
        steps = [state["done"] for state in states]
        self.assertEqual(steps, sorted(steps))
        last = states[-1]
        self.assertEqual((last["state"], last["status"], last["done"]), ("done", 200, last["total"]))
        self.assertEqual(last["location"], f"{self.path}/roster")
        self.assertEqual(last["result"]["roster"]["updated"], PEOPLE)
        self.assertNotIn("Retry-After", self.host.get(path).headers)
        self.assertEqual(stranger.get(path).code, "not_found")
        self.assertEqual(self.host.get(path, token=None).status, 401)
        self.assertEqual(self.first_name(), "Second")
        tag = self.host.get(f"{self.path}/roster?limit=1").headers["ETag"]
        self.assertEqual(tag, f"\"v{last['result']['roster']['version']}\"")

    def test_a_killed_server_completes_a_roster_and_reverts_a_series_and_both_jobs_are_found(self):
        self.school()
        imported = self.jobs.start(self.put("Second"))
        self.jobs.wait_for_progress(imported)
        self.server.kill()
        self.server.start()
        job = self.jobs.look(imported)
        self.assertEqual((job["state"], job["status"]), ("done", 200))
        self.assertEqual(job["result"]["roster"]["updated"], PEOPLE)
        self.assertEqual(self.first_name(), "Second")

        def repeat():
            return self.host.post(f"{self.path}/sessions/repeat",
                {"rule": "weekly", "count": 5, "allowOverlap": True},
                headers={**EARLY, "Idempotency-Key": "series"})

        before = self.sessions()
        added = self.jobs.start(repeat())
        again = repeat().expect(202)
        self.assertEqual((again.headers["Location"], again.headers["Idempotency-Replayed"]), (added, "true"))
        self.jobs.wait_for_progress(added)
        self.server.kill()
        self.server.start()
        job = self.jobs.look(added)
        self.assertEqual((job["state"], job["status"], job["problem"]["code"]),
            ("failed", 503, "storage_unavailable"))
        self.assertIn("reverted", job["problem"]["detail"])
        self.assertEqual(self.sessions(), before)
        # The key is free again, so the same request adds the sessions now, and only once.
        job = self.jobs.ended(self.jobs.start(repeat()))
        self.assertEqual((job["state"], job["status"], len(job["result"]["sessions"])), ("done", 201, 5))
        replayed = repeat().expect(201)
        self.assertEqual(replayed.headers["Idempotency-Replayed"], "true")
        made = [session["id"] for session in job["result"]["sessions"]]
        self.assertEqual([session["id"] for session in replayed.json["items"]], made)
        self.assertEqual(set(self.sessions()), {*before, *made})

    def test_a_check_in_during_a_change_of_identify_by_fails_the_job_with_its_problem(self):
        session, phone = self.school(), API(self.server)
        changed = self.jobs.start(self.host.patch(self.path, {"identifyBy": "number"}, headers=EARLY))
        check_in(phone, session, "Guest", "guest@example.org").expect(201)
        job = self.jobs.ended(changed)
        self.assertEqual((job["state"], job["status"]), ("failed", 409), job)
        self.assertEqual(job["problem"]["code"], "session_has_attendees")
        self.assertNotIn("result", job)
        korean = self.host.get(f"{changed}?lang=ko").json["problem"]
        self.assertNotEqual(korean["detail"], job["problem"]["detail"])
        self.assertEqual(self.host.get(self.path).json["identifyBy"], "email")

    def test_the_command_line_shows_the_progress_at_a_terminal_and_only_there(self):
        self.school()
        with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8") as file:
            words = ["meeting", "roster", "import", "School", file.name]
            self.write(file, "Second")
            shown = Shown(self, words)
            shown.wait_for("Importing the roster: ")
            shown.process.send_signal(signal.SIGINT)
            self.assertEqual(shown.process.wait(DEADLINE), 130)
            self.assertIn("the server completes the change", shown.text())
            self.assertIn("qring meeting roster list School", shown.text())
            self.assertEqual(shown.process.stdout.read(), b"")
            wait_until(lambda: self.first_name() == "Second", seconds=3 * DEADLINE)
            self.write(file, "Third")
            ran = subprocess.run([QRING, *words], env=self.environment(), stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=3 * DEADLINE)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            self.assertIn(f"{PEOPLE} people on the roster: 0 added, {PEOPLE} changed", ran.stdout)
        words = ["meeting", "edit", "School", "--identify-by", "number", "--json", "identifyBy"]
        shown = Shown(self, words)
        self.assertEqual(shown.process.wait(3 * DEADLINE), 0)
        self.assertEqual(json.loads(shown.process.stdout.read()), {"identifyBy": "number"})
        progress, end = shown.text().rsplit("\r\x1b[K", 1)
        self.assertIn("Changing how attendees are identified: ", progress)
        self.assertNotIn("Changing", end, "the line disappears at the end")

    @staticmethod
    def write(file, prefix):
        file.seek(0)
        file.truncate()
        file.write("name,email,number\n")
        for number in range(PEOPLE):
            file.write(f"{prefix} {number},p{number}@example.org,{number}\n")
        file.flush()

    def environment(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        return {**Server.environment(), "XDG_CONFIG_HOME": folder, "QRING_SERVER": self.server.url,
            "QRING_TOKEN": self.host.token, "QRING_LANG": "en", "TERM": "xterm"}


class Shown:
    """A command whose standard error is a terminal."""

    def __init__(self, test, words):
        self.bytes, self.changed = b"", threading.Condition()
        ours, theirs = pty.openpty()
        self.process = subprocess.Popen([QRING, *words], env=test.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=theirs)
        test.addCleanup(self.end)
        os.close(theirs)
        self.thread = threading.Thread(target=self.read, args=(ours,), daemon=True)
        self.thread.start()

    def read(self, terminal):
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:
                part = b""
            with self.changed:
                self.bytes += part
                self.changed.notify_all()
            if not part:
                os.close(terminal)
                return

    def wait_for(self, text):
        with self.changed:
            found = self.changed.wait_for(lambda: text.encode() in self.bytes, DEADLINE)
        assert found, self.bytes

    def text(self):
        """Returns everything, after the command has ended."""
        self.thread.join(DEADLINE)
        return self.bytes.decode()

    def end(self):
        self.process.kill()
        self.process.wait(DEADLINE)
        self.process.stdout.close()


if __name__ == "__main__":
    unittest.main()
