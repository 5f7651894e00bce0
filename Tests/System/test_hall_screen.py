"""The hall's screen: nothing is cut on any screen, the code stays beside the results, a poll takes the
screen, and a clicker reaches everything."""
import time
import unittest

import pytest

from axe import violations
from browser import Browser
from host import Host, check_in
from server_process import PATIENCE, Server, Stopwatch, free_port

TEA = {"kind": "multipleChoice", "title": "Tea?", "choices": [{"label": "Yes"}, {"label": "No"}]}
HALL, OLD_BEAMER, LARGE = (1280, 720), (1024, 768), (3840, 2160)
LONG = "Which of the many things that we did together in the last two years should we repeat next spring, " \
    "and which of them should we rather leave to others who have more time for it than all of us have now?"
LABELS = [f"Choice {number}: a label that is long enough for a second line on most screens"
    for number in range(1, 13)]

# The visible parts of the scene that reach beyond the stage, or whose text reaches beyond the part itself.
CUT = """
const stage = document.querySelector('#stage .scene:not([hidden])');
const frame = stage.getBoundingClientRect();
return [...stage.querySelectorAll('h2, h3, p, li, .label')]
  .filter((one) => one.checkVisibility() && one.textContent)
  .filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < frame.left - 1 || right > frame.right + 1
      || top < frame.top - 1 || bottom > frame.bottom + 1
      || one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
      || getComputedStyle(one).webkitLineClamp !== 'none';
  })
  .map((one) => one.outerHTML.slice(0, 120));
"""
ROWS = """
return [...document.querySelectorAll('#results :is(.bars .label, .texts li)')]
  .filter((one) => one.checkVisibility()).map((one) => one.textContent);
"""


class HallScreenTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open", port=free_port()))
        cls.host = Host(cls.server)
        cls.browser = cls.enterClassContext(Browser(HALL))

    def setUp(self):
        self.addCleanup(lambda: self.assertEqual(self.browser.complaints(), []))

    def show(self, *questions, size=HALL, **session):
        """Opens the screen of a new session with names, whose feedback is shared."""
        session = {"questions": list(questions), "anonymous": False, **session}
        self.session = self.host.session(session=session)
        self.path = f"/api/v1/sessions/{self.session['id']}"
        if questions:
            self.host.patch(f"{self.path}/sets/feedback", {"shared": True}).expect(200)
        self.resize(size)
        self.browser.open(self.host.post(f"{self.path}/presenter-links").expect(201).json["url"])
        self.browser.wait_for_value(lambda: self.browser.find("#state").text, "live")

    def resize(self, size):
        self.browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
        self.browser.wait_for(
            lambda: self.browser.driver.execute_script("return [innerWidth, innerHeight]") == list(size))

    def press(self, key, code=""):
        self.browser.driver.execute_script(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', "
            "{ key: arguments[0], code: arguments[1], bubbles: true }))", key, code)

    def answer(self, count, answers, set="feedback"):
        """`answers(number)` is the value for the first question of the set."""
        question = self.host.get(f"{self.path}/questions?set={set}").expect(200).json["questions"][0]["id"]
        for number in range(count):
            receipt = check_in(self.host, self.session, f"Guest {number}",
                f"guest{number}@example.org").json["receipt"]
            self.host.post(f"{self.path}/responses", {"set": set, "answers": {question: answers(number)}},
                token=receipt).expect(201)

    def poll(self, *questions, **fields):
        self.host.put(f"{self.path}/questions?set=poll-1",
            {"questions": list(questions), "anonymous": False}).expect(200)
        self.change(**fields)

    def change(self, **fields):
        self.host.patch(f"{self.path}/sets/poll-1", fields).expect(200)

    def wait_for_scene(self, name):
        self.browser.wait_for_value(lambda: self.browser.find("body").get_attribute("data-scene"), name)

    def bars(self):
        return self.browser.driver.execute_script(
            "return [...document.querySelectorAll('#tally .bars li')]"
            ".filter((one) => one.checkVisibility()).map((one) => one.innerText.split(/\\s+/))")

    def rows_of_all_pages(self):
        """Turns the pages forwards and returns their rows. Nothing may be cut on any page."""
        rows = []
        pages = self.browser.find("#page")
        count = int(pages.text.split()[-1]) if pages.is_displayed() else 1
        for number in range(count):
            if number:
                self.press("PageDown")
            self.browser.wait_for_value(lambda: self.browser.driver.execute_script(CUT), [])
            rows += self.browser.driver.execute_script(ROWS)
        return rows

    def test_twelve_choices_and_a_long_question_are_whole_on_every_screen(self):
        self.show({"kind": "multipleChoice", "title": LONG, "choices": [{"label": one} for one in LABELS]})
        self.answer(3, lambda number: ["abc"[number]])
        for size in [HALL, OLD_BEAMER, LARGE]:
            with self.subTest(size):
                self.resize(size)
                self.press("q", "KeyQ")
                self.press("r", "KeyR")
                self.browser.wait_for(lambda: len(self.browser.find_all("#tally .bars li")) == 12)
                self.assertEqual(sorted(self.rows_of_all_pages()), sorted(LABELS))
                self.browser.wait_for_value(lambda: self.browser.find("#tally h3").text, LONG)
                self.assertEqual((self.browser.width_of_content(), self.browser.height_of_content()), size)

    def test_a_word_that_is_wider_than_the_screen_is_broken_and_not_cut(self):
        words = ["https://example.org/" + letter * 60 for letter in "ab"]
        self.show({"kind": "multipleChoice", "title": "Which?", "choices": [{"label": one} for one in words]},
            size=OLD_BEAMER)
        self.press("r", "KeyR")
        self.browser.wait_for(lambda: len(self.bars()) == 2)
        self.assertEqual(self.rows_of_all_pages(), words)

    def test_long_texts_are_whole_and_turn_by_themselves_or_by_a_key(self):
        self.show({"kind": "shortAnswer", "title": "What else?", "maxLength": 2000})
        texts = [f"{number}:" + " because it was so good and we want more of it" * 20 for number in range(5)]
        self.answer(5, lambda number: texts[number])
        self.press("r", "KeyR")
        self.browser.wait_for(lambda: len(self.browser.find_all("#tally .texts li")) == 5)
        self.browser.wait_for(lambda: self.browser.find("#page").is_displayed())
        self.assertEqual(sorted(self.rows_of_all_pages()), texts)
        # Behind the last page comes the code, and back again the question.
        self.press("PageDown")
        self.wait_for_scene("running")
        self.press("PageUp")
        self.wait_for_scene("results")

    def test_bars_have_the_length_of_their_share_and_show_count_and_percent(self):
        self.show({"kind": "multipleChoice", "title": "Which?",
            "choices": [{"label": "Red"}, {"label": "Green"}, {"label": "Blue"}]})
        self.answer(3, lambda number: ["abc"[number]])
        self.press("r", "KeyR")
        self.browser.wait_for(lambda: self.bars() == [["Red", "1", "33%"], ["Green", "1", "33%"],
            ["Blue", "1", "33%"]])
        # The bars grow to their length.
        self.browser.wait_for(lambda: self.browser.driver.execute_script(
            "return [...document.querySelectorAll('#tally .bar')].map((one) => "
            "Math.round(parseFloat(getComputedStyle(one).backgroundSize)))") == [33, 33, 33])

    def test_a_rating_runs_from_one_star_and_whole_numbers_do_not_overlap(self):
        self.show({"kind": "number", "title": "Hours", "min": 0, "max": 100, "decimals": 0})
        self.answer(3, lambda number: number)
        self.press("r", "KeyR")
        self.browser.wait_for(lambda: [row[0] for row in self.bars()] == ["0", "1", "2"])
        self.show({"kind": "rating", "title": "How?"})
        self.press("r", "KeyR")
        self.browser.wait_for(lambda: [row[0] for row in self.bars()] == list("12345"))

    def test_the_code_stays_beside_the_results(self):
        self.show({"kind": "rating", "title": "How?"})
        self.press("r", "KeyR")
        self.wait_for_scene("results")
        for size in [HALL, OLD_BEAMER]:
            self.resize(size)
            self.browser.wait_for(lambda: self.browser.codes_on_screen() == [self.session["checkInUrl"]])
            self.browser.wait_for_value(lambda: self.browser.find("#join").text, self.session["joinCode"])

    def test_a_poll_takes_the_screen_and_its_results_follow_when_they_are_shared(self):
        self.show()
        self.wait_for_scene("running")
        self.poll(TEA, open=True)
        self.wait_for_scene("question")
        self.browser.wait_for_value(lambda: self.browser.find("#question h3").text, "Tea?")
        self.browser.wait_for_value(
            lambda: [one.text for one in self.browser.find_all(".choices li")], ["Yes", "No"])
        self.answer(2, lambda number: ["a"], set="poll-1")
        self.browser.wait_for_text("#question .note", "2 answers so far")
        # The hall sees no result before it is shared.
        self.assertNotIn("100", self.browser.find("#stage").text)
        self.change(shared=True)
        self.wait_for_scene("results")
        self.browser.wait_for(lambda: self.bars()[0] == ["Yes", "2", "100%"])
        self.change(open=False)
        self.press("b", "KeyB")
        self.browser.wait_for(lambda: self.browser.find("#black").is_displayed())
        self.press(".")
        self.browser.wait_for(lambda: not self.browser.find("#black").is_displayed())
        self.wait_for_scene("results")
        self.press("q", "KeyQ")
        self.wait_for_scene("running")
        # The same poll takes the screen again when it opens again.
        self.change(open=True)
        self.wait_for_scene("results")

    def ask(self, *texts, each=1):
        """Each guest asks `each` of the texts. Returns the questions and the receipts."""
        self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
        receipts = [check_in(self.host, self.session, f"Guest {number}",
            f"guest{number}@example.org").json["receipt"] for number in range(0, len(texts), each)]
        return [self.host.post(f"{self.path}/audience-questions", {"text": text},
            token=receipts[number // each]).expect(201).json for number, text in enumerate(texts)], receipts

    def moderate(self, question, **values):
        self.host.patch(f"{self.path}/audience-questions/{question['id']}", values).expect(200)

    def audience(self):
        """Returns the questions on the page: votes, text, and the answer and marks if there are any."""
        return self.browser.driver.execute_script(
            "return [...document.querySelectorAll('#audience li')].filter((one) => one.checkVisibility())"
            ".map((one) => [...one.querySelectorAll('strong, p.question, p.answer, .mark')]"
            ".map((part) => part.textContent))")

    @pytest.mark.alone("measures how soon a text leaves")
    def test_questions_from_the_audience_are_sorted_marked_and_leave_when_they_are_hidden(self):
        self.show()
        self.press("a", "KeyA")
        self.wait_for_scene("audience")
        self.browser.wait_for_text("#audience .note", "No questions yet")
        (first, second, third), receipts = self.ask("Why?", "How?", "Rude!")
        self.browser.wait_for(lambda: self.audience() == [["0", "Why?"], ["0", "How?"], ["0", "Rude!"]])
        self.browser.wait_for_value(lambda: self.browser.find("#audience .note").text,
            "3 questions · Ask and vote on your phone.")
        for receipt in receipts[:2]:
            self.host.put(f"{self.path}/audience-questions/{second['id']}/vote", token=receipt).expect(200)
        self.moderate(third, pinned=True)
        self.moderate(first, status="answered", answer="Because.")
        self.browser.wait_for(lambda: self.audience() == [["0", "Rude!", "Pinned"], ["2", "How?"],
            ["0", "Why?", "Because.", "Answered"]])
        # The page notes when the text leaves, so that the test does not measure its own requests.
        self.browser.driver.execute_script("""
            const list = document.querySelector("#audience ol");
            new MutationObserver(() => {
                if (!list.textContent.includes("Rude!")) window.leftAt ??= Date.now();
            }).observe(list, { childList: true, subtree: true });""")
        watch, began = Stopwatch(), time.time()
        self.moderate(third, status="hidden")
        self.browser.wait_for(lambda: self.browser.driver.execute_script("return window.leftAt"))
        left = self.browser.driver.execute_script("return window.leftAt") / 1000
        self.assertLess(watch.without_waits(left - began), 0.25 * PATIENCE)
        self.browser.wait_for_value(self.audience, [["2", "How?"], ["0", "Why?", "Because.", "Answered"]])
        # A clicker goes on to the code and back again. A poll takes the screen.
        self.press("PageDown")
        self.wait_for_scene("running")
        self.press("PageUp")
        self.wait_for_scene("audience")
        self.poll(TEA, open=True)
        self.wait_for_scene("question")

    def test_twenty_long_questions_from_the_audience_are_whole_on_every_screen(self):
        self.show()
        texts = [f"{number:02}: {LONG} {LONG}" for number in range(19)] + ["19: " + "가나다라" * 120]
        self.ask(*texts, each=10)
        self.press("a", "KeyA")
        self.wait_for_scene("audience")
        for size in [HALL, OLD_BEAMER, LARGE]:
            with self.subTest(size):
                self.resize(size)
                self.press("q", "KeyQ")
                self.press("a", "KeyA")
                self.browser.wait_for(lambda: self.browser.find("#audience .page").is_displayed())
                count = int(self.browser.find("#audience .page").text.split()[-1])
                seen = []
                for number in range(count):
                    if number:
                        self.press("PageDown")
                    self.browser.wait_for_value(lambda: self.browser.driver.execute_script(CUT), [])
                    seen += [row[1] for row in self.audience()]
                self.assertEqual(sorted(seen), texts)
                self.assertEqual((self.browser.width_of_content(), self.browser.height_of_content()), size)

    def test_before_the_start_the_screen_shows_when_and_where_and_after_the_end_it_thanks(self):
        made = self.host.meeting("Evening", place="Library, second floor", starts=60 * 24 * 6 + 90,
            ends=60 * 24 * 6 + 240, timeZone="Asia/Seoul")
        self.session = made["session"]
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.browser.open(self.host.post(f"{self.path}/presenter-links").expect(201).json["url"])
        self.browser.wait_for_text("#start .left", "Starts in 6 days 1 h")
        self.browser.wait_for_value(lambda: self.browser.find("#start .place").text, "Library, second floor")
        self.press("t", "KeyT")
        self.wait_for_scene("thanks")
        self.browser.wait_for(lambda: "3 questions" in " ".join(self.browser.find("#thanks").text.split()))

    def test_the_screen_is_dark_or_light_and_full_and_its_controls_hide(self):
        self.show()
        root = self.browser.find("html")
        self.assertEqual(root.get_attribute("data-scheme"), "dark")
        self.press("d", "KeyD")
        self.browser.open(f"{self.server.url}/present/{self.session['id']}")
        self.browser.wait_for(lambda: self.browser.find("html").get_attribute("data-scheme") == "light")
        self.press("d", "KeyD")
        self.browser.find("footer [data-key=f]").click()
        self.browser.wait_for(
            lambda: self.browser.find("footer [data-key=f]").get_attribute("aria-pressed") == "true")
        self.browser.find("footer [data-key=f]").click()
        self.browser.wait_for(
            lambda: self.browser.find("footer [data-key=f]").get_attribute("aria-pressed") == "false")
        self.browser.driver.execute_script("document.activeElement.blur()")
        self.browser.wait_for(lambda: "idle" in self.browser.find("body").get_attribute("class"))

    def test_no_scene_excludes_anybody_in_either_scheme(self):
        self.show({"kind": "rating", "title": "How?"})
        self.poll(TEA, open=True)
        self.wait_for_scene("question")
        questions, _ = self.ask("Why?", "How?")
        self.moderate(questions[0], status="answered", answer="Because.", pinned=True)
        for key, code, scene in [("q", "KeyQ", "running"), ("r", "KeyR", "question"),
                ("ArrowRight", "", "results"), ("a", "KeyA", "audience"), ("t", "KeyT", "thanks")]:
            self.press(key, code)
            self.wait_for_scene(scene)
            for _ in ["dark", "light"]:
                self.press("d", "KeyD")
                self.browser.driver.execute_script(
                    "for (const one of document.getAnimations()) one.finish()")
                with self.subTest(scene):
                    self.assertEqual(violations(self.browser.driver), [])
        # The browser refuses the styles that axe adds to the page.
        self.browser.complaints()

    def test_nothing_moves_if_the_screen_wants_less_motion(self):
        for wish, moves in [("no-preference", True), ("reduce", False)]:
            self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                {"features": [{"name": "prefers-reduced-motion", "value": wish}]})
            self.show({"kind": "rating", "title": "How?"})
            self.press("r", "KeyR")
            self.wait_for_scene("results")
            self.browser.wait_for(lambda: len(self.bars()) == 5)
            moving = self.browser.driver.execute_script(
                "return [...document.querySelectorAll('.scene, .bar, footer')].filter((one) => "
                "['transitionDuration', 'animationDuration'].some((name) => "
                "parseFloat(getComputedStyle(one)[name]) > 0)).length > 0")
            self.assertEqual(moving, moves)

    def test_a_lost_connection_is_a_quiet_note_and_the_screen_continues(self):
        self.show({"kind": "rating", "title": "How?"})
        self.answer(1, lambda number: 4)
        self.press("r", "KeyR")
        self.browser.wait_for(lambda: ["4", "★", "1", "100%"] in self.bars())
        self.server.stop()
        self.browser.wait_for_text("#state", "reconnecting")
        self.assertIn(["4", "★", "1", "100%"], self.bars())
        self.server.start()
        self.host.close()
        self.browser.driver.execute_script("dispatchEvent(new Event('online'))")
        self.browser.wait_for_value(lambda: self.browser.find("#state").text, "live")
        receipt = check_in(self.host, self.session, "Late", "late@example.org").expect(201).json["receipt"]
        question = self.host.questions(self.session)["rating"]
        self.host.post(f"{self.path}/responses", {"answers": {question: 5}}, token=receipt).expect(201)
        self.browser.wait_for(lambda: ["5", "★", "1", "50%"] in self.bars())
        # The browser complains of the lost connection; the page does not.
        self.browser.complaints()


if __name__ == "__main__":
    unittest.main()
