"""Every page in real browsers through each documented proxy, with the samples in docs/proxies: pages load and
are live."""
import os
import re
import unittest

from api import API
from browser import OWN_ANSWER, PHONE, PROJECTOR, Browser
from host import PASSWORD, Host, code_of
from proxies import Caddy, Nginx, sample
from routes_of_source import patterns_by_address
from server_process import Server, wait_until

CHOICE = {"kind": "multipleChoice", "title": "Drink", "required": True,
    "choices": [{"label": "Tea"}, {"label": "Water"}]}


class SampleTests(unittest.TestCase):
    """The samples without changes."""

    def test_nginx_accepts_its_sample_unchanged(self):
        with Nginx() as nginx:
            site = sample("nginx.conf")
            if os.getuid() != 0:
                # Only the superuser may use ports below 1024.
                site = site.replace("listen 80;", "listen 8080;").replace("listen 443 ", "listen 8443 ")
            found = nginx.prepare().check(site)
            self.assertEqual(found.returncode, 0, found.stderr)
            self.assertNotIn("[warn]", found.stderr)

    def test_caddy_accepts_its_sample_unchanged(self):
        with Caddy() as caddy:
            found = caddy.check(sample("Caddyfile"))
            self.assertEqual(found.returncode, 0, found.stderr)

    def test_the_samples_log_no_line_for_the_paths_whose_log_line_has_no_address(self):
        every, expected = patterns_by_address()
        self.assertGreater(len(expected), 10)
        for name, form in [("nginx.conf", r"location ~ (\S+) \{\s+access_log off;"),
                ("Caddyfile", r"@answers path_regexp (\S+)")]:
            with self.subTest(name):
                silent, = re.findall(form, sample(name))
                found = {one for one in every if re.search(silent, re.sub(r"\{[^}]*\}", "x", one))}
                self.assertEqual(found ^ expected, set())

    def test_the_documents_link_to_the_samples(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "docs", "operations", "network.md"),
                encoding="utf-8") as page:
            text = page.read()
        for name in ["proxies/nginx.conf", "proxies/Caddyfile"]:
            self.assertIn(f"(../{name})", text)


class Pages:
    """For each proxy, the phone's pages, the hall's screen and the host's page."""

    def setUp(self):
        self.proxy = self.enterContext(self.PROXY())
        self.server = self.enterContext(
            Server("--signup", "open", "--trusted-proxy", "loopback", "--public-url", self.proxy.url))
        self.proxy.start(self.server)
        # The operator with the set-up token: through a proxy the first account needs it.
        Host(self.server)
        self.host = Host(self.proxy)
        self.session = self.host.session(session={"questions": [CHOICE], "anonymous": False})
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.host.patch(f"{self.path}/sets/feedback", {"shared": True}).expect(200)

    def test_no_log_names_an_answer_that_no_server_takes(self):
        self.assertEqual(self.server.stop(), 0)
        answer = self.host.post("/api/v1/sessions/x/responses", {"answers": {}}, token=None)
        self.assertEqual(answer.status, 502)
        # A line of another path shows that the log is written.
        self.host.get("/elsewhere", token=None).expect(502)
        wait_until(lambda: "/elsewhere" in self.proxy.log or "502" in self.proxy.log, lambda: self.proxy.log)
        self.assertNotIn("/responses", self.proxy.log)

    def window(self, size):
        return self.enterContext(Browser(size, any_certificate=True))

    def hall(self):
        screen = self.window(PROJECTOR)
        screen.open(self.host.post(f"{self.path}/presenter-links").expect(201).json["url"])
        screen.wait_for_value(lambda: screen.find("#count").text, "0")
        return screen

    def host_page(self):
        page = self.window((1280, 900))
        page.open(f"{self.proxy.url}/host#/sign-in")
        page.find("#f-email").send_keys(self.host.email)
        page.find("#f-password").send_keys(PASSWORD)
        page.find("form button").click()
        page.wait_for(lambda: "sign-in" not in page.driver.current_url)
        page.driver.execute_script("location.hash = arguments[0]", f"#/sessions/{self.session['id']}")
        page.wait_for(lambda: self.present(page) == "0")
        return page

    @staticmethod
    def present(page):
        return page.find(".counts .present dd").get_property("textContent")

    def test_every_page_loads_and_is_live(self):
        phone, hall, page = self.window(PHONE), self.hall(), self.host_page()
        # The check-in page.
        phone.open(self.session["checkInUrl"])
        self.assertTrue(phone.driver.current_url.startswith(self.proxy.url))
        phone.find("#name").send_keys("Kim")
        phone.find("#email").send_keys("kim@example.org")
        phone.find("button[type=submit]").click()
        phone.wait_for_text("#result", "Kim")
        hall.wait_for_value(lambda: hall.find("#count").text, "1")
        page.wait_for(lambda: self.present(page) == "1")
        page.wait_for_text(".newest", "Kim")
        # The feedback form, and shared results on the phone and in the hall.
        hall.find("body").send_keys("r")
        phone.find("fieldset .choice").click()
        phone.find("form.feedback button[type=submit]").click()
        phone.wait_for_text("#result", "Thank you")
        for browser, *place in [(hall, "#tally"), (phone, "#live", OWN_ANSWER), (page, ".board")]:
            browser.wait_for(
                lambda: browser.bars(*place) == [["Tea", "1", "100%"], ["Water", "0", "0%"]])
        # Another person answers through the API: all three change once more.
        lee = API(self.proxy).post("/api/v1/check-ins",
            {"code": code_of(self.session), "name": "Lee", "email": "lee@example.org"}).expect(201).json
        question = self.host.questions(self.session)["multipleChoice"]
        self.host.post(f"{self.path}/responses", {"answers": {question: ["b"]}},
            token=lee["receipt"]).expect(201)
        for browser, *place in [(hall, "#tally"), (phone, "#live", OWN_ANSWER), (page, ".board")]:
            browser.wait_for(
                lambda: sorted(browser.bars(*place)) == [["Tea", "1", "50%"], ["Water", "1", "50%"]])
        # My attendance.
        phone.find("a[href^='/me/']").click()
        phone.wait_for(lambda: "kim@example.org" in phone.find("body").text)
        for browser in [phone, hall, page]:
            self.assertEqual(browser.complaints(), [])
        self.answers_leave_no_line()

    def answers_leave_no_line(self):
        # The server accepts these spellings too: more slashes, and escapes.
        anybody = API(self.proxy)
        session, form = self.session["id"], "/api/answers/nobody"
        for path in [f"{self.path}/responses", f"{self.path}/responses/",
                f"//api//v1/sessions/{session}/respon%73es", form, form + "/", "/feedback", "/feedback//",
                "/f%65edback", f"{self.path}/audience-questions", f"/me/{session}/questions"]:
            anybody.post(path, {"answers": {}})
        anybody.request("OPTIONS", form)
        # If the last request is in the log, all earlier ones are.
        anybody.get("/last-line")
        lines = self.wait_for_line("/last-line")
        self.assertTrue(any("/api/v1/check-ins" in line for line in lines))
        for word in ["responses", "respon%73es", "/api/answers", "/feedback", "/f%65edback",
                "/audience-questions", f"/me/{session}/questions"]:
            self.assertFalse(
                [line for line in lines if word in line and ("POST" in line or "OPTIONS" in line)], word)
            own = [line for line in self.server.log.lines if word in line
                and (" POST " in line or " OPTIONS " in line)]
            self.assertTrue(own, word)
            self.assertFalse([line for line in own if "127.0.0.1" in line], word)

    def wait_for_line(self, text):
        phone = self.window(PHONE)
        phone.wait_for(lambda: text in self.proxy.log)
        return self.proxy.log.splitlines()


class NginxPages(Pages, unittest.TestCase):
    PROXY = Nginx


class CaddyPages(Pages, unittest.TestCase):
    PROXY = Caddy


if __name__ == "__main__":
    unittest.main()
