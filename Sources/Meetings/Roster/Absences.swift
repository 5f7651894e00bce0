/// The number of absences from which on the hosts of a meeting want to know about a person. Only sessions
/// that are over count. An excused session is no absence, and it does not end a row.
package struct AbsenceRule: Hashable, Sendable, Codable {
    /// The number of absences in a row, 1–50; nil if a row does not matter.
    package var inARow: Int?
    /// The number of absences in all, 1–500; nil if the total does not matter.
    package var inAll: Int?
    /// The first day of the sessions that count, in the meeting's zone; nil if all sessions count.
    package var since: CivilDate?
    /// Whether the owners and hosts get a mail after each session in which somebody newly meets the rule.
    package var mail: Bool

    package static let rows = 1...50
    package static let totals = 1...500

    package init(inARow: Int? = nil, inAll: Int? = nil, since: CivilDate? = nil, mail: Bool = true) {
        self.inARow = inARow
        self.inAll = inAll
        self.since = since
        self.mail = mail
    }

    /// Whether a person with these absences meets the rule.
    package func isMet(by absences: Absences) -> Bool {
        (inARow.map { absences.inARow >= $0 } ?? false)
            || (inAll.map { absences.totals.absent >= $0 } ?? false)
    }

    /// Returns the absences of a person who was absent from the session and met a number of the rule by it;
    /// nil for anybody else.
    /// - Parameter past: what the person did in the sessions that count, the latest first.
    package func newlyMet(in session: SessionID, by past: [PastAttendance]) -> Absences? {
        let upTo = past.drop { $0.session != session }
        guard let last = upTo.first, last.isAbsence else { return nil }
        let absences = Absences(upTo)
        // One session adds one absence, so the number was not reached before.
        return absences.inARow == inARow || absences.totals.absent == inAll ? absences : nil
    }

    /// Returns the moment from which on sessions count; nil if all do.
    package func start(in zone: Zone) -> Instant? {
        since.flatMap { WallTime(date: $0, hour: 0, minute: 0) }?.instant(in: zone)
    }
}

/// An edit of an absence rule. Nil fields do not change.
package struct AbsenceRuleChange: Hashable, Sendable {
    package var inARow: Replacement<Int>?
    package var inAll: Replacement<Int>?
    package var since: Replacement<CivilDate>?
    package var mail: Bool?

    package init(
        inARow: Replacement<Int>? = nil, inAll: Replacement<Int>? = nil,
        since: Replacement<CivilDate>? = nil, mail: Bool? = nil
    ) {
        self.inARow = inARow
        self.inAll = inAll
        self.since = since
        self.mail = mail
    }

    /// The edit that removes the whole rule.
    package static let removed = AbsenceRuleChange(inARow: .removed, inAll: .removed, since: .removed)

    /// Returns the edited rule; nil if it has no number any more.
    /// - Throws: `invalid` if the edit sets a day or the mail of a rule that has no number.
    package func applied(to rule: AbsenceRule?) throws(Refusal) -> AbsenceRule? {
        var edited = rule ?? AbsenceRule()
        if let inARow { edited.inARow = inARow.value }
        if let inAll { edited.inAll = inAll.value }
        if let since { edited.since = since.value }
        edited.mail = mail ?? edited.mail
        guard edited.inARow == nil, edited.inAll == nil else { return edited }
        if since?.value != nil || mail != nil {
            throw .invalid([FieldError("/absenceRule/inARow", .missing)])
        }
        return nil
    }
}

/// What a person did in one session that is over.
package struct PastAttendance: Hashable, Sendable {
    package let session: SessionID
    package let startsAt: Instant
    package let status: RecordedStatus

    package init(_ session: SessionID, startsAt: Instant, status: RecordedStatus) {
        self.session = session
        self.startsAt = startsAt
        self.status = status
    }

    package var isAbsence: Bool { status == .pending || status == .absent }
}

/// The attendance of one person in the sessions of a meeting that count and are over.
package struct Absences: Hashable, Sendable {
    package private(set) var totals = SeriesTotals()
    /// The number of absences since the person last came.
    package private(set) var inARow = 0
    /// The start of the latest session to which the person came; nil if the person never came.
    package private(set) var lastCame: Instant?

    /// - Parameter past: what the person did, the latest session first.
    package init(_ past: some Sequence<PastAttendance>) {
        for session in past {
            totals.add(session.status, sessionIsOver: true)
            if session.status.countsAsCheckedIn {
                lastCame = lastCame ?? session.startsAt
            } else if session.isAbsence, lastCame == nil {
                inARow += 1
            }
        }
    }

    /// The number of sessions that expected the person.
    package var expected: Int { totals.present + totals.late + totals.absent + totals.excused }
}

/// The people who newly meet a meeting's absence rule in one session, as far as a mail names them.
package struct NewAbsences: Hashable, Sendable, Codable {
    /// One person with the numbers at the end of the session. The queue of mails holds no name.
    package struct Person: Hashable, Sendable, Codable {
        package let id: PersonID
        package let inARow: Int
        package let inAll: Int

        package init(_ id: PersonID, _ absences: Absences) {
            self.id = id
            inARow = absences.inARow
            inAll = absences.totals.absent
        }
    }

    /// In the order of the roster.
    package private(set) var people: [Person]
    /// The number of further people.
    package private(set) var more: Int

    /// The most people whom a mail names.
    package static let mostNamed = 50

    package init(people: [Person] = [], more: Int = 0) { (self.people, self.more) = (people, more) }

    package mutating func add(_ person: Person) {
        if people.count < Self.mostNamed { people.append(person) } else { more += 1 }
    }
}

extension CivilDate: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = CivilDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
        }
        self = date
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
