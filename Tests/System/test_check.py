"""scripts/check finds each violation of its rules, in a small project without other faults."""
import importlib.machinery
import importlib.util
import os
import subprocess
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(__file__), "..", "..", "scripts", "check")


def load():
    loader = importlib.machinery.SourceFileLoader("check", SCRIPT)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
    loader.exec_module(module)
    return module


check = load()

CLEAN = {
    "Sources/CSodium/module.modulemap": "module CSodium [system] {}\n",
    "Sources/Secrets/Key.swift": "internal import CSodium\nimport Foundation\n",
    "Sources/Meetings/Meeting.swift": "package import Foundation\nlet accept = \"*/*\"\n",
    "Sources/Server/Route.swift": "// import SQLiteJournal\n/* import CSodium */\nlet text = \"\"\"\nimport "
        "CSodium\n\"\"\"\nimport Journal\n",
    "Sources/Server/Box.swift": "// The lock guards it.\nfinal class Box: @unchecked Sendable {}\n",
    "Sources/qring/main.swift": "import Server\nimport SQLiteJournal\n",
    "Tests/SecretsTests/KeyTests.swift": "import CSodium\n@testable import Secrets\n",
    "scripts/run": "#!/usr/bin/env bash\n# Runs.\nset -euo pipefail\n",
}


class CheckTests(unittest.TestCase):
    def violations(self, changes, executable=True):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**CLEAN, **changes}.items():
                place = os.path.join(root, path)
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "w", encoding="utf-8") as file:
                    file.write(text)
                if path.startswith("scripts/") and executable:
                    os.chmod(place, 0o755)
            return list(check.violations(root))

    def assert_violates(self, changes, *words, executable=True):
        found = self.violations(changes, executable)
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])

    def test_a_clean_tree_has_no_violation(self):
        self.assertEqual(self.violations({}), [])

    def test_modules_of_pages_have_no_import_cycle(self):
        line = 'import { t } from "%s";\n'
        self.assert_violates(
            {"Public/host/a.js": line % "./b.js", "Public/host/b.js": line % "/c.js",
                "Public/c.js": line % "./host/a.js"},
            "Public/c.js → Public/host/a.js → Public/host/b.js → Public/c.js")
        self.assertEqual(
            self.violations(
                {"Public/a.js": line % "./b.js", "Public/b.js": 'const view = () => import("./a.js");\n'}),
                [])

    def test_imports_go_down_the_table_only(self):
        for target, line in [
            ("Meetings", "import Wire"), ("Journal", "import Wire"), ("Server", "import SQLiteJournal"),
            ("Server", "package import Client"), ("SQLiteJournal", "@preconcurrency import Rooms"),
            ("Secrets", "import QRCodes"),
            ("HTTPServer", "import struct WebSockets.Frame"), ("FrontDoor", "internal import Meetings"),
            ("Client", "import Server"),
            ("HostCommands", "import Server"), ("PostgresJournal", "import SQLiteJournal"),
            ("Secrets", "import Meetings"),
        ]:
            with self.subTest(target=target, line=line):
                self.assert_violates({f"Sources/{target}/New.swift": f"// One.\n{line}\n"},
                    f"Sources/{target}/New.swift:2", target)

    def test_values_and_rules_import_foundation_only(self):
        self.assert_violates({"Sources/Meetings/New.swift": "import Glibc\n"}, "Meetings", "Foundation")

    def test_a_c_module_has_exactly_one_importer(self):
        self.assert_violates({"Sources/QRCodes/New.swift": "import CSodium\n"}, "CSodium", "QRCodes",
            "Secrets")
        self.assert_violates({"Sources/CPNG/module.modulemap": "module CPNG {}\n"}, "CPNG", "no target")
        self.assert_violates({"Tests/ServerTests/New.swift": "import CSodium\n"},
            "Tests/ServerTests/New.swift:1", "CSodium")

    def test_only_wrappers_and_engines_import_c_modules(self):
        self.assertTrue(
            any("only wrappers" in line
                for line in self.violations({"Sources/Rooms/New.swift": "import CSodium\n"})))

    def test_a_new_target_needs_its_place_in_the_table(self):
        self.assert_violates({"Sources/Extras/New.swift": "import Foundation\n"}, "Sources/Extras", "table")

    def test_names_say_what_a_thing_is_for(self):
        for path in [
            "Sources/Server/Utils/New.swift", "Sources/Server/JSONHelper.swift",
            "Sources/Server/RoomManager.swift",
            "Public/common.js", "Tests/ServerTests/TestHelpers.swift",
            "Sources/Server/String+Utilities.swift",
        ]:
            with self.subTest(path=path):
                self.assert_violates({path: "// One.\n"}, path, "says nothing")
        self.assertEqual(
            self.violations({"Sources/Server/Commoner.swift": "", "Sources/Server/Managerial.swift": ""}), [])

    def test_files_are_short(self):
        self.assert_violates({"Sources/qring/main.swift": "//\n" * 51}, "51 lines", "main.swift")

    def test_unchecked_code_needs_a_proof_beside_it(self):
        for line in ["final class Box: @unchecked Sendable {}", "nonisolated(unsafe) var count = 0"]:
            with self.subTest(line=line):
                self.assert_violates({"Sources/Server/New.swift": f"let a = 1\n{line}\n"}, "New.swift:2",
                    "proof")
                for proved in [f"// It is never written.\n{line}\n", f"{line}  // never written\n",
                        f"/// Never written.\n@frozen\n{line}\n"]:
                    self.assertEqual(self.violations({"Sources/Server/New.swift": proved}), [])

    def test_scripts_can_be_run_and_stop_at_errors(self):
        self.assert_violates({}, "scripts/run", "chmod", executable=False)
        self.assert_violates({"scripts/new": "echo hi\n"}, "scripts/new", "#!")
        self.assert_violates({"scripts/new": "#!/usr/bin/env bash\n# New.\necho hi\n"}, "scripts/new",
            "set -euo pipefail")

    def test_format_and_exit_status(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "Sources", "Meetings"))
            place = os.path.join(root, "Sources", "Meetings", "New.swift")
            for text, status in [("let one = 1\n", 0), ("let  one=1 ;\n", 1)]:
                with open(place, "w", encoding="utf-8") as file:
                    file.write(text)
                result = subprocess.run([SCRIPT, root], capture_output=True, text=True)
                self.assertEqual(result.returncode, status, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
