"""A network namespace for one server, which then has a network like a separate machine."""
import os
import subprocess


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")


class Namespace:
    """A namespace with two cables: one to the clients, and one to the database, which can be cut."""

    def __init__(self, number):
        process = os.getpid()
        self.name = f"qring-{process}-{number}"
        # The addresses for tests of networks (RFC 2544).
        network = f"198.{18 + process % 2}.{process // 2 % 256}"
        self.ends = [f"q{process}{name}{number}"[-15:] for name in ("clients", "database")]
        ip("netns", "add", self.name)
        try:
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
        # The cables end with the namespace.
        subprocess.run(["ip", "netns", "delete", self.name], check=False)
