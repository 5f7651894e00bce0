"""Behind a proxy: which headers are believed, and the whole story through Debian's nginx and Caddy with TLS.
"""
import itertools
import json
import os
import re
import socket
import subprocess
import time
import unittest

from websockets.sync.client import connect

from admin import Admin
from api import API
from event_stream import EventStream, ticket
from host import Host, code_of, moment
from link import Link
from nodes import Nodes
from page import Visitor
from postgres import shared
from proxies import Caddy, CaddyOfThree, Nginx, NginxOfThree
from server_process import DEADLINE, QRING, Server, wait_until
from socket_io import Polling
from test_command_line import Terminal

FORWARDED = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "qring.example.org"}


class BelievedTests(unittest.TestCase):
    """The test plays the proxy, at a loopback address."""

    def setUp(self):
        self.server = self.enterContext(
            Server("--signup", "open", "--trusted-proxy", "192.0.2.0/24,fd00::/8", "--trusted-proxy",
                "loopback"))
        self.host = Host(self.server)

    def logged_client(self, headers):
        answer = API(self.server).get("/nothing", headers=headers)
        return self.server.log.wait_for_match(rf"(\S+) {answer.headers['X-Request-Id']}$").group(1)

    def test_the_client_is_the_rightmost_address_that_is_no_proxy_s(self):
        for value, client in [
            ("203.0.113.7", "203.0.113.7"), ("6.6.6.6, 203.0.113.7", "203.0.113.7"),
            ("6.6.6.6, 203.0.113.7, 192.0.2.9", "203.0.113.7"),
            ("6.6.6.6, 203.0.113.7, fd00::1,192.0.2.9", "203.0.113.7"), ("203.0.113.7:4711", "203.0.113.7"),
            ("2001:db8::7", "2001:db8::7"),
            ("[2001:DB8::7]:4711", "2001:db8::7"), ("::ffff:203.0.113.7", "203.0.113.7"),
            ("192.0.2.3, 192.0.2.9", "192.0.2.3"),
            ("", "127.0.0.1"), ("unknown", "127.0.0.1"), ("203.0.113.7, nonsense", "127.0.0.1"),
            ("203.0.113.7, x, 192.0.2.9", "192.0.2.9"),
            ("203.0.113.7,", "127.0.0.1"), ("203.0.113.777", "127.0.0.1"), ("1" * 4_000, "127.0.0.1"),
            (", ".join(["192.0.2.9"] * 300), "192.0.2.9"),
        ]:
            with self.subTest(value=value[:60]):
                self.assertEqual(self.logged_client({"X-Forwarded-For": value}), client)
        self.assertEqual(self.logged_client({}), "127.0.0.1")

    def test_links_and_cookies_use_the_address_of_the_client(self):
        session = self.host.session()
        found = self.host.get(f"/api/v1/sessions/{session['id']}", headers=FORWARDED).json
        self.assertTrue(found["checkInUrl"].startswith("HTTPS://QRING.EXAMPLE.ORG/C/"), found["checkInUrl"])
        link = self.host.post(f"/api/v1/sessions/{session['id']}/presenter-links",
            headers=FORWARDED).expect(201).json
        self.assertTrue(link["url"].startswith("https://qring.example.org/present/"))
        for proto, secure in [("https", True), ("HTTPS", True), ("http, https", True), ("https, http", False),
                ("http", False), ("gopher", False), (None, False)]:
            headers = {**FORWARDED,
                "X-Forwarded-Proto": proto} if proto else {"X-Forwarded-For": "203.0.113.7"}
            cookie = self.host.get(f"/C/{code_of(session)}",
                headers=headers).expect(200).headers["Set-Cookie"]
            self.assertEqual("Secure" in cookie, secure, proto)
        # A malformed host is ignored.
        for host in ["", "a b", "x/y", "[", "a" * 300, "evil.example.org\\@x"]:
            found = self.host.get(f"/api/v1/sessions/{session['id']}",
                headers={**FORWARDED, "X-Forwarded-Host": host}).expect(200).json
            self.assertTrue(found["checkInUrl"].startswith("HTTP"), host)
            self.assertNotIn("EVIL", found["checkInUrl"])

    def test_each_answer_ends_its_connection_and_an_upgrade_has_one_of_its_own(self):
        for path, status in [("/healthz", 200), ("/api/v1/me", 401), ("/page.css", 200), ("/nothing", 404)]:
            with socket.create_connection(("127.0.0.1", self.server.port), DEADLINE) as connection:
                connection.sendall(
                    f"GET {path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n".encode())
                answer = b""
                while piece := connection.recv(65536):
                    answer += piece
            self.assertIn(f"HTTP/1.1 {status} ".encode(), answer)
            self.assertIn(b"connection: close\r\n", answer.lower())
        # As Caddy 2 and nginx forward it: other upper and lower case, another order, further fields.
        for lines in [
            "Host: qring.example.org\r\nUser-Agent: Mozilla/5.0\r\nAccept: */*\r\nAccept-Encoding: gzip, "
            "deflate, br\r\nAccept-Language: ko\r\nCache-Control: no-cache\r\n"
            "Connection: Upgrade\r\nOrigin: https://qring.example.org\r\nPragma: no-cache\r\n"
            "Sec-Websocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
            "Sec-Websocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-Websocket-Protocol: qring.v1\r\n"
            "Sec-Websocket-Version: 13\r\nUpgrade: websocket\r\nVia: 1.1 Caddy\r\n"
            "X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Host: qring.example.org\r\nX-Forwarded-Proto: "
            "https\r\n",
            "Upgrade: websocket\r\nConnection: upgrade\r\nHost: qring.example.org\r\nX-Forwarded-For: "
            "203.0.113.7\r\nX-Forwarded-Proto: https\r\n"
            "sec-websocket-version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
            "Sec-WebSocket-Protocol: qring.v1, other\r\nCookie: a=b\r\n",
        ]:
            with socket.create_connection(("127.0.0.1", self.server.port), DEADLINE) as connection:
                connection.sendall(f"GET /rooms HTTP/1.1\r\n{lines}\r\n".encode())
                self.assertTrue(connection.recv(65536).startswith(b"HTTP/1.1 101 "))

    def test_rooms_accept_pages_of_the_host_that_the_client_used(self):
        cookie = f"Cookie: qring_token={self.host.token}"
        for origin, answer in [("https://qring.example.org", b'{"pong":1}'),
                ("https://evil.example.org", b"origin_not_allowed")]:
            with connect(
                self.server.rooms_url, subprotocols=["qring.v1"], proxy=None, origin=origin,
                open_timeout=DEADLINE,
                additional_headers={**FORWARDED, "Cookie": cookie.split(": ")[1]},
            ) as room:
                try:
                    room.send('{"ping":1}')
                    self.assertEqual(room.recv().encode(), answer)
                except Exception as closed:
                    self.assertIn(answer.decode(), str(closed))

    def test_failures_are_counted_for_the_client_and_not_for_the_proxy(self):
        def delay_after(client):
            return API(self.server).post(
                "/api/v1/tokens", {"email": self.host.email, "password": "wrong wrong wrong"},
                headers={"X-Forwarded-For": client}).expect(401).headers["Retry-After"]
        self.assertEqual([delay_after("203.0.113.7") for _ in range(3)], [None, "2", "4"])
        self.assertIsNone(delay_after("203.0.113.8"))


class DisbelievedTests(unittest.TestCase):
    def test_headers_of_other_peers_are_ignored(self):
        for options in [[], ["--trusted-proxy", "192.0.2.0/24"]]:
            with Server("--signup", "open", *options) as server:
                host = Host(server)
                session = host.session()
                answer = host.get("/nothing", headers=FORWARDED)
                self.assertEqual(
                    server.log.wait_for_match(rf"(\S+) {answer.headers['X-Request-Id']}$").group(1),
                    "127.0.0.1")
                found = host.get(f"/api/v1/sessions/{session['id']}", headers=FORWARDED).json
                self.assertTrue(found["checkInUrl"].startswith("HTTP://127.0.0.1:"))
                page = host.get(f"/C/{code_of(session)}", headers=FORWARDED).expect(200)
                self.assertNotIn("Secure", page.headers["Set-Cookie"])
                self.assertNotEqual((page.headers["Connection"] or "").lower(), "close")

    def test_a_proxy_that_is_not_named_is_reported(self):
        with Server("--signup", "open") as server:
            host = Host(server)
            for _ in range(25):
                host.get("/healthz", headers=FORWARDED).expect(200)
            server.log.wait_for_match("requests carry X-Forwarded-For from 127.0.0.1, which is not named")
            notice, = host.get("/api/v1/notices").expect(200).json["items"]
            self.assertEqual(notice["code"], "unnamed_proxy")
            self.assertIn("--trusted-proxy 127.0.0.1", notice["text"])
            korean, = host.get("/api/v1/notices", headers={"Accept-Language": "ko"}).json["items"]
            self.assertIn("프록시", korean["text"])
            doctor = Admin("doctor", "--listen", f"127.0.0.1:{server.port}", folder=server.folder).expect(0)
            self.assertEqual(doctor.check("unnamedProxy"), ("warn",
                "if it is your proxy, add --trusted-proxy 127.0.0.1; otherwise, ignore this"))

    def test_a_malformed_network_is_refused_at_the_start(self):
        for value in ["", "x", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/-1", "10.0.0.0/8,",
                "localhost"]:
            process = Server("--trusted-proxy", value).spawn()
            with process.stderr:
                said = process.stderr.read()
            self.assertEqual(process.wait(DEADLINE), 2, said)
            self.assertIn("--trusted-proxy", said)


class StoryTests:
    """All that people do, over TLS, with the samples in docs/proxies. Here the server learns its addresses
    from the proxy only."""

    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open", "--trusted-proxy", "loopback"))
        # The operator with the set-up token: through a proxy the first account needs it.
        Host(self.server)
        self.proxy = self.enterContext(self.PROXY()).start(self.server)

    def wait_for_log(self, pattern):
        self.server.log.wait_for_match(pattern)

    def room(self, token, name):
        socket = self.enterContext(connect(
            self.proxy.rooms_url, subprotocols=["qring.v1"], ssl=self.proxy.context, proxy=None,
            open_timeout=DEADLINE,
            additional_headers={"Authorization": f"Bearer {token}"}))
        socket.send(json.dumps({"join": name, "id": 1}))
        self.assertIn("joined", json.loads(socket.recv(DEADLINE)))
        return socket, json.loads(socket.recv(DEADLINE))["snapshot"]

    @staticmethod
    def read_until(room, condition):
        while not condition(frame := json.loads(room.recv(DEADLINE))):
            pass
        return frame

    def test_the_whole_story(self):
        host = Host(self.proxy)
        session = host.session()
        here = self.proxy.url.upper()
        # Created and read through the proxy, so that codes lead back through it.
        session = host.get(f"/api/v1/sessions/{session['id']}").expect(200).json
        self.assertTrue(session["checkInUrl"].startswith(f"{here}/C/"), session["checkInUrl"])
        link = host.post(f"/api/v1/sessions/{session['id']}/presenter-links").expect(201).json
        self.assertTrue(link["url"].startswith(f"{self.proxy.url}/present/"))
        self.assertIn("localhost", host.get(f"/present/{session['id']}", token=None).expect(200).text)

        watcher, _ = self.room(host.token, f"session:{session['id']}")
        screen, shown = self.room(link["token"], f"presenter:{session['id']}")
        self.assertTrue(shown["code"]["url"].startswith(f"{here}/C/"), shown["code"])

        guest = Visitor(self.proxy)
        answer = guest.api.get(f"/C/{code_of(session)}")
        self.assertIn("; Secure", answer.headers["Set-Cookie"])
        done = guest.submit(guest.open(f"/C/{code_of(session)}"), name="Kim", email="kim@example.org")
        self.assertEqual(done.status, 200, done.text)
        self.assertIn("Kim", done.text)
        self.assertEqual(
            [person["name"]
                for person in self.read_until(watcher, lambda frame: frame.get("arrivals"))["arrivals"]],
                ["Kim"])
        self.assertEqual(
            self.read_until(screen, lambda frame: "attendance" in frame)["attendance"]["checkedIn"], 1)

        questions = host.questions(session)
        person = API(self.proxy).post("/api/v1/check-ins",
            {"code": code_of(session), "name": "Lee", "email": "lee@example.org"}).expect(201).json
        host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": {questions["rating"]: 5}},
            token=person["receipt"]).expect(201)
        self.read_until(watcher, lambda frame: frame.get("feedback", {}).get("responses") == 1)
        # Each event arrives at once, although the stream does not end.
        stream = self.enterContext(EventStream(self.proxy, f"session:{session['id']}",
            ticket=ticket(self.proxy, f"Authorization: Bearer {host.token}")))
        end = time.monotonic() + DEADLINE
        self.assertIn("joined", stream.hear(end))
        self.assertIn("snapshot", stream.hear(end))
        host.patch(f"/api/v1/meetings/{session['meetingId']}", {"name": "Renamed"}).expect(200)
        self.assertIsNotNone(stream.hear_until(lambda frame: "Renamed" in json.dumps(frame), end))
        self.assertEqual(host.get(f"/api/v1/sessions/{session['id']}").json["attendance"]["checkedIn"], 2)
        # The client is the proxy's client, and no forwarded request counts as this machine's.
        self.wait_for_log(r"GET /C/… 200 .* 127\.0\.0\.1 ")
        self.assertEqual(API(self.proxy).get("/metrics").status, 403)

    def test_many_requests_and_upgrades_share_the_proxy(self):
        host = Host(self.proxy)
        session = host.session()
        for _ in range(10):
            API(self.proxy, host.token).get(f"/api/v1/sessions/{session['id']}").expect(200)
            self.room(host.token, f"session:{session['id']}")

    def test_a_client_of_socket_io_polls_and_changes_to_a_websocket(self):
        host = Host(self.proxy)
        session = host.session()
        polled = Polling(self.proxy)
        polled.post("40" + json.dumps({"token": host.token}), f'421["join","session:{session["id"]}"]')
        polled.hear('42["frame"')
        path = f"/socket.io/?EIO=4&transport=websocket&sid={polled.open['sid']}"
        socket = self.enterContext(connect(
            self.proxy.rooms_url.replace("/rooms", path), ssl=self.proxy.context, proxy=None))
        socket.send("2probe")
        self.assertEqual(socket.recv(DEADLINE), "3probe")
        socket.send("5")
        host.patch(f"/api/v1/meetings/{session['meetingId']}", {"name": "Renamed"}).expect(200)
        while "Renamed" not in socket.recv(DEADLINE):
            pass

    def test_our_client_trusts_only_the_given_file_of_certificates(self):
        host = Host(self.proxy)
        session = host.session()
        terminal = Terminal(self, self.proxy.url)
        terminal.environment["QRING_TOKEN"] = host.token
        command = ["watch", session["id"], "--json", "--until", "checked-in=1", "--timeout",
            f"{DEADLINE}s"]
        for variable in ["QRING_CA_FILE", "SSL_CERT_FILE"]:
            with self.subTest(variable):
                watching = subprocess.Popen(
                    [QRING, *command], env={**terminal.environment, variable: self.proxy.certificate},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                with watching:
                    self.assertTrue(watching.stdout.readline())
                    API(self.proxy).post("/api/v1/check-ins",
                        {"code": code_of(session), "name": "Kim", "email": "kim@example.org"}).expect(200,
                            201)
                    _, said = watching.communicate(timeout=DEADLINE)
                self.assertEqual(watching.returncode, 0, said)
        refused = terminal.run("session", "show", session["id"])
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertIn("certificate", refused.stderr)


class NginxStory(StoryTests, unittest.TestCase):
    PROXY = Nginx


class CaddyStory(StoryTests, unittest.TestCase):
    PROXY = Caddy


class ThreeNodes:
    """Three servers on one PostgreSQL database, without sticky sessions."""

    def setUp(self):
        self.proxy = self.enterContext(self.PROXY())
        self.nodes = self.enterContext(self.make_nodes(
            shared().database(), "--trusted-proxy", "loopback", "--public-url", self.proxy.url))
        self.server = self.nodes[0]
        Host(self.server)
        self.proxy.ports = [node.port for node in self.nodes]
        self.proxy.start(self.server)

    def make_nodes(self, database, *options):
        return Nodes(database, 3, *options)

    def wait_for_log(self, pattern):
        wait_until(lambda: any(re.search(pattern, node.log.last(1000)) for node in self.nodes))


class LostDatabase(ThreeNodes):
    """One of the three servers loses its database."""

    def setUp(self):
        self.link = Link(os.path.join(shared().folder, ".s.PGSQL.5432"))
        self.addCleanup(self.link.close)
        super().setUp()

    def make_nodes(self, database, *options):
        nodes = super().make_nodes(database, *options)
        through_link = re.sub(r"host=\S+", f"host={self.link.host} port={self.link.port}", database)
        self.assertNotEqual(through_link, database)
        nodes[1].options = tuple(through_link if word == database else word for word in nodes[1].options)
        return nodes

    def test_nobody_notices_that_one_server_has_lost_its_database(self):
        host = Host(self.proxy)
        lost = API(self.nodes[1])
        meeting = host.meeting()

        def works(number):
            read = host.get(f"/api/v1/sessions/{meeting['session']['id']}")
            plan = {"name": f"Meeting {number}",
                "session": {"startsAt": moment(300), "endsAt": moment(360), "allowOverlap": True}}
            written = host.post("/api/v1/meetings", plan, headers={"Idempotency-Key": f"number-{number}"})
            return read.status, written.status

        self.assertEqual(works(0), (200, 201))
        self.link.cut()
        wait_until(lambda: lost.get("/readyz").status == 503)
        numbers = itertools.count(1)
        # Caddy asks the servers every two seconds.
        wait_until(lambda: [works(next(numbers)) for _ in range(6)] == [(200, 201)] * 6)
        for _ in range(30):
            self.assertEqual(works(next(numbers)), (200, 201))
        made = [one["name"] for one in host.all("/api/v1/meetings")]
        self.assertEqual(len(made), len(set(made)), "each key was used once")
        self.link.restore()
        wait_until(lambda: lost.get("/readyz").status == 200)
        before = self.served()
        wait_until(lambda: works(next(numbers)) and self.served() > before)

    def served(self):
        """Returns how many reads of a session the server with the link has answered."""
        return len(re.findall(r"GET /api/v1/sessions/\w+ 200", self.nodes[1].log.last(100_000)))


class NginxLostDatabase(LostDatabase, unittest.TestCase):
    PROXY = NginxOfThree


class CaddyLostDatabase(LostDatabase, unittest.TestCase):
    PROXY = CaddyOfThree


class NginxNodesStory(ThreeNodes, NginxStory):
    PROXY = NginxOfThree


class CaddyNodesStory(ThreeNodes, CaddyStory):
    PROXY = CaddyOfThree


if __name__ == "__main__":
    unittest.main()
