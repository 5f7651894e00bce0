"""Three servers behind nginx change to another program one by one, while people check in."""
import os
import shutil
import unittest

from api import API
from crowd import Crowd
from host import Host
from nodes import Nodes
from postgres import shared
from proxies import NginxOfThree
from server_process import QRING, Server, free_port
from test_nodes import admin

PEOPLE = 240


class LastingPorts(Nodes):
    """nginx knows the ports of the servers, so they stay the same."""

    def make(self, number):
        return Server(*self.options, folder=os.path.join(self.folder, f"node{number}"), port=free_port())


class RollingUpgradeTests(unittest.TestCase):
    """The new program is a copy of the old one, as for a version that needs no migration."""

    def test_nobody_is_refused_or_lost_while_the_servers_change_one_by_one(self):
        database = shared().database()
        proxy = self.enterContext(NginxOfThree())
        nodes = self.enterContext(LastingPorts(
            database, 3, "--trusted-proxy", "loopback", "--public-url", proxy.url))
        host = Host(nodes[0])
        proxy.ports = [node.port for node in nodes]
        proxy.start(nodes[0])
        newer = shutil.copy(QRING, os.path.join(nodes.folder, "qring-newer"))
        session = host.session()
        before = {node["id"] for node in admin(database, "nodes")["items"]}
        with Crowd([proxy], host, session, watchers=4) as crowd:
            crowd.come(PEOPLE)
            for number, node in enumerate(nodes, 1):
                crowd.wait_for(number * PEOPLE // (len(nodes) + 1))
                self.assertEqual(node.stop(), 0)
                node.program = newer
                node.start()
            crowd.wait_for(PEOPLE)
            crowd.judge()
            self.assertEqual(crowd.counts, {}, "somebody was refused, or got no answer")
            self.assertGreater(sum(watcher.moves for watcher in crowd.watchers), 0, "no watcher had to move")
        counts = [API(node, host.token).get(f"/api/v1/sessions/{session['id']}").expect(200)
            .json["attendance"]["checkedIn"] for node in nodes]
        self.assertEqual(counts, [PEOPLE] * len(nodes))
        after = admin(database, "nodes")["items"]
        self.assertEqual([node["running"] for node in after], [True] * len(nodes))
        self.assertEqual(before & {node["id"] for node in after}, set())


if __name__ == "__main__":
    unittest.main()
