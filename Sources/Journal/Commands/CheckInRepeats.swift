import Meetings
import Synchronization

/// Counts repeated check-ins, in memory only: for how many people one grant or device was used, and how often
/// check-ins were withdrawn. Otherwise an attacker could try one number after the other with a single grant,
/// or fill the journal with check-ins and withdrawals.
///
/// A first check-in that nobody withdraws is never counted, and nothing is counted by address or by person:
/// otherwise a stranger could use up what the right person may do. The check-in path takes one lock and looks
/// up one key. A restart forgets all counts.
package final class CheckInRepeats: Sendable {
    /// The largest number of different people for whom one grant may be used. A person counts only if the
    /// person was already checked in, or if a check-in with this grant was withdrawn.
    package static let mostPeopleOfGrant = 5
    /// The largest number of withdrawals of check-ins by one grant.
    package static let mostWithdrawals = 10

    /// The person whom a check-in names, by the person's key in the session.
    struct Named {
        let session: SessionID
        let key: IdentityKey
    }

    private enum Counted: Hashable {
        case grant([UInt8])
        case device([UInt8])
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
    package func peopleNamed(on device: [UInt8]) -> Int {
        generations.withLock { $0.counts(.device(device))?.people.count ?? 0 }
    }

    /// Returns for how many different people this grant was used although they were already checked in, or
    /// were withdrawn: 0–5.
    package func peopleNamed(by grant: [UInt8]) -> Int {
        generations.withLock { $0.counts(.grant(grant))?.people.count ?? 0 }
    }

    /// Returns the reason why this check-in is refused; nil if it is allowed.
    func refusal(of person: Named, by grant: [UInt8]?) -> Refusal? {
        generations.withLock { generations in
            guard let grant, let counts = generations.counts(.grant(grant)) else { return nil }
            if counts.withdrawals.count >= Self.mostWithdrawals { return .grantUsedUp }
            let isNew = !counts.people.contains(Self.hash(person))
            return isNew && counts.people.count >= Self.mostPeopleOfGrant ? .grantUsedUp : nil
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
            guard let grant else { return }
            generations.change(.grant(grant)) { $0.withdrawals.insert(attendee) }
        }
    }

    private static func hash(_ person: Named) -> Int {
        var hasher = Hasher()
        hasher.combine(person.session)
        hasher.combine(person.key.text)
        return hasher.finalize()
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
