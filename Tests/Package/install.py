"""Installs the Debian package in a small Debian of its own and uses it: start, check-in, upgrade, removal,
purge. usage: python3 Tests/Package/install.py dist/qring_….deb, as root (scripts/package --test)."""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import contextmanager

# Files of the system that any installation changes.
OF_THE_SYSTEM = ("var/lib/dpkg", "var/log", "var/cache", "etc/.pwd.lock", "proc", "dev", "tmp", "root",
    "etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "var/lib/systemd", "run", "etc/systemd")
DEADLINE = 60


class Tree:
    """A Debian without Swift that has only what the package depends on."""

    def __init__(self, folder, package):
        self.root = os.path.join(folder, "tree")
        self.package = package
        depends = subprocess.check_output(["dpkg-deb", "-f", package, "Depends"], text=True)
        # The first alternative of each dependency, without its version.
        names = [entry.split("|")[0].split("(")[0].strip() for entry in depends.split(",")]
        subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(names)}", "bookworm",
                self.root], check=True)
        shutil.copy(package, os.path.join(self.root, "qring.deb"))

    def command(self, words, user="root"):
        script = f'mount -t proc proc "{self.root}/proc" && exec chroot --userspec={user} "{self.root}" "$@"'
        return ["unshare", "--mount", "sh", "-c", script, "sh", *words]

    def run(self, *words, user="root"):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp", "LC_ALL": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive"}
        ran = subprocess.run(self.command(words, user), env=environment, capture_output=True, text=True,
            timeout=DEADLINE)
        assert ran.returncode == 0, f"{words}: {ran.stdout}{ran.stderr}"
        return ran.stdout

    def files(self):
        """The paths of all files, without those that any installation changes."""
        found = set()
        for path, folders, files in os.walk(self.root):
            below = os.path.relpath(path, self.root)
            folders[:] = [name for name in folders
                if os.path.normpath(os.path.join(below, name)) not in OF_THE_SYSTEM]
            found.update(os.path.normpath(os.path.join(below, name)) for name in [*folders, *files])
        return {path for path in found if path not in OF_THE_SYSTEM and path != "qring.deb"}

    @contextmanager
    def server(self):
        """The server, as the unit starts it; yields its address."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        unit = open(os.path.join(self.root, "lib/systemd/system/qring.service"), encoding="utf-8").read()
        settings = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
        name, value = settings["Environment"].split("=")
        environment = {name: value, "QRING_LISTEN": address, "PATH": "/usr/sbin:/usr/bin:/bin"}
        # As systemd does before it starts the unit (StateDirectory).
        self.run("install", "-d", "-m", settings["StateDirectoryMode"], "-o", "qring", "-g", "qring", value)
        process = subprocess.Popen(
            self.command(settings["ExecStart"].split(), settings["User"]), env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            lines = []
            for line in process.stdout:
                lines.append(line)
                if "listening on" in line:
                    break
            else:
                raise AssertionError("".join(lines))
            with urllib.request.urlopen(f"http://{address}/readyz", timeout=DEADLINE) as answer:
                assert answer.status == 200
            yield f"http://{address}"
        finally:
            process.terminate()
            process.communicate(timeout=DEADLINE)
        assert process.returncode in (0, -15), process.returncode


def main():
    package = sys.argv[1]
    if os.geteuid() != 0:
        print("package: not tested, because only root can enter the small Debian: run this as root",
            file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="qring-package-") as folder:
        tree = Tree(folder, package)
        before = tree.files()
        assert not any("swift" in path for path in before), "the small Debian has Swift"
        tree.run("dpkg", "-i", "/qring.deb")
        version = subprocess.check_output(["dpkg-deb", "-f", package, "Version"], text=True).strip()
        described = json.loads(tree.run("qring", "version", "--json"))
        assert version.startswith(described["version"]), (version, described)
        assert described["optimized"], "not a release build"
        assert "not found" not in tree.run("ldd", "/usr/bin/qring"), "a library is missing"
        assert "RUNPATH" not in subprocess.check_output(
            ["readelf", "-d", os.path.join(tree.root, "usr/bin/qring")], text=True), "RUNPATH is there"
        for path in ["usr/share/man/man1/qring-serve.1.gz", "usr/share/zsh/vendor-completions/_qring",
                "usr/share/fish/vendor_completions.d/qring.fish",
                "usr/share/bash-completion/completions/qring", "usr/share/doc/qring/examples/nginx.conf",
                "usr/share/doc/qring/copyright", "etc/qring/qring.env"]:
            assert os.path.exists(os.path.join(tree.root, path)), path
        with open(os.path.join(tree.root, "tmp/password"), "w", encoding="utf-8") as file:
            file.write("a long pass phrase of the host\n")
        with tree.server() as server:
            options = ["--server", server]
            tree.run("qring", "signup", "--email", "kim@example.org", "--name", "Kim", "--password-file",
                "/tmp/password", *options)
            made = json.loads(tree.run("qring", "meeting", "create", "Study group", "--now", "--for", "2h",
                "--json", *options))
            tree.run("qring", "checkin", made["session"]["joinCode"], "--name", "Lee", "--email",
                "lee@example.org", *options)

        # An upgrade keeps the data.
        tree.run("dpkg", "-i", "/qring.deb")
        with tree.server() as server:
            tree.run("qring", "login", "--email", "kim@example.org", "--password-file", "/tmp/password",
                "--server", server)
            people = json.loads(tree.run("qring", "attendee", "list", "@", "--json", "--server", server))
            assert [person["name"] for person in people["items"]] == ["Lee"], people

        tree.run("dpkg", "-r", "qring")
        assert not os.path.exists(os.path.join(tree.root, "usr/bin/qring"))
        assert os.path.exists(os.path.join(tree.root, "var/lib/qring/journal.db")), "the data is gone"
        tree.run("dpkg", "-P", "qring")
        left = tree.files() - before
        assert not left, f"left behind: {sorted(left)}"
        assert "qring" not in open(os.path.join(tree.root, "etc/passwd"), encoding="utf-8").read()
    print("package: installed, used, upgraded, removed and purged", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
