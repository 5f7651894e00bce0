"""Mails against a real SMTP server: delivered, deferred, refused, once each across restarts, and as files."""
import email
import email.policy
import glob
import os
import ssl
import stat
import subprocess
import tempfile
import unittest

from admin import Admin
from mail_receiver import Receiver, content, queue
from server_process import DEADLINE, QRING, Server, free_port, wait_until


def people(count, name="p"):
    return [f"{name}{number}@example.org" for number in range(count)]


class Mails(unittest.TestCase):
    """A stopped server with a queue, and a receiver."""

    def setUp(self):
        self.server = self.enterContext(Server())
        self.folder = self.server.folder
        self.server.stop()
        self.receiver = self.enterContext(Receiver(free_port()))

    def start(self, *options):
        self.server.options = (
            "--smtp-url", self.receiver.url, "--mail-from", "qring@example.org", "--public-url",
            "https://q.example.org", *options)
        return self.server.start()

    def states(self):
        counts = Admin("mail", "queue", folder=self.folder).expect().answer["counts"]
        return {state: count for state, count in counts.items() if count}

    def test_a_mail_arrives_in_both_languages_as_pythons_parser_reads_it(self):
        queue(self.folder, ["kim@example.org"], language="ko")
        queue(self.folder, ["lee@example.org"], "passwordReset")
        self.start()
        found = dict(self.receiver.wait_for(2))
        korean, english = found["kim@example.org"], found["lee@example.org"]
        for message in (korean, english):
            self.assertEqual(message["From"].addresses[0].addr_spec, "qring@example.org")
            self.assertEqual(message["Auto-Submitted"], "auto-generated")
            self.assertRegex(message["Message-ID"], r"^<[0-9a-z]{26}@example\.org>$")
            self.assertIsNotNone(message["Date"].datetime)
            self.assertEqual(message.get_content_type(), "multipart/alternative")
            self.assertEqual([], message.defects)
            for kind in ("plain", "html"):
                self.assertIn("000000", content(message, kind))
                self.assertIn("https://q.example.org/x#0", content(message, kind))
        self.assertEqual(korean["Subject"], "QRing 인증번호는 000000입니다")
        self.assertIn("이메일 주소 확인하기", content(korean, "html"))
        self.assertEqual(english["Subject"], "Choose a new QRing password")
        self.assertEqual(english["Content-Language"], "en")
        wait_until(lambda: self.states() == {"sent": 2}, lambda: self.states())

    def test_a_thousand_mails_arrive_once_each_although_the_server_stops_in_between(self):
        queue(self.folder, people(1000))
        self.start()
        self.receiver.wait_for(100)
        self.assertEqual(self.server.stop(), 0)
        before = len(self.receiver.ids())
        rest = {"waiting": 1000 - before} if before < 1000 else {}
        self.assertEqual(self.states(), {"sent": before, **rest})
        self.start()
        self.receiver.wait_for(1000)
        wait_until(lambda: self.states() == {"sent": 1000}, lambda: self.states())
        self.assertEqual(len(set(self.receiver.ids())), 1000)
        self.assertEqual(len(self.receiver.ids()), 1000)

    def test_after_a_crash_at_most_the_mails_on_their_way_arrive_again_with_the_same_id(self):
        queue(self.folder, people(200))
        self.start()
        self.receiver.wait_for(40)
        self.server.kill()
        self.start()
        wait_until(lambda: self.states() == {"sent": 200}, lambda: self.states())
        ids = self.receiver.ids()
        self.assertEqual(len(set(ids)), 200)
        self.assertLessEqual(len(ids), 204)

    def test_mails_wait_while_the_receiver_is_down(self):
        port = self.receiver.port
        self.receiver.stop()
        queue(self.folder, people(6))
        self.start()
        self.server.log.wait_for_match("mails cannot be sent and wait: ")
        self.assertEqual(self.states(), {"waiting": 6})
        self.receiver = self.enterContext(Receiver(port))
        self.receiver.wait_for(6, DEADLINE * 2)
        self.server.log.wait_for_match("mails are sent again")
        self.assertEqual(len(set(self.receiver.ids())), 6)

    def test_a_refused_mail_is_reported_once_and_a_deferred_one_is_tried_again(self):
        self.receiver.answers = {
            "gone@example.org": "550 5.1.1 no such user gone@example.org",
            "busy@example.org": "451 4.7.1 come back later"}
        queue(self.folder, ["gone@example.org", "busy@example.org", "kim@example.org"])
        self.start()
        self.receiver.wait_for(1)
        refusal = self.server.log.wait_for_match(r"mail \w+ \(verification\) was refused with (.*):")
        self.assertEqual(refusal.group(1), "550 5.1.1")
        self.receiver.wait_for_attempts(3)
        del self.receiver.answers["busy@example.org"]
        self.receiver.wait_for(2, DEADLINE * 2)
        self.assertEqual(self.receiver.attempts.count("gone@example.org"), 1)
        self.assertEqual(self.receiver.attempts.count("busy@example.org"), 2)
        lines = [line for line in self.server.log.lines if "was refused" in line]
        self.assertEqual(len(lines), 1, lines)
        # The log has no address.
        lines = [line for line in self.server.log.lines if "mail" in line and "@example.org" in line]
        self.assertEqual(lines, [])
        items = Admin("mail", "queue", "--state", "refused", folder=self.folder).expect().answer["items"]
        self.assertEqual([item["reply"] for item in items], ["550 5.1.1 no such user gone@example.org"])
        # The operator sends it again, or deletes it.
        self.server.stop()
        Admin("mail", "retry", items[0]["id"], folder=self.folder).expect()
        self.assertEqual(self.states(), {"sent": 2, "waiting": 1})
        Admin("mail", "drop", items[0]["id"], folder=self.folder).expect()
        Admin("mail", "drop", items[0]["id"], folder=self.folder).expect(1)
        self.assertEqual(self.states(), {"sent": 2, "dropped": 1})

    def test_without_a_mail_server_the_mails_are_files_and_one_line_says_so(self):
        queue(self.folder, people(3), language="ko")
        self.server.options = ()
        self.server.start()
        self.server.log.wait_for_match("no mail server is set")
        outbox = os.path.join(self.folder, "outbox")
        files = wait_until(lambda: len(found := glob.glob(outbox + "/*.eml")) == 3 and found)
        self.assertEqual(stat.S_IMODE(os.stat(outbox).st_mode), 0o700)
        for name in files:
            self.assertEqual(stat.S_IMODE(os.stat(name).st_mode), 0o600)
            with open(name, "rb") as file:
                message = email.message_from_binary_file(file, policy=email.policy.default)
            self.assertIn("인증번호", content(message, "plain"))
        wait_until(lambda: self.states() == {"sent": 3}, lambda: self.states())
        lines = [line for line in self.server.log.lines if "no mail server" in line]
        self.assertEqual(len(lines), 1, lines)


class MailServers(unittest.TestCase):
    """`admin mail test` against a server with TLS and a password."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.certificate, key = (os.path.join(cls.scratch, name) for name in ("cert.pem", "key.pem"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-keyout", key, "-out", cls.certificate], check=True, capture_output=True)
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(cls.certificate, key)
        cls.receiver = cls.enterClassContext(Receiver(password="open sesame", tls=tls))

    def attempt(self, password="open sesame", trusted=True, *more):
        environment = {**Server.environment(), "QRING_SMTP_PASSWORD": password}
        if trusted:
            environment["QRING_CA_FILE"] = self.certificate
        return subprocess.run(
            [QRING, "admin", "mail", "test", "kim@example.org", "--smtp-url",
             f"smtps://qring@127.0.0.1:{self.receiver.port}", "--mail-from", "qring@example.org", *more],
            capture_output=True, text=True, timeout=DEADLINE, env=environment)

    def test_a_mail_needs_the_password_and_a_trusted_certificate(self):
        done = self.attempt()
        self.assertEqual(done.returncode, 0, done.stderr)
        address, message = self.receiver.wait_for(1)[-1]
        self.assertEqual((address, message["Subject"]), ("kim@example.org", "Test mail from QRing"))
        wrong = self.attempt("wrong")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("535", wrong.stderr)
        self.assertNotIn("wrong", wrong.stderr)
        stranger = self.attempt(trusted=False)
        self.assertEqual(stranger.returncode, 1)
        self.assertIn("certificate", stranger.stderr)
        self.assertEqual(len(self.receiver.received), 1)

    def test_a_server_does_not_start_with_a_password_on_its_command_line_or_without_one(self):
        for url in ("smtps://kim:secret@mail.example.org", "smtps://kim@mail.example.org"):
            done = subprocess.run(
                [QRING, "serve", "--data", self.scratch, "--smtp-url", url], capture_output=True, text=True,
                timeout=DEADLINE, env=Server.environment())
            self.assertIn(done.returncode, (1, 2), done.stderr)
            self.assertNotIn("secret", done.stderr)
