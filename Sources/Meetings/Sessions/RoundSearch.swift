/// A search among the rounds of a meeting. A host finds a session by its number, its day, its title or its
/// meeting's name. A search for a number or a day reads one range of an index. A search for a title reads the
/// titles of the meeting, which has a limited number of sessions.
package enum RoundSearch: Hashable, Sendable {
    /// Every session matches.
    case all
    case round(Int)
    /// The sessions that start in one of these ranges match. Later ranges come first.
    case starting([Range<Instant>])
    /// The sessions whose title contains the text match.
    case titled(Title)

    /// A part of a title. Case, width and invisible characters do not matter.
    package struct Title: Hashable, Sendable {
        private let text: String

        package init(_ written: String) { text = RoundSearch.folded(written) }

        package func matches(_ title: String) -> Bool { RoundSearch.folded(title).contains(text) }
    }

    private static func folded(_ text: String) -> String { IdentityKey(text.foldedForComparing).text }

    /// Parses the text of a search. If the text is neither a number of a round, a date nor a part of the
    /// meeting's name, it is a part of a title.
    /// - Parameter text: `3`, `#3`, `3회차`; `2026`, `2026-11`, `2026-11-21`, `11-21`, with `-`, `.`, `/` or
    ///   년월일; or a part of the meeting's name or of a session's title.
    package init(_ text: String, in meeting: Meeting, at now: Instant) {
        let text = Self.folded(text)
        if text.isEmpty {
            self = .all
        } else if let round = Self.round(text) {
            self = .round(round)
        } else if Self.folded(meeting.name).contains(text) {
            self = .all
        } else {
            let days = Self.days(text, around: WallTime(now, in: meeting.timeZone).date.year)
            self =
                days.isEmpty
                ? .titled(Title(text)) : .starting(days.map { $0.instants(in: meeting.timeZone) })
        }
    }

    private static func round(_ text: String) -> Int? {
        var digits = text[...]
        let isMarked = digits.hasPrefix("#") || digits.hasSuffix("회차") || digits.hasSuffix("회")
        if digits.hasPrefix("#") { digits = digits.dropFirst() }
        for ending in ["회차", "회"] where digits.hasSuffix(ending) { digits = digits.dropLast(ending.count) }
        guard let round = number(digits), round > 0 else { return nil }
        // If the number could be a year, treat it as a year, because people search for years more often.
        return isMarked || !(1970...2199).contains(round) ? round : nil
    }

    private struct Days {
        let first: CivilDate
        let next: CivilDate

        func instants(in zone: Zone) -> Range<Instant> {
            func midnight(_ date: CivilDate) -> Instant {
                WallTime(date: date, hour: 0, minute: 0).map { $0.instant(in: zone) }
                    ?? Instant(milliseconds: 0)
            }
            return midnight(first)..<midnight(next)
        }
    }

    private static func days(_ text: String, around year: Int) -> [Days] {
        var plain = text.filter { !$0.isWhitespace }
        for mark in ["년", "월", "일", ".", "/"] { plain = plain.replacing(mark, with: "-") }
        let parts = plain.split(separator: "-").map { number($0) ?? -1 }
        switch parts.count {
        case 1 where (1970...2199).contains(parts[0]):
            return days(from: (parts[0], 1, 1), to: (parts[0] + 1, 1, 1)).map { [$0] } ?? []
        case 2 where (1970...2199).contains(parts[0]):
            let (year, month) = (parts[0], parts[1])
            let next = month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1)
            return days(from: (year, month, 1), to: next).map { [$0] } ?? []
        // A day without a year means this day in each year, from ten years ago to two years ahead.
        case 2: return (year - 10...year + 2).reversed().compactMap { day($0, parts[0], parts[1]) }
        case 3: return day(parts[0], parts[1], parts[2]).map { [$0] } ?? []
        default: return []
        }
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Days? {
        guard (1970...2199).contains(year), let first = CivilDate(year: year, month: month, day: day) else {
            return nil
        }
        return Days(first: first, next: CivilDate(daysSince1970: first.daysSince1970 + 1))
    }

    private static func days(from first: (Int, Int, Int), to next: (Int, Int, Int)) -> Days? {
        guard let first = CivilDate(year: first.0, month: first.1, day: first.2),
            let next = CivilDate(year: next.0, month: next.1, day: next.2)
        else { return nil }
        return Days(first: first, next: next)
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        (1...6).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }
}
