"""Forms for every kind and rule, in both languages, without JavaScript: fields, errors, polls, the next set.
"""
import itertools
import unittest

from host import Host, check_in, code_of
from page import Visitor
from server_process import Server

ASKED = [
    {"kind": "multipleChoice", "titles": {"ko": "마실 것", "en": "Drink"}, "required": True,
     "choices": [{"label": "Tea"}, {"label": "Water", "checked": True}, {"label": "Other", "other": True}]},
    {"kind": "number", "title": "Age", "min": 0, "max": 120, "placeholder": "In years"},
    {"kind": "number", "title": "Weight", "decimals": 1},
    {"kind": "shortAnswer", "title": "Why",
        "rules": [
            {"type": "minMaxLength", "target": [2, "-"],
                "messages": {"ko": "두 글자 이상", "en": "Two or more"}}]},
    {"kind": "rating", "title": "Stars", "scale": 7},
    {"kind": "rating", "title": "Gone", "hidden": True},
]


class FormPageTests(unittest.TestCase):
    numbers = itertools.count(1)

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def setUp(self):
        self.session = self.host.session(session={"questions": []})
        self.path = f"/api/v1/sessions/{self.session['id']}"

    def ask(self, questions, set="feedback", **settings):
        body = {"questions": [{"title": "Q", **question} for question in questions], **settings}
        found = self.host.put(f"{self.path}/questions?set={set}", body).expect(200).json["questions"]
        return [f"q_{question['id']}" for question in found]

    def enter(self, language="en", **typed):
        visitor = Visitor(self.server, language)
        form = visitor.open(f"/C/{code_of(self.session)}")
        return visitor, visitor.submit(form, name="Kim Minseo",
            email=f"guest{next(self.numbers)}@example.org", **typed)

    def test_every_kind_of_question_can_be_corrected_and_sent(self):
        for language, drink, again in [("en", "Drink", "Two or more"), ("ko", "마실 것", "두 글자 이상")]:
            with self.subTest(language):
                self.setUp()
                choice, age, weight, why, stars, gone = self.ask(ASKED)
                visitor, page = self.enter(language)
                self.assertIn(drink, page.text)
                self.assertNotIn("Gone", page.text)
                fields = page.forms[0]["fields"]
                # The default choice is chosen, and the text of "other" is empty.
                self.assertEqual((fields[choice], fields[f"{choice}_other"], fields[age]), ("b", "", ""))
                self.assertNotIn(gone, fields)
                html = page.answer.text
                for part in ['placeholder="In years"', 'min="0" max="120"', 'step="0.1"',
                        "&quot;minMaxLength&quot;"]:
                    self.assertIn(part, html)
                wrong = visitor.submit(page,
                    **{choice: "c", f"{choice}_other": "Mate <b>", age: "121", weight: "1.55", why: "x",
                        stars: "7"})
                self.assertEqual(wrong.status, 422)
                self.assertIn(again, wrong.text)
                for field in [age, weight, why]:
                    self.assertIn(f"{field}_error", wrong.attributes)
                for field in [choice, stars]:
                    self.assertNotIn(f"{field}_error", wrong.attributes)
                kept = wrong.forms[0]["fields"]
                self.assertEqual(
                    [kept[choice], kept[f"{choice}_other"], kept[age], kept[weight], kept[why], kept[stars]],
                                 ["c", "Mate <b>", "121", "1.55", "x", "7"])
                self.assertEqual(visitor.submit(wrong, **{age: "abc", weight: "", why: "xy"}).status, 422)
                thanks = visitor.submit(wrong, **{age: "21", weight: "1.5", why: "xy"})
                self.assertEqual((thanks.status, thanks.forms), (200, []))
                self.assertEqual(self.host.get(f"{self.path}/results").json["responses"], 1)

    def test_a_text_for_other_is_never_dropped_without_a_message(self):
        choice, *_ = self.ask(ASKED[:1], anonymous=False)
        visitor, page = self.enter()
        refused = visitor.submit(page, **{choice: "a", f"{choice}_other": "typed and left"})
        self.assertEqual((refused.status, refused.forms[0]["fields"][f"{choice}_other"]),
            (422, "typed and left"))
        self.assertIn("You typed your own answer but did not choose the choice above it", refused.text)
        # Without another choice, the text chooses its own.
        self.assertEqual(visitor.submit(refused, **{choice: ""}).status, 200)
        tally = self.host.get(f"{self.path}/results").json["tallies"][0]
        self.assertEqual((tally["answers"], [text["text"] for text in tally["latest"]]),
            (1, ["typed and left"]))

    def test_the_page_says_whether_it_is_anonymous_or_named(self):
        self.ask([{"kind": "rating"}], anonymous=False)
        self.assertIn("With names: the host sees", self.enter()[1].text)
        self.setUp()
        self.ask([{"kind": "rating"}], anonymous=True)
        self.assertIn("Anonymous: your answers", self.enter()[1].text)

    def test_open_polls_are_on_the_page_and_the_next_set_follows(self):
        rating, = self.ask([{"kind": "rating"}], next="more")
        more, = self.ask([{"kind": "shortAnswer", "title": "And more?"}], set="more", title="Further")
        vote, = self.ask([{"kind": "rating", "title": "Vote!"}], set="vote",
            titles={"ko": "투표", "en": "The vote"})
        visitor, page = self.enter()
        self.assertEqual([form["fields"]["set"] for form in page.forms], ["feedback"])
        self.host.patch(f"{self.path}/sets/vote", {"open": True}).expect(200)
        page = visitor.open(f"/C/{code_of(self.session)}")
        self.assertEqual([form["fields"]["set"] for form in page.forms], ["vote", "feedback"])
        self.assertIn("The vote", page.text)
        after = visitor.submit(page, 1, **{rating: "4"})
        self.assertIn("Thank you", after.text)
        self.assertEqual([form["fields"]["set"] for form in after.forms], ["vote", "more"])
        self.assertIn("Further", after.text)
        after = visitor.submit(after, 1, **{more: "Yes"})
        self.assertEqual([form["fields"]["set"] for form in after.forms], ["vote"])
        self.assertEqual(visitor.submit(after, **{vote: "5"}).forms, [])

    def test_an_ineligible_person_gets_a_message_and_nothing_is_stored(self):
        age, = self.ask(
            [
                {"kind": "number",
                    "eligibility": [
                        {"type": "minMax", "target": [19, "-"], "messages": {"ko": "성인만 답할 수 있어요"}}]}])
        for language, said in [("ko", "성인만 답할 수 있어요"), ("en", "성인만")]:
            visitor, page = self.enter(language)
            ended = visitor.submit(page, **{age: "18"})
            self.assertEqual(ended.status, 200)
            self.assertIn(said, ended.text)
        self.assertEqual(self.host.get(f"{self.path}/results").json["responses"], 0)

    def test_answers_about_health_and_travel_end_the_check_in(self):
        fever, travel = self.ask([
            {"kind": "number", "title": "Temperature", "decimals": 1, "required": True,
                "eligibility": [
                    {"type": "minMax", "target": ["-", 37.4], "message": "Please stay at home."}]},
            {"kind": "multipleChoice", "title": "Abroad", "required": True,
                "choices": [{"label": "No"}, {"label": "Yes"}],
                "eligibility": [{"type": "not", "target": "b", "message": "Please take part online."}]},
        ], set="check-in")
        for temperature, abroad, said in [("38", "a", "Please stay at home."),
                ("36.5", "b", "Please take part online.")]:
            with self.subTest(said):
                visitor = Visitor(self.server)
                form = visitor.open(f"/C/{code_of(self.session)}")
                ended = visitor.submit(form, name="Kim", email="kim@example.org",
                    **{fever: temperature, travel: abroad})
                self.assertEqual(ended.status, 200)
                self.assertIn(said, ended.text)
                answers = {fever[2:]: float(temperature), travel[2:]: [abroad]}
                answer = check_in(self.host, self.session, "Kim", "kim@example.org", answers=answers)
                self.assertEqual(answer.expect(200).json["ended"], said)
        # Nothing is stored, neither the person nor an answer.
        self.assertEqual(self.host.get(f"{self.path}/attendees").expect(200).json["items"], [])
        self.assertEqual(self.host.get(f"{self.path}/results?set=check-in").json["responses"], 0)
        check_in(self.host, self.session, "Kim", "kim@example.org",
            answers={fever[2:]: 36.5, travel[2:]: ["a"]}).expect(201)

    def test_check_in_asks_its_questions_and_shows_errors(self):
        meal, = self.ask(
            [
                {"kind": "multipleChoice", "title": "Meal", "required": True,
                    "choices": [{"label": "Rice"}, {"label": "Bread"}]}], set="check-in")
        visitor = Visitor(self.server)
        form = visitor.open(f"/C/{code_of(self.session)}")
        self.assertIn("Meal", form.text)
        missing = visitor.submit(form, name="Kim", email="kim@example.org")
        self.assertEqual(missing.status, 422)
        self.assertIn(f"{meal}_error", missing.attributes)
        self.assertEqual(missing.forms[0]["fields"]["name"], "Kim")
        inside = visitor.submit(missing, **{meal: "b"})
        self.assertIn("You are checked in, Kim", inside.text)
        tally = self.host.get(f"{self.path}/results?set=check-in").json["tallies"][0]
        self.assertEqual([(choice["label"], choice["count"]) for choice in tally["choices"]],
            [("Bread", 1), ("Rice", 0)])


if __name__ == "__main__":
    unittest.main()
