"""Questions, answers and results from the command line."""
import json
import os
import re
import unittest

from host import Host, check_in
from server_process import QRING, Server
from test_command_line import Terminal
from test_published_forms import FORM
from terminal import Window

EVERYTHING = [
    {"kind": "rating", "title": "Stars", "scale": 7, "rules": [{"type": "minMax", "target": [2, 6]}]},
    {"kind": "number", "name": "age", "title": "Age", "required": True, "min": 0, "max": 120,
        "eligibility": [{"type": "minMax", "target": [19, None]}]},
    {"kind": "multipleChoice", "title": "Tea",
        "choices": [{"label": "Green"}, {"label": "Black"}, {"label": "Other", "other": True}],
     "maxSelections": 3, "rules": [{"type": "minMaxLength", "target": [2, None]}]},
    {"kind": "shortAnswer", "name": "mail", "title": "Address", "required": True,
        "rules": [{"type": "pattern", "target": "^[a-z0-9]+@[a-z.]+$"}]},
    {"kind": "shortAnswer", "title": "Again", "required": True,
        "rules": [{"type": "sameAs", "question": "mail"}]},
    {"kind": "shortAnswer", "title": "Plate", "required": True,
        "rules": [{"type": "pattern", "target": "^[A-Z]{2}-[0-9]{4}$"}]},
    {"kind": "shortAnswer", "title": "Impossible", "rules": [{"type": "pattern", "target": "^ZZZ$"}]},
]


class QuestionCommandTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.session = self.host.session(session={"questions": []})
        self.terminal = Terminal(self, self.server.url)
        self.terminal.environment["QRING_TOKEN"] = self.host.token
        self.id = self.session["id"]

    def run_(self, *words, code=0):
        ran = self.terminal.run(*words)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran

    def file(self, content, name="file.json"):
        path = os.path.join(self.terminal.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str)
                else json.dumps(content, ensure_ascii=False, indent=1))
        return path

    def test_files_are_imported_listed_exported_and_copied(self):
        self.assertIn("5 questions",
            self.run_("question", "import", self.id, self.file(FORM), "--set", "exit", "--language",
                "ko").stderr)
        shown = self.run_("question", "list", self.id, "--set", "exit").stdout
        self.assertIn("1. 별명은? [text, at most 5000 characters] (required)", shown)
        self.assertIn("   ! 두 글자 이상.", shown)
        out = os.path.join(self.terminal.folder, "out.json")
        self.run_("question", "export", self.id, "--set", "exit", "--format", "subvey", "--language", "ko",
            "--output", out)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(json.load(file), FORM)
        ours = self.run_("question", "export", self.id, "--set", "exit").stdout
        self.run_("question", "import", self.id, self.file(ours), "--set", "again")
        other = self.host.session(session={"questions": []})["id"]
        self.run_("question", "copy", self.id, other, "--set", "exit", "--as", "vote")
        self.run_("question", "edit", other, "--set", "vote", "--open", "yes", "--share", "yes", "--publish",
            "from-shell")
        listed = json.loads(self.run_("question", "sets", other, "--json").stdout)["items"]
        vote = next(item for item in listed if item["set"] == "vote")
        self.assertEqual((vote["open"], vote["shared"], vote["publishedAs"], vote["questions"]),
            (True, True, "from-shell", 5))
        self.assertIn("from-shell", self.run_("question", "sets", other).stdout)
        self.run_("question", "edit", other, "--set", "vote", code=1)
        once = self.run_("question", "edit", other, "--set", "vote", "--once-per-device", "yes")
        self.assertIn("A private window, deleted cookies or another device",
            " ".join((once.stdout + once.stderr).split()))
        refused = self.run_("question", "list", other, "--set", "My vote", code=1)
        self.assertIn("1 to 40 characters of a–z, 0–9 and -", " ".join(refused.stderr.split()))

    def test_errors_of_an_import_are_shown_with_their_lines(self):
        broken = json.dumps(FORM, ensure_ascii=False, indent=1).replace('"type": "checkbox"',
            '"type": "slider"')
        ran = self.run_("question", "import", self.id, self.file(broken), code=1)
        line = broken[:broken.index("slider")].count("\n") + 1
        self.assertIn(f"line {line}, data, forms, entry 5, type:", ran.stderr)
        self.assertIn("private address",
            " ".join(
                self.run_("question", "import", self.id, f"{self.server.url}/healthz",
                    code=1).stderr.split()))

    def test_question_edit_reads_a_file_with_rules_and_languages(self):
        question = {"kind": "rating", "titles": {"ko": "어땠나요?", "en": "How?"},
            "rules": [{"type": "minMax", "target": [2, None]}]}
        self.run_("question", "set", self.id, self.file([question]))
        shown = self.host.get(f"/api/v1/sessions/{self.id}/questions").json["questions"][0]
        self.assertEqual((shown["titles"], shown["rules"]), (question["titles"], question["rules"]))
        self.run_("question", "set", self.id, self.file({"questions": [question]}), "--set", "poll")
        self.run_("question", "set", self.id, self.file([{**question, "kind": "x"}]), code=1)

    def test_simulated_attendees_answer_every_kind_within_the_rules(self):
        self.run_("question", "set", self.id, self.file(EVERYTHING))
        ran = self.run_("simulate", self.id, "--attendees", "30", "--over", "200ms", "--seed", "7", "--json")
        report = json.loads(ran.stdout)
        self.assertEqual((report["checkedIn"], report["failures"], report["leftOut"]),
            (30, 0, ["Impossible"]))
        self.assertGreater(report["responses"], 15)
        self.assertIn("Impossible", ran.stderr)
        results = self.host.get(f"/api/v1/sessions/{self.id}/results").json
        self.assertEqual(results["responses"], report["responses"])
        tallies = {tally["title"]: tally for tally in results["tallies"]}
        self.assertEqual(
            (tallies["Stars"]["counts"][0], tallies["Stars"]["counts"][6], tallies["Impossible"]["answers"]),
            (0, 0, 0))
        self.assertGreaterEqual(tallies["Age"]["min"], 19)
        self.assertTrue(tallies["Address"]["latest"] and tallies["Plate"]["latest"]
            and tallies["Tea"]["choices"][0]["count"])
        shown = self.run_("results", self.id).stdout
        self.assertRegex(shown, r"average \S+, median \S+, standard deviation \S+,.* quartiles \S+ and \S+")
        path = os.path.join(self.terminal.folder, "results.csv")
        self.run_("results", self.id, "--csv", path)
        with open(path, encoding="utf-8") as file:
            self.assertTrue(file.readline().startswith("Hour,Stars,Age,Tea,Address,Again,Plate,Impossible"))
        self.run_("results", self.id, "--output", path, "--headings", "keys")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.readline().strip().split(","),
                ["at", *(tally["questionId"] for tally in results["tallies"])])
        self.run_("results", self.id, "--csv", path, "--follow", code=2)

    def test_respond_shows_rules_asks_again_and_continues_with_the_next_set(self):
        self.run_("question", "set", self.id, self.file({"next": "more", "questions": [
            {"kind": "shortAnswer", "title": "Nick", "required": True,
                "rules": [{"type": "minMaxLength", "target": [2, None], "message": "Two or more"}]},
            {"kind": "shortAnswer", "title": "Plate",
                "rules": [{"type": "pattern", "target": "^[A-Z]+$", "message": "Capitals"}]},
            {"kind": "multipleChoice", "title": "Tea",
                "choices": [{"label": "Green"}, {"label": "Else", "other": True}]}]}))
        self.run_("question", "set", self.id, self.file([{"kind": "rating", "title": "Stars"}]), "--set",
            "more")
        receipt = self.file(
            check_in(self.host, self.session, "Kim", "kim@example.org").expect(201).json["receipt"],
            "receipt")
        with Window([QRING, "respond", "--receipt-file", receipt], self.terminal.environment) as window:
            window.wait_for_line(r"! Two or more")
            for typed, said in [("a", r"^  Two or more$"), ("ab", "2/3 Plate"), ("abc", "3/3 Tea"),
                    ("b", "Please specify"), ("barley", "Plate: Capitals"),
                                ("ABC", "The form continues: more")]:
                window.type(typed)
                window.press("Enter")
                window.wait_for_line(said)
            window.type("5")
            window.press("Enter")
            # The command has ended with its screen, so the server confirms the answers.
            taken = rf"{self.id}/responses.* 201\b"
            self.server.log.wait_for(lambda lines: sum(bool(re.search(taken, line)) for line in lines) == 2)
        answers = [self.host.get(f"/api/v1/sessions/{self.id}/results?set={set}").json["responses"]
            for set in ["feedback", "more"]]
        self.assertEqual(answers, [1, 1])


if __name__ == "__main__":
    unittest.main()
