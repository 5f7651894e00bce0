"""The command line for an attendee, and for a reader of the help."""
import json
import os
import re
import subprocess
import tempfile
import unittest

from command_names import command_names
from host import Host, moment
from server_process import DEADLINE, QRING, Server


class Terminal:
    """A machine with its own settings, which store its receipts."""

    def __init__(self, test, url="http://127.0.0.1:1", language="en"):
        folder = test.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        self.environment = {**Server.environment(), "XDG_CONFIG_HOME": folder, "QRING_SERVER": url,
            "QRING_LANG": language}
        self.folder = folder

    def run(self, *words):
        return subprocess.run(
            [QRING, *words], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=DEADLINE)


class HelpTests(unittest.TestCase):
    def test_no_help_page_has_an_unfilled_placeholder(self):
        for language in ["en", "ko"]:
            terminal = Terminal(self, language=language)
            names = command_names(lambda *words: terminal.run(*words).stdout)
            self.assertLessEqual({"serve", "demo", "admin doctor", "bench", "meeting continue", "help"},
                set(names))
            for name in names:
                page = terminal.run("help", *name.split())
                self.assertEqual(page.returncode, 0, name)
                self.assertNotRegex(page.stdout, r"\{[a-zA-Z]+\}", name)
                self.assertRegex(page.stdout, rf"\n(Examples|예):\n  qring {name}", name)
                # Tab completes the options of the page, and nothing else.
                options = set(re.findall(r"^  (?:-[a-zA-Z], )?(--[a-z-]+)", page.stdout, re.MULTILINE))
                tab = terminal.run("__complete", "fish", *name.split(), "--").stdout
                self.assertEqual({line.split("\t")[0] for line in tab.splitlines()}, options, name)

    def test_commands_without_a_server_have_no_server_option(self):
        terminal = Terminal(self)
        for name in ["serve", "demo", "version", "help", "completion", "admin backup", "admin restore",
                "admin verify", "admin doctor", "bench"]:
            self.assertNotIn("--server", terminal.run("help", *name.split()).stdout)
        self.assertIn("0.0.0.0:8080", terminal.run("help", "demo").stdout)

    def test_the_demo_invites_phones_only_if_they_can_reach_it(self):
        ran = Terminal(self).run("demo", "--listen", "127.0.0.1:0", "--attendees", "2", "--over", "100ms",
            "--exit")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertNotIn("Phones on the same network", ran.stdout + ran.stderr)
        # It says once that only this machine can reach it, as the option wants.
        self.assertIn("Only this machine", ran.stderr)
        self.assertNotIn("--public-url", ran.stdout + ran.stderr)


class NetworkTests(unittest.TestCase):
    """What the commands that draw the QR code advise, by the address in the code."""

    def test_a_code_with_an_address_of_one_network_comes_with_advice_for_phones_elsewhere(self):
        for url, advice in [
            ("http://192.168.7.9:8080", "different network"),
            ("http://hall.local", "different network"),
            ("http://[fd00::7]:8080", "different network"),
            ("http://127.0.0.1:8080", "belongs to this machine"),
            ("http://172.32.0.1", ""),
            ("https://qring.example.org", ""),
        ]:
            with self.subTest(url), Server("--signup", "open", "--public-url", url) as server:
                host = Host(server)
                host.session()
                terminal = Terminal(self, server.url)
                terminal.environment["QRING_TOKEN"] = host.token
                for words in [["qr", "@"], ["session", "nearest"],
                        ["meeting", "create", "Other", "--now", "--for", "1h", "--allow-overlap"]]:
                    ran = terminal.run(*words)
                    self.assertEqual(ran.returncode, 0, ran.stderr)
                    self.assertIn(advice, ran.stderr, words)
                    if not advice:
                        self.assertNotRegex(ran.stderr, "network|this machine", words)
                # A script reads the address, and needs no advice.
                self.assertEqual(terminal.run("qr", "@", "--json").stderr, "")


class AttendeeTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.session = Host(self.server).session()
        self.terminal = Terminal(self, self.server.url)

    def check_in(self, name, email, terminal=None):
        ran = (terminal or self.terminal).run("checkin", self.session["joinCode"], "--name", name, "--email",
            email, "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)

    def test_only_the_receipts_holder_sees_the_record_on_a_repeat(self):
        first = self.check_in("Ann", "ann@example.org")
        self.assertFalse(first["alreadyCheckedIn"])
        other = self.check_in("Bob", "bob@example.org")
        self.assertFalse(other["alreadyCheckedIn"])
        self.assertNotEqual(other["attendee"]["id"], first["attendee"]["id"])
        again = self.check_in("Ann", "ANN@example.org")
        self.assertTrue(again["alreadyCheckedIn"])
        self.assertEqual(again["attendee"], first["attendee"])
        elsewhere = self.check_in("Ann", "ann@example.org", Terminal(self, self.server.url))
        self.assertTrue(elsewhere["alreadyCheckedIn"])
        self.assertNotIn("attendee", elsewhere)

    def test_a_second_response_is_refused_before_the_first_question(self):
        self.check_in("Ann", "ann@example.org")
        answers = os.path.join(self.terminal.folder, "answers.json")
        with open(answers, "w", encoding="utf-8") as file:
            json.dump({"3": 5}, file)
        first = self.terminal.run("respond", "--answers", answers)
        self.assertEqual(first.returncode, 0, first.stderr)
        # Without a file of answers, and without a terminal for questions.
        again = self.terminal.run("respond")
        self.assertEqual(again.returncode, 6, again.stderr)
        self.assertIn("Answered already", again.stderr)


    def test_a_receipt_from_elsewhere_is_read_from_a_file(self):
        receipt = self.check_in("Ann", "ann@example.org")["receipt"]
        elsewhere = Terminal(self, self.server.url)
        for name, text in [("receipt", receipt + "\n"), ("answers.json", '{"3": 4}')]:
            with open(os.path.join(elsewhere.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        ran = elsewhere.run("respond", "--receipt-file", f"{elsewhere.folder}/receipt", "--answers",
            f"{elsewhere.folder}/answers.json")
        self.assertEqual(ran.returncode, 0, ran.stderr)


class OrderTests(unittest.TestCase):
    """The session is the first argument, and each change says which session it changed."""

    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        made = self.host.meeting("Study group", starts=-3000, ends=-2900)
        self.first = made["session"]
        self.second = self.host.post(f"/api/v1/meetings/{made['meeting']['id']}/sessions",
            {"startsAt": moment(-5), "endsAt": moment(120)}).expect(201).json
        self.terminal = Terminal(self, self.server.url)
        self.terminal.environment["QRING_TOKEN"] = self.host.token

    def names(self, session):
        return [one["name"] for one in self.host.all(f"/api/v1/sessions/{session['id']}/attendees")]

    def test_a_session_in_the_place_of_a_name_adds_nobody(self):
        for words, advice in [
            (["@"], "qring attendee add @ NAME"),
            (["Study group#1"], "qring attendee add 'Study group#1' NAME"),
            (["Study group"], "qring attendee add 'Study group' NAME"),
            (["Kim", "@"], "qring attendee add @ Kim"),
            (["Kim", "Study group"], "qring attendee add 'Study group' Kim"),
            (["@", "Study group#1"], "qring attendee add 'Study group#1' @"),
        ]:
            with self.subTest(words):
                ran = self.terminal.run("attendee", "add", *words)
                self.assertEqual(ran.returncode, 2, ran.stderr)
                self.assertIn(advice, ran.stderr)
        self.assertEqual(self.names(self.first) + self.names(self.second), [])

    def test_each_change_says_which_session_it_changed(self):
        for words, said in [
            (["attendee", "add", "Study group#1", "Kim"], "'Study group#1' (closed)"),
            (["attendee", "add", "@", "Lee"], "'Study group#2' (running)"),
            (["attendee", "edit", "@", "Lee", "--status", "late"], "'Study group#2' (running)"),
            (["poll", "@", "A break?", "--open"], "'Study group#2' (running)"),
            (["poll", "close", "@"], "'Study group#2' (running)"),
            (["ask", "open", "Study group"], "'Study group#2' (running)"),
        ]:
            with self.subTest(words):
                ran = self.terminal.run(*words)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                self.assertIn(f"Session {said}:", ran.stderr)
        self.assertEqual((self.names(self.first), self.names(self.second)), (["Kim"], ["Lee"]))

    def test_after_the_end_reading_goes_on_and_a_change_is_refused_with_the_right_command(self):
        def end(session):
            read = self.host.get(f"/api/v1/sessions/{session['id']}").expect(200)
            self.host.patch(f"/api/v1/sessions/{session['id']}", {"endsAt": moment()},
                headers={"If-Match": read.headers["ETag"]}).expect(200)

        self.terminal.run("attendee", "add", "@", "Kim")
        end(self.second)
        chosen = "No session is running. @ is 'Study group#2', which ended"
        for words in [["attendee", "list"], ["attendee", "list", "@"], ["results", "@"],
                ["session", "show", "@"], ["events", "@"],
                ["attendee", "export", "@"], ["watch", "@", "--until", "checked-in=1"]]:
            with self.subTest(words):
                ran = self.terminal.run(*words)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                self.assertEqual(ran.stderr.count(chosen), 1, ran.stderr)
        for words, command in [
            (["poll", "close", "@", "1"], "qring poll close 'Study group#2' 1"),
            (["attendee", "edit", "@", "Kim", "--note", "was ill"],
                "qring attendee edit 'Study group#2' Kim --note 'was ill'"),
            (["session", "edit", "@", "--ends", "+1h"], "qring session edit 'Study group#2' --ends '+1h'"),
        ]:
            with self.subTest(words):
                ran = self.terminal.run(*words)
                self.assertEqual(ran.returncode, 5, ran.stderr)
                self.assertIn("'Study group#2' ended", ran.stderr)
                self.assertIn(command + "\n", ran.stderr)
        self.assertEqual(len(self.names(self.second)), 1)
        # With a session to come, only what has happened is read from the ended one.
        self.host.post(f"/api/v1/meetings/{self.second['meetingId']}/sessions",
            {"startsAt": moment(3000), "endsAt": moment(3100)}).expect(201)
        self.assertIn(chosen, self.terminal.run("results", "@").stderr)
        self.assertIn("Study group · session 3", self.terminal.run("session", "show", "@").stdout)
        # A host who has just read the ended session must not change the next one.
        ran = self.terminal.run("attendee", "add", "@", "Lee")
        self.assertEqual(ran.returncode, 5, ran.stderr)
        self.assertIn("'Study group#3' is the next one", ran.stderr)
        self.assertIn("qring attendee add 'Study group#2' Lee\n", ran.stderr)

    def test_undo_shows_what_it_undoes_if_this_is_not_the_newest_event_of_the_person(self):
        undo = ["session", "undo", "@"]
        self.terminal.run("attendee", "add", "@", "Kim")
        # The newest event of this host is the addition.
        ran = self.terminal.run(*undo)
        self.assertEqual((ran.returncode, "This undoes" in ran.stderr), (0, False), ran.stderr)
        self.terminal.run("attendee", "add", "@", "Lee")
        self.terminal.run("poll", "@", "A break?", "--open")
        # The newest event of this host is the poll, which cannot be undone.
        ran = self.terminal.run(*undo)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(ran.stderr, r"This undoes event \d+, which .+ made at .+: Lee · added")
        self.assertEqual(self.names(self.second), [])


class HostTests(unittest.TestCase):
    def test_meeting_continue_creates_the_next_session(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        meeting = host.meeting()["meeting"]
        terminal = Terminal(self, server.url)
        terminal.environment["QRING_TOKEN"] = host.token
        ran = terminal.run("meeting", "continue", meeting["id"], "--starts", "+3h", "--ends", "+2h", "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        made = json.loads(ran.stdout)
        self.assertEqual((made["meetingId"], made["round"]), (meeting["id"], 2))


if __name__ == "__main__":
    unittest.main()
