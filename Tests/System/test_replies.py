"""Replies (RSVP): a page without a script, the own link from a mail, the waiting list, and the commands."""
import re

from mail_receiver import Receiver, content
from page import Visitor
from test_command_line import Terminal
from test_roster import RosterCase


class ReplyTests(RosterCase):
    def setUp(self):
        self.receiver = self.enterContext(Receiver())
        super().setUp()
        self.server.stop()
        self.server.options = ("--signup", "open", "--smtp-url", self.receiver.url, "--mail-from",
            "qring@example.org")
        self.server.start()
        self.terminal = Terminal(self, self.server.url)
        self.terminal.environment["QRING_TOKEN"] = self.host.token
        self.made(name="Study group", starts=600, ends=660)
        said = self.run_command("rsvp", "set", "Study group", "--replies", "open", "--seats", "1",
            "--guests", "2").stdout
        self.code = re.search(r"/R/(\w{16})", said)[1]

    def reply(self, name, answer="yes", language="en", **fields):
        visitor = Visitor(self.server, language)
        form = visitor.open(f"/R/{self.code}")
        self.assertEqual((form.status, form.language), (200, language))
        page = visitor.submit(form, name=name, email=f"{name.lower()}@example.org", answer=answer, **fields)
        return visitor, visitor.open(page.answer.headers["Location"])

    def own_link(self, message):
        return re.search(r"/R/own/\w+", content(message, "plain"))[0]

    def test_a_free_seat_goes_to_the_person_who_waits_longest_with_a_mail(self):
        kim, page = self.reply("Kim")
        self.assertIn("You are coming. A seat is yours.", page.text)
        _, page = self.reply("Lee")
        self.assertIn("You are on the waiting list", page.text)
        mails = self.receiver.wait_for(2)
        link = self.own_link(next(mail for address, mail in mails if address == "lee@example.org"))
        # The link of the mail proves the address by a button, and not by opening it.
        visitor = Visitor(self.server)
        confirm = next(form for form in visitor.open(link).forms if "confirm" in str(form) or
            not form["fields"])
        self.assertEqual(visitor.request("POST", confirm["action"], {"confirm": "1"}).status, 303)
        self.assertIn("Your e-mail address is confirmed.", visitor.open(link).text)
        own = self.own_link(next(mail for address, mail in mails if address == "kim@example.org"))
        self.assertEqual(kim.request("POST", own, {"answer": "no"}).status, 303)
        address, message = self.receiver.wait_for(3)[2]
        self.assertEqual(address, "lee@example.org")
        self.assertIn("You have a seat: Study group", message["Subject"])
        self.assertIn("A seat is yours", visitor.open(link).text)
        self.assertIn("/unsubscribe/", content(message, "plain"))
        listed = self.run_command("rsvp", "list", "Study group").stdout
        self.assertRegex(listed, r"Lee +lee@example\.org +coming")
        self.assertRegex(listed, r"Kim +kim@example\.org +not coming")
        self.assertEqual(len(self.receiver.received), 3)

    def test_the_pages_are_in_all_languages(self):
        _, page = self.reply("Kim")
        for language in ["ko", "de", "es", "fr", "ja", "zh-Hans"]:
            for path in [f"/R/{self.code}", self.own_link(self.receiver.wait_for(1)[0][1])]:
                page = Visitor(self.server).open(f"{path}?lang={language}")
                self.assertEqual((page.status, page.language), (200, language))
                for english in ["Are you coming", " seat", "reply"]:
                    self.assertNotIn(english, page.text)

    def test_the_roster_gets_own_links_and_the_log_has_none(self):
        self.host.post(f"{self.path}/roster", {"name": "Park", "email": "park@example.org"}).expect(201)
        self.assertIn("1 mail is on the way", self.run_command("rsvp", "mail", "Study group").stdout)
        address, message = self.receiver.wait_for(1)[0]
        self.assertEqual(address, "park@example.org")
        self.assertIn("Are you coming? Study group", message["Subject"])
        link, visitor = self.own_link(message), Visitor(self.server)
        form = visitor.open(link)
        self.assertNotIn("Park", form.text)
        page = visitor.open(visitor.submit(form, answer="yes", guests="1").answer.headers["Location"])
        self.assertIn("You are on the waiting list", page.text)
        approved = self.run_command("rsvp", "approve", "Study group", "Park")
        self.assertIn("No seat is free", approved.stdout)
        approved = self.run_command("rsvp", "approve", "Study group", "Park", "--beyond-capacity")
        self.assertIn("Park has a seat.", approved.stdout)
        shown = self.run_command("rsvp", "Study group").stdout
        self.assertIn("2 of 1 seats", shown)
        self.assertNotIn(link.rsplit("/", 1)[1], str(self.server.log.lines))
        self.assertNotIn(self.code, str(self.server.log.lines))
