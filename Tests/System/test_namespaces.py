"""The network namespaces of scripts/torture nodes go away even if the process that made them is killed."""
import os
import signal
import subprocess
import sys
import unittest

import pytest

from namespaces import Namespace, beginning, names
from server_process import DEADLINE, wait_until

# Makes a namespace, and starts a program in it, as the torture does. Prints the name, and the processes of
# the program and of the guard.
MAKER = """
import subprocess, sys
sys.path.insert(0, sys.argv[1])
from namespaces import Namespace
made = Namespace(9)
inside = subprocess.Popen([*made.command, "sleep", "600"])
print(made.name, inside.pid, made.guard.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.alone("changes the network of the machine, and a browser then drops its requests")
@unittest.skipUnless(os.geteuid() == 0, "only root makes network namespaces")
class NamespaceTests(unittest.TestCase):
    def make(self):
        maker = subprocess.Popen([sys.executable, "-c", MAKER, os.path.dirname(os.path.abspath(__file__))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(maker.wait, DEADLINE)
        self.addCleanup(maker.kill)
        for stream in (maker.stdin, maker.stdout):
            self.addCleanup(stream.close)
        name, inside, guard = maker.stdout.readline().split()
        self.assertIn(name, names())
        return maker, name, int(inside), int(guard)

    def test_a_killed_process_leaves_no_namespace_and_no_program_in_it(self):
        maker, name, inside, _ = self.make()
        maker.kill()
        wait_until(lambda: name not in names() and beginning(inside) is None)

    def test_the_next_namespace_removes_those_of_killed_processes_and_guards(self):
        other, kept, _, _ = self.make()
        maker, name, inside, guard = self.make()
        os.kill(guard, signal.SIGKILL)
        maker.kill()
        maker.wait(DEADLINE)
        self.assertIn(name, names())
        next_one = Namespace(8)
        self.addCleanup(next_one.close)
        self.assertNotIn(name, names())
        wait_until(lambda: beginning(inside) is None)
        # The namespace of a running process stays.
        self.assertIsNone(other.poll())
        self.assertIn(kept, names())


if __name__ == "__main__":
    unittest.main()
