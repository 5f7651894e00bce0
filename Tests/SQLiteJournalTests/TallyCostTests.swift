import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests the cost of a tally and of a page of texts with 100 and with 100,000 responses. The cost is counted
/// in steps of SQLite's virtual machine, which do not depend on time or load.
@Suite struct TallyCostTests {
    private static let session = SessionID(high: 1, low: 1)
    private static let rating = Question(
        id: QuestionID(high: 2, low: 1), title: "How?", kind: .rating(scale: 5))
    private static let text = Question(
        id: QuestionID(high: 2, low: 2), title: "What?", kind: .shortAnswer(maxLength: 100))
    private static let number = Question(
        id: QuestionID(high: 2, low: 3), title: "Many?", kind: .number(min: nil, max: nil, decimals: 0))
    private static let all = [rating, text, number]

    private struct Cost {
        var tallies = 0
        var firstPage = 0
        var laterPage = 0
        var response = 0
    }

    private func cost(of responses: Int, anonymous: Bool) async throws -> Cost {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            let startsAt = Instant(seconds: 1_795_255_200)
            try rows.begin()
            let meeting = Meeting(id: MeetingID(high: 1, low: 2), name: "M", createdAt: startsAt)
            try rows.insert(meeting)
            try rows.insert(
                Session(
                    id: Self.session, meetingID: meeting.id, round: 1, startsAt: startsAt,
                    endsAt: startsAt + .hours(1), joinCode: "ABC234")
            )
            var set = QuestionSet(
                questions: Self.all, anonymous: anonymous, responses: responses, publishedResponses: responses
            )
            try rows.save(set, of: Self.session)
            var tallies = Dictionary(uniqueKeysWithValues: Self.all.map { ($0.id, TallyCount(for: $0)) })
            for value in 0..<responses {
                tallies[Self.number.id]?.add(.number(Double(value % 150)), to: Self.number)
            }
            for question in Self.all {
                try rows.save(
                    TallyRecord(
                        published: tallies[question.id] ?? TallyCount(for: question),
                        pending: TallyCount(for: question)),
                    of: question.id)
            }
            try rows.commit()
            // The rows are the same as after years of feedback. SQL writes them, because a hundred thousand
            // commands would take minutes.
            try rows.connection.execute(
                """
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers
                    WHERE n < \(responses))
                INSERT INTO responses (session, set_name, at, id, attendee, answers, published)
                SELECT x'00000000000000010000000000000001', 'feedback',
                    \(startsAt.milliseconds) + (n % 24) * 3600000, randomblob(16), NULL,
                    '{"\(Self.rating.id)":4,"\(Self.text.id)":"text ' || n || '"}', 1 FROM numbers
                """, "fill")

            func steps(_ body: () throws -> Void) rethrows -> Int {
                let before = rows.connection.machineSteps.values.reduce(0, +)
                try body()
                return rows.connection.machineSteps.values.reduce(0, +) - before
            }
            var cost = Cost()
            var found: [QuestionID: TallyRecord] = [:]
            cost.tallies = try steps { found = try rows.tallies(of: Self.session, set: set.name) }
            #expect(found.count == 3)
            var page: [Response] = []
            cost.firstPage = try steps {
                page = try rows.responses(of: Self.session, set: set.name, after: nil, limit: 51)
            }
            #expect(page.count == 51)
            let after = page.last.map { ResponseCursor(at: $0.at, id: $0.id) }
            cost.laterPage = try steps {
                page = try rows.responses(of: Self.session, set: set.name, after: after, limit: 40)
            }
            #expect(page.count == 40)
            set.responses += 1
            cost.response = try steps {
                try rows.begin()
                try rows.insert(
                    Response(
                        id: .makeTimeless(), sessionID: Self.session, set: set.name, attendeeID: nil,
                        answers: [Self.rating.id: .rating(4)],
                        at: startsAt), published: false)
                try rows.saveSettings(of: set, in: Self.session)
                try rows.publishResponses(of: Self.session, set: set.name, at: now.startOfHour)
                try rows.commit()
            }
            return cost
        }
    }

    @Test(arguments: [true, false]) func `a tally of 100,000 responses costs as little as one of 100`(
        anonymous: Bool
    )
        async throws
    {
        let (few, many) = (
            try await cost(of: 100, anonymous: anonymous), try await cost(of: 100_000, anonymous: anonymous)
        )
        for part in [\Cost.tallies, \.firstPage, \.laterPage, \.response] {
            #expect(few[keyPath: part] > 0)
            #expect(Double(many[keyPath: part]) <= 1.5 * Double(few[keyPath: part]), "\(part)")
        }
    }
}
