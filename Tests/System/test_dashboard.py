"""The dashboard in a real terminal, beside a real server."""
import os
import signal
import subprocess
import tempfile
import unittest

from host import QUESTIONS, Host, check_in, code_of, moment
from qr_reading import decode
from server_process import DEADLINE, QRING, Lines, Server, free_port, wait_until
from terminal import PROMPT, Terminal, draw_screen


class DashboardCase(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open", port=free_port()))
        self.host = Host(self.server)

    def open(self, *size, **environment):
        return self.enterContext(Terminal(self.server.url, self.host.token, *size, **environment))

    def decoded(self, terminal):
        with tempfile.NamedTemporaryFile(suffix=".pgm") as picture:
            picture.write(draw_screen(terminal.screen))
            picture.flush()
            return decode(picture.name)

    def wait_for_code(self, terminal, session):
        terminal.wait_for(lambda _: self.decoded(terminal) == [session["checkInUrl"]])


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
        terminal.wait_for_text("Keys here", "ask a poll now", "2 of 12 checked in")
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
        self.wait_for_code(terminal, session)
        # Also on the whole screen, and without colours on a dark background.
        terminal.type("c")
        terminal.wait_for(lambda text: "1 All" not in text)
        self.wait_for_code(terminal, session)
        terminal.resize(160, 50)
        terminal.wait_for(lambda text: "1 All" not in text and len(text.split("\n")) == 50)
        self.wait_for_code(terminal, session)
        plain = self.open(NO_COLOR="1")
        plain.dashboard(session["id"])
        plain.wait_for_text("█")
        self.wait_for_code(plain, session)
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
        # The words at the end of the lines form one column. A wide character is two cells, and pyte leaves
        # the second one empty.
        def ends():
            screen = terminal.screen
            return [next(x for x in range(9, screen.columns) if screen.buffer[y][x].data == "출")
                for y in range(screen.lines)
                if any(screen.buffer[y][x].data == ":" for x in range(4)) and "출석" in screen.display[y]]

        terminal.wait_for(lambda _: len(ends()) == 3)
        self.assertEqual(len(set(ends())), 1, terminal.text)

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
        told(0, *at("2 People"))
        terminal.wait_for_text("30 of 30")
        told(3, *at("2 People"))
        check_in(self.host, session, "Late", "late@example.org").expect(201)
        terminal.wait_for_text("31 of 31")
        mouse(0, *at("Guest 14"))
        terminal.wait_for_text("▸ Guest 14")
        # Over a slow line, a press and its release arrive together.
        for name in ["Guest 16", "Guest 12", "Guest 14"]:
            column, row = at(name)
            terminal.type("".join(f"\x1b[M{chr(32 + code)}{chr(32 + column)}{chr(32 + row)}"
                for code in (0, 3)))
            terminal.wait_for_text(f"▸ {name}")
        for _ in range(5):
            mouse(65, 5, 15)
        terminal.wait_for_text("▸ Guest 29")
        # A click shows the code on the whole screen, and another one closes it.
        mouse(0, 60, 8)
        terminal.wait_for(lambda text: "2 People" not in text)
        self.wait_for_code(terminal, session)
        mouse(0, 40, 12)
        terminal.wait_for_text("▸ Guest 29")

    def test_a_lost_connection_shows_a_countdown_and_resumes(self):
        session = self.host.session()
        terminal = self.open()
        terminal.dashboard("@")
        self.server.kill()
        terminal.wait_for_text("reconnecting", "last update", "R retry now")
        self.server.start()
        terminal.type("R")
        # The kept connection belonged to the old server.
        self.host.close()
        check_in(self.host, session, "Came meanwhile", "m@example.org").expect(201)
        terminal.wait_for_text("Came meanwhile", "1 checked in")
        terminal.wait_for_text("● live")


class EveningTests(DashboardCase):
    """A host runs a whole evening from the keyboard. The journal and the sets show what arrived."""

    def test_an_evening_from_the_dashboard_is_in_the_journal(self):
        other = self.host.session("Choir")
        made = self.host.meeting("Book club", starts=-3000, ends=-2900)
        self.host.post(f"/api/v1/sessions/{made['session']['id']}/attendees",
            {"name": "Lee Jun", "email": "lee@example.org", "status": "late"}).expect(201)
        self.session = self.host.post(f"/api/v1/meetings/{made['meeting']['id']}/sessions",
            {"startsAt": moment(-5), "endsAt": moment(120), "plannedCount": 4, "questions": QUESTIONS,
                "allowOverlap": True}).expect(201).json
        self.path = f"/api/v1/sessions/{self.session['id']}"
        poll = {"questions": [{"kind": "yesNo", "title": "A break?"}]}
        self.host.post(f"{self.path}/polls", poll).expect(201)
        self.attend()
        terminal = self.open(120, 40)
        terminal.dashboard(self.session["id"])
        terminal.wait_for_text("3 of 4 checked in", "Kim Minji checked in", "What did you miss?")
        self.add_and_correct(terminal)
        self.select_and_sort(terminal)
        self.run_polls(terminal)
        self.moderate(terminal)
        self.end(terminal)
        terminal.type("q")
        terminal.wait_for_text(PROMPT.strip())
        self.assert_journal()
        # Nothing of the other session was touched.
        after = self.host.get(f"/api/v1/sessions/{other['id']}").expect(200).json
        self.assertEqual(after["version"], other["version"])

    def attend(self):
        """Three attendees check in and answer."""
        questions = self.host.questions(self.session)
        for number, name in enumerate(["Kim Minji", "Lee Jun", "Omar Haddad"]):
            receipt = check_in(self.host, self.session, name,
                f"{name[:3]}@example.org".lower()).expect(201).json["receipt"]
            self.host.post(f"{self.path}/responses",
                {"answers": {questions["rating"]: 5, questions["shortAnswer"]: f"Tea {number}"}},
                token=receipt).expect(201)

    def add_and_correct(self, terminal):
        """Adds a walk-in, and corrects one attendee with a reason."""
        terminal.type("w")
        terminal.wait_for_text("Add a walk-in", "Name", "E-mail", "Note")
        for text in ["Zoe Young", "zoe@example.org", "no phone"]:
            terminal.type(text)
            terminal.wait_for_text(text)
            terminal.press("Enter")
        terminal.wait_for_text("Zoe Young: present", "4 of 4 checked in")
        # The palette finds a person by some letters, and shows their details and history.
        terminal.type(":")
        terminal.type("lejun")
        terminal.wait_for_text("▸ Lee Jun")
        terminal.press("Enter")
        terminal.wait_for_text("lee@example.org", "Earlier sessions", "session 1", "late")
        terminal.type("ml")
        terminal.wait_for_text("Correct Lee Jun", "‹ late ›")
        terminal.press("Down")
        terminal.type("bus was late")
        terminal.wait_for_text("bus was late")
        terminal.press("Enter")
        terminal.wait_for_text("Lee Jun: late. Press u to undo.", "bus was late")
        terminal.press("Escape")

    def select_and_sort(self, terminal):
        """Sorts the list, marks several attendees at once, and undoes and redoes it."""
        terminal.type("2s")
        terminal.wait_for_text("newest first")
        terminal.type("?")
        terminal.wait_for_text("Keys here", "select several attendees", "present 3  late 1")
        terminal.type("?")
        terminal.press("Home")
        terminal.type("  ")
        terminal.wait_for_text("2 selected")
        terminal.type("e")
        terminal.wait_for_text("2 attendees: excused", "excused 2")
        for key, said, counts in [("u", "Undone", "present 3  late 1"), ("U", "Redone", "excused 2"),
                ("u", "Undone", "present 3  late 1")]:
            terminal.type(key)
            terminal.wait_for_text(f"{said}: 2 attendees", counts)

    def run_polls(self, terminal):
        """Opens the prepared poll, shares and closes it, and asks a new one."""
        terminal.type("O")
        terminal.wait_for_text("Open the poll: A break?")
        terminal.press("Enter")
        terminal.wait_for_text("Open on 4 phones?")
        terminal.type("y")
        terminal.wait_for_text("Open: A break?", "● A break?")
        for key, asked, said, state in [("r", "Share with", "Results shared", "open · shared"),
                ("x", "Close on", "Closed", "closed · shared")]:
            terminal.type(key)
            terminal.wait_for_text(f"{asked} 4 phones?")
            terminal.type("y")
            terminal.wait_for_text(f"{said}: A break?", state)
        terminal.type("o")
        terminal.wait_for_text("Ask now")
        terminal.type("What next?")
        terminal.press("Enter")
        terminal.press("Enter")
        terminal.wait_for_text("The poll is open on all phones")

    def moderate(self, terminal):
        """Opens all texts of a question, and hides one."""
        terminal.type(":")
        terminal.type("did you miss")
        terminal.wait_for_text("▸ What did you miss?")
        terminal.press("Enter")
        terminal.press("Enter")
        terminal.wait_for_text("3 answers", "Tea 0", "Tea 1", "Tea 2")
        terminal.type("h")
        terminal.wait_for_text("Hidden (u to undo): Tea", "hidden")
        terminal.press("Escape")

    def end(self, terminal):
        """Makes the session longer, and ends it. Undo reopens it, and redo ends it again."""
        terminal.type("+")
        terminal.wait_for_text("+15m")
        terminal.press("Enter")
        terminal.wait_for_text("The session ends at")
        terminal.type(":")
        terminal.type("end session now")
        terminal.wait_for_text("▸ end the session now")
        terminal.press("Enter")
        terminal.wait_for_text("Change the end")
        terminal.press("Enter")
        terminal.wait_for(lambda text: "The session ends at" in text and "running" not in text)
        terminal.type("u")
        terminal.wait_for_text("Undone: New end", "running")
        terminal.type("U")
        terminal.wait_for_text("Redone: New end")
        terminal.wait_for(lambda text: "running" not in text)

    def assert_journal(self):
        events = self.host.all(f"{self.path}/journal")
        people = [(event["kind"], event["attendeeName"]) for event in events
            if event["kind"] in ("added", "corrected")]
        self.assertEqual(people[:2], [("added", "Zoe Young"), ("corrected", "Lee Jun")])
        self.assertEqual(sorted(people[2:]), [("corrected", "Omar Haddad"), ("corrected", "Zoe Young")])
        notes = [event["note"] for event in events if event.get("note")]
        self.assertEqual(notes, ["no phone", "bus was late"])
        # Two attendees were excused, and this was undone, redone and undone again.
        undone = [event for event in events if event["kind"] == "undone" and event.get("attendeeId")]
        self.assertEqual(len(undone), 6)
        ends = [change["to"] for event in events for change in event["data"].get("changes") or []
            if change["field"] == "endsAt"]
        self.assertEqual(len(ends), 4)
        self.assertEqual((ends[0], ends[1]), (ends[2], ends[3]), "redo ends the session again")
        self.assertEqual(self.host.get(self.path).expect(200).json["endsAt"], ends[3])
        statuses = {person["name"]: person["status"] for person in self.host.all(f"{self.path}/attendees")}
        self.assertEqual(statuses, {"Kim Minji": "present", "Lee Jun": "late", "Omar Haddad": "present",
            "Zoe Young": "present"})
        sets = {found["heading"]: found
            for found in self.host.get(f"{self.path}/sets").expect(200).json["items"]}
        self.assertEqual((sets["A break?"]["open"], sets["A break?"]["shared"]), (False, True))
        self.assertIn("What next?", sets)
        text = self.host.questions(self.session)["shortAnswer"]
        answers = self.host.get(f"/api/v1/questions/{text}/answers").expect(200).json["items"]
        self.assertEqual(sorted(answer["status"] for answer in answers), ["hidden", "visible", "visible"])
        self.assertEqual(len([event for event in events if event["kind"] == "moderated"]), 1)


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


class DemoTests(DashboardCase):
    def test_the_demo_ends_in_the_dashboard_and_leaves_its_summary_below(self):
        terminal = self.open(100, 40)
        terminal.run(QRING, "demo", "--listen", "127.0.0.1:0", "--attendees", "4", "--over", "200ms")
        terminal.wait_for_text("● live", "4 of 4 checked in", "Newest arrivals")
        # Its commands speak for the demo's host, and not for the account of the user.
        terminal.type(":attendee list @ --template 'was {name};'")
        terminal.press("Enter")
        terminal.wait_for_text("was ", ";", "Done.")
        terminal.press("Escape")
        terminal.wait_for_text("Newest arrivals")
        terminal.type("q")
        terminal.wait_for_text("Sent, seen and stored counts all match.", PROMPT.strip())
        self.assertEqual(terminal.ask("alternate_on"), "0")
        self.assertIn("check-ins  4     4          4", terminal.text)
        # Then it says what to do next.
        terminal.wait_for_text("qring serve --data DIR", "qring signup", "qring meeting create NAME --now")

    def test_an_interrupted_demo_leaves_no_folder(self):
        folders = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        terminal = self.open(100, 40, TMPDIR=folders)
        terminal.run(QRING, "demo", "--listen", "127.0.0.1:0")
        wait_until(lambda: os.listdir(folders), lambda: "no folder")
        # The demo does not catch signals yet.
        terminal.press("C-c")
        wait_until(lambda: not os.listdir(folders), lambda: os.listdir(folders))
        terminal.run(QRING, "demo", "--listen", "127.0.0.1:0")
        terminal.wait_for_text("● live")
        os.kill(terminal.process(), signal.SIGKILL)
        wait_until(lambda: not os.listdir(folders), lambda: os.listdir(folders))


class CopyTests(DashboardCase):
    def test_a_key_copies_the_link_to_the_clipboard_of_the_terminal(self):
        session = self.host.session()
        terminal = self.open()
        # tmux stands for a terminal with a clipboard: its newest buffer.
        terminal.tmux("set", "-s", "set-clipboard", "on")
        terminal.dashboard("@")
        terminal.type("y")
        terminal.wait_for_text("Copied: ")
        wait_until(lambda: terminal.tmux("show-buffer", check=False) == session["checkInUrl"],
            lambda: terminal.tmux("show-buffer", check=False))
        check_in(self.host, session, "Kim Minji", "minji@example.org").expect(201)
        terminal.type("2")
        terminal.wait_for_text("Kim Minji")
        terminal.press("Down")
        terminal.type("y")
        wait_until(lambda: terminal.tmux("show-buffer", check=False) == "minji@example.org",
            lambda: terminal.tmux("show-buffer", check=False))


class PromptTests(DashboardCase):
    def test_a_terminal_is_asked_for_missing_arguments_and_a_pipe_is_not(self):
        terminal = self.open(100, 40)
        terminal.run(QRING, "meeting", "create", "--identify-by", "name")
        terminal.wait_for_text("NAME (")
        terminal.type("Prompted")
        terminal.press("Enter")
        terminal.wait_for_text("--starts TIME (")
        terminal.type("someday")
        terminal.press("Enter")
        terminal.wait_for_text('--starts cannot be "someday"')
        terminal.type("+3h")
        terminal.press("Enter")
        terminal.wait_for_text("Prompted · session 1", PROMPT.strip())
        terminal.run("clear")
        terminal.run(QRING, "meeting", "show")
        terminal.wait_for_text("MEETING (")
        terminal.type("promted")
        terminal.press("Enter")
        terminal.wait_for_text("promted", "MEETING (")
        terminal.press("C-c")
        terminal.wait_for_line(r"ready>$")
        ran = subprocess.run([QRING, "meeting", "create", "Piped"], env=terminal.variables,
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("one of --now, --starts TIME is required.", ran.stderr)


    def test_a_new_meeting_shows_its_code_only_if_nothing_scrolls_away(self):
        for rows, draws in [(30, False), (50, True)]:
            terminal = self.open(100, rows)
            terminal.run("echo", "written", "before")
            terminal.wait_for_line(r"^written before")
            terminal.run(QRING, "meeting", "create", f"Rows{rows}", "--now", "--allow-overlap")
            terminal.wait_for_text("qring present", f"Rows{rows} · session 1")
            text = terminal.text
            self.assertIn("\nwritten before", text)
            self.assertEqual("▄" in text or "▀" in text, draws, text)
            self.assertEqual(f"qring qr Rows{rows}" in text, not draws, text)


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


class CommandLineTests(DashboardCase):
    """`:` runs the commands of the command line about the session on the screen."""

    def setUp(self):
        super().setUp()
        self.session = self.host.session("Choir", starts=-5)
        # The nearest session is another one.
        self.host.session("Band", starts=-4)
        check_in(self.host, self.session, "Kim Minji", "minji@example.org").expect(201)
        self.terminal = self.open(100, 30)
        self.terminal.dashboard(self.session["id"])

    def enter(self, line):
        self.terminal.type(":" + line)
        self.terminal.wait_for_text(line)
        self.terminal.press("Enter")

    def close(self):
        self.terminal.press("Escape")
        self.terminal.wait_for(lambda text: "┌" not in text and "1 Overview" in text)

    def test_a_command_is_about_the_session_on_the_screen(self):
        for line in ["attendee list @", "attendee list", "qring attendee list --session @"]:
            self.enter(line)
            self.terminal.wait_for_text("Done.", "minji@example.org")
            self.close()
        # Another session can still be named, and errors are shown with their exit code.
        self.enter("session show Band")
        self.terminal.wait_for_text("Done.", "Band")
        self.close()
        self.enter("session show Nothing")
        self.terminal.wait_for_text('there is no session or meeting "Nothing"', "exit code 5")
        self.close()

    def test_names_are_completed_from_the_server(self):
        self.terminal.type(":attendee edit @ min")
        # The name alone is among the newest arrivals, too.
        self.terminal.wait_for_text("Kim Minji", "minji@example.org")
        self.terminal.press("Tab")
        self.terminal.wait_for_text("attendee edit @ Kim\\ Minji")
        self.terminal.type("--sta")
        self.terminal.wait_for_text("--status")
        self.terminal.press("Tab")
        self.terminal.type("la")
        self.terminal.wait_for_text("▸ late")
        self.terminal.press("Tab")
        self.terminal.wait_for_text("--status late", "Enter runs this")
        self.terminal.press("Enter")
        self.terminal.wait_for_text("Done.")
        person = self.host.all(f"/api/v1/sessions/{self.session['id']}/attendees")[0]
        self.assertEqual(person["status"], "late")

    def test_a_question_is_answered_in_the_pane(self):
        path = f"/api/v1/sessions/{self.session['id']}"
        self.enter("session delete @")
        self.terminal.wait_for_text("Enter answers", "[y/N]")
        self.terminal.type("n")
        self.terminal.press("Enter")
        self.terminal.wait_for_text("Esc closes this")
        self.close()
        self.host.get(path).expect(200)
        self.enter("session delete @")
        for answer, question in [("y", "[y/N]"), ("Choir", "ame")]:
            self.terminal.wait_for_text("Enter answers", question)
            self.terminal.type(answer)
            self.terminal.press("Enter")
        wait_until(lambda: self.host.get(path).status == 404, lambda: self.terminal.text)

    def test_a_command_without_an_end_runs_until_escape(self):
        self.enter("watch @")
        self.terminal.wait_for_text("Running.", "in 1")
        check_in(self.host, self.session, "이준", "jun@example.org").expect(201)
        self.terminal.wait_for_text("Running.", "in 2")
        self.terminal.press("Escape")
        self.terminal.wait_for_text("exit code 130")
        self.close()
        self.terminal.wait_for_text("● live", "2 checked in")

    def test_a_command_of_the_server_runs_as_a_program_of_its_own_and_ends_with_escape(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.enter(f"serve --listen 127.0.0.1:{free_port()} --data {folder}/data")
        self.terminal.wait_for_text("Running.", "http://127.0.0.1")
        child = subprocess.run(["pgrep", "-P", str(self.terminal.process()), "-f", f"{folder}/data"],
            capture_output=True, text=True).stdout.split()
        self.assertEqual(len(child), 1)
        self.terminal.press("Escape")
        wait_until(lambda: not os.path.exists(f"/proc/{child[0]}"), lambda: self.terminal.text)
        self.terminal.wait_for_text("Esc closes this")
        self.close()

    def test_the_end_of_a_session_offers_results_and_the_next_week(self):
        path = f"/api/v1/sessions/{self.session['id']}"
        self.host.patch(path, {"endsAt": moment(0)}).expect(200)
        self.terminal.wait_for_text("The session is over")
        self.terminal.type(":")
        self.terminal.wait_for_text("▸ After the session: the results")
        self.terminal.press("Enter")
        self.terminal.wait_for_text("What should we repeat?", "Done.")
        self.terminal.type(":")
        self.terminal.type("next week")
        self.terminal.wait_for_text("▸ After the session: meet again next week")
        self.terminal.press("Enter")
        self.terminal.wait_for_text(": meeting continue @ --starts", "Enter runs this")
        self.terminal.press("Enter")
        self.terminal.wait_for_text("Choir", "Done.")
        rounds = self.host.all(f"/api/v1/meetings/{self.session['meetingId']}/sessions")
        self.assertEqual(len(rounds), 2)

    def test_own_keys_and_commands_get_ids_and_never_the_token(self):
        folder = os.path.join(self.terminal.home.name, "qring")
        os.makedirs(folder, exist_ok=True)
        file = os.path.join(folder, "dashboard.conf")
        script = 'echo "[$QRING_TOKEN] $QRING_SERVER $QRING_SESSION"; printf "<%s>" "$@"; echo'
        printing = f"sh -c '{script}' sh"

        def write(text):
            with open(file, "w", encoding="utf-8") as written:
                written.write(text)
            self.terminal.type("q")
            self.terminal.wait_for(lambda _: self.terminal.ask("alternate_on") == "0")
            self.terminal.run("clear")

        write("command.badge = nothing\nkey.z = bagde\n")
        self.terminal.run(QRING, "dashboard", self.session["id"])
        self.terminal.wait_for_text("dashboard.conf, line 2", "Did you mean badge?")
        hostile = "x; touch /tmp/hacked --status"
        person = check_in(self.host, self.session, hostile, "x@example.org").expect(201).json["attendee"]
        write(f"command.badge = {printing} {{attendee}} {{session}}\n"
            f"command.open-badge = {printing}\ntoken.open-badge = yes\n"
            "key.z = attendee edit @ {attendee} --status late\nkey.9 = badge\n")
        self.terminal.dashboard(self.session["id"])
        self.terminal.type("9")
        self.terminal.wait_for_text("Select an attendee first")
        self.close()
        self.terminal.type("/")
        self.terminal.type("touch")
        self.terminal.wait_for_text("1 of 2")
        self.terminal.press("Enter")
        self.terminal.type("9")
        self.terminal.wait_for_text(
            f"[] {self.server.url} {self.session['id']}", f"<{person['id']}><{self.session['id']}>", "Done.")
        self.terminal.press("Escape")
        self.terminal.type("z")
        self.terminal.wait_for_text(": attendee edit @ {attendee}", "Done.")
        self.terminal.press("Escape")
        found = self.host.get(f"/api/v1/attendees/{person['id']}").expect(200).json
        self.assertEqual(found["status"], "late")
        self.enter("open-badge {session} 'a b'")
        self.terminal.wait_for_text(f"[{self.host.token}]", "<{session}><a b>", "Done.")

    def test_aliases_and_extensions_run_in_the_pane(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        path = os.path.join(folder, "qring-hello")
        with open(path, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho "hello $QRING_SESSION [$QRING_TOKEN]"\nexit 7\n')
        os.chmod(path, 0o755)
        terminal = self.terminal = self.open(100, 30, PATH=f"{folder}:{os.environ['PATH']}")
        terminal.run(QRING, "alias", "set", "people", "attendee list @")
        terminal.wait_for_text("people now means")
        terminal.dashboard(self.session["id"])
        self.enter("people")
        terminal.wait_for_text("minji@example.org", "Done.")
        self.close()
        self.enter("people --limit x")
        terminal.wait_for_text("--limit must be", "exit code 2")
        self.close()
        self.enter("hello you")
        terminal.wait_for_text(f"hello {self.session['id']} []", "exit code 7")
        self.close()
        # An alias that is set here works at once.
        self.enter("alias set guests 'attendee list @'")
        terminal.wait_for_text("guests now means", "Done.")
        self.close()
        self.enter("guests")
        terminal.wait_for_text("minji@example.org", "Done.")
        self.close()
        # Names of extensions and files are completed.
        with open(os.path.join(folder, "my questions.json"), "w", encoding="utf-8"):
            pass
        terminal.type(":hel")
        terminal.wait_for_text("your command: qring")
        terminal.press("Escape")
        terminal.type(f":question set @ {folder}/my")
        terminal.wait_for_text("my questions.json")
        terminal.press("Tab")
        terminal.wait_for_text("/my\\ questions.json ")

    def test_a_dashboard_is_not_opened_in_the_dashboard(self):
        self.enter("dashboard @")
        self.terminal.wait_for_text("The dashboard is open already", "exit code 2")


if __name__ == "__main__":
    unittest.main()
