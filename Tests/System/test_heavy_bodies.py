"""Small bodies with a high cost: deep, with long names, or with many values."""
import json
import re
import unittest

from host import Host
from server_process import MEASURES, Server

MEGABYTE = 1 << 20
# The memory of the parser for the most values that are allowed, with room for the rest of the server.
MOST_GROWTH = 150 * MEGABYTE


def filled(size, start, unit, end):
    """Returns as many units as fit into `size` bytes, separated by commas."""
    return (start + ",".join([unit] * ((size - len(start) - len(end)) // (len(unit) + 1))) + end).encode()


class HeavyBodyTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def setUp(self):
        """Signs up a new host, because large bodies use up what one account may send."""
        self.host = Host(self.server)
        made = self.host.meeting(session={"questions": []})
        self.questions = f"/api/v1/sessions/{made['session']['id']}/questions/import"
        self.roster = f"/api/v1/meetings/{made['meeting']['id']}/roster"

    def status(self, name):
        with open(f"/proc/{self.server.process.pid}/status", encoding="ascii") as file:
            return int(re.search(rf"^{name}:\s+(\d+) kB$", file.read(), re.MULTILINE).group(1)) << 10

    def growth(self, send):
        """Returns the answer, and how many bytes the peak of the server's memory was above its size before.
        """
        with open(f"/proc/{self.server.process.pid}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")  # "reset the peak resident set size" (proc(5))
        before = self.status("VmRSS")
        answer = send()
        return answer, self.status("VmHWM") - before

    def assert_cheap(self, method, path, body, status, code):
        answer, growth = self.growth(
            lambda: self.host.request(method, path, body, headers={"Content-Type": "application/json"}))
        self.assertEqual((answer.status, answer.code), (status, code))
        if MEASURES:
            self.assertLess(growth, MOST_GROWTH)
        return answer

    def test_a_long_name_before_many_values_takes_memory_for_its_bytes_only(self):
        # A pointer for each value would take 4 KB times 150,000.
        name = "n" * 4000
        self.assert_cheap("POST", self.questions, filled(300_000, f'{{"questions":[],"{name}":[', "1", "]}"),
            422, "invalid_fields")

    def test_each_limit_of_json_has_a_code_of_its_own(self):
        for method, name, size in [("POST", "questions", MEGABYTE), ("PUT", "roster", 4 * MEGABYTE)]:
            self.setUp()
            path = getattr(self, name)
            for body, code in [
                (b"[" * size, "json_too_deep"), (b'{"a":' * (size // 5), "json_too_deep"),
                (filled(size, "[", "1", "]"), "json_too_many_values"),
                (filled(size, "[", "{}", "]"), "json_too_many_values"),
                (filled(size, '{"questions":[', '{"":{}}', "]}"), "json_too_many_values"),
                (b'{"' + b"n" * 5000 + b'":1}', "json_key_too_long"),
            ]:
                with self.subTest(path=path, body=body[:20]):
                    answer = self.assert_cheap(method, path, body, 400, code)
                    self.assertRegex(answer.json["detail"], r"\d")
                    said = self.host.request(method, path, body[:6000],
                        headers={"Content-Type": "application/json", "Accept-Language": "ko"})
                    self.assertNotEqual(said.json["detail"], answer.json["detail"])

    def test_a_body_gets_its_first_hundred_errors(self):
        people = [{"name": "", "email": "x"} for _ in range(20_000)]
        answer = self.assert_cheap("PUT", self.roster, json.dumps({"people": people}).encode(), 422,
            "invalid_fields")
        self.assertEqual([error["field"] for error in answer.json["errors"][:3]],
            ["/people/0/name", "/people/0/email", "/people/1/name"])
        self.assertEqual(len(answer.json["errors"]), 100)

    def test_unknown_fields_of_a_file_are_reported_with_their_lines(self):
        body = '{"questions": [],\n' + ",\n".join(f'"x{number:05}": 1' for number in range(50_000)) + "}"
        answer = self.assert_cheap("POST", self.questions, body.encode(), 422, "invalid_fields")
        errors = answer.json["errors"]
        self.assertEqual([(error["field"], error["line"]) for error in errors],
            [(f"/x{number:05}", number + 2) for number in range(100)])

    def test_a_whole_roster_is_within_the_limits(self):
        people = [
            {"id": None, "name": f"Person {number}", "email": f"p{number}@example.org", "number": str(number),
                "archived": False,
                   "version": 1, "totals": {"present": 0, "late": 0, "absent": 0, "excused": 0}}
                   for number in range(20_000)]
        body = json.dumps({"people": people}, separators=(",", ":")).encode()
        self.assertLess(len(body), 4 * MEGABYTE)
        answer = self.host.request("PUT", self.roster, body,
            headers={"Content-Type": "application/json"}).expect(200)
        self.assertEqual(answer.json["people"], 20_000)
        # Empty the roster for the other tests.
        self.host.put(self.roster, {"people": []}).expect(200)

    def test_a_file_with_too_many_columns_is_refused_early(self):
        for body, expected in [
            (b"name\n" + b"a\n" * (2 * MEGABYTE - 3), (409, "limit_reached")),
            (b"name\n" + b"x," * (2 * MEGABYTE - 3), (422, "invalid_fields")),
            # Empty columns are ignored, and the file has no people.
            (b"name" + b"," * (4 * MEGABYTE - 5), (200, None)),
        ]:
            with self.subTest(body=body[:10]):
                answer, growth = self.growth(
                    lambda: self.host.request("PUT", self.roster, body, headers={"Content-Type": "text/csv"}))
                self.assertEqual((answer.status, answer.code), expected)
                if MEASURES:
                    self.assertLess(growth, MOST_GROWTH)
