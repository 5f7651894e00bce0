"""The operator's page: accounts, the queue of mails and the journal of actions, by the keyboard, in both
languages."""
import sqlite3

from selenium.webdriver.common.keys import Keys

import axe
from api import API
from host import Host, PASSWORD
from host_page import HostPageCase
from mail_receiver import queue
from server_process import Server


class OperatorPageTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        # The first account is the operator's.
        cls.operator = Host(cls.server, name="Oh Operator")
        # A mail that waits for a day.
        cls.server.stop()
        queue(cls.server.folder, ["wait@example.org"], minutes=3000)
        with sqlite3.connect(cls.server.database) as database:
            database.execute("UPDATE mails SET next_attempt = next_attempt + 86400000")
        database.close()
        cls.server.start()
        cls.operator.sign_in()

    def signed_in_as_operator(self, **options):
        page = self.page(**options)
        page.sign_in(self.operator.email)
        page.show("operator")
        return page

    def press(self, page, label, css="button, summary"):
        """Presses an element as the keyboard does: it gets the focus, then Enter."""
        def found():
            return next((one for one in page.find_all(css)
                if one.is_displayed() and label in (one.text.strip(), one.accessible_name)), None)
        element = page.wait_for(found)
        page.driver.execute_script("arguments[0].focus()", element)
        page.driver.switch_to.active_element.send_keys(Keys.ENTER)

    def test_an_operator_manages_accounts_and_mails_with_the_keyboard(self):
        kim = Host(self.server, name="Kim")
        page = self.signed_in_as_operator()
        self.assertEqual(axe.violations(page.driver), [])
        self.press(page, "More about Kim")
        self.press(page, "Suspend: Kim")
        page.wait_for(lambda: "suspended" in page.find("#main").text)
        kim.get("/api/v1/me").expect(403)
        self.press(page, "More about Kim")
        self.press(page, "Resume: Kim")
        page.wait_for(lambda: "suspended" not in page.find("#main section").text)
        self.press(page, "More about Kim")
        self.press(page, "Reset the password: Kim")
        new = page.wait_for(lambda: page.find("dialog code").text)
        self.assertEqual(axe.violations(page.driver), [])
        page.answer_dialog("Close")
        API(self.server).post("/api/v1/tokens", {"email": kim.email, "password": PASSWORD}).expect(401)
        API(self.server).post("/api/v1/tokens", {"email": kim.email, "password": new}).expect(201)
        self.press(page, "Drop: wait@example.org")
        page.wait_for_text("dialog", "Drop the mail to wait@example.org without sending it?")
        page.answer_dialog("Cancel")
        self.press(page, "Drop: wait@example.org")
        page.answer_dialog("Drop")
        page.wait_for(lambda: "No mail waits" in page.find("#main").text)
        self.press(page, "More about Kim")
        self.press(page, "Delete: Kim")
        page.answer_dialog("Delete")
        page.wait_for(lambda: "Kim" not in page.find("#main ul").text)
        kinds = [(one["kind"], one["actor"]) for one in self.operator.get("/api/v1/actions").json["items"]]
        for kind in ("accountSuspended", "accountResumed", "passwordReset", "accountDeleted"):
            self.assertIn((kind, self.operator.account["id"]), kinds)

    def test_the_page_is_korean_and_for_operators_only(self):
        page = self.signed_in_as_operator(language="ko")
        for text in ("서버 관리", "계정", "대기 중이거나 거부된 메일", "작업 기록"):
            page.wait_for_text("#main", text)
        self.assertEqual(axe.violations(page.driver), [])
        lee = Host(self.server, name="Lee")
        for method, path in [("GET", "/users"), ("GET", "/mails"), ("GET", "/actions"),
                ("POST", f"/users/{self.operator.account['id']}/suspend")]:
            lee.request(method, f"/api/v1{path}").expect(403)
        self.operator.post(f"/api/v1/users/{self.operator.account['id']}/suspend").expect(409)
        made = self.operator.post("/api/v1/users", {"email": "new@example.org", "name": "New"}).expect(201)
        API(self.server).post(
            "/api/v1/tokens", {"email": "new@example.org", "password": made.json["password"]}).expect(201)
        self.operator.post("/api/v1/users", {"email": "new@example.org", "name": "New"}).expect(409)
