import Foundation
import Journal
import Meetings
import Testing

@testable import Server

/// Tests of the ways to check in (codes, posters, typed codes), and of the limits for failed attempts.
@Suite struct CodeTests {
    @Test func `a meeting's poster leads to the open session, or says when the next session opens`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let next = try await site.storage.perform(
                ContinueMeeting(meeting: cast.meeting, startsAt: at(300), endsAt: at(360), actor: cast.owner))
            let path = "/M/\(MeetingCode.text(of: cast.record.meeting, keys: site.keys))"
            /// Returns the session of the grant on the poster's page, or nil if the page has no grant.
            func led(_ answer: Answer) -> SessionID? {
                answer.text.firstMatch(of: #/value="(qgr_[0-9A-Z]+)"/#).flatMap {
                    Grant(String($0.1), keys: site.keys)?.sessionID
                }
            }
            let open = try await site.send("GET", path)
            #expect(open.status == 200)
            #expect(led(open) == cast.record.session.id)
            #expect(
                !open.text.contains(
                    CheckInCode.text(of: cast.record.session, at: site.clock.now, keys: site.keys)))
            #expect(open[header: "set-cookie"]?.hasPrefix("qring_grant=qgr_") == true)
            site.clock.set(at(60) + .milliseconds(1))
            let between = try await site.send("GET", path)
            #expect(between.status == 409)
            site.clock.set(at(240) - .milliseconds(1))
            #expect(try await site.send("GET", path).status == 409)
            site.clock.set(at(240))
            #expect(led(try await site.send("GET", path)) == next.session.id)
            site.clock.set(at(361))
            #expect(try await site.send("GET", path).status == 409)
        }
    }

    @Test
    func `a poster of a session with rotating codes gives no grant, and leads to the code on the screen`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/M/\(MeetingCode.text(of: cast.record.meeting, keys: site.keys))"
            let session = try await site.storage.perform(
                EditSession(id: cast.session, settings: .init(codeKind: .rotating), actor: cast.owner)
            ).record.session
            let page = try await site.send("GET", path)
            #expect(page.status == 200)
            #expect(!page.text.contains("qgr_") && page[header: "set-cookie"] == nil)
            #expect(page.text.contains("Scan the code on the screen") && page.text.contains("Meeting"))
            #expect(try await site.send("GET", "\(path)?lang=ko").text.contains("화면의 코드를 스캔하세요"))
            // The page's form takes the code of this minute.
            let code = RotatingJoinCode.text(of: session, at: site.services.codeClock.now, keys: site.keys)
            let form = try await site.send("POST", "/", form: "joinCode=\(code)")
            #expect(form.status == 200 && form.text.contains("name=\"grant\""))
        }
    }

    @Test func `an attendee may type a join code in lower case, with spaces and hyphens`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let code = cast.record.session.joinCode
            let spaced = " \(code.prefix(3).lowercased()) \(code.suffix(3)) "
            for typed in [code, code.lowercased(), spaced, "\(code.prefix(2))-\(code.dropFirst(2))"] {
                let answer = try await site.send(
                    "POST", "/api/v1/grants", json: #"{"joinCode": "\#(typed)"}"#)
                #expect(answer.status == 201, "\(typed)")
                #expect(answer.string("session.name") == "Meeting")
            }
            let form = try await site.send(
                "POST", "/", form: "joinCode=\(code.prefix(3).lowercased())+\(code.suffix(3))")
            #expect(form.status == 200 && form.text.contains("name=\"grant\""))
            let wrong = try await site.send("POST", "/api/v1/grants", json: #"{"joinCode": "OOOOOO"}"#)
            #expect(wrong.status == 422 && wrong.string("code") == "code_not_valid")
        }
    }

    @Test func `the server refuses forged, renewed and foreign codes, and another server's grants`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let code = CheckInCode.text(of: cast.record.session, at: site.clock.now, keys: site.keys)
            var forged = Array(code)
            forged[40] = forged[40] == "0" ? "1" : "0"
            for wrong in [
                String(forged), MeetingCode.text(of: cast.record.meeting, keys: site.keys), "X",
                String(repeating: "0", count: 42),
            ] {
                #expect(
                    try await site.send("POST", "/api/v1/grants", json: #"{"code": "\#(wrong)"}"#).string(
                        "code") == "code_not_valid")
            }
            var grant = Array(cast.grant)
            grant[20] = grant[20] == "0" ? "1" : "0"
            let body = #"{"grant": "\#(String(grant))", "name": "Kim", "email": "k@example.org"}"#
            #expect(
                try await site.send("POST", "/api/v1/check-ins", json: body).string("code")
                    == "grant_not_valid")
            let renewed = try await site.send(
                "PATCH", "/api/v1/sessions/\(cast.session)", bearer: cast[.host],
                json: #"{"renewCode": true}"#)
            #expect(renewed.string("joinCode") != cast.record.session.joinCode)
            #expect(
                try await site.send("POST", "/api/v1/grants", json: #"{"code": "\#(code)"}"#).status == 422)
            // A grant stays valid after its code was renewed.
            let kept = #"{"grant": "\#(cast.grant)", "name": "Kim", "email": "k@example.org"}"#
            #expect(try await site.send("POST", "/api/v1/check-ins", json: kept).status == 201)
        }
    }

    @Test func `a visitor who uses an attendee's address learns nothing and gets no receipt`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let body =
                #"""
                {"joinCode": "\#(cast.record.session.joinCode)", \#
                "name": "Thief", "email": " Person@EXAMPLE.org"}
                """#
            let answer = try await site.send("POST", "/api/v1/check-ins", json: body)
            #expect(answer.status == 200 && answer.json("alreadyCheckedIn") as? Bool == true)
            #expect(answer.json("receipt") == nil && answer.json("attendee") == nil)
            for told in [
                "qrc_", cast.attendee.id.text, "person@example.org", "Person\"", "joinCode", "checkInUrl",
            ] {
                #expect(!answer.text.contains(told), "\(told)")
            }
        }
    }

    @Test func `the form's grant must match its cookie, and checks in one person`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/C/\(CheckInCode.text(of: cast.record.session, at: site.clock.now, keys: site.keys))"
            let page = try await site.send("GET", path)
            let cookie = try #require(
                page[header: "set-cookie"]?.split(separator: ";").first.map(String.init))
            let grant = try #require(cookie.split(separator: "=").last.map(String.init))
            #expect(page.text.contains(grant))
            let form = "grant=\(grant)&name=%EA%B9%80&email=kim%40example.org"
            #expect(
                try await site.send("POST", path, form: form, headers: [("Cookie", "qring_grant=qgr_other")])
                    .status == 422)
            let done = try await site.send("POST", path, form: form, headers: [("Cookie", cookie)])
            #expect(done.status == 200 && done.text.contains("김"))
            let receipt = try #require(
                done[header: "set-cookie"]?.split(separator: ";").first.map(String.init))
            #expect(receipt.hasPrefix("qring_receipt_\(cast.session)=qrc_"))
            // Sending the same form again shows the same page, and the form names each missing value.
            #expect(
                try await site.send("POST", path, form: form, headers: [("Cookie", cookie)]).text.contains(
                    "김"))
            let again = try await site.send("GET", path, headers: [("Cookie", receipt)])
            #expect(again.text.contains("김") && !again.text.contains("name=\"grant\""))
            let empty = try await site.send(
                "POST", path, form: "grant=\(grant)&name=&email=x", headers: [("Cookie", cookie)])
            #expect(
                empty.status == 422 && empty.text.contains("email-error") && empty.text.contains("name-error")
            )
        }
    }

    @Test func `wrong passwords delay the next one, and a right password is never refused for long`()
        async throws
    {
        try await Site.open { site in
            let account = #"{"email": "host@example.org", "password": "correct horse", "name": "Host"}"#
            #expect(try await site.send("POST", "/api/v1/accounts", json: account).status == 201)
            func signIn(_ password: String) async throws -> Answer {
                try await site.send(
                    "POST", "/api/v1/tokens",
                    json: #"{"email": "HOST@example.org", "password": "\#(password)"}"#)
            }
            for _ in 1...12 { #expect(try await signIn("correct horse").status == 201) }
            for _ in 1...9 { #expect(try await signIn("wrong").status == 401) }
            // A successful sign-in clears the failures before it.
            #expect(try await signIn("correct horse").status == 201)
            let before = site.clock.pauses.count
            for _ in 1...10 { #expect(try await signIn("wrong").status == 401) }
            let late = try await signIn("correct horse")
            #expect(late.status == 201)
            // Each of the eleven was checked after a delay that the wrong ones before it caused.
            let seconds = site.clock.pauses.dropFirst(before).map { Int($0.components.seconds) }
            #expect(seconds == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30])
            let other = #"{"email": "other@example.org", "password": "correct horse", "name": "Other"}"#
            #expect(try await site.send("POST", "/api/v1/accounts", json: other).status == 201)
            #expect(
                try await site.send(
                    "POST", "/api/v1/tokens",
                    json: #"{"email": "other@example.org", "password": "correct horse"}"#
                ).status
                    == 201)
            #expect(try await signIn("correct horse").status == 201)
        }
    }

    @Test func `all people in a hall behind one address check in, even if some mistype the code`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let code = cast.record.session.joinCode
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        try await site.send(
                            "POST", "/api/v1/check-ins",
                            json:
                                #"""
                                {"joinCode": "\#(code)", "name": "P", \#
                                "email": "hall\#(number)@example.org"}
                                """#
                        ).status
                    }
                    if number % 10 == 0 {
                        group.addTask {
                            try await site.send("POST", "/api/v1/grants", json: #"{"joinCode": "OOOOOO"}"#)
                                .status
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == 300)
            #expect(statuses.count { $0 == 422 } == 30)
            let count = try await site.storage.read { rows throws(JournalError) in
                try rows.session(cast.session)?.headCount.present
            }
            #expect(count == 301)
        }
    }

    @Test func `a refresh token gives a new pair, and ends the previous access token`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let body = #"{"refreshToken": "\#(cast.refresh)"}"#
            let renewed = try await site.send("POST", "/api/v1/tokens/refresh", json: body)
            #expect(renewed.status == 201)
            let token = try #require(renewed.string("accessToken"))
            #expect(try await site.send("GET", "/api/v1/me", bearer: token).status == 200)
            #expect(try await site.send("GET", "/api/v1/me", bearer: cast[.owner]).status == 401)
            for wrong in [token, cast[.host] ?? "", "qrt_", "x"] {
                #expect(
                    try await site.send(
                        "POST", "/api/v1/tokens/refresh", json: #"{"refreshToken": "\#(wrong)"}"#
                    ).status == 401)
            }
        }
    }

    @Test func `a write by cookie must come from the server's own page`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let cookie = ("Cookie", "qring_token=\(cast[.owner] ?? "")")
            func rename(_ headers: [(String, String)]) async throws -> Int {
                try await site.send(
                    "PATCH", "/api/v1/me", json: #"{"name": "X"}"#, headers: [cookie] + headers
                ).status
            }
            #expect(try await site.send("GET", "/api/v1/me", headers: [cookie]).status == 200)
            #expect(try await rename([]) == 403)
            #expect(try await rename([("Origin", "https://elsewhere.example")]) == 403)
            #expect(try await rename([("Sec-Fetch-Site", "cross-site")]) == 403)
            #expect(try await rename([("Origin", "http://127.0.0.1:\(site.port)")]) == 200)
            #expect(try await rename([("Sec-Fetch-Site", "same-origin")]) == 200)
        }
    }

    @Test(arguments: ["/C/06GZ", "/c/06GZ", "//C/06GZ", "/%43/06GZ", "/%63//06GZ/", "/M/06GZ/more"])
    func `the log hides the code in every spelling of a code's path`(path: String) {
        #expect(!RequestLog.redacted(path).contains("06GZ"))
    }

    @Test func `the server accepts a right join code, however many wrong ones came from its address`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let limit = FailureLimits.joinCode
            for _ in 0..<limit.failures {
                site.services.limits.failed("join code from 127.0.0.1", limit, at: site.clock.now)
            }
            let wrong = try await site.send("POST", "/api/v1/grants", json: #"{"joinCode": "ZZZZZZ"}"#)
            #expect(wrong.status == 429 && wrong[header: "retry-after"] != nil)
            let right = try await site.send(
                "POST", "/api/v1/grants", json: #"{"joinCode": "\#(cast.record.session.joinCode)"}"#)
            #expect(right.status == 201)
        }
    }
}
