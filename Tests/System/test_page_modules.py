"""The modules of the pages that follow the same rules as Swift code, compared with shared fixtures."""
import glob
import json
import os
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

    def test_a_tally_has_the_rows_that_the_terminal_shows(self):
        self.compare("tally-rows.json", "/tallies.js", "tallyRows", ["tally", "language", "pending"], "shown")

    def test_a_board_of_questions_follows_the_frames_of_its_room(self):
        self.compare("audience-board.json", "/audience.js", "boardAfter", ["board", "part"], "after")

    def test_a_phrase_is_filled_in_as_on_the_server(self):
        self.compare("phrases.json", "/phrase.js", "fillIn", ["sentence", "values"], "text")


if __name__ == "__main__":
    unittest.main()
