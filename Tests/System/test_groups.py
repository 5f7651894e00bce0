"""Groups of interest: two phones find each other, by the API, on pages with and without scripts, and for the
host. Nobody else sees who asks whom, and no name is in anything that anybody sees."""
import json
import re
import unittest
import urllib.parse

import pytest

from axe import violations
from browser import PHONE, Browser
from host import Host, check_in
from host_page import HostPage
from room import Room
from server_process import PATIENCE, Server, Stopwatch
from test_command_line import Terminal

# The names of the attendees are in no other text.
NAMES = ["Zoe Quill", "Yan Quill", "Xia Quill"]
SMALL = (320, 568)


class Groups:
    """A session with three people."""

    def prepare(self):
        self.session = self.host.session(session={"questions": []})
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.came = [check_in(self.host, self.session, name,
            f"{name.split()[0]}@example.org").expect(201).json for name in NAMES]

    def settings(self, **values):
        return self.host.patch(f"{self.path}/matching-settings", values).expect(200).json

    def call(self, person, method, path="", body=None, status=200):
        arguments = [f"{self.path}/matching{path}", *([body] if body is not None else [])]
        send = getattr(self.host, method)
        answer = send(*arguments, token=self.came[person]["receipt"]).expect(status)
        return None if status == 204 else answer.json

    def see(self, person, query=""):
        return self.call(person, "get", query)

    def join(self, person, nickname, *keywords):
        return self.call(person, "put", "/me", {"nickname": nickname, "keywords": list(keywords)})

    def ask(self, person, candidate, status=201):
        return self.call(person, "post", "/requests", {"to": candidate["id"]}, status)

    def answer(self, person, request, accept, status=200):
        return self.call(person, "patch", f"/requests/{request['id']}", {"accept": accept}, status)


class GroupsTests(Groups, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def setUp(self):
        self.prepare()

    def test_two_people_with_a_common_interest_meet_at_the_hosts_place(self):
        self.assertEqual(self.call(0, "put", "/me", {"nickname": "Owl", "keywords": ["chess"]},
            409)["code"], "matching_closed")
        self.assertFalse(self.see(0)["open"])
        self.settings(open=True, places=["Table 1", "Table 2"])
        self.assertEqual(self.see(0)["state"], "idle")
        self.assertEqual(self.see(0)["keywords"], [])
        self.join(0, "Owl", "Chess", "tea", "CHESS")
        self.join(1, "Fox", "chess", "go")
        self.join(2, "Elk", "opera")
        seen = self.see(0)
        self.assertEqual(seen["me"]["keywords"], ["Chess", "tea"])
        self.assertEqual([(one["keyword"].lower(), one["count"], one["own"]) for one in seen["keywords"]][0],
            ("chess", 2, True))
        self.assertEqual(sum(one["count"] for one in seen["keywords"]), 5)
        self.assertEqual([one["keywords"] for one in seen["candidates"]], [["chess", "go"], ["opera"]])
        self.assertEqual(
            [one["keywords"] for one in self.see(0, "?keyword=Opera")["candidates"]], [["opera"]])
        request = self.ask(0, seen["candidates"][0])
        self.assertEqual((request["incoming"], request["status"]), (False, "pending"))
        self.assertTrue(25_000 < request["expiresInMs"] <= 30_000)
        asked = self.see(1)["requests"][0]
        self.assertEqual((asked["incoming"], asked["keywords"]), (True, ["Chess", "tea"]))
        self.assertNotIn("Owl", json.dumps(self.see(1)))
        self.assertEqual(self.see(2)["requests"], [])
        self.answer(1, asked, True)
        met = [self.see(person)["match"] for person in (0, 1)]
        self.assertEqual([(one["nickname"], one["place"]) for one in met],
            [("Fox", "Table 1"), ("Owl", "Table 1")])
        self.assertEqual(self.see(2)["candidates"], [])
        self.call(1, "put", "/match", {"text": "By the window"}, 204)
        self.assertEqual(self.see(0)["match"]["theirLine"], "By the window")
        self.call(0, "delete", "/match", status=204)
        self.assertEqual([self.see(person)["state"] for person in (0, 1)], ["searching"] * 2)
        self.call(0, "delete", "/me", status=204)
        self.assertEqual(self.see(0)["state"], "idle")
        everything = json.dumps([self.see(person) for person in range(3)]
            + [self.host.get(f"{self.path}/matching-settings").json])
        for name in NAMES:
            self.assertNotIn(name, everything)

    def test_both_who_ask_each_other_meet_and_the_slower_of_two_is_told(self):
        self.settings(open=True)
        for person, nickname in enumerate(["Owl", "Fox", "Elk"]):
            self.join(person, nickname, "chess", nickname)
        by = {one["keywords"][1]: one for one in self.see(0)["candidates"] + self.see(1)["candidates"]}
        self.ask(0, by["Elk"])
        self.ask(0, by["Fox"])
        self.assertEqual(self.ask(1, by["Owl"])["status"], "matched")
        late = next(one for one in self.see(2)["requests"] or [{"id": "0" * 26}])
        self.assertEqual(self.answer(2, late, True, 409)["code"], "match_request_over")
        self.assertEqual(self.see(2)["state"], "searching")
        self.assertEqual(self.ask(2, by["Owl"], 409)["code"], "match_not_possible")

    @pytest.mark.alone("measures how soon a request arrives")
    def test_a_request_reaches_the_two_phones_and_nobody_else(self):
        self.settings(open=True)
        for person, nickname in enumerate(["Owl", "Fox", "Elk"]):
            self.join(person, nickname, "chess")
        room = f"audience:{self.session['id']}"
        with Room(self.server, self.came[1]["receipt"], room) as asked, \
                Room(self.server, self.came[2]["receipt"], room) as other, \
                Room(self.server, self.host.token, f"session:{self.session['id']}") as hosts:
            for one in (asked, other, hosts):
                self.assertTrue(one.joined)
            watch = Stopwatch()
            self.ask(0, self.see(0)["candidates"][0])
            # The candidate may be either of the two.
            first = asked if self.see(1)["requests"] else other
            first.wait_until(lambda frames: any(
                frame.get("matching", {}).get("own") for frame in frames))
            self.assertLess(watch.seconds, 0.3 * PATIENCE)
            silent = other if first is asked else asked
            # A later frame proves that no earlier one is missing.
            self.host.patch(self.path, {"plannedCount": 9}).expect(200)
            for one in (silent, hosts):
                one.wait_until(lambda frames: any("session" in frame for frame in frames))
            for one in (silent, hosts):
                frames = [frame for frame in one.frames if "matching" in frame]
                self.assertFalse([frame for frame in frames if frame["matching"]["own"]])
            self.assertNotIn("Owl", json.dumps(hosts.frames))

    def test_a_report_reaches_the_hosts_without_names_and_an_excluded_person_stays_out(self):
        self.settings(open=True)
        self.join(0, "Owl", "chess")
        self.join(1, "Fox", "chess")
        fox = self.see(0)["candidates"][0]
        self.assertEqual(self.call(0, "post", "/reports", {"person": fox["id"], "text": "Rude"}, 201),
            {"blocked": 1})
        self.assertEqual(self.see(0)["candidates"] + self.see(1)["candidates"], [])
        self.assertEqual(self.ask(0, fox, 404)["code"], "not_found")
        report = self.host.get(f"{self.path}/matching/reports").expect(200).json["items"][0]
        self.assertEqual((report["nickname"], report["text"], report.get("name")), ("Fox", "Rude", None))
        self.assertIsNone(report.get("attendeeId"))
        self.host.patch(f"{self.path}/matching/reports/{report['id']}",
            {"excluded": True, "closed": True}).expect(200)
        self.assertTrue(self.see(1)["excluded"])
        self.assertEqual(self.call(1, "put", "/me", {"nickname": "Fox", "keywords": ["go"]}, 403)["code"],
            "match_excluded")
        # Only a later promise shows names.
        self.settings(promise="named")
        self.assertEqual(self.call(2, "put", "/me",
            {"nickname": "Elk", "keywords": ["chess"], "promise": "hidden"}, 409)["code"],
            "anonymity_changed")
        self.join(2, "Elk", "chess")
        elk = self.see(0)["candidates"][0]
        self.call(0, "post", "/reports", {"person": elk["id"]}, 201)
        names = {one["nickname"]: one.get("name")
            for one in self.host.get(f"{self.path}/matching/reports").json["items"]}
        self.assertEqual(names, {"Fox": None, "Elk": NAMES[2]})
        self.assertEqual(self.host.get(f"{self.path}/matching-settings").json["openReports"], 1)

    def test_nothing_that_a_host_does_to_a_person_shows_whose_a_profile_is(self):
        self.settings(open=True, places=["Table 1"])
        for person, nickname in enumerate(["Owl", "Fox", "Elk"]):
            self.join(person, nickname, "chess", nickname.lower())
        spy = check_in(self.host, self.session, "Host Quill", "host@example.org").expect(201).json
        self.came.append(spy)
        self.join(3, "Bee", "chess")
        elk = next(one for one in self.see(0)["candidates"] if "elk" in one["keywords"])
        self.call(0, "post", "/reports", {"person": elk["id"], "text": "Rude"}, 201)
        owl = next(one for one in self.see(1)["candidates"] if "owl" in one["keywords"])
        self.answer(0, self.ask(1, owl), True)

        def look():
            """What a host sees, who is also an attendee."""
            own = self.see(3)
            return [own["people"], own["keywords"], own["candidates"], own["requests"],
                {**self.host.get(f"{self.path}/matching-settings").expect(200).json},
                self.host.get(f"{self.path}/matching/reports").expect(200).json]

        def undo():
            sequence = self.host.all(f"{self.path}/journal", limit=200)[-1]["sequence"]
            self.host.post(f"{self.path}/undo", {"sequence": sequence}).expect(200)

        before = look()
        self.assertEqual(before[0], 4)
        ids = [person["attendee"]["id"] for person in self.came]
        steps = [
            lambda id: self.host.delete(f"/api/v1/attendees/{id}").expect(204),
            lambda id: self.host.patch(f"/api/v1/attendees/{id}", {"status": "awaited"}).expect(200),
            lambda id: self.host.post(f"/api/v1/attendees/{id}/merge", {"into": ids[3]}).expect(200)]
        for number, id in enumerate(ids[:3]):
            for step in steps:
                step(id)
                self.assertEqual(look(), before)
                # The host has got hold of the record, and of nothing else.
                self.assertEqual(self.see(3)["me"]["nickname"], "Bee")
                undo()
                self.assertEqual(look(), before)
                self.assertEqual(self.see(number)["me"]["nickname"], ["Owl", "Fox", "Elk"][number])
        # The other one of a pair learns it, because the two have agreed to meet.
        self.assertFalse(self.see(1)["match"]["left"])
        self.host.delete(f"/api/v1/attendees/{ids[0]}?erase=true").expect(204)
        self.assertEqual(look(), before)
        left = self.see(1)["match"]
        self.assertEqual((left["left"], left["nickname"]), (True, ""))
        self.call(0, "get", status=401)
        self.call(1, "delete", "/match", status=204)
        self.assertEqual(self.see(1)["state"], "searching")

    def test_too_many_requests_wait_and_the_log_has_no_address(self):
        self.settings(open=True)
        self.join(0, "Owl", "chess")
        self.join(1, "Fox", "chess")
        fox = self.see(0)["candidates"][0]
        for _ in range(6):
            self.answer(0, self.ask(0, fox), False)
        refused = self.host.post(f"{self.path}/matching/requests", {"to": fox["id"]},
            token=self.came[0]["receipt"]).expect(429)
        self.assertEqual(refused.json["code"], "match_requests_too_fast")
        self.assertTrue(0 < int(refused.headers["retry-after"]) <= 60)
        lines = [line for line in self.server.log.lines if "/matching" in line and "-settings" not in line]
        self.assertTrue(lines)
        self.assertFalse([line for line in lines if "127.0.0.1" in line])

    def test_a_phone_without_scripts_takes_part_asks_and_accepts(self):
        session = self.session["id"]
        page = f"/me/{session}/groups"

        def headers(person):
            return {"Cookie": f"qring_receipt_{session}={self.came[person]['receipt']}"}

        def look(person):
            return self.host.get(page, headers=headers(person), token=None).expect(200).text

        def send(sender, status=200, **fields):
            body = urllib.parse.urlencode({"receipt": self.came[sender]["receipt"], **fields})
            return self.host.post(page, body=body.encode(), token=None, headers={**headers(sender),
                "Content-Type": "application/x-www-form-urlencoded"}).expect(status).text

        self.assertIn("are off", look(0))
        own = self.host.get(f"/me/{session}", headers=headers(0), token=None).text
        self.assertIn('groups?who=', own)
        self.assertIn('" hidden>', own)
        self.settings(open=True)
        self.assertIn("Your name is shown to nobody.", look(0))
        self.assertIn("role=\"alert\"", send(0, 422, do="join", nickname="", keywords="chess"))
        self.assertIn("role=\"alert\"", send(0, 422, do="join", nickname="Owl", keywords=" , "))
        self.assertIn("You take part as Owl.",
            send(0, do="join", nickname="Owl", keywords="chess, <b>tea</b>", promise="hidden"))
        send(1, do="join", nickname="Fox", keywords="Chess", promise="hidden")
        shown = look(1)
        self.assertIn("&lt;b&gt;tea&lt;/b&gt;", shown)
        self.assertIn("http-equiv=\"refresh\"", shown)
        self.assertNotIn("Owl", shown)
        owl = re.search(r'name="person" value="(\w{26})"', shown)[1]
        self.assertIn("seconds left", send(1, do="ask", person=owl))
        asked = look(0)
        self.assertIn("Somebody asks to meet you", asked)
        self.assertIn("Somebody asks to meet you",
            self.host.get(f"/me/{session}", headers=headers(0), token=None).text)
        request = re.search(r'name="request" value="(\w{26})"', asked)[1]
        self.assertIn("You meet Fox", send(0, do="accept", request=request))
        self.assertIn("You meet Owl", look(1))
        send(1, do="line", text="At the bar")
        self.assertIn("Fox writes: At the bar", look(0))
        self.assertIn("is over", send(0, 409, do="accept", request="0" * 26))
        fox = re.search(r'name="person" value="(\w{26})"', look(0))[1]
        self.assertIn("What happened?", send(0, do="about", person=fox))
        self.assertIn("got your report", send(0, do="report", person=fox, text="Rude"))
        self.assertIn("Unblock 1 person", look(0))
        self.assertIn("You left.", send(0, do="leave"))
        self.assertEqual(self.host.get(f"{self.path}/matching-settings").json["people"], 1)
        send(0, 401, receipt=self.came[1]["receipt"], do="leave")

    def test_the_command_line_switches_the_groups_and_handles_reports(self):
        terminal = Terminal(self, self.server.url)
        terminal.environment["QRING_TOKEN"] = self.host.token

        def run(*words, code=0):
            ran = terminal.run(*words)
            self.assertEqual(ran.returncode, code, ran.stderr)
            return ran.stdout

        id = self.session["id"]
        self.assertIn("off", run("groups", id))
        self.assertIn("Bar", run("groups", "on", id, "--place", "Bar", "--place", "Hall"))
        self.join(0, "Owl", "chess")
        self.join(1, "Fox", "chess")
        self.call(0, "post", "/reports", {"person": self.see(0)["candidates"][0]["id"], "text": "Rude"}, 201)
        self.assertIn("2 people take part", run("groups", id))
        self.assertIn("Rude", run("groups", "reports", id))
        report = json.loads(run("groups", "reports", id, "--json"))["items"][0]
        self.assertIn("Fox", run("groups", "exclude", id, report["id"][:8]))
        self.assertIn("excluded", run("groups", "reports", id))
        run("groups", "dismiss", id, "0000", code=5)
        self.assertIn("off", run("groups", "off", id))


class GroupsPageTests(Groups, unittest.TestCase):
    """Two phones with scripts, and the host's page."""

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)
        cls.phones = [cls.enterClassContext(Browser()) for _ in range(2)]

    def enter(self, phone, session, name):
        phone.open(session["checkInUrl"])
        for field, text in [("#name", name), ("#email", f"{name.lower()}@example.org")]:
            phone.find(field).clear()
            phone.find(field).send_keys(text)
        phone.find("form.check-in button[type=submit]").click()
        phone.wait_for_text("#result", name)

    def check(self, phone):
        """Checks the page for axe's findings, for hints that touch their field, and for overflow at the
        smallest size."""
        self.assertEqual(violations(phone.driver), [])
        gaps = phone.driver.execute_script("""
            const edges = (element) => element.getBoundingClientRect();
            return [...document.querySelectorAll("input + .note")].map((note) =>
              edges(note).top - edges(note.previousElementSibling).bottom);
        """)
        self.assertTrue(all(gap >= 4 for gap in gaps), gaps)
        phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": SMALL[0], "height": SMALL[1], "deviceScaleFactor": 1, "mobile": True})
        self.assertLessEqual(phone.width_of_content(), SMALL[0])
        phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True})

    def press(self, phone, what):
        phone.find(f"input[name=do][value={what}]")
        phone.driver.execute_script(
            "document.querySelector(`input[name=do][value=${arguments[0]}]`).form.requestSubmit()", what)

    @pytest.mark.alone("measures how soon a request is seen")
    def test_two_phones_find_each_other_at_once(self):
        session = self.host.session(session={"questions": []})
        path = f"/api/v1/sessions/{session['id']}"
        one, other = self.phones
        for phone, name in [(one, "Ann"), (other, "Bob")]:
            self.enter(phone, session, name)
            phone.wait_for(lambda: not phone.find(".parts [data-part=groups]").is_displayed())
        self.host.patch(f"{path}/matching-settings", {"open": True, "places": ["Table 7"]}).expect(200)
        for phone, nickname in [(one, "Owl"), (other, "Fox")]:
            phone.wait_for(lambda: phone.find(".parts [data-part=groups]").is_displayed())
            phone.find(".parts [data-part=groups] a").click()
            self.press_join(phone, nickname)
        # The list of people moves by itself.
        one.wait_for_text("#groups", "2 people take part")
        one.find(".candidates button")
        self.check(one)
        one.find(".candidates button").click()
        watch = Stopwatch()
        other.wait_for_text("#groups", "Somebody asks to meet you")
        self.assertLess(watch.seconds, 1.5 * PATIENCE)
        self.assertTrue(other.driver.title.startswith("●"))
        self.check(other)
        self.press(other, "accept")
        for phone, nickname in [(one, "Fox"), (other, "Owl")]:
            phone.wait_for_text("#groups", f"You meet {nickname}")
            phone.wait_for_text("#groups", "Meet here: Table 7")
        self.check(one)
        # A half-written line stays while the other's line arrives.
        one.find("#line").send_keys("half a thou")
        other.find("#line").send_keys("Hello")
        self.press(other, "line")
        other.wait_for_text("#groups", "You meet Owl")
        one.wait_for_value(lambda: one.find("#line").get_property("value"), "half a thou")
        self.press(one, "about")
        one.wait_for_text("main", "Report and block")
        self.check(one)
        self.press(one, "report")
        one.wait_for_text("main", "got your report")
        other.wait_for_text("#groups", "Nobody else can be asked now")
        for phone in self.phones:
            self.assertEqual(phone.complaints(), [])
        self.check_host(session)

    def press_join(self, phone, nickname):
        phone.find("#nickname")
        self.check(phone)
        phone.find("#nickname").send_keys(nickname)
        phone.find("#keywords").send_keys("chess, tea")
        self.press(phone, "join")
        phone.wait_for_text("#groups", f"You take part as {nickname}.")

    def check_host(self, session):
        page = self.enterContext(HostPage(self.server))
        page.sign_in(self.host.email)
        page.show(f"sessions/{session['id']}/groups")
        page.wait_for_text(".reports", "Fox")
        self.assertEqual(violations(page.driver), [])
        page.find(".reports button").click()
        page.wait_for_text(".reports", "Dealt with")
        page.find("#places").send_keys("\nTable 8")
        [button for button in page.find_all("button") if button.text == "Save places"][0].click()
        page.wait_for(lambda: self.host.get(
            f"/api/v1/sessions/{session['id']}/matching-settings").json["places"] == ["Table 7", "Table 8"])
        self.assertEqual(page.complaints(), [])


if __name__ == "__main__":
    unittest.main()
