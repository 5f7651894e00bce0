"""Impossible questions: all errors are reported at once, in both languages, and nothing is written."""
import unittest

from host import Host
from server_process import Server


class WrongQuestionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def write(self, session, questions):
        return self.host.put(f"/api/v1/sessions/{session['id']}/questions",
            {"questions": [{"title": "Q", **question} for question in questions]})

    def test_impossible_questions_are_refused(self):
        session = self.host.session(session={"questions": []})
        text = {"kind": "shortAnswer"}
        for question, field, code in [
            ({**text, "rules": [{"type": "pattern", "target": "("}]}, "/rules/0/target", "bad_pattern"),
            ({**text, "rules": [{"type": "pattern", "target": r"(a)\1"}]}, "/rules/0/target", "bad_pattern"),
            ({**text, "rules": [{"type": "pattern", "target": "a" * 1001}]}, "/rules/0/target", "length"),
            ({**text, "rules": [{"type": "pattern", "target": r"((\pL{100}){100}){10}"}]}, "/rules/0/target",
                "bad_pattern"),
            ({**text, "rules": [{"type": "pattern"}]}, "/rules/0/target", "missing"),
            ({**text, "rules": [{"type": "sameAs", "question": "nobody"}]}, "/rules/0/question",
                "unknown_question"),
            ({**text, "rules": [{"type": "minMax", "target": [1, 2]}]}, "/rules/0/type",
                "rule_does_not_apply"),
            ({**text, "rules": [{"type": "minMaxLength", "target": [3, 2]}]}, "/rules/0/target",
                "reversed_bounds"),
            ({**text, "rules": [{"type": "minMaxLength", "target": [1]}]}, "/rules/0/target", "count"),
            ({**text, "rules": [{"type": "minMaxLength", "target": [0.5, None]}]}, "/rules/0/target",
                "range"),
            ({**text, "rules": [{"type": "is", "target": 1}]}, "/rules/0/type", "not_one_of"),
            ({**text, "rules": [{"type": "not", "target": "a"}] * 11}, "/rules", "count"),
            ({"kind": "number", "min": 2, "max": 1}, "/min", "reversed_bounds"),
            ({"kind": "number", "decimals": 5}, "/decimals", "range"),
            (
                {"kind": "multipleChoice",
                    "choices": [{"label": "A", "other": True}, {"label": "B", "other": True}]}, "/choices",
                    "one_other"),
            ({"kind": "rating", "branches": [{"type": "minMax", "target": [None, 2], "next": "Why Not"}]},
                "/branches/0/next", "not_a_set_name"),
            ({"kind": "rating", "branches": [{"type": "minMax", "target": [None, 2], "next": "why"}]},
                "/branches", "branch_tells_answer"),
            ({"kind": "rating", "titles": {"korean!": "x"}}, "/titles/korean!", "not_a_language"),
        ]:
            with self.subTest(str(question)[:120]):
                errors = self.write(session, [question]).expect(422).json["errors"]
                self.assertIn((f"/questions/0{field}", code),
                    [(error["field"], error["code"]) for error in errors])
                # RE2 quotes the part that it refuses.
                self.assertTrue(
                    all("{" not in error["message"] for error in errors if error["code"] != "bad_pattern"))

    def test_a_refused_pattern_shows_the_reason_in_both_languages(self):
        session = self.host.session(session={"questions": []})
        for pattern, english, korean, engine in [
            ("(", "lacks a )", "닫는 )가 없습니다", "missing )"),
            ("a)", "a ) without a (", "짝이 없는 )", "unexpected )"),
            ("[a", "lacks a ]", "닫는 ]가 없습니다", "missing ]"),
            (r"(a)\1", "Back references are not supported", "역참조", r"\1"),
            ("a(?=b)", "Look-ahead", "전방 탐색", "(?="), ("*a", "nothing to repeat", "반복할 것이 없습니다", "*"),
            (r"((\pL{100}){100}){10}", "exceeds 1,000 in total", "1,000번", ""),
            ((r"\pL" * 3), "too large", "너무 큽니다", "too large"),
        ]:
            body = {
                "questions": [
                    {"kind": "shortAnswer", "title": "Q", "rules": [{"type": "pattern", "target": pattern}]}]}
            for language, said in [("en", english), ("ko", korean)]:
                with self.subTest(pattern=pattern, language=language):
                    error, = self.host.put(f"/api/v1/sessions/{session['id']}/questions?lang={language}",
                        body).expect(422).json["errors"]
                    self.assertIn(said, error["message"])
                    self.assertIn(engine, error["message"])

    def test_all_errors_of_questions_are_shown_at_once_in_both_languages(self):
        session = self.host.session(session={"questions": []})
        bad = [
            {"kind": "shortAnswer",
                "rules": [{"type": "pattern", "target": "("}, {"type": "minMaxLength", "target": [3, 2]}]},
            {"kind": "number", "min": 2, "max": 1, "rules": [{"type": "minMax", "target": [9, 1]}]},
            {"kind": "rating", "scale": 11},
            {"kind": "multipleChoice", "choices": [{"label": "A"}, {"label": "B"}], "minSelections": 2,
                "maxSelections": 1},
            {"kind": "shortAnswer", "eligibility": [{"type": "pattern", "target": "a(?=b)"}]},
        ]
        wrong = {"/questions/0/rules/0/target": "bad_pattern",
            "/questions/0/rules/1/target": "reversed_bounds", "/questions/1/min": "reversed_bounds",
                 "/questions/1/rules/0/target": "reversed_bounds", "/questions/2/scale": "range",
                 "/questions/3/minSelections": "reversed_bounds",
                 "/questions/4/eligibility/0/target": "bad_pattern"}
        bodies = [{**question, "title": "Q"} for question in bad]
        import_path = f"/api/v1/sessions/{session['id']}/questions/import"
        for send in [
            lambda query: self.host.put(f"/api/v1/sessions/{session['id']}/questions{query}",
                {"questions": bodies}),
            lambda query: self.host.post(import_path + query, {"questions": bodies}),
        ]:
            for language, said in [("en", "The lower bound is above the upper one. Swap them."),
                    ("ko", "하한이 상한보다 큽니다. 두 값을 서로 바꾸세요.")]:
                errors = send(f"?lang={language}").expect(422).json["errors"]
                self.assertEqual({error["field"]: error["code"] for error in errors}, wrong)
                self.assertEqual({error["message"] for error in errors if error["code"] == "reversed_bounds"},
                    {said})
        fields = {error["field"]: error["code"]
            for error in self.host.post("/api/v1/meetings", {"name": "M", "session": {
            "startsAt": "2031-01-01T10:00:00Z", "endsAt": "2031-01-01T11:00:00Z",
            "questions": bodies}}).expect(422).json["errors"]}
        self.assertEqual(fields, {"/session" + field: code for field, code in wrong.items()})


if __name__ == "__main__":
    unittest.main()
