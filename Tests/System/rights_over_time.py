"""A meeting with everybody who holds a right to it, and every way in which such a right ends.

A view is an open room of a holder. A request is one that a holder repeats over one kept connection. For each
ending, the table names the views and requests that end. All others must go on, because an ending that closes
too much is a fault too.
"""
import collections
import json
import socket
import time

from api import API
from event_stream import EventStream, Messages, ticket
from host import PASSWORD, Host, check_in, code_of, moment
from problems import UNKNOWN
from raw_websocket import CLOSE, TEXT, RawWebSocket
from socket_io import SocketIOView

# The number of a message that nothing else has.
LAST = 99_999


class View(RawWebSocket, Messages):
    """A connection with one right, in one room."""

    def __init__(self, server, room, *lines):
        super().__init__(server.port, *lines)
        self.room, self.is_closed = room, False

    def join(self, number, since=None):
        """Sends a join. `since` is a position in the journal, to be caught up from there."""
        self.say(json.dumps({"join": self.room, "id": number, **({"since": since} if since else {})}))

    def joined(self, number, until):
        """Returns the answer to a join if it succeeded."""
        answer = self.hear_until(lambda message: message.get("id") == number, until)
        return answer if answer and "joined" in answer else None

    def hear(self, until):
        """Returns the next message before the moment `until`; None if none came or the connection ended."""
        while not self.is_closed:
            self.socket.settimeout(max(0.001, until - time.monotonic()))
            try:
                opcode, payload = self.receive()
            except (TimeoutError, socket.timeout):
                return None
            except OSError:
                self.is_closed = True
                return None
            if opcode == CLOSE:
                self.is_closed = True
            elif opcode == TEXT:
                return json.loads(payload)
        return None

    def hears(self, text, until):
        """Whether the text comes before the answer to a message that is sent now. The server answers the
        messages of a connection in order."""
        if not self.is_closed:
            self.say(json.dumps({"leave": f"session:{UNKNOWN}", "id": LAST}))
        found = False
        while (message := self.hear(until)) is not None and message.get("id") != LAST:
            found = found or text in json.dumps(message, ensure_ascii=False)
        return found


def bearer(token):
    return f"Authorization: Bearer {token}"


class Meeting:
    """A meeting with an owner who stays, another owner, a host and a viewer who may lose their rights, their
    presenter links and invitations, two attendees and a grant."""

    def __init__(self, server, cast):
        self.server, self.cast = server, cast
        self.boss, self.visitor = cast.boss, cast.visitor
        self.guest, self.again, self.cookie = cast.guest()
        made = self.boss.meeting()
        self.meeting, self.session = made["meeting"]["id"], made["session"]
        self.path = f"/api/v1/meetings/{self.meeting}"
        self.of_session = f"/api/v1/sessions/{self.session['id']}"
        self.invite(self.boss, self.guest, "owner", accept=True)
        self.boss_link, self.guest_link = (
            host.post(f"{self.of_session}/presenter-links").expect(201).json
            for host in (self.boss, self.guest))
        self.kim, self.lee = (
            check_in(API(server), self.session, name, f"{name}@example.org").expect(201).json
            for name in ("Kim", "Lee"))
        self.grant = self.new_grant()
        self.offer = self.invite(self.guest, self.visitor, "viewer")

    def new_grant(self):
        return self.boss.post("/api/v1/grants", {"code": code_of(self.session)}, token=None).expect(
            201).json["grant"]

    def invite(self, host, account, role, accept=False):
        offer = host.post(f"{self.path}/members", {"email": account.email, "role": role}).expect(201).json
        if accept:
            account.post("/api/v1/me/invitations", {"invitation": offer["invitation"]}).expect(200)
        return offer

    VIEWS = {
        "boss/session": ("session", lambda self: bearer(self.boss.token)),
        "boss/presenter": ("presenter", lambda self: bearer(self.boss.token)),
        "boss/home": ("home", lambda self: bearer(self.boss.token)),
        "guest/session": ("session", lambda self: bearer(self.guest.token)),
        "guest/presenter": ("presenter", lambda self: bearer(self.guest.token)),
        "guest/home": ("home", lambda self: bearer(self.guest.token)),
        "again/session": ("session", lambda self: bearer(self.again.token)),
        "again/home": ("home", lambda self: bearer(self.again.token)),
        "page/session": ("session", lambda self: f"Cookie: {self.cookie}\r\nOrigin: {self.server.url}"),
        "page/home": ("home", lambda self: f"Cookie: {self.cookie}\r\nOrigin: {self.server.url}"),
        "boss link/presenter": ("presenter", lambda self: bearer(self.boss_link["token"])),
        "guest link/presenter": ("presenter", lambda self: bearer(self.guest_link["token"])),
        "Kim/audience": ("audience", lambda self: bearer(self.kim["receipt"])),
        "Lee/audience": ("audience", lambda self: bearer(self.lee["receipt"])),
        "grant/audience": ("audience", lambda self: bearer(self.grant)),
    }

    def view(self, name):
        return View(self.server, self.room(name), self.VIEWS[name][1](self))

    def stream(self, name):
        """Opens an event stream with the right of this view, by a ticket."""
        lines = self.VIEWS[name][1](self).split("\r\n")
        return EventStream(self.server, self.room(name), ticket=ticket(self.server, *lines))

    def socket_io(self, name):
        """Opens a client of Socket.IO with the right of this view."""
        token = self.VIEWS[name][1](self).removeprefix("Authorization: Bearer ")
        return SocketIOView(self.server, self.room(name), token)

    def room(self, view):
        room = self.VIEWS[view][0]
        return room if room == "home" else f"{room}:{self.session['id']}"

    # For each request: the caller's token, the request, and what the answer is while the right lasts.
    REQUESTS = {
        "boss reads": lambda self: (self.boss.token, "GET", self.of_session, None, 200),
        "guest reads": lambda self: (self.guest.token, "GET", self.of_session, None, 200),
        "guest reads attendees": lambda self: (
            self.guest.token, "GET", f"{self.of_session}/attendees", None, 200),
        "guest hosts": lambda self: (self.guest.token, "PATCH", self.of_session, {"note": "x"}, 200),
        "guest moderates": lambda self: (
            self.guest.token, "PATCH", f"{self.of_session}/audience-settings", {"open": True}, 200),
        "guest reads reports of groups": lambda self: (
            self.guest.token, "GET", f"{self.of_session}/matching/reports", None, 200),
        "guest reads the roster": lambda self: (self.guest.token, "GET", f"{self.path}/roster", None, 200),
        # Nobody has this id, so that an owner's request changes nothing.
        "guest owns": lambda self: (
            self.guest.token, "DELETE", f"{self.path}/invitations/{self.meeting}", None, 404),
        "guest is signed in": lambda self: (self.guest.token, "GET", "/api/v1/me", None, 200),
        "again reads": lambda self: (self.again.token, "GET", self.of_session, None, 200),
        "again is signed in": lambda self: (self.again.token, "GET", "/api/v1/me", None, 200),
        "page reads": lambda self: (self.cookie, "GET", self.of_session, None, 200),
        "page is signed in": lambda self: (self.cookie, "GET", "/api/v1/me", None, 200),
        "boss link": lambda self: (self.boss_link["token"], "GET", f"{self.of_session}/qr.svg", None, 200),
        "guest link": lambda self: (self.guest_link["token"], "GET", f"{self.of_session}/qr.svg", None, 200),
        "Kim": lambda self: (self.kim["receipt"], "GET", "/api/v1/check-ins/current", None, 200),
        "Kim reads the form": lambda self: (
            self.kim["receipt"], "GET", f"{self.of_session}/questions", None, 200),
        "Kim reads what others ask": lambda self: (
            self.kim["receipt"], "GET", f"{self.of_session}/audience-questions", None, 200),
        "Kim looks for people": lambda self: (
            self.kim["receipt"], "GET", f"{self.of_session}/matching", None, 200),
        "Kim's page": lambda self: (
            f"qring_receipt_{self.session['id']}={self.kim['receipt']}", "GET", f"/me/{self.session['id']}",
            None, 200),
        "Lee": lambda self: (self.lee["receipt"], "GET", "/api/v1/check-ins/current", None, 200),
        "code": lambda self: (None, "POST", "/api/v1/grants", {"code": code_of(self.session)}, 201),
        # An invitation that is accepted is used up, so that it is only looked for.
        "invitation": lambda self: (self.visitor.token, "GET", "/api/v1/me/invitations", None, 200),
    }

    def lasts(self, name, api):
        """Sends the request over the kept connection of `api`. Returns whether the right lasts."""
        token, method, path, body, right = self.REQUESTS[name](self)
        headers = {}
        if token and token.startswith(("qring_token=", "qring_receipt_")):
            token, headers = None, {"Cookie": token}
        answer = api.request(method, path, json=body, token=token, headers=headers)
        if answer.status == right:
            return name != "invitation" or self.offer["id"] in answer.text
        assert answer.status in (401, 403, 404, 409, 422), f"{name}: {answer}"
        return False

    def change(self, name):
        """Changes what every room shows: the meeting's name and the number of attendees."""
        self.boss.patch(self.path, {"name": name}).expect(200)
        current = self.boss.get(self.of_session).expect(200).json
        check_in(API(self.server), current, name, f"{name}@example.org").expect(201)


class Cast:
    """Accounts of one server, which several meetings use."""

    def __init__(self, server):
        self.server = server
        self.boss, self.visitor = Host(server), Host(server)
        self.kept = None

    def guest(self):
        """Returns a client of an account, a second sign-in of it, and the cookie of its host's page. They
        stay the same until `ended` is called."""
        if self.kept is None:
            guest = Host(self.server)
            known = {"email": guest.email, "password": PASSWORD}
            again = guest.post("/api/v1/tokens", known, token=None).expect(201).json
            page = guest.post("/host/sign-in", known, token=None,
                headers={"Sec-Fetch-Site": "same-origin"}).expect(201)
            cookie = next(line.split(";")[0] for line in page.headers.get_all("Set-Cookie")
                if line.startswith("qring_token="))
            self.kept = guest, API(self.server, again["accessToken"]), cookie
        return self.kept

    def ended(self, ending):
        """Creates another account next time if the ending ended sign-ins of this one."""
        if ending.ends & SIGNED_IN:
            self.kept = None


ALL_OF_GUEST = {name for name in Meeting.REQUESTS if name.startswith(("guest", "again", "page"))}
SIGNED_IN = {name for name in ALL_OF_GUEST if name.endswith("is signed in")}
MEMBER = ALL_OF_GUEST - SIGNED_IN - {"guest link"}
# The rooms of the meeting, and the homes, which are the account's own.
ROOMS = {name for name in Meeting.VIEWS if name.startswith(("guest/", "again/", "page/"))}
HOMES = {name for name in ROOMS if name.endswith("/home")}
HOSTING = {"guest hosts", "guest moderates", "guest reads reports of groups", "guest reads the roster",
    "guest owns"}
GUEST_LINK, INVITATION = {"guest link/presenter", "guest link"}, {"invitation"}
FIRST = {"guest/session", "guest/presenter", "guest/home"} | {
    name for name in ALL_OF_GUEST if name.startswith("guest ") and name != "guest link"}
AGAIN = {"again/session", "again/home", "again reads", "again is signed in"}
PAGE = {"page/session", "page/home", "page reads", "page is signed in"}
KIM = {"Kim/audience", "Kim", "Kim's page", "Kim reads the form", "Kim reads what others ask",
    "Kim looks for people"}
LINKS = {"boss link/presenter", "boss link"} | GUEST_LINK
EVERY_VIEW, EVERY_REQUEST = set(Meeting.VIEWS), set(Meeting.REQUESTS)
GONE = (EVERY_VIEW - {"boss/home"} - HOMES) | (EVERY_REQUEST - SIGNED_IN)

# `ends` names the views and the requests. `silent` names views that go on and hear no more of the meeting.
# `shows` says whether the meeting can be changed afterwards.
Ending = collections.namedtuple("Ending", "act ends silent shows", defaults=[frozenset(), True])


def role(name):
    def act(it):
        it.boss.patch(f"{it.path}/members/{it.guest.account['id']}", {"role": name}).expect(200)
    return act


def merge_and_withdraw(it):
    """The receipt of a merged record leads to the other record, and ends with it."""
    it.boss.post(f"/api/v1/attendees/{it.kim['attendee']['id']}/merge",
        {"into": it.lee["attendee"]["id"]}).expect(200)
    it.boss.delete("/api/v1/check-ins/current", token=it.lee["receipt"]).expect(204)


def check_in_again(it):
    it.boss.patch(f"/api/v1/attendees/{it.kim['attendee']['id']}", {"status": "awaited"}).expect(200)
    again = check_in(API(it.server), it.session, "Kim", "Kim@example.org").expect(201).json
    assert again["attendee"]["id"] == it.kim["attendee"]["id"], again


def delete_one_of_two(it):
    it.boss.post(f"{it.path}/sessions",
        {"startsAt": moment(300), "endsAt": moment(360), "allowOverlap": True}).expect(201)
    it.boss.delete(f"{it.of_session}?confirm=Study%20group").expect(204)


def renew_stolen(it):
    """A refresh token that another client uses again ends the whole sign-in."""
    old = it.guest.tokens["refreshToken"]
    for client, status in [("one", 201), ("two", 401)]:
        it.guest.post("/api/v1/tokens/refresh", {"refreshToken": old}, token=None,
            headers={"User-Agent": client}).expect(status)


ENDINGS = {
    "a member is removed": Ending(
        lambda it: it.boss.delete(f"{it.path}/members/{it.guest.account['id']}").expect(204),
        (ROOMS - HOMES) | MEMBER | GUEST_LINK | INVITATION, HOMES),
    "a member leaves": Ending(
        lambda it: it.guest.delete(f"{it.path}/members/{it.guest.account['id']}").expect(204),
        (ROOMS - HOMES) | MEMBER | GUEST_LINK | INVITATION, HOMES),
    "an owner becomes a host": Ending(role("host"), {"guest owns"} | INVITATION),
    "an owner becomes a viewer": Ending(role("viewer"), HOSTING | GUEST_LINK | INVITATION),
    "a presenter link is revoked": Ending(
        lambda it: it.boss.delete(f"{it.of_session}/presenter-links/{it.guest_link['id']}").expect(204),
        GUEST_LINK),
    "the code is renewed and all links are revoked": Ending(
        lambda it: it.boss.patch(it.of_session,
            {"renewCode": True, "revokePresenterLinks": True}).expect(200),
        LINKS | {"code"}),
    "all codes of the meeting are renewed and all links are revoked": Ending(
        lambda it: it.boss.patch(it.path,
            {"renewAllCodes": True, "revokePresenterLinks": True}).expect(200),
        LINKS | {"code", "grant/audience"}),
    "the code is renewed": Ending(
        lambda it: it.boss.patch(it.of_session, {"renewCode": True}).expect(200), {"code"}),
    "a sign-in signs out": Ending(
        lambda it: it.guest.delete("/api/v1/tokens/current").expect(204), FIRST),
    "a page signs out": Ending(
        lambda it: it.guest.post("/host/sign-out", token=None,
            headers={"Cookie": it.cookie, "Sec-Fetch-Site": "same-origin"}).expect(204), PAGE),
    "a stolen refresh token ends its sign-in": Ending(renew_stolen, FIRST),
    "the password is changed": Ending(
        lambda it: it.guest.patch("/api/v1/me",
            {"password": "another good password", "currentPassword": PASSWORD}).expect(200), AGAIN | PAGE),
    "an account is deleted": Ending(
        lambda it: it.guest.delete("/api/v1/me", json={"password": PASSWORD}).expect(204),
        ROOMS | ALL_OF_GUEST | GUEST_LINK | INVITATION),
    "a session is deleted": Ending(
        delete_one_of_two, GONE - {"guest reads the roster", "guest owns"} - INVITATION, shows=False),
    "the only session is deleted": Ending(
        lambda it: it.boss.delete(f"{it.of_session}?confirm=Study%20group").expect(204),
        GONE - {"guest owns"}, shows=False),
    "a meeting is deleted": Ending(
        lambda it: it.boss.delete(f"{it.path}?confirm=Study%20group").expect(204),
        GONE - {"guest owns"}, shows=False),
    "an attendee withdraws": Ending(
        lambda it: it.boss.delete("/api/v1/check-ins/current", token=it.kim["receipt"]).expect(204), KIM),
    "a host removes an attendee": Ending(
        lambda it: it.boss.delete(f"/api/v1/attendees/{it.kim['attendee']['id']}").expect(204), KIM),
    "a host sets an attendee back to awaited": Ending(
        lambda it: it.boss.patch(f"/api/v1/attendees/{it.kim['attendee']['id']}",
            {"status": "awaited"}).expect(200), KIM),
    "another person checks in to the record": Ending(check_in_again, KIM),
    "a merged attendee withdraws": Ending(
        merge_and_withdraw, KIM | {"Lee/audience", "Lee"}),
    "an invitation is revoked": Ending(
        lambda it: it.boss.delete(f"{it.path}/invitations/{it.offer['id']}").expect(204), INVITATION),
    "a session is over": Ending(
        lambda it: it.boss.patch(it.of_session,
            {"endsAt": moment(-1), "feedbackClosesHoursAfter": 0}).expect(200),
        # A receipt still shows the attendee's own record.
        LINKS | {"Kim/audience", "Lee/audience", "grant/audience", "code"}, shows=False),
}
