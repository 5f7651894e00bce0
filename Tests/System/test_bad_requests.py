"""Wrong requests: unknown paths, wrong methods, malformed queries, and bytes that are not HTTP."""
import re
import socket
import unittest

from api import API
from host import PASSWORD, Host, check_in
from problems import UNKNOWN, ProblemCase
from routes import FOR_ANY_ORIGIN, LISTS, ROUTES
from server_process import DEADLINE

NO_IDS = ["x", "%00", "%ff", "..%2F..%2Fetc%2Fpasswd", "0" * 300, "'%20OR%201=1--", UNKNOWN + "0",
    "%F0%9F%98%80"]


class FormTests(ProblemCase):
    def test_the_log_has_the_status_of_every_request_and_no_secret(self):
        answers = [self.hall.anybody.get("/nothing"), self.hall.anybody.get(f"/c/{self.hall.code}"),
            self.hall.host.get("/api/v1/me"),
                   self.hall.anybody.post("/api/v1/tokens", body=b"x" * 70_000),
                   self.hall.anybody.delete("/readyz")]
        for answer in answers:
            line = self.server.log.wait_for_match(re.escape(answer.headers["X-Request-Id"])).string
            self.assertIn(f" {answer.status} ", line)
        said = "\n".join(self.server.log.lines)
        for secret in [self.hall.code, self.hall.host.token, self.hall.receipt, self.hall.grant,
                self.hall.host.email]:
            self.assertNotIn(secret, said)

    def test_malformed_requests_are_answered_once_logged_and_counted(self):
        def count():
            return int(
                re.search(r'qring_http_requests_total\{class="4xx"\} (\d+)',
                    self.hall.anybody.get("/metrics").text).group(1))
        chunked = (
            "POST /api/v1/tokens HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            "Transfer-Encoding: chunked\r\n\r\n")
        for request, line in [
            *[(f"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\nhello", "- /a 400")
                for length in ["+5", "abc", "5, 5", "-5", ""]],
            ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: " + "9" * 30 + "\r\n\r\n", "- /a 413"),
            ("GARBAGE\r\n\r\n", "- - 400"), ("GET /a\r\n\r\n", "- - 400"),
            ("GET /a HTTP/1.1\r\nHost\r\n\r\n", "- /a 400"),
            ("GET /a%zz HTTP/1.1\r\nHost: a\r\n\r\n", "GET - 400"), ("GET /a HTTP/1.1\r\n\r\n", "GET /a 400"),
            (chunked + "2\n{}\r\n0\r\n\r\n", "POST /api/v1/tokens 400"),
            (chunked + "2;" + "x" * 10_000 + "\r\n{}\r\n0\r\n\r\n", "POST /api/v1/tokens 400"),
            (chunked + "xy\r\n", "POST /api/v1/tokens 400"),
        ]:
            with self.subTest(request[-40:]):
                before, logged = count(), len(self.server.log.lines)
                with socket.create_connection(("127.0.0.1", self.server.port), DEADLINE) as connection:
                    connection.sendall(request.encode())
                    answer = b""
                    while piece := connection.recv(65_536):
                        answer += piece
                self.assertLessEqual(answer.count(b"HTTP/1.1 "), 1)
                self.server.log.wait_for(
                    lambda lines: any(f" {line} " in one and "127.0.0.1" in one for one in lines[logged:]))
                self.assertEqual(count(), before + 1)

    def test_unknown_paths_and_ids_are_not_found(self):
        for route in ROUTES:
            for name in re.findall(r"\{(id|linkId|personId|set)\}", route.pattern):
                for id in [UNKNOWN, *NO_IDS]:
                    if route.pattern in ("/present/{id}", "/kiosk/{id}") and id == UNKNOWN:
                        continue
                    path = route.pattern.replace("{" + name + "}", id)
                    for other, value in {"id": self.hall.session["id"], "linkId": UNKNOWN,
                            "webhookId": UNKNOWN, "passId": UNKNOWN,
                            "certificateId": UNKNOWN, "replyId": UNKNOWN, "personId": UNKNOWN,
                            "satelliteId": UNKNOWN,
                            "set": "feedback"}.items():
                        path = path.replace("{" + other + "}", value)
                    with self.subTest(route=f"{route.method} {route.pattern}", id=id):
                        answer = self.hall.send(route, path, json={} if route.body else None)
                        # A NUL breaks HTTP itself; a receipt belongs to another session; a body may be
                        # checked first.
                        # Own pages need a phone's cookie, which nobody has here; a form is no JSON.
                        own = route.access in ("attendee", "kiosk") or route.pattern.startswith("/me/")
                        others = (400,) * (id == "%00") + (401,) * own + (422,) * bool(route.body) + (
                            415,) * (route.body == "form")
                        self.assert_problem(answer, (404, *others))
        for path in ["/nothing", "/api", "/api/v2/me", "/api/v1/meetings/", "/C", "/C/", "/%00", "/%zz",
                "/../etc/passwd", "/page.css/x"]:
            with self.subTest(path=path):
                answer = self.hall.anybody.get(path, token=self.hall.host.token)
                if path != "/api/v1/meetings/":
                    self.assert_problem(answer, (400, 404))
                self.assertLess(answer.status, 500)

    def test_a_wrong_method_gets_the_allowed_ones(self):
        by_pattern = {}
        for route in ROUTES:
            by_pattern.setdefault(route.pattern, set()).add(route.method)
        for pattern in FOR_ANY_ORIGIN:
            by_pattern[pattern].add("OPTIONS")
        for pattern, methods in by_pattern.items():
            allowed = methods | ({"HEAD"} if "GET" in methods else set())
            for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get"} - methods:
                with self.subTest(pattern=pattern, method=method):
                    answer = self.hall.anybody.request(method, self.hall.path(pattern))
                    self.assert_problem(answer, 405, "method_not_allowed")
                    self.assertEqual(set(answer.headers["Allow"].split(", ")), allowed)

    def test_head_answers_as_get_does_without_the_body(self):
        meeting = f"/api/v1/meetings/{self.hall.meeting['id']}"
        picture = self.hall.host.get(f"{meeting}/qr.png").expect(200).body
        self.hall.host.put(f"{meeting}/image", body=picture,
            headers={"Content-Type": "image/png"}).expect(204)
        for route in ROUTES:
            # A stream answers GET only. Nobody is on the roster, and nobody has a certificate.
            if (route.method != "GET" or route.pattern == "/rooms/events"
                    or re.search(r"\{(person|certificate)Id\}", route.pattern)):
                continue
            with self.subTest(pattern=route.pattern):
                path = self.hall.path(route.pattern)
                if route.pattern == "/api/v1/accounts/availability":
                    path += "?email=kim@example.org"
                if route.pattern.endswith("/door/people"):
                    path += "?q=Kim"
                if route.pattern == "/M/{code}":
                    path = "/M/" + self.hall.meeting["meetingUrl"].rsplit("/", 1)[1]
                get = self.hall.send(route, path)
                head = self.hall.anybody.request("HEAD", path, token=self.hall.token(route))
                self.assertEqual((head.status, head.body), (get.status, b""))
                # Own pages need a phone's cookie, which nobody has here. A room needs an upgrade, and a poll
                # of Socket.IO its query. No job runs. Links to unsubscribe and to own replies are signed.
                # This server is no offline door.
                self.assertEqual(get.status < 300,
                    not route.pattern.startswith(
                        ("/me/", "/rooms", "/socket.io", "/unsubscribe/", "/R/own/", "/api/v1/jobs/",
                            "/api/v1/offline-door")))
                for name in ["Content-Type", "ETag", "Cache-Control", "Content-Length"]:
                    if name == "Content-Length" and route.pattern in (
                            "/metrics", "/{code}", "/C/{code}", "/M/{code}"):
                        continue
                    self.assertEqual(head.headers[name], get.headers[name], name)
        self.assertEqual(self.hall.anybody.request("HEAD", "/api/v1/me").status, 401)
        self.assertEqual(self.hall.anybody.request("HEAD", "/nothing").status, 404)

    def test_malformed_limits_and_cursors_are_refused(self):
        for pattern in LISTS:
            path = self.hall.path(pattern)
            for query, field in [(f"limit={limit}", "?limit")
                    for limit in ["0", "-1", "201", "x", "", "1.5", "9" * 30]] + [
                (f"cursor={cursor}", "?cursor")
                for cursor in ["x", "!", "", "0" * 400, "00", "%F0%9F%98%80", "ZZZZZZZZ"]
            ]:
                with self.subTest(path=pattern, query=query[:30]):
                    answer = self.hall.host.get(f"{path}?{query}")
                    self.assert_problem(answer, 422, "invalid_fields", field=field)

    def test_other_malformed_queries_are_refused(self):
        session = f"/api/v1/sessions/{self.hall.session['id']}"
        for path, field in [
            (f"{session}/attendees?status=here", "?status"), (f"{session}/journal?since=-1", "?since"),
            (f"{session}/journal?since=x", "?since"),
            (f"{session}/qr.png?size=0", "?size"), (f"{session}/qr.png?size=99999999999999999999", "?size"),
            (f"{session}/qr.png?size=big", "?size"),
            (f"{session}/results?set=" + "x" * 41, "?set"), (f"{session}/questions?set=", "?set"),
            ("/api/v1/accounts/availability", "?email"), ("/api/v1/accounts/availability?email=no", "?email"),
        ]:
            with self.subTest(path=path[-40:]):
                self.assert_problem(self.hall.host.get(path), 422, "invalid_fields", field=field)
        self.assert_problem(self.hall.host.get(f"{session}/results?set=nothing"), 404, "not_found")

    def test_an_edit_of_an_old_version_is_refused(self):
        for path, body in [(f"/api/v1/meetings/{self.hall.meeting['id']}", {"place": "A"}),
                (f"/api/v1/sessions/{self.hall.session['id']}", {"plannedCount": 5}),
                           ("/api/v1/me", {"name": "Host"})]:
            for tag in ['"v99"', '"v0"', '"other"', "v1", 'W/"v1"', '"v1", "v2"', '"v99999999999999999999"',
                    ""]:
                with self.subTest(path=path, tag=tag):
                    self.assert_problem(self.hall.host.patch(path, body, headers={"If-Match": tag}), 412,
                        "version_mismatch")

    def test_an_edit_without_a_version_is_refused(self):
        session = f"/api/v1/sessions/{self.hall.session['id']}"
        for method, path, body in [
            ("PATCH", f"/api/v1/meetings/{self.hall.meeting['id']}", {"place": "A"}),
            ("PATCH", session, {"plannedCount": 5}),
            ("PATCH", "/api/v1/me", {"name": "Host"}),
            ("PATCH", f"/api/v1/attendees/{self.hall.attendee}", {"note": "A"}),
            ("PATCH", f"{session}/sets/feedback", {"shared": True}),
            ("PUT", f"{session}/questions", {"questions": []}),
            ("PUT", f"/api/v1/meetings/{self.hall.meeting['id']}/roster", {"people": []}),
            ("PATCH", f"/api/v1/meetings/{self.hall.meeting['id']}/members/{self.hall.host.account['id']}",
                {"role": "host"}),
        ]:
            with self.subTest(path=path):
                answer = self.hall.host.request(method, path, json=body,
                    headers={"If-Match": None, "Accept-Language": "ko"})
                problem = self.assert_problem(answer, 428, "precondition_required")
                self.assertIn("If-Match: *", problem["detail"])

    def test_a_meeting_with_data_is_deleted_only_with_its_name(self):
        # Not the operator, because the last one cannot leave in any case.
        host = Host(self.server)
        made = host.meeting()
        check_in(host, made["session"], "Lee", "lee@example.org").expect(201)
        for path, body in [
            (f"/api/v1/sessions/{made['session']['id']}", None),
            (f"/api/v1/meetings/{made['meeting']['id']}", None),
            ("/api/v1/me", {"password": PASSWORD}),
        ]:
            for query in ["", "?confirm=", "?confirm=Other"]:
                with self.subTest(path=path, query=query):
                    self.assert_problem(host.delete(path + query, json=body), 409, "confirmation_needed")


class WireTests(ProblemCase):
    """Bytes that no client library sends."""

    def test_a_method_is_a_token_of_at_most_twenty_bytes(self):
        for method in [b"G\x1b[2JET", b"GE\tT", b"G\x7fT", b"G\xc2\x9bT", b"G\xffT", b"GE,T", b"(GET)",
                b"A" * 21, b"A" * 8_000]:
            with self.subTest(method=method[:12]):
                answer = self.exchange(method + b" /nothing-of-the-kind HTTP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertRegex(answer, rb"^HTTP/1\.1 400 ")
                self.assertIn(b'"code":"bad_request"', answer)
        for method, status in [(b"A" * 20, 404), (b"M-SEARCH", 404), (b"UPDATEREDIRECTREF", 404),
                (b"!#$%&'*+-.^_`|~9z", 404)]:
            with self.subTest(method=method):
                answer = self.exchange(
                    method + b" /nothing/here HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                self.assertRegex(answer, rb"^HTTP/1\.1 %d " % status)
        # No control character reaches the operator's terminal.
        self.hall.anybody.get("/a-mark-in-the-log")
        self.server.log.wait_for_match("/a-mark-in-the-log")
        for line in self.server.log.lines:
            self.assertNotRegex(line, r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffd]|AAAAAAAAAAAAAAAAAAAAA")

    def exchange(self, request):
        """Returns the bytes of the answer, or of the end of the stream."""
        with socket.create_connection(("127.0.0.1", self.server.port), DEADLINE) as connection:
            try:
                connection.sendall(request)
                connection.shutdown(socket.SHUT_WR)
                answer = b""
                while piece := connection.recv(65536):
                    answer += piece
            except (ConnectionResetError, BrokenPipeError):
                pass
            return answer

    def test_malformed_requests_are_refused_and_harm_nobody(self):
        host = b"Host: a\r\n"
        for request, statuses in [
            (
                b"POST /api/v1/grants HTTP/1.1\r\n" + host
                + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
            (b"POST /api/v1/grants HTTP/1.1\r\n" + host + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                [400]),
            (b"POST /api/v1/grants HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n", [400]),
            (b"GET / HTTP/1.1\r\n\r\n", [400]),
            (b"GET / HTTP/1.1\r\n" + host + host + b"\r\n", [400]),
            (b"GET / HTTP/1.1\r\n" + host + b"X: " + b"x" * 9000 + b"\r\n\r\n", [431]),
            (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n" + host + b"\r\n", [414, 431]),
            (b"GET /rooms HTTP/1.1\r\n" + host + b"\r\n", [426]),
            (b"GET /rooms HTTP/1.1\r\n" + host + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n", [426]),
            (b"GET / HTTP/9.9\r\n" + host + b"\r\n", [400, 505]),
            (b"nonsense\r\n\r\n", [400, None]),
        ]:
            with self.subTest(request=request[:60]):
                answer = self.exchange(request)
                status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else None
                self.assertIn(status, statuses, answer)
        # An incomplete request waits for its deadline; this test does not wait for that.
        for noise in [b"\0\1\2\3" * 100 + b"\r\n\r\n", b"\x16\x03\x01\x02\0\1\0", b"\r\n" * 1000, b""]:
            with socket.create_connection(("127.0.0.1", self.server.port), DEADLINE) as connection:
                connection.sendall(noise)
        API(self.server).get("/healthz").expect(200)
        self.assertIsNone(self.server.process.poll())


if __name__ == "__main__":
    unittest.main()
