"""Texts of one letter with thousands of marks: comparing or composing them takes time in the square of their
length."""
import json
import unittest

from api import API
from host import Host, check_in
from server_process import Server


def marks(count):
    """Marks of two combining classes in turn, so that all of them must be sorted (UAX #15)."""
    return "a" + "\u0301\u0316" * (count // 2)


class CombiningMarkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.anybody = API(cls.server)

    def test_a_choice_with_thousands_of_marks_is_refused(self):
        questions = [{"name": f"q{number}", "kind": "multipleChoice", "title": "Which?", "required": True,
                      "choices": [{"id": f"\u00e9{choice}", "label": "x"} for choice in range(50)]}
                      for number in range(4)]
        session = self.host.session(session={"questions": questions})
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback",
            {"publishedAs": "marks"}).expect(200)
        answers = {f"q{number}": marks(7_000) for number in range(4)}
        answer = self.anybody.post("/api/answers/marks", answers).expect(422)
        self.assertEqual([error["code"] for error in answer.json["errors"]], ["unknown_choice"] * 4)
        receipt = check_in(self.anybody, session, "Kim", "kim@example.org").expect(201).json["receipt"]
        asked = self.host.get(f"/api/v1/sessions/{session['id']}/questions").json["questions"]
        form = [("receipt", receipt),
            ("set", "feedback")] + [(f"q_{question['id']}", marks(2_400)) for question in asked]
        self.assertEqual(self.anybody.post("/feedback", form=form).status, 422)

    def test_an_address_and_a_name_with_thousands_of_marks_are_refused(self):
        session = self.host.session()
        for name, email in [("Kim", marks(30_000) + "@example.org"), (marks(30_000), "kim@example.org")]:
            answer = check_in(self.anybody, session, name, email)
            self.assertEqual((answer.status, answer.code), (422, "invalid_fields"))

    def test_a_roster_with_thousands_of_marks_is_refused(self):
        roster = f"/api/v1/meetings/{self.host.meeting()['meeting']['id']}/roster"
        people = {"people": [{"name": "Kim", "email": marks(900_000) + "@example.org"}]}
        self.host.put(roster, people).expect(422)
        csv = f"name,email\n{marks(400_000)},{marks(400_000)}@example.org\n".encode()
        self.host.request("PUT", roster, csv, headers={"Content-Type": "text/csv"}).expect(422)

    def test_names_with_thousands_of_marks_in_a_file_are_reported(self):
        session = self.host.session(session={"questions": []})
        names = {marks(1_900) + f"{number:04}": 1 for number in range(200)}
        body = json.dumps({"questions": [], **names}, ensure_ascii=False).encode()
        answer = self.host.request(
            "POST", f"/api/v1/sessions/{session['id']}/questions/import", body,
            headers={"Content-Type": "application/json"}).expect(422)
        self.assertEqual(len(answer.json["errors"]), 100)


if __name__ == "__main__":
    unittest.main()
