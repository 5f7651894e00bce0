"""The libraries that a start loads, and the libraries that are opened when they are needed."""
import os
import re
import subprocess
import tempfile
import unittest

from host import Host
from server_process import DEADLINE, QRING, Server

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


# The file and the package of each library.
ON_DEMAND = dict(re.findall(r'\{"(lib[^"]*)", "([^"]*)"', read("Sources/COnDemand/on_demand.c")))


def loaded(process):
    """Returns the names of the libraries of a process."""
    with open(f"/proc/{process}/maps", encoding="utf-8") as file:
        paths = {line.split(maxsplit=5)[5].strip() for line in file if line.count(" /")}
    return {os.path.basename(path) for path in paths if ".so" in path}


def without(library, folder):
    """Returns an environment in which the library cannot be opened, because an empty file is in its place."""
    with open(os.path.join(folder, library), "wb"):
        pass
    return {**Server.environment(), "LD_LIBRARY_PATH": folder}


class StartTests(unittest.TestCase):
    def test_a_server_starts_without_the_libraries_that_few_need(self):
        with Server("--signup", "open") as server:
            host = Host(server)
            names = loaded(server.process.pid)
            self.assertTrue(any(name.startswith("libsqlite3") for name in names), names)
            # The list also has some of the libraries that the four need.
            unwanted = re.compile(
                r"lib(curl|jq|pq|pango|cairo|glib|ldap|krb5|X11|icu|Foundation\.|_FoundationICU)")
            self.assertEqual({name for name in names if unwanted.match(name)}, set())
            self.assertLess(len(names), 50)
            poster = f"/api/v1/meetings/{host.meeting()['meeting']['id']}/poster.pdf"
            self.assertTrue(host.get(poster).expect(200).body.startswith(b"%PDF"))
            self.assertTrue(any(name.startswith("libpangocairo") for name in loaded(server.process.pid)))

    def test_the_package_depends_on_each_library_that_is_opened_on_demand(self):
        self.assertEqual(len(ON_DEMAND), 4)
        depends = re.search(r"^Depends: (.*?)^\S", read("packaging/debian/control"), re.M | re.S).group(1)
        names = {entry.strip() for entry in depends.split(",")}
        for library, package in ON_DEMAND.items():
            self.assertIn(package, names)
            files = subprocess.check_output(["dpkg", "-L", package], text=True).split()
            self.assertIn(library, [os.path.basename(path) for path in files])

    def test_a_command_names_the_package_of_a_missing_library(self):
        with tempfile.TemporaryDirectory() as folder, Server("--signup", "open") as server:
            environment = {**without("libjq.so.1", folder), "HOME": folder, "QRING_SERVER": server.url}
            ran = subprocess.run([QRING, "api", "GET", "/healthz", "--jq", "."], env=environment,
                capture_output=True, text=True, timeout=DEADLINE)
            self.assertNotEqual(ran.returncode, 0)
            self.assertIn("libjq.so.1", ran.stderr)
            self.assertIn("libjq1", ran.stderr)
            environment = {**without("libcurl.so.4", folder), "HOME": folder, "QRING_SERVER": server.url}
            ran = subprocess.run([QRING, "api", "GET", "/healthz"], env=environment,
                capture_output=True, text=True, timeout=DEADLINE)
            self.assertNotEqual(ran.returncode, 0)
            self.assertIn("libcurl4", ran.stderr)

    def test_a_server_without_pango_refuses_posters_and_serves_on(self):
        class Crippled(Server):
            def environment(self):
                return without("libpangocairo-1.0.so.0", os.path.dirname(self.folder))

        with Crippled("--signup", "open") as server:
            host = Host(server)
            meeting = f"/api/v1/meetings/{host.meeting()['meeting']['id']}"
            host.get(f"{meeting}/poster.pdf").expect(500)
            server.log.wait_for_match(r"libpangocairo-1\.0-0")
            host.get(f"{meeting}/poster.html").expect(200)

    def test_a_server_without_libpq_says_so_if_its_database_needs_it(self):
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run(
                [QRING, "serve", "--listen", "127.0.0.1:0", "--data", os.path.join(folder, "data"),
                    "--database", "postgresql://127.0.0.1:1/qring"],
                env=without("libpq.so.5", folder), capture_output=True, text=True, timeout=DEADLINE)
            self.assertNotEqual(ran.returncode, 0)
            self.assertIn("libpq5", ran.stderr)
