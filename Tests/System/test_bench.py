"""A tiny run of each benchmark of `qring bench`. The test checks that it works, not its speed."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import pytest

from postgres import shared
from server_process import DEADLINE, QRING, wait_until

COSTS = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "costs.md")


@pytest.mark.alone("takes all of the processor")
class BenchTests(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def command(self, *words):
        return [QRING, "bench", *words, "--data", self.folder]

    def run_bench(self, *words):
        result = subprocess.run(self.command(*words, "--json"), capture_output=True, text=True,
            timeout=3 * DEADLINE)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        report = json.loads(result.stdout)
        self.assertEqual(report["benchmark"], words[0])
        self.assertEqual(report["refused"], 0)
        self.assertGreater(report["items"], 0)
        machine = report["machine"]
        self.assertTrue(machine["cpu"] and machine["kernel"] and machine["fileSystem"])
        self.assertGreaterEqual(machine["cores"], 1)
        self.assertGreaterEqual(machine["loadAverage"], 0)
        self.assertEqual(set(machine["libraries"]), {
            "SQLite", "cairo", "jansson", "libcurl", "libmicrohttpd", "libpq", "libqrencode", "libsodium",
            "libwebsockets", "ncurses", "pango", "zlib"})
        self.assertEqual(os.listdir(self.folder), [], "something was left behind")
        return report

    def assert_latency(self, latency):
        self.assertTrue(0 < latency["p50Ms"] <= latency["p99Ms"] <= latency["maxMs"], latency)

    def test_check_in(self):
        report = self.run_bench("check-in", "--seconds", "0.3", "--connections", "4")
        self.assert_latency(report["latency"])
        self.assertEqual(report["latency"]["count"], report["items"])
        for name in ("perSecond", "serverCPUMicroseconds", "generatorCPUMicroseconds", "memoryMB"):
            self.assertGreater(report[name], 0, name)
        # Every answered check-in was committed, in batches whose mean has one digit. Requests in flight at
        # the first reading had been committed.
        commits = report["commits"]
        self.assertGreaterEqual(commits["commits"] * (commits["batch"] + 0.05) + 5, report["items"])
        self.assertGreater(commits["busyMs"], 0)

    def test_check_in_on_postgres_beside_sqlite(self):
        report = self.run_bench("check-in", "--seconds", "0.5", "--connections", "6", "--nodes", "2",
            "--database", shared().database())
        self.assertEqual(report["settings"]["sessions"], 6)
        sqlite = report["sqlite"]
        self.assertEqual(sqlite["refused"], 0)
        self.assert_latency(sqlite["latency"])
        # Each round measures both.
        self.assertGreater(len(sqlite["rounds"]), 1)
        self.assertEqual(sqlite["ratio"], sorted(sqlite["rounds"])[len(sqlite["rounds"]) // 2])

    def test_check_in_with_watchers_beside(self):
        report = self.run_bench("check-in", "--seconds", "0.2", "--connections", "2", "--watchers", "3")
        self.assertEqual(report["settings"]["watchers"], 3)
        self.run_bench("check-in", "--seconds", "0.2", "--connections", "2", "--watchers", "3", "--elsewhere")

    def test_fan_out(self):
        report = self.run_bench("fan-out", "--seconds", "0.5", "--rate", "10", "--watchers", "20",
            "--connections", "2")
        # Ten a second for half a second are five or six. Each watcher gets each check-in, unless two were so
        # close that one frame holds both.
        self.assertLessEqual(report["items"], 6 * 20)
        self.assertEqual(report["items"] % 20, 0)
        self.assert_latency(report["latency"])
        self.assertGreater(report["bytesPerDelivery"], 100)

    def test_storm(self):
        report = self.run_bench("storm", "--check-ins", "200", "--watchers", "20", "--connections", "8")
        self.assertEqual(report["items"], 200)
        self.assertGreaterEqual(report["settleMs"], 0)
        self.assert_latency(report["latency"])

    def test_idle(self):
        report = self.run_bench("idle", "--watchers", "50", "--seconds", "0.3")
        self.assertEqual(report["items"], 50)
        self.assertIn("memoryPerWatcherKB", report)
        self.assert_latency(report["latency"])

    def test_clients_of_socket_io_are_measured_beside_watchers(self):
        for kind, figure in [("idle", "memoryPerWatcherKB"), ("fan-out", "serverCPUMicroseconds")]:
            words = ["--watchers", "10", "--seconds", "0.2", "--socket-io", "--most-ratio"]
            # So few clients may need no new page of memory, so the ratio says nothing here.
            report = self.run_bench(kind, *words, "1000")
            self.assertIn("ratio", report["socketIO"])
            self.assertIn(figure, report["socketIO"])
        # Only that both are counted: on a busy machine one frame has several of these few check-ins.
        self.assertGreater(report["socketIO"]["bytesPerDelivery"], 100)
        self.assertGreater(report["bytesPerDelivery"], 100)

    def test_hall(self):
        report = self.run_bench("hall", "--attendees", "150", "--watchers", "5", "--connections", "4",
            "--rate", "200")
        # Each attendee answers the poll and votes three times, and the server has counted all of it.
        self.assertEqual(report["items"], 150 * 4)
        self.assert_latency(report["latency"])
        self.assertTrue(0 < report["framesPerSecond"] <= 25, report)

    def test_responses(self):
        report = self.run_bench("responses", "--check-ins", "50", "--connections", "4")
        # The server has counted a response of each person whose check-in was measured.
        self.assertEqual(report["items"], 50)
        self.assertEqual(len(report["checkIns"]["rounds"]), 5)
        self.assert_latency(report["latency"])

    def test_reads(self):
        words = ["--attendees", "150", "--searched", "200", "--seconds", "0.2", "--connections", "4"]
        report = self.run_bench("read", *words)
        costs = {cost["read"]: cost for cost in report["reads"]}
        self.assertEqual(list(costs), ["health check", "session", "check-in page",
            "check-in page, compressed", "results", "`qr.png`", "page of attendees of 100",
            "page of attendees of 150", "page of the journal of 100", "page of the journal of 150",
            "search `q=example attendee`", "search `q=준민`", "session, beside searches"])
        for cost in costs.values():
            self.assertGreater(cost["serverCPUMicroseconds"], 0, cost)
            self.assert_latency(cost["latency"])
        self.assertGreater(costs["page of the journal of 150"]["ratio"], 0)
        result = subprocess.run(self.command("read", *words, "--floors"), capture_output=True, text=True,
            timeout=3 * DEADLINE)
        # No read of a debug build is as cheap.
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("session: 15 µs", result.stderr)

    def test_abuse_has_a_worst_request_or_a_reason_for_every_route_and_fails_beyond_its_limit(self):
        result = subprocess.run(
            self.command("abuse", "--attendees", "20", "--roster", "10", "--sessions", "4", "--rate", "100",
                "--seconds", "0.01", "--limit", "1", "--abusers", "1", "--file-kb", "16", "--requests", "1",
                "--connections", "4", "--json"), capture_output=True, text=True, timeout=3 * DEADLINE)
        # No check-in of a debug build is as fast.
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("took longer than 1 ms", result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual((report["refused"], report["unexpected"]), (0, {}))
        description = json.loads(subprocess.run([QRING, "openapi"], capture_output=True, check=True).stdout)
        described = {f"{method.upper()} {path}" for path, methods in description["paths"].items()
            for method in methods}
        costs = {cost["route"]: cost for cost in report["routes"]}
        self.assertEqual(set(costs) - {"–"}, described)
        with open(COSTS, encoding="utf-8") as page:
            rows = [line.strip("| \n").replace("`", "").split(" | ") for line in page
                if line.startswith("| `")]
        # The other table has a column for each figure.
        listed = dict(row for row in rows if len(row) == 2)
        self.assertEqual(listed, {route: costs[route]["worst"] for route in described}, "docs/costs.md")
        for cost in costs.values():
            if cost.get("statuses"):
                self.assertGreaterEqual(min(cost[name] for name in ("writerMs", "cpuMs", "memoryMB")), 0)

    def test_a_table_for_people(self):
        result = subprocess.run(
            self.command("check-in", "--seconds", "0.2", "--connections", "1", "--lang", "ko"),
            capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("libmicrohttpd", result.stdout.splitlines()[0])
        self.assertIn("속도", result.stdout)

    def test_an_interrupt_ends_the_bench_and_leaves_no_files(self):
        bench = subprocess.Popen(
            self.command("check-in", "--seconds", "30", "--connections", "2"), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        wait_until(lambda: os.listdir(self.folder))
        bench.send_signal(signal.SIGINT)
        out, _ = bench.communicate(timeout=DEADLINE)
        self.assertEqual((bench.returncode, out), (130, b""))
        self.assertEqual(os.listdir(self.folder), [])

    def test_qring_names_the_program_of_the_benchmarks_if_it_is_not_installed(self):
        alone = shutil.copy(QRING, self.folder)
        for words in [["bench"], ["bench", "check-in", "--seconds", "1"]]:
            result = subprocess.run([alone, *words], env={"PATH": "/nowhere"}, capture_output=True, text=True,
                timeout=DEADLINE)
            self.assertEqual((result.returncode, result.stdout), (5, ""))
            self.assertIn("qring-bench is not installed", result.stderr)

    def test_the_benchmarks_name_the_program_that_they_measure_if_it_is_not_installed(self):
        alone = shutil.copy(os.path.join(os.path.dirname(QRING), "qring-bench"), self.folder)
        result = subprocess.run([alone, "idle", "--data", self.folder], capture_output=True, text=True,
            timeout=DEADLINE)
        self.assertEqual(result.returncode, 1)
        self.assertIn(os.path.join(self.folder, "qring"), result.stderr)

    def test_a_folder_that_cannot_be_created_is_reported(self):
        place = os.path.join(self.folder, "file")
        open(place, "w").close()
        result = subprocess.run([QRING, "bench", "idle", "--data", place], capture_output=True, text=True,
            timeout=DEADLINE)
        self.assertEqual(result.returncode, 1)
        self.assertIn(place, result.stderr)


if __name__ == "__main__":
    unittest.main()
