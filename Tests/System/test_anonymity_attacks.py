"""Somebody who is host, watcher of every room and page, reader of the log and operator with the files at once
looks at everything after each step of a crowd, and learns no single person's answer.

The same attacks on a named set must succeed; otherwise these tests could not fail. The attacks on orders need
many crowds, and are in SQLiteJournalTests/AnonymityAttacks.
"""
import csv
import io
import json
import random
import re
import unittest

from api import API
from folder_attacks import MARKER, Folder, id_bytes
from host import Host, check_in
from room import Room
from server_process import Server, wait_until

PEOPLE = 16
QUESTIONS = [{"kind": "shortAnswer", "title": "Words", "name": "words", "required": True},
    {"kind": "rating", "title": "Stars", "name": "stars"}]
SETS = ("feedback", "vote")
PERSON = re.compile(r"of\.crowd")


class Crowd:
    """A session in which people join, answer two sets, and leave, while a host corrects and edits."""

    def __init__(self, test, server, anonymous):
        self.random = random.Random(20261120)
        self.server, self.host, self.anybody = server, Host(server), API(server)
        self.session = self.host.session(session={"questions": []})
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.ids = {}
        for name in SETS:
            asked = self.host.put(f"{self.path}/questions?set={name}",
                {"questions": QUESTIONS, "anonymous": anonymous}).expect(200).json["questions"]
            self.ids[name] = [question["id"] for question in asked]
            self.host.patch(f"{self.path}/sets/{name}", {"open": True, "shared": True}).expect(200)
        self.form = f"crowd-{self.session['joinCode'].lower()}"
        self.host.patch(f"{self.path}/sets/feedback", {"publishedAs": self.form}).expect(200)
        self.people, self.authors = [], {}
        self.last, self.small, self.vanished, self.joined = {}, [], [], []
        self.arrive()
        link = self.host.post(f"{self.path}/presenter-links").expect(201).json["token"]
        tokens = {"session": self.host.token, "presenter": link, "audience": self.people[0]["receipt"]}
        self.rooms = {kind: test.enterContext(Room(server, token, f"{kind}:{self.session['id']}"))
            for kind, token in tokens.items()}
        for room in self.rooms.values():
            room.snapshot

    # MARK: The steps

    def arrive(self):
        number = len(self.people)
        person = check_in(self.host, self.session, f"Person {number} of.crowd",
            f"p{number}@of.crowd.example").expect(201).json
        self.people.append({**person, "number": number, "here": True, "answered": set()})

    def answer(self, person, name):
        if name in person["answered"] or not person["here"]:
            return
        marker = f"answer-{len(self.authors):02}-of-nobody"
        words, stars = self.ids[name]
        answers = {words: marker}
        if self.random.random() < 0.5:
            answers[stars] = self.random.randint(1, 5)
        self.host.post(f"{self.path}/responses", {"set": name, "answers": answers},
            token=person["receipt"]).expect(201)
        person["answered"].add(name)
        self.authors[marker] = person["number"]
        self.look()

    def answer_form(self):
        marker = f"answer-{len(self.authors):02}-of-nobody"
        self.anybody.post(f"/api/answers/{self.form}", {"words": marker}).expect(200)
        self.authors[marker] = None
        self.look()

    def leave(self, person, way):
        """Takes a person away, and brings them back if the way can be undone."""
        id = person["attendee"]["id"]
        if way == "withdraw":
            self.host.delete("/api/v1/check-ins/current", token=person["receipt"]).expect(204)
        elif way == "merge":
            into = next(other for other in self.people if other["here"] and other is not person)
            self.host.post(f"/api/v1/attendees/{id}/merge", {"into": into["attendee"]["id"]}).expect(200)
        else:
            self.host.delete(f"/api/v1/attendees/{id}{'?erase=true' if way == 'erase' else ''}").expect(204)
        self.look(leaving=person)
        if way in ("withdraw", "erase"):
            person["here"] = False
            return
        sequence = self.host.all(f"{self.path}/journal", limit=200)[-1]["sequence"]
        self.host.post(f"{self.path}/undo", {"sequence": sequence}).expect(200)
        self.look(leaving=person)

    def edit(self, name, **settings):
        self.host.patch(f"{self.path}/sets/{name}", settings).expect(200)
        self.look()

    def run(self):
        for _ in range(PEOPLE - 1):
            self.arrive()
        # The first person watches the audience's room, and stays.
        for number, person in enumerate(self.random.sample(self.people[1:], PEOPLE - 1)):
            for name in self.random.sample(SETS, self.random.randint(1, 2)):
                self.answer(person, name)
            if number % 4 == 1:  # 1, 5, 9 and 13.
                self.leave(person, ("withdraw", "remove", "merge", "erase")[number // 4])
            if number == 6:
                self.edit("vote", open=False)
                self.edit("vote", open=True)
                self.edit("feedback", shared=False)
                self.answer_form()
                self.edit("feedback", shared=True)
            if number == 9:
                id = person["attendee"]["id"]
                self.host.patch(f"/api/v1/attendees/{id}", {"status": "late"}).expect(200)
                self.look()

    # MARK: The looks

    def look(self, leaving=None):
        for name in SETS:
            query, words = f"?set={name}", self.ids[name][0]
            results = self.host.get(f"{self.path}/results{query}").expect(200).json["tallies"]
            file = self.host.get(f"{self.path}/results.json{query}").expect(200).json["responses"]
            lines = list(csv.reader(io.StringIO(
                self.host.get(f"{self.path}/results.csv{query}").expect(200).text)))[1:]
            texts = [item["text"] for item in self.host.all(f"/api/v1/questions/{words}/answers", limit=100)]
            self.see("page", name, [len(texts)], set(texts), leaving)
            self.see("results", name, [tally["answers"] for tally in results], None, leaving)
            self.see("csv", name, [sum(bool(line[place]) for line in lines) for place in (-2, -1)],
                {line[-2] for line in lines}, leaving)
            self.see("json", name, [sum(id in row["answers"] for row in file) for id in self.ids[name]],
                {row["answers"].get(words) for row in file}, leaving)
            for record in [*map(json.dumps, file), *map(str, lines), *map(json.dumps, results)]:
                if "answer-" in record and (PERSON.search(record) or '"attendeeId": "' in record):
                    self.joined.append(record)

    def see(self, view, name, counts, texts, leaving):
        before, known = self.last.get((view, name), ([0] * len(counts), set()))
        self.last[view, name] = counts, texts or set()
        self.small += [(view, after - one) for one, after in zip(before, counts)
            if after != one and after < one + 3]
        gone = known - (texts or set())
        self.vanished += [(view, text) for text in gone
            if leaving and self.authors.get(text) == leaving["number"]]

    def small_in_rooms(self):
        """Returns the changes of fewer than three answers in the frames of each room."""
        found = []
        for kind, room in self.rooms.items():
            room.wait_until(lambda frames, kind=kind: all(
                self.shown(frames, id) == self.last["results", name][0][place]
                for name in SETS for place, id in enumerate(self.ids[name])))
            for id in sum(self.ids.values(), []):
                counts = [0] + [frame["tally"]["answers"] for frame in room.frames
                    if frame.get("tally", {}).get("questionId") == id]
                found += [(kind, after - one) for one, after in zip(counts, counts[1:])
                    if after != one and after < one + 3]
        return found

    @staticmethod
    def shown(frames, id):
        """Returns the count that the newest frame about a question shows."""
        return next((frame["tally"]["answers"] for frame in reversed(frames)
            if frame.get("tally", {}).get("questionId") == id), 0)

    def folder(self):
        people = [person for _, person in sorted((int(MARKER.match(marker.encode()).group(1)), number)
            for marker, number in self.authors.items() if number is not None)]
        known = [(id_bytes(self.people[number]["attendee"]["id"]), b"of.crowd", b"of.crowd.example")
            for number in people]
        return Folder(self.server.folder, known)


class AnonymityAttackTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def test_no_room_page_file_event_or_log_line_shows_whose_an_anonymous_answer_is(self):
        crowd = Crowd(self, self.server, anonymous=True)
        crowd.run()
        self.assertEqual((crowd.small, crowd.vanished, crowd.joined), ([], [], []))
        self.assertEqual(crowd.small_in_rooms(), [])
        # There was something to see.
        self.assertGreater(crowd.last["page", "feedback"][0][0], 5)
        for event in crowd.host.all(f"{crowd.path}/journal", limit=200):
            self.assertFalse("answer-" in json.dumps(event))
            if event["kind"] == "responded":
                self.assertIsNone(event.get("attendeeId"))
        for room in crowd.rooms.values():
            for frame in room.frames:
                tallies = json.dumps([frame.get("tally"), frame.get("snapshot", {}).get("tallies")])
                self.assertIsNone(PERSON.search(tallies))
        lines = list(self.server.log.lines)
        self.assertFalse([line for line in lines if MARKER.search(line.encode()) or PERSON.search(line)])
        answers = [line for line in lines if "/responses" in line or "/api/answers/" in line]
        self.assertGreaterEqual(len(answers), len(crowd.authors))
        self.assertFalse([line for line in answers if "127.0.0.1" in line])
        # The operator: after both sets are closed, no row, commit or byte of the log joins the two.
        before = crowd.folder()
        self.addCleanup(before.remove)
        self.assertIsNotNone(MARKER.search(dict(before.files())["journal.db-wal"]))
        for name in SETS:
            crowd.edit(name, open=False)
        # Withdrawals have begun a rewrite of the file, and the next one may begin after a restart.
        self.assertEqual(self.server.stop(), 0)
        self.server.start()
        wait_until(lambda: "qring_journal_rewrites_total 0" not in
            crowd.host.get("/metrics", token=None).expect(200).text)
        after = crowd.folder()
        self.addCleanup(after.remove)
        self.assertEqual((after.joined_in_rows(), after.joined_by_commits()), (0, 0))
        self.assertIsNone(MARKER.search(dict(after.files())["journal.db-wal"]))
        self.assertEqual((crowd.small, crowd.vanished, crowd.joined), ([], [], []))

    def test_questions_change_only_between_two_groups_of_answers(self):
        crowd = Crowd(self, self.server, anonymous=True)
        for _ in range(6):
            crowd.arrive()
        path = f"{crowd.path}/questions?set=vote"
        for number, person in enumerate(crowd.people[1:], 1):
            crowd.answer(person, "vote")
            asked = crowd.host.get(path).expect(200).json["questions"]
            added = [*asked, {"kind": "rating", "title": f"More {number}"}]
            hidden = [*asked[:-1], {**asked[-1], "hidden": True}]
            answer = crowd.host.put(path, {"questions": added if number % 2 else hidden})
            self.assertEqual((answer.status, answer.json.get("code")),
                (200, None) if number % 3 == 0 else (409, "answers_held_back"), (number, answer))
            # Texts can change at any time.
            asked = answer.json["questions"] if number % 3 == 0 else asked
            asked[0]["title"] = f"Words {number}"
            crowd.host.put(path, {"questions": asked}).expect(200)

    def test_the_same_attacks_find_the_answers_of_a_named_set(self):
        crowd = Crowd(self, self.server, anonymous=False)
        crowd.run()
        self.assertEqual({view for view, _ in crowd.small}, {"page", "results", "csv", "json"})
        self.assertEqual({kind for kind, _ in crowd.small_in_rooms()}, {"session", "presenter", "audience"})
        self.assertGreater(len(crowd.vanished), 3)
        self.assertGreater(len(crowd.joined), PEOPLE)


if __name__ == "__main__":
    unittest.main()
