"""Requests that nobody should send: without rights, with forged or expired ones, to what does not exist, by the wrong method, out of form."""
import re
import socket
import unittest

from api import API
from host import Host, code_of
from problems import ProblemCase
from routes import LISTS, ROUTES
from server_process import DEADLINE, Server

UNKNOWN = "01M7X9G8BNMZXT5QT5Q59Y1TCE"
NO_IDS = ["x", "%00", "%ff", "..%2F..%2Fetc%2Fpasswd", "0" * 300, "'%20OR%201=1--", UNKNOWN + "0", "%F0%9F%98%80"]
PLAIN = {"/readyz", "/metrics", "/openapi.json", "/"}


def forged(token):
    """Another last character, and another first one behind the prefix."""
    swap = {"0": "1"}
    return [token[:-1] + swap.get(token[-1], "0"), token[:4] + swap.get(token[4], "0") + token[5:], token + "0", token[:-1], token.upper(), token[4:]]


class RightsTests(ProblemCase):
    def refused(self, token, routes, status=401, code=None):
        for route in routes:
            with self.subTest(route=f"{route.method} {route.pattern}", token=str(token)[:12]):
                self.assert_problem(self.hall.send(route, token=token), status, code)

    def test_without_a_token_nothing_but_what_anyone_may(self):
        closed = [route for route in ROUTES if route.access != "anyone"]
        self.refused(None, closed)
        for header in ["Bearer", "Bearer ", "Basic aG9zdDpwYXNz", "Bearer a b", "Bearer \t", "Bearer " + "x" * 600]:
            for route in closed:
                with self.subTest(route=route.pattern, header=header[:20]):
                    self.assert_problem(self.hall.send(route, token=None, headers={"Authorization": header}), 401)

    def test_forged_expired_and_ended_tokens_open_nothing(self):
        hall = self.hall
        bad = forged(hall.host.token) + [hall.host.tokens["refreshToken"], hall.gone.token, hall.expired.token, hall.grant, hall.code]
        for token in bad:
            self.refused(token, [route for route in ROUTES if route.access.startswith(("signedIn", "member", "operator"))], 401)

    def test_a_receipt_a_grant_or_a_presenter_link_is_no_sign_in(self):
        for token in [self.hall.receipt, self.hall.grant, self.hall.link["token"]]:
            self.refused(token, [route for route in ROUTES if route.access.startswith(("signedIn", "member ", "operator"))], 401, "not_signed_in")

    def test_somebody_elses_token_opens_nothing_of_ours(self):
        routes = [route for route in ROUTES if route.access.startswith(("member", "operator"))]
        self.refused(self.hall.stranger.token, routes, 403, "not_allowed")

    def test_forged_receipts_and_other_tokens_are_no_receipts(self):
        for token in forged(self.hall.receipt) + [self.hall.host.token, self.hall.grant, self.hall.link["token"]]:
            self.refused(token, [route for route in ROUTES if route.access == "attendee"], 401, "receipt_not_valid")

    def test_a_receipt_is_good_for_its_own_session_alone(self):
        path = f"/api/v1/sessions/{self.hall.session['id']}"
        other = self.hall.over_person["receipt"]
        answers = {"answers": {self.hall.questions["rating"]: 5}}
        self.assert_problem(self.hall.anybody.post(f"{path}/responses", answers, token=other), 401, "receipt_not_valid")
        self.assert_problem(self.hall.anybody.get(f"{path}/questions", token=other), 401, "receipt_not_valid")

    def test_presenter_links_open_their_own_session_until_its_end(self):
        path = f"/api/v1/sessions/{self.hall.session['id']}/qr.svg"
        self.hall.anybody.get(path, token=self.hall.link["token"]).expect(200)
        for token in forged(self.hall.link["token"]) + [self.hall.over_link["token"]]:
            self.assert_problem(self.hall.anybody.get(path, token=token), 401)
        over = f"/api/v1/sessions/{self.hall.over['id']}/qr.svg"
        self.assert_problem(self.hall.anybody.get(over, token=self.hall.over_link["token"]), 401)
        self.assert_problem(self.hall.anybody.delete(f"/api/v1/sessions/{self.hall.session['id']}/presenter-links/{UNKNOWN}",
                                                     token=self.hall.host.token), 404, "not_found")

    def test_refresh_tokens_that_are_none(self):
        for token in forged(self.hall.host.tokens["refreshToken"]) + [self.hall.host.token, self.hall.gone.tokens["refreshToken"], "x"]:
            with self.subTest(token=token[:12]):
                self.assert_problem(self.hall.anybody.post("/api/v1/tokens/refresh", {"refreshToken": token}), 401, "wrong_credentials")

    def test_wrong_passwords_and_unknown_accounts_are_told_alike(self):
        answers = [self.hall.anybody.post("/api/v1/tokens", {"email": email, "password": "wrong password"})
                   for email in [self.hall.host.email, "nobody@example.org"]]
        problems = [self.assert_problem(answer, 401, "wrong_credentials") for answer in answers]
        for problem in problems:
            problem.pop("requestId")
        self.assertEqual(*problems)

    def test_who_is_not_invited_gets_no_account(self):
        with Server("--signup", "invite") as server:
            operator = Host(server)
            invitation = operator.post("/api/v1/invitations", {"email": "new@example.org"}).expect(201).json["invitation"]

            def sign_up(email, **fields):
                return operator.post("/api/v1/accounts", {"email": email, "password": "long enough", "name": "New", **fields}, token=None)

            for bad in forged(invitation) + [self.hall.grant, "x"]:
                self.assert_problem(sign_up("new@example.org", invitation=bad), 403, "sign_up_closed")
            self.assert_problem(sign_up("new@example.org"), 403, "sign_up_closed")
            self.assert_problem(sign_up("other@example.org", invitation=invitation), 403, "sign_up_closed")
            sign_up("new@example.org", invitation=invitation).expect(201)
            self.assert_problem(sign_up("new@example.org", invitation=invitation), 409, "email_taken")

    def test_a_cookie_from_another_site_changes_nothing(self):
        route = f"/api/v1/meetings/{self.hall.meeting['id']}"
        cookie = {"Cookie": f"qring_token={self.hall.host.token}"}
        self.hall.anybody.get(route, headers=cookie).expect(200)
        for headers in [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                        {"Sec-Fetch-Site": "same-site", "Origin": self.server.url}]:
            with self.subTest(headers=headers):
                answer = self.hall.anybody.patch(route, {"name": "Taken"}, headers={**cookie, **headers})
                self.assert_problem(answer, 403, "origin_not_allowed")
        self.assertEqual(self.hall.host.get(route).json["name"], "Running")


class CodeTests(ProblemCase):
    def enter(self, **by):
        return self.hall.anybody.post("/api/v1/check-ins", {"name": "Kim", "email": "kim@example.org", **by})

    def test_forged_codes(self):
        code = self.hall.code
        meeting = self.hall.meeting["meetingUrl"].rsplit("/", 1)[1]
        for bad in forged(code) + [meeting, "0" * 42, "é" * 42, code[:26] + "0" * 16, self.hall.session["id"], f"HTTP://X/C/{code}"]:
            with self.subTest(code=bad):
                if bad == code.upper():
                    continue
                self.assert_problem(self.hall.anybody.post("/api/v1/grants", {"code": bad}), 422, "code_not_valid")
                self.assert_problem(self.enter(code=bad), 422, "code_not_valid")
                if bad.isalnum() and bad.isascii():
                    self.assert_problem(self.hall.anybody.get(f"/C/{bad}"), 422, "code_not_valid")
        for bad in forged(meeting)[:4] + [code]:
            self.assert_problem(self.hall.anybody.get(f"/M/{bad}"), 422, "code_not_valid")

    def test_join_codes_that_are_none(self):
        for bad in ["000000", "ABCDE", "ABCDEFG", "------", "가나다라마바", "😀😀😀😀😀😀", " " * 6]:
            with self.subTest(code=bad):
                self.assert_problem(self.hall.anybody.post("/api/v1/grants", {"joinCode": bad}), 422, "code_not_valid")

    def test_forged_grants(self):
        for bad in forged(self.hall.grant) + [self.hall.receipt, "qgr_", "qgr_" + "0" * 100, "x"]:
            with self.subTest(grant=bad[:20]):
                self.assert_problem(self.enter(grant=bad), 422, "grant_not_valid")

    def test_when_a_session_is_over_nothing_opens_it(self):
        over = self.hall.over
        for answer in [
            self.enter(code=code_of(over)), self.enter(joinCode=over["joinCode"]), self.enter(grant=self.hall.over_grant),
            self.hall.anybody.post("/api/v1/grants", {"code": code_of(over)}),
            self.hall.anybody.post("/api/v1/grants", {"joinCode": over["joinCode"]}), self.hall.anybody.get(f"/C/{code_of(over)}"),
        ]:
            self.assertIn("closedAt", self.assert_problem(answer, 409, "check_in_closed"))
        answer = self.hall.anybody.post(
            f"/api/v1/sessions/{over['id']}/responses", {"answers": {self.hall.over_questions["rating"]: 5}},
            token=self.hall.over_person["receipt"])
        self.assert_problem(answer, 409, "feedback_closed")
        self.assert_problem(self.hall.host.patch(f"/api/v1/sessions/{over['id']}", {"lateAfterMinutes": 1}), 409, "session_over")

    def test_before_a_session_opens_nothing_opens_it(self):
        session = self.hall.host.session("Tomorrow", starts=24 * 60, ends=25 * 60)
        for answer in [self.enter(code=code_of(session)), self.enter(joinCode=session["joinCode"]),
                       self.hall.anybody.get(f"/C/{code_of(session)}")]:
            self.assertEqual(self.assert_problem(answer, 409, "check_in_not_open")["opensAt"], session["checkInOpensAt"])

    def test_a_grant_from_before_a_session_was_moved_is_too_early(self):
        session = self.hall.host.session("Moved")
        grant = self.hall.new_grant(session)
        self.hall.host.patch(f"/api/v1/sessions/{session['id']}", {"startsAt": "2098-12-31T10:00:00Z", "endsAt": "2098-12-31T11:00:00Z"}).expect(200)
        self.assert_problem(self.enter(grant=grant), 409, "check_in_not_open")

    def test_a_renewed_code_is_the_only_one(self):
        session = self.hall.host.session("Leaked")
        new = self.hall.host.patch(f"/api/v1/sessions/{session['id']}", {"renewCode": True}).expect(200).json
        self.assert_problem(self.enter(code=code_of(session)), 422, "code_not_valid")
        self.assert_problem(self.enter(joinCode=session["joinCode"]), 422, "code_not_valid")
        self.enter(code=code_of(new)).expect(201)


class FormTests(ProblemCase):
    def test_the_log_names_every_request_as_its_answer_does_and_tells_no_secret(self):
        answers = [self.hall.anybody.get("/nothing"), self.hall.anybody.get(f"/c/{self.hall.code}"), self.hall.host.get("/api/v1/me"),
                   self.hall.anybody.post("/api/v1/tokens", body=b"x" * 70_000), self.hall.anybody.delete("/readyz")]
        for answer in answers:
            line = self.server.log.wait_for_match(re.escape(answer.headers["X-Request-Id"])).string
            self.assertIn(f" {answer.status} ", line)
        said = "\n".join(self.server.log.lines)
        for secret in [self.hall.code, self.hall.host.token, self.hall.receipt, self.hall.grant, self.hall.host.email]:
            self.assertNotIn(secret, said)

    def test_what_does_not_exist(self):
        for route in ROUTES:
            for name in re.findall(r"\{(id|linkId|set)\}", route.pattern):
                for id in [UNKNOWN, *NO_IDS]:
                    if route.pattern == "/present/{id}" and id == UNKNOWN:
                        continue
                    path = route.pattern.replace("{" + name + "}", id)
                    for other, value in {"id": self.hall.session["id"], "linkId": UNKNOWN, "set": "feedback"}.items():
                        path = path.replace("{" + other + "}", value)
                    with self.subTest(route=f"{route.method} {route.pattern}", id=id):
                        answer = self.hall.send(route, path, json={} if route.body else None)
                        # NUL breaks HTTP's own rules; a receipt is of another session; a body may be looked at first.
                        others = (400,) * (id == "%00") + (401,) * (route.access == "attendee") + (422,) * bool(route.body)
                        self.assert_problem(answer, (404, *others))
        for path in ["/nothing", "/api", "/api/v2/me", "/api/v1/meetings/", "/C", "/C/", "/%00", "/%zz", "/../etc/passwd", "/page.css/x"]:
            with self.subTest(path=path):
                answer = self.hall.anybody.get(path, token=self.hall.host.token)
                if path != "/api/v1/meetings/":
                    self.assert_problem(answer, (400, 404))
                self.assertLess(answer.status, 500)

    def test_wrong_methods_say_which_are_right(self):
        by_pattern = {}
        for route in ROUTES:
            by_pattern.setdefault(route.pattern, set()).add(route.method)
        for pattern, methods in by_pattern.items():
            allowed = methods | ({"HEAD"} if "GET" in methods else set())
            for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get"} - methods:
                with self.subTest(pattern=pattern, method=method):
                    answer = self.hall.anybody.request(method, self.hall.path(pattern))
                    self.assert_problem(answer, 405, "method_not_allowed")
                    self.assertEqual(set(answer.headers["Allow"].split(", ")), allowed)

    def test_head_is_get_without_its_body(self):
        for route in ROUTES:
            if route.method != "GET":
                continue
            with self.subTest(pattern=route.pattern):
                path = self.hall.path(route.pattern)
                if route.pattern == "/api/v1/accounts/availability":
                    path += "?email=kim@example.org"
                if route.pattern == "/M/{code}":
                    path = "/M/" + self.hall.meeting["meetingUrl"].rsplit("/", 1)[1]
                get = self.hall.send(route, path)
                head = self.hall.anybody.request("HEAD", path, token=self.hall.token(route))
                self.assertEqual((head.status, head.body), (get.status, b""))
                self.assertLess(get.status, 300)
                for name in ["Content-Type", "ETag", "Cache-Control", "Content-Length"]:
                    if name == "Content-Length" and route.pattern in ("/metrics", "/C/{code}", "/M/{code}"):
                        continue
                    self.assertEqual(head.headers[name], get.headers[name], name)
        self.assertEqual(self.hall.anybody.request("HEAD", "/api/v1/me").status, 401)
        self.assertEqual(self.hall.anybody.request("HEAD", "/nothing").status, 404)

    def test_limits_and_cursors_that_are_none(self):
        for pattern in LISTS:
            path = self.hall.path(pattern)
            for query, field in [(f"limit={limit}", "?limit") for limit in ["0", "-1", "201", "x", "", "1.5", "9" * 30]] + [
                (f"cursor={cursor}", "?cursor") for cursor in ["x", "!", "", "0" * 400, "00", "%F0%9F%98%80", "ZZZZZZZZ"]
            ]:
                with self.subTest(path=pattern, query=query[:30]):
                    answer = self.hall.host.get(f"{path}?{query}")
                    self.assert_problem(answer, 422, "invalid_fields", field=field)

    def test_other_queries_that_mean_nothing(self):
        session = f"/api/v1/sessions/{self.hall.session['id']}"
        for path, field in [
            (f"{session}/attendees?status=here", "?status"), (f"{session}/journal?since=-1", "?since"), (f"{session}/journal?since=x", "?since"),
            (f"{session}/qr.png?size=0", "?size"), (f"{session}/qr.png?size=99999999999999999999", "?size"), (f"{session}/qr.png?size=big", "?size"),
            (f"{session}/results?set=" + "x" * 41, "?set"), (f"{session}/questions?set=", "?set"),
            ("/api/v1/accounts/availability", "?email"), ("/api/v1/accounts/availability?email=no", "?email"),
        ]:
            with self.subTest(path=path[-40:]):
                self.assert_problem(self.hall.host.get(path), 422, "invalid_fields", field=field)
        self.assert_problem(self.hall.host.get(f"{session}/results?set=nothing"), 404, "not_found")

    def test_a_version_that_has_been_passed(self):
        for path, body in [(f"/api/v1/meetings/{self.hall.meeting['id']}", {"place": "A"}), (f"/api/v1/sessions/{self.hall.session['id']}", {"plannedCount": 5}),
                           ("/api/v1/me", {"name": "Host"})]:
            for tag in ['"v99"', '"v0"', '"other"', "v1", 'W/"v1"', '"v1", "v2"', '"v99999999999999999999"', ""]:
                with self.subTest(path=path, tag=tag):
                    self.assert_problem(self.hall.host.patch(path, body, headers={"If-Match": tag}), 412, "version_mismatch")

    def test_what_is_kept_is_not_deleted_without_its_name(self):
        for path in [f"/api/v1/sessions/{self.hall.session['id']}", f"/api/v1/meetings/{self.hall.meeting['id']}", "/api/v1/me"]:
            for query in ["", "?confirm=", "?confirm=Other"]:
                with self.subTest(path=path, query=query):
                    self.assert_problem(self.hall.host.delete(path + query), 409, "confirmation_needed")


class WireTests(ProblemCase):
    """Bytes that no client library sends."""

    def exchange(self, request):
        """The answer as bytes; the end of the stream where the server says nothing."""
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

    def test_requests_out_of_form_are_refused_and_harm_nobody(self):
        host = b"Host: a\r\n"
        for request, statuses in [
            (b"POST /api/v1/grants HTTP/1.1\r\n" + host + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
            (b"POST /api/v1/grants HTTP/1.1\r\n" + host + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", [400]),
            (b"POST /api/v1/grants HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n", [400]),
            (b"GET / HTTP/1.1\r\n\r\n", [400]),
            (b"GET / HTTP/1.1\r\n" + host + host + b"\r\n", [400]),
            (b"GET / HTTP/1.1\r\n" + host + b"X: " + b"x" * 9000 + b"\r\n\r\n", [431]),
            (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n" + host + b"\r\n", [414, 431]),
            (b"GET /rooms HTTP/1.1\r\n" + host + b"\r\n", [404, 426]),
            (b"GET /rooms HTTP/1.1\r\n" + host + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n", [400, 426]),
            (b"GET / HTTP/9.9\r\n" + host + b"\r\n", [400, 505]),
            (b"nonsense\r\n\r\n", [400, None]),
        ]:
            with self.subTest(request=request[:60]):
                answer = self.exchange(request)
                status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else None
                self.assertIn(status, statuses, answer)
        # What never becomes a request waits for its deadline, which is not waited for here.
        for noise in [b"\0\1\2\3" * 100 + b"\r\n\r\n", b"\x16\x03\x01\x02\0\1\0", b"\r\n" * 1000, b""]:
            with socket.create_connection(("127.0.0.1", self.server.port), DEADLINE) as connection:
                connection.sendall(noise)
        API(self.server).get("/healthz").expect(200)
        self.assertIsNone(self.server.process.poll())


if __name__ == "__main__":
    unittest.main()
