"""Event streams of rooms: the same frames as on a websocket, tickets, and the client of the pages behind a
network that breaks websockets."""
import json
import socket
import threading
import time
import unittest

from api import API
from browser import Browser
from event_stream import EventStream, ticket
from host import Host, check_in
from problems import UNKNOWN
from rights_over_time import bearer
from room import Room
from server_process import DEADLINE, Server


def soon():
    return time.monotonic() + DEADLINE


class EventStreamTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def setUp(self):
        self.host = Host(self.server)
        self.session = self.host.session()
        self.room = f"session:{self.session['id']}"

    def stream(self, *lines, room=None, **query):
        return self.enterContext(EventStream(self.server, room or self.room, *lines, **query))

    def with_ticket(self, **query):
        return self.stream(ticket=ticket(self.server, bearer(self.host.token)), **query)

    def check_in(self, *names):
        for name in names:
            check_in(API(self.server), self.session, name, f"{name}@example.org").expect(201)

    def arrivals(self, stream, name):
        """Returns the names of arrivals until this one."""
        names = []
        while name not in names:
            message = stream.hear(soon())
            self.assertIsNotNone(message, f"{name} did not arrive")
            names += [attendee["name"] for attendee in message.get("arrivals", [])]
        return names

    def test_a_stream_sends_the_frames_of_the_websocket(self):
        room = self.enterContext(Room(self.server, self.host.token, self.room))
        self.assertTrue(room.snapshot)
        stream = self.with_ticket()
        self.assertEqual(stream.status, 200)
        self.assertIn(b"text/event-stream", stream.head)
        joined, snapshot = stream.hear(soon()), stream.hear(soon())
        self.assertEqual(joined["joined"], self.room)
        self.assertEqual(snapshot, {"room": self.room, "sequence": joined["sequence"], **{
            "snapshot": room.snapshot}})
        self.check_in("Kim", "Lee", "Park")
        heard = []
        while "Park" not in [one["name"] for frame in heard for one in frame.get("arrivals", [])]:
            heard.append(stream.hear(soon()))
        room.wait_for_sequence(heard[-1]["sequence"])
        frames = [frame for frame in room.frames if "room" in frame and "snapshot" not in frame]
        self.assertEqual(heard, frames[:len(heard)])
        self.assertEqual(stream.last_id, f"{joined['epoch']}:{heard[-1]['sequence']}")

    def test_a_stream_resumes_after_the_last_event_also_after_a_restart(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        self.server = server
        self.session = host.session()
        room, right = f"session:{self.session['id']}", bearer(host.token)
        stream = self.stream(right, room=room)
        self.assertIn("joined", stream.hear(soon()))
        self.check_in("Kim")
        self.arrivals(stream, "Kim")
        position = stream.last_id
        self.check_in("Lee", "Park")
        for name, lines, query in [("the header", [f"Last-Event-ID: {position}"], {}),
                ("the query", [], {"since": position}),
                ("the header before the query", [f"Last-Event-ID: {position}"], {"since": "x:0"})]:
            with self.subTest(name):
                again = self.stream(right, *lines, room=room, **query)
                self.assertTrue(again.hear(soon())["recovered"])
                self.assertEqual(self.arrivals(again, "Park"), ["Lee", "Park"])
        server.stop()
        self.assertTrue(again.has_ended(soon()))
        self.assertEqual(again.closed["code"], 1001)
        server.start()
        again = self.stream(right, room=room, since=position)
        self.assertTrue(again.hear(soon())["recovered"])
        self.assertEqual(self.arrivals(again, "Park"), ["Lee", "Park"])
        for position in ["nonsense", "x:1", ":", "x:-1", "x:99999999999999999999"]:
            again = self.stream(right, room=room, since=position)
            self.assertFalse(again.hear(soon())["recovered"], position)
            self.assertIn("snapshot", again.hear(soon()))

    def test_a_ticket_is_valid_once(self):
        text = ticket(self.server, bearer(self.host.token))
        self.assertIn("joined", self.stream(ticket=text).hear(soon()))
        for used in [text, "", "qtk_x", "x" * 3_000]:
            refused = self.stream(ticket=used)
            self.assertEqual(refused.status, 401)
            self.assertEqual(json.loads(refused.body)["code"], "ticket_not_valid")

    def test_a_stream_without_a_right_or_a_room_gets_a_problem(self):
        for lines, query, code in [([], {}, "not_signed_in"),
                ([bearer(self.host.token)], {"room": "kitchen"}, "unknown_room")]:
            refused = self.stream(*lines, **query)
            problem = json.loads(refused.body)
            self.assertEqual((refused.status, problem["code"]), (problem["status"], code))
        # A websocket, too, learns these after its upgrade.
        refused = self.stream(bearer("qat_" + "x" * 43))
        self.assertTrue(refused.has_ended(soon()))
        self.assertEqual(refused.closed, {"code": 4001, "reason": "not_authorized"})
        refused = self.stream(bearer(self.host.token), room=f"session:{UNKNOWN}")
        self.assertEqual(refused.hear(soon())["error"]["code"], "not_found")
        self.assertTrue(refused.has_ended(soon()))
        self.assertEqual(refused.closed, {"code": 1008, "reason": "refused"})

    def test_tickets_need_a_right_and_the_own_page(self):
        api = API(self.server)
        self.assertEqual(api.post("/rooms/tickets").expect(401).json["code"], "not_signed_in")
        self.assertEqual(api.post("/rooms/tickets", token="x").expect(401).json["code"], "not_signed_in")
        cookie = {"Cookie": f"qring_token={self.host.token}"}
        for headers, status in [({}, 403), ({"Origin": "https://evil.example.org"}, 403),
                ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Sec-Fetch-Site": "same-origin"}, 201),
                ({"Origin": self.server.url}, 201)]:
            api.post("/rooms/tickets", headers={**cookie, **headers}).expect(status)
        for _ in range(60):
            text = ticket(self.server, bearer(self.host.token))
        self.assertIn("joined", self.stream(ticket=text).hear(soon()))

    def test_a_kept_connection_is_sent_to_another_one(self):
        connection = self.server.connection()
        path = f"/rooms/events?ticket={ticket(self.server, bearer(self.host.token))}&room={self.room}"
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        connection.request("GET", path)
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers["Location"]), (307, path))
        self.assertEqual(answer.headers["Connection"], "close")

    def test_a_request_of_another_form_is_refused(self):
        start = f"GET /rooms/events?room={self.room} HTTP/1.1\r\nHost: a\r\n"
        for request in [start.replace("1.1", "1.0"), start + "Content-Length: 0\r\n",
                start + "Upgrade: websocket\r\n", start.replace("GET", "HEAD")]:
            with self.subTest(request), socket.create_connection(
                    ("127.0.0.1", self.server.port), DEADLINE) as connection:
                connection.sendall(f"{request}\r\n".encode())
                answer = b""
                while piece := connection.recv(65536):
                    answer += piece
                self.assertIn(b"HTTP/1.1 400 ", answer)

    def test_a_client_that_sends_more_than_its_request_is_dropped(self):
        stream = self.with_ticket()
        self.assertIn("joined", stream.hear(soon()))
        stream.socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
        self.assertTrue(stream.has_ended(soon()))


class NoWebSockets:
    """A proxy that refuses upgrades and passes on everything else."""

    def __init__(self, server):
        self.server, self.refused = server, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client:
            first = client.recv(65536)
            if not first or b"Upgrade: websocket" in first:
                self.refused += bool(first)
                client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                return
            with socket.create_connection(("127.0.0.1", self.server.port)) as server:
                server.sendall(first)
                back = threading.Thread(target=self.copy, args=(server, client), daemon=True)
                back.start()
                self.copy(client, server)
                back.join()

    @staticmethod
    def copy(source, target):
        try:
            while piece := source.recv(65536):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class FallbackTests(unittest.TestCase):
    def test_the_projector_stays_live_in_a_network_without_websockets(self):
        server = self.enterContext(Server("--signup", "open"))
        proxy = self.enterContext(NoWebSockets(server))
        host = Host(server)
        session = host.session()
        link = host.post(f"/api/v1/sessions/{session['id']}/presenter-links").expect(201).json
        browser = self.enterContext(Browser())
        browser.open(link["url"].replace(server.url, proxy.url))
        browser.wait_for_text("#count", "0")
        for number, name in enumerate(["Kim", "Lee"], 1):
            check_in(API(server), session, name, f"{name}@example.org").expect(201)
            browser.wait_for_text("#count", str(number))
        self.assertGreater(proxy.refused, 0)
        host.delete(f"/api/v1/sessions/{session['id']}/presenter-links/{link['id']}").expect(204)
        browser.wait_for_text("#state", "no longer works")


if __name__ == "__main__":
    unittest.main()
