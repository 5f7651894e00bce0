"""Valid and invalid requests that schemathesis generates from the server's description, and the faults in the
answers.

The number of requests follows from the description, the seed, and the numbers of examples and borders, and
never from the time, so it is the same on every machine.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

from api import API
from described_cast import prepare
from server_process import DEADLINE, Server

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance", "unsupported_method", "negative_data_rejection",
]
CONFIGURATION = """
hooks = "described_calls"

# What earlier answers held would differ from run to run.
[cache]
enabled = false
[phases.coverage]
extra-data-sources.responses = false
[phases.fuzzing]
extra-data-sources.responses = false
error-feedback.enabled = false

[generation]
database = "none"
# A browser's cookie beside a bearer is nothing that anybody sends.
with-security-parameters = false
# A NUL is refused wherever it stands, which no schema says.
allow-x00 = false

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "409", "412", "413", "415", "422", "428", "429"]

# Of a picture the schema says nothing, so that none is wrong by it.
[[operations]]
include-name = "PUT /api/v1/meetings/{id}/image"
checks.negative_data_rejection.expected-statuses = ["2xx", "4xx"]

# No generated request is a whole upgrade.
[[operations]]
include-name = "GET /rooms"
checks.negative_data_rejection.expected-statuses = ["426"]
"""
# Operations that no generated request can reach: own pages need a phone's cookie (test_own_pages.py), rooms
# need an upgrade (test_rooms.py), own replies a signed link (test_replies.py), Socket.IO a session
# (test_socket_io.py), and others a link or a code from a mail or a phone (test_reminders.py,
# test_mail_codes.py, test_phone_sign_in.py), or a mail that waits (test_operator_page.py).
CLOSED = ("/me/", "/rooms", "/socket.io", "/unsubscribe/", "/R/own/", "/api/v1/offline-door")
NEED_MAILS = {("POST", "/api/v1/mails/{mailId}/retry"), ("DELETE", "/api/v1/mails/{mailId}"),
    ("PUT", "/api/v1/accounts/password-resets"), ("PUT", "/api/v1/accounts/verifications"),
    ("PUT", "/api/v1/phone-tokens"), ("POST", "/host/phone-sign-in")}


class Answers:
    """The answers of a server to the requests of one seed."""

    def __init__(self, server, seed, examples, borders=0):
        """`examples` is the number of random requests to each operation. Requests at the borders of its
        schemas are sent too: at least `borders` valid and `borders` invalid ones, and ever fewer of the
        others; all of them if it is 0."""
        self.statuses, self.undescribed = collections.defaultdict(collections.Counter), set()
        with tempfile.TemporaryDirectory() as folder:
            paths = {name: os.path.join(folder, name)
                for name in ["cast.json", "notes", "openapi.json", "schemathesis.toml"]}
            with open(paths["cast.json"], "w", encoding="utf-8") as file:
                json.dump(prepare(server), file)
            with open(paths["schemathesis.toml"], "w", encoding="utf-8") as file:
                file.write(CONFIGURATION)
            # Read the description from a file, because schemathesis sends no request to the route that it
            # reads one from.
            description = API(server).get("/openapi.json").expect(200)
            with open(paths["openapi.json"], "wb") as file:
                file.write(description.body)
            run = subprocess.run(
                [sys.executable, "-m", "schemathesis.cli", "--config-file", paths["schemathesis.toml"], "run",
                    paths["openapi.json"],
                 "--url", server.url, "--checks", ",".join(CHECKS), "--phases", "coverage,fuzzing",
                 "--max-examples", str(examples), "--seed", str(seed),
                 "--request-timeout", str(DEADLINE), "--continue-on-failure", "--no-color", "--warnings",
                 "off", "--suppress-health-check", "all"],
                # Without this, Python's sets have another order in each process.
                cwd=folder, env={
                    **os.environ, "PYTHONPATH": HERE, "PYTHONHASHSEED": "0", "QRING_CAST": paths["cast.json"],
                    "QRING_NOTES": paths["notes"], "QRING_SEED": str(seed), "QRING_BORDERS": str(borders)},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.is_right, self.said = run.returncode == 0, run.stdout
            with open(paths["notes"], encoding="utf-8") as file:
                for method, path, status, headers in map(json.loads, file):
                    self.statuses[method, path][status] += 1
                    self.undescribed.update((method, path, status, header) for header in headers)
        self.described = {(method.upper(), path) for path,
            ways in description.json["paths"].items() for method in ways}

    @property
    def count(self):
        return sum(sum(found.values()) for found in self.statuses.values())

    def faults(self):
        """Yields one line for each fault."""
        if not self.is_right:
            yield self.said[-30_000:]
        for method, path, status, header in sorted(self.undescribed):
            yield f"{method} {path}: the description of {status} lacks the header {header}"
        for method, path in sorted(self.described):
            found = self.statuses[method, path]
            if not found:
                yield f"{method} {path}: no request was generated"
            elif (not path.startswith(CLOSED) and (method, path) not in NEED_MAILS
                    and not any(200 <= status < 304 for status in found)):
                yield f"{method} {path}: no request succeeded; it got {dict(found)} (described_cast.py)"


def repetition(seed, examples, borders):
    """Returns the command that sends the same requests again."""
    return f"scripts/torture requests --seeds 1 --seed {seed} --examples {examples} --borders {borders}"


def main():
    parser = argparse.ArgumentParser(prog="scripts/torture requests",
        description="Sends generated requests and checks every answer.")
    parser.add_argument("--seed", type=int, default=None, help="the first seed; a new one by default")
    parser.add_argument("--seeds", type=int, default=10, help="how many, each with a server of its own (10)")
    parser.add_argument("--examples", type=int, default=50, help="random requests to each operation (50)")
    parser.add_argument("--borders", type=int, default=0,
        help="requests at the borders of each operation's schemas, at least; all by default")
    options = parser.parse_args()
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    failed = 0
    for seed in range(first, first + options.seeds):
        repeat = repetition(seed, options.examples, options.borders)
        print(f"seed {seed}; again: {repeat}", flush=True)
        with Server("--signup", "open") as server:
            answers = Answers(server, seed, options.examples, options.borders)
        faults = list(answers.faults())
        failed += bool(faults)
        print("\n".join([*faults, f"{answers.count} requests, {len(faults)} faults"]), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
