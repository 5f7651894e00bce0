"""The dashboard in a real terminal, beside a real server."""
import os
import signal
import subprocess
import tempfile
import unittest

from host import Host, check_in, code_of
from qr_reading import decode
from server_process import DEADLINE, QRING, Lines, Server, wait_until
from terminal import PROMPT, Terminal, draw_screen


class DashboardCase(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)

    def open(self, *size, **environment):
        return self.enterContext(Terminal(self.server.url, self.host.token, *size, **environment))

    def decoded(self, terminal):
        with tempfile.NamedTemporaryFile(suffix=".pgm") as picture:
            picture.write(draw_screen(terminal.screen))
            picture.flush()
            return decode(picture.name)


class SessionTests(DashboardCase):
    def test_a_host_runs_a_session_from_the_dashboard(self):
        session = self.host.session(plannedCount=12)
        terminal = self.open()
        before = terminal.settings
        terminal.dashboard("@")
        terminal.wait_for_text("Study group", "0 of 12 checked in", "Nobody yet", "What should we repeat?")
        self.assertEqual(terminal.ask("alternate_on"), "1")
        # A new attendee is shown and counted.
        check_in(self.host, session, "Kim Minji", "minji@example.org").expect(201)
        terminal.wait_for_text("1 of 12 checked in", "Kim Minji", "present 1")
        check_in(self.host, session, "이준", "jun@example.org").expect(201)
        terminal.wait_for_text("2 of 12 checked in", "이준")
        # One is marked late, and the mark is undone.
        terminal.type("/")
        terminal.type("minji")
        terminal.wait_for_text("1 of 2")
        terminal.press("Enter")
        terminal.type("l")
        terminal.wait_for_text("Kim Minji: late. Press u to undo.", "present 1  late 1")
        self.assertEqual(self.statuses(session), {"Kim Minji": "late", "이준": "present"})
        terminal.type("u")
        terminal.wait_for_text("Kim Minji: present again", "present 2  late 0")
        self.assertEqual(self.statuses(session), {"Kim Minji": "present", "이준": "present"})
        # A larger terminal is used; too small a one says how much it needs.
        terminal.press("Escape")
        terminal.type("1")
        terminal.resize(120, 40)
        terminal.wait_for_text("What should we repeat?", "What did you miss?", "How was it?")
        terminal.resize(40, 12)
        terminal.wait_for_text("2/12", session["joinCode"])
        terminal.resize(30, 8)
        terminal.wait_for_text("needs 40×12")
        terminal.resize(80, 24)
        terminal.wait_for_text("2 of 12 checked in")
        terminal.type("?")
        terminal.wait_for_text("present late absent excused")
        terminal.press("Escape")
        terminal.type("q")
        terminal.wait_for(lambda text: terminal.ask("alternate_on") == "0" and PROMPT.strip() in text)
        terminal.wait_for_settings(before)

    def statuses(self, session):
        people = self.host.all(f"/api/v1/sessions/{session['id']}/attendees")
        return {person["name"]: person["status"] for person in people}

    def test_the_code_on_a_screen_of_80x24_can_be_read(self):
        session = self.host.session()
        terminal = self.open()
        terminal.dashboard(session["id"])
        terminal.wait_for_text("█")
        self.assertEqual(self.decoded(terminal), [session["checkInUrl"]])
        # Also on the whole screen, and without colours on a dark background.
        terminal.type("c")
        terminal.wait_for(lambda text: "Overview" not in text)
        self.assertEqual(self.decoded(terminal), [session["checkInUrl"]])
        terminal.resize(160, 50)
        terminal.wait_for(lambda text: "Overview" not in text and len(text.split("\n")) == 50)
        self.assertEqual(self.decoded(terminal), [session["checkInUrl"]])
        plain = self.open(NO_COLOR="1")
        plain.dashboard(session["id"])
        plain.wait_for_text("█")
        self.assertEqual(self.decoded(plain), [session["checkInUrl"]])
        self.assertTrue(
            all(cell.fg == cell.bg == "default" for row in plain.screen.buffer.values()
                for cell in row.values()))

    def test_the_code_follows_the_one_that_rotates(self):
        session = self.host.session(session={"codeKind": "rotating"})
        terminal = self.open()
        terminal.dashboard("@")
        first = terminal.wait_for(lambda _: self.decoded(terminal))
        second = terminal.wait_for(lambda _: [text for text in self.decoded(terminal) if [text] != first])
        self.host.post("/api/v1/grants", {"code": second[0].rsplit("/", 1)[1]}, token=None).expect(201)
        self.assertEqual(len(code_of(session)), len(second[0].rsplit("/", 1)[1]))

    def test_korean_texts_keep_their_columns(self):
        session = self.host.session("수요일 독서 모임")
        for name in ["김민지", "Lee Jun", "e\u0301va 👩‍👩‍👧"]:
            check_in(self.host, session, name, f"{len(name)}@example.org").expect(201)
        terminal = self.open(LANG="ko_KR.UTF-8")
        terminal.dashboard("@")
        terminal.wait_for_text("수요일 독서 모임", "3명 체크인", "출석 3", "김민지")
        rows = [row for row in terminal.screen.display if "출석" in row and ":" in row]
        # The words at the end of the lines form one column. A wide character is two cells, and pyte leaves
        # the second one empty.
        ends = set()
        screen = terminal.screen
        for y in range(screen.lines):
            if any(screen.buffer[y][x].data == ":" for x in range(4)) and "출석" in screen.display[y]:
                ends.add(next(x for x in range(9, screen.columns) if screen.buffer[y][x].data == "출"))
        self.assertEqual(len(rows), 3, terminal.text)
        self.assertEqual(len(ends), 1, terminal.text)

    def test_the_mouse_chooses_and_scrolls(self):
        session = self.host.session()
        for number in range(30):
            check_in(self.host, session, f"Guest {10 + number}", f"g{number}@example.org").expect(201)
        terminal = self.open()
        terminal.dashboard("@")
        terminal.wait_for_text("30 checked in")

        def at(text):
            row, line = next((row, line) for row, line in enumerate(terminal.screen.display) if text in line)
            return line.index(text) + 1, row + 1

        def told(*numbers):
            terminal.type("\x1b[M" + "".join(chr(32 + number) for number in numbers))

        def mouse(button, column, row):
            for code in [button, 3]:
                told(code, column, row)

        # A late release of the button delays nothing.
        told(0, *at("2   3   4"))
        terminal.wait_for_text("30 of 30")
        told(3, *at("Attendees"))
        check_in(self.host, session, "Late", "late@example.org").expect(201)
        terminal.wait_for_text("31 of 31")
        mouse(0, *at("Guest 14"))
        terminal.wait_for_text("▸ Guest 14")
        for _ in range(5):
            mouse(65, 5, 15)
        terminal.wait_for_text("▸ Guest 29")
        # A click shows the code on the whole screen, and another one closes it.
        mouse(0, 60, 8)
        terminal.wait_for(lambda text: "2 Attendees" not in text)
        self.assertEqual(self.decoded(terminal), [session["checkInUrl"]])
        mouse(0, 40, 12)
        terminal.wait_for_text("▸ Guest 29")

    def test_a_lost_connection_shows_a_countdown_and_resumes(self):
        session = self.host.session()
        terminal = self.open()
        terminal.dashboard("@")
        port = self.server.port
        self.server.kill()
        terminal.wait_for_text("reconnecting")
        again = subprocess.Popen(
            [QRING, "serve", "--listen", f"127.0.0.1:{port}", "--data", self.server.folder, "--signup",
                "open", "--log", "text"],
            env=self.server.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(again.wait, DEADLINE)
        self.addCleanup(again.kill)
        Lines(again.stderr).wait_for_match(r"listening on port")
        # The kept connection belonged to the old server.
        self.host.close()
        check_in(self.host, session, "Came meanwhile", "m@example.org").expect(201)
        terminal.wait_for_text("Came meanwhile", "1 checked in")
        terminal.wait_for_text("● live")


class HomeTests(DashboardCase):
    def test_todays_sessions_are_live_and_can_be_opened(self):
        near = self.host.session("Study group", plannedCount=30)
        far = self.host.meeting("Next week", starts=7 * 24 * 60, ends=7 * 24 * 60 + 60)
        terminal = self.open()
        terminal.dashboard()
        terminal.wait_for_text("Today", "Study group", "0/30", "Later", "Next week")
        check_in(self.host, near, "Kim", "kim@example.org").expect(201)
        terminal.wait_for_text("1/30")
        self.host.session("Just planned", starts=30)
        terminal.wait_for_text("Just planned")
        self.host.delete(f"/api/v1/meetings/{far['meeting']['id']}").expect(204)
        terminal.wait_for(lambda text: "Next week" not in text)
        terminal.press("Enter")
        terminal.wait_for_text("1 of 30 checked in", "Kim")
        terminal.type("h")
        terminal.wait_for_text("Today", "Just planned")
        terminal.type("q")
        terminal.wait_for_text(PROMPT.strip())

    def test_a_key_opens_home_from_a_named_session(self):
        near = self.host.session("Study group", plannedCount=30)
        self.host.session("Just planned", starts=30)
        terminal = self.open()
        terminal.dashboard(near["id"])
        terminal.type("h")
        terminal.wait_for_text("Today", "Just planned", "▸ ●", "0/30")
        check_in(self.host, near, "Kim", "kim@example.org").expect(201)
        terminal.wait_for_text("1/30")
        terminal.press("Enter")
        terminal.wait_for_text("1 of 30 checked in", "Kim")


class TerminalTests(DashboardCase):
    """The state of the terminal after each way of ending."""

    def setUp(self):
        super().setUp()
        self.session = self.host.session()

    def started(self, **environment):
        terminal = self.open(**environment)
        before = terminal.settings
        terminal.dashboard("@")
        return terminal, before

    def assert_whole(self, terminal):
        """The shell echoes and reads lines; nothing of the dashboard is left."""
        terminal.wait_for(lambda text: terminal.ask("alternate_on") == "0")
        terminal.press("Enter")
        terminal.type("echo $((40+2)) $(stty -a | grep -c ' icanon') $(stty -a | grep -c ' echo ')")
        terminal.press("Enter")
        terminal.wait_for_text("42 1 1")
        self.assertEqual(terminal.ask("cursor_flag"), "1")
        self.assertEqual(terminal.ask("mouse_any_flag"), "0")
        # Its guard ends with it.
        wait_until(lambda: subprocess.run(["pgrep", "-g", terminal.group], capture_output=True).returncode,
            lambda: "its guard stays")

    def test_signals_crashes_and_kills_restore_the_terminal(self):
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL,
                signal.SIGSEGV, signal.SIGABRT]:
            with self.subTest(number.name):
                # The runtime's message about a crash must not wait for a key.
                terminal, _ = self.started(SWIFT_BACKTRACE="interactive=no")
                process = terminal.process()
                terminal.group = str(os.getpgid(process))
                os.kill(process, number)
                self.assert_whole(terminal)

    def test_quitting_restores_the_terminal_and_sets_the_exit_code(self):
        for key, code in [("q", "0"), ("C-c", "130")]:
            terminal, _ = self.started()
            terminal.group = str(os.getpgid(terminal.process()))
            terminal.press(key)
            terminal.wait_for(lambda text: terminal.ask("alternate_on") == "0")
            terminal.type("echo code=$?")
            terminal.press("Enter")
            terminal.wait_for_text(f"code={code}")
            self.assert_whole(terminal)

    def test_a_stopped_dashboard_continues(self):
        terminal, _ = self.started()
        terminal.press("C-z")
        terminal.wait_for_text("Stopped")
        self.assertEqual(terminal.ask("alternate_on"), "0")
        check_in(self.host, self.session, "Came meanwhile", "m@example.org").expect(201)
        terminal.run("fg")
        terminal.wait_for_text("Came meanwhile", "1 checked in")
        self.assertEqual(terminal.ask("alternate_on"), "1")
        terminal.type("q")
        terminal.wait_for(lambda text: terminal.ask("alternate_on") == "0")

    def test_a_dumb_terminal_gets_ascii(self):
        for environment in [{"LANG": "C", "LC_ALL": "C"}, {"kind": "dumb"}]:
            terminal = self.open(**environment)
            terminal.dashboard("@")
            check_in(self.host, self.session, "김민지", f"{len(environment)}@example.org").expect(201)
            terminal.wait_for_text("checked in", "??????", "* live")
            self.assertTrue(terminal.text.isascii(), terminal.text)
            terminal.type("q")
            terminal.wait_for(lambda text: text.rstrip().endswith(PROMPT.strip()))

    def test_without_a_terminal_the_dashboard_prints_lines(self):
        environment = {**Server.environment(), "QRING_SERVER": self.server.url,
            "QRING_TOKEN": self.host.token}
        for words in [["@"], []]:
            ran = subprocess.Popen(
                [QRING, "dashboard", *words], env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                text=True)
            lines = Lines(ran.stdout)
            lines.wait_for_match(r"in \d")
            before = len(lines.lines)
            check_in(self.host, self.session, "Kim", f"kim{len(words)}@example.org").expect(201)
            lines.wait_for(lambda found: any("in " in line for line in found[before:]))
            self.assertFalse(any("\x1b" in line for line in lines.lines))
            ran.send_signal(signal.SIGINT)
            self.assertEqual(ran.wait(DEADLINE), 130)


if __name__ == "__main__":
    unittest.main()
