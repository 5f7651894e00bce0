import Meetings
import Seeds
import Testing

/// Tests of absences over the sessions of a meeting, and of the rule of which hosts want to know.
@Suite struct AbsencesTests {
    private let sessions = (1...60).map { SessionID(high: 1, low: UInt64($0)) }

    /// Returns attendances, the latest first, whose statuses have these letters: present, late, absent,
    /// waiting (absent without a record of it), excused.
    private func past(_ letters: String) -> [PastAttendance] {
        letters.enumerated().map { index, letter in
            let status: RecordedStatus =
                switch letter {
                case "p": .present
                case "l": .late
                case "a": .absent
                case "w": .pending
                default: .excused
                }
            return PastAttendance(
                sessions[index], startsAt: Instant(milliseconds: Int64(100 - index)), status: status)
        }
    }

    @Test func `an excused session is no absence, and does not end a row`() {
        let absences = Absences(past("aewlaape"))
        #expect(absences.inARow == 2 && absences.expected == 8)
        #expect(absences.totals == SeriesTotals(present: 1, late: 1, absent: 4, excused: 2))
        #expect(absences.lastCame == Instant(milliseconds: 97))
        #expect(Absences(past("eee")).inARow == 0)
        #expect(Absences(past("aea")).inARow == 2 && Absences(past("aea")).lastCame == nil)
        #expect(Absences(past("")) == Absences([]) && Absences([]).expected == 0)
    }

    @Test func `a rule is met by either of its numbers`() {
        let rule = AbsenceRule(inARow: 3, inAll: 5)
        #expect(!rule.isMet(by: Absences(past("aapaa"))))
        #expect(rule.isMet(by: Absences(past("aaap"))))
        #expect(rule.isMet(by: Absences(past("apapapapa"))))
        #expect(!AbsenceRule(inAll: 5).isMet(by: Absences(past("aaaa"))))
        #expect(!AbsenceRule().isMet(by: Absences(past("aaaaaaaa"))))
    }

    /// What a person who counts by hand does: look at the statuses before and after the session.
    private func naive(_ rule: AbsenceRule, _ letters: [Character], at index: Int) -> Bool {
        func numbers(_ letters: ArraySlice<Character>) -> (row: Int, all: Int) {
            let absent: Set<Character> = ["a", "w"]
            let row = letters.prefix { $0 != "p" && $0 != "l" }.filter(absent.contains).count
            return (row, letters.filter(absent.contains).count)
        }
        let (after, before) = (numbers(letters[index...]), numbers(letters[(index + 1)...]))
        let row = rule.inARow.map { after.row >= $0 && before.row < $0 } ?? false
        let all = rule.inAll.map { after.all >= $0 && before.all < $0 } ?? false
        return row || all
    }

    @Test(arguments: 0..<UInt64(40)) func `a rule is newly met exactly as a count by hand says`(seed: UInt64)
    {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<50 {
            let rule = AbsenceRule(
                inARow: Bool.random(using: &random) ? .random(in: 1...4, using: &random) : nil,
                inAll: Bool.random(using: &random) ? .random(in: 1...8, using: &random) : nil)
            let count = Int.random(in: 1...20, using: &random)
            let letters = (0..<count).map { _ in Array("plaawwe").randomElement(using: &random) ?? "p" }
            let past = past(String(letters))
            for index in 0..<count {
                let absences = rule.newlyMet(in: sessions[index], by: past)
                let expected = naive(rule, letters, at: index)
                #expect((absences != nil) == expected, "\(rule) \(String(letters)) \(index)")
                #expect(absences == nil || absences == Absences(past[index...]))
            }
        }
        #expect(AbsenceRule(inARow: 1).newlyMet(in: sessions[50], by: past("a")) == nil)
    }

    @Test func `an edit changes only what it names, and the last number removes the rule`() throws {
        let first = try AbsenceRuleChange(inARow: .value(3)).applied(to: nil)
        #expect(first == AbsenceRule(inARow: 3, mail: true))
        let day = try #require(CivilDate("2026-09-01"))
        let second = try AbsenceRuleChange(inAll: .value(5), since: .value(day), mail: false).applied(
            to: first)
        #expect(second == AbsenceRule(inARow: 3, inAll: 5, since: day, mail: false))
        let third = try AbsenceRuleChange(inARow: .removed).applied(to: second)
        #expect(third == AbsenceRule(inAll: 5, since: day, mail: false))
        #expect(try AbsenceRuleChange(inAll: .removed).applied(to: third) == nil)
        #expect(try AbsenceRuleChange.removed.applied(to: third) == nil)
        let missing = Refusal.invalid([FieldError("/absenceRule/inARow", .missing)])
        #expect(throws: missing) { try AbsenceRuleChange(since: .value(day)).applied(to: nil) }
        #expect(throws: missing) { try AbsenceRuleChange(mail: true).applied(to: nil) }
    }

    @Test func `the first day begins at midnight of the meeting's zone`() throws {
        let seoul = try #require(Zone("Asia/Seoul"))
        let rule = AbsenceRule(inARow: 1, since: CivilDate("2026-09-01"))
        #expect(rule.start(in: seoul)?.rfc3339 == "2026-08-31T15:00:00Z")
        #expect(rule.start(in: .utc)?.rfc3339 == "2026-09-01T00:00:00Z")
        #expect(AbsenceRule(inARow: 1).start(in: seoul) == nil)
    }

    @Test func `a mail names fifty people and counts the others`() {
        var found = NewAbsences()
        for number in 0..<62 {
            found.add(NewAbsences.Person(PersonID(high: 1, low: UInt64(number)), Absences(past("aa"))))
        }
        #expect(found.people.count == NewAbsences.mostNamed && found.more == 12)
        #expect(found.people.first?.inARow == 2 && found.people.first?.inAll == 2)
    }
}
