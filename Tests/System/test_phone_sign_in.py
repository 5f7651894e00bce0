"""A host signs in with a code on the phone, which the operator's service delivers: on the page and in the
command line, from the first screen to the withdrawal, in both languages."""
import email
import email.policy
import glob
import hashlib
import hmac
import http.client
import http.server
import itertools
import json
import os
import re
import subprocess
import tempfile
import threading
import time
import unittest

from api import API
from host import PASSWORD, Host
from host_page import HostPageCase
from mail_receiver import content
from server_process import DEADLINE, QRING, Server, wait_until

SECRET = "a secret of the operator"
_numbers = itertools.count(10_000_000)


class Hook:
    """The operator's service for codes. `status` and `body` are its answer, `answers` its statuses for single
    platforms; it checks each signature."""

    def __init__(self):
        self.status, self.body, self.messages, self.attempts, self.seen = 204, b"", [], 0, 0
        self.answers = {}
        self.changed = threading.Condition()
        hook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                signature = self.headers["QRing-Signature"]
                stamp, mark = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", signature).groups()
                right = hmac.new(SECRET.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
                is_good = right == mark and abs(time.time() - int(stamp)) < 60
                with hook.changed:
                    hook.attempts += 1
                    status = hook.answers.get(json.loads(body).get("platform"), hook.status)
                    status = status if is_good else 401
                    if status == 204:
                        hook.messages.append(json.loads(body))
                    hook.changed.notify_all()
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(hook.body)))
                self.end_headers()
                self.wfile.write(hook.body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/codes"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def take(self, seconds=DEADLINE):
        """Waits for the next message and returns it."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.messages) > self.seen, seconds), self.attempts
            self.seen += 1
            return self.messages[self.seen - 1]

    def wait_for_attempts(self, count):
        with self.changed:
            assert self.changed.wait_for(lambda: self.attempts >= count, DEADLINE), self.attempts


def number():
    return f"010{next(_numbers)}"


class PhoneSignInTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.hook = cls.enterClassContext(Hook())
        cls.home = cls.enterClassContext(tempfile.TemporaryDirectory())
        secret = os.path.join(cls.home, "secret")
        with open(secret, "w", encoding="ascii") as file:
            file.write(SECRET + "\n")
        cls.server = cls.enterClassContext(Server("--signup", "open", "--phone-hook-url", cls.hook.url,
            "--phone-hook-secret-file", secret, "--phone-codes-per-hour", "100000"))
        # The first account is the operator's, which no code opens.
        Host(cls.server)

    def setUp(self):
        self.hook.status = 204

    def run_command(self, *words):
        return subprocess.run([QRING, *words, "--server", self.server.url, "--lang", "ko"],
            env={**Server.environment(), "HOME": self.home}, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, check=False)

    def test_the_page_signs_in_by_phone_and_deletes_the_account_by_a_code(self):
        for language, text, sign_in, leave, send in [
            ("en", "is your QRing code", "Sign in by phone", "Delete my account", "Send the code"),
            ("ko", "[QRing] 인증번호는", "휴대폰으로 로그인", "계정 삭제", "인증번호 보내기")]:
            phone = number()
            page = self.page(language=language)
            page.show("sign-in")
            page.click_text(sign_in)
            page.find("#f-phone").send_keys("12")
            page.click("main button[type=submit]")
            page.wait_for(lambda page=page: page.find("#f-phone-error").text)
            page.fill("#f-phone", phone)
            page.click("main button[type=submit]")
            page.find("#f-code")
            message = self.hook.take()
            self.assertEqual((message["to"], message["language"]), ("+82" + phone[1:], language))
            self.assertIn(text, message["text"])
            self.assertIn(message["code"], message["text"])
            page.find("#f-code").send_keys(message["code"])
            page.click("main button[type=submit]")
            page.wait_for(lambda page=page: "#/account" in page.driver.current_url)
            page.find("#f-confirm")
            page.wait_for_text("main", "+82" + phone[1:])
            page.click_text(leave)
            page.click_text(send)
            code = self.hook.take()["code"]
            page.fill("#f-code", code)
            page.find("#f-confirm").send_keys("+82" + phone[1:])
            page.press(page.find("details.dangerous form button[type=submit]"))
            page.wait_for(lambda page=page: "#/sign-in" in page.driver.current_url)

    def test_the_command_line_signs_in_by_phone_and_deletes_the_account(self):
        phone = number()
        asked = self.run_command("login", "--phone", phone)
        self.assertEqual((asked.returncode, "10분" in asked.stderr), (0, True), asked.stderr)
        message = self.hook.take()
        self.assertEqual(message["language"], "ko")
        done = self.run_command("login", "--phone", phone, "--code", message["code"], "--name", "김하늘")
        self.assertEqual((done.returncode, "새 계정" in done.stderr), (0, True), done.stderr)
        me = self.run_command("whoami")
        self.assertIn(f"김하늘 <+82{phone[1:]}>", me.stdout)
        self.assertEqual(self.run_command("account", "delete", "--yes").returncode, 0)
        code = self.hook.take()["code"]
        left = self.run_command("account", "delete", "--yes", "--code", code)
        self.assertEqual(left.returncode, 0, left.stderr)
        self.assertEqual(self.run_command("whoami").returncode, 4)

    def test_three_hundred_people_sign_in_while_their_address_guesses_passwords_and_codes(self):
        api, hosts = API(self.server), [Host(self.server) for _ in range(10)]
        # A hundred guesses put the passwords of the address behind those of others.
        for guess in range(100):
            email = hosts[guess].email if guess < len(hosts) else f"nobody{guess}@example.org"
            api.post("/api/v1/tokens", {"email": email, "password": f"a wrong guess {guess}"}).expect(401)
        for _ in range(300):
            phone = number()
            api.post("/api/v1/phone-tokens", {"phone": phone}).expect(202)
            message = self.hook.take()
            self.assertEqual(message["to"], "+82" + phone[1:])
            api.put("/api/v1/phone-tokens", {"phone": phone, "code": message["code"]}).expect(201)
        other = Host(self.server)
        api.post("/api/v1/tokens", {"email": other.email, "password": PASSWORD}).expect(201)

    def test_a_strangers_wrong_codes_end_no_code_and_a_new_code_ends_no_older_one(self):
        api, victim = API(self.server), {"phone": number()}
        sent = api.post("/api/v1/phone-tokens", victim).expect(202).json
        right = self.hook.take()["code"]
        wrong = [f"{(int(right) + step) % 1_000_000:06}" for step in range(1, 101)]
        # A stranger asks again, and gets no handle and no message.
        again = api.post("/api/v1/phone-tokens", victim).expect(202).json
        self.assertNotIn("handle", again)
        self.assertEqual(again["nextMessageAt"], sent["nextMessageAt"])
        for code in wrong[:5]:
            api.put("/api/v1/phone-tokens", {**victim, "code": code}).expect(422)
        for code in wrong[5:]:
            api.put("/api/v1/phone-tokens", {**victim, "code": code, "handle": "x"}).expect(422)
        shown = {**victim, "code": right, "handle": sent["handle"]}
        api.put("/api/v1/phone-tokens", shown).expect(201)
        api.put("/api/v1/phone-tokens", shown).expect(422)

    def test_a_client_without_a_handle_gets_a_hundred_guesses(self):
        api, victim = API(self.server), {"phone": number()}
        sent = api.post("/api/v1/phone-tokens", victim).expect(202).json
        right = self.hook.take()["code"]
        for step in range(1, 101):
            code = f"{(int(right) + step) % 1_000_000:06}"
            api.put("/api/v1/phone-tokens", {**victim, "code": code}).expect(422)
        api.put("/api/v1/phone-tokens", {**victim, "code": right}).expect(422)
        api.put("/api/v1/phone-tokens", {**victim, "code": right, "handle": sent["handle"]}).expect(201)

    def test_a_service_that_is_down_or_redirects_gets_the_code_again_and_delays_no_request(self):
        self.hook.status = 302
        before = self.hook.attempts
        phone = number()
        begin = time.monotonic()
        API(self.server).post("/api/v1/phone-tokens", {"phone": phone}).expect(202)
        self.assertLess(time.monotonic() - begin, DEADLINE)
        self.hook.wait_for_attempts(before + 1)
        self.server.log.wait_for_match("codes to phones cannot be sent and wait: 302")
        self.hook.status = 204
        message = self.hook.take(DEADLINE * 2)
        self.assertEqual(message["to"], "+82" + phone[1:])
        self.assertFalse([line for line in self.server.log.lines if phone[1:] in line])


class FloodTests(HostPageCase):
    """One client asks for codes to numbers that it invents."""

    def serve(self, *options):
        hook = self.enterContext(Hook())
        home = self.enterContext(tempfile.TemporaryDirectory())
        secret = os.path.join(home, "secret")
        with open(secret, "w", encoding="ascii") as file:
            file.write(SECRET + "\n")
        server = self.enterContext(Server("--signup", "open", "--phone-hook-url", hook.url,
            "--phone-hook-secret-file", secret, *options))
        self.server = server
        return server, hook

    def ask(self, server, *, source="127.0.0.1", **headers):
        """Asks for a code to a new number. Returns the number, and the answer."""
        phone = number()
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE,
            source_address=(source, 0))
        connection.request("POST", "/api/v1/phone-tokens", json.dumps({"phone": phone}),
            {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        body = json.loads(response.read())
        connection.close()
        return "+82" + phone[1:], response, body

    def test_a_thousand_requests_of_one_address_leave_the_messages_of_others(self):
        server, hook = self.serve()
        host = Host(server)
        begin = time.monotonic()
        answers = [self.ask(server)[1:] for _ in range(1010)]
        seconds = time.monotonic() - begin
        sent = sum(response.status == 202 for response, _ in answers)
        # 60 are free, and later ones come by the square root of the time, 300 in an hour.
        most = 60 + 241 * (seconds / 3600) ** 0.5 + 1
        self.assertTrue(60 <= sent <= most, (sent, most))
        for _ in range(sent):
            hook.take()
        for response, body in answers:
            if response.status == 429:
                self.assertEqual(body["code"], "too_many_code_requests")
                self.assertGreater(int(response.headers["Retry-After"]), 0)
        # A client with a sign-in at the same address, and one without at another address.
        mark = {"Authorization": f"Bearer {host.token}"}
        for phone, response, body in [self.ask(server, **mark), self.ask(server, source="127.0.0.2")]:
            self.assertEqual((response.status, "handle" in body), (202, True), body)
            self.assertEqual(hook.take()["to"], phone)

    def test_whoever_waits_is_told_for_how_long_and_the_operator_is_warned(self):
        server, _ = self.serve("--phone-codes-per-hour", "20")
        operator = Host(server, name="Oh Operator")
        self.assertEqual(self.ask(server)[1].status, 202)
        page = self.page()
        page.show("phone")
        page.fill("#f-phone", number())
        page.click("main button[type=submit]")
        page.wait_for_text("main [role=alert]", "Ask for yours again in 60 minutes")
        done = subprocess.run([QRING, "login", "--phone", number(), "--server", server.url, "--lang", "ko"],
            env=Server.environment(), capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertIn("60분 뒤에 다시 요청하세요", done.stderr)
        for last in range(2, 11):
            self.assertEqual(self.ask(server, source=f"127.0.0.{last}")[1].status, 202)
        self.assertEqual(self.ask(server, source="127.0.0.99")[1].status, 429)
        server.log.wait_for_match("warning: the budget of codes by phone: it runs low")
        server.log.wait_for_match("warning: the budget of codes by phone: the rest is kept")
        metrics = API(server).get("/metrics").expect(200).text
        self.assertIn('qring_code_budget_used_unmarked{channel="phone"} 10', metrics)
        operator.sign_in()
        page = self.page()
        page.sign_in(operator.email)
        page.show("operator")
        page.wait_for_text("main", "Phones: 10 of 20")
        page.wait_for_text("main strong[role=alert]", "Used up for new people")


class WithoutService(unittest.TestCase):
    def test_without_a_service_the_codes_are_files_and_one_line_says_so(self):
        server = self.enterContext(Server("--signup", "open"))
        Host(server)
        API(server).post("/api/v1/phone-tokens", {"phone": "+821099998888"}).expect(202)
        server.log.wait_for_match("no service for codes to phones is set")
        path = wait_until(lambda: glob.glob(os.path.join(server.folder, "outbox", "*.eml")))[0]
        with open(path, "rb") as file:
            mail = email.message_from_binary_file(file, policy=email.policy.default)
        self.assertIn("+821099998888", mail["To"])
        self.assertRegex(content(mail, "plain"), r"\d{6} is your QRing code")

    def test_a_server_needs_a_secret_and_https_for_its_service(self):
        for url, words in [("https://sms.example.org/codes", "QRING_PHONE_HOOK_SECRET"),
            ("http://sms.example.org/codes", "https://")]:
            folder = self.enterContext(tempfile.TemporaryDirectory())
            done = subprocess.run(
                [QRING, "serve", "--listen", "127.0.0.1:0", "--data", folder, "--phone-hook-url", url],
                capture_output=True, text=True, timeout=DEADLINE, env=Server.environment(), check=False)
            self.assertIn(done.returncode, (1, 2))
            self.assertIn(words, done.stderr)
