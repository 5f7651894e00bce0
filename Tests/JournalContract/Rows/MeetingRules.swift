import Journal
import Meetings
import Testing

extension RowsRule {
    static let meetings: [RowsRule] = [
        RowsRule("a meeting is stored completely, and an update changes its editable fields") { rows in
            var written = aMeeting(1)
            written.description = "설명\nzwei Zeilen"
            written.venue = "Hall 1"
            written.timeZone = try #require(Zone("Asia/Seoul"))
            written.identifyBy = .number
            written.language = "zh-Hans"
            written.accent = .olive
            try rows.batch { try rows.insert(written) }
            #expect(try rows.meeting(id(1)) == written)
            written.name = "Other"
            written.identifyBy = .name
            written.codeVersion = 2
            written.language = nil
            written.accent = nil
            written.revokeCodes(at: at(5))
            written.version = 2
            try rows.batch { try rows.update(written) }
            #expect(try rows.meeting(id(1)) == written)
            #expect(try rows.meeting(id(2)) == nil)
        },
        RowsRule("members are listed owners first, then by id, and a role can change or end") { rows in
            try rows.plan()
            try rows.batch {
                for number in 2...5 { try rows.insert(anAccount(number)) }
                try rows.setRole(.viewer, of: id(2), in: id(1))
                try rows.setRole(.host, of: id(5), in: id(1))
                try rows.setRole(.host, of: id(4), in: id(1))
                try rows.setRole(.viewer, of: id(3), in: id(1))
                try rows.setRole(.owner, of: id(3), in: id(1))
                try rows.setRole(nil, of: id(2), in: id(1))
            }
            let members = try rows.members(of: id(1))
            #expect(members.map(\.account) == [id(1), id(3), id(4), id(5)])
            #expect(members.map(\.role) == [.owner, .owner, .host, .host])
            #expect(try rows.role(of: id(2), in: id(1)) == nil)
            #expect(try rows.role(of: id(3), in: id(1)) == .owner)
        },
        RowsRule("deleting a meeting deletes its sessions and everything in them") { rows in
            try rows.plan()
            try rows.fillSession()
            try rows.batch { try rows.delete(id(1) as MeetingID) }
            #expect(try rows.meeting(id(1)) == nil)
            #expect(try rows.role(of: id(1), in: id(1)) == nil)
            #expect(try rows.account(id(1)) != nil)
            try rows.expectNothingInSession()
        },
    ]

    static let lists: [RowsRule] = [
        RowsRule("an account's meetings are listed by start until they end, then ended ones newest first") {
            rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(anAccount(2))
                // Meeting number, start, end. Meeting 1 runs from minute 0 to 60, and at minute 60 it is not
                // yet over.
                for (number, from, to) in [
                    (2, -300, -200), (3, -100, 59), (4, 30, 90), (5, 500, 600), (6, -400, 700),
                    (7, -300, -100), (8, 30, 70),
                ] {
                    try rows.insert(aMeeting(number))
                    try rows.setRole(.host, of: id(1), in: id(number))
                    try rows.insert(aSession(number, of: number, from: from, to: to))
                }
                // Another owner's meeting.
                try rows.insert(aMeeting(9))
                try rows.setRole(.owner, of: id(2), in: id(9))
                try rows.insert(aSession(9, of: 9))
            }
            let expected = [6, 1, 4, 8, 5, 3, 7, 2]
            #expect(try rows.meetings(of: id(1), at: at(60), after: nil, limit: 50).map(\.number) == expected)
            for limit in 1...9 {
                let paged: [SessionRecord] = try pages { last in
                    let cursor = last.map {
                        MeetingCursor(
                            ended: $0.session.isOver(at: at(60)), startsAt: $0.session.startsAt,
                            id: $0.meeting.id)
                    }
                    return try rows.meetings(of: id(1), at: at(60), after: cursor, limit: limit)
                }
                #expect(paged.map(\.number) == expected, "in pages of \(limit)")
            }
            #expect(
                try rows.meetings(of: id(1), at: at(60) + .milliseconds(1), after: nil, limit: 50).map(
                    \.number) == [
                        6, 4, 8, 5, 1, 3, 7, 2,
                    ])
        },
        RowsRule("the list of meetings has each meeting's latest session in its current state") { rows in
            try rows.plan()
            func listed() throws -> [Int] {
                try rows.meetings(of: id(1), at: start, after: nil, limit: 9).map(\.number)
            }
            try rows.batch { try rows.insert(aSession(2, from: 100, to: 160)) }
            #expect(try listed() == [2])
            try rows.batch { try rows.insert(aSession(3, round: 7, from: -100, to: -50)) }
            #expect(try listed() == [3])
            try rows.batch {
                try rows.insert(aMeeting(2))
                try rows.insert(aSession(4, of: 2, from: 10, to: 20))
                try rows.setRole(.viewer, of: id(1), in: id(2))
            }
            #expect(try listed() == [4, 3])
            var moved = aSession(3, round: 7, from: -100, to: -50)
            moved.startsAt = at(5)
            moved.endsAt = at(6)
            try rows.batch { try rows.update(moved) }
            #expect(try listed() == [3, 4])
            try rows.batch { try rows.delete(id(3) as SessionID) }
            #expect(try listed() == [4, 2])
            try rows.batch { try rows.setRole(nil, of: id(1), in: id(2)) }
            #expect(try listed() == [2])
        },
    ]
}
