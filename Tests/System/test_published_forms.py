"""Published forms as a client of that format sees them; questions and results as files."""
import csv
import http.server
import io
import json
import os
import re
import subprocess
import threading
import unittest

from api import API
from host import Host, check_in
from page import Visitor
from server_process import DEADLINE, QRING, Server
from test_command_line import Terminal

FORM = {"status": 200, "data": {
    "forms": [
        {"name": "nick", "question": "별명은?", "required": True, "type": "text", "placeholder": "",
         "validate": [{"type": "minMaxLength", "target": [2, "-"], "validateText": "두 글자 이상."}]},
        {"name": "years", "question": "몇 년째인가요?", "required": True, "type": "number", "placeholder": 0,
         "validate": [{"type": "not", "target": 0, "validateText": "햇수를 쓰세요."}]},
        {"name": "mood", "question": "기분은?", "required": False, "type": "radioNumber", "placeholder": 0,
            "validate": []},
        {"name": "cup", "question": "어떤 잔?", "required": True, "type": "radioWithInput",
         "placeholder": [{"label": "큰 잔", "value": "L", "checked": True},
             {"label": "기타", "value": "extra", "checked": False}],
         "validate": [{"type": "minMaxLength", "target": [1, "-"], "validateText": "하나는 골라야 합니다."}]},
        {"name": "cake", "question": "어떤 떡?", "required": False, "type": "checkbox",
         "placeholder": [{"label": "콩", "value": "bean", "checked": False},
             {"label": "쑥", "value": "mugwort", "checked": False}], "validate": []},
    ],
    "escapeValidate": [{"name": "years", "type": "minMax", "target": [1, "-"]}]}}
RIGHT = {"nick": "하늘", "years": 3, "mood": 7, "cup": ["L"], "cake": ["bean", "mugwort"]}


class PublishedFormTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open", "--import-from", "127.0.0.2"))
        cls.host = Host(cls.server)
        cls.anybody = API(cls.server)

    def take(self, session, document, set="feedback", query="", **options):
        path = f"/api/v1/sessions/{session['id']}/questions/import?set={set}{query}"
        body = document if isinstance(document, bytes) else json.dumps(document, ensure_ascii=False).encode()
        return self.host.request("POST", path, body, headers={"Content-Type": "application/json"}, **options)

    def published(self, name, document=FORM, anonymous=True, **settings):
        session = self.host.session(session={"questions": [], "anonymous": anonymous})
        self.take(session, document).expect(201)
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback",
            {"publishedAs": name, **settings}).expect(200)
        return session

    def results(self, session, set="feedback"):
        return self.host.get(f"/api/v1/sessions/{session['id']}/results?set={set}").expect(200).json

    def test_the_form_in_the_documentation_is_served_as_it_is_written(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "docs", "protocol.md")) as page:
            blocks = re.findall(r"```json\n(.*?)\n```", page.read(), re.DOTALL)
        example = next(json.loads(block) for block in blocks if "escapeValidate" in block)
        session = self.published("documented", example)
        self.assertEqual(self.anybody.get("/api/question/documented?lang=en").expect(200).json, example)
        exported = self.host.get(
            f"/api/v1/sessions/{session['id']}/questions/export?set=feedback&format=subvey").expect(200)
        self.assertEqual(exported.json, example)
        right = {"nick": "Sky", "age": 30, "agreed": ["yes"]}
        self.anybody.post("/api/answers/documented", right).expect(200)
        self.anybody.post("/api/answers/documented", {**right, "nick": "하늘"}).expect(422)

    def test_the_choices_of_a_questionnaire_are_ordered_and_counted_by_label_and_value(self):
        session = self.host.session(session={"questions": [], "anonymous": False})
        path = f"/api/v1/sessions/{session['id']}"
        with open(os.path.join(os.path.dirname(__file__), "..", "Fixtures",
                "questionnaire-shapes.json"), "rb") as file:
            questions = self.take(session, file.read()).expect(201).json["questions"]
        self.host.patch(f"{path}/sets/feedback", {"open": True}).expect(200)
        first = questions[0]
        for number, choice in enumerate(["3", "3", "3", "2", "2", "6"]):
            receipt = check_in(self.host, session, f"G{number}", f"g{number}@example.org").expect(
                201).json["receipt"]
            answers = {first["id"]: [choice], questions[1]["id"]: 5, questions[2]["id"]: "Fog",
                questions[3]["id"]: "Kim", questions[4]["id"]: 20, questions[5]["id"]: ["10"]}
            self.host.post(f"{path}/responses", {"answers": answers}, token=receipt).expect(201)

        def ordered(order):
            tallies = self.host.get(f"{path}/results{order}").expect(200).json["tallies"]
            tally = next(one for one in tallies if one["questionId"] == first["id"])
            self.assertEqual(tally["percents"],
                [round(100 * choice["count"] / 6, 1) for choice in tally["choices"]])
            return [choice["label"] for choice in tally["choices"]]

        other, last = "Other – Which? – its name", "Why none of these?"
        asked = ["Shore", "Hill", "Wood", "Any", "None", "Unknown", other, last]
        values = ["Hill", "Wood", other, "Unknown", last, "None", "Shore", "Any"]
        counts = ["Wood", "Hill", "Unknown", "Shore", "Any", "None", other, last]
        for order, labels in [("", counts), ("?order=count", counts), ("?order=choices", asked),
                ("?order=value", values)]:
            self.assertEqual(ordered(order), labels)
            query = order.replace("?", "&")
            rows = list(csv.reader(io.StringIO(
                self.host.get(f"{path}/results.csv?statistics=true{query}").expect(200).text)))
            lines = [row[1:] for row in rows if row[0] == first["title"]]
            self.assertEqual([line[0] for line in lines], ["Answers", *labels, "Most frequent"])
            self.assertIn(["Wood", "3", "50", "2.5"], lines)
            self.assertEqual(lines[-1], ["Most frequent", "Wood", "", "2.5"])
            file = self.host.get(f"{path}/results.json?set=feedback{query}").expect(200).json
            tally = next(one for one in file["results"]["tallies"] if one["questionId"] == first["id"])
            self.assertEqual([choice["label"] for choice in tally["choices"]], labels)
        refused = self.host.get(f"{path}/results?order=size").expect(422).json
        self.assertEqual(refused["errors"][0]["code"], "not_one_of")
        terminal = Terminal(self, self.server.url)
        terminal.environment["QRING_TOKEN"] = self.host.token
        shown = terminal.run("results", session["id"], "--order", "value").stdout
        self.assertEqual(sorted(values, key=shown.index), values)

    def test_a_form_is_served_as_imported_and_answered_in_both_shapes(self):
        session = self.published("served")
        self.assertEqual(self.anybody.get("/api/question/served").expect(200).json, FORM)
        self.assertEqual(self.anybody.get("/api/question/served?lang=en").expect(200).json, FORM)
        done = {"status": 200, "data": {"isSuccess": True, "nextTypeId": None}}
        for body in [RIGHT, {"answers": RIGHT}, {**RIGHT, "cup": "나무 잔"},
                {**RIGHT, "cup": ["extra"], "mood": None, "cake": "bean"}]:
            self.assertEqual(self.anybody.post("/api/answers/served", body).expect(200).json, done)
        results = self.results(session)
        self.assertEqual((results["responses"], results["withoutReceipt"], results["responseRate"]),
            (4, 4, 0))
        # In steps of three, as everything that is anonymous.
        cups = results["tallies"][3]
        self.assertEqual((cups["answers"], {choice["id"]: choice["count"] for choice in cups["choices"]}),
            (3, {"L": 2, "extra": 1}))
        self.assertEqual([text["text"] for text in cups["latest"]], ["나무 잔"])
        self.assertEqual(self.verified(), 0)

    def verified(self):
        return subprocess.run([QRING, "admin", "verify", "--data", self.server.folder], capture_output=True,
            timeout=DEADLINE, check=False).returncode

    def test_a_form_has_a_page_for_everybody_without_a_script(self):
        session = self.published("paged")
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback", {"title": "Short form"})
        visitor = Visitor(self.server)
        page = visitor.open("/form/paged?lang=en")
        self.assertEqual(page.answer.status, 200)
        ids = {question["name"]: question["id"] for question in self.host.get(
            f"/api/v1/sessions/{session['id']}/questions").expect(200).json["questions"]}
        self.assertEqual(page.title, "Short form")
        wrong = visitor.submit(page, **{f"q_{ids['nick']}": "하", f"q_{ids['years']}": "3"})
        self.assertEqual(wrong.answer.status, 422)
        self.assertIn("두 글자 이상.", wrong.text)
        self.assertEqual(self.results(session)["responses"], 0)
        done = visitor.submit(wrong, **{f"q_{ids['nick']}": "하늘", f"q_{ids['years']}": "3"})
        self.assertEqual(done.answer.status, 200)
        self.assertEqual(done.attributes["result"]["data-sent"], "form/paged")
        self.assertEqual(self.results(session)["responses"], 1)
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback", {"open": False}).expect(200)
        closed = visitor.open("/form/paged?lang=ko")
        self.assertEqual(closed.answer.status, 409)
        self.assertIn("피드백이 끝났습니다", closed.text)
        self.assertEqual(visitor.open("/form/nobody").answer.status, 404)

    def test_a_form_can_take_one_answer_from_each_device(self):
        session = self.published("once", oncePerDevice=True)
        path = f"/api/v1/sessions/{session['id']}/questions"
        self.assertTrue(self.host.get(path).expect(200).json["oncePerDevice"])
        ids = {question["name"]: question["id"] for question in self.host.get(path).json["questions"]}
        answers = {f"q_{ids['nick']}": "하늘", f"q_{ids['years']}": "3"}
        visitor = Visitor(self.server)
        page = visitor.open("/form/once?lang=ko")
        self.assertIn("기기마다 한 번만", page.text)
        self.assertEqual(visitor.submit(page, **answers).answer.status, 200)
        again = visitor.submit(page, **answers)
        self.assertEqual(again.answer.status, 409)
        self.assertIn("이 기기에서 이미 답변을 보냈습니다", again.text)
        self.assertEqual(visitor.open("/form/once?lang=en").answer.status, 409)
        # Without the cookie, nothing is stored, and the page shows the answers.
        other = Visitor(self.server)
        page = other.open("/form/once?lang=en")
        other.cookies.clear()
        lost = other.submit(page, **answers)
        self.assertEqual(lost.answer.status, 403)
        self.assertIn("하늘", lost.text)
        self.assertEqual(self.anybody.post("/api/answers/once", RIGHT).expect(403).code,
            "device_not_recognized")
        # A program gets the cookie with the questions.
        cookie = self.anybody.get("/api/question/once").expect(200).headers["Set-Cookie"].split(";")[0]
        self.anybody.post("/api/answers/once", RIGHT, headers={"Cookie": cookie}).expect(200)
        self.assertEqual(
            self.anybody.post("/api/answers/once", RIGHT, headers={"Cookie": cookie}).expect(409).code,
            "already_responded")
        self.assertEqual(self.results(session)["responses"], 2)
        self.assertEqual(self.verified(), 0)

    def test_the_rule_for_the_names_of_sets_is_shown(self):
        session = self.host.session(session={"questions": []})
        path = f"/api/v1/sessions/{session['id']}"
        for name in ["", "A%20b", "x" * 41, "%EC%96%91%EC%8B%9D"]:
            answer = self.host.put(f"{path}/questions?set={name}", {"questions": []})
            error, = answer.expect(422).json["errors"]
            self.assertEqual((error["code"], error["message"]),
                ("not_a_set_name", "Use 1 to 40 characters of a–z, 0–9 and -."))
        error, = self.host.post(f"{path}/polls", {"copyOf": "My poll"}).expect(422).json["errors"]
        self.assertEqual((error["field"], error["code"]), ("/copyOf", "not_a_set_name"))

    def test_errors_of_answers_have_the_documented_pointers(self):
        self.published("pointed")
        for body, field, code in [
            ([], "/answers", "wrong_type"), ("하늘", "/answers", "wrong_type"),
            ({"answers": []}, "/answers", "wrong_type"), ({"answers": "x"}, "/answers", "wrong_type"),
            ({"answers": {"answers": []}}, "/answers/answers", "unknown_question"),
            ({**RIGHT, "nick": {"a": 1}}, "/answers/nick", "wrong_type"),
            ({"answers": {**RIGHT, "nick": {"a": 1}}}, "/answers/nick", "wrong_type"),
            ({"answers": {**RIGHT, "nick": []}}, "/answers/nick", "missing"),
            ({**RIGHT, "cup": []}, "/answers/cup", "missing"),
            ({**RIGHT, "cup": [1]}, "/answers/cup", "wrong_type"),
            ({**RIGHT, "cup": [["L"]]}, "/answers/cup", "wrong_type"),
            ({**RIGHT, "a/b~c": {}}, "/answers/a~1b~0c", "unknown_question"),
        ]:
            with self.subTest(body=body):
                problem = self.anybody.post("/api/answers/pointed", body).expect(422).json
                self.assertIn((field, code),
                    [(error["field"], error["code"]) for error in problem["errors"]])
                self.assertEqual(problem["data"], {"isSuccess": False, "nextTypeId": None})

    def test_wrong_answers_are_a_problem_in_the_shape_of_the_form(self):
        self.published("strict")
        for body, field, code in [
            ({**RIGHT, "nick": "하"}, "/answers/nick", "rule_min_max_length"),
            ({**RIGHT, "nick": None}, "/answers/nick", "missing"),
            ({**RIGHT, "years": "3"}, "/answers/years", "wrong_type"),
            ({**RIGHT, "years": 0}, "/answers/years", "rule_not"),
            ({**RIGHT, "years": 1.5}, "/answers/years", "decimals"),
            ({**RIGHT, "mood": 8}, "/answers/mood", "range"),
            ({**RIGHT, "mood": 0}, "/answers/mood", "range"),
            ({**RIGHT, "cup": ["L", "extra"]}, "/answers/cup", "count"),
            ({**RIGHT, "cake": ["bean", "rice"]}, "/answers/cake", "unknown_choice"),
            ({**RIGHT, "who": "me"}, "/answers/who", "unknown_question"),
        ]:
            for sent in [body, {"answers": body}]:
                with self.subTest(field=field, code=code):
                    problem = self.anybody.post("/api/answers/strict", sent).expect(422).json
                    self.assertIn((field, code),
                        [(error["field"], error["code"]) for error in problem["errors"]])
                    self.assertEqual((problem["status"], problem["data"]),
                        (422, {"isSuccess": False, "nextTypeId": None}))
        said = self.anybody.post("/api/answers/strict", {**RIGHT, "nick": "하"}).json
        self.assertEqual((said["errors"][0]["message"], said["title"]), ("두 글자 이상.", "올바르지 않은 항목이 있습니다"))
        english = self.anybody.post("/api/answers/strict?lang=en", {**RIGHT, "nick": None}).json
        self.assertEqual(english["title"], "Some values were refused")
        # The form is not for them: a polite answer, nothing stored, nothing counted.
        def counted():
            return [line
                for line in self.host.get("/metrics").expect(200).text.splitlines()
                if line.startswith("qring_responses_total")]

        before = counted()
        self.assertEqual(self.anybody.post("/api/answers/strict", {**RIGHT, "years": -1}).expect(200).json,
            {"status": 200, "data": {"isSuccess": False, "nextTypeId": None}})
        self.assertEqual((len(before), counted()), (1, before))

    def test_unknown_closed_and_unpublished_forms_are_refused(self):
        session = self.published("gone")
        path = f"/api/v1/sessions/{session['id']}/sets/feedback"
        self.assertEqual(self.anybody.post("/api/answers/nobody", RIGHT).code, "not_found")
        self.assertEqual(self.anybody.get("/api/question/nobody").code, "not_found")
        self.host.patch(path, {"open": False}).expect(200)
        self.assertEqual(self.anybody.post("/api/answers/gone", RIGHT).code, "feedback_closed")
        self.host.patch(path, {"open": True}).expect(200)
        self.anybody.post("/api/answers/gone", RIGHT).expect(200)
        other = self.host.session()
        taken = self.host.patch(f"/api/v1/sessions/{other['id']}/sets/feedback",
            {"publishedAs": "gone"}).expect(422).json["errors"]
        self.assertEqual([(error["field"], error["code"]) for error in taken],
            [("/publishedAs", "form_name_taken")])
        self.host.patch(path, {"publishedAs": ""}).expect(200)
        self.assertEqual(self.anybody.post("/api/answers/gone", RIGHT).status, 404)

    def test_the_answer_names_the_next_form(self):
        session = self.published("first", anonymous=False)
        self.take(session, {"status": 200, "data": {"isSuccess": True, "nextTypeId": "more"}}).expect(201)
        self.take(session, FORM, set="more").expect(201)
        self.assertEqual(self.anybody.post("/api/answers/first", RIGHT).json["data"],
            {"isSuccess": True, "nextTypeId": None})
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/more", {"publishedAs": "second"}).expect(200)
        self.assertEqual(self.anybody.post("/api/answers/first", RIGHT).json["data"],
            {"isSuccess": True, "nextTypeId": "second"})
        self.anybody.post("/api/answers/second", RIGHT).expect(200)

    def test_fields_that_cannot_be_imported_are_named_with_their_lines(self):
        session = self.host.session(session={"questions": []})
        text = json.dumps(FORM, ensure_ascii=False, indent=1)
        # The change, its new value, the field, and the number of lines below.
        for old, new, field, below in [
            ('"type": "checkbox"', '"type": "slider"', "/data/forms/4/type", 0),
            ('"name": "mood",', '"name": "mood",\n"hue": 3,', "/data/forms/2/hue", 1),
            ('"validateText": "두 글자 이상."', '"validateText": "두 글자 이상.",\n"when": "later"',
                "/data/forms/0/validate/0/when", 1),
            ('"type": "minMaxLength"', '"type": "pattern"', "/data/forms/0/validate/0/target", 1),
        ]:
            with self.subTest(field=field):
                error = self.take(session, text.replace(old, new, 1).encode()).expect(422).json["errors"][0]
                line = text[:text.index(old)].count("\n") + 1 + below
                self.assertEqual((error["field"], error["line"]), (field, line))
        bad = json.loads(text)
        bad["data"]["forms"][0]["validate"] = [{"type": "pattern", "target": "(?=a)", "validateText": ""}]
        error, = self.take(session, bad).expect(422).json["errors"]
        self.assertEqual((error["field"], error["code"]), ("/data/forms/0/validate/0/target", "bad_pattern"))
        answer = self.take(session, b'{"data":\n {"forms": [}\n')
        self.assertEqual((answer.status, answer.code, answer.json["errors"][0]["line"]), (400, "not_json", 2))
        self.assertEqual(self.host.get(f"/api/v1/sessions/{session['id']}/questions").json["questions"], [])

    def test_an_export_imports_to_the_same_questions(self):
        session = self.published("round")
        path = f"/api/v1/sessions/{session['id']}/questions"
        asked = self.host.get(path).json["questions"]
        other = self.host.session(session={"questions": []})
        for format in ["qring", "subvey"]:
            file = self.host.get(f"{path}/export?format={format}").expect(200)
            self.assertIn("attachment", file.headers["Content-Disposition"])
            self.assertEqual(self.take(session, file.body).expect(201).json["questions"], asked)
            copy = self.take(other, file.body, set=format).expect(201).json["questions"]
            self.assertEqual([{**question, "id": ""} for question in copy],
                [{**question, "id": ""} for question in asked])
        # A second language is added to the same questions.
        english = json.loads(json.dumps(FORM).replace(json.dumps("별명은?")[1:-1], "Nickname?"))
        self.take(session, english, query="&language=en").expect(201)
        told = {
            language: self.anybody.get(f"/api/question/round?lang={language}").json["data"]["forms"][0][
                "question"] for language in ["ko", "en"]}
        self.assertEqual(told, {"ko": "별명은?", "en": "Nickname?"})
        # Fields that the other format cannot express are named.
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback", {"title": "Survey"}).expect(200)
        error, = self.host.get(f"{path}/export?format=subvey").expect(422).json["errors"]
        self.assertEqual((error["field"], error["code"]), ("/title", "not_representable"))
        self.assertEqual(self.host.get(f"{path}/export?format=xml").status, 422)

    def test_a_rule_may_name_another_field_and_is_exported_as_written(self):
        for kind, target in [("sameAS", "nick"), ("sameAS", "$nick")]:
            with self.subTest(kind=kind, target=target):
                document = json.loads(json.dumps(FORM))
                document["data"]["forms"].append({
                    "name": "again", "question": "다시 한 번?", "required": True, "type": "text",
                    "placeholder": "",
                    "validate": [{"type": kind, "target": target, "validateText": "같아야 합니다."}]})
                name = f"same{len(target)}"
                session = self.published(name, document)
                asked = self.host.get(f"/api/v1/sessions/{session['id']}/questions").json["questions"]
                self.assertEqual(asked[5]["rules"][0]["question"], asked[0]["id"])
                self.assertEqual(self.anybody.get(f"/api/question/{name}").expect(200).json, document)
                export = self.host.get(
                    f"/api/v1/sessions/{session['id']}/questions/export?format=subvey").expect(200)
                self.assertEqual(export.json, document)
                own = self.host.get(f"/api/v1/sessions/{session['id']}/questions/export").expect(200).body
                self.assertEqual(self.take(session, own).expect(201).json["questions"], asked)
                error, = self.anybody.post(f"/api/answers/{name}",
                    {**RIGHT, "again": "nick"}).expect(422).json["errors"]
                self.assertEqual((error["field"], error["code"], error["message"]),
                    ("/answers/again", "rule_same_as", "같아야 합니다."))
                self.anybody.post(f"/api/answers/{name}", {**RIGHT, "again": RIGHT["nick"]}).expect(200)

    def test_files_of_results_reveal_no_more_than_the_results(self):
        session = self.published("files")
        path = f"/api/v1/sessions/{session['id']}/results"
        wicked = ["=1+1", "+1", "-1", "@x", "\tx", 'a "b", c\nd']
        for number, text in enumerate(wicked[:2]):
            self.anybody.post("/api/answers/files", {**RIGHT, "nick": text + "  "}).expect(200)
        rows = list(csv.reader(io.StringIO(self.host.get(f"{path}.csv").expect(200).text)))
        self.assertEqual((len(rows), self.host.get(f"{path}.json").json["responses"]), (1, []))
        for text in wicked[2:]:
            self.anybody.post("/api/answers/files", {**RIGHT, "nick": text + "  "}).expect(200)
        answer = self.host.get(f"{path}.csv?bom=true&lang=ko").expect(200)
        self.assertTrue(answer.body.startswith(b"\xef\xbb\xbf"))
        rows = list(csv.reader(io.StringIO(answer.body[3:].decode(), newline="")))
        self.assertEqual(rows[0], ["시간대", "별명은?", "몇 년째인가요?", "기분은?", "어떤 잔?", "어떤 떡?"])
        self.assertEqual({row[1] for row in rows[1:]},
            {("'" if text[0] in "=+-@\t" else "") + text + "  " for text in wicked})
        self.assertTrue(
            all(row[0].endswith(":00") and row[2:] == ["3", "7", "큰 잔", "콩; 쑥"] for row in rows[1:]))
        told = self.host.get(f"{path}.json").json
        self.assertEqual((len(told["responses"]), told["results"]["responses"]), (6, 6))
        self.assertEqual({tuple(sorted(row)) for row in told["responses"]}, {("answers", "at")})
        stranger = Host(self.server)
        for ending in ["csv", "json"]:
            self.assertEqual(stranger.get(f"{path}.{ending}").status, 403)

    def test_results_have_statistics_in_every_form(self):
        session = self.published("counted", anonymous=False)
        path = f"/api/v1/sessions/{session['id']}/results"
        for nick, years, mood, cake in [("하늘", 2, 5, ["bean"]), ("하늘 ", 4, 7, ["bean", "mugwort"]),
                ("바다", 4, 7, None), ("산산", 6, 7, ["mugwort"])]:
            self.anybody.post("/api/answers/counted",
                {"nick": nick, "years": years, "mood": mood, "cup": ["L"], "cake": cake}).expect(200)
        # By hand: years have the mean 4, and the squares 4, 0, 0, 4, so the deviation √2; mood has the mean
        # 6.5, and the squares 2.25, 0.25, 0.25, 0.25, so the deviation √0.75.
        nick, years, mood, cup, cake = self.results(session)["tallies"]
        self.assertEqual((years["average"], years["standardDeviation"], years["mode"]), (4, 1.41, ["4"]))
        self.assertEqual((mood["average"], mood["standardDeviation"], mood["mode"], mood["percents"]),
            (6.5, 0.87, ["7"], [0, 0, 0, 0, 25, 0, 75]))
        self.assertEqual((cup["mode"], cup["percents"]), (["L"], [100, 0]))
        self.assertEqual((cake["mode"], cake["percents"]), (["bean", "mugwort"], [66.7, 66.7]))
        self.assertEqual([text["count"] for text in nick["equalTexts"]["items"]], [2])
        told = self.host.get(f"{path}.json").json
        self.assertEqual(told["results"]["tallies"][1]["mode"], ["4"])
        repeated, = told["repeatedTexts"]
        self.assertEqual((repeated["questionId"], [text["count"] for text in repeated["texts"]],
            repeated["texts"][0]["text"].strip()), (nick["questionId"], [2], "하늘"))
        rows = list(csv.reader(io.StringIO(
            self.host.get(f"{path}.csv?statistics=true&lang=ko").expect(200).text)))
        self.assertEqual(rows[0], ["질문", "답변 또는 통계", "값", "비율(%)", "선택지 값"])
        for row in [["몇 년째인가요?", "표준편차", "1.41", "", ""], ["몇 년째인가요?", "최빈값", "4", "", ""],
                ["기분은?", "7", "3", "75", ""], ["어떤 떡?", "콩", "2", "66.7", ""],
                ["어떤 잔?", "답변 수", "4", "", ""]]:
            self.assertIn(row, rows)
        self.assertIn(["별명은?", "하늘", "2", "50", ""], [[cell.strip() for cell in row] for row in rows])
        # A hidden result has no figures.
        hidden = self.published("unseen")
        self.anybody.post("/api/answers/unseen", RIGHT).expect(200)
        rows = list(csv.reader(io.StringIO(
            self.host.get(f"/api/v1/sessions/{hidden['id']}/results.csv?statistics=true").text)))
        self.assertEqual(len(rows), 1)

    def test_named_results_name_who_answered_with_a_receipt(self):
        session = self.published("named", anonymous=False)
        receipt = check_in(self.host, session, "=Kim", "kim@example.org").expect(201).json["receipt"]
        ids = {question["name"]: question["id"]
            for question in self.host.get(f"/api/v1/sessions/{session['id']}/questions").json["questions"]}
        answers = {ids["nick"]: "하늘", ids["years"]: 12, ids["cup"]: ["L"]}
        self.host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": answers},
            token=receipt).expect(201)
        self.anybody.post("/api/answers/named", RIGHT).expect(200)
        path = f"/api/v1/sessions/{session['id']}/results"
        rows = list(csv.reader(io.StringIO(self.host.get(f"{path}.csv").text)))
        self.assertEqual(rows[0][:3], ["Name", "E-mail", "Answered at"])
        self.assertEqual({(row[0], row[1], row[4]) for row in rows[1:]},
            {("'=Kim", "kim@example.org", "12"), ("", "", "3")})
        self.assertEqual(self.results(session)["responseRate"], 1)
        self.assertEqual({row.get("name") for row in self.host.get(f"{path}.json").json["responses"]},
            {"=Kim", None})
        self.assertEqual(self.verified(), 0)

    def test_an_import_reads_public_addresses_and_no_internal_ones(self):
        session = self.host.session(session={"questions": []})
        own = self.server.port
        for url in [f"http://127.0.0.1:{own}/healthz", f"http://localhost:{own}/healthz",
                f"http://[::1]:{own}/", "http://169.254.169.254/latest/",
                    "http://10.0.0.1/", f"http://2130706433:{own}/", f"http://[::ffff:127.0.0.1]:{own}/",
                    f"http://0.0.0.0:{own}/"]:
            with self.subTest(url=url):
                answer = self.take(session, {"url": url})
                self.assertEqual((answer.status, answer.code), (422, "address_not_fetched"))
                self.assertIn("private address", answer.json["detail"])
        for url in ["file:///etc/passwd", "gopher://example.org/", "http://user:pw@example.org/x",
                "example.org", ""]:
            error, = self.take(session, {"url": url}).expect(422).json["errors"]
            self.assertEqual(error["field"], "/url")
        with serving(
                {"/form.json": (200, json.dumps(FORM).encode()),
                    "/away": (302, f"http://127.0.0.1:{own}/healthz"),
                      "/near": (302, "/form.json"), "/large": (200, b" " * (1 << 20) + b"{}"),
                      "/missing": (404, b"")}) as web:
            for path in ["/form.json", "/near"]:
                taken = self.take(session, {"url": web + path}).expect(201).json
                self.assertEqual([question["name"] for question in taken["questions"]],
                    ["nick", "years", "mood", "cup", "cake"])
            for path, said in [("/away", "private address"), ("/large", "larger than 1 MB"),
                    ("/missing", "404")]:
                self.assertIn(said, self.take(session, {"url": web + path}).expect(422).json["detail"])


class serving:
    """A web server of a few paths at 127.0.0.2, which the tested server may fetch from."""

    def __init__(self, paths):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                status, content = paths[self.path]
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", content)
                    content = b""
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                try:
                    self.wfile.write(content)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        self.web = http.server.ThreadingHTTPServer(("127.0.0.2", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self.web.serve_forever, daemon=True).start()
        return f"http://127.0.0.2:{self.web.server_port}"

    def __exit__(self, *_):
        self.web.shutdown()
        self.web.server_close()


if __name__ == "__main__":
    unittest.main()
