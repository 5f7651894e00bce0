"""Takes the pictures in docs/images: each page in both languages, on a phone, on a hall's screen and on a
host's desk.
usage: python Tests/System/page_pictures.py FOLDER"""
import base64
import os
import sys

from browser import PHONE, Browser
from host import PASSWORD, Host, check_in, moment
from server_process import Server

HALL = (1280, 720)
DESK = (1280, 800)
TOLD = {
    "en": {"meeting": "Swift study group", "name": "Kim Minseo", "place": "Library, second floor",
        "guests": "Lee Jiho, Park Sua, Choi Yuna, Jung Doyun, Kang Haneul, Yoon Seo, Lim Ara, Han Jun",
           "kinds": ["What should we repeat?", "What did you miss?", "How was it?"],
           "choices": ["Talks", "Workshops", "Walks"],
           "texts": ["More room", "A longer break", "Nothing, it was good"],
           "asked": ["Will there be slides?", "When do we meet next, and can we bring friends?",
               "Where is the code of the second talk?"], "answer": "It is on the page of the group."},
    "ko": {"meeting": "스위프트 스터디", "name": "김민서", "place": "도서관 2층",
        "guests": "이지호, 박수아, 최유나, 정도윤, 강하늘, 윤서, 임아라, 한준",
           "kinds": ["다음에 또 하고 싶은 것은?", "아쉬웠던 점은?", "어땠나요?"], "choices": ["발표", "워크숍", "산책"],
           "texts": ["자리가 좁았어요", "쉬는 시간이 짧아요", "다 좋았어요"],
           "asked": ["발표 자료를 나눠 주시나요?", "다음 모임은 언제이고, 친구와 함께 와도 되나요?",
               "두 번째 발표의 코드는 어디에 있나요?"], "answer": "모임 페이지에 올려 두었습니다."},
}


class Scene:
    """A session in one language, and the actions of its people."""

    def __init__(self, server, language):
        self.server, self.language, self.told = server, language, TOLD[language]
        self.host = Host(server)
        choice, text, rating = self.told["kinds"]
        questions = [
            {"kind": "multipleChoice", "title": choice,
                "choices": [{"label": label} for label in self.told["choices"]], "maxSelections": 2},
            {"kind": "shortAnswer", "title": text, "maxLength": 200},
            {"kind": "rating", "title": rating, "required": True},
        ]
        self.session = self.host.session(self.told["meeting"], plannedCount=12, timeZone="Asia/Seoul",
            session={"questions": questions, "anonymous": False})
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.host.patch(f"{self.path}/sets/feedback", {"shared": True}).expect(200)

    def crowd(self):
        ids = self.host.questions(self.session)
        for number, name in enumerate(self.told["guests"].split(", ")):
            receipt = check_in(self.host, self.session, name,
                f"guest{number}@example.org").expect(201).json["receipt"]
            answers = {ids["multipleChoice"]: ["abc"[number % 3], "a"] if number % 3 else ["a"],
                ids["rating"]: 3 + number % 3}
            if number < 3:
                answers[ids["shortAnswer"]] = self.told["texts"][number]
            self.host.post(f"{self.path}/responses", {"answers": answers}, token=receipt).expect(201)

    def ask(self):
        """Three guests ask and vote. One question is pinned, and one is answered."""
        list = f"{self.path}/audience-questions"
        self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
        asked = []
        for number, text in enumerate(self.told["asked"]):
            receipt = check_in(self.host, self.session, f"{self.told['name']} {number}",
                f"asks{number}@example.org").expect(201).json["receipt"]
            asked.append(self.host.post(list, {"text": text}, token=receipt).expect(201).json["id"])
            for question in asked:
                self.host.put(f"{list}/{question}/vote", token=receipt).expect(200)
        self.host.patch(f"{list}/{asked[1]}", {"pinned": True}).expect(200)
        self.host.patch(f"{list}/{asked[2]}",
            {"status": "answered", "answer": self.told["answer"]}).expect(200)

    def phone(self, shoot):
        with Browser(PHONE, self.language) as browser:
            browser.open(self.server.url)
            shoot(browser, "join")
            browser.open(self.session["checkInUrl"])
            browser.wait_for(lambda: browser.find(".remember"))
            browser.find("#name").send_keys(self.told["name"])
            browser.find("#email").send_keys("minseo@example.org")
            shoot(browser, "check-in")
            browser.find("form.check-in button[type=submit]").click()
            browser.wait_for(lambda: browser.find(".mode"))
            shoot(browser, "pass")
            browser.driver.execute_script("document.querySelector('form.feedback').scrollIntoView()")
            browser.find_all("fieldset .choice")[0].click()
            browser.find_all(".star")[3].click()
            shoot(browser, "feedback")
            browser.find("form.feedback button[type=submit]").click()
            browser.wait_for(lambda: browser.find("#live .bars"))
            shoot(browser, "results")
            browser.open(browser.find("footer p a").get_property("href"))
            shoot(browser, "my-attendance")

    def hall(self, shoot):
        """Every scene of the hall's screen."""
        told = self.told
        later = self.host.session(told["meeting"], place=told["place"], timeZone="Asia/Seoul",
            session={"startsAt": moment(25), "endsAt": moment(145)})
        with Browser(HALL, self.language) as browser:
            def wait_for_scene(name):
                browser.wait_for(lambda: browser.find("body").get_attribute("data-scene") == name
                    and browser.find("#code").get_attribute("src") and browser.find("#count").text != "–")

            links = [self.host.post(f"/api/v1/sessions/{one['id']}/presenter-links").expect(201).json["url"]
                for one in (later, self.session)]
            browser.open(links[0])
            wait_for_scene("start")
            shoot(browser, "projector-start")
            browser.open(links[1])
            wait_for_scene("running")
            shoot(browser, "projector")
            body = browser.find("body")
            body.send_keys("r")
            wait_for_scene("results")
            shoot(browser, "projector-results")
            self.ask()
            body.send_keys("a")
            wait_for_scene("audience")
            browser.wait_for(lambda: len(browser.find_all("#audience li")) == 3)
            shoot(browser, "projector-questions")
            self.host.put(f"{self.path}/questions?set=poll-1", {"questions": [
                {"kind": "multipleChoice", "title": told["kinds"][0],
                    "choices": [{"label": label} for label in told["choices"]]}]}).expect(200)
            self.host.patch(f"{self.path}/sets/poll-1", {"open": True}).expect(200)
            wait_for_scene("question")
            shoot(browser, "projector-question")
            body.send_keys("t")
            wait_for_scene("thanks")
            shoot(browser, "projector-thanks")
            self.host.patch(f"{self.path}/sets/poll-1", {"open": False}).expect(200)

    def desk(self, shoot):
        with Browser(DESK, self.language) as browser:
            browser.open(f"{self.server.url}/host?lang={self.language}#/sign-in")
            browser.wait_for(lambda: browser.find("#f-email")).send_keys(self.host.email)
            browser.find("#f-password").send_keys(PASSWORD)
            browser.find("form button").click()
            browser.wait_for(lambda: "sign-in" not in browser.driver.current_url)
            browser.driver.execute_script("location.hash = arguments[0]", f"#/sessions/{self.session['id']}")
            browser.wait_for(lambda: browser.find(".counts .present dd").text != "0")
            shoot(browser, "host")


def main():
    folder = sys.argv[1]
    with Server("--signup", "open") as server:
        for language in TOLD:
            def shoot(browser, name):
                # Wait until nothing moves any more.
                browser.driver.execute_async_script(
                    "document.fonts.ready.then(() => setTimeout(arguments[0], 500))")
                picture = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
                with open(os.path.join(folder, f"{name}-{language}.png"), "wb") as file:
                    file.write(base64.b64decode(picture))

            scene = Scene(server, language)
            scene.crowd()
            for place in [scene.phone, scene.hall, scene.desk]:
                place(shoot)


if __name__ == "__main__":
    main()
