"""In a real Chromium, a phone scans the code, checks in and answers, with and without JavaScript, and the
projector counts."""
import os
import tempfile
import unittest

from browser import PHONE, PROJECTOR, Browser
from host import Host, check_in
from qr_reading import decode
from server_process import Server

LONG_NAME = "남궁아리랑고개너머황금들녘별빛가득한이름을가진사람" * 3
LONG_MEETING = "서울 스위프트 개발자들의 정기 스터디 모임과 네트워킹의 밤 그리고 아주 긴 이름"


class BrowserTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def browser(self, *arguments, **options):
        return self.enterContext(Browser(*arguments, **options))

    def scan(self, session):
        """Returns the URL that a phone reads from the picture."""
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "code.png")
            with open(place, "wb") as file:
                file.write(self.host.get(f"/api/v1/sessions/{session['id']}/qr.png").expect(200).body)
            return decode(place)[0]

    def check_in_and_answer(self, browser, session, name, email):
        """Returns the attendee as the host sees them."""
        browser.open(self.scan(session))
        browser.find("#name").send_keys(name)
        browser.find("#email").send_keys(email)
        browser.find("button").click()
        browser.wait_for_text("#result", name)
        self.assertEqual(browser.width_of_content(), PHONE[0])
        people = self.host.all(f"/api/v1/sessions/{session['id']}/attendees")
        attendee = next(person for person in people if person["email"] == email)
        self.assertEqual((attendee["name"], attendee["status"], attendee["method"]), (name, "present", "qr"))

        browser.find("form.feedback input[type=checkbox]", 1).click()
        browser.find("form.feedback textarea").send_keys("More room, 감사합니다")
        browser.find(".star", 3).click()
        browser.find("form.feedback button[type=submit]").click()
        browser.wait_for(lambda: browser.find(".done") and not browser.find_all("form"))
        self.assertEqual(browser.width_of_content(), PHONE[0])

    def assert_answered(self, session, responses):
        found = self.host.get(f"/api/v1/sessions/{session['id']}/results").expect(200).json
        self.assertEqual(found["responses"], responses)

    def test_a_phone_scans_checks_in_and_answers(self):
        session = self.host.session(LONG_MEETING)
        browser = self.browser()
        self.check_in_and_answer(browser, session, LONG_NAME, "min@example.org")
        self.assert_answered(session, 1)
        browser.wait_for_text("#result", "Thank you")
        # The same phone gets its own page, and cannot answer twice.
        browser.open(session["checkInUrl"])
        browser.wait_for_text("#result", LONG_NAME)
        self.assertEqual(browser.find_all("form"), [])
        self.assertEqual(browser.complaints(), [])

    def test_a_phone_without_javascript_checks_in_and_answers_in_korean(self):
        session = self.host.session(LONG_MEETING)
        browser = self.browser(language="ko", javascript=False)
        self.check_in_and_answer(browser, session, "김하나", "hana@example.org")
        self.assert_answered(session, 1)
        browser.wait_for_value(lambda: browser.find("#result").text, "감사합니다")
        # Without JavaScript the form leads to another address; with JavaScript the page stays.
        self.assertTrue(browser.driver.current_url.endswith("/feedback"))

    def test_a_form_with_an_error_keeps_the_input(self):
        session = self.host.session()
        browser = self.browser()
        browser.open(session["checkInUrl"])
        browser.find("#name").send_keys("Kim")
        # The browser accepts it and the server does not: at most 64 characters may come before the @.
        wrong = "k" * 65 + "@example.org"
        browser.find("#email").send_keys(wrong)
        browser.find("button").click()
        browser.wait_for_text("#email-error", "e-mail address")
        self.assertEqual([browser.find(f"#{id}").get_property("value") for id in ["name", "email"]],
            ["Kim", wrong])
        browser.find("#email").clear()
        browser.find("#email").send_keys("kim@example.org")
        browser.find("button").click()
        browser.wait_for_text("#result", "Kim")
        self.assertEqual(len(self.host.all(f"/api/v1/sessions/{session['id']}/attendees")), 1)

    def test_a_form_is_stored_and_sent_when_the_network_is_back(self):
        session = self.host.session()
        browser = self.browser()
        browser.open(session["checkInUrl"])
        browser.find("#name").send_keys("Kim")
        browser.find("#email").send_keys("kim@example.org")
        network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": True})
        browser.find("button").click()
        browser.wait_for_text("[role=status]", "Trying again")
        browser.wait_for_value(lambda: browser.find("#name").get_property("value"), "Kim")
        self.assertEqual(self.host.all(f"/api/v1/sessions/{session['id']}/attendees"), [])
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "offline": False})
        browser.wait_for_text("#result", "Kim")
        self.assertEqual(len(self.host.all(f"/api/v1/sessions/{session['id']}/attendees")), 1)

    def test_the_projector_counts_up_without_a_reload_and_shows_the_code(self):
        session = self.host.session(LONG_MEETING, plannedCount=120)
        link = self.host.post(f"/api/v1/sessions/{session['id']}/presenter-links").expect(201).json
        browser = self.browser(PROJECTOR)
        browser.open(link["url"])
        browser.wait_for_value(lambda: browser.find("#count").text, "0")
        browser.wait_for(lambda: browser.codes_on_screen() == [session["checkInUrl"]])
        browser.wait_for_value(lambda: browser.find("#name").text, LONG_MEETING)
        browser.wait_for_value(lambda: browser.find("#join").text, session["joinCode"])
        browser.wait_for_text("#planned", "120")
        # A reload would lose this value.
        browser.driver.execute_script("window.isTheSamePage = true")
        for count in range(1, 4):
            check_in(self.host, session, f"Guest {count}", f"guest{count}@example.org").expect(201)
            browser.wait_for_value(lambda: browser.find("#count").text, str(count))
        self.assertTrue(browser.driver.execute_script("return window.isTheSamePage"))
        # A photo of the screen gives no right, and no scroll bar hides a part of the code.
        self.assertNotIn(link["token"], browser.driver.current_url)
        self.assertEqual((browser.width_of_content(), browser.height_of_content()), PROJECTOR)
        self.assertEqual(browser.complaints(), [])
        # The screen shows a new code as soon as the host renews it.
        new = self.host.patch(f"/api/v1/sessions/{session['id']}", {"renewCode": True}).expect(200).json
        browser.wait_for(lambda: browser.codes_on_screen() == [new["checkInUrl"]])
        # After the link is revoked, the screen ends.
        self.host.delete(f"/api/v1/sessions/{session['id']}/presenter-links/{link['id']}").expect(204)
        browser.wait_for_text("#state", "no longer works")


if __name__ == "__main__":
    unittest.main()
