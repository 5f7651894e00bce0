"""After feedback has closed nobody can join an anonymous answer to a person from the data folder: no key, no order, no time, no neighbourhood.

Sixty people come in one order and answer one after the other in another. The attacker knows both orders and has the files. The same attacks
on a copy of the folder taken before feedback closed must succeed, else this test could not fail.
"""
import os
import random
import re
import shutil
import sqlite3
import struct
import tempfile
import unittest

from host import Host, check_in
from server_process import Server

PEOPLE = 60
HOUR = 3_600_000
MARKER = re.compile(rb"answer-(\d\d)-of-nobody")


def correlation(order):
    """Spearman's of a permutation of 0…n-1 with its own positions; without a connection its deviation is 1/√(n-1), here 0.13."""
    n = len(order)
    return 1 - 6 * sum((position - rank) ** 2 for position, rank in enumerate(order)) / (n * (n * n - 1))


def neighbours(order):
    """How many stand beside somebody who answered just before or after them; without a connection about two."""
    return sum(abs(a - b) == 1 for a, b in zip(order, order[1:]))


class Folder:
    """A data folder as an attacker has it: only bytes, and SQLite to read them with."""

    def __init__(self, path, people):
        self.path = path
        # In the order of their answers: id, name, address.
        self.people = people
        # SQLite would write to the folder while reading it.
        self.copy = tempfile.mkdtemp(prefix="qring-test-")
        for name in os.listdir(path):
            shutil.copy(os.path.join(path, name), self.copy)

    def remove(self):
        shutil.rmtree(self.copy)

    def files(self):
        for name in sorted(os.listdir(self.path)):
            with open(os.path.join(self.path, name), "rb") as file:
                yield name, file.read()

    def query(self, text, *values):
        database = sqlite3.connect(os.path.join(self.copy, "journal.db"))
        database.text_factory = bytes
        try:
            return database.execute(text, values).fetchall()
        finally:
            database.close()

    def tables(self):
        return [row[0].decode() for row in self.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]

    # MARK: Attacks; each gives how many of sixty it joins, or how strong a connection is

    def joined_in_rows(self):
        """Rows that hold an answer and anything of a person."""
        found = 0
        secrets = [part for person in self.people for part in person]
        for table in self.tables():
            for row in self.query(f"SELECT * FROM {table}"):
                values = b"\0".join(value if isinstance(value, bytes) else str(value).encode() for value in row)
                found += bool(MARKER.search(values)) and any(secret in values for secret in secrets)
        return found

    def joined_by_commits(self):
        """The log holds each commit's pages: what they hold more of than before belongs to one request. Commits that add one answer and one
        person."""
        files = dict(self.files())
        log, file = files.get("journal.db-wal", b""), files["journal.db"]
        if len(log) < 32:
            return 0
        size = struct.unpack(">I", log[8:12])[0]
        pages = {place // size + 1: file[place:place + size] for place in range(0, len(file), size)}
        joined, changed = 0, {}
        for start in range(32, len(log) - size - 23, size + 24):
            number, commit = struct.unpack(">II", log[start:start + 8])
            if log[start + 8:start + 16] != log[16:24]:
                break
            changed[number] = log[start + 24:start + 24 + size]
            if commit:
                before, after = b"".join(pages.get(number, b"") for number in changed), b"".join(changed.values())
                answers = set(MARKER.findall(after)) - set(MARKER.findall(before))
                people = [rank for rank, person in enumerate(self.people) if after.count(person[0]) > before.count(person[0])]
                joined += [int(answer) for answer in answers] == people and len(people) == 1
                pages.update(changed)
                changed = {}
        return joined

    def orders_of_answers(self):
        """The answers in every order that something stores them in, as ranks of when they were given."""
        def ranks(rows):
            return [int(match.group(1)) for match in (MARKER.search(row[-1]) for row in rows) if match]

        yield "responses as they are read", ranks(self.query("SELECT answers FROM responses"))
        for column in ["id", "at", "published"]:
            yield f"responses by {column}", ranks(self.query(f"SELECT answers FROM responses ORDER BY {column}"))
        for name, content in self.files():
            yield f"bytes of {name}", [int(rank) for rank in MARKER.findall(content)]

    def orders_of_people(self):
        """Who answered, in every order that their marks are stored in. People came in another order than they answered in."""
        ids = {person[0]: rank for rank, person in enumerate(self.people)}
        yield "answered as they are read", [ids[row[0]] for row in self.query("SELECT attendee FROM answered")]
        pages = {row[0] for row in self.pages_of("answered")}
        size = self.query("PRAGMA page_size")[0][0]
        for name, content in self.files():
            if name == "journal.db":
                content = b"".join(content[(page - 1) * size:page * size] for page in sorted(pages))
            elif name != "journal.db-wal":
                continue
            places = sorted((match.start(), rank) for id, rank in ids.items() for match in re.finditer(re.escape(id), content))
            yield f"bytes of answered in {name}", [rank for _, rank in places]

    def pages_of(self, table):
        """By walking its b-tree from the root (fileformat2.html §1.6)."""
        size = self.query("PRAGMA page_size")[0][0]
        with open(os.path.join(self.copy, "journal.db"), "rb") as file:
            content = file.read()
        todo = [self.query("SELECT rootpage FROM sqlite_schema WHERE name = ?", table)[0][0]]
        while todo:
            number = todo.pop()
            page = content[(number - 1) * size:number * size]
            head = page[100:] if number == 1 else page
            yield number, page
            if head[0] in (2, 5):
                cells = struct.unpack(">H", head[3:5])[0]
                todo.append(struct.unpack(">I", head[8:12])[0])
                for index in range(cells):
                    place = struct.unpack(">H", head[12 + 2 * index:14 + 2 * index])[0]
                    todo.append(struct.unpack(">I", page[place:place + 4])[0])


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
            check_in(host, session, f"Person {number} of sixty", f"person{number}.of.sixty@example.org").expect(201).json
            for number in range(PEOPLE)
        ]
        random.Random(7).shuffle(people)
        for rank, person in enumerate(people):
            answers = {question: f"answer-{rank:02}-of-nobody", rating: 1 + rank % 5}
            host.post(f"{path}/responses", {"answers": answers}, token=person["receipt"]).expect(201)
        known = [
            (id_bytes(person["attendee"]["id"]), person["attendee"]["name"].encode(), person["attendee"]["email"].encode()) for person in people
        ]
        cls.open = cls.taken(known)
        closed = host.patch(f"{path}/sets/feedback", {"open": False}).expect(200).json
        assert closed["open"] is False
        cls.live = cls.taken(known)
        cls.answers = [item["text"] for item in host.all(f"/api/v1/questions/{question}/answers", limit=25)]
        cls.latest = next(tally for tally in host.get(f"{path}/results").json["tallies"] if tally["kind"] == "shortAnswer")["latest"]
        cls.events = host.all(f"{path}/journal", limit=200)
        assert cls.server.stop() == 0
        cls.stopped = cls.taken(known)
        cls.log = list(cls.server.log.lines)
        cls.closed = {"while it runs": cls.live, "after it stopped": cls.stopped}

    @classmethod
    def taken(cls, people):
        """The folder as it is now. Nothing is written meanwhile: every request has been answered."""
        place = tempfile.mkdtemp(prefix="qring-test-")
        cls.addClassCleanup(shutil.rmtree, place)
        shutil.copytree(cls.server.folder, place, dirs_exist_ok=True)
        folder = Folder(place, people)
        cls.addClassCleanup(folder.remove)
        return folder

    def test_the_attacks_succeed_before_feedback_has_closed(self):
        self.assertEqual(self.open.joined_in_rows(), 0)
        self.assertGreater(self.open.joined_by_commits(), PEOPLE * 3 // 4)
        strongest = max(neighbours(order) for _, order in self.open.orders_of_answers() if order)
        self.assertGreater(strongest, PEOPLE // 2)
        self.assertGreater(max(neighbours(order) for _, order in self.open.orders_of_people()), PEOPLE // 4)

    def test_no_row_holds_an_answer_and_a_person(self):
        for when, folder in self.closed.items():
            with self.subTest(when):
                self.assertEqual(folder.joined_in_rows(), 0)
                self.assertEqual(folder.query("SELECT count(*) FROM responses WHERE attendee IS NOT NULL"), [(0,)])
                self.assertEqual(folder.query("SELECT count(*), count(DISTINCT id) FROM responses"), [(PEOPLE, PEOPLE)])

    def test_a_row_with_both_would_be_found(self):
        folder = Folder(self.stopped.path, self.stopped.people)
        self.addCleanup(folder.remove)
        database = sqlite3.connect(os.path.join(folder.copy, "journal.db"))
        for rank, person in enumerate(folder.people):
            database.execute("UPDATE responses SET attendee = ? WHERE answers LIKE ?", (person[0], f"%answer-{rank:02}-of-nobody%"))
        database.commit()
        database.close()
        self.assertEqual(folder.joined_in_rows(), PEOPLE)

    def test_no_commit_in_the_log_joins_an_answer_to_a_person(self):
        for when, folder in self.closed.items():
            with self.subTest(when):
                self.assertEqual(folder.joined_by_commits(), 0)
                log = dict(folder.files()).get("journal.db-wal", b"")
                self.assertIsNone(MARKER.search(log))

    def test_no_order_and_no_neighbourhood_is_that_of_answering(self):
        for when, folder in self.closed.items():
            for what, order in [*folder.orders_of_answers(), *folder.orders_of_people()]:
                with self.subTest(when, order=what):
                    if what in ("bytes of journal.db", "responses as they are read", "answered as they are read"):
                        self.assertEqual(sorted(order), list(range(PEOPLE)))
                    self.assertLess(neighbours(order), 13)
                    if len(order) == PEOPLE:
                        # Five deviations: by chance less than once in a million.
                        self.assertLess(abs(correlation(order)), 0.65)

    def test_no_row_holds_the_time_of_an_answer(self):
        for when, folder in self.closed.items():
            with self.subTest(when):
                hours = {row[0] for row in folder.query("SELECT at FROM responses")}
                self.assertTrue(all(hour % HOUR == 0 for hour in hours), hours)
                self.assertLessEqual(len(hours), 2)
                columns = {row[1] for row in folder.query("PRAGMA table_info(answered)")}
                self.assertEqual(columns, {b"attendee", b"set_name"})

    def test_no_random_id_tells_when_it_was_made(self):
        ids = [row[0] for row in self.stopped.query("SELECT id FROM responses")]
        # A clock would make their first bytes alike.
        self.assertGreater(len({id[0] for id in ids}), 30)

    def test_events_of_answers_say_only_that_there_was_one(self):
        events = self.stopped.query("SELECT * FROM events WHERE attendee IS NULL AND set_name IS NOT NULL AND fields IS NULL")
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

    def test_the_log_says_of_answers_neither_who_nor_what(self):
        lines = [line for line in self.log if "/responses" in line]
        self.assertEqual(len(lines), PEOPLE)
        self.assertFalse(any("127.0.0.1" in line for line in lines))
        self.assertFalse(any("of-nobody" in line or "sixty" in line or "qrc_" in line for line in self.log))


class ClosedByTheClockTests(unittest.TestCase):
    """Nobody closed the set: its time was over while the server was down, which ended without warning."""

    def test_what_was_left_in_the_files_is_shuffled_when_the_server_is_back(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session()
        path = f"/api/v1/sessions/{session['id']}"
        questions = host.questions(session)
        # One more than a multiple of the smallest group: the last answer waits until the set has closed.
        people = [check_in(host, session, f"Person {number} of them", f"person{number}.of.them@example.org").expect(201).json for number in range(13)]
        for rank, person in enumerate(people):
            answers = {questions["shortAnswer"]: f"answer-{rank:02}-of-nobody", questions["rating"]: 3}
            host.post(f"{path}/responses", {"answers": answers}, token=person["receipt"]).expect(201)
        self.assertEqual(self.answers(host, path), 12)
        server.kill()
        known = [(id_bytes(person["attendee"]["id"]), b"of them", b"of.them@example.org") for person in people]
        self.assertEqual(self.joined(server, known), 13)

        database = sqlite3.connect(server.database)
        database.execute("UPDATE sessions SET starts_at = starts_at - 10800000, ends_at = ends_at - 10800000, feedback_closes_hours_after = 0")
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


def id_bytes(text):
    """Crockford's base 32, 26 characters for 16 bytes, the first two bits of 130 being zero."""
    value = 0
    for character in text:
        value = value << 5 | "0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(character)
    return value.to_bytes(16, "big")


if __name__ == "__main__":
    unittest.main()
