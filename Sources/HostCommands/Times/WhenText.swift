package import Meetings

/// Moments as people write them, read in a zone: `now`, `+2h`, `19:00`, `tomorrow 19:00`, `2026-11-21 19:00`, RFC 3339; `지금`, `내일 19:00`.
package enum WhenText {
    /// A start. A time alone is today's, unless that is more than six hours ago: then it is tomorrow's.
    package static func start(_ text: String, now: Instant, in zone: Zone) -> Instant? {
        switch read(text) {
        case .now: now.wholeSecond
        case .later(let duration): (now + duration).wholeSecond
        case .instant(let instant): instant
        case .wall(let day, let hour, let minute):
            switch day {
            case .date(let date): WallTime(date: date, hour: hour, minute: minute)?.instant(in: zone)
            case .offset(let days): on(days, from: now, hour, minute, zone)
            case .none:
                on(0, from: now, hour, minute, zone).flatMap {
                    now.since($0) > .seconds(6 * 3600) ? on(1, from: now, hour, minute, zone) : $0
                }
            }
        case nil: nil
        }
    }

    /// An end. A time alone is on the start's day, or on the next where it would not come after the start; `+2h` is counted from `base`.
    package static func end(_ text: String, startsAt: Instant, from base: Instant, now: Instant, in zone: Zone) -> Instant? {
        switch read(text) {
        case .later(let duration): base + duration
        case .wall(.none, let hour, let minute):
            on(0, from: startsAt, hour, minute, zone).flatMap { $0 > startsAt ? $0 : on(1, from: startsAt, hour, minute, zone) }
        default: start(text, now: now, in: zone)
        }
    }

    private enum Reading {
        case now
        case later(Duration)
        case instant(Instant)
        case wall(Day?, hour: Int, minute: Int)
    }

    private enum Day {
        case date(CivilDate)
        /// Days from today.
        case offset(Int64)
    }

    private static func read(_ text: String) -> Reading? {
        let text = text.lowercased().trimmed
        if ["now", "지금"].contains(text) { return .now }
        if text.hasPrefix("+") { return DurationText.read(String(text.dropFirst())).map { .later($0) } }
        if let instant = Instant(rfc3339: text) { return .instant(instant) }
        // The T of ISO 8601 may stand between date and time; no day's name has one before a digit.
        let isISO = text.utf8.count > 10 && Array(text.utf8)[10] == UInt8(ascii: "t")
        let words = isISO ? [String(text.prefix(10)), String(text.dropFirst(11))] : text.split(separator: " ").map(String.init)
        guard let last = words.last, words.count <= 2, let (hour, minute) = clock(last) else { return nil }
        guard words.count == 2 else { return .wall(nil, hour: hour, minute: minute) }
        return day(words[0]).map { .wall($0, hour: hour, minute: minute) }
    }

    private static func day(_ word: String) -> Day? {
        switch word {
        case "today", "오늘": .offset(0)
        case "tomorrow", "내일": .offset(1)
        case "모레": .offset(2)
        default: CivilDate(word).map { .date($0) }
        }
    }

    private static func clock(_ word: String) -> (Int, Int)? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let hour = Int(parts[0]), let minute = Int(parts[1]),
            hour < 24, minute < 60
        else { return nil }
        return (hour, minute)
    }

    private static func on(_ days: Int64, from moment: Instant, _ hour: Int, _ minute: Int, _ zone: Zone) -> Instant? {
        let date = CivilDate(daysSince1970: WallTime(moment, in: zone).date.daysSince1970 + days)
        return WallTime(date: date, hour: hour, minute: minute)?.instant(in: zone)
    }
}

extension Instant {
    var wholeSecond: Instant { Instant(milliseconds: milliseconds - milliseconds % 1000) }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
