"""scripts/check finds each kind of violation, in a small project that is otherwise clean."""
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
    "Sources/CLinux/module.modulemap": "module CLinux [system] {}\n",
    "Sources/CSodium/module.modulemap": "module CSodium [system] {}\n",
    "Sources/CSQLite/include/shim.h": "#pragma once\n",
    "Sources/Threads/Thread.swift": "internal import CLinux\n",
    "Sources/Meetings/Meeting.swift": "let accept = \"*/*\"\n",
    "Sources/Journal/Command.swift": "import Meetings\n",
    "Sources/SQLJournal/Rows.swift": "import Journal\n",
    "Sources/SQLiteJournal/Engine.swift":
        "import CSQLite\nimport Journal\nimport SQLJournal\nimport Threads\n",
    "Sources/Secrets/Key.swift": "internal import CSodium\nimport FoundationEssentials\n",
    "Sources/Server/Route.swift":
        "// import SQLiteJournal\n/* import CSodium */\nlet text = \"\"\"\nimport CSodium\n\"\"\"\n"
        "import Journal\n"
        "@preconcurrency package import struct Secrets.Key\n",
    "Sources/Server/Box.swift": "// The lock guards it.\nfinal class Box: @unchecked Sendable {}\n",
    "Sources/qring/main.swift": "import Server\nimport SQLiteJournal\n",
    "Tests/Stage/Stage.swift": "import Journal\n",
    "Tests/SecretsTests/KeyTests.swift": "import CSodium\n@testable import Secrets\n",
    "docs/architecture.md": "Threads Meetings Journal SQLJournal SQLiteJournal Secrets Server qring\n",
    "scripts/run": "#!/usr/bin/env bash\n# Runs.\nset -euo pipefail\n",
}
# From the bottom to the top: the type, the name, and the dependencies.
TARGETS = [
    ("system", "CLinux"), ("system", "CSodium"), ("regular", "CSQLite"),
    ("regular", "Threads", "CLinux"),
    ("regular", "Meetings"),
    ("regular", "Journal", "Meetings"),
    ("regular", "SQLJournal", "Journal"),
    ("regular", "SQLiteJournal", "SQLJournal", "Journal", "Threads", "CSQLite"),
    ("regular", "Secrets", "CSodium"),
    ("regular", "Server", "Journal", "Secrets"),
    ("executable", "qring", "Server", "SQLiteJournal"),
    ("regular", "Stage", "Journal"),
    ("test", "SecretsTests", "Secrets"),
]


def described(targets):
    """The same as JSON of `swift package dump-package`."""
    return {"targets": [
        {"type": kind, "name": name, "dependencies": [{"byName": [other, None]} for other in others]}
        | ({"path": "Tests/Stage"} if name == "Stage" else {})
        for kind, name, *others in targets
    ]}


class CheckTests(unittest.TestCase):
    def violations(self, changes, executable=True, targets=TARGETS):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**CLEAN, **changes}.items():
                place = os.path.join(root, path)
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "w", encoding="utf-8") as file:
                    file.write(text)
                if path.startswith("scripts/") and executable:
                    os.chmod(place, 0o755)
            return list(check.violations(root, described(targets)))

    def assert_violates(self, changes, *words, executable=True, targets=TARGETS):
        found = self.violations(changes, executable, targets)
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])

    def declaring(self, name, *others):
        """The targets, of which `name` depends on `others` as well."""
        return [(*target, *others) if target[1] == name else target for target in TARGETS]

    def test_a_clean_tree_has_no_violation(self):
        self.assertEqual(self.violations({}), [])

    def test_modules_of_pages_have_no_import_cycle(self):
        line = 'import { t } from "%s";\nexport { t };\n'
        self.assert_violates(
            {
                "Public/host/a.js": line % "./b.js", "Public/host/b.js": line % "/c.js",
                "Public/c.js": line % "./host/a.js",
            },
            "Public/c.js → Public/host/a.js → Public/host/b.js → Public/c.js")
        late = 'const view = () => import("./a.js");\nexport const t = view;\n'
        self.assertEqual(self.violations({"Public/a.js": line % "./b.js", "Public/b.js": late}), [])

    def test_each_name_that_a_module_imports_is_exported(self):
        one = {"Public/a.js": 'import { s, t as u } from "/b.js";\nimport {\n  v,\n} from "./b.js";\n'}
        whole = "export const s = 1;\nexport async function t() {}\nconst w = 1;\nexport { w as v };\n"
        self.assertEqual(self.violations({**one, "Public/b.js": whole}), [])
        for name, lack in [("s", "const s"), ("t", "function t"), ("v", "w as v")]:
            self.assert_violates({**one, "Public/b.js": whole.replace(lack, lack[:-1] + "x")},
                "Public/a.js", f"exports no {name}")

    def test_a_system_test_sleeps_only_for_a_stated_reason(self):
        path = "Tests/System/test_new.py"
        self.assert_violates({path: "import time\ntime.sleep(1)\n"}, f"{path}:2", "# Pause: ")
        for text in ["# Pause: the time is the subject.\ntime.sleep(1)\n",
                "'SELECT pg_sleep(1)'\n",
                '"""Load.\n\nIts pauses are a part of the load.\n"""\n' + "time.sleep" "(1)\n"]:
            self.assertEqual(self.violations({path: text}), [])

    def test_the_hosts_page_is_redrawn_by_one_function(self):
        for line in ["list.replaceChildren();", "old.replaceWith(row);", "box.innerHTML = text;"]:
            path = "Public/host/new.js"
            self.assert_violates({path: f"// One.\n{line}\n"}, f"{path}:2", "fill")
        self.assertEqual(self.violations({"Public/host/new.js": "fill(list);\n"}), [])

    def test_a_file_imports_only_what_its_target_declares(self):
        for target, line in [
            ("Meetings", "import Journal"), ("Journal", "import Secrets"), ("Server", "import SQLiteJournal"),
            ("Server", "@preconcurrency import Meetings"), ("SQLiteJournal", "import struct Secrets.Key"),
            ("Secrets", "internal import Meetings"), ("qring", "package import Journal"),
        ]:
            with self.subTest(target=target, line=line):
                path = f"Sources/{target}/New.swift"
                self.assert_violates({path: f"// One.\n{line}\n"}, f"{path}:2", "Package.swift", target)
        self.assert_violates(
            {"Tests/SecretsTests/New.swift": "import Journal\n"}, "SecretsTests import Journal")

    def test_a_declaration_is_used(self):
        self.assert_violates(
            {}, "Server depends on Meetings", "does not import", targets=self.declaring("Server", "Meetings"))

    def test_targets_are_listed_from_the_bottom_to_the_top(self):
        self.assert_violates(
            {"Sources/Journal/New.swift": "import Secrets\n"}, "Journal depends on Secrets", "comes after",
            targets=self.declaring("Journal", "Secrets"))

    def test_the_rules_of_meetings_depend_on_no_other_target(self):
        self.assert_violates(
            {"Sources/Meetings/New.swift": "import Threads\n"}, "Meetings depends on Threads",
            targets=self.declaring("Meetings", "Threads"))

    def test_the_product_needs_no_target_of_the_tests(self):
        stage = next(target for target in TARGETS if target[1] == "Stage")
        rest = [target for target in self.declaring("Server", "Stage") if target[1] != "Stage"]
        rest.insert([target[1] for target in rest].index("Server"), stage)
        self.assert_violates(
            {"Sources/Server/New.swift": "import Stage\n"}, "Server depends on Stage", "tests", targets=rest)

    def test_wrappers_and_engines_do_not_depend_on_each_other(self):
        threads = {"Sources/Secrets/New.swift": "import Threads\n"}
        self.assertEqual(self.violations(threads, targets=self.declaring("Secrets", "Threads")), [])
        rest = [target for target in TARGETS if target[1] != "SQLiteJournal"]
        engine = ("regular", "SQLiteJournal", "SQLJournal", "Journal", "Threads", "CSQLite", "Secrets")
        rest.insert([target[1] for target in rest].index("Server"), engine)
        self.assert_violates(
            {"Sources/SQLiteJournal/New.swift": "import Secrets\n"}, "SQLiteJournal depends on Secrets",
            targets=rest)

    def test_only_the_program_knows_an_engine(self):
        self.assert_violates(
            {"Sources/Server/New.swift": "import SQLiteJournal\n"}, "Server depends on", "engine",
            targets=self.declaring("Server", "SQLiteJournal"))

    def test_only_engines_know_their_statements(self):
        for target in ["Server", "qring"]:
            self.assert_violates(
                {f"Sources/{target}/New.swift": "import SQLJournal\n"}, f"{target} depends on SQLJournal",
                "only storage engines", targets=self.declaring(target, "SQLJournal"))

    def test_values_and_rules_import_nothing_from_outside(self):
        self.assert_violates({"Sources/Meetings/New.swift": "import Glibc\n"}, "Meetings", "Glibc")

    def test_the_program_does_not_contain_foundation(self):
        self.assert_violates({"Sources/Server/New.swift": "import Foundation\n"}, "FoundationEssentials")
        test = {"Tests/Stage/Stage.swift": "import Foundation\nimport Journal\n"}
        self.assertEqual(self.violations(test), [])

    def test_a_c_module_has_exactly_one_importer(self):
        self.assert_violates({"Sources/Server/New.swift": "import CSodium\n"}, "Server import CSodium")
        self.assert_violates(
            {"Sources/Meetings/New.swift": "import CSodium\n"}, "CSodium", "Meetings, Secrets",
            targets=self.declaring("Meetings", "CSodium"))
        self.assert_violates(
            {"Sources/CPNG/module.modulemap": "module CPNG {}\n"}, "CPNG", "0 targets",
            targets=[("system", "CPNG"), *TARGETS])
        path = "Tests/Stage/New.swift"
        self.assert_violates({path: "import CSodium\n"}, f"{path}:1", "CSodium")

    def test_every_folder_is_a_target(self):
        self.assert_violates(
            {"Sources/Extras/New.swift": "import Foundation\n"}, "Sources/Extras", "no target")

    def test_the_picture_shows_every_target(self):
        picture = CLEAN["docs/architecture.md"].replace("Server", "")
        self.assert_violates({"docs/architecture.md": picture}, "picture", "Server")

    def test_lines_of_c_and_scripts_have_at_most_110_columns(self):
        for path, text in [("Sources/CSodium/shim.h", "//"), ("scripts/run", CLEAN["scripts/run"] + "#")]:
            rest = "x" * (110 - len(text.splitlines()[-1]))
            self.assertEqual(self.violations({path: text + rest + "\n"}), [])
            self.assert_violates({path: text + "x" * 110 + "\n"}, path, "columns")

    def test_ten_lines_are_not_written_twice(self):
        lines = [f"    let value{number} = {number}\n" for number in range(12)]
        for count in (10, 12):
            once = "".join(lines[:count])
            again = once.replace("    ", "") + "// More.\n"
            self.assert_violates(
                {"Sources/Server/One.swift": once, "Sources/qring/Two.swift": "let other = 1\n\n" + again},
                "Sources/qring/Two.swift:3", "Sources/Server/One.swift:1")
        nine = "".join(lines[:9])
        for other in (nine, nine + "let more = 1\n", "import Journal\n" + nine):
            self.assertEqual(
                self.violations({"Sources/Server/One.swift": nine, "Sources/Server/Two.swift": other}), [])

    def test_names_name_an_idea(self):
        for path in [
            "Sources/Server/Utils/New.swift", "Sources/Server/JSONHelper.swift",
            "Sources/Server/RoomManager.swift", "Public/common.js", "Tests/ServerTests/TestHelpers.swift",
            "Sources/Server/String+Utilities.swift",
        ]:
            with self.subTest(path=path):
                self.assert_violates({path: "// One.\n"}, path, "names no idea")
        others = {"Sources/Server/Commoner.swift": "", "Sources/Server/Managerial.swift": ""}
        self.assertEqual(self.violations(others), [])

    def test_main_is_short(self):
        path = "Sources/qring/main.swift"
        self.assert_violates({path: CLEAN[path] + "//\n" * 49}, "51 lines", "main.swift")

    def test_a_proof_stands_beside_what_the_compiler_does_not_check(self):
        for line in ["final class Box: @unchecked Sendable {}", "nonisolated(unsafe) var count = 0"]:
            with self.subTest(line=line):
                path = "Sources/Server/New.swift"
                self.assert_violates({path: f"let a = 1\n{line}\n"}, "New.swift:2", "proof")
                for proved in [
                    f"// It is never written.\n{line}\n", f"{line}  // never written\n",
                    f"/// Never written.\n@frozen\n{line}\n",
                ]:
                    self.assertEqual(self.violations({path: proved}), [])

    def test_scripts_can_be_run_and_stop_at_errors(self):
        self.assert_violates({}, "scripts/run", "chmod", executable=False)
        self.assert_violates({"scripts/new": "echo hi\n"}, "scripts/new", "#!")
        bash = "#!/usr/bin/env bash\n# New.\necho hi\n"
        self.assert_violates({"scripts/new": bash}, "scripts/new", "set -euo pipefail")

    def test_package_swift_is_read_and_the_exit_status_tells_of_violations(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "Sources", "Meetings"))
            with open(os.path.join(root, "Package.swift"), "w", encoding="utf-8") as file:
                file.write(
                    "// swift-tools-version: 6.2\nimport PackageDescription\n\n"
                    'let package = Package(name: "small", targets: [.target(name: "Meetings")])\n')
            place = os.path.join(root, "Sources", "Meetings", "New.swift")
            for text, status in [("let one = 1\n", 0), ("let  one=1 ;\n", 1), ("import Glibc\n", 1)]:
                with open(place, "w", encoding="utf-8") as file:
                    file.write(text)
                result = subprocess.run([SCRIPT, root], capture_output=True, text=True)
                self.assertEqual(result.returncode, status, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
