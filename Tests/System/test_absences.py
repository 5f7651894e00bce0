"""Absences over a meeting's sessions: the table, the rule, and the mail to hosts after a session."""
import json
import sqlite3
import unittest

from host import check_in, moment
from host_page import HostPage
from mail_receiver import Receiver, content
from server_process import wait_until
from test_command_line import Terminal
from test_roster import RosterCase


class AbsenceTests(RosterCase):
    def setUp(self):
        self.receiver = self.enterContext(Receiver())
        super().setUp()
        self.restart()

    def restart(self):
        self.server.stop()
        with sqlite3.connect(self.server.database) as database:
            database.execute("UPDATE accounts SET verified = 1")
        database.close()
        self.server.options = ("--signup", "open", "--smtp-url", self.receiver.url, "--mail-from",
            "qring@example.org")
        self.server.start()
        # The server has another port now.
        self.terminal = Terminal(self, self.server.url)
        self.terminal.environment["QRING_TOKEN"] = self.host.token

    def held(self, hours):
        """Holds two sessions, the last one `hours` ago. Lee came to the first one, and Kim to none."""
        self.made()
        for name in ["Kim", "Lee"]:
            self.host.post(f"{self.path}/roster", {"name": name, "email": f"{name.lower()}@example.org"}
                ).expect(201)
        check_in(self.host, self.session, "Lee", "lee@example.org").expect(201)
        self.shift(self.session, 48)
        second = self.host.post(f"{self.path}/sessions", {"startsAt": moment(-5), "endsAt": moment(60),
            "allowOverlap": True}).expect(201).json
        self.shift(second, hours)

    def test_the_table_shows_each_person_and_the_rule(self):
        self.held(24)
        said = self.run_command("meeting", "absences", "Study group").stdout.splitlines()
        self.assertEqual([line.split() for line in said[1:]],
            [["Kim", "2", "2", "0", "0", "0", "2", "never"],
             ["Lee", "1", "1", "0", "1", "0", "2", *[said[2].split()[-1]]]])
        self.assertIn("no absence rule",
            self.run_command("meeting", "absences", "Study group", "--met", code=2).stderr)
        self.run_command("meeting", "edit", "Study group", "--absent-in-a-row", "2", "--absent-since",
            "2026-01-01", "--absence-mail", "off")
        ran = self.run_command("meeting", "absences", "Study group", "--met")
        self.assertIn("Rule: 2 absences in a row; since 2026-01-01; no mails", ran.stderr)
        self.assertEqual([line.split()[0] for line in ran.stdout.splitlines()[1:]], ["Kim"])
        found = json.loads(self.run_command("meeting", "absences", "Study group", "--json").stdout)["items"]
        self.assertEqual([(one["name"], one["inARow"], one["meetsRule"]) for one in found],
            [("Kim", 2, True), ("Lee", 1, False)])
        self.run_command("meeting", "edit", "Study group", "--absent-in-a-row", "51", code=2)
        self.run_command("meeting", "edit", "Study group", "--absent-since", "tomorrow", code=2)
        self.run_command("meeting", "edit", "Study group", "--absent-in-a-row", "none")
        self.assertNotIn("absenceRule", self.host.get(self.path).expect(200).json)

    def test_a_host_sets_the_rule_on_the_page_and_sees_who_meets_it(self):
        self.held(24)
        with HostPage(self.server) as page:
            page.sign_in(self.host.email)
            page.show(f"meetings/{self.meeting['id']}")
            page.click_text("Absences")
            rows = "details:has(#f-inARow) tbody tr"

            def shown():
                return [row.text.split() for row in page.find_all(rows)]

            page.wait_for_value(lambda: [row[0] for row in shown()], ["Kim", "Lee"])
            page.click_text("Absence rule")
            page.fill("#f-inARow", "2")
            page.driver.execute_script("document.getElementById('f-inARow').form.requestSubmit()")
            page.wait_for_value(lambda: shown()[0][:4], ["Kim", "meets", "the", "rule"])
            self.assertEqual(self.host.get(self.path).expect(200).json["absenceRule"],
                {"inARow": 2, "mail": True})
            page.click_text("Only people who meet the rule", "label")
            page.wait_for_value(lambda: [row[0] for row in shown()], ["Kim"])
            self.assertEqual(page.complaints(), [])
            page.fill("#f-inARow", "")
            page.fill("#f-since", "2026-09-01")
            page.driver.execute_script("document.getElementById('f-inARow').form.requestSubmit()")
            page.wait_for(lambda: page.find("#f-inARow-error").text)
            self.assertEqual(self.host.get(self.path).expect(200).json["absenceRule"]["inARow"], 2)

    def test_hosts_get_one_mail_about_people_who_newly_meet_the_rule(self):
        self.held(24)
        self.run_command("meeting", "edit", "Study group", "--absent-in-a-row", "3")
        third = self.host.post(f"{self.path}/sessions", {"startsAt": moment(-5), "endsAt": moment(60),
            "allowOverlap": True}).expect(201).json
        self.shift(third, 2)
        address, message = self.receiver.wait_for(1)[0]
        self.assertEqual((address, message.defects), (self.host.email, []))
        self.assertEqual(message["Subject"], "Study group: absences of 1 person")
        for kind in ("plain", "html"):
            text = content(message, kind)
            self.assertIn("Kim: 3 in a row, 3 in all", text)
            self.assertNotIn("Lee:", text)
            self.assertIn(f"/host#/meetings/{self.meeting['id']}", text)

        def stored():
            with sqlite3.connect(self.server.database) as database:
                found = database.execute("SELECT mailed, is_done FROM mailings WHERE kind = 4").fetchall()
            database.close()
            return found

        wait_until(lambda: stored() == [(1, 1)])
        # The first pass of another process finds nothing to do.
        self.restart()
        fourth = self.host.post(f"{self.path}/sessions", {"startsAt": moment(-5), "endsAt": moment(60),
            "allowOverlap": True}).expect(201).json
        self.shift(fourth, 1)
        # Lee reaches three in a row now, and Kim has had them before.
        _, message = self.receiver.wait_for(2)[1]
        self.assertIn("Lee: 3 in a row, 3 in all", content(message, "plain"))
        self.assertNotIn("Kim", content(message, "plain"))
        self.assertEqual(stored(), [(1, 1), (1, 1)])
        self.assertEqual(len(self.receiver.received), 2)


if __name__ == "__main__":
    unittest.main()
