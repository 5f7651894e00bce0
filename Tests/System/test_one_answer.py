"""A host looks at everything before and after one anonymous answer, and learns that there was one: not its
content, and not its question."""
import json
import re
import sqlite3
import unittest

from admin import Admin
from host import Host, check_in
from room import Room
from routes import ROUTES
from server_process import Server

QUESTIONS = [
    {"kind": "rating", "title": "Stars"},
    {"kind": "shortAnswer", "title": "Words"},
    {"kind": "multipleChoice", "title": "Which?",
        "choices": [{"label": "A"}, {"label": "Other", "other": True}]},
    {"kind": "number", "title": "Many?"},
]
PEOPLE = 5
ANSWERS = [[5, "the one", {"choices": ["b"], "other": "this"}, 77], [1, "unlike it", ["a"], 2],
    [None, None, None, 9], [None, "a word", None, None]]
# Values that show that somebody answered the set, and when. Times of tokens and counts of the log come from
# looking.
COUNTS = {"responses", "pending", "responseRate", "sequence"}
OF_LOOKING = {"serverTime", "asOf", "now", "exportedAt", "expiresAt", "expiresInMs", "lastUsedAt", "elapsed"}


def differences(before, after, path=""):
    """Returns the paths at which two JSON values differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [found for key in sorted(before.keys() | after.keys())
            for found in differences(before.get(key), after.get(key), f"{path}/{key}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [found for place,
            pair in enumerate(zip(before, after)) for found in differences(*pair, f"{path}/{place}")]
    return [] if before == after else [path]


class OneAnswerTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def planned(self, people=PEOPLE):
        meeting = self.host.meeting(session={"questions": []})
        path = f"/api/v1/sessions/{meeting['session']['id']}"
        asked = self.host.put(f"{path}/questions", {"questions": QUESTIONS}).expect(200).json["questions"]
        self.host.patch(f"{path}/sets/feedback", {"shared": True}).expect(200)
        came = [
            check_in(self.host, meeting["session"], f"P{number}", f"p{number}@example.org").expect(201).json
            for number in range(people)]
        return meeting, path, [question["id"] for question in asked], came

    def respond(self, path, ids, person, values):
        answers = {id: value for id, value in zip(ids, values) if value is not None}
        self.host.post(f"{path}/responses", {"answers": answers}, token=person["receipt"]).expect(201)

    def look(self, meeting, ids, person):
        """Returns every page and file of a meeting that the host can read, except images, with its
        validators."""
        of = {"meetings": meeting["meeting"]["id"], "sessions": meeting["session"]["id"],
            "attendees": person["attendee"]["id"]}
        seen = {}
        for route in ROUTES:
            kind = next(
                (name
                    for name in ("meetings", "sessions", "questions", "attendees")
                    if f"/api/v1/{name}/{{id}}" in route.pattern), None)
            # Nobody is on the roster, and nobody has a certificate.
            if (route.method != "GET" or not kind or route.access in ("attendee", "kiosk")
                    or re.search(r"\{(person|webhook|certificate)Id\}", route.pattern)
                    or route.pattern.endswith((".png", ".svg", ".txt", ".pdf", "/image"))):
                continue
            for id in ids if kind == "questions" else [of[kind]]:
                for query in ("", "?limit=1") if kind == "questions" else ("",):
                    if route.pattern.endswith("/door/people"):
                        query = "?q=P1"
                    path = route.pattern.replace("{id}", id).replace("{set}", "feedback") + query
                    found = self.host.get(path).expect(200)
                    tag = next(
                        (value for name, value in dict(found.headers).items() if name.lower() == "etag"),
                        None)
                    try:
                        body = found.json
                    except ValueError:
                        body = found.text
                    if path.endswith(".ics"):
                        body = re.sub("DTSTAMP:.*", "", body)
                    elif path.endswith("sheet.html"):
                        # The minute in which the sheet was made.
                        body = re.sub(r"As of [^.]*\.", "", body)
                    elif path.endswith("results.csv"):
                        body = sorted(body.splitlines())
                    elif path.endswith("results.json"):
                        body["responses"].sort(key=json.dumps)
                    seen[path] = {"body": body, "tag": tag}
        return seen

    def moved(self, before, after):
        """Returns the differences between two looks, and the journal's new line beside them."""
        events = [path for path in after if path.endswith("/journal")]
        new = [event for path in events
            for event in after[path]["body"]["items"][len(before[path]["body"]["items"]):]]
        for path in events:
            after[path]["body"]["items"] = after[path]["body"]["items"][:len(before[path]["body"]["items"])]
        found = [path for path in differences(before, after) if path.rsplit("/", 1)[1] not in OF_LOOKING]
        return found, new

    def test_one_anonymous_answer_changes_only_the_counts(self):
        told = set()
        for values in ANSWERS:
            meeting, path, ids, people = self.planned()
            room = self.enterContext(
                Room(self.server, self.host.token, f"session:{meeting['session']['id']}"))
            room.snapshot
            for person in people[:3]:
                self.respond(path, ids, person, [3, "words", ["a"], 4])
            room.wait_until(
                lambda frames: len({frame["tally"]["questionId"] for frame in frames if "tally" in frame})
                == len(QUESTIONS) and any(
                    one["responses"] == 3 for frame in frames for one in frame.get("sets", [])))
            count, before = len(room.frames), self.look(meeting, ids, people[3])
            self.respond(path, ids, people[3], values)
            after = self.look(meeting, ids, people[3])
            found, events = self.moved(before, after)
            self.assertEqual({place.rsplit("/", 1)[1] for place in found} - COUNTS, set(), found)
            self.assertTrue({"responses", "pending"} <= {place.rsplit("/", 1)[1] for place in found})
            self.assertEqual([(event["kind"], event.get("attendeeId"), event["data"]) for event in events],
                [("responded", None, {"set": "feedback"})])
            # The room's set equals its results, and the room sends no question before the next change.
            self.host.patch(f"{path}/sets/feedback", {"shared": False}).expect(200)
            frames = room.wait_until(
                lambda frames: frames[count:]
                if any(not one["shared"] for frame in frames[count:] for one in frame.get("sets", []))
                else None)
            self.assertFalse([frame for frame in frames if "tally" in frame])
            sets = [one for frame in frames for one in frame.get("sets", [])]
            self.assertEqual([(one["responses"], one["pending"]) for one in sets], [(4, 1)] * len(sets))
            told.add(re.sub(r"/[0-9A-Z]{26}\b", "/…", json.dumps(sorted(found))))
        # Four answers with nothing in common look the same.
        self.assertEqual(len(told), 1, told)

    def test_a_set_that_is_opened_again_shows_no_single_answer(self):
        server = self.enterContext(Server("--signup", "open"))
        self.server, self.host = server, Host(server)
        meeting, path, ids, people = self.planned(7)
        for person in people[:6]:
            self.respond(path, ids, person, [3, "words", ["a"], 4])
        server.kill()
        database = sqlite3.connect(server.database)
        for table in ("sessions", "members"):
            database.execute(
                f"UPDATE {table} SET starts_at = starts_at - 10800000, ends_at = ends_at - 10800000")
        database.execute("UPDATE sessions SET feedback_closes_hours_after = 0")
        database.commit()
        database.close()
        server.start()
        server.log.wait_for_match("has closed: its rows are shuffled")
        self.assertEqual(self.host.get(f"{path}/results").expect(200).json["pending"], 0)
        before = self.look(meeting, ids, people[6])
        self.host.patch(f"{path}/sets/feedback", {"open": True}).expect(200)
        self.respond(path, ids, people[6], ANSWERS[0])
        self.host.patch(f"{path}/sets/feedback", {"open": False}).expect(200)
        after = self.look(meeting, ids, people[6])
        results = [name for name in after if "/results" in name or "/answers" in name]
        found = differences({name: before[name] for name in results}, {name: after[name] for name in results})
        self.assertEqual({place.rsplit("/", 1)[1] for place in found} - OF_LOOKING,
            {"responses", "pending", "responseRate"}, found)
        self.assertEqual(Admin("verify", folder=server.folder).expect().answer["findings"], [])


if __name__ == "__main__":
    unittest.main()
