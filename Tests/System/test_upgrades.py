"""Each release's data in this version, and the way back from a newer version."""
import glob
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from admin import Admin, rows
from api import API
from data_folder import refusal
from host import check_in
from postgres import shared
from release_data import FOLDER, OPTIONS, PASSING, Release, empty_tables, stable
from server_process import DEADLINE, QRING, Server
from test_copy import copied

RELEASES = sorted(glob.glob(os.path.join(FOLDER, "*.tar.gz")))


def as_before(found, before):
    """Returns what a server shows without the fields that a later version added."""
    if isinstance(before, dict) and isinstance(found, dict):
        return {name: as_before(found[name], before[name]) for name in before if name in found}
    if isinstance(before, list) and isinstance(found, list) and len(before) == len(found):
        return [as_before(one, other) for one, other in zip(found, before)]
    return found


class UpgradeTests(unittest.TestCase):
    maxDiff = 4000

    def releases(self):
        self.assertTrue(RELEASES)
        return [Release(path, self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-")))
            for path in RELEASES]

    def assert_shows_the_same(self, release, server):
        api = API(server)
        for look in release.made["looks"]:
            found = stable(api.get(look["path"], token=look["token"]).expect(200).json)
            self.assertEqual(as_before(found, look["seen"]), look["seen"], look["path"])

    def test_each_release_of_the_changelog_has_its_data(self):
        changelog = os.path.join(os.path.dirname(__file__), "..", "..", "CHANGELOG.md")
        with open(changelog, encoding="utf-8") as file:
            versions = re.findall(r"^## (\S+) – (?!unreleased)", file.read(), re.MULTILINE)
        kept = {os.path.basename(path).removesuffix(".tar.gz") for path in RELEASES}
        self.assertEqual(set(versions) - kept, set(), "run Tests/System/release_data.py")

    def test_the_data_of_each_release_has_rows_in_every_table(self):
        for release in self.releases():
            self.assertEqual(empty_tables(os.path.join(release.folder, "journal.db")) - PASSING, set())

    def test_this_version_shows_the_data_of_each_release_as_it_was_and_goes_on_with_it(self):
        for release in self.releases():
            with release.server() as server:
                self.assert_shows_the_same(release, server)
                token = release.made["looks"][0]["token"]
                session = API(server).get(release.made["looks"][0]["path"], token=token).expect(200).json
                check_in(API(server), session, "After", "after@example.org").expect(201)
                self.assertEqual(server.stop(), 0)
            Admin("verify", folder=release.folder).expect()
            with release.server() as server:
                API(server).get("/readyz").expect(200)

    def test_a_backup_of_the_data_of_each_release_can_be_restored(self):
        for release in self.releases():
            file = os.path.join(release.folder, "..", "release.backup")
            Admin("backup", file, folder=release.folder).expect()
            Admin("restore", file, "--replace", folder=release.folder).expect()
            with release.server() as server:
                self.assert_shows_the_same(release, server)

    def test_the_data_of_each_release_moves_to_postgresql(self):
        for release in self.releases():
            # The copy needs the schema of this version, which a start makes.
            with release.server() as server:
                server.stop()
            database = shared().database()
            copied(release.folder, database)
            with release.server("--database", database) as server:
                self.assert_shows_the_same(release, server)

    def test_the_older_version_names_the_command_that_leads_back_from_an_upgrade(self):
        with Server(*OPTIONS) as server:
            folder = server.folder
            server.stop()
            known = rows(folder, "PRAGMA user_version")[0][0]
            copy = os.path.join(folder, f"journal.db.version-{known}.backup")
            shutil.copy(server.database, copy)
            shutil.copy(copy, os.path.join(folder, f"journal.db.version-{known + 1}.backup"))
            rows(folder, f"PRAGMA user_version = {known + 1}")
            rows(folder, "CREATE TABLE later (a INTEGER)")
            said = refusal(folder)
            self.assertIn(f"newer QRing (schema {known + 1}; this version supports {known})", said)
            command = re.search(r"qring (admin restore .*)", said)[1]
            self.assertIn(copy, command)
            self.assertIn(command, Admin("doctor", folder=folder).expect(1).check("database")[1])
            ran = subprocess.run([QRING, *shlex.split(command)], capture_output=True, text=True,
                timeout=DEADLINE, env=Server.environment(), check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertEqual(rows(folder, "PRAGMA user_version"), [(known,)])
            self.assertEqual(rows(folder, "SELECT 1 FROM sqlite_schema WHERE name = 'later'"), [])
            server.start()
            API(server).get("/readyz").expect(200)

    def test_without_a_copy_the_older_version_asks_for_the_newer_one(self):
        with Server(*OPTIONS) as server:
            server.stop()
            rows(server.folder, "PRAGMA user_version = 99")
            self.assertNotIn("admin restore", refusal(server.folder))
            self.assertEqual(Admin("doctor", folder=server.folder).expect(1).check("database"),
                ("fail", "start the newer QRing"))
