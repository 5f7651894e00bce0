"""The log in a file, and SIGHUP, as logrotate sends it."""
import os
import signal
import stat
import subprocess
import unittest

from host import Host
from server_process import DEADLINE, QRING, Server, wait_until


class LogFileTests(unittest.TestCase):
    def setUp(self):
        self.server = Server("--signup", "open")
        self.addCleanup(self.server.close)
        self.path = os.path.join(self.server.temporary, "qring.log")

    def wait_for(self, path, words):
        wait_until(lambda: os.path.exists(path) and words in self.read(path),
            lambda: f"{words} is not in {path}")

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def start(self):
        """If the log goes to a file, standard error stays empty."""
        self.server.options += ("--log-file", self.path)
        self.server.process = self.server.spawn()
        self.wait_for(self.path, "listening on port")
        self.server.port = int(self.read(self.path).split("listening on port ")[1].split(",")[0])

    def stop(self):
        self.server.process.send_signal(signal.SIGTERM)
        said = self.server.process.stderr.read()
        self.assertEqual(self.server.process.wait(DEADLINE), 0)
        self.server.process.stderr.close()
        return said

    def test_sighup_without_a_log_file_is_logged_and_changes_nothing(self):
        self.server.start()
        for count in [1, 2]:
            self.server.process.send_signal(signal.SIGHUP)
            self.server.log.wait_for(lambda lines: sum("SIGHUP" in line for line in lines) == count)
        Host(self.server)
        self.assertEqual(self.server.stop(), 0)

    def test_sighup_opens_the_log_file_again_after_a_rotation(self):
        self.start()
        Host(self.server)
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
        self.wait_for(self.path, "/api/v1/tokens")
        os.rename(self.path, self.path + ".1")
        self.server.process.send_signal(signal.SIGHUP)
        self.wait_for(self.path, "SIGHUP")
        before = self.read(self.path + ".1")
        Host(self.server)
        self.wait_for(self.path, "/api/v1/accounts")
        self.assertEqual(self.read(self.path + ".1"), before)
        # A restart appends.
        self.assertEqual(self.stop(), "")
        self.assertIn("stopped", self.read(self.path))
        rotated = self.read(self.path)
        self.server.options = ("--signup", "open")
        self.start()
        self.assertTrue(self.read(self.path).startswith(rotated))
        self.stop()

    def test_if_the_log_file_cannot_be_reopened_the_old_one_is_used(self):
        self.start()
        os.rename(self.path, self.path + ".1")
        os.mkdir(self.path)
        self.server.process.send_signal(signal.SIGHUP)
        self.wait_for(self.path + ".1", "could not be reopened")
        Host(self.server)
        self.wait_for(self.path + ".1", "/api/v1/accounts")
        self.stop()

    def test_a_log_file_that_cannot_be_created_is_reported_at_the_start(self):
        missing = os.path.join(self.server.temporary, "nowhere", "qring.log")
        run = subprocess.run(
            [QRING, "serve", "--listen", "127.0.0.1:0", "--data", self.server.folder, "--log-file", missing,
                "--lang", "en"],
            env=Server.environment(), capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual(run.returncode, 1)
        self.assertIn(missing, run.stderr)
        self.assertIn("No such file or directory", run.stderr)


if __name__ == "__main__":
    unittest.main()
