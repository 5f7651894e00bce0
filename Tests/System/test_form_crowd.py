"""A thousand people answer ten questions at once: counts equal the rows, repeats change nothing, and watchers
see what the results say. A watcher learns nothing of one anonymous answer."""
import collections
import json
import random
import statistics
import unittest

import pytest

from admin import Admin, rows
from host import Host, check_in
from room import Room
from server_process import Server
from test_rooms import Hall

PEOPLE = 1000
CHOICES = [{"label": label} for label in "ABCD"]
QUESTIONS = [
    {"kind": "rating", "title": "1", "required": True},
    {"kind": "rating", "title": "2", "scale": 10},
    {"kind": "multipleChoice", "title": "3", "choices": CHOICES},
    {"kind": "multipleChoice", "title": "4", "choices": CHOICES, "maxSelections": 4},
    {"kind": "multipleChoice", "title": "5", "choices": CHOICES + [{"label": "Other", "other": True}]},
    {"kind": "number", "title": "6", "min": 0, "max": 120},
    {"kind": "number", "title": "7", "decimals": 2},
    {"kind": "number", "title": "8", "min": -1000, "max": 1000},
    {"kind": "shortAnswer", "title": "9"},
    {"kind": "shortAnswer", "title": "10", "rules": [{"type": "minMaxLength", "target": [2, None]}]},
]


def chosen(random):
    """Returns one person's ten answers in the order of the questions, None if one is skipped."""
    return [
        random.randint(1, 5), random.choice([None, random.randint(1, 10)]), [random.choice("abcd")],
        sorted(random.sample("abcd", random.randint(1, 4))),
        random.choice([["a"], ["b", ], {"choices": ["e"], "other": f"tea {random.randint(1, 9)}"}]),
        min(120, max(0, round(random.gauss(35, 12)))), round(random.uniform(-500, 500), 2),
        random.randint(-1000, 1000),
        random.choice([None, "좋았어요 👍", "fine"]), random.choice(["ok", "가나", None]),
    ]


def recount(question, values):
    """Returns the results of these answers, as far as they can be computed exactly."""
    kind, found = question["kind"], {"answers": len(values)}
    if kind == "multipleChoice":
        picked = collections.Counter(choice for value in values
            for choice in (value["choices"] if isinstance(value, dict) else value))
        found["choices"] = {choice["id"]: picked[choice["id"]] for choice in question["choices"]}
    elif kind == "rating":
        found["counts"] = [values.count(stars) for stars in range(1, question["scale"] + 1)]
    elif kind == "number":
        found |= {"min": min(values), "max": max(values), "sum": round(sum(values), 2),
            "histogram": len(values)}
    return found


def told(tally):
    """Returns the same part of the server's results."""
    found = {"answers": tally["answers"]}
    if "choices" in tally:
        found["choices"] = {choice["id"]: choice["count"] for choice in tally["choices"]}
    elif "counts" in tally:
        found["counts"] = tally["counts"]
    elif tally["kind"] == "number":
        found |= {"min": tally["min"], "max": tally["max"],
            "histogram": sum(bar["count"] for bar in tally["histogram"])}
        found["sum"] = round(tally["average"] * tally["answers"], 2)
    return found


def text_of(id):
    """Returns an id's 16 bytes as the API writes them."""
    number = int.from_bytes(id, "big")
    return "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[number >> 5 * place & 31]
        for place in reversed(range(26)))


class CrowdTests(unittest.TestCase):
    @pytest.mark.alone("takes all of the processor")
    def test_a_thousand_people_answer_ten_questions_at_once(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session(session={"questions": QUESTIONS})
        path = f"/api/v1/sessions/{session['id']}"
        questions = host.get(f"{path}/questions").expect(200).json["questions"]
        hall = Hall(server)
        receipts = hall(lambda api,
            number: check_in(api, session, f"P{number}",
                f"p{number}@example.org").expect(201).json["receipt"], range(PEOPLE))
        room = self.enterContext(Room(server, host.token, f"session:{session['id']}"))
        room.snapshot

        generator = random.Random(11)
        given = [dict(zip([question["id"] for question in questions], chosen(generator)))
            for _ in range(PEOPLE)]

        def answer(api, person):
            receipt, values = person
            body = {"answers": {question: value for question, value in values.items() if value is not None}}
            first = api.post(f"{path}/responses", body, token=receipt).expect(201)
            again = api.post(f"{path}/responses", body, token=receipt)
            assert (again.status, again.code) == (409, "already_responded"), again
            return first.json

        self.assertEqual(len(hall(answer, list(zip(receipts, given)))), PEOPLE)
        results = host.get(f"{path}/results").expect(200).json
        self.assertEqual((results["responses"], results["responseRate"]), (PEOPLE, 1))

        with self.subTest("tallies equal a recount from the rows"):
            stored = [(text_of(id), json.loads(answers)) for id,
                answers in rows(server.folder, "SELECT id, answers FROM responses WHERE published = 1")]
            self.assertEqual(len(stored), PEOPLE // 3 * 3)
            # The last one or two answers to an anonymous question wait for a third.
            waiting = {json.loads(body)["id"]: json.loads(ids) for body, ids in rows(
                server.folder,
                "SELECT q.body, t.waiting FROM tallies t JOIN questions q ON q.id = t.question")}
            self.assertTrue(all(len(ids) < 3 for ids in waiting.values()))
            for question, tally in zip(questions, results["tallies"]):
                values = [answers[question["id"]] for id,
                    answers in stored if question["id"] in answers and id not in waiting[question["id"]]]
                expected, found = recount(question, values), told(tally)
                if "sum" in expected:
                    # An average has two digits more than the answers.
                    step = 0.5 * 10 ** -(question["decimals"] + 2)
                    self.assertAlmostEqual(tally["average"], expected["sum"] / len(values), delta=step * 1.01)
                    off = tally.get("precision", 0)
                    self.assertAlmostEqual(tally["median"], statistics.median(values), delta=off + step)
                    expected.pop("sum"), found.pop("sum")
                self.assertEqual(found, expected, question["title"])
        with self.subTest("everything that was given is stored, once"):
            stored = [json.loads(row[0]) for row in rows(server.folder, "SELECT answers FROM responses")]
            wanted = [{question: value for question, value in values.items() if value is not None}
                for values in given]
            self.assertEqual(sorted(map(canonical, stored)), sorted(map(canonical, wanted)))
        with self.subTest("a watcher's last frames equal the results"):
            # Frames have no equal texts.
            expected = {tally["questionId"]: {
                name: value for name, value in tally.items() if name != "equalTexts"}
                for tally in results["tallies"]}
            room.wait_until(lambda frames: newest(frames) == expected)
        with self.subTest("verify recounts them too"):
            self.assertEqual(Admin("verify", folder=server.folder).expect().answer["findings"], [])
        with self.subTest("and would see one that is wrong"):
            self.assertEqual(server.stop(), 0)
            question = questions[6]["id"]
            rows(server.folder, """UPDATE tallies
                 SET published =
                 json_set(published, '$.numbers.sum', json_extract(published, '$.numbers.sum') + 1)
                 WHERE json_extract(published, '$.numbers.sum') IS NOT NULL AND question =
                 (SELECT id FROM questions WHERE json_extract(body, '$.id') = ?)""", question)
            findings = Admin("verify", folder=server.folder).answer["findings"]
            self.assertEqual(len(findings), 1)

    def test_watching_one_anonymous_answer_does_not_reveal_it(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session(session={"questions": QUESTIONS})
        path = f"/api/v1/sessions/{session['id']}"
        for name, fields in [("poll", {"open": True, "shared": True}), ("feedback", {"shared": True})]:
            if name == "poll":
                host.put(f"{path}/questions?set=poll", {"questions": QUESTIONS}).expect(200)
            host.patch(f"{path}/sets/{name}", fields).expect(200)
        generator = random.Random(5)
        people = [check_in(host, session, f"P{number}", f"p{number}@example.org").expect(201).json["receipt"]
            for number in range(8)]
        member = self.enterContext(Room(server, host.token, f"session:{session['id']}"))
        audience = self.enterContext(Room(server, people[0], f"audience:{session['id']}"))
        for room in (member, audience):
            room.snapshot
        for name in ["poll", "feedback"]:
            questions = host.get(f"{path}/questions?set={name}").json["questions"]
            texts = [question["id"] for question in questions if question["kind"] == "shortAnswer"]

            def seen():
                pages = [host.get(f"/api/v1/questions/{text}/answers").expect(200).json for text in texts]
                return [tally for tally in host.get(f"{path}/results?set={name}").json["tallies"]], pages

            before = seen()
            self.assertEqual({tally["hidden"]["reason"] for tally in before[0]}, {"too_few_responses"})
            for number, receipt in enumerate(people):
                values = dict(zip([question["id"] for question in questions], chosen(generator)))
                answers = {question: value for question, value in values.items() if value is not None}
                host.post(f"{path}/responses", {"set": name, "answers": answers}, token=receipt).expect(201)
                now = seen()
                with self.subTest(name, number=number):
                    if (number + 1) % 3:
                        self.assertEqual(now, before)
                    else:
                        self.assertNotEqual(now, before)
                before = now
        # The host gets the count of responses at once, and tallies only by whole groups, in every room.
        member.wait_until(
            lambda frames: any(frame.get("feedback", {}).get("responses") == 8 for frame in frames))
        ratings = {tally["questionId"]
            for tally in host.get(f"{path}/results").json["tallies"] if tally["title"] == "1"}
        for room in (member, audience):
            room.wait_until(
                lambda frames: any(frame.get("tally", {}).get("answers") == 6 for frame in frames))
            answered = {frame["tally"]["answers"]
                for frame in room.frames if frame.get("tally", {}).get("questionId") in ratings}
            self.assertLessEqual(answered, {0, 3, 6})


def newest(frames):
    latest = {}
    for frame in frames:
        if "tally" in frame:
            latest[frame["tally"]["questionId"]] = frame["tally"]
    return latest


def canonical(answers):
    """As text, because JSON does not distinguish a whole number from one with a fraction of zero."""
    return json.dumps(
        {key: int(value) if isinstance(value, float) and value.is_integer() else value for key,
            value in answers.items()},
                      sort_keys=True)


if __name__ == "__main__":
    unittest.main()
