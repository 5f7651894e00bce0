import Journal
import Meetings
import Seeds
import Testing

/// Letters in an order that no compression makes shorter, always the same ones. A letter has three bytes.
private func letters(_ count: Int) -> String {
    var generator = SeededNumbers(seed: 1)
    var text = String.UnicodeScalarView()
    for _ in 0..<count { text.append(Unicode.Scalar(UInt32.random(in: 0xAC00...0xD7A3, using: &generator))!) }
    return String(text)
}

/// Longer than any index of PostgreSQL takes. Only the ends of two texts of a rule differ.
private let long = letters(6_000)

extension RowsRule {
    static let longTexts: [RowsRule] = [
        RowsRule("attendees with long numbers and names are found exactly, and a long key is unique") {
            rows in
            try rows.plan()
            try rows.begin()
            for number in 1...3 {
                var attendee = anAttendee(number, name: long + "\(number)")
                attendee.identity = long + "\(number)"
                try rows.insert(attendee, key: IdentityKey(attendee.identity), grant: nil)
            }
            for number in 4...6 {
                var attendee = anAttendee(number, name: long + "\(number / 6)")
                attendee.identity = ""
                try rows.insert(attendee, key: nil, grant: nil)
            }
            try expectFailure(rows) {
                try rows.insert(anAttendee(7), key: IdentityKey(long + "2"), grant: nil)
            }
            try expectFailure(rows) { try rows.setKey(IdentityKey(long + "2"), of: anAttendee(3)) }
            try rows.commit()
            for number in 1...3 {
                #expect(
                    try rows.attendee(in: id(1), key: IdentityKey(long + "\(number)"))?.id == id(number))
            }
            #expect(try rows.attendee(in: id(1), key: IdentityKey(long)) == nil)
            let named = try rows.attendeesWithoutKey(in: id(1), named: long + "0", limit: 9)
            #expect(named.map(\.id) == [id(4), id(5)])
            let found = try rows.attendees(
                of: id(1), statuses: nil, text: String(long.suffix(9)) + "1", after: nil, limit: 9)
            #expect(found.map(\.id) == [id(1), id(6)])
        },
        RowsRule("a long key leads to a merged record") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(anAttendee(1), key: nil, grant: nil)
                for number in 1...2 {
                    let keys = AttendeeKeys(identity: long + "\(number)")
                    try rows.insert(
                        MergedTrace(id: id(10 + number), sessionID: id(1), into: id(1), keys: keys))
                }
            }
            for number in 1...2 {
                #expect(
                    try rows.trace(in: id(1), key: IdentityKey(long + "\(number)"))?.id == id(10 + number))
            }
            #expect(try rows.trace(in: id(1), key: IdentityKey(long)) == nil)
        },
        RowsRule("people with long names and numbers are found exactly, and a long number is unique") {
            rows in
            try rows.plan()
            try rows.begin()
            for number in 1...3 {
                try rows.insert(
                    Person(
                        id: id(number), meetingID: id(1), name: long + "\(number)",
                        number: long + "\(number)"))
            }
            try expectFailure(rows) {
                try rows.insert(Person(id: id(9), meetingID: id(1), name: "B", number: long + "3"))
            }
            try rows.commit()
            let found = try rows.people(of: id(1), archived: false, text: long + "2", after: nil, limit: 9)
            #expect(found.map(\.id) == [id(2)])
            #expect(try rows.people(of: id(1), named: IdentityKey(long + "2")).map(\.id) == [id(2)])
            #expect(try rows.person(of: id(1), number: IdentityKey(long + "3"))?.id == id(3))
            #expect(try rows.person(of: id(1), number: IdentityKey(long)) == nil)
        },
        RowsRule("a backslash in a long key is a character like others") { rows in
            try rows.plan()
            try rows.begin()
            for (number, end) in [#"\"#, #"\\"#, #"\101"#, "A"].enumerated() {
                try rows.insert(anAttendee(number + 1), key: IdentityKey(long + end), grant: nil)
            }
            try rows.commit()
            #expect(try rows.attendee(in: id(1), key: IdentityKey(long + #"\101"#))?.id == id(3))
            #expect(try rows.attendee(in: id(1), key: IdentityKey(long + "A"))?.id == id(4))
        },
        RowsRule("words of the most bytes are counted") { rows in
            try rows.plan()
            let word = letters(CloudWord.mostBytes / 3)
            let cloud = Question(id: id(1), title: "Words?", kind: .wordCloud(most: 1))
            try rows.batch {
                try rows.save(QuestionSet(name: "s", questions: [cloud]), of: id(1))
                try rows.count([word: 2, word.dropLast() + "x": 1], of: id(1))
                try rows.setWordStatus(.pending, of: word, to: id(1))
            }
            #expect(try rows.wordCount(of: word, to: id(1)) == 2)
            #expect(try rows.wordStatus(of: word, to: id(1)) == .pending)
        },
    ]
}
