"""scripts/sentences finds each fault of a translation, in a small project that is otherwise right."""
import os
import shutil
import subprocess
import tempfile
import unittest

PROJECT = os.path.join(os.path.dirname(__file__), "..", "..")
CODE = "Sources/Phrases/PagePhrases.swift"
LANGUAGE = "Languages/ko.po"
CLEAN = {
    CODE: '''
        /// What the button does.
        static let save = Phrase("Save {name}")
        static let long = Phrase("One sentence, "
            + "and {count|another|others}.")
        // static let old = Phrase("Old")
        static let open = Phrase("open", context: "a command")
        static let foreign = Phrase(verbatim: text)
        ''',
    LANGUAGE: '''msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Save {name}"
msgstr "{name} 저장"

msgid "One sentence, and {count|another|others}."
msgstr "한 문장과 {count}개 더."

msgctxt "a command"
msgid "open"
msgstr "열기"
''',
}


class SentencesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        os.makedirs(os.path.join(self.folder, "scripts"))
        shutil.copy(os.path.join(PROJECT, "scripts", "sentences"), os.path.join(self.folder, "scripts"))
        for path, text in CLEAN.items():
            self.write(path, text)
        self.run_script()

    def write(self, path, text):
        place = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, path):
        with open(os.path.join(self.folder, path), encoding="utf-8") as file:
            return file.read()

    def run_script(self, *arguments):
        result = subprocess.run([os.path.join(self.folder, "scripts", "sentences"), *arguments],
                                capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr

    def change(self, path, old, new):
        text = self.read(path)
        self.assertIn(old, text)
        self.write(path, text.replace(old, new))

    def assert_fault(self, *parts):
        status, output = self.run_script("--check")
        self.assertEqual(status, 1, output)
        for part in parts:
            self.assertIn(part, output)

    def test_a_complete_language_passes_and_names_the_places_of_its_sentences(self):
        self.assertEqual(self.run_script("--check"), (0, ""))
        text = self.read(LANGUAGE)
        self.assertIn("#. save\n#. What the button does.\n#: Sources/Phrases/PagePhrases.swift\n", text)

    def test_a_new_sentence_is_added_and_must_be_translated(self):
        self.change(CODE, "// static let old", "static let old")
        self.assert_fault("not up to date", "not translated: 'Old'")
        self.assertEqual(self.run_script()[0], 1)
        self.assertIn('msgid "Old"', self.read(LANGUAGE))
        self.assert_fault("not translated: 'Old'")
        self.change(LANGUAGE, 'msgid "Old"\nmsgstr ""', 'msgid "Old"\nmsgstr "예전"')
        self.assertEqual(self.run_script("--check"), (0, ""))

    def test_a_sentence_that_no_code_has_is_removed(self):
        self.change(CODE, 'static let open = Phrase("open", context: "a command")', "")
        self.assert_fault("not up to date")
        self.assertEqual(self.run_script()[0], 0)
        self.assertNotIn("열기", self.read(LANGUAGE))

    def test_a_translation_needs_the_placeholders_of_its_sentence(self):
        for wrong in ["저장", "{nam} 저장", "{name} {other} 저장"]:
            with self.subTest(wrong=wrong):
                before = self.read(LANGUAGE)
                self.change(LANGUAGE, "{name} 저장", wrong)
                self.assert_fault("other placeholders", "Save {name}")
                self.write(LANGUAGE, before)

    def test_the_text_of_a_phrase_is_a_literal(self):
        self.change(CODE, "Phrase(verbatim: text)", "Phrase(text)")
        self.assert_fault(f"{CODE}:", "no literal")

    def test_a_file_that_gettext_cannot_read_fails(self):
        self.write(LANGUAGE, self.read(LANGUAGE) + 'msgid "broken\n')
        self.assertNotEqual(self.run_script("--check")[0], 0)

    def test_a_language_that_is_not_complete_has_the_sentences_for_attendees_only(self):
        self.write("Sources/qring/Admin.swift", 'let a = Phrase("for operators")\n')
        self.write("Languages/de.po", CLEAN[LANGUAGE])
        self.run_script()
        self.assertNotIn("for operators", self.read("Languages/de.po"))
        self.assertIn("for operators", self.read(LANGUAGE))


if __name__ == "__main__":
    unittest.main()
