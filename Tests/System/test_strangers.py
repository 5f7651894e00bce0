"""A person who checks in with another person's address learns nothing about them; the owner gets their answer
again."""
import unittest

from api import API
from host import Host, check_in, code_of
from server_process import Server


class StrangerTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def setUp(self):
        self.session = self.host.session()
        self.anybody = API(self.server)

    def grant(self):
        return self.anybody.post("/api/v1/grants", {"code": code_of(self.session)}).expect(201).json["grant"]

    def enter(self, grant, name, email, **options):
        return self.anybody.post("/api/v1/check-ins", {"grant": grant, "name": name, "email": email},
            **options)

    def test_a_stranger_with_an_attendees_address_learns_nothing(self):
        own = self.enter(self.grant(), "Kim Minseo", "minseo@example.org").expect(201).json
        for email in ["minseo@example.org", "  MINSEO@Example.org "]:
            stranger = self.enter(self.grant(), "Somebody Else", email).expect(200)
            self.assertEqual(set(stranger.json), {"session", "alreadyCheckedIn"})
            self.assertIs(stranger.json["alreadyCheckedIn"], True)
            for secret in [own["attendee"]["id"], own["receipt"], "Minseo", "minseo",
                    own["attendee"]["checkedInAt"]]:
                self.assertNotIn(secret, stranger.text)
            self.assertNotIn("Set-Cookie", stranger.headers)
            # Only members may show codes.
            self.assertNotIn("joinCode", stranger.json["session"])
            self.assertNotIn("checkInUrl", stranger.json["session"])
        listed = self.host.all(f"/api/v1/sessions/{self.session['id']}/attendees")
        self.assertEqual([(person["name"], person["email"]) for person in listed],
            [("Kim Minseo", "minseo@example.org")])

    def test_the_page_reveals_no_more_to_a_stranger(self):
        self.enter(self.grant(), "Kim Minseo", "minseo@example.org").expect(201)
        page = self.anybody.get(f"/C/{code_of(self.session)}").expect(200)
        grant = page.headers["Set-Cookie"].split(";")[0]
        answer = self.anybody.request(
            "POST", f"/C/{code_of(self.session)}",
            form={"grant": grant.split("=", 1)[1], "name": "Somebody Else", "email": "minseo@example.org"},
            headers={"Cookie": grant}).expect(200)
        self.assertIn("This e-mail address has checked in already. Is it yours?", answer.text)
        self.assertNotIn("Minseo", answer.text)
        self.assertNotIn("qrc_", answer.text)
        self.assertNotIn("Set-Cookie", answer.headers)

    def test_the_same_grant_or_receipt_gets_the_first_answer_again(self):
        grant = self.grant()
        first = self.enter(grant, "Kim Minseo", "minseo@example.org").expect(201).json
        self.assertIs(first["alreadyCheckedIn"], False)
        # The session's counts may have changed; the person's own record may not.
        own = {key: first[key] for key in ["attendee", "receipt"]}
        for again in [
            self.enter(grant, "Kim Minseo", "minseo@example.org"),
            self.enter(grant, "Another Name", "other@example.org"),
            self.enter(self.grant(), "Kim Minseo", "minseo@example.org", token=first["receipt"]),
        ]:
            self.assertEqual(again.status, 200)
            self.assertIs(again.json["alreadyCheckedIn"], True)
            self.assertEqual({key: again.json[key] for key in own}, own)
        self.assertEqual(len(self.host.all(f"/api/v1/sessions/{self.session['id']}/attendees")), 1)

    def test_a_receipt_of_another_session_proves_nothing_here(self):
        first = self.enter(self.grant(), "Kim Minseo", "minseo@example.org").expect(201).json
        elsewhere = check_in(self.anybody, self.host.session("Other"), "Lee",
            "lee@example.org").expect(201).json
        answer = self.anybody.post(
            "/api/v1/check-ins",
            {"code": code_of(self.session), "name": "Lee", "email": "minseo@example.org"},
            token=elsewhere["receipt"])
        self.assertEqual((answer.status, set(answer.json)), (200, {"session", "alreadyCheckedIn"}))
        self.assertNotIn(first["receipt"], answer.text)

    def roster_session(self, **fields):
        made = self.host.meeting(identifyBy="number", **fields)
        self.host.put(f"/api/v1/meetings/{made['meeting']['id']}/roster",
            {"people": [{"name": f"Secret Name {n}", "number": f"A-{n}"} for n in range(20)]}).expect(200)
        self.session, self.meeting = made["session"], made["meeting"]

    def enter_number(self, grant, name, number, **options):
        return self.anybody.post("/api/v1/check-ins", {"grant": grant, "name": name, "number": number},
            **options)

    def test_no_answer_to_an_attendee_has_a_name_of_the_roster(self):
        self.roster_session()
        page = self.anybody.get(f"/C/{code_of(self.session)}").expect(200)
        cookie = page.headers["Set-Cookie"].split(";")[0]
        shown = self.anybody.request("POST", f"/C/{code_of(self.session)}",
            form={"grant": cookie.split("=", 1)[1], "name": "x", "number": "a-1"},
            headers={"Cookie": cookie}).expect(200)
        receipts = shown.headers["Set-Cookie"].split(";")[0]
        own = f"/me/{self.session['id']}"
        grant = self.grant()
        key = {"Idempotency-Key": "k" * 22}
        first = self.enter_number(grant, "x", "A-2", headers=key).expect(201)
        receipt = first.json["receipt"]
        current = "/api/v1/check-ins/current"
        answers = [shown, first,
            self.enter_number(grant, "x", "A-2", headers=key).expect(201),
            self.enter_number(grant, "x", "A-2").expect(200),
            self.enter_number(self.grant(), "x", "A-2").expect(200),
            self.anybody.get(current, token=receipt).expect(200),
            self.anybody.patch(current, {"name": "y"}, token=receipt).expect(200),
            self.anybody.get(own, headers={"Cookie": receipts}).expect(200),
            self.anybody.get(f"{own}/record", headers={"Cookie": receipts}).expect(200)]
        for answer in answers:
            self.assertNotIn("Secret", answer.text)
            if answer.headers.get("Content-Type", "").startswith("application/json"):
                self.assertIsNone((answer.json.get("attendee") or {}).get("walkIn"))
        self.assertEqual(answers[6].json["attendee"]["name"], "y")
        # Hosts see both names, also as something unusual.
        listed = self.host.all(f"/api/v1/sessions/{self.session['id']}/attendees")
        named = {one["number"]: (one["name"], one["typedName"]) for one in listed if "typedName" in one}
        self.assertEqual(named, {"A-1": ("Secret Name 1", "x"), "A-2": ("Secret Name 2", "y")})
        review = self.host.get(f"/api/v1/sessions/{self.session['id']}/review").expect(200).json
        found = {one["kind"]: one for one in review["findings"]}["otherName"]
        self.assertEqual({one["name"] for one in found["attendees"]}, {"Secret Name 1", "Secret Name 2"})
        # A roster that changes later does not reveal its names either.
        people = self.host.get(f"/api/v1/meetings/{self.meeting['id']}/roster").expect(200).json["items"]
        person = next(one for one in people if one["number"] == "A-2")
        self.host.patch(f"/api/v1/meetings/{self.meeting['id']}/roster/{person['id']}",
            {"name": "Secret Other", "number": "Z-9"}, headers={"If-Match": "*"}).expect(200)
        seen = self.anybody.get(current, token=receipt).expect(200).json["attendee"]
        self.assertEqual((seen["name"], seen["number"]), ("y", "A-2"))

    def test_an_incomplete_form_does_not_reveal_whether_a_number_is_taken(self):
        questions = [{"kind": "shortAnswer", "title": "Team", "required": True}]
        self.roster_session()
        self.host.put(f"/api/v1/sessions/{self.session['id']}/questions?set=check-in",
            {"questions": questions}, headers={"If-None-Match": "*"}).expect(200, 201)
        question = self.anybody.post("/api/v1/grants",
            {"code": code_of(self.session)}).expect(201).json["questions"][0]["id"]
        taken = {"name": "x", "number": "A-3"}
        self.anybody.post("/api/v1/check-ins", {"grant": self.grant(), **taken,
            "answers": {question: "blue"}}).expect(201)
        answers = [self.anybody.post("/api/v1/check-ins",
            {"grant": self.grant(), "name": "x", "number": number}) for number in ["A-3", "A-4", "B-9"]]
        self.assertEqual({answer.code for answer in answers}, {"invalid_fields"})

    def test_one_grant_cannot_try_one_number_after_the_other(self):
        self.roster_session()
        for n in range(10):
            self.enter_number(self.grant(), "x", f"A-{n}").expect(201)
        grant = self.grant()
        statuses = [self.enter_number(grant, "x", f"A-{n}").status for n in range(10)]
        self.assertEqual(statuses, [200] * 5 + [409] * 5)
        self.assertEqual(self.enter_number(grant, "x", "A-12").code, "grant_used_up")
        # A check-in that is withdrawn does not give the grant a new number each time.
        grant = self.grant()
        for n in range(5):
            done = self.enter_number(grant, "x", f"free-{n}").expect(201).json
            self.anybody.delete("/api/v1/check-ins/current", token=done["receipt"]).expect(204)
        self.assertEqual(self.enter_number(grant, "x", "free-9").code, "grant_used_up")
        self.enter_number(grant, "x", "free-0").expect(201)

    def test_an_attendee_can_change_their_name_twenty_times(self):
        receipt = check_in(self.anybody, self.session, "Kim", "kim@example.org").expect(201).json["receipt"]
        current = "/api/v1/check-ins/current"
        answers = [self.anybody.patch(current, {"name": f"Kim {n}"}, token=receipt) for n in range(22)]
        self.assertEqual([answer.status for answer in answers], [200] * 20 + [409] * 2)
        self.assertEqual(answers[20].code, "renamed_too_often")
        self.assertIn("Ask the host", answers[20].json["detail"])
        self.assertEqual(
            self.anybody.get(current, token=receipt).expect(200).json["attendee"]["name"], "Kim 19")

    def test_withdrawals_by_a_stranger_do_not_keep_the_right_person_out(self):
        self.roster_session()
        for _ in range(11):
            done = self.enter_number(self.grant(), "x", "A-1").expect(201).json
            self.anybody.delete("/api/v1/check-ins/current", token=done["receipt"]).expect(204)
        self.enter_number(self.grant(), "x", "A-1").expect(201)


if __name__ == "__main__":
    unittest.main()
