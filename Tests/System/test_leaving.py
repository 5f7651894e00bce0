"""Leaving and returning: by the attendee's own phone without JavaScript, by the command line, and as the
counts that a watching host sees."""
import unittest

from host import Host, check_in, code_of, moment
from page import Visitor
from server_process import Server
from test_exit_codes import HostsMachine
from test_watch import Watcher


class LeavingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def meeting(self, **session):
        made = self.host.meeting("Course", starts=-30,
            session={"questions": [], "lateAfterMinutes": 60, **session})
        self.path = f"/api/v1/sessions/{made['session']['id']}"
        return made["session"]

    def qring(self, *words):
        code, out, err = HostsMachine(self, self.server.url, self.host.token).run(*words)
        self.assertEqual(code, 0, err)
        return out

    def move(self, visitor, page):
        """Presses the button by which the attendee leaves or returns."""
        [form] = [form for form in page.forms if form["fields"].get("do") in ("leave", "return")]
        return visitor.send("POST", form["action"], form["fields"])

    def test_a_phone_leaves_and_the_host_lets_the_person_return(self):
        session = self.meeting(checkOut="phones", minimumPercent=80)
        name, visitor = f"{session['meetingName']}#{session['round']}", Visitor(self.server)
        machine = HostsMachine(self, self.server.url, self.host.token)
        with Watcher(machine, "watch", session["id"], "--compact") as watcher:
            watcher.out.wait_for_match("in 0 · inside 0 · left 0")
            form = visitor.open(f"/C/{code_of(session)}")
            own = visitor.submit(form, name="Kim", email="kim@example.org")
            watcher.out.wait_for_match("in 1 · inside 1 · left 0")
            self.assertIn("You are checked in, Kim", own.text)
            out = self.move(visitor, own)
            self.assertRegex(out.text, r"Kim, you are out since \d\d:\d\d")
            self.assertIn("I am back", out.text)
            watcher.out.wait_for_match("in 1 · inside 0 · left 1")
            again = visitor.open(f"/C/{code_of(session)}")
            self.assertIn("you are out since", again.text)
            self.assertIn("kim@example.org", self.qring("attendee", "list", session["id"]))
            self.assertIn("Kim is inside.", self.qring("attendee", "return", session["id"], "Kim"))
            watcher.out.wait_for_match("in 1 · inside 1 · left 0$")
            self.assertRegex(
                self.qring("attendee", "leave", session["id"], "Kim"), r"Kim is out since \d\d:\d\d")
            back = self.move(visitor, visitor.open(again.links["My attendance"]))
            self.assertIn("You are checked in, Kim", back.text)
        kinds = [event["kind"] for event in self.host.get(f"{self.path}/journal").json["items"]]
        self.assertEqual(kinds[-4:], ["left", "returned", "left", "returned"])
        self.assertIn("inside 1 · left 0", self.qring("session", "show", name))

    def test_a_short_presence_is_partial_after_the_end(self):
        session = self.meeting(checkOut="door", minimumMinutes=20)
        kim = check_in(self.host, session, "Kim", "kim@example.org").expect(201).json
        lee = check_in(self.host, session, "Lee", "lee@example.org").expect(201).json
        self.host.patch(f"/api/v1/attendees/{lee['attendee']['id']}",
            {"status": "present", "checkedInAt": moment(-25)}).expect(200)
        # The phones of this session record nothing.
        refused = self.host.post("/api/v1/check-ins/current/leave", {}, token=kim["receipt"]).expect(409)
        self.assertEqual(refused.json["code"], "check_out_off")
        self.host.patch(self.path, {"endsAt": moment(-1)}).expect(200)
        self.assertEqual(self.host.get(f"{self.path}/presence").expect(200).json,
            {"inside": 0, "left": 0, "leastSeconds": 1200, "partial": 1})
        listed = {one["name"]: one for one in self.host.all(f"{self.path}/attendees")}
        self.assertEqual([listed[name].get("partial") for name in ["Kim", "Lee"]], [True, None])
        self.assertEqual(listed["Kim"]["presentMinutes"], 0)
        self.assertIn(listed["Lee"]["presentMinutes"], [23, 24])
        self.assertIn("Present for less than 20 minutes: 1", self.qring("session", "show", session["id"]))
        self.assertIn("present (partially present)", self.qring("attendee", "list", session["id"]))
        for name, partial in [("Kim", 1), ("Lee", None)]:
            shown = self.host.get(f"/api/v1/attendees/{listed[name]['id']}").expect(200).json
            self.assertEqual(shown["totals"].get("partial"), partial)
        table = self.host.get(f"{self.path}/attendance.csv?headings=keys").expect(200).text.splitlines()
        self.assertTrue(table[0].endswith(",leftAt,presentMinutes,partial"))

    def test_a_session_without_check_out_looks_as_before(self):
        session = self.meeting()
        visitor = Visitor(self.server)
        own = visitor.submit(visitor.open(f"/C/{code_of(session)}"), name="Kim", email="kim@example.org")
        self.assertNotIn("I am leaving", own.text)
        shown = self.host.get(self.path).expect(200).json
        self.assertFalse({"checkOut", "minimumMinutes", "minimumPercent"} & shown.keys())
        self.assertFalse({"inside", "left"} & shown["attendance"].keys())
        [kim] = self.host.all(f"{self.path}/attendees")
        self.assertFalse({"leftAt", "presentMinutes", "partial"} & kim.keys())
        self.host.post(f"/api/v1/attendees/{kim['id']}/leave", {}).expect(409)
        table = self.host.get(f"{self.path}/attendance.csv?headings=keys").expect(200).text.splitlines()
        self.assertTrue(table[0].endswith(",firstTime"))

    def test_others_see_counts_and_no_times(self):
        session = self.meeting(checkOut="phones")
        receipts = [
            check_in(self.host, session, f"P{number}", f"p{number}@example.org").expect(201).json["receipt"]
            for number in range(2)]
        left = self.host.post("/api/v1/check-ins/current/leave", {}, token=receipts[0]).expect(200).json
        self.assertIn("leftAt", left["attendee"])
        other = self.host.get("/api/v1/check-ins/current", token=receipts[1]).expect(200)
        self.assertEqual([other.json["session"]["attendance"][key] for key in ["inside", "left"]], [1, 1])
        self.assertNotIn("leftAt", other.text)


if __name__ == "__main__":
    unittest.main()
