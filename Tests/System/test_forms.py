"""Every kind of question and rule through the API, at its limits; polls, copies and results."""
import unittest

from admin import Admin
from host import Host, check_in
from room import Room
from server_process import Server
from test_command_line import Terminal

FAMILY = "👩‍👩‍👧‍👦"
HAN = "\u1112\u1161\u11ab"  # 한, decomposed into its letters.
RULES = [
    # A rule, the answers that satisfy it, and those that break it.
    ("shortAnswer", {"type": "minMaxLength", "target": [2, "-"]},
        ["가나", HAN * 2, FAMILY * 2, "e\u0301e\u0301", "abc"], ["가", HAN, FAMILY, "e\u0301"]),
    ("shortAnswer", {"type": "minMaxLength", "target": [None, 3]}, ["a", "가나다", FAMILY * 3, HAN * 3],
        ["abcd", FAMILY * 4, HAN * 4]),
    ("shortAnswer", {"type": "minMaxLength", "target": [2, 3]}, ["ab", "abc"], ["a", "abcd"]),
    ("shortAnswer", {"type": "not", "target": "없음"}, ["있음", "없음."], ["없음"]),
    ("shortAnswer", {"type": "sameAs", "target": "yes"}, ["yes"], ["Yes", "yes "]),
    ("shortAnswer", {"type": "pattern", "target": r"^\d+$"}, ["0", "12"], ["a", "1a", "12 "]),
    ("shortAnswer", {"type": "pattern", "target": r"\pL"}, ["김", "1a"], ["12"]),
    ("number", {"type": "minMax", "target": [19, "-"]}, [19, 20], [18, 0, -1]),
    ("number", {"type": "minMax", "target": [None, 65]}, [65, -5], [66]),
    ("number", {"type": "not", "target": 0}, [1, -1], [0]),
    ("number", {"type": "sameAs", "target": 7}, [7], [6]),
    ("rating", {"type": "minMax", "target": [2, 4]}, [2, 4], [1, 5]),
    ("rating", {"type": "not", "target": 3}, [2], [3]),
    ("multipleChoice", {"type": "minMaxLength", "target": [2, "-"]}, [["a", "b"], ["a", "b", "c"]], [["a"]]),
    ("multipleChoice", {"type": "not", "target": "b"}, [["a"], ["a", "c"]], [["b"], ["a", "b"]]),
    ("multipleChoice", {"type": "sameAs", "target": "b"}, [["b"], ["a", "b"]], [["a"]]),
]
KINDS = {
    "shortAnswer": {}, "rating": {}, "number": {"min": -100, "max": 100},
    "multipleChoice": {"choices": [{"label": "A"}, {"label": "B"}, {"label": "C", "other": True}],
        "maxSelections": 3},
}
# A kind with its settings, the accepted answers, and the refused ones with their code.
BORDERS = [
    ("number", {"min": 0, "max": 120}, [0, 120],
        [(-1, "range"), (121, "range"), (1.5, "decimals"), ("1", "wrong_type"), (True, "wrong_type")]),
    ("number", {"decimals": 2}, [0.25, -0.01, 1e9],
        [(0.125, "decimals"), (1e9 + 1, "range"), (-1e300, "range")]),
    ("rating", {"scale": 2}, [1, 2],
        [(0, "range"), (3, "range"), (1.5, "wrong_type"), (["a"], "wrong_type")]),
    ("rating", {"scale": 10}, [1, 10], [(11, "range")]),
    ("rating", {}, [5], [(6, "range")]),
    ("shortAnswer", {"maxLength": 3}, ["가나다", FAMILY * 3, HAN * 3],
        [("가나다라", "length"), (FAMILY * 4, "length"), (3, "wrong_type"), ("a\u0007", "not_text")]),
    ("multipleChoice", {**KINDS["multipleChoice"], "minSelections": 2},
     [["a", "b"], ["a", "b", "c"], {"choices": ["a", "c"], "other": "차"},
         {"choices": ["a", "c"], "other": FAMILY * 200}],
     [(["a"], "count"), (["a", "a"], "repeated"), (["a", "z"], "unknown_choice"), ("a", "wrong_type"),
         ({"choices": "a"}, "wrong_type"),
      ({"choices": ["a", "b"], "other": "x"}, "other_not_chosen"),
      ({"choices": ["a", "c"], "other": "가" * 201}, "length")]),
]


class FormTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def asked(self, *questions, **settings):
        """Creates a session with these questions, and returns their ids."""
        session = self.host.session(session={"questions": []})
        found = self.write(session, questions, **settings).expect(200).json
        return session, [question["id"] for question in found["questions"]]

    def write(self, session, questions, set="feedback", headers=None, **settings):
        body = {"questions": [{"title": "Q", **question} for question in questions], **settings}
        return self.host.put(f"/api/v1/sessions/{session['id']}/questions?set={set}", body, headers=headers)

    def receipt(self, session, number=1, **fields):
        return check_in(self.host, session, f"Guest {number}", f"guest{number}@example.org",
            **fields).expect(201).json["receipt"]

    def respond(self, session, receipt, answers, **fields):
        return self.host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": answers, **fields},
            token=receipt)

    def test_each_kind_accepts_exactly_the_values_within_its_limits(self):
        for kind, settings, taken, refused in BORDERS:
            session, (question,) = self.asked({"kind": kind, **settings}, anonymous=False)
            for number, value in enumerate(taken):
                with self.subTest(kind, **settings, taken=str(value)[:40]):
                    self.respond(session, self.receipt(session, number), {question: value}).expect(201)
            for value, code in refused:
                with self.subTest(kind, **settings, refused=str(value)[:40]):
                    problem = self.respond(session, self.receipt(session, f"x{id(value)}{code}"),
                        {question: value}).expect(422).json
                    self.assertEqual([(error["field"], error["code"]) for error in problem["errors"]],
                        [(f"/answers/{question}", code)])

    def test_each_rule_holds_at_its_limits_in_both_languages(self):
        for kind, rule, kept, broken in RULES:
            rule = {**rule, "messages": {"ko": "다시 써 주세요", "en": "Once more"}}
            session, (question,) = self.asked({"kind": kind, **KINDS[kind], "rules": [rule]}, anonymous=False)
            code = "rule_" + {"not": "not", "minMax": "min_max", "minMaxLength": "min_max_length",
                "sameAs": "same_as", "pattern": "pattern"}[rule["type"]]
            for number, value in enumerate(kept):
                with self.subTest(rule=str(rule), kept=str(value)):
                    self.respond(session, self.receipt(session, number), {question: value}).expect(201)
            breaker = self.receipt(session, "breaker")
            for value in broken:
                for language, said in [("ko", "다시 써 주세요"), ("en", "Once more")]:
                    with self.subTest(rule=str(rule), broken=str(value), language=language):
                        answer = self.host.post(
                            f"/api/v1/sessions/{session['id']}/responses?lang={language}",
                            {"answers": {question: value}}, token=breaker)
                        self.assertEqual(
                            answer.expect(422).json["errors"],
                            [{"field": f"/answers/{question}", "code": code, "message": said}])

    def test_a_rule_may_name_another_question(self):
        session, (first, second) = self.asked(
            {"kind": "shortAnswer", "name": "mail"},
            {"kind": "shortAnswer", "required": True,
                "rules": [{"type": "sameAs", "question": "mail", "message": "Not the same"}]})
        receipt = self.receipt(session)
        for answers in [{first: "a", second: "b"}, {second: "b"}]:
            error, = self.respond(session, receipt, answers).expect(422).json["errors"]
            self.assertEqual((error["field"], error["code"], error["message"]),
                (f"/answers/{second}", "rule_same_as", "Not the same"))
        self.respond(session, receipt, {first: "a", second: "a"}).expect(201)

    def test_questions_that_were_read_can_be_written_back(self):
        questions = [
            {"kind": "multipleChoice", "titles": {"ko": "무엇을?", "en": "What?"}, "title": "", "name": "what",
                "required": True,
             "choices": [{"id": "beer", "labels": {"ko": "맥주", "en": "Beer"}, "checked": True},
                 {"label": "Wine"}, {"label": "?", "other": True}],
             "rules": [{"type": "minMaxLength", "target": [1, "-"], "message": "하나는"}]},
            {"kind": "number", "min": 0, "max": 120, "decimals": 1, "placeholders": {"ko": "나이"},
             "eligibility": [
                 {"type": "minMax", "target": [19, "-"], "messages": {"ko": "성인만", "en": "Adults"}}]},
            {"kind": "rating", "scale": 7, "hidden": True,
                "branches": [{"type": "minMax", "target": [None, 3], "next": "why"}]},
            {"kind": "shortAnswer",
                "rules": [{"type": "pattern", "target": "^a"}, {"type": "not", "target": ""}]},
        ]
        session, _ = self.asked(*questions, anonymous=False, titles={"ko": "설문", "en": "Survey"},
            description="All of it", next="more")
        path = f"/api/v1/sessions/{session['id']}/questions"
        english, korean = self.host.get(path).expect(200), self.host.get(path + "?lang=ko").expect(200)
        self.assertEqual((english.json["title"], korean.json["title"], english.json["next"]),
            ("Survey", "설문", "more"))
        self.assertEqual([question["title"] for question in korean.json["questions"]],
            ["무엇을?", "Q", "Q", "Q"])
        self.assertEqual(korean.json["questions"][0]["choices"][0], {
            "id": "beer", "label": "맥주", "labels": {"en": "Beer", "ko": "맥주"}, "checked": True})
        self.assertEqual(korean.json["questions"][0]["rules"][0]["target"], [1, None])
        for read in [english, korean]:
            tag = self.host.get(path).headers["ETag"]
            again = self.host.put(path, read.json, headers={"If-Match": tag}).expect(200)
            self.assertEqual(again.json["questions"], english.json["questions"])
            self.assertEqual(self.host.put(path, read.json, headers={"If-Match": tag}).status, 412)

    def test_questions_with_answers_allow_only_new_texts_and_hiding(self):
        session, (question,) = self.asked(
            {"kind": "number", "min": 0, "max": 9, "titles": {"en": "How many?"}})
        for number in range(3):
            self.respond(session, self.receipt(session, number), {question: 3}).expect(201)
        same = {"id": question, "kind": "number", "min": 0, "max": 9}
        for edit in [{**same, "title": "How many, really?", "detail": "All"}, {**same, "hidden": True}, same]:
            self.write(session, [edit, {"kind": "rating"}] if edit is same else [edit]).expect(200)
        for edit in [{**same, "max": 10}, {**same, "decimals": 1}, {**same, "required": True},
                {**same, "rules": [{"type": "not", "target": 1}]}]:
            with self.subTest(str(edit)):
                self.assertEqual(self.write(session, [edit]).code, "questions_locked")

    def test_polls_are_opened_and_closed_by_hand_and_counted_apart(self):
        session, (rating,) = self.asked({"kind": "rating"})
        path = f"/api/v1/sessions/{session['id']}"
        poll = self.write(session,
            [{"kind": "multipleChoice", "choices": [{"label": "Yes"}, {"label": "No"}]}], set="vote",
            anonymous=False)
        vote = poll.expect(200).json["questions"][0]["id"]
        receipts = [self.receipt(session, number) for number in range(4)]
        self.assertEqual(self.respond(session, receipts[0], {vote: ["a"]}, set="vote").code,
            "feedback_not_open")
        self.host.patch(f"{path}/sets/vote", {"open": True, "shared": True}).expect(200)
        for number, receipt in enumerate(receipts[:3]):
            self.assertEqual(
                self.respond(session, receipt, {vote: ["ab"[number % 2]]}, set="vote").expect(201).json,
                             {"set": "vote", "anonymous": False, "promise": "named", "replaced": False})
        self.assertTrue(self.respond(session, receipts[0], {vote: ["a"]}, set="vote").expect(200).json[
            "replaced"])
        self.host.patch(f"{path}/sets/vote", {"changeable": False}).expect(200)
        self.assertEqual(self.respond(session, receipts[0], {vote: ["a"]}, set="vote").code,
            "already_responded")
        self.host.patch(f"{path}/sets/vote", {"open": False}).expect(200)
        self.assertEqual(self.respond(session, receipts[3], {vote: ["a"]}, set="vote").code,
            "feedback_closed")
        results = self.host.get(f"{path}/results?set=vote").expect(200).json
        self.assertEqual((results["responses"], results["responseRate"], results["shared"], results["open"]),
            (3, 0.75, True, False))
        self.assertEqual([choice["count"] for choice in results["tallies"][0]["choices"]], [2, 1])
        self.assertEqual(self.host.get(f"{path}/results").json["responses"], 0)
        listed = self.host.get(f"{path}/sets").expect(200).json["items"]
        self.assertEqual([(item["set"], item["open"], item["shared"], item["responses"]) for item in listed],
                         [("feedback", True, False, 0), ("vote", False, True, 3)])

    def test_attendees_see_polls_live_and_only_once_they_are_opened(self):
        session, _ = self.asked({"kind": "rating"})
        path, receipt = f"/api/v1/sessions/{session['id']}", self.receipt(session)
        member = self.enterContext(Room(self.server, self.host.token, f"session:{session['id']}"))
        audience = self.enterContext(Room(self.server, receipt, f"audience:{session['id']}"))
        for room in (member, audience):
            self.assertEqual([(found["set"], found["open"]) for found in room.snapshot["sets"]],
                [("feedback", True)])

        def wait(room, **expected):
            def told(frames):
                sets = [found for frame in frames
                    for found in frame.get("sets", []) if found["set"] == "vote"]
                return sets and all(sets[-1][name] == value for name, value in expected.items())
            room.wait_until(told)

        vote = self.write(session, [{"kind": "rating"}], set="vote", anonymous=False,
            title="Vote").expect(200).json["questions"][0]["id"]
        wait(member, open=False, title="Vote", questions=1)
        self.assertEqual(self.host.get(f"{path}/questions?set=vote", token=receipt).code, "feedback_not_open")
        self.host.patch(f"{path}/sets/vote", {"open": True}).expect(200)
        for room in (member, audience):
            wait(room, open=True, shared=False)
        self.assertEqual(
            len(self.host.get(f"{path}/questions?set=vote", token=receipt).expect(200).json["questions"]), 1)
        self.respond(session, receipt, {vote: 5}, set="vote").expect(201)
        member.wait_until(lambda frames: any(frame.get("tally", {}).get("answers") == 1 for frame in frames))
        wait(audience, responses=1)
        self.assertFalse(any("tally" in frame for frame in audience.frames))
        self.host.patch(f"{path}/sets/vote", {"open": False, "shared": True}).expect(200)
        for room in (member, audience):
            wait(room, open=False, shared=True)
        audience.wait_until(
            lambda frames: any(frame.get("tally", {}).get("average") == 5 for frame in frames))

    def test_sets_are_copied_from_another_session(self):
        source, _ = self.asked({"kind": "rating", "title": "Copied"}, title="Set")
        session = self.host.session(session={"questions": []})
        path = f"/api/v1/sessions/{session['id']}/questions"
        copied = self.host.post(f"{path}/copy",
            {"from": source["id"], "set": "feedback", "as": "exit"}).expect(201).json["items"]
        self.assertEqual([(item["set"], item["title"], item["questions"]) for item in copied],
            [("exit", "Set", 1)])
        self.assertEqual(self.host.get(f"{path}?set=exit").json["questions"][0]["title"], "Copied")
        stranger = Host(self.server)
        self.assertEqual(stranger.post(f"{path}/copy", {"from": source["id"]}).status, 403)
        own = stranger.session()
        self.assertEqual(
            stranger.post(f"/api/v1/sessions/{own['id']}/questions/copy", {"from": source["id"]}).status, 403)

    def test_check_in_asks_the_hosts_questions(self):
        session, _ = self.asked({"kind": "rating"})
        asked = {"kind": "number", "min": 0, "required": True, "title": "Age",
            "eligibility": [{"type": "minMax", "target": [19, "-"], "message": "Adults only"}]}
        age = self.write(session, [asked], set="check-in").expect(200).json["questions"][0]["id"]
        grant = self.host.post("/api/v1/grants", {"joinCode": session["joinCode"]},
            token=None).expect(201).json
        self.assertEqual([question["title"] for question in grant["questions"]], ["Age"])
        missing = check_in(self.host, session, "Kim", "kim@example.org").expect(422).json["errors"]
        self.assertEqual([(error["field"], error["code"]) for error in missing],
            [(f"/answers/{age}", "missing")])
        young = check_in(self.host, session, "Kim", "kim@example.org", answers={age: 18}).expect(200).json
        self.assertEqual((young["ended"], young.get("receipt"), young["alreadyCheckedIn"]),
            ("Adults only", None, False))
        check_in(self.host, session, "Kim", "kim@example.org", answers={age: 19}).expect(201)
        results = self.host.get(f"/api/v1/sessions/{session['id']}/results?set=check-in").json
        self.assertEqual((results["responses"], results["anonymous"], results["tallies"][0]["median"]),
            (1, False, 19))
        self.assertEqual(Admin("verify", folder=self.server.folder).expect().answer["findings"], [])

    def test_an_answer_that_ends_the_form_is_not_stored_and_a_set_leads_on(self):
        session, (age,) = self.asked(
            {"kind": "number",
                "eligibility": [
                    {"type": "minMax", "target": [19, "-"], "messages": {"ko": "성인만", "en": "Adults"}}]},
                    next="more")
        more = self.write(session, [{"kind": "rating"}], set="more").expect(200).json["questions"][0]["id"]
        receipt = self.receipt(session)
        self.assertEqual(self.respond(session, receipt, {more: 3}, set="more").code, "feedback_not_open")
        self.assertEqual(self.respond(session, receipt, {age: 18}).expect(200).json["ended"], "Adults")
        self.assertEqual(self.host.get(f"/api/v1/sessions/{session['id']}/results").json["responses"], 0)
        self.assertEqual(self.respond(session, receipt, {age: 19}).expect(201).json["next"], "more")
        self.respond(session, receipt, {more: 3}, set="more").expect(201)

    def test_numbers_have_quartiles_and_a_histogram(self):
        session, (question,) = self.asked({"kind": "number", "decimals": 1}, anonymous=False)
        for number, value in enumerate([1, 2, 2.5, 4, 12]):
            self.respond(session, self.receipt(session, number), {question: value}).expect(201)
        tally = self.host.get(f"/api/v1/sessions/{session['id']}/results").json["tallies"][0]
        self.assertEqual(
            {name: tally[name] for name in ["answers", "min", "max", "average", "median", "quartiles"]},
                         {"answers": 5, "min": 1, "max": 12, "average": 4.3, "median": 2.5,
                             "quartiles": [2, 2.5, 4]})
        self.assertEqual(sum(bar["count"] for bar in tally["histogram"]), 5)
        self.assertLessEqual(tally["histogram"][0]["from"], 1)
        self.assertGreater(tally["histogram"][-1]["to"], 12)
        self.assertNotIn("precision", tally)

    def test_texts_of_other_are_shown_with_the_choices_and_in_pages(self):
        session, (question,) = self.asked({"kind": "multipleChoice", **KINDS["multipleChoice"]},
            anonymous=False)
        for number in range(9):
            answer = {"choices": ["c"], "other": f"tea {number}"} if number % 2 else ["a"]
            self.respond(session, self.receipt(session, number), {question: answer}).expect(201)
        tally = self.host.get(f"/api/v1/sessions/{session['id']}/results").json["tallies"][0]
        self.assertEqual({choice["id"]: choice["count"] for choice in tally["choices"]},
            {"a": 5, "b": 0, "c": 4})
        self.assertEqual({text["text"] for text in tally["latest"]},
            {f"tea {number}" for number in [1, 3, 5, 7]})
        self.assertEqual(len(self.host.all(f"/api/v1/questions/{question}/answers", limit=2)), 4)

    def test_equal_texts_are_counted_without_hidden_and_pending_ones(self):
        session, (question,) = self.asked({"kind": "shortAnswer"}, anonymous=False)
        path = f"/api/v1/sessions/{session['id']}"

        def equal():
            found = self.host.get(f"{path}/results").expect(200).json["tallies"][0].get("equalTexts")
            return found and ({one["text"].strip().lower(): one["count"] for one in found["items"]},
                found["more"], found["compared"])

        texts = ["Tea", " tea", "ＴＥＡ", "Milk", "milk", "water"]
        for number, text in enumerate(texts):
            self.assertEqual(equal(), ({"tea": 2}, 0, 2) if number == 2 else
                ({"ｔｅａ": 3}, 0, number) if number in (3, 4) else
                ({"ｔｅａ": 3, "milk": 2}, 0, 5) if number == 5 else None, number)
            self.respond(session, self.receipt(session, number), {question: text}).expect(201)
        terminal = Terminal(self, self.server.url)
        terminal.environment["QRING_TOKEN"] = self.host.token
        shown = terminal.run("results", session["id"]).stdout
        self.assertRegex(shown, r"(?s)  Given more than once:\n  · ＴＥＡ \(3 times\)\n"
            r"  · milk \(2 times\)\n")
        answers = f"/api/v1/questions/{question}/answers"
        milk = next(one for one in self.host.get(answers).json["items"] if one["text"] == "milk")
        self.host.patch(f"{answers}/{milk['id']}", {"status": "hidden"}).expect(200)
        self.assertEqual(equal(), ({"ｔｅａ": 3}, 0, 5))
        self.assertNotIn("milk", terminal.run("results", session["id"], "--all").stdout)
        self.host.patch(f"{path}/sets/feedback/moderation", {"moderation": "before"}).expect(200)
        self.assertIsNone(equal())
        # The frames of the rooms do not have them.
        with Room(self.server, self.host.token, f"session:{session['id']}") as room:
            self.assertNotIn("equalTexts", str(room.snapshot))

    def test_equal_texts_of_an_anonymous_set_wait_for_their_group_and_are_limited(self):
        session, (question,) = self.asked({"kind": "shortAnswer"}, anonymous=True)
        counts = []
        for number in range(111):
            text = "same" if number < 5 else f"text {number // 2}"
            self.respond(session, self.receipt(session, number), {question: text}).expect(201)
            if number < 6:
                tally, = self.host.get(f"/api/v1/sessions/{session['id']}/results").json["tallies"]
                counts.append(tally.get("equalTexts", {}).get("items", [{}])[0].get("count"))
        self.assertEqual(counts, [None, None, 3, 3, 3, 5])
        # More than 100 responses are compared by a scan, and the most frequent texts are listed.
        tally, = self.host.get(f"/api/v1/sessions/{session['id']}/results").expect(200).json["tallies"]
        equal = tally["equalTexts"]
        self.assertEqual((len(equal["items"]), equal["more"], equal["compared"]), (20, 33, 111))
        self.assertEqual(equal["items"][0], {"text": "same", "count": 5})
        self.assertEqual({one["count"] for one in equal["items"][1:]}, {2})

    def test_each_wrong_answer_gets_its_problem(self):
        session, (question,) = self.asked({"kind": "rating"})
        other, (foreign,) = self.asked({"kind": "rating"})
        receipt, stranger = self.receipt(session), self.receipt(other)
        path = f"/api/v1/sessions/{session['id']}/responses"
        self.assertEqual(self.host.post(path, {"answers": {question: 1}}, token=None).code,
            "receipt_not_valid")
        self.assertEqual(
            self.host.post(path, {"answers": {question: 1}},
                token=receipt[:-9] + ("0" if receipt[-9] != "0" else "1") + receipt[-8:]).code,
                "receipt_not_valid")
        self.assertEqual(self.respond(session, stranger, {question: 1}).code, "receipt_not_valid")
        self.assertEqual(self.respond(session, receipt, {foreign: 1}).expect(422).json["errors"][0]["code"],
            "unknown_question")
        self.assertEqual(self.respond(session, receipt, {question: 1}, set="none").status, 404)
        self.assertEqual(self.respond(session, receipt, {}).expect(422).json["errors"][0], {
            "field": "/answers", "code": "missing", "message": "Answer at least one question."})
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback", {"open": False}).expect(200)
        self.assertEqual(self.respond(session, receipt, {question: 1}).code, "feedback_closed")


if __name__ == "__main__":
    unittest.main()
