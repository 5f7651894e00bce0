"""A server with an example of everything, and the form of every refusal."""
import os
import re
import sqlite3
import unittest

from api import API
from host import Host, check_in, code_of
from server_process import Server

# A well-formed id that does not exist.
UNKNOWN = "01M7X9G8BNMZXT5QT5Q59Y1TCE"
CODES = os.path.join(os.path.dirname(__file__), "..", "..", "Sources", "Wire", "Problems",
    "ProblemCode.swift")


def documented_codes():
    with open(CODES, encoding="utf-8") as file:
        text = file.read().split("package var status", 1)[0]
    return {explicit or name for name, explicit in re.findall(r'case (\w+)(?: = "(\w+)")?', text)}


def told(answer):
    return [(error["field"], error["code"]) for error in answer.json["errors"]]


class Hall:
    """A meeting whose session is running with an attendee, a session that is over, and the codes of each."""

    def __init__(self, server):
        # The first account is the operator's.
        self.host = Host(server)
        self.stranger = Host(server)
        self.gone = Host(server)
        self.anybody = API(server)
        made = self.host.meeting("Running")
        self.meeting, self.session = made["meeting"], made["session"]
        self.code, self.join_code = code_of(self.session), self.session["joinCode"]
        self.questions = self.host.questions(self.session)
        self.person = check_in(self.anybody, self.session, "Lee", "lee@example.org").expect(201).json
        self.receipt = self.person["receipt"]
        self.attendee = self.person["attendee"]["id"]
        self.host.patch(f"/api/v1/sessions/{self.session['id']}/sets/feedback",
            {"publishedAs": "form"}).expect(200)
        self.link = self.host.post(f"/api/v1/sessions/{self.session['id']}/presenter-links").expect(201).json
        self.kiosk = self.host.post(f"/api/v1/sessions/{self.session['id']}/kiosk-links").expect(201).json
        self.ask_for_replies()
        door = self.host.post(f"/api/v1/sessions/{self.session['id']}/satellites",
            {"name": "Gate", "door": 1}).expect(201).json
        self.laptop = self.anybody.post("/api/v1/satellites",
            {"code": door["code"], "publicKey": "A" * 43}).expect(201).json
        self.grant = self.new_grant(self.session)

        self.over = self.host.session("Over")
        self.over_grant = self.new_grant(self.over)
        self.over_questions = self.host.questions(self.over)
        self.over_person = check_in(self.anybody, self.over, "Park", "park@example.org").expect(201).json
        self.over_link = self.host.post(f"/api/v1/sessions/{self.over['id']}/presenter-links").expect(
            201).json
        self.gone.delete("/api/v1/tokens/current").expect(204)
        self.expired = Host(server)

    def new_grant(self, session):
        return self.anybody.post("/api/v1/grants", {"code": code_of(session)}).expect(201).json["grant"]

    def let_time_pass(self, database):
        """Makes days pass: one session and its feedback window have ended, and one sign-in has expired."""
        with sqlite3.connect(database) as connection:
            connection.execute(
                "UPDATE sessions SET starts_at = starts_at - 10800000, ends_at = ends_at - 10800000, "
                "feedback_closes_hours_after = 0"
                " WHERE join_code = ?", [self.over["joinCode"]])
            connection.execute(
                "UPDATE tokens SET expires_at = created_at WHERE account = (SELECT id FROM accounts WHERE "
                "email = ?)", [self.expired.email])
        connection.close()

    def webhook(self):
        """Returns the id of a web hook of the meeting. A test may have deleted an earlier one."""
        hooks = f"/api/v1/meetings/{self.meeting['id']}/webhooks"
        answer = self.host.get(hooks)
        if answer.status != 200:
            # A test has ended the sign-in.
            return UNKNOWN
        found = answer.json["items"]
        if not found:
            found = [self.host.post(hooks, {"url": "https://example.org/events"}).expect(201).json]
        return found[0]["id"]

    def ask_for_replies(self):
        """Opens the session for replies, also if a test has closed it. After a test has ended the sign-in,
        the code stays."""
        answer = self.host.patch(f"/api/v1/sessions/{self.session['id']}/reply-settings", {"mode": "open"})
        if answer.status == 200:
            self.reply_code = answer.json["url"].rsplit("/", 1)[1]

    def path(self, pattern):
        """Returns the path of the pattern with ids that exist."""
        if pattern == "/{code}":
            return f"/{self.join_code}"
        if pattern == "/R/{code}" or pattern.endswith("/reply-qr.svg"):
            self.ask_for_replies()
        if pattern == "/R/{code}":
            return f"/R/{self.reply_code}"
        path = pattern.replace("{linkId}", self.link["id"]).replace("{set}", "feedback").replace("{code}",
            self.code)
        for name in ["personId", "passId", "certificateId", "invitationId", "questionId", "answerId",
                "requestId", "reportId", "replyId"]:
            path = path.replace("{" + name + "}", UNKNOWN)
        if "{webhookId}" in path:
            path = path.replace("{webhookId}", self.webhook())
        # An operator's routes may end an account, so they get one that nobody uses any more.
        account = self.gone if path.startswith("/api/v1/users/") else self.host
        path = path.replace("{accountId}", account.account["id"])
        if path.startswith("/api/v1/meetings/"):
            path = path.replace("{id}", self.meeting["id"])
        if path.startswith("/api/v1/attendees/"):
            path = path.replace("{id}", self.attendee)
        if path.startswith("/api/v1/questions/"):
            path = path.replace("{id}", self.questions["shortAnswer"])
        return path.replace("{id}", self.session["id"]).replace("{typeID}", "form")

    def token(self, route):
        """Returns the token of a caller who may use the route."""
        return {"anyone": None, "attendee": self.receipt, "kiosk": self.kiosk["token"],
            "satellite": self.laptop["token"]}.get(route.access, self.host.token)

    def send(self, route, path=None, **options):
        options.setdefault("token", self.token(route))
        return self.anybody.request(route.method, path or self.path(route.pattern), **options)


class ProblemCase(unittest.TestCase):
    """One server and hall for all tests of a class. No test changes anything, because every request is wrong.
    """

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.hall = Hall(cls.server)
        assert cls.server.stop() == 0
        cls.hall.let_time_pass(cls.server.database)
        cls.server.start()
        cls.codes = documented_codes()

    def assert_problem(self, answer, status=None, code=None, field=None):
        self.assertLess(answer.status, 500, answer)
        self.assertGreaterEqual(answer.status, 400, answer)
        self.assertEqual(answer.headers.get_content_type(), "application/problem+json", answer)
        problem = answer.json
        for name in ["type", "title", "detail", "code", "requestId"]:
            self.assertIsInstance(problem.get(name), str, answer)
            self.assertTrue(problem[name], answer)
        self.assertEqual(problem["status"], answer.status)
        self.assertIn(problem["code"], self.codes)
        self.assertEqual(problem["requestId"], answer.headers["X-Request-Id"])
        self.assertNotIn("{", problem["title"] + problem["detail"])
        if answer.status == 401:
            self.assertEqual(answer.headers["WWW-Authenticate"], "Bearer")
        if answer.status in (429, 503):
            self.assertRegex(answer.headers["Retry-After"], r"^\d+$")
        if problem["code"] == "invalid_fields":
            self.assertTrue(problem["errors"], answer)
            for error in problem["errors"]:
                self.assertLessEqual({"field", "code", "message"}, set(error))
                self.assertNotIn("{", error["message"])
        if status is not None:
            self.assertIn(answer.status, status if isinstance(status, tuple) else (status,), answer)
        if code is not None:
            self.assertIn(problem["code"], code if isinstance(code, tuple) else (code,), answer)
        if field is not None:
            self.assertTrue(any(error["field"].startswith(field) for error in problem["errors"]), answer)
        return problem
