"""A network namespace for one server, which then has a network like a separate machine."""
import os
import re
import subprocess

from server_process import DEADLINE

# Ends the programs in a namespace and removes it, when its standard input ends. This happens also if the
# process that made the namespace is killed. The cables end with the namespace.
GUARD = 'cat >/dev/null; ip netns pids "$1" | xargs -r kill -KILL; ip netns delete "$1"'
NAME = re.compile(r"^qring-(\d+)-(\d+)-\d+$")


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")


def beginning(process):
    """Returns the moment at which a process began, in ticks since the machine started; None if it has ended.
    """
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            state, *fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else int(fields[18])


def names():
    done = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in done.stdout.splitlines() if line]


def guard(name):
    return subprocess.Popen(["sh", "-c", GUARD, "sh", name], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def release(process):
    process.stdin.close()
    process.wait(DEADLINE)


def remove_abandoned():
    """Removes the namespaces of processes that were killed together with their guards."""
    for name in names():
        found = NAME.match(name)
        if found and beginning(found[1]) != int(found[2]):
            release(guard(name))


class Namespace:
    """A namespace with two cables: one to the clients, and one to the database, which can be cut."""

    def __init__(self, number):
        remove_abandoned()
        process = os.getpid()
        self.name = f"qring-{process}-{beginning(process)}-{number}"
        # The addresses for tests of networks (RFC 2544).
        network = f"198.{18 + process % 2}.{process // 2 % 256}"
        self.ends = [f"q{process}{name}{number}"[-15:] for name in ("clients", "database")]
        self.guard = guard(self.name)
        try:
            ip("netns", "add", self.name)
            ip("-n", self.name, "link", "set", "lo", "up")
            for cable, end in enumerate(self.ends):
                first = 8 * number + 4 * cable
                ip("link", "add", end, "type", "veth", "peer", "name", f"cable{cable}", "netns", self.name)
                ip("address", "add", f"{network}.{first + 1}/30", "dev", end)
                ip("-n", self.name, "address", "add", f"{network}.{first + 2}/30", "dev", f"cable{cable}")
                ip("link", "set", end, "up")
                ip("-n", self.name, "link", "set", f"cable{cable}", "up")
        except OSError:
            self.close()
            raise
        # The address at which the server listens, and that at which it finds the database.
        self.address = f"{network}.{8 * number + 2}"
        self.database = f"{network}.{8 * number + 5}"
        self.command = ("ip", "netns", "exec", self.name)

    def cut(self):
        """From now on, all packets to and from the database vanish."""
        ip("link", "set", self.ends[1], "down")

    def restore(self):
        ip("link", "set", self.ends[1], "up")

    def close(self):
        release(self.guard)
