"""Ten thousand attendees on a host's page: the cost of a frame, measured in the page."""
import asyncio
import statistics
import time
import unittest

import pytest

from check_in_load import check_in_all
from host import Host
from host_page import HostPage
from server_process import Server, measured

CROWD = 10_000
ARRIVING = 600
# One of these runs must be under the limit throughout, because other work on the machine disturbs some.
MOST_ATTEMPTS = 4
# Before any script of the page: measure the work for each frame, the time until the screen may show it, and
# every long task.
WATCH = """
  window.updates = []; window.longTasks = [];
  new PerformanceObserver((list) =>
    window.longTasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: 'longtask', buffered: true });
  const slot = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
  Object.defineProperty(WebSocket.prototype, 'onmessage', { ...slot, set(handler) {
    slot.set.call(this, (event) => {
      const arrived = performance.now();
      handler.call(this, event);
      const worked = performance.now() - arrived;
      requestAnimationFrame(() => setTimeout(() =>
        window.updates.push([worked, performance.now() - arrived, event.data.length])));
    });
  } });
"""


@pytest.mark.alone("measures how long a page works on an update")
class HostCrowdTests(unittest.TestCase):
    @measured
    def test_an_update_takes_less_than_a_tenth_of_a_second_with_ten_thousand_attendees(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        made = host.meeting("Hall", plannedCount=CROWD)
        session, path = made["session"], f"/api/v1/meetings/{made['meeting']['id']}/roster"
        people = "name,email\n" + "".join(f"Guest {number},guest{number}@example.org\n"
            for number in range(CROWD))
        host.request("PUT", path, body=people.encode(), headers={"Content-Type": "text/csv"}).expect(200)
        asyncio.run(check_in_all(server.port, session, range(1000), {}))
        arrived = 1000
        for tab in ["live", "people"]:
            with self.subTest(tab):
                page = self.enterContext(HostPage(server))
                page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
                page.sign_in(host.email)
                page.show(f"sessions/{session['id']}/{tab}")
                page.wait_for_text(".state", "live")
                for attempt in range(MOST_ATTEMPTS):
                    updates, tasks = self.updates(server, session, page, tab, arrived)
                    arrived += ARRIVING
                    worked, shown = [[update[place] for update in updates] for place in (0, 1)]
                    told = (
                        f"{tab}: {len(updates)} frames; worked on {statistics.median(worked):.1f} ms "
                        f"(longest {max(worked):.1f}), "
                            f"shown after {statistics.median(shown):.1f} ms (longest {max(shown):.1f}); long "
                            f"tasks {[round(task) for task in tasks]}")
                    print(told)
                    if max([*worked, statistics.median(shown), *tasks]) < 100:
                        break
                else:
                    self.fail(told)

    def updates(self, server, session, page, tab, arrived):
        """Returns what the page measured while more people checked in."""
        # The frames of earlier people are drawn.
        page.driver.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        page.driver.execute_script("window.updates.length = 0; window.longTasks.length = 0")
        came = {}
        asyncio.run(
            check_in_all(server.port, session, range(arrived, arrived + ARRIVING), came, connections=8))
        self.assertEqual(len(came), ARRIVING)
        if tab == "live":
            page.wait_for(lambda: page.count("present") == arrived + ARRIVING)
        page.wait_for(lambda: len(page.driver.execute_script("return window.updates")) > 5)
        return page.driver.execute_script("return [window.updates, window.longTasks]")


if __name__ == "__main__":
    unittest.main()
