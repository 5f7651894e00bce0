"""A client that was away gets exactly what it missed, even if the server was stopped or killed meanwhile."""
import unittest

from host import Host, check_in
from room import Room
from server_process import Server

MISSED = 100
MANY = 1500


class ResumeTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.session = self.host.session()
        self.room = f"session:{self.session['id']}"

    def join(self, since=None):
        return self.enterContext(Room(self.server, self.host.token, self.room, since))

    def arrive(self, numbers):
        """Checks people in one after the other, and returns the ids in the order of arrival."""
        return [
            check_in(self.host, self.session, f"Guest {number}",
                f"guest{number}@example.org").expect(201).json["attendee"]["id"]
            for number in numbers
        ]

    def leave_at(self, *, people):
        """Watches until the first few have arrived, leaves, and returns its position."""
        with Room(self.server, self.host.token, self.room) as room:
            seen = room.joined and self.arrive(range(people))
            room.wait_until(lambda frames: sum(len(frame.get("arrivals", [])) for frame in frames) == people)
            self.assertEqual([attendee["id"] for attendee in room.arrivals], seen)
            return room.position

    def misses_a_hundred(self, end):
        since = self.leave_at(people=3)
        missed = self.arrive(range(3, 3 + MISSED // 2))
        end()
        self.server.start()
        missed += self.arrive(range(3 + MISSED // 2, 3 + MISSED))

        room = self.join(since)
        self.assertTrue(room.joined["recovered"])
        self.assertEqual(room.joined["epoch"], since[0])
        self.assertEqual(room.joined["sequence"], since[1] + MISSED)
        room.wait_for_sequence(since[1] + MISSED)
        # One more, so that any surplus frame would have come by now.
        after = self.arrive([3 + MISSED])
        room.wait_for_sequence(since[1] + MISSED + 1)
        self.assertEqual([attendee["id"] for attendee in room.arrivals], missed + after)
        self.assertFalse(any("snapshot" in frame or "arrivalsOmitted" in frame for frame in room.frames))
        room.wait_until(lambda frames: [frame["attendance"]["checkedIn"]
            for frame in frames if "attendance" in frame][-1:] == [3 + MISSED + 1])

    def test_a_hundred_events_missed_across_a_restart_are_recovered_exactly(self):
        self.misses_a_hundred(lambda: self.assertEqual(self.server.stop(), 0))

    def test_a_hundred_events_missed_across_a_kill_are_recovered_exactly(self):
        self.misses_a_hundred(self.server.kill)

    def test_more_events_than_one_write_holds_are_recovered_exactly(self):
        """More events than the room's ring holds, and more bytes than may wait for one connection."""
        since = self.leave_at(people=1)
        missed = self.arrive(range(1, 1 + MANY))
        self.server.kill()
        self.server.start()
        room = self.join(since)
        self.assertTrue(room.joined["recovered"])
        room.wait_until(lambda frames: sum(len(frame.get("arrivals", [])) for frame in frames) >= MANY)
        self.assertEqual([attendee["id"] for attendee in room.arrivals], missed)
        self.assertFalse(any("snapshot" in frame or "arrivalsOmitted" in frame for frame in room.frames))

    def test_a_client_that_missed_nothing_recovers_nothing(self):
        since = self.leave_at(people=2)
        room = self.join(since)
        self.assertTrue(room.joined["recovered"])
        arrived = self.arrive([2])
        room.wait_for_sequence(since[1] + 1)
        self.assertEqual([attendee["id"] for attendee in room.arrivals], arrived)

    def test_a_wrong_epoch_or_a_sequence_of_the_future_gets_the_snapshot(self):
        epoch, sequence = self.leave_at(people=2)
        for since in [("0" * len(epoch), sequence), (epoch, sequence + 1), (epoch, 2**62)]:
            with self.subTest(since=since), Room(self.server, self.host.token, self.room, since) as room:
                self.assertFalse(room.joined["recovered"])
                self.assertEqual(room.snapshot["session"]["attendance"]["checkedIn"], 2)
                self.assertEqual([attendee["name"] for attendee in room.snapshot["arrivals"]],
                    ["Guest 0", "Guest 1"])
                self.assertEqual((room.joined["epoch"], room.joined["sequence"]), (epoch, sequence))
                self.assertEqual(room.arrivals, [])


if __name__ == "__main__":
    unittest.main()
