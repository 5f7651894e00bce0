"""Texts that are never accepted: too many bytes for a password, and control characters in any language."""
import unittest

from host import PASSWORD, Host, check_in
from problems import ProblemCase, told

# One character of 25 bytes.
FAMILY = "👨‍👩‍👧‍👦"


class UnfitTextTests(ProblemCase):
    def test_a_password_with_too_many_bytes_is_refused_on_every_route(self):
        long = FAMILY * 60
        for method, path, body, field in [
            ("POST", "/api/v1/accounts", {"email": "new@example.org", "name": "New", "password": long},
                "/password"),
            ("POST", "/api/v1/tokens", {"email": self.hall.host.email, "password": long}, "/password"),
            ("POST", "/api/v1/tokens", {"email": "nobody@example.org", "password": long}, "/password"),
            ("POST", "/host/sign-in", {"email": self.hall.host.email, "password": long}, "/password"),
            ("PATCH", "/api/v1/me", {"password": long, "currentPassword": PASSWORD}, "/password"),
            ("PATCH", "/api/v1/me", {"password": PASSWORD, "currentPassword": long}, "/currentPassword"),
        ]:
            with self.subTest(path=path, body=str(body)[:60]):
                headers = {"Origin": self.server.url, "Accept-Language": "ko"}
                answer = self.hall.host.request(method, path, json=body, headers=headers)
                self.assert_problem(answer, 422, "invalid_fields")
                self.assertEqual(told(answer), [(field, "too_many_bytes")])
                self.assertRegex(answer.json["errors"][0]["message"], "[가-힣]")

    def test_the_length_of_a_password_counts_composed_characters(self):
        # Each syllable is three letters of three bytes here, and one character of three bytes when composed.
        decomposed = "\u1112\u1161\u11ab" * 128
        host = Host(self.server)
        host.patch("/api/v1/me", {"password": decomposed, "currentPassword": PASSWORD}).expect(200)
        host.post("/api/v1/tokens", {"email": host.email, "password": "한" * 128}, token=None).expect(201)

    def test_texts_in_several_languages_refuse_control_characters(self):
        path = f"/api/v1/sessions/{self.hall.session['id']}/questions?set=poll"
        bad, lines = "a\x1b[2Jb", "a\n\tb\r\nc"
        rule = {"type": "minMaxLength", "target": [1, None]}

        def question(**fields):
            return {"questions": [{"kind": "shortAnswer", "title": "Why?", **fields}]}

        for make, field in [
            (lambda text: question(details={"en": text}), "/questions/0/details/en"),
            (lambda text: question(detail=text), "/questions/0/detail"),
            (lambda text: question(rules=[{**rule, "messages": {"ko": text}}]),
                "/questions/0/rules/0/messages/ko"),
            (lambda text: question(rules=[{**rule, "message": text}]), "/questions/0/rules/0/message"),
            (lambda text: question(eligibility=[{**rule, "messages": {"ko": text}}]),
                "/questions/0/eligibility/0/messages/ko"),
            (lambda text: question(rules=[{"type": "not", "target": text}]), "/questions/0/rules/0/target"),
            (lambda text: {**question(), "descriptions": {"en": text}}, "/descriptions/en"),
        ]:
            with self.subTest(field=field):
                for text in [bad, "a\u009b2J", "a\x7f", "a\x00b"]:
                    answer = self.hall.host.put(path, make(text))
                    self.assert_problem(answer, 422, "invalid_fields")
                    self.assertEqual(told(answer), [(field, "not_text")])
                self.hall.host.put(path, make(lines)).expect(200)
        # Titles, placeholders and labels are single lines.
        for fields, field in [({"titles": {"en": bad}}, "titles"),
                ({"placeholders": {"en": bad}}, "placeholders")]:
            answer = self.hall.host.put(path, question(**fields))
            self.assertEqual(told(answer), [(f"/questions/0/{field}/en", "not_text")])

    def test_every_line_of_an_attendee_refuses_invisible_characters_with_a_clear_message(self):
        session = self.hall.host.session(session={"questions": [
            {"kind": "wordCloud", "title": "Words?"},
            {"kind": "multipleChoice", "title": "Where?",
                "choices": [{"id": "a", "label": "A"}, {"id": "x", "label": "X", "other": True}]},
            {"kind": "shortAnswer", "title": "Why?"}]})
        path = f"/api/v1/sessions/{session['id']}"
        self.hall.host.patch(f"{path}/sets/feedback", {"open": True}).expect(200)
        self.hall.host.patch(f"{path}/audience-settings", {"open": True}).expect(200)
        self.hall.host.patch(f"{path}/matching-settings", {"open": True}).expect(200)
        asked = [one["id"] for one in self.hall.host.get(f"{path}/questions").expect(200).json["questions"]]
        receipt = check_in(self.hall.host, session, "Kim", "kim@example.org").expect(201).json["receipt"]

        def answer(value, place):
            return "post", f"{path}/responses", {"answers": {asked[place]: value}}, f"/answers/{asked[place]}"

        def refusals(text):
            yield answer([text], 0)
            yield answer({"choices": ["x"], "other": text}, 1)
            yield "patch", "/api/v1/check-ins/current", {"name": text}, "/name"
            yield "post", f"{path}/audience-questions", {"text": text}, "/text"
            me = {"nickname": "Owl", "keywords": ["tea"]}
            yield "put", f"{path}/matching/me", {**me, "nickname": text}, "/nickname"
            yield "put", f"{path}/matching/me", {**me, "keywords": ["tea", text]}, "/keywords"

        headers = {"Accept-Language": "ko"}
        for character in ["\u202e", "\u2066", "\u2069", "\u200b", "\ufeff"]:
            text = f"배{character}움"
            for method, where, body, field in refusals(text):
                with self.subTest(character=f"{ord(character):x}", field=field):
                    refused = self.hall.host.request(method.upper(), where, json=body, headers=headers,
                        token=receipt)
                    self.assert_problem(refused, 422, "invalid_fields")
                    self.assertEqual(told(refused), [(field, "not_text")])
                    self.assertIn("직접 입력", refused.json["errors"][0]["message"])
        # An answer of several lines refuses what shows letters in another order.
        method, where, body, field = answer("a\u202eb\nc", 2)
        refused = self.hall.host.request("POST", where, json=body, token=receipt)
        self.assertEqual(told(refused), [(field, "not_text")])
        # Other texts that look equal are one text in the results, and are stored as they were written.
        written = ["Good\nday", "Go\u200bod\nday", "\ufeffgood\n\u2066day\u2069"]
        for number, text in enumerate(written):
            token = check_in(self.hall.host, session, f"G{number}", f"g{number}@example.org").expect(
                201).json["receipt"]
            self.hall.host.post(f"{path}/responses", {"answers": {asked[2]: text}}, token=token).expect(201)
        tally = next(one for one in self.hall.host.get(f"{path}/results").expect(200).json["tallies"]
            if one["questionId"] == asked[2])
        self.assertEqual([one["count"] for one in tally["equalTexts"]["items"]], [3])
        self.assertEqual({one["text"] for one in tally["latest"]}, set(written))

    def test_the_note_of_a_removal_is_one_line(self):
        session = self.hall.host.session()
        person = self.hall.host.post(f"/api/v1/sessions/{session['id']}/attendees",
            {"name": "Kim", "email": "kim@example.org"}).expect(201).json
        path = f"/api/v1/attendees/{person['id']}"
        for note, code in [("a%1B%5B2J", "not_text"), ("a%0Ab", "not_text"), ("%E2%80%AEa", "not_text"),
                ("a" * 501, "length")]:
            with self.subTest(note=note[:12]):
                answer = self.hall.host.delete(f"{path}?note={note}")
                self.assert_problem(answer, 422, "invalid_fields")
                self.assertEqual(told(answer), [("?note", code)])
        self.hall.host.delete(f"{path}?note=%20left%20early%20").expect(204)
        events = self.hall.host.get(f"/api/v1/sessions/{session['id']}/journal").expect(200).json["items"]
        self.assertEqual(events[-1]["note"], "left early")


if __name__ == "__main__":
    unittest.main()
