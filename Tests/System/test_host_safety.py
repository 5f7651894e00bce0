"""The host's page runs no foreign code: texts stay text, nothing comes from elsewhere, nothing runs inline.
"""
import unittest

from browser import PHONE
from host import QUESTIONS, check_in
from host_page import HOSTILE, LONG_KOREAN, HostPageCase
from server_process import Server


class HostSafetyTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def test_texts_of_people_are_never_markup(self):
        host, page = self.signed_in(PHONE, language="ko")
        questions = [dict(question, title=f"{HOSTILE} {question['title']}") for question in QUESTIONS]
        made = host.meeting(HOSTILE, place=LONG_KOREAN, description=f"{HOSTILE}\n{LONG_KOREAN}",
            session={"questions": questions})
        session = made["session"]
        for name, email in [(HOSTILE, "a@example.org"), (LONG_KOREAN[:100], "b@example.org")]:
            receipt = check_in(host, session, name, email).expect(201).json["receipt"]
            ids = host.questions(session)
            host.post(f"/api/v1/sessions/{session['id']}/responses",
                {"answers": {ids["rating"]: 4, ids["shortAnswer"]: HOSTILE}}, token=receipt).expect(201)
        host.patch(f"/api/v1/attendees/{self.attendees(host, session)[0]['id']}",
            {"note": HOSTILE, "status": "late"}).expect(200)
        tabs = ["live", "people", "questions", "results", "review", "settings"]
        for view in ["",
                f"meetings/{made['meeting']['id']}"] + [f"sessions/{session['id']}/{tab}" for tab in tabs]:
            with self.subTest(view):
                page.show(view)
                page.wait_for(lambda: HOSTILE in page.find("h1, .near").get_property("textContent")
                    or HOSTILE in page.find("#main").text)
                self.assertEqual(page.find_all("#main img[src=x]"), [])
                self.assertEqual(page.width_of_content(), PHONE[0])

    def test_nothing_comes_from_elsewhere_and_nothing_runs_inline(self):
        host, page = self.signed_in()
        session = host.session()
        page.show(f"sessions/{session['id']}/results")
        page.find(".tally")
        origins = page.strings(
            "[...new Set(performance.getEntriesByType('resource').map((entry) => new "
            "URL(entry.name).origin))]")
        self.assertEqual(origins, [self.server.url])
        policy = host.get("/host", token=None).headers["Content-Security-Policy"]
        self.assertNotIn("unsafe", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        # A smuggled script would not run.
        page.driver.execute_script("""
            const script = document.createElement('script');
            script.textContent = 'window.ranInline = true';
            document.body.append(script);
        """)
        self.assertIsNone(page.driver.execute_script("return window.ranInline"))


if __name__ == "__main__":
    unittest.main()
