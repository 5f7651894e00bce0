"""Questions from the audience: asked, voted for, moderated and exported, by the API, in rooms and from the
command line. A hidden name is in nothing that anybody sees, and a hidden text leaves the hall at once."""
import csv
import io
import json
import re
import urllib.parse
import unittest

import pytest

from host import Host, check_in
from room import Room
from server_process import PATIENCE, Server, Stopwatch
from test_command_line import Terminal

# The names of the attendees are in no other text.
NAMES = ["Zoe Quill", "Yan Quill", "Xia Quill"]


class AudienceQuestionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def setUp(self):
        self.meeting = self.host.meeting(session={"questions": []})
        self.session = self.meeting["session"]
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.list = f"{self.path}/audience-questions"
        self.came = [check_in(self.host, self.session, name,
            f"{name.split()[0]}@example.org").expect(201).json for name in NAMES]

    def settings(self, **values):
        return self.host.patch(f"{self.path}/audience-settings", values).expect(200).json

    def ask(self, person, text, status=201, **more):
        return self.host.post(self.list, {"text": text, **more},
            token=self.came[person]["receipt"]).expect(status).json

    def vote(self, person, question, status=200, method="put"):
        vote = getattr(self.host, method)
        return vote(f"{self.list}/{question['id']}/vote",
            token=self.came[person]["receipt"]).expect(status).json

    def moderate(self, question, **values):
        return self.host.patch(f"{self.list}/{question['id']}", values).expect(200).json

    def listed(self, person=None, query=""):
        token = {"token": self.came[person]["receipt"]} if person is not None else {}
        return self.host.get(self.list + query, **token).expect(200).json["items"]

    def undo_last(self):
        events = self.host.get(f"{self.path}/journal?limit=200").expect(200).json["items"]
        return self.host.post(f"{self.path}/undo", {"sequence": events[-1]["sequence"]}).expect(200).json

    def test_attendees_ask_and_vote_once_each_while_the_host_takes_questions(self):
        self.assertEqual(self.ask(0, "Why?", 409)["code"], "audience_questions_closed")
        self.settings(open=True)
        first = self.ask(0, "  Why?  ")
        self.assertEqual((first["text"], first["own"], first["promise"], first["status"]),
            ("Why?", True, "hidden", "visible"))
        for _ in range(3):
            self.assertEqual(self.vote(1, first), {"id": first["id"], "votes": 1, "voted": True})
        self.assertEqual(self.vote(0, first)["votes"], 2)
        second = self.ask(1, "How?")
        for person in range(3):
            self.vote(person, second)
        self.assertEqual([(one["text"], one["votes"], one["voted"], one["own"]) for one in self.listed(1)],
            [("How?", 3, True, True), ("Why?", 2, True, False)])
        self.assertEqual(self.vote(1, first, method="delete")["votes"], 1)
        self.assertEqual(self.vote(1, first, method="delete")["votes"], 1)
        self.assertEqual(self.ask(0, "Why?", 409, promise="named")["code"], "anonymity_changed")
        self.assertEqual(self.ask(0, "Why?", 409, anonymous=False)["code"], "anonymity_changed")
        self.settings(open=False)
        self.assertEqual(self.vote(2, first, 409)["code"], "audience_questions_closed")
        self.assertEqual(len(self.listed(2)), 2)

    def test_a_host_holds_back_shows_hides_pins_answers_and_merges_and_undoes_it(self):
        self.settings(open=True, moderation="before")
        held = self.ask(0, "Held back")
        self.assertEqual((held["status"], self.listed(1)), ("pending", []))
        self.assertEqual([one["status"] for one in self.listed(0, "?own=true")], ["pending"])
        self.vote(1, held, 404)
        self.moderate(held, status="visible", pinned=True)
        self.settings(moderation="after")
        other, same = self.ask(1, "Other"), self.ask(2, "Held back, again")
        for person in range(3):
            self.vote(person, other)
        for person in (0, 1):
            self.vote(person, held)
        for person in (1, 2):
            self.vote(person, same)
        self.assertEqual([one["text"] for one in self.listed(1)], ["Held back", "Other", "Held back, again"])
        merged = self.host.post(f"{self.list}/{same['id']}/merge", {"into": held["id"]}).expect(200).json
        self.assertEqual((merged["id"], merged["votes"]), (held["id"], 3))
        again = self.host.post(f"{self.list}/{same['id']}/merge", {"into": other["id"]}).expect(409).json
        self.assertEqual(again["code"], "already_merged")
        self.undo_last()
        self.assertEqual({one["text"]: one["votes"] for one in self.listed(0)},
            {"Held back": 2, "Other": 3, "Held back, again": 2})
        answered = self.moderate(other, status="answered", answer="Because.")
        self.assertEqual((answered["answer"], answered["version"]), ("Because.", 2))
        stale = self.host.patch(f"{self.list}/{other['id']}", {"status": "hidden"},
            headers={"If-Match": '"v1"'}).expect(412).json
        self.assertEqual(stale["code"], "version_mismatch")
        self.undo_last()
        self.assertEqual([one["status"] for one in self.listed(0) if one["text"] == "Other"], ["visible"])
        words = f"/api/v1/meetings/{self.meeting['meeting']['id']}/held-words"
        self.host.put(words, {"words": ["바보", "SPAM"]}).expect(200)
        texts = ["이런 바보가", "no spam", "ｓｐａｍ!", "Spamming"]
        self.assertEqual([self.ask(0, text)["status"] for text in texts],
            ["pending", "pending", "pending", "visible"])

    def test_a_hidden_name_is_in_no_view_file_journal_room_or_log(self):
        self.settings(open=True)
        with Room(self.server, self.host.token, f"session:{self.session['id']}") as room:
            self.assertEqual(room.snapshot["audienceQuestions"]["items"], [])
            question = self.ask(0, "Secretly?")
            self.vote(1, question)
            self.moderate(question, pinned=True, answer="Yes.")
            room.wait_until(lambda frames: any(
                one.get("answer") for frame in frames
                for one in frame.get("audienceQuestions", {}).get("items", [])))
            seen = [json.dumps(frame["audienceQuestions"]) for frame in room.frames
                if "audienceQuestions" in frame]
        seen += [self.host.get(self.list).text, self.host.get(self.list,
            token=self.came[1]["receipt"]).text]
        seen += [self.host.get(f"{self.list}.{kind}").expect(200).text for kind in ("csv", "json")]
        journal = self.host.get(f"{self.path}/journal?limit=200").expect(200).json["items"]
        own = [event for event in journal if event["kind"] in ("asked", "voted", "moderated")]
        self.assertEqual([event["kind"] for event in own], ["asked", "voted", "moderated"])
        seen += [json.dumps(event) for event in own]
        for text in seen:
            for secret in [*NAMES, "@example.org", *(person["attendee"]["id"] for person in self.came)]:
                self.assertNotIn(secret, text)
        self.assertNotIn("Secretly", json.dumps(journal))
        lines = self.server.log.wait_for(lambda lines: (
            [line for line in lines if "audience-questions" in line and ("POST" in line or "PUT" in line)]
            if sum("/vote" in line for line in lines) else None))
        for line in lines:
            self.assertNotIn("127.0.0.1", line)
        # With names, members see who asked, and the hall does not.
        self.settings(promise="named")
        named = self.ask(1, "Openly?", promise="named")
        self.assertEqual([(one["text"], one.get("name")) for one in self.listed()],
            [("Secretly?", None), ("Openly?", NAMES[1])])
        self.assertNotIn(NAMES[1], self.host.get(self.list, token=self.came[2]["receipt"]).text)
        self.assertIn(NAMES[1], self.host.get(f"{self.list}.csv").expect(200).text)
        self.host.delete("/api/v1/check-ins/current", token=self.came[1]["receipt"]).expect(204)
        self.assertEqual([one["text"] for one in self.listed()], ["Secretly?"])
        self.assertEqual(self.listed()[0]["votes"], 0)
        self.vote(0, named, 404)

    def test_the_next_holder_of_a_record_sees_neither_questions_nor_votes(self):
        self.settings(open=True)
        other, own = self.ask(1, "Why?"), self.ask(0, "Mine?")
        self.vote(0, other)
        poll = self.host.post(f"{self.path}/polls", {"open": True, "questions": [
            {"kind": "rating", "title": "How?", "scale": 5}]}).expect(201).json
        question = poll["questions"][0]["id"]
        response = {"set": poll["set"], "answers": {question: 4}}
        self.host.post(f"{self.path}/responses", response,
            token=self.came[0]["receipt"]).expect(201)
        former = self.came[0]
        attendee = f"/api/v1/attendees/{former['attendee']['id']}"
        self.host.patch(attendee, {"status": "awaited"}).expect(200)
        # The host checks in as this person, with the same address.
        self.came[0] = check_in(self.host, self.session, "Host", "Zoe@example.org").expect(201).json
        self.assertEqual(self.came[0]["attendee"]["id"], former["attendee"]["id"])
        self.assertEqual(self.listed(0, "?own=true"), [])
        self.assertEqual([(one["text"], one["votes"], one["voted"], one["own"]) for one in self.listed(0)],
            [("Why?", 1, False, False), ("Mine?", 0, False, False)])
        self.assertEqual(self.vote(0, other, method="delete")["votes"], 1)
        record = self.host.get("/api/v1/check-ins/current", token=self.came[0]["receipt"]).expect(200).json
        self.assertEqual(record["responses"], [])
        self.host.post(f"{self.path}/responses", response, token=self.came[0]["receipt"]).expect(409)
        self.host.get(self.list, token=former["receipt"]).expect(401)

    def test_neither_a_removal_nor_a_merge_tells_who_asked_or_voted(self):
        self.settings(open=True)
        question, own = self.ask(1, "Why?"), self.ask(0, "Mine?")
        for person in (0, 2):
            self.vote(person, question)
        shown = sorted((one["text"], one["votes"]) for one in self.listed())
        zoe, yan, xia = (f"/api/v1/attendees/{one['attendee']['id']}" for one in self.came)
        self.host.delete(zoe).expect(204)
        self.assertEqual(sorted((one["text"], one["votes"]) for one in self.listed()), shown)
        self.undo_last()
        self.host.post(f"{zoe}/merge", {"into": self.came[2]["attendee"]["id"]}).expect(200)
        self.assertEqual(sorted((one["text"], one["votes"]) for one in self.listed()), shown)
        # Each phone still sees its own, and only that.
        self.assertEqual([one["text"] for one in self.listed(0, "?own=true")], ["Mine?"])
        self.assertEqual(self.listed(2, "?own=true"), [])
        self.host.delete(f"{xia}?erase=true").expect(204)
        self.assertEqual(sorted((one["text"], one["votes"]) for one in self.listed()), shown)

    @pytest.mark.alone("measures the time until a text is gone")
    def test_a_hidden_text_leaves_the_hall_and_the_phones_within_a_quarter_of_a_second(self):
        self.settings(open=True)
        link = self.host.post(f"{self.path}/presenter-links").expect(201).json
        question, other = self.ask(0, "Rude!"), self.ask(1, "Kind?")
        session = self.session["id"]
        with Room(self.server, link["token"], f"presenter:{session}") as hall, \
                Room(self.server, self.came[2]["receipt"], f"audience:{session}") as phone:
            for room in (hall, phone):
                self.assertEqual([one["text"] for one in room.snapshot["audienceQuestions"]["items"]],
                    ["Rude!", "Kind?"])
            watch = Stopwatch()
            self.moderate(question, status="hidden")
            for room in (hall, phone):
                room.wait_until(lambda frames: any(
                    question["id"] in frame.get("audienceQuestions", {}).get("removed", [])
                    for frame in frames))
            self.assertLess(watch.seconds, 0.25 * PATIENCE)
            self.vote(2, other)
            for room in (hall, phone):
                room.wait_until(lambda frames: any(
                    {"id": other["id"], "votes": 1} in frame.get("audienceQuestions", {}).get("votes", [])
                    for frame in frames))
        self.assertEqual([one["status"] for one in self.listed(query="?status=hidden")], ["hidden"])

    def test_a_phone_without_scripts_asks_votes_and_sees_the_promise(self):
        session = self.session["id"]
        cookie = {"Cookie": f"qring_receipt_{session}={self.came[0]['receipt']}"}
        page = f"/me/{session}/questions"
        self.settings(open=True)
        self.assertIn(page, self.host.get(f"/me/{session}", headers=cookie, token=None).text)
        shown = self.host.get(page, headers=cookie, token=None).expect(200).text
        self.assertIn("Nobody sees your name.", shown)

        def send(status=200, **fields):
            body = urllib.parse.urlencode({"receipt": self.came[0]["receipt"], **fields})
            return self.host.post(page, body=body.encode(), token=None, headers={**cookie,
                "Content-Type": "application/x-www-form-urlencoded"}).expect(status).text

        other = self.ask(1, "What about <b>this</b>?")
        form_id = re.search(r'name="id" value="(\w{26})"', shown)[1]
        for _ in range(2):
            self.assertIn("Your question was sent.",
                send(do="ask", text="From a phone\nwithout scripts", id=form_id, promise="hidden"))
        self.assertEqual([one["text"] for one in self.listed(1)],
            ["What about <b>this</b>?", "From a phone without scripts"])
        voted = send(do="vote", question=other["id"])
        self.assertIn("1 vote<", voted)
        self.assertIn("What about &lt;b&gt;this&lt;/b&gt;?", voted)
        self.assertIn("0 votes<", send(do="unvote", question=other["id"]))
        self.assertIn("role=\"alert\"", send(422, do="ask", text="", promise="hidden"))
        self.settings(promise="named")
        self.assertIn("hosts now see it", send(409, do="ask", text="Why?", promise="hidden"))
        self.settings(open=False)
        closed = self.host.get(page, headers=cookie, token=None).expect(200).text
        self.assertIn("Questions are closed at the moment", closed)
        self.assertIn("without scripts", closed)

    def test_a_hidden_short_answer_is_in_no_shared_result_and_can_be_shown_again(self):
        made = self.host.put(f"{self.path}/questions", {"anonymous": True,
            "questions": [{"kind": "shortAnswer", "title": "What?"}]}).expect(200).json
        question, set = made["questions"][0]["id"], f"{self.path}/sets/feedback"
        self.host.patch(set, {"shared": True}).expect(200)
        session = self.session["id"]
        with Room(self.server, self.came[0]["receipt"], f"audience:{session}") as phone, \
                Room(self.server, self.host.token, f"session:{session}") as member:
            self.assertTrue(phone.snapshot and member.snapshot)
            for number, person in enumerate(self.came):
                self.host.post(f"{self.path}/responses", {"answers": {question: f"text {number}"}},
                    token=person["receipt"]).expect(201)
            answers = f"/api/v1/questions/{question}/answers"

            def latest():
                tallies = self.host.get(f"{self.path}/results").expect(200).json["tallies"]
                return sorted(one["text"] for one in tallies[0]["latest"])

            shown = self.host.get(answers).expect(200).json["items"]
            self.assertEqual(sorted((one["text"], one["status"]) for one in shown),
                [(f"text {number}", "visible") for number in range(3)])
            rude = next(one for one in shown if one["text"] == "text 1")
            phone.wait_until(lambda frames: any("text 1" in json.dumps(frame) for frame in frames))
            seen, before = len(phone.frames), len(member.frames)
            self.host.patch(f"{answers}/{rude['id']}", {"status": "hidden"}).expect(200)
            # Members get the text with its new status, and the phones get no text that is not visible.
            member.wait_until(lambda frames: any(
                (one["id"], one["status"]) == (rude["id"], "hidden") for frame in frames[before:]
                for part in frame.get("moderated", []) for one in part["items"]))
            self.assertFalse(any("moderated" in frame for frame in phone.frames))
            phone.wait_until(lambda frames: any("tally" in frame and "text 1" not in json.dumps(frame)
                for frame in frames[seen:]))
            self.assertEqual(latest(), ["text 0", "text 2"])
            self.assertEqual([one["status"] for one in self.host.get(answers).expect(200).json["items"]
                if one["text"] == "text 1"], ["hidden"])
            # No exported file has the text, and each says that one is missing.
            table = list(csv.reader(io.StringIO(self.host.get(f"{self.path}/results.csv").text)))
            self.assertEqual(table[0][-1], "What? (1 hidden text left out)")
            self.assertEqual(sorted(row[-1] for row in table[1:]), ["", "text 0", "text 2"])
            file = self.host.get(f"{self.path}/results.json").expect(200).json
            self.assertEqual(file["omittedTexts"], [{"questionId": question, "hidden": 1, "pending": 0}])
            self.assertNotIn("text 1", json.dumps(file))
            self.undo_last()
            self.assertEqual(len(latest()), 3)
        self.host.patch(f"{set}/moderation", {"moderation": "before"}).expect(200)
        self.assertEqual(latest(), ["text 1"])
        self.assertEqual(self.host.get(f"{self.path}/results.json").json["omittedTexts"],
            [{"questionId": question, "hidden": 0, "pending": 2}])
        self.host.patch(f"{answers}/{'0' * 20}", {"status": "hidden"}).expect(404)

    def terminal(self):
        """Returns a function that runs a command as the host, and checks its exit code."""
        terminal = Terminal(self, self.server.url)
        terminal.environment["QRING_TOKEN"] = self.host.token

        def run(*words, code=0):
            ran = terminal.run(*words)
            self.assertEqual(ran.returncode, code, ran.stderr)
            return ran.stdout
        return run

    def test_the_command_line_lists_answers_and_simulates(self):
        run = self.terminal()

        id = self.session["id"]
        self.assertIn("Nobody sees", run("ask", "open", id))
        questions = [self.ask(0, "First of all"), self.ask(1, "Another thing")]
        self.vote(2, questions[1])
        self.assertIn("Another thing", run("ask", id).splitlines()[1])
        run("ask", "pin", id, questions[0]["id"][:8])
        run("ask", "answer", id, "Another thing", "--text", "Yes.")
        run("ask", "hide", id, "First of all")
        self.assertEqual([(one["status"], one["pinned"], one.get("answer")) for one in
            json.loads(run("ask", id, "--json"))["items"]],
            [("hidden", True, None), ("answered", False, "Yes.")])
        run("ask", "show", id, "First of all")
        run("ask", "merge", id, "Another thing", "First of all")
        self.assertIn("First of all", run("ask", "export", id))
        run("ask", "words", id, "--word", "spam")
        self.assertEqual(run("ask", "words", id).split(), ["spam"])
        run("ask", "vote", "nothing like it", id, code=5)
        report = json.loads(run("simulate", id, "--attendees", "60", "--over", "1s", "--seed", "7", "--json"))
        self.assertGreater(report["questionsAsked"], 0)
        self.assertGreater(report["votes"], 60)
        self.assertEqual(report["votesCounted"], report["votes"])
        run("ask", "close", id)

    def test_the_command_line_lists_shows_and_hides_written_answers(self):
        made = self.host.put(f"{self.path}/questions", {"anonymous": False, "questions": [
            {"kind": "shortAnswer", "title": "What?"}]}).expect(200).json
        question, id = made["questions"][0]["id"], self.session["id"]
        run = self.terminal()

        def listed(*words):
            return [(one["text"], one["status"]) for one in json.loads(
                run("moderate", id, *words, "--json"))["items"]]

        self.assertIn("held back until a host", run("moderate", "mode", id, "--check", "before"))
        for number in (0, 1):
            self.host.post(f"{self.path}/responses", {"answers": {question: f"text {number}"}},
                token=self.came[number]["receipt"]).expect(201)
        self.assertEqual(listed("--status", "pending"), [("text 1", "pending"), ("text 0", "pending")])
        short = run("moderate", id).splitlines()[1].split()[0]
        self.assertIn("Shown: text 1", run("moderate", "show", id, short))
        self.assertIn("Hidden: text 0", run("moderate", "hide", id, "text 0", "--note", "rude"))
        self.assertEqual(listed(), [("text 1", "visible"), ("text 0", "hidden")])
        run("moderate", "show", id, "nothing like it", code=5)
        events = self.host.get(f"{self.path}/journal?limit=200").expect(200).json["items"]
        run("session", "undo", id, str(events[-1]["sequence"]))
        self.assertEqual(listed("--status", "pending"), [("text 0", "pending")])
        self.assertIn("shown at once", run("moderate", "mode", id, "--check", "none"))
        self.assertIn("shown at once", run("moderate", "mode", id))


if __name__ == "__main__":
    unittest.main()
