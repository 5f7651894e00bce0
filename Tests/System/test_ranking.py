"""Rankings as people see them: on a phone by touch, by keys and without a script; and the results, which say
on each screen how unranked choices count."""
import json
import unittest

from admin import rows
from axe import violations
from browser import Browser, PROJECTOR
from host import Host, check_in
from host_page import HostPage
from server_process import Server

UP, DELETE = "\ue013", "\ue017"
RULE = "4 for first place, one less for each place below, 0 if not ranked"
CHOICES = ["Tea", "Coffee", "Water", "Juice"]
# Presses on the number of a choice, moves over the middle of another one, and lets go.
DRAG = """
const [from, to] = arguments;
const row = (name) => [...document.querySelectorAll('.rank')].find((one) => one.textContent.includes(name));
const field = row(from).querySelector('.place');
const { left, top, height } = row(to).getBoundingClientRect();
field.setPointerCapture = () => {};
const send = (kind, clientY) =>
  field.dispatchEvent(
    new PointerEvent(kind, { bubbles: true, isPrimary: true, pointerId: 1, clientX: left, clientY }));
send('pointerdown', 0);
send('pointermove', top + height / 2 - 1);
send('pointerup', top);
"""


class RankingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def setUp(self):
        self.session = self.host.session(session={"questions": []})
        self.path = f"/api/v1/sessions/{self.session['id']}"

    def poll(self, **fields):
        asked = {"kind": "ranking", "title": "What first?", "required": True,
            "choices": [{"label": label} for label in CHOICES]}
        poll = self.host.post(f"{self.path}/polls", {"questions": [{**asked, **fields.pop("more", {})}],
            "open": True, **fields}).expect(201).json
        self.question = poll["questions"][0]["id"]
        return poll

    def answer(self, *orders):
        for number, order in enumerate(orders):
            receipt = check_in(self.host, self.session, f"Guest {number}",
                f"g{number}@example.org").expect(201).json["receipt"]
            self.host.post(f"{self.path}/responses", {"set": "poll-1", "answers": {self.question: order}},
                token=receipt).expect(201)

    def enter(self, browser):
        browser.open(self.session["checkInUrl"])
        browser.find("#name").send_keys("Kim")
        browser.find("#email").send_keys("kim@example.org", "\ue007")
        browser.wait_for_text("#result", "Kim")

    def result(self):
        return self.host.get(f"{self.path}/results?set=poll-1").expect(200).json["tallies"][0]

    def test_a_phone_orders_by_touch_by_keys_and_by_dragging_and_every_screen_explains_the_points(self):
        self.poll(more={"most": 3})
        phone = self.enterContext(Browser())
        self.enter(phone)
        shown = lambda: [one.text.split("\n")[0] for one in phone.find_all(".rank label")]
        places = lambda: [one.get_property("value") for one in phone.find_all(".rank .place")]
        label = lambda name: next(one for one in phone.find_all(".rank label") if name in one.text)
        field = lambda name: next(one for one in phone.find_all(".rank")
            if name in one.text).find_element("css selector", ".place")
        phone.find(".rank .place:read-only")
        for name in ["Water", "Juice"]:
            label(name).click()
        field("Tea").send_keys(" ")
        self.assertEqual((shown(), places()), (["Water", "Juice", "Tea", "Coffee"], ["1", "2", "3", ""]))
        with self.subTest("a fourth choice of three stays out"):
            label("Coffee").click()
            self.assertEqual(places(), ["1", "2", "3", ""])
            phone.wait_for_text(".moved", "You have ranked 3. Remove one first.")
        phone.wait_for_text("form.feedback > [role=status]", "Stored on this device")
        field("Tea").send_keys(UP)
        self.assertEqual(shown(), ["Water", "Tea", "Juice", "Coffee"])
        self.assertEqual(phone.driver.switch_to.active_element.get_property("name"),
            field("Tea").get_property("name"))
        self.assertEqual(phone.find(".moved").get_property("textContent"), "“Tea”: place 2")
        phone.driver.execute_script(DRAG, "Juice", "Water")
        self.assertEqual(shown(), ["Juice", "Water", "Tea", "Coffee"])
        phone.find(".rank .down").click()
        self.assertEqual(shown(), ["Water", "Juice", "Tea", "Coffee"])
        field("Tea").send_keys(DELETE)
        self.assertEqual(places(), ["1", "2", "", ""])
        self.assertEqual(violations(phone.driver), [])
        with self.subTest("a draft keeps the order"):
            phone.driver.refresh()
            phone.find(".rank .place:read-only")
            phone.wait_for_value(shown, ["Water", "Juice", "Tea", "Coffee"])
        phone.find("form.feedback button[type=submit]").click()
        phone.wait_for_text("#result", "Thank you")
        phone.wait_for_text("form[data-set=poll-1]", "1. Water\n2. Juice")
        self.answer(["a", "c"], ["c"])
        # Water: 4 + 3 + 4 of three people; Tea: 4; Juice: 3.
        tally = self.result()
        figures = ["label", "points", "first", "count"]
        self.assertEqual([tuple(one[name] for name in figures) for one in tally["choices"]],
            [("Water", 3.67, 2, 3), ("Tea", 1.33, 1, 1), ("Juice", 1, 0, 1), ("Coffee", 0, 0, 0)])
        self.assertEqual(tally["pairs"], [[0, 2, 3, 3], [1, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0]])
        self.host.patch(f"{self.path}/sets/poll-1", {"shared": True}).expect(200)
        bars = [["Water", "3.67"], ["Tea", "1.33"], ["Juice", "1"], ["Coffee", "0"]]
        phone.wait_for_value(lambda: phone.bars("#live"), bars)
        phone.wait_for_text("#live .tally .note", RULE)
        self.assertEqual(violations(phone.driver), [])
        page = self.enterContext(HostPage(self.server))
        page.sign_in(self.host.email)
        page.show(f"sessions/{self.session['id']}/results/poll-1")
        page.wait_for_value(lambda: page.bars(".tally"), bars)
        page.wait_for_text(".tally .note", RULE)
        link = self.host.post(f"{self.path}/presenter-links").expect(201).json["url"]
        hall = self.enterContext(Browser(PROJECTOR))
        hall.open(link)
        hall.wait_for_value(lambda: hall.bars("#tally"), bars)
        hall.wait_for_text("#tally .note", RULE)
        for browser in [phone, page, hall]:
            self.assertEqual(browser.complaints(), [])
        csv = self.host.get(f"{self.path}/results.csv?set=poll-1&statistics=true").expect(200).text
        self.assertIn("Water: average points (0 if not ranked)", csv)

    def test_a_phone_without_a_script_orders_by_numbers_and_a_place_that_is_given_twice_loses_nothing(self):
        self.poll()
        phone = self.enterContext(Browser(javascript=False))
        self.enter(phone)
        fill = lambda *numbers: [(field.clear(), field.send_keys(number))
            for field, number in zip(phone.find_all(".rank .place"), numbers)]
        fill("2", "1", "2", "")
        phone.find("form.feedback button[type=submit]").click()
        phone.wait_for_text("fieldset .error", "This appears twice")
        self.assertEqual([one.get_property("value") for one in phone.find_all(".rank .place")],
            ["2", "1", "2", ""])
        fill("2", "1", "4", "")
        phone.find("form.feedback button[type=submit]").click()
        phone.wait_for_text("#result", "Thank you")
        self.assertEqual([one["label"] for one in self.result()["choices"]],
            ["Coffee", "Tea", "Water", "Juice"])

    def test_an_anonymous_ranking_neither_stores_nor_shows_pairs(self):
        for promise, lists in [("anonymous", 3), ("hidden", 3 + len(CHOICES))]:
            with self.subTest(promise):
                self.setUp()
                self.poll(promise=promise)
                self.answer(["a", "b"], ["b"], ["b", "d"])
                tally = self.result()
                self.assertEqual([(one["label"], one["points"]) for one in tally["choices"][:2]],
                    [("Coffee", 3.67), ("Tea", 1.33)])
                self.assertEqual("pairs" in tally, promise != "anonymous")
                counts = stored(self.server.folder, self.question)
                self.assertEqual([len(one["counts"]) for one in counts], [lists * len(CHOICES)] * 2)



def stored(folder, question):
    """Returns the published and the held-back counts of a question, as the file has them."""
    found, = rows(folder, """SELECT published, pending FROM tallies t JOIN questions q ON q.id = t.question
        WHERE json_extract(q.body, '$.id') = ?""", question)
    return [json.loads(text) for text in found]
