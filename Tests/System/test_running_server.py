"""`qring admin` on the data folder of a running server, which runs the commands itself."""
import os
import re
import shlex
import stat
import subprocess
import unittest

from admin import Admin
from api import API
from host import Host, check_in
from room import Room
from server_process import DEADLINE, QRING, Server
from terminal import Window


class RunningServerTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)

    def admin(self, *words, **options):
        return Admin(*words, folder=self.server.folder, **options)

    def test_accounts_are_listed_made_and_suspended_at_once(self):
        made = self.admin("user", "create", "kim@example.org", "--name", "Kim 김", "--password-file", "-",
            input="a long password 42\n").expect(0).answer
        self.assertEqual((made["name"], made["admin"]), ("Kim 김", False))
        emails = [account["email"] for account in self.admin("user", "list").expect(0).answer["items"]]
        self.assertEqual(emails, [self.host.email, "kim@example.org"])
        kim = API(self.server)
        token = kim.post("/api/v1/tokens",
            {"email": "kim@example.org", "password": "a long password 42"}).expect(201).json["accessToken"]
        kim.get("/api/v1/me", token=token).expect(200)
        self.admin("user", "suspend", "kim@example.org").expect(0)
        self.assertEqual(kim.get("/api/v1/me", token=token).status, 403)
        self.assertIn("find that account", self.admin("user", "suspend", "nobody@example.org").expect(5).said)
        kinds = [action["kind"] for action in self.admin("log").expect(0).answer["items"]]
        self.assertEqual(kinds[0], "accountSuspended")

    def test_a_password_file_is_read_where_the_command_runs(self):
        path = os.path.join(self.server.temporary, "secret.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("another password 43\nnot this line")
        self.admin("user", "reset-password", self.host.email, "--password-file", "secret.txt",
            cwd=self.server.temporary).expect(0)
        API(self.server).post("/api/v1/tokens",
            {"email": self.host.email, "password": "another password 43"}).expect(201)

    def test_an_erased_person_leaves_the_open_rooms(self):
        session = self.host.session()
        for name in ("Kim", "Lee"):
            check_in(self.host, session, name, f"{name.lower()}@example.org").expect(201)
        data = self.admin("person", "export", "lee@example.org").expect(0).answer
        self.assertEqual([found["stored"]["name"] for found in data["checkIns"]], ["Lee"])
        self.assertIn("--yes", self.admin("person", "erase", "lee@example.org").expect(2).said)
        with Room(self.server, self.host.token, f"session:{session['id']}") as room:
            self.assertEqual(len(room.snapshot["arrivals"]), 2)
            self.admin("person", "erase", "lee@example.org", "--yes").expect(0)
            room.wait_until(lambda frames: any(frame.get("attendance", {}).get("checkedIn") == 1
                for frame in frames))
        self.assertEqual([attendee["name"] for attendee in
            self.host.all(f"/api/v1/sessions/{session['id']}/attendees")], ["Kim"])

    def test_only_the_servers_user_can_connect_and_the_socket_ends_with_the_server(self):
        path = os.path.join(self.server.folder, "operator.socket")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        refused = subprocess.run([QRING, "admin", "rotate-secret", "--data", self.server.folder,
            "--lang", "en"], capture_output=True, text=True, env=Server.environment(), timeout=DEADLINE)
        self.assertEqual(refused.returncode, 6, refused.stderr)
        self.assertIn("Stop it first", refused.stderr)
        self.server.kill()
        self.admin("user", "list").expect(0)
        self.server.start()
        self.admin("user", "list").expect(0)
        self.assertEqual(self.server.stop(), 0)
        self.assertFalse(os.path.exists(path))

    def test_the_program_of_jq_runs_in_the_commands_process(self):
        run = subprocess.run([QRING, "admin", "user", "list", "--jq", ".items[].email", "--data",
            self.server.folder], capture_output=True, text=True, env=Server.environment(), timeout=DEADLINE)
        self.assertEqual((run.returncode, run.stdout), (0, f"{self.host.email}\n"))
        self.assertIn("no such thing", Admin("user", "list", "--jq", 'error("no such thing")',
            folder=self.server.folder).expect(1).said)

    def test_the_output_has_the_callers_time_zone_and_width(self):
        lines = []
        for zone in ("UTC", "Asia/Seoul"):
            run = subprocess.run([QRING, "admin", "log", "--data", self.server.folder, "--lang", "en"],
                capture_output=True, text=True, env={**Server.environment(), "TZ": zone}, timeout=DEADLINE)
            self.assertEqual(run.returncode, 0, run.stderr)
            lines.append([int(hour) for hour in re.findall(r"^\d{4}-\d\d-\d\d (\d\d):", run.stdout, re.M)])
        self.assertGreater(len(lines[0]), 0)
        self.assertEqual(lines[1], [(hour + 9) % 24 for hour in lines[0]])
        # The terminal cuts words at its last column; the command wraps the sentence between words.
        words = [QRING, "admin", "user", "suspend", "nobody@example.org", "--data", self.server.folder,
            "--lang", "en"]
        said = subprocess.run(words, capture_output=True, text=True, env=Server.environment(),
            timeout=DEADLINE, check=False).stderr
        command = shlex.join(words)
        for columns in (21, 23, 26):
            with Window(["sh", "-c", f"{command}; echo done; read line"], Server.environment(),
                    columns=columns) as window:
                window.wait_for_text("done")
                self.assertIn(" ".join(said.split()), " ".join(window.text.split()))

    def test_another_user_cannot_connect(self):
        if os.geteuid() != 0:
            self.skipTest("only the superuser can become another user")
        os.chmod(self.server.temporary, 0o755)
        os.chmod(self.server.folder, 0o755)
        code = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
        path = os.path.join(self.server.folder, "operator.socket")
        run = subprocess.run(["/usr/bin/python3", "-c", code, path], user="nobody", group="nogroup",
            extra_groups=[], cwd="/", capture_output=True, text=True, timeout=DEADLINE)
        self.assertIn("PermissionError", run.stderr)

    def test_lost_output_of_the_server_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run([QRING, "admin", "user", "list", "--data", self.server.folder], stdout=full,
                stderr=subprocess.PIPE, text=True, env=Server.environment(), timeout=DEADLINE)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("No space left", run.stderr)

    def test_a_question_of_the_terminal_is_asked_once(self):
        command = shlex.join([QRING, "admin", "user", "create", "lee@example.org", "--data",
            self.server.folder, "--lang", "en"])
        with Window(["sh", "-c", f"{command}; read done"], Server.environment()) as window:
            for prompt, answer in [("Name", "Lee"), ("Password", "a long password 42"),
                    ("Repeat", "a long password 42")]:
                window.wait_for_text(prompt)
                window.type(answer)
                window.press("Enter")
            window.wait_for_text("lee@example.org was created")
            self.assertEqual(window.text.count("Repeat"), 1)
        self.assertIn("lee@example.org", str(self.admin("user", "list").answer))


if __name__ == "__main__":
    unittest.main()
