"""A watcher that moves to a server which has not published everything that the watcher has seen."""
import os
import time
import unittest

from event_stream import EventStream
from host import Host, check_in
from link import Link
from nodes import Nodes
from postgres import shared
from rights_over_time import View, bearer
from server_process import DEADLINE, Server
from socket_io import SocketIOView


def websocket(node, room, token, since):
    view = View(node, room, bearer(token))
    epoch, sequence = since.split(":")
    view.join(1, {"epoch": epoch, "sequence": int(sequence)})
    return view


def event_stream(node, room, token, since):
    return EventStream(node, room, bearer(token), since=since)


FORMS = {"websocket": websocket, "event stream": event_stream, "Socket.IO": SocketIOView}


def joined(view):
    """Returns the answer to the join; None if the connection ends before it."""
    return view.hear_until(lambda message: "joined" in message, time.monotonic() + DEADLINE)


def arrivals(view, last):
    """Returns the names of all arrivals, up to this one."""
    names = []
    while last not in names:
        frame = view.hear(time.monotonic() + DEADLINE)
        assert frame is not None, f"the connection ended after {names}"
        assert "snapshot" not in frame, frame
        names += [attendee["name"] for attendee in frame.get("arrivals", [])]
    return names


class AheadOfNodeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = shared()
        database = cls.cluster.database()
        cls.schema = database.rsplit("=", 1)[1].rstrip("'")
        cls.nodes = cls.enterClassContext(Nodes(database, 1))
        cls.link = Link(os.path.join(cls.cluster.folder, ".s.PGSQL.5432"))
        cls.addClassCleanup(cls.link.close)
        through = database.replace(f"host={cls.cluster.folder}", f"host={cls.link.host} port={cls.link.port}")
        cls.slow = Server("--signup", "open", "--database", through,
            folder=os.path.join(cls.nodes.folder, "slow"))
        cls.nodes.start(cls.slow)
        cls.addClassCleanup(cls.slow.close)
        cls.host = Host(cls.nodes[0])

    def test_a_watcher_that_is_ahead_of_its_node_gets_no_older_snapshot_and_no_arrival_twice(self):
        for form, follow in FORMS.items():
            with self.subTest(form=form):
                self.move_ahead(follow)

    def move_ahead(self, follow):
        session = self.host.session()
        room = f"session:{session['id']}"

        def arrive(*names):
            for name in names:
                check_in(self.host, session, name, f"{name}@example.org").expect(201)

        arrive("Kim", "Lee")
        # The slow node has the room in memory, with two arrivals.
        with View(self.slow, room, bearer(self.host.token)) as keeper, \
                View(self.nodes[0], room, bearer(self.host.token)) as watcher:
            keeper.join(1)
            watcher.join(1)
            for view in (keeper, watcher):
                self.assertIsNotNone(view.hear_until(lambda message: "snapshot" in message,
                    time.monotonic() + DEADLINE))
            self.link.cut()
            arrive("Park", "Choi", "Jung")
            names, position = [], None
            while len(names) < 3:
                frame = watcher.hear(time.monotonic() + DEADLINE)
                names += [attendee["name"] for attendee in frame.get("arrivals", [])]
                position = frame["sequence"]
            epoch = self.epoch(room)
            since = f"{epoch}:{position}"
            with self.cluster.holding(f"{self.schema}.commits"):
                self.link.restore()
                # The node reads the rows, and learns of no commit. It lets the watcher try again.
                early = follow(self.slow, room, self.host.token, since)
                self.assertIsNone(joined(early))
                late = follow(self.slow, room, self.host.token, since)
            while (answer := joined(late)) is None:
                late = follow(self.slow, room, self.host.token, since)
            self.assertTrue(answer["recovered"])
            self.assertGreaterEqual(answer["sequence"], position)
            arrive("Kang")
            self.assertEqual(arrivals(late, "Kang"), ["Kang"])
            for view in (early, late):
                view.socket.close()

    def test_an_invented_position_gets_a_snapshot_at_once(self):
        session = self.host.session()
        room = f"session:{session['id']}"
        for node in (*self.nodes, self.slow):
            for form, follow in FORMS.items():
                with self.subTest(form=form):
                    view = follow(node, room, self.host.token, f"{self.epoch(room)}:{10 ** 12}")
                    self.assertFalse(joined(view)["recovered"])
                    self.assertIn("snapshot", view.hear(time.monotonic() + DEADLINE))
                    view.socket.close()

    def epoch(self, room):
        with View(self.nodes[0], room, bearer(self.host.token)) as view:
            view.join(1)
            return joined(view)["epoch"]


if __name__ == "__main__":
    unittest.main()
