"""The pages for a phone without JavaScript: forms, cookies, languages, hostile names, codes in either case.
"""
import unittest

from host import Host, check_in, code_of, moment
from page import Visitor
from server_process import Server

HOSTILE = "<script>alert(1)</script>\"'&amp;<img src=x onerror=alert(2)>"


class PlainPageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--signup", "open"))
        cls.host = Host(cls.server)

    def setUp(self):
        self.meeting = self.host.meeting()
        self.session = self.meeting["session"]
        self.path = f"/C/{code_of(self.session)}"
        self.visitor = Visitor(self.server)

    def people(self, session=None):
        return self.host.all(f"/api/v1/sessions/{(session or self.session)['id']}/attendees")

    def enter(self, visitor=None, **typed):
        visitor = visitor or self.visitor
        return visitor.submit(visitor.open(self.path),
            **{"name": "Kim Minseo", "email": "minseo@example.org", **typed})

    def test_a_form_is_filled_in_and_the_answer_asks_for_feedback(self):
        form = self.visitor.open(self.path)
        self.assertEqual((form.status, form.language, form.title), (200, "en", "Study group"))
        self.assertEqual(set(form.forms[0]["fields"]), {"grant", "name", "email"})
        page = self.visitor.submit(form, name="  Kim Minseo ", email="minseo@example.org")
        self.assertEqual(page.status, 200)
        self.assertIn("You are checked in, Kim Minseo", page.text)
        self.assertIn("on time", page.text)
        self.assertEqual([(person["name"], person["email"], person["method"]) for person in self.people()],
                         [("Kim Minseo", "minseo@example.org", "qr")])
        # If the same phone opens the code again, it gets its own page.
        self.assertIn("You are checked in, Kim Minseo", self.visitor.open(self.path).text)

        questions = self.host.questions(self.session)
        thanks = self.visitor.submit(page,
            **{f"q_{questions['rating']}": "4", f"q_{questions['multipleChoice']}": ["a", "c"],
                                             f"q_{questions['shortAnswer']}": "Line one\r\nline two"})
        self.assertEqual((thanks.status, thanks.forms), (200, []))
        self.assertIn("Thank you", thanks.text)
        self.assertEqual(self.host.get(f"/api/v1/sessions/{self.session['id']}/results").json["responses"], 1)
        again = self.visitor.submit(page, **{f"q_{questions['rating']}": "1"})
        self.assertEqual(again.status, 409)
        self.assertIn("Answered already", again.text)
        self.assertEqual(self.visitor.open(self.path).forms, [])

    def test_cookies_and_pages_are_private(self):
        for page in [self.visitor.open(self.path), self.enter(Visitor(self.server)), self.visitor.open("/"),
                self.visitor.open("/C/NONE")]:
            headers = page.answer.headers
            self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
            self.assertEqual(headers["Cache-Control"], "no-store")
            self.assertEqual(headers["Referrer-Policy"], "no-referrer")
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
            self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
            for cookie in headers.get_all("Set-Cookie", []):
                self.assertIn("HttpOnly", cookie)
                self.assertIn("SameSite=Lax", cookie)
                self.assertNotIn("Secure", cookie)

    def test_cookies_are_secure_if_the_server_is_reached_by_tls(self):
        with Server("--signup", "open", "--public-url", "https://meet.example.org") as server:
            session = Host(server).session()
            page = Visitor(server).open(f"/C/{code_of(session)}")
            self.assertIn("; Secure", page.answer.headers["Set-Cookie"])

    def test_the_cookie_and_the_hidden_grant_must_match(self):
        form = self.visitor.open(self.path)
        other = Visitor(self.server)
        theirs = other.open(self.path)
        for visitor, page in [(Visitor(self.server), form), (other, form), (self.visitor, theirs)]:
            answer = visitor.submit(page, name="Kim", email="kim@example.org")
            self.assertEqual(answer.status, 422)
            self.assertIn("Start again", answer.text)
            self.assertIn("a", answer.tags)
        for grant in ["", "qgr_0", form.forms[0]["fields"]["grant"][:-1]]:
            self.visitor.cookies["qring_grant"] = grant
            self.assertEqual(
                self.visitor.submit(form, grant=grant, name="Kim", email="kim@example.org").status, 422)
        self.assertEqual(self.people(), [])

    def test_a_form_with_an_error_keeps_the_input_and_shows_the_error(self):
        for typed, wrong in [
            ({"name": "김민서", "email": "minseo"}, ["email"]),
            ({"name": " ", "email": "minseo@example.org"}, ["name"]),
            ({"name": "x" * 101, "email": ""}, ["name", "email"]),
            ({"name": HOSTILE, "email": HOSTILE}, ["email"]),
        ]:
            with self.subTest(typed=typed):
                form = self.visitor.open(self.path)
                page = self.visitor.submit(form, **typed)
                self.assertEqual(page.status, 422)
                fields = page.forms[0]["fields"]
                self.assertEqual({name: fields[name] for name in typed}, typed)
                self.assertEqual(fields["grant"], form.forms[0]["fields"]["grant"])
                for name in ["name", "email"]:
                    self.assertEqual("aria-invalid" in page.attributes[name], name in wrong)
                    if name in wrong:
                        self.assertIn(page.attributes[name]["aria-describedby"], page.attributes)
                self.assertNotIn("img", page.tags)
        self.assertEqual(self.visitor.submit(page, name="김민서", email="minseo@example.org").status, 200)
        self.assertEqual(len(self.people()), 1)

    def test_feedback_with_an_error_keeps_the_answers(self):
        page = self.enter()
        questions = self.host.questions(self.session)
        typed = {f"q_{questions['shortAnswer']}": "이 방은 \"너무\" <작아요> & 덥습니다",
            f"q_{questions['multipleChoice']}": ["b"]}
        again = self.visitor.submit(page, **typed)
        self.assertEqual(again.status, 422)
        self.assertEqual(again.forms[0]["fields"][f"q_{questions['shortAnswer']}"],
            typed[f"q_{questions['shortAnswer']}"])
        self.assertEqual(again.forms[0]["fields"][f"q_{questions['multipleChoice']}"], "b")
        self.assertIn("This is required", again.text)
        self.assertEqual(self.visitor.submit(again, **{f"q_{questions['rating']}": "5"}).status, 200)

    def test_a_poll_that_is_sent_empty_keeps_the_form_below_it(self):
        self.host.patch(f"/api/v1/sessions/{self.session['id']}/sets/feedback", {"open": True}).expect(200)
        poll = self.host.post(f"/api/v1/sessions/{self.session['id']}/polls", {"open": True,
            "questions": [{"kind": "shortAnswer", "title": "One word?", "required": True}]}).expect(201).json
        self.enter()
        page = self.visitor.open(f"/me/{self.session['id']}")

        def sets(page):
            return [form["fields"]["set"] for form in page.forms if form["action"] == "/feedback"]

        self.assertEqual(sets(page), [poll["set"], "feedback"])
        again = self.visitor.submit(page)
        self.assertEqual((again.status, sets(again)), (422, [poll["set"], "feedback"]))
        answered = self.visitor.submit(again, **{f"q_{poll['questions'][0]['id']}": "Good"})
        self.assertEqual((answered.status, sets(answered)[:1]), (200, ["feedback"]))
        # A change that is refused shows its form once, above the form of the feedback.
        changed = self.visitor.open(f"/me/{self.session['id']}")
        place = sets(changed).index(poll["set"])
        refused = self.visitor.submit(changed, place, **{f"q_{poll['questions'][0]['id']}": " "})
        self.assertEqual((refused.status, sorted(sets(refused))), (422, sorted([poll["set"], "feedback"])))

    def test_an_optional_poll_that_is_sent_empty_says_what_it_needs(self):
        path = f"/api/v1/sessions/{self.session['id']}"
        poll = self.host.post(f"{path}/polls", {"open": True,
            "questions": [{"kind": "shortAnswer", "title": "One word?"}]}).expect(201).json
        self.host.patch(f"{path}/sets/feedback", {"open": False}).expect(200)
        self.enter()
        alone = self.visitor.open(f"/me/{self.session['id']}")
        again = self.visitor.submit(alone)
        self.assertEqual((again.status, again.text.count("Answer at least one question.")), (422, 1))
        self.assertNotIn("marked", again.text)
        self.host.patch(f"{path}/sets/feedback", {"open": True}).expect(200)
        both = self.visitor.open(f"/me/{self.session['id']}")
        # Without a script, a browser sends the text of one form only.
        self.assertEqual([page.text.count("Send one form at a time.")
            for page in [alone, again, both, self.visitor.submit(both)]], [0, 0, 1, 1])
        self.assertEqual(both.forms[0]["fields"]["set"], poll["set"])

    def test_a_blank_answer_to_an_optional_question_at_check_in_is_no_answer(self):
        self.host.put(f"/api/v1/sessions/{self.session['id']}/questions?set=check-in",
            {"questions": [{"kind": "shortAnswer", "title": "Anything else?"}]}).expect(200)
        question = self.host.get(
            f"/api/v1/sessions/{self.session['id']}/questions?set=check-in").expect(200).json["questions"][0]
        form = self.visitor.open(self.path)
        page = self.visitor.submit(form, name="Kim", email="kim@example.org", **{f"q_{question['id']}": " "})
        self.assertEqual((page.status, len(self.people())), (200, 1))

    def test_hostile_names_are_text(self):
        questions = [
            {"kind": "multipleChoice", "title": HOSTILE, "detail": HOSTILE,
                "choices": [{"label": HOSTILE}, {"label": "b", "id": "\"><script>"}]},
            {"kind": "shortAnswer", "title": HOSTILE}, {"kind": "rating", "title": HOSTILE, "required": True},
        ]
        self.session = self.host.session(HOSTILE, session={"questions": questions})
        self.path = f"/C/{code_of(self.session)}"
        clean = self.visitor.open(self.path)
        page = self.enter(name=HOSTILE)
        ids = self.host.questions(self.session)
        wrong = self.visitor.submit(page, **{f"q_{ids['shortAnswer']}": "</textarea>" + HOSTILE})
        self.assertEqual((clean.status, page.status, wrong.status), (200, 200, 422))
        for shown in [clean, page, wrong]:
            self.assertEqual(shown.tags.count("script"), 1)
            self.assertNotIn("img", shown.tags)
            self.assertNotIn("<script>alert", shown.answer.text)
            self.assertIn(HOSTILE, shown.text + shown.title)
        self.assertEqual(wrong.forms[0]["fields"][f"q_{ids['shortAnswer']}"], "</textarea>" + HOSTILE)
        self.assertEqual(self.people()[0]["name"], HOSTILE)

    def test_pages_use_the_browsers_language(self):
        korean = Visitor(self.server, "ko-KR,ko;q=0.9,en-US;q=0.8")
        page = korean.open(self.path)
        self.assertEqual(page.language, "ko")
        self.assertIn("이메일", page.text)
        wrong = korean.submit(page, name="김민서", email="x")
        self.assertIn("이메일을 입력하세요", wrong.text)
        inside = korean.submit(page, name="김민서", email="minseo@example.org")
        self.assertEqual(inside.language, "ko")
        self.assertIn("김민서 님, 체크인되었습니다", inside.text)
        self.assertIn("익명", inside.text)
        self.assertRegex(Visitor(self.server, "ko").open("/C/NONE").text, "유효하지 않은 코드")
        for language in ["en", "pt-PT,pt;q=0.9", "ko;q=0.1, en;q=0.2", "", "*", "x" * 600]:
            self.assertEqual(Visitor(self.server, language).open("/").language, "en", language)
        self.assertEqual(Visitor(self.server, "en").open("/?lang=ko").language, "ko")

    def test_pages_for_attendees_have_seven_languages_and_the_hosts_page_has_two(self):
        for asked, language, word, host in [
            ("de-AT,de;q=0.9,en;q=0.5", "de", "Ihr Name", "en"), ("ja", "ja", "チェックイン", "en"),
            ("zh-TW,zh;q=0.9", "zh-Hans", "签到", "en"), ("es-419", "es", "Su nombre", "en"),
            ("fr-CA", "fr", "Votre nom", "en"), ("ko", "ko", "체크인", "ko"),
        ]:
            with self.subTest(asked=asked):
                visitor = Visitor(self.server, asked)
                page = visitor.open(self.path)
                self.assertEqual(page.language, language)
                self.assertIn(word, page.text)
                # The page's links lead to every language, and the present one is marked.
                self.assertEqual([link for link in page.links if link in (
                    "English", "한국어", "日本語", "简体中文", "Deutsch", "Español", "Français")],
                    ["English", "한국어", "日本語", "简体中文", "Deutsch", "Español", "Français"])
                self.assertEqual(visitor.open("/host").language, host)

    def test_a_join_code_may_have_spaces_and_lower_case(self):
        code = self.session["joinCode"]
        for number, typed in enumerate(
                [code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}"]):
            visitor = Visitor(self.server)
            form = visitor.submit(visitor.open("/"), joinCode=typed)
            self.assertEqual(form.status, 200)
            # A code is for a person who has scanned it.
            self.assertNotIn(code_of(self.session), form.answer.text)
            page = visitor.submit(form, name="Kim", email=f"kim{number}@example.org")
            self.assertEqual(page.links["Check in another person on this phone"], "/?another=1")
            self.assertIn("You are checked in, Kim", visitor.open(form.forms[0]["action"]).text)
        self.assertEqual([person["method"] for person in self.people()], ["joinCode"] * 4)
        wrong = self.visitor.submit(self.visitor.open("/"), joinCode="<b>222")
        self.assertEqual((wrong.status, wrong.forms[0]["fields"]["joinCode"]), (422, "<b>222"))
        self.assertIn("aria-invalid", wrong.attributes["joinCode"])
        self.assertNotIn("b", wrong.tags)

    def test_codes_are_the_same_in_lower_case(self):
        poster = self.meeting["meeting"]["meetingUrl"].rsplit("/", 1)[1]
        for number, path in enumerate(
                [self.path.lower(), f"/c/{code_of(self.session)}", f"/m/{poster.lower()}", f"/m/{poster}",
                    f"/M/{poster}"]):
            with self.subTest(path=path):
                visitor = Visitor(self.server)
                page = visitor.submit(visitor.open(path), name="Kim", email=f"kim{number}@example.org")
                self.assertEqual(page.status, 200)
                self.assertIn("You are checked in", page.text)
        self.assertEqual(len(self.people()), 5)

    def test_the_poster_leads_to_the_session_that_is_open_or_says_when_the_next_one_opens(self):
        made = self.host.meeting("Poster", timeZone="Asia/Seoul", session={
            "startsAt": "2099-03-01T10:00:00Z", "endsAt": "2099-03-01T12:00:00Z"})
        poster = "/m/" + made["meeting"]["meetingUrl"].rsplit("/", 1)[1]
        closed = self.visitor.open(poster)
        self.assertEqual((closed.status, closed.forms), (409, []))
        self.assertIn("Poster", closed.text)
        # An hour before the start, in Seoul's time.
        self.assertIn("Check-in opens at Sun, 1 March 2099, 18:00.", closed.text)
        self.assertIn("체크인은 2099년 3월 1일 (일) 18:00에 열립니다.",
            Visitor(self.server, "ko").open(f"/C/{code_of(made['session'])}").text)
        opened = self.host.post(f"/api/v1/meetings/{made['meeting']['id']}/sessions", {
            "startsAt": moment(-5), "endsAt": moment(60), "allowOverlap": True}).expect(201).json
        page = self.visitor.submit(self.visitor.open(poster), name="Kim", email="kim@example.org")
        self.assertEqual(page.status, 200)
        self.assertEqual([person["name"] for person in self.people(opened)], ["Kim"])

    def test_the_form_asks_for_what_identifies_attendees(self):
        for kind, fields in [("number", {"grant", "name", "number"}), ("name", {"grant", "name"})]:
            self.session = self.host.session(f"By {kind}", identifyBy=kind)
            self.path = f"/C/{code_of(self.session)}"
            visitor = Visitor(self.server)
            form = visitor.open(self.path)
            self.assertEqual(set(form.forms[0]["fields"]), fields)
            page = visitor.submit(form,
                **{"name": "Kim", **({"number": "2026-0042"} if kind == "number" else {})})
            self.assertEqual(page.status, 200)
            self.assertEqual([person["name"] for person in self.people()], ["Kim"])

    def test_the_next_person_on_the_same_phone_is_another_person(self):
        check_in(self.host, self.session, "Lee", "lee@example.org").expect(201)
        own = self.enter()
        # A grant is for one person: the next one types the code, or scans it and says that they are another.
        self.assertEqual(own.links["Check in another person on this phone"], "/?another=1")
        form = self.visitor.open(self.visitor.open(self.path).links["Check in another person on this phone"])
        self.assertEqual(form.forms[0]["fields"]["name"], "")
        second = self.visitor.submit(form, name="Park", email="park@example.org")
        self.assertIn("You are checked in, Park", second.text)
        typed = self.visitor.submit(self.visitor.open(own.links["Check in another person on this phone"]),
            joinCode=self.session["joinCode"])
        third = self.visitor.submit(typed, name="Ryu", email="ryu@example.org")
        self.assertIn("You are checked in, Ryu", third.text)
        self.assertEqual(sorted(person["name"] for person in self.people()),
            ["Kim Minseo", "Lee", "Park", "Ryu"])

    # MARK: A phone that is known

    def redirected(self, answer):
        """Returns the page to which the answer sends the browser."""
        self.assertEqual(answer.status, 303, answer.text)
        return self.visitor.open(answer.answer.headers["Location"])

    def test_the_join_code_of_a_phone_that_has_checked_in_leads_to_its_own_page(self):
        self.enter()
        code = self.session["joinCode"]
        front = self.visitor.open("/")
        self.assertEqual(front.links["Back to Study group"], f"/me/{self.session['id']}")
        own = self.visitor.open(front.links["Back to Study group"])
        self.assertIn("You are checked in, Kim Minseo", own.text)
        ways = [lambda: self.visitor.submit(front, joinCode=code.lower())]
        ways += [lambda path=path: self.visitor.open(path) for path in
            [f"/{code}", f"/C/{code}", f"/c/{code.lower()}", f"/{code[:3]}-{code[3:].lower()}",
                f"/{code[:3]}%20{code[3:]}"]]
        for way in ways:
            page = self.redirected(way())
            self.assertIn("You are checked in, Kim Minseo", page.text)
        # The page of another phone says nothing of this one.
        self.assertNotIn("Back to Study group", Visitor(self.server).open("/").links)
        with self.subTest("after the check-in has closed"):
            self.host.patch(f"/api/v1/sessions/{self.session['id']}",
                {"startsAt": moment(-200), "endsAt": moment(-100)}).expect(200)
            self.assertIn("You are checked in", self.redirected(ways[0]()).text)
        with self.subTest("after a withdrawal"):
            record = self.visitor.open(f"/me/{self.session['id']}/record")
            self.visitor.send("POST", record.forms[1]["action"], {**record.forms[1]["fields"], "sure": "yes"})
            self.assertNotIn("Back to Study group", self.visitor.open("/").links)

    def test_a_form_in_another_tab_leads_to_the_check_in_of_the_same_person(self):
        form = self.visitor.open(f"{self.path}?another=1")
        typed = {"name": "Kim Minseo", "email": "minseo@example.org"}
        self.visitor.submit(form, **typed)
        second = self.visitor.open(f"{self.path}?another=1")
        page = self.redirected(self.visitor.submit(second, **typed))
        self.assertIn("You are checked in, Kim Minseo", page.text)
        # Somebody else's address gets the question, as before.
        check_in(self.host, self.session, "Lee", "lee@example.org").expect(201)
        third = self.visitor.open(f"{self.path}?another=1")
        self.assertIn("Is it yours?", self.visitor.submit(third, name="Lee", email="lee@example.org").text)

    def test_the_address_of_a_join_code_opens_the_form_in_any_case_and_with_spaces_or_a_dash(self):
        code = self.session["joinCode"]
        for number, path in enumerate([f"/{code}", f"/{code.lower()}", f"/C/{code}", f"/c/{code.lower()}",
                f"/{code[:3]}-{code[3:]}", f"/C/{code[:3]}%20{code[3:].lower()}"]):
            with self.subTest(path):
                visitor = Visitor(self.server)
                form = visitor.open(path)
                self.assertEqual((form.status, form.title), (200, "Study group"))
                # A code is for a person who has scanned it.
                self.assertNotIn(code_of(self.session), form.answer.text)
                page = visitor.submit(form, name="Kim", email=f"kim{number}@example.org")
                self.assertIn("You are checked in", page.text)
        self.assertEqual({person["method"] for person in self.people()}, {"joinCode"})
        for path in ["/222222", "/C/222222", "/nothing", "/robots.txt", "/favicon.ico"]:
            self.assertEqual(Visitor(self.server).open(path).status,
                422 if path.endswith("222222") else 404, path)
        # The log has no code that somebody could use.
        lines = self.server.log.wait_for(lambda lines: [line for line in lines if "/…" in line])
        self.assertFalse([line for line in lines if code in line.upper()])


if __name__ == "__main__":
    unittest.main()
