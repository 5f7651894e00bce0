"""Programs `qring-NAME` on the PATH are commands of qring."""
import os
import subprocess
import tempfile
import unittest

from server_process import DEADLINE, QRING, Server

PRINTING = """#!/bin/sh
echo "<$*> $QRING_SERVER $QRING_SESSION [$QRING_TOKEN$QRING_SMTP_PASSWORD]"
exit 7
"""


class ExtensionTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        self.environment = {
            **Server.environment(), "PATH": f"{self.folder}:{os.environ['PATH']}",
            "XDG_CONFIG_HOME": self.folder, "QRING_LANG": "en",
            "QRING_TOKEN": "qat_secret", "QRING_SMTP_PASSWORD": "secret",
            "QRING_SERVER": "http://127.0.0.1:1", "QRING_SESSION": "01KC3Z5H8T0000000000000000"}

    def write(self, name, mode=0o755):
        path = os.path.join(self.folder, f"qring-{name}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PRINTING)
        os.chmod(path, mode)

    def run_qring(self, *words, **options):
        return subprocess.run([QRING, *words], env=self.environment, capture_output=True, text=True,
            timeout=DEADLINE, **options)

    def test_an_extension_gets_its_words_and_the_context_but_no_secret(self):
        self.write("hello")
        ran = self.run_qring("hello", "--json", "a b", "$(x)")
        self.assertEqual(ran.stdout,
            "<--json a b $(x)> http://127.0.0.1:1 01KC3Z5H8T0000000000000000 []\n")
        self.assertEqual((ran.returncode, ran.stderr), (7, ""))
        # Without a variable, the server is the one that qring itself would use.
        del self.environment["QRING_SERVER"]
        self.assertIn("http://127.0.0.1:8080", self.run_qring("hello").stdout)

    def test_an_unknown_context_is_refused_and_does_not_become_the_default(self):
        self.write("hello")
        del self.environment["QRING_SERVER"]
        self.environment["QRING_CONTEXT"] = "nowhere"
        ran = self.run_qring("hello")
        self.assertEqual((ran.returncode, ran.stdout), (5, ""))
        self.assertIn("nowhere", ran.stderr)

    def test_a_command_and_an_alias_prevail_over_an_extension(self):
        for name in ["version", "results", "mine"]:
            self.write(name)
        self.assertEqual(self.run_qring("alias", "set", "mine", "version").returncode, 0)
        for name in ["version", "mine"]:
            self.assertRegex(self.run_qring(name).stdout, r"^qring \d")

    def test_the_help_lists_extensions_without_commands(self):
        self.write("hello")
        self.write("results")
        self.write("plain", mode=0o644)
        for words in [[], ["help"]]:
            listed = self.run_qring(*words).stdout.split("Extensions")[1].split("Topics")[0]
            self.assertEqual(listed.split("\n")[1:-2], ["  hello"])
        self.environment["PATH"] = "/nonexistent"
        self.assertNotIn("Extensions", self.run_qring("help").stdout)

    def test_unsafe_programs_are_not_run(self):
        self.write("open-to-all", mode=0o777)
        ran = self.run_qring("open-to-all")
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertIn("every user of this machine may write to", ran.stderr)
        # A relative folder of the PATH is another person's, perhaps.
        self.write("here")
        self.environment["PATH"] = f".:{os.environ['PATH']}"
        for name in ["here", "../here", "-here"]:
            self.assertEqual(self.run_qring(name, cwd=self.folder).returncode, 2)


if __name__ == "__main__":
    unittest.main()
