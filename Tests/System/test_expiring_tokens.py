"""A token that expires ends everything that it opened, without any request: a websocket, an event stream, and
clients of Socket.IO that poll or have a websocket. Other rooms go on."""
import datetime
import time
import unittest

from event_stream import EventStream
from host import Host
from rights_over_time import bearer
from room import Room
from server_process import DEADLINE, PATIENCE, Server
from socket_io import SocketIO


class ExpiringTokenTests(unittest.TestCase):
    def test_a_token_that_expires_ends_rooms_streams_and_polling(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        room = f"session:{host.session()['id']}"
        # Clients of Socket.IO are processes of their own, which need some seconds to start.
        end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=12 * PATIENCE)
        token = host.post("/api/v1/tokens/named", {"name": "hall", "access": "read",
            "expiresAt": end.isoformat()}).expect(201).json["token"]
        lasting = self.enterContext(EventStream(server, room, bearer(host.token)))
        websocket = self.enterContext(Room(server, token, room))
        stream = self.enterContext(EventStream(server, room, bearer(token)))
        clients = [self.enterContext(SocketIO(server, token, version, *transports))
            for version, transports in [(4, ["polling"]), (5, ["polling"]), (5, ["websocket"])]]
        self.assertEqual(websocket.joined["joined"], room)
        for client in clients:
            self.assertEqual(client.emit("join", room)[0]["joined"], room)
        self.assertIn("joined", stream.hear(time.monotonic() + DEADLINE))
        # All of this was open before the end.
        self.assertLess(datetime.datetime.now(datetime.timezone.utc), end)
        # The watcher prints the close code as its last line.
        self.assertIn("4001", websocket.output.wait_for(
            lambda lines: next((line for line in lines if "4001" in line), None), DEADLINE + 12 * PATIENCE))
        self.assertTrue(stream.has_ended(time.monotonic() + DEADLINE))
        self.assertEqual(stream.closed["code"], 4001)
        for client in clients:
            self.assertEqual(client.hear("closed"), [{"code": 4001, "reason": "not_authorized"}])
            client.hear("disconnect")
        self.assertGreaterEqual(datetime.datetime.now(datetime.timezone.utc), end)
        self.assertEqual(host.get("/api/v1/meetings", token=token).expect(401).json["code"], "token_expired")
        self.assertFalse(lasting.is_closed)
