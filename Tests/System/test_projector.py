"""The hall's screen for a signed-in host and for a presenter link: results on a key or a button, the reason
why nothing is shown, the number of held-back answers, and the end of a link."""
import unittest

from browser import PROJECTOR, Browser
from host import Host, check_in
from server_process import Server

CHOICE = {"kind": "multipleChoice", "title": "Which?", "choices": [{"label": "Red"}, {"label": "Blue"}]}


class ProjectorTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def setUp(self):
        self.session = self.host.session(session={"questions": [CHOICE]})
        self.path = f"/api/v1/sessions/{self.session['id']}"

    def screen(self, url=None, token=None):
        browser = self.enterContext(Browser(PROJECTOR))
        if token:
            browser.open(self.server.url)
            browser.driver.add_cookie({"name": "qring_token", "value": token, "httpOnly": True})
        browser.open(url or f"{self.server.url}/present/{self.session['id']}")
        return browser

    def link(self):
        return self.host.post(f"{self.path}/presenter-links").expect(201).json

    def answer(self, count, first=0):
        question = self.host.questions(self.session)["multipleChoice"]
        for number in range(first, first + count):
            receipt = check_in(self.host, self.session, f"Guest {number}",
                f"guest{number}@example.org").expect(201).json["receipt"]
            self.host.post(f"{self.path}/responses", {"answers": {question: ["a"]}},
                token=receipt).expect(201)

    def test_a_host_sees_why_nothing_is_shown_and_shares_it_with_a_key(self):
        self.answer(4)
        browser = self.screen(token=self.host.token)
        browser.wait_for_value(lambda: browser.find("#count").text, "4")
        body = browser.find("body")
        body.send_keys("r")
        browser.wait_for_text("#results", "No results are shared yet")
        browser.wait_for_text("#results", "4 answers so far")
        browser.wait_for_text("#results", "Press S")
        body.send_keys("s")
        browser.wait_for(lambda: browser.bars("#tally") == [["Red", "3", "100%"], ["Blue", "0", "0%"]])
        # The fourth is held back: the screen says so and shows nothing of it.
        browser.wait_for_text("#tally", "1 more answer is held back")
        # Pressing the wrong key hides nothing.
        body.send_keys("s")
        self.assertTrue(self.host.get(f"{self.path}/questions").json["shared"])
        self.answer(2, first=4)
        browser.wait_for(lambda: browser.bars("#tally") == [["Red", "6", "100%"], ["Blue", "0", "0%"]])
        browser.wait_for(lambda: "held back" not in browser.find("#tally").text)
        # The same key returns to the code.
        body.send_keys("r")
        browser.wait_for(lambda: browser.find("#code").is_displayed())
        self.assertEqual(browser.complaints(), [])

    def test_a_presenter_link_shows_why_and_follows_the_sharing(self):
        self.answer(3)
        browser = self.screen(self.link()["url"])
        browser.wait_for_value(lambda: browser.find("#count").text, "3")
        body = browser.find("body")
        body.send_keys("r")
        browser.wait_for_text("#results", "No results are shared yet")
        self.assertNotIn("Press S", browser.find("#results").text)
        body.send_keys("s")
        for shared in [True, False, True]:
            self.host.patch(f"{self.path}/sets/feedback", {"shared": shared}).expect(200)
            if shared:
                browser.wait_for(
                    lambda: browser.bars("#tally") == [["Red", "3", "100%"], ["Blue", "0", "0%"]])
            else:
                browser.wait_for_text("#results", "No results are shared yet")
        self.assertEqual(browser.complaints(), [])

    def test_without_questions_the_screen_says_so(self):
        self.session = self.host.session(session={"questions": []})
        browser = self.screen(token=self.host.token)
        browser.wait_for_value(lambda: browser.find("#count").text, "0")
        browser.find("body").send_keys("r")
        browser.wait_for_text("#results", "This session has no questions yet")

    def test_each_key_has_a_button_for_touch_screens(self):
        browser = self.screen(self.link()["url"])
        browser.wait_for_value(lambda: browser.find("#count").text, "0")
        results = browser.find("footer [data-key=r]")
        results.click()
        browser.wait_for(lambda: browser.find("#results").is_displayed())
        browser.wait_for_value(lambda: results.get_attribute("aria-pressed"), "true")
        browser.find("footer [data-key=q]").click()
        browser.wait_for(lambda: browser.find("#check-in").is_displayed())

    def test_the_keys_work_on_a_korean_keyboard(self):
        browser = self.screen(self.link()["url"])
        browser.wait_for_value(lambda: browser.find("#count").text, "0")
        # With an input method, the letter is Korean or unknown; the physical key is the same.
        for key in ["ㄱ", "Process"]:
            browser.driver.execute_script(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], code: 'KeyR', "
                "bubbles: true }))", key)
        browser.wait_for(lambda: not browser.find("#results").is_displayed())

    def test_a_hosts_screen_continues_after_its_link_has_ended(self):
        link = self.link()
        browser = self.screen(link["url"], token=self.host.token)
        browser.wait_for_value(lambda: browser.find("#count").text, "0")
        self.host.delete(f"{self.path}/presenter-links/{link['id']}").expect(204)
        self.answer(1)
        browser.wait_for(lambda: browser.find("#count").text == "1" and browser.find("#state").text == "live")

    def test_without_link_and_sign_in_the_screen_says_what_to_do(self):
        browser = self.screen()
        browser.wait_for_text("#state", "Sign in as a host")

    def test_a_viewer_may_not_share_results_and_sees_why(self):
        viewer = Host(self.server)
        meeting = self.host.get(self.path).json["meetingId"]
        invited = self.host.post(f"/api/v1/meetings/{meeting}/members",
            {"email": viewer.email, "role": "viewer"}).expect(201).json
        viewer.post("/api/v1/me/invitations", {"invitation": invited["id"]}).expect(200, 201)
        browser = self.screen(token=viewer.token)
        browser.wait_for_value(lambda: browser.find("#count").text, "0")
        browser.find("body").send_keys("r")
        browser.wait_for_text("#results", "No results are shared yet")
        browser.find("body").send_keys("s")
        browser.wait_for(lambda: browser.find("#state").text not in ("live", "reconnecting …"))
        self.assertFalse(self.host.get(f"{self.path}/questions").json["shared"])


if __name__ == "__main__":
    unittest.main()
