"""A live poll in real browsers: two phones, the host's page, the hall's screen and a terminal follow it from
its opening to its shared result. The pages measure the times themselves, with the clock of this machine."""
import unittest

import pytest

from browser import OWN_ANSWER, PHONE, PROJECTOR, Browser
from host import check_in
from host_page import HostPageCase
from server_process import MEASURES, Server, Stopwatch
from terminal import Terminal

MOST_MS = 300
# Notes when the page first shows a text outside its scripts.
AWAIT = """
    const [selector, text] = arguments;
    window.shownAt = null;
    const look = () => {
        const shown = [...document.querySelectorAll(selector)].some((one) => one.innerText?.includes(text));
        if (shown) window.shownAt ??= Date.now();
    };
    new MutationObserver(look).observe(document.documentElement,
        { childList: true, subtree: true, characterData: true, attributes: true });
"""


@pytest.mark.alone("measures how soon everybody sees a poll")
class LivePollTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def await_text(self, browsers, selector, text):
        for browser in browsers:
            browser.driver.execute_script(AWAIT, selector, text)

    def assert_shown_soon(self, browsers, since):
        for browser in browsers:
            shown = browser.wait_for(lambda: browser.driver.execute_script("return window.shownAt"))
            if MEASURES:
                self.assertLess(1000 * self.watch.without_waits((shown - since) / 1000), MOST_MS)

    def pressed(self, browser, element):
        """Clicks the element and returns the time of the click."""
        self.watch = Stopwatch()
        return browser.driver.execute_script(
            "const at = Date.now(); arguments[0].click(); return at", element)

    def phone(self, name):
        phone = self.enterContext(Browser(PHONE))
        phone.open(self.session["checkInUrl"])
        phone.find("#name").send_keys(name)
        phone.find("#email").send_keys(f"{name.lower()}@example.org\n")
        phone.wait_for_text("body", "You are checked in")
        return phone

    def test_everybody_follows_a_poll_from_its_opening_to_its_shared_result(self):
        host, page = self.signed_in()
        self.session = host.session(session={"questions": []})
        phones = [self.phone("Kim"), self.phone("Lee")]
        hall = self.enterContext(Browser(PROJECTOR))
        hall.open(host.post(f"/api/v1/sessions/{self.session['id']}/presenter-links").expect(201).json["url"])
        hall.wait_for_value(lambda: hall.find("#count").text, "2")
        terminal = self.enterContext(Terminal(self.server.url, host.token, columns=120, rows=40))
        terminal.dashboard(self.session["id"])
        terminal.wait_for_text("2 checked in")
        page.show(f"sessions/{self.session['id']}")
        # The host asks.
        page.click(".ask-now")
        page.find("#f-ask").send_keys("A break?")
        page.fill("#f-ask-kind", "yesNo")
        self.await_text(phones, "form.feedback", "A break?")
        self.await_text([hall], "body", "A break?")
        asked = self.pressed(page, page.find("dialog button[type=submit]"))
        self.assert_shown_soon([*phones, hall], asked)
        terminal.wait_for_text("A break?")
        # The phones answer, and the hall counts.
        for count, phone in enumerate(phones, 1):
            phone.find("form.feedback .choice").click()
            self.await_text([hall], "body", f"{count} {'answer' if count == 1 else 'answers'}")
            sent = self.pressed(phone, phone.find("form.feedback button[type=submit]"))
            self.assert_shown_soon([hall], sent)
        # The host closes the poll and shares its result with everybody.
        self.await_text(phones, "#live", "100%")
        self.await_text([hall], "#tally", "100%")
        closed = self.pressed(page, page.wait_for(lambda: next(
            (one for one in page.find_all(".live button") if one.text == "Close and share"), None)))
        self.assert_shown_soon([*phones, hall], closed)
        for phone in phones:
            phone.wait_for(
                lambda: phone.bars("#live", OWN_ANSWER) == [["Yes", "2", "100%"], ["No", "0", "0%"]])
        terminal.wait_for_line(r"Yes.*2.*100")


if __name__ == "__main__":
    unittest.main()
