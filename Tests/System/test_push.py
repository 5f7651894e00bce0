"""Push messages to the devices of attendees and accounts, by the operator's service and without it."""
import email
import email.policy
import glob
import os
import subprocess
import tempfile
import unittest

from host import Host
from mail_receiver import content
from server_process import QRING, Server, wait_until
from test_groups import Groups
from test_phone_sign_in import SECRET, Hook

TOKEN = "fcm-token-of-a-phone"
DEVICES = "/api/v1/me/devices"


class PushCase(Groups, unittest.TestCase):
    options = ()

    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open", *self.options))
        self.host = Host(self.server)
        self.prepare()
        self.settings(open=True, places=["Table 1"])
        for person, nickname in enumerate(["Owl", "Fox", "Elk"]):
            self.join(person, nickname, "chess")

    def register(self, person, token=TOKEN, status=201, **fields):
        body = {"token": token, "platform": "fcm", **fields}
        return self.host.post(DEVICES, body, token=self.came[person]["receipt"]).expect(status).json

    def devices(self, token):
        return self.host.get(DEVICES, token=token).expect(200).json["items"]

    def candidate(self, person):
        return self.see(person)["candidates"][0]

    def ask_somebody(self, person, accept):
        """This person asks somebody, who answers. Nobody can ask the same person again after a refusal."""
        self.ask(person, self.candidate(person))
        for other in range(3):
            for request in self.see(other)["requests"]:
                if request["incoming"] and request["status"] == "pending":
                    return self.answer(other, request, accept)
        self.fail("nobody was asked")

    def decline(self, person):
        self.ask_somebody(person, False)


class PushTests(PushCase):
    @property
    def options(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        secret = os.path.join(folder, "secret")
        with open(secret, "w", encoding="ascii") as file:
            file.write(SECRET + "\n")
        self.hook = self.enterContext(Hook())
        return ("--push-hook-url", self.hook.url, "--push-hook-secret-file", secret)

    def test_an_answer_reaches_the_device_of_the_attendee_who_asked(self):
        device = self.register(0, language="ko")
        self.assertEqual(set(device), {"id", "platform", "language", "createdAt"})
        self.assertEqual(self.register(0, language="ko", status=200), device)
        self.register(1, "another-token-1234")
        self.decline(0)
        message = self.hook.take()
        self.assertEqual({name: message[name] for name in ("platform", "token", "kind", "language", "title",
            "text", "session", "url")}, {
                "platform": "fcm", "token": TOKEN, "kind": "declined", "language": "ko",
                "title": "Study group", "text": "만남 요청이 거절되었습니다.", "session": self.session["id"],
                "url": f"{self.server.url}/me/{self.session['id']}/groups"})
        self.ask_somebody(1, True)
        message = self.hook.take()
        self.assertEqual((message["kind"], message["token"], message["language"]),
            ("matched", "another-token-1234", "en"))
        for name in ("Owl", "Fox", "Elk", "Zoe", "Yan", "Xia"):
            self.assertNotIn(name, str(self.hook.messages))

    def test_a_service_that_is_down_gets_the_same_message_later(self):
        self.hook.status = 503
        self.register(0)
        self.decline(0)
        self.hook.wait_for_attempts(1)
        self.hook.status = 204
        self.assertEqual(self.hook.take()["kind"], "declined")

    def test_a_platform_that_is_down_delays_no_message_of_another(self):
        self.hook.answers["apns"] = 500
        self.register(0, "apns-token-of-a-phone", platform="apns")
        self.register(0)
        self.decline(0)
        self.assertEqual(self.hook.take()["platform"], "fcm")
        self.hook.wait_for_attempts(2)
        self.hook.answers.clear()
        self.assertFalse([line for line in self.server.log.lines if "cannot be sent" in line])
        self.assertEqual(self.hook.take()["platform"], "apns")

    def test_a_token_that_is_gone_is_removed(self):
        for person, (status, body) in enumerate([(410, b""), (200, b'{"gone": true}')]):
            with self.subTest(status=status):
                self.hook.status, self.hook.body = status, body
                attempts = self.hook.attempts
                self.register(person)
                self.decline(person)
                self.hook.wait_for_attempts(attempts + 1)
                wait_until(lambda person=person: not self.devices(self.came[person]["receipt"]))

    def test_the_start_of_a_session_is_announced_once_also_over_a_restart(self):
        session = self.host.session("Soon", starts=0.2, ends=30, session={"questions": []})
        came = self.host.post("/api/v1/check-ins", {"joinCode": session["joinCode"], "name": "Early",
            "email": "early@example.org"}, token=None).expect(201).json
        self.host.post(DEVICES, {"token": "https://example.org/a-webhook", "platform": "webhook"},
            token=came["receipt"]).expect(201)
        message = self.hook.take()
        self.assertEqual((message["kind"], message["session"], message["platform"]),
            ("sessionStarts", session["id"], "webhook"))
        self.server.stop()
        self.server.start()
        # The next message shows that the server has looked for sessions since.
        again = self.host.session("Again", starts=0.2, ends=30, session={"questions": []})
        came = self.host.post("/api/v1/check-ins", {"joinCode": again["joinCode"], "name": "Early",
            "email": "early@example.org"}, token=None).expect(201).json
        self.host.post(DEVICES, {"token": TOKEN, "platform": "apns"}, token=came["receipt"]).expect(201)
        self.assertEqual(self.hook.take()["session"], again["id"])
        self.assertEqual(len(self.hook.messages), 2)

    def test_devices_are_limited_listed_deleted_exported_and_erased(self):
        receipt = self.came[0]["receipt"]
        devices = [self.register(0, f"{TOKEN}-{number}") for number in range(10)]
        self.assertEqual(self.register(0, f"{TOKEN}-10", 409)["code"], "limit_reached")
        self.assertEqual({one["id"] for one in self.devices(receipt)}, {one["id"] for one in devices})
        path = f"{DEVICES}/{devices[0]['id']}"
        # Neither the host nor another attendee can touch the device.
        self.host.delete(path).expect(404)
        self.host.delete(path, token=self.came[1]["receipt"]).expect(404)
        self.host.delete(path, token=receipt).expect(204)
        self.host.delete(path, token=receipt).expect(404)
        self.decline(0)
        for _ in range(9):
            self.hook.take()
        answer = self.host.get("/api/v1/check-ins/current/export", token=receipt).expect(200)
        self.assertEqual(len(answer.json["devices"]), 9)
        self.assertIn("push", {mail["kind"] for mail in answer.json["mails"]})
        self.assertNotIn(TOKEN, answer.text)
        self.host.delete("/api/v1/check-ins/current", token=receipt).expect(204)
        self.host.get(DEVICES, token=receipt).expect(401)
        self.server.stop()
        with open(os.path.join(self.server.folder, "journal.db"), "rb") as file:
            self.assertNotIn(TOKEN.encode(), file.read())

    def test_an_account_has_devices_until_its_password_changes(self):
        self.host.post(DEVICES, {"token": TOKEN, "platform": "fcm"}).expect(201)
        self.assertEqual(len(self.devices(self.host.token)), 1)
        self.assertEqual(len(self.host.get("/api/v1/me/export").expect(200).json["devices"]), 1)
        named = self.host.post("/api/v1/tokens/named",
            {"name": "nightly", "access": "write"}).expect(201).json
        self.host.get(DEVICES, token=named["token"]).expect(403)
        self.host.patch("/api/v1/me", {"password": "another horse battery",
            "currentPassword": "correct horse battery"}).expect(200)
        self.assertEqual(self.devices(self.host.token), [])

    def test_a_token_that_is_none_is_refused(self):
        for token, platform in [("short", "fcm"), ("a token with blanks in it", "fcm"),
                ("x" * 1001, "apns"), ("http://example.org/hook", "webhook"), (TOKEN, "pager")]:
            with self.subTest(token=token[:20], platform=platform):
                self.host.post(DEVICES, {"token": token, "platform": platform}).expect(422)


class OutboxTests(PushCase):
    def test_without_a_service_each_message_becomes_a_file(self):
        self.register(0, language="ko")
        self.decline(0)
        pattern = os.path.join(self.server.folder, "outbox", "*.eml")
        wait_until(lambda: glob.glob(pattern))
        with open(glob.glob(pattern)[0], "rb") as file:
            raw = file.read()
        message = email.message_from_bytes(raw, policy=email.policy.default)
        self.assertEqual(message["Subject"], "Study group")
        self.assertIn("만남 요청이 거절되었습니다.", content(message, "plain"))
        self.assertNotIn(TOKEN, str(message))
        self.assertNotIn("List-Unsubscribe", message)
        self.server.log.wait_for(lambda lines: any("--push-hook-url" in line for line in lines))


class OptionTests(unittest.TestCase):
    def test_a_service_needs_https_and_a_secret(self):
        for url, secret, words in [("https://push.example.org/messages", "", "QRING_PUSH_HOOK_SECRET"),
                ("https://push.example.org/messages", "short", "QRING_PUSH_HOOK_SECRET"),
                ("http://push.example.org/messages", SECRET, "--push-hook-url")]:
            with self.subTest(url=url, secret=secret), tempfile.TemporaryDirectory() as folder:
                result = subprocess.run(
                    [QRING, "serve", "--listen", "127.0.0.1:0", "--data", folder, "--push-hook-url", url],
                    env={**Server.environment(), "QRING_PUSH_HOOK_SECRET": secret}, capture_output=True,
                    text=True, check=False)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(words, result.stderr)
