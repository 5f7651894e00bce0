"""The host's page for everybody: axe-core finds nothing on any view, in both languages, light and dark. It
works by keyboard alone, reflows on a narrow screen and with large text, respects reduced motion, and
prints."""
import unittest

from axe import violations
from browser import PHONE
from host import PASSWORD, Host, check_in
from host_page import HostPage
from server_process import Server

NARROW = (320, 640)
TAB, ENTER, SPACE = "\ue004", "\ue007", " "


class HostAccessTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        made = cls.host.meeting("Study group", plannedCount=12)
        cls.meeting, cls.session = made["meeting"], made["session"]
        cls.host.meeting("Next week", starts=10_000, ends=10_100)
        cls.host.post(f"/api/v1/meetings/{cls.meeting['id']}/roster",
            {"name": "Han", "email": "han@example.org"}).expect(201)
        ids = cls.host.questions(cls.session)
        for number in range(4):
            receipt = check_in(cls.host, cls.session, f"Guest {number}",
                f"guest{number}@example.org").expect(201).json["receipt"]
            answers = {ids["rating"]: 1 + number, ids["shortAnswer"]: "More room"}
            cls.host.post(f"/api/v1/sessions/{cls.session['id']}/responses", {"answers": answers},
                token=receipt).expect(201)
        poll = [{"kind": "number", "title": "How many?", "min": 0, "max": 10},
            {"kind": "multipleChoice", "title": "Which?",
                "choices": [{"label": "One"}, {"label": "Other", "other": True}]}]
        cls.host.put(f"/api/v1/sessions/{cls.session['id']}/questions?set=poll-1",
            {"questions": poll}).expect(200)

    def views(self):
        tabs = ["live", "people", "questions", "questions/poll-1", "results", "results/poll-1", "review",
            "settings"]
        return ["", "new-meeting", "account", "invitation/x", f"meetings/{self.meeting['id']}",
            *[f"sessions/{self.session['id']}/{tab}" for tab in tabs]]

    def page(self, *arguments, **options):
        page = self.enterContext(HostPage(self.server, *arguments, **options))
        page.sign_in(self.host.email)
        return page

    def show_whole(self, page, view):
        """Opens everything that can be opened."""
        page.show(view)
        page.driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
        edit = page.find_all(".marks button[aria-expanded]")
        if edit:
            page.driver.execute_script("arguments[0].click()", edit[0])

    def assert_accessible(self, language, dark):
        stranger = self.enterContext(HostPage(self.server, PHONE if dark else (1280, 900), language, dark))
        for view in ["sign-in", "sign-up"]:
            with self.subTest(view):
                stranger.show(view)
                self.assertEqual(violations(stranger.driver), [])
        page = self.page(PHONE if dark else (1280, 900), language, dark)
        for view in self.views():
            with self.subTest(view):
                self.show_whole(page, view)
                self.assertEqual(violations(page.driver), [])

    def test_axe_finds_nothing_in_english_light_and_wide(self):
        self.assert_accessible("en", dark=False)

    def test_axe_finds_nothing_in_korean_dark_and_on_a_phone(self):
        self.assert_accessible("ko", dark=True)

    def test_axe_finds_nothing_in_english_dark(self):
        self.assert_accessible("en", dark=True)

    def test_axe_finds_nothing_in_korean_light(self):
        self.assert_accessible("ko", dark=False)

    def test_every_view_reflows_at_320_pixels_and_with_text_twice_as_large(self):
        page = self.page(NARROW)
        for view in self.views():
            with self.subTest(view):
                self.show_whole(page, view)
                self.assertEqual(page.width_of_content(), NARROW[0])
        wide = self.page((1280, 900))
        for view in self.views():
            with self.subTest(f"{view}, text at 200 %"):
                self.show_whole(wide, view)
                wide.driver.execute_script("document.documentElement.style.fontSize = '200%'")
                self.assertEqual(wide.width_of_content(), 1280)

    def test_a_meeting_is_made_and_a_correction_is_undone_by_keyboard_alone(self):
        host = Host(self.server)
        page = self.enterContext(HostPage(self.server))
        page.show("sign-in")
        page.find("#f-email")
        # From the top of the page, past the bar, into the form.
        self.tab_to(page, "f-email")
        page.type_keys(host.email, TAB, PASSWORD, ENTER)
        page.wait_for_text("h1", "Your meetings")
        self.tab_to(page, "f-name")
        page.type_keys("By keyboard", ENTER)
        page.wait_for_text("h1", "By keyboard")
        session = host.get("/api/v1/sessions/nearest").expect(200).json
        check_in(host, session, "Kim", "kim@example.org").expect(201)
        self.tab_to_text(page, "People")
        page.type_keys(ENTER)
        page.wait_for_text(".people", "Kim")
        self.tab_to_text(page, "Kim: absent")
        page.type_keys(SPACE)
        page.wait_for_text("td.status", "absent")
        page.wait_for_text("#said", "Kim: absent")
        self.tab_to_text(page, "Undo")
        page.type_keys(ENTER)
        page.wait_for_text("td.status", "present")

    def tab_to(self, page, id):
        self.tab_until(page, lambda active: active.get_attribute("id") == id)

    def tab_to_text(self, page, text):
        self.tab_until(page, lambda active: text in (active.text.strip(), active.accessible_name))

    def tab_until(self, page, condition):
        for _ in range(60):
            if page.wait_for(lambda: [condition(page.driver.switch_to.active_element)])[0]:
                # The focus must be visible.
                active = page.driver.switch_to.active_element
                self.assertNotEqual(active.value_of_css_property("outline-style"), "none")
                return
            page.type_keys(TAB)
        self.fail("the keyboard does not come there")

    def test_nothing_moves_if_the_reader_wants_no_motion(self):
        page = self.page(quiet=True)
        page.show(f"sessions/{self.session['id']}/results")
        page.find(".bars")
        self.assertEqual(page.driver.execute_script("return document.getAnimations().length"), 0)
        moving = page.strings(
            "[...document.querySelectorAll('*')].filter((one) => "
            "parseFloat(getComputedStyle(one).transitionDuration) > 0).length")
        self.assertEqual(moving, 0)

    def test_paper_shows_people_and_no_buttons(self):
        page = self.page()
        page.show(f"sessions/{self.session['id']}/people")
        page.wait_for_text(".people", "Guest 3")
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        page.wait_for(lambda: page.find(".people .name").is_displayed())
        # In one call, because the page may replace its content at any moment.
        shown = (
            "[...document.querySelectorAll('button, nav, input, summary')]"
            ".filter((one) => one.checkVisibility()).map((one) => one.outerHTML)")
        self.assertEqual(page.strings(shown), [])


if __name__ == "__main__":
    unittest.main()
