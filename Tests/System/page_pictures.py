"""Takes the pictures in docs/images: each page in both languages, on a phone, on a hall's screen and on a
host's desk. With --every, takes them in each colour scheme and on small and large screens too, to look at.
usage: python Tests/System/page_pictures.py [--every] FOLDER"""
import base64
import os
import sys

from browser import PHONE, Browser
from host import PASSWORD, Host, check_in, moment
from image import image
from server_process import Server

RIGHT = "\ue014"
SMALL_PHONE = (320, 568)
HALL = (1280, 720)
LARGE_HALL = (1920, 1080)
DESK = (1280, 800)
TOLD = {
    "en": {"meeting": "Swift study group", "name": "Kim Minseo", "place": "Library, second floor",
        "guests": "Lee Jiho, Park Sua, Choi Yuna, Jung Doyun, Kang Haneul, Yoon Seo, Lim Ara, Han Jun",
           "kinds": ["What should we repeat?", "What did you miss?", "How was it?"],
           "choices": ["Talks", "Workshops", "Walks"],
           "texts": ["More room", "A longer break", "Nothing, it was good"],
           "asked": ["Will there be slides?", "When do we meet next, and can we bring friends?",
               "Where is the code of the second talk?"], "answer": "It is on the page of the group.",
        "poll": "A short break", "live": ["Which word describes today?", "How sure do you feel?",
            "How was the pace?", "Shall we take a break?", "When shall we meet next?"],
        "ends": ["Not at all", "Very sure"], "points": ["Too slow", "Just right", "Too fast"],
        "nickname": "Owl", "interests": "swift, chess, coffee", "table": "Table 2",
        "others": [("Fox", ["chess", "go"]), ("Elk", ["coffee", "walks", "swift"]), ("Bee", ["opera"])],
        "later": [("Board of the library", "teal", 26), ("Parents' evening", "rose", 50)],
        "line": "I sit by the window.", "complaint": "Too pushy.",
        "words": "speed learning friends code tests coffee swift fun happy pizza talks ideas"},
    "ko": {"meeting": "스위프트 스터디", "name": "김민서", "place": "도서관 2층",
        "guests": "이지호, 박수아, 최유나, 정도윤, 강하늘, 윤서, 임아라, 한준",
           "kinds": ["다음에 또 하고 싶은 것은?", "아쉬웠던 점은?", "어땠나요?"], "choices": ["발표", "워크숍", "산책"],
           "texts": ["자리가 좁았어요", "쉬는 시간이 짧아요", "다 좋았어요"],
           "asked": ["발표 자료를 나눠 주시나요?", "다음 모임은 언제이고, 친구와 함께 와도 되나요?",
               "두 번째 발표의 코드는 어디에 있나요?"], "answer": "모임 페이지에 올려 두었습니다.",
        "poll": "잠깐 쉬어 갈까요", "live": ["오늘을 한 단어로 표현하면?", "얼마나 자신이 있나요?", "진행 속도는 어땠나요?",
            "잠깐 쉴까요?", "다음 모임은 언제가 좋을까요?"],
        "ends": ["전혀 없음", "매우 자신 있음"], "points": ["너무 느려요", "적당해요", "너무 빨라요"],
        "nickname": "올빼미", "interests": "스위프트, 바둑, 커피", "table": "2번 테이블",
        "others": [("여우", ["바둑", "체스"]), ("고라니", ["커피", "산책", "스위프트"]), ("꿀벌", ["오페라"])],
        "later": [("도서관 운영 위원회", "teal", 26), ("학부모 모임", "rose", 50)],
        "line": "창가에 앉아 있어요.", "complaint": "너무 집요해요.",
        "words": "속도 배움 친구 코드 테스트 커피 스위프트 재미 행복 피자 발표 생각"},
}


class Scene:
    """A session in one language, and the actions of its people."""

    def __init__(self, server, language):
        self.server, self.language, self.told = server, language, TOLD[language]
        self.host = Host(server)
        self.has_asked, self.crowds = False, 0
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
        if self.has_asked:
            return
        self.has_asked = True
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

    def polls(self):
        """Opens one poll with a question of each live kind, and returns its name."""
        told = self.told
        cloud, sure, pace, rest, day = told["live"]
        labels = [{"point": number, "label": label} for number, label in zip([1, 7], told["ends"])]
        points = [{"point": number, "label": label} for number, label in enumerate(told["points"], 1)]
        self.poll = self.host.post(f"{self.path}/polls", {"title": told["poll"], "open": True, "questions": [
            {"kind": "wordCloud", "title": cloud, "maxWords": 2},
            {"kind": "scale", "title": sure, "scale": 7, "points": labels},
            {"kind": "scale", "title": pace, "scale": 3, "points": points},
            {"kind": "yesNo", "title": rest}, {"kind": "date", "title": day}]}).expect(201).json

    def answer_polls(self):
        """Twelve more people answer the poll."""
        self.crowds += 1
        words = self.told["words"].split()
        for number in range(12):
            receipt = check_in(self.host, self.session, f"{self.told['name']} {number}",
                f"poll{number}of{self.crowds}@example.org").expect(201).json["receipt"]
            values = [[words[number * number % 5], words[number]], 3 + number % 5, 1 + number % 3,
                ["yes", "yes", "no"][number % 3], f"2026-12-{1 + number % 3:02}"]
            answers = {question["id"]: value for question, value in zip(self.poll["questions"], values)}
            self.host.post(f"{self.path}/responses", {"set": self.poll["set"], "answers": answers},
                token=receipt).expect(201)

    def phone(self, shoot, size=PHONE, scheme="light"):
        with browse(size, self.language, scheme) as browser:
            browser.open(self.server.url)
            shoot(browser, "join")
            browser.open(self.session["checkInUrl"])
            browser.find(".remember")
            browser.find("#name").send_keys(self.told["name"])
            browser.find("#email").send_keys("minseo@example.org")
            shoot(browser, "check-in")
            browser.find("form.check-in button[type=submit]").click()
            browser.find(".mode")
            shoot(browser, "pass")
            browser.driver.execute_script("document.querySelector('form.feedback').scrollIntoView()")
            browser.find("fieldset .choice").click()
            browser.find(".star", 3).click()
            shoot(browser, "feedback")
            browser.find("form.feedback button[type=submit]").click()
            browser.find("#live .bars")
            shoot(browser, "results")
            self.polls()
            form = browser.find(f"form[data-set={self.poll['set']}]")
            form.find_element("css selector", "input.word").send_keys(self.told["words"].split()[0])
            form.find_elements("css selector", ".point")[4].click()
            shoot(browser, "poll", whole=True)
            form.find_element("css selector", "button[type=submit]").click()
            browser.find(".given").location_once_scrolled_into_view
            shoot(browser, "poll-answered")
            browser.find(".change summary").click()
            shoot(browser, "poll-change", whole=True)
            self.host.patch(f"{self.path}/sets/{self.poll['set']}", {"open": False}).expect(200)
            browser.open(browser.find("footer p a").get_property("href"))
            shoot(browser, "my-attendance")

    def people(self, shoot, size=PHONE, scheme="light"):
        """A phone that asks the host, and finds somebody with the same interests."""
        told, own = self.told, f"{self.server.url}/me/{self.session['id']}"
        groups = f"{self.path}/matching"
        with browse(size, self.language, scheme) as browser:
            browser.open(self.session["checkInUrl"])
            browser.find(".remember")
            browser.find("#name").send_keys(told["name"])
            browser.find("#email").send_keys("people@example.org")
            browser.find("form.check-in button[type=submit]").click()
            browser.find(".mode")
            self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
            browser.open(f"{own}/questions")
            shoot(browser, "ask-empty")
            self.ask()
            browser.open(f"{own}/questions")
            shoot(browser, "ask", whole=True)
            browser.open(f"{own}/groups")
            shoot(browser, "groups-off")
            self.host.patch(f"{self.path}/matching-settings",
                {"open": True, "places": [told["table"]]}).expect(200)
            browser.open(f"{own}/groups")
            browser.find("#nickname").send_keys(told["nickname"])
            browser.find("#keywords").send_keys(told["interests"])
            shoot(browser, "groups-join")
            browser.find("form.card button[type=submit]").click()
            browser.find("#groups .empty")
            shoot(browser, "groups-empty")
            receipts = []
            for number, (nickname, keywords) in enumerate(told["others"]):
                receipts.append(check_in(self.host, self.session, f"{told['name']} {number}",
                    f"meets{number}@example.org").expect(201).json["receipt"])
                self.host.put(f"{groups}/me", {"nickname": nickname, "keywords": keywords},
                    token=receipts[-1]).expect(200)
            browser.wait_for(lambda: len(browser.find_all(".candidates li")) == 3)
            shoot(browser, "groups", whole=True)
            browser.find(".candidates button").click()
            browser.find("[data-part=requests] .card")
            shoot(browser, "groups-waiting")
            seen = self.host.get(groups, token=receipts[0]).expect(200).json
            owl = next(one["id"] for one in seen["candidates"]
                if one["keywords"] == [word.strip() for word in told["interests"].split(",")])
            self.host.post(f"{groups}/requests", {"to": owl}, token=receipts[0]).expect(201)
            browser.open(f"{own}/groups")
            accept = browser.find("input[name=do][value=accept]")
            shoot(browser, "groups-asked")
            browser.driver.execute_script("arguments[0].form.requestSubmit()", accept)
            browser.find(".met")
            self.host.put(f"{groups}/match", {"text": told["line"]}, token=receipts[0])
            browser.open(f"{own}/groups")
            shoot(browser, "groups-met", whole=True)
            report = browser.find("input[name=do][value=about]")
            browser.driver.execute_script("arguments[0].form.requestSubmit()", report)
            browser.find("textarea#text")
            shoot(browser, "groups-report")
            browser.find("textarea#text").send_keys(told["complaint"])
            browser.find("form.card button[type=submit]").click()
            browser.find(".done")

    def hall(self, shoot, size=HALL, scheme="dark"):
        """Every scene of the hall's screen."""
        told = self.told
        later = self.host.session(told["meeting"], place=told["place"], timeZone="Asia/Seoul",
            session={"startsAt": moment(25), "endsAt": moment(145)})
        with browse(size, self.language, scheme) as browser:
            def wait_for_scene(name):
                browser.wait_for(lambda: browser.find("body").get_attribute("data-scene") == name
                    and browser.find("#code").get_attribute("src") and browser.find("#count").text != "–")

            links = [self.host.post(f"/api/v1/sessions/{one['id']}/presenter-links").expect(201).json["url"]
                for one in (later, self.session)]
            browser.open(links[0])
            wait_for_scene("start")
            if scheme == "light":
                browser.find("body").send_keys("d")
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
            choice = self.host.post(f"{self.path}/polls", {"open": True, "questions": [
                {"kind": "multipleChoice", "title": told["kinds"][0],
                    "choices": [{"label": label} for label in told["choices"]]}]}).expect(201).json["set"]
            wait_for_scene("question")
            shoot(browser, "projector-question")
            body.send_keys("t")
            wait_for_scene("thanks")
            shoot(browser, "projector-thanks")
            self.host.patch(f"{self.path}/sets/{choice}", {"open": False}).expect(200)
            self.polls()
            wait_for_scene("question")
            browser.wait_for_text("#question h3", told["live"][0])
            shoot(browser, "projector-words-question")
            body.send_keys(RIGHT)
            browser.wait_for_text("#question h3", told["live"][1])
            shoot(browser, "projector-scale-question")
            self.answer_polls()
            self.host.patch(f"{self.path}/sets/{self.poll['set']}", {"shared": True}).expect(200)
            for name, title in zip(["words", "scale", "points", "yes-no", "date"], told["live"]):
                wait_for_scene("results")
                browser.wait_for(lambda: self.step_to(browser, title))
                shoot(browser, f"projector-{name}")
            self.host.patch(f"{self.path}/sets/{self.poll['set']}", {"open": False}).expect(200)

    @staticmethod
    def step_to(browser, title):
        """Steps through the questions until the one with the title is on the screen."""
        if title in browser.find("#tally h3").text:
            return True
        browser.find("body").send_keys(RIGHT)
        return False

    def desk(self, shoot, size=DESK, scheme="light"):
        with browse(size, self.language, scheme) as browser:
            browser.open(f"{self.server.url}/host?lang={self.language}#/sign-up")
            browser.find("#f-email")
            shoot(browser, "host-sign-up")
            for name, accent, hours in self.told["later"]:
                later = self.host.session(name, starts=60 * hours, ends=60 * (hours + 2), accent=accent,
                    plannedCount=40, timeZone="Asia/Seoul")
            self.host.request("PUT", f"/api/v1/meetings/{later['meetingId']}/image", image(1200, 400),
                headers={"Content-Type": "image/png"}).expect(204)
            browser.open(f"{self.server.url}/host?lang={self.language}#/sign-in")
            browser.find("#f-email").send_keys(self.host.email)
            browser.find("#f-password").send_keys(PASSWORD)
            browser.find("form button").click()
            browser.wait_for(lambda: "sign-in" not in browser.driver.current_url)
            browser.wait_for(lambda: len(browser.find_all(".tiles li")) >= 2)
            shoot(browser, "host-home")
            browser.driver.execute_script("location.hash = arguments[0]", f"#/sessions/{self.session['id']}")
            browser.wait_for(lambda: browser.find(".counts .present dd").text != "0")
            shoot(browser, "host")
            self.polls()
            poll = self.poll["set"]
            self.host.patch(f"{self.path}/sets/{poll}", {"open": False}).expect(200)
            browser.driver.execute_script("location.hash = arguments[0]",
                f"#/sessions/{self.session['id']}/questions/{poll}")
            browser.find("#q1-point7").location_once_scrolled_into_view
            shoot(browser, "host-questions")
            self.host.patch(f"{self.path}/sets/{poll}", {"open": True}).expect(200)
            browser.wait_for(lambda: browser.find("#dock").is_displayed())
            browser.find(".ask-now").click()
            browser.find(".template", 3).click()
            shoot(browser, "host-ask")
            self.answer_polls()
            self.host.patch(f"{self.path}/sets/{poll}/moderation", {"moderation": "before"}).expect(200)
            for tab, css in [("audience", ".texts-moderation li"), ("groups", ".reports, .interests")]:
                browser.driver.execute_script("location.hash = arguments[0]",
                    f"#/sessions/{self.session['id']}/{tab}")
                # The dialog of the last picture goes.
                browser.driver.refresh()
                browser.find(css)
                shoot(browser, f"host-{tab}", whole=True)


def browse(size, language, scheme):
    """Returns a browser of this size, as a phone if it is narrow, that asks for these colours. With the
    scheme "text", its reader has chosen text of twice the size."""
    browser = Browser(PHONE if size[0] < 600 else size, language, text_size=32 if scheme == "text" else 16)
    scheme = "light" if scheme == "text" else scheme
    for command, parameters in [
        ("Emulation.setDeviceMetricsOverride", {"width": size[0], "height": size[1], "deviceScaleFactor": 1,
            "mobile": size[0] < 600}),
        ("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
    ]:
        browser.driver.execute_cdp_cmd(command, parameters)
    return browser


# The mark in the names of the pictures, the place, its size and its colours.
IN_DOCUMENTS = [("", Scene.phone, PHONE, "light"), ("", Scene.people, PHONE, "light"),
    ("", Scene.hall, HALL, "dark"), ("", Scene.desk, DESK, "light")]
TO_LOOK_AT = [
    ("-dark", Scene.phone, PHONE, "dark"), ("-small", Scene.phone, SMALL_PHONE, "light"),
    ("-small-dark", Scene.phone, SMALL_PHONE, "dark"), ("-dark", Scene.people, PHONE, "dark"),
    ("-small", Scene.people, SMALL_PHONE, "light"), ("-large-text", Scene.people, SMALL_PHONE, "text"),
    ("-light", Scene.hall, HALL, "light"),
    ("-large", Scene.hall, LARGE_HALL, "dark"), ("-dark", Scene.desk, DESK, "dark"),
    ("-phone", Scene.desk, PHONE, "light"), ("-phone-dark", Scene.desk, PHONE, "dark")]


def main():
    is_every, folder = "--every" in sys.argv, sys.argv[-1]
    with Server("--signup", "open") as server:
        for language in TOLD:
            scene = None
            for mark, place, size, scheme in IN_DOCUMENTS + (TO_LOOK_AT if is_every else []):
                # The pictures in the documents show one session.
                if mark or not scene:
                    scene = Scene(server, language)
                    scene.crowd()

                def shoot(browser, name, whole=False):
                    # Wait until nothing moves any more.
                    browser.driver.execute_async_script(
                        "document.fonts.ready.then(() => setTimeout(arguments[0], 500))")
                    options = {"format": "png", "captureBeyondViewport": whole}
                    if whole:
                        options["clip"] = {"x": 0, "y": 0, "width": size[0],
                            "height": browser.height_of_content(), "scale": 1}
                    picture = browser.driver.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
                    with open(os.path.join(folder, f"{name}{mark}-{language}.png"), "wb") as file:
                        file.write(base64.b64decode(picture))

                place(scene, shoot, size, scheme)


if __name__ == "__main__":
    main()
