"""Web hooks, read by an independent implementation of Standard Webhooks: signatures, retries, ends of web
hooks, crashes, and addresses that are not allowed."""
import datetime
import http.server
import re
import subprocess
import tempfile
import threading
import unittest

from standardwebhooks import Webhook, WebhookVerificationError

from api import API
from host import Host, check_in
from host_page import HostPage
from nodes import Nodes
from postgres import shared
from server_process import DEADLINE, QRING, Server, wait_until


class Receiver:
    """A server that gets the requests. `answers` are its next statuses, or pairs of a status and headers.
    Then it answers 204. Requests to paths that begin with `/slow` get no answer before `release` is set."""

    def __init__(self):
        self.requests, self.answers = [], []
        self.changed = threading.Condition(threading.RLock())
        self.release = threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.changed:
                    answer = receiver.answers.pop(0) if receiver.answers else 204
                    receiver.requests.append((self.path, dict(self.headers), body))
                    receiver.changed.notify_all()
                if self.path.startswith("/slow"):
                    receiver.release.wait(DEADLINE)
                status, headers = answer if isinstance(answer, tuple) else (answer, {})
                self.send_response(status)
                for name, value in {"Content-Length": "0", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/events"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()

    def to(self, start):
        """Returns the requests to paths that begin with this text."""
        with self.changed:
            return [request for request in self.requests if request[0].startswith(start)]

    def wait(self, count, seconds=DEADLINE, start="/"):
        """Waits for so many requests to paths that begin with `start`, and returns all of them."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.to(start)) >= count, seconds), self.requests
            return self.to(start)


class WebhookCase(unittest.TestCase):
    options = ("--webhooks-to-private", "127.0.0.1")

    def setUp(self):
        self.receiver = self.enterContext(Receiver())
        self.server = self.enterContext(Server("--signup", "open", *self.options))
        self.host = Host(self.server)
        made = self.host.meeting()
        self.meeting, self.session = made["meeting"], made["session"]
        self.path = f"/api/v1/meetings/{self.meeting['id']}/webhooks"

    def add(self, *events, status=201, url=None):
        body = {"url": url or self.receiver.url, **({"events": list(events)} if events else {})}
        return self.host.post(self.path, body).expect(status).json

    def log(self, hook):
        return self.host.get(f"{self.path}/{hook['id']}/deliveries").expect(200).json["items"]

    def hooks(self):
        return self.host.get(self.path).expect(200).json["items"]

    def opened(self, request, hook):
        """Verifies the request with the independent implementation, and returns its body."""
        _, headers, body = request
        return Webhook(hook["secret"]).verify(body, headers)


class WebhookTests(WebhookCase):
    def test_a_check_in_and_its_correction_arrive_signed(self):
        hook = self.add("check_in", "corrected")
        self.assertTrue(hook["secret"].startswith("whsec_"))
        attendee = check_in(self.host, self.session, "Kim", "kim@example.org").expect(201).json["attendee"]
        first = self.receiver.wait(1)[0]
        body = self.opened(first, hook)
        self.assertEqual(first[1]["Content-Type"], "application/json")
        self.assertEqual((body["type"], body["data"]["attendee"]["name"], body["data"]["session"]),
            ("check_in", "Kim", self.session["id"]))
        self.assertEqual(body["data"]["meeting"], {"id": self.meeting["id"], "name": "Study group"})
        self.assertEqual(body["data"]["sequence"], body["data"]["event"]["sequence"])
        self.host.patch(f"/api/v1/attendees/{attendee['id']}", {"name": "Kim Lee"}).expect(200)
        second = self.opened(self.receiver.wait(2)[1], hook)
        self.assertEqual((second["type"], second["data"]["attendee"]["name"]), ("corrected", "Kim Lee"))
        self.assertEqual(second["data"]["sequence"], body["data"]["sequence"] + 1)
        with self.assertRaises(WebhookVerificationError):
            Webhook(hook["secret"]).verify(first[2] + b" ", first[1])
        self.assertNotIn("secret", self.hooks()[0])

    def test_a_failure_is_retried_with_the_same_id_and_does_not_hold_the_others(self):
        hook = self.add("check_in")
        self.receiver.answers = [500]
        check_in(self.host, self.session, "Kim", "kim@example.org").expect(201)
        self.receiver.wait(1)
        check_in(self.host, self.session, "Lee", "lee@example.org").expect(201)
        first, second, third = self.receiver.wait(3, seconds=2 * DEADLINE)
        names = [self.opened(request, hook)["data"]["attendee"]["name"] for request in (first, second, third)]
        self.assertEqual(names, ["Kim", "Lee", "Kim"], "the second event did not wait for the retry")
        self.assertEqual(first[1]["webhook-id"], third[1]["webhook-id"])
        self.assertNotEqual(first[1]["webhook-id"], second[1]["webhook-id"])
        pause = int(third[1]["webhook-timestamp"]) - int(first[1]["webhook-timestamp"])
        self.assertTrue(4 <= pause <= 20, pause)
        self.assertEqual(first[2], third[2])
        wait_until(lambda: [one["state"] for one in self.log(hook)] == ["sent", "sent"])
        self.assertEqual([one["attempts"] for one in self.log(hook)], [1, 2])

    def test_an_erased_name_is_not_sent_by_a_retry(self):
        hook = self.add("check_in")
        self.receiver.answers = [500]
        attendee = check_in(self.host, self.session, "Kim", "kim@example.org").expect(201).json["attendee"]
        self.receiver.wait(1)
        self.host.delete(f"/api/v1/attendees/{attendee['id']}?erase=true").expect(204)
        again = self.receiver.wait(2, seconds=2 * DEADLINE)[1]
        self.assertIsNone(self.opened(again, hook)["data"].get("attendee"))
        self.assertNotIn(b"Kim", again[2])

    def test_a_receiver_that_is_gone_ends_the_web_hook_until_a_host_retries(self):
        hook = self.add("check_in")
        self.receiver.answers = [410]
        check_in(self.host, self.session, "Kim", "kim@example.org").expect(201)
        wait_until(lambda: self.hooks()[0]["state"] == "gone")
        check_in(self.host, self.session, "Lee", "lee@example.org").expect(201)
        self.host.post(f"{self.path}/{hook['id']}/retry", {}).expect(200)
        check_in(self.host, self.session, "Min", "min@example.org").expect(201)
        names = [self.opened(request, hook)["data"]["attendee"]["name"] for request in self.receiver.wait(2)]
        self.assertEqual(names, ["Kim", "Min"])

    def test_a_redirect_is_a_failure_and_leads_nowhere(self):
        hook = self.add("check_in")
        self.receiver.answers = [(302, {"Location": "/elsewhere"})]
        check_in(self.host, self.session, "Kim", "kim@example.org").expect(201)
        wait_until(lambda: self.log(hook) and self.log(hook)[0].get("reply") == "302")
        self.assertNotIn("/elsewhere", [request[0] for request in self.receiver.requests])

    def test_a_receiver_chooses_a_longer_pause(self):
        hook = self.add("check_in")
        self.receiver.answers = [(429, {"Retry-After": "3600"})]
        check_in(self.host, self.session, "Kim", "kim@example.org").expect(201)
        wait_until(lambda: self.log(hook) and self.log(hook)[0].get("reply") == "429")
        one = self.log(hook)[0]
        self.assertGreater(one["nextAttemptAt"], one["at"][:11] + "00:00:00")
        minutes = (int(one["nextAttemptAt"][11:13]) * 60 + int(one["nextAttemptAt"][14:16])
            - int(one["at"][11:13]) * 60 - int(one["at"][14:16])) % 1440
        self.assertTrue(59 <= minutes <= 61, one)

    def test_a_pause_outlives_a_restart_tests_say_its_end_and_a_retry_ends_it(self):
        hook = self.add("check_in")
        self.receiver.answers = [(503, {"Retry-After": "3600"})]
        check_in(self.host, self.session, "Kim", "kim@example.org").expect(201)
        wait_until(lambda: self.log(hook) and self.log(hook)[0].get("reply") == "503")
        self.server.kill()
        self.server.start()
        other = self.add("check_in", url=self.receiver.url.replace("/events", "/other"))
        for number, name in enumerate(("Lee", "Min"), 1):
            check_in(self.host, self.session, name, f"{name.lower()}@example.org").expect(201)
            self.receiver.wait(number, start="/other")
        self.assertEqual(len(self.receiver.to("/events")), 1, "the receiver gets its pause")
        test = [f"{self.path}/{one['id']}/test" for one in (hook, other)]
        self.assertIsNone(self.host.post(test[1]).expect(201).json.get("pausedUntil"))
        end = self.host.post(test[0]).expect(201).json["pausedUntil"]
        minutes = (datetime.datetime.fromisoformat(end) - datetime.datetime.now(datetime.timezone.utc)) \
            .total_seconds() / 60
        self.assertTrue(50 < minutes <= 60, end)
        self.assertEqual(next(one for one in self.hooks() if one["id"] == hook["id"])["pausedUntil"], end)
        run = subprocess.run([QRING, "webhook", "test", "Study group", hook["id"]],
            env={**Server.environment(), "HOME": self.server.folder, "QRING_SERVER": self.server.url,
                "QRING_TOKEN": self.host.token}, capture_output=True, text=True, check=True)
        self.assertIn(f"wait until {end[:10]} {end[11:16]}", " ".join(run.stderr.split()))
        self.assertEqual(len(self.receiver.to("/events")), 1, "the receiver gets its pause")
        retried = self.host.post(f"{self.path}/{hook['id']}/retry", {}).expect(200).json
        self.assertNotIn("pausedUntil", retried)
        wait_until(lambda: len(self.receiver.to("/events")) > 1)

    def test_switched_off_the_server_sends_nothing_and_the_web_hooks_stay(self):
        hook = self.add("check_in")
        options = self.server.options
        self.server.stop()
        self.server.options = (*options, "--web-hooks", "off")
        self.server.start()
        check_in(self.host, self.session, "Kim", "kim@example.org").expect(201)
        self.assertEqual(self.add(status=403)["code"], "webhooks_off")
        for action in ("test", "retry"):
            self.host.post(f"{self.path}/{hook['id']}/{action}", {}).expect(403)
        self.assertEqual([one["state"] for one in self.hooks()], ["switchedOff"])
        self.server.stop()
        self.server.options = options
        self.server.start()
        self.assertEqual([one["state"] for one in self.hooks()], ["active"])
        check_in(self.host, self.session, "Lee", "lee@example.org").expect(201)
        self.assertEqual(self.opened(self.receiver.wait(1)[0], hook)["data"]["attendee"]["name"], "Lee")
        self.assertEqual(len(self.log(hook)), 1)

    def test_the_metrics_count_results_and_what_waits(self):
        def value(name):
            text = self.host.get("/metrics").expect(200).text
            return float(re.search(rf"^qring_webhook_deliveries_{re.escape(name)} (\S+)$", text, re.M)[1])

        self.assertEqual((value("waiting"), value("oldest_waiting_seconds")), (0, 0))
        self.add("check_in")
        self.receiver.answers = [204, (503, {"Retry-After": "3600"})]
        check_in(self.host, self.session, "Kim", "kim@example.org").expect(201)
        wait_until(lambda: value('total{result="sent"}') == 1)
        check_in(self.host, self.session, "Lee", "lee@example.org").expect(201)
        wait_until(lambda: value('total{result="deferred"}') == 1)
        self.assertEqual((value("waiting"), value('total{result="sent"}')), (1, 1))
        self.assertGreater(value("oldest_waiting_seconds"), 0)

    def test_the_data_export_names_the_receivers_and_no_secret(self):
        hook = self.add("check_in", url=self.receiver.url + "?token=hidden")
        export = self.host.get("/api/v1/me/export").expect(200)
        found, = export.json["account"]["webhooks"]
        host = f"127.0.0.1:{self.receiver.server.server_port}"
        self.assertEqual((found["id"], found["host"], found["events"], found["state"], found["meeting"]),
            (hook["id"], host, ["check_in"], "active", "Study group"))
        page = self.host.get("/api/v1/me/export.html").expect(200)
        self.assertIn(host, page.text)
        for text in (export.text, page.text):
            self.assertNotIn("hidden", text)
            self.assertNotIn(hook["secret"], text)

    def test_fifty_web_hooks_of_one_account_each_get_their_event(self):
        hooks = {}
        for number in range(10):
            made = self.host.meeting(f"Meeting {number}")
            path = f"/api/v1/meetings/{made['meeting']['id']}/webhooks"
            for place in range(5):
                hook = self.host.post(path, {"url": f"{self.receiver.url}/{number}/{place}",
                    "events": ["check_in"]}).expect(201).json
                hooks[f"/events/{number}/{place}"] = hook
            check_in(self.host, made["session"], f"Guest {number}", f"g{number}@example.org").expect(201)
        self.assertEqual(self.add(status=409)["code"], "limit_reached")
        requests = self.receiver.wait(50)
        self.assertEqual(sorted(request[0] for request in requests), sorted(hooks))
        for request in requests:
            name = self.opened(request, hooks[request[0]])["data"]["attendee"]["name"]
            self.assertEqual(name, f"Guest {request[0].split('/')[2]}")

    def test_a_slow_owner_holds_only_a_part_of_the_couriers(self):
        origin = self.receiver.url.removesuffix("/events")
        for number in range(5):
            self.add("check_in", url=f"{origin}/slow/{number}")
        for number in range(8):
            check_in(self.host, self.session, f"Guest {number}", f"g{number}@example.org").expect(201)
        # Four web hooks of one owner get requests at the same time.
        self.receiver.wait(4, start="/slow")
        other = Host(self.server)
        made = other.meeting("Quick")
        other.post(f"/api/v1/meetings/{made['meeting']['id']}/webhooks",
            {"url": f"{origin}/quick", "events": ["check_in"]}).expect(201)
        for number in range(5):
            check_in(other, made["session"], f"Quick {number}", f"q{number}@example.org").expect(201)
            self.receiver.wait(number + 1, start="/quick")
        slow = {request[0] for request in self.receiver.to("/slow")}
        self.assertEqual(len(slow), 4, "the slow owner's fifth web hook waits")
        self.receiver.release.set()
        slow = self.receiver.wait(40, start="/slow")
        self.assertEqual(len({(request[0], request[1]["webhook-id"]) for request in slow}), 40)

    def test_two_secrets_sign_after_a_rotation(self):
        old = self.add("check_in")
        new = self.host.post(f"{self.path}/{old['id']}/rotate").expect(200).json
        self.assertNotEqual(old["secret"], new["secret"])
        check_in(self.host, self.session, "Kim", "kim@example.org").expect(201)
        request = self.receiver.wait(1)[0]
        self.assertEqual(self.opened(request, old), self.opened(request, new))
        self.assertEqual(len(request[1]["webhook-signature"].split(" ")), 2)

    def test_a_crash_loses_nothing(self):
        hook = self.add("check_in")
        self.receiver.answers = [503] * 3
        for number in range(20):
            check_in(self.host, self.session, f"P{number}", f"p{number}@example.org").expect(201)
        self.server.kill()
        self.server.start()
        seen = set()
        wait_until(lambda: seen.update(self.opened(request, hook)["data"]["attendee"]["name"]
            for request in list(self.receiver.requests)) or len(seen) == 20, seconds=3 * DEADLINE)

    def test_a_session_that_starts_is_sent(self):
        hook = self.add("session.started", "meeting.session_added")
        soon = self.host.post(f"/api/v1/meetings/{self.meeting['id']}/sessions", {
            "startsAt": self.soon(3), "endsAt": self.soon(3600), "allowOverlap": True}).expect(201).json
        bodies = [self.opened(request, hook) for request in self.receiver.wait(2, seconds=2 * DEADLINE)]
        self.assertEqual([(body["type"], body["data"]["session"]) for body in bodies],
            [("meeting.session_added", soon["id"]), ("session.started", soon["id"])])

    @staticmethod
    def soon(seconds):
        from host import moment
        return moment(seconds / 60)

    def test_the_commands_manage_web_hooks(self):
        home = self.enterContext(tempfile.TemporaryDirectory())
        environment = {**Server.environment(), "HOME": home, "QRING_SERVER": self.server.url,
            "QRING_TOKEN": self.host.token}

        def run(*words):
            done = subprocess.run([QRING, "webhook", *words], env=environment, capture_output=True,
                text=True, stdin=subprocess.DEVNULL, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.strip()

        url = self.receiver.url
        secret = run("create", "Study group", url, "--events", "check_in")
        run("test", "Study group", url)
        body = Webhook(secret).verify(self.receiver.wait(1)[0][2], self.receiver.requests[0][1])
        self.assertEqual(body["type"], "test")
        self.assertIn(url, run("list", "Study group"))
        wait_until(lambda: "sent" in run("log", "Study group", url, "--json"))
        self.assertNotEqual(run("rotate", "Study group", url), secret)
        run("retry", "Study group", url)
        run("delete", "Study group", url, "--yes")
        self.assertEqual(self.hooks(), [])


class NodeTests(unittest.TestCase):
    def test_two_servers_of_one_database_deliver_each_event_once(self):
        receiver = self.enterContext(Receiver())
        nodes = self.enterContext(
            Nodes(shared().database(), 2, "--webhooks-to-private", "127.0.0.1"))
        host = Host(nodes[0])
        made = host.meeting()
        path = f"/api/v1/meetings/{made['meeting']['id']}/webhooks"
        hooks = [host.post(path, {"url": f"{receiver.url}/{number}", "events": ["check_in"]}).expect(201).json
            for number in range(2)]
        for number in range(20):
            check_in(API(nodes[number % 2]), made["session"], f"Guest {number}", f"g{number}@example.org"
                ).expect(201)
        receiver.wait(40, seconds=2 * DEADLINE)
        for hook in hooks:
            log = f"{path}/{hook['id']}/deliveries?limit=100"
            wait_until(lambda log=log: {one["state"] for one in host.get(log).expect(200).json["items"]}
                == {"sent"})
            self.assertEqual([one["attempts"] for one in host.get(log).json["items"]], [1] * 20)
        requests = receiver.to("/events")
        self.assertEqual(len(requests), 40)
        self.assertEqual(len({request[1]["webhook-id"] for request in requests}), 40)
        for number, hook in enumerate(hooks):
            names = {Webhook(hook["secret"]).verify(body, headers)["data"]["attendee"]["name"]
                for _, headers, body in receiver.to(f"/events/{number}")}
            self.assertEqual(names, {f"Guest {number}" for number in range(20)})


class PageTests(WebhookCase):
    def test_a_host_adds_tests_and_deletes_a_web_hook_on_the_page(self):
        page = self.enterContext(HostPage(self.server))
        page.sign_in(self.host.email)
        page.show(f"meetings/{self.meeting['id']}")
        page.click_text("Web hooks")
        page.wait_for_text("#main", "No web hook yet")
        page.fill("#main input[type=url]", self.receiver.url)
        boxes = page.find_all("#main input[name=events]")
        other = self.add()
        self.host.delete(f"{self.path}/{other['id']}").expect(204)
        self.assertEqual({box.get_attribute("value") for box in boxes}, set(other["events"]),
            "the page offers each event")
        for box in boxes:
            page.press(box)
        page.click_text("Add a web hook")
        page.wait_for_text("#main", "Choose at least one event.")
        for box in boxes[:2]:
            page.press(box)
        page.click_text("Add a web hook")
        page.wait_for_text("#main", "whsec_")
        page.wait_for_text("#main", "Check-ins, Corrections of attendance")
        self.assertEqual([hook["events"] for hook in self.hooks()][-1], ["check_in", "corrected"])
        hook = {"secret": page.find("output.link code").text}
        page.click_text("Send a test")
        self.assertEqual(self.opened(self.receiver.wait(1)[0], hook)["type"], "test")
        page.click_text("Deliveries")
        page.wait_for(lambda: page.find_all("#main details details li time"))
        page.press(next(one for one in page.find_all("#main button")
            if one.accessible_name == f"Remove: {self.receiver.url}"))
        page.answer_dialog("Remove")
        page.wait_for_text("#main", "No web hook yet")
        self.assertEqual(page.complaints(), [])


class AddressTests(WebhookCase):
    options = ()

    def test_addresses_of_the_operators_network_are_refused_after_the_name_is_resolved(self):
        self.assertIn("not_a_webhook_address", str(self.add(status=422)), "http needs the operator's setting")
        port = self.receiver.server.server_port
        for host in ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f000001",
                "[64:ff9b::7f00:1]"):
            with self.subTest(host=host):
                hook = self.add("check_in", url=f"https://{host}:{port}/")
                self.host.post(f"{self.path}/{hook['id']}/test").expect(201)
                wait_until(lambda hook=hook: self.log(hook) and self.log(hook)[0]["attempts"] > 0
                    and self.log(hook)[0].get("reply"))
                # A machine without IPv6 has no connection to some of them.
                allowed = ["the address is not allowed"] + (["no connection"] if ":" in host else [])
                self.assertIn(self.log(hook)[0]["reply"], allowed)
                self.host.delete(f"{self.path}/{hook['id']}").expect(204)
        self.assertEqual(self.receiver.requests, [])

    def test_an_address_with_a_user_or_a_port_of_another_service_is_refused(self):
        for url in ("https://me:secret@example.org/", "https://example.org:25/", "ftp://example.org/",
                "https://", "https://example.org:99999/", "https://example.org\\@127.0.0.1/"):
            with self.subTest(url=url):
                self.assertIn("not_a_webhook_address", str(self.add(url=url, status=422)))

    def test_a_limited_number_of_web_hooks(self):
        for number in range(5):
            self.add(url=f"https://example.org/{number}")
        self.assertEqual(self.add(url="https://example.org/6", status=409)["code"], "limit_reached")


if __name__ == "__main__":
    unittest.main()
