"""If the database was cut, torn or overwritten, the server refuses it, or acknowledges nothing once it knows.
"""
import os
import re
import sqlite3
import unittest

from admin import Admin, rows
from data_folder import Hall, content, lasting, refusal
from host import check_in


class DamagedDatabaseTests(Hall):
    def grow(self, count=3000):
        """Writes enough rows for several pages of each table, by SQL, because thousands of check-ins would
        take long."""
        self.assertEqual(self.server.stop(), 0)
        rows(self.folder, "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n "
                          f"WHERE n < {count}) INSERT INTO kept_answers "
                          "SELECT randomblob(16), randomblob(16), 99999999999999, randomblob(400) FROM n")
        self.server.start()

    def test_a_database_that_was_cut_is_refused_after_a_clean_stop_and_after_a_kill(self):
        self.grow()
        self.come(5)
        self.server.kill()
        killed = self.copy("killed")
        self.server.start()
        self.assertEqual(self.server.stop(), 0)
        for folder in [killed, self.folder]:
            with self.subTest(folder):
                path = os.path.join(folder, "journal.db")
                os.truncate(path, os.path.getsize(path) // 2 // 4096 * 4096)
                before = lasting(content(folder))
                said = refusal(folder)
                self.assertIn("is damaged", said)
                self.assertIn("qring admin restore FILE --replace", said)
                self.assertEqual(lasting(content(folder)), before)
                self.assertEqual(
                    Admin("doctor", "--listen", "127.0.0.1:0", folder=folder).expect(1).check("database")[0],
                    "fail")

    def test_a_torn_copy_is_refused(self):
        """Makes a copy as `cp` does while the server writes: some pages are older than others."""
        self.grow()
        self.assertEqual(self.server.stop(), 0)
        with open(self.server.database, "rb") as file:
            old = file.read()
        rows(self.folder, "DELETE FROM kept_answers WHERE id < x'80'")
        rows(self.folder, "VACUUM")
        folder = self.copy("torn")
        os.remove(os.path.join(folder, "journal.mark"))
        path = os.path.join(folder, "journal.db")
        with open(path, "r+b") as file:
            size = os.path.getsize(path)
            file.seek(size // 2 // 2048 * 2048)
            file.write(old[size // 2 // 2048 * 2048:size])
        before = lasting(content(folder))
        self.assertIn("is damaged", refusal(folder))
        self.assertEqual(lasting(content(folder)), before)

    def overwrite(self, name, offset=0, content=b"\xff" * 2048):
        """Overwrites a part of the first page of a table or an index, while no server runs."""
        database = sqlite3.connect(self.server.database)
        (root,), = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,))
        (size,), = database.execute("PRAGMA page_size")
        database.close()
        with open(self.server.database, "r+b") as file:
            file.seek((root - 1) * size + offset)
            file.write(content)

    def test_a_damaged_page_of_a_small_file_is_refused_after_a_clean_stop(self):
        self.come(3)
        for name, damage in [
            ("attendees", {}),
            # One row is missing in the index: its number of cells is at this offset.
            ("attendees_by_status", {"offset": 3, "content": b"\0\2"}),
        ]:
            with self.subTest(name):
                self.restart()
                self.assertEqual(self.server.stop(), 0)
                with open(self.server.database, "rb") as file:
                    whole = file.read()
                self.overwrite(name, **damage)
                before = lasting(content(self.folder))
                self.assertIn("is damaged", refusal(self.folder))
                self.assertEqual(lasting(content(self.folder)), before)
                with open(self.server.database, "wb") as file:
                    file.write(whole)

    def metric(self, name):
        text = self.host.get("/metrics", token=None).expect(200).body.decode()
        return float(re.search(rf"^{name} (\S+)$", text, re.M).group(1))

    def test_a_large_file_is_checked_while_the_server_serves(self):
        self.grow(10_000)
        self.assertGreater(os.path.getsize(self.server.database), 3_000_000)
        self.restart()
        self.server.log.wait_for_match(r"the database file of \d+ kB was checked in \d+ ms: no damage")
        self.assertEqual(self.metric("qring_journal_check_done"), 1)
        self.assertEqual(self.metric("qring_journal_check_damaged"), 0)
        self.come(1)

    def test_after_damage_is_found_nothing_is_acknowledged(self):
        self.come(3)
        self.grow(10_000)
        self.assertEqual(self.server.stop(), 0)
        # The server needs this index only to delete old tokens.
        self.overwrite("tokens_by_expiry")
        self.server.start()
        self.server.log.wait_for_match("the database is damaged")
        self.assertEqual(self.metric("qring_journal_check_damaged"), 1)
        answer = check_in(self.host, self.session, "Lee", "lee@example.org")
        self.assertEqual((answer.status, answer.code), (503, "storage_unavailable"), answer)
        for _ in range(3):
            answer = self.host.post("/api/v1/meetings",
                {"name": "After",
                    "session": {"startsAt": "2030-01-01T10:00:00Z", "endsAt": "2030-01-01T11:00:00Z"}})
            self.assertEqual((answer.status, answer.code), (503, "storage_unavailable"), answer)
            self.assertIn("damaged", answer.json["detail"])
        body = {"name": "뒤",
            "session": {"startsAt": "2030-01-01T10:00:00Z", "endsAt": "2030-01-01T11:00:00Z"}}
        self.assertIn("손상",
            self.host.post("/api/v1/meetings", body, headers={"Accept-Language": "ko"}).json["detail"])
        self.assertEqual(self.host.get("/readyz", token=None).code, "storage_unavailable")
        self.host.get("/healthz", token=None).expect(200)
        self.server.log.wait_for_match("the database is damaged")
        self.assertEqual(sum("the database is damaged" in line for line in self.server.log.lines), 1)
        self.assertEqual(self.server.stop(), 0)
        found = Admin("verify", folder=self.folder).expect(1).answer
        self.assertLessEqual({finding["kind"] for finding in found["findings"]},
            {"damagedFile", "unreadable"})


if __name__ == "__main__":
    unittest.main()
