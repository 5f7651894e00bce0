"""The files of a data folder that lost some of them, and a server whose every check-in is a commit of its
own."""
import os
import shutil
import stat
import unittest

from admin import rows
from api import API
from host import Host, check_in
from server_process import DEADLINE, Server


def content(folder):
    """Returns every file below the folder, with its bytes and its mode."""
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            full = os.path.join(path, name)
            if stat.S_ISSOCK(os.lstat(full).st_mode):
                continue
            with open(full, "rb") as file:
                found[os.path.relpath(full, folder)] = (file.read(), stat.S_IMODE(os.stat(full).st_mode))
    return found


def without_sockets(folder, names):
    """Returns the names that `shutil.copytree` leaves out: a running or killed server has a socket."""
    return [name for name in names if stat.S_ISSOCK(os.lstat(os.path.join(folder, name)).st_mode)]


def lasting(found):
    """Returns the files without two that change on every look: the index of the log, and the number of the
    last process."""
    return {name: value for name, value in found.items() if name not in ("journal.db-shm", "journal.lock")}


def refusal(folder):
    """Returns the message of a server that refuses to start on `folder`, as one line."""
    server = Server(folder=folder)
    process = server.spawn()
    with process.stderr:
        said = []
        for line in process.stderr:
            said.append(line)
            if "listening on port" in line:
                process.kill()
                process.wait(DEADLINE)
                raise AssertionError("the server started: " + "".join(said))
    assert process.wait(DEADLINE) == 1, said
    assert "Fatal error" not in "".join(said), said
    return " ".join("".join(said).split())


class Hall(unittest.TestCase):
    """A server with a host and a session. Attendees check in one after the other, so each is a commit."""

    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.folder = self.server.folder
        self.host = Host(self.server)
        self.session = self.host.session()
        # From now on the schema and the host are in the database file, and later commits only in its log.
        self.restart()
        self.acknowledged = []

    def restart(self):
        if self.server.is_running:
            self.assertEqual(self.server.stop(), 0)
        self.server.start()

    def come(self, count):
        for _ in range(count):
            email = f"g{len(self.acknowledged)}@example.org"
            check_in(API(self.server), self.session, "Guest", email).expect(201)
            self.acknowledged.append(email)

    def path(self, name):
        return os.path.join(self.folder, name)

    def copy(self, name):
        """Returns a copy of the folder. Its inodes are new, as after any copy."""
        folder = os.path.join(self.server.temporary, name)
        shutil.copytree(self.folder, folder, ignore=without_sockets)
        return folder

    def present(self):
        return len(rows(self.folder, "SELECT 1 FROM attendees"))
