"""The host's live view in a real Chromium: it uses a wide screen, its tabs fit one line on a phone, and
results are live beside the counts, with the number of answers that are held back."""
import unittest

from axe import violations
from browser import PHONE
from host import check_in
from host_page import HostPageCase
from server_process import Server

CHOICE = {"kind": "multipleChoice", "title": "Which?", "choices": [{"label": "Red"}, {"label": "Blue"}]}
TABS = ["live", "people", "questions", "results", "review", "settings"]


class HostLiveTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def answer(self, host, session, numbers):
        question = host.questions(session)["multipleChoice"]
        for number in numbers:
            receipt = check_in(host, session, f"Guest {number}",
                f"guest{number}@example.org").expect(201).json["receipt"]
            host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": {question: ["a"]}},
                token=receipt).expect(201)

    def places(self, page, css):
        return page.strings(
            "[...document.querySelectorAll(arguments[0])].map((one) => { const { left, top, width } = "
            "one.getBoundingClientRect(); return [Math.round(left), Math.round(top), Math.round(width)]; })",
            css)

    def test_a_wide_screen_has_three_columns_and_a_phone_one(self):
        host, page = self.signed_in((1440, 900))
        session = host.session(session={"questions": [CHOICE]})
        self.answer(host, session, range(3))
        page.show(f"sessions/{session['id']}")
        page.wait_for_text(".newest", "Guest 2")
        page.find(".bars")
        columns = self.places(page, ".board > *")
        self.assertEqual(len({left for left, *_ in columns}), 3, columns)
        self.assertEqual(len({top for _, top, _ in columns}), 1, columns)
        # The host sees code, counts, polls, results and arrivals without scrolling.
        for css in [".join", ".counts", ".cards:not(.links)", ".bars", ".newest"]:
            self.assertLess(
                page.driver.execute_script(
                    "return document.querySelector(arguments[0]).getBoundingClientRect().top", css), 900, css)
        self.assertGreater(columns[-1][0] + columns[-1][2], 1300, columns)
        phone = self.page(PHONE)
        phone.sign_in(host.email)
        phone.show(f"sessions/{session['id']}")
        phone.wait_for_text(".newest", "Guest 2")
        self.assertEqual(len({left for left, *_ in self.places(phone, ".board > *")}), 1)

    def test_six_tabs_fit_one_line_on_a_phone_and_the_open_one_is_visible(self):
        for language in ["en", "ko"]:
            host, page = self.signed_in(PHONE, language=language)
            session = host.session()
            for tab in TABS:
                with self.subTest(tab, language=language):
                    page.show(f"sessions/{session['id']}/{tab}")
                    self.assertEqual(len({top for _, top, _ in self.places(page, ".tabs a")}), 1)
                    page.wait_for(
                        lambda: 0 <= self.places(page, ".tabs a[aria-current]")[0][0] < PHONE[0] - 24)
                    self.assertEqual(page.width_of_content(), PHONE[0])
            self.assertEqual(violations(page.driver), [])

    def test_live_results_say_how_many_responses_are_held_back(self):
        host, page = self.signed_in()
        session = host.session(session={"questions": [CHOICE]})
        page.show(f"sessions/{session['id']}")
        page.wait_for_text(".newest", "Nobody has checked in yet")
        headings = page.strings("[...document.querySelectorAll('h2')]"
            ".filter((one) => one.checkVisibility()).map((one) => one.textContent)")
        self.assertNotIn("Results so far", headings)
        self.answer(host, session, range(2))
        page.wait_for_text(".board .tally", "Shown from 3 answers on")
        self.answer(host, session, range(2, 4))
        page.wait_for(
            lambda: [row.text.split() for row in page.find_all(".board .bars li")] == [["Red", "3", "100%"],
                ["Blue", "0", "0%"]])
        page.wait_for_text(".board .tally", "1 more answer is held back")
        page.show(f"sessions/{session['id']}/results")
        page.wait_for_text(
            ".summary", "Responses: 4, from 100% of those who checked in. 1 more answer is held back")
        self.answer(host, session, range(4, 6))
        summary = "Responses: 6, from 100% of those who checked in."
        page.wait_for_value(lambda: page.find(".summary").text, summary)

    def test_the_copied_link_checks_people_in_and_none_is_shown_in_capitals(self):
        host, page = self.signed_in()
        session = host.session()
        page.show(f"sessions/{session['id']}")
        page.wait_for_value(lambda: page.find(".join").text, session["joinCode"])
        self.assertNotIn("HTTP://", page.find("body").text)
        page.wait_for_text(".code", f"enter the code at 127.0.0.1:{self.server.port}")
        # Without a clipboard the page shows the link instead.
        page.driver.execute_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.click_text("Copy the check-in link")
        link = page.wait_for(lambda: page.find("output a").get_property("href"))
        self.assertEqual((link, link.lower()), (session["checkInUrl"].lower(), link))
        page.driver.get(link)
        page.find("form.check-in")


if __name__ == "__main__":
    unittest.main()
