"""The files of a meeting, read by independent programs: Python's csv, icalendar, poppler and zbar."""
import csv
import datetime
import io
import os
import subprocess
import tempfile
import unittest
import zoneinfo

import icalendar

from host import check_in
from qr_reading import decode
from server_process import DEADLINE
from test_roster import RosterCase

HOSTILE = '=HYPERLINK("http://x"),<script>alert(1)</script>'


class CalendarTests(RosterCase):
    def test_a_calendar_of_sessions_over_the_changes_of_a_zone(self):
        for name in ["Europe/Berlin", "America/New_York", "Asia/Seoul", "UTC"]:
            zone = zoneinfo.ZoneInfo(name)
            start = datetime.datetime(2030, 1, 7, 23, 0, tzinfo=zone)
            end = datetime.datetime(2030, 1, 8, 1, 30, tzinfo=zone)
            self.made(name="모임; with, commas " + "아주 긴 이름 " * 8, timeZone=name, place="Room 1,\\left",
                session={
                "startsAt": start.isoformat(), "endsAt": end.isoformat()})
            sessions = self.host.post(
                f"{self.path}/sessions/repeat",
                {"rule": "weekly", "count": 50, "allowOverlap": True}).expect(201).json["items"]
            answer = self.host.get(f"{self.path}/calendar.ics").expect(200)
            self.assertEqual(answer.headers.get_content_type(), "text/calendar")
            lines = answer.body.split(b"\r\n")
            self.assertTrue(all(len(line) <= 75 and b"\n" not in line for line in lines))
            for line in lines:
                line.decode()
            events = icalendar.Calendar.from_ical(answer.body).walk("VEVENT")
            self.assertEqual(len(events), 51)
            by_uid = {str(event["UID"]): event for event in events}
            for session in [self.session, *sessions]:
                event = by_uid[f"{session['id']}@qring"]
                self.assertEqual(event["DTSTART"].dt, datetime.datetime.fromisoformat(session["startsAt"]))
                self.assertEqual(event["DTEND"].dt, datetime.datetime.fromisoformat(session["endsAt"]))
                self.assertEqual((event["DTSTART"].dt.astimezone(zone).hour, int(event["SEQUENCE"])), (23, 0))
                self.assertIn("모임; with, commas", str(event["SUMMARY"]))
                self.assertEqual(str(event["LOCATION"]), "Room 1,\\left")

    def test_the_calendars_zone_agrees_with_the_zone_database(self):
        self.made(timeZone="Europe/Berlin",
            session={"startsAt": "2030-03-04T18:00:00Z", "endsAt": "2030-03-04T19:00:00Z"})
        body = self.host.get(f"{self.path}/calendar.ics").expect(200).body.replace(b"Europe/Berlin",
            b"Our/Zone")
        zone = icalendar.Calendar.from_ical(body).walk("VTIMEZONE")[0].to_tz(lookup_tzid=False)
        berlin = zoneinfo.ZoneInfo("Europe/Berlin")
        for day in range(0, 360, 3):
            moment = datetime.datetime(2029, 6, 1, 12) + datetime.timedelta(days=day)
            self.assertEqual(moment.replace(tzinfo=zone).utcoffset(),
                moment.replace(tzinfo=berlin).utcoffset(), moment)

    def test_an_edit_raises_the_sequence_and_keeps_the_id(self):
        self.made()
        self.host.patch(f"/api/v1/sessions/{self.session['id']}", {"lateAfterMinutes": 1}).expect(200)
        event = icalendar.Calendar.from_ical(self.host.get(f"{self.path}/calendar.ics").body).walk("VEVENT")[
            0]
        self.assertEqual((int(event["SEQUENCE"]), str(event["UID"])), (1, f"{self.session['id']}@qring"))


class AttendanceTests(RosterCase):
    def test_a_spreadsheet_reads_the_attendance(self):
        self.made(timeZone="Asia/Seoul")
        self.host.put(f"{self.path}/roster",
            {"people": [{"name": "김지수", "email": "jisoo@example.org", "number": "2021-7"}]}).expect(200)
        awaited, = self.attendees()
        self.host.patch(f"/api/v1/attendees/{awaited['id']}", {"note": "=ill"}).expect(200)
        check_in(self.anybody, self.session, HOSTILE, "x@example.org").expect(201)
        check_in(self.anybody, self.session, 'Lee "J", Jun', "jun@example.org").expect(201)
        path = f"/api/v1/sessions/{self.session['id']}/attendance.csv"
        answer = self.host.get(path).expect(200)
        self.assertEqual(answer.headers.get_content_type(), "text/csv")
        rows = list(csv.reader(io.StringIO(answer.body.decode(), newline=""), strict=True))
        self.assertEqual(rows[0],
            ["Name", "E-mail", "Number", "Status", "Checked in at", "Method", "Walk-in", "Note",
             "First time"])
        by_name = {row[0]: row for row in rows[1:]}
        self.assertEqual(set(by_name), {"'" + HOSTILE, 'Lee "J", Jun', "김지수"})
        self.assertEqual(by_name["김지수"][1:],
            ["jisoo@example.org", "2021-7", "awaited", "", "", "", "'=ill", ""])
        self.assertEqual([by_name['Lee "J", Jun'][n] for n in (2, 3, 5, 6)], ["", "present", "qr", "yes"])
        local = datetime.datetime.now(zoneinfo.ZoneInfo("Asia/Seoul"))
        written = datetime.datetime.fromisoformat(by_name['Lee "J", Jun'][4]).replace(tzinfo=local.tzinfo)
        self.assertLess(abs(local - written), datetime.timedelta(minutes=1))
        korean = self.host.get(path + "?bom=true&lang=ko").expect(200).body
        self.assertTrue(korean.startswith("\ufeff이름,이메일,번호,상태,체크인 시각,방법,현장 참가,메모,첫 출석".encode()))
        self.host.get(path + "?bom=yes").expect(422)
        keyed = self.host.get(path + "?headings=keys&lang=ko").expect(200).text
        self.assertTrue(keyed.startswith("name,email,"), keyed)
        self.host.get(path + "?headings=columns").expect(422)

    def test_a_sheet_lists_everybody_and_escapes_names(self):
        self.made(name="<b>Study</b>")
        self.host.put(f"{self.path}/roster", {"people": [{"name": "김지수"}, {"name": HOSTILE}]}).expect(200)
        answer = self.host.get(f"/api/v1/sessions/{self.session['id']}/sheet.html?lang=ko").expect(200)
        self.assertIn("김지수", answer.text)
        self.assertNotIn("<script", answer.text)
        self.assertNotIn("<b>", answer.text)
        self.assertIn("&lt;script&gt;", answer.text)
        self.assertIn("default-src 'none'", answer.headers["Content-Security-Policy"])
        self.assertIn("@media print", answer.text)


class PosterTests(RosterCase):
    def read(self, pdf):
        with tempfile.TemporaryDirectory(prefix="qring-test-") as folder:
            path = os.path.join(folder, "poster")
            with open(path + ".pdf", "wb") as file:
                file.write(pdf)
            subprocess.run(["pdftoppm", "-png", "-r", "100", "-singlefile", path + ".pdf", path], check=True,
                timeout=DEADLINE)
            text = subprocess.run(["pdftotext", path + ".pdf", "-"], check=True, capture_output=True,
                text=True, timeout=DEADLINE).stdout
            return decode(path + ".png"), text

    def test_a_poster_carries_the_meetings_code_and_its_name_in_any_script(self):
        for name in ["Study group", "스터디 모임", "모" * 100]:
            self.made(name=name)
            url = self.host.get(self.path).json["meetingUrl"]
            answer = self.host.get(f"{self.path}/poster.pdf?lang=ko").expect(200)
            self.assertEqual(answer.headers.get_content_type(), "application/pdf")
            codes, text = self.read(answer.body)
            self.assertEqual(codes, [url])
            self.assertIn(name[:9], text)
        page = self.host.get(f"{self.path}/poster.html").expect(200).text
        self.assertIn("data:image/svg+xml;base64,", page)

    def test_a_poster_has_an_address_and_a_code_that_people_can_type(self):
        self.made(name="Study group")
        address = f"127.0.0.1:{self.server.port}"
        _, drawn = self.read(self.host.get(f"{self.path}/poster.pdf").expect(200).body)
        for text in [drawn, self.host.get(f"{self.path}/poster.html").expect(200).text]:
            self.assertIn(f"or open {address} and enter the join code", text)
            self.assertIn(self.session["joinCode"], text)
            self.assertNotIn("HTTP://", text)
        self.host.patch(f"/api/v1/sessions/{self.session['id']}", {"codeKind": "rotating"}).expect(200)
        page = self.host.get(f"{self.path}/poster.html").expect(200).text
        self.assertIn("enter the join code that the screen shows", page)
        self.assertNotIn(self.session["joinCode"], page)

    def test_a_machine_without_fonts_still_draws_the_code(self):
        self.server.stop()
        with tempfile.TemporaryDirectory(prefix="qring-test-") as folder:
            config = os.path.join(folder, "fonts.conf")
            with open(config, "w", encoding="utf-8") as file:
                file.write(
                    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>')
            os.environ["FONTCONFIG_FILE"] = config
            self.addCleanup(os.environ.pop, "FONTCONFIG_FILE", None)
            self.server.start()
            self.made(name="스터디 모임")
            codes, _ = self.read(self.host.get(f"{self.path}/poster.pdf").expect(200).body)
            self.assertEqual(codes, [self.host.get(self.path).json["meetingUrl"]])


class FileCommandTests(RosterCase):
    def test_files_are_written_from_the_command_line(self):
        self.made(name="Study group")
        check_in(self.anybody, self.session, "Kim", "kim@example.org").expect(201)
        with tempfile.TemporaryDirectory(prefix="qring-test-") as folder:
            for words, beginning in [
                (["meeting", "calendar", "@", "c.ics"], b"BEGIN:VCALENDAR"),
                (["meeting", "poster", "@", "p.pdf"], b"%PDF"),
                (["meeting", "poster", "@", "p.html"], b"<!doctype html>"),
                (["session", "sheet", "@", "s.html"], b"<!doctype html>"),
                (["attendee", "export", "@", "a.csv", "--bom"], b"\xef\xbb\xbfName,"),
                (["attendee", "export", "@", "--headings", "keys", "--bom", "b.csv"], b"\xef\xbb\xbfname,"),
                (["ask", "export", "@", "--headings", "keys", "--output", "c.csv"], b"at,text,votes,"),
            ]:
                path = os.path.join(folder, words[-1] if words[-1] != "--bom" else "a.csv")
                self.run_command(*[path if "." in word else word for word in words])
                with open(path, "rb") as file:
                    self.assertTrue(file.read().startswith(beginning), words)
        self.assertIn("Kim,kim@example.org,,present", self.run_command("attendee", "export", "@", "-").stdout)


if __name__ == "__main__":
    unittest.main()
