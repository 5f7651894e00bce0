"""The program ends without the exit handlers of its libraries, because their threads still run."""
import shutil
import signal
import subprocess
import tempfile
import unittest

from server_process import DEADLINE, PATIENCE, QRING, Server, preloaded

# A handler of exit(3), as OpenSSL or a library in C++ has one, which another thread may be using.
LEFT = """
#include <stdlib.h>
#include <unistd.h>
static void bury(void) { (void)!write(2, "BURIED\\n", 7); }
__attribute__((constructor)) static void leave(void) { atexit(bury); }
"""


@unittest.skipIf(PATIENCE > 1, "a sanitizer's library must be the first, and is left so")
class EndingTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.mkdtemp(prefix="qring-test-")
        self.addCleanup(shutil.rmtree, folder)
        self.environment = {**Server.environment(), "LD_PRELOAD": preloaded(LEFT, folder)}

    def test_a_command_ends_without_exit_handlers_and_prints_everything(self):
        # The test sees the handler if it runs.
        self.assertIn("BURIED",
            subprocess.run(["true"], env=self.environment, capture_output=True, text=True, check=True).stderr)
        for words, code in [(["version"], 0), (["openapi"], 0), (["meeting", "dance"], 2),
                (["login", "--server", "http://127.0.0.1:1", "--email", "a@b.c", "--no-input"], None)]:
            with self.subTest(words):
                run = subprocess.run([QRING, *words], env=self.environment, capture_output=True, text=True,
                    timeout=DEADLINE, stdin=subprocess.DEVNULL)
                self.assertNotIn("BURIED", run.stderr)
                self.assertTrue(run.stdout or run.stderr)
                if code is not None:
                    self.assertEqual(run.returncode, code)
        # All output arrives, even if the reader is slower than the program.
        whole = subprocess.run([QRING, "openapi"], capture_output=True, check=True).stdout
        slow = subprocess.run(f"{QRING} openapi | (sleep 0.2; cat)", shell=True, capture_output=True,
            check=True).stdout
        self.assertEqual(slow, whole)

    def test_a_stopped_server_logs_its_end_and_runs_no_exit_handlers(self):
        server = Server()
        server.environment = lambda: self.environment
        self.enterContext(server)
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.process.wait(DEADLINE), 0)
        server.log.wait_for(lambda lines: server.log.is_over)
        self.assertIn("stopped", server.log.lines[-1])
        self.assertFalse([line for line in server.log.lines if "BURIED" in line])


if __name__ == "__main__":
    unittest.main()
