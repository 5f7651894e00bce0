"""Faults of a data folder are reported at the start, with what to do; a disk that fills up loses nothing."""
import errno
import os
import shutil
import subprocess
import tempfile
import unittest

from admin import Admin, rows
from api import API
from host import Host, check_in
from server_process import DEADLINE, QRING, Server, wait_until


class StartTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        Host(self.server).session()
        self.assertEqual(self.server.stop(), 0)

    def refusal(self, folder=None):
        process = Server(folder=folder or self.server.folder).spawn()
        with process.stderr:
            said = process.stderr.read()
        self.assertEqual(process.wait(DEADLINE), 1, said)
        self.assertNotIn("Fatal error", said)
        return said

    def test_a_damaged_file_is_refused(self):
        with open(self.server.database, "r+b") as file:
            file.seek(0)
            file.write(b"\0" * 4096)
        said = self.refusal()
        self.assertRegex(said, "is damaged.*admin verify.*restore a backup")
        self.assertIn("qring admin restore FILE --replace", said)

    def test_a_newer_schema_is_refused(self):
        rows(self.server.folder, "PRAGMA user_version = 99")
        self.assertRegex(self.refusal(), r"newer QRing \(schema 99; this version supports \d+\)")

    def test_a_backup_in_place_of_the_database_is_refused(self):
        file = os.path.join(self.server.temporary, "b.backup")
        Admin("backup", file, folder=self.server.folder).expect(0)
        shutil.copy(file, self.server.database)
        self.assertRegex(self.refusal(), "is a backup")

    def test_another_programs_file_is_refused(self):
        other = os.path.join(self.server.temporary, "other")
        os.mkdir(other)
        rows(other, "CREATE TABLE t (a)")
        self.assertRegex(self.refusal(other), "belongs to another program")

    def test_an_interrupted_restore_is_refused(self):
        with open(os.path.join(self.server.folder, "restore.unfinished"), "w"):
            pass
        self.assertRegex(self.refusal(), "interrupted")

    def test_files_of_an_interrupted_restore_are_removed(self):
        partial = os.path.join(self.server.folder, "restore.partial")
        backup = os.path.join(self.server.temporary, "b.backup")
        Admin("backup", backup, folder=self.server.folder).expect(0)

        def interrupt():
            os.mkdir(partial)
            shutil.copy(os.path.join(self.server.folder, "secret"), partial)

        interrupt()
        Admin("restore", backup, folder=self.server.folder).expect(6)
        self.assertFalse(os.path.exists(partial))
        interrupt()
        self.server.start()
        self.assertFalse(os.path.exists(partial))

    def test_a_missing_or_unreadable_backup_has_its_own_message(self):
        new = os.path.join(self.server.temporary, "new")
        missing = os.path.join(self.server.temporary, "nothing.backup")
        self.assertIn(f"There is no file at {missing}", Admin("restore", missing, folder=new).expect(5).said)
        self.assertIn("There is no file at",
            Admin("restore", os.path.join(self.server.database, "b"), folder=new).expect(5).said)

    @unittest.skipUnless(os.geteuid() == 0, "only the superuser can mount, and become another user")
    def test_a_cleanly_stopped_folder_is_verified_on_a_read_only_mount(self):
        disk = self.enterContext(Disk("8m"))
        folder = os.path.join(disk.path, "data #1 100%?")
        shutil.copytree(self.server.folder, folder)
        disk.remount("ro")
        self.assertTrue(Admin("verify", folder=folder).expect(0).answer["ok"])
        Admin("backup", os.path.join(self.server.temporary, "ro.backup"), folder=folder).expect(0)
        # By permission bits, for a user other than the superuser.
        os.chmod(self.server.temporary, 0o755)
        nobody = 65534
        for path in [self.server.folder,
                *(os.path.join(self.server.folder, name) for name in os.listdir(self.server.folder))]:
            os.chown(path, nobody, nobody)
            os.chmod(path, 0o500 if os.path.isdir(path) else 0o400)
        self.assertTrue(Admin("verify", folder=self.server.folder, user=nobody).expect(0).answer["ok"])

    def test_a_server_that_is_stopped_at_once_exits_with_0(self):
        for _ in range(20):
            self.server.start()
            self.assertEqual(self.server.stop(), 0)
            # The clock started no work on storage that was already closed.
            self.server.log.thread.join(DEADLINE)
            self.assertEqual(
                [line for line in self.server.log.lines if "could not be" in line or "failed" in line], [])

    @unittest.skipUnless(os.geteuid() == 0, "only the superuser can mount")
    def test_a_read_only_disk_is_reported(self):
        disk = self.enterContext(Disk("4m"))
        folder = os.path.join(disk.path, "data")
        shutil.copytree(self.server.folder, folder)
        disk.remount("ro")
        said = self.refusal(folder)
        self.assertRegex(said, "is not writable")
        self.assertIn("qring admin doctor", said)
        self.assertRegex(self.refusal(os.path.join(disk.path, "new")), "is not writable")
        self.assertEqual(Admin("doctor", "--listen", "127.0.0.1:0", folder=folder).expect(1).check("disk")[0],
            "fail")


class Disk:
    """A small disk of its own, in memory."""

    def __init__(self, size):
        self.path = tempfile.mkdtemp(prefix="qring-disk-")
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", self.path],
            check=True)

    def remount(self, options):
        subprocess.run(["mount", "-o", f"remount,{options}", self.path], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "--lazy", self.path], check=True)
        os.rmdir(self.path)


def fill(path):
    """Writes a file until the disk is full."""
    # Unbuffered, because closing the file would try to write a failed buffer again.
    with open(path, "wb", buffering=0) as file:
        for size in [65536, 4096, 1]:
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise


class FullDiskTests(unittest.TestCase):
    @unittest.skipUnless(os.geteuid() == 0, "only the superuser can mount")
    def test_a_server_starts_on_a_full_disk_for_reading_and_saves_again_later(self):
        disk = self.enterContext(Disk("8m"))
        server = self.enterContext(Server("--signup", "open", folder=os.path.join(disk.path, "data")))
        host = Host(server)
        session = host.session()
        path = f"/api/v1/sessions/{session['id']}"
        filler = os.path.join(disk.path, "filler")
        acknowledged = []

        def come(name):
            answer = check_in(host, session, name, f"{name}@example.org")
            if answer.status == 201:
                acknowledged.append(name)
            return answer

        def assert_readable():
            host = API(server, self.token)
            answer = host.get(path).expect(200)
            self.assertEqual(answer.json["attendance"]["checkedIn"], len(acknowledged))
            self.assertEqual(answer.headers["QRing-Storage"], "full")
            items = host.get(f"{path}/attendees?limit=200").expect(200).json["items"]
            self.assertEqual({item["name"] for item in items}, set(acknowledged))
            self.assertEqual(come("refused").code, "storage_full")
            for address in ["/", "/host", "/" + session["checkInUrl"].split("/", 3)[3]]:
                page = host.get(address, token=None, headers={"Accept": "text/html"}).expect(200)
                self.assertIn("disk is full", page.body.decode(), address)
            server.log.wait_for_match("the disk is full, and nothing is saved")
            run = subprocess.run([QRING, "session", "show", session["id"], "--server", server.url],
                env={**Server.environment(), "QRING_TOKEN": self.token, "LANG": "C.UTF-8"},
                capture_output=True, text=True, timeout=DEADLINE)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("disk is full", run.stderr)

        self.token = host.token
        for number in range(5):
            self.assertEqual(come(f"early{number}").status, 201)
        # After a clean stop, and again after a kill with a log.
        self.assertEqual(server.stop(), 0)
        fill(filler)
        server.start()
        host = API(server, self.token)
        assert_readable()
        for _ in range(2):
            self.assertEqual(server.stop(), 0)
            server.start()
            host = API(server, self.token)
            assert_readable()
        server.kill()
        server.start()
        host = API(server, self.token)
        assert_readable()
        os.remove(filler)
        # The server tries again once a second, without a restart.
        wait_until(lambda: "QRing-Storage" not in host.get(path).headers)
        self.assertEqual(come("late").status, 201)
        self.assertNotIn("QRing-Storage", host.get(path).expect(200).headers)
        self.assertNotIn("disk is full", host.get("/", token=None).expect(200).body.decode())
        self.assertTrue(Admin("verify", folder=server.folder).expect(0).answer["ok"])
        # The disk becomes full while the log has commits that are not in the database file. The start moves
        # them there, so that the disk may have room again.
        while come(f"many{len(acknowledged)}").status == 201 and len(acknowledged) < 60:
            pass
        fill(filler)
        server.kill()
        server.start()
        host = API(server, self.token)
        self.assertEqual(host.get(path).expect(200).json["attendance"]["checkedIn"], len(acknowledged))
        os.remove(filler)
        wait_until(lambda: "QRing-Storage" not in host.get(path).headers)
        self.assertEqual(come("last").status, 201)
        server.kill()
        self.assertEqual({identity for identity, in rows(server.folder, "SELECT identity FROM attendees")},
            {f"{name}@example.org" for name in acknowledged})

    @unittest.skipUnless(os.geteuid() == 0, "only the superuser can mount")
    def test_on_a_full_disk_nothing_is_lost_and_writes_work_again_later(self):
        disk = self.enterContext(Disk("8m"))
        server = self.enterContext(Server("--signup", "open", folder=os.path.join(disk.path, "data")))
        host = Host(server)
        session = host.session()
        acknowledged, refused = [], None
        filler = os.path.join(disk.path, "filler")
        fill(filler)
        for number in range(2000):
            answer = check_in(host, session, f"Guest {number}", f"g{number}@example.org")
            if answer.status != 201:
                refused = answer
                break
            acknowledged.append(f"g{number}@example.org")
        self.assertIsNotNone(refused, "the disk never filled up")
        self.assertEqual((refused.status, refused.code), (503, "storage_full"))
        # Reads succeed, and writes are still refused.
        self.assertEqual(
            host.get(f"/api/v1/sessions/{session['id']}").expect(200).json["attendance"]["checkedIn"],
            len(acknowledged))
        self.assertEqual(check_in(host, session, "Again", "again@example.org").code, "storage_full")
        os.remove(filler)
        check_in(host, session, "Room", "room@example.org").expect(201)
        acknowledged.append("room@example.org")
        server.kill()
        self.assertTrue(Admin("verify", folder=server.folder).expect(0).answer["ok"])
        kept = {identity for identity, in rows(server.folder, "SELECT identity FROM attendees")}
        self.assertEqual(kept, set(acknowledged))
        server.start()
        self.assertEqual(
            API(server,
                host.token).get(f"/api/v1/sessions/{session['id']}").expect(200).json["attendance"][
                    "checkedIn"], len(acknowledged))


if __name__ == "__main__":
    unittest.main()
