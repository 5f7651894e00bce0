"""The server ends on SIGTERM, keeps everything, and lets no other server use its folder."""
import socket
import time
import unittest

import pytest

from host import Host, check_in, code_of
from room import Room
from server_process import DEADLINE, PATIENCE, Server


class LifecycleTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)

    @pytest.mark.alone("measures how soon a server ends")
    def test_sigterm_ends_the_server_within_five_seconds(self):
        session = self.host.session()
        rooms = [self.enterContext(Room(self.server, self.host.token, name))
            for name in [f"session:{session['id']}"] * 3 + ["home"]]
        for room in rooms:
            self.assertTrue(room.snapshot)
        kept = [Host(self.server)]
        # Connections that are idle after an answer, silent from the start, and in the middle of a request.
        sockets = [self.enterContext(socket.create_connection(("127.0.0.1", self.server.port), DEADLINE))
            for _ in range(12)]
        for connection in sockets[:4]:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            self.assertTrue(connection.recv(65536).startswith(b"HTTP/1.1 200 "))
        for connection in sockets[4:8]:
            connection.sendall(
                b"POST /api/v1/grants HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{")
        began = time.monotonic()
        self.assertEqual(self.server.stop(seconds=5 * PATIENCE), 0)
        self.assertLess(time.monotonic() - began, 5 * PATIENCE)
        self.assertEqual([room.close_code for room in rooms], [1001] * 4)
        for connection in sockets:
            connection.settimeout(DEADLINE)
            try:
                while connection.recv(65536):
                    pass
            except ConnectionResetError:
                pass
        del kept

    def test_a_restart_keeps_everything(self):
        made = self.host.meeting()
        session = made["session"]
        questions = self.host.questions(session)
        people = [check_in(self.host, session, f"김 {number}", f"guest{number}@example.org").expect(201).json
            for number in range(6)]
        for number, person in enumerate(people[:3]):
            answers = {questions["rating"]: number + 1, questions["shortAnswer"]: f"text {number}",
                questions["multipleChoice"]: ["a"]}
            self.host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": answers},
                token=person["receipt"]).expect(201)
        link = self.host.post(f"/api/v1/sessions/{session['id']}/presenter-links").expect(201).json
        grant = self.host.post("/api/v1/grants", {"joinCode": session["joinCode"]},
            token=None).expect(201).json["grant"]

        def everything():
            paths = [
                "/api/v1/me", f"/api/v1/meetings/{made['meeting']['id']}",
                f"/api/v1/sessions/{session['id']}",
                f"/api/v1/sessions/{session['id']}/attendees", f"/api/v1/sessions/{session['id']}/journal",
                f"/api/v1/sessions/{session['id']}/results", f"/api/v1/sessions/{session['id']}/questions",
            ]
            bodies = [self.host.get(path).expect(200).text for path in paths]
            bodies.append(
                self.host.get("/api/v1/check-ins/current", token=people[4]["receipt"]).expect(200).text)
            # Port 0 gives another port each time, so URLs may differ in it; and texts are shuffled on
            # reading.
            return [sorted(body.replace(f":{self.server.port}/", ":0/")) for body in bodies]

        before = everything()
        self.assertEqual(self.server.stop(), 0)
        self.server.start()
        self.assertEqual(everything(), before)
        self.host.get(f"/api/v1/sessions/{session['id']}/qr.svg", token=link["token"]).expect(200)
        again = check_in(self.host, session, "Other", "guest0@example.org").expect(200).json
        self.assertEqual(set(again), {"session", "alreadyCheckedIn"})
        late = self.host.post("/api/v1/check-ins",
            {"grant": grant, "name": "Last", "email": "last@example.org"}, token=None).expect(201)
        self.assertEqual(late.json["session"]["attendance"]["checkedIn"], 7)
        self.host.get(f"/C/{code_of(session)}", token=None).expect(200)

    def test_a_second_server_on_the_same_folder_is_refused_and_disturbs_nothing(self):
        self.host.session("Kept")
        second = Server(folder=self.server.folder).spawn()
        with second.stderr:
            said = second.stderr.read()
        self.assertNotEqual(second.wait(DEADLINE), 0)
        self.assertIn(f"another server is using {self.server.folder}", said)
        self.assertNotIn("Fatal error", said)
        self.assertEqual([item["name"] for item in self.host.all("/api/v1/meetings")], ["Kept"])
        self.assertEqual(self.server.stop(), 0)
        self.server.start()
        self.assertEqual([item["name"] for item in self.host.all("/api/v1/meetings")], ["Kept"])


if __name__ == "__main__":
    unittest.main()
