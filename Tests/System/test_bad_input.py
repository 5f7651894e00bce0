"""Every route answers a wrong body or field with the documented problem, and never fails."""
import copy
import json
import unittest

from problems import ProblemCase
from routes import BODIES, ROUTES, body_of
from routes_of_source import routes_of_source

WITH_JSON = [route for route in ROUTES if route.body not in (None, "form", "image", "packets")]
WITH_FORM = [route for route in ROUTES if route.body == "form"]
WRONG_TYPES = {
    "string": [1, 1.5, True, [], {}, ["x"]], "integer": ["1", 1.5, True, [], {}],
    "boolean": [1, "true", [], {}],
    "object": [1, "x", True, []], "array": [1, "x", True, {}],
}


def changed(body, pointer, value):
    """Returns the body with one field set, or removed if the value is `...`."""
    body = copy.deepcopy(body)
    place = body
    *path, last = [int(part) if part.isdigit() else part for part in pointer.split("/")[1:]]
    for part in path:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return body


class RouteTableTests(unittest.TestCase):
    def test_every_route_of_the_server_is_in_the_table_of_these_tests(self):
        declared = routes_of_source()
        self.assertGreater(len(declared), 40)
        self.assertEqual(sorted(map(str, declared)), sorted(map(str, ROUTES)))

    def test_every_request_body_has_its_fields_in_these_tests(self):
        self.assertEqual({route.body for route in WITH_JSON}, set(BODIES))


class BadBodyTests(ProblemCase):
    def test_a_body_that_is_not_json_is_refused(self):
        for route in WITH_JSON:
            for body in [b"", b"{", b"{]", b"nonsense", b'{"name": "\xff\xfe"}', b'{"a":1}{"b":2}',
                    b"{'a': 1}", b'{"a": NaN}', b"\0"]:
                with self.subTest(route=route, body=body[:20]):
                    answer = self.hall.send(route, body=body, headers={"Content-Type": "application/json"})
                    self.assert_problem(answer, 400, "not_json")

    def test_json_beyond_the_limits_is_refused(self):
        for route in WITH_JSON:
            for body, code in [(b"[" * 20_000, "json_too_deep"),
                    (b'{"' + b"n" * 5_000 + b'":1}', "json_key_too_long")]:
                with self.subTest(route=route, code=code):
                    answer = self.hall.send(route, body=body, headers={"Content-Type": "application/json"})
                    self.assert_problem(answer, 400, code)

    def test_json_that_is_no_object_is_refused(self):
        for route in WITH_JSON:
            for body in [b"[]", b'"text"', b"1", b"null", b"true", b'[{"name": "x"}]']:
                with self.subTest(route=route, body=body):
                    answer = self.hall.send(route, body=body,
                        headers={"Content-Type": "application/json; charset=utf-8"})
                    # Some readers of JSON accept only objects and arrays.
                    self.assert_problem(answer, (400, 422), ("not_json", "invalid_fields"))

    def test_another_content_type_is_refused(self):
        for route in WITH_JSON:
            body = json.dumps(body_of(route.body, self.hall)).encode()
            for headers in [{}, {"Content-Type": "text/plain"},
                    {"Content-Type": "application/x-www-form-urlencoded"}, {"Content-Type": "json"}]:
                with self.subTest(route=route, headers=headers):
                    self.assert_problem(self.hall.send(route, body=body, headers=headers), 415,
                        "unsupported_media_type")
        for route in WITH_FORM:
            with self.subTest(route=route):
                answer = self.hall.send(route, body=b'{"joinCode": "ABCDEF"}',
                    headers={"Content-Type": "application/json"})
                self.assert_problem(answer, 415, "unsupported_media_type")

    def test_a_body_that_is_too_large_is_refused(self):
        for route in ROUTES:
            # An image may be larger.
            if route.method in ("GET", "DELETE") or route.body == "image":
                continue
            for size in [65_537, 300_000]:
                if route.body in ("RosterRequest", "ImportQuestionsRequest"):
                    # Files have a limit of their own. A body far beyond it is refused unread.
                    answer = self.hall.send(route, body=b"",
                        headers={"Content-Type": "text/csv", "Content-Length": str(size * 70)})
                    self.assert_problem(answer, 413, "body_too_large")
                    continue
                with self.subTest(route=route, size=size):
                    answer = self.hall.send(
                        route, body=b'{"name":"' + b"x" * size + b'"}',
                        headers={"Content-Type": "application/x-www-form-urlencoded" if route.body == "form"
                            else "application/json"})
                    self.assert_problem(answer, 413, "body_too_large")

    def test_wrong_types_wrong_values_and_missing_fields_are_named(self):
        for route in WITH_JSON:
            right = body_of(route.body, self.hall)
            for pointer, (kind, is_required, wrong) in BODIES[route.body].items():
                bodies = [(value, changed(right, pointer, value)) for value in WRONG_TYPES[kind] + wrong]
                if is_required:
                    bodies += [("missing", changed(right, pointer, ...)),
                        ("null", changed(right, pointer, None))]
                for value, body in bodies:
                    with self.subTest(route=f"{route.method} {route.pattern}", pointer=pointer,
                            value=str(value)[:60]):
                        answer = self.hall.send(route, json=body)
                        self.assert_problem(answer, 422, "invalid_fields", field=pointer)

    def test_all_errors_of_a_body_are_named_at_once(self):
        answer = self.hall.anybody.post("/api/v1/accounts", {"email": "no", "password": 1})
        problem = self.assert_problem(answer, 422, "invalid_fields")
        self.assertEqual(
            [(error["field"], error["code"]) for error in problem["errors"]],
            [("/email", "not_an_email"), ("/password", "wrong_type"), ("/name", "missing")])

    def test_an_end_before_the_start_and_too_long_a_session_are_refused(self):
        session = body_of("ContinueRequest", self.hall)
        for route, prefix, wrap in [
            ("/api/v1/meetings", "/session", lambda session: {"name": "New", "session": session}),
            (f"/api/v1/meetings/{self.hall.meeting['id']}/sessions", "", lambda session: session),
        ]:
            for ends, code in [(session["startsAt"], "ends_before_start"),
                    ("2026-11-21T00:00:00Z", "ends_before_start"),
                               ("2099-01-01T00:00:00Z", "too_long")]:
                with self.subTest(route=route, ends=ends):
                    starts = {"startsAt": "2026-12-01T00:00:00Z"} if ends != session["startsAt"] else {}
                    answer = self.hall.host.post(route, wrap({**session, **starts, "endsAt": ends}))
                    problem = self.assert_problem(answer, 422, "invalid_fields", field=prefix + "/endsAt")
                    self.assertIn(code, [error["code"] for error in problem["errors"]])
        edit = self.hall.host.patch(f"/api/v1/sessions/{self.hall.session['id']}",
            {"endsAt": "2020-01-01T00:00:00Z"})
        self.assert_problem(edit, 422, "invalid_fields", field="/endsAt")

    def test_malformed_forms_are_refused(self):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        for route in WITH_FORM:
            for body in [b"", b"%", b"a=%zz", b"a=%ff%fe", b"\xff=\xfe", b"a=1&" * 600, b"&&&===",
                    b"grant=&receipt=&joinCode="]:
                with self.subTest(route=route, body=body[:20]):
                    answer = self.hall.send(route, body=body, headers=headers)
                    if answer.headers.get_content_type() == "text/html":
                        # The front page and the page of a published form show themselves what is wrong.
                        self.assertIn((route.pattern, answer.status),
                            [("/", 422), ("/form/{typeID}", 422), ("/R/{code}", 422)])
                    else:
                        # Nobody has a reply of their own here.
                        own = (404,) if route.pattern == "/R/own/{token}" else ()
                        self.assert_problem(answer, (400, 401, 422, *own))

    def test_answers_that_do_not_fit_their_questions_are_refused(self):
        ids = self.hall.questions
        path = f"/api/v1/sessions/{self.hall.session['id']}/responses"
        for answers in [
            {}, {ids["rating"]: 0}, {ids["rating"]: 6}, {ids["rating"]: "5"}, {ids["rating"]: [5]},
            {ids["rating"]: 2**62},
            {ids["rating"]: 5, ids["shortAnswer"]: 5}, {ids["rating"]: 5, ids["shortAnswer"]: "x" * 201},
            {ids["rating"]: 5, ids["shortAnswer"]: "a\u0007b"},
            {ids["rating"]: 5, ids["multipleChoice"]: "a"},
            {ids["rating"]: 5, ids["multipleChoice"]: ["z"]},
            {ids["rating"]: 5, ids["multipleChoice"]: ["a", "b", "c"]},
            {ids["rating"]: 5, ids["multipleChoice"]: ["a", "a"]}, {ids["rating"]: 5, "0" * 26: 5},
            {ids["rating"]: 5, "x": 5},
        ]:
            with self.subTest(answers=str(answers)[:80]):
                answer = self.hall.anybody.post(path, {"answers": answers}, token=self.hall.receipt)
                self.assert_problem(answer, 422, "invalid_fields", field="/answers/")
        answer = self.hall.anybody.post(path, {"set": "nothing", "answers": {ids["rating"]: 5}},
            token=self.hall.receipt)
        self.assert_problem(answer, 404, "not_found")

    def test_problems_are_in_the_callers_language(self):
        asked = [("?lang=ko", {}), ("", {"Accept-Language": "ko-KR,ko;q=0.9,en;q=0.8"}),
            ("", {"Cookie": "qring_lang=ko"})]
        for route in WITH_JSON:
            for query, headers in asked:
                with self.subTest(route=route, query=query, headers=headers):
                    answer = self.hall.send(route, self.hall.path(route.pattern) + query, body=b"[", headers={
                        "Content-Type": "application/json", **headers})
                    problem = self.assert_problem(answer, 400, "not_json")
                    self.assertRegex(problem["title"], "[가-힣]")
                    self.assertRegex(problem["detail"], "[가-힣]")
        answer = self.hall.anybody.post("/api/v1/accounts?lang=ko", {"name": 1})
        for error in self.assert_problem(answer, 422)["errors"]:
            self.assertRegex(error["message"], "[가-힣]")
        english = self.hall.anybody.post("/api/v1/accounts?lang=en", {"name": 1},
            headers={"Accept-Language": "ko"})
        self.assertNotRegex(english.text, "[가-힣]")


if __name__ == "__main__":
    unittest.main()
