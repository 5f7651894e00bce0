"""Both languages of the host's page: every entry is a pair with the same placeholders, every used key is
defined, and every defined key is used."""
import glob
import os
import re
import unittest

FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "Public", "host")
ENTRY = re.compile(r'^  (\w+): \["((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)"\],$')
HANGUL = re.compile("[가-힣]")
# The lines of a dictionary between its braces.
DICTIONARY = re.compile(r"^(?:export )?const \w+ = \{\n((?:  \w+: \[.*\],\n)+)\};", re.M)


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


class HostWordsTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        files = [os.path.basename(path) for path in glob.glob(os.path.join(FOLDER, "*.js"))]
        cls.lines = [line for name in files if name.startswith("words")
            for block in DICTIONARY.findall(read(name)) for line in block.splitlines()]
        cls.entries = [match.groups() for match in map(ENTRY.match, cls.lines) if match]
        cls.source = "\n".join(read(name) for name in files if not name.startswith("words"))

    def test_every_entry_is_a_pair_of_english_and_korean(self):
        self.assertGreater(len(self.lines), 200)
        self.assertEqual([line for line in self.lines if not ENTRY.match(line)], [])
        # The name of the other language is written in that language.
        others = {key for key, english,
            korean in self.entries if HANGUL.search(english) or not HANGUL.search(korean)}
        self.assertEqual(others, {"otherLanguage"})

    def test_no_key_is_defined_twice(self):
        keys = [key for key, *_ in self.entries]
        self.assertEqual([key for key in keys if keys.count(key) > 1], [])

    def test_both_languages_have_the_same_placeholders(self):
        def places(text):
            return sorted(re.findall(r"\{(\w+)\}", text))

        self.assertEqual([key for key, english, korean in self.entries if places(english) != places(korean)],
            [])

    def test_every_used_key_is_defined(self):
        keys = {key for key, *_ in self.entries}
        asked = set(re.findall(r'\bt\("(\w+)"', self.source))
        for choice in re.findall(r"\bt\(([^()`]*\?[^()`]*)\)", self.source):
            asked |= set(re.findall(r'[?:] "(\w+)"', choice))
        self.assertGreater(len(asked), 150)
        self.assertEqual(asked - keys, set())
        for prefix in re.findall(r"\bt\(`(\w+_)\$\{", self.source):
            self.assertTrue(any(key.startswith(prefix) for key in keys), prefix)

    def test_every_defined_key_is_used(self):
        literals = set(re.findall(r'"(\w+)"', self.source))
        prefixes = set(re.findall(r"`(\w+_)\$\{", self.source))
        unused = [key for key,
            *_ in self.entries if key not in literals
            and not any(key.startswith(prefix) for prefix in prefixes)]
        self.assertEqual(unused, [])

    def test_each_status_has_one_korean_word_in_every_catalogue(self):
        """Attendance is 출석 and excused 공결, on pages, in files and in the terminal; 참석자 is an attendee."""
        root = os.path.join(FOLDER, "..", "..")
        files = [path for folder in ["Public", "Sources/Phrases", "Sources/Wire/Problems"]
            for path in glob.glob(os.path.join(root, folder, "**", "*.*"), recursive=True)]
        self.assertGreater(len(files), 60)
        for path in files:
            with open(path, encoding="utf-8") as file:
                self.assertEqual(re.findall(r"참석(?!자).{0,10}|사유 결석|\"사유\"|명단 외\"", file.read()), [], path)


if __name__ == "__main__":
    unittest.main()
