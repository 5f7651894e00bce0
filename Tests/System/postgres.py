"""A PostgreSQL server for one process of tests, on a unix socket in a temporary folder.

With QRING_ENGINE=postgres, every `Server` of the tests stores its data there, in a schema of its own.
"""
import atexit
import contextlib
import functools
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile

from server_process import DEADLINE, Lines, free_port, wait_until

# The programs of Debian's packages. Other systems have them in PATH.
PROGRAMS = "/usr/lib/postgresql/15/bin"
# Users with a password. Everybody else is trusted.
ACCESS = "local all locked scram-sha-256\nlocal all all trust\nlocal replication all trust\n"


class Cluster:
    def __init__(self, primary=None):
        """Makes an empty cluster, or a standby that follows `primary`."""
        self.folder = tempfile.mkdtemp(prefix="qring-pg-")
        self.process = None
        self.numbers = itertools.count(1)
        # PostgreSQL refuses to run as root. Debian's package makes this user.
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        # Other programs than the tests may have to pass through the folder.
        os.chmod(self.folder, 0o755)
        if primary:
            self.follow(primary)
            return
        self.run("initdb", "-D", self.data, "-U", "qring", "-A", "trust", "-E", "UTF8", "--locale=C",
            "--no-sync")
        with open(os.path.join(self.data, "pg_hba.conf"), "w", encoding="ascii") as file:
            file.write(ACCESS)

    def follow(self, primary):
        """Becomes a standby of `primary`, with a copy of its data and none of its own."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.run("pg_basebackup", "-h", primary.folder, "-U", "qring", "-D", self.data, "-R", "-c", "fast",
            "--no-sync")

    def set(self, name, value):
        """Changes a setting of the running server."""
        self.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        self.sql("SELECT pg_reload_conf()")

    @property
    def data(self):
        return os.path.join(self.folder, "data")

    @property
    def settings(self):
        return f"host={self.folder} user=qring dbname=postgres"

    def command(self, name):
        path = os.path.join(PROGRAMS, name)
        return path if os.path.exists(path) else name

    def run(self, name, *words):
        done = subprocess.run([self.command(name), *words], user=self.user, capture_output=True, text=True,
            cwd="/", check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self):
        """Starts the server, and waits until it accepts connections. It ends with this process."""
        # With its standard input closed, `cat` ends, and the shell then stops the server.
        script = ('exec 3<&0; "$@" </dev/null & server=$!; '
            '(cat <&3 >/dev/null; kill -INT $server 2>/dev/null) & wait $server')
        self.process = subprocess.Popen(
            ["sh", "-c", script, "sh", self.command("postgres"), "-D", self.data, "-k", self.folder,
                "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200",
                "-c", "unix_socket_permissions=0777"],
            user=self.user, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        wait_until(self.answers)
        return self

    def answers(self):
        done = subprocess.run([self.command("pg_isready"), "-q", "-h", self.folder], check=False)
        return done.returncode == 0

    def stop(self, how=signal.SIGINT):
        """Ends the server and all its connections at once. SIGQUIT is a crash of it."""
        with open(os.path.join(self.data, "postmaster.pid"), encoding="ascii") as file:
            os.kill(int(file.readline()), how)
        self.process.wait(DEADLINE)
        self.process.stdin.close()

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, text, database="postgres"):
        return self.run("psql", "-h", self.folder, "-U", "qring", "-d", database, "-Atq",
            "-v", "ON_ERROR_STOP=1", "-c", text)

    @contextlib.contextmanager
    def holding(self, table):
        """Lets nobody read or write the table while the block runs."""
        psql = subprocess.Popen(
            [self.command("psql"), "-h", self.folder, "-U", "qring", "-d", "postgres", "-Atq"],
            user=self.user, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            psql.stdin.write(f"BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE;\n\\echo held\n")
            psql.stdin.flush()
            assert psql.stdout.readline() == "held\n"
            yield
        finally:
            # The end of its input ends the program, and so the transaction.
            psql.stdin.close()
            psql.wait(DEADLINE)
            psql.stdout.close()

    def separate_database(self):
        """Makes an empty database, and returns its name."""
        name = f"test{next(self.numbers)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE template0")
        return name

    def database(self):
        """Makes an empty schema, and returns the settings of connections that use it."""
        name = f"test{next(self.numbers)}"
        self.sql(f"CREATE SCHEMA {name}")
        return f"{self.settings} options='-c search_path={name}'"


class Pool:
    """PgBouncer of Debian in front of a cluster, in one of its modes: session, transaction or statement."""

    def __init__(self, cluster, mode, size=50, **settings):
        self.cluster = cluster
        self.folder = tempfile.mkdtemp(prefix="qring-pool-")
        self.port = free_port()
        self.process = None
        if cluster.user:
            shutil.chown(self.folder, cluster.user)
        os.chmod(self.folder, 0o755)
        settings = {"pool_mode": mode, "default_pool_size": size, "auth_type": "any",
            "listen_addr": "127.0.0.1", "listen_port": self.port, "unix_socket_dir": "", **settings}
        with open(os.path.join(self.folder, "pgbouncer.ini"), "w", encoding="ascii") as file:
            # The user of the clients is unknown to auth_type=any, so each connection has that of the cluster.
            file.write(f"[databases]\n* = host={cluster.folder} user=qring\n[pgbouncer]\n")
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())

    def start(self):
        self.process = subprocess.Popen(
            ["/usr/sbin/pgbouncer", os.path.join(self.folder, "pgbouncer.ini")], user=self.cluster.user,
            cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.log = Lines(self.process.stderr)
        self.log.wait_for_match("process up")
        return self

    def stop(self, how=signal.SIGTERM):
        """Ends the pool and all its connections."""
        self.process.send_signal(how)
        self.process.wait(DEADLINE)

    def settings(self, database):
        return f"host=127.0.0.1 port={self.port} user=qring dbname={database}"

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.stop(signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)


@functools.cache
def shared():
    """The cluster of all tests of this process that need none of their own."""
    cluster = Cluster().start()
    atexit.register(cluster.close)
    return cluster
