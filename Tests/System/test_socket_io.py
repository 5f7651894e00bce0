"""Socket.IO: rooms with python-socketio 4 and 5 as independent clients, by polling, on a websocket, and from
the first to the second; recovery; and clients that break the protocol."""
import contextlib
import http.client
import json
import re
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from api import API
from browser import Browser
from host import Host, check_in, moment
from problems import UNKNOWN
from raw_websocket import CLOSE, FINAL, TEXT, RawWebSocket, frame
from server_process import DEADLINE, PATIENCE, Server, free_port, wait_until
from socket_io import JavaScriptSocketIO, Polling, SocketIO

TRANSPORTS = {"polling": ["polling"], "websocket": ["websocket"], "upgrade": []}


class SocketIOTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def setUp(self):
        self.host = Host(self.server)
        self.session = self.host.session()
        self.room = f"session:{self.session['id']}"

    def client(self, version, *transports, token=None, server=None):
        token = self.host.token if token is None else token
        return self.enterContext(SocketIO(server or self.server, token, version, *transports))

    def check_in(self, name, server=None):
        api = API(server or self.server)
        return check_in(api, self.session, name, f"{name}@example.org").expect(201).json

    def test_clients_of_both_versions_get_the_frames_over_each_transport(self):
        clients = {(version, name): self.client(version, *transports)
            for version in (4, 5) for name, transports in TRANSPORTS.items()}
        for (version, name), client in clients.items():
            with self.subTest(version=version, transports=name):
                transport, = client.hear("connect")
                self.assertEqual(transport, "polling" if name == "polling" else "websocket")
                joined, = client.emit("join", self.room if version == 4 else {"room": self.room})
                self.assertEqual(joined["joined"], self.room)
                client.position = joined["epoch"]
                if version == 4:
                    self.assertEqual(client.hear("homeCnt"), [0])
        self.check_in("Kim")
        for (version, name), client in clients.items():
            with self.subTest(version=version, transports=name):
                frame, offset = client.hear("frame", lambda frame, *_: "arrivals" in frame)
                self.assertEqual([attendee["name"] for attendee in frame["arrivals"]], ["Kim"])
                self.assertEqual(offset, f"{client.position}:{frame['sequence']}")
                if version == 4:
                    for event in ["homeCnt", "homeAttendCnt", "meetingAttendCnt"]:
                        client.hear(event, lambda count: count == 1)
                self.assertEqual(client.emit("leave", self.room)[0]["left"], self.room)

    def test_the_first_app_s_names_of_rooms_and_counts(self):
        person = self.check_in("Kim")
        client = self.client(4, token=person["receipt"])
        room = f"audience:{self.session['id']}"
        self.assertEqual(client.emit("joinRoom", room)[0]["joined"], room)
        self.assertEqual(client.hear("meetingAttendCnt"), [1])
        self.assertEqual(client.hear("meetingFeedbackCnt"), [0])
        questions = self.host.questions(self.session)
        self.host.post(f"/api/v1/sessions/{self.session['id']}/responses",
            {"answers": {questions["rating"]: 5}}, token=person["receipt"]).expect(201)
        client.hear("meetingFeedbackCnt", lambda count: count == 1)
        self.assertEqual(client.emit("leaveRoom", room)[0]["left"], room)

    def test_bare_ids_of_sessions_and_meetings_join_the_rooms_of_members(self):
        running = self.host.meeting("Running")
        meeting, session = running["meeting"]["id"], running["session"]["id"]
        later = self.host.post(f"/api/v1/meetings/{meeting}/sessions",
            {"startsAt": moment(600), "endsAt": moment(660)}).expect(201).json
        over = self.host.meeting("Over", starts=-300, ends=-240)
        for version in (4, 5):
            client = self.client(version)
            for argument, joined in [(session, session), ([session], session), ({"room": session}, session),
                    (meeting, session), ([meeting], session), (later["id"], later["id"]),
                    (over["meeting"]["id"], over["session"]["id"])]:
                with self.subTest(version=version, argument=argument):
                    answer, = client.emit("join", argument)
                    self.assertEqual(answer.get("joined"), f"session:{joined}", answer)
                    if not isinstance(argument, dict):
                        client.hear("homeCnt", lambda count: count == 0)
                    self.assertEqual(client.emit("leave", argument)[0]["left"], f"session:{joined}")
                    self.assertEqual(client.emit("leave", argument)[0]["error"]["code"], "not_joined")

    def test_rights_are_as_strict_for_bare_ids_as_for_names(self):
        made = self.host.meeting()
        meeting, session = made["meeting"]["id"], made["session"]
        receipt = check_in(self.host, session, "Kim", "kim@example.org").expect(201).json["receipt"]
        link = self.host.post(f"/api/v1/sessions/{session['id']}/presenter-links").expect(201).json["token"]
        known = [meeting, session["id"]]
        for version in (4, 5):
            for token, name, ids, code in [
                    ("", "anonymous", [*known, UNKNOWN], "not_signed_in"),
                    (receipt, "attendee", [*known, UNKNOWN], "not_allowed"),
                    (link, "presenter", [*known, UNKNOWN], "not_allowed"),
                    (Host(self.server).token, "stranger", known, "not_allowed"),
                    (self.host.token, "host", [UNKNOWN], "not_found")]:
                client = self.client(version, token=token)
                for bare in ids:
                    for argument in (bare, [bare], {"room": bare}):
                        with self.subTest(version=version, caller=name, argument=argument):
                            self.assertEqual(client.emit("join", argument)[0]["error"]["code"], code)
                            self.assertEqual(client.emit("leave", argument)[0]["error"]["code"], "not_joined")

    def test_home_sends_its_count_at_once_and_on_change(self):
        host = Host(self.server)
        clients = [self.client(version, token=host.token) for version in (4, 5)]
        for client in clients:
            client.emit("join", "home")
            self.assertEqual(client.hear("homeCnt"), [0])
        later = host.session("Later", starts=60, ends=120)
        self.session = host.session("Now")
        for name in ("Kim", "Lee"):
            self.check_in(name)
        for client in clients:
            client.hear("homeCnt", lambda count: count == 2)
            self.assertEqual(client.emit("leave", "home")[0]["left"], "home")
        # The next session counts after the running one.
        clients[0].emit("join", "home")
        clients[0].hear("homeCnt", lambda count: count == 2)
        host.delete(f"/api/v1/sessions/{self.session['id']}?confirm=Now").expect(204)
        clients[0].hear("homeCnt", lambda count: count == 0)
        self.assertTrue(later["id"])

    def test_clients_of_both_versions_return_after_a_graceful_restart(self):
        server = self.enterContext(Server("--signup", "open", port=free_port()))
        host = Host(server)
        self.session = host.session()
        room = f"session:{self.session['id']}"
        clients = {}
        for version in (4, 5):
            for name, transports in TRANSPORTS.items():
                client = self.enterContext(
                    SocketIO(server, host.token, version, *transports, reconnects=True))
                client.emit("join", room)
                clients[version, name] = client
        began = time.monotonic()
        server.stop()
        # These clients close their websockets only when they connect again. The server must not wait for them
        # until its limit of 5 s.
        self.assertLess(time.monotonic() - began, 4 * PATIENCE)
        server.start()
        for (version, name), client in clients.items():
            with self.subTest(version=version, transports=name):
                client.hear("again")
                # After a poll has failed, the older client often sends nothing more by polling, whatever the
                # failure was. It does so after SIGKILL too.
                if (version, name) != (4, "polling"):
                    self.assertEqual(client.emit("join", room)[0]["joined"], room)

    def test_a_poll_that_waits_during_a_graceful_stop_gets_503(self):
        server = self.enterContext(Server("--signup", "open"))
        session = Polling(server)
        waiting = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
        with contextlib.closing(waiting):
            waiting.request("GET", session.path)
            # The answer comes through the same loop, after the poll has begun to wait or just before it.
            session.post("40").expect(200)
            server.process.terminate()
            answers = []
            try:
                while (answer := waiting.getresponse()).status == 200:
                    answers.append(answer.read())
                    waiting.request("GET", session.path)
            except (OSError, http.client.HTTPException):
                answer = None
        self.assertIn(answer and answer.status, (None, 503))
        self.assertNotIn("1", "".join(text.decode() for text in answers).split("\x1e"))

    def test_home_and_refused_rooms(self):
        for version in (4, 5):
            client = self.client(version)
            self.assertEqual(client.emit("join", "home")[0]["joined"], "home")
            frame, = client.hear("frame", lambda frame, *_: "snapshot" in frame)
            self.assertEqual(frame["snapshot"]["nearest"], self.session["id"])
            for event, argument, code in [("join", "kitchen", "unknown_room"), ("join", 5, "unknown_room"),
                    ("join", f"session:{UNKNOWN}", "not_found"), ("leave", self.room, "not_joined"),
                    ("dance", "x", "bad_request"), ("join", "bytes:x", "unknown_room")]:
                self.assertEqual(client.emit(event, argument)[0]["error"]["code"], code, (event, argument))

    def test_rights_are_those_of_the_rooms(self):
        for version in (4, 5):
            with self.subTest(version=version):
                anonymous = self.client(version, token="")
                anonymous.hear("connect")
                self.assertEqual(anonymous.emit("join", self.room)[0]["error"]["code"], "not_signed_in")
                stranger = self.client(version, token=Host(self.server).token)
                self.assertEqual(stranger.emit("join", self.room)[0]["error"]["code"], "not_allowed")
        wrong = self.client(5, token="qat_" + "x" * 43)
        wrong.hear("refused")
        link = self.host.post(f"/api/v1/sessions/{self.session['id']}/presenter-links").expect(201).json
        screens = []
        for version in (4, 5):
            screen = self.client(version, "polling", token=link["token"])
            screen.emit("join", f"presenter:{self.session['id']}")
            screens.append(screen)
        self.host.delete(f"/api/v1/sessions/{self.session['id']}/presenter-links/{link['id']}").expect(204)
        for screen in screens:
            self.assertEqual(screen.hear("closed"), [{"code": 4001, "reason": "not_authorized"}])
            screen.hear("disconnect")

    def test_a_client_resumes_after_a_restart(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        self.session = host.session()
        room = f"session:{self.session['id']}"
        self.check_in("Kim", server)
        first = self.client(5, token=host.token, server=server)
        first.emit("join", room)
        frame, offset = first.hear("frame", lambda frame, *_: "snapshot" in frame)
        self.check_in("Lee", server)
        server.stop()
        first.hear("disconnect")
        server.start()
        self.check_in("Park", server)
        epoch, sequence = offset.split(":")
        for version, since in [(4, offset), (5, {"epoch": epoch, "sequence": int(sequence)})]:
            again = self.client(version, token=host.token, server=server)
            self.assertTrue(again.emit("join", {"room": room, "since": since})[0]["recovered"])
            names = []
            while "Park" not in names:
                frame, _ = again.hear("frame", lambda frame, *_: "arrivals" in frame)
                names += [attendee["name"] for attendee in frame["arrivals"]]
            self.assertEqual(names, ["Lee", "Park"])

    def test_a_lost_connection_is_recovered_by_pid_and_offset(self):
        token = json.dumps({"token": self.host.token})
        lost = Polling(self.server)
        lost.post(f"40{token}", f'421["join","{self.room}"]')
        pid = json.loads(lost.hear("40")[2:])["pid"]
        offset = json.loads(lost.hear('42["frame"')[2:])[2]
        lost.post("1")
        wait_until(lambda: lost.api.get(lost.path).status == 400)
        self.check_in("Kim")
        again = Polling(self.server)
        again.post("40" + json.dumps({"token": self.host.token, "pid": pid, "offset": offset}))
        self.assertEqual(json.loads(again.hear("40")[2:])["pid"], pid)
        frame = json.loads(again.hear('42["frame"')[2:])[1]
        self.assertEqual([attendee["name"] for attendee in frame["arrivals"]], ["Kim"])
        # A pid works once, and for its holder only.
        for auth in [{"token": self.host.token, "pid": pid, "offset": offset},
                {"pid": "x" * 20, "offset": "x"}]:
            other = Polling(self.server)
            other.post("40" + json.dumps(auth))
            self.assertNotEqual(json.loads(other.hear("40")[2:])["pid"], pid)

    def test_the_javascript_client_recovers_by_pid_and_offset(self):
        for name, transports in TRANSPORTS.items():
            with self.subTest(transports=name), Browser() as browser:
                session = self.session = self.host.session()
                room = f"session:{session['id']}"
                client = JavaScriptSocketIO(browser, self.server, self.host.token, *transports)
                self.assertEqual(client.hear("connect"), [False])
                self.assertEqual(client.emit("join", {"room": room})["joined"], room)
                client.hear("frame")
                client.lose()
                client.hear("disconnect")
                self.check_in("Kim")
                client.connect()
                self.assertEqual(client.hear("connect", 1), [True])
                self.check_in("Lee")

                def frames(client=client):
                    return [event[1] for event in client.heard if event[0] == "frame"]

                def names(frames=frames):
                    return [attendee["name"] for frame in frames() for attendee in frame.get("arrivals", [])]

                browser.wait_for(lambda: "Lee" in names())
                self.assertEqual(names(), ["Kim", "Lee"])
                self.assertEqual(sum("snapshot" in frame for frame in frames()), 1)

    def test_a_client_that_breaks_the_protocol_loses_its_session(self):
        for packets in [["9"], ["x"], [""], ["4"], ["49"], ["42"], ['42["join"'], ["451-[]", "42[]"],
                ["bAAAA"], ["0"], ["2probe"], ['42["join","home"]'], ["4" + "0" * 60_000]]:
            with self.subTest(str(packets)[:40]):
                session = Polling(self.server)
                session.post(*packets)
                while (answer := session.api.get(session.path)).status == 200:
                    pass
                self.assertEqual((answer.status, answer.json["code"]), (400, "bad_request"))
        with RawWebSocket(self.server.port, path="/socket.io/?EIO=4&transport=websocket") as socket:
            socket.receive()
            socket.say("9")
            self.assertEqual(socket.close_code(), 1008)

    def test_the_limits_of_rooms_hold_for_clients_of_socket_io(self):
        many = [f'42{number}["join","home"]' for number in range(200)]
        with RawWebSocket(self.server.port, path="/socket.io/?EIO=4&transport=websocket") as socket:
            socket.say("40" + json.dumps({"token": self.host.token}))
            for packet in many:
                socket.say(packet)
            self.assertEqual(socket.close_code(), 1008)
        with RawWebSocket(self.server.port, path="/socket.io/?EIO=4&transport=websocket") as socket:
            socket.say("4" + "x" * 70_000)
            self.assertEqual(socket.close_code(), 1009)
        polled = Polling(self.server)
        polled.post("40" + json.dumps({"token": self.host.token}))
        polled.hear("40")
        polled.post(*many)
        while (answer := polled.api.get(polled.path)).status == 200:
            pass
        self.assertEqual(answer.code, "bad_request")
        # A client has 20 rooms, as on a websocket of its own.
        client = self.client(5)
        for _ in range(20):
            client.emit("join", f"session:{self.host.session()['id']}")
        self.assertEqual(client.emit("join", self.room)[0]["error"]["code"], "too_many_rooms")

    def test_a_thousand_abandoned_sessions_keep_nobody_out_and_end_after_10_s(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
        self.addCleanup(kept.close)
        for _ in range(1_100):
            kept.request("GET", "/socket.io/?EIO=4&transport=polling")
            answer = kept.getresponse()
            answer.read()
            self.assertEqual(answer.status, 200)
        begun = time.monotonic()
        person = Polling(server)
        self.assertEqual(person.status, 200)
        person.post("40" + json.dumps({"token": host.token}), '421["join","home"]')
        self.assertEqual(json.loads(person.hear("431")[3:])[0]["joined"], "home")
        # The abandoned sessions are gone, and this one stays.
        def connections():
            text = API(server).get("/metrics").text
            return int(re.search(r"^qring_websocket_connections (\d+)$", text, re.M)[1])
        self.assertGreater(connections(), 900)
        wait_until(lambda: connections() == 1)
        self.assertGreater(time.monotonic() - begun, 5)
        person.post('422["leave","home"]')
        self.assertEqual(json.loads(person.hear("432")[3:])[0]["left"], "home")

    def test_a_session_has_one_upgrade_at_a_time_and_ends_it(self):
        session = Polling(self.server)
        path = f"/socket.io/?EIO=4&transport=websocket&sid={session.open['sid']}"
        with RawWebSocket(self.server.port, path=path) as first:
            first.say("2probe")
            self.assertEqual(first.receive()[1], b"3probe")
            with RawWebSocket(self.server.port, path=path) as second:
                self.assertEqual(first.close_code(), 1008)
                second.say("2probe")
                self.assertEqual(second.receive()[1], b"3probe")
                session.post("1")
                self.assertEqual(second.close_code(), 1008)

    def test_a_client_that_ends_its_session_gets_a_noop_for_its_waiting_poll(self):
        # If the poll comes after the end, the session is unknown already.
        for _ in range(20):
            session = Polling(self.server)
            waiting = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=DEADLINE)
            with contextlib.closing(waiting):
                waiting.request("GET", session.path)
                self.assertEqual(session.post("1").expect(200).text, "ok")
                answer = waiting.getresponse()
                text = answer.read()
            session.api.get(session.path).expect(400)
            if answer.status == 200:
                break
        self.assertEqual((answer.status, text), (200, b"6"))

    def test_two_polls_at_once_and_a_malformed_payload_end_a_session_at_once(self):
        session = Polling(self.server)
        with ThreadPoolExecutor(2) as pool:
            polls = [pool.submit(API(self.server).get, session.path) for _ in range(2)]
            answers = sorted((poll.result(DEADLINE) for poll in polls), key=lambda answer: answer.status)
        self.assertEqual(([answer.status for answer in answers], answers[0].text), ([200, 400], "1"))
        session.api.get(session.path).expect(400)
        session = Polling(self.server)
        session.post("abc").expect(400)
        session.api.get(session.path).expect(400)

    def test_after_an_upgrade_only_the_websocket_has_the_session(self):
        session = Polling(self.server)
        path = f"/socket.io/?EIO=4&transport=websocket&sid={session.open['sid']}"
        with RawWebSocket(self.server.port, path=path) as socket:
            socket.say("2probe")
            self.assertEqual(socket.receive()[1], b"3probe")
            socket.say("5")
            socket.say("40/random")
            self.assertEqual(socket.receive()[1], b'44/random,{"message":"Invalid namespace"}')
            session.api.get(session.path).expect(400)
            session.post("40").expect(400)
            with RawWebSocket(self.server.port, path=path) as second:
                self.assertEqual(second.close_code(), 1008)
            socket.say("40")
            self.assertTrue(socket.receive()[1].startswith(b'40{"sid":"'))

    def test_a_client_that_upgrades_and_closes_in_one_write_ends_its_session(self):
        session = Polling(self.server)
        path = f"/socket.io/?EIO=4&transport=websocket&sid={session.open['sid']}"
        with RawWebSocket(self.server.port, path=path) as socket:
            socket.send(b"".join([frame(FINAL | TEXT, b"2probe"), frame(FINAL | TEXT, b"5"),
                frame(FINAL | CLOSE)]))
            self.assertEqual(socket.receive()[1], b"3probe")
            socket.close_code()
        session.post("40").expect(400)

    def test_a_wrong_handshake_gets_a_problem(self):
        api = API(self.server)
        for method, query in [
                ("GET", "EIO=5&transport=polling"), ("GET", "EIO=x&transport=polling"),
                ("GET", "EIO=4&transport=pigeon"), ("GET", "EIO=4"), ("GET", "EIO=4&transport=websocket"),
                ("POST", "EIO=4&transport=polling"), ("GET", "EIO=4&transport=polling&sid=x"),
                ("POST", "EIO=4&transport=polling&sid=x")]:
            answer = api.request(method, f"/socket.io/?{query}")
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad_request"), query)
        # Without EIO it is version 3, which counts lengths.
        answer = api.get("/socket.io/?transport=polling").expect(200)
        self.assertRegex(answer.text, r'^\d+:0\{"sid":')

    def test_polled_sessions_of_an_address_have_a_limit_and_a_websocket_still_opens(self):
        server = self.enterContext(Server("--signup", "open"))
        api = API(server)
        host = Host(server)
        path = "/socket.io/?EIO=4&transport=polling"
        # A session without a room would give way to the next one.
        packets = f'40{{"token":"{host.token}"}}\x1e42["join","session:{host.session()["id"]}"]'.encode()
        opened, sid = 0, None
        # On a slow machine, sessions that do not poll end meanwhile, so that more than the limit are opened.
        while opened < 3_000 and (answer := api.get(path)).status == 200:
            opened, sid = opened + 1, json.loads(answer.text[1:])["sid"]
            api.request("POST", f"{path}&sid={sid}", body=packets,
                headers={"Content-Type": "text/plain"}).expect(200)
        answer.expect(503)
        self.assertGreaterEqual(opened, 1_000)
        RawWebSocket(server.port, path="/socket.io/?EIO=4&transport=websocket").socket.close()


if __name__ == "__main__":
    unittest.main()
