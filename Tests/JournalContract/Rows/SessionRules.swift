import Journal
import Meetings
import Testing

extension RowsRule {
    static let sessions: [RowsRule] = [
        RowsRule("a session is stored completely, with its meeting, and found by its join code") { rows in
            try rows.plan()
            var written = aSession(2, from: 100, to: 200, opens: 15)
            written.lateAfterMinutes = 7
            written.feedbackClosesHoursAfter = 48
            written.plannedCount = 30
            written.codeKind = .rotating
            try rows.batch { try rows.insert(written) }
            #expect(try rows.session(id(2)) == SessionRecord(session: written, meeting: aMeeting(1)))
            #expect(try rows.session(joinCode: "CODE2")?.session == written)
            #expect(try rows.session(joinCode: "CODE3") == nil)
            #expect(try rows.session(id(3)) == nil)
            written.startsAt = at(110)
            written.endsAt = at(210)
            written.joinCode = "NEW"
            written.codeVersion = 2
            written.codeKind = .static
            written.checkOut = .door
            written.minimumMinutes = 20_160
            written.minimumPercent = 100
            written.version = 2
            try rows.batch { try rows.update(written) }
            #expect(try rows.session(id(2))?.session == written)
            #expect(try rows.session(joinCode: "CODE2") == nil)
        },
        RowsRule("counters are saved beside the session, and an edit does not change them") { rows in
            try rows.plan()
            var count = HeadCount()
            (count.pending, count.present, count.late, count.absent, count.excused, count.walkIns) = (
                1, 2, 3, 4, 5, 6
            )
            count.left = 7
            try rows.batch {
                try rows.saveCounters(of: id(1), sequence: 41, headCount: count)
                try rows.update(aSession(1, from: 5))
            }
            let record = try #require(try rows.session(id(1)))
            #expect(record.headCount == count)
            #expect(record.sequence == 41)
            #expect(record.session == aSession(1, from: 5))
        },
        RowsRule("sessions are listed by round, newest first, in pages without gaps or duplicates") { rows in
            try rows.plan()
            try rows.batch {
                for round in 2...9 { try rows.insert(aSession(round)) }
                try rows.insert(aMeeting(2))
                try rows.insert(aSession(20, of: 2))
            }
            #expect(
                try rows.sessions(of: id(1), before: nil, limit: 50).map(\.number) == [
                    9, 8, 7, 6, 5, 4, 3, 2, 1,
                ])
            let paged: [SessionRecord] = try pages {
                try rows.sessions(of: id(1), before: $0?.session.round, limit: 4)
            }
            #expect(paged.map(\.number) == [9, 8, 7, 6, 5, 4, 3, 2, 1])
            #expect(try rows.sessionCount(of: id(1)) == 9)
            #expect(try rows.sessionCount(of: id(3)) == 0)
            #expect(try rows.latestSession(of: id(1))?.number == 9)
            #expect(try rows.latestSession(of: id(3)) == nil)
        },
        RowsRule("ids, join codes and a meeting's rounds are unique, and the meeting must exist") { rows in
            try rows.plan()
            try rows.begin()
            try expectFailure(rows) { try rows.insert(aSession(1, round: 2)) }
            try expectFailure(rows) { try rows.insert(aSession(2, round: 1)) }
            try expectFailure(rows) { try rows.insert(aSession(2, of: 5)) }
            var other = aSession(2)
            other.joinCode = "CODE1"
            try expectFailure(rows) { try rows.insert(other) }
            try rows.insert(aSession(2))
            try expectFailure(rows) { try rows.update(other) }
            try rows.commit()
            #expect(try rows.sessionCount(of: id(1)) == 2)
        },
        RowsRule("deleting a session deletes everything in it, and nothing of other sessions") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(aSession(2))
                try rows.insert(anAttendee(50, in: 2), key: IdentityKey("p1@example.org"), grant: hash(1))
                try rows.append(anEvent(1, in: 2))
            }
            try rows.fillSession()
            try rows.batch { try rows.delete(id(1) as SessionID) }
            try rows.expectNothingInSession()
            #expect(try rows.attendee(id(50)) != nil)
            #expect(try rows.events(of: id(2), after: 0, limit: 9).count == 1)
            #expect(try rows.latestSession(of: id(1))?.number == 2)
        },
    ]

    static let windows: [RowsRule] = [
        RowsRule("a session is open for check-in from the first to the last moment of its window") { rows in
            try rows.plan()
            func open(_ now: Instant) throws -> Int? {
                let found = try rows.sessionOpenForCheckIn(of: id(1), at: now)
                return found?.number
            }
            let moment = Duration.milliseconds(1)
            #expect(try open(at(-60) - moment) == nil)
            #expect(try open(at(-60)) == 1)
            #expect(try open(at(60)) == 1)
            #expect(try open(at(60) + moment) == nil)
            try rows.batch { try rows.insert(aSession(2, from: 61, to: 120, opens: 10)) }
            #expect(try open(at(51) - moment) == 1)
            #expect(try open(at(51)) == 2)
            #expect(try rows.sessionOpenForCheckIn(of: id(2), at: start) == nil)
        },
        RowsRule("the session that opens next is the one whose check-in opens first after now") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(aSession(2, from: 100, to: 120, opens: 0))
                // Session 3 starts later than session 2, but its check-in opens earlier.
                try rows.insert(aSession(3, from: 110, to: 130, opens: 60))
            }
            func next(_ now: Instant) throws -> Int? {
                let found = try rows.sessionOpeningNext(of: id(1), after: now)
                return found?.number
            }
            #expect(try next(at(-61)) == 1)
            #expect(try next(at(-60)) == 3)
            #expect(try next(at(50)) == 2)
            #expect(try next(at(100)) == nil)
        },
        RowsRule("the nearest session is the running one that started last, or else the next to start") {
            rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(anAccount(2))
                try rows.insert(aSession(2, from: 30, to: 90))
                try rows.insert(aMeeting(2))
                try rows.setRole(.viewer, of: id(1), in: id(2))
                try rows.insert(aSession(3, of: 2, from: 200, to: 300))
                try rows.insert(aMeeting(3))
                try rows.setRole(.owner, of: id(2), in: id(3))
                try rows.insert(aSession(4, of: 3, from: 40, to: 400))
            }
            func nearest(_ now: Instant) throws -> Int? {
                let found = try rows.nearestSession(of: id(1), at: now)
                return found?.number
            }
            let moment = Duration.milliseconds(1)
            #expect(try nearest(at(-5)) == 1)
            #expect(try nearest(at(0)) == 1)
            #expect(try nearest(at(30) - moment) == 1)
            #expect(try nearest(at(30)) == 2)
            #expect(try nearest(at(90)) == 2)
            #expect(try nearest(at(90) + moment) == 3)
            #expect(try nearest(at(300)) == 3)
            #expect(try nearest(at(300) + moment) == nil)
            #expect(try rows.nearestSession(of: id(9), at: start) == nil)
        },
    ]

    static let overlaps: [RowsRule] = [
        RowsRule("sessions overlap half-open: one may begin when another ends") { rows in
            try rows.plan()
            func found(_ from: Instant, _ to: Instant, except: SessionID? = nil, limit: Int = 9) throws
                -> [Int]
            {
                try rows.sessionsOverlapping(from, to, ownedBy: id(1), except: except, limit: limit).map(
                    \.number)
            }
            let moment = Duration.milliseconds(1)
            #expect(try found(at(60), at(120)) == [])
            #expect(try found(at(60) - moment, at(120)) == [1])
            #expect(try found(at(-60), at(0)) == [])
            #expect(try found(at(-60), at(0) + moment) == [1])
            #expect(try found(at(20), at(30)) == [1])
            #expect(try found(at(-20), at(300)) == [1])
            #expect(try found(at(20), at(30), except: id(1)) == [])
            try rows.batch { try rows.insert(aSession(2, from: -10, to: 25)) }
            #expect(try found(at(20), at(30)) == [2, 1])
            #expect(try found(at(20), at(30), limit: 1) == [2])
            #expect(try found(at(20), at(30), except: id(2)) == [1])
        },
        RowsRule("a member's sessions of a time are ordered by start, in pages, whatever the role") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(anAccount(2))
                try rows.setRole(.viewer, of: id(2), in: id(1))
                try rows.insert(aSession(2, from: -10, to: 25))
                try rows.insert(aSession(3, from: 100_000, to: 100_010))
            }
            func found(_ from: Int, _ to: Int, after: (Instant, SessionID)? = nil, limit: Int = 9) throws
                -> [Int]
            {
                try rows.sessions(
                    of: id(2), atDoor: false, overlapping: at(from)..<at(to), after: after, limit: limit
                ).map(
                    \.number)
            }
            #expect(try found(-60, 60) == [2, 1])
            #expect(try found(-60, 60, limit: 1) == [2])
            #expect(try found(-60, 60, after: (at(-10), id(2))) == [1])
            #expect(try found(25, 60) == [1])
            #expect(try found(60, 100_000) == [])
            #expect(try found(0, 100_001) == [2, 1, 3])
            #expect(
                try rows.sessions(of: id(9), atDoor: true, overlapping: at(0)..<at(9), after: nil, limit: 9)
                    .isEmpty)
        },
        RowsRule("a session overlaps only with sessions of meetings that the account owns") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(anAccount(2))
                try rows.setRole(.host, of: id(2), in: id(1))
            }
            #expect(try rows.sessionsOverlapping(at(0), at(9), ownedBy: id(2), except: nil, limit: 9).isEmpty)
            try rows.batch { try rows.setRole(.owner, of: id(2), in: id(1)) }
            #expect(
                try rows.sessionsOverlapping(at(0), at(9), ownedBy: id(2), except: nil, limit: 9).count == 1)
        },
    ]
}

extension WritableRows {
    /// Inserts a row of every kind into session 1, for rules about deletion.
    fileprivate func fill() throws {
        try insert(
            anAttendee(1, status: .present, arrival: 1, minute: 3), key: IdentityKey("p1@example.org"),
            grant: hash(1))
        try append(anEvent(1))
        try save(QuestionSet(questions: questions, anonymous: false, responses: 1), of: id(1))
        let tally = TallyCount(for: questions[0])
        try save(TallyRecord(published: tally, pending: tally), of: id(1))
        _ = try markAnswered(id(1), set: QuestionSet.feedback)
        try insert(aResponse(1, of: 1), published: true)
        try insert(
            PresenterLink(id: id(1), sessionID: id(1), hash: hash(1), createdAt: start, createdBy: id(1)))
    }

    func fillSession() throws { try batch { try fill() } }

    func expectNothingInSession() throws {
        #expect(try self.session(id(1)) == nil)
        #expect(try self.attendee(id(1)) == nil)
        #expect(try self.attendee(in: id(1), key: IdentityKey("p1@example.org")) == nil)
        #expect(try self.events(of: id(1), after: 0, limit: 9).isEmpty)
        #expect(try self.questionSets(of: id(1)).isEmpty)
        #expect(try self.location(of: id(1)) == nil)
        #expect(try self.tallies(of: id(1), set: QuestionSet.feedback).isEmpty)
        #expect(try self.hasAnswered(id(1), set: QuestionSet.feedback) == false)
        #expect(try self.responses(of: id(1), set: QuestionSet.feedback, after: nil, limit: 9).isEmpty)
        #expect(try self.response(of: id(1), set: QuestionSet.feedback) == nil)
        #expect(try self.presenterLinks(of: id(1)).isEmpty)
        #expect(try self.presenterLink(hash: hash(1), for: .hall) == nil)
    }
}
