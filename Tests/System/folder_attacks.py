"""Attacks of somebody who has the data folder and wants to link anonymous answers to people."""
import os
import re
import shutil
import sqlite3
import struct
import tempfile

from data_folder import without_sockets

# The answers in these tests say which one it was, in the order of answering.
MARKER = re.compile(rb"answer-(\d\d)-of-nobody")


def correlation(order):
    """Returns Spearman's correlation of a permutation of 0…n-1 with its own positions. Without a connection
    its deviation is 1/√(n-1), here 0.13."""
    n = len(order)
    return 1 - 6 * sum((position - rank) ** 2 for position, rank in enumerate(order)) / (n * (n * n - 1))


def neighbours(order):
    """Returns how many neighbours in the order also answered one after the other; without a connection about
    two."""
    return sum(abs(a - b) == 1 for a, b in zip(order, order[1:]))


class Folder:
    """A data folder for an attacker: only bytes, and SQLite to read them."""

    def __init__(self, path, people):
        self.path = path
        # In the order of their answers: id, name, address.
        self.people = people
        # SQLite would write to the folder while reading it.
        self.copy = tempfile.mkdtemp(prefix="qring-test-")
        for name in self.names():
            shutil.copy(os.path.join(path, name), self.copy)

    def remove(self):
        shutil.rmtree(self.copy)

    def names(self):
        found = set(os.listdir(self.path))
        return sorted(found - set(without_sockets(self.path, found)))

    def files(self):
        for name in self.names():
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
        return [row[0].decode()
            for row in self.query(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]

    # MARK: Attacks. Each returns how many of sixty it links, or how strong a connection is.

    def joined_in_rows(self):
        """Finds rows that hold an answer and data of a person."""
        found = 0
        secrets = [part for person in self.people for part in person]
        for table in self.tables():
            for row in self.query(f"SELECT * FROM {table}"):
                values = b"\0".join(value if isinstance(value, bytes) else str(value).encode()
                    for value in row)
                found += bool(MARKER.search(values)) and any(secret in values for secret in secrets)
        return found

    def joined_by_commits(self):
        """Reads the pages of each commit in the log: what they hold more than before belongs to one request.
        Finds commits that add one answer and one person."""
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
                before, after = b"".join(pages.get(number, b"")
                    for number in changed), b"".join(changed.values())
                answers = set(MARKER.findall(after)) - set(MARKER.findall(before))
                people = [rank for rank,
                    person in enumerate(self.people) if after.count(person[0]) > before.count(person[0])]
                joined += [int(answer) for answer in answers] == people and len(people) == 1
                pages.update(changed)
                changed = {}
        return joined

    def orders_of_answers(self):
        """Returns the answers in every order in which something stores them, as ranks of their time."""
        def ranks(rows):
            return [int(match.group(1)) for match in (MARKER.search(row[-1]) for row in rows) if match]

        yield "responses as they are read", ranks(self.query("SELECT answers FROM responses"))
        for column in ["id", "at", "published"]:
            yield f"responses by {column}", ranks(
                self.query(f"SELECT answers FROM responses ORDER BY {column}"))
        for name, content in self.files():
            yield f"bytes of {name}", [int(rank) for rank in MARKER.findall(content)]

    def orders_of_people(self):
        """Returns the people who answered, in every order in which their marks are stored. People checked in
        in another order than they answered."""
        ids = {person[0]: rank for rank, person in enumerate(self.people)}
        yield "answered as they are read", [ids[row[0]]
            for row in self.query("SELECT attendee FROM answered")]
        pages = {row[0] for row in self.pages_of("answered")}
        size = self.query("PRAGMA page_size")[0][0]
        for name, content in self.files():
            if name == "journal.db":
                content = b"".join(content[(page - 1) * size:page * size] for page in sorted(pages))
            elif name != "journal.db-wal":
                continue
            places = sorted((match.start(), rank) for id,
                rank in ids.items() for match in re.finditer(re.escape(id), content))
            yield f"bytes of answered in {name}", [rank for _, rank in places]

    def pages_of(self, table):
        """Walks its b-tree from the root (fileformat2.html §1.6)."""
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


def id_bytes(text):
    """Decodes Crockford's base 32: 26 characters for 16 bytes; the first two of 130 bits are zero."""
    value = 0
    for character in text:
        value = value << 5 | "0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(character)
    return value.to_bytes(16, "big")
