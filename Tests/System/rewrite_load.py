"""Measures how long check-ins wait while the server rewrites its database file (scripts/rewrite-load).

The file is filled with ended sessions of 10,000 attendees each. Then check-ins arrive at a fixed rate, and
one attendee withdraws, which makes the server rewrite the file. A check-in's time counts from the moment at
which it was due, so that a wait also counts for the check-ins behind it.

Its pauses are a part of the load, at random moments.
"""
import argparse
import asyncio
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import time

from host import Host, check_in, code_of
from kept_connection import KeptConnection
from server_process import Server

ATTENDEES = 10_000
CONNECTIONS = 64
# Seconds of load before and after the rewrite, to compare with.
QUIET = 10
LONGEST_WAIT = 0.1
LONGEST_REWRITE = 300


def clone(database, table, numbers, changed, where):
    """Inserts a copy of the rows for each number, with changed columns. `n` is the number."""
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(changed.get(column, f"t.{column}") for column in columns)
    database.execute(f"WITH RECURSIVE numbers (n) AS ({numbers}) "
        f"INSERT INTO {table} SELECT {values} FROM numbers, {table} t WHERE {where}")


def fill(path, megabytes):
    """Copies the one session with its one attendee until the file has that size."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    session = database.execute("SELECT id FROM sessions").fetchone()[0]
    number = 1
    while os.path.getsize(path) < megabytes * 1_000_000:
        number += 1
        made = session[:12] + number.to_bytes(4, "big")
        here, old = f"x'{made.hex()}'", f"x'{session.hex()}'"
        with database:
            clone(database, "sessions", "SELECT 1", {
                "id": here, "round": str(number), "join_code": f"'FILL{number}'",
                "starts_at": f"t.starts_at - {number * 86_400_000}",
                "ends_at": f"t.ends_at - {number * 86_400_000}",
                "sequence": str(ATTENDEES), "present": str(ATTENDEES)}, f"id = {old}")
            numbers = f"SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {ATTENDEES}"
            attendee = f"CAST(substr({here}, 5) || printf('%04d', n % 10000) AS BLOB)"
            name = f"'Person ' || n || ' of session {number}'"
            clone(database, "attendees", numbers, {
                "session": here, "id": attendee, "name": name, "search": f"lower({name})",
                "identity": f"'p' || n || '@session{number}.example.org'",
                "key": f"'p' || n || '@session{number}.example.org'", "check_in_grant": "randomblob(16)",
                "device": "NULL", "network": "NULL", "arrival_sequence": "n"}, f"session = {old}")
            clone(database, "events", numbers, {
                "session": here, "sequence": "n", "attendee": attendee},
                f"session = {old} AND sequence = 1")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


class PacedLoad(KeptConnection):
    """One connection. It takes the next check-in that is due and measures its time."""

    def __init__(self, load):
        super().__init__()
        self.load, self.due = load, None
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        super().connection_made(transport)
        self.take()

    def take(self):
        if self.load.is_over:
            self.transport.close()
            return
        number, self.due = self.load.next()
        delay = self.due - time.monotonic()
        if delay > 0:
            asyncio.get_running_loop().call_later(delay, self.send, number)
        else:
            self.send(number)

    def send(self, number):
        body = json.dumps({"code": self.load.code, "name": f"Guest {number}",
            "email": f"guest{number}@example.org"}).encode()
        self.transport.write(
            b"POST /api/v1/check-ins HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def answered(self, head, body):
        if not head.startswith(b"HTTP/1.1 201 "):
            raise AssertionError(head + body)
        self.load.times.append((self.due, time.monotonic() - self.due))
        self.take()

    def connection_lost(self, error):
        if not self.done.done():
            self.done.set_result(None)


class Load:
    def __init__(self, session, rate):
        self.code, self.rate = code_of(session), rate
        self.began, self.count, self.is_over, self.times = time.monotonic(), 0, False, []

    def next(self):
        self.count += 1
        return self.count, self.began + self.count / self.rate

    def report(self, name, begin, end):
        times = sorted(taken for due, taken in self.times if begin <= due < end)
        if not times:
            return 0
        median, p99, longest = (
            times[place] * 1e3 for place in (len(times) // 2, len(times) * 99 // 100, -1))
        slow = sum(taken > LONGEST_WAIT for taken in times)
        print(f"{name}: {len(times)} check-ins in {end - begin:.1f} s, median {median:.1f} ms, "
            f"p99 {p99:.1f} ms, longest {longest:.1f} ms, over 100 ms: {slow}", flush=True)
        return times[-1]


async def measure(server, session, rate, withdraw):
    load = Load(session, rate)
    loop = asyncio.get_running_loop()
    connections = [(await loop.create_connection(lambda: PacedLoad(load), "127.0.0.1", server.port))[1]
        for _ in range(CONNECTIONS)]
    await asyncio.sleep(QUIET)
    begin, before = time.monotonic(), os.stat(server.database).st_ino
    await loop.run_in_executor(None, withdraw)
    # The rewrite ends with another file under the database's name.
    while os.stat(server.database).st_ino == before:
        await asyncio.sleep(0.05)
        failures = [line for line in server.log.lines if "could not be rewritten" in line]
        if failures or time.monotonic() - begin > LONGEST_REWRITE:
            raise AssertionError(f"the file was not rewritten: {failures}")
    replaced = time.monotonic()
    # The server then frees the space of the old file: 200 MB a second.
    await asyncio.sleep(3 + os.stat(server.database).st_size / 150e6)
    end = time.monotonic()
    await asyncio.sleep(QUIET)
    load.is_over = True
    await asyncio.gather(*(connection.done for connection in connections))
    load.report("before", load.began + 1, begin)
    longest = load.report("while the copy grows", begin, replaced - 0.3)
    longest = max(longest, load.report("at the exchange", replaced - 0.3, replaced + 0.2))
    longest = max(longest, load.report("while space is freed", replaced + 0.2, end))
    load.report("after", end, time.monotonic())
    return load, longest


def prepare(folder, megabytes):
    with Server("--signup", "open", folder=folder) as server:
        host = Host(server)
        check_in(host, host.session(), "Person", "person@example.org").expect(201)
        server.stop()
    fill(os.path.join(folder, "journal.db"), megabytes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("--folder")
    options = parser.parse_args()
    temporary = None if options.folder else tempfile.mkdtemp(prefix="qring-rewrite-")
    folder = options.folder or os.path.join(temporary, "data")
    try:
        if not os.path.exists(folder):
            prepare(folder, options.megabytes)
        with Server("--signup", "open", folder=folder) as server:
            host = Host(server, f"measuring{time.time_ns()}@example.org")
            session = host.session()
            one = check_in(host, session, "Erased", "erased@example.org").expect(201).json
            size = os.path.getsize(server.database) / 1e6
            print(f"file of {size:.0f} MB, {options.rate} check-ins a second", flush=True)
            cpu = server.cpu_seconds()
            withdrawing = host.as_(one["receipt"])
            load, longest = asyncio.run(measure(server, session, options.rate,
                lambda: withdrawing.delete("/api/v1/check-ins/current").expect(200, 204)))
            attendance = host.get(f"/api/v1/sessions/{session['id']}").expect(200).json["attendance"]
            present = attendance["present"]
            size, cpu = os.path.getsize(server.database) / 1e6, server.cpu_seconds() - cpu
            print(f"{present} present of {len(load.times)} acknowledged, server CPU {cpu:.1f} s, "
                f"file of {size:.0f} MB")
            if present != len(load.times):
                raise AssertionError("a check-in is missing")
            server.stop()
        return 1 if longest > LONGEST_WAIT else 0
    finally:
        if temporary:
            shutil.rmtree(temporary)


if __name__ == "__main__":
    sys.exit(main())
