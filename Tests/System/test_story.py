"""The whole story in real browsers: a phone scans, checks in and answers every kind, while the hall's screen
and the host's page are live. Then the server is killed, and all three catch up. No page is loaded again."""
import os
import tempfile
import unittest

from browser import OWN_ANSWER, PHONE, PROJECTOR, Browser
from host import PASSWORD, Host, check_in
from qr_reading import decode
from server_process import Server, free_port

KINDS = [
    {"kind": "multipleChoice", "title": "Drink", "required": True,
        "choices": [{"label": "Tea"}, {"label": "Water"}]},
    {"kind": "shortAnswer", "title": "Why", "maxLength": 200},
    {"kind": "rating", "title": "Stars", "required": True},
    {"kind": "number", "title": "Age", "min": 0, "max": 120},
]


class StoryTests(unittest.TestCase):
    def setUp(self):
        # Phones use the same port after the restart.
        self.server = self.enterContext(Server("--signup", "open", port=free_port()))
        self.host = Host(self.server)
        self.session = self.host.session(plannedCount=10, session={"questions": KINDS, "anonymous": False})
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.host.patch(f"{self.path}/sets/feedback", {"shared": True}).expect(200)

    def scanned(self):
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "code.png")
            with open(place, "wb") as file:
                file.write(self.host.get(f"{self.path}/qr.png").expect(200).body)
            return decode(place)[0]

    def window(self, size):
        browser = self.enterContext(Browser(size))
        return browser

    def open_projector(self):
        projector = self.window(PROJECTOR)
        projector.open(self.host.post(f"{self.path}/presenter-links").expect(201).json["url"])
        projector.wait_for_value(lambda: projector.find("#count").text, "0")
        return projector

    def open_host(self):
        page = self.window((1280, 900))
        page.open(f"{self.server.url}/host#/sign-in")
        page.find("#f-email").send_keys(self.host.email)
        page.find("#f-password").send_keys(PASSWORD)
        page.find("form button").click()
        page.wait_for(lambda: "sign-in" not in page.driver.current_url)
        self.go(page)
        page.wait_for(lambda: self.present(page) == "0")
        return page

    def go(self, page, *tab):
        page.driver.execute_script("location.hash = arguments[0]",
            "/".join(["#/sessions", self.session["id"], *tab]))

    def present(self, page):
        return page.find(".counts .present dd").get_property("textContent")

    def test_the_whole_story(self):
        phone, projector, page = self.window(PHONE), self.open_projector(), self.open_host()
        for window in [projector, page]:
            window.driver.execute_script("window.isTheSamePage = true")
        self.check_in(phone, projector, page)
        phone.driver.execute_script("window.isTheSamePage = true")
        self.answer(phone, projector, page)
        self.kill_and_catch_up(phone, projector, page)
        for window in [phone, projector, page]:
            self.assertTrue(window.driver.execute_script("return window.isTheSamePage"))

    def check_in(self, phone, projector, page):
        phone.open(self.scanned())
        phone.find("#name").send_keys("김하나")
        phone.find("#email").send_keys("hana@example.org")
        phone.find("button[type=submit]").click()
        phone.wait_for_text("#result", "김하나")
        phone.wait_for_text(".time", "on time")
        projector.wait_for_value(lambda: projector.find("#count").text, "1")
        page.wait_for(lambda: self.present(page) == "1")

    def answer(self, phone, projector, page):
        projector.find("body").send_keys("r")
        self.go(page, "results")
        page.wait_for(lambda: page.find_all(".tally"))
        phone.find("fieldset .choice", 1).click()
        phone.find("textarea").send_keys("물이 좋아요")
        phone.find(".star", 3).click()
        phone.find("input[type=number]").send_keys("31")
        phone.find("form.feedback button[type=submit]").click()
        phone.wait_for_text("#result", "Thank you")
        projector.wait_for(lambda: projector.bars("#tally") == [
            ["Water", "1", "100%"], ["Tea", "0", "0%"]])
        page.wait_for(lambda: "물이 좋아요" in page.find("#main").text)
        phone.wait_for(lambda: ["Water", "1", "100%"] in phone.bars("#live", OWN_ANSWER))

    def kill_and_catch_up(self, phone, projector, page):
        self.server.kill()
        phone.wait_for(lambda: projector.find("#state").text.startswith("reconnecting"))
        self.server.start()
        self.host.close()
        self.host.sign_in()
        questions = self.host.questions(self.session)
        for number in range(2):
            receipt = check_in(self.host, self.session, f"Guest {number}",
                f"guest{number}@example.org").expect(201).json["receipt"]
            answers = {questions["multipleChoice"]: ["a"], questions["rating"]: 5,
                questions["shortAnswer"]: f"Tea, {number}"}
            self.host.post(f"{self.path}/responses", {"answers": answers}, token=receipt).expect(201)
        projector.wait_for(lambda: projector.bars("#tally") == [
            ["Tea", "2", "67%"], ["Water", "1", "33%"]])
        page.wait_for(lambda: "Tea, 1" in page.find("#main").text)
        phone.wait_for(lambda: ["Tea", "2", "67%"] in phone.bars("#live", OWN_ANSWER))
        projector.find("body").send_keys("q")
        projector.wait_for_value(lambda: projector.find("#count").text, "3")
        projector.wait_for(lambda: projector.codes_on_screen() == [self.session["checkInUrl"]])
        self.go(page)
        page.wait_for(lambda: self.present(page) == "3")


if __name__ == "__main__":
    unittest.main()
