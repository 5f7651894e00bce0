"""The cost of a check-in for a phone: requests, bytes, and the time until something is visible."""
import unittest

import pytest

from browser import Browser
from host import Host
from server_process import MEASURES, Server

MOST_VISITS = 40
COSTS = """
const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return { names: all.map(({ name }) => name), bytes: all.reduce((sum, one) => sum + one.transferSize, 0),
         paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null };
"""


@pytest.mark.alone("measures how soon a page is seen")
class PageWeightTests(unittest.TestCase):
    def test_a_check_in_page_takes_three_requests_and_30_kb_and_is_there_in_100_ms(self):
        with Server("--signup", "open") as server, Browser() as browser:
            url = Host(server).session()["checkInUrl"]
            paints = []
            # The first start of a browser on a busy machine does not count; each visit is without a cache.
            browser.driver.execute_cdp_cmd("Network.enable", {})
            browser.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
            # The fastest of a few visits is the page's own time; the rest is the machine's.
            while not paints or MEASURES and min(paints) >= 100 and len(paints) < MOST_VISITS:
                browser.open(url)
                costs = browser.wait_for(lambda: (found := browser.driver.execute_script(COSTS))["paint"]
                    and found)
                paints.append(costs["paint"])
                self.assertLessEqual(len(costs["names"]), 3, costs["names"])
                self.assertEqual([name for name in costs["names"] if not name.startswith(server.url)], [])
                self.assertLessEqual(costs["bytes"], 30_000)
            print(
                f"\ncheck-in page: {len(costs['names'])} requests, {costs['bytes']} bytes, first paint "
                f"{min(paints):.0f} ms, "
                  f"of {len(paints)}")
            if MEASURES:
                self.assertLess(min(paints), 100)
            self.assertEqual(browser.complaints(), [])


if __name__ == "__main__":
    unittest.main()
