"""After feedback has closed, nobody can link an anonymous answer to a person from the data folder: by no key,
order, time or neighbourhood.

Sixty people check in in one order and answer one after the other in another. The attacker knows both orders
and has the files. The same attacks on a copy of the folder from before the close must succeed; otherwise this
test could not fail.
"""
import os
import random
import shutil
import sqlite3
import tempfile
import unittest

from data_folder import without_sockets
from folder_attacks import MARKER, Folder, correlation, id_bytes, neighbours
from host import Host, check_in
from server_process import DEADLINE, Server

PEOPLE = 60
HOUR = 3_600_000


class AnonymityTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        host = Host(cls.server)
        session = host.session()
        path = f"/api/v1/sessions/{session['id']}"
        question = host.questions(session)["shortAnswer"]
        rating = host.questions(session)["rating"]
        people = [
            check_in(host, session, f"Person {number} of sixty",
                f"person{number}.of.sixty@example.org").expect(201).json
            for number in range(PEOPLE)
        ]
        random.Random(7).shuffle(people)
        for rank, person in enumerate(people):
            answers = {question: f"answer-{rank:02}-of-nobody", rating: 1 + rank % 5}
            host.post(f"{path}/responses", {"answers": answers}, token=person["receipt"]).expect(201)
        known = [
            (id_bytes(person["attendee"]["id"]), person["attendee"]["name"].encode(),
                person["attendee"]["email"].encode()) for person in people
        ]
        cls.open = cls.taken(known)
        closed = host.patch(f"{path}/sets/feedback", {"open": False}).expect(200).json
        assert closed["open"] is False
        cls.server.log.wait_for_match("has closed: its rows are shuffled")
        cls.live = cls.taken(known)
        cls.answers = [item["text"] for item in host.all(f"/api/v1/questions/{question}/answers", limit=25)]
        cls.latest = next(tally
            for tally in host.get(f"{path}/results").json["tallies"]
            if tally["kind"] == "shortAnswer")["latest"]
        cls.events = host.all(f"{path}/journal", limit=200)
        assert cls.server.stop() == 0
        cls.stopped = cls.taken(known)
        cls.server.log.thread.join(DEADLINE)
        cls.log = list(cls.server.log.lines)
        cls.closed = {"while it runs": cls.live, "after it stopped": cls.stopped}

    @classmethod
    def taken(cls, people):
        """Returns a copy of the folder as it is now. Nothing is written meanwhile, because every request has
        been answered."""
        place = tempfile.mkdtemp(prefix="qring-test-")
        cls.addClassCleanup(shutil.rmtree, place)
        shutil.copytree(cls.server.folder, place, dirs_exist_ok=True, ignore=without_sockets)
        folder = Folder(place, people)
        cls.addClassCleanup(folder.remove)
        return folder

    def test_the_attacks_succeed_before_feedback_has_closed(self):
        self.assertEqual(self.open.joined_in_rows(), 0)
        self.assertGreater(self.open.joined_by_commits(), PEOPLE * 3 // 4)
        strongest = max(neighbours(order) for _, order in self.open.orders_of_answers() if order)
        self.assertGreater(strongest, PEOPLE // 2)
        self.assertGreater(max(neighbours(order) for _, order in self.open.orders_of_people()), PEOPLE // 4)

    def test_no_row_holds_both_an_answer_and_a_person(self):
        for when, folder in self.closed.items():
            with self.subTest(when):
                self.assertEqual(folder.joined_in_rows(), 0)
                self.assertEqual(folder.query("SELECT count(*) FROM responses WHERE attendee IS NOT NULL"),
                    [(0,)])
                self.assertEqual(folder.query("SELECT count(*), count(DISTINCT id) FROM responses"),
                    [(PEOPLE, PEOPLE)])

    def test_the_search_finds_a_row_with_both(self):
        folder = Folder(self.stopped.path, self.stopped.people)
        self.addCleanup(folder.remove)
        database = sqlite3.connect(os.path.join(folder.copy, "journal.db"))
        for rank, person in enumerate(folder.people):
            database.execute("UPDATE responses SET attendee = ? WHERE answers LIKE ?",
                (person[0], f"%answer-{rank:02}-of-nobody%"))
        database.commit()
        database.close()
        self.assertEqual(folder.joined_in_rows(), PEOPLE)

    def test_no_commit_in_the_log_joins_an_answer_to_a_person(self):
        for when, folder in self.closed.items():
            with self.subTest(when):
                self.assertEqual(folder.joined_by_commits(), 0)
                log = dict(folder.files()).get("journal.db-wal", b"")
                self.assertIsNone(MARKER.search(log))

    def test_the_order_of_rows_is_not_the_order_of_answering(self):
        for when, folder in self.closed.items():
            for what, order in [*folder.orders_of_answers(), *folder.orders_of_people()]:
                with self.subTest(when, order=what):
                    if what in ("bytes of journal.db", "responses as they are read",
                            "answered as they are read"):
                        self.assertEqual(sorted(order), list(range(PEOPLE)))
                    self.assertLess(neighbours(order), 13)
                    if len(order) == PEOPLE:
                        # Five deviations: less than once in a million by chance.
                        self.assertLess(abs(correlation(order)), 0.65)

    def test_no_row_holds_the_time_of_an_answer(self):
        for when, folder in self.closed.items():
            with self.subTest(when):
                hours = {row[0] for row in folder.query("SELECT at FROM responses")}
                self.assertTrue(all(hour % HOUR == 0 for hour in hours), hours)
                self.assertLessEqual(len(hours), 2)
                columns = {row[1] for row in folder.query("PRAGMA table_info(answered)")}
                self.assertEqual(columns, {b"attendee", b"set_name"})

    def test_no_random_id_reveals_when_it_was_created(self):
        ids = [row[0] for row in self.stopped.query("SELECT id FROM responses")]
        # Ids made from a clock would have equal first bytes.
        self.assertGreater(len({id[0] for id in ids}), 30)

    def test_events_of_anonymous_answers_say_only_that_somebody_answered(self):
        events = self.stopped.query(
            "SELECT * FROM events WHERE attendee IS NULL AND set_name IS NOT NULL AND fields IS NULL")
        self.assertEqual(len(events), PEOPLE)
        rows = self.stopped.query(
            "SELECT attendee, actor, status, status_before, method, walk_in, code_age, fields FROM events"
            " WHERE set_name IS NOT NULL AND fields IS NULL")
        self.assertEqual(set(rows), {(None, 0, None, None, None, None, None, None)})
        for row in self.stopped.query("SELECT * FROM events"):
            self.assertFalse(any(MARKER.search(value) for value in row if isinstance(value, bytes)), row)
        told = [event for event in self.events if event["kind"] == "responded"]
        self.assertEqual(len(told), PEOPLE)
        for event in told:
            self.assertNotIn("attendeeId", {key for key, value in event.items() if value is not None})
            self.assertNotIn("answers", event["data"])

    def test_lists_of_answers_have_no_order(self):
        order = [int(text[7:9]) for text in self.answers]
        self.assertEqual(sorted(order), list(range(PEOPLE)))
        self.assertLess(abs(correlation(order)), 0.65)
        self.assertLess(neighbours(order), 13)
        self.assertEqual(len(self.latest), 7)
        self.assertTrue(all(item["at"].endswith(":00:00Z") for item in self.latest), self.latest)

    def test_the_log_lines_of_answers_have_no_address_and_no_content(self):
        lines = [line for line in self.log if "/responses" in line]
        self.assertEqual(len(lines), PEOPLE)
        self.assertFalse(any("127.0.0.1" in line for line in lines))
        self.assertFalse(any("of-nobody" in line or "sixty" in line or "qrc_" in line for line in self.log))


class ClosedByTheClockTests(unittest.TestCase):
    """Nobody closed the set: its time was over while a killed server was down."""

    def test_a_restarted_server_shuffles_the_files_of_closed_sets(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session()
        path = f"/api/v1/sessions/{session['id']}"
        questions = host.questions(session)
        # One more than a multiple of the smallest group: the last answer waits until the set has closed.
        people = [
            check_in(host, session, f"Person {number} of them",
                f"person{number}.of.them@example.org").expect(201).json for number in range(13)]
        for rank, person in enumerate(people):
            answers = {questions["shortAnswer"]: f"answer-{rank:02}-of-nobody", questions["rating"]: 3}
            host.post(f"{path}/responses", {"answers": answers}, token=person["receipt"]).expect(201)
        self.assertEqual(self.answers(host, path), 12)
        server.kill()
        known = [(id_bytes(person["attendee"]["id"]), b"of them", b"of.them@example.org")
            for person in people]
        self.assertEqual(self.joined(server, known), 13)

        database = sqlite3.connect(server.database)
        database.execute(
            "UPDATE sessions SET starts_at = starts_at - 10800000, ends_at = ends_at - 10800000, "
            "feedback_closes_hours_after = 0")
        database.commit()
        database.close()
        server.start()
        server.log.wait_for_match("has closed: its rows are shuffled")
        self.assertEqual(self.answers(host, path), 13)
        self.assertEqual(self.joined(server, known), 0)
        with open(f"{server.database}-wal", "rb") as log:
            self.assertIsNone(MARKER.search(log.read()))

    def answers(self, host, path):
        tallies = host.get(f"{path}/results").expect(200).json["tallies"]
        return next(tally["answers"] for tally in tallies if tally["kind"] == "rating")

    def joined(self, server, people):
        folder = Folder(server.folder, people)
        try:
            return folder.joined_by_commits()
        finally:
            folder.remove()


if __name__ == "__main__":
    unittest.main()
