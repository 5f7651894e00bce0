"""Behind a trusted proxy and without `--public-url`, every answer names the address the client used. This
also holds for a request with an `Idempotency-Key`. The routes come from the server's description."""
import re
import unittest

from described import resolved
from described_cast import Caller, Cast, prepare
from problems import Hall
from proxies import Nginx
from routes import ROUTES, body_of
from server_process import Server

ADDRESS = re.compile(r"^https?://", re.I)
# Described addresses that these answers leave out: an attendee gets no code, and these answers about a
# meeting have no sessions.
FOR_ATTENDEES = {"/session/checkInUrl"}
OF_SESSIONS = {"/latestSession/checkInUrl", "/nearestSession/checkInUrl"}
LEFT_OUT = {
    ("GET", "/api/v1/check-ins/current"): FOR_ATTENDEES,
    ("PATCH", "/api/v1/check-ins/current"): FOR_ATTENDEES,
    ("POST", "/api/v1/check-ins"): FOR_ATTENDEES,
    ("POST", "/api/v1/check-ins/current/leave"): FOR_ATTENDEES,
    ("POST", "/api/v1/check-ins/current/return"): FOR_ATTENDEES,
    # The job of the test adds one session.
    ("GET", "/api/v1/jobs/{id}"): {"/result/sessions/*/checkInUrl", "/result/meeting/meetingUrl",
        *(f"/result/meeting{path}" for path in OF_SESSIONS)},
    ("PATCH", "/api/v1/meetings/{id}"): OF_SESSIONS,
    ("POST", "/api/v1/me/invitations"): OF_SESSIONS,
    ("POST", "/api/v1/meetings"): {f"/meeting{path}" for path in OF_SESSIONS},
}


def described_addresses(document, schema, path=""):
    """Yields the path of every property of the schema that holds an address."""
    schema = resolved(document, schema)
    for part in schema.get("allOf", []) + schema.get("anyOf", []) + schema.get("oneOf", []):
        yield from described_addresses(document, part, path)
    if "items" in schema:
        yield from described_addresses(document, schema["items"], f"{path}/*")
    for name, inner in schema.get("properties", {}).items():
        # A question refers to itself.
        if inner.get("$ref", "").endswith("/Question"):
            continue
        if name.lower().endswith("url") or inner.get("format") in ("uri", "url"):
            yield f"{path}/{name}"
        yield from described_addresses(document, inner, f"{path}/{name}")


def answered_addresses(value, path=""):
    """Yields the path and the text of every address in the answer, whatever its field is called."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from answered_addresses(inner, f"{path}/{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from answered_addresses(inner, f"{path}/*")
    elif isinstance(value, str) and ADDRESS.match(value):
        yield path, value


class AnsweredAddressTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open", "--trusted-proxy", "loopback"))
        cls.proxy = cls.enterClassContext(Nginx()).start(cls.server)
        # The test prepares its data at another address, so that no answer is right by chance.
        cls.cast = Cast(prepare(cls.server), at=cls.proxy)
        cls.hall = Hall(cls.server)
        cls.document = cls.cast.anybody.get("/openapi.json").expect(200).json

    def operations(self):
        """Returns every operation that answers with JSON, with the paths of its described addresses."""
        found = {}
        for pattern, methods in self.document["paths"].items():
            for method, operation in methods.items():
                for status, answer in operation["responses"].items():
                    schema = resolved(self.document, answer).get("content", {}).get("application/json")
                    if status.startswith("2") and schema and pattern != "/openapi.json":
                        found.setdefault((method.upper(), pattern), set()).update(
                            described_addresses(self.document, schema["schema"]))
        return found

    def send(self, method, pattern, key):
        """Sends the request twice, and returns the answers."""
        route = next(route for route in ROUTES if (route.method, route.pattern) == (method, pattern))
        operation = self.document["paths"][pattern][method.lower()]
        proofs = {name for alternative in operation.get("security", []) for name in alternative}
        path = pattern
        for name, value in self.cast.path(method, pattern).items():
            path = path.replace(f"{{{name}}}", value)
        headers = {"Idempotency-Key": key, **self.cast.headers(pattern)}
        options = {"token": self.cast.token(method, pattern, proofs), "headers": headers}
        if route.body:
            options["json"] = self.cast.body(pattern, body_of(route.body, self.hall), method)
        query = "?email=new@example.org" if pattern.endswith("/availability") else ""
        return [self.cast.anybody.request(method, path + query, **options) for _ in range(2)]

    def test_every_address_in_every_answer_is_the_one_that_the_client_used(self):
        here = self.proxy.url.lower() + "/"
        operations, replayed = self.operations(), 0
        self.assertIn("/checkInUrl", operations["GET", "/api/v1/sessions/{id}"])
        for number, (operation, described) in enumerate(sorted(operations.items())):
            method, pattern = operation
            if not described and not (method == "POST" and pattern.startswith("/api/v1/")):
                continue
            # The address of a web hook is the receiver's. This server is no offline door.
            if "/webhooks" in pattern or pattern.startswith("/api/v1/offline-door"):
                continue
            with self.subTest(f"{method} {pattern}"):
                first, again = self.send(method, pattern, f"address-{number}")
                # A mail is in the queue only for a moment.
                self.assertIn(first.status, (404,) if "{mailId}" in pattern else (200, 201, 202), first)
                if "{mailId}" in pattern:
                    continue
                found = dict(answered_addresses(first.json))
                self.assertEqual([text for text in found.values() if not text.lower().startswith(here)], [])
                # An address in a field with another name is found by its value. A new field must come in an
                # answer here.
                self.assertEqual(set(found), described - LEFT_OUT.get(operation, set()))
                location = first.headers["Location"]
                self.assertTrue(not location or location.lower().startswith(("/", here)), location)
                if again.headers["Idempotency-Replayed"]:
                    replayed += 1
                    self.assertEqual((again.status, again.body), (first.status, first.body))
                elif again.status in (200, 201):
                    others = [text for _, text in answered_addresses(again.json)]
                    self.assertEqual([text for text in others if not text.lower().startswith(here)], [])
        self.assertGreater(replayed, 10)


if __name__ == "__main__":
    unittest.main()
