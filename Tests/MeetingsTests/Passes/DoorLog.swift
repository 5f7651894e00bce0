import Meetings

/// A place that stores the entries of offline doors in memory, by the rules of the journal. Merging is a set
/// union by key, so the order of the merges changes nothing.
struct DoorLog: Hashable, Sendable {
    /// The entries of each offline door. The entry with the number n is at the index n - 1.
    private(set) var entries: [SatelliteID: [DoorEntry]] = [:]

    init() {}

    /// What happened to an entry that was to be taken.
    enum Taking: Hashable, Sendable {
        case taken
        /// The same entry is here already.
        case known
        /// An earlier entry of the same offline door is missing, so this one must be sent again.
        case tooEarly
        /// Another entry with the same key is here, and stays. So somebody has copied the folder of the
        /// laptop, or restored an older one.
        case differs
    }

    /// The number of the last entry of each offline door that is here with all earlier ones.
    var have: [SatelliteID: Int64] { entries.mapValues { Int64($0.count) } }

    mutating func take(_ entry: DoorEntry) -> Taking {
        // A copy of the array here would make each append copy all entries.
        let count = entries[entry.satellite]?.count ?? 0
        switch entry.order(after: Int64(count)) {
        case .known: return entries[entry.satellite]?[Int(entry.number - 1)] == entry ? .known : .differs
        case .tooEarly: return .tooEarly
        case .next: entries[entry.satellite, default: []].append(entry)
        }
        return .taken
    }

    /// Adds the entries of another log.
    mutating func merge(_ other: DoorLog) {
        entries.merge(other.entries) { $0.count >= $1.count ? $0 : $1 }
    }

    /// Returns entries that another place lacks, in an order in which it can take all of them.
    /// - Parameter have: the `have` of that place.
    func lacking(_ have: [SatelliteID: Int64], most: Int = DoorEntry.mostInExchange) -> [DoorEntry] {
        DoorShare.shares(of: self.have, lackedBy: have, most: most).flatMap { share in
            entries[share.satellite, default: []][Int(share.after)...].prefix(share.count)
        }
    }

    /// Returns the state of each person in the entries.
    /// - Parameter attendees: the attendees whose passes are known here.
    func states(
        of attendees: [PassID: AttendeeID] = [:], server: [AttendeeID: [DoorMove]] = [:]
    ) -> [DoorEntry.Guest: DoorHistory] {
        let all = entries.values.joined()
        var grouped = Dictionary(grouping: all) { entry in
            if case .pass(let pass) = entry.guest, let attendee = attendees[pass] {
                return DoorEntry.Guest.attendee(attendee)
            }
            return entry.guest
        }
        for attendee in server.keys where grouped[.attendee(attendee)] == nil {
            grouped[.attendee(attendee)] = []
        }
        return Dictionary(
            uniqueKeysWithValues: grouped.map { guest, entries in
                guard case .attendee(let id) = guest else { return (guest, DoorHistory(entries)) }
                return (guest, DoorHistory(entries, server: server[id] ?? []))
            })
    }
}
