// Attendees scan a session's check-in code as a QR code, or type its short form, the join code. A rotating
// code changes by the schedule below. The server computes and verifies the codes (`Server/Codes`).

/// The schedule of rotating codes: how often a code changes, and how long the server accepts each code. The
/// number of a code is the count of periods since 1970. Join codes have a longer period, because typing
/// takes longer than scanning.
package enum CodeSchedule {
    /// The time for which the server shows one QR code.
    package static let period = Duration.seconds(10)
    /// The time for which the server shows one join code.
    package static let joinCodePeriod = Duration.seconds(60)
    /// The number of seconds for which a session may accept a code, counted from the code's first showing.
    package static let acceptedSeconds = 20...120

    /// Returns the number of the code that is shown at `moment`.
    package static func counter(at moment: Instant, every period: Duration = period) -> Int64 {
        floorDivide(moment.milliseconds, period.wholeMilliseconds)
    }

    /// Returns the moment at which the code with the number `counter` is first shown.
    package static func shownAt(_ counter: Int64, every period: Duration = period) -> Instant {
        Instant(milliseconds: counter * period.wholeMilliseconds)
    }

    /// Returns the code's age at `moment`, counted from its first showing. Returns nil if the code is not
    /// shown yet, or if it is older than `accepted`. An age of exactly `accepted` is valid.
    package static func age(
        of counter: Int64, at moment: Instant, accepted: Duration, every period: Duration = period
    ) -> Duration? {
        let age = moment.since(shownAt(counter, every: period))
        return age >= .zero && age <= accepted ? age : nil
    }

    /// Returns the time from `moment` until the server shows the next code: more than zero, at most one
    /// period.
    package static func remaining(at moment: Instant, every period: Duration = period) -> Duration {
        shownAt(counter(at: moment, every: period) + 1, every: period).since(moment)
    }
}

/// The short form of a check-in code, for typing: six characters, without characters that look alike.
package enum JoinCode {
    /// The number of characters of a join code.
    package static let length = 6
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// Returns a random join code.
    package static func random() -> String {
        var random = SystemRandomNumberGenerator()
        return String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    }

    /// Returns a join code that is made from the first eight of `bytes`. The bytes must be random, at least
    /// eight. All 729,000,000 codes are equally likely, to one part in ten thousand million.
    package static func text(of bytes: [UInt8]) -> String {
        var number = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return String(
            (0..<length).map { _ in
                let digit = number.quotientAndRemainder(dividingBy: UInt64(alphabet.count))
                number = digit.quotient
                return alphabet[Int(digit.remainder)]
            })
    }

    /// Returns the stored form of a code that a person typed: in upper case, without spaces and hyphens.
    /// Returns nil if `typed` is malformed. A well-formed code can still be wrong or expired.
    package static func normalized(_ typed: String) -> String? {
        guard typed.utf8.count <= 32 else { return nil }
        let code = typed.filter { !$0.isWhitespace && $0 != "-" }
        // Accept only ASCII, because the upper case of "ß" would be two characters.
        guard code.utf8.count == length, code.isASCII else { return nil }
        let upper = code.uppercased()
        return upper.allSatisfy(alphabet.contains) ? upper : nil
    }
}
