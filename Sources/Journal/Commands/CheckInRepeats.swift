import Meetings
import Synchronization

/// Counts repeated check-ins, in memory only: for how many people one grant or device was used, and how often
/// check-ins were withdrawn. Otherwise an attacker could try one number after the other with a single grant,
/// or fill the journal with check-ins and withdrawals.
///
/// A first check-in that nobody withdraws is never counted, and nothing is counted by address. The check-in
/// path takes one lock and looks up at most two keys. A restart forgets all counts.
package final class CheckInRepeats: Sendable {
    /// The largest number of different people for whom one grant may be used. A person counts only if the
    /// person was already checked in, or if a check-in with this grant was withdrawn.
    package static let mostPeopleOfGrant = 5
    /// The largest number of withdrawals by one grant, and of one person in a session.
    package static let mostWithdrawals = 10

    /// The person whom a check-in names, by the person's key in the session.
    struct Named {
        let session: SessionID
        let key: IdentityKey
        /// Whether the key belongs to one person only. Several people may have the same name.
        let isUnique: Bool
    }

    private enum Counted: Hashable {
        case grant([UInt8])
        case device([UInt8])
        case person(SessionID, String)
    }

    private struct Counts {
        /// The hashes of different people, at most `mostPeopleOfDevice`.
        var people: [Int] = []
        /// The withdrawn records, at most `mostWithdrawals`, because then check-ins are refused.
        var withdrawals: Set<AttendeeID> = []
    }

    /// The keys are hashes under a random seed of this process, so no identity is stored. When the younger
    /// generation is full, it replaces the older one, so that the memory is limited and no call takes long.
    private struct Generations {
        var young: [Int: Counts] = [:]
        var old: [Int: Counts] = [:]

        func counts(_ counted: Counted) -> Counts? {
            if young.isEmpty, old.isEmpty { return nil }
            let key = counted.hashValue
            return young[key] ?? old[key]
        }

        mutating func change(_ counted: Counted, _ body: (inout Counts) -> Void) {
            if young.count >= CheckInRepeats.mostKeys { (old, young) = (young, [:]) }
            let key = counted.hashValue
            body(&young[key, default: old[key] ?? Counts()])
        }
    }

    private static let mostKeys = 20_000
    private static let mostPeopleOfDevice = 100
    private let generations = Mutex(Generations())

    package init() {}

    /// Returns for how many different people this device sent a check-in although they were already checked
    /// in, or withdrew a check-in: 0–100.
    /// - Parameter device: the hash in `CheckInEvidence`.
    package func peopleNamed(by device: [UInt8]) -> Int {
        generations.withLock { $0.counts(.device(device))?.people.count ?? 0 }
    }

    /// Returns the reason why this check-in is refused; nil if it is allowed.
    func refusal(of person: Named, by grant: [UInt8]?) -> Refusal? {
        generations.withLock { generations in
            if let grant, let counts = generations.counts(.grant(grant)) {
                if counts.withdrawals.count >= Self.mostWithdrawals { return .grantUsedUp }
                if counts.people.count >= Self.mostPeopleOfGrant, !counts.people.contains(Self.hash(person)) {
                    return .grantUsedUp
                }
            }
            guard person.isUnique,
                let counts = generations.counts(.person(person.session, person.key.text)),
                counts.withdrawals.count >= Self.mostWithdrawals
            else { return nil }
            return .checkedInTooOften(limit: Self.mostWithdrawals)
        }
    }

    /// Counts a check-in that named a person who was already checked in. A repeated count changes nothing,
    /// because a command may run twice.
    func named(_ person: Named, by grant: [UInt8]?, on device: [UInt8]?) {
        generations.withLock { Self.add(person, grant, device, to: &$0) }
    }

    /// Counts the withdrawal of an attendee. A repeated count changes nothing, because a command may run
    /// twice.
    /// - Parameters:
    ///   - attendee: the id of the withdrawn record. No later check-in gets this id.
    ///   - grant: the grant of the check-in, if it is known.
    ///   - device: the device of the check-in, if it is known.
    func withdrew(
        _ attendee: AttendeeID, _ person: Named, by grant: [UInt8]?, on device: [UInt8]?
    ) {
        generations.withLock { generations in
            Self.add(person, grant, device, to: &generations)
            let ofPerson = person.isUnique ? Counted.person(person.session, person.key.text) : nil
            for counted in [grant.map(Counted.grant), ofPerson] {
                guard let counted else { continue }
                generations.change(counted) { $0.withdrawals.insert(attendee) }
            }
        }
    }

    private static func hash(_ person: Named) -> Int {
        Counted.person(person.session, person.key.text).hashValue
    }

    private static func add(
        _ person: Named, _ grant: [UInt8]?, _ device: [UInt8]?, to generations: inout Generations
    ) {
        let hash = hash(person)
        for counted in [grant.map(Counted.grant), device.map(Counted.device)] {
            guard let counted else { continue }
            generations.change(counted) {
                if $0.people.count < mostPeopleOfDevice, !$0.people.contains(hash) { $0.people.append(hash) }
            }
        }
    }
}
