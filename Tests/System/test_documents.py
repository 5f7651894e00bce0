"""What README, docs/clients.md and docs/protocol.md show, compared with the real program: commands, printed
lines, programs and the columns of files."""
import os
import re
import signal
import subprocess
import tempfile
import unittest

from command_names import command_names
from host import Host, check_in
from server_process import DEADLINE, QRING, Lines, Server, free_port

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
PASSWORD = "correct horse battery"


def document(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def section(text, heading):
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE).group(1)


def blocks(text, language=""):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


class Machine:
    """A shell with `qring`, curl and the like on its PATH, and a home of its own."""

    def __init__(self, test, url, **variables):
        self.home = test.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        os.symlink(QRING, os.path.join(self.home, "qring"))
        self.environment = {**Server.environment(), "HOME": self.home, "QRING_SERVER": url,
            "PATH": f"{self.home}:{os.environ['PATH']}", **variables}

    def start(self, *command):
        return subprocess.Popen(command, env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def run(self, *command):
        process = self.start(*command)
        out, err = process.communicate(timeout=DEADLINE)
        if process.returncode != 0:
            raise AssertionError(f"{command}: {process.returncode}\n{out}\n{err}")
        return out


def documents():
    """Returns the paths of all documents."""
    found = [name for name in os.listdir(ROOT) if name.endswith(".md")]
    for folder, _, names in os.walk(os.path.join(ROOT, "docs")):
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names if name.endswith(".md")]
    return sorted(found)


def anchors(name):
    """Returns the ids that GitHub gives the headings of a document."""
    text = re.sub(r"^```.*?^```", "", document(name), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


class LinkTests(unittest.TestCase):
    def test_every_link_between_documents_leads_to_a_file_and_a_heading(self):
        count = 0
        for name in documents():
            for target in re.findall(r"\]\(([^)\s]+)\)", document(name)):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
                with self.subTest(document=name, link=target):
                    self.assertTrue(os.path.exists(os.path.join(ROOT, path)))
                    if anchor:
                        self.assertIn(anchor, anchors(path))
                    count += 1
        self.assertGreater(count, 100)

    def test_the_first_page_for_operators_stays_short(self):
        self.assertLessEqual(len(document("docs/operations.md").split()), 1200)


class ReadmeTests(unittest.TestCase):
    README = document("README.md")

    def test_the_demo_prints_the_lines_of_the_example(self):
        example, = [block for block in blocks(section(self.README, "Build")) if "simulated" in block]
        options = re.search(r"`scripts/run (.*?)`", self.README).group(1).split()
        printed = Machine(self, "").run("qring", "demo", "--listen", "127.0.0.1:0", *options).splitlines()
        at = 0
        for line in example.splitlines():
            if line == "…":
                continue
            # Times, counts and who is named beside them differ from run to run.
            form = re.sub(r"\d+", r"\\d+", re.escape(re.sub(r"  \+ .*", "", line))).replace(r"\ ", " ")
            form = re.sub(" {2,}", " +", form) + r"(  \+ .+)?"
            found = [number for number in range(at, len(printed)) if re.fullmatch(form, printed[number])]
            self.assertTrue(found, f"{line!r} is not in:\n" + "\n".join(printed[at:]))
            at = found[0] + 1

    def test_a_new_host_gets_results_with_the_commands_of_by_hand(self):
        first, others = blocks(section(self.README, "By hand"))
        server = self.enterContext(Server(port=free_port(), host="0.0.0.0"))
        self.assertIn("qring serve --listen 0.0.0.0:", first)
        machine = Machine(self, f"http://127.0.0.1:{server.port}", QRING_DATA=server.folder)
        with open(os.path.join(machine.home, "password"), "w", encoding="ascii") as file:
            file.write(PASSWORD + "\n")
        code, dashboard = "K7QX2M", "qring dashboard @"
        commands = [line.split("  #")[0].strip() for line in others.splitlines()]
        self.assertIn(dashboard, commands)
        for command in commands:
            # The dashboard has its own tests, and no command asks for the password without a terminal.
            if not command or command.startswith("#") or command == dashboard:
                continue
            if command.startswith("qring signup"):
                command += " --password-file password"
            printed = machine.run("sh", "-c", command.replace("K7QX2M", code))
            made = re.search("Join code: (\\w+)", printed)
            code = made.group(1) if made else code
        self.assertIn("How was it today?", printed)
        self.assertIn("13", machine.run("qring", "session", "show", "@", "-q", ".attendance.checkedIn"))

    def test_each_command_and_option_exists(self):
        machine = Machine(self, "")
        names = command_names(lambda *words: machine.run("qring", *words))
        text = self.README + document("docs/clients.md")
        written = set(re.findall(r"^(?:\.\S*/|\S*bin/)?qring .*|(?<=`)qring [^`]*", text, re.MULTILINE))
        self.assertGreater(len(written), 15)
        for command in written:
            words = re.sub(r"^\S+ ", "", command.split("  #")[0])
            if words.startswith(("help", "--version")):
                continue
            name = max((name for name in names if f"{words} ".startswith(f"{name} ")), key=len, default=None)
            self.assertIsNotNone(name, command)
            page = machine.run("qring", "help", *name.split())
            for option in re.findall(r"(?<= )--[a-z-]+", words):
                self.assertIn(f"{option} ", f"{page} ", command)

    def test_the_address_of_the_release_page_is_written_once(self):
        found = subprocess.run(["git", "grep", "--fixed-strings", "--count", "releases." + "qring.example"],
            cwd=ROOT, capture_output=True, text=True, check=True)
        self.assertEqual(found.stdout, "README.md:1\n")


class ProtocolTests(unittest.TestCase):
    def test_each_csv_file_has_the_documented_keys_in_their_order(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        path = f"/api/v1/sessions/{host.session()['id']}"
        rows = dict(
            re.findall(r"^\| `(\S+\.csv\S*)` \| (`.*) \|$", document("docs/protocol.md"), re.MULTILINE))
        self.assertEqual(len(rows), 3)
        for file, keys in rows.items():
            mark = "&" if "?" in file else "?"
            header = host.get(f"{path}/{file}{mark}headings=keys").expect(200).text.split("\r\n")[0]
            self.assertEqual(header, ",".join(re.findall(r"`(\w+)`", keys)), file)


class ClientTests(unittest.TestCase):
    """Each program is run as it is written, and sees the person that it checks in and the next one."""

    PROGRAMS = {"sh": ["sh"], "python": ["python3", "-u"], "js": ["node", "--input-type=module"]}

    def follows(self, language):
        program, = blocks(document("docs/clients.md"), language)
        self.assertLessEqual(len([line for line in program.splitlines() if line]), 20)
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session()
        named = host.post("/api/v1/tokens/named", {"name": "client", "access": "read"}).expect(201).json
        machine = Machine(self, server.url, QRING_URL=server.url, QRING_TOKEN=named["token"])
        command = self.PROGRAMS[language]
        process = machine.start(*command, "-e" if language == "js" else "-c", program)
        lines = Lines(process.stdout)
        try:
            lines.wait_for_match("Study group")
            lines.wait_for_match("Ada Byron")
            check_in(host, session, "Lee", "lee@example.org").expect(201)
            lines.wait_for_match("Lee")
        finally:
            # The shell has started others.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(DEADLINE)
            lines.thread.join(DEADLINE)
            process.stderr.close()

    def test_the_client_of_curl(self):
        self.follows("sh")

    def test_the_client_in_python(self):
        self.follows("python")

    def test_the_client_in_javascript(self):
        self.follows("js")


if __name__ == "__main__":
    unittest.main()
