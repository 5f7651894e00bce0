"""PgBouncer between servers and PostgreSQL: the whole story in session mode, a refusal in the other modes."""
import signal
import subprocess
import unittest

from api import API
from crowd import Crowd
from host import Host, check_in
from nodes import Nodes
from postgres import Pool, shared
from server_process import DEADLINE, QRING, Server, wait_until
from test_nodes import admin
from test_postgres import refusal

PEOPLE = 120
# Requests that ask whether an address has an account, of one client in a minute.
MOST_LOOKS = 60


class SessionModeTests(unittest.TestCase):
    """Two servers, each with sessions of its own in the pool."""

    @classmethod
    def setUpClass(cls):
        cls.pool = cls.enterClassContext(Pool(shared(), "session"))
        cls.database = cls.pool.settings(shared().separate_database())
        cls.nodes = cls.enterClassContext(Nodes(cls.database, 2))
        cls.host = Host(cls.nodes[0])

    def test_everybody_is_checked_in_once_although_the_pool_is_stopped_and_killed(self):
        session = self.host.session()
        with Crowd(list(self.nodes), self.host, session) as crowd:
            crowd.come(PEOPLE)
            for number, how in enumerate((signal.SIGTERM, signal.SIGKILL), 1):
                crowd.wait_for(number * PEOPLE // 3)
                self.pool.stop(how)
                self.pool.start()
            crowd.wait_for(PEOPLE)
            crowd.judge()
        for node in self.nodes:
            api = API(node, self.host.token)
            found = wait_until(lambda api=api: (answer := api.get(
                f"/api/v1/sessions/{session['id']}")).status == 200 and answer.json)
            self.assertEqual(found["attendance"]["checkedIn"], PEOPLE)

    def test_the_operator_sees_both_servers(self):
        self.assertEqual([node["running"] for node in admin(self.database, "nodes")["items"]], [True, True])

    def test_a_failed_attempt_counts_once(self):
        """A pool hides the number of a session, by which a server recognises its own messages."""
        # Only the first of the servers is asked, and it must not hear itself.
        looks = [API(self.nodes[0]).get("/api/v1/accounts/availability?email=nobody@example.org").status
            for _ in range(MOST_LOOKS + 1)]
        self.assertEqual(looks, [200] * MOST_LOOKS + [429])

    def test_a_server_that_is_killed_leaves_the_pool_to_the_others(self):
        node = self.nodes.make(len(self.nodes))
        self.nodes.start(node)
        self.addCleanup(node.close)
        node.kill()
        # The pool resets the sessions of the dead server. So its locks end, and the others notice it.
        wait_until(lambda: len(admin(self.database, "nodes")["items"]) == len(self.nodes))
        check_in(self.host, self.host.session(), "Guest", "guest@example.org").expect(201)


class RefusalTests(unittest.TestCase):
    def pooled(self, mode, size=20, **settings):
        """Returns the settings of an empty database behind a pool, and the name of the database."""
        pool = self.enterContext(Pool(shared(), mode, size, **settings))
        name = shared().separate_database()
        return pool.settings(name), name

    def test_a_pool_that_shares_its_sessions_is_refused_and_the_database_stays_empty(self):
        # In transaction mode, each transaction gets another session here.
        for mode in ("transaction", "statement"):
            with self.subTest(mode):
                database, name = self.pooled(mode, server_round_robin=1)
                self.assertRegex(refusal(self, database), "shares its sessions.*pool_mode = session")
                tables = shared().sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", name)
                self.assertEqual(tables, "0\n")

    def test_the_doctor_names_the_fault_too(self):
        # Here, all transactions get the same session in turn.
        database, _ = self.pooled("transaction")
        done = subprocess.run([QRING, "admin", "doctor", "--database", database, "--lang", "en"],
            capture_output=True, text=True, timeout=DEADLINE, check=False, env=Server.environment())
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, "shares its sessions")

    def test_a_pool_that_is_too_small_is_refused_with_the_number_of_sessions(self):
        for size, settings, why in ((5, {}, "no answer"),
                (20, {"max_client_conn": 4}, "no more connections allowed")):
            with self.subTest(size=size, **settings):
                database, _ = self.pooled("session", size, **settings)
                self.assertRegex(refusal(self, database),
                    f"has no free session.*{why}.*needs 8: raise default_pool_size")


if __name__ == "__main__":
    unittest.main()
