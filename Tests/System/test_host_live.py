"""The host's live view in a real Chromium: what phones show now comes first, a phone shows code and polls
without scrolling, and results are live, with the number of answers that are held back."""
import unittest

from axe import violations
from browser import PHONE
from host import check_in
from host_page import HostPageCase
from server_process import Server

CHOICE = {"kind": "multipleChoice", "title": "Which?", "choices": [{"label": "Red"}, {"label": "Blue"}]}
TABS = ["live", "people", "questions", "results", "review", "settings"]
# The whole answer to a request for all sets is held back until the test calls `letAnswerPass`.
HELD_SETS = """
const native = window.fetch;
window.fetch = async (where, options) => {
  if (!String(where).endsWith("/sets")) return await native(where, options);
  window.fetch = native;
  const answer = await native(where, options);
  await new Promise((resolve) => (window.letAnswerPass = resolve));
  const json = answer.json.bind(answer);
  answer.json = async () => {
    const found = await json();
    // After everything that the page does with the answer.
    setTimeout(() => (window.hasPassed = true));
    return found;
  };
  return answer;
};
"""


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
        for css in [".join", ".counts", ".stage .cards", ".bars", ".newest"]:
            self.assertLess(
                page.driver.execute_script(
                    "return document.querySelector(arguments[0]).getBoundingClientRect().top", css), 900, css)
        self.assertGreater(columns[-1][0] + columns[-1][2], 1300, columns)
        phone = self.page(PHONE)
        phone.sign_in(host.email)
        phone.show(f"sessions/{session['id']}")
        phone.wait_for_text(".newest", "Guest 2")
        self.assertEqual(len({left for left, *_ in self.places(phone, ".board > *")}), 1)

    def polls(self, host, session, *titles):
        return [host.post(f"/api/v1/sessions/{session['id']}/polls",
            {"questions": [{"kind": "yesNo", "title": title}]}).expect(201).json["set"] for title in titles]

    def states(self, host, session):
        sets = host.get(f"/api/v1/sessions/{session['id']}/sets").expect(200).json["items"]
        return [(one["open"], one["shared"]) for one in sets if one["set"] != "feedback"]

    def test_an_evening_runs_from_the_stage_one_poll_after_the_other(self):
        host, page = self.signed_in((1280, 800))
        session = host.session(session={"questions": []})
        first, second = self.polls(host, session, "First?", "Second?")
        page.show(f"sessions/{session['id']}")
        page.wait_for_text(".stage", "Start one of the prepared polls")
        page.click_text("First?: Start poll")
        page.wait_for_text(".live", "First?\nopen")
        self.assertEqual(self.states(host, session), [(True, False), (False, False)])
        self.assertFalse(page.find("#dock").is_displayed())
        receipt = check_in(host, session, "Kim", "kim@example.org").expect(201).json["receipt"]
        question = host.get(f"/api/v1/sessions/{session['id']}/questions?set={first}").json["questions"][0]
        host.post(f"/api/v1/sessions/{session['id']}/responses",
            {"set": first, "answers": {question["id"]: "yes"}}, token=receipt).expect(201)
        page.wait_for(lambda: page.find(".live .bars li").text.split() == ["Yes", "1", "100%"])
        page.click_text("First?: Close and share")
        # Until the next poll, the stage shows what phones show: the shared result.
        page.wait_for_text(".live", "First?\nclosed · shared")
        self.assertEqual(self.states(host, session), [(False, True), (False, False)])
        page.click_text("Next: Second?")
        page.wait_for_text(".live", "Second?\nopen")
        page.wait_for_text(".earlier", "Earlier polls (1)")
        self.assertEqual(self.states(host, session), [(False, True), (True, False)])
        self.assertNotIn("Prepared polls", page.find(".stage").text)
        page.click(".earlier summary")
        self.assertEqual(violations(page.driver), [])
        page.click_text("Second?: Close")
        page.wait_for(lambda: self.states(host, session)[1] == (False, False))
        self.assertEqual(page.complaints(), [])

    def test_a_phone_shows_the_code_the_running_poll_and_the_next_one_without_scrolling(self):
        for language in ["en", "ko"]:
            host, page = self.signed_in(PHONE, language=language)
            session = host.session(session={"questions": []})
            first, second = self.polls(host, session, "Shall we take a break now?", "And the next one?")
            host.patch(f"/api/v1/sessions/{session['id']}/sets/{first}", {"open": True}).expect(200)
            page.show(f"sessions/{session['id']}")
            page.wait_for_text(".live", "break now?")
            self.assertEqual(page.codes_on_screen(), [session["checkInUrl"]])
            for css in [".join", ".live h2", ".live .next", ".stage .cards .grip"]:
                left, top, width = self.places(page, css)[0]
                self.assertLess(top + 24, PHONE[1], (language, css))
                self.assertLessEqual(left + width, PHONE[0], (language, css))
            self.assertEqual(
                len({top for _, top, _ in self.places(page, ".counts > div:not([hidden])")}), 1, language)
            self.assertEqual(page.width_of_content(), PHONE[0])

    def test_the_dialog_for_a_new_poll_fits_a_laptop_and_a_small_phone_with_its_button(self):
        host, page = self.signed_in((1280, 800))
        session = host.session(session={"questions": []})
        self.polls(host, session, *(f"Prepared poll {number}?" for number in range(4)))
        page.show(f"sessions/{session['id']}")
        for size in [(1280, 800), PHONE]:
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
            page.click(".ask-now")
            button = page.find("dialog button[type=submit]")
            page.wait_for(lambda: page.driver.execute_script(
                "const box = arguments[0].getBoundingClientRect();"
                "return document.elementFromPoint(box.x + 9, box.y + 9) === arguments[0]", button), size)
            page.type_keys("\ue00c")
            page.wait_for(lambda: not page.find_all("dialog"))

    def test_an_answer_that_was_sent_before_a_frame_and_arrives_after_it_changes_nothing(self):
        host, page = self.signed_in()
        session = host.session(session={"questions": []})
        first, second = self.polls(host, session, "First?", "Second?")
        path = f"/api/v1/sessions/{session['id']}"
        page.show(f"sessions/{session['id']}")
        page.wait_for_text(".stage", "Second?")
        page.driver.execute_script(HELD_SETS)
        # After a move, the page reads all sets again.
        page.driver.execute_script("document.querySelector('.stage .grip').focus()")
        page.type_keys("\ue015")
        page.wait_for(lambda: page.driver.execute_script("return Boolean(window.letAnswerPass)"))
        host.patch(f"{path}/sets/{first}", {"open": True}).expect(200)
        question = host.get(f"{path}/questions?set={first}").json["questions"][0]
        receipt = check_in(host, session, "Kim", "kim@example.org").expect(201).json["receipt"]
        host.post(f"{path}/responses", {"set": first, "answers": {question["id"]: "yes"}},
            token=receipt).expect(201)
        page.wait_for_text(".live", "1 answer")
        page.driver.execute_script("letAnswerPass()")
        page.wait_for(lambda: page.driver.execute_script("return window.hasPassed"))
        self.assertIn("1 answer", page.find(".live").text)

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
        page.click_text("Links and code settings")
        page.click_text("Copy the check-in link")
        link = page.wait_for(lambda: page.find("output a").get_property("href"))
        self.assertEqual((link, link.lower()), (session["checkInUrl"].lower(), link))
        page.driver.get(link)
        page.find("form.check-in")

    def test_the_link_for_replies_is_copied_or_selected(self):
        host, page = self.signed_in()
        session = host.session()
        settings = host.patch(f"/api/v1/sessions/{session['id']}/reply-settings",
            {"mode": "open"}).expect(200).json
        page.show(f"sessions/{session['id']}/replies")
        link = page.wait_for(lambda: page.find(".link a").get_property("href"))
        self.assertEqual(link, settings["url"].lower())
        fake = "{ writeText: (text) => (window.copied = text) }"
        for clipboard, copied in [(fake, link), ("undefined", "")]:
            page.driver.execute_script("window.copied = ''; Object.defineProperty(navigator, 'clipboard', "
                f"{{ value: {clipboard}, configurable: true }})")
            page.click_text("Copy the link")
            page.wait_for_value(lambda: page.strings("copied || getSelection().toString()"), link)
            self.assertEqual(page.strings("copied"), copied)


if __name__ == "__main__":
    unittest.main()
