"""A host corrects people, roles and the image from a terminal; the journal and the files keep it."""
import datetime
import json
import os
import sqlite3
import unittest

from host import Host, check_in, moment
from image import image
from api import API
from server_process import Server
from test_command_line import Terminal


class CorrectionTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.session = self.host.session("Study group")
        self.terminal = Terminal(self, self.server.url)
        self.terminal.environment["QRING_TOKEN"] = self.host.token

    def run_qring(self, *words, code=0):
        ran = self.terminal.run(*words)
        self.assertEqual(ran.returncode, code, (words, ran.stdout, ran.stderr))
        return json.loads(ran.stdout) if "--json" in words else ran.stdout

    def counts(self):
        return self.host.get(f"/api/v1/sessions/{self.session['id']}").expect(200).json["attendance"]

    def test_each_correction_of_an_attendee_can_be_undone(self):
        check_in(API(self.server), self.session, "Kim", "kim@home.example").expect(201)
        added = self.run_qring("attendee", "add", "@", "Kim H.", "--email", "kim@work.example",
            "--status", "late", "--note", "no phone", "--json")
        self.assertEqual((added["status"], added["method"], added["walkIn"], added["note"]),
            ("late", "host", False, "no phone"))
        self.run_qring("attendee", "edit", "@", "kim@work.example", "--status", "excused", "--note", "ill")
        self.assertEqual((self.counts()["present"], self.counts()["excused"]), (1, 1))
        merged = self.run_qring("attendee", "merge", "@", "kim@home.example", "kim@work.example", "--json")
        self.assertEqual((merged["name"], merged["status"]), ("Kim H.", "present"))
        self.run_qring("attendee", "remove", "@", "Kim H.", "--note", "by mistake")
        self.assertEqual(self.counts()["checkedIn"], 0)

        journal = self.run_qring("session", "journal", "@", "--json")["items"]
        self.assertEqual([event["kind"] for event in journal],
            ["created", "checkedIn", "added", "corrected", "merged", "removed"])
        self.assertEqual([event.get("note") for event in journal[2:]],
            ["no phone", "ill", None, "by mistake"])
        self.run_qring("attendee", "undo", "@", "6")
        self.run_qring("session", "undo", "@", "6", code=6)
        self.run_qring("session", "undo", "@", "3", code=6)
        self.run_qring("session", "undo", "@", "99", code=5)
        self.assertEqual(self.counts()["checkedIn"], 1)
        self.assertIn("by mistake", self.run_qring("session", "journal", "@"))
        self.assertIn("Nothing unusual", self.run_qring("session", "review", "@"))
        # Nobody is asked without a terminal, so the command needs --yes, and names the data.
        refused = self.terminal.run("attendee", "remove", "@", "Kim H.", "--erase")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("deletes the check-in, the answers with this name,", refused.stderr)
        self.run_qring("attendee", "remove", "@", "Kim H.", "--erase", "--yes")
        self.run_qring("attendee", "edit", "@", "nobody@example.org", "--status", "late", code=5)
        self.assertEqual(self.server.stop(), 0)
        with sqlite3.connect(self.server.database) as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM attendees").fetchone(), (0,))
            kept = connection.execute(
                "SELECT note, before FROM corrections WHERE attendee IS NOT NULL").fetchall()
        connection.close()
        self.assertEqual(kept, [])

    def test_undo_goes_back_several_steps_and_redo_forth(self):
        for name in ("Kim", "Lee"):
            check_in(API(self.server), self.session, name, f"{name.lower()}@example.org").expect(201)
        self.run_qring("attendee", "edit", "@", "Kim", "--status", "late")
        self.run_qring("attendee", "edit", "@", "Kim", "--status", "excused")
        self.run_qring("attendee", "merge", "@", "Lee", "Kim")
        self.assertIn("with Kim", self.run_qring("session", "journal", "@"))
        self.run_qring("attendee", "remove", "@", "Kim")
        journal = self.run_qring("session", "journal", "@", "--json")["items"]
        kinds = {event["kind"]: event for event in journal}
        self.assertEqual([(kinds[kind]["attendeeName"], kinds[kind].get("intoName"))
            for kind in ("merged", "removed")], [("Lee", None), ("Kim", None)])
        told = self.run_qring("session", "undo", "@")
        self.assertIn("Kim", told)
        undone = self.run_qring("session", "undo", "@", "--json")
        self.assertEqual((undone["event"]["kind"], undone["attendee"]["name"]), ("undone", "Lee"))

        def statuses():
            listed = self.host.all(f"/api/v1/sessions/{self.session['id']}/attendees")
            return {one["name"]: one["status"] for one in listed}

        self.assertEqual(statuses(), {"Kim": "excused", "Lee": "present"})
        self.run_qring("attendee", "edit", "@", "Lee", "--status", "absent")
        self.run_qring("session", "redo", "@", code=6)
        self.run_qring("session", "undo", "@", "--attendee", "Kim")
        self.run_qring("session", "undo", "@", "--attendee", "Kim")
        self.assertEqual(statuses(), {"Kim": "present", "Lee": "absent"})
        self.run_qring("session", "redo", "@", "--attendee", "Kim")
        self.run_qring("session", "undo", "@")
        self.run_qring("session", "undo", "@")
        self.assertEqual(statuses(), {"Kim": "present", "Lee": "present"})
        self.run_qring("session", "undo", "@", code=6)
        path = f"/api/v1/sessions/{self.session['id']}"
        self.assertEqual(self.host.post(f"{path}/undo", {}).code, "nothing_to_undo")
        self.run_qring("session", "redo", "@", "--json")
        self.assertEqual(statuses(), {"Kim": "present", "Lee": "absent"})

    def test_a_bare_undo_walks_back_as_the_server_does_and_leaves_what_attendees_changed(self):
        receipts = {name: check_in(API(self.server), self.session, name,
            f"{name.lower()}@example.org").expect(201).json["receipt"] for name in ("Kim", "Lee")}
        for name, status in [("Lee", "absent"), ("Kim", "late"), ("Kim", "excused")]:
            self.run_qring("attendee", "edit", "@", name, "--status", status)
        path = f"/api/v1/sessions/{self.session['id']}"
        API(self.server).patch("/api/v1/check-ins/current", {"name": "Lee Jiho"},
            token=receipts["Lee"]).expect(200)

        def seen():
            return {one["name"]: one["status"] for one in self.host.all(f"{path}/attendees")}

        previews = []
        for _ in range(2):
            before = seen()
            previews.append(self.host.post(f"{path}/undo", {"preview": True}).expect(200).json["event"])
            self.assertEqual(seen(), before)
            undone = self.run_qring("session", "undo", "@", "--json")["event"]
            self.assertEqual(undone["data"]["undoes"], previews[-1]["sequence"])
        self.assertEqual([one["attendeeName"] for one in previews], ["Kim", "Kim"])
        self.assertEqual(seen(), {"Kim": "present", "Lee Jiho": "absent"})

    def test_today_lists_every_round_of_the_day_also_an_ended_one(self):
        meeting = self.session["meetingId"]
        path = f"/api/v1/meetings/{meeting}/sessions"
        week = 7 * 24 * 60
        self.host.post(path, {"startsAt": moment(week), "endsAt": moment(week + 60)}).expect(201)
        zone = {"timeZone": "UTC"}
        ended = self.host.meeting("Ended", starts=-3, ends=-1, **zone)["session"]
        self.host.meeting("Tomorrow", starts=26 * 60, ends=27 * 60, **zone)
        listed = self.host.all("/api/v1/sessions")
        names = {one["meetingName"] for one in listed}
        self.assertEqual(names & {"Study group", "Tomorrow"}, {"Study group"})
        # A test at midnight would not find the ended one.
        now = datetime.datetime.now(datetime.timezone.utc)
        if (now.hour, now.minute) > (0, 5):
            self.assertIn((ended["id"], "ended"), [(one["id"], one["phase"]) for one in listed])
            self.assertIn("Ended", self.run_qring("session", "list", "--today"))
        day = ended["startsAt"][:10]
        self.assertIn(ended["id"],
            [one["id"] for one in self.run_qring("session", "list", "--day", day, "--json")["items"]])
        self.assertEqual(self.host.all("/api/v1/sessions?day=2001-02-03"), [])
        self.assertEqual(self.host.get("/api/v1/sessions?day=tomorrow").status, 422)
        self.assertEqual(len(self.host.all("/api/v1/sessions", limit=1)), len(listed))

    def test_tables_use_the_words_of_people(self):
        anybody = API(self.server)
        anybody.post("/api/v1/check-ins",
            {"joinCode": self.session["joinCode"], "name": "Lee", "email": "lee@example.org"}).expect(201)
        self.run_qring("attendee", "add", "@", "Kim", "--email", "kim@example.org")
        self.run_qring("meeting", "members", "invite", "Study group", "v@example.org", "--role", "viewer")
        tables = [["attendee", "list", "@"], ["session", "journal", "@"],
            ["meeting", "members", "list", "Study group"]]
        english = "".join(self.run_qring(*words) for words in tables)
        for said in ["join code", "host", "checked in", "added", "attendee", "owner", "viewer"]:
            self.assertIn(said, english)
        korean = "".join(self.run_qring(*words, "--lang", "ko") for words in tables)
        for said in ["출석", "참여 코드", "진행자", "체크인", "추가", "참석자", "소유자", "열람자"]:
            self.assertIn(said, korean)
        for word in ["joinCode", "checkedIn", "attendee", "owner", "viewer ", "present"]:
            self.assertNotIn(word, korean)

    def roster(self, *words):
        return self.run_qring("meeting", "roster", *words)

    def awaited_and_checked_in(self):
        counts = self.counts()
        return counts["awaited"], counts["checkedIn"], counts["walkIns"]

    def undo_last(self):
        last = self.run_qring("session", "journal", "@", "--json")["items"][-1]["sequence"]
        self.run_qring("session", "undo", "@", str(last))

    def test_roster_slots_follow_corrections_and_their_undo(self):
        people = os.path.join(self.terminal.folder, "people.csv")
        with open(people, "w", encoding="utf-8") as file:
            file.write("이름,이메일\nKim,kim@work.example\nLee,lee@example.org\nPark,park@example.org\n")
        self.roster("import", "@", people)
        self.assertEqual(self.awaited_and_checked_in(), (3, 0, 0))
        # Kim checked in with an address that the roster does not have. The host sees that both records are
        # one person.
        check_in(API(self.server), self.session, "Kim", "kim@home.example").expect(201)
        self.assertEqual(self.awaited_and_checked_in(), (3, 1, 1))
        self.run_qring("attendee", "merge", "@", "kim@work.example", "kim@home.example")
        self.assertEqual(self.awaited_and_checked_in(), (2, 1, 0))
        self.undo_last()
        self.assertEqual(self.awaited_and_checked_in(), (3, 1, 1))
        self.run_qring("attendee", "merge", "@", "kim@work.example", "kim@home.example")

        # Lee's phone has no power: added by hand, they get their own roster slot.
        added = self.run_qring("attendee", "add", "@", "Lee", "--email", "LEE@example.org", "--json")
        self.assertEqual((added["status"], added["method"], added["walkIn"]), ("present", "host", False))
        self.assertEqual(self.awaited_and_checked_in(), (1, 2, 0))
        self.run_qring("attendee", "add", "@", "Lee", "--email", "lee@example.org", code=6)

        # After a removal by mistake they are awaited again; after the undo they are back.
        self.run_qring("attendee", "remove", "@", "lee@example.org")
        self.assertEqual(self.awaited_and_checked_in(), (2, 1, 0))
        self.undo_last()
        self.assertEqual(self.awaited_and_checked_in(), (1, 2, 0))
        shown = self.host.get(f"/api/v1/attendees/{added['id']}").expect(200).json
        self.assertEqual(shown["totals"], {"present": 1, "late": 0, "absent": 0, "excused": 0})
        totals = {person["name"]: person["totals"]["present"]
            for person in self.roster("list", "@", "--json")["items"]}
        self.assertEqual(totals, {"Kim": 1, "Lee": 1, "Park": 0})
        self.assertEqual(self.server.stop(), 0)
        ran = self.terminal.run("admin", "verify", "--data", os.path.dirname(self.server.database))
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_verify_finds_no_fault_after_corrections(self):
        for name in ["kim", "lee", "park"]:
            done = check_in(API(self.server), self.session, name, f"{name}@example.org").expect(201)
        self.run_qring("attendee", "edit", "@", "kim", "--status", "absent")
        self.run_qring("attendee", "merge", "@", "lee", "park")
        self.run_qring("session", "undo", "@", "6")
        self.run_qring("attendee", "remove", "@", "kim")
        for name in ["Park", "Park Seoyeon", "park"]:
            API(self.server).patch("/api/v1/check-ins/current", {"name": name},
                token=done.json["receipt"]).expect(200)
        self.assertEqual(self.server.stop(), 0)
        ran = self.terminal.run("admin", "verify", "--data", os.path.dirname(self.server.database))
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_an_edit_prints_the_old_values_and_the_journal_stores_them(self):
        before = self.run_qring("session", "show", "@", "--json")
        ran = self.terminal.run("session", "edit", "@", "--starts", "+20m", "--note", "the room was locked")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        after = self.run_qring("session", "show", "@", "--json")

        def moved(field):
            first, second = (datetime.datetime.fromisoformat(session[field]) for session in (before, after))
            return second - first

        # The end moves with the start.
        self.assertEqual((moved("startsAt"), moved("endsAt")), (datetime.timedelta(minutes=20),) * 2)
        self.assertRegex(ran.stderr, r"start: 20\S+ \S+ → 20\S+ \S+\n +end: 20\S+ \S+ → 20")
        self.run_qring("session", "edit", "@", "--planned", "30")
        ran = self.terminal.run("session", "edit", "@", "--planned", "40", "--lang", "ko")
        self.assertIn("예정 인원: 30 → 40", ran.stderr)
        journal = self.run_qring("session", "journal", "@")
        for text in ["the room was locked", "start: 20", "planned count: 0 → 30", "0 statuses recomputed"]:
            self.assertIn(text, journal)
        self.assertEqual(self.terminal.run("session", "edit", "@", "--note", "nothing else").returncode, 2)
        # An edit of the version that was shown then does not fit the version of now.
        ran = self.terminal.run("session", "edit", "@", "--planned", "50", "--if-version",
            str(after["version"]))
        self.assertEqual(ran.returncode, 6)
        self.assertIn("Somebody changed it meanwhile", ran.stderr)
        self.assertEqual(self.counts()["planned"], 40)

    def test_listed_questions_replace_only_the_version_that_was_listed(self):
        path = os.path.join(self.terminal.folder, "questions.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.run_qring("question", "list", "@", "--json"), file)
        self.run_qring("question", "set", "@", path)
        ran = self.terminal.run("question", "set", "@", path)
        self.assertEqual(ran.returncode, 6, ran.stderr)
        self.run_qring("question", "set", "@", path, "--if-version", "2")
        self.run_qring("question", "set", "@", path, "--set", "poll", code=6)
        ran = self.terminal.run("question", "edit", "@", "--share", "yes")
        self.assertIn("shared: no → yes", ran.stderr)

    def test_an_unknown_name_is_reported_with_the_next_step(self):
        self.run_qring("attendee", "add", "@", "Kim")
        for words in [("attendee", "merge", "@", "Kim", "Lee"),
                ("attendee", "edit", "@", "Lee", "--status", "late"),
                ("attendee", "remove", "@", "0" * 26)]:
            ran = self.terminal.run(*words)
            self.assertEqual(ran.returncode, 5)
            self.assertIn("no attendee of Study group#1", ran.stderr)
            self.assertIn("qring attendee list 'Study group#1'", ran.stderr)
        ran = self.terminal.run("meeting", "members", "role", "@", "x@example.org", "--role", "viewer")
        self.assertIn("no member of the meeting has the address x@example.org", ran.stderr)
        ran = self.terminal.run("meeting", "roster", "rename", "@", "Lee", "--name", "X")
        self.assertIn("nobody on the roster", ran.stderr)

    def test_a_session_is_deleted_by_its_round_and_day(self):
        self.run_qring("meeting", "continue", "@", "--starts", "2030-01-01 10:00", "--ends", "11:00")
        ran = self.terminal.run("session", "delete", "Study group#2", "--yes")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("Study group, session 2 on 2030-01-01 10:00", ran.stderr)

    def test_a_co_host_is_invited_and_the_last_owner_stays(self):
        other = Host(self.server)
        invited = self.run_qring("meeting", "members", "invite", "@", other.email, "--role", "host", "--json")
        guest = Terminal(self, self.server.url)
        guest.environment["QRING_TOKEN"] = other.token
        self.assertIn("Study group", guest.run("meeting", "invitations").stdout)
        self.assertEqual(guest.run("meeting", "accept", invited["invitation"]).returncode, 0)
        self.assertIn(other.email, self.run_qring("meeting", "members", "list"))
        self.run_qring("meeting", "members", "role", "@", other.email, "--role", "viewer")
        self.run_qring("meeting", "members", "leave", "@", code=6)
        self.assertEqual(guest.run("meeting", "members", "leave", "@").returncode, 0)
        self.assertEqual(guest.run("session", "show", self.session["id"]).returncode, 4)

    def test_an_image_is_read_back_byte_for_byte(self):
        picture, copy = (os.path.join(self.terminal.folder, name) for name in ["in.txt", "out.png"])
        with open(picture, "wb") as file:
            file.write(image(40, 30))
        self.assertIn("has a new image", self.run_qring("meeting", "image", "set", "@", picture))
        self.assertIn("meeting's image was replaced", self.run_qring("meeting", "image", "set", "@", picture))
        self.run_qring("meeting", "continue", "@", "--starts", "2030-01-01 10:00", "--ends", "11:00")
        self.run_qring("meeting", "image", "get", "@", copy)
        with open(copy, "rb") as file:
            self.assertEqual(file.read(), image(40, 30))
        with open(picture, "wb") as file:
            file.write(image(40, 30)[:-1])
        self.run_qring("meeting", "image", "set", "@", picture, code=1)
        with open(picture, "wb") as file:
            file.write(b"GIF89a")
        refused = self.terminal.run("meeting", "image", "set", "@", picture)
        self.assertIn("The file must be a JPEG or PNG image of at most 5 MB.",
            refused.stderr)
        self.run_qring("meeting", "image", "remove", "@", code=2)
        self.run_qring("meeting", "image", "remove", "@", "--yes")
        self.run_qring("meeting", "image", "get", "@", copy, code=5)


if __name__ == "__main__":
    unittest.main()
