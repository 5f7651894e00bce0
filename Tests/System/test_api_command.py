"""`qring api` sends every request of the API, with the sign-in, the version and the idempotency key."""
import json
import subprocess
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from host import Host
from problems import Hall
from routes import ROUTES, body_of
from server_process import DEADLINE, QRING, Server
from image import image

# The routes that end what the other routes need. They come last, in this order.
ENDINGS = ["DELETE /api/v1/meetings/{id}/image", "DELETE /api/v1/sessions/{id}/sets/{set}",
    "DELETE /api/v1/check-ins/current", "DELETE /api/v1/attendees/{id}", "DELETE /api/v1/sessions/{id}",
    "DELETE /api/v1/meetings/{id}"]
# The routes that end the sign-in. Each has an account of its own.
OWN = ["DELETE /api/v1/me", "DELETE /api/v1/tokens/current", "POST /host/sign-out"]


class APICommandTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        cls.hall = Hall(cls.server)
        # The hall's host has one connection, which one thread at a time may use.
        cls.host_lock = threading.Lock()

    def api(self, *words, token=None, body=None, name="api"):
        environment = {**Server.environment(), "HOME": self.folder, "XDG_CONFIG_HOME": self.folder,
            "QRING_LANG": "en", "QRING_SERVER": self.server.url, "QRING_TOKEN": token or ""}
        return subprocess.run([QRING, name, *words], env=environment, cwd=self.folder, input=body or b"",
            capture_output=True, timeout=DEADLINE)

    def host(self, *words, **other):
        ran = self.api(*words, token=self.hall.host.token, **other)
        self.assertEqual(ran.returncode, 0, ran.stderr.decode())
        return json.loads(ran.stdout) if ran.stdout else None

    def call(self, route):
        """Returns the route, the exit code and the code of the problem, if there is one."""
        body = None
        if route.body == "image":
            body = image(8, 8)
        elif route.body == "form":
            body = b"name=Kim"
        elif route.body == "packets":
            body = b"2"
        elif route.body == "RefreshRequest":
            # A renewal ends the access token before it.
            body = json.dumps({"refreshToken": Host(self.server).tokens["refreshToken"]}).encode()
        elif route.body:
            with self.host_lock:
                body = json.dumps(body_of(route.body, self.hall)).encode()
        with self.host_lock:
            path = self.hall.path(route.pattern)
        words = [route.method, path] + (["--input", "-"] if body else [])
        if route.body == "form":
            words += ["-H", "Content-Type: application/x-www-form-urlencoded"]
        own = f"{route.method} {route.pattern}" in OWN
        token = Host(self.server).token if own else self.hall.token(route)
        if route.pattern == "/rooms/tickets":
            token = self.hall.host.token
        ran = self.api(*words, token=token, body=body)
        problem = json.loads(ran.stdout) if ran.returncode and ran.stdout[:1] == b"{" else {}
        return ran.returncode, problem.get("code", ""), ran.stderr.decode()

    def test_every_route_of_the_description_takes_the_request(self):
        described = json.loads(self.api("GET", "/openapi.json").stdout)["paths"]
        operations = {(method.upper(), path) for path, methods in described.items() for method in methods
            if method in ("get", "post", "put", "patch", "delete")}
        table = {(route.method, route.pattern): route for route in ROUTES}
        self.assertEqual(operations - set(table), set(), "these routes are not in Tests/System/routes.py")
        routes = [table[operation] for operation in sorted(operations)]
        last = [route for name in ENDINGS for route in routes if f"{route.method} {route.pattern}" == name]
        first = [route for route in routes if route not in last]
        with ThreadPoolExecutor(4) as pool:
            results = list(zip(first, pool.map(self.call, first)))
        results += [(route, self.call(route)) for route in last]
        for route, (code, problem, said) in results:
            with self.subTest(route=f"{route.method} {route.pattern}"):
                # The command has found the version and the form of the body. Some requests name something
                # that does not exist, or a state that the session is not in.
                self.assertIn(code, (0, 1, 4, 5, 6), said)
                # With a token, the stream of events would not end.
                if route.pattern != "/rooms/events":
                    self.assertNotIn(problem, ("precondition_required", "not_json", "unsupported_media_type",
                        "not_signed_in", "method_not_allowed", "internal_error"), said)
        done = sum(code == 0 for _, (code, _, _) in results)
        self.assertGreater(done, 0.6 * len(results))

    def test_fields_make_a_nested_body_and_keep_their_types(self):
        made = self.host("POST", "meetings", "-f", "name=Nested", "-F", "plannedCount=7",
            "-f", "session[startsAt]=2031-01-01T10:00:00Z", "-f", "session[endsAt]=2031-01-01T11:00:00Z",
            "-f", "session[questions][][kind]=multipleChoice", "-f", "session[questions][][title]=Which?",
            "-f", "session[questions][][choices][][label]=A",
            "-f", "session[questions][][choices][][label]=B")
        self.assertEqual(made["meeting"]["name"], "Nested")
        session = made["session"]["id"]
        asked = self.host(f"sessions/{session}/questions")["questions"]
        self.assertEqual([choice["label"] for choice in asked[0]["choices"]], ["A", "B"])
        self.assertEqual(self.host("PATCH", f"sessions/{session}", "-F", "plannedCount=9")["attendance"]
            ["planned"], 9)
        self.assertEqual(self.host("PATCH", "sessions/{Nested}", "-F", "plannedCount=8")["attendance"]
            ["planned"], 8)

    def test_a_version_of_the_user_is_not_replaced(self):
        path = f"sessions/{self.hall.session['id']}"
        ran = self.api("PATCH", path, "-F", "plannedCount=1", "-H", 'If-Match: "v999"',
            token=self.hall.host.token)
        self.assertEqual((ran.returncode, json.loads(ran.stdout)["code"]), (6, "version_mismatch"))

    def test_pages_lines_limits_and_programs(self):
        host = Host(self.server)
        for number in range(5):
            host.session(f"M{number}")

        def api(*words):
            ran = self.api(*words, token=host.token)
            self.assertEqual(ran.returncode, 0, ran.stderr.decode())
            return ran.stdout.decode()

        whole = json.loads(api("GET", "meetings", "--paginate", "-F", "limit=2"))
        self.assertEqual((len(whole["items"]), whole["nextCursor"]), (5, None))
        self.assertEqual(len(json.loads(api("meetings", "--limit", "3"))["items"]), 3)
        lines = api("GET", "meetings", "--paginate", "-f", "limit=2", "--jsonl").splitlines()
        self.assertEqual(sorted(json.loads(line)["name"] for line in lines), [f"M{n}" for n in range(5)])
        names = sorted(api("meetings", "--jq", ".items[].name").split())
        self.assertEqual(names, [f"M{n}" for n in range(5)])
        self.assertEqual(sorted(self.api("list", "--jsonl", "-q", ".name", "--limit", "2", name="meeting",
            token=host.token).stdout.split()), sorted(name.encode() for name in api("meetings", "-q",
            ".items[:2][].name").split()))
        lines = api("meetings", "--template", "{name}={nothing}\\t{{{name}}}\\n").splitlines()
        self.assertEqual(sorted(lines), [f"M{n}=\t{{M{n}}}" for n in range(5)])
        wrong = self.api("meetings", "--jq", ".[", token=host.token)
        self.assertEqual((wrong.returncode, wrong.stdout), (2, b""))
        self.assertIn("--jq cannot be read: syntax error", wrong.stderr.decode())
        # A problem is whole, because the program is for the answer.
        problem = self.api("meetings/0000", "--jq", ".items[].name", token=host.token)
        self.assertEqual((problem.returncode, json.loads(problem.stdout)["status"]), (5, 404))
        self.assertNotIn("--jq failed", problem.stderr.decode())
        unfit = self.api("meetings", "--jq", ".items.name", token=host.token)
        self.assertEqual(unfit.returncode, 1)
        self.assertIn("Cannot index array", unfit.stderr.decode())

    def test_events_follow_live_and_resume(self):
        host = Host(self.server)
        session = host.session("Followed")["id"]
        environment = {**Server.environment(), "XDG_CONFIG_HOME": self.folder,
            "QRING_SERVER": self.server.url, "QRING_TOKEN": host.token}
        known = len(host.all(f"/api/v1/sessions/{session}/journal"))
        with subprocess.Popen([QRING, "events", session, "--follow", "--jsonl", "--limit", str(known + 2)],
                env=environment, stdout=subprocess.PIPE, text=True) as events:
            for _ in range(known):
                events.stdout.readline()
            for name in ["Kim", "Lee"]:
                host.post(f"/api/v1/sessions/{session}/attendees", {"name": name}).expect(201)
            found = [json.loads(events.stdout.readline()) for _ in range(2)]
            self.assertEqual(events.wait(DEADLINE), 0)
        self.assertEqual([event["attendeeName"] for event in found], ["Kim", "Lee"])
        later = self.api(session, "--since", str(found[0]["sequence"]), "--jq", ".attendeeName",
            name="events", token=host.token)
        self.assertEqual(later.stdout, b"Lee\n")

    def test_a_token_reads_one_meeting_until_it_is_revoked(self):
        host = Host(self.server)
        one, other = host.meeting("One"), host.meeting("Two")
        made = self.api("create", "hall", "--meeting", "One", "--expires", "2d", name="token",
            token=host.token)
        token = made.stdout.decode().strip()
        self.assertTrue(token.startswith("qat_"))
        shown = self.api("--jq", ".items[].name", "meetings", token=token)
        self.assertEqual(shown.stdout, b"One\n")
        for words in [["GET", f"sessions/{other['session']['id']}"],
                ["PATCH", f"sessions/{one['session']['id']}", "-F", "plannedCount=1"], ["GET", "tokens"]]:
            ran = self.api(*words, token=token)
            self.assertEqual((ran.returncode, json.loads(ran.stdout)["code"]), (4, "token_limited"))
        listed = self.api("list", name="token", token=host.token).stdout.decode()
        self.assertRegex(listed, r"hall +read")
        self.assertEqual(self.api("revoke", "hall", name="token", token=host.token).returncode, 0)
        self.assertEqual(self.api("me", token=token).returncode, 4)


if __name__ == "__main__":
    unittest.main()
