"""The data of a release, with every feature used, so that each later version must open it.

usage: release_data.py VERSION     writes Tests/Fixtures/releases/VERSION.tar.gz with the program in QRING
Run it for each release that people can install. test_upgrades.py opens all of them.
"""
import datetime
import glob
import io
import json
import os
import re
import shutil
import sqlite3
import sys
import tarfile

from api import API
from chaos_nodes import faketime
from host import QUESTIONS, Host, check_in, moment
from image import image
from server_process import Server, wait_until

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Fixtures", "releases")
# Rows of these tables exist only during an operation, or after one with thousands of steps.
PASSING = {"jobs", "job_plans", "job_reports", "erasures"}
MORE = [
    {"kind": "wordCloud", "title": "One word?"},
    {"kind": "ranking", "title": "What first?", "choices": [{"label": "Talks"}, {"label": "Walks"}]},
    {"kind": "shortAnswer", "title": "Why?"},
]
# The options of the server of the evening, and of the one that opens its data.
OPTIONS = ("--signup", "open", "--public-url", "https://qring.example.org")
# These values follow the clock and the server's start.
CHANGING = {"serverTime", "now", "code", "checkInUrl", "expiresInMs", "exportedAt"}


class Evening:
    """Uses every feature of a server. `looks` are requests, each with its token, whose answers must stay."""

    def __init__(self, server):
        self.server = server
        self.anybody = API(server)
        self.host = Host(server, "host@example.org", nickname="Owl", interests=["chess"])
        self.friend = Host(server, "friend@example.org")
        self.looks = []
        self.hold()
        self.answer()
        self.ask()
        self.meet()
        self.run_series()
        self.keep_accounts()

    def look(self, path, token=None):
        self.looks.append({"path": path, "token": token or self.host.token})

    def hold(self):
        """A session with everybody, its corrections and what was taken back."""
        made = self.host.meeting("Study group 스터디", place="Room 2", language="ko",
            accent="teal", description="Every Friday", timeZone="Asia/Seoul",
            session={"plannedCount": 30, "anonymous": True})
        self.meeting, self.session = f"/api/v1/meetings/{made['meeting']['id']}", made["session"]
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.host.put(f"{self.meeting}/image", body=image(40, 30), headers={"Content-Type": "image/png"}
            ).expect(204)
        self.came = [check_in(self.host, self.session, f"Guest {number} 🧭", f"guest{number}@example.org"
            ).expect(201).json for number in range(8)]
        attendees = [f"/api/v1/attendees/{one['attendee']['id']}" for one in self.came]
        self.host.patch(attendees[0], {"name": "다른 이름", "note": "ill", "reason": "asked"}).expect(200)
        self.host.patch(attendees[1], {"status": "late"}).expect(200)
        self.host.post(f"{attendees[6]}/merge", {"into": self.came[5]["attendee"]["id"]}).expect(200)
        self.host.delete(attendees[7]).expect(204)
        self.host.post(f"{self.path}/attendees", {"name": "By hand", "email": "hand@example.org"},
            headers={"Idempotency-Key": "a-key-of-the-fixture"}).expect(201)
        self.host.post(f"{self.path}/presenter-links").expect(201)
        # No request may go to this address, so the events wait.
        self.host.post(f"{self.meeting}/webhooks", {"url": "https://127.0.0.1:65535/"}).expect(201)
        self.look(f"{self.meeting}/webhooks")
        for part in ("", "/attendees?limit=100", "/journal?limit=100", "/presenter-links", "/arrivals"):
            self.look(self.path + part)
        self.look(self.meeting)
        for one in self.came[:6]:
            self.look("/api/v1/check-ins/current", one["receipt"])

    def answer(self):
        """The feedback, a poll, a moderated word cloud and a published form."""
        kinds = self.host.questions(self.session)
        for number, one in enumerate(self.came[:6]):
            self.anybody.post(f"{self.path}/responses", {"answers": {kinds["rating"]: number % 5 + 1,
                kinds["shortAnswer"]: f"Nothing, {number}"}}, token=one["receipt"]).expect(201)
        asked = {"kind": "multipleChoice", "title": "A break?",
            "choices": [{"label": "Yes"}, {"label": "No"}]}
        poll = self.host.post(f"{self.path}/polls", {"questions": [asked], "open": True}).expect(201).json
        chosen = poll["questions"][0]
        self.anybody.post(f"{self.path}/responses", {"set": poll["set"], "answers": {
            chosen["id"]: [chosen["choices"][0]["id"]]}}, token=self.came[0]["receipt"]).expect(201)
        self.host.put(f"{self.meeting}/held-words", {"words": ["spam"]}).expect(200)
        more = self.host.put(f"{self.path}/questions?set=more", {"questions": MORE, "promise": "named"}
            ).expect(200).json["questions"]
        self.host.patch(f"{self.path}/sets/more/moderation", {"moderation": "after"}).expect(200)
        self.host.patch(f"{self.path}/sets/more", {"open": True}).expect(200)
        ranked = [choice["id"] for choice in more[1]["choices"]]
        for one, word in zip(self.came, ["spam", "calm"]):
            answers = {more[0]["id"]: [word], more[1]["id"]: ranked, more[2]["id"]: f"For {word}"}
            self.anybody.post(f"{self.path}/responses", {"set": "more", "answers": answers},
                token=one["receipt"]).expect(201)
        form = self.host.meeting("Form", session={"questions": [
            {"name": "how", "kind": "rating", "title": "How was it?"}]})["session"]
        self.host.patch(f"/api/v1/sessions/{form['id']}/sets/feedback", {"publishedAs": "release",
            "open": True, "oncePerDevice": True}).expect(200)
        cookie = self.anybody.get("/api/question/release").expect(200).headers["Set-Cookie"].split(";")[0]
        self.anybody.post("/api/answers/release", {"how": 4}, headers={"Cookie": cookie}).expect(200)
        for path in (self.path, f"/api/v1/sessions/{form['id']}"):
            for part in ("/sets", "/results", "/results.json"):
                self.look(path + part)
        self.look(f"{self.path}/sets/more/moderation")
        self.look(f"{self.meeting}/held-words")

    def ask(self):
        """Questions of the audience, with votes, one taken back, an answer and a merge."""
        self.host.patch(f"{self.path}/audience-settings", {"open": True, "promise": "named"}).expect(200)
        questions = f"{self.path}/audience-questions"
        asked = [self.anybody.post(questions, {"text": f"Why {number}? 왜요"}, token=one["receipt"]
            ).expect(201).json["id"] for number, one in enumerate(self.came[:4])]
        for one in self.came[1:5]:
            self.anybody.put(f"{questions}/{asked[0]}/vote", token=one["receipt"]).expect(200)
        self.anybody.delete(f"{questions}/{asked[0]}/vote", token=self.came[4]["receipt"]).expect(200)
        self.host.patch(f"{questions}/{asked[0]}", {"status": "answered", "answer": "Because"}).expect(200)
        self.host.post(f"{questions}/{asked[2]}/merge", {"into": asked[1]}).expect(200)
        self.host.patch(f"{questions}/{asked[3]}", {"status": "hidden"}).expect(200)
        self.look(f"{questions}?limit=50")
        self.look(f"{self.path}/audience-settings")

    def meet(self):
        """Groups of interest: two people meet, one reports and blocks another."""
        self.host.patch(f"{self.path}/matching-settings", {"open": True, "places": ["Table 1"]}).expect(200)
        groups = f"{self.path}/matching"

        def see(person):
            return self.anybody.get(groups, token=self.came[person]["receipt"]).expect(200).json

        for person, nickname in enumerate(["Owl", "Fox", "Elk"]):
            self.anybody.put(f"{groups}/me", {"nickname": nickname, "keywords": ["chess"]},
                token=self.came[person]["receipt"]).expect(200)
        elk = see(0)["candidates"][1]["id"]
        for part, body in (("reports", {"person": elk, "text": "rude"}), ("blocks", {"person": elk})):
            self.anybody.post(f"{groups}/{part}", body, token=self.came[0]["receipt"]).expect(201, 204)
        self.anybody.post(f"{groups}/requests", {"to": see(0)["candidates"][0]["id"]},
            token=self.came[0]["receipt"]).expect(201)
        for person in (1, 2):
            for request in see(person)["requests"]:
                self.anybody.patch(f"{groups}/requests/{request['id']}", {"accept": True},
                    token=self.came[person]["receipt"]).expect(200)
        self.anybody.post("/api/v1/me/devices", {"token": "a" * 64, "platform": "fcm"},
            token=self.came[0]["receipt"]).expect(201)
        soon = self.host.session("Soon", starts=0.1, ends=30)
        early = check_in(self.host, soon, "Early", "early@example.org").expect(201).json
        self.anybody.post("/api/v1/me/devices", {"token": "b" * 64, "platform": "fcm"},
            token=early["receipt"]).expect(201)
        wait_until(lambda: "alerts" not in empty_tables(self.server.database))
        self.look(f"{groups}-settings")
        self.look(f"{groups}/reports")
        self.look("/api/v1/me/devices", self.came[0]["receipt"])

    def run_series(self):
        """Rosters with reminders, of which somebody wants none, another round, and a deleted session."""
        outbox = os.path.join(self.server.folder, "outbox", "*.eml")
        for name, count, all_mails in (("School", 20, 20), ("Choir", 3, 23)):
            made = self.host.meeting(name, starts=50, ends=110, place="Hall", timeZone="Asia/Seoul")
            series = f"/api/v1/meetings/{made['meeting']['id']}"
            self.host.put(f"{series}/roster", {"people": [{"name": f"{name} {number}", "email":
                f"{name}{number}@example.org", "number": str(number)} for number in range(count)]}
                ).expect(200)
            self.host.patch(series, {"reminders": "en"}).expect(200)
            wait_until(lambda most=all_mails: len(glob.glob(outbox)) >= most, lambda: glob.glob(outbox))
            self.host.post(f"{series}/sessions", {"startsAt": moment(500), "endsAt": moment(560),
                "allowOverlap": True}).expect(201)
            self.host.post(f"{series}/passes", {}).expect(200)
            first = self.host.get(f"{series}/passes?limit=1").expect(200).json["items"][0]["id"]
            self.host.delete(f"{series}/passes/{first}").expect(204)
            self.look(f"{series}/roster?limit=100")
            self.look(f"{series}/passes?limit=100")
            self.host.post(f"{series}/certificates", {}).expect(200)
            self.look(f"{series}/certificates?limit=100")
            self.look(f"{series}/sessions")
        self.host.delete(f"/api/v1/sessions/{made['session']['id']}").expect(204)
        with open(sorted(glob.glob(outbox))[0], encoding="utf-8") as mail:
            link = re.search(r"/unsubscribe/\w+", mail.read())[0]
        self.anybody.post(link, form={"from": "meeting"}, token=None).expect(200)

    def keep_accounts(self):
        """Members, invitations, tokens, a code, an export, and an account that has gone."""
        self.host.post(f"{self.meeting}/members", {"email": self.friend.email, "role": "host"}).expect(201)
        offer = self.friend.get("/api/v1/me/invitations").expect(200).json["items"][0]
        self.friend.post("/api/v1/me/invitations", {"invitation": offer["id"]}).expect(200)
        self.host.post(f"{self.meeting}/members", {"email": "new@example.org", "role": "viewer"}).expect(201)
        self.host.post("/api/v1/tokens/named", {"name": "script", "access": "read"}).expect(201)
        self.host.get("/api/v1/me/export").expect(200)
        self.anybody.post("/api/v1/accounts/password-resets", {"email": self.friend.email}, token=None
            ).expect(202)
        gone = Host(self.server, "gone@example.org")
        gone.request("DELETE", "/api/v1/me", json={"password": "correct horse battery"}).expect(204)
        for path in ("/api/v1/me", "/api/v1/meetings", f"{self.meeting}/members", f"{self.meeting}/actions"):
            self.look(path)
        self.look("/api/v1/meetings", self.friend.token)


def stable(answer):
    """Returns the answer without what follows the clock. Anonymous responses have no order."""
    if isinstance(answer, dict):
        found = {name: stable(value) for name, value in answer.items() if name not in CHANGING}
        if isinstance(found.get("responses"), list):
            found["responses"].sort(key=lambda response: json.dumps(response, sort_keys=True))
        return found
    return [stable(value) for value in answer] if isinstance(answer, list) else answer


def seen(server, looks):
    """Returns what a server shows for each of these requests."""
    api = API(server)
    return [stable(api.get(look["path"], token=look["token"]).expect(200).json) for look in looks]


def empty_tables(database):
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        tables = [name for name, in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
        return {name for name in tables if not connection.execute(f"SELECT 1 FROM {name}").fetchone()}
    finally:
        connection.close()


class Release:
    """The data of a release in a folder, and a server whose clock begins when the data was made."""

    def __init__(self, path, folder):
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
        self.folder = os.path.join(folder, "data")
        # Git and tar keep no modes that a server demands.
        os.chmod(self.folder, 0o700)
        with open(os.path.join(folder, "seen.json"), encoding="utf-8") as file:
            self.made = json.load(file)

    def server(self, *options):
        # The first process with the library moves its environment, beside which Swift looks for the words of
        # the command line. So `env` is that process.
        server = Server(*OPTIONS, *options, folder=self.folder, before=("env",))
        environment = {**Server.environment(), "LD_PRELOAD": faketime(), "FAKETIME": f"@{self.made['at']}",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": "UTC"}
        server.environment = lambda: environment
        return server


def main():
    if len(sys.argv) != 2 or not re.fullmatch(r"[0-9][0-9A-Za-z.-]*", sys.argv[1]):
        sys.exit(__doc__)
    with Server(*OPTIONS) as server:
        evening = Evening(server)
        server.stop()
        empty = empty_tables(server.database) - PASSING
        if empty:
            sys.exit(f"nothing is in {', '.join(sorted(empty))}: use these features in Evening")
        at = datetime.datetime.now(datetime.timezone.utc)
        kept = os.path.join(server.temporary, "kept")
        shutil.copytree(server.folder, kept)
        server.start()
        answers = seen(server, evening.looks)
        made = {"at": at.strftime("%Y-%m-%d %H:%M:%S"), "looks": [
            {**look, "seen": answer} for look, answer in zip(evening.looks, answers)]}
        os.makedirs(FOLDER, exist_ok=True)
        path = os.path.join(FOLDER, f"{sys.argv[1]}.tar.gz")
        with tarfile.open(path, "w:gz") as archive:
            for name in ("journal.db", "secret", "secret.lasting", "journal.mark", "codes.clock"):
                if os.path.exists(os.path.join(kept, name)):
                    archive.add(os.path.join(kept, name), f"data/{name}")
            text = json.dumps(made, ensure_ascii=False, indent=1).encode()
            entry = tarfile.TarInfo("seen.json")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
        print(f"{path}: {os.path.getsize(path)} bytes, {len(evening.looks)} answers")


if __name__ == "__main__":
    main()
