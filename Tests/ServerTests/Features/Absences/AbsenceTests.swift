import Journal
import Meetings
import Testing
import Wire

@testable import Server

/// Tests of the list of absences, of a meeting's rule, and of the pass that queues mails to hosts.
@Suite(.timeLimit(.minutes(1))) struct AbsenceTests {
    /// A meeting that expects Kim and Lee. Its session has ended, and Lee came.
    private func afterSession(_ body: (Site, Cast) async throws -> Void) async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            for name in ["Kim", "Lee"] {
                _ = try await site.storage.perform(
                    AddPerson(
                        meeting: cast.meeting,
                        draft: PersonDraft(name: name, email: "\(name.lowercased())@example.org"),
                        actor: cast.owner))
            }
            _ = try await site.storage.perform(
                CheckIn(
                    session: cast.session, moment: at(1), method: .qr, grant: nil, name: "Lee",
                    email: "lee@example.org"))
            site.clock.set(at(61))
            try await body(site, cast)
        }
    }

    private func patch(_ site: Site, _ cast: Cast, _ rule: String) async throws -> Answer {
        try await site.send(
            "PATCH", "/api/v1/meetings/\(cast.meeting)", bearer: cast[.host],
            json: #"{"absenceRule": \#(rule)}"#)
    }

    private func people(_ site: Site, _ cast: Cast, _ query: String = "") async throws -> [AbsencesBody] {
        var (found, cursor): ([AbsencesBody], String?) = ([], nil)
        repeat {
            let next = cursor.map { "&cursor=\($0)" } ?? ""
            let answer = try await site.send(
                "GET", "/api/v1/meetings/\(cast.meeting)/absences?limit=1\(query)\(next)",
                bearer: cast[.viewer])
            #expect(answer.status == 200, "\(answer.text)")
            let page = try WireJSON.decode(Page<AbsencesBody>.self, from: answer.body)
            found += page.items
            cursor = page.nextCursor
        } while cursor != nil
        return found
    }

    @Test func `the list has everybody on the roster, or only the people who meet the rule`() async throws {
        try await afterSession { site, cast in
            let all = try await people(site, cast)
            #expect(all.map(\.name) == ["Kim", "Lee"] && all.allSatisfy { !$0.meetsRule })
            #expect(all.map(\.absent) == [1, 0] && all.map(\.inARow) == [1, 0])
            #expect(all.map(\.present) == [0, 1] && all.map(\.expected) == [1, 1])
            #expect(all[0].lastCameAt == nil && all[1].lastCameAt == start)
            #expect(try await people(site, cast, "&met=true").isEmpty)
            #expect(try await patch(site, cast, #"{"inARow": 1}"#).status == 200)
            #expect(try await people(site, cast).map(\.meetsRule) == [true, false])
            #expect(try await people(site, cast, "&met=true").map(\.name) == ["Kim"])
        }
    }

    @Test func `a rule is edited field by field, and null removes it`() async throws {
        try await afterSession { site, cast in
            func rule(_ json: String) async throws -> AbsenceRuleBody? {
                let answer = try await patch(site, cast, json)
                #expect(answer.status == 200, "\(answer.text)")
                return try WireJSON.decode(MeetingBody.self, from: answer.body).absenceRule
            }
            let first = try await rule(#"{"inARow": 3, "since": "2026-09-01"}"#)
            #expect(first?.inARow == 3 && first?.inAll == nil)
            #expect(first?.since == "2026-09-01" && first?.mail == true)
            let second = try await rule(#"{"inAll": 5, "inARow": null, "mail": false}"#)
            #expect(second?.inARow == nil && second?.inAll == 5 && second?.mail == false)
            #expect(try await rule("null") == nil)
            let refused = try await patch(site, cast, #"{"mail": true}"#)
            #expect(refused.status == 422 && refused.text.contains("/absenceRule/inARow"))
            #expect(try await patch(site, cast, #"{"inARow": 51}"#).status == 422)
        }
    }

    @Test func `the clock queues one mail for each host after the session, and then no other one`()
        async throws
    {
        try await afterSession { site, cast in
            try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    guard var owner = try transaction.rows.account(cast.owner) else { return }
                    owner.verified = true
                    try transaction.rows.update(owner)
                })
            #expect(try await patch(site, cast, #"{"inARow": 1}"#).status == 200)
            await site.pass(to: at(61) + .seconds(1))
            func mailing() async throws -> Mailing? {
                try await site.storage.read { rows throws(JournalError) in
                    try rows.mailing(.absences, of: cast.session)
                }
            }
            try await eventually("the mail about absences") {
                try await mailing() == Mailing(of: cast.session, .absences, mailed: 1, isDone: true)
            }
            await site.pass(to: at(62))
            #expect(try await mailing()?.mailed == 1)
        }
    }
}
