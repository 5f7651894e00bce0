"""The settings of a server: options, variables, credentials and the file, in this order."""
import json
import os
import subprocess
import tempfile
import unittest

from server_process import DEADLINE, QRING, Server

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


class SettingsTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.config = self.write("qring.conf", "listen = 127.0.0.1:0\nloops = 2\n")

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def run_qring(self, *words, config=None, **variables):
        return subprocess.run(
            [QRING, *words, "--config", config or self.config, "--lang", "en"], capture_output=True,
            text=True, timeout=DEADLINE, check=False,
            env={**Server.environment(), "HOME": self.folder, **variables})

    def settings(self, *words, **variables):
        run = self.run_qring("admin", "settings", *words, "--json", **variables)
        self.assertEqual(run.returncode, 0, run.stderr)
        return {row["name"]: row for row in json.loads(run.stdout)["items"]}

    def refused(self, *says, words=("serve",), **variables):
        run = self.run_qring(*words, **variables)
        self.assertIn(run.returncode, (1, 2), run.stdout)
        for text in says:
            self.assertIn(text, run.stderr)
        # A server that refuses its settings leaves nothing behind.
        self.assertFalse(os.path.exists(os.path.join(self.folder, ".local")))
        return run.stderr

    def test_an_option_counts_before_a_variable_a_credential_and_the_file(self):
        secret = self.write("secret", "of the option's file\n", 0o600)
        credentials = os.path.join(self.folder, "credentials")
        os.mkdir(credentials)
        self.write("credentials/qring.smtp-password", "of systemd\n", 0o400)
        self.config = self.write("qring.conf", f"loops = 2\nsmtp-password-file = {secret}\n")

        def loops(*words, **variables):
            row = self.settings(*words, **variables)["loops"]
            return row["value"], row["source"]

        self.assertEqual(loops("--loops", "4", QRING_LOOPS="3"), ("4", "option"))
        self.assertEqual(loops(QRING_LOOPS="3"), ("3", "environment"))
        self.assertEqual(loops(QRING_LOOPS=""), ("2", "file"))
        self.assertEqual(self.settings()["interests"]["default"], "3")
        self.assertNotIn("source", self.settings()["interests"])
        for source, variables in [
                ("environment", {"QRING_SMTP_PASSWORD": "x", "CREDENTIALS_DIRECTORY": credentials}),
                ("credential", {"CREDENTIALS_DIRECTORY": credentials}), ("file", {})]:
            self.assertEqual(self.settings(**variables)["smtp-password"]["source"], source)

    def test_no_output_shows_a_secret(self):
        for words in (["admin", "settings"], ["admin", "settings", "--json"], ["serve", "--check"]):
            run = self.run_qring(
                *words, QRING_SMTP_PASSWORD="hunter2", QRING_DATABASE="postgres://u:hunter2@127.0.0.1:1/x",
                QRING_SMTP_URL="smtps://kim:hunter2@mail.example.org")
            self.assertNotIn("hunter2", run.stdout + run.stderr)

    def test_an_unknown_variable_or_key_is_refused_with_the_nearest_name(self):
        self.refused("QRING_LISTN", "QRING_LISTEN", QRING_LISTN="127.0.0.1:0")
        self.refused("lops", "loops", "line 1", config=self.write("typo", "lops = 2\n"))
        # The client's variables, those of extensions, and those of Kubernetes are no mistake.
        run = self.run_qring(
            "serve", "--check", QRING_SERVER="http://x", QRING_TOKEN="t", QRING_SESSION="s",
            QRING_CONTEXT="c", QRING_PORT="tcp://10.0.0.1:80")
        self.assertNotIn("no setting", run.stdout + run.stderr)

    def test_a_value_is_refused_with_the_place_where_it_was_set(self):
        self.refused("QRING_LOOPS", "from 1 to 64", QRING_LOOPS="65")
        self.refused(":1)", "from 1 to 64", config=self.write("many", "loops = 65\n"))
        self.refused("yes, no", config=self.write("flag", "require-interests = maybe\n"))
        self.refused("No such file", config=os.path.join(self.folder, "none"))

    def test_each_secret_comes_from_a_file_that_only_its_owner_writes(self):
        for name in ("database", "smtp-password", "phone-hook-secret", "push-hook-secret"):
            variable = f"QRING_{name.upper().replace('-', '_')}"
            others = {
                "smtp-password": {"QRING_SMTP_URL": "smtps://kim@127.0.0.1:1"},
                "phone-hook-secret": {"QRING_PHONE_HOOK_URL": "https://127.0.0.1:1"},
                "push-hook-secret": {"QRING_PUSH_HOOK_URL": "https://127.0.0.1:1"}}.get(name, {})
            with self.subTest(name):
                self.refused(
                    f"{variable}_FILE", "/nonexistent", "No such file",
                    **{f"{variable}_FILE": "/nonexistent"}, **others)
                self.refused(
                    f"{variable}_FILE", "chmod o-w",
                    **{f"{variable}_FILE": self.write("open", "x" * 20, 0o606)}, **others)
                self.refused(
                    variable, f"{variable}_FILE", "together", **{variable: "x", f"{variable}_FILE": "y"})
                path = self.write("closed", "x" * 20, 0o600)
                row = self.settings(**{f"{variable}_FILE": path})[name]
                self.assertEqual((row["source"], row["place"]), ("environment", f"{variable}_FILE"))

    def test_a_server_starts_with_the_file(self):
        secret = self.write("secret", "0123456789abcdef\n", 0o600)
        config = self.write(
            "qring.conf", f"phone-hook-url = https://127.0.0.1:1/codes\nphone-hook-secret-file = {secret}\n"
            "signup = open\n")
        with Server("--config", config) as server:
            connection = server.connection()
            connection.request("GET", "/readyz")
            self.assertEqual(connection.getresponse().status, 200)

    def test_a_check_names_every_problem_and_creates_nothing(self):
        data = os.path.join(self.folder, "data")
        run = self.run_qring(
            "serve", "--check", "--data", data, "--loops", "99", "--interests", "99", QRING_LISTN="x",
            SSL_CERT_FILE="/nonexistent")
        self.assertEqual(run.returncode, 1)
        for text in ("--loops", "--interests", "QRING_LISTN", "/nonexistent"):
            self.assertIn(text, run.stdout)
        run = self.run_qring("serve", "--check", "--data", data)
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("The server can start with these settings.", run.stdout)
        run = self.run_qring("serve", "--check", "--data", data, "--require-verification")
        self.assertEqual(run.returncode, 1)
        self.assertIn("--smtp-url", run.stderr)
        run = self.run_qring("serve", "--check", "--data", data, "--database", "postgres://u@127.0.0.1:1/q")
        self.assertEqual(run.returncode, 1)
        self.assertIn("PostgreSQL", run.stdout)
        self.assertEqual(sorted(os.listdir(self.folder)), ["qring.conf"])

    def test_commands_for_the_operator_read_the_same_file(self):
        with Server() as server:
            config = self.write("qring.conf", f"data = {server.folder}\n")
            run = self.run_qring("admin", "backup", os.path.join(self.folder, "b"), config=config)
            self.assertEqual(run.returncode, 0, run.stderr)

    def test_the_documents_have_the_tables_of_the_program(self):
        run = subprocess.run(
            [os.path.join(ROOT, "scripts", "tables"), "--check"], capture_output=True, text=True,
            env={**Server.environment(), "QRING": QRING}, timeout=DEADLINE, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
