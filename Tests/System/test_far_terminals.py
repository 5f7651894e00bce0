"""The dashboard and `watch` far from the host: tmux, ssh, mosh, a hang-up, and a machine that slept."""
import contextlib
import fcntl
import json
import os
import pty
import pwd
import re
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unittest

import pyte

from host import Host, check_in
from link import Link
from qr_reading import decode
from server_process import DEADLINE, QRING, Lines, Server, free_port, wait_until
from terminal import Terminal, Window, draw_screen
from test_exit_codes import HostsMachine

# A stop of this time is a sleep for the client (`RoomClient.sleepShows`).
SLEEP = 17
# The most events that a room remembers.
HISTORY = 1000


class Client:
    """A context: a program in a terminal of its own, such as an attached tmux, or ssh."""

    def __init__(self, words, environment, columns=200, rows=60):
        self.screen = pyte.Screen(columns, rows)
        self.lock = threading.Lock()
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.execvpe(words[0], words, environment)
        self.resize(columns, rows)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            self.hang_up()

    def _read(self):
        stream = pyte.ByteStream(self.screen)
        with contextlib.suppress(OSError):
            while data := os.read(self.master, 65536):
                with self.lock:
                    stream.feed(data)

    def resize(self, columns, rows):
        with self.lock:
            self.screen.resize(rows, columns)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.master, text.encode())

    @property
    def text(self):
        with self.lock:
            return "\n".join(line.rstrip() for line in self.screen.display)

    def wait_for_text(self, *parts, seconds=DEADLINE):
        wait_until(lambda: all(part in self.text for part in parts), lambda: f"{self.text}\nis still shown",
            seconds)

    def hang_up(self):
        """Closes the terminal, as a window or a network that is gone, and returns the exit status."""
        os.close(self.master)
        _, status = os.waitpid(self.process, 0)
        self.process = None
        return os.waitstatus_to_exitcode(status)


def programs_with(variable):
    """Returns the processes whose environment has this text."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{process}/environ", "rb") as file:
            if variable.encode() in file.read():
                found.append(int(process))
    return found


class FarCase(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open", port=free_port()))
        self.host = Host(self.server)
        self.session = self.host.session(plannedCount=12)
        self.home = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))

    def environment(self, url=None, **more):
        return {**Server.environment(), "HOME": self.home, "XDG_CONFIG_HOME": self.home, "QRING_LANG": "en",
            "QRING_SERVER": url or self.server.url, "QRING_TOKEN": self.host.token, "LC_ALL": "C.UTF-8",
            # The size of another terminal, as some profiles export it.
            "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", **more}

    def arrive(self, numbers):
        for number in numbers:
            check_in(self.host, self.session, f"Guest {number}", f"guest{number}@example.org").expect(201)

    def readable_code(self, screen):
        with tempfile.NamedTemporaryFile(suffix=".pgm") as picture:
            picture.write(draw_screen(screen))
            picture.flush()
            return decode(picture.name)

    @contextlib.contextmanager
    def asleep(self, process, seconds=SLEEP):
        began = time.monotonic()
        os.kill(process, signal.SIGSTOP)
        yield
        # Pause: a sleep is the subject, and the machine has to notice its length.
        time.sleep(max(0, seconds - (time.monotonic() - began)))
        os.kill(process, signal.SIGCONT)


class TmuxTests(FarCase):
    def attached(self, window, columns=200, rows=60):
        """Another terminal, with tmux attached to the session in it."""
        return Window(["tmux", "-u", "-S", window.socket, "attach"],
            {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "tmux-256color"}, columns, rows)

    def test_a_session_that_is_detached_and_attached_is_whole_at_each_size(self):
        for kind in ["tmux-256color", "screen-256color"]:
            with self.subTest(kind), Window([QRING, "dashboard", self.session["id"]],
                    self.environment(TERM=kind), 200, 60) as window:
                window.wait_for_text("Study group", "● live")
                # A terminal that is gone detaches its tmux.
                with self.attached(window) as outer:
                    outer.wait_for_text("Study group", "● live")
                wait_until(lambda: window.ask("session_attached") == "0")
                # The dashboard goes on while nobody looks.
                name = f"Ada {kind[:4]}"
                check_in(self.host, self.session, name, f"{kind}@example.org").expect(201)
                window.wait_for_text(name)
                for columns, rows in [(80, 24), (200, 60), (80, 24)]:
                    with self.attached(window, columns, rows) as outer:
                        outer.wait_for_text(name, "● live")
                        outer.wait_for(lambda text: text == window.text)
                        for once in ["● live", "Study group"]:
                            self.assertEqual(outer.text.count(once), 1, outer.text)
                        outer.wait_for(lambda _: self.readable_code(outer.screen)
                            == [self.session["checkInUrl"]])

    def test_a_size_that_changes_back_and_forth_leaves_nothing_behind(self):
        with Terminal(self.server.url, self.host.token, 200, 60) as terminal:
            terminal.dashboard("@")
            terminal.wait_for_text("created · Host")
            # The clock and the countdowns go on.
            before = re.sub(r"\d", "0", terminal.text)
            for columns, rows in [(80, 24), (200, 60)] * 3:
                terminal.resize(columns, rows)
                terminal.wait_for_text("● live")
            terminal.wait_for(lambda text: re.sub(r"\d", "0", text) == before)


class HangUpTests(FarCase):
    def test_a_terminal_that_is_gone_ends_the_dashboard_and_its_guard(self):
        marker = f"MARK={self.home}"
        with Client([QRING, "dashboard", "@"], self.environment(MARK=self.home)) as client:
            client.wait_for_text("● live")
            self.assertGreaterEqual(len(programs_with(marker)), 1)
            client.hang_up()
            wait_until(lambda: not programs_with(marker), lambda: f"{programs_with(marker)} still run")


class SleepTests(FarCase):
    def watching(self, url=None):
        watch = HostsMachine(self, url or self.server.url, self.host.token).start(
            "watch", self.session["id"], "--json")
        self.addCleanup(watch.wait)
        self.addCleanup(watch.kill)
        watch.lines, watch.errors = Lines(watch.stdout), Lines(watch.stderr)
        watch.lines.wait_for_match('"joined"')
        return watch

    def arrivals(self, watch):
        return [person["name"] for line in watch.lines.lines
            for person in (json.loads(line).get("frame") or {}).get("arrivals", [])]

    def check_watch(self, missed, seconds=SLEEP):
        watch = self.watching()
        self.arrive(range(2))
        watch.lines.wait_for_match('"Guest 1"')
        with self.asleep(watch.pid, seconds):
            self.arrive(range(2, missed))
        self.arrive([missed])
        watch.lines.wait_for_match(f'"Guest {missed}"')
        return watch

    def test_a_watch_that_slept_prints_what_it_missed_exactly_once(self):
        for missed, seconds in [(40, SLEEP), (80, 0)]:
            with self.subTest(seconds):
                if seconds == 0:
                    self.session = self.host.session("Other")
                watch = self.check_watch(missed, seconds)
                self.assertEqual(self.arrivals(watch), [f"Guest {n}" for n in range(missed + 1)])

    def test_a_watch_that_missed_more_than_the_room_remembers_is_complete_too(self):
        missed = HISTORY + 100
        watch = self.check_watch(missed)
        names = self.arrivals(watch)
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(names, [f"Guest {n}" for n in range(missed + 1)])

    def test_a_dashboard_that_slept_shows_everybody_once_and_is_live_again(self):
        link = Link(self.server.port)
        self.addCleanup(link.close)
        for number, (missed, strands) in enumerate([(30, False), (30, True), (HISTORY + 100, True)]):
            with self.subTest(f"{missed}, {strands}"):
                self.session = self.host.session(f"Evening {number}", plannedCount=5000)
                # tmux and interactive shells continue a child that stops, or take the terminal.
                with Window(["sh", "-c", f"{QRING} dashboard {self.session['id']}; exit"],
                        self.environment(f"http://127.0.0.1:{link.port}"), 200, 60) as window:
                    window.wait_for_text("● live")
                    dashboard = int(subprocess.run(["pgrep", "-P", window.ask("pane_pid")],
                        capture_output=True, text=True, check=True).stdout)
                    self.arrive(range(2))
                    window.wait_for_text("2 of 5000 checked in", "Guest 1")
                    with self.asleep(dashboard):
                        self.arrive(range(2, missed))
                        if strands:
                            # The router has forgotten the connections, and tells nobody.
                            link.strand()
                    window.wait_for(lambda text: f"{missed} of 5000 checked in" in text
                        and ("● live" in text or "● reconnected" in text), 10)
                    self.assertNotIn("last update", window.text)
                    # Nobody is there twice, and a key works at once, on a connection that is new.
                    window.type("/")
                    window.type(f"guest {missed - 1}")
                    window.wait_for(lambda text: f"1 of {missed}" in text, 30)
                    window.press("Enter")
                    window.type("l")
                    window.wait_for(lambda text: f"Guest {missed - 1}: late" in text, 10)
                    self.arrive([missed])
                    window.wait_for_text(f"{missed + 1} of 5000 checked in")

    def test_a_network_that_is_silently_gone_is_seen_and_left_within_half_a_minute(self):
        link = Link(self.server.port)
        self.addCleanup(link.close)
        with Window([QRING, "dashboard", self.session["id"]],
                self.environment(f"http://127.0.0.1:{link.port}"), 100, 30) as window:
            window.wait_for_text("● live")
            link.strand()
            self.arrive(range(3))
            window.wait_for_text("last update", "R retry now")
            window.wait_for(lambda text: "3 of 12 checked in" in text and "last update" not in text, 30)
            # The connections for keys were forgotten too.
            window.type("/guest 2")
            window.press("Enter")
            window.type("l")
            window.wait_for(lambda text: "Guest 2: late" in text, 10)


class ShellTests(FarCase):
    """The dashboard on a far machine: a server of ssh of its own on this one."""

    def setUp(self):
        super().setUp()
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        os.chmod(folder, 0o755)
        self.key, host_key = os.path.join(folder, "key"), os.path.join(folder, "host")
        for path in [self.key, host_key]:
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
        os.makedirs("/run/sshd", exist_ok=True)
        self.port = free_port()
        settings = os.path.join(folder, "sshd_config")
        with open(settings, "w", encoding="utf-8") as file:
            file.write(f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {host_key}\nUsePAM no\n"
                f"AuthorizedKeysFile {self.key}.pub\nStrictModes no\nPermitRootLogin yes\n"
                f"PidFile {folder}/pid\n")
        self.daemon = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", settings],
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.daemon.wait)
        self.addCleanup(self.daemon.terminate)
        Lines(self.daemon.stderr).wait_for_match("listening")
        self.user = pwd.getpwuid(os.getuid()).pw_name
        self.shell = ["ssh", "-p", str(self.port), "-i", self.key, "-o", "StrictHostKeyChecking=no", "-o",
            "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]

    def command(self):
        """The dashboard with the variables that a profile on the far machine would have."""
        passed = {"QRING_SERVER", "QRING_TOKEN", "QRING_LANG", "XDG_CONFIG_HOME", "LC_ALL", "MARK"}
        variables = self.environment(MARK=self.home)
        return ["env", *(f"{name}={variables[name]}" for name in sorted(passed)), QRING, "dashboard", "@"]

    def test_ssh_shows_the_dashboard_and_a_lost_connection_leaves_no_process(self):
        marker = f"MARK={self.home}"
        with Client([*self.shell, "-tt", f"{self.user}@127.0.0.1", *self.command()],
                self.environment()) as client:
            client.wait_for_text("Study group", "● live")
            client.resize(80, 24)
            self.arrive(range(2))
            client.wait_for_text("2 of 12 checked in", "Guest 1")
            wait_until(lambda: self.readable_code(client.screen) == [self.session["checkInUrl"]],
                lambda: client.text)
            self.assertTrue(programs_with(marker))
            client.hang_up()
        wait_until(lambda: not programs_with(marker), lambda: f"{programs_with(marker)} still run")

    def test_mosh_shows_the_dashboard_also_after_a_sleep_of_the_laptop(self):
        with Client(["mosh", f"--ssh={' '.join(self.shell)}", f"{self.user}@127.0.0.1", "--",
                *self.command()], self.environment(), 100, 30) as client:
            client.wait_for_text("Study group", "● live")
            children = subprocess.run(["pgrep", "-P", str(client.process)], capture_output=True,
                text=True).stdout.split()
            laptop = int(children[0]) if children else client.process
            with self.asleep(laptop, 3):
                self.arrive(range(3))
                client.resize(80, 24)
            client.wait_for_text("3 of 12 checked in", "Guest 2", "● live")
            self.assertEqual(client.text.count("● live"), 1)
            wait_until(lambda: self.readable_code(client.screen) == [self.session["checkInUrl"]],
                lambda: client.text)
            client.type("q")
            client.wait_for_text("[mosh is exiting.]")


if __name__ == "__main__":
    unittest.main()
