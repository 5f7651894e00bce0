import Journal
package import Meetings
package import Secrets
import Synchronization
package import Wire

/// What makes a server the server of an offline door: the laptop's identity, what it knows about the real
/// server, and the names that the staff has decrypted. Names are in memory only, so that a lost laptop
/// reveals none.
package final class OfflineDoor: Sendable {
    /// What the laptop knows about the real server.
    package struct Contact: Sendable {
        /// The number of this door's newest entry that the server has.
        package var sent: Int64
        /// The last moment at which the server answered.
        package var seenAt: Instant
        package var doubles = 0
        package var isRevoked = false
        /// Whether the folder is a copy, or an older one was restored, so that its numbers mean other
        /// entries.
        package var isCopy = false

        package init(sent: Int64, seenAt: Instant) { (self.sent, self.seenAt) = (sent, seenAt) }
    }

    /// The e-mail address of the only account of an offline door. Phones sign in with it and the code.
    package static let email = "door@offline.invalid"

    package let satellite: SatelliteID
    package let session: SessionID
    package let key: Ed25519Key
    private let contact: Mutex<Contact>
    /// What the newest snapshot says about entries, also about those that come later from other doors.
    private let counting = Mutex<(until: [SatelliteID: Int64], overruled: Set<SatelliteNumber>)>(([:], []))
    private let names = Mutex<OfflineNames?>(nil)
    private let whenStored: @Sendable () -> Void

    /// - Parameter whenStored: is called after each commit of an entry, so that it is sent soon.
    package init(
        _ satellite: SatelliteID, in session: SessionID, key: Ed25519Key, contact: Contact,
        whenStored: @escaping @Sendable () -> Void
    ) {
        self.satellite = satellite
        self.session = session
        self.key = key
        self.contact = Mutex(contact)
        self.whenStored = whenStored
    }

    package var known: Contact { contact.withLock { $0 } }
    package func update(_ change: (inout Contact) -> Void) { contact.withLock { change(&$0) } }
    package func show(_ decrypted: SatelliteNames) { names.withLock { $0 = OfflineNames(decrypted) } }

    /// Counts entries by a snapshot that is about to be stored.
    package func count(by snapshot: OfflineSnapshot) {
        counting.withLock { $0 = (snapshot.countedUntil, Set(snapshot.overruled)) }
    }

    /// The last entry of a revoked offline door that counts.
    func countedUntil(of satellite: SatelliteID) -> Int64 { counting.withLock { $0.until[satellite] ?? 0 } }

    /// Returns the entries that no longer count, because a host has corrected the record since.
    func overruled(among entries: some Sequence<DoorEntry>) -> [(SatelliteID, Int64)] {
        counting.withLock { counting in
            entries.map { ($0.satellite, $0.number) }.filter {
                counting.overruled.contains(SatelliteNumber($0.0, $0.1))
            }
        }
    }

    func noteStored() { whenStored() }

    /// - Parameter last: the number of this door's newest entry.
    func body(last: Int64) -> OfflineDoorBody {
        let known = known
        return OfflineDoorBody(
            sent: known.sent, unsent: Int(max(0, last - known.sent)), seenAt: known.seenAt,
            doubles: known.doubles, revoked: known.isRevoked, copied: known.isCopy,
            hasNames: names.withLock { $0 != nil })
    }

    func name(of attendee: AttendeeID) -> String? { names.withLock { $0?.people[attendee]?.name } }

    func attendee(identifiedBy key: IdentityKey) -> AttendeeID? { names.withLock { $0?.byIdentity[key] } }

    /// Returns the attendees whose name contains the folded text; at most `most`.
    func attendees(named text: String, most: Int) -> [SatelliteNames.Item] {
        names.withLock { names in
            var found: [SatelliteNames.Item] = []
            for (name, id) in names?.folded ?? [] where name.contains(text) {
                if let item = names?.people[id] { found.append(item) }
                if found.count == most { break }
            }
            return found
        }
    }
}

/// The decrypted names and numbers of a session.
private struct OfflineNames {
    let people: [AttendeeID: SatelliteNames.Item]
    let byIdentity: [IdentityKey: AttendeeID]
    /// The names as searches compare them, in their order.
    let folded: [(String, AttendeeID)]

    init(_ names: SatelliteNames) {
        people = Dictionary(names.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        byIdentity = Dictionary(
            names.items.compactMap { item in
                item.identity.flatMap { IdentityKey(ifAny: $0) }.map { ($0, item.id) }
            }, uniquingKeysWith: { first, _ in first })
        folded = names.items.compactMap { item in item.name.map { (SearchText.folded($0), item.id) } }
            .sorted { $0.0 < $1.0 }
    }
}
