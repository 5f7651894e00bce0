"""A connection breaks after the server has handled a request and before the client has the answer: a retry
under the same key gets it."""
import http.client
import json
import re
import socket
import threading
import unittest

from api import API
from host import PASSWORD, Host, code_of, moment
from server_process import DEADLINE, Server
from test_command_line import Terminal


class CuttingProxy:
    """Forwards everything, except the first answer to each request with a key: it reads that answer to its
    end and cuts the connection."""

    def __init__(self, server):
        self.server = server
        self.cut = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def connection(self):
        """Returns a new HTTP connection."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self.server.port)) as behind:
            requests, answers = client.makefile("rb"), behind.makefile("rb")
            try:
                while request := self._message(requests):
                    behind.sendall(request)
                    answer = self._message(answers)
                    key = re.search(rb"\r\nIdempotency-Key: (\S+)\r\n", request, re.IGNORECASE)
                    with self.lock:
                        if key and key.group(1) not in self.cut:
                            self.cut.add(key.group(1))
                            return
                    client.sendall(answer)
            except OSError:
                return

    @staticmethod
    def _message(stream):
        """Returns head and body as bytes, empty at the end."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = stream.readline()
            if not line:
                return b""
            head += line
        length = re.search(rb"\r\nContent-Length: (\d+)\r\n", head, re.IGNORECASE)
        return head + (stream.read(int(length.group(1))) if length else b"")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


class DroppedAnswerTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.proxy = self.enterContext(CuttingProxy(self.server))

    def send(self, path, body, key, token=None):
        """Returns the final answer, and the number of cuts before it."""
        api, cuts = API(self.proxy, token), 0
        while True:
            try:
                return api.post(path, body, headers={"Idempotency-Key": key}), cuts
            except (OSError, http.client.HTTPException):
                if cuts == 3:
                    raise
                cuts += 1

    def test_a_retry_after_a_lost_answer_creates_one_meeting(self):
        body = {"name": "Once", "session": {"startsAt": moment(-5), "endsAt": moment(60)}}
        answer, cuts = self.send("/api/v1/meetings", body, "make", self.host.token)
        self.assertEqual((answer.status, cuts, answer.headers["Idempotency-Replayed"]), (201, 1, "true"))
        self.assertEqual([meeting["id"] for meeting in self.host.all("/api/v1/meetings")],
            [answer.json["meeting"]["id"]])

    def test_a_retry_gets_the_lost_receipt(self):
        session = self.host.session()
        body = {"code": code_of(session), "name": "Kim", "email": "kim@example.org"}
        answer, cuts = self.send("/api/v1/check-ins", body, "come")
        self.assertEqual((answer.status, cuts, answer.json["alreadyCheckedIn"]), (201, 1, False))
        own = API(self.server, answer.json["receipt"]).get("/api/v1/check-ins/current").expect(200).json
        self.assertEqual(own["attendee"], answer.json["attendee"])
        self.assertEqual(own["session"]["attendance"]["checkedIn"], 1)

    def test_a_retry_after_a_kill_gets_the_first_answer(self):
        session = self.host.session()
        body = {"code": code_of(session), "name": "Kim", "email": "kim@example.org"}
        first = API(self.server).post("/api/v1/check-ins", body,
            headers={"Idempotency-Key": "come"}).expect(201)
        self.server.kill()
        self.server.start()
        again = API(self.server).post("/api/v1/check-ins", body,
            headers={"Idempotency-Key": "come"}).expect(201)
        self.assertEqual((again.body, again.headers["Idempotency-Replayed"]), (first.body, "true"))

    def test_simulated_attendees_check_in_once_despite_lost_answers(self):
        session = self.host.session()
        terminal = Terminal(self, self.proxy.url)
        with open(terminal.folder + "/password", "w", encoding="utf-8") as file:
            file.write(PASSWORD)
        ran = terminal.run("login", "--email", self.host.email, "--password-file", file.name)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        ran = terminal.run("simulate", session["id"], "--attendees", "20", "--over", "200ms", "--seed", "1",
            "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        report = json.loads(ran.stdout)
        self.assertEqual((report["checkedIn"], report["repeats"], report["failures"]), (20, 0, 0), report)
        self.assertGreaterEqual(len(self.proxy.cut), 20)
        self.assertEqual(self.host.get(f"/api/v1/sessions/{session['id']}").json["attendance"]["checkedIn"],
            20)


if __name__ == "__main__":
    unittest.main()
