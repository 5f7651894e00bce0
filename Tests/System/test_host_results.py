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

    def test_a_host_checks_written_answers_by_keys_and_they_leave_every_tab(self):
        host, page = self.signed_in()
        session = host.session(session={
            "questions": [{"kind": "shortAnswer", "title": "What?"}], "anonymous": False})
        path = f"/api/v1/sessions/{session['id']}"
        question = host.questions(session)["shortAnswer"]
        host.patch(f"{path}/sets/feedback/moderation", {"moderation": "before"}).expect(200)
        page.show(f"sessions/{session['id']}/audience")
        for number in range(2):
            receipt = check_in(host, session, f"P{number}", f"p{number}@example.org").expect(201)
            host.post(f"{path}/responses", {"answers": {question: f"text {number}"}},
                token=receipt.json["receipt"]).expect(201)

        def texts():
            return [(one.get_attribute("class"), one.find_element("css selector", ".question").text)
                for one in page.find_all(".texts-moderation li")]

        page.wait_for(lambda: texts() == [("pending", "text 1"), ("pending", "text 0")])
        page.find(".texts-moderation li").send_keys("s")
        # Texts that wait are first.
        page.wait_for(lambda: texts() == [("pending", "text 0"), ("visible", "text 1")])
        page.click_text("Hide: text 1")
        page.wait_for(lambda: texts() == [("pending", "text 0"), ("hidden", "text 1")])
        page.show(f"sessions/{session['id']}/results")
        host.patch(f"{path}/sets/feedback/moderation", {"moderation": "none"}).expect(200)
        page.wait_for_text(".tally .texts", "text 0")
        page.click("details summary")
        page.wait_for(lambda: len(page.find_all("details .texts li")) == 1)
        text = next(one for one in host.get(f"/api/v1/questions/{question}/answers").json["items"]
            if one["text"] == "text 0")
        host.patch(f"/api/v1/questions/{question}/answers/{text['id']}", {"status": "hidden"}).expect(200)
        page.wait_for(lambda: "text 0" not in page.find("#main").text)
        for number, text in enumerate(["Same", "same"]):
            receipt = check_in(host, session, f"Q{number}", f"q{number}@example.org").expect(201)
            host.post(f"{path}/responses", {"answers": {question: text}},
                token=receipt.json["receipt"]).expect(201)
        # Equal answers are counted, live.
        page.wait_for_text(".texts.equal", "(2 times)")
        self.assertEqual(page.complaints(), [])

    def test_a_host_answers_in_writing_merges_duplicates_and_edits_the_held_words(self):
        host, page = self.signed_in()
        session = host.session(session={"questions": []})
        path = f"/api/v1/sessions/{session['id']}"
        host.patch(f"{path}/audience-settings", {"open": True}).expect(200)
        receipts = [
            check_in(host, session, f"P{number}", f"p{number}@example.org").expect(201).json["receipt"]
            for number in range(2)]
        asked = [host.post(f"{path}/audience-questions", {"text": text}, token=receipt).expect(201).json
            for text, receipt in zip(["Are there slides?", "Slides?"], receipts)]
        for question, receipt in zip(asked, receipts):
            host.put(f"{path}/audience-questions/{question['id']}/vote", token=receipt).expect(200)
        page.show(f"sessions/{session['id']}/audience")

        def row(text):
            return next((one for one in page.find_all(".audience-questions > li")
                if one.find_element("css selector", ".question").text == text), None)

        page.wait_for(lambda: row("Are there slides?").send_keys("w") or True)
        page.find("#f-answer").send_keys("On the page of the group.")
        page.click("dialog button[type=submit]")
        page.wait_for_text(".audience-questions .answer", "On the page of the group.")
        # A key of a Korean keyboard has the same place.
        page.wait_for(lambda: page.driver.execute_script("""
            const key = { key: "ㅡ", code: "KeyM", bubbles: true };
            arguments[0].dispatchEvent(new KeyboardEvent("keydown", key));
            return true;
        """, row("Slides?")))
        page.wait_for_value(lambda: page.find("#f-into").text.strip(), "Are there slides?")
        page.click("dialog button[type=submit]")
        page.wait_for(lambda: row("Slides?") is None)
        page.wait_for(lambda: "2 votes" in row("Are there slides?").text)
        page.click_text("Words that hold texts back")
        page.find("#f-words").send_keys("spam\n\n바보 ")
        page.click("dialog button[type=submit]")
        page.wait_for(lambda: not page.find_all("dialog"))
        self.assertEqual(host.get(f"/api/v1/meetings/{session['meetingId']}/held-words").json["words"],
            ["spam", "바보"])
        asked = host.post(f"{path}/audience-questions", {"text": "Spam here"}, token=receipts[0])
        self.assertEqual(asked.expect(201).json["status"], "pending")
        files = page.wait_for(lambda: [one.get_property("href") for one in page.find_all("a[download]")])
        self.assertEqual([file.rpartition("/")[2] for file in files],
            ["audience-questions.csv?bom=true", "audience-questions.json"])
        for file in files:
            self.assertIn("Are there slides?", host.get(file[len(self.server.url):]).expect(200).text)
        self.assertEqual(page.complaints(), [])


if __name__ == "__main__":
    unittest.main()
