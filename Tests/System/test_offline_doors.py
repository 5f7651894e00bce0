"""Offline doors as a host sees them: the command line and the routes of a laptop, against the real server."""
import json
import subprocess
import tempfile
import unittest

from host import Host, moment
from server_process import DEADLINE, QRING, Server


class OfflineDoorTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.session = self.host.meeting("Study group")["session"]["id"]
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        self.environment = {**Server.environment(), "XDG_CONFIG_HOME": self.folder, "QRING_LANG": "en",
            "QRING_SERVER": self.server.url, "QRING_TOKEN": self.host.token}

    def run_qring(self, *words, code=0):
        ran = subprocess.run([QRING, "offline-door", *words], env=self.environment, cwd=self.folder,
            capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def listed(self):
        ran = subprocess.run([QRING, "offline-door", "list", self.session, "--json"], env=self.environment,
            capture_output=True, text=True, timeout=DEADLINE, check=True)
        return json.loads(ran.stdout)["items"]

    def test_a_host_adds_lists_and_revokes_an_offline_door(self):
        added = self.run_qring("add", self.session, "--door", "2", "--name", "Gate 1", "--names")
        self.assertIn("Key for names and numbers: ", added)
        code = added.split("--join ")[1].split()[0]
        self.assertEqual([item["state"] for item in self.listed()], ["waiting"])
        join = {"code": code, "publicKey": "A" * 43}
        token = self.host.post("/api/v1/satellites", join, token=None).expect(201).json["token"]
        self.host.get("/api/v1/satellite/snapshot", token=token).expect(200)
        clock = {"clock": moment(3)}
        self.host.post("/api/v1/satellite/entries", clock, token=token).expect(200)
        door, = self.listed()
        self.assertEqual((door["state"], door["door"], door["entries"], door["held"]), ("joined", 2, 0, 0))
        self.assertGreater(door["clockAheadMilliseconds"], 100_000)
        self.assertIn("Nobody came in twice.", self.run_qring("doubles", self.session))
        self.assertIn("no offline door", self.run_qring("revoke", self.session, "Gate 9", code=5))
        self.assertIn("Gate 1 is revoked.", self.run_qring("revoke", self.session, "gate 1"))
        self.assertIn("0 entries of Gate 1 accepted.", self.run_qring("accept", self.session, "Gate 1"))
        self.assertIn("0 entries of Gate 1 rejected.", self.run_qring("reject", self.session, "Gate 1"))
        self.assertEqual([item["state"] for item in self.listed()], ["revoked"])
        refused = self.host.get("/api/v1/satellite/snapshot", token=token)
        self.assertEqual((refused.status, refused.json["code"]), (401, "satellite_revoked"))


if __name__ == "__main__":
    unittest.main()
