"""Requests that need no questions do not read them. The test damages the questions in the stopped server's
database, so that each attempt to read them fails."""
import sqlite3
import os
import unittest

from api import API
from host import Host, check_in
from server_process import Server


class UnreadQuestionTests(unittest.TestCase):
    def test_a_list_of_sets_an_own_record_and_a_deletion_read_no_questions(self):
        with Server("--signup", "open") as server:
            host = Host(server)
            made = host.meeting("Library")
            session, meeting = made["session"], made["meeting"]
            path = f"/api/v1/sessions/{session['id']}"
            receipt = check_in(API(server), session, "Kim", "kim@example.org").expect(201).json["receipt"]
            polls = [host.post(f"{path}/polls", {"copyOf": "feedback"}).expect(201).json["set"]
                for _ in range(3)]
            later = host.post(f"/api/v1/meetings/{meeting['id']}/sessions", {
                "startsAt": "2099-01-01T10:00:00Z", "endsAt": "2099-01-01T11:00:00Z"}).expect(201).json
            server.stop()
            with sqlite3.connect(os.path.join(server.folder, "journal.db")) as database:
                # The list shows the first question of a set without a title.
                database.execute("UPDATE questions SET body = 'damaged' WHERE position > 0")
                database.execute("UPDATE questions SET body = 'damaged' WHERE session <> "
                                 "(SELECT session FROM questions WHERE body <> 'damaged' LIMIT 1)")
            database.close()
            server.start()
            sets = host.get(f"{path}/sets").expect(200).json["items"]
            self.assertEqual([(found["set"], found["questions"]) for found in sets],
                [("feedback", 3)] + [(poll, 3) for poll in polls])
            self.assertEqual(sets[0]["heading"], "What should we repeat?")
            own = API(server).get("/api/v1/check-ins/current", token=receipt).expect(200).json
            self.assertEqual(own["responded"], [])
            host.delete(f"/api/v1/sessions/{later['id']}").expect(204)
            host.delete(f"{path}?confirm=Library").expect(204)


if __name__ == "__main__":
    unittest.main()
