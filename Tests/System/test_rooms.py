"""A room, watched by an independent websocket client in its own process while a hall checks in and answers.
"""
import collections
import concurrent.futures
import json
import random
import sqlite3
import statistics
import threading
import unittest

from api import API
from host import Host, check_in
from room import Room
from server_process import Server

PEOPLE, REPEATS = 150, 50
LABELS = ["Talks", "Workshops", "Walks"]


class Hall:
    """Requests from many clients at once, each thread with its own connection."""

    def __init__(self, server, threads=40):
        self.server, self.threads = server, threads
        self.local = threading.local()

    def api(self):
        if not hasattr(self.local, "api"):
            self.local.api = API(self.server)
        return self.local.api

    def __call__(self, work, items):
        with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(lambda item: work(self.api(), item), items))


class RoomTests(unittest.TestCase):
    def test_a_hall_checks_in_and_answers_while_another_process_watches(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session(plannedCount=200)
        path = f"/api/v1/sessions/{session['id']}"
        room = self.enterContext(Room(server, host.token, f"session:{session['id']}"))

        with self.subTest("the snapshot is of an empty session"):
            self.assertFalse(room.joined["recovered"])
            self.assertEqual(room.snapshot["session"]["id"], session["id"])
            self.assertEqual(room.snapshot["session"]["checkInUrl"], session["checkInUrl"])
            self.assertEqual(room.snapshot["session"]["attendance"]["checkedIn"], 0)
            self.assertEqual(room.snapshot["arrivals"], [])
            self.assertEqual({tally["kind"] for tally in room.snapshot["tallies"]},
                {"multipleChoice", "shortAnswer", "rating"})

        hall = Hall(server)
        emails = [f"guest{number}@example.org" for number in range(PEOPLE)]
        visits = emails + emails[:REPEATS]
        random.shuffle(visits)
        answers = hall(lambda api, email: check_in(api, session, f"Guest {email}", email), visits)

        self.assertEqual(collections.Counter(answer.status for answer in answers),
            {201: PEOPLE, 200: REPEATS})
        made = [answer.json for answer in answers if answer.status == 201]
        room.wait_until(lambda frames: sum(len(frame.get("arrivals", [])) for frame in frames) >= PEOPLE)
        host.get(path).expect(200)
        arrivals = room.arrivals

        with self.subTest("every arrival once, in the journal's order"):
            events = host.all(f"{path}/journal", limit=70)
            self.assertEqual([event["sequence"] for event in events], list(range(1, len(events) + 1)))
            arrived = [event["attendeeId"] for event in events if event["kind"] == "checkedIn"]
            self.assertEqual([attendee["id"] for attendee in arrivals], arrived)
            self.assertEqual(len(set(arrived)), PEOPLE)
            self.assertEqual({attendee["email"] for attendee in arrivals}, set(emails))
            sequences = [frame["sequence"] for frame in room.frames if "arrivals" in frame]
            self.assertEqual(sequences, sorted(set(sequences)))
            self.assertTrue(all(len(frame.get("arrivals", [])) <= 50 for frame in room.frames))

        chosen = self.answer(hall, host, session, made)
        expected = recount(chosen)
        with self.subTest("the tallies that come equal a recount"):
            room.wait_until(lambda frames: newest_tallies(frames) == expected)
            self.assertEqual(tallies_by_kind(host.get(f"{path}/results").expect(200).json["tallies"]),
                expected)
        with self.subTest("sequences never go back"):
            sequences = [frame["sequence"] for frame in room.frames if frame.get("sequence") is not None]
            self.assertEqual(sequences, sorted(sequences))
        with self.subTest("the counts equal the rows, by the API"):
            attendance = host.get(path).json["attendance"]
            room.wait_until(lambda frames: newest(frames, "attendance") == attendance)
            listed = host.all(f"{path}/attendees", limit=40)
            self.assertEqual(sorted(person["email"] for person in listed), sorted(emails))
            self.assertEqual(len({person["id"] for person in listed}), PEOPLE)
            self.assertEqual(attendance["checkedIn"], PEOPLE)
            self.assertEqual(attendance["checkedIn"], attendance["present"] + attendance["late"])
            self.assertEqual(attendance["awaited"], 200 - PEOPLE)
            self.assertEqual(collections.Counter(person["status"] for person in listed)["present"],
                attendance["present"])
        with self.subTest("the counts equal the rows, in the file"):
            self.assertEqual(server.stop(), 0)
            self.assertEqual(room.close_code, 1001)
            with sqlite3.connect(f"file:{server.database}?mode=ro", uri=True) as database:
                people = database.execute("SELECT count(*), count(DISTINCT key) FROM attendees").fetchone()
                kept = database.execute("SELECT present + late FROM sessions").fetchone()
                stored = [json.loads(row[0]) for row in database.execute("SELECT answers FROM responses")]
            database.close()
            self.assertEqual(people, (PEOPLE, PEOPLE))
            self.assertEqual(kept, (PEOPLE,))
            self.assertEqual(len(stored), PEOPLE)

    def answer(self, hall, host, session, made):
        """All attendees answer all three kinds at once; returns their choices."""
        questions = host.questions(session)

        def respond(api, body):
            picked = random.sample("abc", random.randint(1, 2))
            stars = random.randint(1, 5)
            text = f"missed {body['attendee']['id']}"
            answers = {questions["multipleChoice"]: picked, questions["shortAnswer"]: text,
                questions["rating"]: stars}
            api.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": answers},
                token=body["receipt"]).expect(201)
            again = api.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": answers},
                token=body["receipt"])
            assert (again.status, again.code) == (409, "already_responded"), again
            return picked, stars, text

        return hall(respond, made)


def newest(frames, name):
    return next((frame[name] for frame in reversed(frames) if name in frame), None)


def newest_tallies(frames):
    latest = {}
    for frame in frames:
        if "tally" in frame:
            latest[frame["tally"]["questionId"]] = frame["tally"]
    return tallies_by_kind(latest.values())


def tallies_by_kind(tallies):
    """Returns the part of the tallies that can be recounted: the server chooses which seven texts are shown.
    """
    found = {}
    for tally in tallies:
        if "hidden" in tally:
            found[tally["kind"]] = "hidden"
        elif tally["kind"] == "multipleChoice":
            found["multipleChoice"] = (tally["answers"],
                {choice["label"]: choice["count"] for choice in tally["choices"]})
        elif tally["kind"] == "rating":
            found["rating"] = (tally["answers"], tally["counts"], tally["average"])
        else:
            found["shortAnswer"] = (tally["answers"], len(tally["latest"]))
    return found


def recount(chosen):
    picks = collections.Counter(LABELS["abc".index(choice)] for picked, _, _ in chosen for choice in picked)
    stars = [stars for _, stars, _ in chosen]
    return {
        "multipleChoice": (len(chosen), {label: picks[label] for label in LABELS}),
        "rating": (len(chosen), [stars.count(count) for count in range(1, 6)],
            round(statistics.fmean(stars) + 1e-9, 2)),
        "shortAnswer": (len(chosen), 7),
    }


if __name__ == "__main__":
    unittest.main()
