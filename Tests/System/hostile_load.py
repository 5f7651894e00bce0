"""Holds thousands of hostile connections to a server, and measures honest check-ins meanwhile.

Every kind of attack keeps its number of connections for the whole time: a connection that the server closes
is opened again. The attackers and the honest clients are processes of their own, so that none slows the
others down. The server's memory may not grow after the warm-up, no check-in may wait too long, and each
acknowledged check-in must be stored once. The attacks use none of the project's clients.

The disk may be slow, which is no fault of the server. So the time of the journal's commits does not count as
waiting, unless the server wrote much at that moment. Another process writes 4 KB to the same disk again and
again, as a witness.

Its pauses are a part of the load, at random moments.
"""
import argparse
import asyncio
import bisect
import contextlib
import http.client
import json
import logging
import multiprocessing
import os
import random
import re
import resource
import statistics
import sys
import tempfile
import time

from api import API
from host import Host, check_in, code_of
from raw_websocket import FINAL, PING, TEXT, frame, upgrade
from server_process import DEADLINE, Server

MOST_WAIT = 0.250
# If the server writes more during a wait, its commits are not small, and their time counts.
MOST_WRITTEN = 16 << 20
# The part of the time in which caches fill and the first connections open.
WARM_UP = 0.25
# Memory may move by so much without being called growth: batches and buffers come and go.
MOST_GROWTH = 1.10, 16 << 20
HONEST, PAUSE = 8, 0.02
# The honest people of one session. So the memory for a session's people does not count as growth.
PEOPLE = 10_000


class Scene:
    """What the attackers know: a meeting's codes and tokens. And the sessions of the honest people, whose
    host the attackers do not know."""

    def __init__(self, server, seconds):
        self.honest_host = Host(server)
        count = HONEST * (1 + int(seconds / PAUSE / PEOPLE))
        self.honest_sessions = [self.honest_host.session(ends=60 * 24) for _ in range(count)]
        host = Host(server)
        made = host.meeting("Hostile", ends=60 * 24)
        self.port, self.token = server.port, host.token
        self.meeting, self.session = made["meeting"]["id"], made["session"]["id"]
        self.code, self.join_code = code_of(made["session"]), made["session"]["joinCode"]
        person = check_in(host, made["session"], "Mallory", "mallory@example.org").expect(201).json
        self.receipt = person["receipt"]
        self.made = made["session"]


# MARK: Attacks. Each coroutine is one connection from its opening to its end.


async def connected(scene):
    return await asyncio.open_connection("127.0.0.1", scene.port)


async def drained(reader, seconds):
    """Reads until the server closes, at most so long."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while await reader.read(65536):
                pass


async def slow_head(scene, chance):
    reader, writer = await connected(scene)
    for byte in b"GET /api/v1/sessions/nearest HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 60:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(chance.uniform(0.3, 1))
    await drained(reader, 5)
    return writer


async def slow_body(scene, chance):
    reader, writer = await connected(scene)
    writer.write(f"POST /api/v1/{chance.choice(['check-ins', 'grants', 'accounts'])} HTTP/1.1\r\nHost: a\r\n"
        f"Content-Type: application/json\r\nContent-Length: {chance.choice([900, 60_000])}\r\n\r\n".encode())
    for _ in range(40):
        writer.write(b'{"name":"')
        await writer.drain()
        await asyncio.sleep(chance.uniform(0.2, 0.6))
    await drained(reader, 5)
    return writer


async def half_open(scene, chance):
    reader, writer = await connected(scene)
    if chance.random() < 0.5:
        writer.write(b"GET / HT")
    await drained(reader, 30)
    return writer


async def churn(scene, chance):
    _, writer = await connected(scene)
    if chance.random() < 0.5:
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    await asyncio.sleep(chance.uniform(0, 0.5))
    writer.transport.abort()
    await asyncio.sleep(chance.uniform(0.2, 1))
    return writer


ODD_HEADS = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\0" * 200, b"GET / HTTP/9.9\r\n\r\n",
    b"GET  /  HTTP/1.1\r\n\r\n", b"G" * 5000, b"GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n", b"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 2000 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
    b"POST /api/v1/check-ins HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST /api/v1/check-ins HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    b"GET /rooms HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /api/v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \xff\r\n\r\n",
]


async def odd_head(scene, chance):
    reader, writer = await connected(scene)
    writer.write(chance.choice(ODD_HEADS))
    await drained(reader, 3)
    await asyncio.sleep(chance.uniform(0.2, 1))
    return writer


def odd_bodies(scene, chance):
    text = chance.choice(
        ["x" * 60_000, "a" + "\u0301" * 30_000, "\u1100\u1161\u11a8" * 6000, "\u202e" * 99, ""])
    number = chance.choice([1e308, -1, 2**63, "9" * 50_000, None, [], {}])
    return chance.choice([
        b"[" * 60_000, b'{"a":' * 12_000, b"null", b'{"code":1', b"\xff\xfe", b"[" + b"0," * 30_000 + b"0]",
        json.dumps({"code": scene.code, "name": text, "email": "a@b.cc"}).encode(),
        json.dumps({"code": text, "name": number}).encode(),
        json.dumps({"answers": {f"{number:026d}": text[:100] for number in range(300)}}).encode(),
    ])


PATHS = ["/api/v1/check-ins", "/api/v1/grants", "/api/v1/accounts", "/api/v1/meetings", "/feedback", "/"]


async def exchange(reader, writer, method, path, body=b"", headers=""):
    """Sends a request over a kept connection, and reads the answer. Returns its status."""
    head = f"{method} {path} HTTP/1.1\r\nHost: a\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
    async with asyncio.timeout(90):
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").lower().split("\r\n")
        length = next((int(line[15:]) for line in lines if line.startswith("content-length:")), 0)
        await reader.readexactly(length)
    return int(head.split(b" ")[1])


JSON = "Content-Type: application/json\r\n"


async def odd_body(scene, chance):
    reader, writer = await connected(scene)
    for _ in range(chance.randrange(1, 20)):
        await exchange(reader, writer, "POST", chance.choice(PATHS), odd_bodies(scene, chance), JSON)
        await asyncio.sleep(chance.uniform(0.2, 2))
    return writer


async def wrong_code(scene, chance):
    reader, writer = await connected(scene)
    for _ in range(20):
        code = "".join(chance.choices("ABCDEFGHJKMNPQRSTVWXYZ23456789", k=6))
        body = chance.choice([{"joinCode": code}, {"code": scene.code[:-4] + code[:4]}])
        token = chance.choice([scene.receipt[:-3] + code[:3], "qat_" + code * 6, "qpl_" + code * 6])
        await exchange(reader, writer, "POST", "/api/v1/grants", json.dumps(body).encode(), JSON)
        await exchange(reader, writer, "GET", "/api/v1/check-ins/current",
            headers=f"Authorization: Bearer {token}\r\n")
        await asyncio.sleep(chance.uniform(0.5, 2))
    return writer


async def heavy(scene, chance):
    """A host and an attendee who use their rights as often as they can."""
    reader, writer = await connected(scene)
    session, meeting = f"/api/v1/sessions/{scene.session}", f"/api/v1/meetings/{scene.meeting}"
    host, person = (f"Authorization: Bearer {token}\r\n{JSON}If-Match: *\r\n"
        for token in (scene.token, scene.receipt))
    people = [{"name": f"P {number} {chance.randrange(9)}", "email": f"p{number}@example.org"}
        for number in range(300)]
    for _ in range(20):
        method, path, body, headers = chance.choice([
            ("GET", f"{session}/attendees?limit=200&q=zz", {}, host),
            ("GET", f"{session}/attendance.csv", {}, host), ("GET", f"{session}/review", {}, host),
            ("GET", f"{session}/results.csv", {}, host), ("GET", f"{session}/journal?limit=200", {}, host),
            ("GET", f"{meeting}/poster.pdf", {}, host), ("GET", f"{session}/qr.png?size=2048", {}, host),
            ("PUT", f"{meeting}/roster", {"people": people}, host),
            ("PATCH", meeting, {"name": f"Hostile {chance.randrange(9)}"}, host),
            ("PATCH", f"{session}/sets/feedback", {"open": chance.random() < 0.5}, host),
            ("POST", f"{session}/attendees", {"name": "Added"}, host),
            ("PATCH", "/api/v1/check-ins/current", {"name": f"Mallory {chance.randrange(99)}"}, person),
        ])
        await exchange(reader, writer, method, path, json.dumps(body).encode() if body else b"", headers)
        await asyncio.sleep(chance.uniform(1, 4))
    return writer


async def room(scene, chance, token, name):
    reader, writer = await connected(scene)
    writer.write(upgrade(f"Authorization: Bearer {token}"))
    writer.write(frame(FINAL | TEXT, json.dumps({"join": f"{name}:{scene.session}", "id": 1}).encode()))
    return reader, writer


async def watcher(scene, chance):
    name, token = chance.choice([("session", scene.token), ("audience", scene.receipt)])
    reader, writer = await room(scene, chance, token, name)
    await drained(reader, chance.uniform(20, 60))
    return writer


async def deaf_watcher(scene, chance):
    """Joins again and again, and never reads."""
    reader, writer = await room(scene, chance, scene.token, "session")
    reader._transport.pause_reading()
    for number in range(30):
        join = json.dumps({"join": f"session:{scene.session}", "id": number})
        writer.write(frame(FINAL | TEXT, join.encode()))
        await asyncio.sleep(chance.uniform(0.5, 2))
    return writer


ODD_FRAMES = [
    frame(FINAL | TEXT, b"{}", masked=False), frame(FINAL | 3, b"x"), frame(0x71, b"x"), frame(0x00, b"x"),
    frame(FINAL | TEXT, b"\xff\xff"), frame(FINAL | TEXT, announced=1 << 62),
    frame(FINAL | TEXT, b"x" * 70_000),
    frame(FINAL | PING, b"x" * 125) * 400, frame(TEXT) + frame(0) * 5000, frame(FINAL | 8, b"\x03\xe7"),
    frame(FINAL | TEXT, b"[" * 60_000), frame(FINAL | TEXT, b'{"join":"session:x"}') * 100,
    frame(FINAL | TEXT, b'{"ping":1}') * 2000, frame(FINAL | TEXT, b'{"authorize":"qat_x"}'), b"\x81", b"",
]


async def odd_frames(scene, chance):
    reader, writer = await room(scene, chance, chance.choice([scene.token, scene.receipt, "x"]), "session")
    await asyncio.sleep(chance.uniform(0, 1))
    # A client may continue after its mistake, while the server is already closing.
    for _ in range(chance.randrange(1, 4)):
        writer.write(chance.choice(ODD_FRAMES))
        await asyncio.sleep(chance.uniform(0, 0.2))
    await drained(reader, chance.uniform(1, 5))
    await asyncio.sleep(chance.uniform(0.2, 1))
    return writer


# The attacks, with their shares of the connections.
ATTACKS = {
    slow_head: 12, slow_body: 12, half_open: 14, churn: 6, odd_head: 8, odd_body: 8, wrong_code: 8, heavy: 2,
    watcher: 14, deaf_watcher: 6, odd_frames: 10,
}


async def kept_up(attack, scene, chance, end, counts):
    """Opens the connection of an attack again and again, until the end."""
    await asyncio.sleep(chance.uniform(0, 5))
    while time.monotonic() < end:
        counts[attack.__name__] = counts.get(attack.__name__, 0) + 1
        with contextlib.suppress(OSError, EOFError, TimeoutError, asyncio.LimitOverrunError, ValueError):
            async with asyncio.timeout(max(1, min(120, end - time.monotonic()))):
                (await attack(scene, chance)).transport.abort()
        await asyncio.sleep(0.05)


def attackers(scene, connections, seed, end, result):
    os.nice(10)
    chance, counts = random.Random(seed), {}
    kinds = random.Random(seed).choices(list(ATTACKS), list(ATTACKS.values()), k=connections)

    async def all_of_them():
        await asyncio.gather(*(kept_up(kind, scene, random.Random(chance.random()), end, counts)
            for kind in kinds))

    # Servers close hostile connections, which asyncio reports for each write.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    asyncio.run(all_of_them())
    result.put(("attacks", counts))


# MARK: Honest people


def disk(folder, end, result):
    """Writes 4 KB to the server's disk ten times a second. Returns the writes that took over 50 ms."""
    writes = []
    with tempfile.TemporaryFile(dir=folder) as file:
        while time.monotonic() < end:
            began = time.monotonic()
            os.pwrite(file.fileno(), os.urandom(4096), 0)
            os.fsync(file.fileno())
            took = time.monotonic() - began
            if took > 0.05:
                writes.append((took, began))
            time.sleep(0.1)
    result.put(("disk", writes))


def honest(scene, number, end, result):
    """Checks people in, one after the other. Returns the long waits, and how many were acknowledged."""
    connection, done, waits = None, 0, []
    while time.monotonic() < end:
        session = scene.honest_sessions[number + HONEST * (done // PEOPLE)]
        body = json.dumps({"code": code_of(session), "name": f"Honest {number} {done}",
            "email": f"honest-{number}-{done}@example.org"})
        connection = connection or http.client.HTTPConnection("127.0.0.1", scene.port, timeout=60)
        began = time.monotonic()
        try:
            connection.request("POST", "/api/v1/check-ins", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
        except (http.client.HTTPException, OSError) as error:
            return result.put(("refused", repr(error)))
        waits.append((time.monotonic() - began, began))
        if answer.status != 201:
            return result.put(("refused", answer.status))
        done += 1
        time.sleep(PAUSE)
    long = sorted(waits)[-1:] + [wait for wait in waits if wait[0] > MOST_WAIT]
    result.put(("honest", (done, long, statistics.median(wait for wait, _ in waits))))


class Sample:
    """The server's memory in bytes, its journal's seconds in commits, and the bytes that it has written, at
    some moment from `began` to `ended`."""

    def __init__(self, server):
        self.began = time.monotonic()
        process = f"/proc/{server.process.pid}"
        with open(f"{process}/statm", encoding="ascii") as file:
            self.memory = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
        with open(f"{process}/io", encoding="ascii") as file:
            self.written = int(dict(line.split(": ") for line in file)["write_bytes"])
        metrics = API(server).get("/metrics").expect(200).text
        self.committing = float(re.search(r"^qring_journal_commit_seconds_total (\S+)", metrics, re.M)[1])
        self.ended = time.monotonic()


def run(minutes, connections, seed):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    with Server("--signup", "open", "--connections-per-address", "65536") as server:
        scene, result = Scene(server, minutes * 60), multiprocessing.Queue()
        began = time.monotonic()
        end = began + minutes * 60
        made = [multiprocessing.Process(target=attackers,
            args=(scene, connections // 2, f"{seed}/{half}", end, result)) for half in range(2)]
        made += [multiprocessing.Process(target=honest, args=(scene, number, end, result))
            for number in range(HONEST)]
        made.append(multiprocessing.Process(target=disk, args=(server.folder, end, result)))
        for process in made:
            process.start()
        samples, told = [Sample(server)], began
        while time.monotonic() < end:
            time.sleep(0.1)
            try:
                samples.append(Sample(server))
            except OSError:
                return [f"the server ended with {server.process.wait(DEADLINE)}:\n{server.log.last(20)}"]
            if time.monotonic() - told >= 60:
                told = time.monotonic()
                print(f"{(told - began) / 60:4.0f} min, {samples[-1].memory >> 20} MB", flush=True)
        found = [result.get(timeout=180) for _ in made]
        for process in made:
            process.join(60)
        samples.append(Sample(server))
        return list(faults(server, scene, began, samples, found))


def beside_the_disk(took, began, samples):
    """Returns the seconds of a wait in which the server did not wait for the disk."""
    before = samples[bisect.bisect_right(samples, began, key=lambda sample: sample.ended) - 1]
    after = samples[bisect.bisect_left(samples, began + took, key=lambda sample: sample.began)]
    if after.written - before.written > MOST_WRITTEN:
        return took
    return took - (after.committing - before.committing)


def faults(server, scene, began, samples, found):
    seconds = samples[-1].ended - began
    parts = [((sample.ended - began) / seconds, sample.memory) for sample in samples]
    early = statistics.median(bytes for at, bytes in parts if WARM_UP <= at < WARM_UP + 0.2)
    late = statistics.median(bytes for at, bytes in parts if at >= 0.8)
    counts = {}
    for kind, value in found:
        if kind == "attacks":
            for name, count in value.items():
                counts[name] = counts.get(name, 0) + count
        if kind == "refused":
            yield f"a right check-in was answered with {value}"
    people = [value for kind, value in found if kind == "honest"]
    if not people:
        return
    done = sum(value[0] for value in people)
    waits = sorted({wait for value in people for wait in value[1]}, reverse=True)
    writes = sorted((write for kind, value in found if kind == "disk" for write in value), reverse=True)
    print(f"connections opened: {dict(sorted(counts.items()))}")
    print(f"check-ins: {done}; median {statistics.median(value[2] for value in people) * 1000:.1f} ms; "
        f"longest {', '.join(f'{wait * 1000:.0f} ms at {at - began:.0f} s' for wait, at in waits[:5])}")
    print(f"memory: {early / 2**20:.0f} MB after the warm-up, {late / 2**20:.0f} MB at the end, "
        f"at most {max(bytes for _, bytes in parts) / 2**20:.0f} MB")
    longest = ", ".join(f"{took * 1000:.0f} ms at {at - began:.0f} s" for took, at in writes[:5])
    print(f"the disk alone, longest: {longest or 'under 50 ms'}")
    too_long = [wait for wait in waits if wait[0] > MOST_WAIT]
    own = sorted((beside_the_disk(*wait, samples) for wait in too_long), reverse=True)[:1]
    print(f"check-ins over {MOST_WAIT * 1000:.0f} ms: {len(too_long)}; without the disk's time, at most "
        f"{own[0] * 1000 if own else 0:.0f} ms")
    if own and own[0] > MOST_WAIT:
        yield f"a check-in took {own[0] * 1000:.0f} ms besides the disk's time"
    if late > early * MOST_GROWTH[0] + MOST_GROWTH[1]:
        yield f"the memory grew from {early / 2**20:.0f} to {late / 2**20:.0f} MB"
    stored = sum(
        scene.honest_host.get(f"/api/v1/sessions/{session['id']}").expect(200).json["attendance"]["checkedIn"]
        for session in scene.honest_sessions)
    if stored != done:
        yield f"{done} check-ins were acknowledged, and {stored} are stored"


def main():
    parser = argparse.ArgumentParser(prog="scripts/torture hostile",
        description="Holds hostile connections to a server, and measures honest check-ins.")
    parser.add_argument("--minutes", type=float, default=60, help="how long (60)")
    parser.add_argument("--connections", type=int, default=2000, help="how many at once (2000)")
    parser.add_argument("--seed", type=int, default=None, help="of the attacks; a new one by default")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}", flush=True)
    found = run(options.minutes, options.connections, seed)
    print("\n".join(found) or "no fault", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
