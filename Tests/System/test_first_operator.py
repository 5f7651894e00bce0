"""The first account of a server, and the operator's commands on the data folder."""
import json
import os
import subprocess
import tempfile
import unittest

from admin import Admin
from api import API
from host import PASSWORD, Host, moment
from host_page import HostPage
from server_process import QRING, Server

PUBLIC = ("--public-url", "https://qring.example.org")


def environment(home, folder=None):
    return {**Server.environment(), "HOME": home, **({"QRING_DATA": folder} if folder else {})}


class FirstOperatorCommandTests(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())
        self.password = os.path.join(self.home, "password")
        with open(self.password, "w", encoding="ascii") as file:
            file.write(PASSWORD + "\n")

    def sign_up(self, server, *options, folder=None):
        words = [QRING, "signup", "--server", server.url, "--email", "kim@example.org", "--name", "Kim",
            "--password-file", self.password, *options]
        return subprocess.run(words, env=environment(self.home, folder), capture_output=True, text=True,
            check=False)

    def test_the_command_reads_the_token_from_the_data_folder_and_sends_it(self):
        with Server(*PUBLIC) as server:
            refused = self.sign_up(server)
            self.assertEqual(refused.returncode, 4, refused.stderr)
            self.assertIn("--setup-token-file FILE", refused.stderr)
            made = self.sign_up(server, folder=server.folder)
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertIn("This account operates the server.", made.stderr)
            self.assertFalse(os.path.exists(os.path.join(server.folder, "setup-token")))

    def test_the_command_sends_the_token_of_a_file(self):
        with Server(*PUBLIC, "--signup", "closed") as server:
            wrong = os.path.join(self.home, "wrong")
            with open(wrong, "w", encoding="ascii") as file:
                file.write("7K3M-7K3M-7K3M-7K3M-7K3M-7K3M\n")
            self.assertEqual(self.sign_up(server, "--setup-token-file", wrong).returncode, 1)
            token = os.path.join(server.folder, "setup-token")
            self.assertEqual(self.sign_up(server, "--setup-token-file", token).returncode, 0)

    def test_a_server_that_accepts_no_accounts_says_so_before_the_first_question(self):
        with Server("--signup", "invite") as server:
            self.assertEqual(self.sign_up(server).returncode, 0)
            words = [QRING, "signup", "--server", server.url]
            for options, said in [((), "Sign-up is closed"), (("--invitation", "text"), "--email")]:
                ran = subprocess.run([*words, *options], env=environment(self.home), text=True, check=False,
                    stdin=subprocess.DEVNULL, capture_output=True)
                self.assertNotEqual(ran.returncode, 0)
                self.assertIn(said, ran.stderr)

    def test_a_restart_prints_the_same_token_until_there_is_an_operator(self):
        pattern = r"set-up token ((?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}), also in (\S+)"
        with Server(*PUBLIC) as server:
            # The line comes before the one that `start` waits for.
            first = server.log.wait_for_match(pattern)
            server.stop()
            server.start()
            self.assertEqual(server.log.wait_for_match(pattern).groups(), first.groups())
            Host(server)
            server.stop()
            server.start()
            self.assertNotIn("set-up token", "\n".join(server.log.lines))

    def test_an_operator_is_made_in_the_data_folder_and_another_before_they_leave(self):
        folder = os.path.join(self.home, "data")

        def user(*words, code=0):
            return Admin("user", *words, folder=folder).expect(code)

        def create(email, *options, code=0):
            return user("create", email, "--name", "Kim", "--password-file", self.password, *options,
                code=code)

        user("list", code=5)
        create("kim@example.org")
        create("lee@example.org")
        create("lee@example.org", code=6)
        create("no address", code=1)
        with Server(*PUBLIC, "--signup", "closed", folder=folder) as server:
            # The server runs the command.
            self.assertEqual([account["admin"] for account in user("list").answer["items"]], [True, False])
            kim = API(server).post("/api/v1/tokens",
                {"email": "kim@example.org", "password": PASSWORD}).expect(201).json["accessToken"]
            me = API(server)
            self.assertTrue(me.get("/api/v1/me", token=kim).json["admin"])
            refused = me.delete("/api/v1/me", json={"password": PASSWORD}, token=kim)
            self.assertEqual((refused.status, refused.json["code"]), (409, "last_operator"))
            server.stop()
            user("operator", "nobody@example.org", code=5)
            user("operator", "lee@example.org")
            self.assertEqual([account["admin"] for account in user("list").answer["items"]], [True, True])
            server.start()
            me.delete("/api/v1/me", json={"password": PASSWORD}, token=kim).expect(204)
            # An account does not become the operator's by being the only one.
            stranger = me.post("/api/v1/accounts",
                {"email": "s@example.org", "password": PASSWORD, "name": "S"})
            self.assertEqual((stranger.status, stranger.json["code"]), (403, "sign_up_closed"))

    def test_a_sign_in_is_listed_with_its_device_and_address_and_can_be_ended(self):
        with Server() as server:
            self.assertEqual(self.sign_up(server).returncode, 0)

            def run(*words):
                return subprocess.run([QRING, *words, "--server", server.url], env=environment(self.home),
                    capture_output=True, text=True, check=False)

            items = json.loads(run("token", "list", "--json").stdout)["items"]
            self.assertEqual([(one["address"], one["current"]) for one in items], [("127.0.0.1", True)])
            self.assertIn("qring", items[0]["client"])
            self.assertIn(items[0]["id"], run("token", "list").stdout)
            self.assertEqual(run("token", "revoke", "01M7X9JCZD0KGT7Q6XKPEVTE5F").returncode, 5)
            self.assertEqual(run("token", "revoke", items[0]["id"]).returncode, 0)
            self.assertEqual(run("whoami").returncode, 4)

    def test_an_operator_manages_accounts_in_the_data_folder(self):
        folder = os.path.join(self.home, "data")

        def user(*words, code=0):
            return Admin("user", *words, folder=folder).expect(code)

        def sign_in(server, password):
            return API(server).post("/api/v1/tokens", {"email": "lee@example.org", "password": password})

        for email in ("kim@example.org", "lee@example.org"):
            user("create", email, "--name", "Kim", "--password-file", self.password)
        with Server(*PUBLIC, folder=folder) as server:
            token = sign_in(server, PASSWORD).expect(201).json["accessToken"]
            host = API(server)
            planned = {"name": "Lees", "session": {"startsAt": moment(0), "endsAt": moment(60)}}
            host.post("/api/v1/meetings", planned, token=token).expect(201)
            server.stop()
            self.assertEqual(len(user("show", "lee@example.org").answer["signIns"]), 1)
            user("suspend", "kim@example.org", code=6)
            self.assertEqual(user("suspend", "lee@example.org").answer["state"], "suspended")
            server.start()
            for answer in (host.get("/api/v1/me", token=token), sign_in(server, PASSWORD)):
                self.assertEqual((answer.status, answer.json["code"]), (403, "account_suspended"))
            server.stop()
            user("resume", "lee@example.org")
            made = user("reset-password", "lee@example.org")
            new = made.said.split("New password: ")[1].split()[0]
            server.start()
            self.assertEqual(sign_in(server, PASSWORD).status, 401)
            token = sign_in(server, new).expect(201).json["accessToken"]
            server.stop()
            invited = user("invite", "new@example.org").answer["invitation"]
            user("delete", "lee@example.org", code=6)
            user("delete", "lee@example.org", "--confirm", "lee@example.org")
            user("show", "lee@example.org", code=5)
            server.start()
            gone = host.get("/api/v1/me", token=token)
            self.assertEqual((gone.status, gone.json["code"]), (401, "account_withdrawn"))
            host.post("/api/v1/accounts", {"email": "new@example.org", "password": PASSWORD, "name": "N",
                "invitation": invited}).expect(201)

    def test_a_backup_remembers_that_there_was_an_operator(self):
        folder, copy = os.path.join(self.home, "data"), os.path.join(self.home, "copy")
        Admin("user", "create", "kim@example.org", "--name", "Kim", "--password-file", self.password,
            folder=folder).expect(0)
        Admin("backup", os.path.join(self.home, "b"), folder=folder).expect(0)
        Admin("restore", os.path.join(self.home, "b"), folder=copy).expect(0)
        with Server(folder=copy) as server:
            self.assertFalse(os.path.exists(os.path.join(copy, "setup-token")))
            answer = API(server).post("/api/v1/accounts",
                {"email": "s@example.org", "password": PASSWORD, "name": "S"})
            self.assertEqual(answer.status, 403)


class FirstOperatorPageTests(unittest.TestCase):
    def test_the_sign_up_page_asks_for_the_token_and_takes_it(self):
        for language, size in [("en", (1280, 900)), ("ko", (360, 780))]:
            with self.subTest(language=language), Server("--signup", "closed", *PUBLIC) as server:
                with open(os.path.join(server.folder, "setup-token"), encoding="ascii") as file:
                    token = file.read().strip()
                page = self.enterContext(HostPage(server, size, language))
                page.show("sign-up")
                page.find("#f-setupToken")
                if pictures := os.environ.get("QRING_PICTURES"):
                    page.driver.save_screenshot(os.path.join(pictures, f"setup-{language}-{size[0]}.png"))
                self.assertLessEqual(
                    page.driver.execute_script("return document.documentElement.scrollWidth"), size[0])

                def go_on(page=page):
                    page.click("form button[type=submit]")

                go_on()
                page.wait_for(lambda page=page: page.find("#f-setupToken-error").is_displayed())
                page.fill("#f-setupToken", "7K3M-7K3M-7K3M-7K3M-7K3M-7K3M")
                for field, text in [("email", "kim@example.org"), ("password", PASSWORD), ("name", "Kim")]:
                    page.fill(f"#f-{field}", text)
                page.click("#f-terms")
                go_on()
                # A wrong token is marked, and the input stays.
                page.wait_for(lambda page=page: page.find("#f-setupToken[aria-invalid]"))
                page.fill("#f-setupToken", token)
                go_on()
                page.find("#bar button")
                self.assertFalse(os.path.exists(os.path.join(server.folder, "setup-token")))

    def test_the_account_page_deletes_an_account_only_with_its_password(self):
        for language, size in [("en", (1280, 900)), ("ko", (360, 780))]:
            with self.subTest(language=language), Server("--signup", "open") as server:
                Host(server)
                leaving = Host(server)
                page = self.enterContext(HostPage(server, size, language))
                page.sign_in(leaving.email)
                page.show("account")
                page.click("details.dangerous summary")
                page.fill("#f-leave-password", "something else")
                page.click("details.dangerous button[type=submit]")
                page.wait_for(lambda page=page: page.find("details.dangerous p.error").is_displayed())
                # One failure is counted, and the visitor stays signed in.
                leaving.get("/api/v1/me").expect(200)
                server.log.wait_for_match("DELETE /api/v1/me 401")
                self.assertEqual(sum("DELETE /api/v1/me 401" in line for line in server.log.lines), 1)
                page.fill("#f-leave-password", PASSWORD)
                page.click("details.dangerous button[type=submit]")
                page.wait_for(lambda page=page: "#/sign-in" in page.driver.current_url)
                leaving.get("/api/v1/me").expect(401)
