"""The limit of connections for an address, the time of a message, and the access to metrics."""
import os
import re
import socket
import time
import unittest

from api import API
from host import Host
from raw_websocket import CLOSE, FINAL, TEXT, RawWebSocket
from server_process import DEADLINE, PATIENCE, Server, wait_until


def metrics(server, port=None):
    connection = server.connection()
    connection.port = port or server.port
    connection.request("GET", "/metrics")
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def value(text, name):
    return int(re.search(rf"^qring_{name} (\d+)$", text, re.MULTILINE).group(1))


class ConnectionLimitTests(unittest.TestCase):
    def connect(self, server):
        return self.enterContext(socket.create_connection(("127.0.0.1", server.port), DEADLINE))

    def test_all_connections_of_an_address_count_together_until_they_end(self):
        server = self.enterContext(
            Server("--connections-per-address", "6", "--metrics-listen", "127.0.0.1:0"))
        port = int(server.log.wait_for_match(r"metrics on port (\d+)").group(1))
        waiting, kept = [self.connect(server) for _ in range(2)], [self.connect(server) for _ in range(2)]
        for connection in kept:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            self.assertTrue(connection.recv(65536).startswith(b"HTTP/1.1 200 "))
        rooms = [self.enterContext(RawWebSocket(server.port)) for _ in range(2)]
        for number in range(3):
            answer = API(server).get("/healthz")
            self.assertEqual((answer.status, answer.code, answer.headers["Retry-After"]),
                (503, "overloaded", "1"))
        self.assertEqual(value(metrics(server, port)[1], "connections_over_address_limit_total"), 3)
        # Each kind frees its slot.
        for connection in [waiting[0], kept[0], rooms[0].socket]:
            connection.close()
            wait_until(lambda: API(server).get("/healthz").status == 200)
            # The server may still count the connection of the request before, and refuse a new one.
            wait_until(lambda: self.connect(server) and API(server).get("/healthz").status == 503)

    def test_a_proxy_s_address_is_not_limited(self):
        server = self.enterContext(Server("--connections-per-address", "2", "--trusted-proxy", "loopback"))
        connections = [self.connect(server) for _ in range(20)]
        self.assertEqual(len(connections), 20)
        self.assertEqual(API(server).get("/healthz").status, 200)

    def test_a_hall_behind_one_address_is_not_limited(self):
        server = self.enterContext(Server())
        rooms = [self.enterContext(RawWebSocket(server.port)) for _ in range(300)]
        self.assertEqual(len(rooms), 300)
        self.assertEqual(API(server).get("/healthz").status, 200)


class EndlessMessageTests(unittest.TestCase):
    def test_a_message_that_gets_a_byte_a_second_ends_its_connection_after_30_s(self):
        server = self.enterContext(Server("--signup", "open"))
        token = Host(server).token
        paths = {"/rooms": 30, "/socket.io/?EIO=4&transport=websocket&token=" + token: 30,
            "/socket.io/?EIO=4&transport=websocket": 10}
        bearer = f"Authorization: Bearer {token}"
        sockets = {path: self.enterContext(
            RawWebSocket(server.port, *([bearer] if path == "/rooms" else []), path=path)) for path in paths}
        begun, ended = time.monotonic(), {}
        for socket in sockets.values():
            # With a mask of zeros, each further byte is the text's.
            socket.send(bytes([FINAL | TEXT, 0x80 | 126]) + (60_000).to_bytes(2) + bytes(4))
        while len(ended) < len(paths) and time.monotonic() - begun < 60 + DEADLINE:
            for path, socket in sockets.items():
                if path in ended:
                    continue
                socket.send(b"a")
                socket.socket.settimeout(1 / len(paths))
                try:
                    while (received := socket.receive())[0] != CLOSE:
                        pass
                    ended[path] = (int.from_bytes(received[1][:2]), time.monotonic() - begun)
                except TimeoutError:
                    pass
        for path, seconds in paths.items():
            with self.subTest(path[:40]):
                code, took = ended[path]
                self.assertEqual(code, 1008)
                self.assertGreaterEqual(took, seconds - 1)
                self.assertLess(took, seconds + 10 * PATIENCE)


class MetricsTests(unittest.TestCase):
    def test_without_a_listener_metrics_are_for_this_machine_and_for_no_proxy(self):
        server = self.enterContext(Server())
        self.assertEqual(API(server).get("/metrics").status, 200)
        for name in ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "X-Real-IP",
                "Via"]:
            self.assertEqual(API(server).get("/metrics", headers={name: "127.0.0.1"}).status, 403, name)
        self.assertEqual(API(server).get("/metrics", headers={"Host": "qring.example.org"}).status, 403)

    def test_a_trusted_proxy_on_this_machine_does_not_get_metrics(self):
        server = self.enterContext(Server("--trusted-proxy", "loopback"))
        self.assertEqual(API(server).get("/metrics").status, 403)
        self.assertEqual(API(server).get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status, 403)

    def test_with_a_listener_metrics_are_at_its_address_only(self):
        server = self.enterContext(Server("--metrics-listen", "127.0.0.1:0", "--trusted-proxy", "loopback"))
        port = int(server.log.wait_for_match(r"metrics on port (\d+)").group(1))
        status, text = metrics(server, port)
        self.assertEqual(status, 200)
        self.assertGreaterEqual(value(text, "connections_accepted_total"), 0)
        self.assertIn("qring_build_info{", text)
        # A metric has one line.
        names = re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(API(server).get("/metrics").status, 404)
        for path in ["/", "/healthz", "/api/v1/me", "/metrics/x"]:
            connection = server.connection()
            connection.port = port
            connection.request("GET", path)
            self.assertEqual(connection.getresponse().status, 404, path)
            connection.close()
        self.assertEqual(server.stop(), 0)

    def test_metrics_name_the_cause_of_a_server_that_is_not_ready(self):
        server = self.enterContext(Server())

        def causes():
            text = API(server).get("/metrics").expect(200).text
            return re.findall(r'^qring_not_ready\{cause="(\w+)"\} 1$', text, re.MULTILINE)

        self.assertEqual(API(server).get("/readyz").status, 200)
        self.assertEqual(causes(), [])
        if os.path.exists(server.database):
            os.rename(server.database, f"{server.database}.away")
            self.assertEqual(API(server).get("/readyz").status, 503)
            self.assertEqual(causes(), ["files"])
            os.rename(f"{server.database}.away", server.database)
            self.assertEqual(causes(), [])

    def test_a_malformed_address_is_refused_at_the_start(self):
        process = Server("--metrics-listen", "localhost:x").spawn()
        with process.stderr:
            said = process.stderr.read()
        self.assertEqual(process.wait(DEADLINE), 1)
        self.assertIn("localhost:x", said)


if __name__ == "__main__":
    unittest.main()
