"""A host with an account, the meetings they run, and the people who come."""
import datetime
import itertools
import os

from api import API

PASSWORD = "correct horse battery"
QUESTIONS = [
    {"kind": "multipleChoice", "title": "What should we repeat?", "choices": [{"label": "Talks"}, {"label": "Workshops"}, {"label": "Walks"}],
     "maxSelections": 2},
    {"kind": "shortAnswer", "title": "What did you miss?", "maxLength": 200},
    {"kind": "rating", "title": "How was it?", "required": True},
]
_numbers = itertools.count(1)


def moment(minutes=0):
    """RFC 3339, so many minutes from now."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)).isoformat(timespec="seconds")


class Host(API):
    """An API client that is signed in. Each has an account of its own; the server must be open for sign-up."""

    def __init__(self, server, email=None):
        super().__init__(server)
        self.email = email or f"host{next(_numbers)}@example.org"
        fields = {"email": self.email, "password": PASSWORD, "name": "Host"}
        # The first account behind a proxy or a public URL.
        token = os.path.join(server.folder, "setup-token") if hasattr(server, "folder") else ""
        if os.path.exists(token):
            with open(token, encoding="ascii") as file:
                fields["setupToken"] = file.read().strip()
        self.account = self.post("/api/v1/accounts", fields).expect(201).json
        self.sign_in()

    def sign_in(self):
        self.tokens = self.post("/api/v1/tokens", {"email": self.email, "password": PASSWORD}, token=None).expect(201).json
        self.token = self.tokens["accessToken"]

    def meeting(self, name="Study group", *, starts=-5, ends=120, session=None, **fields):
        """201's `{meeting, session}`: running now, with a question of each kind. Hosts run several at once here."""
        session = {"startsAt": moment(starts), "endsAt": moment(ends), "questions": QUESTIONS, "allowOverlap": True, **(session or {})}
        return self.post("/api/v1/meetings", {"name": name, "session": session, **fields}).expect(201).json

    def session(self, name="Study group", **fields):
        return self.meeting(name, **fields)["session"]

    def questions(self, session):
        """Ids by kind."""
        found = self.get(f"/api/v1/sessions/{session['id']}/questions").expect(200).json["questions"]
        return {question["kind"]: question["id"] for question in found}


def code_of(session):
    """What the QR code's URL ends in."""
    return session["checkInUrl"].rsplit("/", 1)[1]


def check_in(api, session, name, email=None, **fields):
    """Anybody's answer; a grant of their own each time."""
    return api.post("/api/v1/check-ins", {"code": code_of(session), "name": name, **({"email": email} if email else {}), **fields}, token=None)
