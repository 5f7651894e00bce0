"""The server does what its description says: generated requests, right and wrong ones, meet no answer that it does not name."""
import collections
import json
import os
import subprocess
import sys
import tempfile
import unittest

from api import API
from described_cast import prepare
from server_process import QRING, Server

HERE = os.path.dirname(os.path.abspath(__file__))
SEED = "20261120"
SECONDS = 300
# Of each operation, beside the borders that are always tried: well under the time, unless the machine has other work.
EXAMPLES = 5
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance", "unsupported_method", "negative_data_rejection",
]
CONFIGURATION = """
hooks = "described_calls"

# A browser's cookie beside a bearer is nothing that anybody sends.
[generation]
with-security-parameters = false
# A NUL is refused wherever it stands, which no schema says.
allow-x00 = false

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "409", "412", "413", "415", "422", "428", "429"]

# Of a picture the schema says nothing, so that none is wrong by it.
[[operations]]
include-name = "PUT /api/v1/meetings/{id}/image"
checks.negative_data_rejection.expected-statuses = ["2xx", "4xx"]
"""


class DescriptionTests(unittest.TestCase):
    def test_the_command_prints_what_the_server_says(self):
        with Server() as server:
            for command in ["openapi", "asyncapi"]:
                said = API(server).get(f"/{command}.json").expect(200).body
                printed = subprocess.run([QRING, command], capture_output=True, check=True).stdout
                self.assertEqual(printed, said + b"\n")

    def test_generated_requests_meet_no_answer_that_is_not_described(self):
        with Server("--signup", "open") as server, tempfile.TemporaryDirectory() as folder:
            paths = {name: os.path.join(folder, name) for name in ["cast.json", "notes", "schemathesis.toml"]}
            with open(paths["cast.json"], "w", encoding="utf-8") as file:
                json.dump(prepare(server), file)
            with open(paths["schemathesis.toml"], "w", encoding="utf-8") as file:
                file.write(CONFIGURATION)
            run = subprocess.run(
                [sys.executable, "-m", "schemathesis.cli", "--config-file", paths["schemathesis.toml"], "run", f"{server.url}/openapi.json",
                 "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--max-time", str(SECONDS), "--seed", SEED,
                 "--continue-on-failure", "--no-color", "--warnings", "off", "--suppress-health-check", "all"],
                cwd=folder, env={**os.environ, "PYTHONPATH": HERE, "QRING_CAST": paths["cast.json"], "QRING_NOTES": paths["notes"]},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(run.returncode, 0, run.stdout[-30_000:])
            reached, silent = collections.defaultdict(set), set()
            with open(paths["notes"], encoding="utf-8") as file:
                for method, path, status, headers in map(json.loads, file):
                    reached[method, path].add(status)
                    silent.update((method, path, status, header) for header in headers)
            self.assertEqual(silent, set(), "headers that are sent and not described")
            described = {(method.upper(), path) for path, ways in API(server).get("/openapi.json").json["paths"].items() for method in ways}
            # A slow machine may not come to all of them in time.
            self.assertGreater(len(described & set(reached)), len(described) * 0.8, described - set(reached))
            for operation in sorted(described & set(reached)):
                # One's own pages know whose they are by a phone's cookie, which no generated request has: test_own_pages.py reaches them.
                if operation[1].startswith("/me/"):
                    continue
                with self.subTest(operation=operation):
                    self.assertTrue(any(200 <= status < 300 for status in reached[operation]), sorted(reached[operation]))


if __name__ == "__main__":
    unittest.main()
