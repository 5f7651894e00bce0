"""The door in a real terminal: a steward with a scanner, names, an undo, and the end of the right."""
import json
import subprocess
import tempfile
import unittest

from host import Host
from server_process import DEADLINE, QRING, Server
from terminal import Terminal

PEOPLE = [("김지수", "20260041"), ("김지수", "20260042"), ("Lee Jun", "20260043")]


class DoorTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        made = self.host.meeting("Study group", identifyBy="number")
        self.meeting, self.session = made["meeting"]["id"], made["session"]["id"]
        self.host.put(f"/api/v1/meetings/{self.meeting}/roster",
            {"people": [{"name": name, "number": number} for name, number in PEOPLE]}).expect(200)
        self.steward = Host(self.server, name="Steward")
        invitation = self.host.post(f"/api/v1/meetings/{self.meeting}/members",
            {"email": self.steward.email, "role": "steward"}).expect(201).json["invitation"]
        self.steward.post("/api/v1/me/invitations", {"invitation": invitation}).expect(200)

    def counts(self):
        found = self.host.get(f"/api/v1/sessions/{self.session}").expect(200).json["attendance"]
        return found["checkedIn"], found["awaited"]

    def passes(self):
        self.host.post(f"/api/v1/meetings/{self.meeting}/passes", {}).expect(200)
        items = self.host.get(f"/api/v1/meetings/{self.meeting}/passes").expect(200).json["items"]
        roster = self.host.get(f"/api/v1/meetings/{self.meeting}/roster").expect(200).json["items"]
        numbers = {person["id"]: person["number"] for person in roster}
        return {numbers[item["personId"]]: item["url"] for item in items}

    def test_an_evening_of_a_steward_at_the_door(self):
        kim = self.passes()["20260041"]
        lee = next(item for item in self.host.get(
            f"/api/v1/sessions/{self.session}/attendees?q=lee").expect(200).json["items"])
        self.host.patch(f"/api/v1/attendees/{lee['id']}", {"note": "needs help"}).expect(200)
        with Terminal(self.server.url, self.steward.token) as terminal:
            terminal.type(f"{QRING} door --door 2")
            terminal.press("Enter")
            terminal.wait_for_text("R E A D Y", "Door 2", "0 at this door", "3 expected")
            # tmux sends a whole text at once, as a scanner does.
            terminal.type(kim)
            terminal.press("Enter")
            terminal.wait_for_text("I N", "김지수", "1 at this door", "2 expected")
            terminal.type(kim)
            terminal.press("Enter")
            terminal.wait_for_text("A L R E A D Y", "since")
            terminal.type("20260043")
            terminal.press("Enter")
            terminal.wait_for_text("Lee Jun", "needs help", "2 at this door", "1 expected")
            self.assertEqual(self.counts(), (2, 1))
            terminal.press("C-u")
            terminal.wait_for_text("U N D O N E", "Lee Jun")
            self.assertEqual(self.counts(), (1, 2))
            terminal.type("김지")
            terminal.wait_for_text("…41", "…42", "walk-in")
            terminal.press("Down", "Enter")
            terminal.wait_for_text("2 at this door", "1 expected")
            terminal.type("99999999")
            terminal.press("Enter")
            terminal.wait_for_text("N O T   V A L I D", "nobody here has this number")
            # The right ends with the commit.
            self.host.delete(
                f"/api/v1/meetings/{self.meeting}/members/{self.steward.account['id']}").expect(204)
            terminal.type("20260043")
            terminal.press("Enter")
            terminal.wait_for_text("N O T   C H E C K E D")
            self.assertEqual(self.counts(), (2, 1))
            terminal.press("Escape")
            terminal.press("Escape")
            terminal.wait_for_text("Close this screen?")
            terminal.press("Enter")
            terminal.wait_for_text("ready>")

    def test_a_door_that_asks_first_lets_nobody_in_before_the_answer(self):
        with Terminal(self.server.url, self.steward.token, columns=40, rows=12) as terminal:
            terminal.type(f"{QRING} door Study --ask")
            terminal.press("Enter")
            terminal.wait_for_text("R E A D Y")
            terminal.type("20260041")
            terminal.press("Enter")
            terminal.wait_for_text("L E T   I N ?", "김지수", "Enter lets in")
            self.assertEqual(self.counts(), (0, 3))
            terminal.press("Enter")
            terminal.wait_for_text("I N", "1 at this door")
            self.assertEqual(self.counts(), (1, 2))

    def test_lines_without_a_terminal_and_the_choice_of_the_session(self):
        with tempfile.TemporaryDirectory(prefix="qring-test-") as folder:
            environment = {**Server.environment(), "XDG_CONFIG_HOME": folder, "QRING_LANG": "en",
                "QRING_SERVER": self.server.url, "QRING_TOKEN": self.steward.token}

            def door(*words, lines="", code=0):
                ran = subprocess.run([QRING, "door", *words], env=environment, input=lines,
                    capture_output=True, text=True, timeout=DEADLINE)
                self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
                return ran.stderr if code else ran.stdout

            lee = self.passes()["20260043"]
            said = door("--json", lines=f"{lee}\n20260041\nnobody\n").splitlines()
            self.assertEqual([json.loads(line)["verdict"] for line in said],
                ["admitted", "admitted", "notAPass"])
            self.assertIn("matches no session", door("Choir", code=5))
            self.assertIn("--door", door("--door", "100", code=2))
            self.host.meeting("Study hall")
            # The second meeting is not the steward's.
            door("Study")
            # The owner of both must choose.
            environment["QRING_TOKEN"] = self.host.token
            self.assertIn("Study hall#1", door("Study", code=6))
            door("Study hall")


if __name__ == "__main__":
    unittest.main()
