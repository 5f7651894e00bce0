"""Kills the server under load, again and again, and checks whether it lost anything acknowledged.

People check in to several sessions and answer, over several connections, each request under an idempotency
key. The server is killed (SIGKILL) at a moment that the seed chooses. Then every acknowledged check-in and
response must exist once, and nothing that nobody sent; no journal may have a gap; head counts and tallies
must equal a recount from the rows; `qring admin verify` must find nothing. Clients without an answer send
again, with the same key, once the server is back. The seed chooses the actions too; the system chooses the
order of the threads.

Its pauses are a part of the load, at random moments.
"""
import argparse
import collections
import json
import random
import sys
import threading
import time

from admin import Admin, rows
from api import API
from host import Host, code_of
from server_process import PATIENCE, Server

WORKERS = 6
RATING = {"kind": "rating", "title": "How was it?", "required": True}


class Broken(AssertionError):
    """The server lost or changed something acknowledged."""


def require(condition, what):
    if not condition:
        raise Broken(what)


class Request:
    """A request that is sent until it is answered, always with the same bytes and key."""

    def __init__(self, session, path, body, key, token=None, email=None):
        self.session, self.path, self.key, self.token, self.email = session, path, key, token, email
        self.body = json.dumps(body).encode()
        self.answer = None
        # Committed, and killed before the answer: known because the first answer is that of a retry.
        self.was_cut_off = False

    def send(self, api):
        """Returns false if the connection broke."""
        headers = {"Idempotency-Key": self.key, "Content-Type": "application/json"}
        try:
            answer = api.request("POST", self.path, self.body, headers=headers, token=self.token)
        except OSError:
            return False
        except Exception as error:  # Errors of http.client if a head or a body ended early.
            require(type(error).__module__ == "http.client", f"{type(error)}: {error}")
            return False
        require(answer.status == 201, f"{self.path} of {self.email} was answered {answer}")
        if self.answer is None:
            self.was_cut_off = answer.headers["Idempotency-Replayed"] == "true"
        else:
            require(self.answer.body == answer.body and answer.headers["Idempotency-Replayed"] == "true",
                f"another answer to a retry: {answer}")
        self.answer = answer
        return True


class Worker:
    """One connection, and the requests of its people. A person without an answer comes first in the next
    round."""

    def __init__(self, torture, number):
        self.torture, self.number = torture, number
        self.random = random.Random(f"{torture.seed}/worker/{number}")
        self.api = API(torture.server)
        self.pending, self.check_ins, self.responses = None, [], []
        self.people = 0
        self.failure = None

    def run(self, until):
        try:
            while not until.is_set():
                if self.pending is None:
                    self.pending = self.next_request()
                if not self.pending.send(self.api):
                    return
                (self.check_ins if self.pending.email else self.responses).append(self.pending)
                self.pending = None
                self.torture.acknowledged()
        except BaseException as error:
            self.failure = error

    def next_request(self):
        """Mostly a new person; else an answer of an attendee, or a retry of an old request."""
        choice = self.random.random()
        waiting = [request for request in self.check_ins if not getattr(request, "has_responded", False)]
        if choice < 0.35 and waiting:
            person = self.random.choice(waiting)
            person.has_responded = True
            session = person.session
            body = {"answers": {session["rating"]: self.random.randint(1, 5)}}
            return Request(session, f"/api/v1/sessions/{session['id']}/responses", body, self.key(),
                token=person.answer.json["receipt"])
        if choice < 0.45 and self.check_ins:
            again = self.random.choice(self.check_ins)
            self.check_ins.remove(again)
            return again
        session = self.random.choice(self.torture.sessions)
        email = f"p{self.number}.{self.people}@example.org"
        self.people += 1
        way = {"code": code_of(session)} if self.random.random() < 0.5 else {"joinCode": session["joinCode"]}
        return Request(session, "/api/v1/check-ins", {**way, "name": f"Person {self.people}", "email": email},
            self.key(), email=email)

    def key(self):
        return f"{self.number}-{self.random.getrandbits(64):x}"


class Torture:
    def __init__(self, seed, server=None):
        self.seed = seed
        self.random = random.Random(f"{seed}/killer")
        self.server = server or Server("--signup", "open")
        self.count = 0
        self.changed = threading.Condition()

    def prepare(self):
        self.server.start()
        self.host = Host(self.server)
        self.sessions = []
        for number, anonymous in enumerate([True, False, False]):
            session = self.host.session(f"Hall {number}",
                session={"questions": [RATING], "anonymous": anonymous})
            self.sessions.append(
                {**session, "rating": self.host.questions(session)["rating"], "anonymous": anonymous})
        self.workers = [Worker(self, number) for number in range(WORKERS)]

    def acknowledged(self):
        with self.changed:
            self.count += 1
            self.changed.notify_all()

    def round(self):
        """Runs load, kills the server, and checks what is left. Returns how much was acknowledged."""
        target = self.count + self.random.randint(20, 150)
        before = self.count
        over = threading.Event()
        threads = [threading.Thread(target=worker.run, args=(over,), daemon=True) for worker in self.workers]
        for thread in threads:
            thread.start()
        with self.changed:
            self.changed.wait_for(lambda: self.count >= target
                or not any(thread.is_alive() for thread in threads), 10 * PATIENCE)
        time.sleep(self.random.random() * 0.01)
        self.server.kill()
        over.set()
        for thread in threads:
            thread.join(30 * PATIENCE)
        self.raise_failures()
        self.look()
        return self.count - before

    def raise_failures(self):
        for worker in self.workers:
            if worker.failure:
                raise worker.failure

    def restart(self):
        """The server is back: its answers agree with its rows, and every waiting client gets one."""
        self.server.start()
        for session in self.sessions:
            path = f"/api/v1/sessions/{session['id']}"
            checked_in = self.host.get(path).expect(200).json["attendance"]["checkedIn"]
            kept = self.rows("SELECT count(*) FROM attendees WHERE session = ? AND status IN (1, 2)",
                session)[0][0]
            require(checked_in == kept, f"{checked_in} are told to be in, {kept} are kept")
            if not session["anonymous"]:
                tally = self.host.get(path + "/results").expect(200).json["tallies"][0]
                stars = collections.Counter(
                    value for text, in self.rows("SELECT answers FROM responses WHERE session = ?", session)
                    for value in json.loads(text).values())
                recount = [stars[number] for number in range(1, 6)]
                require(tally["counts"] == recount, f"tally {tally['counts']}, recount {recount}")
        for worker in self.workers:
            if worker.pending is not None and self.is_anonymous_response(worker.pending):
                self.settle_anonymous(worker)

    @staticmethod
    def is_anonymous_response(request):
        return request.email is None and request.session["anonymous"]

    def settle_anonymous(self, worker):
        """No key is stored for an anonymous response: its retry is accepted, or gets `already_responded`."""
        request, worker.pending = worker.pending, None
        answer = worker.api.request(
            "POST", request.path, request.body,
            headers={"Idempotency-Key": request.key, "Content-Type": "application/json"}, token=request.token)
        require(answer.status == 201 or answer.code == "already_responded",
            f"an anonymous retry was answered {answer}")
        worker.responses.append(request)

    def rows(self, sql, session):
        return rows(self.server.folder, sql, id_bytes(session["id"]))

    def look(self):
        """Checks the files only."""
        verification = Admin("verify", folder=self.server.folder)
        require(verification.code == 0 and verification.answer["ok"],
            f"verify found {verification.answer} {verification.said}")
        for session in self.sessions:
            self.look_at(session)

    def look_at(self, session):
        def sent(requests):
            return [request for request in requests if request.session is session]

        pending = sent(worker.pending for worker in self.workers if worker.pending)
        acknowledged = {request.email for worker in self.workers for request in sent(worker.check_ins)}
        kept = [identity for identity,
            in self.rows("SELECT identity FROM attendees WHERE session = ?", session)]
        require(len(kept) == len(set(kept)), "somebody is there twice")
        require(acknowledged <= set(kept), f"acknowledged and lost: {acknowledged - set(kept)}")
        unsent = set(kept) - acknowledged - {request.email for request in pending}
        require(not unsent, f"nobody sent {unsent}")

        events = self.rows("SELECT sequence, kind, attendee FROM events WHERE session = ? ORDER BY sequence",
            session)
        require([event[0] for event in events] == list(range(1, len(events) + 1)), "a gap in the journal")
        arrivals = [event[2] for event in events if event[1] == 1]
        require(len(arrivals) == len(set(arrivals)) == len(kept),
            "arrivals in the journal and attendees differ")

        responded = sum(len(sent(worker.responses)) for worker in self.workers)
        waiting = sum(request.email is None for request in pending)
        responses = self.rows("SELECT count(*), count(DISTINCT attendee) FROM responses WHERE session = ?",
            session)[0]
        marks = self.rows(
            "SELECT count(*) FROM answered WHERE attendee IN (SELECT id FROM attendees WHERE session = ?)",
            session)[0][0]
        require(responded <= responses[0] <= responded + waiting,
            f"{responded} acknowledged responses, {responses[0]} kept, {waiting} waiting")
        require(responses[0] == marks, f"{responses[0]} responses, {marks} marks")
        require(session["anonymous"] or responses[0] == responses[1], "somebody's response is there twice")

    @property
    def cut_off(self):
        return sum(request.was_cut_off for worker in self.workers
            for request in worker.check_ins + worker.responses)

    def finish(self):
        """Every waiting client gets an answer, and the server ends with 0."""
        for worker in self.workers:
            if worker.pending is not None:
                require(worker.pending.send(worker.api), "a retry was not answered")
                (worker.check_ins if worker.pending.email else worker.responses).append(worker.pending)
                worker.pending = None
        require(self.server.stop() == 0, "the server did not end well")
        self.look()

    def run(self, rounds, tell=lambda text: None):
        try:
            self.prepare()
            for number in range(rounds):
                acknowledged = self.round()
                require(acknowledged > 0, "nobody was answered before the kill")
                self.restart()
                tell(f"round {number + 1}: {acknowledged} acknowledged before the kill, all there")
            self.finish()
        finally:
            self.server.close()


def id_bytes(text):
    """Returns the 16 bytes of an id: 128 bits in Crockford's base 32."""
    value = 0
    for letter in text:
        value = value * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(letter)
    return value.to_bytes(16, "big")


def main():
    parser = argparse.ArgumentParser(prog="scripts/torture kills", description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None,
        help="what people do and when the server dies; a new one by default")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    repeat = f"scripts/torture kills --rounds {options.rounds} --seed {seed}"
    print(f"seed {seed}; again: {repeat}", flush=True)
    torture = Torture(seed)
    try:
        torture.run(options.rounds, lambda text: print(text, flush=True))
    except Broken as broken:
        print(f"BROKEN: {broken}\nagain: {repeat}", file=sys.stderr)
        return 1
    print(
        f"nothing acknowledged was lost: {torture.count} acknowledged; "
        f"{torture.cut_off} more were committed, cut off, and answered on their retry")
    return 0


if __name__ == "__main__":
    sys.exit(main())
