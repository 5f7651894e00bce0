"""If files of a data folder are lost or cut, the server never continues as if nothing had happened, and
destroys no evidence."""
import os
import random
import re
import shutil
import stat
import subprocess
import time
import unittest

from admin import Admin, rows
from api import API
from data_folder import Hall, content, lasting, refusal, without_sockets
from host import Host, check_in
from server_process import DEADLINE, Server
from test_start_faults import Disk

COMMITS = "qring_journal_missing_commits"


class MissingFileTests(Hall):
    def test_a_missing_database_or_secret_is_reported_and_nothing_is_changed(self):
        self.come(3)
        self.server.kill()
        self.assertGreater(os.path.getsize(self.path("journal.db-wal")), 0)
        names = set(os.listdir(self.folder))
        beside = {"secret", "journal.mark", "journal.db-wal"}
        cases = {
            "the database removed": {"journal.db"},
            "only the secret left": names - {"secret"},
            "only the mark left": names - {"journal.mark"},
            "only the log left": names - {"journal.db-wal"},
            "the secret removed": {"secret"},
        }
        for case, removed in cases.items():
            for isEmptied in [False, True]:
                if isEmptied and case != "the database removed":
                    continue
                with self.subTest(case, isEmptied=isEmptied):
                    folder = self.copy(case.replace(" ", "-") + str(isEmptied))
                    for name in removed & set(os.listdir(folder)):
                        os.remove(os.path.join(folder, name))
                    if isEmptied:
                        open(os.path.join(folder, "journal.db"), "wb").close()
                    before = content(folder)
                    said = refusal(folder)
                    self.assertIn("secret" if removed == {"secret"} else "journal.db", said)
                    self.assertIn(f"qring admin restore FILE --replace --data {folder}", said)
                    if removed != {"secret"}:
                        for name in beside - removed:
                            self.assertIn(name, said)
                        self.assertIn("move the folder away", said)
                    self.assertEqual(content(folder), before)
                    doctor = Admin("doctor", "--listen", "127.0.0.1:0", folder=folder).expect(1)
                    self.assertIn("fail", [doctor.check("database")[0], doctor.check("secret")[0]])
                    if "journal.db" in removed:
                        self.assertEqual(Admin("verify", folder=folder).code, 1)
                        Admin("backup", os.path.join(self.server.temporary, "none"), folder=folder).expect(1)
                    self.assertEqual(lasting(content(folder)), lasting(before))

    def test_a_database_that_lost_its_log_before_the_first_checkpoint_is_refused(self):
        with Server("--signup", "open") as young:
            Host(young).session()
            young.kill()
            os.remove(young.database + "-wal")
            before = content(young.folder)
            self.assertIn("journal.db", refusal(young.folder))
            self.assertEqual(content(young.folder), before)

    def test_after_the_next_steps_the_server_runs_again(self):
        self.come(2)
        backup = os.path.join(self.server.temporary, "b.backup")
        Admin("backup", backup, folder=self.folder).expect(0)
        self.server.kill()
        os.remove(self.server.database)
        refusal(self.folder)
        Admin("restore", backup, "--replace", folder=self.folder).expect(0)
        self.server.start()
        self.assertEqual(self.present(), 2)

    def test_a_start_works_after_a_first_start_was_killed_at_any_moment(self):
        seeded = random.Random(22)
        for number in range(16):
            folder = os.path.join(self.server.temporary, f"new-{number}")
            process = Server(folder=folder).spawn()
            # Pause: the moment of the kill is the subject.
            time.sleep(seeded.uniform(0, 0.3))
            process.kill()
            process.wait(DEADLINE)
            process.stderr.close()
            with self.subTest(files=sorted(os.listdir(folder)) if os.path.exists(folder)
                    else None), Server(folder=folder) as server:
                self.assertEqual(server.stop(), 0)


class Losses(Hall):
    def metric(self, name):
        text = self.host.get("/metrics", token=None).expect(200).body.decode()
        return float(re.search(rf"^{name} (\S+)$", text, re.M).group(1))

    def lost_folders(self):
        return sorted(name for name in os.listdir(self.folder) if name.startswith("lost-"))

    def evidence(self):
        return {name: found for name, found in content(self.folder).items()
            if name in ("journal.db", "journal.db-wal", "journal.mark")}


class ForeignLogTests(Losses):
    def reported(self):
        """Returns what `verify` reports of foreign logs."""
        found = Admin("verify", folder=self.folder).answer
        return [finding["values"] for finding in found["findings"] if finding["kind"] == "foreignLog"]

    def test_the_log_of_another_server_is_put_aside_and_reported(self):
        self.come(20)
        self.restart()
        self.come(5)
        # The server also commits by itself soon after its start.
        commits = int(self.metric("qring_journal_commits_total"))
        self.assertGreaterEqual(commits, 5)
        self.server.kill()
        other = self.enterContext(Server("--signup", "open"))
        host = Host(other)
        session = host.session()
        self.assertEqual(other.stop(), 0)
        other.start()
        for number in range(3):
            check_in(API(other), session, "Other", f"o{number}@example.org").expect(201)
        other.kill()
        shutil.copyfile(other.database + "-wal", self.path("journal.db-wal"))
        evidence = self.evidence()

        offline, = self.reported()
        self.assertEqual((offline["commits"], offline["foreign"]), (str(commits), "3"))
        self.assertEqual(Admin("verify", folder=self.folder).code, 1)
        doctor = Admin("doctor", "--listen", "127.0.0.1:0", folder=self.folder).expect(1)
        self.assertEqual(doctor.check("commits")[0], "fail")
        self.assertEqual(self.evidence(), evidence)

        self.server.start()
        said = " ".join(self.server.log.lines)
        self.assertIn("did not belong to this database", said)
        self.assertIn(f"{commits} commits", said)
        folder, = self.lost_folders()
        self.assertIn(folder, said)
        self.assertEqual(self.present(), 20)
        kept = content(self.path(folder))
        self.assertEqual({name: kept.get(name) for name in evidence}, evidence)
        finding, = self.reported()
        self.assertEqual((finding["commits"], finding["foreign"]), (str(commits), "3"))
        doctor = Admin("doctor", "--listen", f"127.0.0.1:{self.server.port}", folder=self.folder)
        self.assertEqual(doctor.check("commits")[0], "fail")
        self.assertEqual((self.metric(COMMITS), self.metric("qring_journal_foreign_logs")), (commits, 1))
        self.come(1)
        self.restart()
        self.assertEqual(self.present(), 21)
        # The operator moves the copy away.
        shutil.rmtree(self.path(folder))
        self.assertEqual(self.metric("qring_journal_foreign_logs"), 0)
        self.assertTrue(Admin("verify", folder=self.folder).expect(0).answer["ok"])

    def test_the_own_log_of_a_killed_server_is_never_put_aside(self):
        for count in [1, 30]:
            self.come(count)
            self.server.kill()
            self.server.start()
            self.assertEqual(self.present(), len(self.acknowledged))
            self.assertEqual(self.lost_folders(), [])
            self.assertTrue(Admin("verify", folder=self.folder).expect(0).answer["ok"])


class OldCopyTests(Hall):
    def epoch(self):
        (epoch,), = rows(self.folder, "SELECT value FROM meta WHERE key = 'epoch'")
        return epoch

    def test_a_restart_and_a_kill_keep_the_epoch_and_an_old_copy_of_the_folder_does_not(self):
        self.assertEqual(self.server.stop(), 0)
        before = self.epoch()
        kept = os.path.join(self.server.temporary, "kept")
        subprocess.run(["cp", "-a", self.folder, kept], check=True)
        self.server.start()
        self.come(2)
        self.server.kill()
        self.server.start()
        self.restart()
        self.assertEqual(self.server.stop(), 0)
        self.assertEqual(self.epoch(), before)
        for restore in [["cp", "-a", f"{kept}/.", self.folder], ["mv", kept, self.folder]]:
            with self.subTest(restore[0]):
                # `mv` gets a folder that was copied once more.
                shutil.rmtree(self.folder)
                if restore[0] == "cp":
                    os.mkdir(self.folder, 0o700)
                subprocess.run(restore, check=True)
                self.server.start()
                self.assertIn("was copied", " ".join(self.server.log.lines))
                self.assertEqual(self.server.stop(), 0)
                self.assertNotEqual(self.epoch(), before)
                self.assertEqual(self.present(), 0)


class LostCommitTests(Losses):
    def cut(self, path):
        os.truncate(path, os.path.getsize(path) // 2)

    def flip(self, path):
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))

    def missing(self):
        """Returns what `verify` reports of lost commits."""
        found = Admin("verify", folder=self.folder).answer
        return [finding["values"] for finding in found["findings"] if finding["kind"] == "commitsMissing"]

    def test_lost_commits_are_reported_until_the_operator_removes_the_copy(self):
        for damage in [self.cut, self.flip, os.remove]:
            with self.subTest(damage.__name__):
                self.restart()
                begun = self.present()
                self.come(40)
                self.server.kill()
                damage(self.path("journal.db-wal"))
                evidence = self.evidence()
                # It is reported before any start too; looking changes nothing.
                offline, = self.missing()
                self.assertEqual({name: content(self.folder).get(name) for name in evidence}, evidence)

                self.server.start()
                # A rewrite of the file, which the server may begin at any time, adds commits of its own.
                lost = int(offline["commits"])
                self.assertGreater(begun + 40 - self.present(), 0)
                self.assertGreaterEqual(lost, begun + 40 - self.present())
                said = " ".join(self.server.log.lines)
                self.assertIn(f"{lost} commits", said)
                self.assertIn(offline["since"], said)
                folder, = self.lost_folders()
                self.assertIn(folder, said)
                self.assertEqual(stat.S_IMODE(os.stat(self.path(folder)).st_mode), 0o700)
                kept = content(self.path(folder))
                self.assertEqual({name: kept.get(name) for name in evidence}, evidence)
                for _ in range(2):
                    finding, = self.missing()
                    self.assertEqual((finding["commits"], finding["since"]), (str(lost), offline["since"]))
                    doctor = Admin("doctor", "--listen", f"127.0.0.1:{self.server.port}", folder=self.folder)
                    self.assertEqual(doctor.check("commits")[0], "fail")
                    self.assertEqual(self.metric(COMMITS), lost)
                    self.assertGreater(self.metric("qring_journal_missing_since_seconds"), time.time() - 600)
                    self.come(1)
                    self.restart()
                    self.assertIn(f"{lost} commits", " ".join(self.server.log.lines))
                # The operator moves the copy away.
                shutil.rmtree(self.path(folder))
                self.assertEqual(self.metric(COMMITS), 0)
                self.assertTrue(Admin("verify", folder=self.folder).expect(0).answer["ok"])
                self.restart()
                self.assertNotIn("missing", " ".join(self.server.log.lines))

    def test_a_start_with_three_copies_of_losses_is_refused(self):
        for number in range(4):
            self.restart()
            self.come(4)
            self.server.kill()
            os.remove(self.path("journal.db-wal"))
            if number < 3:
                self.server.start()
                self.assertEqual(len(self.lost_folders()), number + 1)
        before = lasting(content(self.folder))
        self.assertIn("lost-", refusal(self.folder))
        self.assertEqual(lasting(content(self.folder)), before)

    @unittest.skipUnless(os.geteuid() == 0, "only the superuser can mount")
    def test_without_room_for_the_copy_no_server_starts_and_nothing_is_overwritten(self):
        self.come(4)
        self.server.kill()
        os.remove(self.path("journal.db-wal"))
        with Disk("4m") as disk:
            folder = os.path.join(disk.path, "data")
            shutil.copytree(self.folder, folder, ignore=without_sockets)
            free = os.statvfs(disk.path)
            with open(os.path.join(disk.path, "filler"), "wb") as file:
                file.write(b"\0" * (free.f_bavail * free.f_frsize - 65_536))
            before = lasting(content(folder))
            said = refusal(folder)
            self.assertIn("is full", said)
            self.assertIn("lost-", said)
            self.assertEqual(lasting(content(folder)), before)
            os.remove(os.path.join(disk.path, "filler"))
            with Server(folder=folder) as server:
                self.assertIn("commits", " ".join(server.log.lines))


if __name__ == "__main__":
    unittest.main()
