internal import CommandLine
package import Meetings

/// Reads a moment as people write it, in a time zone: `now`, `+2h`, `19:00`, `7pm`, `tomorrow 7pm`, `Fri
/// 19:00`, `2026-11-21 19:00`, RFC 3339; `지금`, `내일 오후 7시`. The day may also follow the time.
package enum WhenText {
    /// Words without meaning between the day and the time.
    private static let fillers: Set<String> = ["at", "on"]
    /// If a start would be longer ago than this, the user means a later day. Six hours allow for a host who
    /// starts late.
    package static let longAgo = Duration.seconds(6 * 3600)

    /// Reads a start. A time without a day means today. If that is more than six hours ago, it means
    /// tomorrow. A weekday's time that is more than six hours ago means the next week.
    package static func start(_ text: String, now: Instant, in zone: Zone) -> Instant? {
        switch read(text) {
        case .now: return now.wholeSecond
        case .later(let duration), .fromNow(let duration): return (now + duration).wholeSecond
        case .instant(let instant): return instant
        case .wall(let day, let clock):
            let today = WallTime(now, in: zone).date
            func isOver(_ date: CivilDate) -> Bool {
                moment(date, clock, zone).map { now.since($0) > longAgo } ?? false
            }
            let date =
                day.map { $0.date(today: today, isOver: isOver) } ?? (isOver(today) ? today.next : today)
            return date.flatMap { moment($0, clock, zone) }
        case nil: return nil
        }
    }

    /// Reads the new start of a session that moves. A time without a day stays on the session's day, and
    /// `+10m` is added to the old start.
    package static func moved(_ text: String, from start: Instant, now: Instant, in zone: Zone) -> Instant? {
        switch read(text) {
        case .later(let duration): start + duration
        case .wall(nil, let clock): moment(WallTime(start, in: zone).date, clock, zone)
        default: self.start(text, now: now, in: zone)
        }
    }

    /// Reads an end. A time without a day is on the start's day; if it would not follow the start, it is on
    /// the next day. `+2h` is added to `base`.
    package static func end(
        _ text: String, startsAt: Instant, from base: Instant, now: Instant, in zone: Zone
    ) -> Instant? {
        switch read(text) {
        case .later(let duration): return base + duration
        case .wall(nil, let clock):
            let day = WallTime(startsAt, in: zone).date
            return moment(day, clock, zone).flatMap { $0 > startsAt ? $0 : moment(day.next, clock, zone) }
        default: return start(text, now: now, in: zone)
        }
    }

    /// Whether the text has the form of a time. Clocks may still skip it on its day.
    package static func isReadable(_ text: String) -> Bool { read(text) != nil }

    /// Whether clocks skip the time of the text on its day, so that it was read as the later `moment`.
    package static func isSkipped(_ text: String, readAs moment: Instant, in zone: Zone) -> Bool {
        guard case .wall(_, let clock) = read(text) else { return false }
        let day = WallTime(moment, in: zone).date
        return WallTime(date: day, hour: clock.hour, minute: clock.minute) != WallTime(moment, in: zone)
    }

    /// Whether the text is a time without a day, such as `19:00`.
    package static func isTimeAlone(_ text: String) -> Bool {
        if case .wall(nil, _) = read(text) { true } else { false }
    }

    package static func isNow(_ text: String) -> Bool { if case .now = read(text) { true } else { false } }

    private enum Reading {
        case now
        /// `+2h`, which counts from the time that is changed, or else from now.
        case later(Duration)
        /// `in 2 hours`
        case fromNow(Duration)
        case instant(Instant)
        case wall(DayText?, ClockText)
    }

    private static func read(_ text: String) -> Reading? {
        let text = text.lowercased().trimmed
        if ["now", "지금"].contains(text) { return .now }
        if text.hasPrefix("+") { return DurationText.read(String(text.dropFirst())).map { .later($0) } }
        if text.hasPrefix("in ") { return duration(inWords: text.dropFirst(3)).map { .fromNow($0) } }
        for end in [" 뒤", " 후"] where text.hasSuffix(end) {
            return DurationText.read(String(text.dropLast(end.count))).map { .fromNow($0) }
        }
        // "tonight 8pm" means today; "tonight" alone has no time.
        if text.hasPrefix("tonight ") { return read("today " + text.dropFirst(8)) }
        if let instant = Instant(rfc3339: text) { return .instant(instant) }
        // ISO 8601 has a T between date and time; no other form has a T after a date.
        let isISO =
            text.utf8.count > 10 && Array(text.utf8)[10] == UInt8(ascii: "t")
            && CivilDate(String(text.prefix(10))) != nil
        let words =
            (isISO
            ? [String(text.prefix(10)), String(text.dropFirst(11))]
            : text.split { $0 == " " || $0 == "," }.map(String.init))
            .filter { !fillers.contains($0) }
        guard (1...6).contains(words.count) else { return nil }
        if let clock = ClockText(words) { return .wall(nil, clock) }
        for split in 1..<max(1, words.count) {
            let (first, second) = (words[..<split], words[split...])
            if let day = DayText(first), let clock = ClockText(second) { return .wall(day, clock) }
            if let clock = ClockText(first), let day = DayText(second) { return .wall(day, clock) }
        }
        return nil
    }

    /// Reads a duration with English words: `2 hours`, `an hour`, `1 hour and 30 minutes`.
    private static func duration(inWords text: Substring) -> Duration? {
        let words = text.split { " ,".contains($0) }.map { word in
            switch word {
            case "a", "an": "1"
            case "hour", "hours", "hr", "hrs": "h"
            case "minute", "minutes", "mins": "m"
            case "second", "seconds": "s"
            case "day", "days": "d"
            default: String(word)
            }
        }
        return DurationText.read(words.filter { $0 != "and" }.joined())
    }

    private static func moment(_ date: CivilDate, _ clock: ClockText, _ zone: Zone) -> Instant? {
        WallTime(date: date, hour: clock.hour, minute: clock.minute)?.instant(in: zone)
    }
}

extension CivilDate {
    fileprivate var next: CivilDate { CivilDate(daysSince1970: daysSince1970 + 1) }
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
