"""The manual pages in the programs that people use to read them."""
import os
import subprocess
import tempfile
import unittest

from server_process import DEADLINE, QRING, Server


class ManualTests(unittest.TestCase):
    def run_clean(self, *words, cwd):
        ran = subprocess.run(words, cwd=cwd, env={**Server.environment(), "MANWIDTH": "80"},
            capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), words)
        return ran.stdout

    def test_man_reads_every_page_without_a_warning(self):
        for language in ["en", "ko"]:
            with self.subTest(language=language), tempfile.TemporaryDirectory(prefix="qring-test-") as folder:
                subprocess.run([QRING, "help", "--man", folder, "--lang", language], check=True,
                    capture_output=True, timeout=DEADLINE)
                pages = sorted(os.listdir(folder))
                self.assertLess({"qring.1", "qring-serve.1", "qring-admin-backup.1", "qring-watch.1"},
                    set(pages))
                self.run_clean("mandoc", "-T", "lint", "-W", "warning", *pages, cwd=folder)
                overview = self.run_clean("man", "--warnings", "-E", "UTF-8", "./qring.1", cwd=folder)
                for page in pages:
                    command = page.removesuffix(".1").replace("-", " ", 1)
                    if page in ["qring.1"] or command.count("-") > 1:
                        continue
                    self.assertIn(command.split(" ")[1].split("-")[0], overview)
                for page in ["qring-watch.1", "qring-meeting-create.1"]:
                    shown = self.run_clean("man", "--warnings", "-E", "UTF-8", f"./{page}", cwd=folder)
                    self.assertIn("--json", shown)


if __name__ == "__main__":
    unittest.main()
