"""The server reports all errors in the answers of a request at once."""
import unittest

from host import check_in
from problems import ProblemCase, told


class ErrorsTogetherTests(ProblemCase):
    """An answer lists all errors in the order of the questions, and unknown questions at the end."""

    def test_an_unknown_question_hides_no_other_error(self):
        ids = self.hall.questions
        path = f"/api/v1/sessions/{self.hall.session['id']}/responses"
        wrong = {"x/y": 1, ids["shortAnswer"]: "x" * 201, "0" * 26: 5, ids["multipleChoice"]: {"choices": 1}}
        answer = self.hall.anybody.post(path, {"answers": wrong}, token=self.hall.receipt)
        self.assert_problem(answer, 422, "invalid_fields")
        self.assertEqual(told(answer), [
            (f"/answers/{ids['multipleChoice']}", "wrong_type"), (f"/answers/{ids['shortAnswer']}", "length"),
            (f"/answers/{ids['rating']}", "missing"), (f"/answers/{'0' * 26}", "unknown_question"),
            ("/answers/x~1y", "unknown_question")])
        # Answers that cannot be read are reported beside wrong fields.
        answer = self.hall.anybody.post(path, {"set": "", "answers": wrong}, token=self.hall.receipt)
        self.assertEqual(sorted(told(answer)), sorted([
            ("/set", "length"), ("/answers/x~1y", "unknown_question"),
            (f"/answers/{ids['multipleChoice']}", "wrong_type")]))

    def test_an_unknown_question_of_a_published_form_hides_no_other_error(self):
        ids = self.hall.questions
        for wrap in [lambda values: values, lambda values: {"answers": values}]:
            answer = self.hall.anybody.post("/api/answers/form?lang=en",
                wrap({"who": 1, ids["shortAnswer"]: "x" * 201, ids["multipleChoice"]: {}}))
            self.assert_problem(answer, 422, "invalid_fields")
            self.assertEqual(told(answer), [
                (f"/answers/{ids['multipleChoice']}", "wrong_type"),
                (f"/answers/{ids['shortAnswer']}", "length"),
                (f"/answers/{ids['rating']}", "missing"), ("/answers/who", "unknown_question")])

    def test_an_unknown_question_of_a_check_in_hides_no_other_error(self):
        session = self.hall.host.session(session={"questions": []})
        path = f"/api/v1/sessions/{session['id']}/questions?set=check-in"
        asked = self.hall.host.put(path, {"questions": [
            {"kind": "number", "title": "Age?", "required": True, "max": 120},
            {"kind": "shortAnswer", "title": "From?", "maxLength": 3},
        ]}).expect(200).json["questions"]
        answer = check_in(self.hall.anybody, session, "Kim", "kim@example.org", answers={
            "x": 1, asked[1]["id"]: "Seoul", asked[0]["id"]: True})
        self.assert_problem(answer, 422, "invalid_fields")
        self.assertEqual(told(answer), [
            (f"/answers/{asked[0]['id']}", "wrong_type"), (f"/answers/{asked[1]['id']}", "length"),
            ("/answers/x", "unknown_question")])
        # If no question is asked, every answer is unknown.
        plain = self.hall.host.session(session={"questions": []})
        answer = check_in(self.hall.anybody, plain, "Kim", "kim@example.org",
            answers={"x": True, "0" * 26: 1})
        self.assertEqual(told(answer),
            [(f"/answers/{'0' * 26}", "unknown_question"), ("/answers/x", "unknown_question")])

    def test_at_most_a_hundred_errors_are_reported(self):
        answers = {f"{number:026}": "x" for number in range(50)}
        body = {"set": "feedback", "answers": answers}
        answer = self.hall.anybody.post(f"/api/v1/sessions/{self.hall.session['id']}/responses", body,
            token=self.hall.receipt)
        self.assertEqual(len(told(answer)), 51)
        questions = [{"kind": "rating", "title": "", "scale": 99, "maxLength": 0} for _ in range(50)]
        path = f"/api/v1/sessions/{self.hall.session['id']}/questions"
        answer = self.hall.host.put(path, {"questions": questions})
        self.assert_problem(answer, 422, "invalid_fields")
        self.assertEqual(len(told(answer)), 100)


if __name__ == "__main__":
    unittest.main()
