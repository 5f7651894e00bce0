import Journal
import Meetings
import Testing

extension RowsRule {
    /// The rows of groups of interest. `PlanTests` also reads the plan of each statement here.
    static let matching: [RowsRule] = [
        RowsRule("groups of interest come back as they were written, and go with their session") { rows in
            try rows.plan()
            let session: SessionID = id(1)
            #expect(try rows.matchSettings(of: session) == nil)
            var settings = MatchSettings(open: true, promise: .named, places: ["Bar", "창가"], version: 2)
            try rows.batch { try rows.save(settings, of: session) }
            (settings.open, settings.version) = (false, 3)
            let profile = MatchPerson.Profile(
                id: id(50), nickname: "올빼미", keywords: ["chess", "차"], promise: .named)
            var aged = profile
            aged.ages = MatchAges(age: 27, range: AgeRange(min: 20, max: 39))
            var one = MatchPerson(
                attendeeID: id(21), sessionID: session, profile: aged, joins: 1, asked: 2,
                askedAt: [at(1), at(2)])
            let other = MatchPerson(attendeeID: id(22), sessionID: session, isExcluded: true)
            var request = MatchRequest(
                id: id(60), sessionID: session, from: id(21), to: id(22), askedAt: at(3))
            let report = MatchReport(
                id: id(70), sessionID: session, by: id(22), about: id(21), profile: profile, text: "Rude",
                at: at(4))
            try rows.batch {
                try rows.save(settings, of: session)
                try rows.save(one)
                try rows.save(other)
                try rows.save(request)
                try rows.save(report)
            }
            #expect(try rows.batch { try rows.insertMatchBlock(by: id(22), of: id(21), in: session) })
            #expect(try !rows.batch { try rows.insertMatchBlock(by: id(22), of: id(21), in: session) })
            #expect(try rows.matchSettings(of: session) == settings)
            #expect(try rows.matchPerson(id(21) as AttendeeID) == one)
            #expect(try rows.matchPerson(id(22) as AttendeeID) == other)
            #expect(try rows.matchPerson(with: profile.id) == one)
            #expect(try rows.matchPeople(of: session) == [one])
            #expect(try rows.matchPeopleCount(of: session) == 1)
            #expect(try rows.matches(of: session).isEmpty)
            request.state = .matched
            (request.place, request.lines) = ("Bar", MatchRequest.Lines(from: "Here", to: "There"))
            one.profile?.nickname = "Owl"
            var closed = report
            closed.isClosed = true
            try rows.batch {
                try rows.save(request)
                try rows.save(one)
                try rows.save(closed)
            }
            #expect(try rows.matchPerson(id(21) as AttendeeID) == one)
            #expect(try rows.matchRequest(request.id) == request)
            #expect(try rows.matchRequests(of: id(22)) == [request])
            #expect(try rows.matches(of: session) == [request])
            #expect(try rows.matchReports(of: session) == [closed])
            let blocks = try rows.matchBlocks(of: id(21))
            #expect(blocks.own.isEmpty)
            #expect(blocks.others == [id(22)])
            #expect(try rows.sessionsWithMatching(after: nil, limit: 5) == [session])
            #expect(try rows.sessionsWithMatching(after: session, limit: 5).isEmpty)
            try rows.batch { try rows.moveMatching(of: id(21), to: id(23)) }
            #expect(try rows.matchPerson(id(21) as AttendeeID) == nil)
            #expect(try rows.matchPerson(with: profile.id)?.attendeeID == id(23))
            #expect(try rows.matchRequest(request.id)?.from == id(23))
            #expect(try rows.matchBlocks(of: id(23)).others == [id(22)])
            #expect(try rows.matchReports(of: session).map(\.about) == [id(23)])
            try rows.batch {
                try rows.moveMatching(of: id(23), to: id(21))
                try rows.deleteNamedMatchReports(about: id(22))
            }
            #expect(try rows.matchPerson(id(21) as AttendeeID) == one)
            #expect(try rows.matchReports(of: session) == [closed])
            try rows.batch { try rows.deleteNamedMatchReports(about: id(21)) }
            #expect(try rows.matchReports(of: session).isEmpty)
            try rows.batch { try rows.save(closed) }
            try rows.batch {
                try rows.eraseMatching(of: id(22))
                try rows.delete(request.id)
            }
            #expect(try rows.matchPerson(id(22) as AttendeeID) == nil)
            #expect(try rows.matchReports(of: session).isEmpty)
            #expect(try rows.batch { try rows.insertMatchBlock(by: id(21), of: id(22), in: session) })
            #expect(try rows.batch { try rows.deleteMatchBlocks(by: id(21)) } == 1)
            #expect(
                try !rows.batch {
                    try rows.forgetMatching(of: session, withReports: true, limit: 100)
                })
            #expect(try rows.sessionsWithMatching(after: nil, limit: 5).isEmpty)
            try rows.batch {
                try rows.save(one)
                try rows.delete(session)
            }
            #expect(try rows.matchPerson(id(21) as AttendeeID) == nil)
            #expect(try rows.matchSettings(of: session) == nil)
        }
    ]
}
