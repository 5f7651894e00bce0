"""`qring admin` as an operator types it, and the content of a data folder."""
import json
import os
import sqlite3
import subprocess

from server_process import DEADLINE, QRING, SANITIZING


class Admin:
    """One run of `qring admin …`. `answer` is its JSON, if it printed any."""

    def __init__(self, *words, folder, **options):
        result = subprocess.run(
            [QRING, "admin", *words, "--data", folder, "--json", "--lang", "en"], capture_output=True,
            text=True, timeout=DEADLINE * 3,
            env={"PATH": os.environ["PATH"], "HOME": os.path.dirname(folder), **SANITIZING}, **options)
        self.code, self.said = result.returncode, result.stderr
        self.answer = json.loads(result.stdout) if result.stdout.startswith("{") else None

    def expect(self, code=0):
        assert self.code == code, f"exit {self.code} instead of {code}: {self.said} {self.answer}"
        return self

    def check(self, name):
        """Returns the state and the remedy of the first line of that name that `doctor` printed, worst first.
        """
        order = ["fail", "warn", "ok"]
        found = sorted((check for check in self.answer["checks"] if check["check"] == name),
            key=lambda check: order.index(check["state"]))
        return found[0]["state"], found[0].get("remedy")


def rows(folder, sql, *values):
    database = sqlite3.connect(os.path.join(folder, "journal.db"))
    try:
        with database:
            return database.execute(sql, values).fetchall()
    finally:
        database.close()
