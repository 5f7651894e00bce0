/// An opaque identifier of 128 bits: 48 bits of milliseconds since 1970, then 80 random bits, so that ids
/// sort by age. The text form has 26 characters of Crockford's base 32, in upper case. The type parameter
/// `Of` makes ids of different things different types.
///
/// Every request compares and hashes ids. So they are public and not `package`: Swift 6.3 specialises and
/// inlines no `package` function in another module.
public struct ID<Of>: Hashable, Sendable, Comparable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns a new id whose first 48 bits are the milliseconds of `now`.
    package static func make(at now: Instant) -> ID {
        var random = SystemRandomNumberGenerator()
        return make(at: now, using: &random)
    }

    /// Returns a new id whose first 48 bits are the milliseconds of `now`.
    /// - Parameter random: a generator that is suitable for secrets.
    package static func make(at now: Instant, using random: inout some RandomNumberGenerator) -> ID {
        let time = UInt64(clamping: now.milliseconds) << 16
        return ID(high: time | (random.next() & 0xFFFF), low: random.next())
    }

    /// The moment at which `make` created the id. It means nothing for an id of `makeTimeless`.
    package var madeAt: Instant { Instant(milliseconds: Int64(high >> 16)) }

    /// Returns a new id of 128 random bits. It is for records whose id must not reveal the time of their
    /// creation.
    package static func makeTimeless() -> ID {
        var random = SystemRandomNumberGenerator()
        return ID(high: random.next(), low: random.next())
    }

    /// Returns a new id of 80 random bits. The other 48 bits are zero, so that a QR code that holds the id is
    /// small.
    package static func makeShort() -> ID {
        var random = SystemRandomNumberGenerator()
        return ID(high: random.next() & 0xFFFF, low: random.next())
    }

    public static func < (left: ID, right: ID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

extension ID {
    /// The text form of the id: 26 characters. The first character holds the top 3 bits.
    public var text: String {
        String(unsafeUninitializedCapacity: Self.textSize) {
            if let start = $0.baseAddress { write(to: start) }
            return Self.textSize
        }
    }

    /// The size of `text` in bytes.
    @inlinable
    public static var textSize: Int { 26 }

    /// Writes `text` to memory with room for `textSize` bytes.
    @inlinable
    public func write(to out: UnsafeMutablePointer<UInt8>) { IDDigits.write(high, low, to: out) }

    /// Parses the text form of an id, in upper or lower case. Returns nil if `text` is malformed.
    @inlinable
    public init?(_ text: some StringProtocol) {
        // The generic iterator of `StringProtocol` costs many times more than the parsing.
        let read = text.utf8.withContiguousStorageIfAvailable { ID(digits: $0) }
        guard let id = read ?? Array(text.utf8).withUnsafeBufferPointer({ ID(digits: $0) }) else {
            return nil
        }
        self = id
    }

    @usableFromInline
    init?(digits: UnsafeBufferPointer<UInt8>) {
        guard digits.count == 26 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (position, byte) in digits.enumerated() {
            let digit = IDDigits.values[Int(byte)]
            guard digit < (position == 0 ? 8 : 32) else { return nil }
            high = high << 5 | low >> 59
            low = low << 5 | UInt64(digit)
        }
        self.init(high: high, low: low)
    }
}

@usableFromInline
enum IDDigits {
    static let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

    @usableFromInline
    static func write(_ high: UInt64, _ low: UInt64, to out: UnsafeMutablePointer<UInt8>) {
        let digits = alphabet.utf8Start
        var (high, low) = (high, low)
        for position in (0..<26).reversed() {
            out[position] = digits[Int(low & 31)]
            (high, low) = (high >> 5, low >> 5 | high << 59)
        }
    }

    /// The digit of each byte, in upper or lower case; 255 for other bytes.
    static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for digit in 0..<alphabet.utf8CodeUnitCount {
            let byte = alphabet.utf8Start[digit]
            values[Int(byte)] = UInt8(digit)
            if byte >= UInt8(ascii: "A") { values[Int(byte | 0x20)] = UInt8(digit) }
        }
        return values
    }()
}

extension ID {
    /// The 16 bytes of the id, most significant byte first, so that the bytes sort in the same order as ids.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for index in 0..<8 {
                buffer[index] = UInt8(truncatingIfNeeded: high >> UInt64(56 - index * 8))
                buffer[index + 8] = UInt8(truncatingIfNeeded: low >> UInt64(56 - index * 8))
            }
            count = 16
        }
    }

    /// Makes an id from its bytes. Returns nil unless `bytes` holds exactly 16 bytes.
    @inlinable
    public init?(bytes: some Collection<UInt8>) {
        // Read contiguous storage as a whole. Every check-in reads ids, and the generic iterator of an
        // unknown collection costs twenty calls for each id.
        guard
            let id = bytes.withContiguousStorageIfAvailable({ ID(buffer: $0) })
                ?? Array(bytes).withUnsafeBufferPointer({ ID(buffer: $0) })
        else { return nil }
        self = id
    }

    @usableFromInline
    init?(buffer: UnsafeBufferPointer<UInt8>) {
        guard buffer.count == 16 else { return nil }
        let raw = UnsafeRawBufferPointer(buffer)
        self.init(
            high: UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

extension ID {
    /// An id with the same bits for a thing of another kind, which belongs to the first one or stands for it.
    package init<Other>(sameAs other: ID<Other>) { self.init(high: other.high, low: other.low) }
}

extension ID: CustomStringConvertible {
    public var description: String { text }
}

extension ID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not an id of 26 characters")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

package typealias AccountID = ID<Account>
package typealias MeetingID = ID<Meeting>
package typealias SessionID = ID<Session>
package typealias AttendeeID = ID<Attendee>
package typealias QuestionID = ID<Question>
package typealias ResponseID = ID<Response>
package typealias PresenterLinkID = ID<PresenterLink>
