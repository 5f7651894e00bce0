"""Each deletion on the host's page asks first: "Cancel" deletes nothing, and the other button does."""
import unittest

from host import Host, check_in
from host_page import HostPageCase
from server_process import Server, wait_until
from image import image


class HostDeletionTests(HostPageCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def expect_question(self, page, button, is_there, start):
        """Starts a deletion twice with `start`, and answers with "Cancel" and then with `button`. `is_there`
        asks the server whether the thing exists."""
        for answer in ("Cancel", button):
            start()
            page.find("dialog h2")
            self.assertTrue(is_there())
            page.answer_dialog(answer)
        wait_until(lambda: not is_there())

    def test_a_session_with_check_ins(self):
        host, page = self.signed_in()
        session = host.session("Study group")
        check_in(host, session, "Kim", "kim@example.org").expect(201)
        path = f"/api/v1/sessions/{session['id']}"
        page.show(f"sessions/{session['id']}/settings")
        page.click_text("Delete this session", "summary")
        page.fill("#f-confirm", "Study group")
        self.expect_question(page, "Delete this session", lambda: host.get(path).status == 200,
            lambda: page.click("details.dangerous form button[type=submit]"))

    def test_a_planned_series_with_its_roster(self):
        host, page = self.signed_in()
        made = host.meeting("Series", starts=60, ends=120)
        meeting = f"/api/v1/meetings/{made['meeting']['id']}"
        host.post(f"{meeting}/sessions/repeat", {"rule": "weekly", "count": 3}).expect(201)
        host.post(f"{meeting}/roster", {"name": "Kim", "email": "kim@example.org"}).expect(201)
        page.show(f"meetings/{made['meeting']['id']}")
        page.click_text("Delete this meeting", "summary")
        page.fill("#f-delete", "Series")
        self.expect_question(page, "Delete this meeting", lambda: host.get(meeting).status == 200,
            lambda: page.click_text("Delete this meeting", "details.dangerous button"))

    def test_all_records_of_an_attendee(self):
        host, page = self.signed_in()
        session = host.session()
        check_in(host, session, "Kim", "kim@example.org").expect(201)
        page.show(f"sessions/{session['id']}/people")
        page.click_text("Edit Kim")
        page.click_text("Remove", "summary")
        self.expect_question(page, "Erase", lambda: len(self.attendees(host, session)) == 1,
            lambda: page.click_text("Erase Kim completely"))

    def test_a_person_of_the_roster(self):
        host, page = self.signed_in()
        made = host.meeting("Series", starts=60, ends=120)
        roster = f"/api/v1/meetings/{made['meeting']['id']}/roster"
        host.post(roster, {"name": "Kim", "email": "kim@example.org"}).expect(201)
        page.show(f"meetings/{made['meeting']['id']}")
        self.expect_question(page, "Erase", lambda: len(host.get(roster).json["items"]) == 1,
            lambda: page.click_text("Erase Kim completely"))

    def test_a_poll(self):
        host, page = self.signed_in()
        session = host.session()
        sets = f"/api/v1/sessions/{session['id']}/sets"
        host.put(f"/api/v1/sessions/{session['id']}/questions?set=pace", {"title": "Pace", "questions": [
            {"kind": "rating", "title": "Too fast?"}]}).expect(200)
        page.show(f"sessions/{session['id']}")
        page.click("summary[aria-label='Pace: More']")
        self.expect_question(page, "Delete",
            lambda: any(one["set"] == "pace" for one in host.get(sets).json["items"]),
            lambda: page.click_text("Pace: Delete"))

    def test_the_image_of_a_meeting(self):
        host, page = self.signed_in()
        made = host.meeting("Series")
        path = f"/api/v1/meetings/{made['meeting']['id']}"
        host.request("PUT", f"{path}/image", image(), headers={"Content-Type": "image/png"}).expect(204)
        page.show(f"meetings/{made['meeting']['id']}")
        self.expect_question(page, "Remove", lambda: host.get(f"{path}/image").status == 200,
            lambda: page.click_text("Remove"))

    def test_a_member_and_the_own_membership(self):
        host, page = self.signed_in()
        guest = Host(self.server)
        made = host.meeting("Series")
        members = f"/api/v1/meetings/{made['meeting']['id']}/members"
        for other, role in [(guest, "owner"), (Host(self.server, name="Lee"), "viewer")]:
            invited = host.post(members, {"email": other.email, "role": role}).expect(201).json
            other.post("/api/v1/me/invitations", {"invitation": invited["invitation"]}).expect(200)
        page.show(f"meetings/{made['meeting']['id']}")

        def count():
            return len(guest.get(members).json["items"])

        self.expect_question(page, "Remove", lambda: count() == 3, lambda: page.click_text("Remove Lee"))
        self.expect_question(page, "Leave", lambda: count() == 2, lambda: page.click_text("Leave"))


if __name__ == "__main__":
    unittest.main()
