"""The host's page shows beside results how many people answered with a receipt, and how many by a published
form."""
import unittest

from api import API
from host import check_in
from host_page import HostPageCase
from server_process import Server


class HostResultTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def test_the_response_rate_ignores_responses_by_the_form(self):
        host, page = self.signed_in()
        anybody = API(self.server)
        session = host.session(
            session={"questions": [{"kind": "rating", "title": "How?", "name": "how"}], "anonymous": False})
        path = f"/api/v1/sessions/{session['id']}"
        question = host.questions(session)["rating"]
        host.patch(f"{path}/sets/feedback", {"publishedAs": "how"}).expect(200)
        receipts = [
            check_in(host, session, f"P{number}", f"p{number}@example.org").expect(201).json["receipt"]
            for number in range(2)]
        host.post(f"{path}/responses", {"answers": {question: 4}}, token=receipts[0]).expect(201)
        page.show(f"sessions/{session['id']}/results")
        page.wait_for_text(".summary", "Responses: 1, from 50% of those who checked in")
        for count in range(1, 4):
            anybody.post("/api/answers/how", {"how": "5"}).expect(200)
            # The update is live, and the rate stays.
            page.wait_for_text(".summary",
                f"Responses: {count + 1}, from 50% of those who checked in. {count} of them came")
        results = host.get(f"{path}/results").expect(200).json
        self.assertEqual((results["responses"], results["withoutReceipt"], results["responseRate"]),
            (4, 3, 0.5))
        listed, = host.get(f"{path}/sets").expect(200).json["items"]
        self.assertEqual((listed["responses"], listed["withoutReceipt"]), (4, 3))
        page.show(f"sessions/{session['id']}/results")
        page.wait_for_text(".summary", "Responses: 4, from 50% of those who checked in. 3 of them came")
        self.assertEqual(page.complaints(), [])


if __name__ == "__main__":
    unittest.main()
