/// A moment in UTC, in whole milliseconds since 1970-01-01T00:00:00Z. Leap seconds are not counted, as in
/// POSIX.
package struct Instant: Hashable, Sendable, Comparable {
    package let milliseconds: Int64

    /// Creates the moment this many milliseconds after 1970-01-01T00:00:00Z; negative if it is earlier.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    /// Creates the moment this many seconds after 1970-01-01T00:00:00Z.
    package init(seconds: Int64) { self.milliseconds = seconds * 1000 }

    /// Whether `left` is earlier than `right`.
    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the moment that is later by `duration`; parts of a millisecond are dropped.
    package static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds + duration.wholeMilliseconds)
    }

    /// Returns the moment that is earlier by `duration`; parts of a millisecond are dropped.
    package static func - (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds - duration.wholeMilliseconds)
    }

    /// Returns the time from `other` to this moment; negative if `other` is later.
    package func since(_ other: Instant) -> Duration { .milliseconds(milliseconds - other.milliseconds) }

    /// The start of this moment's hour, in UTC. An anonymous response stores only this hour as its time.
    package var startOfHour: Instant {
        let hour: Int64 = 3_600_000
        let remainder = milliseconds % hour
        return Instant(milliseconds: milliseconds - (remainder < 0 ? remainder + hour : remainder))
    }
}

extension Duration {
    /// Returns a duration of this number of minutes.
    package static func minutes(_ minutes: Int) -> Duration { .seconds(minutes * 60) }
    /// Returns a duration of this number of hours.
    package static func hours(_ hours: Int) -> Duration { .seconds(hours * 3600) }

    /// The duration in whole milliseconds, rounded towards zero.
    package var wholeMilliseconds: Int64 {
        Int64(truncatingIfNeeded: attoseconds / 1_000_000_000_000_000)
    }
}

/// The text form of RFC 3339 (§5.6). It is written and parsed without a formatter, because every response of
/// the server contains several times.
extension Instant {
    /// The moment as RFC 3339 text, such as `2026-11-21T10:00:00Z`. It has a fraction such as `.123` only if
    /// the milliseconds are not zero.
    package var rfc3339: String {
        String(unsafeUninitializedCapacity: Self.textSize) { out in
            out.baseAddress.map { write(to: $0) } ?? 0
        }
    }

    /// The size of the longest text that `write` writes, in bytes.
    package static let textSize = 24

    /// Writes `rfc3339` to memory with room for `textSize` bytes, and returns the number of bytes.
    package func write(to out: UnsafeMutablePointer<UInt8>) -> Int {
        let days = floorDivide(milliseconds, 86_400_000)
        let inDay = Int(milliseconds - days * 86_400_000)
        let date = CivilDate(daysSince1970: days)
        func put(_ value: Int, _ end: Unicode.Scalar, at place: Int) {
            out[place] = UInt8(truncatingIfNeeded: 48 + value / 10 % 10)
            out[place + 1] = UInt8(truncatingIfNeeded: 48 + value % 10)
            out[place + 2] = UInt8(truncatingIfNeeded: end.value)
        }
        put(date.year / 100, "0", at: 0)
        put(date.year % 100, "-", at: 2)
        put(date.month, "-", at: 5)
        put(date.day, "T", at: 8)
        put(inDay / 3_600_000, ":", at: 11)
        put(inDay / 60_000 % 60, ":", at: 14)
        let fraction = inDay % 1000
        put(inDay / 1000 % 60, fraction == 0 ? "Z" : ".", at: 17)
        if fraction == 0 { return 20 }
        out[20] = UInt8(truncatingIfNeeded: 48 + fraction / 100)
        put(fraction % 100, "Z", at: 21)
        return 24
    }

    /// Parses a date and time with an offset (`Z` or `±hh:mm`). Digits after the milliseconds are ignored.
    /// Returns nil for any other text: without an offset, with an impossible date, or with a leap second. The
    /// years 1900–2299 are allowed. This range is wider than the range for requests (`isSensible`), so that
    /// times derived from a request can be parsed again.
    package init?(rfc3339 text: some StringProtocol) {
        var reader = DigitReader(Array(text.utf8))
        guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2),
            reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(digits: 2), reader.skip(":"), let minute = reader.number(digits: 2),
            reader.skip(":"),
            let second = reader.number(digits: 2), (1900...2299).contains(year), hour < 24, minute < 60,
            second < 60,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        var fraction = 0
        if reader.skip(".") {
            guard let thousandths = reader.thousandths() else { return nil }
            fraction = thousandths
        }
        guard let offsetMinutes = reader.offsetMinutes(), reader.isAtEnd else { return nil }
        let minutes = Int64(hour * 60 + minute - offsetMinutes)
        self.init(
            milliseconds: date.daysSince1970 * 86_400_000 + minutes * 60_000 + Int64(second * 1000 + fraction)
        )
    }
}

extension Instant {
    /// Whether the moment is in the years 1970–2199, UTC. Times in requests must be in this range.
    package var isSensible: Bool { (0..<7_258_118_400_000).contains(milliseconds) }
}

private struct DigitReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { at == bytes.count }

    mutating func number(digits: Int) -> Int? {
        guard at + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[at..<at + digits] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        at += digits
        return value
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard at < bytes.count, UInt32(bytes[at]) == character.value else { return false }
        at += 1
        return true
    }

    mutating func thousandths() -> Int? {
        var value = 0
        var count = 0
        while let digit = number(digits: 1) {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        guard (1...9).contains(count) else { return nil }
        for _ in min(count, 3)..<3 { value *= 10 }
        return value
    }

    mutating func offsetMinutes() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2),
            hours < 24, minutes < 60
        else {
            return nil
        }
        return sign * (hours * 60 + minutes)
    }
}

extension Instant: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let instant = Instant(rfc3339: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
        }
        self = instant
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rfc3339)
    }
}

extension Instant: CustomStringConvertible {
    package var description: String { rfc3339 }
}
