"""Input from broken and hostile clients: each connection ends in bounded time, and an honest client beside it
notices nothing."""
import re
import resource
import socket
import ssl
import time
import unittest

import pytest

from bystander import Bystander
from host import Host
from raw_websocket import BINARY, CLOSE, FINAL, PING, PONG, TEXT, RawWebSocket, frame, upgrade
from server_process import DEADLINE, PATIENCE, Server

HOST = b"Host: a\r\n"
KEPT = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
# The limit of ten seconds, and the delay of a busy machine.
LATEST = 10 + 10 * PATIENCE


class TrapCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.session = cls.host.session()

    def setUp(self):
        self.enterContext(Bystander(self, self.server, self.host, self.session))

    def tearDown(self):
        self.assertIsNone(self.server.process.poll())

    def connect(self):
        return self.enterContext(socket.create_connection(("127.0.0.1", self.server.port), DEADLINE))

    @staticmethod
    def rest(connection, seconds=5 * PATIENCE):
        """Reads everything until the server closes, which it must do within so many seconds."""
        connection.settimeout(seconds)
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except (ConnectionResetError, BrokenPipeError):
            pass
        return answer

    def exchange(self, *pieces, seconds=5 * PATIENCE):
        """Returns the answers to these pieces; each is sent after an answer to the one before."""
        connection = self.connect()
        answer = b""
        for piece in pieces[:-1]:
            connection.sendall(piece)
            answer += connection.recv(65536)
        try:
            connection.sendall(pieces[-1])
        except (ConnectionResetError, BrokenPipeError):
            pass
        return answer + self.rest(connection, seconds)

    @staticmethod
    def statuses(answer):
        return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


@pytest.mark.alone("measures when a server ends a connection, and opens two thousand")
class HTTPTraps(TrapCase):
    def test_a_pipelined_body_belongs_to_its_own_request(self):
        body = b'{"code":"x"}'
        length = b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(body)
        post = b"POST /api/v1/grants HTTP/1.1\r\n" + HOST + length
        last = b"GET /healthz HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
        self.assertEqual(self.statuses(self.exchange(post + b"\r\n" + body + post + b"\r\n" + body + last)),
            [422, 422, 200])
        # A body that looks like a request is a body.
        hidden = b"DELETE /api/v1/me HTTP/1.1\r\n" + HOST + b"\r\n"
        wrapped = b"POST /healthz HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(hidden) + hidden
        self.assertEqual(self.statuses(self.exchange(wrapped + last)), [405, 200])
        # An upgrade behind another request in the same packet is no upgrade.
        self.assertEqual(self.statuses(self.exchange(KEPT + upgrade())), [200, 426])

    def test_upgrades_of_rooms_on_a_kept_connection_are_refused_and_close_it(self):
        for lines in [b"Upgrade: bogus\r\nConnection: Upgrade\r\n",
                b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                b"HTTP2-Settings: AAMAAABkAAQAAP__\r\n",
                      b"Upgrade: websocket, h2c\r\nConnection: Upgrade\r\n"]:
            # Other paths ignore an upgrade (RFC 9110 §7.8).
            last = b"GET /healthz HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
            for path, statuses in [(b"/rooms", [426]), (b"/", [200, 200])]:
                with self.subTest(lines=lines, path=path):
                    asked = b"GET " + path + b" HTTP/1.1\r\n" + HOST + lines + b"\r\n"
                    self.assertEqual(self.statuses(self.exchange(KEPT, asked + last)), [200, *statuses])
                    self.assertEqual(self.statuses(self.exchange(asked + last)), statuses)
        self.assertEqual(self.statuses(self.exchange(KEPT, upgrade())), [200, 426])
        answer = self.exchange(KEPT, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.assertEqual(self.statuses(answer)[0], 200)
        self.assertIn(self.statuses(answer)[-1], (400, 505))

    def test_an_upgrade_with_a_body_is_refused(self):
        for lines, body in [(("Content-Length: 5",), b"hello"), (("Content-Length: 0",), b""),
                (("Transfer-Encoding: chunked",), b"5\r\nhello\r\n0\r\n\r\n"),
                            (("Expect: 100-continue", "Content-Length: 5"), b"hello")]:
            with self.subTest(lines=lines):
                self.assertEqual(self.statuses(self.exchange(upgrade(*lines) + body)), [426])
        # Frames that are sent before the answer come after the headers, so this is no valid upgrade.
        self.assertEqual(self.statuses(self.exchange(upgrade() + frame(FINAL | TEXT, b"{}"))), [426])

    def test_malformed_lengths_are_refused(self):
        post = b"POST /api/v1/grants HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
        for lines, body, expected in [
            (b"Content-Length: -1\r\n", b"{}", 400),
            (b"Content-Length: 2\r\nContent-Length: 3\r\n", b"{}", 400),
            (b"Content-Length: 2\r\nContent-Length: 2\r\n", b"{}", 400),
            (b"Content-Length: 2, 2\r\n", b"{}", 400), (b"Content-Length: 0x2\r\n", b"{}", 400),
            (b"Content-Length: 999999999999999999\r\n", b"{}", 413),
            (b"Content-Length: 99999999999999999999999\r\n", b"{}", 413),
            (b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", b"2\r\n{}\r\n0\r\n\r\n", 400),
            (b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", b"2\r\n{}\r\n0\r\n\r\n", 400),
            (b"Transfer-Encoding: gzip, chunked\r\n", b"", 501),
        ]:
            with self.subTest(lines=lines):
                began = time.monotonic()
                answer = self.exchange(post + lines + b"\r\n" + body)
                # If the library cannot read a length, it sends the head of its answer twice, and closes.
                self.assertEqual(set(self.statuses(answer)), {expected}, answer)
                self.assertLess(time.monotonic() - began, 5 * PATIENCE)
        # Without a length there is no body; the rest is the next request, and no valid one.
        self.assertEqual(self.statuses(self.exchange(post + b"Connection: close\r\n\r\n")), [400])

    def test_too_large_and_malformed_heads_are_refused(self):
        get = b"GET /healthz HTTP/1.1\r\n" + HOST
        for request, expected in [
            (get + b"X: " + b"x" * 9_000 + b"\r\n\r\n", {431}),
            (get + b"".join(b"X%d: x\r\n" % number for number in range(1_200)) + b"\r\n", {431}),
            (b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", {414, 431}),
            (b"GET /a\0b HTTP/1.1\r\n" + HOST + b"\r\n", {400}),
            (b"GET /healthz\0 HTTP/1.1\r\n" + HOST + b"\r\n", {400}),
            (b"G\0T /healthz HTTP/1.1\r\n" + HOST + b"\r\n", {400}),
            (b"GET\0 /healthz HTTP/1.1\r\n" + HOST + b"\r\n", {400}),
            (b"GET /%00 HTTP/1.1\r\n" + HOST + b"\r\n", {400}),
        ]:
            with self.subTest(request=request[:50]):
                answers = self.statuses(self.exchange(request))
                self.assertEqual(len(answers), 1)
                self.assertIn(answers[0], expected)

    def test_a_byte_that_no_header_may_hold_is_refused_with_a_problem(self):
        last = b"Connection: close\r\n\r\n"
        for name, lines in [(f"byte {byte}", b"X: a%cb\r\n" % byte)
                for byte in [*range(9), 11, 12, *range(14, 32), 127]] + [
            ("a NUL alone", b"X: \0\r\n"), ("a NUL at the end", b"X: a\0\r\n"),
            ("a NUL behind the colon", b"X:\0a\r\n"), ("a NUL in a known one", b"Accept: text/html\0\r\n"),
            ("a line feed alone", b"X: a\nY: b\r\n"), ("a carriage return alone", b"X: a\rY: b\r\n"),
            ("two carriage returns", b"X: a\r\r\n"),
            ("a line that goes on", b"X: a\r\n b\r\n"),
            ("a line that goes on with a tab", b"X: a\r\n\tb\r\n"),
        ]:
            for place in ("first", "middle", "last"):
                head = {"first": lines + HOST + last, "middle": HOST + lines + last,
                    "last": HOST + last[:-2] + lines + b"\r\n"}[place]
                with self.subTest(name=name, place=place):
                    answer = self.exchange(b"GET /healthz HTTP/1.1\r\n" + head)
                    self.assertEqual(self.statuses(answer), [400], answer)
                    self.assertIn(b"application/problem+json", answer)
        # Characters that are allowed there are still accepted.
        for lines in [b"X:\r\n", b"X: \r\n", b"X:a\r\n", b"X: a \t \r\n", b"X: \t a\tb\r\n",
                b"X: \xec\x95\x88\xff\r\n", b"Cookie: a=b; c=\"d\"\r\nCookie: e=f\r\n"]:
            for head in (lines + HOST + last, HOST + last[:-2] + lines + b"\r\n"):
                with self.subTest(lines=lines):
                    self.assertEqual(self.statuses(self.exchange(KEPT + b"GET /healthz HTTP/1.1\r\n" + head)),
                        [200, 200])

    def test_no_path_leads_out_of_the_pages(self):
        for path in ["/../secret", "/../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd",
                "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/page.css/../../secret",
                     "/..\\..\\secret", "/page.css%2f..%2f..%2fjournal.db", "/journal.db", "/secret",
                     "/./secret"]:
            with self.subTest(path=path):
                answer = self.exchange(
                    b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
                # `/secret` has the form of a join code.
                self.assertIn(self.statuses(answer), ([400], [404], [422]))
                self.assertNotIn(b"root:", answer)

    def test_slow_silent_and_tls_connections_are_closed_in_time(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8_192), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        began = time.monotonic()
        hello = ssl.MemoryBIO()
        talker = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), hello, server_hostname="a")
        with self.assertRaises(ssl.SSLWantReadError):
            talker.do_handshake()
        tls = self.connect()
        tls.sendall(hello.read())
        trickles = [self.connect() for _ in range(4)]
        texts = [b"GET /healthz HTTP/1.1\r\nX: ", b"GET /rooms HTTP/1.1\r\n" + HOST + b"X: ",
            b"POST /api/v1/grants HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\n", b""]
        for trickle, text in zip(trickles, texts):
            trickle.sendall(text)
        silent = [self.connect() for _ in range(2_000)]
        ended = {}
        while len(ended) < len(trickles):
            self.assertLess(time.monotonic() - began, LATEST,
                "a byte a second went on for longer than any request may take")
            # Pause: a byte a second is the subject.
            time.sleep(1)
            for index, trickle in enumerate(trickles):
                if index in ended:
                    continue
                try:
                    trickle.sendall(b"G")
                    trickle.settimeout(0.001)
                    if (piece := trickle.recv(65536)) == b"" or b"HTTP/1.1 408 " in piece:
                        ended[index] = time.monotonic() - began
                except TimeoutError:
                    pass
                except OSError:
                    ended[index] = time.monotonic() - began
        for connection in silent:
            self.assertEqual(self.rest(connection, max(1, began + LATEST - time.monotonic())), b"")
        self.assertIn(self.statuses(self.rest(tls)), ([], [400]))
        self.assertLess(time.monotonic() - began, LATEST + 1)


@pytest.mark.alone("measures when a server ends a connection, and floods it")
class FrameTraps(TrapCase):
    def websocket(self):
        return self.enterContext(RawWebSocket(self.server.port))

    def test_malformed_frames_close_with_their_code(self):
        for name, data, code in [
            ("too big", frame(FINAL | TEXT, b"a" * 65_537), 1009),
            ("announced to be huge", frame(FINAL | TEXT, b"a" * 2_000, announced=1 << 40), 1009),
            ("too big in fragments", frame(TEXT, b"a" * 40_000) + frame(FINAL, b"a" * 40_000), 1009),
            ("fragmented for ever", frame(TEXT) + frame(0, b"a") * 6_000, 1008),
            ("not UTF-8", frame(FINAL | TEXT, b"a\xffa"), 1007),
            ("half a character", frame(FINAL | TEXT, b"\xed\x95"), 1007),
            ("a reserved bit", frame(FINAL | 0x40 | TEXT, b"{}"), 1002),
            ("two reserved bits", frame(FINAL | 0x30 | TEXT, b"{}"), 1002),
            ("a reserved opcode", frame(FINAL | 3, b"{}"), 1002),
            ("a close with code 999", frame(FINAL | CLOSE, b"\x03\xe7"), 1002),
            ("a close with code 1005", frame(FINAL | CLOSE, b"\x03\xed"), 1002),
            ("a close with code 1006", frame(FINAL | CLOSE, b"\x03\xee"), 1002),
            ("a fragmented ping", frame(PING, b"a"), 1002),
            ("a continuation of nothing", frame(FINAL, b"a"), 1002),
            ("binary", frame(FINAL | BINARY, b"a"), 1003),
            ("a ping of 126 bytes", frame(FINAL | PING, b"a" * 126), 1002),
            ("no JSON", frame(FINAL | TEXT, b"hello"), 1008),
        ]:
            with self.subTest(name):
                connection = self.websocket()
                began = time.monotonic()
                connection.send(data)
                self.assertEqual(connection.close_code(), code)
                self.assertLess(time.monotonic() - began, 5 * PATIENCE)

    def test_frames_without_a_mask_close_with_1002(self):
        plain = frame(FINAL | TEXT, b'{"ping":1}', masked=False)
        masked = frame(FINAL | TEXT, b'{"ping":1}')
        for name, data, before in [
            ("the first", plain, 0),
            ("long", frame(FINAL | TEXT, b'{"ping":1,"x":"' + b"x" * 60_000 + b'"}', masked=False), 0),
            ("a later one", plain, 1),
            ("many at once", plain * 50, 0), ("a ping", frame(FINAL | PING, b"a", masked=False), 1),
            ("nothing", frame(FINAL | TEXT, masked=False), 0),
            ("in fragments", frame(TEXT, b'{"pi', masked=False) + frame(FINAL, b'ng":1}', masked=False), 0),
        ]:
            with self.subTest(name):
                connection = self.websocket()
                for _ in range(before):
                    connection.send(masked)
                    self.assertEqual(connection.receive(), (TEXT, b'{"pong":1}'))
                began = time.monotonic()
                connection.send(data)
                self.assertEqual(connection.close_code(), 1002)
                self.assertLess(time.monotonic() - began, 5 * PATIENCE)

    def test_a_masking_client_is_never_closed_for_missing_masks(self):
        connection = self.websocket()
        for payload in [b'{"ping":1}', b'{"ping":1,"x":"%s"}' % (b"x" * 103),
                b'{"ping":1,"x":"%s"}' % (b"x" * 104), b'{"ping":1,"x":"%s"}' % (b"x" * 65_000)]:
            half = len(payload) // 2
            for data in [frame(FINAL | TEXT, payload),
                    frame(TEXT, payload[:half]) + frame(FINAL | PING, b"") + frame(0, b"") + frame(FINAL,
                        payload[half:])]:
                for piece in [data, None]:
                    if piece is None:
                        # One byte at a time, as far as the server lets it.
                        for index in range(min(len(data), 200)):
                            connection.send(data[index:index + 1])
                        connection.send(data[200:])
                    else:
                        connection.send(piece)
                    while (heard := connection.receive())[0] == PONG:
                        pass
                    self.assertEqual(heard, (TEXT, b'{"pong":1}'))
        # A frame with the upgrade, sent as soon as the answer is there.
        for _ in range(20):
            connection.send(frame(FINAL | TEXT, b'{"ping":1}') * 20)
            for _ in range(20):
                self.assertEqual(connection.receive(), (TEXT, b'{"pong":1}'))

    def test_a_flood_of_frames_is_ended_with_1008(self):
        for name, one in [("pings", frame(FINAL | PING, b"p" * 100)), ("empty pings", frame(FINAL | PING)),
                ("pongs", frame(FINAL | PONG, b"p" * 100)),
                          ("messages", frame(FINAL | TEXT, b'{"ping":1}'))]:
            with self.subTest(name):
                connection = self.websocket()
                connection.socket.settimeout(0.05)
                began, opcode, payload, left = time.monotonic(), None, b"", b""
                while opcode != CLOSE:
                    self.assertLess(time.monotonic() - began, LATEST, "the flood goes on")
                    left = left or one * 500
                    try:
                        left = left[connection.socket.send(left):]
                    except (TimeoutError, ConnectionResetError, BrokenPipeError):
                        pass
                    try:
                        while opcode != CLOSE:
                            opcode, payload = connection.receive()
                    except TimeoutError:
                        pass
                self.assertEqual(int.from_bytes(payload[:2], "big"), 1008)

    def test_a_few_pings_are_answered(self):
        connection = self.websocket()
        for number in range(100):
            connection.send(frame(FINAL | PING, b"%d" % number))
            self.assertEqual(connection.receive(), (PONG, b"%d" % number))


if __name__ == "__main__":
    unittest.main()
