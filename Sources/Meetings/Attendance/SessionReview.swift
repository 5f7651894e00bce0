/// Finds unusual check-ins of a session. A finding blocks no attendee. A finding can have an innocent
/// explanation, so the host decides about it.
package enum SessionReview {
    /// One unusual observation.
    package struct Finding: Hashable, Sendable {
        package let kind: Kind
        /// The check-ins that the finding is about, sorted by id. Empty if the finding is about the whole
        /// session.
        package let people: [CheckInFact]
        /// The values that the finding's message contains, by name.
        package let values: [String: String]
    }

    /// The kinds of unusual observations.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// One browser checked in several people.
        case oneDevice
        /// An attendee exchanged a code that was much older than the codes of the other check-ins.
        case oldCode
        /// An attendee checked in much later after the scan than the other attendees.
        case longAfterScan
        /// The session has at least 50 % more check-ins than planned, and at least five more.
        case moreThanPlanned
        /// Attendees checked in from a different network than nearly all others.
        case otherNetwork
        /// Attendees typed other names than the roster has for their addresses or numbers.
        case otherName
        /// Attendees checked in during the last two minutes of the check-in window.
        case atTheEnd
    }

    /// The number of check-ins that the review needs before it compares a check-in with the others.
    package static let smallestCrowd = 10
    /// The percentage of the check-ins with a known network that must come from one network. The review then
    /// regards this network as the usual one.
    package static let usualShare = 80
    /// A check-in counts as `atTheEnd` if less than this time remains until the check-in window closes.
    package static let lastMoments = Duration.minutes(2)

    /// Returns the findings among `facts`. The facts may be in any order and may include people who did not
    /// come.
    package static func findings(_ facts: [CheckInFact], in session: Session) -> [Finding] {
        let came = facts.filter(\.status.countsAsCheckedIn).sorted { $0.id < $1.id }
        return devices(came) + oldCodes(came, acceptedSeconds: session.codeAcceptedSeconds)
            + longAfterScan(came)
            + crowd(came, planned: session.plannedCount)
            + networks(came) + names(came) + atTheEnd(came, session)
    }

    private static func devices(_ came: [CheckInFact]) -> [Finding] {
        let byDevice = Dictionary(grouping: came.filter { $0.device != nil }) { $0.device ?? [] }
        return byDevice.values.filter { $0.count > 1 }.sorted { $0[0].id < $1[0].id }
            .map { Finding(kind: .oneDevice, people: $0, values: ["count": String($0.count)]) }
    }

    /// Returns a finding for each old code: more than twice as old as the median age, and at least ten
    /// seconds older.
    private static func oldCodes(_ came: [CheckInFact], acceptedSeconds: Int) -> [Finding] {
        let ages = came.compactMap(\.codeAge).sorted()
        guard ages.count >= smallestCrowd else { return [] }
        let median = ages[ages.count / 2]
        return came.compactMap { fact in
            guard let age = fact.codeAge, age > max(2 * median, median + 10) else { return nil }
            return Finding(
                kind: .oldCode, people: [fact], values: ["seconds": String(age), "median": String(median)])
        }
    }

    /// Returns a finding for each check-in long after the scan: more than twice the median, and at least a
    /// minute more.
    private static func longAfterScan(_ came: [CheckInFact]) -> [Finding] {
        let ages = came.compactMap(\.grantAge).sorted()
        guard ages.count >= smallestCrowd else { return [] }
        let median = ages[ages.count / 2]
        return came.compactMap { fact in
            guard let age = fact.grantAge, age > 2 * median, age >= median + 60 else { return nil }
            return Finding(
                kind: .longAfterScan, people: [fact],
                values: ["seconds": String(age), "median": String(median)])
        }
    }

    private static func crowd(_ came: [CheckInFact], planned: Int) -> [Finding] {
        guard planned > 0, came.count - planned >= 5, came.count * 2 >= planned * 3 else { return [] }
        return [
            Finding(
                kind: .moreThanPlanned, people: [],
                values: ["count": String(came.count), "planned": String(planned)])
        ]
    }

    private static func networks(_ came: [CheckInFact]) -> [Finding] {
        let known = came.filter { $0.network != nil }
        let byNetwork = Dictionary(grouping: known) { $0.network ?? "" }
        guard known.count >= smallestCrowd,
            let usual = byNetwork.max(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) }),
            usual.value.count * 100 >= known.count * usualShare
        else { return [] }
        return byNetwork.filter { $0.key != usual.key }.sorted { $0.key < $1.key }.map { network, people in
            Finding(
                kind: .otherNetwork, people: people,
                values: ["count": String(people.count), "network": network, "usual": usual.key])
        }
    }

    private static func names(_ came: [CheckInFact]) -> [Finding] {
        let other = came.filter { $0.typedName != nil }
        return other.isEmpty
            ? []
            : [
                Finding(
                    kind: .otherName, people: other,
                    values: ["count": String(other.count), "typed": other[0].typedName ?? ""])
            ]
    }

    private static func atTheEnd(_ came: [CheckInFact], _ session: Session) -> [Finding] {
        let last = came.filter { fact in
            guard fact.method != .host, let at = fact.checkedInAt else { return false }
            return session.checkInClosesAt - lastMoments < at && at <= session.checkInClosesAt
        }
        return last.isEmpty
            ? [] : [Finding(kind: .atTheEnd, people: last, values: ["count": String(last.count)])]
    }
}

/// How one attendee checked in, for the review.
package struct CheckInFact: Hashable, Sendable {
    package let id: AttendeeID
    package let name: String
    /// The name that the attendee typed, if it differs from `name`.
    package let typedName: String?
    package let status: RecordedStatus
    package let checkedInAt: Instant?
    package let method: CheckInMethod?
    /// The age of the code in seconds when the attendee exchanged the code; nil if codes do not rotate.
    package let codeAge: Int?
    /// The time between the exchange of the code and the check-in in seconds; nil if codes do not rotate.
    package let grantAge: Int?
    /// The device hash, as in `CheckInEvidence`.
    package let device: [UInt8]?
    package let network: String?

    package init(
        id: AttendeeID, name: String, status: RecordedStatus, checkedInAt: Instant?, method: CheckInMethod?,
        codeAge: Int?,
        device: [UInt8]?, network: String?, typedName: String? = nil, grantAge: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.typedName = typedName
        self.grantAge = grantAge
        self.status = status
        self.checkedInAt = checkedInAt
        self.method = method
        self.codeAge = codeAge
        self.device = device
        self.network = network
    }

    package init(_ attendee: Attendee, codeAge: Int?, grantAge: Int? = nil) {
        self.init(
            id: attendee.id, name: attendee.name, status: attendee.status, checkedInAt: attendee.checkedInAt,
            method: attendee.method,
            codeAge: codeAge, device: attendee.evidence?.device, network: attendee.evidence?.network,
            typedName: attendee.differentTypedName, grantAge: grantAge)
    }
}
