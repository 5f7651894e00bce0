"""Texts of one letter with thousands of marks: comparing or composing them takes time in the square of their
length."""
import json
import socket
import unittest

from api import API
from host import Host, check_in, code_of
from server_process import DEADLINE, Server, measured


def marks(count):
    """Marks of two combining classes in turn, so that all of them must be sorted (UAX #15)."""
    return "a" + "\u0301\u0316" * (count // 2)


class CombiningMarkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.anybody = API(cls.server)

    def test_a_choice_with_thousands_of_marks_is_refused(self):
        questions = [{"name": f"q{number}", "kind": "multipleChoice", "title": "Which?", "required": True,
                      "choices": [{"id": f"\u00e9{choice}", "label": "x"} for choice in range(50)]}
                      for number in range(4)]
        session = self.host.session(session={"questions": questions})
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback",
            {"publishedAs": "marks"}).expect(200)
        answers = {f"q{number}": marks(7_000) for number in range(4)}
        answer = self.anybody.post("/api/answers/marks", answers).expect(422)
        self.assertEqual([error["code"] for error in answer.json["errors"]], ["unknown_choice"] * 4)
        receipt = check_in(self.anybody, session, "Kim", "kim@example.org").expect(201).json["receipt"]
        asked = self.host.get(f"/api/v1/sessions/{session['id']}/questions").json["questions"]
        form = [("receipt", receipt),
            ("set", "feedback")] + [(f"q_{question['id']}", marks(2_400)) for question in asked]
        self.assertEqual(self.anybody.post("/feedback", form=form).status, 422)

    def test_an_address_and_a_name_with_thousands_of_marks_are_refused(self):
        session = self.host.session()
        for name, email in [("Kim", marks(30_000) + "@example.org"), (marks(30_000), "kim@example.org")]:
            answer = check_in(self.anybody, session, name, email)
            self.assertEqual((answer.status, answer.code), (422, "invalid_fields"))

    def test_a_roster_with_thousands_of_marks_is_refused(self):
        roster = f"/api/v1/meetings/{self.host.meeting()['meeting']['id']}/roster"
        people = {"people": [{"name": "Kim", "email": marks(900_000) + "@example.org"}]}
        self.host.put(roster, people).expect(422)
        csv = f"name,email\n{marks(400_000)},{marks(400_000)}@example.org\n".encode()
        self.host.request("PUT", roster, csv, headers={"Content-Type": "text/csv"}).expect(422)

    def test_names_with_thousands_of_marks_in_a_file_are_reported(self):
        session = self.host.session(session={"questions": []})
        names = {marks(1_900) + f"{number:04}": 1 for number in range(200)}
        body = json.dumps({"questions": [], **names}, ensure_ascii=False).encode()
        answer = self.host.request(
            "POST", f"/api/v1/sessions/{session['id']}/questions/import", body,
            headers={"Content-Type": "application/json"}).expect(422)
        self.assertEqual(len(answer.json["errors"]), 100)

    @measured
    def test_headers_and_paths_with_thousands_of_marks_cost_no_more_than_others(self):
        self.cost(marks)
        plain = self.cost(lambda count: "a" * len(marks(count).encode()))
        # Read as UTF-8, they took 2.6 s, and as bytes 0.5 s. Beside other work, both take longer.
        self.assertLess(self.cost(marks), 2 * plain + 0.2)

    def cost(self, letters):
        """Returns the processor time for requests with so many letters."""
        session = self.host.session()
        many, code = letters(3_800).encode(), code_of(session)
        escaped = "".join(f"%{byte:02X}" for byte in letters(1_200).encode())
        own = f"Cookie: qring_receipt_{session['id']}="
        before, answers = self.server.cpu_seconds(), 0
        for method, path, header in [
            ("GET", "/host", "Accept-Language: "), ("GET", "/host", "Cookie: x"), ("GET", "/host", "Host: "),
            ("GET", f"/me/{session['id']}", own), ("GET", f"/C/{code}", "Cookie: qring_grant="),
            ("GET", "/api/v1/me", "Cookie: qring_token="), ("POST", "/api/v1/grants", "Content-Type: "),
            ("GET", "/page.css", "If-None-Match: "), ("GET", f"/{escaped}", "X: "),
        ]:
            for _ in range(20):
                with socket.create_connection(("127.0.0.1", self.server.port), DEADLINE) as connection:
                    value = many if len(path) < 2_000 else b""
                    connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
                        f"{header}".encode() + value + b"\r\n\r\n")
                    answers += connection.recv(65536).startswith(b"HTTP/1.1 ")
        self.assertEqual(answers, 180)
        return self.server.cpu_seconds() - before


if __name__ == "__main__":
    unittest.main()
