"""A few rounds of scripts/torture, each time with another seed; a failure names it."""
import random
import time
import unittest

import pytest

from torture import Torture

SECONDS = 12
MOST_ROUNDS = 6


@pytest.mark.alone("takes all of the processor")
class TortureTests(unittest.TestCase):
    def test_a_server_that_is_killed_in_the_middle_of_a_load_loses_nothing_it_acknowledged(self):
        seed = random.SystemRandom().randrange(1_000_000)
        torture = Torture(seed)
        end = time.monotonic() + SECONDS
        with self.subTest(again=f"scripts/torture --seed {seed}"):
            try:
                torture.prepare()
                for _ in range(MOST_ROUNDS):
                    self.assertGreater(torture.round(), 0)
                    torture.restart()
                    if time.monotonic() > end:
                        break
                torture.finish()
            finally:
                torture.server.close()


if __name__ == "__main__":
    unittest.main()
