"""A person's data: exports that have everything, erasures that leave nothing, and the action log."""
import glob
import os
import re
import sqlite3
import subprocess

from admin import Admin
from host import PASSWORD, Host, check_in
from server_process import QRING, Server, wait_until
from test_roster import RosterCase

PRIVACY = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "privacy.md")
MARK = re.compile(r"zebra\w+", re.IGNORECASE)



class PrivacyTests(RosterCase):
    def bytes_of(self, *others):
        """Returns the bytes of all files in the data folder, also of the log of the database."""
        found = b""
        for path in [*glob.glob(os.path.join(self.server.folder, "**"), recursive=True), *others]:
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    found += file.read()
        return found

    def marks(self, text):
        return {mark.lower() for mark in MARK.findall(text)}

    def stored_marks(self):
        """Returns the marks in all cells of the database."""
        with sqlite3.connect(self.server.database) as database:
            text = "\n".join(database.iterdump())
        database.close()
        blobs = bytes.fromhex("".join(re.findall(r"X'([0-9A-Fa-f]*)'", text)))
        return self.marks(text) | self.marks(blobs.decode("latin-1"))

    def wait_until_nothing_is_left(self):
        """The rewrite of the file removes the last copies. After a start, it begins at once."""
        self.server.stop()
        self.server.start()
        wait_until(lambda: not self.marks(self.bytes_of().decode("latin-1")),
            lambda: self.marks(self.bytes_of().decode("latin-1")))

    def prepared(self):
        """A person of a roster with data in every place where a person's data can be."""
        self.made(session={"questions": [
            {"kind": "shortAnswer", "title": "Why?"}], "anonymous": False})
        person = self.host.post(f"{self.path}/roster", {
            "name": "ZebraKim", "email": "zebramail@example.org", "number": "zebranumber"}).expect(201).json
        removed = check_in(self.anybody, self.session, "ZebraGone", "zebramail@example.org").expect(201).json
        self.host.delete(f"/api/v1/attendees/{removed['attendee']['id']}").expect(204)
        arrived = check_in(self.anybody, self.session, "ZebraTyped", "zebramail@example.org").expect(201).json
        attendee, receipt = f"/api/v1/attendees/{arrived['attendee']['id']}", arrived["receipt"]
        self.host.patch(attendee, {"note": "zebraill"}).expect(200)
        self.host.patch(attendee, {"note": "zebrabetter"}).expect(200)
        session = self.session["id"]
        self.host.patch(f"/api/v1/sessions/{session}/sets/feedback", {"open": True}).expect(200)
        question = self.host.get(f"/api/v1/sessions/{session}/questions").expect(200).json["questions"][0]
        self.anybody.post(f"/api/v1/sessions/{session}/responses",
            {"answers": {question["id"]: "zebraanswer"}}, token=receipt).expect(201)
        self.host.patch(f"/api/v1/sessions/{session}/audience-settings",
            {"open": True, "promise": "named"}).expect(200)
        self.anybody.post(f"/api/v1/sessions/{session}/audience-questions", {"text": "zebraquestion?"},
            token=receipt).expect(201)
        # A word cloud, whose word the meeting's list holds back.
        self.host.put(f"{self.path}/held-words", {"words": ["zebraword"]}).expect(200)
        cloud = self.host.put(f"/api/v1/sessions/{session}/questions?set=cloud", {
            "questions": [{"kind": "wordCloud", "title": "A word?"}], "promise": "named"}).expect(200).json
        self.host.patch(f"/api/v1/sessions/{session}/sets/cloud/moderation",
            {"moderation": "after"}).expect(200)
        self.host.patch(f"/api/v1/sessions/{session}/sets/cloud", {"open": True}).expect(200)
        self.anybody.post(f"/api/v1/sessions/{session}/responses", {"set": "cloud",
            "answers": {cloud["questions"][0]["id"]: ["zebraword"]}}, token=receipt).expect(201)
        self.host.put(f"{self.path}/held-words", {"words": []}).expect(200)
        with sqlite3.connect(self.server.database) as database:
            words = database.execute("SELECT word FROM moderated_words").fetchall()
        database.close()
        self.assertEqual(words, [("zebraword",)])
        return person, receipt

    def test_every_table_of_the_database_is_in_the_list(self):
        with open(PRIVACY, encoding="utf-8") as page:
            listed = {name for line in page if line.startswith("| `")
                for name in re.findall(r"`([^`]+)`", line.split("|")[1])}
        with sqlite3.connect(self.server.database) as database:
            tables = {name for name, in database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")}
        database.close()
        self.assertEqual(tables - listed, set(), "docs/privacy.md")

    def test_exports_have_everything_and_an_erasure_leaves_nothing(self):
        person, receipt = self.prepared()
        path = f"{self.path}/roster/{person['id']}"
        exported = self.host.get(f"{path}/export").expect(200)
        self.assertEqual(self.stored_marks() - self.marks(exported.text), set())
        self.assertEqual({part["part"] for part in exported.json["leftOut"]},
            {"anonymousAnswers", "hiddenAnswers", "evidence", "journal"})
        page = self.host.get(f"{path}/export.html?lang=ko").expect(200).text
        self.assertEqual(self.marks(page), self.marks(exported.text))
        self.assertIn("진행자 메모", page)
        ran = self.run_command("meeting", "roster", "export", self.meeting["id"], "ZebraKim")
        self.assertEqual(self.marks(ran.stdout), self.marks(exported.text))

        # A receipt proves what somebody typed, and nothing of the roster.
        own = self.anybody.get("/api/v1/check-ins/current/export", token=receipt).expect(200)
        self.assertEqual(self.marks(own.text),
            {"zebratyped", "zebramail", "zebraanswer", "zebraquestion", "zebraword"})
        cookie = {"Cookie": f"qring_receipt_{self.session['id']}={receipt}"}
        record = self.anybody.get(f"/me/{self.session['id']}/record", headers=cookie, token=None).expect(200)
        link = re.search(rf"/me/{self.session['id']}/data\?who=\w+", record.text)[0]
        page = self.anybody.get(f"{link}&lang=de", headers=cookie, token=None).expect(200).text
        self.assertEqual(self.marks(page), self.marks(own.text))
        self.assertIn("Ihre Daten auf diesem Server", page)
        self.assertIn("Anonyme Antworten: ", page)
        file = re.search(r'href="(/me/[^"]+/data\.json\?[^"]+)"', page)[1].replace("&amp;", "&")
        answer = self.anybody.get(file, headers=cookie, token=None).expect(200)
        self.assertEqual(answer.json["checkIns"], own.json["checkIns"])

        other = Host(self.server, "other@example.org")
        other.get(f"{path}/export").expect(403)
        other.post(f"{path}/erase", {}).expect(403)
        ran = self.run_command("meeting", "roster", "erase", self.meeting["id"], "ZebraKim", "--yes")
        self.assertIn("was erased", ran.stderr)
        self.assertIn("person erased", self.run_command("meeting", "log", self.meeting["id"]).stdout)
        self.host.get(f"{path}/export").expect(404)
        self.assertEqual(self.stored_marks(), set())
        self.assertEqual(self.attendees(), [])
        self.wait_until_nothing_is_left()
        backup = os.path.join(self.server.temporary, "later.backup")
        Admin("backup", backup, folder=self.server.folder).expect()
        self.assertEqual(self.marks(self.bytes_of(backup).decode("latin-1")), set())

        log = self.host.get(f"{self.path}/actions").expect(200).json["items"]
        self.assertEqual([action["kind"] for action in log],
            ["erased", "exported", "exported", "exported", "exported", "exported", "exported"])
        self.assertEqual({action["actor"] for action in log[1:4]}, {"attendee"})
        self.host.get("/api/v1/actions?limit=2").expect(200)
        other.get("/api/v1/actions").expect(403)

    def test_an_account_is_exported_and_its_deletion_leaves_nothing(self):
        host = Host(self.server, "zebrahost@example.org")
        host.patch("/api/v1/me", {"name": "ZebraHost", "nickname": "zebranick", "gender": "zebragender",
            "interests": ["zebrainterest"], "phone": "010-1234-5678", "birthDate": "2001-05-20",
            "searchable": True, "ageRange": {"min": 20, "max": 39}, "notifications": False}).expect(200)
        self.made()
        self.host.post(f"{self.path}/members", {"email": "zebrahost@example.org", "role": "host"}).expect(201)
        exported = host.get("/api/v1/me/export").expect(200)
        self.assertEqual(self.stored_marks() - self.marks(exported.text), set())
        self.assertEqual(exported.json["account"]["invitations"][0]["role"], "host")
        account = exported.json["account"]["account"]
        self.assertEqual(
            [account[name] for name in ["phone", "birthDate", "searchable", "ageRange", "notifications"]],
            ["+821012345678", "2001-05-20", True, {"min": 20, "max": 39}, False])
        self.assertEqual(self.marks(host.get("/api/v1/me/export.html").expect(200).text),
            self.marks(exported.text))
        self.terminal.environment["QRING_TOKEN"] = host.token
        self.assertEqual(self.marks(self.run_command("account", "export").stdout),
            self.marks(exported.text))
        host.request("DELETE", "/api/v1/me", json={"password": PASSWORD}).expect(204)
        self.assertEqual(self.stored_marks(), set())
        self.wait_until_nothing_is_left()

    def test_an_operator_exports_and_erases_a_person_of_all_meetings(self):
        self.prepared()
        other = Host(self.server, "other@example.org")
        elsewhere = other.meeting("Elsewhere", starts=200, ends=260)["meeting"]["id"]
        other.post(f"/api/v1/meetings/{elsewhere}/roster",
            {"name": "ZebraElsewhere", "email": "zebramail@example.org"}).expect(201)
        other.post(f"/api/v1/meetings/{elsewhere}/members",
            {"email": "zebramail@example.org", "role": "viewer"}).expect(201)
        self.server.stop()
        # What the link of a mail does (test_reminders.py).
        with sqlite3.connect(self.server.database) as database:
            for meeting in (bytes(8), None):
                database.execute("INSERT INTO unsubscriptions VALUES (randomblob(16), ?, "
                    "(SELECT meeting FROM people WHERE name = 'ZebraKim' AND ?2 IS NOT NULL))",
                    ("zebramail@example.org", meeting))
        database.close()
        folder = self.server.folder
        found = Admin("person", "export", "zebramail@example.org", folder=folder).expect().answer
        self.assertEqual([wish.get("meeting") for wish in found["unsubscriptions"]],
            [None, self.meeting["name"]])
        self.assertEqual({person["name"] for person in found["people"]}, {"ZebraKim", "ZebraElsewhere"})
        self.assertEqual(self.stored_marks() - self.marks(str(found)), set())
        Admin("person", "erase", "zebramail@example.org", "--yes", folder=folder).expect()
        self.assertEqual(self.stored_marks(), set())
        kinds = [action["kind"] for action in Admin("log", folder=folder).expect().answer["items"]]
        self.assertEqual(kinds[:4], ["erased"] * 3 + ["exported"])
        self.server.start()
        self.wait_until_nothing_is_left()

    def test_the_doctor_prints_the_retention_and_wrong_periods_are_refused(self):
        doctor = Admin("doctor", "--keep-evidence", "7", folder=self.server.folder)
        line = next(check for check in doctor.answer["checks"] if check["check"] == "retention")
        self.assertEqual(line["state"], "ok")
        for text in ("evidence 7 days", "ended sessions 1095 days", "mails 7 days"):
            self.assertIn(text, line["what"])
        ran = subprocess.run([QRING, "serve", "--data", self.server.temporary, "--keep-sessions", "1"],
            capture_output=True, text=True, env=Server.environment())
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--keep-sessions must be a number from 60 to 36500.", ran.stderr)
