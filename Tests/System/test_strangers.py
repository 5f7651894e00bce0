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
        self.assertIn("Already checked in", answer.text)
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


if __name__ == "__main__":
    unittest.main()
