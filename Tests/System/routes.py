"""Every route, with its callers and its body. test_bad_input.py compares this list with the Swift source."""
import collections

from host import QUESTIONS, moment

Route = collections.namedtuple("Route", "method pattern access body")

ROUTES = [Route(*line) for line in [
    ("GET", "/healthz", "anyone", None),
    ("GET", "/readyz", "anyone", None),
    ("GET", "/metrics", "anyone", None),
    ("GET", "/openapi.json", "anyone", None),
    ("GET", "/asyncapi.json", "anyone", None),
    ("GET", "/rooms", "anyone", None),

    ("POST", "/api/v1/accounts", "anyone", "SignUpRequest"),
    ("GET", "/api/v1/accounts/availability", "anyone", None),
    ("POST", "/api/v1/invitations", "operator", "InviteRequest"),
    ("POST", "/api/v1/tokens", "anyone", "SignInRequest"),
    ("GET", "/api/v1/tokens", "signedIn", None),
    ("POST", "/api/v1/tokens/refresh", "anyone", "RefreshRequest"),
    ("DELETE", "/api/v1/tokens/current", "signedIn", None),
    ("GET", "/api/v1/me", "signedIn", None),
    ("PATCH", "/api/v1/me", "signedIn", "EditAccountRequest"),
    ("DELETE", "/api/v1/me", "signedIn", "WithdrawRequest"),

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
    ("POST", "/api/v1/meetings/{id}/sessions/repeat", "member host meeting", "RepeatRequest"),

    ("GET", "/api/v1/meetings/{id}/roster", "member host meeting", None),
    ("POST", "/api/v1/meetings/{id}/roster", "member host meeting", "AddPersonRequest"),
    ("PUT", "/api/v1/meetings/{id}/roster", "member host meeting", "RosterRequest"),
    ("PATCH", "/api/v1/meetings/{id}/roster/{personId}", "member host meeting", "EditPersonRequest"),
    ("DELETE", "/api/v1/meetings/{id}/roster/{personId}", "member host meeting", None),
    ("GET", "/api/v1/meetings/{id}/calendar.ics", "member viewer meeting", None),
    ("GET", "/api/v1/meetings/{id}/poster.html", "member viewer meeting", None),
    ("GET", "/api/v1/meetings/{id}/poster.pdf", "member viewer meeting", None),
    ("GET", "/api/v1/sessions/{id}/attendance.csv", "member viewer session", None),
    ("GET", "/api/v1/sessions/{id}/sheet.html", "member viewer session", None),
    ("GET", "/api/v1/sessions/{id}/preview.html", "member viewer session", None),

    ("GET", "/api/v1/meetings/{id}/members", "member viewer meeting", None),
    ("POST", "/api/v1/meetings/{id}/members", "member owner meeting", "InviteMemberRequest"),
    ("PATCH", "/api/v1/meetings/{id}/members/{accountId}", "member owner meeting", "ChangeRoleRequest"),
    ("DELETE", "/api/v1/meetings/{id}/members/{accountId}", "member viewer meeting", None),
    ("DELETE", "/api/v1/meetings/{id}/invitations/{invitationId}", "member owner meeting", None),
    ("GET", "/api/v1/me/invitations", "signedIn", None),
    ("POST", "/api/v1/me/invitations", "signedIn", "AcceptInvitationRequest"),
    ("DELETE", "/api/v1/me/invitations/{invitationId}", "signedIn", None),
    ("GET", "/api/v1/jobs/{id}", "signedIn", None),
    ("PUT", "/api/v1/meetings/{id}/image", "member host meeting", "image"),
    ("GET", "/api/v1/meetings/{id}/image", "member viewer meeting", None),
    ("DELETE", "/api/v1/meetings/{id}/image", "member host meeting", None),
    ("GET", "/api/v1/sessions/{id}/review", "member host session", None),

    ("GET", "/api/v1/sessions/nearest", "signedIn", None),
    ("POST", "/api/v1/sessions/overlap", "signedIn", "OverlapRequest"),
    ("GET", "/api/v1/sessions/{id}", "member viewer session", None),
    ("PATCH", "/api/v1/sessions/{id}", "member host session", "EditSessionRequest"),
    ("DELETE", "/api/v1/sessions/{id}", "member host session", None),
    ("GET", "/api/v1/sessions/{id}/qr.png", "memberOrPresenter", None),
    ("GET", "/api/v1/sessions/{id}/qr.svg", "memberOrPresenter", None),
    ("GET", "/api/v1/sessions/{id}/qr.txt", "memberOrPresenter", None),
    ("GET", "/api/v1/sessions/{id}/presenter-links", "member host session", None),
    ("POST", "/api/v1/sessions/{id}/presenter-links", "member host session", None),
    ("DELETE", "/api/v1/sessions/{id}/presenter-links/{linkId}", "member host session", None),
    ("GET", "/api/v1/sessions/{id}/attendees", "member viewer session", None),
    ("GET", "/api/v1/sessions/{id}/arrivals", "member viewer session", None),
    ("GET", "/api/v1/sessions/{id}/journal", "member viewer session", None),

    ("GET", "/api/v1/attendees/{id}", "member viewer attendee", None),
    ("PATCH", "/api/v1/attendees/{id}", "member host attendee", "CorrectAttendeeRequest"),
    ("DELETE", "/api/v1/attendees/{id}", "member host attendee", None),
    ("POST", "/api/v1/attendees/{id}/merge", "member host attendee", "MergeRequest"),
    ("POST", "/api/v1/sessions/{id}/attendees", "member host session", "AddAttendeeRequest"),
    ("POST", "/api/v1/sessions/{id}/undo", "member host session", "UndoRequest"),

    ("POST", "/api/v1/grants", "anyone", "GrantRequest"),
    ("POST", "/api/v1/check-ins", "anyone", "CheckInRequest"),
    ("GET", "/api/v1/check-ins/current", "attendee", None),
    ("PATCH", "/api/v1/check-ins/current", "attendee", "RenameRequest"),
    ("DELETE", "/api/v1/check-ins/current", "attendee", None),

    ("GET", "/api/v1/sessions/{id}/questions", "memberOrAttendee", None),
    ("PUT", "/api/v1/sessions/{id}/questions", "member host session", "SetQuestionsRequest"),
    ("GET", "/api/v1/sessions/{id}/sets", "member viewer session", None),
    ("POST", "/api/v1/sessions/{id}/questions/copy", "member host session", "CopyQuestionsRequest"),
    ("PATCH", "/api/v1/sessions/{id}/sets/{set}", "member host session", "EditQuestionSetRequest"),
    ("DELETE", "/api/v1/sessions/{id}/sets/{set}", "member host session", None),
    ("POST", "/api/v1/sessions/{id}/polls", "member host session", "CreatePollRequest"),
    ("POST", "/api/v1/sessions/{id}/responses", "attendee", "RespondRequest"),
    ("GET", "/api/v1/sessions/{id}/results", "member viewer session", None),
    ("GET", "/api/v1/questions/{id}/answers", "member viewer question", None),

    ("POST", "/api/v1/sessions/{id}/questions/import", "member host session", "ImportQuestionsRequest"),
    ("GET", "/api/v1/sessions/{id}/questions/export", "member viewer session", None),
    ("GET", "/api/v1/sessions/{id}/results.csv", "member viewer session", None),
    ("GET", "/api/v1/sessions/{id}/results.json", "member viewer session", None),
    ("GET", "/api/question/{typeID}", "anyone", None),
    ("POST", "/api/answers/{typeID}", "anyone", "FormAnswersRequest"),

    ("GET", "/", "anyone", None),
    ("POST", "/", "anyone", "form"),
    ("GET", "/C/{code}", "anyone", None),
    ("POST", "/C/{code}", "anyone", "form"),
    ("GET", "/M/{code}", "anyone", None),
    ("POST", "/feedback", "anyone", "form"),
    ("GET", "/me/{id}", "anyone", None),
    ("GET", "/me/{id}/calendar.ics", "anyone", None),
    ("GET", "/me/{id}/picture", "anyone", None),
    ("GET", "/me/{id}/record", "anyone", None),
    ("POST", "/me/{id}/record", "anyone", "form"),
    ("GET", "/present/{id}", "anyone", None),

    ("GET", "/host", "anyone", None),
    ("GET", "/host/sign-up", "anyone", None),
    ("POST", "/host/sign-in", "anyone", "SignInRequest"),
    ("POST", "/host/renew", "anyone", None),
    ("POST", "/host/sign-out", "signedIn", None),
]]

# Lists with `limit` and `cursor`.
LISTS = [
    "/api/v1/meetings", "/api/v1/meetings/{id}/sessions", "/api/v1/sessions/{id}/attendees",
    "/api/v1/sessions/{id}/journal",
    "/api/v1/questions/{id}/answers", "/api/v1/meetings/{id}/roster", "/api/v1/sessions/{id}/presenter-links",
]

NAME = ["", "   ", "\t\n", "x" * 101, "가" * 101, "a\u0000b", "a\u0007b", "a\u202eb", "a\u200bb"]
EMAIL = ["", "kim", "@example.org", "kim@", "kim@@example.org", "kim example.org", "k" * 300 + "@example.org",
    "kim@example.org\r\nBcc: a@b.cc"]
TIME = ["", "yesterday", "2026-11-21", "2026-11-21T10:00:00", "2026-13-01T00:00:00Z", "2026-02-30T10:00:00Z",
    "2026-11-21T25:00:00Z",
        "2026-11-21T10:00:00+99:00", "9" * 60, "0000-00-00T00:00:00Z"]
ZONE = ["", "Mars/Olympus", "../../etc/passwd", "KST+9KDT", "x" * 100]
COUNT = [-1, 100_001, 2**31, 2**63, 2**70]
MINUTES = [-1, 1441]
CODE = ["", "x" * 501, "a\0b"]
TEXT = {"object", "array", "number", "boolean"}

# For each body, its fields by JSON pointer, each with its type, whether it is required, and wrong values of
# the right type.
BODIES = {
    "SignUpRequest": {
        "/email": ("string", True, EMAIL), "/password": ("string", True, ["", "short", "x" * 201]),
        "/name": ("string", True, NAME),
        "/birthDate": ("string", False, ["", "2001-02-29", "20.05.2001", "2001-13-01"]),
        "/phone": ("string", False, ["", "1" * 31]),
        "/interests": ("array", False, [["x"] * 21, ["x" * 51], [1]]),
        "/locale": ("string", False, ["x" * 36]),
        "/invitation": ("string", False, ["", "x" * 101]), "/setupToken": ("string", False, ["", "x" * 101]),
        "/gender": ("string", False, ["", "x" * 31]), "/termsAccepted": ("boolean", False, []),
    },
    "InviteRequest": {"/email": ("string", True, EMAIL)},
    "SignInRequest": {"/email": ("string", True, EMAIL), "/password": ("string", True, ["", "x" * 201]),
        "/client": ("string", False, NAME)},
    "RefreshRequest": {"/refreshToken": ("string", True, ["", "x" * 201])},
    "WithdrawRequest": {"/password": ("string", True, ["", "x" * 201])},
    "EditAccountRequest": {
        "/name": ("string", False, NAME), "/password": ("string", False, ["", "short", "x" * 201]),
        "/birthDate": ("string", False, ["1999-00-01"]), "/phone": ("string", False, ["1" * 31]),
        "/interests": ("array", False, [["x"] * 21]),
        "/locale": ("string", False, ["x" * 36]),
    },
    "CreateMeetingRequest": {
        "/name": ("string", True, NAME), "/timeZone": ("string", False, ZONE),
        "/plannedCount": ("integer", False, COUNT),
        "/identifyBy": ("string", False, ["", "face", "EMAIL"]),
        "/description": ("string", False, ["x" * 2001, "a\0b", "a\x1b[31mb"]),
        "/place": ("string", False, ["x" * 201]), "/session": ("object", True, [{}]),
        "/session/startsAt": ("string", True, TIME),
        "/session/endsAt": ("string", True, TIME + [moment(-60), moment(60 * 24 * 30)]),
        "/session/lateAfterMinutes": ("integer", False, MINUTES),
        "/session/codeKind": ("string", False, ["", "rolling"]),
        "/session/questions": ("array", False, [QUESTIONS * 40]),
        "/session/questions/0": ("object", False, []),
        "/session/questions/0/kind": ("string", True, ["", "essay"]),
        "/session/questions/0/title": ("string", True, ["", " ", "x" * 201]),
        "/session/questions/0/choices": ("array", True, [[], QUESTIONS[:1]]),
        "/session/questions/0/choices/0/label": ("string", True, ["", "x" * 201]),
        "/session/questions/0/maxSelections": ("integer", False, [0, 51]),
        "/session/questions/1/maxLength": ("integer", False, [0, 5001]),
        "/session/questions/2/scale": ("integer", False, [1, 11]),
        "/session/questions/2/required": ("boolean", False, []),
        "/session/questions/2/id": ("string", False, ["", "x", "I" * 26]),
    },
    "EditMeetingRequest": {
        "/name": ("string", False, NAME),
        "/description": ("string", False, ["x" * 2001, "a\0b", "a\x1b[31mb"]),
        "/place": ("string", False, ["x" * 201]),
        "/timeZone": ("string", False, ZONE), "/identifyBy": ("string", False, ["face"]),
        "/renewCode": ("boolean", False, []),
    },
    "SessionRequest": {
        "/startsAt": ("string", True, TIME), "/endsAt": ("string", True, TIME + [moment(-60)]),
        "/plannedCount": ("integer", False, COUNT),
        "/lateAfterMinutes": ("integer", False, MINUTES),
        "/checkInOpensMinutesBefore": ("integer", False, MINUTES),
        "/feedbackClosesHoursAfter": ("integer", False, [-1, 721]), "/allowOverlap": ("boolean", False, []),
        "/anonymous": ("boolean", False, []),
    },
    "RepeatRequest": {
        "/rule": ("string", True, ["", "monthly"]), "/every": ("integer", False, [0, 367]),
        "/count": ("integer", True, [0, 101]),
        "/on": ("array", False, [[], ["someday"], ["monday"] * 8]), "/startsAt": ("string", False, TIME),
        "/endsAt": ("string", False, TIME),
        "/plannedCount": ("integer", False, COUNT), "/allowOverlap": ("boolean", False, []),
    },
    "AddPersonRequest": {
        "/name": ("string", True, NAME), "/email": ("string", False, EMAIL[1:]),
        "/number": ("string", False, ["1" * 51]),
    },
    # A whole roster, which may be a file too.
    "RosterRequest": {
        "/people": ("array", True, []), "/people/0/name": ("string", True, NAME),
        "/people/0/email": ("string", False, EMAIL[1:]),
        "/people/0/number": ("string", False, ["1" * 51]),
    },
    "EditPersonRequest": {
        "/name": ("string", False, NAME), "/email": ("string", False, EMAIL[1:]),
        "/number": ("string", False, ["1" * 51]),
        "/archived": ("boolean", False, []),
    },
    "OverlapRequest": {
        "/startsAt": ("string", True, TIME), "/endsAt": ("string", True, TIME + [moment(-60)]),
        "/exceptSessionId": ("string", False, ["", "x", "01ARZ3NDEKTSV4RRFFQ69G5FA", "' OR 1=1 --"]),
    },
    "EditSessionRequest": {
        "/startsAt": ("string", False, TIME), "/endsAt": ("string", False, TIME),
        "/plannedCount": ("integer", False, COUNT),
        "/lateAfterMinutes": ("integer", False, MINUTES), "/codeKind": ("string", False, ["rolling"]),
        "/renewCode": ("boolean", False, []),
        "/revokePresenterLinks": ("boolean", False, []), "/note": ("string", False, ["x" * 501]),
    },
    "CorrectAttendeeRequest": {
        "/name": ("string", False, NAME), "/status": ("string", False, ["", "here", "PRESENT"]),
        "/note": ("string", False, ["x" * 501, "a\u0000b"]),
        "/checkedInAt": ("string", False, TIME + [moment(60 * 24)]),
    },
    "AddAttendeeRequest": {
        "/name": ("string", True, NAME), "/email": ("string", False, EMAIL),
        "/number": ("string", False, ["", "1" * 51]),
        "/status": ("string", False, ["here"]), "/note": ("string", False, ["x" * 501]),
        "/checkedInAt": ("string", False, TIME),
    },
    "MergeRequest": {"/into": ("string", True, ["", "x", "0" * 26]), "/note": ("string", False, ["x" * 501])},
    "UndoRequest": {"/sequence": ("integer", True, [0, -1, 2**31, 2**63]),
        "/note": ("string", False, ["x" * 501])},
    "InviteMemberRequest": {"/email": ("string", True, EMAIL),
        "/role": ("string", True, ["", "king", "OWNER"])},
    "ChangeRoleRequest": {"/role": ("string", True, ["", "king"])},
    "AcceptInvitationRequest": {"/invitation": ("string", True, ["", "x" * 201])},
    "GrantRequest": {"/code": ("string", False, CODE), "/joinCode": ("string", False, ["", "x" * 33])},
    "CheckInRequest": {
        "/code": ("string", False, CODE), "/grant": ("string", False, CODE),
        "/joinCode": ("string", False, ["", "x" * 33]),
        "/name": ("string", True, NAME), "/email": ("string", True, EMAIL),
        "/number": ("string", False, ["", "1" * 51]),
    },
    "RenameRequest": {"/name": ("string", True, NAME)},
    "SetQuestionsRequest": {"/questions": ("array", True, [QUESTIONS * 40, [1], [{}]])},
    "CopyQuestionsRequest": {
        "/from": ("string", True, ["", "x", "' OR 1=1 --"]), "/set": ("string", False, ["", "A b", "x" * 41]),
        "/as": ("string", False, ["", "A b", "x" * 41]),
    },
    "CreatePollRequest": {
        "/questions": ("array", False, [QUESTIONS * 40, [1], [{}], []]),
        "/copyOf": ("string", False, ["", "A b", "x" * 41]),
        "/promise": ("string", False, ["", "secret"]), "/changeable": ("boolean", False, []),
        "/open": ("boolean", False, []), "/shared": ("boolean", False, []),
    },
    "EditQuestionSetRequest": {
        "/promise": ("string", False, ["", "secret"]), "/changeable": ("boolean", False, []),
        "/position": ("integer", False, [0, -1, 1001]),
        "/open": ("boolean", False, []), "/shared": ("boolean", False, []),
        "/anonymous": ("boolean", False, []),
        "/publishedAs": ("string", False, ["a b", "양식", "x" * 41, "../x"]),
    },
    "ImportQuestionsRequest": {
        "/url": ("string", False,
            ["", "x", "ftp://example.org/a.json", "file:///etc/passwd", "http://",
                "http://user:pass@example.org/", "http://a b/"]),
    },
    "FormAnswersRequest": {"/answers": ("object", False, [{"how": {}}, {"how": [1]}, {"nobody": "asked"}])},
    "RespondRequest": {
        "/set": ("string", False, ["", "x" * 41]), "/anonymous": ("boolean", False, []),
        "/promise": ("string", False, ["", "secret"]),
        "/answers": ("object", True,
            [{"x": 1}, {"0" * 26: {}}, {"0" * 26: [1]}, {"0" * 26: "x" * 20001},
                {str(n): 1 for n in range(200)}]),
    },
}


# Pages of other origins send a preflight first, so these have OPTIONS too.
FOR_ANY_ORIGIN = ["/api/question/{typeID}", "/api/answers/{typeID}"]


def body_of(name, hall):
    """Returns a valid body, for changing one field of it."""
    session = {"startsAt": moment(60), "endsAt": moment(120), "allowOverlap": True}
    return {
        "SignUpRequest": {"email": "new@example.org", "password": "long enough", "name": "New"},
        "InviteRequest": {"email": "new@example.org"},
        "SignInRequest": {"email": hall.host.email, "password": "correct horse battery"},
        "RefreshRequest": {"refreshToken": hall.host.tokens["refreshToken"]},
        "EditAccountRequest": {},
        "WithdrawRequest": {"password": "correct horse battery"},
        "CreateMeetingRequest": {"name": "New",
            "session": {**session, "questions": [dict(question) for question in QUESTIONS]}},
        "EditMeetingRequest": {},
        "SessionRequest": session,
        "RepeatRequest": {"rule": "weekly", "count": 2, "startsAt": moment(60), "endsAt": moment(120)},
        "AddPersonRequest": {"name": "Kim", "email": "kim@example.org"},
        "RosterRequest": {"people": [{"name": "Kim", "email": "kim@example.org"}]},
        "EditPersonRequest": {},
        "OverlapRequest": {"startsAt": moment(60), "endsAt": moment(120)},
        "EditSessionRequest": {},
        "CorrectAttendeeRequest": {"note": "was here"},
        "AddAttendeeRequest": {"name": "Kim"},
        "MergeRequest": {"into": hall.attendee},
        "UndoRequest": {"sequence": 1},
        "InviteMemberRequest": {"email": "new@example.org", "role": "host"},
        "ChangeRoleRequest": {"role": "host"},
        "AcceptInvitationRequest": {"invitation": "0" * 26},
        "GrantRequest": {"code": hall.code},
        "CheckInRequest": {"code": hall.code, "name": "Kim", "email": "kim@example.org"},
        "RenameRequest": {"name": "Kim"},
        "SetQuestionsRequest": {"questions": [dict(question) for question in QUESTIONS]},
        "CopyQuestionsRequest": {"from": hall.session["id"], "set": "feedback", "as": "copy"},
        "CreatePollRequest": {"questions": [dict(question) for question in QUESTIONS]},
        "EditQuestionSetRequest": {},
        "ImportQuestionsRequest": {"questions": [dict(question) for question in QUESTIONS]},
        "FormAnswersRequest": {"answers": {}},
        "RespondRequest": {"answers": {hall.questions["rating"]: 5}},
    }[name]
