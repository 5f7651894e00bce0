// A session's check-in code is shown as a QR code and, for typing, as a join code. A rotating code changes by
// the schedule below. The server computes and verifies the codes (`Server/Codes`).

/// When rotating codes change, and how long each is accepted. Codes are numbered by a counter of periods
/// since 1970. The join code has a slower counter, because typing takes longer than scanning.
package enum CodeSchedule {
    /// How long one code of the QR code is shown.
    package static let period = Duration.seconds(10)
    /// How long one join code is shown.
    package static let joinCodePeriod = Duration.seconds(60)
    /// The seconds for which a session may accept a code after it was first shown.
    package static let acceptedSeconds = 20...120

    /// Returns the counter of the code that is shown at `moment`.
    package static func counter(at moment: Instant, every period: Duration = period) -> Int64 {
        floorDivide(moment.milliseconds, period.wholeMilliseconds)
    }

    /// Returns the moment at which the code with this counter is first shown.
    package static func shownAt(_ counter: Int64, every period: Duration = period) -> Instant {
        Instant(milliseconds: counter * period.wholeMilliseconds)
    }

    /// Returns how long before `moment` the code was first shown. Nil if the code is not shown yet, or if it
    /// was first shown longer ago than `accepted`; an age of exactly `accepted` is valid.
    package static func age(
        of counter: Int64, at moment: Instant, accepted: Duration, every period: Duration = period
    ) -> Duration? {
        let age = moment.since(shownAt(counter, every: period))
        return age >= .zero && age <= accepted ? age : nil
    }

    /// Returns the time from `moment` until the next code is shown: more than zero, at most one period.
    package static func remaining(at moment: Instant, every period: Duration = period) -> Duration {
        shownAt(counter(at: moment, every: period) + 1, every: period).since(moment)
    }
}

/// The short form of a check-in code, for typing: six characters, without those that look alike.
package enum JoinCode {
    /// The number of characters.
    package static let length = 6
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// Returns a random code.
    package static func random() -> String {
        var random = SystemRandomNumberGenerator()
        return String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    }

    /// Returns a code made of the first six of `bytes`, which must be random; there must be at least six.
    package static func text(of bytes: [UInt8]) -> String {
        String(bytes.prefix(length).map { alphabet[Int($0) % alphabet.count] })
    }

    /// Returns the stored form of a code that a person typed: upper case, without spaces and hyphens. Nil if
    /// `typed` is malformed; a well-formed code can still be wrong or expired.
    package static func normalized(_ typed: String) -> String? {
        guard typed.utf8.count <= 32 else { return nil }
        let code = typed.filter { !$0.isWhitespace && $0 != "-" }
        // Only ASCII: the upper case of "ß" would be two characters.
        guard code.utf8.count == length, code.utf8.allSatisfy({ $0 < 128 }) else { return nil }
        let upper = code.uppercased()
        return upper.allSatisfy(alphabet.contains) ? upper : nil
    }
}
