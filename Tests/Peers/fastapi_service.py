"""A check-in service as most projects write it: FastAPI, uvicorn, and SQLite with synchronous=FULL. It has
QRing's contract for `POST /api/v1/check-ins` with a code: it checks the code's form, the name and the
address, stores attendee, event and count durably, and answers a repetition with 200. For `qring bench
check-in --against PORT`.

usage: fastapi_service.py PORT DATABASE
"""
import hashlib
import hmac
import secrets
import sqlite3
import sys
import threading
import time

import fastapi
import pydantic
import uvicorn

SCHEMA = """
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE attendees (id TEXT PRIMARY KEY, session INT, email TEXT, name TEXT, status TEXT, at INT,
        receipt BLOB);
    CREATE UNIQUE INDEX attendees_by_email ON attendees (session, email);
    CREATE TABLE events (session INT, sequence INT, at INT, attendee TEXT, PRIMARY KEY (session, sequence));
    CREATE TABLE sessions (id INT PRIMARY KEY, sequence INT, present INT);
    INSERT INTO sessions VALUES (1, 0, 0);
"""
SESSION = {"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "meetingId": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "meetingName": "name", "number": 2, "startsAt": "2026-11-21T10:00:00Z",
    "endsAt": "2026-11-21T12:00:00Z", "timeZone": "Asia/Seoul", "lateAfterMinutes": 10,
    "checkInOpensAt": "2026-11-21T10:00:00Z", "checkInClosesAt": "2026-11-21T10:00:00Z",
    "phase": "running"}

service = fastapi.FastAPI()
key = secrets.token_bytes(32)
# One connection writes at a time, as SQLite requires.
writing = threading.Lock()


class CheckIn(pydantic.BaseModel):
    code: str = pydantic.Field(min_length=8, max_length=200)
    name: str = pydantic.Field(min_length=1, max_length=100)
    email: str = pydantic.Field(pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$", max_length=254)


@service.post("/api/v1/check-ins")
def check_in(request: CheckIn, response: fastapi.Response):
    hmac.digest(key, request.code.encode(), "sha256")
    name, email = " ".join(request.name.split()), request.email.strip().lower()
    now, receipt = int(time.time()), secrets.token_hex(32)
    with writing:
        database.execute("BEGIN IMMEDIATE")
        row = database.execute(
            "INSERT INTO attendees VALUES (?, 1, ?, ?, 'present', ?, ?) ON CONFLICT (session, email) "
            "DO NOTHING RETURNING id",
            (secrets.token_hex(16), email, name, now, hashlib.sha256(receipt.encode()).digest())).fetchone()
        if row:
            present, = database.execute(
                "UPDATE sessions SET sequence = sequence + 1, present = present + 1 WHERE id = 1 "
                "RETURNING present").fetchone()
            database.execute("INSERT INTO events VALUES (1, ?, ?, ?)", (present, now, row[0]))
        else:
            row = database.execute(
                "SELECT id FROM attendees WHERE session = 1 AND email = ?", (email,)).fetchone()
            present, = database.execute("SELECT present FROM sessions WHERE id = 1").fetchone()
            receipt = None
        database.execute("COMMIT")
    response.status_code = 201 if receipt else 200
    return {"attendee": {"id": row[0], "name": name, "email": email, "status": "present", "walkIn": True,
        "checkedInAt": now, "method": "qr"}, "session": {**SESSION, "attendance": {"present": present}},
        "receipt": receipt, "alreadyCheckedIn": receipt is None}


if __name__ == "__main__":
    database = sqlite3.connect(sys.argv[2], isolation_level=None, check_same_thread=False)
    database.executescript(SCHEMA)
    uvicorn.run(service, host="127.0.0.1", port=int(sys.argv[1]), log_level="critical", access_log=False)
