"""The ordinary story in a real browser, in which no request fails and nothing is thrown: signing up and in, a
meeting, its session, the projector, a phone that checks in and answers. The console stays empty."""
import unittest

from browser import PHONE, PROJECTOR, Browser
from host import PASSWORD
from host_page import HostPage, HostPageCase
from server_process import Server


class QuietConsoleTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def assert_quiet(self, page, where):
        self.assertEqual(page.complaints(), [], where)

    def test_the_ordinary_story_logs_no_error_in_the_console(self):
        page = self.page(PHONE)
        page.show("")
        page.find("#f-password")
        self.assert_quiet(page, "who is not signed in")
        page.show("sign-up")
        for css, text in [("#f-email", "host@example.org"), ("#f-password", PASSWORD), ("#f-name", "Kim")]:
            page.find(css).send_keys(text)
        page.click("#f-terms")
        page.click("button[type=submit]")
        page.wait_for_text("h1", "Your meetings")
        self.assert_quiet(page, "signing up")
        page.click_text("Start a meeting now")
        page.wait_for(lambda: page.count("present") == 0)
        session = page.driver.current_url.split("#/sessions/")[1].split("/")[0]
        for tab in ["People", "Questions", "Results", "Review", "Settings", "Live"]:
            page.click_text(tab)
            page.wait_for_text(".tabs [aria-current]", tab)
        self.assert_quiet(page, "the session")
        self.write_a_question(page, session)
        link = page.driver.execute_script("return document.querySelector('h1 a').href")
        page.driver.get(link)
        page.wait_for_text("h2", "Sessions")
        self.assert_quiet(page, "the meeting")
        page.show(f"sessions/{session}")
        page.wait_for(lambda: page.count("present") == 0)
        url = page.wait_for(page.codes_on_screen)[0]

        self.people_come(url)
        page.wait_for(lambda: page.count("present") == 1)
        page.show("account")
        page.click_text("Sign out")
        page.wait_for(lambda: page.driver.current_url.endswith("#/sign-in"))
        page.driver.refresh()
        page.find("#f-password")
        self.assert_quiet(page, "signing out")
        page.sign_in("host@example.org")
        # A host who was signed in returns without a failed request first.
        page.driver.delete_cookie("qring_token")
        page.driver.refresh()
        page.wait_for_text("h1", "Your meetings")
        self.assert_quiet(page, "coming back")
        screen = page
        screen.driver.get(f"{self.server.url}/present/{session}")
        screen.wait_for_value(lambda: screen.find("#count").text, "1")
        for key in ["r", "n", "q"]:
            screen.find("body").send_keys(key)
        self.assert_quiet(screen, "the projector")

    def write_a_question(self, page, session):
        page.show(f"sessions/{session}/questions")
        page.click_text("+ Rating")
        page.find("#q0-title").send_keys("How was it?")
        page.click_text("Save")
        page.wait_for_text("#said", "Saved")
        page.click_text("Feedback: Share results")
        page.wait_for(lambda: [one for one in page.find_all("button") if one.text == "Stop sharing"])
        self.assert_quiet(page, "questions")

    def people_come(self, url):
        phone = self.enterContext(Browser(PHONE))
        phone.open(self.server.url)
        phone.open(url)
        phone.find("#name").send_keys("Lee")
        phone.find("#email").send_keys("lee@example.org")
        phone.find("button[type=submit]").click()
        phone.wait_for_text("#result", "Lee")
        phone.find(".star", 4).click()
        phone.find("form.feedback button[type=submit]").click()
        phone.wait_for_text("#result", "Thank you")
        phone.wait_for_text("#live", "Shown from 3 answers")
        phone.find(".parts [data-part=me] a").click()
        phone.wait_for_text("h1", "My attendance")
        self.assert_quiet(phone, "the phone")


if __name__ == "__main__":
    unittest.main()
