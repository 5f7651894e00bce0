/// What one offline door has done for one person. The pair of the offline door and the number is the key of
/// the entry: an honest laptop gives each number once, in order, and stores the entry before anybody sees it.
package struct DoorEntry: Hashable, Sendable {
    package let satellite: SatelliteID
    /// 1, 2, 3 … of this offline door.
    package let number: Int64
    package let guest: Guest
    package let kind: Kind
    /// The moment by the laptop's own clock.
    package let at: Instant
    /// By how many milliseconds that clock was ahead of the server's when the two were last compared.
    package let offset: Int64
    /// The signature of `message` by the laptop's key (Ed25519); empty if nobody has signed it yet.
    package var signature: [UInt8]

    /// The person of an entry.
    package enum Guest: Hashable, Sendable, Comparable {
        case attendee(AttendeeID)
        /// A genuine pass that the laptop's snapshot does not know, because it was issued later.
        case pass(PassID)

        /// Returns the person of a record of an offline door. A record whose id is that of a pass belongs to
        /// a pass that the snapshot did not know. The ids of other records begin with a time.
        package init(_ attendee: AttendeeID) {
            self = attendee.high >> 16 == 0 ? .pass(PassID(sameAs: attendee)) : .attendee(attendee)
        }

        /// Whether the id is one of its kind, so that no pass can have the id of an attendee.
        fileprivate var isSensible: Bool {
            switch self {
            case .attendee(let id): Guest(id) == self
            case .pass(let id): Guest(AttendeeID(sameAs: id)) == self
            }
        }
    }

    package enum Kind: Hashable, Sendable {
        case `in`, out
        /// The staff has undone the entry with this number of the same offline door.
        case undone(Int64)
    }

    /// The most entries of one offline door.
    package static let mostOfSatellite: Int64 = 50_000
    /// The most entries in one exchange. They fit into the body of a request.
    package static let mostInExchange = 300
    /// A hundred years, in milliseconds.
    package static let mostOffset: Int64 = 3_155_760_000_000

    /// Makes an entry. Returns nil if a value is outside its range.
    package init?(
        of satellite: SatelliteID, number: Int64, _ kind: Kind, _ guest: Guest, at: Instant, offset: Int64,
        signature: [UInt8] = []
    ) {
        guard (1...Self.mostOfSatellite).contains(number), guest.isSensible, at.isSensible,
            (-Self.mostOffset...Self.mostOffset).contains(offset),
            (at - .milliseconds(offset)).isSensible
        else { return nil }
        if case .undone(let undone) = kind, !(1..<number).contains(undone) { return nil }
        (self.satellite, self.number, self.kind, self.guest) = (satellite, number, kind, guest)
        (self.at, self.offset, self.signature) = (at, offset, signature)
    }

    /// The moment by the server's clock, as far as the laptop knew it.
    package var correctedAt: Instant { at - .milliseconds(offset) }

    /// The place of an entry among those of its offline door that one place has.
    package enum Order: Hashable, Sendable {
        /// The entry is the next one.
        case next
        /// An entry with this number is here already.
        case known
        /// An earlier entry is missing, so this one must be sent again.
        case tooEarly
    }

    /// - Parameter last: the number of the last entry of the offline door that is here with all earlier ones.
    package func order(after last: Int64) -> Order {
        number <= last ? .known : number == last + 1 ? .next : .tooEarly
    }
}

/// Entries of one offline door that a place sends to another one.
package struct DoorShare: Hashable, Sendable {
    package let satellite: SatelliteID
    /// The number before the first of them.
    package let after: Int64
    package let count: Int

    /// Returns what to send to a place that lacks entries, at most `most` entries: those of the sender
    /// first, and then a fair share of each other door. So a door with very many entries, or one whose
    /// entries the place does not take, does not keep the others' back.
    /// - Parameters:
    ///   - last: the last entry of each offline door that the sender may give.
    ///   - have: the last entry of each offline door that the place has.
    ///   - first: the sender; nil for a server.
    package static func shares(
        of last: [SatelliteID: Int64], lackedBy have: [SatelliteID: Int64], first: SatelliteID? = nil,
        most: Int
    ) -> [DoorShare] {
        let lacking = last.compactMap { satellite, last -> DoorShare? in
            let after = max(have[satellite] ?? 0, 0)
            guard after < last else { return nil }
            return DoorShare(satellite: satellite, after: after, count: Int(clamping: last - after))
        }.sorted {
            ($0.satellite == first ? 0 : 1, $0.count, $0.satellite)
                < ($1.satellite == first ? 0 : 1, $1.count, $1.satellite)
        }
        var left = most
        return lacking.enumerated().compactMap { index, share in
            // A door with few entries leaves the rest of its share to the next ones.
            let others = lacking.count - index
            let part = share.satellite == first ? left : left / others + (left % others).signum()
            let count = min(share.count, part)
            left -= count
            return count == 0 ? nil : DoorShare(satellite: share.satellite, after: share.after, count: count)
        }
    }
}

/// The bytes of an entry, in which it is signed and sent.
///
/// | bytes | meaning |
/// |---|---|
/// | 1 | the version of this layout |
/// | 16 | the offline door |
/// | 8 | the number |
/// | 1 | the kind: 1 in, 2 out, 3 undone |
/// | 8 | the number of the undone entry, or 0 |
/// | 1 | the guest: 1 attendee, 2 pass |
/// | 16 | the attendee or the pass |
/// | 8 | `at` in milliseconds since 1970 |
/// | 8 | `offset` |
/// | 64 | the signature of the bytes before it, after a text of their own |
extension DoorEntry {
    private static let version: UInt8 = 1
    private static let lengthBeforeSignature = 1 + 16 + 8 + 1 + 8 + 1 + 16 + 8 + 8
    private static let signatureLength = 64
    /// The number of bytes of a signed entry.
    package static let length = lengthBeforeSignature + signatureLength

    package var bytes: [UInt8] { content + signature }

    /// The signed bytes. They begin with a text of their own, so that no signature for another purpose is the
    /// signature of an entry.
    package var message: [UInt8] { Array("QRing door entry\0".utf8) + content }

    private var content: [UInt8] {
        let (kindByte, undone): (UInt8, Int64) =
            switch kind {
            case .in: (1, 0)
            case .out: (2, 0)
            case .undone(let number): (3, number)
            }
        let (guestByte, id): (UInt8, [UInt8]) =
            switch guest {
            case .attendee(let id): (1, id.bytes)
            case .pass(let id): (2, id.bytes)
            }
        return [Self.version] + satellite.bytes + Self.bytes(number) + [kindByte] + Self.bytes(undone)
            + [guestByte] + id + Self.bytes(at.milliseconds) + Self.bytes(offset)
    }

    /// Reads the bytes of a signed entry. Returns nil if they are malformed or a value is outside its range.
    /// The caller verifies the signature.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes[0] == Self.version,
            let satellite = SatelliteID(bytes: bytes[1..<17])
        else { return nil }
        let undone = Self.number(bytes[26..<34])
        let kind: Kind
        switch (bytes[25], undone) {
        case (1, 0): kind = .in
        case (2, 0): kind = .out
        case (3, _): kind = .undone(undone)
        default: return nil
        }
        let guest: Guest?
        switch bytes[34] {
        case 1: guest = AttendeeID(bytes: bytes[35..<51]).map { .attendee($0) }
        case 2: guest = PassID(bytes: bytes[35..<51]).map { .pass($0) }
        default: guest = nil
        }
        guard let guest else { return nil }
        self.init(
            of: satellite, number: Self.number(bytes[17..<25]), kind, guest,
            at: Instant(milliseconds: Self.number(bytes[51..<59])), offset: Self.number(bytes[59..<67]),
            signature: Array(bytes[Self.lengthBeforeSignature...]))
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(56 - $0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
