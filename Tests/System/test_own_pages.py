"""An attendee's own pages without JavaScript: several people on one phone, corrections, withdrawals,
languages, writes by other sites."""
import unittest

from host import Host, code_of
from page import Visitor
from server_process import Server

# The smallest JPEG that the server accepts.
PICTURE = bytes.fromhex("FFD8 FFC0 000B 08 0002 0003 01 011100 FFDA 0002 00 FFD9")


class OwnPageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def setUp(self):
        self.session = self.host.session()
        self.path = f"/C/{code_of(self.session)}"
        self.visitor = Visitor(self.server)

    def people(self):
        return sorted(person["name"]
            for person in self.host.all(f"/api/v1/sessions/{self.session['id']}/attendees"))

    def enter(self, name, path=None):
        form = self.visitor.open(path or self.path)
        return self.visitor.submit(form, name=name, email=f"{name.lower()}@example.org")

    def record(self, page):
        return self.visitor.open(page.links["My attendance"])

    def send(self, page, number, headers=None, **typed):
        form = page.forms[number]
        return self.visitor.send("POST", form["action"], {**form["fields"], **typed}, headers=headers)

    def test_two_people_on_one_phone_keep_both_receipts_and_are_asked_who_answers(self):
        self.enter("Kim")
        second = self.enter("Lee", f"{self.path}?another=1")
        self.assertIn("You are checked in, Lee", second.text)
        self.assertIn("Answering: Lee", second.text)
        self.assertEqual(self.people(), ["Kim", "Lee"])
        asked = self.visitor.open(self.path)
        self.assertIn("Who is answering?", asked.text)
        for name in ["Kim", "Lee"]:
            page = self.visitor.open(asked.links[name])
            self.assertIn(f"You are checked in, {name}", page.text)
            rating = self.host.questions(self.session)["rating"]
            self.assertIn("Thank you", self.visitor.submit(page, **{f"q_{rating}": "5"}).text)
        self.assertEqual(self.host.get(f"/api/v1/sessions/{self.session['id']}/results").json["responses"], 2)

    def test_after_an_answer_the_page_says_what_was_stored_and_shared(self):
        rating = self.host.questions(self.session)["rating"]
        for anonymous, shared, stored, shown in [
                (True, False, "stored without your name and exact time",
                    "If the host shares the results of “Feedback”"),
                (False, True, "stored with your name, and the host can read them",
                    "Live results of “Feedback” are below")]:
            with self.subTest(anonymous=anonymous):
                self.session = self.host.session(session={"anonymous": anonymous})
                self.host.patch(f"/api/v1/sessions/{self.session['id']}/sets/feedback",
                    {"shared": shared}).expect(200)
                rating = self.host.questions(self.session)["rating"]
                self.visitor = Visitor(self.server)
                thanks = self.visitor.submit(self.enter("Kim", f"/C/{code_of(self.session)}"),
                    **{f"q_{rating}": "5"})
                for page in [thanks, self.visitor.open(f"/C/{code_of(self.session)}")]:
                    self.assertIn(stored, page.text)
                    self.assertIn(shown, page.text)
                self.assertIn("kim@example.org", self.record(thanks).text)

    def test_an_attendee_corrects_their_name(self):
        record = self.record(self.enter("Kim"))
        self.assertIn("kim@example.org", record.text)
        for wrong in ["", " ", "x" * 101]:
            refused = self.send(record, 0, name=wrong)
            self.assertEqual((refused.status, refused.forms[0]["fields"]["name"]), (422, wrong))
            self.assertIn("aria-invalid", refused.attributes["name"])
        hostile = "<img src=x onerror=alert(1)>"
        renamed = self.send(record, 0, name=hostile)
        self.assertIn("Your details were saved", renamed.text)
        self.assertNotIn("img", renamed.tags)
        self.assertEqual(self.people(), [hostile])

    def test_a_name_and_an_address_change_together_or_not_at_all(self):
        record = self.record(self.enter("Kim"))
        for number in range(19):
            self.send(record, 0, name="Kim", email=f"kim{number}@example.org")
        refused = self.send(record, 0, name="Other", email="last@example.org")
        self.assertEqual(refused.status, 409)
        listed = self.host.all(f"/api/v1/sessions/{self.session['id']}/attendees")
        self.assertEqual([(one["name"], one["email"]) for one in listed], [("Kim", "kim18@example.org")])

    def test_only_a_valid_receipt_or_grant_opens_the_picture(self):
        self.host.request("PUT", f"/api/v1/meetings/{self.session['meetingId']}/image", PICTURE,
            headers={"Content-Type": "image/jpeg"}).expect(204)
        path = f"/me/{self.session['id']}/picture"
        self.assertEqual(self.visitor.request("GET", path).status, 401)
        form = self.visitor.open(self.path)
        self.assertEqual(self.visitor.request("GET", path).status, 200)
        record = self.record(self.visitor.submit(form, name="Kim", email="kim@example.org"))
        self.visitor.cookies.pop("qring_grant", None)
        self.assertEqual(self.visitor.request("GET", path).status, 200)
        self.send(record, 1, sure="yes")
        self.visitor.cookies[f"qring_receipt_{self.session['id']}"] = record.forms[0]["fields"]["receipt"]
        self.assertEqual(self.visitor.request("GET", path).status, 401)

    def test_a_withdrawal_is_confirmed_and_erases_one_attendee_only(self):
        self.enter("Kim")
        record = self.record(self.enter("Lee", f"{self.path}?another=1"))
        unsure = self.send(record, 1)
        self.assertEqual(unsure.status, 422)
        self.assertIn("Tick the box", unsure.text)
        self.assertEqual(self.people(), ["Kim", "Lee"])
        self.assertIn("withdrawn", self.send(record, 1, sure="yes").text)
        self.assertEqual(self.people(), ["Kim"])
        # The other person's receipt stays on the phone; the erased one is invalid.
        self.assertIn("You are checked in, Kim", self.visitor.open(self.path).text)
        self.assertEqual(self.send(record, 0, name="Again").status, 401)

    def test_other_sites_and_other_phones_can_change_nothing(self):
        record = self.record(self.enter("Kim"))
        for headers in [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
                {"Origin": "https://evil.example"}]:
            refused = self.send(record, 1, headers, sure="yes")
            self.assertEqual(refused.status, 403, headers)
        other = Visitor(self.server)
        for number, visitor in [(0, other), (1, other)]:
            form = record.forms[number]
            self.assertEqual(visitor.send("POST", form["action"], {**form["fields"], "sure": "yes"}).status,
                401)
        forged = {**record.forms[1]["fields"], "receipt": "qrc_0", "sure": "yes"}
        self.assertEqual(self.visitor.send("POST", record.forms[1]["action"], forged).status, 401)
        self.assertEqual(self.people(), ["Kim"])
        self.assertEqual(other.open(f"/me/{self.session['id']}").status, 401)
        for headers in [{"Sec-Fetch-Site": "same-origin", "Origin": "null"}, {"Origin": self.server.url},
                {"Origin": "null"}]:
            self.assertEqual(self.send(record, 0, headers, name="Kim Two").status, 200, headers)

    def test_every_page_has_a_language_switch_and_remembers_it(self):
        form = self.visitor.open(self.path)
        self.assertEqual(set(form.links), {
            "English", "한국어", "日本語", "简体中文", "Deutsch", "Español", "Français"})
        korean = self.visitor.open(form.links["한국어"])
        # The same grant is used, although the code has changed meanwhile.
        self.assertEqual((korean.language, korean.forms[0]["fields"]["grant"]),
            ("ko", form.forms[0]["fields"]["grant"]))
        page = self.visitor.submit(korean, name="김", email="kim@example.org")
        self.assertEqual(page.language, "ko")
        for shown in [page, self.visitor.open("/"), self.visitor.open(page.links["내 출석"]),
                self.visitor.open("/C/NONE"),
                      self.visitor.open(f"/present/{self.session['id']}")]:
            self.assertEqual(shown.language, "ko")
        english = self.visitor.open(page.links["English"])
        self.assertIn("You are checked in, 김", english.text)
        self.assertEqual(self.visitor.open("/").language, "en")
        # Only on pages, and only for a known language.
        for path in ["/api/v1/meetings?lang=ko", "/page.css?lang=ko", "/?lang=xx", "/?lang="]:
            self.assertIsNone(self.visitor.open(path).answer.headers["Set-Cookie"], path)


if __name__ == "__main__":
    unittest.main()
