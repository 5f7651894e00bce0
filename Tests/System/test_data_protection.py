"""Consent at the check-in, and names that end before the attendance."""
import csv
import io
import sqlite3
import tempfile

from admin import Admin
from browser import Browser
from host import check_in, code_of
from page import Visitor
from server_process import wait_until
from test_roster import RosterCase

TEXT = "I agree that my name is stored."
OTHER = "I agree that my name & address are stored."


class ConsentTests(RosterCase):
    def setUp(self):
        super().setUp()
        self.made()

    def ask(self, text):
        return self.host.patch(self.path, {"consentText": text}).expect(200).json.get("consent")

    def refusal(self, answer, status=422):
        return [(error["field"], error["code"]) for error in answer.expect(status).json["errors"]]

    def test_a_program_sends_the_number_of_the_text_that_it_showed(self):
        self.assertEqual(self.ask(TEXT), {"number": 1, "text": TEXT})
        grant = self.anybody.post("/api/v1/grants", {"code": code_of(self.session)},
            token=None).expect(201).json
        self.assertEqual(grant["consent"], {"number": 1, "text": TEXT})
        self.assertEqual(self.refusal(check_in(self.anybody, self.session, "Kim", "kim@example.org")),
            [("/consentNumber", "not_agreed")])
        self.assertEqual(self.ask(OTHER)["number"], 2)
        self.assertEqual(
            self.refusal(check_in(self.anybody, self.session, "Kim", "kim@example.org", consentNumber=1)),
            [("/consentNumber", "other_consent")])
        receipt = check_in(self.anybody, self.session, "Kim", "kim@example.org",
            consentNumber=2).expect(201).json["receipt"]
        own = self.anybody.get("/api/v1/check-ins/current", token=receipt).expect(200).json
        self.assertEqual(own["consent"], {"number": 2, "text": OTHER})
        data = self.anybody.get("/api/v1/check-ins/current/export", token=receipt).expect(200).json
        self.assertEqual(data["checkIns"][0]["consentText"], OTHER)
        self.ask(None)
        check_in(self.anybody, self.session, "Lee", "lee@example.org").expect(201)
        texts = self.host.get(f"{self.path}/consents").expect(200).json["items"]
        self.assertEqual([(one["number"], one["text"]) for one in texts], [(1, TEXT), (2, OTHER)])
        path = f"/api/v1/sessions/{self.session['id']}/attendance.csv?headings=keys"
        table = self.host.get(path).expect(200)
        rows = {row["name"]: row["consentNumber"]
            for row in csv.DictReader(io.StringIO(table.body.decode(), newline=""))}
        self.assertEqual(rows, {"Kim": "2", "Lee": ""})

    def test_the_page_asks_without_a_script_and_again_for_a_changed_text(self):
        self.ask(TEXT)
        visitor = Visitor(self.server)
        page = visitor.open(f"/C/{code_of(self.session)}")
        self.assertIn(TEXT, page.text)
        person = {"name": "Kim", "email": "kim@example.org"}
        # The parser of this test ticks no box.
        page.forms[0]["fields"].pop("consent", None)
        refused = visitor.submit(page, **person)
        self.assertEqual(refused.status, 422)
        self.assertIn("Tick the box to check in.", refused.text)
        self.assertEqual(refused.forms[0]["fields"]["name"], "Kim")
        self.ask(OTHER)
        refused = visitor.submit(page, consent="1", **person)
        self.assertEqual(refused.status, 422)
        self.assertIn("This text has changed.", refused.text)
        self.assertIn(OTHER, refused.text)
        self.assertIn("Kim", visitor.submit(page, consent="2", **person).text)

    def test_a_phone_names_the_missing_consent_and_keeps_what_was_typed(self):
        self.ask(TEXT)
        with Browser() as browser:
            browser.open(f"{self.server.url}/C/{code_of(self.session)}")
            browser.find("#name").send_keys("Kim")
            browser.find("#email").send_keys("kim@example.org")
            browser.find("button[type=submit]").click()
            self.assertIn("Tick the box", browser.find("#consent-error").text)
            self.assertEqual(browser.find(".waits").text, "Still needed: Consent")
            browser.find("label.consent").click()
            browser.find("button[type=submit]").click()
            wait_until(lambda: "Kim" in browser.find("main").text and not browser.find_all("form.check-in"))
        found = self.host.all(f"/api/v1/sessions/{self.session['id']}/attendees")
        self.assertEqual([(one["name"], one["consentNumber"]) for one in found], [("Kim", 1)])

    def test_the_command_line_sets_shows_and_gives_a_consent(self):
        self.run_command("meeting", "edit", self.meeting["id"], "--consent", TEXT)
        self.assertIn(f"Consent at check-in: {TEXT}",
            self.run_command("meeting", "show", self.meeting["id"]).stdout)
        person = ["checkin", code_of(self.session), "--name", "Kim", "--email", "kim@example.org"]
        refused = self.run_command(*person, code=2)
        self.assertIn(TEXT, refused.stderr)
        self.assertIn("--agree", refused.stderr)
        self.assertIn("Kim is checked in", self.run_command(*person, "--agree").stdout)
        self.run_command("meeting", "edit", self.meeting["id"], "--consent", "none")
        self.assertNotIn("Consent", self.run_command("meeting", "show", self.meeting["id"]).stdout)


class NameRetentionTests(RosterCase):
    def age(self, days):
        """Makes the session end some days ago, while the server is stopped."""
        with sqlite3.connect(self.server.database) as database:
            database.execute("UPDATE sessions SET feedback_closes_hours_after = 24")
            # The rows of members repeat the times of the latest session.
            for table in ("sessions", "members"):
                database.execute(f"UPDATE {table} SET starts_at = starts_at - ?1, ends_at = ends_at - ?1",
                    [days * 86_400_000])
        database.close()

    def test_the_strict_preset_deletes_names_from_all_answers_and_from_the_file(self):
        self.made()
        session = f"/api/v1/sessions/{self.session['id']}"
        for number in range(120):
            check_in(self.anybody, self.session, f"Zebra{number}", f"zebra{number}@example.org").expect(201)
        self.server.stop()
        self.age(27)
        self.server.options = ("--signup", "open", "--retention", "strict")
        self.server.start()
        kept = self.host.get(session).expect(200).json
        self.assertNotIn("namesDeletedAt", kept)
        self.assertIn("namesUntil", kept)
        self.terminal.environment["QRING_SERVER"] = self.server.url
        self.assertIn("The names of the attendees will be deleted on",
            self.run_command("session", "show", self.session["id"]).stdout)
        self.server.stop()
        self.age(2)
        self.server.start()
        wait_until(lambda: self.host.get(session).expect(200).json.get("namesDeletedAt"))
        # The session is marked first, and its names go in slices.
        wait_until(lambda: {person["name"] for person in self.host.all(f"{session}/attendees")} == {"—"})
        people = self.host.all(f"{session}/attendees")
        self.assertEqual({person["status"] for person in people}, {"present"})
        self.assertEqual(self.host.get(session).expect(200).json["attendance"]["checkedIn"], 120)
        refused = self.host.patch(f"/api/v1/attendees/{people[0]['id']}", {"name": "Zebra"})
        self.assertEqual(refused.expect(409).code, "names_deleted")
        self.assertNotIn("Zebra", self.host.get(f"{session}/attendance.csv").expect(200).text)
        actions = self.host.get(f"{self.path}/actions").expect(200).json["items"]
        self.assertEqual([action["kind"] for action in actions].count("namesDeleted"), 1)
        Admin("verify", folder=self.server.folder).expect()
        # The rewrite of the file removes the last copies.
        wait_until(lambda: b"Zebra" not in self.whole_file())

    def whole_file(self):
        found = b""
        for suffix in ("", "-wal"):
            try:
                with open(self.server.database + suffix, "rb") as file:
                    found += file.read()
            except FileNotFoundError:
                pass
        return found

    def test_a_period_beside_the_preset_counts_and_the_settings_say_where_each_comes_from(self):
        settings = Admin("settings", "--all", "--retention", "strict", "--keep-mails", "3",
            folder=self.server.folder).expect()
        rows = {row["name"]: row for row in settings.answer["items"]}
        self.assertEqual([rows[name]["value"] for name in ["keep-names", "keep-evidence", "keep-mails"]],
            ["28", "7", "3"])
        self.assertEqual(rows["keep-names"]["place"], "--retention")
        doctor = Admin("doctor", "--keep-names", "10", "--retention", "strict", folder=self.server.folder)
        line = next(check for check in doctor.answer["checks"] if check["check"] == "retention")
        for text in ("names 10 days", "ended sessions 365 days"):
            self.assertIn(text, line["what"])

    def test_the_doctor_warns_of_backups_that_outlive_the_names(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        for keep, warned in [("7d,4w,6m", True), ("7d,3w", False), ("29d", True), ("28d", False)]:
            doctor = Admin("doctor", "--retention", "strict", "--backup-to", folder, "--backup-keep", keep,
                folder=self.server.folder)
            found = [check["what"] for check in doctor.answer["checks"] if check["check"] == "backups"]
            self.assertEqual(any("names are deleted after 28 days" in what for what in found), warned, keep)
