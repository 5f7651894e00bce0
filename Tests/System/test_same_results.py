"""The result of a question is the same on the hall's screen, the host's page, a phone and in a terminal: bars
in proportion to the people who answered, with count and percentage."""
import subprocess
import unittest

from selenium.webdriver.common.keys import Keys

from browser import OWN_ANSWER, PROJECTOR, Browser
from host import check_in, moment
from host_page import HostPageCase
from server_process import QRING, Server

CHOICE = {"kind": "multipleChoice", "title": "Which?", "choices": [{"label": "Red"}, {"label": "Blue"}]}
ROWS = [["Red", "2", "67%"], ["Blue", "1", "33%"]]


class SameResultTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def assert_bars(self, browser, place, mark=""):
        with self.subTest(place):
            browser.wait_for(lambda: browser.bars(place, mark) == ROWS)
            # The bars grow to their length.
            browser.wait_for(lambda: browser.driver.execute_script(
                "return [...document.querySelectorAll(`${arguments[0]} .bars .bar`)].map((one) => "
                "Math.round(parseFloat(getComputedStyle(one).backgroundSize)))", place) == [67, 33])

    def test_a_third_is_a_third_in_every_view(self):
        host, page = self.signed_in()
        session = host.session(session={"questions": [CHOICE], "anonymous": False})
        path = f"/api/v1/sessions/{session['id']}"
        host.patch(f"{path}/sets/feedback", {"shared": True}).expect(200)
        question = host.questions(session)["multipleChoice"]
        for number, answer in enumerate("ab"):
            receipt = check_in(host, session, f"Guest {number}",
                f"guest{number}@example.org").expect(201).json["receipt"]
            host.post(f"{path}/responses", {"answers": {question: [answer]}}, token=receipt).expect(201)
        phone = self.enterContext(Browser())
        phone.open(session["checkInUrl"])
        phone.find("#name").send_keys("Kim")
        phone.find("#email").send_keys("kim@example.org", Keys.ENTER)
        phone.find("form.feedback .choice").click()
        phone.find("form.feedback button[type=submit]").click()
        self.assert_bars(phone, "#live", OWN_ANSWER)
        page.show(f"sessions/{session['id']}")
        self.assert_bars(page, ".board")
        page.show(f"sessions/{session['id']}/results")
        self.assert_bars(page, ".tallies")
        phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": PROJECTOR[0], "height": PROJECTOR[1], "deviceScaleFactor": 1, "mobile": False})
        phone.open(host.post(f"{path}/presenter-links").expect(201).json["url"])
        phone.wait_for_value(lambda: phone.find("#count").text, "3")
        phone.find("body").send_keys("r")
        self.assert_bars(phone, "#tally")
        environment = {**Server.environment(), "HOME": self.server.folder, "QRING_LANG": "en",
            "QRING_SERVER": self.server.url, "QRING_TOKEN": host.token}
        printed = subprocess.run([QRING, "results", session["id"]], check=True, text=True,
            stdout=subprocess.PIPE, env=environment).stdout
        self.assertRegex(printed, r"Red   2  67% █{20}\n  Blue  1  33% █{10}\n")

    def test_the_bar_of_attendance_is_full_only_if_everybody_is_here(self):
        host, page = self.signed_in()
        made = host.meeting()
        people = [{"name": name, "email": f"{name}@example.org"} for name in "abc"]
        host.put(f"/api/v1/meetings/{made['meeting']['id']}/roster", {"people": people}).expect(200)
        check_in(host, made["session"], "a", "a@example.org").expect(201)
        page.show(f"sessions/{made['session']['id']}")
        page.wait_for(lambda: page.count("present") == 1)
        self.assertEqual(round(page.find(".attendance progress").get_property("position"), 2), 0.33)

    def test_a_start_in_six_days_is_said_in_days_and_hours(self):
        host, page = self.signed_in()
        later = 60 * 24 * 6 + 90
        session = host.session(session={"startsAt": moment(later), "endsAt": moment(later + 60)})
        page.show(f"sessions/{session['id']}")
        page.wait_for_text("#main", "Starts in 6 days 1 h")


if __name__ == "__main__":
    unittest.main()
