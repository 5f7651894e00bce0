"""Polls: one request asks, answers count at once and can change, and nobody sees whose they are."""
import csv
import io
import json
import os
import subprocess
import time
import unittest

import pytest
from host import Host, check_in, code_of
from page import Visitor
from room import Room
from server_process import PATIENCE, QRING, SEED, Server, Stopwatch
from test_command_line import Terminal

KINDS = [
    {"kind": "multipleChoice", "title": "Tea?", "required": True,
        "choices": [{"label": "Green"}, {"label": "Black"}]},
    {"kind": "wordCloud", "title": "Words?", "maxWords": 2},
    {"kind": "scale", "title": "Sure?", "scale": 7,
        "points": [{"point": 1, "labels": {"en": "Never", "ko": "전혀"}}, {"point": 7, "label": "Always"}]},
    {"kind": "yesNo", "title": "Break?"},
    {"kind": "date", "title": "When?", "earliest": "2026-11-01"},
    {"kind": "shortAnswer", "title": "Why?"},
]
# The simulated phones; scripts/torture hall takes another number.
PHONES = int(os.environ.get("QRING_PHONES", "100"))
ANSWERS = [["a"], ["Speed", "배움을"], 7, "yes", "2026-11-22", "because"]


class PollTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.session = self.host.session(session={"questions": []})
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.people = [check_in(self.host, self.session, f"Person {number}",
            f"p{number}@example.org").expect(201).json for number in range(3)]

    def ask(self, **fields):
        return self.host.post(f"{self.path}/polls", {"questions": KINDS, "open": True, **fields}).expect(
            201).json

    def respond(self, number, poll, values, **fields):
        answers = {question["id"]: value for question, value in zip(poll["questions"], values)
            if value is not None}
        return self.host.post(f"{self.path}/responses",
            {"set": poll["set"], "answers": answers, "promise": "hidden", **fields},
            token=self.people[number]["receipt"])

    def test_a_hidden_poll_counts_at_once_changes_and_names_nobody(self):
        room = self.enterContext(Room(self.server, self.host.token, f"session:{self.session['id']}"))
        room.snapshot
        poll = self.ask()
        self.assertEqual((poll["set"], poll["promise"], poll["anonymous"], poll["open"], poll["changeable"]),
            ("poll-1", "hidden", False, True, True))
        self.assertEqual(self.respond(0, poll, ANSWERS).expect(201).json["replaced"], False)
        room.wait_until(lambda frames: any(frame.get("tally", {}).get("kind") == "multipleChoice"
            and [choice["count"] for choice in frame["tally"]["choices"]] == [1, 0] for frame in frames))
        self.respond(1, poll, [["b"], ["speed"]]).expect(201)
        self.assertEqual(self.respond(0, poll, [["b"], ["SPEED!"], 1, "no", "2026-11-23"]).expect(200).json[
            "replaced"], True)
        results = self.host.get(f"{self.path}/results?set=poll-1").expect(200).json
        self.assertEqual((results["responses"], results["promise"]), (2, "hidden"))
        choice, words, scale, yes, date, text = results["tallies"]
        self.assertEqual([(one["id"], one["count"]) for one in choice["choices"]], [("b", 2), ("a", 0)])
        self.assertEqual(words["words"], [{"word": "speed", "count": 2}])
        self.assertEqual((scale["counts"], scale["average"]), ([1, 0, 0, 0, 0, 0, 0], 1))
        self.assertEqual([point["point"] for point in scale["points"]], [1, 7])
        self.assertEqual([(one["id"], one["label"], one["count"]) for one in yes["choices"]],
            [("yes", "Yes", 0), ("no", "No", 1)])
        self.assertEqual(date["dates"], [{"from": "2026-11-23", "to": "2026-11-23", "count": 1}])
        self.assertEqual(text["answers"], 0)
        own = self.host.get("/api/v1/check-ins/current", token=self.people[0]["receipt"]).expect(200).json
        self.assertEqual([(one["set"], one["promise"], one["changeable"]) for one in own["responses"]],
            [("poll-1", "hidden", True)])
        self.assertEqual(own["responses"][0]["answers"][poll["questions"][0]["id"]], ["b"])
        self.assert_nobody_is_named(poll)
        with self.subTest("a withdrawal changes no count, and the file agrees with itself"):
            self.host.delete("/api/v1/check-ins/current", token=self.people[0]["receipt"]).expect(204)
            after = self.host.get(f"{self.path}/results?set=poll-1").expect(200).json
            self.assertEqual([tally["answers"] for tally in after["tallies"]],
                [tally["answers"] for tally in results["tallies"]])
            self.assertEqual(self.server.stop(), 0)
            checked = subprocess.run([QRING, "admin", "verify", "--data", self.server.folder],
                capture_output=True, text=True, check=False)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def assert_nobody_is_named(self, poll):
        """No view has an answer, or the fact of a response, beside an attendee."""
        events = self.host.get(f"{self.path}/journal?limit=200").expect(200).json["items"]
        responded = [event for event in events if event["kind"] == "responded"]
        self.assertEqual([event.get("attendeeId") for event in responded], [None] * 3)
        self.assertEqual([event["data"].get("fields") for event in responded], [None, None, ["answers"]])
        rows = list(csv.reader(io.StringIO(self.host.get(f"{self.path}/results.csv?set=poll-1").text)))
        self.assertEqual(len(rows), 3)
        self.assertEqual(len(rows[0]), 1 + len(KINDS))
        self.assertTrue(all(row[0].endswith(":00") for row in rows[1:]), rows)
        texts = [json.dumps(self.host.get(path).json, ensure_ascii=False) for path in [
            f"{self.path}/results.json?set=poll-1", f"{self.path}/results?set=poll-1",
            *(f"/api/v1/questions/{question['id']}/answers" for question in poll["questions"])]]
        for text in [*texts, json.dumps(rows)]:
            for person in self.people:
                self.assertNotIn(person["attendee"]["id"], text)
                self.assertNotIn(person["attendee"]["name"], text)

    def test_the_form_states_the_promise_and_lets_the_attendee_change_the_answers(self):
        poll = self.ask()
        visitor = Visitor(self.server)
        page = visitor.submit(visitor.open(f"/C/{code_of(self.session)}"), name="Visitor",
            email="v@example.org")
        form = next(form for form in page.forms if form["fields"].get("set") == "poll-1")
        self.assertIn("Name hidden", page.text)
        self.assertEqual(form["fields"]["promise"], "hidden")
        fields = [f"q_{question['id']}" for question in poll["questions"]]
        sent = visitor.submit(page, **dict(zip(fields, ["a", "빠름", "7", "no", "2026-11-22", "so"])))
        self.assertEqual(sent.status, 200, sent.text)
        results = self.host.get(f"{self.path}/results?set=poll-1").json["tallies"]
        self.assertEqual([tally["answers"] for tally in results], [1] * 6)
        # The next page shows the answers, and without scripts too, its form changes them.
        for said in ["Your answer", "빠름", "7 Always", "Change my answer"]:
            self.assertIn(said, sent.text)
        number = [form["fields"].get("set") for form in sent.forms].index("poll-1")
        self.assertEqual([sent.forms[number]["fields"][field] for field in fields],
            ["a", "빠름", "7", "no", "2026-11-22", "so"])
        self.assertEqual(visitor.submit(sent, number, **{fields[3]: "yes"}).status, 200)
        results = self.host.get(f"{self.path}/results?set=poll-1").json
        self.assertEqual((results["responses"],
            [choice["count"] for choice in results["tallies"][3]["choices"]]), (1, [1, 0]))

    def test_commands_ask_list_close_share_and_delete(self):
        terminal = Terminal(self, self.server.url)
        terminal.environment["QRING_TOKEN"] = self.host.token

        def run(*words, code=0):
            ran = terminal.run("poll", *words)
            self.assertEqual(ran.returncode, code, ran.stderr)
            return ran

        one = self.session["id"]
        self.assertIn("is open as poll-1", run(one, "Tea?", "--choice", "Green", "--choice", "Black",
            "--open").stderr)
        made = json.loads(run(one, "Words?", "--kind", "wordCloud", "--named", "--json").stdout)
        self.assertEqual((made["set"], made["promise"], made["open"]), ("poll-2", "named", False))
        self.assertIn("Tea?", run("list", one).stdout)
        run("close", one, "--share")
        sets = {item["set"]: item for item in self.host.get(f"{self.path}/sets").json["items"]}
        self.assertEqual((sets["poll-1"]["open"], sets["poll-1"]["shared"]), (False, True))
        run(one, "--again", "poll-1", "--open")
        run("reveal", one)
        poll = self.host.get(f"{self.path}/questions?set=poll-3").json
        self.assertEqual((poll["open"], poll["shared"]), (True, True))
        self.respond(0, poll, [["a"]]).expect(201)
        self.assertIn("--confirm poll-3", run("delete", one, "3", "--yes", code=6).stderr)
        run("delete", one, "3", "--confirm", "poll-3", "--yes")
        run("delete", one, "poll-2", "--yes")
        run(one, "One choice", "--choice", "A", code=1)
        run(one, "Both", "--hidden", "--named", code=2)
        self.assertEqual([item["set"] for item in self.host.get(f"{self.path}/sets").json["items"]],
            ["feedback", "poll-1"])

    def test_the_commands_for_polls_change_no_other_open_set(self):
        form = self.host.put(f"{self.path}/questions?set=exit", {"questions": KINDS[:1]}).expect(200).json
        self.host.patch(f"{self.path}/sets/{form['set']}", {"open": True}).expect(200)
        terminal = Terminal(self, self.server.url)
        terminal.environment["QRING_TOKEN"] = self.host.token

        def run(*words, code=0):
            ran = terminal.run("poll", *words)
            self.assertEqual(ran.returncode, code, ran.stderr)
            return ran.stdout + ran.stderr

        one = self.session["id"]
        self.assertIn("has no polls yet", run("close", one, code=5))
        for words in (["open"], ["close"], ["share"], ["reveal"], ["delete"]):
            said = run(*words, one, "exit", *(["--yes"] if words == ["delete"] else []), code=5)
            self.assertIn("not a poll", said)
            self.assertIn("question edit", said)
        self.assertEqual(run("list", one, "--json").count('"set"'), 0)
        # With a poll, the open form stays as it is.
        self.ask()
        self.assertIn("closed", run("close", one))
        sets = {item["set"]: item["open"]
            for item in self.host.get(f"{self.path}/sets").json["items"]}
        self.assertEqual((sets["exit"], sets["poll-1"]), (True, False))

    def test_the_votes_and_answers_of_a_full_hall_are_counted_right_and_second_ones_refused(self):
        poll = self.ask(changeable=False, questions=KINDS[:5])
        self.host.patch(f"{self.path}/audience-settings", {"open": True}).expect(200)
        terminal = Terminal(self, self.server.url)
        terminal.environment["QRING_TOKEN"] = self.host.token
        link = self.host.post(f"{self.path}/presenter-links").expect(201).json
        one = self.session["id"]
        watchers = [self.enterContext(Room(self.server, token, room)) for token, room in [
            (link["token"], f"presenter:{one}"), (self.host.token, f"session:{one}"),
            (self.people[0]["receipt"], f"audience:{one}")]]
        for watcher in watchers:
            watcher.snapshot
        began = time.monotonic()
        ran = terminal.run("simulate", one, "--attendees", str(PHONES), "--over", f"{1 + PHONES // 100}s",
            "--seed", str(SEED), "--set", poll["set"], "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        report = json.loads(ran.stdout)
        # A busy machine delays frames, so that some come close together, but does not add any.
        seconds, frames = time.monotonic() - began, [len(watcher.times) for watcher in watchers]
        print(json.dumps({**report, "seconds": seconds, "frames": frames}, indent=2))
        self.assertTrue(all(0 < count <= 25 * (seconds + 1) for count in frames), (frames, seconds))
        self.assertEqual((report["checkedIn"], report["failures"]), (PHONES, 0))
        self.assertGreater(report["votes"], PHONES)
        self.assertEqual(report["votesCounted"], report["votes"])
        self.assertGreater(report["refusedAnswers"], 0)
        results = self.host.get(f"{self.path}/results?set={poll['set']}").expect(200).json
        self.assertEqual(results["responses"], report["responses"])
        self.assertGreater(report["responses"], PHONES // 2)
        choice, cloud, scale, rest, date = results["tallies"]
        self.assertEqual(sum(one["count"] for one in choice["choices"]), report["responses"])
        self.assertEqual(sum(scale["counts"]), scale["answers"])
        self.assertEqual(sum(one["count"] for one in rest["choices"]), rest["answers"])
        self.assertEqual(sum(one["count"] for one in date["dates"]), date["answers"])
        rows = self.host.get(f"{self.path}/results.json?set={poll['set']}").expect(200).json["responses"]
        self.assertEqual(len(rows), report["responses"])
        counted = {question["id"]: tally["answers"]
            for question, tally in zip(poll["questions"], results["tallies"])}
        self.assertEqual(counted, {id: sum(id in row["answers"] for row in rows) for id in counted})

    @pytest.mark.alone("measures the time until a word is gone")
    def test_a_hidden_word_leaves_the_hall_and_its_cloud_and_can_be_shown_again(self):
        for promise in ("hidden", "anonymous"):
            with self.subTest(promise):
                self.hide_a_word(promise)

    def hide_a_word(self, promise):
        poll = self.ask(questions=[KINDS[1]], promise=promise, shared=True)
        question, session = poll["questions"][0]["id"], self.session["id"]
        for number, words in enumerate([["Rude", "kind"], ["rude!"], ["kind", "New York"]]):
            self.respond(number, poll, [words], promise=promise).expect(201)
        list = f"/api/v1/questions/{question}/answers"
        link = self.host.post(f"{self.path}/presenter-links").expect(201).json
        with Room(self.server, link["token"], f"presenter:{session}") as hall, \
                Room(self.server, self.host.token, f"session:{session}") as hosts:
            def shows(room, words):
                room.wait_until(lambda frames: next((
                    {one["word"]: one["count"] for one in frame["tally"]["words"]}
                    for frame in reversed(frames)
                    if frame.get("tally", {}).get("questionId") == question), None) == words)

            cloud = next(one for one in hall.snapshot["tallies"] if one["questionId"] == question)
            self.assertEqual({one["word"]: one["count"] for one in cloud["words"]},
                {"rude": 2, "kind": 2, "new york": 1})
            part = next(one for one in hosts.snapshot["moderated"] if one["questionId"] == question)
            rude = next(one for one in part["items"] if one["text"] == "rude")
            self.assertEqual((rude["count"], rude["status"]), (2, "visible"))
            self.assertNotIn("moderated", hall.snapshot)
            watch = Stopwatch()
            self.host.patch(f"{list}/{rude['id']}", {"status": "hidden"}).expect(200)
            shows(hall, {"kind": 2, "new york": 1})
            self.assertLess(watch.seconds, 0.25 * PATIENCE)
            hosts.wait_until(lambda frames: any(
                (one["text"], one["status"]) == ("rude", "hidden") for frame in frames
                for part in frame.get("moderated", []) for one in part["items"]))
            sequence = self.host.all(f"{self.path}/journal", limit=200)[-1]["sequence"]
            self.host.post(f"{self.path}/undo", {"sequence": sequence}).expect(200)
            shows(hall, {"rude": 2, "kind": 2, "new york": 1})
        terminal = Terminal(self, self.server.url)
        terminal.environment["QRING_TOKEN"] = self.host.token

        def run(*words):
            ran = terminal.run("moderate", *words)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            return ran.stdout

        self.assertIn("Hidden: rude", run("hide", session, "Rude", "--set", poll["set"]))
        self.assertIn("rude (2)", run(session, "--set", poll["set"], "--status", "hidden"))
        file = self.host.get(f"{self.path}/results.json?set={poll['set']}").expect(200).json
        self.assertNotIn("ude", json.dumps(file["responses"]))
        self.assertEqual(file["omittedTexts"], [{"questionId": question, "hidden": 2, "pending": 0}])
        self.assertNotIn("ude", self.host.get(f"{self.path}/results.csv?set={poll['set']}").text)
        self.host.patch(f"{self.path}/sets/{poll['set']}/moderation", {"moderation": "before"}).expect(200)
        results = self.host.get(f"{self.path}/results?set={poll['set']}").expect(200).json
        self.assertEqual(results["tallies"][0]["words"], [])
        run("show", session, "New York", "--set", poll["set"])
        results = self.host.get(f"{self.path}/results?set={poll['set']}").expect(200).json
        self.assertEqual(results["tallies"][0]["words"], [{"word": "new york", "count": 1}])
        page = self.host.get(f"{list}?limit=2").expect(200).json
        rest = self.host.get(f"{list}?limit=2&cursor={page['nextCursor']}").expect(200).json
        self.assertEqual([len(page["items"]), len(rest["items"]), rest["nextCursor"]], [2, 1, None])
        self.host.patch(f"{list}/{'0' * 20}", {"status": "hidden"}).expect(404)
        lines = [line for line in self.server.log.lines if "/answers/" in line]
        self.assertFalse([line for line in lines if "ude" in line])

    def test_sets_that_belong_to_the_session_cannot_be_deleted_and_bad_polls_are_refused(self):
        self.assertEqual(self.host.delete(f"{self.path}/sets/feedback").expect(422).json["errors"][0]["code"],
            "set_belongs_to_session")
        poll = self.ask(questions=KINDS[:1])
        self.respond(0, poll, [["a"]]).expect(201)
        refused = self.host.delete(f"{self.path}/sets/poll-1").expect(409)
        self.assertEqual(refused.code, "confirmation_needed")
        self.assertEqual(self.respond(1, poll, [["a"]], promise="named").expect(409).json["promise"],
            "hidden")
        for body, field, code in [
            ({}, "/questions", "missing"), ({"questions": []}, "/questions", "count"),
            ({"questions": KINDS[:1], "copyOf": "poll-1"}, "/copyOf", "not_together"),
            ({"questions": KINDS[:1], "promise": "anonymous", "changeable": True}, "/changeable",
                "anonymous_answers_stay"),
            ({"questions": [{"kind": "scale", "title": "S", "scale": 3, "points": [
                {"point": 4, "label": "x"}]}]}, "/questions/0/points", "range"),
            ({"questions": [{"kind": "date", "title": "D", "earliest": "2026-02-02",
                "latest": "2026-01-01"}]}, "/questions/0/earliest", "reversed_bounds"),
        ]:
            errors = self.host.post(f"{self.path}/polls", body).expect(422).json["errors"]
            self.assertEqual([(error["field"], error["code"]) for error in errors], [(field, code)], body)
