"""Requests without rights, forged and expired tokens, and wrong codes are refused and learn nothing else."""
import unittest

from host import Host, code_of
from problems import UNKNOWN, ProblemCase
from routes import ROUTES
from server_process import Server


def forged(token):
    """Returns the text with another last character, and with another first one after the prefix."""
    swap = {"0": "1"}
    return [token[:-1] + swap.get(token[-1], "0"), token[:4] + swap.get(token[4], "0") + token[5:],
        token + "0", token[:-1], token.upper(), token[4:]]


class RightsTests(ProblemCase):
    def refused(self, token, routes, status=401, code=None):
        for route in routes:
            with self.subTest(route=f"{route.method} {route.pattern}", token=str(token)[:12]):
                self.assert_problem(self.hall.send(route, token=token), status, code)

    def test_without_a_token_only_public_routes_answer(self):
        closed = [route for route in ROUTES if route.access != "anyone"]
        self.refused(None, closed)
        for header in ["Bearer", "Bearer ", "Basic aG9zdDpwYXNz", "Bearer a b", "Bearer \t",
                "Bearer " + "x" * 600]:
            for route in closed:
                with self.subTest(route=route.pattern, header=header[:20]):
                    self.assert_problem(self.hall.send(route, token=None, headers={"Authorization": header}),
                        401)

    def test_forged_expired_and_ended_tokens_open_nothing(self):
        hall = self.hall
        bad = forged(hall.host.token) + [hall.host.tokens["refreshToken"], hall.gone.token,
            hall.expired.token, hall.grant, hall.code]
        for token in bad:
            self.refused(token,
                [route for route in ROUTES
                    if route.access.startswith(("signedIn", "account", "member", "operator"))],
                401)

    def test_a_receipt_a_grant_or_a_presenter_link_is_no_sign_in(self):
        for token in [self.hall.receipt, self.hall.grant, self.hall.link["token"]]:
            self.refused(token,
                [route for route in ROUTES if route.access.startswith(("signedIn", "member ", "operator"))],
                401, "not_signed_in")

    def test_another_accounts_token_opens_nothing_of_ours(self):
        routes = [route for route in ROUTES if route.access.startswith(("member", "operator"))]
        self.refused(self.hall.stranger.token, routes, 403, "not_allowed")

    def test_forged_receipts_and_other_tokens_are_no_receipts(self):
        for token in forged(self.hall.receipt) + [self.hall.host.token, self.hall.grant,
                self.hall.link["token"]]:
            self.refused(token, [route for route in ROUTES if route.access == "attendee"], 401,
                "receipt_not_valid")

    def test_a_receipt_is_good_for_its_own_session_alone(self):
        path = f"/api/v1/sessions/{self.hall.session['id']}"
        other = self.hall.over_person["receipt"]
        answers = {"answers": {self.hall.questions["rating"]: 5}}
        self.assert_problem(self.hall.anybody.post(f"{path}/responses", answers, token=other), 401,
            "receipt_not_valid")
        self.assert_problem(self.hall.anybody.get(f"{path}/questions", token=other), 401, "receipt_not_valid")

    def test_presenter_links_open_their_own_session_until_its_end(self):
        path = f"/api/v1/sessions/{self.hall.session['id']}/qr.svg"
        self.hall.anybody.get(path, token=self.hall.link["token"]).expect(200)
        for token in forged(self.hall.link["token"]) + [self.hall.over_link["token"]]:
            self.assert_problem(self.hall.anybody.get(path, token=token), 401)
        over = f"/api/v1/sessions/{self.hall.over['id']}/qr.svg"
        self.assert_problem(self.hall.anybody.get(over, token=self.hall.over_link["token"]), 401)
        self.assert_problem(
            self.hall.anybody.delete(f"/api/v1/sessions/{self.hall.session['id']}/presenter-links/{UNKNOWN}",
                                                     token=self.hall.host.token), 404, "not_found")

    def test_kiosk_links_open_the_kiosk_of_their_own_session_alone(self):
        routes = [route for route in ROUTES if route.access == "kiosk"]
        kiosk = self.hall.kiosk["token"]
        for token in forged(kiosk) + [self.hall.host.token, self.hall.link["token"], self.hall.receipt,
                self.hall.grant]:
            self.refused(token, routes, 401, "not_signed_in")
        self.refused(kiosk, [route for route in ROUTES if route.access.startswith(
            ("signedIn", "account", "member", "operator"))], 401, "not_signed_in")
        over = f"/api/v1/sessions/{self.hall.over['id']}/kiosk"
        self.assert_problem(self.hall.anybody.get(over, token=kiosk), 401, "not_signed_in")

    def test_wrong_refresh_tokens_are_refused(self):
        for token in forged(self.hall.host.tokens["refreshToken"]) + [self.hall.host.token,
                self.hall.gone.tokens["refreshToken"], "x"]:
            with self.subTest(token=token[:12]):
                self.assert_problem(self.hall.anybody.post("/api/v1/tokens/refresh", {"refreshToken": token}),
                    401, "wrong_credentials")

    def test_wrong_passwords_and_unknown_accounts_get_the_same_answer(self):
        answers = [self.hall.anybody.post("/api/v1/tokens", {"email": email, "password": "wrong password"})
                   for email in [self.hall.host.email, "nobody@example.org"]]
        problems = [self.assert_problem(answer, 401, "wrong_credentials") for answer in answers]
        for problem in problems:
            problem.pop("requestId")
        self.assertEqual(*problems)

    def test_without_an_invitation_nobody_gets_an_account(self):
        with Server("--signup", "invite") as server:
            operator = Host(server)
            invitation = operator.post("/api/v1/invitations",
                {"email": "new@example.org"}).expect(201).json["invitation"]

            def sign_up(email, **fields):
                return operator.post("/api/v1/accounts",
                    {"email": email, "password": "long enough", "name": "New", **fields}, token=None)

            for bad in forged(invitation) + [self.hall.grant, "x"]:
                self.assert_problem(sign_up("new@example.org", invitation=bad), 422, "invitation_not_valid")
            self.assert_problem(sign_up("new@example.org"), 403, "sign_up_closed")
            self.assert_problem(sign_up("other@example.org", invitation=invitation), 422,
                "invitation_not_valid")
            sign_up("new@example.org", invitation=invitation).expect(201)
            self.assert_problem(sign_up("new@example.org", invitation=invitation), 409, "email_taken")

    def test_a_cookie_from_another_site_changes_nothing(self):
        route = f"/api/v1/meetings/{self.hall.meeting['id']}"
        cookie = {"Cookie": f"qring_token={self.hall.host.token}"}
        self.hall.anybody.get(route, headers=cookie).expect(200)
        for headers in [{}, {"Origin": "https://evil.example"}, {"Origin": "null"},
                {"Sec-Fetch-Site": "cross-site"},
                        {"Sec-Fetch-Site": "same-site", "Origin": self.server.url}]:
            with self.subTest(headers=headers):
                answer = self.hall.anybody.patch(route, {"name": "Taken"}, headers={**cookie, **headers})
                self.assert_problem(answer, 403, "origin_not_allowed")
        self.assertEqual(self.hall.host.get(route).json["name"], "Running")


class CodeTests(ProblemCase):
    def enter(self, **by):
        return self.hall.anybody.post("/api/v1/check-ins", {"name": "Kim", "email": "kim@example.org", **by})

    def test_forged_codes_open_nothing(self):
        code = self.hall.code
        meeting = self.hall.meeting["meetingUrl"].rsplit("/", 1)[1]
        for bad in forged(code) + [meeting, "0" * 42, "é" * 42, code[:26] + "0" * 16, self.hall.session["id"],
                f"HTTP://X/C/{code}"]:
            with self.subTest(code=bad):
                if bad == code.upper():
                    continue
                self.assert_problem(self.hall.anybody.post("/api/v1/grants", {"code": bad}), 422,
                    "code_not_valid")
                self.assert_problem(self.enter(code=bad), 422, "code_not_valid")
                if bad.isalnum() and bad.isascii():
                    self.assert_problem(self.hall.anybody.get(f"/C/{bad}"), 422, "code_not_valid")
        for bad in forged(meeting)[:4] + [code]:
            self.assert_problem(self.hall.anybody.get(f"/M/{bad}"), 422, "code_not_valid")

    def test_wrong_join_codes_open_nothing(self):
        for bad in ["000000", "ABCDE", "ABCDEFG", "------", "가나다라마바", "😀😀😀😀😀😀", " " * 6]:
            with self.subTest(code=bad):
                self.assert_problem(self.hall.anybody.post("/api/v1/grants", {"joinCode": bad}), 422,
                    "code_not_valid")

    def test_forged_grants_open_nothing(self):
        for bad in forged(self.hall.grant) + [self.hall.receipt, "qgr_", "qgr_" + "0" * 100, "x"]:
            with self.subTest(grant=bad[:20]):
                self.assert_problem(self.enter(grant=bad), 422, "grant_not_valid")

    def test_no_code_checks_in_after_a_session(self):
        over = self.hall.over
        for answer in [
            self.enter(code=code_of(over)), self.enter(joinCode=over["joinCode"]),
            self.enter(grant=self.hall.over_grant),
            self.hall.anybody.post("/api/v1/grants", {"code": code_of(over)}),
            self.hall.anybody.post("/api/v1/grants", {"joinCode": over["joinCode"]}),
            self.hall.anybody.get(f"/C/{code_of(over)}"),
        ]:
            self.assertIn("closedAt", self.assert_problem(answer, 409, "check_in_closed"))
        answer = self.hall.anybody.post(
            f"/api/v1/sessions/{over['id']}/responses", {"answers": {self.hall.over_questions["rating"]: 5}},
            token=self.hall.over_person["receipt"])
        self.assert_problem(answer, 409, "feedback_closed")
        self.assert_problem(self.hall.host.patch(f"/api/v1/sessions/{over['id']}", {"lateAfterMinutes": 1}),
            409, "session_over")

    def test_no_code_checks_in_before_check_in_opens(self):
        session = self.hall.host.session("Tomorrow", starts=24 * 60, ends=25 * 60)
        for answer in [self.enter(code=code_of(session)), self.enter(joinCode=session["joinCode"]),
                       self.hall.anybody.get(f"/C/{code_of(session)}")]:
            self.assertEqual(self.assert_problem(answer, 409, "check_in_not_open")["opensAt"],
                session["checkInOpensAt"])

    def test_a_grant_is_too_early_if_the_session_is_moved_to_later(self):
        session = self.hall.host.session("Moved")
        grant = self.hall.new_grant(session)
        self.hall.host.patch(f"/api/v1/sessions/{session['id']}",
            {"startsAt": "2098-12-31T10:00:00Z", "endsAt": "2098-12-31T11:00:00Z"}).expect(200)
        self.assert_problem(self.enter(grant=grant), 409, "check_in_not_open")

    def test_only_the_renewed_code_is_accepted(self):
        session = self.hall.host.session("Leaked")
        new = self.hall.host.patch(f"/api/v1/sessions/{session['id']}", {"renewCode": True}).expect(200).json
        self.assert_problem(self.enter(code=code_of(session)), 422, "code_not_valid")
        self.assert_problem(self.enter(joinCode=session["joinCode"]), 422, "code_not_valid")
        self.enter(code=code_of(new)).expect(201)


if __name__ == "__main__":
    unittest.main()
