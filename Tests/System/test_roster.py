"""A weekly meeting: its people, its series, and the search."""
import datetime
import json
import sqlite3
import tempfile
import time
import unittest
import urllib.parse
import zoneinfo

import pytest

from api import API
from host import Host, check_in, moment
from room import Room
from server_process import PATIENCE, Server
from test_command_line import Terminal


class RosterCase(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        self.anybody = API(self.server)
        self.terminal = Terminal(self, self.server.url)
        self.terminal.environment["QRING_TOKEN"] = self.host.token

    def run_command(self, *words, code=0):
        ran = self.terminal.run(*words)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran

    def made(self, **fields):
        made = self.host.meeting(**fields)
        self.meeting, self.session = made["meeting"], made["session"]
        self.path = f"/api/v1/meetings/{self.meeting['id']}"
        return made

    def load(self, text, **options):
        headers = {"Content-Type": "text/csv", **options.pop("headers", {})}
        return self.host.put(f"{self.path}/roster", body=text.encode() if isinstance(text, str) else text,
            headers=headers, **options)

    def attendance(self, session=None):
        return self.host.get(f"/api/v1/sessions/{(session or self.session)['id']}").expect(200).json[
            "attendance"]

    def attendees(self, session=None):
        return self.host.get(
            f"/api/v1/sessions/{(session or self.session)['id']}/attendees?limit=200").expect(200).json[
                "items"]

    def shift(self, session, hours):
        """Moves a session into the past, as only time could."""
        with sqlite3.connect(self.server.database) as connection:
            connection.execute(
                "UPDATE sessions SET starts_at = starts_at - ?1, ends_at = ends_at - ?1 WHERE join_code = ?2",
                [hours * 3_600_000, session["joinCode"]])
        connection.close()


class RosterTests(RosterCase):
    def test_a_spreadsheet_becomes_a_roster_and_its_people_check_in(self):
        self.made(session={"plannedCount": 5})
        done = self.load(
            "\ufeff이름;이메일;학번\r\n김지수;jisoo@example.org;1\r\nLee Jun;jun@example.org;2\r\n박서연;;3\r\n").expect(
                200).json
        self.assertEqual([done[name] for name in ["added", "archived", "people", "withoutKey"]], [3, 0, 3, 1])
        self.assertEqual(self.attendance()["awaited"], 5)
        listed = self.host.get(f"{self.path}/roster").expect(200).json["items"]
        self.assertEqual([person["name"] for person in listed], ["Lee Jun", "김지수", "박서연"])
        self.assertEqual({person["status"] for person in self.attendees()}, {"awaited"})

        came = check_in(self.anybody, self.session, "somebody", "JISOO@example.org").expect(201).json
        self.assertEqual((came["attendee"]["name"], came["attendee"].get("walkIn")), ("somebody", None))
        stranger = check_in(self.anybody, self.session, "Stranger", "s@example.org").expect(201).json
        self.assertIsNone(stranger["attendee"].get("walkIn"))
        listed = {person["email"]: person for person in self.attendees() if "email" in person}
        known = listed["jisoo@example.org"]
        self.assertEqual([known[name] for name in ["name", "typedName", "walkIn"]],
            ["김지수", "somebody", False])
        self.assertTrue(listed["s@example.org"]["walkIn"])
        attendance = self.attendance()
        self.assertEqual([attendance[name] for name in ["awaited", "checkedIn", "walkIns"]], [3, 2, 1])

        kept = self.host.post(f"{self.path}/roster",
            {"attendeeId": stranger["attendee"]["id"]}).expect(201).json
        self.assertEqual((kept["name"], kept["totals"]["present"]), ("Stranger", 1))
        self.host.post(f"{self.path}/roster", {"attendeeId": stranger["attendee"]["id"]}).expect(409)
        next = self.host.post(f"{self.path}/sessions",
            {"startsAt": moment(300), "endsAt": moment(360)}).expect(201).json
        self.assertEqual({person["name"] for person in self.attendees(next)},
            {"김지수", "Lee Jun", "박서연", "Stranger"})
        self.assertEqual(next["attendance"]["awaited"], 5)

    def test_errors_of_a_roster_are_named_with_their_lines_and_nothing_is_stored(self):
        self.made()
        self.load("name,email\nKim,kim@example.org\n").expect(200)
        answer = self.load("name,email\nA,a@example.org\n,b@example.org\nC,nowhere\nD,A@example.org\n")
        self.assertEqual(answer.code, "invalid_fields")
        self.assertEqual({error["field"] for error in answer.json["errors"]},
            {"/lines/3/name", "/lines/4/email", "/lines/5/email"})
        answer = self.load("name,email\nA,a@example.org\n\nD,A@example.org\n",
            headers={"Accept-Language": "ko"}).expect(422)
        self.assertEqual([(error["field"], error["code"]) for error in answer.json["errors"]],
            [("/lines/4/email", "same_as")])
        self.assertIn("/lines/2", answer.json["errors"][0]["message"])
        self.load("이메일\nkim@example.org\n").expect(422)
        # Müller in Windows-1252.
        answer = self.load(b"name\nM\xfcller\n").expect(422)
        self.assertEqual(answer.json["errors"][0]["code"], "not_utf8")
        listed = self.host.get(f"{self.path}/roster").json["items"]
        self.assertEqual([person["name"] for person in listed], ["Kim"])

    def test_csv_of_a_korean_excel_is_read(self):
        self.made()
        done = self.load("이름,이메일\r\n김지수,jisoo@example.org\r\n똠방각하,\r\n".encode("cp949")).expect(200).json
        self.assertEqual((done["added"], done["encoding"]), (2, "cp949"))
        self.assertEqual({person["name"] for person in self.host.get(f"{self.path}/roster").json["items"]},
            {"김지수", "똠방각하"})
        self.assertEqual(self.load("이름\n김지수\n").expect(200).json["encoding"], "utf-8")

    def test_a_roster_is_edited_by_one_host_at_a_time(self):
        self.made()
        tag = self.host.get(f"{self.path}/roster").expect(200).headers["ETag"]
        first = self.load("name\nKim\n", headers={"If-Match": tag}).expect(200)
        self.assertEqual(self.load("name\nLee\n", headers={"If-Match": tag}).code, "version_mismatch")
        self.load("name\nKim\nLee\n", headers={"If-Match": first.headers["ETag"]}).expect(200)
        person = self.host.get(f"{self.path}/roster?q=kim").json["items"][0]
        path = f"{self.path}/roster/{person['id']}"
        self.host.patch(path, {"email": "kim@example.org"},
            headers={"If-Match": f'"v{person["version"]}"'}).expect(200)
        self.host.patch(path, {"email": "x@example.org"},
            headers={"If-Match": f'"v{person["version"]}"'}).expect(412)
        self.assertEqual(self.host.patch(path, {"email": ""}).expect(200).json.get("email"), None)
        self.host.patch(path, {"archived": True}).expect(200)
        self.assertEqual([found["name"] for found in self.host.get(f"{self.path}/roster").json["items"]],
            ["Lee"])
        self.assertEqual(
            [found["name"] for found in self.host.get(f"{self.path}/roster?archived=true").json["items"]],
            ["Kim"])
        self.host.delete(path).expect(204)
        self.host.delete(path).expect(404)

    @pytest.mark.alone("measures how long an import takes")
    def test_ten_thousand_people_are_imported_in_three_seconds_and_a_page_of_them_is_quick(self):
        self.made()
        rows = "".join(f"Person {n},p{n}@example.org,{n}\n" for n in range(10_000))
        before, began = self.server.cpu_seconds(), time.monotonic()
        done = self.load("name,email,number\n" + rows).expect(200).json
        worked, took = self.server.cpu_seconds() - before, time.monotonic() - began
        self.assertEqual(done["added"], 10_000)
        self.assertEqual(self.attendance()["awaited"], 10_000)
        # The processor time of a debug build. The wall clock would include other work of the machine.
        self.assertLess(worked, 3 * PATIENCE)
        print(f"10,000 people in {took:.2f} s, of which {worked:.2f} s of work")
        check_in(self.anybody, self.session, "x", "p9999@example.org").expect(201)
        self.assertEqual(self.attendance()["walkIns"], 0)
        names, cursor = set(), ""
        for _ in range(50):
            page = self.host.get(f"{self.path}/roster?limit=200{cursor}").expect(200).json
            names |= {person["name"] for person in page["items"]}
            cursor = f"&cursor={page['nextCursor']}"
        self.assertEqual((len(names), page["nextCursor"]), (10_000, None))
        again = self.load("name,email,number\n" + rows).expect(200).json
        self.assertEqual((again["unchanged"], again["version"]), (10_000, done["version"]))

    def test_totals_and_absences_in_a_row_are_counted(self):
        self.made(starts=-5, ends=50)
        self.load("name,email\nKim,kim@example.org\nLee,lee@example.org\nPark,park@example.org\n").expect(200)
        sessions = [self.session]
        for n in range(2):
            sessions.append(self.host.post(
                f"{self.path}/sessions",
                {"startsAt": moment(-5), "endsAt": moment(50), "allowOverlap": True}).expect(201).json)
        for session in sessions:
            check_in(self.anybody, session, "Kim", "kim@example.org").expect(201)
        check_in(self.anybody, sessions[0], "Lee", "lee@example.org").expect(201)
        for session in sessions[::-1]:
            self.shift(session, 24 * (3 - sessions.index(session)))
        listed = {person["name"]: person["totals"]
            for person in self.host.get(f"{self.path}/roster").json["items"]}
        self.assertEqual(listed["Kim"], {"present": 3, "late": 0, "absent": 0, "excused": 0})
        self.assertEqual(listed["Lee"], {"present": 1, "late": 0, "absent": 2, "excused": 0})
        for row, names in [(1, ["Lee", "Park"]), (2, ["Lee", "Park"]), (3, ["Park"]), (4, [])]:
            found = self.host.get(f"{self.path}/roster?absentInARow={row}").json["items"]
            self.assertEqual([person["name"] for person in found], names)
        self.host.get(f"{self.path}/roster?absentInARow=0").expect(422)

    def test_a_room_sees_the_roster_change(self):
        self.made()
        with Room(self.server, self.host.token, f"session:{self.session['id']}") as room:
            room.snapshot
            self.load("name,email\nKim,kim@example.org\nLee,lee@example.org\n").expect(200)
            room.wait_until(
                lambda frames: any(frame.get("attendance", {}).get("awaited") == 2 for frame in frames))


class SeriesTests(RosterCase):
    def series(self, **rule):
        return self.host.post(f"{self.path}/sessions/repeat", rule)

    def test_a_series_keeps_its_local_time_over_both_changes_of_a_year(self):
        for name, starts in [("Europe/Berlin", (2030, 1, 7)), ("America/New_York", (2030, 1, 7)),
                ("Asia/Seoul", (2030, 1, 7))]:
            zone = zoneinfo.ZoneInfo(name)
            start = datetime.datetime(*starts, 19, 0, tzinfo=zone)
            end = datetime.datetime(*starts, 21, 0, tzinfo=zone)
            self.made(timeZone=name, session={"startsAt": start.isoformat(), "endsAt": end.isoformat()})
            made = self.series(rule="weekly", count=52, allowOverlap=True).expect(201).json["items"]
            for n, session in enumerate(made, 1):
                local = datetime.datetime.fromisoformat(session["startsAt"]).astimezone(zone)
                ends = datetime.datetime.fromisoformat(session["endsAt"]).astimezone(zone)
                self.assertEqual((local.hour, local.minute, ends.hour, local.date()),
                    (19, 0, 21, (start + datetime.timedelta(weeks=n)).date()))
            self.assertEqual([session["round"] for session in made], list(range(2, 54)))

    def test_a_series_is_created_whole_or_not_at_all(self):
        self.made()
        way = self.host.meeting("In the way", starts=14 * 1440, ends=14 * 1440 + 60)["session"]
        answer = self.series(rule="weekly", count=4)
        self.assertEqual(answer.code, "session_overlap")
        self.assertEqual([overlap["id"] for overlap in answer.json["overlaps"]], [way["id"]])
        self.assertEqual(len(self.host.get(f"{self.path}/sessions").json["items"]), 1)
        self.assertEqual(
            len(self.series(rule="weekly", count=4, allowOverlap=True).expect(201).json["items"]), 4)
        self.series(rule="days", count=2).expect(422)
        self.series(rule="weekly", count=101).expect(422)

    def test_sessions_are_found_by_number_day_and_name(self):
        start = datetime.datetime(2030, 3, 4, 10, 0, tzinfo=datetime.timezone.utc)
        self.made(name="Reading",
            session={"startsAt": start.isoformat(),
                "endsAt": (start + datetime.timedelta(hours=1)).isoformat()})
        self.series(rule="weekdays", on=["monday", "wednesday"], count=20).expect(201)

        def found(text, limit=200):
            rounds, cursor, query = [], "", urllib.parse.quote(text)
            while True:
                page = self.host.get(f"{self.path}/sessions?q={query}&limit={limit}{cursor}").expect(200).json
                rounds += [session["round"] for session in page["items"]]
                if page["nextCursor"] is None:
                    return rounds
                cursor = f"&cursor={page['nextCursor']}"

        self.assertEqual(found("7"), [7])
        self.assertEqual(found("read"), list(range(21, 0, -1)))
        self.assertEqual(found("2030-03-06"), [2])
        self.assertEqual(found("2030-04", limit=3), list(range(17, 8, -1)))
        self.assertEqual(found("nothing"), [])
        self.assertEqual(found("99"), [])
        sessions = self.host.get(f"{self.path}/sessions?limit=200").expect(200).json["items"]
        for number, title in [(2, "둘째 회차 이름"), (5, "2030-07 회고"), (7, "99일 만의 모임"), (8, "둘째 마당")]:
            one = next(session for session in sessions if session["round"] == number)
            self.host.patch(f"/api/v1/sessions/{one['id']}", {"title": title}).expect(200)
        for limit in [1, 200]:
            self.assertEqual(found("둘째", limit), [8, 2])
        self.assertEqual(found("회차 이름"), [2])
        # A number or a day that finds no round is a part of a title.
        self.assertEqual((found("99"), found("2030-07", limit=1)), ([7], [5]))
        self.assertEqual(found("2"), [2])

    def test_the_nearest_session_of_a_meeting_that_is_planned_ahead_is_listed(self):
        self.made(starts=30, ends=90)
        self.series(rule="weekly", count=3).expect(201)
        meeting = self.host.get("/api/v1/meetings").expect(200).json["items"][0]
        self.assertEqual((meeting["nearestSession"]["round"], meeting["latestSession"]["round"]), (1, 4))


class CommandTests(RosterCase):
    def test_a_host_edits_a_roster_from_the_command_line(self):
        self.made(name="Study group")
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("name,email\nKim,kim@example.org\nLee,\n")
            file.flush()
            ran = self.run_command("meeting", "roster", "import", "Study group", file.name, "--dry-run")
            self.assertIn("+ Kim, kim@example.org", ran.stdout)
            self.assertIn("Nothing was changed. The roster would have 2 people: 2 added", ran.stdout)
            self.assertEqual(self.host.all(f"{self.path}/roster"), [])
            ran = self.run_command("meeting", "roster", "import", "Study group", file.name)
        self.assertIn("2 people on the roster: 2 added", ran.stdout)
        self.assertIn("1 person has no e-mail address", ran.stderr)
        self.run_command("meeting", "roster", "add", "@", "Park", "--email", "park@example.org")
        self.run_command("meeting", "roster", "rename", "@", "park@example.org", "--name", "Park Seo")
        self.run_command("meeting", "roster", "archive", "@", "Lee")
        listed = json.loads(self.run_command("meeting", "roster", "list", "--json").stdout)["items"]
        self.assertEqual([person["name"] for person in listed], ["Kim", "Park Seo"])
        self.run_command("meeting", "roster", "archive", "@", "Lee", "--undo")
        walk_in = check_in(self.anybody, self.session, "Choi",
            "choi@example.org").expect(201).json["attendee"]["id"]
        self.run_command("meeting", "roster", "keep", "@", walk_in)
        check_in(self.anybody, self.session, "Han", "han@example.org").expect(201)
        self.run_command("meeting", "roster", "keep", "@", "han@example.org")
        self.assertIn("Han", self.run_command("meeting", "roster", "list").stdout)
        self.run_command("meeting", "roster", "keep", "@", "Nobody", code=5)
        self.assertIn("Choi", self.run_command("meeting", "roster", "list").stdout)
        self.run_command("meeting", "roster", "archive", "@", "Nobody", code=5)
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("name,email\nKim,nowhere\n")
            file.flush()
            self.assertIn("line 3, e-mail",
                self.run_command("meeting", "roster", "import", "@", file.name, code=1).stderr)
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"name\nM\xfcller\n")
            file.flush()
            said = self.run_command("meeting", "roster", "import", "@", file.name, code=1).stderr
            self.assertIn(
                "\n  The file's letters cannot be read, because it is not UTF-8. "
                'In Excel, save it as "CSV UTF-8',
                said)
            file.seek(0)
            file.write("이름\n김지수\n".encode("cp949"))
            file.truncate()
            file.flush()
            self.assertIn("read as Korean text (CP949)",
                self.run_command("meeting", "roster", "import", "@", file.name).stderr)

    def test_the_command_line_creates_a_series_and_home_shows_it(self):
        self.made(name="Study group", starts=30, ends=90)
        self.host.meeting("Running", starts=-5, ends=20)
        made = json.loads(
            self.run_command("meeting", "repeat", "Study group", "--rule", "weekly", "--count", "3",
                "--json").stdout)["items"]
        self.assertEqual([session["round"] for session in made], [2, 3, 4])
        ran = self.run_command("meeting", "list")
        rows = ran.stdout.splitlines()
        self.assertRegex(rows[1], r"^[▶>] +Running ")
        self.assertRegex(rows[2], r"^ +Study group +1 ")
        self.assertIn("Starts in ", ran.stderr)
        self.assertIn(self.session["joinCode"], ran.stderr)
        nearest = self.run_command("session", "nearest")
        self.assertIn("Running now.", nearest.stderr)
        self.assertGreater(len(nearest.stdout.splitlines()), 20)
        self.assertEqual(
            len(self.run_command("session", "list", "Study group", "--search", "#3").stdout.splitlines()), 2)
        for words in [["session", "list", "Study group"], ["meeting", "roster", "list", "Study group"],
                ["attendee", "list", self.session["id"]], ["meeting", "list"]]:
            missed = self.run_command(*words, "--search", "Nowhere")
            self.assertEqual((missed.stdout, missed.stderr), ("", "Nothing matches.\n"), words)
        self.run_command("meeting", "repeat", "@", "--count", "3", code=2)


if __name__ == "__main__":
    unittest.main()
