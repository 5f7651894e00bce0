"""Tab in real shells completes commands, options, values, and the names of meetings, which come from the
server."""
import os
import re
import shutil
import socket
import subprocess
import tempfile
import unittest

from host import Host, check_in
from server_process import DEADLINE, QRING, SANITIZING, Server
from terminal import Window

NAME = "Study group (자바)"
# fish may quote in another way.
ESCAPED = re.escape(r"Study\ group\ \(자바\)")
QUOTED = {"bash": ESCAPED, "zsh": ESCAPED, "fish": rf"({ESCAPED}|'{re.escape(NAME)}')"}


class ShellTests:
    """Tests for every shell. Each subclass gives its name and how to start it."""

    shell = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server("--signup", "open").start()
        cls.addClassCleanup(cls.server.close)
        cls.host = Host(cls.server)
        cls.session = cls.host.session(NAME)
        cls.other = cls.host.session("Reading circle")
        for name in ["Ann Berg", "Carl Berger", "이준호"]:
            check_in(cls.host, cls.other, name, f"{name[0].encode().hex()}@example.org").expect(201)
        for question in ["Ready?", "Again?"]:
            cls.host.post(f"/api/v1/sessions/{cls.other['id']}/polls",
                {"questions": [{"kind": "shortAnswer", "title": question}]}).expect(201)
        cls.host.post("/api/v1/tokens/named", {"name": "backup script", "access": "read"}).expect(201)

    def setUp(self):
        self.home = self.enterContext(
            tempfile.TemporaryDirectory(prefix="qring-test-", ignore_cleanup_errors=True))
        os.mkdir(os.path.join(self.home, "bin"))
        os.symlink(QRING, os.path.join(self.home, "bin", "qring"))
        self.environment = {
            "HOME": self.home, "PATH": f"{self.home}/bin:/usr/bin:/bin", "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8", "QRING_LANG": "en",
            "QRING_SERVER": self.server.url, "QRING_TOKEN": self.host.token,
            "SHELL": shutil.which(self.shell), **SANITIZING,
        }
        self.prepare()

    def script(self):
        return subprocess.run([QRING, "completion", self.shell], capture_output=True, text=True, check=True,
            timeout=DEADLINE).stdout

    def write(self, path, text):
        path = os.path.join(self.home, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def open(self):
        terminal = self.enterContext(Window(self.command, self.environment))
        terminal.wait_for_line(r"^ready>")
        return terminal

    def completed(self, typed, expected, tabs=1):
        """Types the text, presses Tab, and waits for the expected line. Returns the terminal. Completion
        waits a second for the server. On a busy machine this is too short, so it is tried again elsewhere."""
        for attempts in range(4, 0, -1):
            terminal = self.open()
            terminal.type(typed)
            terminal.press(*["Tab"] * tabs)
            try:
                terminal.wait_for_line(expected, DEADLINE / 4)
                return terminal
            except AssertionError:
                if attempts == 1:
                    raise

    def test_a_command_is_completed(self):
        self.completed("qring simu", r"^ready> ?qring simulate$")

    def test_a_command_of_a_group_is_completed(self):
        self.completed("qring meeting cr", r"^ready> ?qring meeting create$")

    def test_an_option_is_completed(self):
        self.completed("qring attendee list --sta", r"^ready> ?qring attendee list --status$")

    def test_the_value_of_an_option_is_completed(self):
        self.completed("qring attendee list --status exc", r"^ready> ?qring attendee list --status excused$")

    def test_the_value_behind_an_equals_sign_is_completed(self):
        self.completed("qring attendee list --status=exc", r"^ready> ?qring attendee list --status=excused$")

    def test_a_field_is_completed_behind_a_comma(self):
        self.completed("qring session list --json id,joi", r"^ready> ?qring session list --json id,joinCode$")

    def test_a_name_comes_from_the_server_and_is_quoted(self):
        self.completed("qring watch Stu", rf"^ready> ?qring watch {QUOTED[self.shell]}$")

    def test_a_name_in_quotes_is_completed_within_them(self):
        self.completed('qring watch "Rea', r'^ready> ?qring watch ("Reading circle"|Reading\\ circle)$')

    def test_an_id_is_completed(self):
        begun = self.other["meetingId"][:24]
        self.completed(f"qring meeting show {begun}",
            rf"^ready> ?qring meeting show {self.other['meetingId']}$")

    def test_an_attendee_is_found_by_any_part_of_the_name(self):
        quoted = {"fish": r"(Carl\\ Berger|'Carl Berger')"}.get(self.shell, r"Carl\\ Berger")
        self.completed('qring attendee remove "Reading circle" erger',
            rf'^ready> ?qring attendee remove "Reading circle" {quoted}$')

    def test_an_attendee_is_found_by_a_part_of_a_korean_name(self):
        self.completed('qring attendee edit "Reading circle" 준호',
            r'^ready> ?qring attendee edit "Reading circle" 이준호$')

    def test_a_poll_is_completed_in_the_session_before_it(self):
        self.completed('qring poll open "Reading circle" poll-2',
            r'^ready> ?qring poll open "Reading circle" poll-2$')
        self.completed('qring results "Reading circle" --set feed',
            r'^ready> ?qring results "Reading circle" --set feedback$')

    def test_a_token_is_completed_by_its_name(self):
        quoted = {"fish": r"(backup\\ script|'backup script')"}.get(self.shell, r"backup\\ script")
        self.completed("qring token revoke back", rf"^ready> ?qring token revoke {quoted}$")

    def test_several_completions_are_listed(self):
        terminal = self.completed("qring watch ", r"Reading\\? circle", tabs=2)
        terminal.wait_for_line("Study")

    def test_a_file_is_completed(self):
        self.write("questions.json", "[]")
        self.environment["PWD"] = self.home
        terminal = self.open()
        terminal.type(f"cd {self.home}")
        terminal.press("Enter")
        terminal.type("qring question set @ quest")
        terminal.press("Tab")
        terminal.wait_for_line(r"^ready> ?qring question set @ questions\.json$")

    def test_without_a_server_completion_prints_nothing(self):
        self.environment["QRING_SERVER"] = "http://127.0.0.1:1"
        terminal = self.open()
        terminal.type("qring watch Stu")
        terminal.press("Tab")
        terminal.type("X")
        terminal.wait_for_line(r"^ready> ?qring watch StuX$")
        self.assertFalse([line for line in terminal.lines if line and not line.startswith("ready>")])


class SilenceTests(unittest.TestCase):
    def test_completion_waits_only_a_moment_for_a_silent_server(self):
        with socket.create_server(("127.0.0.1", 0)) as mute:
            environment = {**Server.environment(),
                "QRING_SERVER": f"http://127.0.0.1:{mute.getsockname()[1]}", "QRING_TOKEN": "t"}
            # The program gives up after a second. A limit near that would measure the machine.
            ran = subprocess.run([QRING, "__complete", "zsh", "watch", ""], env=environment,
                capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "", ""))


class BashTests(ShellTests, unittest.TestCase):
    shell = "bash"
    command = ["bash", "--noprofile", "-i"]

    def prepare(self):
        self.write("qring.bash", self.script())
        self.write(".bashrc", "PS1='ready> '\nbind 'set enable-bracketed-paste off'\nsource ~/qring.bash\n")


class ZshTests(ShellTests, unittest.TestCase):
    shell = "zsh"
    command = ["zsh", "-i"]

    def prepare(self):
        self.write(".zfunc/_qring", self.script())
        self.write(".zshrc", "PS1='ready> '\nfpath=(~/.zfunc $fpath)\nautoload -Uz compinit && compinit -u\n")


class FishTests(ShellTests, unittest.TestCase):
    shell = "fish"
    command = ["fish", "-i"]

    def prepare(self):
        self.write(".config/fish/completions/qring.fish", self.script())
        self.write(
            ".config/fish/config.fish",
            "function fish_prompt; printf 'ready> '; end\nset -g fish_greeting\nset -g "
            "fish_autosuggestion_enabled 0\n")


if __name__ == "__main__":
    unittest.main()
