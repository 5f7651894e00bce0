"""Numbers at the limits of the counters."""
import json
import sqlite3
import unittest

from api import API
from host import Host
from server_process import Server


class NumbersAtTheirBoundsTests(unittest.TestCase):
    def test_a_sum_at_its_limit_does_not_stop_the_server(self):
        with Server("--signup", "open") as server:
            host, anybody = Host(server), API(server)
            session = host.session(
                session={
                    "questions": [{"kind": "number", "title": "How many?", "decimals": 4, "required": True}]})
            question = host.questions(session)["number"]
            host.patch(f"/api/v1/sessions/{session['id']}/sets/feedback",
                {"publishedAs": "numbers"}).expect(200)
            for number in [1e9, -1e9, -0.0, 1e9, 1e9, 1e9]:
                anybody.post("/api/answers/numbers", {question: number}).expect(200)
            self.assertEqual(server.stop(), 0)
            # As if a million people had answered with the largest number.
            with sqlite3.connect(server.database) as connection:
                rows = connection.execute("SELECT question, pending, published FROM tallies").fetchall()
                for asked, *counts in rows:
                    full = []
                    for count in counts:
                        count = json.loads(count)
                        if count.get("numbers"):
                            count["numbers"]["sum"] = 2**63 - 10**13
                        full.append(json.dumps(count))
                    connection.execute("UPDATE tallies SET pending = ?, published = ? WHERE question = ?",
                        [*full, asked])
            connection.close()
            server.start()
            for _ in range(6):
                anybody.post("/api/answers/numbers", {question: 1e9}).expect(200)
            tally = host.get(f"/api/v1/sessions/{session['id']}/results").expect(200).json["tallies"][0]
            self.assertEqual((tally["answers"], tally["max"]), (12, 1e9))


if __name__ == "__main__":
    unittest.main()
