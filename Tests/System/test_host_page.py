"""In a real Chromium, a host signs up, plans a session and runs it from the host's page, while people check
in and answer and others correct. The page catches up after the server was away."""
import os
import tempfile
import unittest

from axe import violations
from browser import PHONE
from host import PASSWORD, Host, check_in, moment
from host_page import HOSTILE, LONG_KOREAN, HostPage, HostPageCase
from image import image
from server_process import Server, free_port

TERMS = "\n\n".join(
    f"Paragraph {number} of the operator's own terms, which is long enough to be read with care."
    for number in range(1, 30))


class HostPageTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        terms = os.path.join(folder, "terms.txt")
        with open(terms, "w", encoding="utf-8") as file:
            file.write(TERMS)
        cls.server = cls.enterClassContext(Server("--signup", "open", "--terms", terms, "--interests", "2"))

    def test_sign_up_judges_each_field_while_the_host_types(self):
        page = self.page(PHONE)
        page.show("sign-up")

        def assert_state(field, expected):
            page.wait_for_value(lambda: page.find(f"#f-{field}").get_attribute("data-state"), expected)

        def is_inactive():
            return page.find("button[type=submit]").get_attribute("aria-disabled") == "true"

        page.wait_for(is_inactive)
        self.assertEqual([one.get_attribute("id") for one in page.find_all("form input")],
            ["f-email", "f-password", "f-shown", "f-name", "f-terms"])
        # An address of an intranet is accepted after a question.
        page.find("#f-email").send_keys("kim@example")
        page.wait_for_text("main .note", "Is this address complete?")
        assert_state("email", "typing")
        page.find("#f-email").send_keys(".org")
        page.wait_for_text("main .note", "available")
        assert_state("email", "valid")
        page.find("#f-password").send_keys("a")
        page.wait_for_text("#f-password-error", "8")
        assert_state("password", "invalid")
        page.fill("#f-password", PASSWORD)
        assert_state("password", "valid")
        page.click("#f-shown")
        self.assertEqual(page.find("#f-password").get_attribute("type"), "text")
        page.find("#f-name").send_keys("K", "\ue003")
        assert_state("name", "invalid")
        # The button looks inactive, but a press says what is missing.
        page.click("button[type=submit]")
        page.wait_for_text("#said", "Your name, I accept the terms")
        page.find("#f-name").send_keys("Kim")
        assert_state("name", "valid")
        page.click("#f-terms")
        page.wait_for(lambda: not is_inactive())

    def test_sign_up_asks_for_three_things_and_keeps_the_input(self):
        Host(self.server, "taken@example.org")
        page = self.page(PHONE)
        page.show("sign-up")
        page.find("#f-email")
        button = page.find("button[type=submit]").rect
        page.find("#f-email").send_keys("taken@example.org")
        page.wait_for_text("#f-email-error", "An account with this address")
        # The message and the answer come late, and move no button from under the finger.
        self.assertEqual(page.find("button[type=submit]").rect, button)
        page.find("#f-password").send_keys(PASSWORD)
        page.find("#f-name").send_keys(HOSTILE)
        # The terms can be read here, and nobody must scroll through them.
        page.click_text("Read the terms")
        page.wait_for_text(".terms", "Paragraph 1 of")
        page.click("#f-terms")
        page.click("button[type=submit]")
        page.wait_for_value(lambda: page.driver.switch_to.active_element.get_attribute("id"), "f-email")
        page.fill("#f-email", "new-host@example.org")
        page.wait_for_text("main .note", "available")
        self.assertEqual(page.find("#f-name").get_property("value"), HOSTILE)
        page.click("button[type=submit]")
        page.wait_for_text("#bar", HOSTILE)
        page.wait_for_value(lambda: page.find("h1").text, "Your meetings")
        self.assertEqual(page.width_of_content(), PHONE[0])
        me = page.driver.execute_async_script(
            "fetch('/api/v1/me').then((one) => one.json()).then(arguments[0])")
        self.assertEqual([me.get(name) for name in ["birthDate", "gender", "phone", "interests"]], [None] * 4)

    def test_the_full_sign_up_has_steps_and_keeps_the_input(self):
        with Server("--signup", "open", "--signup-form", "full", "--interests", "2") as server:
            Host(server, "taken@example.org")
            page = self.enterContext(HostPage(server, PHONE))
            page.show("sign-up")
            page.find("#f-email").send_keys("taken@example.org")
            # The step itself reports the address, and the next one does not open.
            page.click("button[type=submit]")
            page.wait_for_text("#f-email-error", "An account with this address")
            self.assertEqual(page.find_all("#f-password"), [])
            page.fill("#f-email", "new-host@example.org")
            page.wait_for_text(".note", "available")
            page.click("button[type=submit]")
            page.find("#f-password").send_keys(PASSWORD)
            page.click("button[type=submit]")
            page.find("#f-name").send_keys("Kim")
            for field, keypad in [("birthDate", "numeric"), ("phone", "tel")]:
                self.assertEqual(page.find(f"#f-{field}").get_attribute("inputmode"), keypad)
            page.find("#f-birthDate").send_keys("20010520", "\t")
            page.wait_for_value(lambda: page.find("#f-birthDate").get_property("value"), "2001-05-20")
            page.wait_for_text("#f-chips-hint", "2")
            # The Enter key of the interests says "done" after the two that this server asks for.
            chips = page.find("#f-chips")
            for word, key in [("go", "enter"), ("반려견", "done")]:
                chips.send_keys(word, "\ue007")
                page.wait_for_value(lambda key=key: chips.get_attribute("enterkeyhint"), key)
            page.click(".chips button")
            page.wait_for_value(lambda: len(page.find_all(".chips li")), 1)
            # After two steps back and two forward, all input is still there.
            page.click_text("Back")
            page.click_text("Back")
            page.wait_for_value(lambda: page.find("#f-email").get_property("value"), "new-host@example.org")
            page.click("button[type=submit]")
            page.wait_for_value(lambda: page.find("#f-password").get_property("value"), PASSWORD)
            page.click("button[type=submit]")
            page.wait_for_value(lambda: page.find("#f-name").get_property("value"), "Kim")
            page.wait_for_value(lambda: len(page.find_all(".chips li")), 1)
            page.click("button[type=submit]")
            page.click("#f-terms")
            page.click("button[type=submit]")
            page.wait_for_text("#bar", "Kim")

    def test_a_new_host_learns_what_to_do_and_plays_with_a_sample_meeting(self):
        host, page = self.signed_in()
        page.show("")
        page.wait_for_value(lambda: len(page.find_all(".steps li")), 3)
        self.assertEqual(violations(page.driver), [])
        page.click_text("Try a sample meeting")
        page.wait_for_text("h1", "Sample meeting")
        page.wait_for(lambda: page.count("present") >= 2)
        # The attendees answer what the host asks, also beside questions that they cannot answer.
        path = f"/api/v1/sessions/{host.get('/api/v1/sessions/nearest').json['id']}"
        host.post(f"{path}/polls", {"open": True, "questions": [
            {"kind": "shortAnswer", "title": "Why?"}]}).expect(201)
        page.click_text("Start poll")
        page.wait_for(lambda: any(int(one.text) > 0 for one in page.find_all(".live .amount") if one.text))
        self.assertEqual(page.complaints(), [])
        meeting = host.get("/api/v1/meetings").expect(200).json["items"][0]
        self.assertEqual(len(host.get(f"{path}/sets").expect(200).json["items"]), 5)
        host.delete(f"/api/v1/meetings/{meeting['id']}?confirm=Sample%20meeting").expect(204)

    def test_sessions_to_come_are_cards_with_image_colour_code_and_counts(self):
        host, page = self.signed_in()
        soon = host.session("Board", starts=30, ends=90, accent="teal", plannedCount=12)
        host.session("Lecture", starts=60 * 50, ends=60 * 52)
        host.session("Running", plannedCount=3)
        host.request("PUT", f"/api/v1/meetings/{soon['meetingId']}/image", image(300, 100),
            headers={"Content-Type": "image/png"}).expect(204)
        page.show("")
        page.wait_for_text(".near h2", "Running")
        page.wait_for_value(lambda: len(page.find_all(".tiles li")), 2)
        card = page.find(".tiles li.accent-teal")
        for text in ["Board", "check-in open", "0 of 12 checked in", soon["joinCode"]]:
            self.assertIn(text, card.text)
        page.wait_for(lambda: page.driver.execute_script(
            "return document.querySelector('.tiles img')?.naturalWidth > 0"))
        check_in(host, soon, "Kim", "kim@example.org").expect(201)
        page.wait_for(lambda: "1 of 12 checked in" in card.text)
        self.assertEqual(violations(page.driver), [])

    def test_the_account_page_lists_sign_ins_and_ends_another_one(self):
        host, page = self.signed_in()
        page.show("account")
        page.wait_for(lambda: len(page.find_all(".cards li")) == 2)
        page.wait_for_text(".cards", "127.0.0.1")
        page.click_text("Sign out there")
        page.wait_for(lambda: len(page.find_all(".cards li")) == 1)
        self.assertEqual(host.get("/api/v1/me").status, 401)
        page.wait_for_text(".cards", "this device")

    def test_a_whole_session_is_run_from_a_phone(self):
        host, page = self.signed_in(PHONE)
        # One tap from the first view.
        page.click_text("Start a meeting now")
        page.wait_for(lambda: page.count("present") == 0)
        session = host.get("/api/v1/sessions/nearest").expect(200).json
        page.wait_for_value(lambda: page.find(".join").text, session["joinCode"])
        page.wait_for(lambda: page.codes_on_screen() == [session["checkInUrl"]])
        page.driver.execute_script("window.isTheSamePage = true")
        # After a check-in through the API, the count and the list change.
        receipt = check_in(host, session, "Kim", "kim@example.org").expect(201).json["receipt"]
        page.wait_for(lambda: page.count("present") == 1)
        page.wait_for_text(".newest", "Kim")
        # Corrected, and undone.
        page.click_text("People")
        page.wait_for_text(".people", "kim@example.org")
        page.click_text("Kim: late")
        page.wait_for(lambda: self.attendees(host, session)[0]["status"] == "late")
        page.wait_for_text("#said", "Kim: late")
        page.click("#said button")
        page.wait_for(lambda: self.attendees(host, session)[0]["status"] == "present")
        page.wait_for_text("td.status", "present")
        # Questions are written, saved, and asked as a poll.
        page.click_text("Questions")
        page.click_text("New poll")
        page.find("#set-title").send_keys("Lunch")
        page.click_text("+ Multiple choice")
        page.find("#q0-title").send_keys("What shall we eat?")
        page.find("#q0-choice0").send_keys("Noodles")
        page.click_text("Save")
        # A choice without a text is reported at the question, and all input stays.
        page.find(".question .error")
        page.find("#q0-choice1").send_keys("비빔밥")
        page.click_text("Save")
        page.wait_for_text("#said", "Saved")
        page.fill("#set-promise", "named")
        page.wait_for(lambda: host.get(
            f"/api/v1/sessions/{session['id']}/questions?set=poll-1").json["promise"] == "named")
        page.click_text("Results")
        page.click_text("Lunch 0 answers")
        page.click_text("Lunch: Open")
        page.wait_for(lambda: host.get(f"/api/v1/sessions/{session['id']}/questions?set=poll-1").json["open"])
        question = host.get(f"/api/v1/sessions/{session['id']}/questions?set=poll-1").json["questions"][0]
        host.post(f"/api/v1/sessions/{session['id']}/responses",
            {"set": "poll-1", "answers": {question["id"]: ["b"]}}, token=receipt).expect(201)
        page.wait_for_text(".tally", "1 answer")
        page.wait_for(lambda: page.find(".bars li").text.split() == ["비빔밥", "1", "100%"])
        page.wait_for_text(".summary", "100%")
        # The host makes the code rotate, and the page follows.
        page.click_text("Live")
        page.click_text("Links and code settings")
        page.click_text("Rotate the code")
        page.answer_dialog("Rotate the code")
        page.wait_for(lambda: page.find(".join").text != session["joinCode"])
        page.driver.execute_script("document.querySelector('.join').scrollIntoView({ block: 'end' })")
        page.wait_for(lambda: page.codes_on_screen() not in ([], [session["checkInUrl"]]))
        self.assertTrue(page.driver.execute_script("return window.isTheSamePage"))
        self.assertEqual(page.width_of_content(), PHONE[0])
        self.assertEqual([line for line in page.complaints() if "422" not in line], [])

    def test_the_page_catches_up_when_the_server_was_away(self):
        server = self.enterContext(Server("--signup", "open", port=free_port()))
        host = Host(server)
        session = host.session()
        page = self.enterContext(HostPage(server))
        page.sign_in(host.email)
        page.show(f"sessions/{session['id']}")
        page.wait_for_text(".state", "live")
        page.driver.execute_script("window.isTheSamePage = true")
        self.assertEqual(server.stop(), 0)
        page.wait_for_text(".state", "reconnecting")
        server.start()
        host.close()
        for number in range(3):
            check_in(host, session, f"Guest {number}", f"guest{number}@example.org").expect(201)
        page.wait_for(lambda: page.count("present") == 3)
        page.wait_for_text(".newest", "Guest 2")
        self.assertTrue(page.driver.execute_script("return window.isTheSamePage"))

    def test_the_page_works_without_tls_and_sends_each_change_once(self):
        server = Server("--signup", "open")
        server.listen = "0.0.0.0:0"
        self.enterContext(server)
        host = Host(server)
        # Browsers trust 127.0.0.1 as if it had TLS, and offer less elsewhere.
        page = self.enterContext(HostPage(server, url=f"http://0.0.0.0:{server.port}"))
        page.sign_in(host.email)
        self.assertFalse(page.driver.execute_script("return isSecureContext"))
        page.show("new-meeting")
        # The answer is lost. The input stays, and sending it again creates no second meeting.
        page.driver.execute_script("""
            const real = window.fetch;
            window.fetch = (path, options) => real(path, options).then((answer) => {
              if (path !== '/api/v1/meetings' || options.method !== 'POST') return answer;
              window.fetch = real;
              throw new TypeError('lost');
            });
        """)
        page.fill("#f-name", "Only one")
        page.click_text("Create")
        page.wait_for_text("form .error:not([hidden])", "Not sent")
        page.wait_for_value(lambda: page.find("#f-name").get_property("value"), "Only one")
        page.click_text("Create")
        page.wait_for(lambda: page.count("present") == 0)
        self.assertEqual([meeting["name"] for meeting in host.all("/api/v1/meetings")], ["Only one"])

    def test_the_slower_of_two_hosts_sees_the_new_version(self):
        host, page = self.signed_in()
        session = host.session()
        check_in(host, session, "Kim", "kim@example.org").expect(201)
        page.show(f"sessions/{session['id']}/people")
        page.click_text("Edit Kim")
        # Another host is faster. The record stays open for editing.
        kim = self.attendees(host, session)[0]
        host.patch(f"/api/v1/attendees/{kim['id']}", {"status": "excused"}).expect(200)
        page.fill(f"#f-{kim['id']}-note", "came by the back door")
        page.click(".editing button[type=submit]")
        page.wait_for_text("#said", "The status is now: excused")
        page.wait_for_text("td.status", "excused")
        self.assertNotIn("note", self.attendees(host, session)[0])
        # With the new version the edit succeeds: a note and the true time.
        page.click_text("Edit Kim")
        page.fill(f"#f-{kim['id']}-note", "came by the back door")
        page.fill(f"#f-{kim['id']}-status", "present")
        page.click(".editing button[type=submit]")
        page.wait_for(lambda: self.attendees(host, session)[0].get("note") == "came by the back door")
        self.assertEqual(self.attendees(host, session)[0]["status"], "present")
        # The journal shows it in words, and can undo it.
        page.show(f"sessions/{session['id']}/review")
        page.wait_for_text(".journal", "came by the back door")
        page.click(".journal li button")
        page.wait_for(lambda: self.attendees(host, session)[0]["status"] == "excused")

    def test_a_person_who_could_not_scan_is_added_with_the_true_time(self):
        host, page = self.signed_in()
        session = host.session(starts=-60, session={"lateAfterMinutes": 10})
        page.show(f"sessions/{session['id']}/people")
        page.click_text("Add an attendee who could not scan")
        page.fill("#f-name", "Lee")
        came_at = moment(-55)[:16]
        page.fill("#f-checkedInAt", came_at)
        page.click_text("Add")
        page.wait_for_text(".people", "Lee")
        lee = self.attendees(host, session)[0]
        # The page uses the session's zone; here both are UTC.
        self.assertEqual((lee["status"], lee["checkedInAt"][:16]), ("present", came_at))

    def test_an_overlap_is_shown_while_the_times_are_typed(self):
        host, page = self.signed_in()
        host.meeting("The other one", starts=600, ends=660)
        page.show("new-meeting")
        page.fill("#f-startsAt", moment(630)[:16])
        page.fill("#f-endsAt", moment(700)[:16])
        page.wait_for_text(".warning", "The other one")
        page.click_text("Create")
        page.wait_for_text("form .error:not([hidden])", "The other one")
        page.click_text("Create anyway")
        page.wait_for(lambda: page.count("present") == 0)

    def test_a_meeting_is_continued_and_its_roster_kept(self):
        host, page = self.signed_in()
        meeting = host.meeting("Series")["meeting"]
        page.show(f"meetings/{meeting['id']}")
        # With one wrong line nothing is stored; then the whole file is.
        with tempfile.TemporaryDirectory() as folder:
            bad, good = os.path.join(folder, "bad.csv"), os.path.join(folder, "good.csv")
            with open(bad, "w", encoding="utf-8") as file:
                file.write("name,email\nKim,kim@example.org\nLee,not an address\n")
            with open(good, "w", encoding="utf-8") as file:
                file.write(f'name,email\nKim,kim@example.org\n"{LONG_KOREAN}",lee@example.org\n')
            page.click_text("Import a roster")
            page.find("#f-roster").send_keys(bad)
            page.wait_for_text("ul.error", "Line 3:")
            self.assertEqual(host.all(f"/api/v1/meetings/{meeting['id']}/roster"), [])
            page.find("#f-roster").send_keys(good)
            page.answer_dialog("Import")
            page.wait_for_text("table.people", LONG_KOREAN)
        page.click_text("Archive: Kim")
        page.wait_for_text("#said", "Kim was archived")
        self.assertEqual(
            [person["name"] for person in host.all(f"/api/v1/meetings/{meeting['id']}/roster?archived=true")],
            ["Kim"])
        page.click_text("Next session")
        page.fill("#f-count", "3")
        page.click_text("Create")
        page.wait_for(lambda: len(host.all(f"/api/v1/meetings/{meeting['id']}/sessions")) == 4)
        page.show(f"meetings/{meeting['id']}")
        page.wait_for_text("table.people", LONG_KOREAN)
        data = page.find("table.people a[href*='/export.html']").get_attribute("href")
        self.assertIn(LONG_KOREAN, host.get(data[data.index("/api"):]).expect(200).text)
        for label in ["Search sessions", "Search names and e-mail addresses"]:
            page.fill(f"input[aria-label='{label}']", "Nowhere")
            page.wait_for_text("p.empty:not([hidden])", "Nothing matches.")
            page.fill(f"input[aria-label='{label}']", "")
            page.wait_for(lambda: not page.find_all("p.empty:not([hidden])"))
        page.click_text(f"Erase {LONG_KOREAN} completely")
        page.answer_dialog("Erase")
        page.wait_for_text("#said", f"{LONG_KOREAN} was erased")
        self.assertEqual(host.all(f"/api/v1/meetings/{meeting['id']}/roster"), [])

    def test_a_sign_in_that_ends_while_a_view_opens_leads_to_signing_in(self):
        _, page = self.signed_in()
        # The server knows the token at the first request, and not at the second; nor can it be refreshed.
        page.driver.execute_script("""
            const real = window.fetch;
            let questions = 0;
            window.fetch = (path, options) => {
                const isOver = path === '/host/renew' || (path === '/api/v1/me' && ++questions > 1);
                return isOver ? real('/api/v1/me', { credentials: 'omit' }) : real(path, options);
            };
            location.hash = '#/account';
        """)
        page.wait_for(lambda: page.driver.current_url.endswith("#/sign-in") and page.find("#f-email"))


if __name__ == "__main__":
    unittest.main()
