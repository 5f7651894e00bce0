"""A server as a service: messages to the supervisor, sockets from it, and restarts that refuse nobody."""
import contextlib
import http.client
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

from host import Host, code_of
from room import Room
from server_process import DEADLINE, QRING, Lines, Server, free_port

# The service manager's side of socket activation: the socket is descriptor 3 of the server.
ACTIVATED = ("bash", "-c", 'exec 3<&"$SOCKET"; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"', "bash")
RESTARTS, PEOPLE_PER_RESTART, THREADS = 4, 40, 4


class NotifySocket:
    """The socket of a service manager. `next` returns the next message that is no sign of life."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(DEADLINE)

    def next(self):
        return next(text for text in iter(self.receive, None) if text != "WATCHDOG=1")

    def receive(self):
        return self.socket.recv(4096).decode()

    def close(self):
        self.socket.close()


class Service(Server):
    """A server with variables of a service manager, and perhaps with a socket of its own."""

    def __init__(self, *options, variables=None, listener=None, program=QRING, **other):
        super().__init__(*options, **other)
        self.variables, self.listener, self.program = variables or {}, listener, program

    def spawn(self):
        fds = () if self.listener is None else (self.listener.fileno(),)
        return subprocess.Popen(
            [*(ACTIVATED if fds else ()), self.program, "serve", "--listen", self.listen, "--data",
                self.folder, "--log", "text", *self.options],
            env={**Server.environment(), **self.variables, **({"SOCKET": str(fds[0])} if fds else {})},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            errors="replace", pass_fds=fds)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=DEADLINE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class ServiceManagerTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.manager = NotifySocket(self.folder)
        self.addCleanup(self.manager.close)
        self.variables = {"NOTIFY_SOCKET": self.manager.path}

    def test_the_service_manager_learns_each_state(self):
        with Service(variables=self.variables) as server:
            self.assertEqual(self.manager.next().splitlines()[0], "READY=1")
            server.process.send_signal(signal.SIGHUP)
            self.assertRegex(self.manager.next(), r"^RELOADING=1\nMONOTONIC_USEC=\d+$")
            self.assertEqual(self.manager.next(), "READY=1")
            self.assertEqual(server.stop(), 0)
            self.assertEqual(self.manager.next(), "STOPPING=1")

    def test_the_watchdog_gets_its_messages(self):
        with Service(variables={**self.variables, "WATCHDOG_USEC": "300000"}) as server:
            for _ in range(5):
                while self.manager.receive() != "WATCHDOG=1":
                    pass
            self.assertTrue(server.is_running)

    def test_sighup_names_the_settings_that_need_a_restart(self):
        config = os.path.join(self.folder, "qring.conf")

        def write(text):
            with open(config, "w", encoding="utf-8") as file:
                file.write(text)

        write("interests = 2\n")
        with Service("--config", config) as server:
            write("interests = 4\nsignup = open\n")
            server.process.send_signal(signal.SIGHUP)
            server.log.wait_for_match(
                "SIGHUP: these settings have changed and need a restart: signup, interests")
            write("interests = many\n")
            server.process.send_signal(signal.SIGHUP)
            server.log.wait_for_match("SIGHUP: no server could start with the new settings: .*interests")
            # A restart with such a file would end the server, so that it goes on.
            server.process.send_signal(signal.SIGUSR2)
            server.log.wait_for_match(
                "SIGUSR2: the server keeps running and does not restart: .*interests")
            # A log file in a missing folder is found only when the server opens it.
            write("log-file = /nowhere/qring.log\n")
            server.process.send_signal(signal.SIGUSR2)
            server.log.wait_for_match("does not restart: .*cannot append to the log file /nowhere/qring.log")
            write("public-url = https://qring.example.org/path\n")
            server.process.send_signal(signal.SIGUSR2)
            server.log.wait_for_match("does not restart: .*https://qring.example.org/path")
            self.assertEqual(server.stop(), 0)

    def test_a_socket_unit_with_a_wrong_socket_is_refused(self):
        for kind, says in [((socket.AF_INET, socket.SOCK_DGRAM), "no listening socket"),
                ((socket.AF_INET, socket.SOCK_STREAM), "no listening socket")]:
            with socket.socket(*kind) as wrong:
                process = Service(listener=wrong).spawn()
                _, said = process.communicate(timeout=DEADLINE)
                self.assertEqual(process.returncode, 1)
                self.assertIn(says, said)

    def test_systemd_starts_the_server_at_the_first_connection(self):
        activate = shutil.which("systemd-socket-activate")
        self.assertIsNotNone(activate, "install systemd: scripts/packages test")
        port = free_port()
        process = subprocess.Popen(
            [activate, "--listen", f"127.0.0.1:{port}", QRING, "serve", "--data",
                os.path.join(self.folder, "data"), "--lang", "en"],
            env=Server.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        log = Lines(process.stderr)
        log.wait_for_match(rf"Listening on 127.0.0.1:{port}")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
        connection.request("GET", "/readyz")
        self.assertEqual(connection.getresponse().status, 200)
        log.wait_for_match(rf"listening on port {port}")
        process.terminate()
        self.assertEqual(process.wait(DEADLINE), 0)

    def test_the_unit_is_hardened(self):
        analyze = shutil.which("systemd-analyze")
        self.assertIsNotNone(analyze, "install systemd: scripts/packages test")
        unit = os.path.join(os.path.dirname(__file__), "..", "..", "packaging", "debian", "qring.service")
        done = subprocess.run(
            [analyze, "security", "--offline=true", "--threshold=20", "--no-pager", unit],
            capture_output=True, text=True, timeout=DEADLINE, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class UnixSocketTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path = os.path.join(self.folder, "qring.sock")

    def server(self, *options):
        server = Service(*options)
        server.listen = f"unix:{self.path}"
        server.process = server.spawn()
        server.log = Lines(server.process.stderr)
        Server.started.append(server)
        self.addCleanup(server.close)
        return server

    def ask(self, forwarded):
        connection = UnixConnection(self.path)
        # The server may close a rejected connection before it reads the request. Its answer can still be
        # read.
        with contextlib.suppress(BrokenPipeError):
            connection.request("GET", "/readyz", headers={"X-Forwarded-For": forwarded})
        return connection.getresponse().status

    def test_only_user_and_group_of_the_server_can_connect(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        for umask in (0, 0o077):
            os.umask(umask)
            server = self.server("--trusted-proxy", "unix")
            server.log.wait_for_match(f"listening on unix:{self.path}")
            self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o660)
            # The next server replaces the socket that this one leaves behind.
            server.kill()

    def test_a_trusted_proxy_names_the_clients_and_another_one_does_not(self):
        server = self.server("--trusted-proxy", "unix")
        server.log.wait_for_match("listening on")
        self.assertEqual(self.ask("192.0.2.7"), 200)
        server.log.wait_for_match(r"GET /\S* 200 .* 192\.0\.2\.7")
        self.assertFalse(any("not trusted" in line for line in server.log.lines))
        server.stop()
        server = self.server("--connections-per-address", "1")
        server.log.wait_for_match("not trusted, so that all clients share one limit .*--trusted-proxy unix")
        # The limit holds for all peers together, although their address is no IP address.
        with socket.socket(socket.AF_UNIX) as first:
            first.connect(self.path)
            self.assertEqual(self.ask("192.0.2.8"), 503)

    def test_no_other_file_is_replaced(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("precious")
        server = self.server()
        self.assertEqual(server.process.wait(DEADLINE), 1)
        server.log.wait_for_match("is not a socket; choose another path")
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")
        os.unlink(self.path)
        first, second = self.server(), None
        first.log.wait_for_match("listening on")
        second = self.server()
        self.assertEqual(second.process.wait(DEADLINE), 1)
        second.log.wait_for_match("is in use by another program")
        self.assertEqual(self.ask("192.0.2.9"), 200)

    def test_a_path_must_be_absolute_and_short(self):
        for path in ("qring.sock", "/" + "x" * 108, ""):
            done = subprocess.run(
                [QRING, "serve", "--listen", f"unix:{path}", "--data", self.folder, "--lang", "en"],
                capture_output=True, text=True, timeout=DEADLINE, env=Server.environment(), check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("unix:/run/qring/qring.sock", done.stderr)

    def test_a_check_creates_no_socket(self):
        def check(path):
            return subprocess.run(
                [QRING, "serve", "--check", "--listen", f"unix:{path}", "--trusted-proxy", "unix", "--data",
                    self.folder, "--lang", "en"], capture_output=True, text=True, timeout=DEADLINE,
                env=Server.environment(), check=False)

        self.assertEqual(check(self.path).returncode, 0)
        self.assertEqual(os.listdir(self.folder), [])
        missing = check("/nonexistent/qring.sock")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("make the folder /nonexistent/", missing.stdout)


class Watcher(threading.Thread):
    """A client that follows a room through restarts: it connects again from its position."""

    def __init__(self, server, host, session, count):
        super().__init__(daemon=True)
        self.server, self.token, self.room, self.count = server, host.token, f"session:{session['id']}", count
        self.arrivals, self.connections, self.resumed = [], 0, 0
        self.is_ready = threading.Event()

    def run(self):
        position = None
        while len(self.arrivals) < self.count:
            with Room(self.server, self.token, self.room, since=position) as room:
                # The client ends when its connection is closed, also if the server ends during the handshake.
                with contextlib.suppress(AssertionError):
                    room.wait_until(self.is_complete)
                frames = room.frames
                if not any("joined" in frame for frame in frames):
                    continue
                self.connections += 1
                self.resumed += position is not None and not any("snapshot" in frame for frame in frames)
                self.arrivals += [attendee["id"] for attendee in room.arrivals]
                if any(frame.get("sequence") is not None for frame in frames):
                    position = room.position

    def is_complete(self, frames):
        if any("snapshot" in frame for frame in frames):
            self.is_ready.set()
        arrivals = sum(len(frame.get("arrivals", [])) for frame in frames)
        return len(self.arrivals) + arrivals >= self.count or any("closed" in frame for frame in frames)


class RestartTests(unittest.TestCase):
    """Check-ins go on during restarts: none is refused, and a watcher gets each arrival once."""

    def judge(self, server, restart):
        host = Host(server)
        session = host.session()
        people = itertools.count()
        total = RESTARTS * PEOPLE_PER_RESTART
        watcher = Watcher(server, host, session, total)
        watcher.start()
        self.assertTrue(watcher.is_ready.wait(DEADLINE))
        faults, counted = [], threading.Semaphore(0)

        def check_in():
            while (number := next(people)) < total:
                body = json.dumps({"code": code_of(session), "name": f"Guest {number}",
                    "email": f"guest{number}@example.org"})
                try:
                    # A new connection for each person, as phones make it. A server that ends must not refuse
                    # it, and must answer what has arrived.
                    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
                    connection.request(
                        "POST", "/api/v1/check-ins", body, {"Content-Type": "application/json"})
                    answer = connection.getresponse()
                    if answer.status != 201:
                        faults.append((number, answer.status, answer.read()))
                    connection.close()
                except (OSError, http.client.HTTPException) as error:
                    faults.append((number, repr(error)))
                counted.release()

        threads = [threading.Thread(target=check_in, daemon=True) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for _ in range(RESTARTS):
            for _ in range(PEOPLE_PER_RESTART // 2):
                self.assertTrue(counted.acquire(timeout=DEADLINE))
            restart()
            for _ in range(PEOPLE_PER_RESTART - PEOPLE_PER_RESTART // 2):
                self.assertTrue(counted.acquire(timeout=DEADLINE))
        for thread in threads:
            thread.join(DEADLINE)
        watcher.join(DEADLINE)
        self.assertEqual(faults, [])
        self.assertFalse(watcher.is_alive())
        # The connection of before has ended with its server.
        host = host.as_(host.token)
        rows = host.all(f"/api/v1/sessions/{session['id']}/attendees", limit=200)
        self.assertEqual(len(rows), total)
        self.assertEqual(sorted(watcher.arrivals), sorted(row["id"] for row in rows))
        self.assertEqual(watcher.connections - 1, watcher.resumed)

    def test_with_a_socket_of_the_service_manager_connections_wait_for_the_new_server(self):
        with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
            with Service("--signup", "open", listener=listener) as server:
                self.assertEqual(server.port, listener.getsockname()[1])

                def restart():
                    self.assertEqual(server.stop(), 0)
                    server.start()

                self.judge(server, restart)

    def test_sigusr2_starts_the_program_again_also_after_an_upgrade(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        program = os.path.join(folder, "qring")
        shutil.copy(QRING, program)
        manager = NotifySocket(folder)
        self.addCleanup(manager.close)
        variables = {"NOTIFY_SOCKET": manager.path}
        with Service("--signup", "open", program=program, variables=variables) as server:
            self.assertIn("READY=1", manager.next())
            number = server.process.pid

            def restart():
                # As a package manager does, the upgrade gives the name to another file.
                shutil.copy(QRING, f"{program}.new")
                os.replace(f"{program}.new", program)
                server.process.send_signal(signal.SIGUSR2)
                self.assertIn("RELOADING=1", manager.next())
                self.assertIn("READY=1", manager.next())
                self.assertEqual(os.readlink(f"/proc/{number}/exe"), program)

            self.judge(server, restart)
            self.assertEqual(server.stop(), 0)

    def test_a_second_sigusr2_does_not_end_a_server_that_starts_again(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        manager = NotifySocket(folder)
        self.addCleanup(manager.close)
        with Service(variables={"NOTIFY_SOCKET": manager.path}) as server:
            self.assertIn("READY=1", manager.next())
            # A client that sends half a request holds the first server for a while.
            with socket.create_connection(("127.0.0.1", server.port), DEADLINE) as client:
                client.sendall(b"POST /api/v1/grants HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{")
                server.process.send_signal(signal.SIGUSR2)
                self.assertIn("RELOADING=1", manager.next())
                server.process.send_signal(signal.SIGUSR2)
                server.process.send_signal(signal.SIGUSR2)
                self.assertIn("READY=1", manager.next())
            self.assertTrue(server.is_running)
            self.assertEqual(server.stop(), 0)

    def test_a_server_whose_program_is_gone_goes_on(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        program = os.path.join(folder, "qring")
        shutil.copy(QRING, program)
        with Service(program=program) as server:
            os.unlink(program)
            server.process.send_signal(signal.SIGUSR2)
            server.log.wait_for_match(
                "SIGUSR2: the server keeps running and does not restart: .*qring")
            connection = server.connection()
            connection.request("GET", "/readyz")
            self.assertEqual(connection.getresponse().status, 200)


if __name__ == "__main__":
    unittest.main()
