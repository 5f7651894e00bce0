"""Questions from the audience exclude nobody: axe-core finds nothing on the phone's page in its states,
and nothing on the host's page and in its dialogs, in both languages, light and dark."""
import unittest

from axe import violations
from browser import PHONE, Browser
from host import Host, check_in
from host_page import HOSTILE, LONG_KOREAN, WIDE, HostPageCase
from server_process import Server

LOOKS = [("en", False), ("ko", True), ("en", True), ("ko", False)]
ESCAPE = "\ue00c"


class AudienceAccessTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def session(self):
        session = self.host.session(session={"questions": []})
        self.path = f"/api/v1/sessions/{session['id']}"
        self.receipts = [check_in(self.host, session, f"Guest {number}",
            f"guest{number}@example.org").expect(201).json["receipt"] for number in range(2)]
        return session

    def settings(self, **values):
        self.host.patch(f"{self.path}/audience-settings", values).expect(200)

    def asked(self):
        """Two guests ask: one question is answered in writing, and the hosts pin the other one."""
        made = [self.host.post(f"{self.path}/audience-questions", {"text": text},
            token=receipt).expect(201).json["id"]
            for text, receipt in zip([f"{HOSTILE} {LONG_KOREAN}", "Where is the code?"], self.receipts)]
        for question, values in zip(made, [{"pinned": True}, {"answer": f"{HOSTILE} {LONG_KOREAN}"}]):
            self.host.patch(f"{self.path}/audience-questions/{question}", values).expect(200)
        return made

    def expect_access(self, page, name):
        with self.subTest(name):
            self.assertEqual(violations(page.driver), [])
            self.assertEqual(page.find_all("main img[src=x]"), [])
            self.assertLessEqual(page.width_of_content(), self.width)

    def phone(self, language, dark):
        session = self.session()
        self.width = PHONE[0]
        page = self.enterContext(Browser(PHONE, language))
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        page.open(session["checkInUrl"])
        page.find("#name").send_keys("Kim")
        page.find("#email").send_keys("kim@example.org")
        page.find("form.check-in button[type=submit]").click()
        page.find("#result")
        self.settings(open=True)

        def show():
            page.open(f"{self.server.url}/me/{session['id']}/questions")
            page.find("h1")

        show()
        self.expect_access(page, "nobody has asked")
        page.driver.execute_script("document.forms[0].noValidate = true; document.forms[0].submit()")
        page.find("#text-error")
        self.expect_access(page, "an empty question is refused")
        page.find("#text").send_keys("Will there be slides?")
        page.find("form:has(#text) button[type=submit]").click()
        page.find(".done")
        self.expect_access(page, "the question was sent")
        self.asked()
        show()
        page.find("form.vote button").click()
        page.find("form.vote input[value=unvote]")
        self.expect_access(page, "questions with votes and an answer")
        self.settings(moderation="before", promise="named")
        show()
        page.find("#text").send_keys("May I come later?")
        page.find("form:has(#text) button[type=submit]").click()
        page.find(".done")
        self.expect_access(page, "the question waits")
        self.settings(open=False)
        show()
        self.expect_access(page, "questions are closed")

    def dialogs(self, language, dark):
        session = self.session()
        self.settings(open=True)
        self.asked()
        size = PHONE if dark else WIDE
        self.width = size[0]
        page = self.page(size, language, dark)
        page.sign_in(self.host.email)
        page.show(f"sessions/{session['id']}/audience")
        page.wait_for(lambda: len(page.find_all("#main ol.audience-questions > li")) == 2)
        self.expect_access(page, "the host's list")
        for key in "wm":
            item = page.find("ol.audience-questions > li", 1)
            page.driver.execute_script("arguments[0].focus()", item)
            page.type_keys(key)
            page.find("dialog form button[type=submit]")
            self.expect_access(page, f"the dialog of the key {key}")
            page.type_keys(ESCAPE)
            page.wait_for(lambda: not page.find_all("dialog"))
        page.driver.execute_script(
            "[...document.querySelectorAll('#main .tools button')].filter((one) => !one.closest('li')).at(-1)"
            ".click()")
        page.find("dialog textarea").send_keys("x\n" * 201)
        self.expect_access(page, "the held words")
        page.click("dialog form button[type=submit]")
        page.find("dialog .error")
        self.expect_access(page, "too many held words")

    def test_axe_finds_nothing_on_the_phone(self):
        for look in LOOKS:
            with self.subTest(look):
                self.phone(*look)

    def test_axe_finds_nothing_in_the_dialogs_of_the_host(self):
        for look in LOOKS:
            with self.subTest(look):
                self.dialogs(*look)


if __name__ == "__main__":
    unittest.main()
