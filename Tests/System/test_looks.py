"""The colours of meetings, on the pages that show them."""
import unittest

from browser import PHONE, Browser
from contrast import CANVAS
from host import Host
from server_process import Server

# The lowest contrast of each pair of colours of a class, in the scheme of the page.
CONTRASTS = CANVAS + """
const box = document.body.appendChild(document.createElement("p"));
box.className = arguments[0];
const colour = (name) => {
  box.style.color = `var(--${name})`;
  return parts(getComputedStyle(box).color);
};
const pairs = [["accent-ink", "accent"], ["accent", "card"], ["accent", "paper"], ["accent", "accent-soft"],
  ["ink", "accent-soft"]];
const found = pairs.map(([one, other]) => [`${one} on ${other}`, ratio(colour(one), colour(other))]);
box.remove();
return Object.fromEntries(found);
"""


class AccentTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        creation = cls.host.get("/openapi.json").json["paths"]["/api/v1/meetings"]["post"]["requestBody"]
        cls.accents = creation["content"]["application/json"]["schema"]["properties"]["accent"]
        cls.accents = cls.accents["anyOf"][0]["enum"]

    def test_each_colour_is_another_one_and_keeps_the_contrast_of_its_texts(self):
        for scheme in ["light", "dark"]:
            with Browser(PHONE) as browser:
                browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                    {"name": "prefers-color-scheme", "value": scheme}]})
                # The start page has no style for the element that the test adds.
                browser.open(f"{self.server.url}/")
                seen = set()
                for accent in self.accents:
                    ratios = browser.driver.execute_script(CONTRASTS, f"accent-{accent}")
                    self.assertGreater(min(ratios.values()), 5, (accent, scheme, ratios))
                    seen.add(tuple(ratios.values()))
                self.assertEqual(len(seen), len(self.accents))

    def test_phones_and_the_hall_show_the_colour_of_the_meeting(self):
        session = self.host.session(accent="teal")
        with Browser(PHONE) as browser:
            colour = "return getComputedStyle(document.body).getPropertyValue('--accent')"
            browser.open(f"{self.server.url}/")
            own = browser.driver.execute_script(colour)
            browser.open(session["checkInUrl"])
            teal = browser.driver.execute_script(colour)
            self.assertNotEqual(teal, own)
            browser.find("#name").send_keys("Kim")
            browser.find("#email").send_keys("kim@example.org\ue007")
            browser.find("#live")
            self.assertEqual(browser.driver.execute_script(colour), teal)
            browser.open(f"{self.server.url}/present/{session['id']}")
            self.assertIn("accent-teal", browser.find("body").get_attribute("class"))
            path = f"/api/v1/meetings/{session['meetingId']}"
            self.host.patch(path, {"accent": None}).expect(200)
            browser.open(f"{self.server.url}/me/{session['id']}")
            self.assertEqual(browser.driver.execute_script(colour), own)

    def test_an_unknown_colour_is_refused_and_named(self):
        path = f"/api/v1/meetings/{self.host.session()['meetingId']}"
        refused = self.host.patch(path, {"accent": "pink"}).expect(422).json
        self.assertEqual([one["field"] for one in refused["errors"]], ["/accent"])
