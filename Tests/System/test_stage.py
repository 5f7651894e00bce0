"""The phone during an evening: one current thing on top, everything else in one line each, a bar with marks,
and nothing that moves under a thumb or is lost."""
import unittest

import contrast
from axe import violations
from browser import PHONE, Browser
from host import Host, check_in
from server_process import Server
from test_lost_clicks import Hand

SMALL = (320, 568)
LONG_GERMAN = "Welches Thema als nächstes: Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz?"
# Each poll of the evening: the question, what the attendee enters, and the line when it is closed.
EVENING = [
    ({"kind": "yesNo", "title": "A break?"}, ".choice", "Your answer: Yes"),
    ({"kind": "multipleChoice", "title": "Which topic next?",
        "choices": [{"label": "Talks"}, {"label": "Walks"}]}, ".choice", "Your answer: Talks"),
    ({"kind": "scale", "title": "How sure do you feel?", "scale": 5}, ".point", "Your answer: 1"),
    ({"kind": "wordCloud", "title": "One word?", "maxWords": 1}, ("input.word", "speed"),
        "Your answer: speed"),
    ({"kind": "shortAnswer", "title": "What was unclear?"}, ("textarea", "The middle"),
        "Your answer: The middle"),
    ({"kind": "number", "title": "How many came by train?"}, ("input[type=number]", "3"), "Your answer: 3"),
]
# The places of the controls on the screen, those of the bar left out.
PLACES = """
return [...document.querySelectorAll("#now form:not(.arrived form) :is(input, textarea, button)")]
    .map((one) => Math.round(one.getBoundingClientRect().top));
"""
# Controls that are too small for a finger. A link inside a sentence may be smaller (WCAG 2.5.8).
# Whether the first text of an element is on the screen, and nothing cuts it off or lies over it.
IS_SEEN = """
const words = document.createRange();
words.selectNodeContents(document.querySelector(arguments[0]));
const { left, top, width, height } = words.getBoundingClientRect();
return document.elementFromPoint(left + width / 2, top + height / 2)?.matches(arguments[0]) ?? false;
"""
SMALL_TARGETS = """
const inputs = "main :is(button, summary, select, .choice, .point, .star), nav.parts a";
return [...document.querySelectorAll(inputs)].filter((one) => one.checkVisibility())
    .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([text]) => text);
"""


class StageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.phone = cls.enterClassContext(Browser())

    def setUp(self):
        self.cdp("Emulation.setDeviceMetricsOverride", width=PHONE[0], height=PHONE[1], deviceScaleFactor=1,
            mobile=True)
        self.session = self.host.session(session={"questions": []})
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.own = f"{self.server.url}/me/{self.session['id']}"

    def cdp(self, command, **values):
        return self.phone.driver.execute_cdp_cmd(command, values)

    def run_script(self, script, *arguments):
        return self.phone.driver.execute_script(script, *arguments)

    def enter(self):
        self.phone.open(self.session["checkInUrl"])
        self.phone.find("#name").send_keys("Kim")
        self.phone.find("#email").send_keys("kim@example.org\ue007")
        self.phone.wait_for_text("#result", "Kim")
        self.phone.find("#live")

    def poll(self, question=None, **fields):
        question = question or {"kind": "yesNo", "title": "A break?"}
        return self.host.post(f"{self.path}/polls", {"questions": [question], "open": True,
            **fields}).expect(201).json

    def change(self, poll, **fields):
        self.host.patch(f"{self.path}/sets/{poll['set']}", fields).expect(200)

    def form(self, poll):
        return self.phone.find(f"#now form[data-set={poll['set']}]")

    def fill(self, poll, entered):
        css, text = entered if isinstance(entered, tuple) else (entered, None)
        field = self.form(poll).find_element("css selector", css)
        if text:
            field.send_keys(text)
        else:
            field.click()

    def answer(self, poll, entered=".choice"):
        self.fill(poll, entered)
        self.form(poll).find_element("css selector", "button[type=submit]").click()
        self.phone.wait_for_text("#result", "Thank you")
        self.line(poll)

    def line(self, poll):
        return self.phone.find(f"#live > details[data-set={poll['set']}]")

    def summary(self, poll):
        return self.phone.find(f"#live > details[data-set={poll['set']}] > summary").text

    def is_marked(self, part):
        return self.phone.find(f".parts [data-part={part}] .mark").is_displayed()


class StageTests(StageCase):
    def test_after_six_polls_the_page_is_at_most_one_and_a_half_screens_high(self):
        self.enter()
        receipts = [check_in(self.host, self.session, f"Guest {number}",
            f"g{number}@example.org").expect(201).json["receipt"] for number in range(3)]
        polls = []
        for number, (question, entered, _) in enumerate(EVENING):
            polls.append(self.poll(question))
            # The question is on top of the screen, and its title is the heading.
            self.phone.wait_for(lambda: self.form(polls[-1]).find_element("css selector",
                "h2").text == question["title"])
            self.assertLess(self.run_script("return arguments[0].getBoundingClientRect().top",
                self.form(polls[-1])), PHONE[1] / 3)
            self.assertEqual(len(self.phone.find_all("#now form")), 1)
            self.answer(polls[-1], entered)
            if number == 0:
                for receipt in receipts:
                    self.host.post(f"{self.path}/responses", {"set": polls[0]["set"],
                        "answers": {polls[0]["questions"][0]["id"]: ["yes"]}}, token=receipt).expect(201)
            self.change(polls[-1], open=False, shared=number % 2 == 0)
            self.phone.wait_for(lambda: self.form_is_folded(polls[-1]))
        for loaded in ["live", "anew"]:
            with self.subTest(loaded):
                self.phone.wait_for(lambda: self.phone.find("#idle").is_displayed())
                self.phone.wait_for(lambda: len(self.phone.find_all("#live .tally")) == 3)
                self.assertLessEqual(self.phone.height_of_content(), 1.5 * PHONE[1])
                for poll, (question, _, said) in zip(polls, EVENING):
                    self.assertIn(question["title"], self.summary(poll))
                    self.assertIn(said, self.summary(poll))
                self.assertIn("Yes 100%", self.summary(polls[0]))
                # One line each: the name, and below it the own answer and the result.
                heights = self.run_script("return [...document.querySelectorAll('#live > details > summary')]"
                    ".map((one) => one.getBoundingClientRect().height)")
                self.assertTrue(all(44 <= height <= 80 for height in heights), heights)
                self.assertEqual(self.phone.find_all("#now form"), [])
                self.assertEqual(self.run_script(SMALL_TARGETS), [])
                self.assertEqual(violations(self.phone.driver), [])
            self.phone.open(self.own)
        self.assertEqual(self.phone.complaints(), [])

    def form_is_folded(self, poll):
        form = self.phone.find(f"#live form[data-set={poll['set']}]")
        return form.get_attribute("data-closed") is not None

    def test_without_scripts_the_page_has_the_same_order(self):
        self.enter()
        first, second = self.poll(), self.poll({"kind": "yesNo", "title": "Tea?"})
        self.form(first)
        self.answer(second)
        self.change(second, open=False, shared=True)
        third = self.poll({"kind": "yesNo", "title": "Walk?"})
        cookies = self.phone.driver.get_cookies()
        with Browser(javascript=False) as plain:
            plain.open(self.server.url)
            for cookie in cookies:
                plain.driver.add_cookie({name: cookie[name] for name in ["name", "value"]})
            plain.open(self.own)
            self.assertEqual([one.get_attribute("data-set") for one in plain.find_all("#now form")],
                [third["set"], first["set"]])
            self.assertEqual([one.text for one in plain.find_all("#live summary")],
                ["Tea?\nYour answer: Yes"])
            self.assertEqual([one.text for one in plain.find_all(".parts li") if one.is_displayed()],
                ["Now", "Me"])

    def test_an_answer_to_anonymous_questions_is_in_the_line_of_the_tab_that_sent_it(self):
        self.enter()
        poll = self.poll(promise="anonymous")
        self.answer(poll)
        self.phone.wait_for(lambda: "Your answer: Yes" in self.summary(poll))
        self.change(poll, open=False)
        self.phone.open(self.own)
        self.phone.wait_for(lambda: "Your answer: Yes" in self.summary(poll))
        self.run_script("sessionStorage.clear()")
        self.phone.open(self.own)
        self.phone.wait_for(lambda: "You answered." in self.summary(poll))

    def test_unsent_text_stays_until_it_is_copied_or_discarded(self):
        self.enter()
        polls = [self.poll({"kind": "shortAnswer", "title": title}) for title in ["Why?", "Where?"]]
        for poll, text in zip(polls, ["Because of", "Some place"]):
            self.fill(poll, ("textarea", text))
        for poll in polls:
            self.change(poll, open=False)
            self.phone.wait_for(lambda: self.phone.find(f"#live [data-set={poll['set']}] .kept"))
        other = self.poll()
        kept = lambda: [one.get_property("value") for one in self.phone.find_all("#live .kept")]
        self.phone.wait_for(lambda: self.form(other).is_displayed())
        self.phone.wait_for_value(kept, ["Where?\nSome place", "Why?\nBecause of"])
        # The page after another answer still has it, and each button has its own name.
        self.answer(other)
        self.phone.wait_for_value(kept, ["Where?\nSome place", "Why?\nBecause of"])
        self.assertEqual([one.accessible_name for one in self.phone.find_all("#live .pair button")],
            ["Copy: Where?", "Discard: Where?", "Copy: Why?", "Discard: Why?"])
        self.phone.find(f"#live [data-set={polls[1]['set']}] .aside").click()
        self.phone.wait_for_value(kept, ["Why?\nBecause of"])
        self.phone.wait_for(lambda: "You did not answer." in self.summary(polls[1]))
        self.phone.find(f"#live [data-set={polls[0]['set']}] .copy").click()
        self.phone.wait_for(lambda: "Copied" in self.phone.find("#live .copy").text
            or "Selected" in self.phone.find("#live .copy").text)
        # A host who opens the questions again gives the text back.
        self.change(polls[0], open=True)
        self.phone.wait_for(lambda: self.form(polls[0]).find_element("css selector",
            "textarea").get_property("value") == "Because of")
        self.assertEqual(self.phone.complaints(), [])

    def test_a_poll_that_opens_moves_nothing_under_a_thumb(self):
        first = self.poll({"kind": "multipleChoice", "title": "Which?",
            "choices": [{"label": f"Choice {number}"} for number in range(8)]})
        self.enter()
        self.phone.open(self.own)
        self.fill(first, ".choice")
        before = self.run_script(PLACES)
        second = self.poll()
        self.phone.wait_for(lambda: self.phone.find(".jump").is_displayed())
        self.assertIn("A break?", self.phone.find(".jump").text)
        moved = [abs(one - other) for one, other in zip(self.run_script(PLACES), before, strict=True)]
        self.assertLessEqual(max(moved), 1)
        self.phone.find(".jump").click()
        self.phone.wait_for(lambda: 0 <= self.run_script(
            "return arguments[0].getBoundingClientRect().top", self.form(second)) < PHONE[1] / 3)
        self.assertEqual([one.get_attribute("data-set") for one in self.phone.find_all("#now form")],
            [second["set"], first["set"]])

    def test_a_press_on_a_line_is_not_lost_while_polls_open_and_close(self):
        with Browser() as self.phone:
            finger = Hand(self.phone)
            self.enter()
            poll = self.poll()
            self.answer(poll)
            self.change(poll, open=False, shared=True)
            self.phone.wait_for(lambda: self.form_is_folded(poll))
            css = f"#live > details[data-set={poll['set']}] > summary"
            for how, moment in [("touch", "pointerdown"), ("touch", "between"), ("touch", "pointerup"),
                    ("mouse", "between"), ("space", "between")]:
                with self.subTest(how=how, moment=moment):
                    was_open = self.line(poll).get_property("open")
                    other = []
                    finger.press(css, how, moment, lambda: other.append(self.poll()), '"open":true')
                    self.phone.wait_for(lambda: self.form(other[0]))
                    # The press opened or closed the line, before the new question folded it.
                    self.phone.wait_for(lambda: not self.line(poll).get_property("open") or not was_open)
                    self.change(other[0], open=False)
                    self.phone.wait_for(lambda: not self.phone.find_all("#now form"))

    def test_notices_name_the_question(self):
        self.enter()
        news = lambda: self.run_script("return document.querySelector('#news').textContent")
        poll = self.poll()
        self.phone.wait_for_value(news, "New question: A break?")
        self.phone.wait_for_value(lambda: self.phone.driver.title, "● A break?")
        self.change(poll, open=False)
        self.phone.wait_for_value(news, "Closed: A break?")
        self.assertEqual(self.phone.driver.title, "Study group")

    def test_the_promise_is_one_line_with_more_behind_it(self):
        self.enter()
        poll = self.poll()
        promise = self.form(poll).find_element("css selector", ".promise")
        self.assertEqual(promise.text.split(), ["Name", "hidden", "more"])
        self.assertLessEqual(promise.size["height"], 48)
        promise.find_element("css selector", "summary").click()
        self.phone.wait_for(lambda: "nobody sees your name" in promise.text)


class PartsTests(StageCase):
    def shown(self):
        return [one.text.split("\n")[0] for one in self.phone.find_all(".parts a") if one.is_displayed()]

    def test_the_bar_has_the_parts_that_are_open_and_marks_what_is_new(self):
        self.enter()
        self.assertEqual(self.shown(), ["Now", "Me"])
        self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
        self.phone.wait_for_value(self.shown, ["Now", "Questions", "Me"])
        self.phone.wait_for(lambda: self.is_marked("questions"))
        self.phone.wait_for_value(lambda: self.run_script(
            "return document.querySelector('#news').textContent"), "You can ask the host questions now.")
        self.phone.wait_for_value(
            lambda: self.phone.find(".parts [data-part=questions] a").accessible_name, "Questions (new)")
        self.phone.find(".parts [data-part=questions] a").click()
        self.phone.wait_for_text("h1", "Questions for the host")
        self.assertFalse(self.is_marked("questions"))
        # A poll that opens meanwhile marks the other part. Questions that were seen have no mark.
        self.phone.wait_for(lambda: self.run_script(
            "return Object.keys(sessionStorage).some((key) => key.startsWith('qring-seen'))"))
        self.poll()
        self.phone.wait_for(lambda: self.is_marked("now"))
        self.phone.find(".parts [data-part=now] a").click()
        self.phone.find("#now form")
        self.assertFalse(self.is_marked("now"))
        receipt = check_in(self.host, self.session, "Lee", "lee@example.org").expect(201).json["receipt"]
        self.assertFalse(self.is_marked("questions"))
        self.host.post(f"{self.path}/audience-questions", {"text": "Why?"}, token=receipt).expect(201)
        self.phone.wait_for(lambda: self.is_marked("questions"))
        self.host.patch(f"{self.path}/matching-settings", {"open": True}).expect(200)
        self.phone.wait_for_value(self.shown, ["Now", "Questions", "Groups", "Me"])
        self.phone.find(".parts [data-part=me] a").click()
        self.phone.wait_for_text("h1", "My attendance")
        self.assertTrue(self.is_marked("now"))
        self.assertEqual(self.phone.complaints(), [])

    def test_long_words_and_all_parts_fit_a_small_phone_in_each_scheme(self):
        for settings in ["audience-settings", "matching-settings"]:
            self.host.patch(f"{self.path}/{settings}", {"open": True}).expect(200)
        self.enter()
        self.cdp("Emulation.setDeviceMetricsOverride", width=SMALL[0], height=SMALL[1], deviceScaleFactor=1,
            mobile=True)
        polls = [self.poll({"kind": "yesNo", "title": LONG_GERMAN}), self.poll({"kind": "shortAnswer",
            "title": "남궁아리랑고개너머황금들녘별빛가득한이름을가진사람" * 3})]
        self.answer(polls[0])
        for language in ["en", "ko", "de", "ja", "zh-Hans", "es", "fr"]:
            with self.subTest(language):
                self.phone.open(f"{self.own}?lang={language}")
                self.phone.find("#now form")
                self.assertEqual(self.phone.width_of_content(), SMALL[0])
                self.assertEqual(self.run_script("return [...document.querySelectorAll('.parts a')]"
                    ".filter((one) => one.scrollWidth > one.clientWidth).length"), 0)
                self.assertEqual(self.run_script(SMALL_TARGETS), [])
                for scheme in ["light", "dark"]:
                    self.assertEqual(contrast.violations(self.phone, scheme), [])
        self.phone.open(f"{self.own}?lang=en")


class AudienceStageTests(StageCase):
    """The page of questions from the audience, while others ask and vote."""

    def setUp(self):
        super().setUp()
        self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
        self.receipts = [check_in(self.host, self.session, f"Guest {number}",
            f"g{number}@example.org").expect(201).json["receipt"] for number in range(12)]

    def ask(self, text, guest=0):
        return self.host.post(f"{self.path}/audience-questions", {"text": text},
            token=self.receipts[guest]).expect(201).json["id"]

    def vote(self, question, guest):
        self.host.put(f"{self.path}/audience-questions/{question}/vote",
            token=self.receipts[guest]).expect(200)

    def texts(self):
        return [one.text for one in self.phone.find_all("#audience li .said p:first-child")]

    def show(self):
        self.enter()
        self.phone.find(".parts [data-part=questions] a").click()
        self.phone.wait_for_text("h1", "Questions for the host")

    def test_a_vote_is_compact_and_moves_nothing(self):
        questions = [self.ask(f"Question {number}?", number) for number in range(12)]
        self.show()
        # A person must see the question on the screen. A program also finds hidden text in the elements.
        text = f"#question-{questions[8]} .said p"
        self.phone.find(text).location_once_scrolled_into_view
        self.assertTrue(self.run_script(IS_SEEN, text))
        button = f"#question-{questions[8]} .vote button"
        self.phone.find(button).location_once_scrolled_into_view
        before = self.run_script("return scrollY")
        self.assertLess(self.phone.find(button).size["width"], PHONE[0] / 3)
        ask = self.phone.find("#ask button").size["height"]
        self.assertLess(self.phone.find(button).size["height"], ask + 1)
        self.run_script("window.isTheSamePage = true")
        for word, count in [("Remove my vote", "1"), ("Vote", "0"), ("Remove my vote", "1")]:
            self.phone.find(button).click()
            self.phone.wait_for_value(lambda: self.phone.find(f"{button} b").text, count)
            self.phone.wait_for_value(lambda: self.phone.find(button).accessible_name,
                f"{word}: Question 8?")
        self.assertTrue(self.run_script("return window.isTheSamePage"))
        self.assertEqual(self.run_script("return scrollY"), before)
        self.assertEqual(self.run_script(SMALL_TARGETS), [])
        listed = self.host.get(f"{self.path}/audience-questions").expect(200).json["items"]
        self.assertEqual([one["votes"] for one in listed if one["id"] == questions[8]], [1])
        # The votes of others arrive in their place.
        self.vote(questions[8], 1)
        self.phone.wait_for_value(lambda: self.phone.find(f"{button} b").text, "2")
        self.assertEqual(self.phone.complaints(), [])

    def test_new_questions_are_announced_and_do_not_jump(self):
        first = self.ask("First?")
        self.show()
        self.ask("Second?", 1)
        self.ask("Third?", 2)
        self.phone.wait_for_text("#audience .fresh button", "Show 2 new questions")
        self.phone.wait_for_value(self.texts, ["First?"])
        self.phone.find("#audience .fresh button").click()
        self.phone.wait_for_value(self.texts, ["First?", "Second?", "Third?"])
        self.host.patch(f"{self.path}/audience-questions/{first}", {"status": "hidden"}).expect(200)
        self.phone.wait_for_value(self.texts, ["Second?", "Third?"])
        self.assertEqual(violations(self.phone.driver), [])

    def test_questions_are_ordered_by_votes_or_by_time_and_own_ones_are_marked(self):
        first = self.ask("First?")
        self.ask("Second?", 1)
        self.vote(first, 1)
        self.show()
        self.phone.find("#text").send_keys("Mine?")
        self.phone.find("#ask button").click()
        self.phone.wait_for_value(self.texts, ["First?", "Second?", "Your question Mine?"])
        self.phone.find(".orders a", 1).click()
        self.phone.wait_for_value(self.texts, ["Your question Mine?", "Second?", "First?"])
        self.phone.find("#audience .vote button").click()
        self.phone.wait_for_value(lambda: self.phone.find("#audience .vote b").text, "1")
        self.assertEqual(self.texts()[0], "Your question Mine?")
        self.assertEqual(violations(self.phone.driver), [])

    def test_the_newest_questions_are_listed_though_many_others_have_more_votes(self):
        for number in range(100):
            self.vote(self.ask(f"Question {number}?", number % 11), 11)
        self.ask("Without a vote?", 11)
        self.show()
        self.assertNotIn("Without a vote?", self.texts())
        self.phone.find(".orders a", 1).click()
        self.phone.wait_for_value(lambda: self.texts()[0], "Without a vote?")
        self.ask("Another one?", 11)
        self.phone.find(".fresh button").click()
        self.phone.wait_for_value(lambda: self.texts()[0], "Another one?")

    def test_a_half_written_question_survives_a_look_at_the_poll(self):
        self.show()
        self.phone.find("#text").send_keys("Half of a thou")
        self.phone.find(".parts [data-part=now] a").click()
        self.phone.find("#now")
        self.phone.find(".parts [data-part=questions] a").click()
        self.phone.wait_for_value(lambda: self.phone.find("#text").get_property("value"), "Half of a thou")
        self.phone.find("#text").send_keys("ght?")
        self.phone.find("#ask button").click()
        self.phone.wait_for_value(self.texts, ["Your question Half of a thought?"])
        self.assertEqual(self.phone.find("#text").get_property("value"), "")
        self.phone.find(".parts [data-part=questions] a").click()
        self.phone.wait_for_value(lambda: self.phone.find("#text").get_property("value"), "")

    def test_the_form_follows_the_host(self):
        self.show()
        self.host.patch(f"{self.path}/audience-settings", {"open": False}).expect(200)
        self.phone.wait_for_text("#ask", "Questions are closed at the moment")
        self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
        self.phone.find("#ask textarea").send_keys("Why?")
        self.phone.find("#ask button").click()
        self.phone.wait_for_value(self.texts, ["Your question Why?"])


if __name__ == "__main__":
    unittest.main()
