"""axe-core in a page: finds what would exclude people, with the rule for the size of targets on."""
import os

import axe_playwright_python

SOURCE = os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")
# An element that is fading has a colour of its own at each moment, so the rules wait for its end.
RUN = """
const done = arguments[0];
const ends = ({ effect }) => effect.getComputedTiming().endTime < Infinity;
const moving = document.getAnimations().filter((one) => one.playState === 'running' && ends(one));
const options = { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] };
Promise.allSettled(moving.map(({ finished }) => finished)).then(() => axe.run(document, options))
  .then(({ violations }) => done(violations.map(({ id, nodes }) =>
    [id, nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`)])));
"""


def violations(driver):
    """Returns an empty list, or each rule with the elements that violate it."""
    # The script has half a megabyte, so a document loads it once.
    if not driver.execute_script("return 'axe' in window"):
        with open(SOURCE, encoding="utf-8") as file:
            driver.execute_script(file.read())
    return driver.execute_async_script(RUN)
