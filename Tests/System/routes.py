"""Every route of the server, with who may use it and what it reads: the mirror of Sources/Server/Routing/RouteTable.swift, which
test_bad_input.py compares with it. A route that is new there needs its line here, and a new body its fields."""
import collections
import os
import re

from host import QUESTIONS, moment

SOURCE = os.path.join(os.path.dirname(__file__), "..", "..", "Sources", "Server", "Routing", "RouteTable.swift")

Route = collections.namedtuple("Route", "method pattern access body")

ROUTES = [Route(*line) for line in [
    ("GET", "/readyz", "anyone", None),
    ("GET", "/metrics", "anyone", None),
    ("GET", "/openapi.json", "anyone", None),
    ("GET", "/asyncapi.json", "anyone", None),

    ("POST", "/api/v1/accounts", "anyone", "SignUpRequest"),
    ("GET", "/api/v1/accounts/availability", "anyone", None),
    ("POST", "/api/v1/invitations", "operator", "InviteRequest"),
    ("POST", "/api/v1/tokens", "anyone", "SignInRequest"),
    ("GET", "/api/v1/tokens", "signedIn", None),
    ("POST", "/api/v1/tokens/refresh", "anyone", "RefreshRequest"),
    ("DELETE", "/api/v1/tokens/current", "signedIn", None),
    ("GET", "/api/v1/me", "signedIn", None),
    ("PATCH", "/api/v1/me", "signedIn", "EditAccountRequest"),
    ("DELETE", "/api/v1/me", "signedIn", None),

    ("POST", "/api/v1/meetings", "signedIn", "CreateMeetingRequest"),
    ("GET", "/api/v1/meetings", "signedIn", None),
    ("GET", "/api/v1/meetings/{id}", "member viewer meeting", None),
    ("PATCH", "/api/v1/meetings/{id}", "member host meeting", "EditMeetingRequest"),
    ("DELETE", "/api/v1/meetings/{id}", "member owner meeting", None),
    ("GET", "/api/v1/meetings/{id}/qr.png", "member viewer meeting", None),
    ("GET", "/api/v1/meetings/{id}/qr.svg", "member viewer meeting", None),
    ("GET", "/api/v1/meetings/{id}/qr.txt", "member viewer meeting", None),
    ("GET", "/api/v1/meetings/{id}/sessions", "member viewer meeting", None),
    ("POST", "/api/v1/meetings/{id}/sessions", "member host meeting", "SessionRequest"),

    ("GET", "/api/v1/sessions/nearest", "signedIn", None),
    ("POST", "/api/v1/sessions/overlap", "signedIn", "OverlapRequest"),
    ("GET", "/api/v1/sessions/{id}", "member viewer session", None),
    ("PATCH", "/api/v1/sessions/{id}", "member host session", "EditSessionRequest"),
    ("DELETE", "/api/v1/sessions/{id}", "member host session", None),
    ("GET", "/api/v1/sessions/{id}/qr.png", "memberOrPresenter", None),
    ("GET", "/api/v1/sessions/{id}/qr.svg", "memberOrPresenter", None),
    ("GET", "/api/v1/sessions/{id}/qr.txt", "memberOrPresenter", None),
    ("POST", "/api/v1/sessions/{id}/presenter-links", "member host session", None),
    ("DELETE", "/api/v1/sessions/{id}/presenter-links/{linkId}", "member host session", None),
    ("GET", "/api/v1/sessions/{id}/attendees", "member viewer session", None),
    ("GET", "/api/v1/sessions/{id}/journal", "member viewer session", None),

    ("POST", "/api/v1/grants", "anyone", "GrantRequest"),
    ("POST", "/api/v1/check-ins", "anyone", "CheckInRequest"),
    ("GET", "/api/v1/check-ins/current", "attendee", None),
    ("PATCH", "/api/v1/check-ins/current", "attendee", "MendNameRequest"),
    ("DELETE", "/api/v1/check-ins/current", "attendee", None),

    ("GET", "/api/v1/sessions/{id}/questions", "memberOrAttendee", None),
    ("PUT", "/api/v1/sessions/{id}/questions", "member host session", "SetQuestionsRequest"),
    ("PATCH", "/api/v1/sessions/{id}/sets/{set}", "member host session", "EditQuestionSetRequest"),
    ("POST", "/api/v1/sessions/{id}/responses", "attendee", "RespondRequest"),
    ("GET", "/api/v1/sessions/{id}/results", "member viewer session", None),
    ("GET", "/api/v1/questions/{id}/answers", "member viewer question", None),

    ("GET", "/", "anyone", None),
    ("POST", "/", "anyone", "form"),
    ("GET", "/C/{code}", "anyone", None),
    ("POST", "/C/{code}", "anyone", "form"),
    ("GET", "/M/{code}", "anyone", None),
    ("POST", "/feedback", "anyone", "form"),
    ("GET", "/present/{id}", "anyone", None),
]]

# Lists with `limit` and `cursor`.
LISTS = [
    "/api/v1/meetings", "/api/v1/meetings/{id}/sessions", "/api/v1/sessions/{id}/attendees", "/api/v1/sessions/{id}/journal",
    "/api/v1/questions/{id}/answers",
]

NAME = ["", "   ", "\t\n", "x" * 101, "가" * 101, "a\u0000b", "a\u0007b"]
EMAIL = ["", "kim", "@example.org", "kim@", "kim@@example.org", "kim example.org", "k" * 300 + "@example.org", "kim@example.org\r\nBcc: a@b.cc"]
TIME = ["", "yesterday", "2026-11-21", "2026-11-21T10:00:00", "2026-13-01T00:00:00Z", "2026-02-30T10:00:00Z", "2026-11-21T25:00:00Z",
        "2026-11-21T10:00:00+99:00", "9" * 60, "0000-00-00T00:00:00Z"]
ZONE = ["", "Mars/Olympus", "../../etc/passwd", "KST+9KDT", "x" * 100]
COUNT = [-1, 100_001, 2**31, 2**63, 2**70]
MINUTES = [-1, 1441]
CODE = ["", "x" * 501]
TEXT = {"object", "array", "number", "boolean"}

# For each body: its fields by JSON pointer, each with its type, whether it is required, and values of the right type that are wrong.
BODIES = {
    "SignUpRequest": {
        "/email": ("string", True, EMAIL), "/password": ("string", True, ["", "short", "x" * 201]), "/name": ("string", True, NAME),
        "/birthDate": ("string", False, ["", "2001-02-29", "20.05.2001", "2001-13-01"]), "/phone": ("string", False, ["", "1" * 31]),
        "/interests": ("array", False, [["x"] * 21, ["x" * 51], [1]]), "/locale": ("string", False, ["x" * 36]),
        "/invitation": ("string", False, ["", "x" * 101]),
    },
    "InviteRequest": {"/email": ("string", True, EMAIL)},
    "SignInRequest": {"/email": ("string", True, EMAIL), "/password": ("string", True, ["", "x" * 201]), "/client": ("string", False, NAME)},
    "RefreshRequest": {"/refreshToken": ("string", True, ["", "x" * 201])},
    "EditAccountRequest": {
        "/name": ("string", False, NAME), "/password": ("string", False, ["", "short", "x" * 201]),
        "/birthDate": ("string", False, ["1999-00-01"]), "/phone": ("string", False, ["1" * 31]), "/interests": ("array", False, [["x"] * 21]),
        "/locale": ("string", False, ["x" * 36]),
    },
    "CreateMeetingRequest": {
        "/name": ("string", True, NAME), "/timeZone": ("string", False, ZONE), "/plannedCount": ("integer", False, COUNT),
        "/identifyBy": ("string", False, ["", "face", "EMAIL"]), "/description": ("string", False, ["x" * 2001]),
        "/place": ("string", False, ["x" * 201]), "/session": ("object", True, [{}]),
        "/session/startsAt": ("string", True, TIME), "/session/endsAt": ("string", True, TIME + [moment(-60), moment(60 * 24 * 30)]),
        "/session/lateAfterMinutes": ("integer", False, MINUTES), "/session/codeKind": ("string", False, ["", "rolling"]),
        "/session/questions": ("array", False, [QUESTIONS * 40]), "/session/questions/0": ("object", False, []),
        "/session/questions/0/kind": ("string", True, ["", "essay"]),
        "/session/questions/0/title": ("string", True, ["", " ", "x" * 201]), "/session/questions/0/choices": ("array", True, [[], QUESTIONS[:1]]),
        "/session/questions/0/choices/0/label": ("string", True, ["", "x" * 201]),
        "/session/questions/0/maxSelections": ("integer", False, [0, 51]), "/session/questions/1/maxLength": ("integer", False, [0, 5001]),
        "/session/questions/2/scale": ("integer", False, [1, 11]), "/session/questions/2/required": ("boolean", False, []),
        "/session/questions/2/id": ("string", False, ["", "x", "I" * 26]),
    },
    "EditMeetingRequest": {
        "/name": ("string", False, NAME), "/description": ("string", False, ["x" * 2001]), "/place": ("string", False, ["x" * 201]),
        "/timeZone": ("string", False, ZONE), "/identifyBy": ("string", False, ["face"]), "/renewCode": ("boolean", False, []),
    },
    "SessionRequest": {
        "/startsAt": ("string", True, TIME), "/endsAt": ("string", True, TIME + [moment(-60)]), "/plannedCount": ("integer", False, COUNT),
        "/lateAfterMinutes": ("integer", False, MINUTES), "/checkInOpensMinutesBefore": ("integer", False, MINUTES),
        "/feedbackClosesHoursAfter": ("integer", False, [-1, 721]), "/allowOverlap": ("boolean", False, []),
    },
    "OverlapRequest": {
        "/startsAt": ("string", True, TIME), "/endsAt": ("string", True, TIME + [moment(-60)]),
        "/exceptSessionId": ("string", False, ["", "x", "01ARZ3NDEKTSV4RRFFQ69G5FA", "' OR 1=1 --"]),
    },
    "EditSessionRequest": {
        "/startsAt": ("string", False, TIME), "/endsAt": ("string", False, TIME), "/plannedCount": ("integer", False, COUNT),
        "/lateAfterMinutes": ("integer", False, MINUTES), "/codeKind": ("string", False, ["rolling"]), "/renewCode": ("boolean", False, []),
    },
    "GrantRequest": {"/code": ("string", False, CODE), "/joinCode": ("string", False, ["", "x" * 33])},
    "CheckInRequest": {
        "/code": ("string", False, CODE), "/grant": ("string", False, CODE), "/joinCode": ("string", False, ["", "x" * 33]),
        "/name": ("string", True, NAME), "/email": ("string", True, EMAIL), "/number": ("string", False, ["", "1" * 51]),
    },
    "MendNameRequest": {"/name": ("string", True, NAME)},
    "SetQuestionsRequest": {"/questions": ("array", True, [QUESTIONS * 40, [1], [{}]])},
    "EditQuestionSetRequest": {"/open": ("boolean", False, []), "/shared": ("boolean", False, []), "/anonymous": ("boolean", False, [])},
    "RespondRequest": {
        "/set": ("string", False, ["", "x" * 41]),
        "/answers": ("object", True, [{"x": 1}, {"0" * 26: {}}, {"0" * 26: [1]}, {"0" * 26: "x" * 20001}, {str(n): 1 for n in range(200)}]),
    },
}


def routes_of_source():
    """What the Swift source declares, in the same form."""
    with open(SOURCE, encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    found = []
    for declaration in re.split(r"\bRoute\(", text)[1:]:
        match = re.match(
            r"""\s*\.(\w+),\s*"([^"]+)",\s*\.(\w+)(?:\(\.(\w+),\s*of:\s*\.(\w+)\))?\s*,\s*(?:body:\s*\.(\w+)|reading:\s*(\w+)\.self)?""",
            declaration)
        if not match:
            raise AssertionError(f"a route in a form that this reader does not know: {declaration[:200]}")
        method, pattern, access, role, scope, body, reading = match.groups()
        found.append(Route(method.upper(), pattern, " ".join(filter(None, [access, role, scope])), body or reading))
    return found


def body_of(name, hall):
    """A body that is right in everything, for changing one thing of it."""
    session = {"startsAt": moment(60), "endsAt": moment(120), "allowOverlap": True}
    return {
        "SignUpRequest": {"email": "new@example.org", "password": "long enough", "name": "New"},
        "InviteRequest": {"email": "new@example.org"},
        "SignInRequest": {"email": hall.host.email, "password": "correct horse battery"},
        "RefreshRequest": {"refreshToken": hall.host.tokens["refreshToken"]},
        "EditAccountRequest": {},
        "CreateMeetingRequest": {"name": "New", "session": {**session, "questions": [dict(question) for question in QUESTIONS]}},
        "EditMeetingRequest": {},
        "SessionRequest": session,
        "OverlapRequest": {"startsAt": moment(60), "endsAt": moment(120)},
        "EditSessionRequest": {},
        "GrantRequest": {"code": hall.code},
        "CheckInRequest": {"code": hall.code, "name": "Kim", "email": "kim@example.org"},
        "MendNameRequest": {"name": "Kim"},
        "SetQuestionsRequest": {"questions": [dict(question) for question in QUESTIONS]},
        "EditQuestionSetRequest": {},
        "RespondRequest": {"answers": {hall.questions["rating"]: 5}},
    }[name]
