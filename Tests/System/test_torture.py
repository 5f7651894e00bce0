"""A few rounds of scripts/torture. A failure prints how to repeat them."""
import unittest

import pytest

from server_process import SEED
from torture import Torture

ROUNDS = 8


@pytest.mark.alone("takes all of the processor")
class TortureTests(unittest.TestCase):
    def test_a_server_killed_under_load_loses_nothing_acknowledged(self):
        with self.subTest(again=f"scripts/torture kills --rounds {ROUNDS} --seed {SEED}"):
            Torture(SEED).run(ROUNDS)


if __name__ == "__main__":
    unittest.main()
