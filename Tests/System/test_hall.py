"""Two thousand people behind one address check in within a minute: half scan, half type, and every tenth
mistypes once."""
import re
import threading
import unittest

import pytest

from api import API
from host import Host, code_of
from server_process import DEADLINE, PATIENCE, Server, Stopwatch

PEOPLE = 2000
MISTYPING = 200
CONNECTIONS = 64
SECONDS = 60 * PATIENCE


class Person:
    def __init__(self, number, session):
        self.number, self.session = number, session
        self.scans = number % 2 == 0
        # A person who scans and mistypes first types a code on the front page, and gives up.
        self.mistypes = number % (PEOPLE // MISTYPING) == 0

    @property
    def fields(self):
        return {"name": f"Person {self.number}", "email": f"person{self.number}@example.org"}

    def come_in(self, api):
        """Returns the fault, or None."""
        if self.mistypes:
            code = self.session["joinCode"][:-1] + ("2" if self.session["joinCode"][-1] != "2" else "3")
            answer = api.post("/api/v1/grants", {"joinCode": code}) if not self.scans else api.post("/",
                form={"joinCode": code})
            if answer.status != 422:
                return f"mistyped: {answer}"
        return self.scan(api) if self.scans else self.type(api)

    def scan(self, api):
        """Checks in on the page, without JavaScript."""
        path = f"/C/{code_of(self.session)}"
        page = api.get(path)
        grant = re.search(r'name="grant" value="([^"]+)"', page.text)
        if page.status != 200 or not grant:
            return f"page: {page}"
        cookie = page.headers["Set-Cookie"].split(";")[0]
        answer = api.post(path, form={"grant": grant.group(1), **self.fields}, headers={"Cookie": cookie})
        return None if answer.status == 200 and f"Person {self.number}" in answer.text else f"form: {answer}"

    def type(self, api):
        """Checks in through the API as an app does, with a key for a retry."""
        grant = api.post("/api/v1/grants", {"joinCode": self.session["joinCode"]})
        if grant.status != 201:
            return f"grant: {grant}"
        answer = api.post(
            "/api/v1/check-ins", {"grant": grant.json["grant"], **self.fields},
            headers={"Idempotency-Key": f"person-{self.number}"})
        return None if answer.status == 201 else f"check-in: {answer}"


@pytest.mark.alone("measures how soon two thousand people are in")
class HallTests(unittest.TestCase):
    def test_everybody_checks_in_within_a_minute(self):
        server = self.enterContext(Server("--signup", "open"))
        host = Host(server)
        session = host.session("Hall")
        people = iter([Person(number, session) for number in range(PEOPLE)])
        lock, failures = threading.Lock(), []

        def door():
            api = API(server)
            while True:
                with lock:
                    person = next(people, None)
                if person is None:
                    return
                try:
                    failure = person.come_in(api)
                except Exception as error:
                    failure = repr(error)
                if failure:
                    failures.append(f"person {person.number}: {failure}")

        watch = Stopwatch()
        threads = [threading.Thread(target=door, daemon=True) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10 * DEADLINE)
        self.assertLess(watch.seconds, SECONDS)
        self.assertEqual(failures[:5], [])
        self.assertEqual(
            host.get(f"/api/v1/sessions/{session['id']}").expect(200).json["attendance"]["checkedIn"], PEOPLE)


if __name__ == "__main__":
    unittest.main()
