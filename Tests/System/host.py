"""A host with an account, their meetings, and the people who check in."""
import datetime
import itertools
import os

from api import API

PASSWORD = "correct horse battery"
QUESTIONS = [
    {"kind": "multipleChoice", "title": "What should we repeat?",
        "choices": [{"label": "Talks"}, {"label": "Workshops"}, {"label": "Walks"}],
     "maxSelections": 2},
    {"kind": "shortAnswer", "title": "What did you miss?", "maxLength": 200},
    {"kind": "rating", "title": "How was it?", "required": True},
]
_numbers = itertools.count(1)


def moment(minutes=0):
    """Returns the time in so many minutes, in RFC 3339."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)).isoformat(
        timespec="seconds")


class Host(API):
    """An API client that is signed in. Each has an account of its own, so the server must be open for
    sign-up."""

    def __init__(self, server, email=None, **profile):
        super().__init__(server)
        self.email = email or f"host{next(_numbers)}@example.org"
        fields = {"email": self.email, "password": PASSWORD, "name": "Host", **profile}
        # The first account behind a proxy or a public URL needs the set-up token.
        token = os.path.join(server.folder, "setup-token") if hasattr(server, "folder") else ""
        if os.path.exists(token):
            with open(token, encoding="ascii") as file:
                fields["setupToken"] = file.read().strip()
        self.account = self.post("/api/v1/accounts", fields).expect(201).json
        self.sign_in()

    def sign_in(self):
        self.tokens = self.post("/api/v1/tokens", {"email": self.email, "password": PASSWORD},
            token=None).expect(201).json
        self.token = self.tokens["accessToken"]

    def meeting(self, name="Study group", *, starts=-5, ends=120, session=None, **fields):
        """Creates a session that is running now, with a question of each kind. Returns the body of the 201,
        `{meeting, session}`. A host may run several at once here."""
        session = {"startsAt": moment(starts), "endsAt": moment(ends), "questions": QUESTIONS,
            "allowOverlap": True, **(session or {})}
        return self.post("/api/v1/meetings", {"name": name, "session": session, **fields}).expect(201).json

    def session(self, name="Study group", **fields):
        return self.meeting(name, **fields)["session"]

    def questions(self, session):
        """Returns the ids of the questions by kind."""
        found = self.get(f"/api/v1/sessions/{session['id']}/questions").expect(200).json["questions"]
        return {question["kind"]: question["id"] for question in found}


def code_of(session):
    """Returns the code at the end of the QR code's URL."""
    return session["checkInUrl"].rsplit("/", 1)[1]


def check_in(api, session, name, email=None, **fields):
    """Checks a person in, each with a grant of their own, and returns the answer."""
    return api.post("/api/v1/check-ins",
        {"code": code_of(session), "name": name, **({"email": email} if email else {}), **fields}, token=None)
