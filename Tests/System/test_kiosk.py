"""An evening at a kiosk: guests type letters or show a pass, the network is lost, and a host ends it."""
import os
import subprocess
import tempfile
import unittest

import axe
from browser import Browser
from selenium.webdriver import ActionChains
from host import Host
from server_process import DEADLINE, QRING, Server
from test_door_page import badge_of, film_of

TABLET = (1024, 768)
PEOPLE = [("김지수", "20260041"), ("김지수", "20260042"), ("Lee Jun", "20260043"), ("Park Min", "20260044"),
    ("Park Minseo", "20260045")]
# The pauses of the page, five times as short. A request has its usual time.
FAST = """
    const usual = window.setTimeout;
    window.setTimeout = (run, pause, ...values) => usual(run, pause >= 3000 ? pause / 5 : pause, ...values);
    """


# Searches at once, and repeats a lost request at once. `sent` has the names and scanned texts of all
# requests. They wait while `hold` is true. Each function in `answers` makes the next answer.
WATCHED = """
    const [usual, send] = [window.setTimeout, window.fetch];
    window.setTimeout = (run, pause, ...values) =>
        usual(run, [700, 3000].includes(pause) ? 0 : pause, ...values);
    Object.assign(window, { sent: [], hold: false, held: [], answers: [] });
    window.fetch = async (path, options) => {
        if (options?.method !== "POST") return send(path, options);
        const { name, scan } = JSON.parse(options.body);
        window.sent.push(scan ?? name);
        if (window.hold) await new Promise((resolve) => window.held.push(resolve));
        return window.answers.shift()?.() ?? send(path, options);
    };
    window.release = () => { window.hold = false; window.held.splice(0).forEach((resolve) => resolve()); };
    """
# Types as fast as a scanner, and ends with Enter.
SCAN = """
    const input = document.getElementById("text");
    for (const letter of arguments[0]) {
        input.value += letter;
        input.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    input.form.requestSubmit();
    """


class KioskTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        made = self.host.meeting("Study group", identifyBy="number")
        self.meeting, self.session = made["meeting"]["id"], made["session"]["id"]
        self.host.put(f"/api/v1/meetings/{self.meeting}/roster",
            {"people": [{"name": name, "number": number} for name, number in PEOPLE]}).expect(200)
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))

    def qring(self, *arguments):
        environment = {**Server.environment(), "XDG_CONFIG_HOME": self.folder, "QRING_LANG": "en",
            "QRING_SERVER": self.server.url, "QRING_TOKEN": self.host.token}
        return subprocess.run([QRING, *arguments], env=environment, check=True, capture_output=True,
            text=True, timeout=DEADLINE).stdout.strip()

    def kiosk(self, script="", **options):
        page = self.enterContext(Browser(TABLET, **options))
        page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        page.open(self.qring("copy", self.session, "kiosk"))
        self.shows(page, "Welcome")
        self.assertNotIn("#", page.driver.current_url)
        page.wait_for_text("#name", "Study group")
        return page

    def shows(self, page, *texts):
        for text in texts:
            page.wait_for_text("#state", text)

    def press(self, page, text, css="button"):
        def found():
            one = next((one for one in page.find_all(css) if one.text.strip() == text), None)
            if one:
                one.click()
            return one

        page.wait_for(found)

    def type(self, page, text):
        """Types into the line after the text before has gone."""
        page.wait_for_value(lambda: page.find("#text").get_attribute("value"), "")
        page.find("#text").send_keys(text)

    def network(self, page, offline):
        page.driver.execute_cdp_cmd("Network.enable", {})
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

    def counts(self):
        found = self.host.get(f"/api/v1/sessions/{self.session}").expect(200).json["attendance"]
        return found["checkedIn"], found["awaited"]

    def test_an_evening(self):
        page = self.kiosk()
        self.type(page, "lee")
        self.shows(page, "Is this you: lee…?")
        self.press(page, "Yes, check me in")
        self.shows(page, "Welcome, lee…", "You are checked in.")
        self.assertEqual(self.counts(), (1, 4))
        # The next guest needs to press nothing.
        self.type(page, "par")
        self.shows(page, "Type more of your name")
        page.find("#text").send_keys("k mins")
        self.shows(page, "Is this you: park mins…?")
        self.press(page, "No, start again")
        self.assertEqual(self.counts(), (1, 4))
        # Two people have this name. All is done with the keyboard.
        self.type(page, "김지수\n")
        self.shows(page, "Several people have this name")
        page.driver.switch_to.active_element.send_keys("42\n")
        self.shows(page, "Is this you: 김지수?")
        page.wait_for(lambda: "Yes" in page.driver.switch_to.active_element.text)
        page.driver.switch_to.active_element.send_keys("\n")
        self.shows(page, "Welcome, 김지수")
        self.assertEqual(self.counts(), (2, 3))
        # A student card tells no name.
        self.type(page, "20260044\n")
        self.shows(page, "Welcome", "You are checked in.")
        self.assertNotIn("Park", page.find("#state").text)
        self.assertEqual(self.counts(), (3, 2))
        self.type(page, "20260044\n")
        self.shows(page, "You are in already")
        self.type(page, "zzz\n")
        self.shows(page, "Nobody was found")
        self.press(page, "Start again")
        self.type(page, "ㅂㅈㄷㄱ\n")
        self.shows(page, "Type whole syllables")
        self.press(page, "Start again")
        # A guest's language ends with the guest.
        self.press(page, "한국어")
        self.shows(page, "환영합니다")
        self.type(page, "없는이름\n")
        self.shows(page, "찾을 수 없습니다")
        self.press(page, "처음부터")
        self.shows(page, "Welcome")
        self.assertEqual(page.complaints(), [])

    def test_a_pass_before_the_camera(self):
        pgm, _ = badge_of("20260043", self.server, self.host, self.meeting, self.folder)
        film = os.path.join(self.folder, "film.y4m")
        film_of(pgm, film)
        page = self.kiosk(camera=film)
        self.assertEqual(page.find_all("video"), [])
        self.press(page, "Show a pass to the camera")
        self.shows(page, "Welcome, Lee Jun")
        self.press(page, "Switch the camera off")
        self.assertEqual(page.find_all("video"), [])
        self.assertEqual(self.counts(), (1, 4))

    def test_a_lost_network_keeps_the_text_and_checks_in_once(self):
        page = self.kiosk()
        self.type(page, "lee")
        self.shows(page, "Is this you: lee…?")
        # The server checks the guest in, and the answer is lost.
        page.driver.execute_script("""
            const send = window.fetch;
            window.fetch = async (path, options) => {
                const answer = await send(path, options);
                if (options?.method === "POST") { window.fetch = send; throw new TypeError("lost"); }
                return answer;
            };
            """)
        self.press(page, "Yes, check me in")
        self.shows(page, "No connection", "Your input is kept")
        self.assertEqual(page.find("#text").get_attribute("value"), "lee")
        # With another key, the answer would be: already in.
        self.shows(page, "Welcome, lee…")
        self.assertEqual(self.counts(), (1, 4))
        self.network(page, offline=True)
        self.type(page, "park minseo")
        self.shows(page, "No connection")
        self.assertEqual(page.find("#text").get_attribute("value"), "park minseo")
        self.network(page, offline=False)
        self.shows(page, "Is this you: Park Minseo?")

    def sent(self, page):
        return page.driver.execute_script("return window.sent")

    def test_slow_letters_of_an_unknown_name_and_two_searches_of_one_name_ask_once(self):
        page = self.kiosk(WATCHED)
        self.type(page, "zzz")
        self.shows(page, "Nobody was found")
        for letter in "abc ":
            page.find("#text").send_keys(letter)
            self.shows(page, "Nobody was found")
        page.driver.execute_script("window.hold = true")
        page.find("#text").clear()
        page.find("#text").send_keys("lee")
        page.wait_for(lambda: "lee" in self.sent(page))
        # A space is no other text, and the key Enter no other search.
        page.find("#text").send_keys(" \n")
        page.driver.execute_script("window.release()")
        self.shows(page, "Is this you: lee…?")
        page.wait_for(lambda: "Yes" in page.driver.switch_to.active_element.text)
        self.assertEqual(self.sent(page), ["zzz", "lee"])

    def test_a_scanner_types_behind_letters_and_into_the_line_for_an_ending(self):
        page = self.kiosk()
        self.type(page, "par")
        self.shows(page, "Type more of your name")
        page.driver.execute_script(SCAN, "20260044")
        self.shows(page, "Welcome", "You are checked in.")
        self.assertEqual(self.counts(), (1, 4))
        self.type(page, "김지수\n")
        self.shows(page, "Several people have this name")
        page.driver.switch_to.active_element.send_keys("20260042\n")
        self.shows(page, "Welcome", "You are checked in.")
        self.assertEqual(self.counts(), (2, 3))

    def test_a_pass_waits_for_the_guest_before_it_and_a_press_for_another_question_is_none(self):
        pgm, _ = badge_of("20260043", self.server, self.host, self.meeting, self.folder)
        film = os.path.join(self.folder, "film.y4m")
        film_of(pgm, film)
        page = self.kiosk(WATCHED, camera=film)
        self.type(page, "park mins")
        self.shows(page, "Is this you: park mins…?")
        # The next guest begins while a finger is on the button.
        button = page.find("#state button")
        ActionChains(page.driver).click_and_hold(button).perform()
        page.driver.execute_script(SCAN.replace("input.form.requestSubmit();", ""), "e")
        ActionChains(page.driver).release().perform()
        self.shows(page, "Is this you: park minse…?")
        self.assertEqual(self.counts(), (0, 5))
        page.driver.execute_script("window.hold = true")
        self.press(page, "Yes, check me in")
        page.wait_for(lambda: len(self.sent(page)) == 3)
        self.press(page, "Show a pass to the camera")
        page.wait_for_text("main .note", "One moment")
        page.driver.execute_script("window.release()")
        self.shows(page, "Welcome, park minse…")
        self.shows(page, "Welcome, Lee Jun")
        self.assertEqual(self.counts(), (2, 3))

    def test_only_the_server_closes_a_kiosk_and_a_lost_network_leads_to_the_staff(self):
        page = self.kiosk(WATCHED)
        page.driver.execute_script("""
            window.answers.push(() => new Response("<p>Sign in to this network.", { status: 403 }));
            """)
        self.type(page, "lee")
        self.shows(page, "Is this you: lee…?")
        page.driver.execute_script("""
            const wait = (time) => new Response('{"code": "too_many_attempts"}',
                { status: 429, headers: { "Retry-After": time } });
            window.answers.push(() => wait("45"), () => wait("300"));
            for (let count = 0; count < 30; count += 1)
                window.answers.push(() => Promise.reject(new TypeError("lost")));
            """)
        self.press(page, "Yes, check me in")
        self.shows(page, "Please wait a minute")
        page.find("#text").send_keys("\n")
        self.shows(page, "Please ask the staff", "A pass still works")
        page.find("#text").send_keys("\n")
        self.shows(page, "Please ask the staff", "They can check you in.")
        self.assertEqual(page.driver.execute_script("return window.answers.length"), 9)
        self.assertEqual(self.counts(), (0, 5))

    def test_the_text_goes_when_the_guest_goes(self):
        page = self.kiosk(FAST)
        self.type(page, "pa")
        self.type(page, "par")
        self.shows(page, "Type more of your name")
        page.wait_for_value(lambda: page.find("#text").get_attribute("value"), "")
        self.shows(page, "Welcome")
        self.assertEqual(self.counts(), (0, 5))

    def test_a_revoked_link_closes_the_kiosk_at_once(self):
        page = self.kiosk(FAST)
        links = f"/api/v1/sessions/{self.session}/presenter-links"
        (link,) = self.host.get(links).expect(200).json["items"]
        self.assertEqual(link["purpose"], "kiosk")
        self.assertIn("kiosk", self.qring("present", self.session, "--list"))
        self.host.delete(f"{links}/{link['id']}").expect(204)
        # Without any guest.
        self.shows(page, "This kiosk is closed", "Please ask the staff")
        self.assertFalse(page.find("#text").is_displayed())
        self.assertEqual(page.driver.execute_script("return sessionStorage.length"), 0)
        page.driver.refresh()
        self.shows(page, "This kiosk has no link")

    def test_each_screen_shows_all_of_it_to_everybody(self):
        page = self.kiosk()
        for width, height in [TABLET, (768, 1024), (360, 640)]:
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700})
            for scheme in ["light", "dark"]:
                page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                for language, name in [("English", "Type your name"), ("한국어", "이름을 입력하세요")]:
                    with self.subTest(width=width, scheme=scheme, language=language):
                        self.press(page, language)
                        page.wait_for_text("main", name)
                        self.assertLessEqual(page.width_of_content(), width)
                        self.assertEqual(axe.violations(page.driver), [])
                        self.type(page, "lee\n")
                        page.wait_for(lambda: "lee…" in page.find("#state").text)
                        self.assertLessEqual(page.width_of_content(), width)
                        self.assertEqual(axe.violations(page.driver), [])
                        page.find("#state button.plain").click()


if __name__ == "__main__":
    unittest.main()
