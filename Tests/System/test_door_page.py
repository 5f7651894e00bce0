"""The door on a phone: by camera, photograph and keyboard, for a steward."""
import base64
import os
import subprocess
import tempfile
import unittest

from browser import PHONE, Browser
from host import PASSWORD, Host
from server_process import DEADLINE, QRING, Server

PEOPLE = [("김지수", "20260041"), ("김지수", "20260042"), ("Lee Jun", "20260043")]
WIDTH, HEIGHT = 1280, 720
# A picture of one white point, without a code.
WHITE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTP3WAAAAABJRU5ErkJggg==")


def film_of(picture, path):
    """Writes a film that shows a picture (binary PGM) in the middle of 1280×720 grey points. It moves a
    little, as in a hand: the decoder misses some codes in a still picture."""
    with open(picture, "rb") as file:
        kind, size, most, points = file.read().split(b"\n", 3)
    assert (kind, most) == (b"P5", b"255"), kind
    columns, rows = map(int, size.split())
    left, above = (WIDTH - columns) // 2, (HEIGHT - rows) // 2
    assert left >= 0 and above >= 0, size
    with open(path, "wb") as film:
        film.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F10:1 Ip A1:1 C420jpeg\n".encode())
        for moved in [0, 1, 2, 3, 5, 7, 5, 3, 2, 1]:
            image = bytearray(b"\xe0" * WIDTH * HEIGHT)
            for row in range(rows):
                start = max(0, above - moved + row) * WIDTH + max(0, left - moved)
                image[start:start + columns] = points[row * columns:(row + 1) * columns]
            film.write(b"FRAME\n" + bytes(image) + b"\x80" * (WIDTH * HEIGHT // 2))


def badge_of(name, server, host, meeting, folder):
    """Prints the pass of a person, and returns its picture as PGM and as PNG."""
    host.post(f"/api/v1/meetings/{meeting}/passes", {}).expect(200)
    environment = {**Server.environment(), "XDG_CONFIG_HOME": folder, "QRING_LANG": "en",
        "QRING_SERVER": server.url, "QRING_TOKEN": host.token}
    subprocess.run([QRING, "pass", "print", meeting, name, "--layout", "badge", "--to", "badge.pdf"],
        env=environment, cwd=folder, check=True, capture_output=True, timeout=DEADLINE)
    for kind in "-gray", "-png":
        subprocess.run(["pdftoppm", kind, "-r", "300", "-singlefile", "badge.pdf", "badge"],
            cwd=folder, check=True, timeout=DEADLINE)
    return [os.path.join(folder, f"badge.{kind}") for kind in ("pgm", "png")]


class DoorPageTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        made = self.host.meeting("Study group", identifyBy="number")
        self.meeting, self.session = made["meeting"]["id"], made["session"]["id"]
        self.host.put(f"/api/v1/meetings/{self.meeting}/roster",
            {"people": [{"name": name, "number": number} for name, number in PEOPLE]}).expect(200)
        self.steward = Host(self.server, name="Steward")
        invitation = self.host.post(f"/api/v1/meetings/{self.meeting}/members",
            {"email": self.steward.email, "role": "steward"}).expect(201).json["invitation"]
        self.steward.post("/api/v1/me/invitations", {"invitation": invitation}).expect(200)
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))

    def door(self, **options):
        page = self.enterContext(Browser(PHONE, **options))
        page.driver.get(self.server.url + "/door")
        self.shows(page, "main", "Sign in first")
        page.driver.execute_async_script("""
            const done = arguments[2];
            fetch("/host/sign-in", { method: "POST", headers: { "Content-Type": "application/json" },
                body: JSON.stringify({ email: arguments[0], password: arguments[1], client: "web" }) })
                .then(() => done());
            """, self.steward.email, PASSWORD)
        page.find("main button").click()
        self.shows(page, "#verdict", "Ready")
        self.shows(page, "#counts", "Door 0 · all 0 · expected 3")
        return page

    def shows(self, page, css, *texts):
        for text in texts:
            page.wait_for_text(css, text)

    def click(self, page, text):
        def press():
            found = next((one for one in page.find_all("button") if one.text.strip() == text), None)
            if found:
                found.click()
            return found

        page.wait_for(press)

    def counts(self):
        found = self.host.get(f"/api/v1/sessions/{self.session}").expect(200).json["attendance"]
        return found["checkedIn"], found["awaited"]

    def test_a_camera_and_a_photograph_let_in_by_a_pass(self):
        pgm, png = badge_of("20260043", self.server, self.host, self.meeting, self.folder)
        film = os.path.join(self.folder, "film.y4m")
        film_of(pgm, film)
        page = self.door(camera=film)
        self.click(page, "Scan with the camera")
        self.shows(page, "#verdict", "In", "Lee Jun", "present")
        self.shows(page, "#counts", "Door 1 · all 1 · expected 2")
        self.click(page, "Switch the camera off")
        self.click(page, "Undo")
        self.shows(page, "#verdict", "Undone", "Lee Jun")
        self.assertEqual(self.counts(), (0, 3))
        page.find("input[type=file]").send_keys(png)
        self.shows(page, "#verdict", "In", "Lee Jun")
        self.assertEqual(self.counts(), (1, 2))
        self.assertEqual([line for line in page.complaints() if "401" not in line], [])

    def test_names_numbers_and_a_question_first(self):
        page = self.door()
        line = page.find("#text")
        line.send_keys("20260041\n")
        self.shows(page, "#verdict", "In", "김지수")
        line.send_keys("20260041\n")
        self.shows(page, "#verdict", "Already in", "since")
        line.send_keys("jun")
        self.shows(page, ".people", "Lee Jun", "let in \"jun\" as a walk-in")
        page.find("#asks").click()
        page.find(".people button").click()
        self.shows(page, "#verdict", "Let in?", "Lee Jun")
        self.assertEqual(self.counts(), (1, 2))
        page.find("#verdict button").click()
        self.shows(page, "#verdict", "In", "Lee Jun")
        self.assertEqual(self.counts(), (2, 1))
        page.find("#asks").click()
        line.send_keys("99999999\n")
        self.shows(page, "#verdict", "Not valid", "nobody here has this number")
        # The right ends with the commit.
        self.host.delete(
            f"/api/v1/meetings/{self.meeting}/members/{self.steward.account['id']}").expect(204)
        line.send_keys("20260042\n")
        self.shows(page, "#verdict", "Not checked", "Nobody was let in")
        self.assertEqual(self.counts(), (2, 1))

    def network(self, page, offline=False, latency=0):
        """Lets answers arrive so many milliseconds later, or cuts the page off."""
        page.driver.execute_cdp_cmd("Network.enable", {})
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": offline, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1})

    def recent(self, page):
        """Returns the last verdicts: the colour and the text of each, the newest first."""
        return [(one.get_attribute("class"), one.text.split("\n")) for one in page.find_all(".recent li")]

    def test_a_verdict_that_is_not_green_stops_those_that_wait(self):
        page = self.door()
        self.network(page, latency=1000)
        page.find("#text").send_keys("20260041\n20260041\n20260042\n99999999\n")
        self.shows(page, "#verdict", "Already in", "김지수")
        self.shows(page, ".queue", "2")
        self.assertEqual(page.find("#verdict").get_attribute("class"), "warn")
        self.assertEqual(
            self.recent(page), [("warn", ["김지수", "Already in"]), ("good", ["김지수", "In"])])
        self.assertEqual(self.counts(), (1, 2))
        self.network(page)
        page.find(".queue button").click()
        self.shows(page, "#verdict", "Not valid")
        self.assertEqual([tone for tone, _ in self.recent(page)], ["bad", "good", "warn", "good"])
        self.assertEqual(page.find_all(".queue button"), [])
        # A new input goes on as well.
        page.find("#text").send_keys("20260043\n")
        self.shows(page, "#verdict", "In", "Lee Jun")
        self.assertEqual(self.counts(), (3, 0))

    def test_nothing_replaces_an_open_question(self):
        page = self.door()
        picture = os.path.join(self.folder, "white.png")
        with open(picture, "wb") as file:
            file.write(WHITE)
        page.find("#asks").click()
        line = page.find("#text")
        line.send_keys("20260043\n")
        self.shows(page, "#verdict", "Let in?", "Lee Jun")
        page.find("#asks").click()
        line.send_keys("ㅂㅈㄷ\n")
        self.shows(page, "#note", "Korean letters")
        page.find("input[type=file]").send_keys(picture)
        self.shows(page, "#note", "No QR code")
        line.send_keys("99999999\n" * 21)
        self.shows(page, "#note", "Too many scans")
        self.shows(page, ".queue", "20")
        self.shows(page, "#verdict", "Let in?", "Lee Jun")
        self.assertEqual(self.counts(), (0, 3))
        page.find("#verdict button").click()
        self.shows(page, "#verdict", "Not valid")
        self.shows(page, ".queue", "19")
        self.assertEqual(self.recent(page)[1], ("good", ["Lee Jun", "In"]))
        self.assertEqual(self.counts(), (1, 2))

    def test_a_lost_answer_is_unknown_and_is_asked_for_again(self):
        page = self.door()
        # The server does what the page asks for, and the answers are lost.
        page.driver.execute_script("""
            const send = window.fetch;
            window.fetch = async (path, options) => {
                const answer = await send(path, options);
                if (options?.method === "POST") throw new TypeError("lost");
                return answer;
            };
            window.mend = () => { window.fetch = send; };
            """)
        line = page.find("#text")
        line.send_keys("20260041\n")
        page.wait_for_value(lambda: page.find("#verdict").get_attribute("class"), "bad")
        self.assertEqual(self.counts(), (1, 2))
        self.assertNotIn("Nobody was let in", page.find("#verdict").text)
        # Of two lost answers, the earlier one is in the list, with the same button.
        page.driver.execute_script("window.mend()")
        self.network(page, offline=True)
        line.send_keys("20260042\n")
        page.wait_for(lambda: page.find_all(".recent button"))
        self.shows(page, "#verdict", "Try again")
        self.assertEqual(self.counts(), (1, 2))
        self.network(page)
        page.find(".recent button").click()
        # With another key, the answer would be: already in.
        self.shows(page, "#verdict", "In", "김지수")
        self.assertEqual(page.find("#verdict").get_attribute("class"), "good")
        self.assertEqual(self.counts(), (1, 2))
        page.find(".recent button").click()
        page.wait_for(lambda: [tone for tone, _ in self.recent(page)] == ["good", "good"])
        self.assertEqual(self.counts(), (2, 1))


if __name__ == "__main__":
    unittest.main()
