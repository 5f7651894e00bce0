"""A command whose output is lost fails, so that a script never takes a part of it for the whole."""
import os
import shlex
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

from command_names import command_names
from host import PASSWORD, Host, check_in
from server_process import DEADLINE, QRING, Server
from image import image

# The arguments of every command, in lanes that run at the same time. Each lane has its own account, its own
# meeting and its own folder, and its commands run one after the other, so that each finds what it needs.
# {…} stands for the lane's values. A command that prints nothing to standard output has the exit code 0.
QUIET, LOUD = 0, 1
LANES = {
    "programs": {
        "serve": (LOUD, "--help"), "demo": (LOUD, "--listen 127.0.0.1:0 --attendees 1 --over 50ms --exit"),
        "openapi": (LOUD, ""), "asyncapi": (LOUD, ""), "version": (LOUD, ""), "help": (LOUD, "watch"),
        "completion": (LOUD, "bash"), "bench": (LOUD, "--help"),
        "context add": (QUIET, "work http://127.0.0.1:1"), "context use": (QUIET, "work"),
        "context rename": (QUIET, "work home"), "context list": (LOUD, "--json"),
        "context remove": (QUIET, "home --yes"),
        "config set": (QUIET, "language en"), "config get": (LOUD, "language"), "config list": (LOUD, ""),
        "alias set": (QUIET, "w 'watch @'"), "alias list": (LOUD, ""), "alias delete": (QUIET, "w"),
    },
    "accounts": {
        "signup": (LOUD, "--email new@example.org --name New --password-file {password} --json"),
        "login": (LOUD, "--email new@example.org --password-file {password} --json"),
        "logout": (QUIET, "--email new@example.org"), "verify": (LOUD, "--help"),
        "password reset": (LOUD, "--help"), "account delete": (LOUD, "--help"),
        "account export": (LOUD, ""), "account show": (LOUD, ""),
        "account edit": (LOUD, "--nickname Owl --json"), "whoami": (LOUD, ""),
        "token create": (LOUD, "nightly"),
        "token list": (LOUD, ""), "token revoke": (QUIET, "nightly"), "api": (LOUD, "GET meetings"),
        "invite": (LOUD, "lee@example.org"), "session nearest": (LOUD, ""),
        "open": (LOUD, ""), "copy": (LOUD, "code {session}"), "events": (LOUD, "{session}"),
        "watch": (LOUD, "{session}"), "dashboard": (LOUD, "{session}"), "present": (LOUD, "{session}"),
        "qr": (LOUD, "{session} --png -"), "simulate": (LOUD, "{empty} --attendees 1 --over 1ms"),
    },
    "meetings": {
        "meeting create": (LOUD, "Other --starts +30h"), "meeting list": (LOUD, ""),
        "webhook create": (LOUD, "{meeting} https://example.org/events"), "webhook list": (LOUD, "{meeting}"),
        "webhook test": (QUIET, "{meeting} https://example.org/events"),
        "webhook log": (LOUD, "{meeting} https://example.org/events"),
        "webhook retry": (QUIET, "{meeting} https://example.org/events"),
        "webhook rotate": (LOUD, "{meeting} https://example.org/events"),
        "webhook delete": (QUIET, "{meeting} https://example.org/events --yes"),
        "meeting show": (LOUD, "{meeting}"), "meeting log": (LOUD, "{meeting} --json"),
        "meeting edit": (LOUD, "{meeting} --place Hall --json"),
        "meeting continue": (LOUD, "{meeting} --starts +50h"),
        "meeting repeat": (LOUD, "{meeting} --rule weekly --count 1"),
        "meeting calendar": (LOUD, "{meeting} -"), "meeting poster": (LOUD, "{meeting} -"),
        "meeting image set": (LOUD, "{meeting} {picture}"), "meeting image get": (LOUD, "{meeting} -"),
        "meeting image remove": (LOUD, "{meeting} --yes"),
        "meeting members list": (LOUD, "{meeting}"), "meeting invitations": (LOUD, "--json"),
        "meeting members invite": (LOUD, "{meeting} {other}"), "meeting accept": (LOUD, "{invitation}"),
        "meeting members role": (LOUD, "{meeting} {third} --role viewer"),
        "meeting members remove": (LOUD, "{meeting} {third}"),
        "meeting members leave": (LOUD, "{joined}"),
        "session list": (LOUD, "{meeting}"), "session show": (LOUD, "{session}"),
        "session edit": (LOUD, "{session} --planned 4"), "session redo": (LOUD, "--help"),
        "session delete": (QUIET, "{later} --yes"),
        "meeting delete": (QUIET, "{meeting} --confirm 'Study group'"),
    },
    "people": {
        "meeting roster add": (LOUD, "{meeting} Kim --email kim@example.org --json"),
        "meeting roster list": (LOUD, "{meeting}"), "meeting absences": (LOUD, "{meeting}"),
        "meeting roster rename": (LOUD, "{meeting} kim@example.org --name 'Kim B.' --json"),
        "meeting roster archive": (LOUD, "{meeting} kim@example.org --json"),
        "meeting roster import": (LOUD, "{meeting} {people}"),
        "meeting roster export": (LOUD, "{meeting} lee@example.org"),
        "certificate create": (QUIET, "{meeting}"), "certificate list": (LOUD, "{meeting} --json"),
        "certificate print": (LOUD, "--help"), "certificate badge": (LOUD, "--help"),
        "certificate mail": (QUIET, "{meeting}"), "certificate revoke": (LOUD, "--help"),
        "certificate keys": (LOUD, "--json"), "certificate verify": (LOUD, "--help"),
        "pass create": (QUIET, "{meeting} lee@example.org"), "pass list": (LOUD, "{meeting}"),
        "pass print": (LOUD, "{meeting} --to -"), "pass renew": (LOUD, "{meeting} lee@example.org"),
        "rsvp set": (LOUD, "{session} --replies open --seats 9 --json"), "rsvp": (LOUD, "{session}"),
        "rsvp mail": (LOUD, "{session} --json"), "rsvp list": (LOUD, "{session} --json"),
        "rsvp export": (LOUD, "{session}"), "rsvp approve": (LOUD, "--help"),
        "rsvp decline": (LOUD, "--help"), "rsvp remove": (LOUD, "--help"),
        "attendee admit": (LOUD, "--help"), "door": (LOUD, "--help"),
        "offline-door add": (LOUD, "{session} --door 2 --name Gate"),
        "offline-door list": (LOUD, "{session}"), "offline-door doubles": (LOUD, "{session} --json"),
        "offline-door revoke": (QUIET, "{session} Gate"), "offline-door accept": (LOUD, "--help"),
        "offline-door reject": (LOUD, "--help"), "attendee leave": (LOUD, "--help"),
        "attendee return": (LOUD, "--help"), "pass revoke": (QUIET, "{meeting} lee@example.org"),
        "meeting roster erase": (QUIET, "{meeting} lee@example.org --yes"),
        "checkin": (LOUD, "{code} --name Ann --email ann@example.org"),
        "attendee list": (LOUD, "{session}"), "attendee export": (LOUD, "{session} -"),
        "attendee add": (LOUD, "{session} Bob --email bob@example.org"),
        "attendee edit": (LOUD, "{session} bob@example.org --status late"),
        "attendee undo": (LOUD, "{session} {corrected}"),
        "attendee merge": (LOUD, "{session} bob@example.org ann@example.org"),
        "session undo": (LOUD, "{session} {merged}"), "session journal": (LOUD, "{session}"),
        "session review": (LOUD, "{session}"), "session sheet": (LOUD, "{session} -"),
        "meeting roster keep": (LOUD, "{meeting} bob@example.org --session {session} --json"),
        "attendee remove": (LOUD, "{session} bob@example.org"),
    },
    "answers": {
        "respond": (LOUD, "{session} --answers {answers} --json"),
        "question list": (LOUD, "{session}"), "question sets": (LOUD, "{session}"),
        "question export": (LOUD, "{session}"), "results": (LOUD, "{session}"),
        "question set": (LOUD, "{session} {questions} --set new --json"),
        "question import": (LOUD, "{session} {questions} --set other --json"),
        "question edit": (LOUD, "{session} --set new --open yes --json"),
        "question copy": (LOUD, "{session} {empty}"),
        "poll": (LOUD, "{session} 'A break?' --choice Yes --choice No --open --json"),
        "poll list": (LOUD, "{session}"), "poll close": (LOUD, "{session} poll-1 --json"),
        "poll open": (LOUD, "{session} poll-1 --json"), "poll share": (LOUD, "{session} poll-1 --json"),
        "poll reveal": (LOUD, "{session} poll-1 --json"), "poll delete": (QUIET, "{session} poll-1 --yes"),
    },
    "texts": {
        "ask open": (LOUD, "{session} --json"), "ask send": (LOUD, "Why? --json"),
        "ask": (LOUD, "{session}"), "ask export": (LOUD, "{session}"),
        "ask vote": (LOUD, "{session} {question} --json"),
        "ask answer": (LOUD, "{session} {question} --text So --json"),
        "ask pin": (LOUD, "{session} {question} --json"), "ask hide": (LOUD, "{session} {question} --json"),
        "ask show": (LOUD, "{session} {question} --json"),
        "ask words": (LOUD, "{session} --word spam --json"),
        "ask merge": (LOUD, "{session} {question} {second} --json"), "ask close": (LOUD, "{session} --json"),
        "moderate": (LOUD, "{session} --json"), "moderate show": (LOUD, "--help"),
        "moderate hide": (LOUD, "--help"), "moderate mode": (LOUD, "{session} --check before --json"),
        "groups on": (LOUD, "{session} --json"), "groups": (LOUD, "{session} --json"),
        "groups reports": (LOUD, "{session} --json"), "groups exclude": (LOUD, "--help"),
        "groups dismiss": (LOUD, "--help"), "groups off": (LOUD, "{session} --json"),
    },
    "operators": {
        "admin user create": (LOUD, "a@example.org --name A --password-file {password} --data {data}"),
        "admin user list": (LOUD, "--data {data}"), "admin verify": (LOUD, "--data {data}"),
        "admin top": (LOUD, "--help"), "admin rotate-certificate-key": (LOUD, "--data {data}"),
        "admin settings": (LOUD, "--all"),
        "admin doctor": (LOUD, "--data {data}"), "admin log": (LOUD, "--data {data} --json"),
        "admin person export": (LOUD, "a@example.org --data {data} --json"),
        "admin person erase": (LOUD, "--help"), "admin user show": (LOUD, "a@example.org --data {data}"),
        "admin mail queue": (LOUD, "--data {data} --json"), "admin mail retry": (LOUD, "--help"),
        "admin mail drop": (LOUD, "--help"), "admin mail test": (LOUD, "--help"),
        "admin user invite": (LOUD, "c@example.org --data {data}"),
        "admin user suspend": (LOUD, "a@example.org --data {data}"),
        "admin user resume": (LOUD, "a@example.org --data {data}"),
        "admin user reset-password": (LOUD, "a@example.org --data {data} --json"),
        "admin user make-operator": (LOUD, "a@example.org --data {data}"),
        "admin user operator": (LOUD, "a@example.org --data {data}"),
        "admin user delete": (LOUD, "a@example.org --data {data}"),
        "admin backup": (LOUD, "{backup} --data {data}"),
        "admin restore": (LOUD, "{backup} --data {data}2"), "admin rotate-secret": (QUIET, "--data {data}"),
        "admin backup-key": (LOUD, "backups.key"),
        "admin copy": (LOUD, "--help"), "admin nodes": (LOUD, "--help"),
        "admin new-epoch": (LOUD, "--help"),
    },
}
FULL = "standard output cannot be written: No space left on device."


class Lane:
    """An account with a running meeting, and a folder."""

    def __init__(self, server, folder):
        self.folder = folder
        self.host = Host(server)
        self.environment = {**Server.environment(), "HOME": folder, "XDG_CONFIG_HOME": folder,
            "QRING_LANG": "en", "QRING_SERVER": server.url, "QRING_TOKEN": self.host.token}
        made = self.host.meeting()
        self.made = made["session"]
        self.meeting, self.session = made["meeting"]["id"], made["session"]["id"]
        self.path = f"/api/v1/sessions/{self.session}"
        self.values = {
            "meeting": self.meeting, "session": self.session, "code": made["session"]["joinCode"],
            "empty": self.host.session("Empty", session={"questions": []})["id"], "data": "data",
            "backup": "copy.backup", "corrected": lambda: self.last("corrected"),
            "merged": lambda: self.last("merged"), "password": self.file("password", PASSWORD.encode()),
            "answers": self.file("answers.json", b'{"3": 5}'),
            "questions": self.file("questions.json",
                b'{"questions": [{"kind": "rating", "title": "How?"}]}'),
            "people": self.file("people.csv", b"name,email\nLee,lee@example.org\n"),
            "picture": self.file("picture.png", image(8, 8)), "later": self.later,
        }

    def ask(self):
        """Lets an attendee ask two questions."""
        self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
        receipt = check_in(self.host, self.made, "Cleo", "cleo@example.org").expect(201).json["receipt"]
        self.values["question"], self.values["second"] = [
            self.host.post(f"{self.path}/audience-questions", {"text": text}, token=receipt).expect(201).json[
                "id"] for text in ["Where?", "When?"]]

    def join(self, third, other):
        """Makes `third` a member of the meeting, and lets `other` invite this lane's host."""
        joined = other.meeting("Joined")["meeting"]["id"]
        invitation = self.invite(self.host, self.meeting, third)
        third.post("/api/v1/me/invitations", {"invitation": invitation}).expect(200)
        self.values |= {"joined": joined, "invitation": self.invite(other, joined, self.host),
            "third": third.email, "other": other.email}

    @staticmethod
    def invite(host, meeting, guest):
        """Returns the invitation of `guest` to the meeting of `host`."""
        invited = host.post(f"/api/v1/meetings/{meeting}/members", {"email": guest.email, "role": "host"})
        return invited.expect(201).json["invitation"]

    def run(self, *words, out=subprocess.PIPE):
        return subprocess.run([QRING, *words], env=self.environment, cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True, timeout=DEADLINE)

    def lose(self, rows):
        """Runs the commands with a full disk as their output. Returns the expected and the real outcomes."""
        outcomes = []
        with open("/dev/full", "w", encoding="utf-8") as full:
            for name, (code, line) in rows.items():
                values = {key: value() if callable(value) and f"{{{key}}}" in line else value
                    for key, value in self.values.items()}
                words = [word.format(**values) for word in shlex.split(line)]
                outcomes.append((name, code, self.run(*name.split(), *words, out=full)))
        return outcomes

    def file(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file: file.write(content)
        return name

    def last(self, kind):
        """Returns the number of the last event of this kind."""
        return [event for event in self.host.all(f"{self.path}/journal") if event["kind"] == kind][-1][
            "sequence"]

    def later(self):
        """Returns the id of the meeting's last session."""
        sessions = self.host.all(f"/api/v1/meetings/{self.meeting}/sessions")
        return max(sessions, key=lambda found: found["startsAt"])["id"]


class LostOutputTests(unittest.TestCase):
    environment = {**Server.environment(), "QRING_LANG": "en"}

    def test_every_command_fails_if_its_output_is_lost(self):
        server = self.enterContext(Server("--signup", "open"))
        # The first account is the server's operator, who may invite people.
        lanes = {name: Lane(server, self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-")))
            for name in ["accounts", *(set(LANES) - {"accounts"})]}
        lanes["meetings"].join(Host(server), Host(server))
        lanes["texts"].ask()
        for name in ["answers", "texts"]:
            lane = lanes[name]
            ran = lane.run("checkin", lane.values["code"], "--name", "Ann", "--email", "ann@example.org")
            self.assertEqual(ran.returncode, 0, ran.stderr)
        # Nobody can delete the operator of the folder, so it needs a second account.
        operators = lanes["operators"]
        ran = operators.run("admin", "user", "create", "o@example.org", "--name", "O", "--password-file",
            "password", "--data", "data")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        with ThreadPoolExecutor(len(LANES) + 1) as pool:
            names = pool.submit(command_names, lambda *words: lanes["programs"].run(*words).stdout)
            for outcomes in pool.map(lambda name: lanes[name].lose(LANES[name]), LANES):
                for name, code, ran in outcomes:
                    with self.subTest(name):
                        self.assertEqual((ran.returncode, FULL in ran.stderr), (code, code == LOUD),
                            ran.stderr)
            rows = {name for lane in LANES.values() for name in lane}
            self.assertEqual(set(names.result()) - rows, set(), "these commands have no row")
            self.assertEqual(rows - set(names.result()), set(), "there are no such commands")

    def test_a_closed_output_is_an_error_and_never_goes_to_a_connection(self):
        ran = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", QRING, "version"], env=self.environment,
            stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("standard output cannot be written: Bad file descriptor.", ran.stderr)

    def test_a_closed_pipe_ends_the_command_quietly(self):
        ran = subprocess.run(["bash", "-c", '"$1" openapi | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"',
            "bash", QRING], env=self.environment, capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual((ran.stdout, ran.stderr), ("141\n", ""))


if __name__ == "__main__":
    unittest.main()
