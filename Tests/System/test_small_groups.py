"""In an anonymous set, nobody sees the answers to a question before three people have answered it, whatever
the other questions have."""
import csv
import io
import unittest

from admin import Admin
from host import Host, check_in
from room import Room
from server_process import Server

QUESTIONS = [
    {"kind": "rating", "title": "All", "required": True},
    {"kind": "rating", "title": "Some"},
    {"kind": "shortAnswer", "title": "Words"},
    {"kind": "multipleChoice", "title": "Which?",
        "choices": [{"label": "A"}, {"label": "Other", "other": True}]},
    {"kind": "number", "title": "Many?"},
]
HIDDEN = {"reason": "too_few_responses", "minimum": 3}
FIGURES = ["counts", "average", "choices", "latest", "equalTexts", "histogram", "min", "max", "median",
    "quartiles", "precision"]


class SmallGroupTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def asked(self, **settings):
        session = self.host.session(session={"questions": []})
        path = f"/api/v1/sessions/{session['id']}"
        found = self.host.put(f"{path}/questions",
            {"questions": QUESTIONS, **settings}).expect(200).json["questions"]
        return session, path, [question["id"] for question in found]

    def respond(self, session, number, answers):
        receipt = check_in(self.host, session, f"P{number}",
            f"p{number}@example.org").expect(201).json["receipt"]
        self.host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": answers},
            token=receipt).expect(201)

    def tallies(self, path):
        return self.host.get(f"{path}/results").expect(200).json["tallies"]

    def seen(self, path, ids):
        """Returns everything that a host can see, except the count of responses."""
        pages = [self.host.get(f"/api/v1/questions/{id}/answers").expect(200).json["items"]
            for id in (ids[2], ids[3])]
        rows = list(csv.reader(io.StringIO(self.host.get(f"{path}/results.csv").expect(200).text)))[1:]
        told = self.host.get(f"{path}/results.json").expect(200).json
        tallies = self.tallies(path)
        # Files list equal texts apart from the tallies.
        self.assertEqual(told["results"]["tallies"], [
            {name: value for name, value in tally.items() if name != "equalTexts"} for tally in tallies])
        cells = [sorted(row[place] for row in rows if row[place]) for place in range(1, 6)]
        values = [sorted(str(row["answers"][id]) for row in told["responses"] if id in row["answers"])
            for id in ids]
        return tallies, [sorted(item["text"] for item in page) for page in pages], cells, values

    def test_a_question_with_one_or_two_answers_is_hidden_everywhere(self):
        session, path, ids = self.asked()
        rare = {ids[1]: 1, ids[2]: "nobody is to know", ids[3]: {"choices": ["b"], "other": "nor this"},
            ids[4]: 41}
        for number in range(9):
            self.respond(session, number, {ids[0]: 4, **(rare if number in (1, 7) else {})})
        tallies, pages, cells, values = self.seen(path, ids)
        self.assertEqual((tallies[0]["answers"], tallies[0]["counts"]), (9, [0, 0, 0, 9, 0]))
        for tally in tallies[1:]:
            self.assertEqual((tally["answers"], tally["hidden"]), (0, HIDDEN))
            self.assertFalse([name for name in FIGURES if name in tally])
        self.assertEqual(pages, [[], []])
        self.assertEqual(cells, [["4"] * 9, [], [], [], []])
        self.assertEqual(values, [["4"] * 9, [], [], [], []])
        # The third answer makes all three visible.
        self.respond(session, 9, {ids[0]: 4, **rare})
        self.respond(session, 10, {ids[0]: 4})
        self.respond(session, 11, {ids[0]: 4})
        tallies, pages, cells, values = self.seen(path, ids)
        self.assertEqual([tally["answers"] for tally in tallies], [12, 3, 3, 3, 3])
        self.assertEqual(pages, [["nobody is to know"] * 3, ["nor this"] * 3])
        self.assertEqual([len(cell) for cell in cells], [12, 3, 3, 3, 3])
        self.assertEqual([len(value) for value in values], [12, 3, 3, 3, 3])
        self.assertEqual(Admin("verify", folder=self.server.folder).expect().answer["findings"], [])

    def test_each_question_moves_in_steps_of_three_answers_everywhere(self):
        session, path, ids = self.asked()
        self.host.patch(f"{path}/sets/feedback", {"shared": True}).expect(200)
        room = self.enterContext(Room(self.server, self.host.token, f"session:{session['id']}"))
        room.snapshot
        looks = []
        for number in range(30):
            answers = {ids[0]: 1 + number % 5}
            if number % 2:
                answers |= {ids[1]: 1 + number % 5, ids[2]: f"text {number}"}
            if number % 7 == 1:
                answers |= {ids[3]: ["a"], ids[4]: number}
            self.respond(session, number, answers)
            looks.append(self.seen(path, ids))
        for before, after in zip(looks, looks[1:]):
            for place in range(5):
                moved = after[0][place]["answers"] - before[0][place]["answers"]
                self.assertTrue(moved == 0 or moved >= 3, (place, moved))
                self.assertEqual(before[0][place] == after[0][place], moved == 0)
                # Files always have as many answers as the tally.
                self.assertEqual(len(after[2][place]), after[0][place]["answers"])
                self.assertEqual(len(after[3][place]), after[0][place]["answers"])
            self.assertEqual(len(after[1][0]), after[0][2]["answers"])
        self.assertEqual([tally["answers"] for tally in looks[-1][0]], [30, 15, 15, 3, 3])
        expected = {tally["questionId"]: tally for tally in looks[-1][0]}
        room.wait_until(
            lambda frames: {frame["tally"]["questionId"]: frame["tally"]
                for frame in frames if "tally" in frame} == expected)
        for id in ids:
            told = [0] + [frame["tally"]["answers"]
                for frame in room.frames if frame.get("tally", {}).get("questionId") == id]
            self.assertTrue(
                all(after == before or after >= before + 3 for before, after in zip(told, told[1:])), told)
        self.assertEqual(Admin("verify", folder=self.server.folder).expect().answer["findings"], [])

    def test_named_answers_are_shown_from_the_first(self):
        session, path, ids = self.asked(anonymous=False)
        self.respond(session, 1, {ids[0]: 4, ids[1]: 2})
        self.assertEqual([tally["answers"] for tally in self.tallies(path)], [1, 1, 0, 0, 0])
        self.assertFalse([tally for tally in self.tallies(path) if "hidden" in tally])


if __name__ == "__main__":
    unittest.main()
