"""After a caller has used up every limit on failures, each route answers with a problem that its description
names."""
import concurrent.futures
import unittest

import described
from api import API
from problems import Hall
from routes import ROUTES, body_of
from server_process import Server

FORGED = {"code": "0" * 42, "grant": "0" * 60, "receipt": "qrc_" + "0" * 60, "joinCode": "ZZZZZZ",
    "refreshToken": "qrr_" + "0" * 40}


class LimitTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.hall = Hall(cls.server)
        cls.anybody = API(cls.server)
        for send, failures in [
            (lambda: cls.anybody.post("/api/v1/grants", {"code": FORGED["code"]}), 600),
            (lambda: cls.anybody.get("/api/question/nobody"), 600),
            (lambda: cls.anybody.get("/api/v1/accounts/availability?email=kim@example.org"), 60),
            (
                lambda: cls.anybody.post("/api/v1/accounts",
                    {"email": cls.hall.host.email, "password": "long enough", "name": "Kim"}), 60),
        ]:
            for _ in range(failures):
                send()
            # A slow machine gives the limit time to allow a few more.
            assert any(send().status == 429 for _ in range(failures))
        # Answers to wrong join codes become slower, and only a few of them wait at once.
        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            list(pool.map(lambda _: API(cls.server).post("/api/v1/grants", {"joinCode": FORGED["joinCode"]}),
                range(600)))
        assert cls.anybody.post("/api/v1/grants", {"joinCode": FORGED["joinCode"]}).status == 429

    def test_every_answer_of_a_route_is_described(self):
        told = set()
        for route in ROUTES:
            proofs = [None, self.hall.token(route), FORGED["receipt"]]
            for token in proofs:
                for answer in self.answers(route, token):
                    if answer.status == 429:
                        told.add((route.method, route.pattern))
        # The limits on forged proofs. A client that only fails cannot reach the other limits.
        self.assertLessEqual({
            ("POST", "/api/v1/grants"), ("POST", "/api/v1/check-ins"), ("POST", "/"), ("GET", "/C/{code}"),
            ("POST", "/C/{code}"), ("GET", "/M/{code}"),
            ("POST", "/feedback"), ("POST", "/me/{id}/record"), ("POST", "/api/v1/tokens/refresh"),
            ("POST", "/api/v1/sessions/{id}/responses"),
            ("GET", "/api/question/{typeID}"), ("POST", "/api/answers/{typeID}"),
            ("POST", "/api/v1/accounts"), ("GET", "/api/v1/accounts/availability"),
        }, told)

    def answers(self, route, token):
        """Yields answers to requests that are right except for their token or code."""
        path = self.hall.path(route.pattern)
        for wrong in [path, path.replace(self.hall.code, FORGED["code"]),
                route.pattern.replace("{typeID}", "nobody") if "{typeID}" in route.pattern else path]:
            if route.body == "form":
                yield self.anybody.request(route.method, wrong, form={**FORGED, "name": "Kim"}, token=token)
            elif route.body in (None, "image", "file", "packets"):
                yield self.anybody.request(route.method, wrong, token=token)
            else:
                right = body_of(route.body, self.hall)
                for name in [None, *(set(FORGED) & {"code", "grant", "joinCode", "refreshToken"})]:
                    body = right if name is None else {
                        **{key: value for key, value in right.items() if key not in FORGED},
                        name: FORGED[name]}
                    yield self.anybody.request(route.method, wrong, json=body, token=token)


class OracleTests(unittest.TestCase):
    def test_an_undescribed_answer_is_found(self):
        for method, path, status, code, isFault in [
            ("GET", "/api/v1/me", 200, None, False), ("GET", "/api/v1/me", 401, "not_signed_in", False),
            ("GET", "/api/v1/me", 418, None, True),
            ("GET", "/api/v1/me", 401, "receipt_not_valid", True),
            ("POST", "/api/v1/sessions/x/responses?a=b", 201, None, False),
            ("GET", "/api/v1/sessions/nearest", 500, "internal_error", False),
            ("GET", "/nowhere", 200, None, False),
        ]:
            with self.subTest(path=path, status=status, code=code):
                self.assertEqual(described.fault(method, path, status, code) is not None, isFault)


if __name__ == "__main__":
    unittest.main()
