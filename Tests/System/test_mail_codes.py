"""A host who forgot the password chooses a new one, and verifies the address: by the code of a mail and by
its link, on the page and in the command line."""
import email
import email.policy
import glob
import os
import re
import subprocess
import tempfile

from api import API
from host import PASSWORD, Host
from host_page import HostPageCase
from mail_receiver import Receiver, content
from server_process import DEADLINE, QRING, Server, wait_until

NEW = "a brave new horse"


class Outbox:
    """The mails that a server without a mail server wrote."""

    def __init__(self, server):
        self.folder = os.path.join(server.folder, "outbox")
        self.seen = set()

    def take(self):
        """Waits for the next mail, and returns its code and its link."""
        def fresh():
            return set(glob.glob(os.path.join(self.folder, "*.eml"))) - self.seen

        path = wait_until(fresh).pop()
        self.seen.add(path)
        with open(path, "rb") as file:
            mail = email.message_from_binary_file(file, policy=email.policy.default)
        return code_and_link(content(mail, "plain"))


def code_and_link(text):
    return re.search(r"\b\d{6}\b", text)[0], re.search(r"https?://\S+", text)[0]


def run(host, home, *words):
    """Runs a command of this host without a terminal."""
    return subprocess.run([QRING, *words, "--server", host.server.url, "--lang", "en"],
        env={**Server.environment(), "HOME": home}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, check=False)


class MailCodeTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.outbox = Outbox(cls.server)

    def sign_in(self, host, password):
        return API(self.server).post("/api/v1/tokens", {"email": host.email, "password": password}).status

    def test_the_page_sets_a_new_password_by_the_code(self):
        host = Host(self.server)
        page = self.page()
        page.show("sign-in")
        page.click_text("Forgot password?")
        # The page before has a field of the same name.
        page.wait_for_text("main", "You get a code")
        page.find("#f-email").send_keys(host.email)
        page.click("button[type=submit]")
        page.find("#f-code")
        code, _ = self.outbox.take()
        page.find("#f-code").send_keys("12345")
        page.find("#f-password").send_keys("password123")
        page.click("button[type=submit]")
        page.wait_for_text("#f-password-error", "easy to guess")
        page.fill("#f-password", NEW)
        page.click("button[type=submit]")
        page.wait_for_text("main [role=alert]", "is wrong")
        page.fill("#f-code", f"{code[:3]} {code[3:]}")
        page.click("button[type=submit]")
        page.find("#bar button")
        self.assertEqual((self.sign_in(host, PASSWORD), self.sign_in(host, NEW)), (401, 201))
        self.assertEqual(host.get("/api/v1/me").status, 401)

    def test_the_links_of_the_mails_verify_and_reset_in_korean(self):
        host = Host(self.server)
        page = self.page(language="ko")
        for path, view in [("verifications", "verify"), ("password-resets", "reset")]:
            API(self.server).post(f"/api/v1/accounts/{path}", {"email": host.email}).expect(202)
            link = self.outbox.take()[1]
            self.assertIn(f"/host#/{view}/", link)
            page.driver.get("about:blank")
            page.driver.get(link)
            page.find("main form")
            page.wait_for_text("main", host.email)
            if view == "reset":
                page.find("#f-password").send_keys(NEW)
            page.click("main button[type=submit]")
            page.wait_for(lambda view=view: f"#/{view}" not in page.driver.current_url)
        self.assertTrue(API(self.server).post("/api/v1/tokens",
            {"email": host.email, "password": NEW}).expect(201).json["verified"])

    def test_the_command_line_resets_and_verifies(self):
        host = Host(self.server)
        home = self.enterContext(tempfile.TemporaryDirectory())
        secret = os.path.join(home, "password")
        with open(secret, "w", encoding="ascii") as file:
            file.write(NEW + "\n")
        reset = ("password", "reset", "--email", host.email)
        asked = run(host, home, *reset)
        self.assertEqual((asked.returncode, "10 minutes" in asked.stderr), (0, True), asked.stderr)
        code, _ = self.outbox.take()
        wrong = "000000" if code != "000000" else "111111"
        refused = run(host, home, *reset, "--code", wrong, "--password-file", secret)
        self.assertEqual((refused.returncode, "is wrong" in refused.stderr), (1, True), refused.stderr)
        done = run(host, home, *reset, "--code", code, "--password-file", secret)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.sign_in(host, PASSWORD), self.sign_in(host, NEW)), (401, 201))


class RequiredVerificationTests(HostPageCase):
    """A server that requires verified addresses, and a real mail server."""

    @classmethod
    def setUpClass(cls):
        cls.receiver = cls.enterClassContext(Receiver())
        cls.server = cls.enterClassContext(Server("--signup", "open", "--require-verification", "--smtp-url",
            cls.receiver.url, "--mail-from", "qring@example.org"))

    def mail_to(self, address):
        return wait_until(lambda: next(
            (mail for receiver, mail in self.receiver.wait_for(1) if receiver == address), None))

    def test_a_new_host_verifies_on_the_page_before_anything_else(self):
        for language, subject, title in [
            ("en", "is your QRing verification code", "Meetings"), ("ko", "QRing 인증번호는", "모임")]:
            host = Host(self.server, f"new-{language}@example.org", locale=language)
            refused = host.get("/api/v1/meetings").expect(403).json
            self.assertEqual(refused["code"], "account_not_verified")
            self.assertEqual(host.get("/api/v1/me").expect(200).json["state"], "unverified")
            mail = self.mail_to(host.email)
            self.assertEqual(mail.defects, [])
            self.assertIn(subject, mail["Subject"])
            self.assertEqual(code_and_link(content(mail, "plain"))[0],
                re.search(r">(\d{6})<", content(mail, "html"))[1])
            page = self.page(language=language)
            page.sign_in(host.email)
            page.wait_for(lambda page=page: "#/verify" in page.driver.current_url)
            page.find("#f-email")
            page.click("main button[type=submit]")
            page.find("#f-code").send_keys(code_and_link(content(mail, "plain"))[0])
            page.click("main button[type=submit]")
            page.wait_for(lambda page=page: "#/verify" not in page.driver.current_url)
            host.get("/api/v1/meetings").expect(200)
            self.assertEqual(host.get("/api/v1/me").json["state"], "active")

    def test_the_code_of_a_sign_up_has_a_handle_of_its_own(self):
        api, address = API(self.server), "handled@example.org"
        made = api.post("/api/v1/accounts",
            {"email": address, "password": PASSWORD, "name": "Han"}).expect(201).json
        code, _ = code_and_link(content(self.mail_to(address), "plain"))

        def verify(handle):
            return api.put("/api/v1/accounts/verifications", {"email": address, "code": code, **handle})

        verify({"handle": "another"}).expect(422)
        verify({"handle": made["codeHandle"]}).expect(200, 204)
        token = api.post("/api/v1/tokens", {"email": address, "password": PASSWORD}).expect(201).json
        self.assertNotIn("codeHandle", api.get("/api/v1/me", token=token["accessToken"]).expect(200).json)

    def test_the_page_shows_the_code_of_a_sign_up_with_its_handle(self):
        address = "signed-up@example.org"
        page = self.page()
        page.show("sign-up")
        for field, text in [("email", address), ("password", PASSWORD), ("name", "Han")]:
            page.find(f"#f-{field}").send_keys(text)
        page.click("#f-terms")
        page.click("button[type=submit]")
        page.wait_for(lambda: "#/verify" in page.driver.current_url)
        code, _ = code_and_link(content(self.mail_to(address), "plain"))
        # Strangers use up the guesses without a handle, so the right code needs its handle.
        wrong = "000000" if code != "000000" else "111111"
        for typed in [wrong] * 100 + [code]:
            API(self.server).put("/api/v1/accounts/verifications",
                {"email": address, "code": typed}).expect(422)
        page.find("#f-email")
        page.click("main button[type=submit]")
        page.find("#f-code").send_keys(code)
        page.click("main button[type=submit]")
        page.wait_for(lambda: "#/verify" not in page.driver.current_url)

    def test_the_command_line_says_that_the_address_must_be_verified_and_verifies_it(self):
        host = Host(self.server)
        home = self.enterContext(tempfile.TemporaryDirectory())
        secret = os.path.join(home, "password")
        with open(secret, "w", encoding="ascii") as file:
            file.write(PASSWORD + "\n")
        signed_in = run(host, home, "login", "--email", host.email, "--password-file", secret)
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)
        self.assertIn("qring verify", signed_in.stderr)
        refused = run(host, home, "meeting", "list")
        self.assertEqual(refused.returncode, 4, refused.stderr)
        self.assertIn("Enter the code from the mail", refused.stderr)
        code, _ = code_and_link(content(self.mail_to(host.email), "plain"))
        done = run(host, home, "verify", "--email", host.email, "--code", code)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run(host, home, "meeting", "list").returncode, 0)

    def test_without_a_mail_server_it_does_not_start(self):
        done = subprocess.run(
            [QRING, "serve", "--data", self.enterContext(tempfile.TemporaryDirectory()), "--listen",
             "127.0.0.1:0", "--require-verification"], capture_output=True, text=True, timeout=DEADLINE,
            env=Server.environment(), check=False)
        self.assertEqual((done.returncode, "--smtp-url" in done.stderr), (1, True), done.stderr)
