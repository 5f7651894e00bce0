"""Offline doors as processes: they join a server, go on without it, exchange entries, and merge later."""
import http.client
import json
import os
import shutil
import ssl
import stat
import subprocess
import tempfile
import unittest

from api import API
from browser import PHONE, Browser
from host import Host
from server_process import DEADLINE, QRING, Lines, Server, free_port, wait_until

PEOPLE = [(name, f"2026004{number}") for number, name in enumerate(
    ["Ahn", "Baek", "Cho", "Do", "Eom", "Han"], start=1)]


class Door:
    """`qring door --of` with a pipe instead of a scanner."""

    def __init__(self, server_url, folder, name):
        self.url_of_server = server_url
        self.folder = os.path.join(folder, name)
        self.port = free_port()
        self.process = None

    def start(self, *options, input_text=None):
        environment = {**Server.environment(), "XDG_CONFIG_HOME": self.folder + ".config", "QRING_LANG": "en"}
        self.process = subprocess.Popen(
            [QRING, "door", "--of", self.url_of_server, "--folder", self.folder, "--json",
                "--listen", f"127.0.0.1:{self.port}", *options],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.out, self.err = Lines(self.process.stdout), Lines(self.process.stderr)
        found = self.err.wait_for_match(r"Phones in this network: (\S+)/door, code (\S+)")
        self.url, self.code = found.groups()
        self.err.wait_for_match(r"^Door \d+ of ")
        return self

    def scan(self, text):
        """Returns what the door says about a text."""
        before = len(self.out.lines)
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        self.out.wait_for(lambda lines: len(lines) > before)
        return json.loads(self.out.lines[before])

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait(DEADLINE)
            self.process.stdin.close()

    def leave(self):
        """Ends the input, as a steward who closes the door."""
        self.process.stdin.close()
        return self.process.wait(DEADLINE)

    def client(self):
        """A phone in the hall, which signs in with the code."""
        phone = API(Address(self.port))
        answer = phone.post("/api/v1/tokens", {
            "email": "door@offline.invalid", "password": self.code.replace("-", "")}, token=None)
        phone.token = answer.expect(201).json["accessToken"]
        return phone

    def known(self, session):
        return self.client().get(f"/api/v1/sessions/{session}/door?door=1").expect(200).json["offline"]


class Address:
    """What an API client needs of a server."""

    def __init__(self, port):
        self.host, self.port, self.folder = "127.0.0.1", port, ""
        self.url = f"http://127.0.0.1:{port}"

    def connection(self):
        return http.client.HTTPConnection(self.host, self.port, timeout=DEADLINE)


class OfflineDoorTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open", port=free_port()))
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        self.host = Host(self.server)
        made = self.host.meeting("Choir", identifyBy="number")
        self.meeting, self.session = made["meeting"]["id"], made["session"]["id"]
        self.host.put(f"/api/v1/meetings/{self.meeting}/roster",
            {"people": [{"name": name, "number": number} for name, number in PEOPLE]}).expect(200)
        self.host.post(f"/api/v1/meetings/{self.meeting}/passes", {}).expect(200)
        items = self.host.get(f"/api/v1/meetings/{self.meeting}/passes").expect(200).json["items"]
        self.passes = {item["name"]: item for item in items}
        self.satellites = {}

    def add(self, name, door, **choices):
        made = self.host.post(f"/api/v1/sessions/{self.session}/satellites",
            {"name": name, "door": door, **choices}).expect(201).json
        self.satellites[name] = made["satellite"]["id"]
        laptop = Door(self.server.url, self.folder, name)
        self.addCleanup(laptop.kill)
        return laptop, made

    def listed(self, name):
        items = self.host.get(f"/api/v1/sessions/{self.session}/satellites").expect(200).json["items"]
        return next(item for item in items if item["name"] == name)

    def status(self, name):
        found = self.host.get(f"/api/v1/sessions/{self.session}/attendees?q={name}").expect(200).json["items"]
        return found[0]["status"]

    def asked(self, door, name):
        return door.client().post(f"/api/v1/sessions/{self.session}/door",
            {"scan": self.url(name), "onlyAsk": True}).expect(200).json["verdict"]

    def restart(self):
        self.server.listen = f"127.0.0.1:{self.server.port}"
        self.server.start()
        self.host.close()

    def url(self, name):
        return self.passes[name]["url"]

    def test_two_doors_go_on_without_the_server_and_nothing_is_lost(self):
        north, made = self.add("north", 1, names=True)
        south, other = self.add("south", 2)
        key = os.path.join(self.folder, "key")
        with open(key, "w", encoding="ascii") as file:
            file.write(made["key"])
        north.start("--join", made["code"], "--key-file", key)
        south.start("--join", other["code"])
        # The first door learns of the second one by its next snapshot.
        self.server.log.wait_for(
            lambda lines: sum("satellite/snapshot 200" in line for line in lines) >= 3)
        # With a network, the server has each entry soon.
        said = north.scan(self.url("Ahn"))
        self.assertEqual((said["verdict"], said["name"], said["stored"]), ("admitted", "Ahn", 1))
        wait_until(lambda: self.status("Ahn") == "present")
        wait_until(lambda: north.known(self.session)["sent"] == 1)
        self.assertEqual(north.known(self.session)["unsent"], 0)

        self.server.kill()
        self.assertEqual(north.scan(self.url("Ahn"))["verdict"], "alreadyIn")
        self.assertEqual(north.scan(self.url("Baek"))["stored"], 2)
        self.assertEqual(north.scan(self.url("Cho"))["verdict"], "admitted")
        nameless = south.scan(self.url("Cho"))
        self.assertEqual((nameless["verdict"], nameless["stored"]), ("admitted", 1))
        self.assertNotIn("name", {name for name, value in nameless.items() if value is not None})
        self.assertEqual(north.known(self.session)["unsent"], 2)
        # Killed in the middle, a door starts again from its folder without the server, and meets the other.
        north.kill()
        north.start("--with", south.url, "--key-file", key)
        self.assertEqual(north.scan(self.url("Baek"))["verdict"], "alreadyIn")
        wait_until(lambda: self.asked(south, "Baek") == "alreadyIn")
        wait_until(lambda: north.known(self.session)["doubles"] == 1)
        # Only the owner may read the folder, and the names are nowhere in it.
        self.assertEqual(stat.S_IMODE(os.stat(north.folder).st_mode), 0o700)
        for root, _, files in os.walk(north.folder):
            for name in files:
                path = os.path.join(root, name)
                if not os.path.isfile(path):
                    continue
                self.assertEqual(stat.S_IMODE(os.stat(path).st_mode) & 0o077, 0, path)
                with open(path, "rb") as file:
                    content = file.read()
                for person, number in PEOPLE:
                    self.assertNotIn(number.encode(), content, path)

        self.restart()
        for name in ["Ahn", "Baek", "Cho"]:
            wait_until(lambda: self.status(name) == "present", lambda: name)
        self.assertEqual(self.status("Do"), "awaited")
        wait_until(lambda: self.listed("north")["entries"] == 3 and self.listed("south")["entries"] >= 1)
        doubles = self.host.get(f"/api/v1/sessions/{self.session}/satellites/doubles").expect(200).json
        self.assertEqual(len(doubles["items"]), 1)
        both = [doubles["items"][0][place]["satelliteName"] for place in ("first", "second")]
        self.assertEqual((sorted(both), doubles["items"][0]["name"]), (["north", "south"], "Cho"))
        # A pass that the host revokes is refused at the doors soon.
        self.host.delete(
            f"/api/v1/meetings/{self.meeting}/passes/{self.passes['Han']['id']}").expect(204)
        wait_until(lambda: self.asked(south, "Han") == "revoked")
        self.assertEqual(north.leave(), 0)

    def test_a_pass_that_the_snapshot_does_not_know_is_let_in_by_the_staff_only(self):
        north, made = self.add("north", 1)
        north.start("--join", made["code"])
        north.kill()
        self.host.post(f"/api/v1/meetings/{self.meeting}/roster",
            {"name": "Im", "number": "20260099"}).expect(201)
        self.host.post(f"/api/v1/meetings/{self.meeting}/passes", {}).expect(200)
        items = self.host.get(f"/api/v1/meetings/{self.meeting}/passes").expect(200).json["items"]
        self.passes = {item["name"]: item for item in items}
        self.server.kill()
        north.start()
        self.assertEqual(north.scan(self.url("Im"))["verdict"], "unknownHere")
        self.assertEqual(north.leave(), 0)
        north.start("--anyway")
        said = north.scan(self.url("Im"))
        self.assertEqual((said["verdict"], said["stored"]), ("admitted", 1))
        self.assertEqual(north.scan(self.url("Im"))["verdict"], "alreadyIn")
        self.restart()
        wait_until(lambda: self.status("Im") == "present")
        # The next snapshot says whose pass it is, and the entry stays that person's.
        wait_until(lambda: north.known(self.session)["unsent"] == 0)
        self.server.log.wait_for(lambda lines: any("satellite/snapshot 200" in line for line in lines))
        self.assertEqual(self.asked(north, "Im"), "alreadyIn")

    def test_a_laptop_that_broke_off_after_it_had_joined_joins_again_by_its_key(self):
        north, made = self.add("north", 1)
        seed = os.path.join(north.folder, "joining.seed")
        # As if the first start had ended before it had written what the server answered.
        for _ in range(2):
            os.mkdir(north.folder, 0o700)
            with open(seed, "wb") as file:
                file.write(bytes(range(32)))
            north.start("--join", made["code"])
            north.kill()
            self.assertFalse(os.path.exists(seed))
            with open(os.path.join(north.folder, "offline-door.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["seed"], "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
            shutil.rmtree(north.folder)

    def test_the_entries_of_a_lost_laptop_wait_for_the_host(self):
        west, made = self.add("west", 3)
        west.start("--join", made["code"])
        self.server.kill()
        self.assertEqual(west.scan(self.url("Do"))["verdict"], "admitted")
        west.kill()
        self.restart()
        self.host.delete(
            f"/api/v1/sessions/{self.session}/satellites/{self.satellites['west']}").expect(204)
        west.start()
        wait_until(lambda: self.listed("west")["held"] == 1)
        self.assertEqual(self.status("Do"), "awaited")
        wait_until(lambda: west.known(self.session)["revoked"])
        self.host.post(
            f"/api/v1/sessions/{self.session}/satellites/{self.satellites['west']}/held",
            {"accept": True}).expect(200)
        self.assertEqual(self.status("Do"), "present")

    def test_a_phone_shows_stored_here_until_the_server_has_the_entry(self):
        north, made = self.add("north", 1)
        north.start("--join", made["code"])
        self.server.kill()
        with Browser(PHONE) as page:
            page.driver.get(north.url + "/door")
            page.find("#code").send_keys("nonsense")
            page.find("main form button").click()
            self.shows(page, "#note", "Wrong")
            page.find("#code").clear()
            page.find("#code").send_keys(north.code.lower())
            page.find("main form button").click()
            self.shows(page, "#verdict", "Ready")
            page.find("#text").send_keys(self.url("Eom") + "\n")
            self.shows(page, "#verdict", "Stored here")
            self.shows(page, ".contact", "the server lacks 1 entry")
            self.assertIn("stored", page.find("#verdict").get_attribute("class"))
            self.restart()
            self.shows(page, ".contact", "the server has all entries")
            self.shows(page, "#verdict", "In")
            self.assertEqual(page.find("#verdict").get_attribute("class"), "good")

    def test_a_certificate_serves_the_page_by_https_for_the_camera(self):
        certificate, key = (os.path.join(self.folder, name) for name in ("door.crt", "door.key"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", key, "-out", certificate], check=True, capture_output=True, timeout=DEADLINE)
        north, made = self.add("north", 1)
        north.start("--join", made["code"], "--tls-cert", certificate, "--tls-key", key)
        self.assertEqual(north.url, f"https://127.0.0.1:{north.port}")
        connection = http.client.HTTPSConnection("127.0.0.1", north.port, timeout=DEADLINE,
            context=ssl.create_default_context(cafile=certificate))
        for _ in range(2):
            connection.request("GET", "/door")
            answer = connection.getresponse()
            self.assertEqual(answer.status, 200)
            self.assertIn(b"data-offline", answer.read())
        # The door's own screen does not need it, and plain HTTP gets no answer there.
        self.assertEqual(north.scan(self.url("Ahn"))["verdict"], "admitted")
        plain = http.client.HTTPConnection("127.0.0.1", north.port, timeout=DEADLINE)
        plain.request("GET", "/door")
        with self.assertRaises((http.client.HTTPException, OSError)):
            plain.getresponse()
        north.kill()
        wrong = subprocess.run(
            [QRING, "door", "--of", self.server.url, "--folder", north.folder, "--tls-cert", key, "--tls-key",
                key],
            env={**Server.environment(), "XDG_CONFIG_HOME": self.folder, "QRING_LANG": "en"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual(wrong.returncode, 1, wrong.stderr)
        self.assertIn("do not fit together", wrong.stderr)

    @staticmethod
    def shows(page, selector, text):
        wait_until(lambda: text in page.find(selector).text, lambda: page.find("main").text)

    def test_phones_in_the_hall_need_the_code_and_reach_the_door_only(self):
        north, made = self.add("north", 1)
        north.start("--join", made["code"])
        phone = API(Address(north.port))
        for path in ["/api/v1/doors", f"/api/v1/sessions/{self.session}/door"]:
            phone.get(path, token=None).expect(401)
        for path in ["/host", "/api/v1/me", f"/api/v1/sessions/{self.session}/attendees", "/openapi.json"]:
            # The description of a whole server does not say that an offline door has only a few routes.
            raw = Address(north.port).connection()
            raw.request("GET", path, headers={"Authorization": f"Bearer {north.client().token}"})
            self.assertEqual(raw.getresponse().status, 404, path)
        self.assertIn(b'data-offline="door@offline.invalid"', phone.get("/door", token=None).body)
        walk_in = north.client().post(f"/api/v1/sessions/{self.session}/door", {"name": "Yoo"})
        self.assertEqual(walk_in.expect(409).json["code"], "walk_in_offline")
        # A code joins once, and a second start of the folder needs none.
        north.kill()
        again = subprocess.run(
            [QRING, "door", "--of", self.server.url, "--folder", north.folder, "--join", made["code"]],
            env={**Server.environment(), "XDG_CONFIG_HOME": self.folder, "QRING_LANG": "en"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual(again.returncode, 6, again.stderr)
        self.assertIn("Leave --join out", again.stderr)


if __name__ == "__main__":
    unittest.main()
