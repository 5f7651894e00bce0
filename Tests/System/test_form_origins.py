"""Pages of any origin may use published forms; everything else is for our own pages."""
import json
import socket
import unittest

from api import API
from host import Host
from server_process import DEADLINE, Server

ELSEWHERE = "https://survey.example"


class FormOriginTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.anybody = API(cls.server)
        session = cls.host.session(
            session={"questions": [{"kind": "rating", "title": "How?", "name": "how"}]})
        cls.session = session["id"]
        cls.host.patch(f"/api/v1/sessions/{cls.session}/sets/feedback", {"publishedAs": "open"}).expect(200)

    def allowed(self, answer):
        return {name: value for name, value in answer.headers.items() if name.startswith("Access-Control-")}

    def preflight(self, path, method, headers="content-type"):
        return self.anybody.request("OPTIONS", path, headers={
            "Origin": ELSEWHERE, "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": headers})

    def test_a_form_is_read_and_answered_from_any_origin_and_problems_can_be_read_too(self):
        everywhere = {"Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": "Retry-After, X-Request-Id"}
        origin = {"Origin": ELSEWHERE}
        for answer, status in [
            (self.anybody.get("/api/question/open", headers=origin), 200),
            (self.anybody.get("/api/question/open"), 200),
            (self.anybody.get("/api/question/nobody", headers=origin), 404),
            (self.anybody.post("/api/answers/open", {"how": "4"}, headers=origin), 200),
            (self.anybody.post("/api/answers/open", {"how": "9"}, headers=origin), 422),
            (
                self.anybody.request("POST", "/api/answers/open", b"how=4",
                    headers={**origin, "Content-Type": "text/plain"}), 415),
            (
                self.anybody.request("POST", "/api/answers/open", b"{",
                    headers={**origin, "Content-Type": "application/json"}), 400),
            (
                self.anybody.request("POST", "/api/answers/open", b" " * 70_000,
                    headers={**origin, "Content-Type": "application/json"}), 413),
        ]:
            with self.subTest(answer=answer):
                self.assertEqual((answer.status, self.allowed(answer)), (status, everywhere))

    def raw(self, path, request):
        """Returns the status and the headers for other origins, for a request as bytes."""
        with socket.create_connection(("127.0.0.1", self.server.port), DEADLINE) as connection:
            connection.sendall(request.replace("PATH", path).encode())
            head = b""
            while b"\r\n\r\n" not in head and (piece := connection.recv(65_536)):
                head += piece
        lines = head.split(b"\r\n\r\n")[0].decode().split("\r\n")
        return int(lines[0].split()[1]), dict(line.split(": ", 1)
            for line in lines[1:] if line.startswith("Access-Control-"))

    def test_early_refusals_can_be_read_by_pages_of_other_origins(self):
        everywhere = {"Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": "Retry-After, X-Request-Id"}
        chunked = "POST PATH HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: "
        for path in ["/api/question/open", "/api/answers/open", "/api/answers/nobody",
                "//api/answers/%6fpen/"]:
            for name, request, status in [
                ("another method", "DELETE PATH HTTP/1.1\r\nHost: h\r\n\r\n", 405),
                ("two lengths",
                    "POST PATH HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
                ("a length that is none", "POST PATH HTTP/1.1\r\nHost: h\r\nContent-Length: +5\r\n\r\nhello",
                    400),
                ("no host", "POST PATH HTTP/1.1\r\n\r\n", 400),
                ("a head that is too long", f"POST PATH HTTP/1.1\r\nHost: h\r\nX: {'x' * 9_000}\r\n\r\n",
                    431),
                ("another coding", chunked + "gzip\r\n\r\n", 501),
                ("a sloppy chunk", chunked + "chunked\r\n\r\n2\n{}\r\n0\r\n\r\n", 400),
            ]:
                with self.subTest(name, path=path):
                    self.assertEqual(self.raw(path, request), (status, everywhere))
        self.assertEqual(self.raw("/api/v1/me", "DELETE PATH HTTP/1.1\r\n\r\n"), (400, {}))

    def test_a_preflight_names_the_method_and_the_header_that_json_needs(self):
        for path, method, allow in [("/api/question/open", "GET", "GET, HEAD, OPTIONS"),
                ("/api/answers/open", "POST", "OPTIONS, POST"),
                                    ("/api/answers/nobody", "POST", "OPTIONS, POST")]:
            with self.subTest(path=path):
                answer = self.preflight(path, method)
                self.assertEqual((answer.status, answer.body), (204, b""))
                self.assertEqual(self.allowed(answer), {
                    "Access-Control-Allow-Origin": "*",
                    "Access-Control-Expose-Headers": "Retry-After, X-Request-Id",
                    "Access-Control-Allow-Methods": allow, "Access-Control-Allow-Headers": "Content-Type",
                    "Access-Control-Max-Age": "7200"})
                self.assertEqual(answer.headers["Allow"], allow)
        # An address in the log just before an anonymous answer would identify the person.
        line = self.server.log.wait_for_match(r".*OPTIONS /api/answers/nobody.*").group(0)
        self.assertNotIn("127.0.0.1", line)

    def test_only_published_forms_answer_other_origins_and_without_credentials(self):
        for path, method in [("/api/v1/me", "GET"), (f"/api/v1/sessions/{self.session}/questions", "GET"),
                             (f"/api/v1/sessions/{self.session}/responses", "POST"),
                             ("/api/v1/tokens", "POST"), ("/healthz", "GET"), ("/", "GET"),
                             ("/api/question", "GET"), ("/api/answers", "POST"), ("/openapi.json", "GET")]:
            with self.subTest(path=path):
                self.assertEqual(self.allowed(self.preflight(path, method)), {})
                self.assertEqual(self.allowed(self.host.request(method, path, headers={"Origin": ELSEWHERE})),
                    {})
        self.assertNotIn("Access-Control-Allow-Credentials",
            self.preflight("/api/answers/open", "POST").headers)

    def test_the_description_names_the_routes_for_other_origins(self):
        paths = json.loads(self.anybody.get("/openapi.json").expect(200).body)["paths"]
        for path in ["/api/question/{typeID}", "/api/answers/{typeID}"]:
            answer = paths[path]["options"]["responses"]["204"]
            self.assertEqual(sorted(answer["headers"]), [
                "Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Access-Control-Allow-Origin",
                "Access-Control-Expose-Headers", "Access-Control-Max-Age", "Allow"])
        for path, method in [("/api/question/{typeID}", "get"), ("/api/answers/{typeID}", "post")]:
            self.assertIn("Access-Control-Allow-Origin", paths[path][method]["responses"]["200"]["headers"])
        self.assertFalse(
            [path for path,
                item in paths.items() if "options" in item
                and not path.startswith(("/api/question/", "/api/answers/"))])


if __name__ == "__main__":
    unittest.main()
