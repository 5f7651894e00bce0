"""The processor time of the dashboard on its host's machine, quiet and busy."""
import os
import subprocess
import time
import unittest

import pytest

from server_process import QRING, measured
from test_dashboard import DashboardCase


@pytest.mark.alone("measures processor time")
class CostTests(DashboardCase):
    """Returns the CPU time by the kernel's count, which other programs do not change."""

    @staticmethod
    def seconds(process):
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @measured
    def test_the_dashboard_takes_little_processor_time(self):
        session = self.host.session(plannedCount=600)
        terminal = self.open()
        terminal.dashboard("@")
        process = terminal.process()
        time.sleep(2)
        before, begun = self.seconds(process), time.monotonic()
        time.sleep(5)
        idle = (self.seconds(process) - before) / (time.monotonic() - begun)
        before, begun = self.seconds(process), time.monotonic()
        subprocess.run(
            [QRING, "simulate", session["id"], "--attendees", "250", "--over", "5s"], env=terminal.variables,
            check=True, capture_output=True)
        busy = (self.seconds(process) - before) / (time.monotonic() - begun)
        terminal.wait_for_text("250 of 600 checked in")
        print(f"\ndashboard: {100 * idle:.2f} % idle, {100 * busy:.2f} % with 50 check-ins a second",
            flush=True)
        self.assertLess(idle, 0.01)
        self.assertLess(busy, 0.05)


if __name__ == "__main__":
    unittest.main()
