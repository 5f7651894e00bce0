"""The editor of questions in a real Chromium: texts in both languages, rules, eligibility and follow-ups are
saved as they were written, and parts that the page does not show stay unchanged."""
import unittest

from axe import violations
from browser import PHONE
from host import check_in
from host_page import HostPageCase
from server_process import Server

ENTER = "\ue007"


class HostQuestionsTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def kept(self, host, session, name="feedback"):
        return host.get(f"/api/v1/sessions/{session['id']}/questions?set={name}").expect(200).json

    def editor(self, page, session, name="feedback"):
        page.show(f"sessions/{session['id']}/questions/{name}")
        page.find("#set-description")

    def save(self, page):
        # The message about the earlier save is no answer to this one.
        page.driver.execute_script("document.getElementById('said').replaceChildren()")
        page.click_text("Save")
        page.wait_for_text("#said", "Saved")

    def open_rules(self, page, number=0):
        page.driver.execute_script("document.querySelectorAll('.question details')[arguments[0]].open = true",
            number)

    def test_every_text_is_written_in_both_languages(self):
        host, page = self.signed_in()
        session = host.session(session={"questions": []})
        self.editor(page, session, "poll-1")
        page.click_text("Write every text in English and in Korean", "label")
        page.click_text("+ Multiple choice")
        texts = {"#set-title": "Lunch", "#set-title-ko": "점심", "#set-description": "Two minutes",
            "#set-description-ko": "2분이면 됩니다",
                 "#q0-title": "What?", "#q0-title-ko": "무엇을?", "#q0-detail": "Any", "#q0-detail-ko": "아무거나",
                 "#q0-choice0": "Noodles", "#q0-choice0-ko": "국수", "#q0-choice1": "Rice",
                 "#q0-choice1-ko": "밥"}
        for css, text in texts.items():
            page.find(css).send_keys(text)
        page.click_text("+ Short answer")
        for css, text in {"#q1-title": "Why?", "#q1-title-ko": "왜?", "#q1-placeholder": "Because",
                "#q1-placeholder-ko": "왜냐하면"}.items():
            page.find(css).send_keys(text)
        self.save(page)
        kept = self.kept(host, session, "poll-1")
        self.assertEqual((kept["titles"], kept["descriptions"]),
            ({"en": "Lunch", "ko": "점심"}, {"en": "Two minutes", "ko": "2분이면 됩니다"}))
        lunch, why = kept["questions"]
        self.assertEqual((lunch["titles"], lunch["details"]),
            ({"en": "What?", "ko": "무엇을?"}, {"en": "Any", "ko": "아무거나"}))
        self.assertEqual([choice["labels"] for choice in lunch["choices"]],
            [{"en": "Noodles", "ko": "국수"}, {"en": "Rice", "ko": "밥"}])
        self.assertEqual((why["titles"], why["placeholders"]),
            ({"en": "Why?", "ko": "왜?"}, {"en": "Because", "ko": "왜냐하면"}))
        # On return in Korean, both texts are there, each in its field.
        page.base = page.base.replace("lang=en", "lang=ko")
        self.editor(page, session, "poll-1")
        self.assertEqual(
            [page.find(css).get_property("value") for css in ["#q0-title", "#q0-title-en", "#set-title"]],
            ["무엇을?", "What?", "점심"])
        page.fill("#q0-title-en", "What now?")
        page.click_text("저장")
        page.wait_for(
            lambda: self.kept(host, session, "poll-1")["questions"][0]["titles"] == {"en": "What now?",
                "ko": "무엇을?"})

    def test_a_text_that_is_reduced_to_one_language_needs_no_other(self):
        host, page = self.signed_in()
        session = host.session(
            session={"questions": [{"kind": "rating", "title": "How?", "titles": {"ko": "어땠나요?"}}]})
        self.editor(page, session)
        page.wait_for_value(lambda: page.find("#q0-title-ko").get_property("value"), "어땠나요?")
        page.fill("#q0-title", "How was it?")
        page.fill("#q0-title-ko", "")
        self.save(page)
        question, = self.kept(host, session)["questions"]
        self.assertEqual((question["title"], "어땠나요?" in str(question)), ("How was it?", False))

    def test_rules_of_every_type_are_written_with_messages_in_each_language(self):
        host, page = self.signed_in()
        session = host.session(session={"questions": [
            {"kind": "shortAnswer", "title": "Password"}, {"kind": "shortAnswer", "title": "Again"},
            {"kind": "number", "title": "Age"},
            {"kind": "multipleChoice", "title": "Which?", "choices": [{"label": "Red"}, {"label": "Blue"}]}]})
        self.editor(page, session)
        page.click_text("Write every text in English and in Korean", "label")
        first, again, age, which = [question["id"] for question in self.kept(host, session)["questions"]]
        for number in range(4):
            self.open_rules(page, number)
        # A length by default, then a pattern, a refused value, and a required one.
        page.click("#q0-rules-add")
        page.fill("#q0-rules-0-0", "8")
        page.fill("#q0-rules-0-message", "Eight or more")
        page.fill("#q0-rules-0-message-ko", "여덟 글자 이상")
        for number, (test, value) in enumerate([("pattern", "[0-9]"), ("not", "password")], 1):
            page.click("#q0-rules-add")
            page.fill(f"#q0-rules-{number}-test", test)
            page.fill(f"#q0-rules-{number}-target", value)
        page.click("#q1-rules-add")
        page.fill("#q1-rules-0-test", "sameAsQuestion")
        page.fill("#q1-rules-0-target", first)
        page.click("#q2-rules-add")
        page.fill("#q2-rules-0-0", "14")
        page.click("#q2-eligibility-add")
        page.fill("#q2-eligibility-0-1", "99")
        page.fill("#q2-eligibility-0-message", "Not for you")
        page.fill("#q2-eligibility-0-message-ko", "대상이 아닙니다")
        page.click("#q3-rules-add")
        page.fill("#q3-rules-0-target", "b")
        page.click("#q3-rules-add")
        page.fill("#q3-rules-1-test", "minMaxLength")
        page.fill("#q3-rules-1-0", "1")
        self.save(page)
        password, repeated, number, choice = self.kept(host, session)["questions"]
        self.assertEqual(password["rules"], [
            {"type": "minMaxLength", "target": [8, None], "message": "Eight or more",
                "messages": {"en": "Eight or more", "ko": "여덟 글자 이상"}},
            {"type": "pattern", "target": "[0-9]"}, {"type": "not", "target": "password"}])
        self.assertEqual(repeated["rules"], [{"type": "sameAs", "question": first}])
        self.assertEqual(number["rules"], [{"type": "minMax", "target": [14, None]}])
        self.assertEqual(number["eligibility"], [
            {"type": "minMax", "target": [None, 99], "message": "Not for you",
                "messages": {"en": "Not for you", "ko": "대상이 아닙니다"}}])
        self.assertEqual(choice["rules"],
            [{"type": "sameAs", "target": "b"}, {"type": "minMaxLength", "target": [1, None]}])
        # One is removed; the others stay.
        self.open_rules(page)
        page.click_text("Remove line 2")
        self.save(page)
        self.assertEqual([rule["type"] for rule in self.kept(host, session)["questions"][0]["rules"]],
            ["minMaxLength", "not"])

    def test_a_rule_that_the_server_refuses_shows_the_reason(self):
        host, page = self.signed_in()
        session = host.session(session={"questions": [{"kind": "shortAnswer", "title": "Code"}]})
        self.editor(page, session)
        self.open_rules(page)
        page.click("#q0-rules-add")
        page.fill("#q0-rules-0-test", "pattern")
        page.fill("#q0-rules-0-target", "(")
        page.click_text("Save")
        page.wait_for(lambda: page.find(".rule .error").is_displayed())
        self.assertEqual(page.find("#q0-rules-0-target").get_attribute("aria-describedby"),
            page.find(".rule .error").get_attribute("id"))
        page.wait_for_value(lambda: page.find("#q0-rules-0-target").get_property("value"), "(")
        page.fill("#q0-rules-0-target", "^[A-Z]+$")
        self.save(page)
        self.assertEqual(self.kept(host, session)["questions"][0]["rules"],
            [{"type": "pattern", "target": "^[A-Z]+$"}])

    def test_an_answer_leads_to_another_set_and_a_set_is_followed_by_one(self):
        host, page = self.signed_in()
        session = host.session(
            starts=30,
            session={
                "questions": [
                    {"kind": "multipleChoice", "title": "Well?",
                        "choices": [{"label": "Yes"}, {"label": "No"}]}]})
        path = f"/api/v1/sessions/{session['id']}"
        for name in ["why", "more"]:
            host.put(f"{path}/questions?set={name}",
                {"title": name.title(), "questions": [{"kind": "rating", "title": "How?"}]}).expect(200)
        self.editor(page, session)
        self.open_rules(page)
        # An anonymous set has no branches; a sentence says so instead of the button.
        self.assertEqual(page.find_all("#q0-branches-add"), [])
        page.wait_for_text(".question details", "set that shows no names has no follow-ups")
        host.patch(f"{path}/sets/feedback", {"anonymous": False}).expect(200)
        self.editor(page, session)
        self.open_rules(page)
        page.click("#q0-branches-add")
        page.fill("#q0-branches-0-target", "b")
        page.fill("#q0-branches-0-next", "why")
        page.fill("#set-next", "more")
        self.save(page)
        kept = self.kept(host, session)
        self.assertEqual((kept["next"], kept["questions"][0]["branches"]),
            ("more", [{"type": "sameAs", "target": "b", "next": "why"}]))
        page.fill("#set-next", "")
        self.save(page)
        self.assertNotIn("next", self.kept(host, session))

    def test_parts_that_the_editor_does_not_show_stay_unchanged(self):
        host, page = self.signed_in()
        questions = [
            {"kind": "multipleChoice", "name": "drink", "title": "Drink?",
                "titles": {"en": "Drink?", "fr": "Boisson ?"}, "required": True,
             "choices": [{"id": "tea", "label": "Tea", "labels": {"en": "Tea", "fr": "Thé"}, "checked": True},
                 {"id": "x", "label": "Other", "other": True}]},
            {"kind": "shortAnswer", "name": "again", "title": "Again",
                "rules": [{"type": "sameAs", "target": "yes", "messages": {"de": "Nein"}}]}]
        session = host.session(session={"questions": []})
        host.put(f"/api/v1/sessions/{session['id']}/questions",
            {"questions": questions, "descriptions": {"en": "Hello", "fr": "Bonjour"},
                "next": "later"}).expect(200)
        before = self.kept(host, session)
        self.editor(page, session)
        page.fill("#q0-title", "What will you drink?")
        self.save(page)
        after = self.kept(host, session)
        before["questions"][0]["title"] = before["questions"][0]["titles"]["en"] = "What will you drink?"
        self.assertEqual({**after, "version": 0}, {**before, "version": 0})

    def test_a_removed_choices_letter_is_not_used_again(self):
        host, page = self.signed_in()
        session = host.session(
            session={
                "questions": [
                    {"kind": "multipleChoice", "title": "Which?",
                        "choices": [{"label": one} for one in "XYZ"]}]})
        self.editor(page, session)
        page.click_text("Remove X")
        page.click_text("Add a choice")
        page.driver.switch_to.active_element.send_keys("W")
        self.save(page)
        choices = self.kept(host, session)["questions"][0]["choices"]
        self.assertEqual([(choice["id"], choice["label"]) for choice in choices],
            [("b", "Y"), ("c", "Z"), ("a", "W")])

    def test_a_set_with_answers_allows_new_messages_but_no_new_rules(self):
        host, page = self.signed_in()
        session = host.session(
            session={
                "questions": [
                    {"kind": "rating", "title": "How?",
                        "rules": [{"type": "minMax", "target": [1, 5], "message": "One to five"}]}]})
        question = self.kept(host, session)["questions"][0]["id"]
        receipt = check_in(host, session, "Kim", "kim@example.org").expect(201).json["receipt"]
        host.post(f"/api/v1/sessions/{session['id']}/responses", {"answers": {question: 4}},
            token=receipt).expect(201)
        self.editor(page, session)
        self.open_rules(page)
        self.assertEqual(
            [page.find(css).is_enabled()
                for css in ["#q0-rules-0-test", "#q0-rules-0-0", "#q0-rules-0-message"]],
                [False, False, True])
        self.assertEqual(page.find_all("#q0-rules-add"), [])
        page.fill("#q0-rules-0-message", "From one to five, please")
        self.save(page)
        self.assertEqual(self.kept(host, session)["questions"][0]["rules"][0]["message"],
            "From one to five, please")

    def test_a_rule_is_written_by_keyboard_alone(self):
        host, page = self.signed_in()
        session = host.session(session={"questions": [{"kind": "number", "title": "Age"}]})
        self.editor(page, session)
        page.driver.execute_script("document.querySelector('.question summary').focus()")
        page.type_keys(ENTER)
        for _ in range(10):
            page.type_keys("\ue004")
            if page.driver.switch_to.active_element.get_attribute("id") == "q0-rules-add":
                break
        page.type_keys(ENTER)
        # The focus is in the new row: least, most, message.
        page.wait_for_value(
            lambda: page.driver.switch_to.active_element.get_attribute("id"), "q0-rules-0-test")
        page.type_keys("\ue004", "14", "\ue004", "99", "\ue004", "Between 14 and 99", ENTER)
        page.wait_for_text("#said", "Saved")
        self.assertEqual(self.kept(host, session)["questions"][0]["rules"],
            [{"type": "minMax", "target": [14, 99], "message": "Between 14 and 99"}])

    def test_axe_finds_nothing_with_every_rule_open(self):
        for language, dark, size in [("en", False, (1280, 900)), ("ko", True, PHONE),
                ("ko", False, (320, 640))]:
            host, page = self.signed_in(size, language=language, dark=dark)
            session = host.session(session={"questions": [
                {"kind": "shortAnswer", "title": "가" * 100, "titles": {"en": "W" * 100, "ko": "가" * 100},
                    "rules": [
                    {"type": "pattern", "target": "a" * 200, "message": "m" * 200},
                    {"type": "minMaxLength", "target": [1, 2]}]},
                {"kind": "multipleChoice", "title": "Which?",
                    "choices": [{"label": "나" * 100}, {"label": "B"}], "eligibility": [
                    {"type": "not", "target": "a", "messages": {"en": "No", "ko": "아니요"}}]}]})
            self.editor(page, session)
            for number in range(2):
                self.open_rules(page, number)
            with self.subTest(language=language, dark=dark):
                self.assertEqual(violations(page.driver), [])
                self.assertEqual(page.width_of_content(), size[0])


if __name__ == "__main__":
    unittest.main()
