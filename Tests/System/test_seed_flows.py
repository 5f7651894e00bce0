"""The life of an account from the first screen to the withdrawal: a sign-up with e-mail address and password,
and a sign-in by phone. In a real Chromium and by the command line, in both languages."""
import os
import tempfile

from api import API
from axe import violations
from browser import PHONE
from host import PASSWORD, Host, check_in, code_of
from host_page import WIDE, HostPageCase
from server_process import Server
from test_command_line import Terminal
from test_phone_sign_in import SECRET, Hook, number

ENTER = "\ue007"
TAB = "\ue004"
WORDS = {
    "en": {"need": "Still needed: Your name, Interests.", "wrong": "To check: Phone.", "valid": "Valid",
        "invalid": "Check this", "needed": "Needed", "mine": "profile of your account",
        "email": "Still needed: E-mail address.", "code": "Send the code", "leave": "Delete my account"},
    "ko": {"need": "아직 입력하지 않은 항목: 이름, 관심사.", "wrong": "확인할 항목: 전화번호.",
        "valid": "올바름", "invalid": "확인 필요", "needed": "필수", "mine": "계정의 프로필로",
        "email": "아직 입력하지 않은 항목: 이메일.", "code": "인증번호 보내기", "leave": "계정 삭제"},
}


class Flows(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.hook = cls.enterClassContext(Hook())
        secret = os.path.join(cls.enterClassContext(tempfile.TemporaryDirectory()), "secret")
        with open(secret, "w", encoding="ascii") as file:
            file.write(SECRET + "\n")
        cls.server = cls.enterClassContext(Server("--signup", "open", "--signup-form", "full",
            "--interests", "3", "--require-interests", "--phone-hook-url", cls.hook.url,
            "--phone-hook-secret-file", secret))
        cls.host = Host(cls.server, interests=["chess", "tea", "walks"])
        cls.session = cls.host.session(session={"questions": []})
        cls.host.patch(f"/api/v1/sessions/{cls.session['id']}/matching-settings",
            {"open": True}).expect(200)
        cls.anybody = API(cls.server)

    def take_part(self, name, *keywords, **ages):
        """Another attendee of the session opts in. Returns the receipt."""
        arrived = check_in(self.anybody, self.session, name, f"{name.lower()}@example.org").expect(201).json
        self.anybody.put(f"/api/v1/sessions/{self.session['id']}/matching/me",
            {"nickname": name, "keywords": list(keywords), **ages}, token=arrived["receipt"]).expect(200)
        return arrived["receipt"]

    def candidates(self, receipt):
        seen = self.anybody.get(f"/api/v1/sessions/{self.session['id']}/matching", token=receipt)
        return [one["keywords"] for one in seen.expect(200).json["candidates"]]


class PageFlows(Flows):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.receipts = {}
        case = cls("page")
        cls.browser = case.page(PHONE)
        cls.addClassCleanup(case.doCleanups)
        # The first sees everybody who gives no age, the second only people of 20 to 39.
        cls.receipts["any"] = cls.take_part(case, "Zoe", "tea")
        cls.receipts["old"] = cls.take_part(case, "Yan", "go", age=70)
        cls.receipts["young"] = cls.take_part(case, "Xia", "go", age=30)

    def start(self, language):
        """Returns the browser at the first screen in this language, on a phone or a wide screen."""
        page = self.browser
        page.open(self.server.url)
        page.driver.delete_all_cookies()
        page.driver.execute_script("localStorage.clear()")
        page.base = self.server.url + f"/host?lang={language}"
        page.show("sign-in")
        return page, WORDS[language]

    def next(self, page):
        page.click("main button[type=submit]")

    def state(self, page, field):
        return page.find(f"#f-{field}-state").text.strip()

    def missing(self, page):
        return page.find("#f-missing").text

    def check(self, page):
        """The page has no findings of axe-core, and no overflow, on both sizes and with both colours."""
        for size, scheme in [(WIDE, "dark"), (PHONE, "light")]:
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": size[0],
                "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})
            page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": "reduce"}]})
            self.assertEqual(violations(page.driver), [])
            self.assertLessEqual(page.width_of_content(), size[0])

    def join(self, page, name, email):
        """Checks in and takes part in groups of interest with what the account allows. Returns the page."""
        page.open(f"{self.server.url}/C/{code_of(self.session)}?lang={page.base[-2:]}")
        for field, text in [("#name", name), ("#email", email)]:
            page.find(field).clear()
            page.find(field).send_keys(text)
        page.find("form.check-in button[type=submit]").click()
        page.wait_for_text("#result", name)
        page.wait_for(lambda: page.find(".parts [data-part=groups] a").is_displayed())
        page.find(".parts [data-part=groups] a").click()
        page.wait_for(lambda: page.find("#nickname"))
        text = page.find("main").text
        filled = [page.find(f"#{one}").get_property("value")
            for one in ["nickname", "keywords", "age", "ageMin", "ageMax"]]
        self.assertEqual(violations(page.driver), [])
        page.driver.execute_script("document.querySelector('#nickname').form.requestSubmit()")
        page.wait_for(lambda: page.find("#groups[data-state=searching]"))
        return text, filled

    def fill_profile(self, page, nickname, birth, *, interests=()):
        page.wait_for(lambda: page.find("#f-nickname"))
        if birth:
            page.fill("#f-birthDate", birth)
        for word in interests:
            page.find("#f-chips").send_keys(word, ENTER)

        page.press(page.find("form:has(#f-name) button[type=submit]"))
        page.wait_for(lambda: page.find("#said").text in ("Saved.", "저장했습니다."))
        page.find("#f-nickname").send_keys(nickname)
        page.find("#f-ageMin").send_keys("20")
        page.find("#f-ageMax").send_keys("9", TAB)
        self.assertIn(WORDS[page.base[-2:]]["invalid"], page.find("#f-ageMax-state").text)
        page.find("#f-ageMax").clear()
        page.find("#f-ageMax").send_keys("39", TAB)
        self.assertIn(WORDS[page.base[-2:]]["valid"], page.find("#f-ageMax-state").text)
        page.press(page.find("#f-searchable"))
        page.press(page.find("form:has(#f-nickname) button[type=submit]"))
        page.wait_for(lambda: self.me(page).get("searchable"))
        self.assertEqual(self.me(page)["ageRange"], {"min": 20, "max": 39})

    def me(self, page):
        return page.driver.execute_async_script(
            "fetch('/api/v1/me').then((it) => it.json()).then(arguments[0])")

    def leave(self, page, words, address, prove):
        page.show("account")
        page.wait_for(lambda: page.find("#f-confirm"))
        page.click_text(words["leave"])
        prove()
        page.find("#f-confirm").send_keys(address)
        page.press(page.find("details.dangerous form button[type=submit]"))
        page.wait_for(lambda: "#/sign-in" in page.driver.current_url)
        self.assertEqual(self.me(page)["code"], "account_withdrawn")

    def test_a_person_signs_up_fills_in_the_profile_takes_part_and_leaves(self):
        for language in ["en", "ko"]:
            page, words = self.start(language)
            email = f"seed-{language}@example.org"
            page.click("a[href='#/sign-up']")
            page.wait_for(lambda page=page: page.find("#f-email"))
            # The form names what is missing, before anything is typed and when it is sent.
            self.assertEqual(self.missing(page), words["email"])
            self.assertEqual(self.state(page, "email"), words["needed"])
            self.next(page)
            page.wait_for_text("#said", words["email"])
            page.find("#f-email").send_keys("nobody@", TAB)
            self.assertEqual(self.state(page, "email"), words["invalid"])
            self.check(page)
            page.fill("#f-email", email)
            page.wait_for(lambda page=page: self.state(page, "email") == words["valid"])
            self.next(page)
            page.find("#f-password").send_keys(PASSWORD)
            self.next(page)
            page.wait_for(lambda page=page: page.find("#f-chips"))
            self.assertEqual(self.missing(page), words["need"])
            page.find("#f-name").send_keys("Seed")
            page.find("#f-phone").send_keys("010-12", TAB)
            self.assertEqual(self.state(page, "phone"), words["invalid"])
            self.assertIn(words["wrong"], self.missing(page))
            page.find("#f-phone").clear()
            page.find("#f-phone").send_keys("010 1234 5678", TAB)
            self.assertEqual(page.find("#f-phone").get_property("value"), "+821012345678")
            self.assertEqual(self.state(page, "phone"), words["valid"])
            page.find("#f-chips").send_keys("chess, Tea, tea, ")
            self.next(page)
            self.assertEqual(self.state(page, "chips"), words["invalid"])
            self.check(page)
            for word in ["산책", *[f"{word} {'long' * 5}" for word in "abcdefg"]]:
                page.find("#f-chips").send_keys(word, ENTER)
            shown = [one for one in page.find_all(".chips li") if one.is_displayed()]
            self.assertEqual(len({one.location["y"] for one in shown}), 3)
            self.assertLess(len(shown), 10)
            page.press(page.find("[aria-controls=f-chips-list]"))
            self.assertTrue(all(one.is_displayed() for one in page.find_all(".chips li")))
            self.assertEqual(self.state(page, "chips"), words["valid"])
            for _ in "abcdefg":
                page.press(page.find(".chips li:last-child button"))
            self.next(page)
            page.click("#f-terms")
            self.next(page)
            page.wait_for_text("#bar", "Seed")
            me = self.me(page)
            self.assertEqual((me["phone"], me["interests"]), ("+821012345678", ["chess", "Tea", "산책"]))
            page.show("account")
            self.fill_profile(page, "Owl", "1999-01-31")
            page.press(page.find("#f-notifications"))
            page.wait_for(lambda page=page: self.me(page)["notifications"] is False)
            self.check(page)
            text, filled = self.join(page, "Seed", email)
            self.assertIn(words["mine"], text)
            self.assertEqual(filled, ["Owl", "chess, Tea, 산책", "20", "20", "39"])
            self.assertNotIn(["chess", "Tea", "산책"], self.candidates(self.receipts["any"]))
            self.assertNotIn(["chess", "Tea", "산책"], self.candidates(self.receipts["old"]))
            self.assertIn(["chess", "Tea", "산책"], self.candidates(self.receipts["young"]))
            self.leave(page, words, email,
                lambda page=page: page.find("#f-leave-password").send_keys(PASSWORD))
            self.anybody.post("/api/v1/tokens", {"email": email, "password": PASSWORD}).expect(401)
            self.assertTrue(self.anybody.get(
                f"/api/v1/accounts/availability?email={email}").expect(200).json["available"])

    def test_a_person_signs_in_by_phone_fills_in_the_profile_takes_part_and_leaves(self):
        for language in ["en", "ko"]:
            page, words = self.start(language)
            phone = number()
            stored = "+82" + phone[1:]
            page.click("a[href='#/phone']")
            page.wait_for(lambda page=page: page.find("#f-phone"))
            self.check(page)
            page.find("#f-phone").send_keys(phone)
            self.next(page)
            page.wait_for(lambda page=page: page.find("#f-code"))
            page.find("#f-code").send_keys(self.hook.take()["code"])
            self.next(page)
            page.wait_for(lambda page=page: "#/account" in page.driver.current_url)
            page.wait_for(lambda page=page: page.find("#f-nickname"))
            page.fill("#f-name", "Phone")
            self.fill_profile(page, "Fox", "2000-02-29", interests=["go", "tea", "running"])
            self.check(page)
            _, filled = self.join(page, "Phone", f"phone-{language}@example.org")
            self.assertEqual(filled, ["Fox", "go, tea, running", "20", "20", "39"])
            self.assertIn(["go", "tea", "running"], self.candidates(self.receipts["young"]))
            code = []

            def prove(page=page, words=words, code=code):
                page.click_text(words["code"])
                code.append(self.hook.take()["code"])
                page.fill("#f-code", code[0])

            self.leave(page, words, stored, prove)
            self.anybody.put("/api/v1/phone-tokens", {"phone": phone, "code": code[0]}).expect(422)


class CommandFlows(Flows):
    def test_a_person_signs_up_edits_the_profile_takes_part_and_deletes_the_account(self):
        secret = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "password")
        with open(secret, "w", encoding="utf-8") as file:
            file.write(PASSWORD)
        for language, few, wrong in [
            ("en", "3", "--phone"), ("ko", "3", "--phone")]:
            terminal = Terminal(self, self.server.url, language)
            email = f"line-{language}@example.org"
            signup = ["signup", "--email", email, "--name", "Line", "--password-file", secret]
            refused = terminal.run(*signup, "--interest", "go", "--interest", "Go", "--interest", "tea")
            self.assertEqual((refused.returncode, few in refused.stderr), (1, True), refused.stderr)
            refused = terminal.run(*signup, "--phone", "010-12")
            self.assertEqual((refused.returncode, wrong in refused.stderr), (2, True), refused.stderr)
            done = terminal.run(*signup, "--interest", "go", "--interest", "tea", "--interest", "산책",
                "--phone", "010-1234-5678", "--gender", "female", "--birth-date", "1999-01-31")
            self.assertEqual(done.returncode, 0, done.stderr)
            shown = terminal.run("account", "show").stdout
            self.assertIn("+821012345678", shown)
            self.assertIn({"en": "female", "ko": "여성"}[language], shown)
            changed = terminal.run("account", "edit", "--nickname", "Owl", "--searchable", "yes", "--ages",
                "20-39", "--notifications", "off", "--clear", "birth-date", "--json",
                "nickname,searchable,ageRange,notifications,birthDate")
            self.assertEqual(changed.returncode, 0, changed.stderr)
            for text in ['"Owl"', '"min":20', '"searchable":true', '"notifications":false']:
                self.assertIn(text, changed.stdout)
            self.assertNotIn("1999", changed.stdout)
            self.assertEqual(terminal.run("account", "edit", "--ages", "39-20").returncode, 2)
            self.assertEqual(terminal.run("account", "edit", "--clear", "name").returncode, 2)
            self.assertEqual(terminal.run("account", "edit").returncode, 2)
            made = terminal.run("meeting", "create", "Line club", "--now")
            self.assertEqual(made.returncode, 0, made.stderr)
            came = terminal.run("checkin", self.session["joinCode"], "--name", "Line", "--email", email)
            self.assertEqual(came.returncode, 0, came.stderr)
            self.assertIn('"Owl"', terminal.run("account", "export").stdout)
            left = terminal.run("account", "delete", "--password-file", secret, "--yes", "--confirm", email)
            self.assertEqual(left.returncode, 0, left.stderr)
            self.assertEqual(terminal.run("whoami").returncode, 4)
            self.assertEqual(
                terminal.run("login", "--email", email, "--password-file", secret).returncode, 4)

    def test_a_person_signs_in_by_phone_edits_the_profile_and_deletes_the_account(self):
        for language in ["en", "ko"]:
            terminal = Terminal(self, self.server.url, language)
            phone = number()
            self.assertEqual(terminal.run("login", "--phone", phone).returncode, 0)
            code = self.hook.take()["code"]
            done = terminal.run("login", "--phone", phone, "--code", code, "--name", "Line")
            self.assertEqual(done.returncode, 0, done.stderr)
            few = terminal.run("account", "edit", "--interest", "go")
            self.assertEqual(few.returncode, 1, few.stderr)
            changed = terminal.run("account", "edit", "--nickname", "Fox", "--birth-date", "2000-02-29",
                "--gender", "male", "--interest", "go", "--interest", "tea", "--interest", "running",
                "--searchable", "yes", "--ages", "20-39")
            self.assertEqual(changed.returncode, 0, changed.stderr)
            self.assertIn("2000-02-29", terminal.run("account", "show").stdout)
            made = terminal.run("meeting", "create", "Phone club", "--now")
            self.assertEqual(made.returncode, 0, made.stderr)
            # The meeting has no other host, so it is deleted with the account.
            address = "+82" + phone[1:]
            self.assertEqual(terminal.run("account", "delete", "--hand-over", "--yes").returncode, 0)
            left = terminal.run("account", "delete", "--hand-over", "--yes", "--confirm", address, "--code",
                self.hook.take()["code"])
            self.assertEqual(left.returncode, 0, left.stderr)
            self.assertEqual(terminal.run("whoami").returncode, 4)
