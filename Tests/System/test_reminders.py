"""Mails to the people of a roster: reminders with calendar entries, changes, cancellations, and their end."""
import json
import re
import sqlite3
import subprocess
import urllib.request

import icalendar
from selenium.webdriver.common.keys import Keys

import axe
from browser import Browser
from host import Host, moment
from mail_receiver import Receiver, content
from server_process import QRING, wait_until
from test_command_line import Terminal
from test_roster import RosterCase


class ReminderTests(RosterCase):
    def setUp(self):
        self.receiver = self.enterContext(Receiver())
        super().setUp()
        self.restart()

    def restart(self, *options, meanwhile=lambda: None):
        self.server.stop()
        meanwhile()
        self.server.options = ("--signup", "open", "--smtp-url", self.receiver.url, "--mail-from",
            "qring@example.org", *options)
        self.server.start()
        # The server has another port now.
        self.terminal = Terminal(self, self.server.url)
        self.terminal.environment["QRING_TOKEN"] = self.host.token

    def planned(self, language, name="Study group", **fields):
        """A meeting in 50 minutes, so that its reminder is due at once."""
        self.made(name=name, starts=50, ends=110, place="Room 2", timeZone="Asia/Seoul", **fields)
        self.host.post(f"{self.path}/roster", {"name": "Kim", "email": "kim@example.org"}).expect(201)
        self.host.post(f"{self.path}/roster", {"name": "Lee"}).expect(201)
        self.run_command("meeting", "edit", name, "--reminders", language)

    def mail(self, number):
        """Returns the mail with this number, with its calendar entry if it has one."""
        address, message = self.receiver.wait_for(number)[number - 1]
        self.assertEqual((address, message.defects), ("kim@example.org", []))
        self.assertEqual(message["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click")
        part = next((part for part in message.walk() if part.get_content_type() == "text/calendar"), None)
        if part is None:
            return message, None, None
        calendar = icalendar.Calendar.from_ical(part.get_payload(decode=True))
        self.assertEqual(part.get_param("method"), calendar["METHOD"])
        return message, calendar["METHOD"], calendar.walk("VEVENT")[0]

    def link(self, message):
        return re.fullmatch(r"<(.*)>", message["List-Unsubscribe"])[1]

    def test_a_calendar_follows_a_session_until_its_deletion(self):
        self.planned("en")
        message, method, first = self.mail(1)
        self.assertIn("Reminder: Study group, ", message["Subject"])
        for kind in ("plain", "html"):
            text = content(message, kind)
            for fact in ("Study group", "Asia/Seoul", "Room 2", self.link(message)):
                self.assertIn(fact, text)
        self.assertEqual((method, first["LOCATION"], first["ORGANIZER"]),
            ("REQUEST", "Room 2", "mailto:qring@example.org"))
        self.assertEqual(first["ATTENDEE"], "mailto:kim@example.org")
        self.assertEqual(first["DTSTART"].dt.isoformat()[-6:], "+09:00")
        self.host.patch(f"/api/v1/sessions/{self.session['id']}",
            {"startsAt": moment(90), "endsAt": moment(150)}).expect(200)
        message, method, second = self.mail(2)
        self.assertIn("has moved", message["Subject"])
        self.assertEqual((method, second["UID"]), ("REQUEST", first["UID"]))
        self.assertGreater(second["SEQUENCE"], first["SEQUENCE"])
        self.assertGreater(second["DTSTART"].dt, first["DTSTART"].dt)
        self.host.delete(f"{self.path}?confirm=Study%20group").expect(204)
        message, method, last = self.mail(3)
        self.assertIn("is cancelled", message["Subject"])
        self.assertEqual((method, last["UID"], last["STATUS"]), ("CANCEL", first["UID"], "CANCELLED"))
        self.assertGreater(last["SEQUENCE"], second["SEQUENCE"])

    def test_one_request_without_a_sign_in_ends_the_mails(self):
        self.planned("ko", "독서 모임")
        message, _, _ = self.mail(1)
        self.assertEqual(message["Content-Language"], "ko")
        self.assertTrue(message["Subject"].startswith("일정 알림: 독서 모임, "))
        self.assertIn("명단에 있어", content(message, "html"))
        # As a mail program does it (RFC 8058 §3.2), by a form with parts.
        body = b'--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
        request = urllib.request.Request(self.link(message), body,
            {"Content-Type": "multipart/form-data; boundary=x"})
        with urllib.request.urlopen(request) as answer:
            self.assertEqual(answer.status, 200)
        self.host.patch(f"/api/v1/sessions/{self.session['id']}",
            {"startsAt": moment(55), "endsAt": moment(150)}).expect(200)
        with sqlite3.connect(self.server.database) as database:
            wait_until(lambda: database.execute(
                "SELECT count(*) FROM mailings WHERE kind = 3 AND is_done = 1").fetchone() == (1,))
        database.close()
        self.assertEqual(len(self.receiver.received), 1)
        exported = self.run_command("meeting", "roster", "export", self.meeting["id"], "Kim").stdout
        self.assertEqual([wish["meeting"] for wish in json.loads(exported)["unsubscriptions"]], ["독서 모임"])
        # A stranger who opens the link of a forwarded mail does not learn that the person has left.
        address = self.link(message)
        address = self.server.url + address[address.index("/unsubscribe/"):]

        def pages():
            answers = [urllib.request.urlopen(address, data) for data in (None, b"from=meeting")]
            return [answer.read() for answer in answers]

        before = pages()
        person = self.host.get(f"{self.path}/roster?q=Kim").expect(200).json["items"][0]
        self.host.delete(f"{self.path}/roster/{person['id']}").expect(204)
        self.assertEqual(pages(), before)
        self.assertIn(b"Mails with this link have ended", before[1])

    def test_an_invitation_is_mailed_if_the_owner_wants_it(self):
        self.made(name="Study group")
        guest = Host(self.server, "guest@example.org")
        self.run_command("meeting", "members", "invite", self.meeting["id"], "other@example.org")
        ran = self.run_command("meeting", "members", "invite", self.meeting["id"], guest.email, "--mail")
        self.assertIn("also gets the invitation by mail", ran.stderr)
        address, message = self.receiver.wait_for(1)[0]
        self.assertEqual((address, message.defects), (guest.email, []))
        self.assertEqual(message["Subject"], "Invitation to Study group")
        link = re.search(r"http\S+#/invitation/(qmi_\w+)", content(message, "plain"))
        self.assertIn(link[0], content(message, "html"))
        self.assertIn(link[1], ran.stdout)
        guest.post("/api/v1/me/invitations", {"invitation": link[1]}).expect(200)
        end = self.link(message)
        self.assertIn(end, content(message, "plain"))
        with Browser() as page:
            page.open(end)
            page.wait_for_text("h1", "Stop these mails")
            page.find("button[value=everything]").click()
            page.wait_for_text("[role=status]", "Nothing else has changed.")
        # The owner does not learn that the address wants no mails any more.
        guest.delete(f"{self.path}/members/{guest.account['id']}").expect(204)
        ran = self.run_command("meeting", "members", "invite", self.meeting["id"], guest.email, "--mail")
        self.assertIn("also gets the invitation by mail", ran.stderr)
        with sqlite3.connect(self.server.database) as database:
            self.assertEqual(
                database.execute("SELECT count(*) FROM mails WHERE kind = 8").fetchone(), (1,))
        database.close()

    def test_mails_wait_for_the_owners_limit_of_a_day_and_links_survive_a_new_secret(self):
        self.planned("en")
        link = self.link(self.mail(1)[0])
        self.restart("--mails-per-account", "1")
        self.host.patch(f"/api/v1/sessions/{self.session['id']}",
            {"startsAt": moment(90), "endsAt": moment(150)}).expect(200)
        self.server.log.wait_for_match("mails of the account")
        self.assertIn("mails wait: daily limit reached",
            self.run_command("meeting", "log", self.meeting["id"]).stdout)
        self.assertEqual(len(self.receiver.received), 1)
        self.restart(meanwhile=lambda: subprocess.run(
            [QRING, "admin", "rotate-secret", "--grace", "0", "--data", self.server.folder], check=True))
        address = self.server.url + link[link.index("/unsubscribe/"):]
        with urllib.request.urlopen(address, b"List-Unsubscribe=One-Click") as answer:
            self.assertEqual(answer.status, 200)
        with sqlite3.connect(self.server.database) as database:
            self.assertEqual(database.execute("SELECT count(*) FROM unsubscriptions").fetchone(), (1,))
        database.close()

    def test_the_page_of_the_link_works_with_the_keyboard_alone(self):
        self.planned("en")
        link = self.link(self.mail(1)[0])
        with Browser() as page:
            page.open(link)
            page.wait_for_text("h1", "Stop these mails")
            self.assertEqual(axe.violations(page.driver), [])
            page.driver.switch_to.active_element.send_keys(Keys.TAB)
            page.driver.switch_to.active_element.send_keys(Keys.ENTER)
            page.wait_for_text("h1", "Mails with this link have ended")
            self.assertEqual(axe.violations(page.driver), [])
            page.open(link.replace("/unsubscribe/", "/unsubscribe/0"))
            page.wait_for_text("body", "find that page")
