"""Other programs' files of questions: imported, served and answered, exported, and imported again."""
import csv
import io
import json
import os
import unittest

from api import API
from host import Host, check_in
from server_process import Server

HERE = os.path.dirname(__file__)
FIXTURES = next(
    (folder
        for folder in [os.environ.get("QRING_FIXTURES"),
            os.path.join(HERE, "..", "..", "..", "shared", "fixtures")]
                 if folder and os.path.exists(os.path.join(folder, "subvey"))), None)


@unittest.skipUnless(FIXTURES, "there are no fixtures here; QRING_FIXTURES names their folder")
class FixtureTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def file(self, name):
        with open(os.path.join(FIXTURES, name), "rb") as file:
            return file.read()

    def take(self, session, name, set="feedback"):
        return self.host.request("POST", f"/api/v1/sessions/{session['id']}/questions/import?set={set}",
            self.file(name),
                                 headers={"Content-Type": "application/json"}).expect(201).json

    def results(self, session, set):
        return self.host.get(f"/api/v1/sessions/{session['id']}/results?set={set}").expect(200).json

    def assert_same_after_import(self, session, set, file, format):
        """Imports an exported file into another session: its questions and its export are the same again."""
        other = self.host.session(session={"questions": []})
        copy = self.host.request("POST", f"/api/v1/sessions/{other['id']}/questions/import?set={set}", file,
            headers={"Content-Type": "application/json"}).expect(201).json
        asked = self.host.get(f"/api/v1/sessions/{session['id']}/questions?set={set}").expect(200).json
        for key in ["title", "description", "next"]:
            self.assertEqual(copy.get(key), asked.get(key))
        self.assertEqual([{**question, "id": ""} for question in copy["questions"]],
            [{**question, "id": ""} for question in asked["questions"]])
        again = self.host.get(
            f"/api/v1/sessions/{other['id']}/questions/export?set={set}&format={format}").expect(200)
        ids = [question["id"] for question in asked["questions"]]
        text = again.text
        for old, new in zip([question["id"] for question in copy["questions"]], ids):
            text = text.replace(old, new)
        self.assertEqual(json.loads(text), json.loads(file))

    def test_the_survey_is_served_answered_and_exported(self):
        session = self.host.session(session={"questions": []})
        anybody = API(self.server)
        for set, name in [("common", "question_common"), ("1", "question_1")]:
            self.take(session, f"subvey/{name}.json", set)
            self.host.patch(f"/api/v1/sessions/{session['id']}/sets/{set}", {"publishedAs": set}).expect(200)
            self.assertEqual(anybody.get(f"/api/question/{set}").expect(200).json,
                json.loads(self.file(f"subvey/{name}.json")))
            file = self.host.get(
                f"/api/v1/sessions/{session['id']}/questions/export?set={set}&format=subvey").expect(200)
            self.assertEqual(file.json, json.loads(self.file(f"subvey/{name}.json")))
            self.assert_same_after_import(session, set, file.body, "subvey")
        self.take(session, "subvey/answers_common.json", "common")
        common = {"name": "하늘", "email": "sky@example.org", "age": 21, "like": 7}
        self.assertEqual(anybody.post("/api/answers/common", common).expect(200).json,
            json.loads(self.file("subvey/answers_common.json")))
        self.assertEqual(
            anybody.post("/api/answers/1",
                {"answers": {"type": ["beer"], "pairing": ["김"], "best": "맥주와 마른 안주"}}).json,
                         {"status": 200, "data": {"isSuccess": True, "nextTypeId": None}})
        self.assertEqual(anybody.post("/api/answers/common", {**common, "age": 18}).json["data"],
            {"isSuccess": False, "nextTypeId": None})
        # The answered sets are exported as before.
        for set, name in [("common", "question_common"), ("1", "question_1")]:
            path = f"/api/v1/sessions/{session['id']}/questions/export?set={set}&format=subvey"
            self.assertEqual(self.host.get(path).expect(200).json,
                json.loads(self.file(f"subvey/{name}.json")))
        self.assertEqual(self.results(session, "common")["responses"], 1)
        # The pattern that takes other engines exponential time.
        slow = anybody.post("/api/answers/common", {**common, "email": "a" * 5000}).expect(422).json
        self.assertEqual(slow["errors"][0]["message"], "이메일 주소 형식이 올바르지 않습니다.")

    def test_the_questionnaire_is_answered_by_attendees_and_exported(self):
        session = self.host.session(session={"questions": []})
        taken = self.take(session, "questionnaire/questionnaireA.json")
        self.assertEqual((taken["title"], len(taken["questions"])), ("NBA Questionnaire", 5))
        teams, years, positions, player, winner = [question["id"] for question in taken["questions"]]
        for number in range(3):
            receipt = check_in(self.host, session, f"Guest {number}",
                f"g{number}@example.org").expect(201).json["receipt"]
            answers = {teams: ["1"], years: number, positions: ["1", "5"], player: "Somebody", winner: ["30"]}
            self.host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": answers},
                token=receipt).expect(201)
        rows = list(
            csv.reader(io.StringIO(self.host.get(f"/api/v1/sessions/{session['id']}/results.csv").text)))
        self.assertEqual({tuple(row[1:2] + row[3:]) for row in rows[1:]},
                         {("Los Angeles Lakers", "Point guard; Center", "Somebody", "Washington Wizards")})
        file = self.host.get(f"/api/v1/sessions/{session['id']}/questions/export").expect(200).body
        self.assert_same_after_import(session, "feedback", file, "qring")


if __name__ == "__main__":
    unittest.main()
