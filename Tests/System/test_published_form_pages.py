"""The page of a published form in a real browser, from the host's panel to the second answer."""
import unittest

from browser import PHONE
from host_page import HostPageCase
from page import Visitor
from server_process import Server

QUESTIONS = [
    {"kind": "rating", "titles": {"en": "How was it?", "ko": "어땠나요?"}, "required": True},
    {"kind": "shortAnswer", "titles": {"en": "Why?", "ko": "이유는?"},
        "rules": [{"type": "minMaxLength", "target": [2, "-"],
            "messages": {"en": "Two letters or more.", "ko": "두 글자 이상."}}]},
    {"kind": "yesNo", "titles": {"en": "Again?", "ko": "다시 할까요?"}},
]
SIZES = [PHONE, (320, 568), (1280, 900)]


class PublishedFormPageTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def shown(self, page):
        return [one.find_element("css selector", "legend").text
            for one in page.find_all("form.feedback fieldset") if one.is_displayed()]

    def test_a_host_publishes_a_form_and_a_phone_answers_it_step_by_step_once(self):
        host, page = self.signed_in()
        session = host.session(session={"questions": QUESTIONS})
        path = f"/api/v1/sessions/{session['id']}"
        page.show(f"sessions/{session['id']}/questions")
        page.click_text("Publish as a form")
        page.find("#f-publishedAs")
        self.assertIn("A private window, deleted cookies or another device",
            page.find("#publish-once-hint").text)
        page.fill("#f-publishedAs", "not a name")
        page.click(".publish form button[type=submit]")
        page.wait_for_text(".publish .error", "Use 1 to 40 characters")
        page.complaints()
        page.fill("#f-publishedAs", "evening")
        page.click(".publish input[type=checkbox]")
        page.click(".publish form button[type=submit]")
        page.wait_for_text(".publish a", "/form/evening")
        stored = host.get(f"{path}/questions").expect(200).json
        self.assertEqual((stored["publishedAs"], stored["oncePerDevice"]), ("evening", True))

        address = f"{self.server.url}/form/evening"
        for size in SIZES:
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": size[0],
                "height": size[1], "deviceScaleFactor": 1, "mobile": size != SIZES[2]})
            for language, title in [("ko", "어땠나요?"), ("en", "How was it?")]:
                page.open(f"{address}?lang={language}")
                page.wait_for(lambda: len(self.shown(page)) == 1)
                self.assertIn(title, self.shown(page)[0])
                self.assertLessEqual(page.driver.execute_script("return document.body.scrollWidth"), size[0])
        # One question at a time: a missing answer stays, back returns, and a reload keeps the draft.
        page.click(".next")
        self.assertIn("How was it?", self.shown(page)[0])
        page.press(page.find("form.feedback fieldset").find_elements("css selector", "input")[3])
        page.click(".next")
        page.wait_for_text(".progress", "2")
        page.find("form.feedback fieldset:not([hidden]) textarea, "
            "form.feedback fieldset:not([hidden]) input").send_keys("Because")
        page.click(".back")
        page.wait_for_text(".progress", "1")
        page.open(f"{address}?lang=en")
        page.wait_for(lambda: len(self.shown(page)) == 1)
        page.click(".next")
        page.wait_for_text(".progress", "2")
        self.assertEqual(page.find("form.feedback fieldset:not([hidden]) textarea, "
            "form.feedback fieldset:not([hidden]) input").get_property("value"), "Because")
        page.click(".next")
        page.click("form.feedback button[type=submit]")
        page.wait_for_text("#result", "Thank you")
        self.assertEqual(page.complaints(), [])
        self.assertEqual(host.get(f"{path}/results").expect(200).json["responses"], 1)
        # The same device, again: no form, and no stored draft.
        page.open(f"{address}?lang=ko")
        page.wait_for_text("main", "이 기기에서 이미 답변을 보냈습니다")
        self.assertFalse(page.find_all("form.feedback"))
        self.assertIsNone(page.driver.execute_script(
            "return localStorage.getItem('qring-draft:form/evening')"))
        # Another device answers without a script, on one page.
        other = Visitor(self.server)
        form = other.open("/form/evening?lang=en")
        self.assertEqual(form.answer.text.count("<fieldset"), 3)
        ids = [question["id"] for question in stored["questions"]]
        self.assertEqual(other.submit(form, **{f"q_{ids[0]}": "5"}).answer.status, 200)
        self.assertEqual(host.get(f"{path}/results").expect(200).json["responses"], 2)


if __name__ == "__main__":
    unittest.main()
