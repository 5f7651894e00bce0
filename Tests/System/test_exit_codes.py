"""Every exit code that `qring help exit-codes` publishes, from the real program; its questions; and its time
to the first output."""
import datetime
import os
import re
import signal
import subprocess
import tempfile
import unittest

import pytest

from host import Host, check_in
from qr_reading import decode
from server_process import DEADLINE, QRING, Server, measured
from terminal import Terminal, Window, squeezed

# Processor time, not wall-clock time, so other programs on the machine do not count. A debug build needs
# about 40 ms.
MOST_CPU_SECONDS = 0.1


class HostsMachine:
    """A machine with its own settings, signed in by the environment."""

    def __init__(self, test, url, token=None):
        self.folder = test.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        self.environment = {**Server.environment(), "HOME": self.folder, "XDG_CONFIG_HOME": self.folder,
            "QRING_SERVER": url, "QRING_LANG": "en"}
        if token:
            self.environment["QRING_TOKEN"] = token

    def start(self, *words):
        return subprocess.Popen(
            [QRING, *words], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def run(self, *words):
        process = self.start(*words)
        out, err = process.communicate(timeout=DEADLINE)
        return process.returncode, out, err


class ExitCodeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--signup", "open").start()
        cls.addClassCleanup(cls.server.close)
        cls.host = Host(cls.server)
        cls.session = cls.host.session("Study group")
        check_in(cls.host, cls.session, "Ann", "ann@example.org").expect(201)

    def machine(self, url=None, token=None):
        return HostsMachine(self, url or self.server.url, token or self.host.token)

    def ends(self, code, *words, machine=None, says=None):
        found, out, err = (machine or self.machine()).run(*words)
        self.assertEqual(found, code, f"{words}\n{out}{err}")
        if says:
            self.assertRegex(err, says)
        return out, err

    def test_a_code_that_was_typed_wrong_gets_one_diagnosis(self):
        right = self.session["joinCode"]
        wrong = right[:-1] + ("2" if right[-1] != "2" else "3")
        _, err = self.ends(1, "checkin", wrong, "--name", "A", "--email", "a@example.org",
            says=f"^qring: the code {wrong} is not valid now. Compare it with the code on the screen.$")
        self.assertNotIn("expired", err)
        self.ends(1, "checkin", self.server.url + "/C/ABCDEF", "--name", "A", "--email", "a@example.org",
            says="^qring: this code has expired. Scan the one on the screen now.$")

    def test_a_word_after_json_that_is_no_field_names_the_fields(self):
        self.ends(5, "session", "list", "--json", "nofield",
            says='(?s)no session or meeting "nofield".*The fields are: id, meetingId, ')

    def test_0_done(self):
        self.ends(0, "session", "show", "@")

    def test_1_failed(self):
        self.ends(1, "meeting", "list", machine=self.machine("http://127.0.0.1:1"),
            says="http://127.0.0.1:1 cannot be reached")
        # The server that answers is no QRing server.
        self.ends(1, "question", "set", self.session["id"], "/nonexistent",
            says="/nonexistent cannot be read: No such file")

    def test_2_usage(self):
        self.ends(2, "wach", says=r"Did you mean qring watch\?")
        self.ends(2, "qr", "--size", "4096", says="from 64 to 2048")
        self.ends(2, "admin", "verify", "--server", self.server.url, says="unknown option --server")

    def test_4_not_allowed(self):
        machine = HostsMachine(self, self.server.url)
        self.ends(4, "meeting", "list", machine=machine, says="qring login")
        self.ends(4, "session", "show", self.session["id"],
            machine=self.machine(token=Host(self.server).token))

    def test_4_says_whose_token_it_is(self):
        # Signing in does not replace a token from the environment.
        out, err = self.ends(4, "meeting", "list", machine=self.machine(token="qat_void"), says="QRING_TOKEN")
        self.assertNotIn("Bearer", err)
        self.assertEqual(err.splitlines()[1], "  unset QRING_TOKEN")
        # The message about a saved token that cannot be refreshed differs from that of a wrong password.
        machine = HostsMachine(self, self.server.url)
        password = os.path.join(machine.folder, "password")
        with open(password, "w", encoding="utf-8") as file:
            file.write("correct horse battery")
        self.ends(0, "login", "--email", self.host.email, "--password-file", password, machine=machine)
        settings = os.path.join(machine.folder, "qring", "config.json")
        with open(settings, encoding="utf-8") as file:
            text = re.sub(r'("(?:access|refresh)Token" *: *")[^"]*', r"\1void", file.read())
        with open(settings, "w", encoding="utf-8") as file:
            file.write(text)
        out, err = self.ends(4, "meeting", "list", machine=machine, says="your sign-in has expired")
        self.assertEqual(err.splitlines()[1], "  qring login")

    def test_5_not_found(self):
        self.ends(5, "session", "show", "Stdy", says='Did you mean "Study group"')
        self.ends(5, "session", "show", "Study group#9")

    def test_5_suggests_the_attendee_that_was_meant(self):
        self.ends(5, "attendee", "edit", "Anne", "--session", self.session["id"], "--status", "late",
            says='Did you mean "Ann"')

    def test_0_finds_a_session_by_the_end_of_its_id_and_by_its_join_code(self):
        for words in [[self.session["id"][-6:].lower()], [self.session["joinCode"]],
                ["--session", self.session["joinCode"].lower()]]:
            out, _ = self.ends(0, "session", "show", *words)
            self.assertIn(self.session["id"], out)
            # People type the join code at this address.
            self.assertIn(f"(to type at 127.0.0.1:{self.server.port})", out)

    def test_0_changes_the_planned_count_of_the_next_session(self):
        _, err = self.ends(0, "meeting", "edit", self.session["meetingId"], "--planned", "7")
        self.assertIn("planned count: 0 → 7", err)

    def test_0_the_journal_has_dates(self):
        out, _ = self.ends(0, "session", "journal", "--session", self.session["id"])
        self.assertRegex(out, r"(?m)^1 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +created")

    def test_0_all_written_answers_can_be_read(self):
        host = Host(self.server)
        session = host.session("Written")
        question = host.questions(session)["shortAnswer"]
        rating = host.questions(session)["rating"]
        for number in range(12):
            receipt = check_in(host, session, f"Guest {number}", f"w{number}@example.org").expect(201)
            host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": {
                question: f"Text number {number}.", rating: 4}}, token=receipt.json["receipt"]).expect(201)
        machine = self.machine(token=host.token)
        out, _ = self.ends(0, "results", session["id"], machine=machine)
        self.assertEqual(out.count("Text number"), 7)
        self.assertIn(f"5 more answers: qring results {session['id']} --all", out)
        out, _ = self.ends(0, "results", session["id"], "--all", machine=machine)
        self.assertEqual(len(set(re.findall(r"Text number \d+\.", out))), 12)

    def test_6_conflict(self):
        host = Host(self.server)
        for _ in range(2):
            host.session("Twins")
        machine = self.machine(token=host.token)
        _, err = self.ends(6, "watch", "twins", machine=machine, says="one of these ids")
        self.assertEqual(len(re.findall(r"^  [0-9A-Z]{26}  Twins#1, ", err, re.MULTILINE)), 2, err)
        self.ends(6, "meeting", "delete", "Study group", "--yes", says="--confirm 'Study group'")
        self.ends(6, "meeting", "create", "X", "--now", says="--allow-overlap")

    def test_124_timed_out(self):
        self.ends(
            124, "watch", "@", "--until", "checked-in=50", "--timeout", "300ms",
            says="checked-in=50 was not reached")
        self.ends(124, "watch", "@", "--timeout", "300ms", says="timed out after 300 ms")
        # A reached goal counts, whatever the time limit.
        self.ends(0, "watch", "@", "--until", "checked-in=1", "--timeout", f"{DEADLINE}s")

    def test_124_if_the_time_ends_while_connecting(self):
        for milliseconds in range(20, 260, 8):
            limit = f"{milliseconds}ms"
            self.ends(124, "watch", "@", "--timeout", limit, says=f"timed out after {milliseconds} ms")

    def test_130_interrupted(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = self.machine().start("watch", "@")
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.stderr.close)
            self.assertRegex(process.stdout.readline(), "in 1")
            process.send_signal(number)
            self.assertEqual(process.wait(DEADLINE), 130)

    def test_every_published_code_has_its_test(self):
        out, _ = self.ends(0, "help", "exit-codes")
        published = set(re.findall(r"^  (\d+) ", out, re.MULTILINE))
        tested = {match.group(1) for name in dir(self) if (match := re.match(r"test_(\d+)_", name))}
        self.assertEqual(published, tested)


@pytest.mark.alone("measures processor time")
class FirstOutputTests(unittest.TestCase):
    @measured
    def test_help_takes_less_than_a_tenth_of_a_second(self):
        environment = {**Server.environment(), "XDG_CONFIG_HOME": "/nonexistent"}
        for words in [["version"], ["help"], ["meeting", "create", "--help"]]:
            costs = []
            for _ in range(5):
                process = subprocess.Popen([QRING, *words], env=environment, stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                self.assertEqual(process.returncode, 0)
                costs.append(usage.ru_utime + usage.ru_stime)
            self.assertLess(min(costs), MOST_CPU_SECONDS, words)


class AskingTests(unittest.TestCase):
    """Questions at a terminal, and the options that avoid them."""

    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.environment = {
            **HostsMachine(self, self.server.url, self.host.token).environment, "PATH": os.environ["PATH"],
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
        }

    def open(self, *words):
        shown = ["sh", "-c", '"$@"; echo "ended with $?"; exec sleep 600', "sh", QRING, *words]
        return self.enterContext(Window(shown, self.environment))

    def test_a_code_is_drawn_with_signs_of_ascii_if_it_fits(self):
        session = self.host.session()
        for variables in [{"LC_ALL": "C", "LANG": "C"}, {"TERM": "dumb"}]:
            environment = {**self.environment, **variables}
            for columns in [100, 60]:
                shown = ["sh", "-c", '"$@"; exec sleep 600', "sh", QRING, "qr", session["id"]]
                terminal = self.enterContext(Window(shown, environment, columns=columns, rows=60))
                terminal.wait_for_line("/C/")
                if columns == 60:
                    # Broken rows would be no code.
                    self.assertNotIn("####", terminal.text)
                    continue
                # Two cells are one module wide, and a cell is two high, so the picture is squeezed.
                with tempfile.NamedTemporaryFile(suffix=".pgm") as file:
                    file.write(squeezed(terminal.screen))
                    file.flush()
                    self.assertEqual(decode(file.name), [session["checkInUrl"]])

    def test_a_deletion_needs_the_answer_yes(self):
        name = self.host.meeting("Rehearsal")["meeting"]["name"]
        terminal = self.open("meeting", "delete", name)
        # The question names the data that the deletion deletes.
        terminal.wait_for_line(r"Delete Rehearsal\? This deletes all its sessions with their check-ins,")
        terminal.wait_for_line(r"cannot be undone\. \[y/N\]")
        terminal.press("Enter")
        terminal.wait_for_line("ended with 1")
        terminal = self.open("meeting", "delete", name)
        terminal.wait_for_line(r"\[y/N\]")
        terminal.type("y")
        terminal.press("Enter")
        terminal.wait_for_line("ended with 0")

    def test_yes_and_no_input_ask_nothing(self):
        self.host.meeting("Rehearsal")
        # Without a question, a deletion needs --yes.
        self.open("meeting", "delete", "Rehearsal", "--no-input").wait_for_line("ended with 2")
        self.open("meeting", "delete", "Rehearsal", "--yes").wait_for_line("ended with 0")
        self.open("login", "--email", "a@example.org", "--no-input").wait_for_line("ended with 2")

    def test_a_password_is_not_shown_while_it_is_typed(self):
        terminal = self.open("login", "--email", self.host.email)
        terminal.wait_for_line("Password:")
        terminal.type("correct horse battery")
        terminal.press("Enter")
        terminal.wait_for_line("ended with 0")
        self.assertFalse([line for line in terminal.lines if "horse" in line])

    def test_a_password_is_hidden_again_after_a_suspension(self):
        terminal = self.enterContext(Terminal(self.server.url, "", **{
            name: self.environment[name] for name in ["XDG_CONFIG_HOME", "QRING_LANG"]}))
        terminal.run(QRING, "login", "--email", self.host.email)
        terminal.wait_for_line("Password:")
        terminal.press("C-z")
        terminal.wait_for_text("Stopped")
        terminal.run("fg")
        # The command repeats the question when it continues.
        terminal.wait_for(lambda text: text.count("Password:") == 2)
        terminal.type("correct horse battery")
        terminal.press("Enter")
        terminal.wait_for_text("Signed in")
        self.assertFalse([line for line in terminal.lines if "horse" in line])

    def test_an_end_that_has_just_passed_is_shown_and_asked(self):
        # The zone in which it is noon now, so that half an hour ago is the same day.
        now = datetime.datetime.now(datetime.timezone.utc)
        ends = now.replace(hour=12) - datetime.timedelta(minutes=30)
        zone = f"Etc/GMT{now.hour - 12:+d}"
        words = ["meeting", "create", "Late", "--now", "--zone", zone, "--ends", f"{ends:%H:%M}"]
        terminal = self.open(*words)
        terminal.wait_for_line(rf"ends on another day: \S+ {ends:%H:%M} \(after 23 h")
        terminal.wait_for_line(r"Is this right\? \[y/N\]")
        terminal.press("Enter")
        terminal.wait_for_line("ended with 1")
        # Without a terminal, the command says it and goes on.
        code, _, err = HostsMachine(self, self.server.url, self.host.token).run(*words)
        self.assertEqual(code, 0, err)
        self.assertIn("ends on another day", err)

    def test_a_table_fits_the_terminal(self):
        name = "함께 읽는 자바스크립트 깊은 이야기 모임, 그리고 그 다음 이야기"
        made = self.host.meeting(name)["meeting"]
        shown = ["sh", "-c", '"$@"; echo "ended with $?"; exec sleep 600', "sh", QRING, "meeting", "list"]
        terminal = self.enterContext(Window(shown, self.environment, columns=72))
        terminal.wait_for_line("ended with 0")
        # The name wraps, so that the time and the id stay whole.
        head, row, *rest = [line for line in terminal.lines if line]
        self.assertRegex(row, rf"함께 .* \d{{4}}-\d\d-\d\d \d\d:\d\d  {made['id']}$")
        for word in name.split():
            self.assertIn(word, "".join([row, *rest]))

    def test_in_40_columns_a_table_wraps_its_names_and_keeps_its_ids(self):
        made = self.host.meeting("An introduction to category theory")["meeting"]
        shown = ["sh", "-c", '"$@"; echo "ended with $?"; exec sleep 600', "sh", QRING, "meeting", "list"]
        terminal = self.enterContext(Window(shown, self.environment, columns=40))
        terminal.wait_for_line("ended with 0")
        self.assertIn(made["id"], terminal.text)
        self.assertIn("category", terminal.text)
        self.assertNotIn("…", terminal.text)

    def test_bars_and_help_fit_a_narrow_terminal(self):
        session = self.host.session("Narrow", session={"questions": [
            {"kind": "rating", "title": "Stars", "scale": 5},
            {"kind": "multipleChoice", "title": "Tea",
                "choices": [{"label": "A label of so many words that it cannot stand there"},
                    {"label": "Green"}]}]})
        HostsMachine(self, self.server.url, self.host.token).run("simulate", session["id"], "--attendees",
            "6", "--over", "1s", "--seed", "1")
        for words in [["results", "Narrow"], ["help", "meeting", "create"]]:
            shown = ["sh", "-c", '"$@"; echo "ended with $?"; exec sleep 600', "sh", QRING, *words]
            # tmux continues a line that does not fit in the next line.
            terminal = self.enterContext(Window(shown, self.environment, columns=40, rows=150))
            terminal.wait_for_line("ended with 0")
            whole = terminal.tmux("capture-pane", "-p", "-J").split("\n")
            self.assertEqual(
                [line for line in whole if len(line.rstrip()) > 40
                    and not line.startswith(("  qring ", "Usage:"))], [])

    def test_a_simulation_shows_its_progress(self):
        self.host.session()
        terminal = self.open("simulate", "@", "--attendees", "40", "--over", "3s", "--seed", "1")
        terminal.wait_for_line(r"attendees \[█+.*\] +\d+%  \d+/40  ETA 0:0\d")
        terminal.wait_for_line("ended with 0")
        self.assertFalse([line for line in terminal.lines if "ETA" in line])


if __name__ == "__main__":
    unittest.main()
