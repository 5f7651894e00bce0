import Journal
import Meetings
import Testing

extension RowsRule {
    static let arrivalMinutes: [RowsRule] = [
        RowsRule("arrivals are counted by the minute, only for attendees who count as checked in") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(anAttendee(1, status: .present, minute: 3), key: nil, grant: nil)
                try rows.insert(anAttendee(2, status: .late, minute: 3), key: nil, grant: nil)
                try rows.insert(anAttendee(3, status: .present, minute: 1), key: nil, grant: nil)
                try rows.insert(anAttendee(4, status: .late, minute: 20), key: nil, grant: nil)
                // These attendees do not count: one was corrected to absent, one has not arrived, and one is
                // present without a check-in time.
                try rows.insert(anAttendee(5, status: .absent, minute: 3), key: nil, grant: nil)
                try rows.insert(anAttendee(6), key: nil, grant: nil)
                try rows.insert(anAttendee(7, status: .present), key: nil, grant: nil)
                try rows.insert(aSession(2))
                try rows.insert(anAttendee(8, in: 2, status: .present, minute: 3), key: nil, grant: nil)
            }
            func counted(_ limit: Int) throws -> [Int] {
                try rows.arrivalMinutes(of: id(1), limit: limit).map(\.checkedIn)
            }
            #expect(try counted(9) == [1, 2, 1])
            #expect(try counted(2) == [2, 1])
            #expect(try rows.arrivalMinutes(of: id(3), limit: 9) == [])
            let minutes = try rows.arrivalMinutes(of: id(1), limit: 9).map(\.at)
            #expect(minutes.allSatisfy { $0.milliseconds % 60_000 == 0 })
            #expect(zip(minutes, minutes.dropFirst()).allSatisfy { $0 < $1 })
        }
    ]
}
