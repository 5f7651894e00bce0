"""Personal passes: from the roster to paper, and at a door with a scanner that types a line for each code."""
import json
import os
import re
import subprocess
import tempfile
import unittest

from host import Host
from qr_reading import decode
from server_process import DEADLINE, QRING, Server

PEOPLE = ["김지수", "Lee Jun", "Choi " + "Long" * 20]


class PassTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(
            Server("--signup", "open", "--public-url", "https://a-rather-long-name.example.org"))
        self.host = Host(self.server)
        made = self.host.meeting("Study group")
        self.meeting, self.session = made["meeting"]["id"], made["session"]["id"]
        self.path = f"/api/v1/meetings/{self.meeting}"
        self.host.put(f"{self.path}/roster", {"people": [
            {"name": name, "email": f"p{number}@example.org"} for number, name in enumerate(PEOPLE)]}
            ).expect(200)
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        self.environment = {**Server.environment(), "XDG_CONFIG_HOME": self.folder, "QRING_LANG": "en",
            "QRING_SERVER": self.server.url, "QRING_TOKEN": self.host.token}

    def run_qring(self, *words, code=0, lines=""):
        ran = subprocess.run([QRING, *words], env=self.environment, cwd=self.folder, input=lines,
            capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr if code else ran.stdout

    def urls(self):
        """Returns the address of each person's valid pass, by name."""
        items = json.loads(self.run_qring("pass", "list", self.meeting, "--json"))["items"]
        return {item["name"]: item["url"] for item in items if item.get("url")}

    def pictures(self, *words):
        """Prints passes. Returns the codes and the words on each page."""
        self.run_qring("pass", "print", self.meeting, *words, "--to", "passes.pdf")
        subprocess.run(["pdftoppm", "-png", "-r", "150", "passes.pdf", "page"], cwd=self.folder, check=True,
            timeout=DEADLINE)
        pages = sorted(name for name in os.listdir(self.folder) if re.fullmatch(r"page-\d+\.png", name))
        text = subprocess.run(["pdftotext", "passes.pdf", "-"], cwd=self.folder, check=True,
            capture_output=True, text=True, timeout=DEADLINE).stdout
        found = [decode(os.path.join(self.folder, page)) for page in pages]
        for page in pages:
            os.remove(os.path.join(self.folder, page))
        return found, text

    def test_printed_passes_let_their_people_in_at_a_door_with_a_scanner(self):
        made = json.loads(self.run_qring("pass", "create", self.meeting, "--json"))
        self.assertEqual(made, {"created": 3, "existing": 0})
        self.assertEqual(json.loads(self.run_qring("pass", "create", self.meeting, "--json")),
            {"created": 0, "existing": 3})
        urls = self.urls()
        for layout, pages in [("sheet", 1), ("a6", 3), ("badge", 3)]:
            with self.subTest(layout):
                found, text = self.pictures("--layout", layout)
                self.assertEqual(len(found), pages)
                self.assertEqual({code for page in found for code in page}, set(urls.values()))
                self.assertIn("김지수", text)
        kim, lee = urls["김지수"], urls["Lee Jun"]
        # The second scanner sends no line end after its last code.
        said = self.run_qring("attendee", "admit", self.session,
            lines=f"{kim}\r\n\n{kim}\n{'x' * 600}\nhello\n{lee.rsplit('/', 1)[1].lower()}").splitlines()
        self.assertEqual(said[0], "IN: 김지수, present")
        self.assertRegex(said[1], r"^ALREADY IN since \d\d:\d\d: 김지수, present$")
        refused = "NOT VALID: no pass of this server, and nobody here has this number or address. " \
            "Search for the name"
        self.assertEqual(said[2:], [refused, "IN: Lee Jun, present"])
        counts = self.host.get(f"/api/v1/sessions/{self.session}").expect(200).json["attendance"]
        self.assertEqual((counts["present"], counts["awaited"]), (2, 1))
        methods = {one["name"]: one.get("method") for one in self.host.get(
            f"/api/v1/sessions/{self.session}/attendees").expect(200).json["items"]}
        self.assertEqual(methods["Lee Jun"], "pass")

    def test_a_lost_pass_ends_at_once(self):
        self.run_qring("pass", "create", self.meeting, "p1@example.org")
        lost = self.urls()["Lee Jun"]
        new = self.run_qring("pass", "renew", self.meeting, "p1@example.org").strip()
        self.assertNotEqual(new, lost)
        refused = self.run_qring("attendee", "admit", self.session, lost, code=6)
        self.assertIn("NOT VALID: the pass of Lee Jun was revoked", refused)
        self.run_qring("pass", "revoke", self.meeting, "p1@example.org")
        self.assertIn("NOT VALID", self.run_qring("attendee", "admit", self.session, new, code=6))
        self.assertEqual(self.urls(), {})
        self.run_qring("pass", "print", self.meeting, code=5)
        self.run_qring("pass", "create", self.meeting, "p1@example.org", "--session", self.session)
        last = self.urls()["Lee Jun"]
        answer = json.loads(self.run_qring("attendee", "admit", self.session, last, "--json"))
        self.assertEqual((answer["verdict"], answer["name"]), ("admitted", "Lee Jun"))

    def test_the_card_of_a_pass_for_one_session_names_it_and_only_its_owner_can_read_the_file(self):
        self.host.patch(f"/api/v1/sessions/{self.session}", {"title": "Opening"}).expect(200)
        self.run_qring("pass", "create", self.meeting, "p1@example.org", "--session", self.session)
        before = os.umask(0)
        try:
            for layout in ["sheet", "a6", "badge"]:
                with self.subTest(layout):
                    _, text = self.pictures("--layout", layout)
                    words = " ".join(text.split())
                    self.assertIn("Study group", words)
                    self.assertRegex(words, r"Opening · \d{4}-\d\d-\d\d \d\d:\d\d")
                    self.assertEqual(os.stat(f"{self.folder}/passes.pdf").st_mode & 0o777, 0o600)
                    # An earlier file that others can read loses this mode.
                    os.chmod(f"{self.folder}/passes.pdf", 0o644)
        finally:
            os.umask(before)

    def test_after_a_theft_all_passes_are_replaced(self):
        self.run_qring("pass", "create", self.meeting)
        stolen = self.urls()
        self.assertIn("Add --yes", self.run_qring("pass", "renew", self.meeting, "--all", code=2))
        self.assertEqual(self.urls(), stolen)
        done = json.loads(self.run_qring("pass", "renew", self.meeting, "--all", "--yes", "--json"))
        self.assertEqual((done["renewed"], done["revoked"]), (3, 0))
        new = self.urls()
        self.assertEqual(set(new), set(stolen))
        self.assertFalse(set(new.values()) & set(stolen.values()))
        self.assertIn("was revoked",
            self.run_qring("attendee", "admit", self.session, stolen["Lee Jun"], code=6))
        self.run_qring("attendee", "admit", self.session, new["Lee Jun"])
        again = self.host.post(f"{self.path}/passes/renew", {"createdBefore": done["createdBefore"]}
            ).expect(200).json
        self.assertEqual((again["renewed"], again["revoked"]), (0, 0))
        self.assertEqual(self.urls(), new)

    def test_a_phone_that_scans_a_pass_gets_a_page_without_a_name_and_leaves_no_trace(self):
        self.run_qring("pass", "create", self.meeting)
        code = self.urls()["김지수"].rsplit("/", 1)[1]
        page = self.host.get(f"/P/{code}", token=None).expect(200)
        self.assertIn("A personal pass", page.text)
        self.assertNotIn("김지수", page.text)
        self.assertNotIn("Set-Cookie", page.headers)
        for language in ["ko", "de", "es", "fr", "ja", "zh-Hans"]:
            self.assertNotIn("A personal pass", self.host.get(f"/P/X?lang={language}", token=None).text)
        self.assertEqual(self.server.stop(), 0)
        lines = [line for line in self.server.log.lines if "/P" in line]
        self.assertTrue(lines)
        self.assertFalse([line for line in lines if code in line or "127.0.0.1" in line])


if __name__ == "__main__":
    unittest.main()
