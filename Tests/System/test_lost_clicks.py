"""No press on a control is lost, at whatever moment of the press a frame from the server redraws the page: on
the host's page, on the phone and on the hall's screen, by mouse, finger, space bar and Enter key."""
import unittest

from browser import Browser
from host import Host, check_in
from host_page import HostPage
from server_process import Server
from test_groups import Groups

# Holds the frames of the rooms back while a test asks for it. `heldUntil` names the event of the browser that
# lets them through: at that moment the page gets them all. A frame never arrives before the page knows of the
# press itself.
HOLDING = """
(() => {
  const held = [];
  let until = null;
  const Native = WebSocket;
  window.WebSocket = class extends Native {
    set onmessage(listener) {
      super.onmessage = (event) => (until === null ? listener(event) : held.push([listener, event]));
    }
  };
  window.hasHeld = (sign) => held.some(([, event]) => event.data.includes(sign));
  window.holdUntil = (name) => (until = name);
  const release = () => {
    until = null;
    for (const [listener, event] of held.splice(0)) listener(event);
  };
  window.releaseFrames = release;
  for (const name of ["pointerdown", "pointerup", "click", "keydown", "keyup"])
    window.addEventListener(name, () => name === until && release(), name !== "pointerdown");
})();
"""
# The point of an element that a press hits.
CENTRE = """
const one = arguments[0];
one.scrollIntoView({ block: 'center' });
const box = one.getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""
# Two frames of the screen later, all that a frame of the room draws at once is drawn.
DRAWN = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(arguments[0], 300)))"
# How a control is pressed, and the event at which the frames arrive. Between the two halves of a press, they
# arrive as they come ("between").
PRESSES = [("mouse", "pointerdown"), ("mouse", "between"), ("mouse", "pointerup"), ("mouse", "click"),
    ("touch", "pointerdown"), ("touch", "between"), ("touch", "pointerup"), ("touch", "click"),
    ("space", "keydown"), ("space", "between"), ("space", "keyup"), ("enter", "keydown")]


class Hand:
    """Presses controls of a browser."""

    def __init__(self, browser):
        self.browser, self.driver = browser, browser.driver
        self.send("Page.addScriptToEvaluateOnNewDocument", source=HOLDING)

    def send(self, command, **values):
        return self.driver.execute_cdp_cmd(command, values)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def press(self, css, how, moment, event, sign=""):
        """Presses the element that matches while `event` makes frames arrive at this moment. The awaited
        frame contains `sign`."""
        # While the press before is on its way, the page says so and takes no other one.
        self.browser.wait_for(lambda: not self.browser.find(css).get_attribute("aria-disabled"))
        self.run("holdUntil(arguments[0])", "nothing" if moment == "between" else moment)
        try:
            event()
            self.browser.wait_for(lambda: self.run("return hasHeld(arguments[0])", sign))
            # A frame of an earlier event may have redrawn the element.
            first, second = getattr(self, how)(self.browser.find(css))
            first()
            if moment == "between":
                self.run("releaseFrames()")
                self.driver.execute_async_script(DRAWN)
            second()
        finally:
            self.run("releaseFrames()")

    def mouse(self, element):
        x, y = self.run(CENTRE, element)
        mouse = lambda type: self.send("Input.dispatchMouseEvent", type=type, x=x, y=y, button="left",
            clickCount=1)
        return lambda: mouse("mousePressed"), lambda: mouse("mouseReleased")

    def touch(self, element):
        x, y = self.run(CENTRE, element)
        touch = lambda type, *points: self.send("Input.dispatchTouchEvent", type=type, touchPoints=points)
        return lambda: touch("touchStart", {"x": x, "y": y}), lambda: touch("touchEnd")

    def space(self, element):
        return self.key(element, " ", "Space", 32, " ")

    def enter(self, element):
        return self.key(element, "Enter", "Enter", 13, "\r")

    def key(self, element, key, code, number, text):
        self.run("arguments[0].focus()", element)
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        return (lambda: self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **common),
            lambda: self.send("Input.dispatchKeyEvent", type="keyUp", **common))


class LostClickTests(Groups, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.page = cls.enterClassContext(HostPage(cls.server))
        cls.phone = cls.enterClassContext(Browser())
        cls.hand, cls.finger = Hand(cls.page), Hand(cls.phone)
        cls.page.sign_in(cls.host.email)
        cls.people = 0

    def setUp(self):
        self.session = self.host.session(session={"questions": []})
        self.path = f"/api/v1/sessions/{self.session['id']}"

    # MARK: What happens on the server

    def arrive(self):
        """A person checks in. Returns the receipt."""
        type(self).people += 1
        came = check_in(self.host, self.session, f"Guest {self.people}", f"g{self.people}@example.org")
        return came.expect(201).json["receipt"]

    def poll(self, kind="yesNo", **fields):
        questions = [{"kind": kind, "title": f"Question {self.people}"}]
        return self.host.post(f"{self.path}/polls", {"questions": questions, "open": True,
            **fields}).expect(201).json

    def answer(self, poll, value):
        self.host.post(f"{self.path}/responses", {"set": poll["set"],
            "answers": {poll["questions"][0]["id"]: value}}, token=self.arrive()).expect(201)

    def change(self, poll, **fields):
        self.host.patch(f"{self.path}/sets/{poll['set']}", fields).expect(200)

    def set_of(self, poll):
        found = self.host.get(f"{self.path}/sets").expect(200).json["items"]
        return next(one for one in found if one["set"] == poll["set"])

    def ask_host(self, receipt=None):
        return self.host.post(f"{self.path}/audience-questions", {"text": f"Why {self.people}?"},
            token=receipt or self.arrive()).expect(201).json

    # MARK: The presses

    def each_press(self, prepare, css, event, happened, hand=None, sign="", settled=None):
        """Presses a control in each way, with frames at each moment. `prepare()` returns what the other
        functions get; `css(found)` names the control; `event(found)` makes a frame; `happened(found)` tells
        that the server has got the press, and `settled()` that the page shows it: a press on an older state
        would be refused with a message."""
        hand = hand or self.hand
        for how, moment in PRESSES:
            with self.subTest(how=how, moment=moment):
                found = prepare()
                hand.press(css(found), how, moment, lambda: event(found), sign)
                hand.browser.wait_for(lambda: happened(found), lambda: "the press was lost")
                if settled:
                    hand.browser.wait_for(settled)
        self.assertEqual(hand.browser.complaints(), [])

    def show(self, tab):
        self.page.show(f"sessions/{self.session['id']}/{tab}")

    def named(self, poll, text):
        return f"[aria-label='{poll['questions'][0]['title']}: {text}']"

    def open_poll(self):
        self.arrive()
        return self.poll()

    def is_closed(self, poll):
        return not self.set_of(poll)["open"]

    def test_a_poll_is_closed_in_the_dock_while_its_answers_are_revealed(self):
        self.show("people")
        self.each_press(self.open_poll, lambda poll: f"#dock {self.named(poll, 'Close')}",
            lambda poll: self.change(poll, shared=True), self.is_closed, sign='"shared":true')

    def test_a_poll_is_closed_in_the_list_while_another_one_is_asked_and_answered(self):
        self.show("live")

        def event(poll):
            self.answer(poll, "yes")
            self.change(self.open_poll(), open=False)

        self.each_press(self.open_poll, lambda poll: f"main {self.named(poll, 'Close')}", event,
            self.is_closed)

    def test_answers_are_revealed_beside_the_results_and_the_questions(self):
        poll = self.open_poll()

        def hidden():
            self.change(poll, shared=False)
            return poll

        for tab in ["results", "questions"]:
            with self.subTest(tab):
                hidden()
                self.show(f"{tab}/{poll['set']}")
                self.each_press(hidden, lambda poll: f"main .tab {self.named(poll, 'Reveal the answers')}",
                    lambda poll: self.answer(poll, "no"), lambda poll: self.set_of(poll)["shared"],
                    settled=lambda: self.page.find(f"main .tab {self.named(poll, 'Hide the answers')}"))

    def test_a_question_is_hidden_while_others_arrive_above_it(self):
        self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
        self.show("audience")

        def event(asked):
            other = self.ask_host()
            vote = f"{self.path}/audience-questions/{other['id']}/vote"
            self.host.put(vote, token=self.arrive()).expect(200)

        def is_hidden(asked):
            items = self.host.get(f"{self.path}/audience-questions").expect(200).json["items"]
            return [one["status"] for one in items if one["id"] == asked["id"]] == ["hidden"]

        self.each_press(self.ask_host, lambda asked: f"main [aria-label='Hide: {asked['text']}']", event,
            is_hidden)

    def test_questions_are_closed_while_they_arrive(self):
        def opened():
            self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
            self.page.wait_for(lambda: "Stop" in self.page.find("main .tab .tools button").text)

        self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
        self.show("audience")
        self.each_press(opened, lambda _: "main .tab .tools button", lambda _: self.ask_host(),
            lambda _: not self.host.get(f"{self.path}/audience-settings").json["open"],
            settled=lambda: "Stop" not in self.page.find("main .tab .tools button").text)

    def test_a_written_answer_is_hidden_while_newer_ones_arrive_above_it(self):
        self.arrive()
        poll = self.poll("shortAnswer", promise="named")
        question = poll["questions"][0]["id"]
        self.host.patch(f"{self.path}/sets/{poll['set']}/moderation", {"moderation": "after"}).expect(200)
        self.show("audience")

        def written():
            text = f"Text {self.people + 1}"
            self.answer(poll, text)
            return text

        def is_hidden(text):
            items = self.host.get(f"/api/v1/questions/{question}/answers").expect(200).json["items"]
            return [one["status"] for one in items if one["text"] == text] == ["hidden"]

        self.each_press(written, lambda text: f"[aria-label='Hide: {text}']", lambda _: written(), is_hidden)

    def test_a_person_is_marked_while_others_arrive_and_are_removed(self):
        self.show("people")

        def listed():
            return self.host.all(f"{self.path}/attendees")

        def person():
            first = f"Guest {self.people + 1}"
            self.arrive()
            self.arrive()
            return first, f"Guest {self.people}"

        def event(found):
            gone = next(one for one in listed() if one["name"] == found[0])
            self.host.delete(f"/api/v1/attendees/{gone['id']}",
                headers={"If-Match": f"\"v{gone['version']}\""}).expect(204)
            self.arrive()

        self.each_press(person, lambda found: f"[aria-label='{found[1]}: late']", event,
            lambda found: any(one["name"] == found[1] and one["status"] == "late" for one in listed()))

    def test_groups_are_switched_while_people_join_them(self):
        self.prepare()
        self.settings(open=True)
        self.show("groups")
        joined = iter(range(100))

        def opened():
            self.settings(open=True)
            self.page.wait_for(lambda: self.page.find("main .tab .tools button").text == "Switch groups off")

        self.each_press(opened, lambda _: "main .tab .tools button",
            lambda _: self.join(0, f"Owl {next(joined)}", "chess"),
            lambda _: not self.host.get(f"{self.path}/matching-settings").json["open"],
            settled=lambda: "off" not in self.page.find("main .tab .tools button").text)

    def test_a_request_to_meet_is_declined_on_the_phone_while_others_ask_and_join(self):
        self.prepare()
        self.settings(open=True)
        self.phone.open(self.session["checkInUrl"])
        self.phone.find("#name").send_keys("Kim")
        self.phone.find("#email").send_keys("kim@example.org\ue007")
        self.phone.find(".parts [data-part=groups] a").click()
        self.phone.find("#nickname").send_keys("Owl")
        self.phone.find("#keywords").send_keys("owls")
        self.phone.find("form:has(#nickname) button[type=submit]").click()
        self.phone.wait_for_text("#groups", "You take part as Owl.")

        def asks():
            """A new person asks Kim. Returns that person and the request."""
            self.came.append({"receipt": self.arrive()})
            person = len(self.came) - 1
            self.join(person, f"Fox {person}", "foxes")
            owl = next(one for one in self.see(person)["candidates"] if one["keywords"] == ["owls"])
            return person, self.ask(person, owl)

        def event(_):
            """Others join, and one of them asks and withdraws, so that the list of requests is drawn anew."""
            person, request = asks()
            self.came.append({"receipt": self.arrive()})
            self.join(len(self.came) - 1, "Elk", "foxes")
            self.call(person, "patch", f"/requests/{request['id']}", {"accept": False})

        self.each_press(asks,
            lambda found: f"form:has([value=decline]):has([name=request][value='{found[1]['id']}']) button",
            event, lambda found: self.see(found[0])["requests"][0]["status"] == "declined", self.finger)

    def test_a_session_is_opened_from_home_while_people_arrive(self):
        def home():
            self.page.show("")
            self.page.find(f"main [href='#/sessions/{self.session['id']}']")

        # A link has no press of the space bar.
        for how, moment in PRESSES:
            if how == "space":
                continue
            with self.subTest(how=how, moment=moment):
                home()
                link = f".cards [href='#/sessions/{self.session['id']}']"
                self.hand.press(link, how, moment, self.arrive)
                self.page.wait_for(lambda: f"sessions/{self.session['id']}" in self.page.driver.current_url)

    def test_an_answer_is_sent_from_the_phone_while_another_poll_arrives(self):
        self.phone.open(self.session["checkInUrl"])
        self.phone.find("#name").send_keys("Kim")
        self.phone.find("#email").send_keys("kim@example.org\ue007")
        self.phone.find("#live")

        def answered():
            poll = self.open_poll()
            form = f"form[data-set={poll['set']}]"
            self.phone.find(f"{form} .choice").click()
            return poll

        def event(poll):
            self.change(self.open_poll(), shared=True)
            self.answer(poll, "yes")

        self.each_press(answered, lambda poll: f"form[data-set={poll['set']}] button[type=submit]", event,
            lambda poll: self.set_of(poll)["responses"] == 2, self.finger)

    def test_the_hall_changes_its_scene_while_people_arrive(self):
        link = self.host.post(f"{self.path}/presenter-links").expect(201).json["url"]
        self.phone.open(link)
        self.phone.wait_for_text("#state", "live")

        def code():
            self.phone.driver.execute_script("document.querySelector('[data-key=q]').click()")
            self.phone.wait_for(lambda: is_pressed("q"))

        def is_pressed(key):
            return self.phone.find(f"[data-key={key}]").get_attribute("aria-pressed") == "true"

        self.each_press(code, lambda _: "footer [data-key=t]", lambda _: self.arrive(),
            lambda _: is_pressed("t"), self.finger)


if __name__ == "__main__":
    unittest.main()
