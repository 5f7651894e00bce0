"""A standby takes over from its primary under load, with and without synchronous replication."""
import random
import signal
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from api import API
from crowd import Crowd
from host import Host, check_in
from postgres import Cluster
from room import Room
from server_process import DEADLINE, QRING, SEED, Server, wait_until

PEOPLE = 150
# The ways in which the primary ends, one after the other, always in the middle of check-ins, and whether the
# standby has lost its connection before.
ENDS = ((signal.SIGQUIT, False), (signal.SIGKILL, True))
BEFORE = 8
LOST = 4


class Replicated(unittest.TestCase):
    """A server on a primary with a standby. Its settings name both."""

    def setUp(self):
        self.primary = self.cluster()
        self.standby = self.cluster(self.primary)
        hosts = f"host={self.primary.folder},{self.standby.folder}"
        self.database = f"{hosts} user=qring dbname=postgres target_session_attrs=read-write"
        self.server = self.enterContext(Server("--signup", "open", "--database", self.database))
        self.host = Host(self.server)
        self.session = self.host.session()
        self.path = f"/api/v1/sessions/{self.session['id']}"

    def cluster(self, primary=None):
        cluster = Cluster(primary)
        self.addCleanup(cluster.close)
        return cluster.start()

    def wait_for_standby(self, state):
        wait_until(lambda: self.primary.sql(
            "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'") == f"{state}\n")

    def make_synchronous(self):
        self.primary.set("synchronous_standby_names", "*")
        self.wait_for_standby("sync")

    def waits_for_standby(self):
        """The process of the commit that waits for the standby."""
        return self.primary.sql("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'").strip()

    def cut_off(self):
        """Ends the replication. The primary goes on."""
        self.standby.set("primary_conninfo", "")
        wait_until(lambda: self.standby.sql("SELECT count(*) FROM pg_stat_wal_receiver") == "0\n")

    def take_over(self):
        """The standby becomes the primary."""
        self.primary, self.standby = self.standby, self.primary
        self.primary.sql("SELECT pg_promote()")

    def come(self, name):
        return check_in(API(self.server), self.session, name, f"{name.replace(' ', '.')}@example.org")


class SynchronousTests(Replicated):
    def setUp(self):
        super().setUp()
        self.make_synchronous()

    def test_no_acknowledged_check_in_is_lost_when_the_standby_takes_over(self):
        choice = random.Random(SEED)
        with Crowd([self.server], self.host, self.session) as crowd:
            for number, (how, is_cut_off) in enumerate(ENDS):
                before = len(crowd.acknowledged)
                crowd.come(PEOPLE)
                crowd.wait_for(before + choice.randrange(PEOPLE // 4, PEOPLE // 2))
                if is_cut_off:
                    self.cut_off()
                    wait_until(self.waits_for_standby)
                self.primary.stop(how)
                self.take_over()
                # The server goes on by itself.
                crowd.wait_for(before + PEOPLE)
                crowd.judge()
                if number < len(ENDS) - 1:
                    # The old primary is rebuilt as the standby of the new one.
                    self.standby.follow(self.primary)
                    self.standby.start()
                    self.make_synchronous()
        self.assertGreater(crowd.counts["503"] + crowd.counts["broken"], 0, "the primary ended unnoticed")

    def test_a_commit_that_the_standby_has_not_confirmed_is_not_acknowledged(self):
        self.come("First").expect(201)
        self.standby.stop()
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(self.come, "Second")
            first = wait_until(self.waits_for_standby)
            # The end of its connection ends the wait: PostgreSQL then shows the commit, although only the
            # primary has it. The server finds it, and waits for the standby again.
            self.primary.sql(f"SELECT pg_terminate_backend({first})")
            wait_until(lambda: self.waits_for_standby() not in ("", first))
            self.assertEqual(self.primary.sql("SELECT count(*) FROM attendees"), "2\n")
            self.assertFalse(answer.done())
            self.standby.start()
            # On a slow machine, the client is told to repeat the request.
            self.assertIn(answer.result().status, (201, 503))
        self.primary.stop(signal.SIGKILL)
        self.take_over()
        self.assertEqual(self.primary.sql("SELECT count(*) FROM attendees"), "2\n")

    def test_an_answer_says_so_if_nobody_knows_whether_the_change_was_stored(self):
        self.come("First").expect(201)
        self.standby.stop()
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(self.come, "Second")
            wait_until(self.waits_for_standby)
            self.primary.stop(signal.SIGQUIT)
            refused = answer.result()
        self.assertEqual((refused.status, refused.code), (503, "storage_unavailable"))
        self.assertIn("not certain", refused.json["detail"])


class AsynchronousTests(Replicated):
    def setUp(self):
        super().setUp()
        self.wait_for_standby("async")

    def room(self, since=None):
        return self.enterContext(
            Room(self.server, self.host.token, f"session:{self.session['id']}", since=since))

    def names(self):
        return [attendee["name"] for attendee in self.host.all(f"{self.path}/attendees")]

    def test_the_last_check_ins_are_lost_and_clients_learn_it_if_the_epoch_is_new(self):
        names = [f"Before {number}" for number in range(BEFORE)]
        for name in names:
            self.come(name).expect(201)
        watching = self.room()
        self.assertEqual(len(watching.snapshot["arrivals"]), BEFORE)
        # The standby has all of this, and nothing of what follows.
        wait_until(lambda: self.primary.sql(
            "SELECT replay_lsn = pg_current_wal_lsn() FROM pg_stat_replication") == "t\n")
        self.cut_off()
        lost = [self.come(f"Lost {number}").expect(201).json for number in range(LOST)]
        watching.wait_until(lambda frames: sum(len(frame.get("arrivals", [])) for frame in frames) == LOST)
        position = watching.position
        self.primary.stop(signal.SIGKILL)
        self.take_over()
        # The server notices that its last commit is missing, and goes on.
        wait_until(lambda: self.come("After").status == 201)
        self.assertEqual(self.names(), [*names, "After"])
        # It closes its rooms, so that watchers load everything again.
        self.assertEqual(watching.close_code, 1001)
        again = self.room(since=position)
        self.assertFalse(again.joined["recovered"])
        self.assertEqual(len(again.snapshot["arrivals"]), BEFORE + 1)
        # The receipt of a lost person is void. The person can check in again, as somebody new.
        answer = self.host.get("/api/v1/check-ins/current", token=lost[0]["receipt"])
        self.assertEqual((answer.status, answer.code), (401, "receipt_not_valid"))
        self.assertNotEqual(self.come("Lost 0").expect(201).json["attendee"]["id"], lost[0]["attendee"]["id"])
        # The sequences of the lost check-ins are given again. So a watcher that comes now does not learn that
        # its position belongs to what was lost …
        for number in range(LOST):
            self.come(f"New {number}").expect(201)
        self.assertTrue(self.room(since=position).joined["recovered"])
        # … unless the database has a new epoch.
        self.assertEqual(self.server.stop(), 0)
        subprocess.run([QRING, "admin", "new-epoch", "--database", self.database], env=Server.environment(),
            timeout=DEADLINE, check=True)
        self.server.start()
        again = self.room(since=position)
        self.assertFalse(again.joined["recovered"])
        self.assertEqual(len(again.snapshot["arrivals"]), len(self.names()))


if __name__ == "__main__":
    unittest.main()
