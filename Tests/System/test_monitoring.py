"""The metrics, the alert rules and the dashboard of Grafana, judged by Prometheus's own tool."""
import http.server
import json
import os
import re
import subprocess
import tempfile
import threading
import unittest

import yaml

from api import API
from host import Host, check_in
from mail_receiver import queue
from postgres import shared
from server_process import DEADLINE, QRING, Server, free_port, wait_until
from terminal import Window

FOLDER = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "docs", "monitoring"))


def promtool(*words, given=None):
    return subprocess.run(["promtool", *words], input=given, capture_output=True, text=True, timeout=DEADLINE,
        cwd=FOLDER, check=False)


def scrape(server):
    return API(server).get("/metrics").expect(200).text


def names(text):
    return set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE))


def value(text, sample):
    found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else None


def alerts():
    with open(os.path.join(FOLDER, "alerts.yml"), encoding="utf-8") as file:
        return [rule for group in yaml.safe_load(file)["groups"] for rule in group["rules"]]


def panels():
    with open(os.path.join(FOLDER, "grafana.json"), encoding="utf-8") as file:
        return [panel for panel in json.load(file)["panels"] if panel["type"] != "row"]


def expressions():
    for panel in panels():
        for target in panel["targets"]:
            yield target["expr"].replace("$instance", ".+")
    for rule in alerts():
        yield rule["expr"]


class MonitoringTests(unittest.TestCase):
    def assert_succeeds(self, run):
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_prometheus_finds_no_fault_in_the_metrics_of_either_engine(self):
        with Server("--signup", "open") as server, \
                Server("--database", shared().database()) as node:
            for each in (server, node):
                API(each).get("/api/v1/meetings").expect(401)
                run = promtool("check", "metrics", given=scrape(each))
                self.assert_succeeds(run)
                self.assertEqual((run.stdout, run.stderr), ("", ""))

    def test_the_alert_rules_pass_their_own_tests_and_each_says_the_next_step(self):
        self.assert_succeeds(promtool("test", "rules", "alerts.test.yml"))
        for rule in alerts():
            self.assertEqual(set(rule["annotations"]), {"summary", "description"}, rule["alert"])
            self.assertIn(rule["labels"]["severity"], ("critical", "warning"))

    def test_a_wrong_rule_fails_its_test(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("alerts.yml", "alerts.test.yml"):
                with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
                    text = file.read()
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text.replace("qring_disk_free_bytes < 1e9", "qring_disk_free_bytes < 1e8"))
            run = promtool("test", "rules", os.path.join(folder, "alerts.test.yml"))
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("QRingDiskLow", run.stdout + run.stderr)

    def test_alerts_and_panels_use_only_metrics_that_a_server_has(self):
        backups = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        with Server("--backup-to", backups) as server, Server("--database", shared().database()) as node:
            # Only a start with a file checks one.
            server.stop()
            server.start()
            server.log.wait_for_match("was checked")
            have = names(scrape(server)) | names(scrape(node)) | {"up"}
        for expression in expressions():
            used = set(re.findall(r"\bqring_\w+|\bup\b", expression))
            self.assertTrue(used, expression)
            for name in used:
                self.assertIn(re.sub(r"_bucket$", "", name), have, expression)

    def test_prometheus_understands_each_expression_of_a_panel(self):
        rules = [{"record": f"panel:number_{number}", "expr": text}
            for number, text in enumerate(expressions())]
        self.assertGreater(len(rules), 30)
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}, file)
            file.flush()
            self.assert_succeeds(promtool("check", "rules", file.name))

    def test_panels_do_not_overlap_and_have_their_own_ids(self):
        places = {}
        for panel in panels():
            place = panel["gridPos"]
            for column in range(place["x"], place["x"] + place["w"]):
                for line in range(place["y"], place["y"] + place["h"]):
                    self.assertNotIn((column, line), places, panel["title"])
                    places[column, line] = panel["title"]
            self.assertLessEqual(place["x"] + place["w"], 24)
        self.assertEqual(len({panel["id"] for panel in panels()}), len(panels()))

    def test_a_refused_request_counts_by_its_code_and_a_commit_by_its_time(self):
        with Server("--signup", "open") as server:
            host = Host(server)
            session = host.session("Study group")
            before = scrape(server)
            check_in(host, session, "Ann", "ann@example.org").expect(201)
            API(server).get("/api/v1/meetings").expect(401)
            API(server).get("/api/v1/meetings").expect(401)
            after = scrape(server)

            def grown(sample):
                return (value(after, sample) or 0) - (value(before, sample) or 0)

            self.assertEqual(grown('qring_http_problems_total{code="not_signed_in"}'), 2)
            self.assertGreaterEqual(grown("qring_journal_commit_seconds_count"), 1)
            self.assertEqual(grown("qring_journal_commit_seconds_count"),
                grown("qring_journal_commits_total"))
            self.assertEqual(value(after, 'qring_journal_commit_seconds_bucket{le="+Inf"}'),
                value(after, "qring_journal_commit_seconds_count"))

    def test_waiting_mails_have_a_number_and_an_age(self):
        with Server() as server:
            server.stop()
            queue(server.folder, ["kim@example.org", "lee@example.org"])
            # Nobody listens there, so the mails wait.
            server.options = ("--smtp-url", f"smtp://127.0.0.1:{free_port()}", "--mail-from",
                "qring@example.org", "--public-url", "https://q.example.org")
            server.start()
            self.assertEqual(value(scrape(server), 'qring_mails{state="waiting"}'), 2)
            wait_until(lambda: value(scrape(server), "qring_mails_oldest_waiting_seconds") > 0,
                lambda: scrape(server))


class Answering:
    """A context: a server that answers each request with the same text."""

    def __init__(self, body):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class TopTests(unittest.TestCase):
    """`qring admin top` beside a real server."""

    def top(self, *words, environment=None):
        return subprocess.run([QRING, "admin", "top", *words], capture_output=True, text=True,
            timeout=DEADLINE, env={**Server.environment(), **(environment or {})}, check=False)

    def test_a_terminal_shows_rates_and_problems_and_tells_when_the_server_is_gone(self):
        with Server("--signup", "open", port=free_port()) as server, \
                Window([QRING, "admin", "top", "--url", f"{server.url}/metrics", "--every", "1s"],
                    {**Server.environment(), "TERM": "tmux-256color"}, columns=80, rows=24) as window:
            window.wait_for_line(r"^ State +ready$")
            host = Host(server)
            check_in(host, host.session("Study group"), "Ann", "ann@example.org").expect(201)

            def asked():
                API(server).get("/api/v1/meetings").expect(401)
                return re.search(r"^ not_signed_in +[\d.]+/s", window.text, re.MULTILINE)

            wait_until(asked, lambda: window.text)
            window.wait_for_line(r"^ Requests +[\d.]+/s +\S")
            self.assertFalse([line for line in window.lines if len(line) > 80])
            server.stop()
            window.wait_for_line(r"^ Last reading \d+ s ago\. No server answers at ")
            # The last numbers stay.
            window.wait_for_line(r"^ State +ready$")
            server.start()
            window.wait_for(lambda text: "Last reading" not in text)
            window.press("q")
            wait_until(lambda: window.tmux("list-sessions", check=False) == "", lambda: window.text)

    def test_without_a_terminal_two_readings_are_compared_and_printed(self):
        with Server("--signup", "open") as server:
            ran = self.top("--url", f"{server.url}/metrics", "--every", "1s", "--json")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            found = json.loads(ran.stdout)
            self.assertEqual((found["notReady"], found["rooms"], found["checkInsPerSecond"]), ([], 0, 0))
            # The first reading is a request of the time between them.
            self.assertGreater(found["requestsPerSecond"], 0)
            lines = self.top("--url", f"{server.url}/metrics", "--every", "1s").stdout.split("\n")
            self.assertRegex(lines[0], r"^State +ready$")

    def test_strange_numbers_and_names_of_a_foreign_server_end_nothing(self):
        text = "\n".join(["# nothing", 'qring_build_info{version="\x1b[31mred"} 1', "qring_rooms NaN",
            "qring_http_connections 1e300", "qring_disk_free_bytes +Inf",
            'qring_mails{state="waiting"} -1e99',
            "qring_mails_oldest_waiting_seconds 1e14", 'qring_not_ready{cause="\x1b]0;x\x07disk"} 1',
            "qring_node_silence_seconds 9e14", "qring_check_ins_total", "no number"])
        strange = self.enterContext(Answering(text.encode()))
        for words in ((), ("--json",)):
            ran = self.top("--url", f"{strange.url}/metrics", "--every", "1s", *words)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertNotRegex(ran.stdout, r"[\x00-\x09\x0b-\x1f]")
        with Window([QRING, "admin", "top", "--url", f"{strange.url}/metrics", "--every", "1s"],
                {**Server.environment(), "TERM": "tmux-256color"}, columns=20, rows=3) as window:
            window.wait_for_text("QRing")
            window.resize(80, 24)
            window.wait_for_text("not ready", "disk")
            window.press("q")

    def test_the_address_comes_from_the_settings_of_the_server(self):
        port = free_port()
        with Server("--metrics-listen", f"127.0.0.1:{port}"):
            ran = self.top("--every", "1s", "--json",
                environment={"QRING_METRICS_LISTEN": f"127.0.0.1:{port}", "QRING_LISTEN": "127.0.0.1:1"})
            self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_each_failure_says_the_next_step(self):
        def fails(code, says, *words, **environment):
            ran = self.top(*words, environment=environment)
            self.assertEqual((ran.returncode, ran.stdout), (code, ""), ran.stderr)
            self.assertIn(says, ran.stderr)

        fails(1, "No server answers", "--url", f"http://127.0.0.1:{free_port()}/metrics")
        fails(1, "Set metrics-listen, or give --url.", QRING_LISTEN="unix:/run/qring/qring.sock")
        fails(2, "1s, 10s, 60s", "--every", "61s")
        with Server("--trusted-proxy", "loopback") as server:
            fails(1, "set metrics-listen", "--url", f"{server.url}/metrics")
            fails(1, "does not answer with the metrics", "--url", f"{server.url}/healthz")
