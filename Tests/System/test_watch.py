"""`watch` and `results --follow`, compared with the journal."""
import json
import signal
import subprocess
import unittest

from host import Host, check_in
from server_process import DEADLINE, PATIENCE, QRING, Lines, Server, free_port, wait_until
from terminal import Window
from test_exit_codes import HostsMachine

BEFORE, DURING, AFTER = 10, 30, 10


class Watcher:
    """`qring watch`, with its lines and its standard error."""

    def __init__(self, machine, *words):
        self.process = machine.start(*words)
        self.out, self.err = Lines(self.process.stdout), Lines(self.process.stderr)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(DEADLINE)
        for lines in [self.out, self.err]:
            lines.thread.join(DEADLINE)

    @property
    def arrivals(self):
        return [person["id"] for line in self.out.lines
            for person in (json.loads(line).get("frame") or {}).get("arrivals", [])]


class WatchTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open", port=free_port()))
        self.host = Host(self.server)
        self.session = self.host.session()

    def machine(self):
        return HostsMachine(self, self.server.url, self.host.token)

    def arrive(self, numbers):
        for number in numbers:
            check_in(self.host, self.session, f"Guest {number}", f"guest{number}@example.org").expect(201)

    def journal(self):
        """Returns all events, page by page."""
        events, since = [], 0
        while True:
            page = self.host.get(
                f"/api/v1/sessions/{self.session['id']}/journal?since={since}&limit=200").expect(200).json
            events += page["items"]
            if not page["items"] or page["nextCursor"] is None:
                return events
            since = page["items"][-1]["sequence"]

    def restart(self):
        """Restarts at the same address after a kill."""
        self.server.kill()
        self.server.log.thread.join(DEADLINE)
        self.server.start()
        # Its connection belonged to the killed server.
        self.host.close()

    def test_a_kill_of_the_server_among_check_ins_loses_nothing(self):
        everybody = BEFORE + DURING + AFTER
        with Watcher(self.machine(), "watch", self.session["id"], "--json", "--until",
                f"checked-in={everybody}", "--timeout", f"{60 * PATIENCE}s") as watcher:
            watcher.out.wait_for_match('"update":"snapshot"')
            self.arrive(range(BEFORE))
            self.restart()
            self.arrive(range(BEFORE, BEFORE + DURING))
            watcher.err.wait_for_match("connected again")
            self.restart()
            self.arrive(range(BEFORE + DURING, everybody))
            self.assertEqual(watcher.process.wait(DEADLINE), 0, watcher.err.lines)
            watcher.out.thread.join(DEADLINE)
            watcher.err.thread.join(DEADLINE)
            journal = [event for event in self.journal() if event["kind"] == "checkedIn"]
            self.assertEqual(len(journal), everybody)
            self.assertEqual(watcher.arrivals, [event["attendeeId"] for event in journal])
            lines = [json.loads(line) for line in watcher.out.lines]
            # Every line has its position, and no position decreases.
            sequences = [int(line["position"].split(":")[1]) for line in lines if line["update"] == "frame"]
            self.assertEqual(sequences, sorted(sequences))
            self.assertEqual(sequences[-1], journal[-1]["sequence"])
            self.assertEqual([line["update"] for line in lines].count("snapshot"), 1)
            self.assertTrue(
                all(line["recovered"] for line in lines if line["update"] == "joined"
                    and line is not lines[0]))
            self.assertGreaterEqual(len([line for line in watcher.err.lines if "connection lost" in line]), 2)
            self.assertGreaterEqual(len([line for line in watcher.err.lines if "connected again" in line]), 2)

    def test_lines_are_data_and_the_connection_state_goes_to_standard_error(self):
        with Watcher(self.machine(), "watch", self.session["id"], "--until", "checked-in=2", "--timeout",
                f"{60 * PATIENCE}s") as watcher:
            watcher.out.wait_for_match("in 0")
            self.arrive([1])
            self.restart()
            watcher.err.wait_for_match("connected again")
            self.arrive([2])
            self.assertEqual(watcher.process.wait(DEADLINE), 0)
            watcher.out.wait_for_match(r"^\d\d:\d\d:\d\d  in 2  \+ Guest 2$")
            self.assertFalse([line for line in watcher.out.lines if "connect" in line])

    def test_since_continues_after_a_line(self):
        self.arrive(range(5))
        ran = subprocess.run(
            [QRING, "watch", self.session["id"], "--json", "--until", "checked-in=5"],
            env=self.machine().environment, capture_output=True, text=True,
            timeout=DEADLINE, check=True)
        position = json.loads(ran.stdout.splitlines()[-1])["position"]
        self.arrive(range(5, 9))
        with Watcher(self.machine(), "watch", self.session["id"], "--json", "--since", position, "--until",
                "checked-in=9", "--timeout", f"{20 * PATIENCE}s") as watcher:
            self.assertEqual(watcher.process.wait(DEADLINE), 0)
            watcher.out.thread.join(DEADLINE)
            self.assertEqual(len(watcher.arrivals), 4)

    def watched(self, *words, lines=None):
        """Returns the lines of a watch until it ends, or until it was killed after so many lines."""
        with Watcher(self.machine(), "watch", self.session["id"], "--json", *words) as watcher:
            if lines is None:
                self.assertEqual(watcher.process.wait(DEADLINE), 0, watcher.err.lines)
                watcher.out.thread.join(DEADLINE)
            else:
                wait_until(lambda: len(watcher.out.lines) >= lines, lambda: watcher.out.lines)
                watcher.process.kill()
            return [json.loads(line) for line in list(watcher.out.lines)[:lines]]

    def test_a_client_that_is_killed_at_any_line_loses_nothing_and_gets_nothing_twice(self):
        def arrived(lines):
            return [person["id"] for line in lines
                for person in (line.get("frame") or {}).get("arrivals", [])]

        begin = self.watched("--until", "checked-in=0")[-1]["resumeFrom"]
        self.answer(120)
        end = ["--until", "checked-in=120"]
        whole = self.watched("--since", begin, *end)
        # Three frames with names, and the tallies of the sample questions, which are one batch with the last.
        self.assertEqual(whole[0]["update"], "joined")
        self.assertNotIn("resumeFrom", whole[0])
        positions = [line["position"] for line in whole]
        self.assertGreater(positions.count(positions[-1]), 2)
        self.assertEqual(
            [line["position"] for line in whole if "resumeFrom" in line], list(dict.fromkeys(positions))[1:])
        self.assertEqual(len(set(arrived(whole))), 120)
        for count in range(1, len(whole)):
            seen = self.watched("--since", begin, *end, lines=count)
            stored = [index for index, line in enumerate(seen) if "resumeFrom" in line]
            used = seen[:stored[-1] + 1] if stored else []
            rest = self.watched("--since", used[-1]["resumeFrom"] if used else begin, *end)
            self.assertEqual(arrived(used + rest), arrived(whole), f"killed after line {count}")
            tallies = [line["frame"]["tally"] for line in rest if "tally" in line.get("frame", {})]
            self.assertEqual(
                tallies, [line["frame"]["tally"] for line in whole if "tally" in line.get("frame", {})])

    def test_a_moment_that_passed_while_no_client_ran_is_reported_after_resuming(self):
        begin = self.watched("--until", "checked-in=0")[-1]["resumeFrom"]
        for words in (["session", "edit", self.session["id"], "--ends", "in 1 second"],
                ["watch", self.session["id"], "--until", "ended", "--quiet"]):
            code, _, err = self.machine().run(*words)
            self.assertEqual(code, 0, err)
        with Watcher(self.machine(), "watch", self.session["id"], "--json", "--since", begin) as watcher:
            watcher.out.wait_for_match('"reason":"ended"')
            last = json.loads(watcher.out.lines[-1])["resumeFrom"]
        with Watcher(self.machine(), "watch", self.session["id"], "--json", "--since", last,
                "--timeout", "3s") as watcher:
            self.assertEqual(watcher.process.wait(DEADLINE), 124)
            watcher.out.thread.join(DEADLINE)
            self.assertFalse([line for line in watcher.out.lines if '"moment"' in line])

    def test_chosen_fields_are_printed_one_line_each(self):
        with Watcher(self.machine(), "watch", self.session["id"], "--json=update,position", "--until",
                "checked-in=0") as watcher:
            self.assertEqual(watcher.process.wait(DEADLINE), 0)
            watcher.out.thread.join(DEADLINE)
            for line in watcher.out.lines:
                self.assertEqual(list(json.loads(line)), ["update", "position"])

    def test_a_template_prints_each_line(self):
        with Watcher(self.machine(), "watch", self.session["id"], "--template", "{frame.arrivals.name};\\n",
                "--until", "checked-in=2") as watcher:
            watcher.out.wait_for_match(";")
            self.arrive(range(2))
            self.assertEqual(watcher.process.wait(DEADLINE), 0)
            watcher.out.thread.join(DEADLINE)
            names = [name for line in watcher.out.lines for name in line.rstrip(";\n").split(", ") if name]
            self.assertEqual(names, ["Guest 0", "Guest 1"])

    def test_watch_ends_at_a_number_of_responses(self):
        with Watcher(self.machine(), "watch", self.session["id"], "--until", "responses=3", "--timeout",
                f"{30 * PATIENCE}s") as watcher:
            watcher.out.wait_for_match("in 0")
            self.answer(3)
            self.assertEqual(watcher.process.wait(DEADLINE), 0, watcher.err.lines)

    def answer(self, people, begin=0):
        rating = self.host.questions(self.session)["rating"]
        for number in range(begin, begin + people):
            receipt = check_in(self.host, self.session, f"Guest {number}",
                f"guest{number}@example.org").expect(201).json["receipt"]
            self.host.post(f"/api/v1/sessions/{self.session['id']}/responses", {"answers": {rating: 5}},
                token=receipt).expect(201)

    def test_watch_ends_with_the_session_and_prints_nothing_if_it_is_quiet(self):
        with Watcher(self.machine(), "watch", self.session["id"], "--until", "opened") as watcher:
            # The check-in is open already.
            self.assertEqual(watcher.process.wait(DEADLINE), 0)
        with Watcher(self.machine(), "watch", self.session["id"], "--until", "ended", "--quiet") as watcher:
            self.arrive(range(2))
            code, _, err = self.machine().run("session", "edit", self.session["id"], "--ends", "now")
            self.assertEqual(code, 0, err)
            self.assertEqual(watcher.process.wait(DEADLINE), 0)
            self.assertEqual(watcher.out.lines, [])

    def test_watch_without_an_end_is_not_quiet_and_not_both_compact_and_json(self):
        for words, said in [(["--quiet"], "qring watch … --quiet --until ended"),
                (["--compact", "--json"], "--compact and --json"),
                (["--until", "2020-01-01 10:00"], "already over")]:
            code, _, err = self.machine().run("watch", self.session["id"], *words)
            self.assertEqual(code, 2, err)
            self.assertIn(said, err)

    def test_compact_lines_have_no_names(self):
        with Watcher(self.machine(), "watch", self.session["id"], "--compact", "--until",
                "checked-in=3") as watcher:
            watcher.out.wait_for_match("in 0")
            self.arrive(range(3))
            self.assertEqual(watcher.process.wait(DEADLINE), 0)
            watcher.out.wait_for_match("in 3$")
            self.assertFalse([line for line in watcher.out.lines if "Guest" in line])

    def watched_on_a_terminal(self, **variables):
        """Returns what pyte shows of a watch with a late arrival, and whether it has colours."""
        environment = {**self.machine().environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
            **variables}
        with Window(["sh", "-c", '"$@"; exec sleep 600', "sh", QRING, "watch", self.session["id"]],
                environment) as terminal:
            terminal.wait_for_line("in 0")
            self.arrive([1])
            terminal.wait_for_line(r"\+ Guest 1")
            return {cell.fg for row in terminal.screen.buffer.values() for cell in row.values()
                if cell.data.strip()}

    def test_watch_has_colours_on_a_terminal_unless_they_are_switched_off(self):
        self.assertGreater(len(self.watched_on_a_terminal()), 1)

    def test_watch_has_no_colours_with_no_color(self):
        self.assertEqual(self.watched_on_a_terminal(NO_COLOR="1"), {"default"})

    def test_watch_has_no_colours_on_a_dumb_terminal(self):
        self.assertEqual(self.watched_on_a_terminal(TERM="dumb"), {"default"})

    def test_results_follow_what_is_answered(self):
        with Watcher(self.machine(), "results", self.session["id"], "--follow",
                "--json=responses") as watcher:
            watcher.out.wait_for_match('^{"responses":0}$')
            self.answer(3)
            watcher.out.wait_for_match('^{"responses":3}$')
            self.restart()
            watcher.err.wait_for_match("connected again")
            self.answer(3, begin=3)
            watcher.out.wait_for_match('^{"responses":6}$')
            watcher.process.send_signal(signal.SIGINT)
            self.assertEqual(watcher.process.wait(DEADLINE), 130)


if __name__ == "__main__":
    unittest.main()
