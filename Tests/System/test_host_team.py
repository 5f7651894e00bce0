"""On the host's page, a co-host is invited and joins by the link, a meeting gets its image, and unusual
check-ins are shown."""
import base64
import os
import tempfile
import unittest

from host import Host, check_in
from host_page import HostPage
from image import image
from server_process import Server


class HostTeamTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        made = self.host.meeting("Team")
        self.session, self.meeting = made["session"], made["meeting"]

    def signed_in(self, host):
        page = self.enterContext(HostPage(self.server))
        page.sign_in(host.email)
        return page

    def members(self):
        return {member["email"]: member["role"]
            for member in self.host.get(f"/api/v1/meetings/{self.meeting['id']}/members").expect(200).json[
                "items"]}

    def test_a_co_host_comes_in_by_the_link_and_is_made_a_viewer(self):
        other = Host(self.server)
        page = self.signed_in(self.host)
        page.show(f"meetings/{self.meeting['id']}")
        page.click_text("Invite a co-host or viewer")
        page.fill("#f-invite-email", other.email)
        page.click_text("Invite")
        link = page.find("output.link a").get_attribute("href")
        page.wait_for_text("#main", "invited as host")
        # The text after the # reaches no server and no log. A visitor without a sign-in gets there after
        # signing in.
        self.assertIn("/host#/invitation/", link)
        theirs = self.enterContext(HostPage(self.server))
        theirs.open(link)
        theirs.find("#f-password")
        theirs.find("#f-email").send_keys(other.email)
        theirs.find("#f-password").send_keys("correct horse battery")
        theirs.click("form button")
        theirs.click_text("Accept")
        theirs.wait_for_text("h1", "Team")
        self.assertEqual(self.members(), {self.host.email: "owner", other.email: "host"})
        page.show(f"meetings/{self.meeting['id']}")
        page.fill("select[aria-label='Role of Host']:not(:has(option[value=owner][selected]))", "viewer")
        page.wait_for(lambda: self.members()[other.email] == "viewer")
        # A viewer sees the session, and no button that changes it.
        theirs.show(f"sessions/{self.session['id']}/people")
        theirs.find("table.people")
        self.assertEqual(theirs.find_all(".actions, details"), [])
        theirs.show(f"sessions/{self.session['id']}/live")
        theirs.wait_for_value(lambda: theirs.find(".join").text, self.session["joinCode"])
        self.assertEqual(
            [one.accessible_name for one in theirs.find_all("#main button") if one.is_displayed()],
            ["Show the code larger"])

    def test_the_invited_person_finds_the_invitation_at_home(self):
        other = Host(self.server)
        self.host.post(f"/api/v1/meetings/{self.meeting['id']}/members",
            {"email": other.email, "role": "viewer"}).expect(201)
        page = self.signed_in(other)
        page.wait_for_text("#main", "Team")
        page.click_text("Decline")
        page.wait_for(lambda: "Team" not in page.find("#main").text)
        page.wait_for_value(lambda: list(self.members()), [self.host.email])

    def test_a_meeting_gets_an_image_and_loses_it(self):
        page = self.signed_in(self.host)
        page.show(f"meetings/{self.meeting['id']}")
        with tempfile.TemporaryDirectory() as folder:
            wrong, right = os.path.join(folder, "wrong.png"), os.path.join(folder, "right.png")
            with open(wrong, "wb") as file:
                file.write(b"GIF89a no picture of ours")
            with open(right, "wb") as file:
                file.write(image(40, 40))
            page.find("#f-image").send_keys(wrong)
            page.wait_for(lambda: page.find("#said").text)
            page.wait_for(lambda: not page.find(".picture").is_displayed())
            page.find("#f-image").send_keys(right)
            page.wait_for(lambda: page.find(".picture").get_property("naturalWidth") > 0)
        page.driver.execute_script(
            "document.querySelector('.picture').parentElement.querySelector('button').click()")
        page.answer_dialog("Remove")
        page.wait_for(lambda: not page.find(".picture").is_displayed())
        page.wait_for_value(
            lambda: self.host.get(f"/api/v1/meetings/{self.meeting['id']}/image").status, 404)

    def test_a_photo_is_made_smaller_and_does_not_say_where_it_was_taken(self):
        page = self.signed_in(self.host)
        page.show(f"meetings/{self.meeting['id']}")
        encoded = page.driver.execute_script("""
            const canvas = Object.assign(document.createElement("canvas"), { width: 3000, height: 2000 });
            canvas.getContext("2d").fillRect(0, 0, 1500, 2000);
            return canvas.toDataURL("image/jpeg").split(",")[1];""")
        place = b"Exif\0\0 where it was taken"
        photo = base64.b64decode(encoded)
        photo = photo[:2] + b"\xff\xe1" + (2 + len(place)).to_bytes(2, "big") + place + photo[2:]
        with tempfile.TemporaryDirectory() as folder:
            for name, bytes, size in [("photo.jpg", photo, [1600, 1067]),
                    ("drawing.png", image(2400, 1200), [1600, 800])]:
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(bytes)
                page.find("#f-image").send_keys(os.path.join(folder, name))
                page.wait_for_value(lambda: [page.find(".picture").get_property(f"natural{side}")
                    for side in ("Width", "Height")], size)
                stored = self.host.get(f"/api/v1/meetings/{self.meeting['id']}/image").expect(200).body
                self.assertNotIn(b"where it was", stored)
                self.assertLess(len(stored), 300_001)

    def test_unusual_check_ins_are_shown_as_sentences_with_names(self):
        planned = self.host.meeting("Small", plannedCount=5)["session"]
        for number in range(12):
            check_in(self.host, planned, f"Guest {number}", f"guest{number}@example.org").expect(201)
        review = self.host.get(f"/api/v1/sessions/{planned['id']}/review").expect(200).json
        self.assertTrue(review["findings"])
        page = self.signed_in(self.host)
        page.show(f"sessions/{planned['id']}/review")
        for finding in review["findings"]:
            page.wait_for_text("#main", finding["sentence"])
        page.wait_for_text(".journal", "Guest 11")

    def test_every_file_that_a_page_links_exists(self):
        page = self.signed_in(self.host)
        for view in [f"meetings/{self.meeting['id']}",
                *[f"sessions/{self.session['id']}/{tab}" for tab in ["live", "people", "results"]]]:
            page.show(view)
            for link in page.strings(
                    "[...document.querySelectorAll('#main a[href*=\"/api/\"]')].map((one) => "
                    "one.getAttribute('href'))"):
                with self.subTest(link):
                    self.host.get(link).expect(200)


if __name__ == "__main__":
    unittest.main()
