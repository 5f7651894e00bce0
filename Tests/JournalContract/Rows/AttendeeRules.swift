import Journal
import Meetings
import Testing

extension RowsRule {
    static let attendees: [RowsRule] = [
        RowsRule("an attendee is stored completely, and found by id, key and grant within the session") {
            rows in
            try rows.plan()
            let written = anAttendee(
                1, name: "김하늘", status: .late, arrival: 3, minute: 15, byHost: true, walkIn: true)
            try rows.batch {
                try rows.insert(aSession(2))
                try rows.insert(written, key: IdentityKey("P1@example.org"), grant: hash(1))
                try rows.insert(anAttendee(2), key: nil, grant: nil)
            }
            #expect(try rows.attendee(id(1)) == written)
            #expect(try rows.name(of: id(1)) == written.name)
            #expect(try rows.name(of: id(3)) == nil)
            #expect(try rows.attendee(in: id(1), key: IdentityKey(" p1@EXAMPLE.org")) == written)
            #expect(try rows.attendee(in: id(1), grant: hash(1)) == written)
            #expect(try rows.attendee(in: id(2), key: IdentityKey("p1@example.org")) == nil)
            #expect(try rows.attendee(in: id(2), grant: hash(1)) == nil)
            #expect(try rows.attendee(id(2)) == anAttendee(2))
            #expect(try rows.attendee(id(3)) == nil)
        },
        RowsRule("an update does not change the key and the grant") { rows in
            try rows.plan()
            var changed = anAttendee(1, name: "Other", status: .present, arrival: 4, minute: 1, walkIn: true)
            changed.typed = TypedDetails(name: "다른 이름", identity: "A-1")
            changed.stays = Stays([at(2), at(3), Instant(milliseconds: start.milliseconds + 255_001)])
            try rows.batch {
                try rows.insert(anAttendee(1), key: IdentityKey("p1@example.org"), grant: hash(1))
                try rows.update(changed)
            }
            #expect(try rows.attendee(in: id(1), key: IdentityKey("p1@example.org")) == changed)
            #expect(try rows.attendee(in: id(1), grant: hash(1)) == changed)
            #expect(
                try rows.attendees(of: id(1), statuses: nil, text: "person", after: nil, limit: 9).isEmpty)
            #expect(
                try rows.attendees(of: id(1), statuses: nil, text: "other", after: nil, limit: 9) == [changed]
            )
        },
        RowsRule("a recount finds the attendees who are outside") { rows in
            try rows.plan()
            let moves = [[], [1], [1, 2], [1, 2, 3], [1]]
            for (number, minutes) in moves.enumerated() {
                var attendee = anAttendee(number, status: number == 4 ? .absent : .late, minute: 0)
                attendee.stays = Stays(minutes.map(at))
                try rows.batch { try rows.insert(attendee, key: nil, grant: nil) }
            }
            let (_, count) = try rows.batch { try rows.recomputeStatuses(of: id(1), lateAfter: at(0)) }
            #expect((count.present, count.late, count.absent, count.left) == (4, 0, 1, 2))
        },
        RowsRule("a grant that is set later must be unique, too") { rows in
            try rows.plan()
            try rows.begin()
            try rows.insert(anAttendee(1), key: nil, grant: nil)
            try rows.insert(anAttendee(2), key: nil, grant: hash(2))
            try expectFailure(rows) { try rows.setGrant(hash(2), of: anAttendee(1)) }
            try rows.setGrant(hash(1), of: anAttendee(1))
            try rows.commit()
            #expect(try rows.attendee(in: id(1), grant: hash(1)) == anAttendee(1))
            #expect(try rows.attendee(in: id(1), grant: hash(2)) == anAttendee(2))
        },
        RowsRule("keys and grants are unique within a session, but not across sessions") { rows in
            try rows.plan()
            try rows.begin()
            try rows.insert(aSession(2))
            try rows.insert(anAttendee(1), key: IdentityKey("a"), grant: hash(1))
            try expectFailure(rows) { try rows.insert(anAttendee(2), key: IdentityKey("A "), grant: hash(2)) }
            try expectFailure(rows) { try rows.insert(anAttendee(2), key: IdentityKey("b"), grant: hash(1)) }
            try expectFailure(rows) { try rows.insert(anAttendee(1), key: nil, grant: nil) }
            try expectFailure(rows) { try rows.insert(anAttendee(1, in: 2), key: nil, grant: nil) }
            try expectFailure(rows) { try rows.insert(anAttendee(9, in: 9), key: nil, grant: nil) }
            try rows.insert(anAttendee(2, in: 2), key: IdentityKey("a"), grant: hash(1))
            try rows.insert(anAttendee(3), key: nil, grant: nil)
            try rows.insert(anAttendee(4), key: nil, grant: nil)
            try rows.commit()
            #expect(
                try rows.attendees(of: id(1), statuses: nil, text: nil, after: nil, limit: 9).map(\.number)
                    == [1, 3, 4])
        },
        RowsRule("attendees are listed by id and by status, in pages without gaps or duplicates") { rows in
            try rows.plan()
            let statuses: [RecordedStatus] = [.pending, .present, .late, .absent, .excused]
            try rows.batch {
                for number in (1...20).reversed() {
                    try rows.insert(anAttendee(number, status: statuses[number % 5]), key: nil, grant: nil)
                }
                try rows.insert(aSession(2))
                try rows.insert(anAttendee(21, in: 2), key: nil, grant: nil)
            }
            func listed(_ statuses: Set<RecordedStatus>?, after: Int? = nil, limit: Int = 50) throws -> [Int]
            {
                try rows.attendees(
                    of: id(1), statuses: statuses, text: nil, after: after.map { id($0) }, limit: limit
                ).map(\.number)
            }
            #expect(try listed(nil) == Array(1...20))
            #expect(try listed([.present]) == [1, 6, 11, 16])
            #expect(try listed([.present, .excused]) == [1, 4, 6, 9, 11, 14, 16, 19])
            #expect(try listed([]) == [])
            #expect(try listed([.present], after: 6, limit: 1) == [11])
            for limit in [1, 3, 7, 20, 21] {
                let paged: [Attendee] = try pages {
                    try rows.attendees(of: id(1), statuses: nil, text: nil, after: $0?.id, limit: limit)
                }
                #expect(paged.map(\.number) == Array(1...20), "in pages of \(limit)")
            }
        },
        RowsRule("a search finds parts of names and identities in any letter case, without wildcards") {
            rows in
            try rows.plan()
            let names = ["Kim Ha-neul", "김하늘", "100%", "snake_case", "ÅSA Öberg", "O'Neil \\ [x]"]
            try rows.batch {
                for (index, name) in names.enumerated() {
                    try rows.insert(anAttendee(index + 1, name: name), key: nil, grant: nil)
                }
            }
            func found(_ text: String) throws -> [Int] {
                try rows.attendees(of: id(1), statuses: nil, text: text, after: nil, limit: 9).map(\.number)
            }
            #expect(try found("KIM") == [1])
            #expect(try found("하늘") == [2])
            // The same Hangul syllables, decomposed into letters.
            #expect(try found("\u{1112}\u{1161}\u{1102}\u{1173}\u{11AF}") == [2])
            #expect(try found("%") == [3])
            #expect(try found("_") == [4])
            #expect(try found("åsa ö") == [5])
            #expect(try found("A\u{30A}SA") == [5])
            #expect(try found("'neil \\ [") == [6])
            #expect(try found("P4@EXAMPLE") == [4])
            #expect(try found("*") == [])
            #expect(try found("") == [1, 2, 3, 4, 5, 6])
            #expect(
                try rows.attendees(of: id(1), statuses: [.present], text: "kim", after: nil, limit: 9).isEmpty
            )
            #expect(
                try rows.attendees(of: id(1), statuses: nil, text: "example", after: id(4), limit: 1).map(
                    \.number) == [5])
        },
        RowsRule("deleting an attendee deletes named responses and marks, not events or anonymous responses")
        { rows in
            try rows.plan()
            try rows.batch {
                try rows.save(QuestionSet(anonymous: false), of: id(1))
                for number in 1...2 {
                    try rows.insert(anAttendee(number), key: IdentityKey("\(number)"), grant: nil)
                    _ = try rows.markAnswered(id(number), set: QuestionSet.feedback)
                    try rows.insert(aResponse(number, of: number), published: true)
                }
                try rows.insert(aResponse(3), published: true)
                try rows.append(anEvent(1))
                try rows.delete(id(1) as AttendeeID)
            }
            #expect(try rows.attendee(id(1)) == nil)
            #expect(try rows.attendee(in: id(1), key: IdentityKey("1")) == nil)
            #expect(try rows.hasAnswered(id(1), set: QuestionSet.feedback) == false)
            #expect(try rows.response(of: id(1), set: QuestionSet.feedback) == nil)
            #expect(try rows.hasAnswered(id(2), set: QuestionSet.feedback))
            #expect(try rows.responses(of: id(1), set: QuestionSet.feedback, after: nil, limit: 9).count == 2)
            #expect(try rows.events(of: id(1), after: 0, limit: 9).count == 1)
            try rows.batch { try rows.insert(anAttendee(4), key: IdentityKey("1"), grant: nil) }
        },
        RowsRule("a moved late limit recomputes statuses of the rule, and none that a host set") { rows in
            try rows.plan()
            let written = [
                anAttendee(1, status: .present, arrival: 1, minute: 5),
                anAttendee(2, status: .present, arrival: 2, minute: 10, walkIn: true),
                anAttendee(3, status: .late, arrival: 3, minute: 11),
                anAttendee(4, status: .present, arrival: 4, minute: 20, byHost: true),
                anAttendee(5),
                anAttendee(6, status: .excused, byHost: true),
                anAttendee(7, status: .absent, arrival: 5, minute: 9, byHost: true),
                // The late rule never gives "excused" to an attendee who has checked in.
                anAttendee(8, status: .excused, minute: 2),
            ]
            try rows.batch { for attendee in written { try rows.insert(attendee, key: nil, grant: nil) } }
            let (changed, count) = try rows.batch { try rows.recomputeStatuses(of: id(1), lateAfter: at(5)) }
            #expect(changed.map(\.number) == [2])
            #expect(changed.first?.status == .late)
            #expect(count == HeadCount(pending: 1, present: 2, late: 2, absent: 1, excused: 2, walkIns: 1))
            let (back, _) = try rows.batch { try rows.recomputeStatuses(of: id(1), lateAfter: at(11)) }
            #expect(back.map(\.number) == [2, 3])
            #expect(try rows.attendee(id(3))?.status == .present)
            #expect(try rows.attendee(id(7)) == written[6])
            #expect(
                try rows.batch { try rows.recomputeStatuses(of: id(1), lateAfter: at(11)) }.changed.isEmpty)
            #expect(
                try rows.batch { try rows.recomputeStatuses(of: id(9), lateAfter: at(0)) }.headCount
                    == HeadCount())
        },
    ]

    static let arrivals: [RowsRule] = [
        RowsRule(
            "arrivals are listed by event after a sequence, without attendees who have not arrived"
        ) { rows in
            try rows.plan()
            try rows.batch {
                for (number, arrival) in [(1, 5), (2, 0), (3, 2), (4, 9), (5, 3)] {
                    try rows.insert(anAttendee(number, arrival: Int64(arrival)), key: nil, grant: nil)
                }
                try rows.insert(aSession(2))
                try rows.insert(anAttendee(6, in: 2, arrival: 4), key: nil, grant: nil)
            }
            func after(_ sequence: Int64, limit: Int = 9) throws -> [Int] {
                try rows.arrivals(of: id(1), after: sequence, limit: limit).map(\.number)
            }
            #expect(try after(0) == [3, 5, 1, 4])
            #expect(try after(-1) == [3, 5, 1, 4])
            #expect(try after(2) == [5, 1, 4])
            #expect(try after(9) == [])
            #expect(try after(0, limit: 2) == [3, 5])
            #expect(try rows.newestArrivals(of: id(1), limit: 3).map(\.number) == [5, 1, 4])
            #expect(try rows.newestArrivals(of: id(1), limit: 9).map(\.number) == [3, 5, 1, 4])
        }
    ]
}

extension HeadCount {
    fileprivate init(pending: Int, present: Int, late: Int, absent: Int, excused: Int, walkIns: Int) {
        self.init()
        (self.pending, self.present, self.late, self.absent, self.excused, self.walkIns) = (
            pending, present, late, absent, excused, walkIns
        )
    }
}
