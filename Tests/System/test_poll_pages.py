"""Polls as people see them: "Ask now" with each kind of question, the answer on the phone and its change, the
hall's screen, and the editor of each kind."""
import json
import unittest

from axe import violations
from browser import Browser
from host import Host, check_in
from host_page import HostPage
from server_process import Server

SMALL = (320, 640)
DOWN, ENTER, ESCAPE = "\ue015", "\ue007", "\ue00c"
# Each kind: what the host fills in beside the question, what the attendee enters, and the first row of the
# results on the phone.
ASKED = {
    "multipleChoice": ({".choices input:nth-child(1)": "Rice", ".choices input:nth-child(2)": "Noodles"},
        ".choice", "Rice"),
    "yesNo": ({}, ".choice", "Yes"),
    "scale": ({"#f-ask-points": "4", "#f-ask-end0": "Never", "#f-ask-end1": "Always"}, ".point", "1 Never"),
    "wordCloud": ({"#f-ask-words": "2"}, ("input.word", "Ｓpeed!"), "speed"),
    "shortAnswer": ({}, ("textarea", "More breaks"), None),
    "rating": ({}, ".star", "1 ★"),
    "number": ({}, ("input[type=number]", "7"), "7"),
    "date": ({}, ("input[type=date]", "11222026"), "2026-11-22"),
    "ranking": ({".field:not([hidden]) > .choices input:nth-child(1)": "Rice",
        ".field:not([hidden]) > .choices input:nth-child(2)": "Noodles"},
        ".rank:nth-child(2) label", None),
}
# The words of the hall's cloud with their places, and those that reach beyond the picture.
CLOUD = """
const picture = document.querySelector('#tally .cloud');
const frame = picture.getBoundingClientRect();
const words = [...picture.children];
return {
  words: words.map((one) => [one.textContent, one.style.fontSize, one.style.transform]),
  cut: words.map((one) => [one.textContent, one.getBoundingClientRect()]).filter(([, box]) =>
    box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
    || box.bottom > frame.bottom + 1).map(([word]) => word),
  visible: [...document.querySelectorAll('#tally :is(h3, .note, .bars li, .cloud)')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight).length,
};
"""

# Holds back the answer to the next form that is sent until the test calls `letAnswerPass`.
HELD_ANSWER = """
const native = window.fetch;
window.fetch = async (where, options) => {
  const answer = await native(where, options);
  if (options?.method === 'POST') {
    window.fetch = native;
    await new Promise((resolve) => (window.letAnswerPass = resolve));
  }
  return answer;
};
"""


class PollPagesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.page = cls.enterClassContext(HostPage(cls.server))
        cls.page.sign_in(cls.host.email)
        cls.phone = cls.enterClassContext(Browser())

    def setUp(self):
        self.session = self.host.session(session={"questions": []})
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False})

    def sets(self):
        found = self.host.get(f"{self.path}/sets").expect(200).json["items"]
        return [one for one in found if one["set"] != "feedback"]

    def questions(self, name):
        return self.host.get(f"{self.path}/questions?set={name}").expect(200).json["questions"]

    def poll(self, *questions, **fields):
        return self.host.post(f"{self.path}/polls", {"questions": questions, **fields}).expect(201).json

    def change(self, name, **fields):
        self.host.patch(f"{self.path}/sets/{name}", fields).expect(200)

    def answer(self, poll, *people):
        """Each of the people gives one list of answers."""
        for number, values in enumerate(people):
            receipt = check_in(self.host, self.session, f"Guest {number}",
                f"g{number}@example.org").expect(201).json["receipt"]
            answers = {question["id"]: value for question, value in zip(poll["questions"], values)}
            self.host.post(f"{self.path}/responses", {"set": poll["set"], "answers": answers},
                token=receipt).expect(201)

    def enter(self):
        self.phone.open(self.session["checkInUrl"])
        self.phone.find("#name").send_keys("Kim")
        self.phone.find("#email").send_keys("kim@example.org", ENTER)
        self.phone.wait_for_text("#result", "Kim")
        self.phone.find("#live")

    def form(self, name):
        return self.phone.find(f"form[data-set={name}]")

    def show(self, tab):
        self.page.show(f"sessions/{self.session['id']}/{tab}")

    # MARK: Ask now

    def test_each_kind_is_asked_answered_and_revealed(self):
        for kind, (fields, entered, row) in ASKED.items():
            with self.subTest(kind):
                # Each kind has its own session and freshly loaded pages, whatever the kind before has left.
                self.session = self.host.session(session={"questions": []})
                self.path = f"/api/v1/sessions/{self.session['id']}"
                self.page.open("about:blank")
                self.enter()
                self.show("people")
                self.ask_answer_and_reveal(kind, fields, entered, row)
                question = self.questions("poll-1")[0]
                if kind == "scale":
                    self.assertEqual((question["scale"],
                        [(one["point"], one["label"]) for one in question["points"]]),
                        (4, [(1, "Never"), (4, "Always")]))
                if kind == "wordCloud":
                    self.assertEqual(question["maxWords"], 2)
                self.assertEqual(self.page.complaints() + self.phone.complaints(), [])

    def ask_answer_and_reveal(self, kind, fields, entered, row):
        name, title = "poll-1", f"A question, {kind}"
        self.page.click(".ask-now")
        self.page.find("#f-ask")
        self.page.fill("#f-ask-kind", kind)
        self.page.find("#f-ask").send_keys(title)
        for css, text in fields.items():
            self.page.fill(css, text)
        self.page.click("dialog button[type=submit]")
        self.page.wait_for_text("#dock", title)
        asked = next(one for one in self.sets() if one["set"] == name)
        self.assertEqual([asked[field] for field in ["open", "shared", "promise", "changeable"]],
            [True, False, "hidden", True])
        form = self.form(name)
        css, text = entered if isinstance(entered, tuple) else (entered, None)
        field = form.find_element("css selector", css)
        if text:
            field.send_keys(text)
        else:
            field.click()
        form.find_element("css selector", "button[type=submit]").click()
        self.phone.wait_for_text("#result", "Thank you")
        self.page.wait_for_text("#dock", "1 answer")
        # Nobody sees a result until the host reveals it.
        self.assertEqual(self.phone.find_all("#live .tally"), [])
        self.page.click_text(f"{title}: Reveal the answers")
        self.phone.wait_for_text("#live", title)
        if row:
            self.phone.wait_for(lambda: self.phone.find("#live .mine .label").text.startswith(row))
        self.page.click_text(f"{title}: Close")
        self.page.wait_for(lambda: not self.page.find("#dock").is_displayed())
        self.change(name, shared=False)
        self.phone.wait_for(lambda: not self.phone.find_all("#live .tally"))

    def test_templates_fill_in_every_field_and_axe_finds_nothing_for_any_kind(self):
        self.show("people")
        self.page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": SMALL[0], "height": SMALL[1], "deviceScaleFactor": 1, "mobile": False})
        self.page.click(".ask-now")
        self.page.click_text("How sure do you feel about this?")
        self.page.wait_for_value(lambda: self.page.find("#f-ask-end1").get_property("value"), "Very sure")
        for kind in ["scale", "wordCloud", "date"]:
            self.page.fill("#f-ask-kind", kind)
            self.assertEqual(violations(self.page.driver), [])
            self.assertEqual(self.page.width_of_content(), SMALL[0])
        self.page.fill("#f-ask-promise", "anonymous")
        self.page.wait_for_text("#f-ask-promise-about", "groups of three")
        self.page.type_keys(ESCAPE)

    # MARK: An answer that changes

    def test_an_attendee_changes_an_answer_while_the_poll_is_open(self):
        poll = self.poll({"kind": "yesNo", "title": "Tea?"}, {"kind": "wordCloud", "title": "Words?"},
            open=True, shared=True)
        self.enter()
        form = self.form("poll-1")
        form.find_element("css selector", ".choice").click()
        form.find_element("css selector", "input.word").send_keys("배움을")
        form.find_element("css selector", "button[type=submit]").click()
        self.phone.wait_for_text("#result", "Thank you")
        self.phone.wait_for_text("form[data-set=poll-1]", "Your answer\nTea?\nYes\nWords?\n배움을")
        # The answer is marked in the results, also on a page that did not send it.
        own = lambda: [one.text.split()[0] for one in self.phone.find_all("#live .mine .label")]
        self.phone.wait_for(lambda: own() == ["Yes", "배움"])
        self.phone.driver.execute_script("sessionStorage.clear()")
        self.phone.open(self.session["checkInUrl"])
        self.phone.wait_for(lambda: own() == ["Yes", "배움"])
        self.assertEqual(violations(self.phone.driver), [])
        self.phone.find(".change summary").send_keys(ENTER)
        form = self.form("poll-1")
        form.find_elements("css selector", ".choice")[1].click()
        self.assertEqual(violations(self.phone.driver), [])
        form.find_element("css selector", "button[type=submit]").click()
        self.phone.wait_for_text("#result", "Thank you")
        self.phone.wait_for(lambda: own() == ["No", "배움"])
        results = self.host.get(f"{self.path}/results?set=poll-1").json
        self.assertEqual((results["responses"], [one["count"] for one in results["tallies"][0]["choices"]]),
            (1, [0, 1]))
        with self.subTest("a closed poll keeps the answers, which can no longer change"):
            self.change("poll-1", open=False)
            self.phone.wait_for_text("#live form[data-set=poll-1]", "No")
            self.phone.wait_for(lambda: not self.phone.find(".change").is_displayed())
        self.assertEqual(poll["changeable"], True)
        self.assertEqual(self.phone.complaints(), [])

    def test_a_poll_that_arrives_while_an_answer_is_on_its_way_stays_with_what_was_typed(self):
        self.poll({"kind": "yesNo", "title": "Tea?"}, open=True)
        closed = self.poll({"kind": "yesNo", "title": "Coffee?"}, open=True)
        self.enter()
        self.form(closed["set"])
        self.phone.driver.execute_script(HELD_ANSWER)
        form = self.form("poll-1")
        form.find_element("css selector", ".choice").click()
        form.find_element("css selector", "button[type=submit]").click()
        self.phone.wait_for(lambda: self.phone.driver.execute_script("return Boolean(window.letAnswerPass)"))
        # The page that the server has made knows nothing of these changes.
        late = self.poll({"kind": "shortAnswer", "title": "Why?"}, open=True)
        self.change(closed["set"], open=False)
        self.form(late["set"]).find_element("css selector", "textarea").send_keys("Because")
        self.phone.wait_for(lambda: self.form(closed["set"]).get_attribute("data-closed") is not None)
        self.phone.driver.execute_script("letAnswerPass()")
        self.phone.wait_for_text("#result", "Thank you")
        self.phone.wait_for(lambda: self.form(closed["set"]).get_attribute("data-closed") is not None)
        form = self.form(late["set"])
        self.assertEqual(form.find_element("css selector", "textarea").get_attribute("value"), "Because")
        form.find_element("css selector", "button[type=submit]").click()
        self.phone.wait_for(lambda: self.host.get(f"{self.path}/results?set={late['set']}").json["responses"])
        self.assertEqual(self.phone.complaints(), [])

    # MARK: The host's editor

    def test_every_kind_is_edited_in_both_languages(self):
        self.show("questions")
        self.page.click_text("New poll")
        self.page.find("#set-title")
        self.page.wait_for_value(lambda: self.page.find("#set-promise").get_property("value"), "hidden")
        self.page.click_text("Write every text in English and in Korean", "label")
        for number, name in enumerate(["Scale", "Word cloud", "Yes or no", "Date"]):
            self.page.click_text(f"+ {name}")
            self.page.fill(f"#q{number}-title", f"{name}?")
            self.page.fill(f"#q{number}-title-ko", f"{name}일까요?")
        for css, text in {"#q0-point1": "Never", "#q0-point1-ko": "전혀", "#q0-point5": "Always",
                "#q1-maxWords": "2", "#q3-earliest": "2026-11-01", "#q3-latest": "2026-12-31"}.items():
            self.page.fill(css, text)
        # The label of the highest point follows the end of the scale.
        self.page.fill("#q0-scale", "7")
        self.page.find("details[open], details > summary").click()
        self.page.wait_for(lambda: self.page.find("#q0-point7").get_property("value") == "Always")
        self.page.fill("#q0-point4", "Sometimes")
        self.page.fill("#q0-point4", "")
        self.page.driver.execute_script(
            "for (const one of document.querySelectorAll('.question details')) one.open = true")
        for number, target in [(0, None), (2, "no"), (3, "2026-11-02")]:
            self.page.click(f"#q{number}-rules-add")
            if target:
                self.page.fill(f"#q{number}-rules-0-target", target)
        self.page.fill("#q0-rules-0-0", "2")
        self.page.fill("#set-promise", "named")
        self.assertEqual(violations(self.page.driver), [])
        self.page.click_text("Save")
        self.page.wait_for_text("#said", "Saved")
        kept, = self.sets()
        self.assertEqual((kept["set"], kept["promise"], kept["changeable"], kept["open"]),
            ("poll-1", "named", True, False))
        scale, words, yes, date = self.questions("poll-1")
        self.assertEqual((scale["scale"], scale["points"]), (7, [
            {"point": 1, "label": "Never", "labels": {"en": "Never", "ko": "전혀"}},
            {"point": 7, "label": "Always"}]))
        self.assertEqual((words["maxWords"], words["titles"]["ko"]), (2, "Word cloud일까요?"))
        self.assertEqual([one["rules"] for one in (scale, yes, date)], [
            [{"type": "minMax", "target": [2, None]}], [{"type": "sameAs", "target": "no"}],
            [{"type": "sameAs", "target": "2026-11-02"}]])
        self.assertEqual((date["earliest"], date["latest"]), ("2026-11-01", "2026-12-31"))
        with self.subTest("whether answers can change"):
            self.page.click_text("Attendees can change their answers while these questions are open", "label")
            self.page.wait_for(lambda: not self.sets()[0]["changeable"])
        self.assertEqual(self.page.complaints(), [])

    # MARK: Order and deletion

    def test_polls_are_moved_by_keys_and_by_dragging_and_deleted_with_their_answers(self):
        choice = {"kind": "yesNo", "title": "First?"}
        first = self.poll(choice)
        for title in ["Second?", "Third?"]:
            self.poll({**choice, "title": title})
        self.show("live")
        shown = lambda: [one.text for one in self.page.find_all(".stage .cards a[href*=questions]")]
        order = lambda: [one["heading"] for one in self.sets()]
        self.page.wait_for(lambda: shown() == ["First?", "Second?", "Third?"])
        self.page.driver.execute_script("document.querySelector('.grip').focus()")
        self.page.type_keys(DOWN)
        self.page.wait_for(lambda: order() == ["Second?", "First?", "Third?"] == shown())
        # The focus stays with the poll.
        self.page.wait_for(lambda: "First?" in self.page.driver.switch_to.active_element.accessible_name)
        self.page.driver.execute_script("""
            const [from, to] = [document.querySelectorAll('.grip')[2], document.querySelector('.cards li')];
            const dataTransfer = new DataTransfer();
            const send = (element, kind) =>
              element.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
            send(from, 'dragstart'); send(to, 'dragover'); send(to, 'drop'); send(from, 'dragend');
        """)
        self.page.wait_for(lambda: order() == ["Third?", "Second?", "First?"] == shown())
        self.page.driver.execute_script("document.querySelectorAll('.menu')[2].open = true")
        self.page.click_text("First?: Up")
        self.page.wait_for(lambda: order() == ["Third?", "First?", "Second?"])
        self.change(first["set"], open=True)
        self.answer(first, ["yes"])
        self.page.wait_for_text(".live[data-set=poll-1]", "1 answer")
        self.assertEqual(violations(self.page.driver), [])
        self.change(first["set"], open=False)
        self.page.wait_for_text(".earlier", "Earlier polls (1)")
        self.page.driver.execute_script(
            "for (const one of document.querySelectorAll('.earlier, .earlier details')) one.open = true")
        self.page.click_text("First?: Delete")
        self.page.wait_for_text("dialog", "The poll and its 1 answer are deleted.")
        self.page.answer_dialog("Delete")
        self.page.wait_for(lambda: order() == ["Third?", "Second?"] == shown())
        self.assertEqual(self.page.complaints(), [])

    # MARK: The hall's screen

    def test_a_word_cloud_is_the_same_on_every_screen_and_nothing_is_cut(self):
        question = "Which of the words that we used in the last two years describes best what all of us do?"
        poll = self.poll({"kind": "wordCloud", "title": question, "maxWords": 3}, open=True)
        link = self.host.post(f"{self.path}/presenter-links").expect(201).json["url"]
        words = ["speed", "배움", "collaboration of everybody", "WWWWWWWWWWWWWWWWWWWW", "AI", "재미"]
        people = [[[words[number % 2], words[2 + number % 4], f"{words[number % 6][:20]}{number}"]]
            for number in range(12)]
        pictures = []
        for size in [(1280, 720), (1024, 768), (1920, 1080)]:
            with Browser(size) as hall:
                hall.open(link)
                if not pictures:
                    hall.wait_for_text("#question .note", "Send at most 3 words.")
                    self.answer(poll, *people)
                    self.change("poll-1", shared=True)
                hall.find("body").send_keys("" if not pictures else "r")
                hall.wait_for(lambda: len(hall.find_all("#tally .cloud text")) == 18)
                found = hall.driver.execute_script(CLOUD)
                self.assertEqual((found["cut"], found["visible"]), ([], 0), size)
                self.assertEqual(violations(hall.driver), [])
                pictures.append(json.dumps(found["words"]))
        self.assertEqual(len(set(pictures)), 1)

    def test_the_hall_draws_a_word_cloud_at_most_twice_a_second(self):
        poll = self.poll({"kind": "wordCloud", "title": "One word?", "maxWords": 1}, open=True, shared=True)
        link = self.host.post(f"{self.path}/presenter-links").expect(201).json["url"]
        with Browser((1280, 720)) as hall:
            hall.open(link)
            hall.find("#tally .bars")
            hall.driver.execute_script("""
                window.draws = 0;
                window.begin = performance.now();
                new MutationObserver(() => draws += 1).observe(document.querySelector("#tally .bars"),
                    { childList: true });""")
            self.answer(poll, *([[f"word{number}"]] for number in range(24)))
            hall.wait_for(lambda: len(hall.find_all("#tally .cloud text")) == 24)
            draws, seconds = hall.driver.execute_script(
                "return [draws, (performance.now() - begin) / 1000]")
            self.assertLessEqual(draws, 2 * seconds + 1)

    def test_the_hall_shows_the_points_of_a_scale_with_their_labels(self):
        labels = [{"point": 1, "labels": {"en": "Never", "ko": "전혀"}}, {"point": 5, "label": "Always"}]
        self.poll({"kind": "scale", "title": "How often?", "scale": 5, "points": labels}, open=True)
        link = self.host.post(f"{self.path}/presenter-links").expect(201).json["url"]
        self.phone.open(link)
        self.phone.wait_for(lambda: [one.text for one in self.phone.find_all(".choices li")]
            == ["1 Never", "2", "3", "4", "5 Always"])
        self.assertEqual(violations(self.phone.driver), [])


if __name__ == "__main__":
    unittest.main()
