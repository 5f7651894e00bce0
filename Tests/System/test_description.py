"""Valid and invalid generated requests get only answers that the server's description names."""
import subprocess
import unittest

from api import API
from described_requests import Answers, repetition
from server_process import QRING, SEED, Server

# Random requests to each operation, and requests at the borders of its schemas. `scripts/torture requests`
# sends all of these.
EXAMPLES, BORDERS = 1, 2


class DescriptionTests(unittest.TestCase):
    # Print each fault.
    maxDiff = None

    def test_the_command_prints_the_servers_description(self):
        with Server() as server:
            for command in ["openapi", "asyncapi"]:
                said = API(server).get(f"/{command}.json").expect(200).body
                printed = subprocess.run([QRING, command], capture_output=True, check=True).stdout
                self.assertEqual(printed, said + b"\n")

    def test_generated_requests_get_only_described_answers(self):
        with Server("--signup", "open") as server:
            faults = "\n".join(Answers(server, SEED, EXAMPLES, BORDERS).faults())
        self.assertEqual(faults, "", f"again: {repetition(SEED, EXAMPLES, BORDERS)}")


if __name__ == "__main__":
    unittest.main()
