"""A presenter link is valid while its creator may create one; hosts see and revoke the links of a session."""
import json
import os
import subprocess
import tempfile
import unittest

from host import PASSWORD, Host, check_in, code_of
from host_page import HostPage
from room import Room
from server_process import QRING, Server


class PresenterLinkCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))

    def setUp(self):
        self.owner, self.helper = Host(self.server), Host(self.server)
        made = self.owner.meeting()
        self.meeting, self.session = made["meeting"], made["session"]
        self.members = f"/api/v1/meetings/{self.meeting['id']}/members"
        self.path = f"/api/v1/sessions/{self.session['id']}"
        self.invite(self.helper, "host")

    def invite(self, whom, role):
        invited = self.owner.post(self.members, {"email": whom.email, "role": role}).expect(201).json
        whom.post("/api/v1/me/invitations", {"invitation": invited["id"]}).expect(200)

    def link(self, host):
        return host.post(f"{self.path}/presenter-links").expect(201).json

    def items(self, host=None):
        return (host or self.owner).all(f"{self.path}/presenter-links")

    def watch(self, link):
        room = self.enterContext(Room(self.server, link["token"], f"presenter:{self.session['id']}"))
        room.wait_until(lambda frames: room.snapshot)
        return room

    def code(self, link):
        return self.owner.get(f"{self.path}/qr.svg", token=link["token"])

    def assert_gone(self, link, room=None):
        self.assertEqual((self.code(link).status, self.code(link).code), (401, "not_signed_in"))
        if room:
            self.assertEqual(room.close_code, 4001)
        self.assertNotIn(link["id"], [item["id"] for item in self.items()])

    def events(self):
        return [event
            for event in self.owner.all(f"{self.path}/journal") if event["kind"].startswith("presenterLink")]


class RightTests(PresenterLinkCase):
    def test_links_are_listed_with_their_creator_and_are_in_the_journal(self):
        links = [self.link(self.owner), self.link(self.helper), self.link(self.owner)]
        accounts = [self.owner.account, self.helper.account, self.owner.account]
        for host in (self.owner, self.helper):
            self.assertEqual(
                [(item["id"], item["createdBy"], item["createdByName"])
                    for item in host.all(f"{self.path}/presenter-links", limit=2)],
                sorted((link["id"], account["id"], account["name"]) for link,
                    account in zip(links, accounts)))
        listed = self.owner.get(f"{self.path}/presenter-links").expect(200)
        for link in links:
            self.assertNotIn(link["token"], listed.text)
        self.owner.delete(f"{self.path}/presenter-links/{links[1]['id']}").expect(204)
        self.assertEqual(
            [(event["kind"], event["actor"], event["data"], event.get("undoable"))
                for event in self.events()],
            [
                *[("presenterLinkCreated", account["id"], {"link": link["id"]}, None) for link,
                    account in zip(links, accounts)],
             ("presenterLinkRevoked", self.owner.account["id"], {"link": links[1]["id"]}, None)])
        self.assertNotIn(links[0]["token"], self.owner.get(f"{self.path}/journal?limit=200").text)
        sequence = self.events()[-1]["sequence"]
        self.assertEqual(self.owner.post(f"{self.path}/undo", {"sequence": sequence}).code,
            "cannot_be_undone")

    def test_viewers_and_strangers_see_no_links(self):
        viewer = Host(self.server)
        self.invite(viewer, "viewer")
        for host in (viewer, Host(self.server)):
            self.assertEqual(host.get(f"{self.path}/presenter-links").status, 403)

    def test_a_link_ends_with_the_role_of_its_creator(self):
        ways = {
            "removed": lambda: self.owner.delete(f"{self.members}/{self.helper.account['id']}").expect(204),
            "left": lambda: self.helper.delete(f"{self.members}/{self.helper.account['id']}").expect(204),
            "viewer": lambda: self.owner.patch(f"{self.members}/{self.helper.account['id']}",
                {"role": "viewer"}).expect(200),
            "withdrawn": self.withdraw,
        }
        for way, act in ways.items():
            with self.subTest(way):
                self.setUp()
                mine, theirs = self.link(self.owner), self.link(self.helper)
                room, other = self.watch(theirs), self.watch(mine)
                act()
                self.assert_gone(theirs, room)
                self.code(mine).expect(200)
                check_in(self.owner, self.session, "Kim", "kim@example.org").expect(201)
                other.wait_until(
                    lambda frames: any(frame.get("attendance", {}).get("checkedIn") == 1 for frame in frames))
                self.assertEqual([item["id"] for item in self.items()], [mine["id"]])
                self.assertEqual(
                    [event["data"]["link"]
                        for event in self.events() if event["kind"] == "presenterLinkRevoked"],
                        [theirs["id"]])
                if way != "withdrawn":
                    # A host who becomes one again does not get the old links back.
                    if way == "viewer":
                        self.owner.patch(f"{self.members}/{self.helper.account['id']}",
                            {"role": "host"}).expect(200)
                    else:
                        self.invite(self.helper, "host")
                    self.assert_gone(theirs)

    def withdraw(self):
        # With the password, if it is asked for.
        self.helper.request("DELETE", "/api/v1/me", json={"password": PASSWORD}).expect(204)

    def test_a_link_stays_with_a_host_who_becomes_an_owner(self):
        link = self.link(self.helper)
        self.owner.patch(f"{self.members}/{self.helper.account['id']}", {"role": "owner"}).expect(200)
        self.code(link).expect(200)

    def test_a_new_code_keeps_the_links_unless_the_host_revokes_them(self):
        links = [self.link(self.owner), self.link(self.helper)]
        room = self.watch(links[0])
        renewed = self.owner.patch(self.path, {"renewCode": True}).expect(200).json
        room.wait_until(
            lambda frames: any(frame.get("code", {}).get("joinCode") == renewed["joinCode"]
                for frame in frames))
        self.owner.patch(self.path, {"renewCode": True, "revokePresenterLinks": True}).expect(200)
        self.assert_gone(links[0], room)
        self.assert_gone(links[1])
        self.assertEqual([event["kind"] for event in self.events()][-2:], ["presenterLinkRevoked"] * 2)
        # It works without a new code too.
        link = self.link(self.owner)
        version = self.owner.get(self.path).json["version"]
        self.assertEqual(
            self.owner.patch(self.path, {"revokePresenterLinks": True}).expect(200).json["version"], version)
        self.assert_gone(link)

    def test_an_invitation_ends_when_its_creator_is_no_owner(self):
        second, guest = Host(self.server), Host(self.server)
        self.invite(second, "owner")
        invited = [second.post(self.members, {"email": guest.email, "role": "owner"}).expect(201).json,
                   second.post(self.members,
                       {"email": f"later-{guest.email}", "role": "host"}).expect(201).json]
        self.owner.patch(f"{self.members}/{second.account['id']}", {"role": "host"}).expect(200)
        for text in (invited[0]["id"], invited[0]["invitation"]):
            self.assertEqual(guest.post("/api/v1/me/invitations", {"invitation": text}).code,
                "invitation_not_valid")
        self.assertEqual(guest.get("/api/v1/me/invitations").json["items"], [])
        self.assertEqual(self.owner.get(self.members).json["invitations"], [])


class CommandTests(PresenterLinkCase):
    def qring(self, *arguments, code=0):
        run = subprocess.run(
            [QRING, *arguments, "--server", self.server.url], capture_output=True, text=True,
            env={**os.environ, "QRING_TOKEN": self.owner.token,
                "XDG_CONFIG_HOME": self.enterContext(tempfile.TemporaryDirectory())})
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def test_links_are_listed_and_revoked_by_the_command_line(self):
        links = [self.link(self.owner), self.link(self.helper)]
        listed = json.loads(
            self.qring("present", self.session["id"], "--list", "--json", "id,createdByName").stdout)
        self.assertEqual(listed["items"],
            [{"id": id, "createdByName": "Host"} for id in sorted(link["id"] for link in links)])
        table = self.qring("present", self.session["id"], "--list").stdout
        self.assertIn(links[0]["id"], table)
        self.qring("present", self.session["id"], "--revoke", links[0]["id"])
        self.assertEqual([item["id"] for item in self.items()], [links[1]["id"]])
        self.qring("present", self.session["id"], "--revoke", "all")
        self.assertEqual(self.items(), [])
        self.qring("present", self.session["id"], "--revoke", links[0]["id"], code=5)
        self.qring("present", self.session["id"], "--revoke", "no-id", code=2)
        self.qring("present", self.session["id"], "--list", "--revoke", "all", code=2)
        journal = self.qring("session", "journal", self.session["id"], "--lang", "ko").stdout
        self.assertIn("현장 화면 링크", journal)

    def test_one_command_renews_all_codes_of_a_meeting_and_ends_the_grants_for_them(self):
        meeting = f"/api/v1/meetings/{self.meeting['id']}"
        grants = [self.owner.post("/api/v1/grants", {"code": code_of(self.session)}, token=None).expect(201)
            .json["grant"] for _ in range(2)]
        def checks_in(grant):
            return self.owner.post("/api/v1/check-ins", {"grant": grant, "name": "Kim",
                "email": f"{grant[-8:]}@example.org"}, token=None)
        checks_in(grants[0]).expect(201)
        link = self.link(self.owner)
        self.helper.post(f"{meeting}/sessions/repeat", {"rule": "weekly", "count": 9}).expect(201)
        before = {one["id"]: one for one in self.owner.all(f"{meeting}/sessions")}
        self.qring("meeting", "edit", self.meeting["id"], "--renew-all-codes", "--revoke-presenter-links")
        for one in self.owner.all(f"{meeting}/sessions"):
            self.assertNotEqual(one["joinCode"], before[one["id"]]["joinCode"])
            # The latest session has round 10. Wrong codes of all sessions would reach a limit.
            old = before[one["id"]]
            for code in (code_of(old), old["joinCode"]) if one["round"] in (1, 10) else ():
                self.owner.post("/api/v1/grants", {"code": code}, token=None).expect(422)
        self.assert_gone(link)
        answer = checks_in(grants[1])
        self.assertEqual((answer.status, answer.code), (422, "grant_expired"))
        # The person who had checked in repeats the check-in as before.
        self.assertEqual(checks_in(grants[0]).status, 200)
        self.assertIn("all codes renewed", self.qring("meeting", "log", self.meeting["id"]).stdout)

    def test_one_command_renews_the_code_and_revokes_all_links(self):
        link = self.link(self.owner)
        self.qring("session", "edit", self.session["id"], "--renew-code", "--revoke-presenter-links")
        self.assert_gone(link)
        self.assertNotEqual(code_of(self.owner.get(self.path).json), code_of(self.session))


class PageTests(PresenterLinkCase):
    def test_the_host_page_lists_links_and_revokes_them(self):
        page = self.enterContext(HostPage(self.server))
        page.sign_in(self.owner.email)
        link = self.link(self.helper)
        page.show(f"sessions/{self.session['id']}")
        page.click_text("Links and code settings")
        page.click_text("Presenter links")
        page.wait_for_text(".links", "by Host")
        page.click_text("Create a presenter link")
        page.wait_for(lambda: len(page.find_all(".links li")) == 2)
        page.click(".links li button")
        page.wait_for(lambda: len(page.find_all(".links li")) == 1)
        self.assert_gone(link)
        page.show(f"sessions/{self.session['id']}/settings")
        page.click_text("Also revoke the presenter links", "label")
        page.click_text("Renew the code")
        page.answer_dialog("Renew the code")
        page.wait_for_text("#said", "The code was renewed")
        self.assertEqual(self.items(), [])
        page.show(f"sessions/{self.session['id']}/review")
        page.wait_for_text(".journal", "link revoked")
        code = code_of(self.owner.get(self.path).json)
        page.show(f"meetings/{self.meeting['id']}")
        page.click_text("Renew all codes", "summary")
        page.click_text("Renew all codes", "button")
        page.answer_dialog("Renew all codes")
        page.wait_for_text("#said", "All codes were renewed")
        self.assertNotEqual(code_of(self.owner.get(self.path).json), code)
        # The page knows the new version of the meeting.
        page.click_text("Name, venue and settings", "summary")
        page.fill("#f-meeting-name", "Renamed")
        page.click_text("Save")
        page.wait_for_text("h1", "Renamed")


if __name__ == "__main__":
    unittest.main()
