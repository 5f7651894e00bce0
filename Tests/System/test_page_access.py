"""The pages for a phone and the hall's screen exclude nobody: axe-core, both languages, light and dark;
narrow, large, hostile and long texts."""
import contextlib
import unittest

import axe
from browser import PHONE, PROJECTOR, Browser
from host import Host, check_in
from server_process import Server

HOSTILE = "<img src=x onerror=alert(1)>"
LONG = "남궁아리랑고개너머황금들녘별빛가득한이름을가진사람" * 4
KINDS = [
    {"kind": "multipleChoice", "titles": {"ko": LONG, "en": "Drink"}, "detail": HOSTILE, "required": True,
     "choices": [{"label": LONG}, {"label": HOSTILE}, {"label": "Other", "other": True}]},
    {"kind": "multipleChoice", "title": "Several",
        "choices": [{"label": "a"}, {"label": "b"}, {"label": "c"}], "maxSelections": 2},
    {"kind": "shortAnswer", "title": HOSTILE, "maxLength": 200, "placeholder": "In your words"},
    {"kind": "rating", "title": "Stars", "required": True, "scale": 10},
    {"kind": "number", "title": "Age", "min": 0, "max": 120},
]


class PageAccessTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def session(self, **fields):
        return self.host.session(LONG, session={"questions": KINDS, **fields})

    def screens(self, browser, session):
        """Visits the pages as a phone does, and yields at each."""
        def click(css):
            browser.find(css).click()
        browser.open(self.server.url)
        yield "join"
        browser.find("#joinCode").send_keys("XXXXXX")
        click("button[type=submit]")
        browser.find("#joinCode-error")
        yield "join, refused"
        browser.open(self.server.url + "/C/NONE")
        yield "no such code"
        browser.open(session["checkInUrl"])
        browser.find(".remember")
        yield "check-in"
        click("button[type=submit]")
        browser.find("#name-error")
        yield "check-in, with mistakes"
        browser.find("#name").send_keys(LONG)
        browser.find("#email").send_keys("kim@example.org")
        click("button[type=submit]")
        browser.find(".mode")
        yield "checked in"
        click("form.feedback button[type=submit]")
        browser.find("fieldset .error")
        yield "feedback, with mistakes"
        click(".mode")
        yield "one question at a time"
        click(".mode")
        browser.find("fieldset .choice").click()
        browser.find("textarea").send_keys(HOSTILE)
        browser.find(".star", 3).click()
        click("form.feedback button[type=submit]")
        browser.wait_for(lambda: browser.find_all("#live .tally"))
        yield "thanks, with results"
        browser.open(browser.find("footer p a").get_property("href"))
        yield "my attendance"
        browser.open(session["checkInUrl"] + "?another=1")
        browser.find("#name").send_keys(HOSTILE)
        browser.find("#email").send_keys("lee@example.org")
        click("button[type=submit]")
        browser.find(".who")
        yield "the second on a phone"
        browser.open(session["checkInUrl"])
        browser.wait_for_text("#result", "?")
        yield "who is answering"

    def shared(self):
        """Creates a session whose results are shared."""
        session = self.session(anonymous=False)
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback", {"shared": True}).expect(200)
        ids = {}
        for question in self.host.get(f"/api/v1/sessions/{session['id']}/questions").json["questions"]:
            ids.setdefault(question["kind"], question["id"])
        for number in range(3):
            receipt = check_in(self.host, session, HOSTILE,
                f"guest{number}@example.org").expect(201).json["receipt"]
            answers = {ids["multipleChoice"]: ["a"], ids["shortAnswer"]: LONG, ids["rating"]: 4,
                ids["number"]: number}
            self.host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": answers},
                token=receipt).expect(201)
        return session

    def emulate(self, browser, scheme, width=PHONE[0]):
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": PHONE[1], "deviceScaleFactor": 1, "mobile": False})

    def test_axe_finds_nothing_on_a_phone(self):
        for language, scheme in [("en", "light"), ("ko", "dark"), ("en", "dark"), ("ko", "light")]:
            session = self.shared()
            with Browser(language=language) as browser:
                self.emulate(browser, scheme)
                for name in self.screens(browser, session):
                    with self.subTest(name, language=language, scheme=scheme):
                        self.assertEqual(axe.violations(browser.driver), [])
                        self.assertEqual(browser.find_all("img[src=x]"), [])
                        self.assertLessEqual(browser.width_of_content(), PHONE[0])
                self.assertEqual([line for line in browser.complaints() if " 4" not in line], [])

    def test_pages_reflow_at_320_px_and_with_text_at_twice_its_size(self):
        session = self.shared()
        with Browser(language="ko") as browser:
            self.emulate(browser, "light", width=320)
            browser.driver.execute_cdp_cmd("Page.enable", {})
            browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source":
                "addEventListener('DOMContentLoaded', () => "
                "document.documentElement.style.setProperty('font-size', '34px'))"})
            for name in self.screens(browser, session):
                with self.subTest(name):
                    self.assertLessEqual(
                        browser.driver.execute_script("return document.documentElement.scrollWidth"), 320)

    def test_axe_finds_nothing_on_the_halls_screen(self):
        session = self.shared()
        link = self.host.post(f"/api/v1/sessions/{session['id']}/presenter-links").expect(201).json
        for language in ["en", "ko"]:
            with Browser(PROJECTOR, language=language) as browser:
                browser.open(link["url"])
                browser.wait_for(lambda: browser.find("#code").get_attribute("src"))
                for key, scene in [("q", "#check-in"), ("r", "#results"), ("n", "#names")]:
                    browser.find("body").send_keys(key)
                    browser.wait_for(lambda: browser.find(scene).is_displayed())
                    # Texts that fade in have too little contrast at first.
                    browser.wait_for(lambda: browser.driver.execute_script(
                        "return document.getAnimations().every((one) => one.playState !== 'running')"))
                    with self.subTest(key, language=language):
                        self.assertEqual(axe.violations(browser.driver), [])
                        self.assertEqual((browser.width_of_content(), browser.height_of_content()), PROJECTOR)

    def test_a_printed_page_has_no_forms(self):
        with contextlib.ExitStack() as stack:
            browser = stack.enter_context(Browser())
            browser.open(self.session()["checkInUrl"])
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            browser.wait_for(lambda: not browser.find("form").is_displayed())
            browser.wait_for(lambda: browser.find("h1").is_displayed())


if __name__ == "__main__":
    unittest.main()
