/// Looks for what is unusual among a session's check-ins. Nothing here blocks anybody: each finding is
/// evidence with an innocent explanation, and a host decides.
package enum SessionReview {
    package struct Finding: Hashable, Sendable {
        package let kind: Kind
        /// Whom it is about, by id; nobody where it is about the session.
        package let people: [CheckInFact]
        /// The figures that its sentence says.
        package let values: [String: String]
    }

    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// One browser checked in several people.
        case oneDevice
        /// The code was much older than those of the others when it was exchanged.
        case oldCode
        /// Half as many again as planned, and five at least.
        case moreThanPlanned
        /// From another network than nearly everybody.
        case otherNetwork
        /// In the last two minutes of the check-in window.
        case atTheEnd
    }

    /// Fewer check-ins than this tell nothing of what is usual.
    package static let smallestCrowd = 10
    /// A network is the usual one where it has this share of those whose network is known, in percent.
    package static let usualShare = 80
    package static let lastMoments = Duration.minutes(2)

    package static func findings(_ facts: [CheckInFact], in session: Session) -> [Finding] {
        let came = facts.filter(\.status.countsAsCheckedIn).sorted { $0.id < $1.id }
        return devices(came) + oldCodes(came, acceptedSeconds: session.codeAcceptedSeconds)
            + crowd(came, planned: session.plannedCount)
            + networks(came) + atTheEnd(came, session)
    }

    private static func devices(_ came: [CheckInFact]) -> [Finding] {
        let byDevice = Dictionary(grouping: came.filter { $0.device != nil }) { $0.device ?? [] }
        return byDevice.values.filter { $0.count > 1 }.sorted { $0[0].id < $1[0].id }
            .map { Finding(kind: .oneDevice, people: $0, values: ["count": String($0.count)]) }
    }

    /// More than twice the median, and ten seconds above it.
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

    private static func atTheEnd(_ came: [CheckInFact], _ session: Session) -> [Finding] {
        let last = came.filter { fact in
            guard fact.method != .host, let at = fact.checkedInAt else { return false }
            return session.checkInClosesAt - lastMoments < at && at <= session.checkInClosesAt
        }
        return last.isEmpty
            ? [] : [Finding(kind: .atTheEnd, people: last, values: ["count": String(last.count)])]
    }
}
