"""scripts/system-tests and scripts/swift-tests repeat a failed test alone, and list it if it passes then.
Many failures fail."""
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from server_process import DEADLINE

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, "..", "..", "scripts")
SCRIPT = os.path.join(SCRIPTS, "system-tests")
SWIFT_SCRIPT = os.path.join(SCRIPTS, "swift-tests")
# A test fails as often as its number says, and passes then.
TESTS = """
import os
import unittest
import pytest

def run(name, fails):
    path = os.path.join(os.path.dirname(__file__), name)
    runs = os.path.getsize(path) if os.path.exists(path) else 0
    with open(path, "a") as file:
        file.write("x")
    assert runs >= fails, f"failure {runs + 1} of {name}"

class SomeTests(unittest.TestCase):
    def test_steady(self):
        run("steady", 0)
"""
TEST = """
    def test_{name}(self):
        run("{name}", {fails})
"""
ALONE = """
@pytest.mark.alone("measures")
class AloneTests(unittest.TestCase):
    def test_alone(self):
        run("alone", {fails})
"""
# The end of the `with` waits, too.
ENDLESS = """
import subprocess
import unittest

class SomeTests(unittest.TestCase):
    def test_endless(self):
        with subprocess.Popen(["sleep", "infinity"], stdout=subprocess.PIPE) as process:
            self.addCleanup(process.kill)
            process.stdout.read()

    def test_next(self):
        pass
"""
PACKAGE = """
// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "Some", targets: [.testTarget(name: "SomeTests")])
"""
# A test fails as often as the environment says, and passes then.
SWIFT_TESTS = """
import Foundation
import Testing

func run(_ name: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let fails = environment["FAILS_" + name].flatMap { Int($0) } ?? 0
    let path = try #require(environment["RUNS"]) + "/" + name
    let runs = (try? String(contentsOfFile: path, encoding: .utf8).utf8.count) ?? 0
    try String(repeating: "x", count: runs + 1).write(toFile: path, atomically: true, encoding: .utf8)
    #expect(runs >= fails)
}

@Suite struct SomeTests {
    @Test func `(one) of a+b, [sometimes]?`() throws { try run("one") }
    @Test(arguments: [1]) func two(number: Int) throws { try run("two") }
    @Test func three() throws { try run("three") }
    @Test func crash() throws {
        if ProcessInfo.processInfo.environment["CRASH"] != nil { fatalError() }
    }
}
"""


class UnsteadyTests(unittest.TestCase):
    def run_tests(self, *, alone=0, options=(), **fails):
        """Runs a folder of tests that fail so often. Returns the exit status and the unsteady tests."""
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        for name in ("conftest.py", "pytest.ini"):
            shutil.copy(os.path.join(HERE, name), self.folder)
        text = TESTS + "".join(TEST.format(name=name, fails=times) for name, times in fails.items())
        with open(os.path.join(self.folder, "test_some.py"), "w", encoding="utf-8") as file:
            file.write(text + ALONE.format(fails=alone))
        unsteady = os.path.join(self.folder, "unsteady")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        # Other plugins take seconds at each start.
        environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin",
            "PYTHONPATH": HERE}
        ran = subprocess.run([SCRIPT, "--workers", "2", "--unsteady", unsteady, *options, self.folder],
            env=environment, capture_output=True, text=True, check=False)
        self.output = ran.stdout + ran.stderr
        with open(unsteady, encoding="utf-8") as file:
            return ran.returncode, sorted(line.rpartition("_")[2] for line in file.read().split())

    def runs(self, name):
        return os.path.getsize(os.path.join(self.folder, name))

    def test_a_test_that_passes_alone_is_listed_and_the_run_passes(self):
        self.assertEqual(self.run_tests(one=1, two=1), (0, ["one", "two"]), self.output)
        self.assertIn("failure 1 of one", self.output)
        self.assertEqual([self.runs(name) for name in ("one", "two", "steady", "alone")], [2, 2, 1, 1])

    def test_a_test_that_waits_for_ever_fails_and_shows_where(self):
        with tempfile.TemporaryDirectory(prefix="qring-test-") as folder:
            for name in ("conftest.py", "pytest.ini"):
                shutil.copy(os.path.join(HERE, name), folder)
            with open(os.path.join(folder, "test_some.py"), "w", encoding="utf-8") as file:
                file.write(ENDLESS)
            ran = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "--longest", "1", folder], capture_output=True,
                text=True, check=False, env={**os.environ, "PYTHONPATH": HERE}, timeout=DEADLINE)
            self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
            self.assertIn("1 failed, 1 passed", ran.stdout)
            self.assertIn("test_endless takes longer than 1 s", ran.stdout)
            self.assertRegex(ran.stdout, r"test_some.py:9: in test_endless\n +process.stdout.read")

    def test_a_test_that_fails_again_fails_the_run(self):
        self.assertEqual(self.run_tests(one=1, broken=9), (1, ["one"]), self.output)
        self.assertEqual(self.runs("broken"), 2)

    def test_three_failures_fail_the_run_and_none_is_repeated(self):
        self.assertEqual(self.run_tests(one=1, two=1, alone=1), (1, []), self.output)
        self.assertEqual([self.runs(name) for name in ("one", "alone")], [1, 1])

    def test_a_measurement_that_was_disturbed_is_repeated_too(self):
        self.assertEqual(self.run_tests(alone=1), (0, ["alone"]), self.output)

    def test_a_run_without_failures_or_without_tests_passes(self):
        self.assertEqual(self.run_tests(), (0, []), self.output)
        self.assertEqual(self.run_tests(options=("--filter", "of.other.folders")), (0, []), self.output)


class UnsteadySwiftTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.package = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        for path, text in (("Package.swift", PACKAGE.strip()), ("Tests/SomeTests/Some.swift", SWIFT_TESTS)):
            path = os.path.join(cls.package, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        subprocess.run(["swift", "build", "--package-path", cls.package, "--build-tests"], check=True,
            capture_output=True)

    def run_tests(self, **environment):
        """Runs the package's tests. Returns the exit status, and the unsteady and the failed tests."""
        runs = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        lists = [os.path.join(runs, name) for name in ("unsteady", "failed")]
        ran = subprocess.run(
            [SWIFT_SCRIPT, "--unsteady", lists[0], "--failed", lists[1], "--parallel", "--",
                "--package-path", self.package],
            env={**os.environ, "RUNS": runs, **environment}, capture_output=True, text=True, check=False)
        self.output = ran.stdout + ran.stderr
        found = []
        for path in lists:
            with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
                found.append(sorted(line.rpartition("/")[2] for line in file.read().splitlines()))
                continue
            found.append([])
        return ran.returncode, *found

    def test_a_test_that_passes_alone_is_listed_and_the_run_passes(self):
        self.assertEqual(self.run_tests(FAILS_one="1", FAILS_two="1"),
            (0, ["`(one) of a+b, [sometimes]?`()", "two(number:)"], []), self.output)

    def test_a_test_that_fails_again_fails_the_run(self):
        self.assertEqual(self.run_tests(FAILS_two="1", FAILS_three="9"),
            (1, ["two(number:)"], ["three()"]), self.output)

    def test_three_failures_fail_the_run_and_none_is_repeated(self):
        self.assertEqual(self.run_tests(FAILS_one="1", FAILS_two="1", FAILS_three="1")[:2], (1, []),
            self.output)

    def test_a_crash_fails_the_run(self):
        self.assertEqual(self.run_tests(CRASH="1"), (1, [], ["a run of Swift tests that ended early"]),
            self.output)

    def test_a_run_without_failures_passes(self):
        self.assertEqual(self.run_tests(), (0, [], []), self.output)


if __name__ == "__main__":
    unittest.main()
