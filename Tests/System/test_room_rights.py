"""Rooms open only to their own callers, and send each no more than they may know."""
import json
import unittest

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from host import Host, check_in
from server_process import DEADLINE, Server


class RoomRightsTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.stranger = Host(cls.server)
        cls.session = cls.host.session()
        cls.other = cls.host.session("Other")
        cls.person = check_in(cls.host, cls.session, "Kim Minseo", "minseo@example.org").expect(201).json
        cls.grant = cls.host.post("/api/v1/grants", {"joinCode": cls.session["joinCode"]},
            token=None).expect(201).json["grant"]
        cls.link = cls.host.post(f"/api/v1/sessions/{cls.session['id']}/presenter-links").expect(201).json

    def connect(self, headers=None, subprotocols=("qring.v1",)):
        return self.enterContext(connect(
            self.server.rooms_url, subprotocols=subprotocols, additional_headers=headers or {}, proxy=None,
            open_timeout=DEADLINE, ping_interval=None,
            close_timeout=1))

    def ask(self, socket, **message):
        socket.send(json.dumps(message))
        return json.loads(socket.recv(DEADLINE))

    def closed_with(self, socket):
        with self.assertRaises(ConnectionClosed):
            while True:
                socket.recv(DEADLINE)
        return socket.close_code

    def room(self, kind, session=None):
        return f"{kind}:{(session or self.session)['id']}"

    def test_each_caller_opens_only_their_own_rooms(self):
        rooms = {self.room(kind, session): (kind, session is self.session)
                 for kind in ["session", "presenter", "audience"] for session in [self.session, self.other]}
        rooms["home"] = ("home", True)
        holders = {
            "host": (self.host.token,
                {self.room(kind, session) for kind in ["session", "presenter"]
                    for session in [self.session, self.other]} | {"home"}),
            "stranger": (self.stranger.token, {"home"}),
            "presenter": (self.link["token"], {self.room("presenter")}),
            "receipt": (self.person["receipt"], {self.room("audience")}),
            "grant": (self.grant, {self.room("audience")}),
        }
        for holder, (token, own) in holders.items():
            for room in rooms:
                with self.subTest(holder=holder, room=rooms[room]):
                    socket = self.connect({"Authorization": f"Bearer {token}"})
                    answer = self.ask(socket, join=room, id=7)
                    self.assertEqual(answer["id"], 7)
                    if room in own:
                        self.assertEqual(answer["joined"], room)
                    else:
                        self.assertEqual((answer["error"]["status"], answer["error"]["code"]),
                            (403, "not_allowed"))

    def test_only_members_get_names_and_the_audience_gets_no_code(self):
        for kind, token, names, code in [("session", self.host.token, True, True),
                ("presenter", self.link["token"], False, True),
                                         ("audience", self.person["receipt"], False, False)]:
            with self.subTest(kind=kind):
                socket = self.connect()
                self.assertEqual(self.ask(socket, authorize=token), {"authorized": True})
                self.ask(socket, join=self.room(kind))
                told = socket.recv(DEADLINE)
                number = len(self.host.all(f"/api/v1/sessions/{self.session['id']}/attendees"))
                check_in(self.host, self.session, f"Kim Minseo {number}",
                    f"minseo{number}@example.org").expect(201)
                while f'"checkedIn":{number + 1}' not in told:
                    told += socket.recv(DEADLINE)
                self.assertEqual("Minseo" in told and "minseo" in told, names)
                self.assertEqual(self.session["joinCode"] in told, code)
                self.assertEqual(self.session["checkInUrl"] in told, code)

    def test_a_connection_without_a_right_is_closed_with_4001(self):
        for token in ["x", "", self.host.token[:-1], self.host.tokens["refreshToken"],
                self.session["joinCode"]]:
            with self.subTest(token=token[:8]):
                self.assertEqual(self.closed_with(self.connect({"Authorization": f"Bearer {token}"})), 4001)
                socket = self.connect()
                socket.send(json.dumps({"authorize": token}))
                self.assertEqual(self.closed_with(socket), 4001)

    def test_signing_out_and_revoking_end_open_rooms(self):
        leaving = Host(self.server)
        link = self.host.post(f"/api/v1/sessions/{self.session['id']}/presenter-links").expect(201).json
        home = self.connect({"Authorization": f"Bearer {leaving.token}"})
        self.assertEqual(self.ask(home, join="home")["joined"], "home")
        screen = self.connect({"Authorization": f"Bearer {link['token']}"})
        self.assertIn("joined", self.ask(screen, join=self.room("presenter")))
        leaving.delete("/api/v1/tokens/current").expect(204)
        self.host.delete(f"/api/v1/sessions/{self.session['id']}/presenter-links/{link['id']}").expect(204)
        self.assertEqual([self.closed_with(home), self.closed_with(screen)], [4001, 4001])

    def test_a_cookie_opens_rooms_only_for_our_own_pages(self):
        cookie = {"Cookie": f"qring_token={self.host.token}"}
        own = self.connect({**cookie, "Origin": self.server.url})
        self.assertIn("joined", self.ask(own, join="home"))
        for headers in [{**cookie, "Origin": "https://evil.example"}, {**cookie, "Origin": "null"}, cookie]:
            with self.subTest(headers=list(headers)):
                self.assertEqual(self.closed_with(self.connect(headers)), 1008)

    def test_malformed_messages_are_answered_or_end_the_connection(self):
        socket = self.connect({"Authorization": f"Bearer {self.host.token}"})
        unknown = "session:01M7X9G8BNMZXT5QT5Q59Y1TCE"
        for message, code in [({"join": "nowhere"}, "unknown_room"), ({"join": "session:x"}, "unknown_room"),
                ({"join": unknown}, "not_found"),
                              ({"leave": self.room("session")}, "not_joined"), ({"nothing": 1}, "not_json"),
                              ({"join": 5}, "not_json")]:
            with self.subTest(message=message):
                answer = self.ask(socket, **message, id=1)
                self.assertEqual((answer["error"]["code"], answer["id"]), (code, 1))
        self.assertEqual(self.ask(socket, ping=3), {"pong": 3})
        for text, code in [("{", 1008), ("[]", 1008), ("", 1008), ("x" * 70_000, 1009)]:
            with self.subTest(text=text[:5]):
                socket = self.connect({"Authorization": f"Bearer {self.host.token}"})
                socket.send(text)
                self.assertEqual(self.closed_with(socket), code)
        for subprotocols in [None, ("qring.v2",), ("chat", "v1")]:
            with self.subTest(subprotocols=subprotocols), self.assertRaises(InvalidStatus):
                self.connect(subprotocols=subprotocols)


if __name__ == "__main__":
    unittest.main()
