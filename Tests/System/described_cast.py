"""The data that a generated request needs to succeed: ids that exist, callers with the right, valid codes.
schemathesis generates the rest. A new route needs a line here if its path, its body or its caller is of a
new kind."""
import http.client
import itertools
import json
import os
import urllib.parse

from api import API
from host import PASSWORD, QUESTIONS, Host, check_in, code_of, moment
from problems import UNKNOWN
from server_process import DEADLINE, wait_until

# Operations that end a sign-in. For each, so many accounts exist before the run, because each account costs a
# password hash.
ENDING = ["DELETE /api/v1/me", "DELETE /api/v1/tokens/current", "POST /host/sign-out"]
SPARE = 6


# Operations that add rounds, or people to all rounds. Each costs a part of the account's limit of changes, so
# another account sends them, and the rounds do not make the edits of other meetings dear.
PLANNING = [f"/api/v1/meetings/{{id}}/{name}" for name in ["sessions", "sessions/repeat", "roster/keep"]]

FORM = "cast"
FORM_QUESTION = {"name": "how", "kind": "rating", "title": "How was it?"}


class Somewhere:
    """A server that another process started, by its port."""

    def __init__(self, port):
        self.port = port

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)


def prepare(server):
    """Runs in the test's process before the requests: creates accounts, and separate meetings for reading and
    for editing."""
    host, editor, renewed, visitor, browser = (Host(server) for _ in range(5))
    # Attendees can leave and return.
    leaving = {"checkOut": "phones"}
    running, published = host.meeting("Running", session=leaving), host.meeting("Published",
        session={"questions": [FORM_QUESTION]})
    picture = host.get(f"/api/v1/sessions/{running['session']['id']}/qr.png").expect(200).body
    host.put(f"/api/v1/meetings/{running['meeting']['id']}/image", body=picture,
        headers={"Content-Type": "image/png"}).expect(204)
    host.patch(f"/api/v1/sessions/{published['session']['id']}/sets/feedback",
        {"publishedAs": FORM}).expect(200)
    # More people than one slice has steps, so that the next session becomes a job.
    followed = f"/api/v1/meetings/{host.meeting('Followed')['meeting']['id']}"
    people = [{"name": f"P{number}", "email": f"job{number}@example.org"} for number in range(4200)]
    host.put(f"{followed}/roster", {"people": people}).expect(200)
    job = host.post(f"{followed}/sessions",
        {"startsAt": moment(30), "endsAt": moment(90), "allowOverlap": True},
        headers={"Prefer": "respond-async"}).expect(202).json["job"]["id"]
    wait_until(lambda: host.get(f"/api/v1/jobs/{job}").expect(200).json["state"] == "done")
    return {
        "formQuestion": next(iter(host.questions(published["session"]).values())),
        "port": server.port, "job": job, "operator": host.token,
        "editor": editor.token, "email": editor.email,
        "refresh": renewed.tokens["refreshToken"],
        "webRefresh": browser.tokens["refreshToken"],
        "visitor": visitor.token, "visitorEmail": visitor.email, "visitorAccount": visitor.account["id"],
        "spare": {operation: [Host(server).token for _ in range(SPARE)] for operation in ENDING},
        "running": running, "edited": host.meeting("Edited", session=leaving),
        "planned": editor.meeting("Planned"),
    }


class Caller(API):
    """Uses a new connection each time, because minutes may pass between two calls."""

    def as_(self, token):
        return Caller(self.server, token)

    def request(self, *arguments, **options):
        try:
            return super().request(*arguments, **options)
        finally:
            self.close()


class Cast:
    """Runs in the process of schemathesis: completes valid generated requests. Invalid ones stay invalid."""

    def __init__(self, prepared, at=None):
        """`at` is the server or a proxy before it; without one, the server that was prepared."""
        self.prepared = prepared
        self.anybody = Caller(at or Somewhere(prepared["port"]))
        self.host = self.anybody.as_(prepared["operator"])
        self.visitor = self.anybody.as_(prepared["visitor"])
        self.spare = prepared["spare"]
        self.refresh_token = prepared["refresh"]
        self.web_refresh_token = prepared["webRefresh"]
        self.numbers = itertools.count(1)
        self.links = []
        self.hook = None
        # The sequence number of the newest admission at a door.
        self.admitted = None
        # The token and the session of the kiosk of a request whose path or token is still to come.
        self.kiosk = None
        # The receipts of the two who take part in groups of interest, and the path of the groups.
        self.searching, self.groups = [], None

    @classmethod
    def of_environment(cls):
        with open(os.environ["QRING_CAST"], encoding="utf-8") as file:
            return cls(json.load(file))

    # Created anew for each request, because the operation ends it.

    def meeting(self):
        session = {"startsAt": moment(-5), "endsAt": moment(60), "allowOverlap": True, "questions": QUESTIONS}
        return self.host.post("/api/v1/meetings", {"name": "Made", "session": session}).expect(201).json

    def attendee(self):
        name = f"a{next(self.numbers)}@example.org"
        return check_in(self.anybody, self.prepared["running"]["session"], "Lee", name).expect(201).json

    def added(self, session):
        """Creates an attendee whom a host adds."""
        return self.host.post(f"/api/v1/sessions/{session}/attendees",
            {"name": "Park"}).expect(201).json["id"]

    def person(self, meeting):
        email = f"p{next(self.numbers)}@example.org"
        return self.host.post(f"/api/v1/meetings/{meeting}/roster",
            {"name": "Choi", "email": email}).expect(201).json["id"]

    def pass_of(self, meeting):
        """Gives a new person a pass, and returns the id of the pass."""
        passes, person = f"/api/v1/meetings/{meeting}/passes", self.person(meeting)
        self.host.post(passes, {"personId": person}).expect(200)
        return self.host.get(f"{passes}?person={person}").expect(200).json["items"][0]["id"]

    def satellite(self, session):
        """Adds an offline door, and returns the answer with its code."""
        name = f"Gate {next(self.numbers)}"
        return self.host.post(f"/api/v1/sessions/{session}/satellites",
            {"name": name, "door": 1}).expect(201).json

    def laptop(self):
        """Returns the token of a laptop that has joined as an offline door of a new session."""
        code = self.satellite(self.meeting()["session"]["id"])["code"]
        return self.anybody.post("/api/v1/satellites", {"code": code, "publicKey": "A" * 43}).expect(
            201).json["token"]

    def certificate_of(self, meeting):
        """Issues a certificate to a new person who was in a session that is over, and returns its id."""
        certificates, person = f"/api/v1/meetings/{meeting}/certificates", self.person(meeting)
        email = self.host.get(f"/api/v1/meetings/{meeting}/roster?limit=200").expect(200).json
        address = next(one["email"] for one in email["items"] if one["id"] == person)
        past = self.host.post(f"/api/v1/meetings/{meeting}/sessions", {"startsAt": moment(-180),
            "endsAt": moment(-120), "allowOverlap": True}).expect(201).json["id"]
        self.host.post(f"/api/v1/sessions/{past}/attendees", {"name": "Choi", "email": address,
            "status": "present"}).expect(201)
        self.host.post(certificates, {"personId": person}).expect(200)
        return self.host.get(f"{certificates}?person={person}").expect(200).json["items"][0]["id"]

    def kiosk_of_request(self):
        """Returns the token and the session of a new kiosk, the same for the path and the token of a
        request."""
        if self.kiosk:
            made, self.kiosk = self.kiosk, None
        else:
            session = self.meeting()["session"]["id"]
            link = self.host.post(f"/api/v1/sessions/{session}/kiosk-links").expect(201).json
            made = self.kiosk = link["token"], session
        return made

    def asked_for_replies(self, session):
        """Opens the session for replies, and returns the code of their page."""
        settings = self.host.patch(f"/api/v1/sessions/{session}/reply-settings", {"mode": "approval"})
        return settings.expect(200).json["url"].rsplit("/", 1)[1]

    def reply_to(self, session):
        """Sends a reply to the session, and returns its id."""
        code, email = self.asked_for_replies(session), f"r{next(self.numbers)}@example.org"
        form = urllib.parse.urlencode({"name": "Lee", "email": email, "answer": "yes"})
        self.anybody.post(f"/R/{code}", body=form.encode(), token=None,
            headers={"Content-Type": "application/x-www-form-urlencoded"}).expect(303)
        replies = self.host.get(f"/api/v1/sessions/{session}/replies?limit=200").expect(200).json["items"]
        return next(one["id"] for one in replies if one["identity"] == email)

    def invited(self, meeting):
        """Invites the visitor, and returns the id of the invitation."""
        invitation = {"email": self.prepared["visitorEmail"], "role": "viewer"}
        return self.host.post(f"/api/v1/meetings/{meeting}/members", invitation).expect(201).json["id"]

    def member(self):
        """Adds the visitor to a meeting of their own, and returns the ids."""
        meeting = self.meeting()["meeting"]["id"]
        self.visitor.post("/api/v1/me/invitations", {"invitation": self.invited(meeting)}).expect(200)
        return {"id": meeting, "accountId": self.prepared["visitorAccount"]}

    def user(self):
        """Creates an account as an operator does, and returns its id."""
        user = {"email": f"u{next(self.numbers)}@example.org", "name": "Made"}
        return self.host.post("/api/v1/users", user).expect(201).json["account"]["id"]

    def picture(self):
        return self.host.get(f"/api/v1/sessions/{self.prepared['running']['session']['id']}/qr.png").expect(
            200).body

    def asked(self, session):
        """Lets attendees ask and vote in the session, and writes down a question from the audience."""
        self.host.patch(f"/api/v1/sessions/{session}/audience-settings", {"open": True}).expect(200)
        return self.host.post(f"/api/v1/sessions/{session}/audience-questions",
            {"text": f"Why {next(self.numbers)}?"}).expect(201).json["id"]

    def couple(self):
        """Makes two attendees take part in groups of interest, instead of the two before. Returns the path
        of the groups."""
        groups = f"/api/v1/sessions/{self.prepared['running']['session']['id']}/matching"
        self.host.patch(f"{groups}-settings", {"open": True}).expect(200)
        for receipt in self.searching:
            self.anybody.delete(f"{groups}/me", token=receipt).expect(204)
        self.searching = [self.attendee()["receipt"] for _ in range(2)]
        for receipt in self.searching:
            profile = {"nickname": "Owl", "keywords": [receipt[-12:]]}
            self.anybody.put(f"{groups}/me", profile, token=receipt).expect(200)
        return groups

    def candidate(self, groups, caller):
        """Returns the id by which one of the couple finds the other one."""
        keyword = self.searching[1 - caller][-12:]
        seen = self.anybody.get(f"{groups}?keyword={keyword}", token=self.searching[caller])
        return seen.expect(200).json["candidates"][0]["id"]

    def asked_to_meet(self, groups):
        """Lets the other one of the couple ask the first one, and returns the id of the request."""
        body = {"to": self.candidate(groups, 1)}
        return self.anybody.post(f"{groups}/requests", body,
            token=self.searching[1]).expect(201).json["id"]

    def matching(self, path):
        """Returns the ids for a route of groups of interest, after its people have done what it needs."""
        groups = self.groups or self.couple()
        found = {"id": self.prepared["running"]["session"]["id"]}
        if "{requestId}" in path or path.endswith("/match"):
            found["requestId"] = self.asked_to_meet(groups)
        if path.endswith("/match"):
            self.anybody.patch(f"{groups}/requests/{found['requestId']}", {"accept": True},
                token=self.searching[0]).expect(200)
        if "{reportId}" in path:
            groups = self.couple()
            self.anybody.post(f"{groups}/reports", {"person": self.candidate(groups, 0)},
                token=self.searching[0]).expect(201)
            found["reportId"] = self.host.get(f"{groups}/reports").expect(200).json["items"][0]["id"]
        return found

    def link(self, session):
        return self.host.post(f"/api/v1/sessions/{session}/presenter-links").expect(201).json["id"]

    def question(self, kind):
        """Returns the id of a question of that kind, in the session that nothing edits."""
        session = self.prepared["running"]["session"]["id"]
        questions = self.host.get(f"/api/v1/sessions/{session}/questions").expect(200).json["questions"]
        return next(question["id"] for question in questions if question["kind"] == kind)

    def answered(self, question):
        """Returns the id of a text that answers the question, after three attendees have answered it."""
        path = f"/api/v1/sessions/{self.prepared['running']['session']['id']}"
        questions = self.host.get(f"{path}/questions").expect(200).json["questions"]
        rating = next(one["id"] for one in questions if one["kind"] == "rating")
        while not (texts := self.host.get(f"/api/v1/questions/{question}/answers").expect(200).json["items"]):
            self.anybody.post(f"{path}/responses", {"answers": {rating: 5, question: "Fine."}},
                token=self.attendee()["receipt"]).expect(201)
        return texts[0]["id"]

    def sign_in(self):
        """Signs the editor in once more, and returns the id of that sign-in."""
        before = self.sign_ins()
        self.anybody.post("/api/v1/tokens",
            {"email": self.prepared["email"], "password": PASSWORD}).expect(201)
        return (self.sign_ins() - before).pop()

    def sign_ins(self):
        listed = self.anybody.get("/api/v1/tokens", token=self.prepared["editor"]).expect(200).json["items"]
        return {one["id"] for one in listed}

    def device(self):
        """Returns the id of a device of the visitor, who may have ten at most."""
        if devices := self.visitor.get("/api/v1/me/devices").expect(200).json["items"]:
            return devices[0]["id"]
        device = {"token": f"a-device-of-the-visitor-{next(self.numbers)}", "platform": "fcm"}
        return self.visitor.post("/api/v1/me/devices", device).expect(201).json["id"]

    # The values that a request gets.

    def path(self, method, path):
        """Returns ids by their names in the pattern. Edits have a meeting of their own, so that reads find
        theirs unchanged."""
        if "/matching/" in path:
            return self.matching(path)
        is_edit = method != "GET" and not path.endswith(("/responses", "/{linkId}", "/vote"))
        made = self.prepared["edited" if is_edit else "running"]
        if method == "POST" and path in PLANNING:
            made = self.prepared["planned"]
        if method == "DELETE" and path in ("/api/v1/meetings/{id}", "/api/v1/sessions/{id}"):
            made = self.meeting()
        if path.endswith(("/undo", "/redo")):
            made = self.meeting()
            self.added(made["session"]["id"])
            if path.endswith("/redo"):
                self.host.post(f"/api/v1/sessions/{made['session']['id']}/undo", {}).expect(200)
        session = made["session"]["id"]
        if path.startswith("/api/v1/users/"):
            return {"accountId": self.user()}
        if "{accountId}" in path:
            return self.member()
        if "{invitationId}" in path:
            meeting = self.meeting()["meeting"]["id"]
            return {"id": meeting, "invitationId": self.invited(meeting)}
        found = {"set": "feedback", "typeID": FORM, "mailId": UNKNOWN,
            "code": code_of(self.prepared["running"]["session"])}
        if path.startswith("/api/v1/meetings/"):
            found["id"] = made["meeting"]["id"]
        elif path.startswith("/api/v1/questions/"):
            found["id"] = self.question("shortAnswer")
        elif path.startswith("/api/v1/attendees/"):
            found["id"] = self.added(session)
        elif path.startswith("/api/v1/jobs/"):
            found["id"] = self.prepared["job"]
        else:
            found["id"] = session
        if (method, path) == ("DELETE", "/api/v1/tokens/{id}"):
            found["id"] = self.sign_in()
        if (method, path) == ("DELETE", "/api/v1/me/devices/{id}"):
            found["id"] = self.device()
        if "/webhooks" in path:
            # A meeting has five web hooks at most.
            found["id"] = self.meeting()["meeting"]["id"]
        if "{webhookId}" in path:
            # An account has fifty web hooks at most.
            if self.hook:
                self.host.delete(self.hook)
            hooks = f"/api/v1/meetings/{found['id']}/webhooks"
            found["webhookId"] = self.host.post(hooks, {"url": "https://example.org/events"}).expect(
                201).json["id"]
            self.hook = f"{hooks}/{found['webhookId']}"
        if "{linkId}" in path:
            self.links = [*self.links, self.link(session)] if len(self.links) < 10 else self.links
            found["linkId"] = self.links[0]
        if (method, path) == ("DELETE", "/api/v1/sessions/{id}/sets/{set}"):
            found["id"] = self.meeting()["session"]["id"]
            found["set"] = self.host.post(f"/api/v1/sessions/{found['id']}/polls",
                {"questions": QUESTIONS}).expect(201).json["set"]
        if (method, path) == ("DELETE", "/api/v1/meetings/{id}/image"):
            self.host.put(f"/api/v1/meetings/{found['id']}/image", body=self.picture(),
                headers={"Content-Type": "image/png"}).expect(204)
        if "{answerId}" in path:
            found["answerId"] = self.answered(found["id"])
        if "{questionId}" in path:
            found["questionId"] = self.asked(session)
        if "{personId}" in path:
            found["personId"] = self.person(made["meeting"]["id"])
        if "{passId}" in path:
            found["passId"] = self.pass_of(made["meeting"]["id"])
        if (method, path) == ("GET", "/api/v1/meetings/{id}/passes"):
            found["id"] = self.meeting()["meeting"]["id"]
            self.pass_of(found["id"])
        if "/satellites" in path and "{id}" in path:
            # A session has fifty offline doors at most.
            found["id"] = self.meeting()["session"]["id"]
            if "{satelliteId}" in path:
                found["satelliteId"] = self.satellite(found["id"])["satellite"]["id"]
        if "{certificateId}" in path:
            found["certificateId"] = self.certificate_of(found["id"])
        if (method, path) == ("GET", "/api/v1/meetings/{id}/certificates"):
            found["id"] = self.meeting()["meeting"]["id"]
            self.certificate_of(found["id"])
        if path.startswith("/api/v1/sessions/{id}/door") and method == "POST":
            # The edits move the times of the other session.
            found["id"] = self.meeting()["session"]["id"]
            self.admitted = self.host.post(f"/api/v1/sessions/{found['id']}/door",
                {"name": "Choi"}).expect(200).json["sequence"]
        if path.endswith("/kiosk-links"):
            # A session has twenty links at most.
            found["id"] = self.meeting()["session"]["id"]
        elif "{id}/kiosk" in path and path.startswith("/api/"):
            found["id"] = self.kiosk_of_request()[1]
        if "{replyId}" in path:
            found["id"] = self.meeting()["session"]["id"]
            found["replyId"] = self.reply_to(found["id"])
        if path.endswith(("/reply-qr.svg", "/reply-mails")) or method == "GET" and path.endswith(
                "/reply-settings"):
            self.asked_for_replies(found["id"])
        if path == "/R/{code}":
            found["code"] = self.asked_for_replies(found["id"])
        if path.endswith("/pass-keys"):
            # A meeting has a hundred keys at most.
            found["id"] = self.meeting()["meeting"]["id"]
        if path == "/{code}":
            found["code"] = self.prepared["running"]["session"]["joinCode"]
        if path == "/M/{code}":
            found["code"] = made["meeting"]["meetingUrl"].rsplit("/", 1)[1]
        return found

    def token(self, method, path, proofs):
        """Returns the token of a caller who may send the request, or None if anybody may."""
        spare = self.spare.get(f"{method} {path}")
        if spare is not None:
            return spare[-1] if spare else "none left"
        own = ("/api/v1/me", "/api/v1/tokens/{id}", "/api/v1/tokens/named")
        if path in own or method == "POST" and path in PLANNING:
            return self.prepared["editor"]
        if path.startswith("/api/v1/me/"):
            return self.prepared["visitor"]
        if "account" in proofs:
            return self.prepared["operator"]
        if "kiosk" in proofs:
            # A link has ninety requests a minute.
            return self.kiosk_of_request()[0]
        self.groups = self.couple() if "/matching" in path and "receipt" in proofs else None
        if self.groups:
            return self.searching[0]
        if "satellite" in proofs:
            return self.laptop()
        return self.attendee()["receipt"] if "receipt" in proofs else None

    def ended(self, method, path):
        """The operation succeeded, so its token is used up."""
        if spare := self.spare.get(f"{method} {path}"):
            spare.pop()

    def body(self, path, body, method=""):
        """Returns the generated body if its schema says everything, else one with what the rules require
        beyond the schema."""
        body = dict(body)
        for name in ["answers", "titles", "descriptions", "next", "publishedAs", "attendeeId", "checkedInAt"]:
            body.pop(name, None)
        if "timeZone" in body:
            body["timeZone"] = "Asia/Seoul"
        if "birthDate" in body:
            body["birthDate"] = "2001-05-20"
        if "phone" in body:
            body["phone"] = "010-1234-5678"
        if "ageRange" in body:
            body["ageRange"] = {"min": 20, "max": 39}
            if path.endswith("/matching/me"):
                body["age"] = 27
        if "questions" in body:
            body["questions"] = QUESTIONS
        if "exceptSessionId" in body:
            body["exceptSessionId"] = self.prepared["running"]["session"]["id"]
        if isinstance(body.get("session"), dict):
            body["session"] = self.body("", body["session"])
        if "startsAt" in body and "endsAt" in body:
            body.update(startsAt=moment(30), endsAt=moment(90))
        elif path in ("/api/v1/sessions/{id}", "/api/v1/meetings/{id}/sessions/repeat"):
            body.pop("startsAt", None)
            body.pop("endsAt", None)
        if "allowOverlap" in body or path in (
            "/api/v1/meetings", "/api/v1/meetings/{id}/sessions", "/api/v1/meetings/{id}/sessions/repeat", ""
        ):
            body["allowOverlap"] = True
        match path:
            case "/api/v1/accounts" | "/api/v1/users":
                body["email"] = f"new{next(self.numbers)}@example.org"
                # The schema does not say that a password with little variety is refused.
                if len(set(body.get("password") or "")) < 8:
                    body["password"] = PASSWORD
            case "/api/v1/sessions/{id}/polls":
                # A new poll has questions of its own, or those of another poll.
                body.pop("copyOf", None)
            case "/api/v1/tokens" | "/host/sign-in":
                body.update(email=self.prepared["email"], password=PASSWORD)
            case "/api/v1/tokens/named":
                for field in ("meetingId", "expiresAt"):
                    body.pop(field, None)
            case "/api/v1/tokens/refresh":
                body["refreshToken"] = self.refresh_token
            case "/api/v1/me" if method == "DELETE":
                body.pop("code", None)
                body["password"] = PASSWORD
            case "/api/v1/me":
                body.pop("password", None)
            case "/api/v1/phone-tokens" if method == "POST":
                body["phone"] = f"+82101{next(self.numbers):07}"
            case "/api/v1/grants" | "/api/v1/check-ins":
                body["code"] = code_of(self.prepared["running"]["session"])
                body.pop("grant", None)
                if path.endswith("check-ins"):
                    body["email"] = f"b{next(self.numbers)}@example.org"
            case "/api/v1/meetings/{id}/members":
                body["email"] = f"m{next(self.numbers)}@example.org"
            case "/api/v1/meetings/{id}/webhooks":
                body["url"] = "https://example.org/events"
                body.pop("events", None)
            case "/api/v1/sessions/{id}/door":
                for name in ["scan", "onlyAsk", "leaves"]:
                    body.pop(name, None)
                body["name"] = f"Choi {next(self.numbers)}"
            case "/api/v1/sessions/{id}/kiosk":
                for name in ["name", "ending"]:
                    body.pop(name, None)
                body["scan"] = "HTTPS://QRING.EXAMPLE.ORG/P/X"
            case "/api/v1/sessions/{id}/door/undo":
                body["sequence"] = self.admitted
            case "/api/v1/meetings/{id}/passes":
                body.pop("personId", None)
                body.pop("sessionId", None)
            case "/api/v1/satellites":
                body["code"] = self.satellite(self.meeting()["session"]["id"])["code"]
                body["publicKey"] = "A" * 43
            case "/api/v1/satellite/entries":
                body = {"clock": moment(0)}
            case "/api/v1/meetings/{id}/certificates" | "/api/v1/meetings/{id}/certificate-mails":
                for name in ["personId", "attendeeId", "sessionId", "from", "until"]:
                    body.pop(name, None)
            case "/api/v1/sessions/{id}/reply-mails":
                body.pop("personId", None)
            case "/api/v1/sessions/{id}/replies/{replyId}/decision":
                # The schema does not say that nobody is declined beyond the capacity.
                body["approve"] = True
            case "/api/v1/meetings/{id}/webhooks/{webhookId}/retry":
                body.pop("delivery", None)
            case "/api/v1/me/invitations":
                body["invitation"] = self.invited(self.meeting()["meeting"]["id"])
            case "/api/v1/sessions/{id}/questions/import":
                body = {"questions": QUESTIONS}
            case "/api/answers/{typeID}":
                body["answers"] = {"how": 5}
            case "/api/v1/meetings/{id}/sessions/repeat":
                body["count"] = 1
                if not body.get("every"):
                    body["every"] = 1
            case "/api/v1/meetings/{id}/roster" if "people" in body:
                body["people"] = [{"name": "Choi", "email": f"p{next(self.numbers)}@example.org"}]
            case (
                "/api/v1/meetings/{id}/roster" | "/api/v1/meetings/{id}/roster/{personId}"
                | "/api/v1/sessions/{id}/attendees"
            ):
                body.update(name="Choi", email=f"p{next(self.numbers)}@example.org")
                body.pop("number", None)
            case "/api/v1/meetings/{id}/roster/keep":
                body["sessionId"] = self.prepared["planned"]["session"]["id"]
            case "/api/v1/attendees/{id}/merge":
                body["into"] = self.added(self.prepared["edited"]["session"]["id"])
            case "/api/v1/sessions/{id}/audience-questions/{questionId}/merge":
                body["into"] = self.asked(self.prepared["edited"]["session"]["id"])
            case "/api/v1/sessions/{id}/matching/me":
                body.pop("promise", None)
            case "/api/v1/sessions/{id}/matching/requests":
                body["to"] = self.candidate(self.groups, 0)
            case "/api/v1/sessions/{id}/matching/blocks" | "/api/v1/sessions/{id}/matching/reports":
                body["person"] = self.candidate(self.groups, 0)
            case "/api/v1/sessions/{id}/undo":
                body["sequence"] = 2
            case "/api/v1/sessions/{id}/redo":
                body = {}
            case "/api/v1/sessions/{id}/questions/copy":
                body = {"from": self.prepared["running"]["session"]["id"], "set": "feedback",
                    "as": f"copy{next(self.numbers)}"}
            case "/api/v1/sessions/{id}/responses":
                body.update(set="feedback", answers={self.question("rating"): 5}, anonymous=True)
        return body

    def query(self, query):
        """Returns the query with a set that exists, and without a cursor, which is the server's own text. Not
        all questions can be exported in the other format."""
        fixed = {"set": "feedback", "format": "qring"}
        return {name: fixed.get(name, value) for name, value in query.items() if name != "cursor"}

    def file(self, kind):
        """Returns an image, or a roster as a spreadsheet saves it."""
        if kind.startswith("image/"):
            return self.picture()
        return f"name,email\nChoi,p{next(self.numbers)}@example.org\n"

    def key(self):
        """Returns a new key for each request, because another request under the same key is refused."""
        return f"key-{next(self.numbers)}"

    def headers(self, path):
        """Returns headers and cookies that a browser sends for the host's page."""
        match path:
            case "/host/sign-in" | "/host/phone-sign-in":
                return {"Sec-Fetch-Site": "same-origin"}
            case "/host/renew":
                return {"Sec-Fetch-Site": "same-origin", "Cookie": f"qring_refresh={self.web_refresh_token}"}
        return {}

    def form(self, path, headers):
        """Returns the fields of a form, which the schema does not describe."""
        running = self.prepared["running"]["session"]
        match path:
            case "/":
                return {"joinCode": running["joinCode"]}
            case "/C/{code}":
                grant = self.anybody.post("/api/v1/grants", {"code": code_of(running)},
                    token=None).expect(201).json["grant"]
                headers["Cookie"] = f"qring_grant={grant}"
                return {"grant": grant, "name": "Kim", "email": f"c{next(self.numbers)}@example.org"}
            case "/R/{code}":
                return {"name": "Kim", "email": f"d{next(self.numbers)}@example.org", "answer": "yes"}
            case "/form/{typeID}":
                return {f"q_{self.prepared['formQuestion']}": "5"}
            case "/feedback":
                return {"receipt": self.attendee()["receipt"], f"q_{self.question('rating')}": "5"}
