"""Moments of an evening on a phone, in the hall and on the host's page, in English and Korean. With
QRING_PICTURES=FOLDER, as in scripts/screenshots, each test stores pictures of its moments in that folder."""
import os
import unittest

from browser import PHONE, Browser
from host import moment
from host_page import HostPage, HostPageCase
from server_process import Server

HALL, LARGE_HALL, LAPTOP = (1280, 720), (3840, 2160), (1280, 800)
DAYS = ["Mon", "Tue", "Wed"]
KOREAN = {"late": "지각", "Nothing to answer right now": "지금은 답변할 질문이 없습니다", "Thank you": "감사합니다",
    "The session is over": "회차가 끝났습니다", "Ask now": "바로 질문하기", "Arrivals per minute": "분당 도착 인원",
    "To see newer questions and results": "새 질문과 결과를 보려면"}


class EveningTests(HostPageCase):
    language = "en"

    def told(self, text):
        return text if self.language == "en" else KOREAN[text]

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def setUp(self):
        self.host, self.desk = self.signed_in(LAPTOP, language=self.language)
        self.session = self.host.session("Swift study group", starts=-30, ends=90, accent="teal",
            session={"questions": []})
        self.path = f"/api/v1/sessions/{self.session['id']}"

    def see(self, browser, name):
        """Stores a picture of the moment."""
        if folder := os.environ.get("QRING_PICTURES"):
            browser.driver.save_screenshot(f"{folder}/evening-{name}-{self.language}.png")

    def phone(self, **options):
        return self.enterContext(Browser(PHONE, self.language, **options))

    def type_name(self, phone):
        phone.find("#name").send_keys("Kim Minseo")
        phone.find("#email").send_keys("kim@example.org")

    def arrive(self, **options):
        phone = self.phone(**options)
        phone.open(self.session["checkInUrl"])
        self.type_name(phone)
        phone.find("form.check-in button[type=submit]").click()
        phone.find("#live")
        return phone

    def poll(self, **fields):
        return self.host.post(f"{self.path}/polls", {"open": True, "questions": [
            {"kind": "multipleChoice", "title": "Which day?", "choices": [{"label": day} for day in DAYS]}],
            **fields}).expect(201).json

    def change(self, poll, **fields):
        self.host.patch(f"{self.path}/sets/{poll['set']}", fields).expect(200)

    def hall(self, size):
        hall = self.enterContext(HostPage(self.server, size, language=self.language))
        hall.open(self.host.post(f"{self.path}/presenter-links").expect(201).json["url"].replace(
            "#", f"?lang={self.language}#"))
        hall.wait_for_value(lambda: hall.find("#count").text, "1")
        return hall

    # MARK: The moments

    def test_a_late_person_answers_and_sees_the_result_that_is_shared_after_the_poll_was_closed(self):
        phone = self.arrive()
        phone.wait_for_text("body", self.told("late"))
        self.see(phone, "late")
        poll = self.poll()
        form, line = [f"{place} [data-set={poll['set']}]" for place in ("#now", "#live")]
        phone.find(f"{form} .choice").click()
        self.see(phone, "poll-open")
        phone.find(f"{form} button[type=submit]").click()
        phone.find(line)
        self.see(phone, "poll-answered")
        self.change(poll, open=False)
        phone.wait_for(lambda: not phone.find_all(form))
        self.assertEqual(phone.bars(line), [])
        self.see(phone, "poll-closed")
        self.change(poll, shared=True)
        phone.wait_for_value(lambda: [bar[-1] for bar in phone.bars(line)], ["100%", "0%", "0%"])
        self.see(phone, "poll-shared")

    def test_codes_that_end_while_a_person_types_lose_nothing(self):
        phone, other = self.phone(), self.phone()
        for one in (phone, other):
            one.open(self.session["checkInUrl"])
            self.type_name(one)
        # A scan counts although the code on the screen has changed since.
        self.host.patch(self.path, {"renewCode": True}).expect(200)
        phone.find("form.check-in button[type=submit]").click()
        phone.find("#live")
        # A host who ends all codes ends the scans, too.
        self.host.patch(f"/api/v1/meetings/{self.session['meetingId']}", {"renewAllCodes": True}).expect(200)
        other.find("form.check-in button[type=submit]").click()
        other.find(".error")
        self.see(other, "code-over")
        new = self.host.get(self.path).expect(200).json["checkInUrl"]
        other.open(new)
        other.wait_for_value(lambda: [other.find(f"#{field}").get_property("value")
            for field in ("name", "email")], ["Kim Minseo", "kim@example.org"])
        self.see(other, "code-again")

    def test_a_phone_without_scripts_gets_a_poll_by_itself_and_says_how_to_see_another(self):
        phone = self.arrive(javascript=False)
        phone.open(f"{self.server.url}/me/{self.session['id']}?lang={self.language}")
        phone.wait_for_text("body", self.told("Nothing to answer right now"))
        self.assertTrue(phone.driver.page_source.count('http-equiv="refresh"'))
        self.see(phone, "plain-waits")
        poll = self.poll()
        phone.driver.refresh()
        phone.find(f"#now [data-set={poll['set']}] .choice")
        phone.wait_for_text("#now", self.told("To see newer questions and results"))
        self.see(phone, "plain-poll")

    def test_a_question_that_waits_is_approved_and_is_then_on_the_phone_and_in_two_halls(self):
        self.host.patch(f"{self.path}/audience-settings", {"open": True, "moderation": "before"}).expect(200)
        phone, halls = self.arrive(), [self.hall(HALL), self.hall(LARGE_HALL)]
        phone.find(".parts [data-part=questions] a").click()
        phone.find("#text").send_keys("Will there be slides?")
        phone.find("#ask button").click()
        phone.find("#audience li[data-status=pending]")
        self.see(phone, "question-waits")
        self.desk.show(f"sessions/{self.session['id']}/audience")
        self.see(self.desk, "question-waits-host")
        self.desk.click(".audience-questions button")
        phone.find("#audience li[data-status=visible]")
        self.see(phone, "question-shown")
        for hall, size in zip(halls, ["hall", "4k"]):
            hall.find("body").send_keys("a")
            hall.wait_for_text("#audience", "Will there be slides?")
            self.see(hall, f"question-{size}")

    def test_the_end_of_the_session_is_on_every_screen(self):
        phone, halls = self.arrive(), [self.hall(HALL), self.hall(LARGE_HALL)]
        self.desk.show(f"sessions/{self.session['id']}")
        self.desk.wait_for_text("#main", self.told("Ask now"))
        self.desk.wait_for_text("#main", self.told("Arrivals per minute"))
        self.see(self.desk, "runs")
        self.poll()
        self.host.patch(self.path, {"endsAt": moment(0)}).expect(200)
        for hall, size in zip(halls, ["hall", "4k"]):
            hall.wait_for_text("body", self.told("Thank you"))
            self.see(hall, f"end-{size}")
        self.see(phone, "end")
        self.desk.wait_for(lambda: not self.desk.find(".ask-now").is_displayed())
        self.see(self.desk, "end-host")


class KoreanEveningTests(EveningTests):
    language = "ko"


if __name__ == "__main__":
    unittest.main()
