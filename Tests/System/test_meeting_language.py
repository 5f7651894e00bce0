"""The language of a meeting's attendees: on phones that request no language of the product, in the hall, on
posters and in mails."""
from selenium.webdriver.support.ui import Select

from api import API
from host import code_of
from host_page import HostPage
from mail_receiver import Receiver
from page import Visitor
from test_command_line import Terminal
from test_roster import RosterCase


class MeetingLanguageTests(RosterCase):
    def setUp(self):
        self.receiver = self.enterContext(Receiver())
        super().setUp()
        self.server.stop()
        self.server.options = ("--signup", "open", "--smtp-url", self.receiver.url, "--mail-from",
            "qring@example.org")
        self.server.start()
        # The server has another port now.
        self.anybody = API(self.server)
        self.terminal = Terminal(self, self.server.url)
        self.terminal.environment["QRING_TOKEN"] = self.host.token

    def opened(self, language, path=None):
        return Visitor(self.server, language).open(path or f"/C/{code_of(self.session)}")

    def test_a_phone_gets_its_own_language_or_else_the_meetings(self):
        self.made(language="de", session={"questions": [
            {"kind": "number", "title": "How far?", "min": 0.5, "max": 2.5, "decimals": 1}]})
        self.assertEqual(self.meeting["language"], "de")
        for asked, language in [("nl-NL", "de"), ("ko-KR", "ko"), ("nl, en;q=0.5", "en"), ("nl", "de")]:
            self.assertEqual(self.opened(asked).language, language)
        visitor = Visitor(self.server, "nl")
        page = visitor.submit(visitor.open(f"/C/{code_of(self.session)}"), name="Kim",
            email="kim@example.org")
        self.assertEqual(page.language, "de")
        self.assertIn("Kim", page.text)
        self.assertIn("0,5", page.text)
        own = f"/me/{self.session['id']}"
        self.assertEqual(visitor.open(f"{own}/record").language, "de")
        self.assertEqual(visitor.open(f"{own}?lang=fr").language, "fr")
        # The choice on the page lasts.
        self.assertEqual(visitor.open(own).language, "fr")
        # A form in memory follows an edit.
        self.host.patch(self.path, {"language": "es"}).expect(200)
        self.assertEqual([self.opened(asked).language for asked in ("nl", "ko")], ["es", "ko"])
        # The front page belongs to no meeting.
        self.assertEqual(self.opened("nl", "/").language, "en")

    def test_a_closed_check_in_answers_in_the_meetings_language(self):
        self.made(language="ja", starts=300, ends=360)
        page = self.opened("nl")
        self.assertEqual((page.status, page.language), (409, "ja"))

    def test_the_hall_and_posters_are_in_the_meetings_language(self):
        self.made(language="de")
        screen = f"/present/{self.session['id']}"
        self.assertEqual(self.opened("ko", screen).language, "de")
        self.assertEqual(self.opened("ko", f"{screen}?lang=es").language, "es")
        headers = {"Accept-Language": "ko"}
        poster = self.host.get(f"{self.path}/poster.html", headers=headers).expect(200).text
        self.assertIn('<html lang="de">', poster)
        # Problems of a host's requests are in the host's language.
        problem = self.host.patch(self.path, {"language": "nl"}, headers=headers)
        self.assertRegex(problem.json["title"], "[가-힣]")

    def test_mails_are_in_the_meetings_language(self):
        self.made(language="fr", starts=50, ends=110)
        self.host.post(f"{self.path}/roster", {"name": "Kim", "email": "kim@example.org"}).expect(201)
        self.host.patch(self.path, {"reminders": "on"}).expect(200)
        _, message = self.receiver.wait_for(1)[0]
        self.assertEqual(message["Content-Language"], "fr")
        self.host.post(f"{self.path}/members",
            {"email": "lee@example.org", "role": "viewer", "sendMail": True}).expect(201)
        _, message = self.receiver.wait_for(2)[1]
        self.assertEqual(message["Content-Language"], "fr")

    def test_the_command_line_sets_shows_and_removes_the_language(self):
        self.made()
        self.assertNotIn("language", self.meeting)
        ran = self.run_command("meeting", "edit", "Study group", "--language", "de")
        self.assertIn("language for attendees", ran.stderr)
        self.assertIn("Language for attendees: Deutsch",
            self.run_command("meeting", "show", "Study group").stdout)
        ran = self.run_command("meeting", "edit", "Study group", "--language", "nl", code=2)
        self.assertIn("zh-Hans", ran.stderr)
        self.run_command("meeting", "edit", "Study group", "--language", "none")
        self.assertNotIn("language", self.host.get(self.path).expect(200).json)
        errors = self.host.patch(self.path, {"language": "nl"}).expect(422).json["errors"]
        self.assertEqual(errors[0]["field"], "/language")
        self.assertIn("zh-Hans", errors[0]["message"])

    def test_the_hosts_page_sets_and_removes_the_language(self):
        self.made()
        page = self.enterContext(HostPage(self.server, language="ko"))
        page.sign_in(self.host.email)
        page.show(f"meetings/{self.meeting['id']}")
        page.click("details:has(#f-language) > summary")
        for name, tag in [("Deutsch", "de"), ("정하지 않음", None)]:
            Select(page.find("#f-language")).select_by_visible_text(name)
            page.click("form:has(#f-language) button[type=submit]")
            page.wait_for(lambda: self.host.get(self.path).expect(200).json.get("language") == tag)
