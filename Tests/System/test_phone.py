"""An attendee's pages in a real Chromium: nothing typed is lost, the page follows the host and the clock, and
everything can be seen, reached and read."""
import time
import unittest

import contrast
from axe import violations
from browser import PHONE, Browser
from host import Host, check_in, moment
from image import image
from page import Visitor
from server_process import Server

SMALL = (320, 568)
VOTE = {"title": "The vote", "questions": [
    {"kind": "multipleChoice", "title": "Which day?", "choices": [{"label": "Monday"}, {"label": "Friday"},
        {"label": "Another day", "other": True}]},
    {"kind": "shortAnswer", "title": "Why?", "maxLength": 200}]}
LONG = [{"kind": "shortAnswer", "title": f"Question {number}", "maxLength": 500} for number in range(8)]
# The sizes of the page's heading, of the sections' headings, and of the text.
SIZES = """
const sizes = (css) => [...document.querySelectorAll(css)].filter((one) => one.offsetParent)
    .map((one) => parseFloat(getComputedStyle(one).fontSize));
return [sizes("h1:not(.slim h1)")[0] ?? null, sizes("h2"),
    parseFloat(getComputedStyle(document.body).fontSize)];
"""
NO_SOCKET = """
window.WebSocket = class extends EventTarget { static OPEN = 1; readyState = 0; close() {} send() {} };
"""


class PhoneTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.browser = cls.enterClassContext(Browser())

    def setUp(self):
        self.device(PHONE)
        self.browser.open("about:blank")
        self.cdp("Storage.clearDataForOrigin", origin=self.server.url, storageTypes="all")
        self.cdp("Emulation.setEmulatedMedia", features=[])

    def cdp(self, command, **parameters):
        return self.browser.driver.execute_cdp_cmd(command, parameters)

    def device(self, size):
        self.cdp("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
            mobile=True)

    def script(self, text, *arguments):
        return self.browser.driver.execute_script(text, *arguments)

    def session(self, questions=None, anonymous=False, **fields):
        session = self.host.session(session={"questions": questions or [], "anonymous": anonymous}, **fields)
        self.path = f"/api/v1/sessions/{session['id']}"
        return session

    def poll(self, name="vote", **changes):
        body = {**VOTE, "anonymous": False, **changes}
        self.host.put(f"{self.path}/questions?set={name}", body).expect(200)

    def edit(self, name="vote", **changes):
        self.host.patch(f"{self.path}/sets/{name}", changes).expect(200)

    def enter(self, session, name="Kim"):
        self.browser.open(session["checkInUrl"])
        for field, text in [("#name", name), ("#email", f"{name.lower()}@example.org")]:
            self.browser.find(field).clear()
            self.browser.find(field).send_keys(text)
        self.browser.find("form.check-in button[type=submit]").click()
        self.browser.wait_for_text("#result", name)

    def top_of(self, css):
        return self.script("return document.querySelector(arguments[0]).getBoundingClientRect().top", css)

    # MARK: Nothing typed is lost

    def test_who_types_beside_other_chooses_it_and_a_text_beside_another_choice_gets_a_message(self):
        session = self.session()
        self.poll()
        self.edit(open=True)
        self.enter(session)
        form = self.browser.find("form[data-set=vote]")
        form.find_element("css selector", ".other").send_keys("Sunday")
        choices = form.find_elements("css selector", "input[type=radio]")
        self.browser.wait_for(choices[2].is_selected)
        form.find_elements("css selector", ".choice")[0].click()
        self.browser.wait_for_text("form[data-set=vote]", "your own answer")
        form.find_element("css selector", "button[type=submit]").click()
        self.browser.wait_for_text("form[data-set=vote]", "your own answer")
        form.find_elements("css selector", ".choice")[2].click()
        form.find_element("css selector", "button[type=submit]").click()
        self.browser.wait_for_text("#result", "Thank you")
        tally = self.host.get(f"{self.path}/results?set=vote").json["tallies"][0]
        self.assertEqual([text["text"] for text in tally["latest"]], ["Sunday"])

    def test_an_opened_poll_is_announced_and_keeps_half_written_answers_in_their_place(self):
        session = self.session(LONG)
        self.poll()
        self.enter(session)
        self.browser.find("form.feedback textarea", 6)
        # `find` would find a replacement of the field, and nothing may replace it.
        area = self.browser.find_all("form.feedback textarea")[6]
        area.send_keys("half of a thou")
        self.browser.wait_for_text("form.feedback", "Stored on this device")
        self.browser.wait_for(lambda: self.script("return scrollY") > 200)
        place = "return Math.round(arguments[0].getBoundingClientRect().top)"
        before = self.script(place, area)
        self.edit(open=True)
        self.browser.find("form[data-set=vote]")
        self.assertEqual(self.script(place, area), before)
        self.browser.wait_for_value(lambda: self.script("return document.querySelector('#news').textContent"),
            "New question: The vote")
        self.browser.wait_for_value(lambda: self.browser.driver.title, "● The vote")
        # A person who was typing goes on, and a button leads to the new question.
        area.send_keys("ght")
        self.assertEqual(area.get_property("value"), "half of a thought")
        self.browser.find(".jump").click()
        self.browser.wait_for(lambda: self.top_of("form[data-set=vote]") >= 0)
        self.browser.find("form[data-set=vote] .choice").click()
        self.browser.find("form[data-set=vote] button[type=submit]").click()
        self.browser.wait_for_text("#result", "Thank you")
        self.assertEqual(self.browser.find("form.feedback textarea", 6).get_property("value"),
            "half of a thought")
        # The draft survives a reload, and a browser without storage keeps it in the page.
        self.browser.open(session["checkInUrl"])
        self.browser.wait_for(
            lambda: self.browser.find("textarea", 6).get_property("value") == "half of a thought")
        self.assertEqual(self.browser.complaints(), [])

    def test_a_poll_that_closes_gives_back_what_was_typed_and_goes_on_if_it_opens_again(self):
        session = self.session()
        self.poll()
        self.edit(open=True)
        self.enter(session)
        area = self.browser.find("form[data-set=vote] textarea")
        area.send_keys("My reason")
        self.edit(open=False)
        self.browser.wait_for_text("#live form[data-set=vote] .told", "Closed: The vote")
        self.browser.wait_for_value(
            lambda: self.browser.find(".kept").get_property("value"), "Why?\nMy reason")
        self.browser.find(".copy").click()
        self.browser.wait_for(
            lambda: self.browser.find(".copy").text in ["Copied", "Selected: copy it now"])
        self.browser.wait_for(
            lambda: not self.browser.find("form[data-set=vote] button[type=submit]").is_displayed())
        self.browser.wait_for(lambda: self.browser.find("#idle").is_displayed())
        self.edit(open=True)
        area = self.browser.find("form[data-set=vote] fieldset textarea")
        self.browser.wait_for(area.is_displayed)
        self.assertEqual(area.get_property("value"), "My reason")
        self.edit(open=False)
        self.browser.find(".aside").click()
        self.browser.wait_for(lambda: not self.browser.find_all("form"))

    def test_an_answer_that_is_refused_stays_in_its_form(self):
        session = self.session()
        self.poll()
        self.edit(open=True)
        self.enter(session)
        made = self.cdp("Page.addScriptToEvaluateOnNewDocument", source=NO_SOCKET)
        try:
            self.browser.open(session["checkInUrl"])
            self.browser.find("form[data-set=vote] textarea").send_keys("Too late")
            self.edit(open=False)
            self.browser.find("form[data-set=vote] button[type=submit]").click()
            self.browser.wait_for_text("form[data-set=vote] .told", "closed")
            area = self.browser.find("form[data-set=vote] textarea")
            self.assertEqual(area.get_property("value"), "Too late")
            self.browser.wait_for_text("#result", "You are checked in")
        finally:
            self.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=made["identifier"])
            # The console reports the 409 of the refusal.
            self.browser.complaints()

    def test_a_reload_and_the_other_language_keep_a_half_filled_check_in(self):
        session = self.session()
        self.browser.open(session["checkInUrl"])
        self.browser.find("#name").send_keys("Kim Minseo")
        self.browser.driver.refresh()
        self.browser.wait_for(lambda: self.browser.find("#name").get_property("value") == "Kim Minseo")
        self.browser.find("footer a[lang=ko]").click()
        self.browser.find("html[lang=ko] #name")
        self.browser.wait_for(lambda: self.browser.find("#name").get_property("value") == "Kim Minseo")
        self.browser.open(f"{self.server.url}/?lang=en")

    # MARK: The page follows the clock and the room

    def test_pages_that_are_not_open_yet_open_by_themselves(self):
        # Check-in opens an hour before the start, and feedback at the start.
        waits = self.host.session(session={"startsAt": moment(60.08), "endsAt": moment(90)})
        self.show_before_it_begins()
        self.browser.find("form[data-set=feedback]")
        self.browser.wait_for(lambda: not self.browser.find("#idle").is_displayed())
        # The time may have come while the other page was open.
        self.browser.open(waits["checkInUrl"])
        self.browser.find("form.check-in")
        later = self.host.session(session={"startsAt": moment(60 + 3 * 1440 + 125), "endsAt": moment(9000)})
        self.browser.open(later["checkInUrl"])
        self.assertRegex(self.browser.wait_for(lambda: self.browser.find(".countdown").text),
            r"Opens in 3 days 2 hours")
        self.browser.complaints()

    def test_the_end_is_said_on_the_open_page_by_the_clock_and_after_a_change_of_the_end(self):
        session = self.session()
        self.enter(session)
        self.browser.wait_for(lambda: self.browser.find("#idle").is_displayed())
        self.assertFalse(self.browser.find("#over").is_displayed())

        def ends(minutes):
            read = self.host.get(self.path).expect(200)
            self.host.patch(self.path, {"endsAt": moment(minutes)},
                headers={"If-Match": read.headers["ETag"]}).expect(200)

        def shows(css, other):
            self.browser.wait_for(lambda: self.browser.find(css).is_displayed()
                and not self.browser.find(other).is_displayed())

        ends(0.1)
        shows("#over", "#idle")
        self.assertIn("The session has ended.", self.browser.find("#over").text)
        ends(60)
        shows("#idle", "#over")
        ends(0)
        shows("#over", "#idle")
        self.browser.driver.refresh()
        shows("#over", "#idle")
        self.browser.complaints()

    def show_before_it_begins(self):
        """Opens the page of a session before it begins. On a slow machine the first ones begin too soon."""
        for seconds in [6, 20, 40]:
            self.setUp()
            begins = time.time() + seconds
            self.enter(self.host.session(session={"startsAt": moment(seconds / 60), "endsAt": moment(60),
                "questions": LONG}))
            forms, text = self.browser.find_all("form.feedback"), self.browser.find(".pass").text
            if time.time() < begins - 1:
                self.assertEqual((forms, "Starts in" in text), ([], True), text)
                return
        self.fail("the machine is too slow")

    # MARK: What the page shows

    def test_the_pass_has_name_time_place_and_zone_and_the_results_mark_the_own_answer(self):
        made = self.host.meeting("Study group", place="Room 301", description="Bring a laptop.",
            timeZone="Asia/Seoul", session={"questions": []})
        session, meeting = made["session"], made["meeting"]["id"]
        self.path = f"/api/v1/sessions/{session['id']}"
        self.host.request("PUT", f"/api/v1/meetings/{meeting}/image", image(24, 12),
            headers={"Content-Type": "image/png"}).expect(204)
        self.browser.open(session["checkInUrl"])
        for told in ["Room 301", "Bring a laptop.", "UTC+9 (Asia/Seoul)"]:
            self.browser.wait_for_text("main", told)
        self.browser.wait_for(
            lambda: self.script("return document.querySelector('.picture').naturalWidth") == 24)
        self.enter(session)
        for told in ["Study group", "Room 301", "Asia/Seoul", "Show this screen", "on time"]:
            self.browser.wait_for_text(".pass", told)
        self.poll()
        self.edit(open=True, shared=True)
        self.browser.find("form[data-set=vote] .choice", 1).click()
        self.browser.find("form[data-set=vote] button[type=submit]").click()
        self.browser.wait_for(lambda: self.browser.find(".mine").text.startswith("Friday Your answer"))
        self.browser.wait_for_text("#live summary", "The vote\nYour answer: Friday")

    def test_an_optional_choice_can_be_cleared_and_enter_in_a_choice_does_not_send(self):
        session = self.session([{"kind": "rating", "title": "Stars"}])
        self.enter(session)
        star = self.browser.find(".star input", 3)
        before = self.top_of("button[type=submit]")
        star.click()
        star.send_keys("\n")
        self.browser.wait_for_value(lambda: self.script("return document.activeElement.type"), "submit")
        clear = self.browser.find(".clear")
        self.browser.wait_for(clear.is_displayed)
        self.assertEqual(self.top_of("button[type=submit]") + self.script("return scrollY"), before)
        clear.click()
        self.browser.wait_for(lambda: not self.browser.find_all("input:checked"))
        self.assertEqual(self.host.get(f"{self.path}/results").json["responses"], 0)

    def test_nothing_moves_after_the_check_in(self):
        session = self.session(LONG)
        self.enter(session)
        first = self.top_of("form.feedback textarea")
        self.browser.find(".mode")
        self.assertEqual(self.top_of("form.feedback textarea"), first)
        self.browser.open(session["checkInUrl"])
        self.browser.find(".mode")
        moved = """
            const done = arguments[0];
            new PerformanceObserver((list) => {}).observe({ type: "layout-shift", buffered: true });
            const watch = new PerformanceObserver((list) =>
              done(list.getEntries().reduce((sum, { value }) => sum + value, 0)));
            watch.observe({ type: "layout-shift", buffered: true });
            requestAnimationFrame(() => requestAnimationFrame(() => done(0)));
        """
        self.assertLess(self.browser.driver.execute_async_script(moved), 0.02)

    def test_a_wrong_field_is_seen_and_its_message_is_outside_the_label(self):
        session = self.session()
        self.browser.open(session["checkInUrl"])
        edge = "return getComputedStyle(document.querySelector('#email')).borderTopColor"
        right = self.script(edge)
        self.browser.find("#email").send_keys("kim@")
        self.browser.find("#name").click()
        self.browser.wait_for_text("#email-error", "e-mail address")
        self.browser.wait_for(lambda: self.script(edge) != right)
        self.enter(session)
        self.browser.open(self.browser.find("footer p a").get_property("href"))
        self.browser.find("form.withdraw button").click()
        error = self.browser.find("form.withdraw .error")
        self.assertEqual(self.script("return arguments[0].closest('label')", error), None)

    # MARK: Everybody can read it

    def pages(self):
        """Opens each page of an attendee and yields its name."""
        self.cdp("Emulation.setEmulatedMedia", features=[])
        session = self.session([*LONG[:1], {"kind": "rating", "title": "Stars", "required": True}],
            place="Room 301", description="Bring a laptop. " * 20)
        self.browser.open(self.server.url)
        yield "join"
        self.browser.open(session["checkInUrl"])
        yield "check-in"
        self.browser.find("form button[type=submit]").click()
        self.browser.wait_for(lambda: self.browser.find("#name-error").is_displayed())
        yield "wrong check-in"
        self.poll()
        self.enter(session)
        yield "pass"
        self.browser.find("form.feedback button[type=submit]").click()
        self.browser.wait_for(lambda: self.browser.find("form.feedback .error").is_displayed())
        yield "wrong feedback"
        self.edit(open=True)
        self.browser.find("form[data-set=vote]")
        yield "poll"
        self.edit(shared=True)
        self.browser.find("form[data-set=vote] textarea").send_keys("Because")
        self.browser.find("form[data-set=vote] .choice", 1).click()
        self.browser.find("form[data-set=vote] button[type=submit]").click()
        self.browser.find(".mine")
        yield "results"
        self.edit(open=False)
        self.browser.open(self.browser.find("footer p a").get_property("href"))
        yield "record"
        waits = self.host.session(session={"startsAt": moment(600), "endsAt": moment(700)})
        self.browser.open(waits["checkInUrl"])
        yield "not open yet"
        self.browser.open(f"{self.server.url}/C/NONE")
        yield "wrong code"

    def test_each_page_has_enough_contrast_and_no_findings_of_axe(self):
        for name in self.pages():
            with self.subTest(name):
                for scheme in ["light", "dark"]:
                    self.assertEqual(contrast.violations(self.browser, scheme), [], scheme)
                self.assertEqual(violations(self.browser.driver), [])
        self.browser.complaints()

    def test_each_page_fits_a_small_phone_with_text_of_twice_the_size(self):
        usual = self.browser
        with Browser(text_size=32) as self.browser:
            self.device(SMALL)
            for name in self.pages():
                with self.subTest(name):
                    self.assertGreaterEqual(
                        self.script("return parseFloat(getComputedStyle(document.body).fontSize)"), 32)
                    self.assertEqual(self.browser.width_of_content(), SMALL[0])
                    heading, sections, text = self.script(SIZES)
                    # The line of a pass above a question is no heading of the page.
                    self.assertTrue(heading is None or heading > max(sections, default=text),
                        (heading, sections, text))
                    self.assertTrue(all(size > text for size in sections), (sections, text))
        self.browser = usual


class PhoneWithoutScriptTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def setUp(self):
        self.visitor = Visitor(self.server)

    def enter(self, session, name="Kim"):
        return self.visitor.submit(self.visitor.open(session["checkInUrl"][len(self.server.url):]), name=name,
            email=f"{name.lower()}@example.org")

    def test_an_answer_to_a_closed_poll_is_shown_with_a_next_step(self):
        session = self.host.session(session={"questions": []})
        path = f"/api/v1/sessions/{session['id']}"
        self.host.put(f"{path}/questions?set=vote", {**VOTE, "anonymous": False}).expect(200)
        self.host.patch(f"{path}/sets/vote", {"open": True}).expect(200)
        page = self.enter(session)
        why = next(name for name in page.forms[0]["fields"] if name.startswith("q_")
            and not name.endswith("_other"))
        self.host.patch(f"{path}/sets/vote", {"open": False}).expect(200)
        refused = self.visitor.submit(page, **{why: "My <b> reason"})
        self.assertEqual(refused.status, 409)
        self.assertIn("Why?\nMy <b> reason", refused.answer.text.replace("&lt;", "<").replace("&gt;", ">"))
        self.assertIn("You are checked in", self.visitor.open(refused.links["Back to my page"]).text)

    def test_a_mistyped_address_is_corrected_before_and_after_the_check_in(self):
        session = self.host.session()
        path = f"/api/v1/sessions/{session['id']}/attendees"
        check_in(self.host, session, "Lee", "lee@example.org").expect(201)
        elsewhere = self.enter(session, "Lee")
        self.assertIn("This e-mail address has checked in already. Is it yours?", elsewhere.text)
        self.assertEqual(elsewhere.links["No, correct it"], "#email")
        self.assertEqual(elsewhere.links["Join another session"], "/")
        inside = self.visitor.submit(elsewhere, name="Leo", email="leo@exmaple.org")
        self.assertIn("You are checked in, Leo", inside.text)
        record = self.visitor.open(inside.links["My attendance"])
        for wrong, said in [("leo@", "Enter an e-mail address"),
                ("lee@example.org", "merge the two check-ins")]:
            refused = self.visitor.submit(record, email=wrong)
            self.assertEqual((refused.status, refused.forms[0]["fields"]["email"]), (422, wrong))
            self.assertIn(said, refused.text)
        self.assertIn("Your details were saved", self.visitor.submit(record, email="leo@example.org").text)
        self.assertEqual(sorted(person["email"] for person in self.host.all(path)),
            ["lee@example.org", "leo@example.org"])
        # The old address is free again, and the new one is taken.
        check_in(self.host, session, "Leo II", "leo@exmaple.org").expect(201)
        self.assertTrue(check_in(self.host, session, "Leo", "leo@example.org").json["alreadyCheckedIn"])

    def test_every_page_has_a_next_step(self):
        session = self.host.session(session={"questions": []})
        ended = self.host.session(session={"startsAt": moment(-200), "endsAt": moment(-100)})
        waits = self.host.session(session={"startsAt": moment(600), "endsAt": moment(700)})
        paths = [made["checkInUrl"][len(self.server.url):] for made in [ended, waits]]
        pages = [self.enter(session), *map(self.visitor.open, ["/C/NONE", "/nothing", *paths])]
        record = self.visitor.open(pages[0].links["My attendance"])
        pages += [record, self.visitor.send("POST", record.forms[1]["action"],
            {**record.forms[1]["fields"], "sure": "yes"})]
        typed = self.visitor.submit(self.visitor.open("/"), joinCode=waits["joinCode"])
        self.assertEqual(typed.forms[0]["fields"]["joinCode"], waits["joinCode"])
        for page in [*pages, typed]:
            steps = {text for text, target in page.links.items() if "lang=" not in target}
            self.assertTrue(steps - {"My attendance"} or page.forms, page.text)
        # Without scripts, a page that waits loads itself again.
        self.assertIn('http-equiv="refresh"', pages[4].answer.text)

    def test_the_session_is_a_calendar_file(self):
        session = self.host.meeting("A, b; c\\d", place="방" * 30, session={"questions": []})["session"]
        page = self.enter(session)
        answer = self.visitor.open(page.links["Add to calendar"]).answer
        self.assertEqual(answer.headers.get_content_type(), "text/calendar")
        text = answer.body.replace(b"\r\n ", b"").decode()
        self.assertEqual(text.count("BEGIN:VEVENT"), 1)
        self.assertIn(f"UID:{session['id']}@qring\r\n", text)
        self.assertIn(f"LOCATION:{'방' * 30}\r\n", text)
        other = Visitor(self.server).open(page.links["Add to calendar"])
        self.assertEqual(other.status, 401)


if __name__ == "__main__":
    unittest.main()
