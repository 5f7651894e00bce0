"""What a host must never lose or trigger by accident, in a real Chromium: unsaved questions, marks, rosters,
codes; and how the page looks and loads. All tests share one server and one browser."""
import os
import tempfile
import unittest

from selenium.webdriver import ActionChains

from axe import violations
from browser import PHONE
from host import Host, check_in, moment
from host_page import HostPage, HostPageCase
from server_process import Server

ENTER, TAB, ESCAPE = "\ue007", "\ue004", "\ue00c"
CHOICE = {"kind": "multipleChoice", "title": "Which?", "choices": [{"label": "Red"}, {"label": "Blue"}]}
# The contrast of a colour with the colour behind it (WCAG 2.2, relative luminance).
CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const light = (color) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (one) => {
  for (; one; one = one.parentElement) {
    const { backgroundColor } = getComputedStyle(one);
    if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor;
  }
  return 'white';
};
const contrast = (one, other) => {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility()).map((one) =>
  [one.outerHTML.slice(0, 80), contrast(getComputedStyle(one).borderTopColor, behind(one.parentElement))]);
"""
COVERED = """
return [...document.querySelectorAll('#page button, #page a, #page input')].filter((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const page = document.getElementById('page').getBoundingClientRect();
  if (!one.checkVisibility() || y < page.top || y > page.bottom || x < 0 || x > innerWidth) return false;
  const seen = document.elementFromPoint(x, y);
  return seen && document.getElementById('said').contains(seen);
}).map((one) => one.outerHTML.slice(0, 80));
"""


def polls(host, session):
    """Returns the sets with questions, except the feedback."""
    sets = host.get(f"/api/v1/sessions/{session['id']}/sets").expect(200).json["items"]
    return [one for one in sets if one["questions"] and one["set"] != "feedback"]


class HostFaultTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.page = cls.enterClassContext(HostPage(cls.server))
        cls.page.sign_in(cls.host.email)

    def setUp(self):
        # The browser would ask before it leaves a page with unsaved questions.
        self.addCleanup(self.page.driver.get, "about:blank")
        self.page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False})

    def size(self, width, height):
        self.page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def questions(self, session, name):
        return self.host.get(f"/api/v1/sessions/{session['id']}/questions?set={name}").expect(200).json

    def poll(self, session, name="poll-1", **fields):
        path = f"/api/v1/sessions/{session['id']}"
        self.host.put(f"{path}/questions?set={name}", {"questions": [CHOICE], **fields}).expect(200)
        return path

    def test_unsaved_questions_survive_another_tab_and_the_page_asks_before_it_is_left(self):
        page = self.page
        session = self.host.session(session={"questions": []})
        path = self.poll(session, anonymous=False)
        self.host.patch(f"{path}/sets/poll-1", {"open": True}).expect(200)
        page.show(f"sessions/{session['id']}/questions/poll-1")
        page.find("#q0-title").send_keys(" Now")
        asks = "return !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
        self.assertTrue(page.driver.execute_script(asks))
        page.click_text("People")
        page.find(".people")
        page.wait_for_text(".tabs", "unsaved")
        page.click(".tabs a[href$=questions]")
        page.wait_for_text(".sets", "unsaved")
        page.click_text("Which? 0 answers unsaved")
        page.wait_for(lambda: page.find("#q0-title").get_property("value") == "Which? Now")
        # An open set is not saved by itself: attendees would see each half-written text.
        self.assertEqual(self.questions(session, "poll-1")["questions"][0]["title"], "Which?")
        page.click_text("Save")
        page.wait_for_text("#said", "Saved")
        page.wait_for(lambda: "unsaved" not in page.find("#main").text)
        self.assertFalse(page.driver.execute_script(asks))
        self.assertEqual(self.questions(session, "poll-1")["questions"][0]["title"], "Which? Now")
        # Another host is faster: the edits stay, and saving again wins.
        page.find("#q0-title").send_keys("?")
        self.host.put(f"{path}/questions?set=poll-1", {"questions": [CHOICE]}).expect(200)
        page.click_text("Save")
        page.wait_for_text("form.set > .error", "Another host changed these questions meanwhile")
        page.wait_for_value(lambda: page.find("#q0-title").get_property("value"), "Which? Now?")
        page.click_text("Discard the changes")
        page.answer_dialog("Discard")
        page.wait_for(lambda: page.find("#q0-title").get_property("value") == "Which?")

    def test_a_closed_poll_saves_itself(self):
        page = self.page
        session = self.host.session(session={"questions": []})
        self.poll(session)
        page.show(f"sessions/{session['id']}/questions/poll-1")
        page.find("#q0-title").send_keys(" Please")
        page.wait_for(lambda: self.questions(session, "poll-1")["questions"][0]["title"] == "Which? Please")
        page.wait_for_text(".saving", "Saved automatically")
        # Typing goes on in the same field.
        page.type_keys("!")
        page.wait_for(lambda: self.questions(session, "poll-1")["questions"][0]["title"] == "Which? Please!")

    def test_enter_in_a_choice_leads_to_the_next_choice_and_does_not_save(self):
        page = self.page
        session = self.host.session(session={"questions": []})
        page.show(f"sessions/{session['id']}/questions/poll-1")
        page.click_text("+ Multiple choice")
        page.find("#q0-title").send_keys("Lunch?")
        page.find("#q0-choice0").send_keys("Rice", ENTER)
        page.type_keys("Noodles")
        page.type_keys(ENTER)
        page.type_keys("Soup")
        page.wait_for_value(
            lambda: [page.find(f"#q0-choice{number}").get_property("value") for number in range(3)],
            ["Rice", "Noodles", "Soup"])
        self.assertEqual(polls(self.host, session), [])
        # Questions move with the arrow keys on their handle.
        page.click_text("+ Rating")
        page.find("#q1-title").send_keys("How?")
        page.driver.execute_script("document.querySelectorAll('.grip')[1].focus()")
        page.type_keys("\ue013")
        page.wait_for_value(lambda: page.find("#q0-title").get_property("value"), "How?")

    def test_a_second_click_changes_nothing_and_one_key_undoes(self):
        page = self.page
        session = self.host.session()
        check_in(self.host, session, "Kim", "kim@example.org").expect(201)
        page.show(f"sessions/{session['id']}/people")
        button = page.find("[aria-label='Kim: late']")
        place = button.rect
        ActionChains(page.driver).move_to_element(button).click().perform()
        page.wait_for_text("#said", "Kim: late")
        ActionChains(page.driver).click().perform()

        def statuses():
            return {one["name"]: one["status"] for one in self.attendees(self.host, session)}

        self.assertEqual(page.find("[aria-label='Kim: late']").rect, place)
        check_in(self.host, session, "Lee", "lee@example.org").expect(201)
        page.click("[aria-label='Lee: absent']")
        page.wait_for(lambda: statuses() == {"Kim": "late", "Lee": "absent"})
        page.wait_for_text("#said", "Lee: absent")
        page.type_keys("z")
        page.wait_for(lambda: statuses() == {"Kim": "late", "Lee": "present"})
        page.wait_for_text("#said", "Undone: Lee")
        page.type_keys("z")
        page.wait_for(lambda: statuses() == {"Kim": "present", "Lee": "present"})

    def test_a_roster_is_shown_before_it_is_imported_and_can_be_undone(self):
        page = self.page
        meeting = self.host.meeting("Series")["meeting"]
        path = f"/api/v1/meetings/{meeting['id']}/roster"
        self.host.put(path, {"people": [{"name": "Kim", "email": "kim@example.org"}, {"name": "Lee"}]},
            headers={"If-Match": "*"}).expect(200)

        def names(archived="false"):
            return [(one["name"], one.get("email")) for one in self.host.all(f"{path}?archived={archived}")]

        before = names()
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "roster.csv")
            with open(file, "w", encoding="utf-8") as written:
                written.write("name,email\nKim Jisoo,kim@example.org\nPark,park@example.org\n")
            page.show(f"meetings/{meeting['id']}")
            page.click_text("Import a roster")
            page.find("#f-roster").send_keys(file)
            page.wait_for_text(".import-added", "Park · park@example.org")
            page.wait_for_text(".import-updated",
                "Kim · kim@example.org → Kim Jisoo · kim@example.org")
            page.wait_for_text(".import-archived", "Lee")
            self.assertEqual(violations(page.driver), [])
            page.answer_dialog("Cancel")
            self.assertEqual(names(), before)
            page.find("#f-roster").send_keys(file)
            page.answer_dialog("Import")
            page.wait_for_text("#said", "1 added")
        self.assertEqual(names(), [("Kim Jisoo", "kim@example.org"), ("Park", "park@example.org")])
        page.click("#said button")
        page.wait_for_text("#said", "The former roster is back")
        self.assertEqual((names(), names("true")), (before, [("Park", "park@example.org")]))

    def test_the_page_asks_before_the_code_changes(self):
        page = self.page
        session = self.host.session()
        page.show(f"sessions/{session['id']}")
        page.click_text("Links and code settings")
        page.click_text("Rotate the code")
        page.wait_for_text("dialog", "every 10 seconds")
        page.type_keys(ESCAPE)
        page.show(f"sessions/{session['id']}/settings")
        page.click_text("Renew the code")
        page.wait_for_text("dialog", "stop working at once")
        page.answer_dialog("Cancel")
        now = self.host.get(f"/api/v1/sessions/{session['id']}").json
        self.assertEqual([now[name] for name in ["codeKind", "joinCode"]], ["static", session["joinCode"]])

    def test_the_first_answer_has_a_page_and_arrivals_are_bars_and_a_table(self):
        page = self.page
        session = self.host.session()
        self.assertIn("Loading…", self.host.request("GET", "/host", token=None).text)
        self.size(*PHONE)
        page.driver.get("about:blank")
        page.show(f"sessions/{session['id']}")
        page.wait_for(lambda: page.codes_on_screen())
        for name in ["Kim", "Lee"]:
            check_in(self.host, session, name, f"{name}@example.org").expect(201)
        page.wait_for(lambda: 2 == sum(
            float(bar.get_attribute("height")) for bar in page.find_all(".plot rect")))
        page.click_text("As a table")
        page.wait_for(lambda: sum(int(cell.text) for cell in page.find_all(".twin td")) == 2)

    def test_borders_and_wrong_fields_are_visible_and_text_follows_the_reader(self):
        page = self.page
        session = self.host.session()
        for scheme in ["light", "dark"]:
            page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            page.show(f"sessions/{session['id']}/settings")
            page.click_text("Settings")
            found = page.wait_for(lambda: len(found := page.driver.execute_script(
                CONTRAST, "#main input, #main select, #main .quiet, .choice")) > 8 and found)
            self.assertEqual([one for one in found if one[1] < 3], [], scheme)
            page.fill("#f-endsAt", "2020-01-01T00:00")
            page.click_text("Save")
            wrong = page.find("#f-endsAt[aria-invalid]")
            colours = [one.value_of_css_property("border-top-color")
                for one in [wrong, page.find("#f-startsAt")]]
            self.assertNotEqual(*colours, scheme)
            self.assertEqual(page.find_all("label .error"), [])
        page.driver.execute_script("document.documentElement.style.fontSize = '200%'")
        self.assertGreater(float(page.find("label").value_of_css_property("font-size")[:-2]), 30)

    def test_a_message_covers_no_button(self):
        page = self.page
        session = self.host.session()
        for number in range(12):
            check_in(self.host, session, f"Guest {number}", f"g{number}@example.org").expect(201)
        for size in [PHONE, (320, 568)]:
            self.size(*size)
            page.show(f"sessions/{session['id']}/people")
            page.wait_for(lambda: len(page.find_all(".mark")) > 40)
            page.driver.execute_script("document.querySelector('.mark[data-mark=late]').click()")
            page.find("#said.shown button")
            self.assertEqual(page.driver.execute_script(COVERED), [])
            page.driver.execute_script("document.getElementById('page').scrollTop = 1e6")
            self.assertEqual(page.driver.execute_script(COVERED), [])
            self.assertEqual(page.width_of_content(), size[0])

    def test_no_name_of_the_interface_is_shown(self):
        page = self.page
        session = self.host.session()
        path = self.poll(session, questions=[CHOICE, {"kind": "rating", "title": "How?"}])
        for body in [{"codeKind": "rotating"}]:
            self.host.patch(path, body).expect(200)
        self.host.patch(f"{path}/sets/poll-1", {"open": True, "shared": True}).expect(200)
        for tab in ["live", "questions/poll-1", "results/poll-1", "review"]:
            page.show(f"sessions/{session['id']}/{tab}")
            page.wait_for_text("body", CHOICE["title"])
            for word in ["poll-1", "static", "codeKind", "multipleChoice"]:
                self.assertNotIn(word, page.find("body").text, tab)
        page.wait_for_text(".journal", "fixed → rotating")

    def test_the_next_session_does_not_share_results_by_itself(self):
        made = self.host.meeting("Weekly")
        session = made["session"]
        self.host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback", {"shared": True}).expect(200)
        following = self.host.post(f"/api/v1/meetings/{made['meeting']['id']}/sessions",
            {"startsAt": moment(600), "endsAt": moment(660)}).expect(201).json
        self.assertFalse(self.questions(following, "feedback")["shared"])

    def test_the_skip_link_leads_to_the_content(self):
        page = self.page
        page.show("account")
        page.driver.execute_script("document.querySelector('.skip').focus()")
        page.type_keys(ENTER)
        page.wait_for_value(lambda: page.driver.switch_to.active_element.get_attribute("id"), "main")
        self.assertTrue(page.driver.current_url.endswith("#/account"))


class AskNowTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.page = cls.enterClassContext(HostPage(cls.server))
        cls.page.sign_in(cls.host.email)

    def test_a_poll_is_asked_from_any_tab_by_keyboard_alone(self):
        page, host = self.page, self.host
        session = host.session(session={"questions": []})
        path = f"/api/v1/sessions/{session['id']}"
        receipts = [
            check_in(host, session, f"Guest {number}", f"g{number}@example.org").expect(201).json["receipt"]
            for number in range(2)]
        page.show(f"sessions/{session['id']}/review")
        page.driver.execute_script("document.querySelector('.ask-now').focus()")
        page.type_keys(ENTER)
        page.wait_for(lambda: page.driver.switch_to.active_element.get_attribute("id") == "f-ask")
        self.assertEqual(violations(page.driver), [])
        # Enter in the question without choices explains what is missing, at its field.
        page.type_keys("What shall we eat?", ENTER)
        page.wait_for_text("#f-ask-error", "at least two choices")
        page.type_keys("Rice")
        page.type_keys(ENTER)
        page.type_keys("Noodles")
        for _ in range(9):
            page.type_keys(TAB)
            if page.driver.switch_to.active_element.get_attribute("id") == "f-ask-promise":
                break
        page.type_keys("With", TAB, TAB, TAB)
        self.assertEqual(page.driver.switch_to.active_element.text, "Start poll")
        page.type_keys(ENTER)
        page.wait_for_text("#dock", "What shall we eat?")
        asked, = polls(host, session)
        self.assertEqual([asked[name] for name in ["open", "shared", "promise"]], [True, False, "named"])
        question, = host.get(f"{path}/questions?set={asked['set']}").json["questions"]
        self.assertEqual([choice["label"] for choice in question["choices"]], ["Rice", "Noodles"])
        # Answers move the count, and no button is replaced meanwhile: `find` would find its replacement.
        close = page.find_all("#dock button")[0]
        for number, receipt in enumerate(receipts, 1):
            host.post(f"{path}/responses", {"set": asked["set"], "answers": {question["id"]: ["a"]}},
                token=receipt).expect(201)
            page.wait_for_text("#dock", f"{number} answer")
        self.assertEqual(close.text, "Close")
        # The answers are hidden until the host reveals them, and can be hidden again.
        page.click_text("What shall we eat?: Reveal the answers")
        page.wait_for(lambda: polls(host, session)[0]["shared"])
        page.click_text("What shall we eat?: Hide the answers")
        page.wait_for(lambda: not polls(host, session)[0]["shared"])
        page.click_text("What shall we eat?: Close and share")
        page.wait_for(lambda: not page.find("#dock").is_displayed())
        page.wait_for_value(lambda: [(one["open"], one["shared"]) for one in polls(host, session)],
            [(False, True)])
        # It is asked again as a new poll, and the new one can be copied and removed.
        page.show(f"sessions/{session['id']}")
        page.click(".menu summary")
        page.click_text("What shall we eat?: Run again")
        page.wait_for_text(".live", "What shall we eat?\nopen")
        self.assertEqual([one["open"] for one in polls(host, session)], [False, True])

    def test_a_prepared_poll_and_an_example_need_two_clicks(self):
        page, host = self.page, self.host
        session = host.session(session={"questions": []})
        path = f"/api/v1/sessions/{session['id']}"
        host.put(f"{path}/questions?set=break",
            {"title": "Break", "questions": [{"kind": "rating", "title": "A break?"}]}).expect(200)
        page.show(f"sessions/{session['id']}/people")
        page.click(".ask-now")
        page.click_text("Start poll: Break")
        page.wait_for_text("#dock", "Break")
        page.click(".ask-now")
        page.click_text("How is the pace?")
        page.wait_for(lambda: page.driver.switch_to.active_element.text == "Start poll")
        page.type_keys(ENTER)
        page.wait_for_text("#dock", "How is the pace?")
        # Phones in other languages see the example in theirs.
        pace = next(one for one in polls(host, session) if one["heading"] == "How is the pace?")
        asked, = host.get(f"{path}/questions?set={pace['set']}").json["questions"]
        self.assertEqual((asked["titles"]["de"], asked["choices"][0]["labels"]["ko"]),
            ("Wie ist das Tempo?", "너무 느려요"))
        self.assertEqual([one["open"] for one in polls(host, session)], [True, True])
        # A poll can be deleted, after a question.
        host.put(f"{path}/questions?set=later", {"title": "Later", "questions": [CHOICE]}).expect(200)
        page.show(f"sessions/{session['id']}")
        page.click("summary[aria-label='Later: More']")
        page.click_text("Later: Delete")
        page.answer_dialog("Delete")
        page.wait_for(lambda: "later" not in [one["set"] for one in polls(host, session)])
        page.show(f"sessions/{session['id']}/questions")
        self.assertNotIn("Later", page.find(".sets").text)
        # A host sees a poll as attendees see it.
        page.complaints()
        page.driver.get(f"{self.server.url}{path}/preview.html?set=break")
        page.wait_for_text("main", "A break?")
        self.assertEqual(page.find_all("button:not([type=button])"), [])
        self.assertEqual(len(page.find_all(".star")), 5)
        self.assertEqual(page.complaints(), [])

    def test_axe_finds_nothing_on_a_small_screen_with_large_text(self):
        page, host = self.page, self.host
        session = host.session(session={"questions": [CHOICE]})
        path = f"/api/v1/sessions/{session['id']}"
        host.patch(f"{path}/sets/feedback", {"open": True}).expect(200)
        host.put(f"{path}/questions?set=poll-1", {"questions": [CHOICE]}).expect(200)
        host.patch(f"{path}/sets/poll-1", {"open": True}).expect(200)
        check_in(host, session, "Kim", "kim@example.org").expect(201)
        for width, zoom in [(320, "100%"), (640, "200%")]:
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                {"width": width, "height": 640, "deviceScaleFactor": 1, "mobile": False})
            page.driver.execute_script(
                f"document.documentElement.style.fontSize = '{zoom}'")
            for tab in ["live", "people", "questions", "results", "review", "settings"]:
                with self.subTest(tab, width=width):
                    page.show(f"sessions/{session['id']}/{tab}")
                    self.assertEqual(page.width_of_content(), width)
                    if width == 320:
                        self.assertEqual(violations(page.driver), [])
            page.click(".ask-now")
            self.assertEqual(violations(page.driver), [])
            self.assertEqual(page.width_of_content(), width)
            page.type_keys(ESCAPE)


if __name__ == "__main__":
    unittest.main()
