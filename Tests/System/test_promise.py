"""The anonymity that a form showed holds: the host cannot change it afterwards, and an answer to a form with
another one is not stored."""
import itertools
import unittest

from selenium.webdriver.common.keys import Keys

from browser import Browser
from host import Host, check_in, code_of, moment
from host_page import HostPage
from page import Visitor
from server_process import Server

RATING = [{"kind": "rating", "title": "How was it?"}]


class PromiseCase(unittest.TestCase):
    numbers = itertools.count(1)

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def begin(self, **fields):
        self.session = self.host.session(**fields)
        self.path = f"/api/v1/sessions/{self.session['id']}"

    def receipt(self):
        return check_in(self.host, self.session, "Kim",
            f"kim{next(self.numbers)}@example.org").expect(201).json["receipt"]

    def change(self, anonymous=False, set="feedback", **options):
        return self.host.patch(f"{self.path}/sets/{set}", {"anonymous": anonymous}, **options)

    def write(self, set, questions=None, **fields):
        body = {"questions": RATING if questions is None else questions, **fields}
        return self.host.put(f"{self.path}/questions?set={set}", body).expect(200).json

    def assert_fixed(self, set="feedback", anonymous=True):
        """Tries every way in which a host can write a set."""
        other = self.host.session(session={"questions": RATING, "anonymous": not anonymous})
        questions = self.host.get(f"{self.path}/questions?set={set}").expect(200).json["questions"]
        ways = {
            "edit": lambda: self.change(not anonymous, set),
            "edit that closes it, too": lambda: self.host.patch(f"{self.path}/sets/{set}",
                {"anonymous": not anonymous, "open": False}),
            "new questions": lambda: self.host.put(f"{self.path}/questions?set={set}",
                {"questions": RATING, "anonymous": not anonymous}),
            "the same questions": lambda: self.host.put(
                f"{self.path}/questions?set={set}", {"questions": questions, "anonymous": not anonymous}),
            "file": lambda: self.host.post(f"{self.path}/questions/import?set={set}",
                {"questions": RATING, "anonymous": not anonymous},
                                           headers={"If-Match": "*"}),
            "copy": lambda: self.host.post(f"{self.path}/questions/copy",
                {"from": other["id"], "set": "feedback", "as": set}),
        }
        for way, send in ways.items():
            with self.subTest(way):
                answer = send()
                self.assertEqual((answer.status, answer.code), (409, "anonymity_fixed"), answer)
        found = self.host.get(f"{self.path}/questions?set={set}").expect(200).json
        self.assertEqual((found["anonymous"], found["anonymityFixed"]), (anonymous, True))


class FrozenTests(PromiseCase):
    def test_a_form_that_was_shown_as_anonymous_stays_anonymous(self):
        self.begin()
        visitor = Visitor(self.server)
        page = visitor.submit(visitor.open(f"/C/{code_of(self.session)}"), name="Kim",
            email="kim@example.org")
        self.assertIn("Anonymous: your answers", page.text)
        self.assert_fixed()
        rating = self.host.questions(self.session)["rating"]
        self.assertIn("stored without your name", visitor.submit(page, **{f"q_{rating}": "5"}).text)

    def test_the_refusal_says_what_to_do_in_both_languages(self):
        self.begin()
        for language, said in [("en", "Create a new set"), ("ko", "새 질문 묶음")]:
            self.assertIn(said, self.change(headers={"Accept-Language": language}).expect(409).json["detail"])

    def test_a_named_form_that_is_open_stays_named(self):
        self.begin(session={"anonymous": False})
        self.assert_fixed(anonymous=False)

    def test_anonymity_may_change_before_anybody_saw_the_form(self):
        self.begin(starts=30)
        for anonymous in [False, True, False]:
            self.change(anonymous).expect(200)
        self.write("vote")
        self.change(set="vote").expect(200)
        # A member who reads the questions fixes nothing, nor does an attendee without a form.
        self.host.get(f"{self.path}/questions").expect(200)
        self.receipt()
        self.assertEqual(self.change(True).expect(200).json["anonymityFixed"], False)

    def test_a_poll_that_was_opened_stays_fixed_when_it_is_closed_or_empty(self):
        self.begin(starts=30)
        self.write("vote")
        self.host.patch(f"{self.path}/sets/vote", {"open": True, "anonymous": True}).expect(200)
        self.host.patch(f"{self.path}/sets/vote", {"open": False}).expect(200)
        self.assert_fixed("vote")
        self.write("vote", [])
        self.assert_fixed("vote")

    def test_feedback_that_the_clock_opened_stays_fixed_when_the_start_moves(self):
        self.begin()
        edited = self.host.patch(self.path, {"startsAt": moment(60)}).expect(200)
        self.assertEqual(edited.json["feedbackOpen"], False)
        self.assert_fixed()

    def test_reading_questions_before_they_open_fixes_their_anonymity(self):
        self.begin(starts=30)
        found = self.host.get(f"{self.path}/questions", token=self.receipt()).expect(200).json
        self.assertEqual(found["anonymous"], True)
        self.assert_fixed()

    def test_a_follow_up_set_is_fixed_once_it_was_shown(self):
        self.begin(session={"questions": []})
        rating = self.write("feedback", next="more")["questions"][0]["id"]
        self.write("more")
        visitor = Visitor(self.server)
        page = visitor.submit(visitor.open(f"/C/{code_of(self.session)}"), name="Lee",
            email="lee@example.org")
        self.change(False, "more").expect(200)
        self.change(True, "more").expect(200)
        self.assertIn("A few more questions", visitor.submit(page, **{f"q_{rating}": "5"}).text)
        self.assert_fixed("more")

    def test_a_published_form_that_somebody_has_read_is_fixed(self):
        self.begin(starts=30)
        name = f"form{next(self.numbers)}"
        self.host.patch(f"{self.path}/sets/feedback", {"publishedAs": name}).expect(200)
        self.change(False).expect(200)
        self.host.get(f"/api/question/{name}", token=None).expect(200)
        self.assert_fixed(anonymous=False)

    def test_attendees_see_the_anonymity_only_when_it_is_fixed(self):
        self.begin(starts=30)
        joined = check_in(self.host, self.session, "Choi",
            f"choi{next(self.numbers)}@example.org").expect(201).json
        self.assertNotIn("anonymous", joined["session"]["feedback"])
        self.assertEqual(self.host.get(self.path).json["feedback"]["anonymous"], True)
        self.host.patch(f"{self.path}/sets/feedback", {"open": True}).expect(200)
        own = self.host.get("/api/v1/check-ins/current", token=joined["receipt"]).expect(200).json
        self.assertEqual(own["session"]["feedback"]["anonymous"], True)


class ShownTests(PromiseCase):
    def respond(self, receipt, **fields):
        rating = self.host.questions(self.session)["rating"]
        return self.host.post(f"{self.path}/responses", {"answers": {rating: 5}, **fields}, token=receipt)

    def test_an_answer_to_a_form_with_another_anonymity_is_not_stored(self):
        for anonymous, said in [(True, {"en": "without your name", "ko": "이름 없이"}),
                (False, {"en": "with your name", "ko": "이름과 함께"})]:
            with self.subTest(anonymous=anonymous):
                self.begin(session={"anonymous": anonymous})
                receipt = self.receipt()
                for language, words in said.items():
                    refused = self.host.post(
                        f"{self.path}/responses",
                        {"answers": {self.host.questions(self.session)["rating"]: 5},
                            "anonymous": not anonymous},
                        token=receipt, headers={"Accept-Language": language, "Idempotency-Key": "once"})
                    self.assertEqual((refused.status, refused.code), (409, "anonymity_changed"))
                    self.assertEqual(refused.json["anonymous"], anonymous)
                    self.assertIn(words, refused.json["detail"])
                self.assertEqual(self.host.get(f"{self.path}/results").json["responses"], 0)
                self.assertEqual(self.host.get("/api/v1/check-ins/current", token=receipt).json["responded"],
                    [])
                self.assertEqual(self.respond(receipt, anonymous=anonymous).expect(201).json["anonymous"],
                    anonymous)
                self.respond(self.receipt()).expect(201)

    def test_a_page_shows_the_change_and_keeps_the_input(self):
        for language, said in [("en", "would now be stored with your name"), ("ko", "이름과 함께 저장")]:
            with self.subTest(language):
                self.begin(session={"anonymous": False})
                ids = self.host.questions(self.session)
                visitor = Visitor(self.server, language)
                page = visitor.submit(visitor.open(f"/C/{code_of(self.session)}"), name="Kim",
                    email=f"kim{next(self.numbers)}@example.org")
                self.assertEqual(page.forms[0]["fields"]["anonymous"], "false")
                typed = {f"q_{ids['rating']}": "4", f"q_{ids['shortAnswer']}": "More breaks"}
                refused = visitor.submit(page, anonymous="true", **typed)
                self.assertEqual(refused.status, 409)
                self.assertIn(said, refused.text)
                fields = refused.forms[0]["fields"]
                self.assertEqual({name: fields[name] for name in [*typed, "anonymous"]},
                    {**typed, "anonymous": "false"})
                self.assertEqual(self.host.get(f"{self.path}/results").json["responses"], 0)
                self.assertEqual(visitor.submit(refused).status, 200)
                self.assertEqual(self.host.get(f"{self.path}/results").json["responses"], 1)


class BrowserTests(PromiseCase):
    def browser(self):
        browser = self.enterContext(Browser())
        browser.open(self.session["checkInUrl"])
        browser.find("#name").send_keys("Kim")
        browser.find("#email").send_keys(f"kim{next(self.numbers)}@example.org", Keys.ENTER)
        browser.find("form.feedback textarea")
        return browser

    def say_otherwise(self, browser, value="true"):
        """Sets the anonymity that the page showed, as if the page came from before a change."""
        browser.driver.execute_script(
            "document.querySelector('form.feedback [name=anonymous]').value = arguments[0]", value)

    def test_the_input_stays_and_is_sent_when_the_attendee_agrees(self):
        self.begin(session={"anonymous": False})
        browser = self.browser()
        browser.find("textarea").send_keys("More breaks")
        browser.find(".star", 3).click()
        self.say_otherwise(browser)
        browser.find("form.feedback button[type=submit]").click()
        browser.wait_for_text("[role=alert]", "would now be stored with your name")
        browser.wait_for_value(lambda: browser.find("textarea").get_property("value"), "More breaks")
        self.assertEqual(self.host.get(f"{self.path}/results").json["responses"], 0)
        browser.find("form.feedback button[type=submit]").click()
        browser.wait_for_text("#result", "Thank you")
        self.assertEqual(self.host.get(f"{self.path}/results").json["responses"], 1)

    def test_a_draft_for_another_anonymity_says_so(self):
        self.begin(session={"anonymous": False})
        browser = self.browser()
        browser.find("textarea").send_keys("More breaks")
        browser.driver.refresh()
        browser.wait_for(lambda: browser.find("textarea").get_property("value") == "More breaks")
        self.assertEqual(browser.find_all("[role=alert]"), [])
        browser.driver.execute_script("""for (const key of Object.keys(localStorage)) {
            if (!key.startsWith("qring-draft:")) continue;
            localStorage.setItem(key, localStorage.getItem(key).replace('"named"', '"anonymous"'));
        }""")
        browser.driver.refresh()
        browser.wait_for_text("[role=alert]", "would now be stored with your name")
        browser.wait_for_value(lambda: browser.find("textarea").get_property("value"), "More breaks")

    def test_a_host_chooses_before_the_first_questions_are_saved(self):
        for promise in ["named", "hidden", "anonymous"]:
            with self.subTest(promise):
                # A page of its own, so that the message that the questions are saved belongs to this one.
                page = self.enterContext(HostPage(self.server))
                page.sign_in(self.host.email)
                self.begin(session={"questions": []})
                page.show(f"sessions/{self.session['id']}/questions")
                # Feedback is anonymous unless the host chooses something else.
                page.wait_for_text("form.set", "Nobody can tell who gave an answer")
                page.fill("#set-promise", promise)
                page.click_text("+ Rating")
                page.find("#q0-title").send_keys("How?")
                page.click_text("Save")
                page.wait_for_text("#said", "Saved")
                found = self.host.get(f"{self.path}/questions").json
                self.assertEqual((found["promise"], found["anonymityFixed"]), (promise, True))
                # The clock has opened it, so there is nothing to choose.
                page.wait_for(lambda: not page.find("#set-promise").is_enabled())
                page.wait_for_text("#set-promise-about", "Attendees have seen this promise")


if __name__ == "__main__":
    unittest.main()
