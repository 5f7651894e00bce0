"""A `qring serve` for one test: a free port, a temporary folder, and its log to wait for."""
import glob
import http.client
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

# Tests ignore this machine's proxy, because programs would request the tests' servers on 127.0.0.1 from it.
# The zone is fixed, because pages show times in the browser's zone.
for _name in [name for name in os.environ if name.lower().endswith("_proxy")]:
    del os.environ[_name]
os.environ["TZ"] = "UTC"

QRING = os.environ.get("QRING") or os.path.abspath(
    os.path.join(os.path.dirname(__file__), "..", "..", ".build", "debug", "qring"))
# The seed of generated requests and kills. Their number never depends on the time.
SEED = int(os.environ.get("QRING_SEED", 20261120))
# The factor for every deadline: scripts/test uses ten for builds with a sanitizer.
PATIENCE = int(os.environ.get("QRING_PATIENCE", 1))
# Nothing that works takes so long, even if other programs leave a few percent of the processors to the tests.
DEADLINE = 60 * PATIENCE
# Processor time, memory and the delay of a picture are measured in a released build only: a sanitizer would
# add its own. Used as a decorator or in a test, this skips the measurement and nothing else.
MEASURES = PATIENCE == 1
measured = unittest.skipUnless(MEASURES, "measures what a sanitizer costs")
# Variables for a build with a sanitizer. A test that gives the program its own environment must pass them on.
SANITIZING = {name: os.environ[name]
    for name in ("LD_PRELOAD", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ}


def preloaded(source, folder):
    """Compiles a library in C for `LD_PRELOAD`, and returns its path in the folder."""
    library = os.path.join(folder, "preloaded.so")
    subprocess.run(["clang", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True,
        check=True)
    return library


class Stopwatch:
    """Measures how long the program takes, without the time in which a thread of the test, or of a process
    that it started, waited for a processor. So another program on the machine changes no result."""

    def __init__(self):
        self.waited, self.began = self._waits(), time.monotonic()

    @property
    def seconds(self):
        """The seconds since the start."""
        return self.without_waits(time.monotonic() - self.began)

    def without_waits(self, seconds):
        """Returns this time of another clock without the waits since the start."""
        return seconds - sum(
            waited - self.waited.get(thread, 0) for thread, waited in self._waits().items()) / 1e9

    @staticmethod
    def _waits():
        """Returns for each thread the nanoseconds for which it waited on a processor's run queue."""
        waits, processes = {}, [os.getpid()]
        while processes:
            for thread in glob.glob(f"/proc/{processes.pop()}/task/*"):
                try:
                    with open(f"{thread}/schedstat", encoding="ascii") as file:
                        waits[thread] = int(file.read().split()[1])
                    with open(f"{thread}/children", encoding="ascii") as file:
                        processes += file.read().split()
                except OSError:
                    # The thread has ended.
                    pass
        return waits


class Lines:
    """The lines of a stream, read by a thread, so that a test can wait for a line with a deadline."""

    def __init__(self, stream):
        self.lines = []
        self.is_over = False
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self.thread.start()

    def _read(self, stream):
        with stream:
            for line in stream:
                with self.changed:
                    self.lines.append(line.rstrip("\n"))
                    self.changed.notify_all()
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def wait_for(self, condition, seconds=DEADLINE):
        """Waits until `condition(lines)` returns neither None nor False, and returns its value. Fails if the
        time or the stream is over."""
        end = time.monotonic() + seconds
        with self.changed:
            while True:
                found = condition(self.lines)
                if found is not None and found is not False:
                    return found
                rest = end - time.monotonic()
                if self.is_over or rest <= 0:
                    why = "the stream ended" if self.is_over else f"nothing after {seconds} s"
                    raise AssertionError(f"{why}; the last lines are:\n{self.last(10)}")
                self.changed.wait(rest)

    def last(self, count):
        with self.changed:
            return "\n".join(line[:500] for line in self.lines[-count:])

    def wait_for_match(self, pattern, seconds=DEADLINE):
        return self.wait_for(
            lambda lines: next((match for match in map(re.compile(pattern).search, lines) if match), None),
            seconds)


def wait_until(condition, otherwise=lambda: "the condition is false", seconds=DEADLINE):
    """Waits until `condition()` is true, and returns its value. For a state that nothing announces. Fails
    with the text of `otherwise()` if the time is over."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{otherwise()} after {seconds} s")
        # Pause: this is the only place that asks again and again.
        time.sleep(0.02)
    return found


def free_port():
    """Returns a free port for a program that must find it again after a restart. It is below the ports that
    the system chooses, so that no other program gets it meanwhile."""
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        highest = int(file.read().split()[0])
    while True:
        with socket.socket() as attempt:
            port = random.randrange(10_000, highest)
            if attempt.connect_ex(("127.0.0.1", port)) != 0:
                return port


class Server:
    """Serves from `folder`, or from a temporary one that is deleted with it. `start` waits until it listens.
    Each start has another port, unless `port` is given.
    """

    # The servers of the running test and its class. If it fails, conftest.py shows their logs.
    started = []

    def __init__(self, *options, folder=None, port=0, host="127.0.0.1", before=()):
        self.options = (*options, *self.engine(options))
        self.host = host
        self.listen = f"{host}:{port}"
        self.log_format = "text"
        # The command that runs the program, for example in another network namespace.
        self.before = before
        self.program = QRING
        self.temporary = tempfile.mkdtemp(prefix="qring-test-") if folder is None else None
        self.folder = folder or os.path.join(self.temporary, "data")
        self.process = None
        self.port = None
        self.log = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.close()

    def start(self):
        self.process = self.spawn()
        self.log = Lines(self.process.stderr)
        if self not in Server.started:
            Server.started.append(self)
        self.port = int(self.log.wait_for_match(r"listening on port (\d+), reached at (\S+)").group(1))
        return self

    def spawn(self):
        """Starts the process without waiting, for starts that must fail."""
        return subprocess.Popen(
            [*self.before, self.program, "serve", "--listen", self.listen, "--data", self.folder,
                "--log", self.log_format, *self.options],
            cwd=os.path.dirname(self.folder), env=self.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, errors="replace")

    @staticmethod
    def engine(options):
        """Returns the option that chooses PostgreSQL, if the tests run on it."""
        if os.environ.get("QRING_ENGINE") != "postgres" or "--database" in options:
            return ()
        # This module starts no server of a database unless a test needs it.
        from postgres import shared
        return "--database", shared().database()

    @staticmethod
    def environment():
        """Returns an environment with English and without personal settings."""
        kept = {name: value for name,
            value in os.environ.items() if not name.startswith(("QRING", "LC_", "LANG", "XDG_"))}
        return {**kept, "LANG": "C.UTF-8"}

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def url(self):
        return f"http://{self.host}:{self.port}"

    @property
    def rooms_url(self):
        return f"ws://{self.host}:{self.port}/rooms"

    def connection(self):
        """Returns a new HTTP connection. On a busy machine, a debug build reads a body of megabytes for long.
        """
        return http.client.HTTPConnection(self.host, self.port, timeout=3 * DEADLINE)

    @property
    def database(self):
        return os.path.join(self.folder, "journal.db")

    def cpu_seconds(self):
        """Returns the processor time of the process, or None if it has ended."""
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, seconds=DEADLINE):
        """Sends SIGTERM and returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def kill(self):
        """Sends SIGKILL: for the process it is like a power cut."""
        self.process.kill()
        self.process.wait(DEADLINE)

    def close(self):
        if self.is_running:
            self.kill()
        if self.log:
            self.log.thread.join(DEADLINE)
        if self.temporary:
            shutil.rmtree(self.temporary, ignore_errors=True)
