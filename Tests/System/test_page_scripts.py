"""The scripts of the pages for a phone: rules beside the fields, the keyboard, the device's memory, live
questions and results."""
import unittest

from selenium.webdriver.common.keys import Keys

from browser import PROJECTOR, Browser
from host import Host, check_in
from server_process import Server

KINDS = [
    {"kind": "multipleChoice", "title": "Drink", "required": True,
        "choices": [{"label": "Tea"}, {"label": "Water"}]},
    {"kind": "shortAnswer", "title": "Why", "maxLength": 20,
     "rules": [{"type": "minMaxLength", "target": [3, "-"], "message": "Three or more, please"}]},
    {"kind": "rating", "title": "Stars", "required": True},
    {"kind": "number", "title": "Age", "min": 0, "max": 120},
]


class PageScriptTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def browser(self, *arguments, **options):
        browser = self.enterContext(Browser(*arguments, **options))
        self.addCleanup(lambda: self.assertEqual(browser.complaints(), []))
        return browser

    def setUp(self):
        self.session = self.host.session(session={"questions": KINDS})
        self.results = f"/api/v1/sessions/{self.session['id']}/results"

    def enter(self, browser, name="Kim", email="kim@example.org"):
        browser.open(self.session["checkInUrl"])
        browser.find("#name").send_keys(name)
        browser.find("#email").send_keys(email, Keys.ENTER)
        browser.wait_for_text("#result", name)

    def press(self, browser, *keys):
        browser.driver.switch_to.active_element.send_keys(*keys)

    def wait_for_focus(self, browser, name):
        browser.wait_for_value(lambda: browser.driver.execute_script(
            "const e = document.activeElement; return e.name || e.className || e.tagName"), name)

    def test_an_answer_that_repeats_another_is_compared_with_it_beside_the_field(self):
        path = f"/api/v1/sessions/{self.session['id']}/questions?set=check-in"
        first, second = self.host.put(path, {"questions": [
            {"kind": "shortAnswer", "title": "Nick", "name": "nick"},
            {"kind": "shortAnswer", "title": "Again",
                "rules": [{"type": "sameAs", "question": "nick", "message": "Not the same"}]}]}).expect(
                    200).json["questions"]
        browser = self.browser()
        browser.open(self.session["checkInUrl"])
        nick, again = (browser.find(f"[data-question='{question['id']}'] :is(input, textarea)")
            for question in (first, second))
        nick.send_keys("sky")
        again.send_keys("sea", Keys.TAB)
        browser.wait_for_text(f"#q_{second['id']}_error", "Not the same")
        again.clear()
        again.send_keys("sky", Keys.TAB)
        browser.wait_for_value(lambda: browser.find(f"#q_{second['id']}_error").text, "")

    def test_errors_appear_when_a_field_is_left_and_then_follow_the_input(self):
        browser = self.browser()
        browser.open(self.session["checkInUrl"])
        browser.find("#name").send_keys("Kim")
        browser.find("#email").send_keys("kim@")
        self.assertEqual(browser.find_all(".error"), [])
        self.press(browser, Keys.TAB)
        browser.wait_for_text("#email-error", "kim@example.org")
        browser.wait_for_text(".waits", "Your e-mail address")
        browser.find("#email").send_keys("example.org")
        browser.wait_for_value(
            lambda: [browser.find(css).text for css in ("#email-error", ".waits")], ["", ""])
        browser.wait_for_value(lambda: browser.find("#email").get_attribute("aria-invalid"), None)
        # 100 characters as people count them: each family is one.
        browser.find("#name").clear()
        browser.driver.execute_script("arguments[0].value = '👨‍👩‍👧'.repeat(100)", browser.find("#name"))
        browser.find("#name").send_keys("가")
        browser.find("#email").click()
        browser.wait_for_text("#name-error", "Too long by 1")
        browser.find("#name").send_keys(Keys.BACKSPACE)
        browser.wait_for_value(lambda: browser.find("#name-error").text, "")

    def test_an_attendee_checks_in_and_answers_by_keyboard_alone(self):
        browser = self.browser()
        browser.open(self.session["checkInUrl"])
        self.press(browser, Keys.TAB)
        self.wait_for_focus(browser, "name")
        # Enter moves to the next field; after the last one it sends, and stops at a missing answer.
        self.press(browser, "Kim", Keys.ENTER)
        self.wait_for_focus(browser, "email")
        self.press(browser, Keys.ENTER)
        browser.wait_for_text("#email-error", "Enter your e-mail address.")
        self.wait_for_focus(browser, "email")
        self.press(browser, "kim@example.org", Keys.ENTER)
        browser.wait_for_text("#result", "Kim")
        self.wait_for_focus(browser, "H1")
        browser.find(".mode")
        # The first stops are the link to the calendar and the whole promise.
        self.press(browser, Keys.TAB, Keys.TAB, Keys.TAB)
        browser.wait_for(lambda: "mode" in browser.driver.switch_to.active_element.get_attribute("class"))
        self.press(browser, Keys.TAB, Keys.SPACE)
        self.press(browser, Keys.ENTER)
        self.press(browser, "because", Keys.TAB)
        self.press(browser, Keys.SPACE, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.press(browser, Keys.ENTER)
        self.press(browser, "42", Keys.ENTER)
        browser.wait_for_text("#result", "Thank you")
        found = self.host.get(self.results).expect(200).json
        self.assertEqual(found["responses"], 1)

    def test_one_question_at_a_time_with_progress_is_remembered(self):
        browser = self.browser()
        self.enter(browser)
        browser.find(".mode").click()
        shown = lambda: [field.is_displayed() for field in browser.find_all("fieldset")]
        browser.wait_for_value(shown, [True, False, False, False])
        browser.wait_for_value(lambda: browser.find(".progress").text, "Question 1 of 4")
        browser.wait_for(lambda: not browser.find("form.feedback button[type=submit]").is_displayed())
        browser.find(".next").click()
        # Required answers are requested here.
        browser.wait_for(lambda: browser.find("fieldset .error").is_displayed())
        browser.wait_for_value(shown, [True, False, False, False])
        browser.find("fieldset .choice").click()
        browser.find(".next").click()
        browser.find("textarea").send_keys("xy")
        browser.find(".next").click()
        browser.wait_for_text("form", "Three or more, please")
        browser.find("textarea").send_keys("z")
        browser.wait_for_value(lambda: browser.find(".count").text, "3 of 20 characters")
        browser.find(".next").click()
        browser.wait_for_value(lambda: browser.find(".progress").text, "Question 3 of 4")
        browser.open(self.session["checkInUrl"])
        # The draft and the way to answer are stored on the device.
        browser.wait_for_value(shown, [True, False, False, False])
        browser.wait_for_value(lambda: browser.find("textarea").get_property("value"), "xyz")
        browser.wait_for(lambda: browser.find("fieldset input").is_selected())
        browser.find(".mode").click()
        browser.find(".star", 4).click()
        browser.find("form.feedback button[type=submit]").click()
        browser.wait_for_text("#result", "Thank you")
        kept = browser.driver.execute_script("return Object.keys(localStorage)")
        self.assertEqual([key for key in kept if "draft" in key], [])

    def test_the_device_remembers_a_person_only_if_they_tick_the_box(self):
        browser = self.browser()
        self.enter(browser, "Lee", "lee@example.org")
        self.assertEqual(browser.driver.execute_script("return localStorage.getItem('qring-me')"), None)
        self.session = self.host.session()
        browser.open(self.session["checkInUrl"])
        browser.find(".remember").click()
        browser.find("#name").send_keys("Kim")
        browser.find("#email").send_keys("kim@example.org")
        browser.find("button[type=submit]").click()
        browser.wait_for_text("#result", "Kim")
        self.session = self.host.session()
        browser.open(self.session["checkInUrl"])
        browser.wait_for(lambda: browser.find("#email").get_property("value") == "kim@example.org")
        browser.find(".remember").click()
        browser.find("button[type=submit]").click()
        browser.wait_for_text("#result", "Kim")
        self.assertEqual(browser.driver.execute_script("return localStorage.getItem('qring-me')"), None)

    def test_a_form_whose_scan_expired_keeps_its_input_for_the_next_scan(self):
        browser = self.browser()
        browser.open(self.session["checkInUrl"])
        browser.find("#name").send_keys("Slow Typer")
        browser.find("#email").send_keys("slow@example.org")
        # Ten minutes cannot pass in a test: the answer that the server gives then is put in its place here.
        browser.driver.execute_script("""
            const page = document.documentElement.cloneNode(true);
            const form = page.querySelector("form");
            form.classList.add("expired");
            form.querySelector("#name").setAttribute("value", "Slow Typer");
            form.querySelector("#email").setAttribute("value", "slow@example.org");
            window.fetch = async () => new Response(page.outerHTML, { status: 422 });
            document.querySelector("form button[type=submit]").click();
        """)
        browser.find("form.expired")
        browser.find("#name").send_keys(" II")
        browser.open(self.session["checkInUrl"])
        browser.wait_for_value(lambda: browser.find("#name").get_attribute("value"), "Slow Typer II")
        browser.wait_for_value(lambda: browser.find("#email").get_attribute("value"), "slow@example.org")
        # Another person on the same phone begins with an empty form.
        browser.open(self.session["checkInUrl"] + "?another=1")
        browser.wait_for_value(lambda: browser.find("#name").get_attribute("value"), "")
        browser.open(self.session["checkInUrl"])
        browser.find("form button[type=submit]").click()
        browser.wait_for_text("#result", "Slow Typer II")
        kept = browser.driver.execute_script(
            "return Object.keys(localStorage).filter((key) => key.startsWith('qring-typed:'))")
        self.assertEqual(kept, [])

    def test_an_opened_poll_appears_and_shared_results_are_live(self):
        path = f"/api/v1/sessions/{self.session['id']}"
        question, = self.host.put(f"{path}/questions?set=vote", {"title": "The vote", "questions": [
            {"kind": "multipleChoice", "title": "Which?",
                "choices": [{"label": "Red"}, {"label": "Blue"}]}]}).expect(200).json["questions"]
        browser = self.browser()
        self.enter(browser)
        browser.driver.execute_script("window.isTheSamePage = true")
        self.assertEqual(browser.find_all("form[data-set=vote]"), [])
        self.host.patch(f"{path}/sets/vote", {"open": True, "shared": True, "anonymous": False}).expect(200)
        form = browser.find("form[data-set=vote]")
        self.assertIn("The vote", form.text)
        self.assertTrue(browser.driver.execute_script("return window.isTheSamePage"))
        form.find_elements("css selector", ".choice")[1].click()
        form.find_element("css selector", "button[type=submit]").click()
        browser.wait_for_text("#result", "Thank you")
        for number in range(3):
            receipt = check_in(self.host, self.session, f"Guest {number}",
                f"guest{number}@example.org").expect(201).json["receipt"]
            self.host.post(f"{path}/responses", {"set": "vote", "answers": {question["id"]: ["a"]}},
                token=receipt).expect(201)
        browser.wait_for(
            lambda: [row.text.split() for row in browser.find_all("#live .bars li")] == [
                ["Red", "3", "75%"], ["Blue", "Your", "answer", "1", "25%"]])

    def test_the_note_on_sharing_follows_the_host(self):
        path = f"/api/v1/sessions/{self.session['id']}"
        self.host.put(f"{path}/questions?set=vote",
            {"questions": [{"kind": "rating", "title": "How?"}], "anonymous": False}).expect(200)
        self.host.patch(f"{path}/sets/vote", {"open": True}).expect(200)
        browser = self.browser()
        self.enter(browser)
        form = browser.find("form[data-set=vote]")
        form.find_elements("css selector", ".star")[2].click()
        form.find_element("css selector", "button[type=submit]").click()
        browser.wait_for_text("#live", "stored with your name")
        for shared in [True, False]:
            self.host.patch(f"{path}/sets/vote", {"shared": shared}).expect(200)
            browser.wait_for(lambda: ("If the host shares" in browser.find("#live").text) != shared)
            browser.wait_for(lambda: bool(browser.find_all("#live .bars")) == shared)

    def test_stars_are_outlines_until_they_are_chosen(self):
        browser = self.browser()
        self.enter(browser)
        browser.find(".star")
        stars = browser.find_all(".star")

        def drawn():
            return [
                browser.driver.execute_script(
                    "return getComputedStyle(arguments[0].querySelector('span'), '::before').content",
                    star).strip('"')
                    for star in stars]

        browser.wait_for_value(drawn, ["☆"] * 5)
        stars[2].click()
        browser.wait_for_value(drawn, ["★"] * 3 + ["☆"] * 2)

    def test_the_projector_shows_results_and_names_on_a_key(self):
        self.session = self.host.session(session={"questions": KINDS, "anonymous": False})
        path = f"/api/v1/sessions/{self.session['id']}"
        link = self.host.post(f"{path}/presenter-links").expect(201).json
        browser = self.browser(PROJECTOR)
        browser.open(link["url"])
        browser.wait_for_value(lambda: browser.find("#count").text, "0")
        body = browser.find("body")
        body.send_keys("r")
        browser.wait_for_text("#results", "No results are shared yet")
        self.host.patch(f"{path}/sets/feedback", {"shared": True}).expect(200)
        ids = self.host.questions(self.session)
        for number in range(4):
            receipt = check_in(self.host, self.session, f"Guest {number}",
                f"guest{number}@example.org").expect(201).json["receipt"]
            answers = {ids["multipleChoice"]: ["a" if number else "b"], ids["rating"]: 5,
                ids["number"]: 20 + number}
            self.host.post(f"{path}/responses", {"answers": answers}, token=receipt).expect(201)
        browser.wait_for(
            lambda: [row.text.split() for row in browser.find_all("#tally .bars li")] == [["Tea", "3", "75%"],
                ["Water", "1", "25%"]])
        seen = set()
        for _ in KINDS:
            seen.add(browser.find("#tally h3").text)
            self.assertEqual((browser.width_of_content(), browser.height_of_content()), PROJECTOR)
            body.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(seen, {"Drink", "Why", "Stars", "Age"})
        # A presenter link opens no names: none are on the screen before or after.
        self.assertNotIn("Guest", body.text)
        body.send_keys("n")
        browser.wait_for_text("#names", "members who are signed in")
        self.assertNotIn("Guest", body.text)
        body.send_keys("q")
        browser.wait_for(lambda: browser.codes_on_screen() == [self.session["checkInUrl"]])

    def test_the_code_on_the_projector_follows_the_one_that_rotates(self):
        session = self.host.session(session={"codeKind": "rotating"})
        browser = self.browser(PROJECTOR)
        browser.open(
            self.host.post(f"/api/v1/sessions/{session['id']}/presenter-links").expect(201).json["url"])
        # A browser starts slowly, and the code on the screen is not valid for long.
        phone = self.browser()
        first = browser.wait_for(browser.codes_on_screen)
        second = browser.wait_for(lambda: (seen := browser.codes_on_screen()) and seen != first and seen)
        # The code on the screen checks people in, although it changes while they type.
        phone.open(second[0])
        phone.find("#name").send_keys("Kim")
        phone.find("footer a[lang=ko]").click()
        phone.find("html[lang=ko] .remember")
        phone.find("#name").send_keys("Kim")
        phone.find("#email").send_keys("kim@example.org", Keys.ENTER)
        phone.wait_for_text("#result", "Kim")

    def test_a_member_who_is_signed_in_shows_the_names_that_arrive(self):
        browser = self.browser(PROJECTOR)
        browser.open(self.server.url)
        browser.driver.add_cookie({"name": "qring_token", "value": self.host.token, "httpOnly": True})
        browser.open(f"{self.server.url}/present/{self.session['id']}")
        browser.wait_for_value(lambda: browser.find("#count").text, "0")
        hostile = "<img src=x onerror=alert(1)>"
        check_in(self.host, self.session, hostile, "kim@example.org").expect(201)
        browser.wait_for_value(lambda: browser.find("#count").text, "1")
        browser.wait_for(lambda: not browser.find("#names").is_displayed())
        browser.find("body").send_keys("n")
        browser.wait_for_text("#names", hostile)
        check_in(self.host, self.session, "가" * 100, "lee@example.org").expect(201)
        browser.wait_for_text("#names", "가" * 100)
        self.assertEqual((browser.width_of_content(), browser.height_of_content()), PROJECTOR)
        browser.find("body").send_keys("n")
        browser.wait_for(lambda: not browser.find("#names").is_displayed())


if __name__ == "__main__":
    unittest.main()
