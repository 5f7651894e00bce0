"""Installs the Debian package in a small Debian of its own and uses it: start, check-in, upgrade, removal,
purge. usage: python3 Tests/Package/install.py dist, as root (scripts/package --test)."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

from small_debian import Debian

# Files of the system that any installation changes.
OF_THE_SYSTEM = ("var/lib/dpkg", "var/log", "var/cache", "etc/.pwd.lock", "proc", "dev", "tmp", "root",
    "etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "var/lib/systemd", "run", "etc/systemd")


class Tree(Debian):
    """A Debian without Swift that has only what the package depends on."""

    def __init__(self, folder, package):
        depends = subprocess.check_output(["dpkg-deb", "-f", package, "Depends"], text=True)
        # The first alternative of each dependency, without its version.
        super().__init__(folder, [entry.split("|")[0].split("(")[0].strip() for entry in depends.split(",")])
        shutil.copy(package, os.path.join(self.root, "qring.deb"))

    def files(self):
        """The paths of all files, without those that any installation changes."""
        found = set()
        for path, folders, files in os.walk(self.root):
            below = os.path.relpath(path, self.root)
            folders[:] = [name for name in folders
                if os.path.normpath(os.path.join(below, name)) not in OF_THE_SYSTEM]
            found.update(os.path.normpath(os.path.join(below, name)) for name in [*folders, *files])
        return {path for path in found if path not in OF_THE_SYSTEM and path != "qring.deb"}

    def service(self):
        """The server, as the unit starts it; yields its address."""
        unit = open(os.path.join(self.root, "lib/systemd/system/qring.service"), encoding="utf-8").read()
        settings = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
        # As systemd does before it starts the unit (StateDirectory).
        folder = "/var/lib/" + settings["StateDirectory"]
        self.run("install", "-d", "-m", settings["StateDirectoryMode"], "-o", "qring", "-g", "qring", folder)
        return self.server(settings["ExecStart"].split(), settings["User"], {"STATE_DIRECTORY": folder})


def main():
    (package,) = glob.glob(os.path.join(sys.argv[1], "qring_*.deb"))
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
                "usr/share/doc/qring/copyright", "etc/qring/qring.conf"]:
            assert os.path.exists(os.path.join(tree.root, path)), path
        with tree.service() as server:
            tree.check_in(server)

        # An upgrade keeps the data.
        tree.run("dpkg", "-i", "/qring.deb")
        with tree.service() as server:
            tree.find_the_attendee(server)

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
