"""The regulars of a weekly meeting: the next round expects the people who came."""
import csv
import io
import json

from host import check_in, moment
from host_page import HostPage
from test_roster import RosterCase


class RegularsTests(RosterCase):
    def came(self, session, *names):
        for name in names:
            check_in(self.anybody, session, name, f"{name.lower()}@example.org").expect(201)

    def following(self, **fields):
        times = {"startsAt": moment(300), "endsAt": moment(360), "allowOverlap": True}
        return self.host.post(f"{self.path}/sessions", {**times, **fields}).expect(201).json

    def names(self, session):
        return sorted(person["name"] for person in self.attendees(session))

    def test_the_next_round_expects_the_people_who_came(self):
        self.made(regulars="everybody")
        self.assertEqual(self.host.get(self.path).expect(200).json["regulars"], "everybody")
        self.came(self.session, "Kim", "Lee")
        second = self.following(
            title="Kick-off", plannedCount=7, lateAfterMinutes=3, place="Room 2", questions=[])
        self.assertEqual(self.names(second), ["Kim", "Lee"])
        shown = [second[name] for name in ("title", "lateAfterMinutes", "place")]
        self.assertEqual(shown, ["Kick-off", 3, "Room 2"])
        counts = second["attendance"]
        self.assertEqual([counts[name] for name in ("planned", "awaited", "unnamed")], [7, 7, 5])
        answer = self.host.post(f"{self.path}/sessions",
            {"startsAt": moment(400), "endsAt": moment(460), "identifyBy": "name"})
        self.assertEqual(answer.code, "session_has_attendees")

        listed = self.run_command("attendee", "list", second["id"]).stdout
        self.assertIn("and 5 unnamed", listed)
        path = f"/api/v1/sessions/{second['id']}/attendance.csv"
        rows = list(csv.reader(io.StringIO(self.host.get(path).expect(200).text, newline="")))
        self.assertEqual(rows[-1][:4], ["and 5 unnamed", "", "", "awaited"])

        # The round of today is the one that a bare name means, and the command line says so.
        ran = self.run_command("attendee", "list", "Study group")
        self.assertIn("Study group, session 1", ran.stderr)
        self.assertIn("Study group#2", ran.stderr)
        self.shift(self.session, 3)
        ran = self.run_command("results", "Study group")
        self.assertIn("session 1", ran.stderr)
        ran = self.run_command("session", "show", "Study group")
        self.assertIn("Kick-off", ran.stdout)

        self.host.patch(f"/api/v1/sessions/{second['id']}",
            {"startsAt": moment(-1), "endsAt": moment(60)}).expect(200)
        self.came(second, "Kim", "Park")
        marks = {one["name"]: (one["walkIn"], one["firstTime"]) for one in self.attendees(second)}
        self.assertEqual(marks, {"Kim": (False, False), "Lee": (False, False), "Park": (True, True)})

    def test_sample_questions_have_both_languages(self):
        made = self.run_command(
            "meeting", "create", "Samples", "--now", "--for", "1h", "--sample-questions", "--json").stdout
        session = json.loads(made)["session"]["id"]
        first = self.host.get(f"/api/v1/sessions/{session}/questions").expect(200).json["questions"][0]
        self.assertEqual(first["titles"], {"en": "How was it today?", "ko": "오늘 모임은 어땠나요?"})

    def test_one_action_keeps_everybody_who_came(self):
        self.made()
        self.came(self.session, "Kim", "Lee", "Park")
        ran = self.run_command("meeting", "roster", "keep", "Study group", "--all-who-came")
        self.assertIn("3 people added", ran.stderr)
        answer = self.host.post(f"{self.path}/roster/keep", {"sessionId": self.session["id"]}).expect(200)
        self.assertEqual(answer.json, {"kept": 0, "unchanged": 3})
        self.host.post(f"{self.path}/roster/keep", {"sessionId": "0" * 26}).expect(404)
        self.run_command("meeting", "roster", "keep", "Study group", code=2)
        self.assertEqual(self.names(self.following()), ["Kim", "Lee", "Park"])

    def test_a_name_that_is_on_the_roster_is_added_only_after_a_question(self):
        self.made()
        self.host.post(f"{self.path}/roster", {"name": "Kim"}).expect(201)
        answer = self.host.post(f"{self.path}/roster", {"name": "kim", "allowSameName": False})
        self.assertEqual(answer.code, "name_on_roster")
        ran = self.run_command("meeting", "roster", "add", "Study group", "Kim", code=6)
        self.assertIn("--same-name", ran.stderr)
        self.run_command("meeting", "roster", "add", "Study group", "Kim", "--same-name")
        self.assertEqual(len(self.host.get(f"{self.path}/roster").expect(200).json["items"]), 2)

    def test_an_import_merges_attendees_without_address_by_a_clear_name(self):
        self.made()
        path = f"/api/v1/sessions/{self.session['id']}/attendees"
        for name in ("Kim", "Lee", "Lee"):
            self.host.post(path, {"name": name}).expect(201)
        people = {"people": [{"name": name, "email": f"{name}@example.org"} for name in ("Kim", "Lee")]}
        shown = self.host.put(f"{self.path}/roster?dryRun=true", people).expect(200).json["changes"]
        self.assertEqual([one["name"] for one in shown["ambiguous"]], ["Lee"])
        self.host.put(f"{self.path}/roster", people).expect(200)
        self.assertEqual(self.names(self.session), ["Kim", "Lee", "Lee", "Lee"])
        kim, = [one for one in self.attendees() if one["name"] == "Kim"]
        self.assertEqual((kim["email"], kim["status"]), ("Kim@example.org", "present"))

    def test_the_page_names_the_round_keeps_everybody_and_counts_the_unnamed(self):
        self.made(plannedCount=5)
        self.came(self.session, "Kim")
        page = self.enterContext(HostPage(self.server))
        page.sign_in(self.host.email)
        page.show(f"sessions/{self.session['id']}/people")
        page.wait_for(lambda: "and 4 unnamed" in page.find("#main").text)
        page.click_text("Expect everybody again")
        page.wait_for(lambda: self.host.get(f"{self.path}/roster").json["items"])
        page.show(f"meetings/{self.meeting['id']}")
        page.click_text("Next session")
        for name, value in (("title", "Kick-off"), ("next-place", "Room 2"), ("plannedCount", "9")):
            page.fill(f"#f-{name}", value)
        page.click("details[open] form button")
        page.wait_for(lambda: "Session 2: Kick-off" in page.find("#main").text)
        second, = [one for one in self.host.get(f"{self.path}/sessions").json["items"] if one["round"] == 2]
        self.assertEqual((second["place"], second["attendance"]["planned"]), ("Room 2", 9))
        self.assertEqual(self.names(second), ["Kim"])
        # The page asks before it adds a name that is on the roster already.
        page.show(f"meetings/{self.meeting['id']}")
        page.click_text("Add a person")
        page.fill("#f-new-name", "kim")
        page.click_text("Add")
        page.wait_for_text("dialog", "kim is on the roster already")
        self.assertEqual(len(self.host.get(f"{self.path}/roster").json["items"]), 1)
        page.answer_dialog("Add")
        page.wait_for(lambda: len(self.host.get(f"{self.path}/roster").json["items"]) == 2)
        # Today has every round of the day except the one above it, not one session of each meeting.
        today = {one["id"] for one in self.host.get("/api/v1/sessions").json["items"]}
        page.show("")
        page.find(".near")
        page.wait_for(lambda: len(page.find_all("section[aria-label=Today] .tiles > *")) == len(today) - 1)
