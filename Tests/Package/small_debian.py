"""A small Debian in a folder, whose programs run by chroot in a mount namespace of their own. Needs root."""
import json
import os
import socket
import subprocess
import urllib.request
from contextlib import contextmanager

DEADLINE = 60
PATH = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Debian:
    def __init__(self, folder, packages):
        self.root = os.path.join(folder, "tree")
        with open("/etc/os-release", encoding="utf-8") as file:
            release = dict(line.rstrip().split("=", 1) for line in file)
        subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}",
                release["VERSION_CODENAME"], self.root], check=True)

    # What the namespace mounts before the program starts, with the folder as $1.
    mounts = 'mount -t proc proc "$1/proc"'

    def command(self, words, user="root"):
        script = f"""set -e
        {self.mounts}
        root=$1 user=$2; shift 2
        exec /usr/sbin/chroot --userspec="$user" "$root" "$@" """
        return ["unshare", "--mount", "sh", "-c", script, "sh", self.root, user, *words]

    def run(self, *words, user="root", environment=None, code=0):
        """Runs a program and returns what it printed."""
        environment = {"PATH": PATH, "HOME": "/tmp", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
            **(environment or {})}
        ran = subprocess.run(self.command(words, user), env=environment, capture_output=True, text=True,
            timeout=DEADLINE)
        assert ran.returncode == code, f"{words}: {ran.returncode} {ran.stdout}{ran.stderr}"
        return ran.stdout

    @contextmanager
    def server(self, words, user, environment):
        """A server of this machine's network; yields its address. It must end by itself after SIGTERM."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {"PATH": PATH, **environment}
        host = environment.get("QRING_LISTEN", "127.0.0.1:0").rpartition(":")[0]
        environment["QRING_LISTEN"] = f"{host}:{port}"
        process = subprocess.Popen(
            self.command(words, user), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        try:
            lines = []
            for line in process.stdout:
                lines.append(line)
                if "listening on" in line:
                    break
            else:
                raise AssertionError("".join(lines))
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=DEADLINE) as answer:
                assert answer.status == 200
            # It stays open, so that the server has a connection to close when it ends.
            with socket.create_connection(("127.0.0.1", port)):
                yield f"http://127.0.0.1:{port}"
                process.terminate()
                process.communicate(timeout=DEADLINE)
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
        assert process.returncode == 0, process.returncode

    # The commands of a host and an attendee. They run as root, in this Debian.

    def check_in(self, server):
        """Makes an account and a meeting, and checks Lee in."""
        with open(os.path.join(self.root, "tmp/password"), "w", encoding="utf-8") as file:
            file.write("a long pass phrase of the host\n")
        options = ["--server", server]
        self.run("qring", "signup", "--email", "kim@example.org", "--name", "Kim", "--password-file",
            "/tmp/password", *options)
        made = json.loads(self.run("qring", "meeting", "create", "Study group", "--now", "--for", "2h",
            "--json", *options))
        self.run("qring", "checkin", made["session"]["joinCode"], "--name", "Lee", "--email",
            "lee@example.org", *options)

    def find_the_attendee(self, server):
        options = ["--server", server]
        self.run("qring", "login", "--email", "kim@example.org", "--password-file", "/tmp/password", *options)
        people = json.loads(self.run("qring", "attendee", "list", "@", "--json", *options))
        assert [person["name"] for person in people["items"]] == ["Lee"], people
