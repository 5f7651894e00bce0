package import Meetings

/// The absence rule of a meeting.
package struct AbsenceRuleBody: Codable, Hashable, Sendable {
    /// The number of absences in a row; absent if a row does not matter.
    package let inARow: Int?
    /// The number of absences in all; absent if the total does not matter.
    package let inAll: Int?
    /// The first day of the sessions that count, in the meeting's zone; absent if all count.
    package let since: String?
    /// Whether the owners and hosts get a mail about people who newly meet the rule.
    package let mail: Bool

    package init(_ rule: AbsenceRule) {
        inARow = rule.inARow
        inAll = rule.inAll
        since = rule.since?.text
        mail = rule.mail
    }
}

/// The edit of an absence rule. Absent fields keep their values, and null removes one.
package struct AbsenceRuleRequest: Readable, Sendable {
    package let change: AbsenceRuleChange

    package init(reading fields: Fields) {
        func number(_ name: String, _ range: ClosedRange<Int>) -> Replacement<Int>? {
            let value = fields.integer(name, range)
            return fields.isNull(name) ? .removed : value.map { .value($0) }
        }
        let date = fields.date("since")
        change = AbsenceRuleChange(
            inARow: number("inARow", AbsenceRule.rows), inAll: number("inAll", AbsenceRule.totals),
            since: fields.isNull("since")
                ? .removed : date.flatMap { CivilDate($0) }.map { .value($0) },
            mail: fields.bool("mail"))
    }
}

/// The attendance of a person on the roster in the sessions of a meeting that are over and count.
package struct AbsencesBody: Codable, Hashable, Sendable {
    package let personId: PersonID
    package let name: String
    package let email: String?
    package let number: String?
    /// The number of sessions that expected the person.
    package let expected: Int
    package let present: Int
    package let late: Int
    package let absent: Int
    package let excused: Int
    /// The number of absences since the person last came.
    package let inARow: Int
    /// The start of the latest session to which the person came; absent if the person never came.
    package let lastCameAt: Instant?
    /// Whether the person meets the meeting's rule. False if the meeting has none.
    package let meetsRule: Bool

    package init(_ person: Person, _ absences: Absences, meetsRule: Bool) {
        personId = person.id
        name = person.name
        email = person.email.isEmpty ? nil : person.email
        number = person.number.isEmpty ? nil : person.number
        expected = absences.expected
        present = absences.totals.present
        late = absences.totals.late
        absent = absences.totals.absent
        excused = absences.totals.excused
        inARow = absences.inARow
        lastCameAt = absences.lastCame
        self.meetsRule = meetsRule
    }
}
