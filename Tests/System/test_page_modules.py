"""The modules of the pages that follow the same rules as Swift code, compared with shared fixtures."""
import glob
import json
import os
import re
import unittest

from api import API
from browser import Browser
from server_process import Server

PUBLIC = os.path.join(os.path.dirname(__file__), "..", "..", "Public")
FIXTURES = os.path.join(os.path.dirname(__file__), "..", "Fixtures")
CALL = """
const [module, name, calls, done] = arguments;
const call = (found) => done(calls.map((parameters) => found[name](...parameters)));
import(module).then(call).catch((error) => done(String(error)));
"""


class PageModuleTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server())
        cls.browser = cls.enterClassContext(Browser())
        cls.browser.open(f"{cls.server.url}/")

    def compare(self, fixture, module, name, parameters, expected):
        with open(os.path.join(FIXTURES, fixture), encoding="utf-8") as file:
            cases = json.load(file)["cases"]
        calls = [[case[key] for key in parameters] for case in cases]
        found = self.browser.driver.execute_async_script(CALL, module, name, calls)
        self.assertEqual(len(found), len(cases), found)
        for case, result in zip(cases, found):
            with self.subTest(case.get("name") or case["sentence"]):
                self.assertEqual(result, case[expected])

    def test_every_script_and_style_sheet_of_the_folder_is_served(self):
        """A file that Sources/CPages/files.inc does not list is not compiled in."""
        client = API(self.server)
        files = glob.glob("**/*.*", root_dir=PUBLIC, recursive=True)
        names = [name for name in files if name.endswith((".js", ".css"))]
        self.assertGreater(len(names), 50)
        self.assertEqual([name for name in names if client.get(f"/{name}").status != 200], [])

    def test_only_one_class_hides_a_text_from_the_screen_and_not_from_its_reader(self):
        """Two scripts used one class, and the rule that hid the text of one hid the other one too."""
        rules = []
        for name in glob.glob("**/*.css", root_dir=PUBLIC, recursive=True):
            with open(os.path.join(PUBLIC, name), encoding="utf-8") as file:
                rules += re.findall(r"([^{}]+)\{[^{}]*clip-path", file.read())
        self.assertEqual([rule.split("\n")[-1].strip() for rule in rules], [".unseen"])

    def test_a_tally_has_the_rows_that_the_terminal_shows(self):
        self.compare("tally-rows.json", "/tallies.js", "tallyRows", ["tally", "language", "pending"], "shown")

    def test_a_board_of_questions_follows_the_frames_of_its_room(self):
        self.compare("audience-board.json", "/audience.js", "boardAfter", ["board", "part"], "after")

    def test_a_phrase_is_filled_in_as_on_the_server(self):
        self.compare("phrases.json", "/phrase.js", "fillIn", ["sentence", "values", "language"],
            "text")

    def value(self, module, expression):
        """Returns the value of an expression over the names of a module, as `found`."""
        return self.browser.driver.execute_async_script(
            f"const [module, done] = arguments; const value = (found) => done({expression});"
            "import(module).then(value).catch((error) => done(`${error}`))", module)

    def test_rows_are_divided_into_pages_and_none_is_lost(self):
        for heights, room, starts in [([10, 10, 10], 30, [0]), ([10, 10, 10], 29, [0, 2]),
                ([10, 40, 10, 10], 30, [0, 1, 2]), ([], 30, [0]), ([50], 30, [0])]:
            self.assertEqual(self.value("/present-fit.js", f"found.pagesOf({heights}, {room})"), starts)

    def test_a_word_cloud_is_the_same_in_any_order_and_no_word_overlaps_another(self):
        words = [{"word": f"{word}{number}", "count": 1 + 90 // (number + 1)} for number in range(10)
            for word in ["speed", "배움", "WWW", "il", "co-operation of all"]]
        once = [{"word": word, "count": 1} for word in "abc"]
        for given in [words, once, once[:1]]:
            here, there = (self.value("/cloud.js", f"found.placeWords({json.dumps(order)})")
                for order in (given, given[::-1]))
            self.assertEqual(here, there)
            self.assertEqual(sorted(one["word"] for one in here["words"]),
                sorted(one["word"] for one in given))
            frame = here["frame"]
            for number, one in enumerate(here["words"]):
                for side, length in [("x", "width"), ("y", "height")]:
                    self.assertGreaterEqual(one[side] - one[length] / 2, frame[side] - 0.01)
                    self.assertLessEqual(one[side] + one[length] / 2, frame[side] + frame[length] + 0.01)
                for other in here["words"][:number]:
                    self.assertTrue(
                        any(abs(one[side] - other[side]) > (one[length] + other[length]) / 2 - 0.01
                            for side, length in [("x", "width"), ("y", "height")]), (one, other))
        self.assertEqual(self.value("/cloud.js", "found.placeWords([]).words"), [])
        counts = [one["count"] for one in self.value("/cloud.js",
            f"found.placeWords({json.dumps(words * 2)}).words")]
        self.assertEqual((len(counts), counts), (50, sorted(counts, reverse=True)))

    def test_a_countdown_of_days_has_no_seconds(self):
        self.assertEqual([
            self.value("/countdown.js",
                f"found.countdown({seconds} * 1000, (name, values) => "
                f"[name, ...Object.values(values)].join('{mark}'))")
                for seconds, mark in [(167 * 3600 + 53 * 60 + 51, ":"), (86_400, " "), (86_399, ":"),
                    (3909, " "), (309, ":"), (-5, ":")]], [
                        "durationDays:6:23", "durationDays 1 0", "durationHours:23:59:59",
                        "durationHours 1 5 9", "durationMinutes:5:09", "durationMinutes:0:00"])

    def test_the_halls_scene_follows_the_room_the_choice_and_the_clock(self):
        """Each step is a frame of the room or a choice of the presenter, and the scene after it."""
        start, end = "2026-11-21T10:00:00Z", "2026-11-21T12:00:00Z"
        session = {"startsAt": start, "endsAt": end, "attendance": {"checkedIn": 0}}
        feedback = {"set": "feedback", "open": True, "shared": True, "questions": 1}
        poll = {"set": "poll-1", "open": True, "shared": False, "asked": [{"questionId": "P"}]}
        shared = {"set": "poll-1", "open": True, "shared": True}
        rating = {"questionId": "F", "set": "feedback"}
        tea = {"questionId": "P", "set": "poll-1"}
        early, during, late = ("2026-11-21T09:59:59Z", "2026-11-21T11:00:00Z", end)
        board = {"open": False, "promise": "hidden", "moderation": "after", "shown": 1, "complete": True,
            "items": [{"id": "Q", "votes": 0, "pinned": False, "at": start}], "votes": [], "removed": []}
        steps = [
            ({"snapshot": {"session": session, "sets": [feedback], "tallies": [rating]}}, early, "start"),
            ({}, during, "running"),
            ({"sets": [poll]}, during, "question P"),
            ({"sets": [shared]}, during, "question P"),
            ({"tally": tea}, during, "results P"),
            ({"sets": [{**shared, "open": False}]}, during, "results P"),
            ({"choose": "code"}, during, "running"),
            ({"step": 1}, during, "results P"), ({"step": 1}, during, "results F"),
            ({"step": 1}, during, "running"), ({"step": -1}, during, "results F"),
            ({"audienceQuestions": board}, during, "results F"), ({"step": 1}, during, "audience"),
            ({"choose": "code"}, during, "running"), ({"step": -1}, during, "audience"),
            ({"step": 1}, during, "running"), ({"step": -1}, during, "audience"),
            ({"step": -1}, during, "results F"), ({"choose": "audience"}, during, "audience"),
            # Without questions, the clicker passes the scene, and its key still shows it.
            ({"audienceQuestions": {**board, "items": [], "complete": False, "removed": ["Q"]}}, during,
                "audience"),
            ({"step": 1}, during, "results P"), ({"step": -1}, during, "running"),
            ({"sets": [poll]}, during, "question P"),
            ({}, late, "thanks"), ({"step": 1}, late, "question P"),
        ]
        found = self.value("/present-scene.js", """(() => {
            let [room, choice] = [found.emptyRoom, found.noChoice];
            return STEPS.map(([step, at]) => {
                const now = Date.parse(at);
                const before = room;
                if (step.choose) choice = { ...choice, view: step.choose };
                else if (step.step) choice = found.stepped(room, choice, step.step, now);
                else room = found.roomAfter(room, step);
                choice = found.choiceAfter(choice, before, room);
                const { name, item } = found.sceneOf(room, choice, now);
                return item ? `${name} ${item.id}` : name;
            });
        })()""".replace("STEPS", json.dumps([step[:2] for step in steps])))
        self.assertEqual(found, [step[2] for step in steps])

    def test_results_have_the_order_of_the_questions_however_they_arrive(self):
        asked = [{"questionId": one} for one in "ABC"]
        poll = {"set": "poll-1", "open": True, "shared": False, "asked": asked, "position": 2}
        shared = {"set": "poll-1", "open": False, "shared": True, "position": 2}
        first = {"set": "poll-2", "open": False, "shared": True, "position": 1}
        frames = [{"snapshot": {"sets": [first], "tallies": [
            {"questionId": "Y", "set": "poll-2"}, {"questionId": "X", "set": "poll-2"}]}},
            {"sets": [poll]}, {"sets": [shared]},
            *({"tally": {"questionId": one, "set": "poll-1"}} for one in "CAB")]
        found = self.value("/present-scene.js", f"found.deckOf({json.dumps(frames)}.reduce("
            "(room, frame) => found.roomAfter(room, frame), found.emptyRoom)).map(({ id }) => id)")
        self.assertEqual(found, ["Y", "X", "A", "B", "C"])

    def test_results_that_are_shared_first_while_a_screen_is_open_are_in_order(self):
        sets = [{"set": name, "position": position, "open": False, "shared": True}
            for name, position in [("late", 2), ("even", 1), ("early", 1)]]
        tallies = [{"questionId": f"{name} {number}", "set": name, "number": number}
            for name, number in [("late", 2), ("early", 3), ("even", 1), ("late", 1), ("early", 1),
                ("even", 2), ("early", 2)]]
        frames = [{"snapshot": {"sets": [], "tallies": []}}, {"sets": sets},
            *({"tally": one} for one in tallies)]
        expected = ["early 1", "early 2", "early 3", "even 1", "even 2", "late 1", "late 2"]
        deck = self.value("/present-scene.js", f"found.deckOf({json.dumps(frames)}.reduce("
            "(room, frame) => found.roomAfter(room, frame), found.emptyRoom)).map(({ id }) => id)")
        self.assertEqual(deck, expected)
        phone = self.value("/tallies.js", f"found.inOrderOfSets({json.dumps(tallies)}, "
            f"new Map({json.dumps(sets)}.map((set) => [set.set, set]))).map((one) => one.questionId)")
        self.assertEqual(phone, expected)


if __name__ == "__main__":
    unittest.main()
