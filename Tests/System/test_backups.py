"""The backups that a server writes by itself, read by an independent program."""
import ctypes
import ctypes.util
import hashlib
import os
import sqlite3
import subprocess
import unittest

from admin import Admin, rows
from api import API
from host import Host, check_in
from server_process import DEADLINE, QRING, Server

SODIUM = ctypes.CDLL(ctypes.util.find_library("sodium"))
CHUNK, TAG = 65_536, 17


def key_of(text, prefix):
    """Returns the 32 bytes of a key's text, after a look at its checksum."""
    assert text.startswith(prefix), text
    data = bytes.fromhex(text[len(prefix):])
    checksum = hashlib.blake2b(prefix.encode() + data[:32], digest_size=16).digest()
    assert data[32:] == checksum[:4]
    return data[:32]


def opened(sealed, public, private):
    """Decrypts an encrypted backup, as docs/operations/data.md describes its format."""
    header, stream = sealed[:145], sealed[145:]
    assert header[:9] == b"QRingBak\x01" and header[9:41] == public
    key = ctypes.create_string_buffer(32)
    assert SODIUM.crypto_box_seal_open(key, header[41:121], ctypes.c_ulonglong(80), public, private) == 0
    state = ctypes.create_string_buffer(SODIUM.crypto_secretstream_xchacha20poly1305_statebytes())
    assert SODIUM.crypto_secretstream_xchacha20poly1305_init_pull(state, header[121:], key) == 0
    content, extra = b"", header
    while True:
        part, stream = stream[:CHUNK + TAG], stream[CHUNK + TAG:]
        out, tag = ctypes.create_string_buffer(CHUNK), ctypes.c_ubyte()
        assert SODIUM.crypto_secretstream_xchacha20poly1305_pull(
            state, out, None, ctypes.byref(tag), part, ctypes.c_ulonglong(len(part)), extra,
            ctypes.c_ulonglong(len(extra))) == 0
        content, extra = content + out.raw[:len(part) - TAG], b""
        if tag.value == 3:
            assert stream == b""
            return content


class BackupTests(unittest.TestCase):
    def server(self, *options):
        server = Server("--signup", "open", *options)
        self.addCleanup(server.close)
        self.folder = os.path.join(server.temporary, "backups")
        os.makedirs(self.folder, exist_ok=True)
        server.options = (*server.options, "--backup-to", self.folder)
        return server

    def backups(self):
        return sorted(name for name in os.listdir(self.folder) if name.endswith(".backup"))

    def test_an_encrypted_backup_is_read_by_another_program_and_restored_with_its_key(self):
        server = self.server()
        file = os.path.join(server.temporary, "key")
        run = subprocess.run([QRING, "admin", "backup-key", file, "--json"], capture_output=True, text=True,
            env=Server.environment(), timeout=DEADLINE, check=True)
        public = run.stdout.split('"publicKey"')[1].split('"')[1]
        server.options = (*server.options, "--backup-key", public)
        server.start()
        server.log.wait_for_match("backup written and verified: .* encrypted; 1 stored")
        host = Host(server)
        check_in(host, host.session(), "Kim", "kim@example.org").expect(201)
        # A restart is no reason for another backup, and a stop is no reason to lose one.
        self.assertEqual(server.stop(), 0)
        server.start()
        self.assertEqual(len(self.backups()), 1)
        manual = os.path.join(server.temporary, "manual.backup")
        Admin("backup", manual, "--backup-key", public, folder=server.folder).expect(0)
        with open(file, encoding="ascii") as text:
            private = key_of(text.read().strip(), "qring-private-")
        for path in (manual, os.path.join(self.folder, self.backups()[0])):
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            with open(path, "rb") as sealed:
                content = opened(sealed.read(), key_of(public, "qring-public-"), private)
            plain = os.path.join(server.temporary, "plain")
            with open(plain, "wb") as out:
                out.write(content)
            database = sqlite3.connect(plain)
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            self.assertEqual(database.execute("SELECT length(secret) FROM backup").fetchall(), [(32,)])
            database.close()
        restored = os.path.join(server.temporary, "restored")
        self.assertIn("--key", Admin("restore", manual, folder=restored).expect(1).said)
        Admin("restore", manual, "--key", file, folder=restored).expect(0)
        self.assertEqual(rows(restored, "SELECT identity FROM attendees"), [("kim@example.org",)])
        self.assertEqual([name for name in os.listdir(server.folder) if "partial" in name], [])

    def test_leftovers_of_a_killed_server_are_removed_and_never_counted(self):
        server = self.server()
        server.start()
        server.log.wait_for_match("backup written and verified")
        server.kill()
        name = self.backups()[0]
        os.rename(os.path.join(self.folder, name), os.path.join(self.folder, f"{name}.partial-999999999"))
        left = os.path.join(server.folder, "backup.partial-999999999")
        with open(left, "wb") as file:
            file.write(b"names")
        server.start()
        server.log.wait_for_match("backup written and verified: .*; 1 stored")
        self.assertEqual(os.listdir(self.folder), self.backups())
        self.assertFalse(os.path.exists(left))

    def test_two_servers_share_a_folder_and_a_missing_folder_stops_no_server(self):
        server = self.server()
        server.start()
        server.log.wait_for_match("backup written and verified")
        with Server("--backup-to", self.folder) as other:
            other.log.wait_for_match("backup written and verified: .*; 1 stored, 0 old ones deleted")
        self.assertEqual(len(self.backups()), 2)
        missing = os.path.join(server.temporary, "not-mounted")
        with Server("--backup-to", missing) as other:
            other.log.wait_for_match(
                "no backup could be written, and there is no earlier backup: .*No such file")
            self.assertEqual(API(other).get("/readyz").status, 200)
            self.assertFalse(os.path.exists(missing))
            seen = Admin("doctor", "--backup-to", missing, folder=other.folder)
            self.assertEqual(seen.check("backups")[0], "fail")
        seen = Admin("doctor", "--backup-to", self.folder, folder=server.folder)
        self.assertEqual(seen.check("backups")[0], "warn")
        self.assertIn("old and has", str(seen.answer))

    def test_wrong_settings_are_refused_at_the_start(self):
        folder = self.server().temporary
        for words, said in [(["--backup-key", "qring-public-00"], "typing error"),
                (["--backup-every", "5s"], "6h"), (["--backup-keep", "7y"], "7d,4w,6m")]:
            run = subprocess.run(
                [QRING, "serve", "--data", os.path.join(folder, "none"), "--listen", "127.0.0.1:0", "--lang",
                    "en", *words], capture_output=True, text=True, env=Server.environment(), timeout=DEADLINE)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(said, run.stderr)

    def test_a_table_whose_index_finds_too_few_rows_makes_no_backup(self):
        server = self.server().start()
        host = Host(server)
        check_in(host, host.session(), "Ann", "ann@example.org").expect(201)
        server.stop()
        # The index of the key becomes the empty index of another table.
        with sqlite3.connect(server.database) as database:
            database.executescript("""
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET rootpage =
                    (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_meeting_images_1')
                WHERE name = 'sqlite_autoindex_accounts_1'""")
        database.close()
        file = os.path.join(server.temporary, "b.backup")
        ran = Admin("backup", file, folder=server.folder).expect(1)
        self.assertIn("the table has 1 rows, and its key finds 0", ran.said)
        self.assertFalse(os.path.exists(file))

    def test_a_start_removes_the_copy_that_a_killed_backup_left(self):
        with Server("--signup", "open") as server:
            server.stop()
            left = os.path.join(server.folder, "backup.partial-999999999-1a")
            with open(left, "wb") as file:
                file.write(b"names")
            server.start()
            self.assertFalse(os.path.exists(left))


if __name__ == "__main__":
    unittest.main()
