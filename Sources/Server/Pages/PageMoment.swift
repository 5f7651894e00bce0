import Meetings
import Phrases

/// Formats times for people, in the meeting's time zone.
enum PageMoment {
    /// Returns the day and the time: "Sun, 22 November 2026, 19:00".
    static func text(_ moment: Instant, in zone: Zone, _ language: Language) -> String {
        Phrase.Page.dayAndTime.text(in: language, parts(moment, in: zone, language))
    }

    private static func parts(_ moment: Instant, in zone: Zone, _ language: Language) -> [String: String] {
        let date = WallTime(moment, in: zone).date
        return [
            // 1 January 1970 was a Thursday.
            "weekday": Phrase.Page.weekdays[Int((date.daysSince1970 % 7 + 11) % 7)].text(in: language),
            "day": String(date.day), "month": Phrase.Page.months[date.month - 1].text(in: language),
            "year": String(date.year), "time": clock(moment, in: zone),
        ]
    }

    /// Returns the start and the end of a session. The end includes its day only if that is not the start's
    /// day.
    static func span(_ start: Instant, _ end: Instant, in zone: Zone, _ language: Language) -> String {
        guard WallTime(start, in: zone).date == WallTime(end, in: zone).date else {
            return "\(text(start, in: zone, language)) – \(text(end, in: zone, language))"
        }
        var values = parts(start, in: zone, language)
        values["end"] = clock(end, in: zone)
        return Phrase.Page.dayAndTimes.text(in: language, values)
    }

    /// Returns the time: "19:00".
    static func clock(_ moment: Instant, in zone: Zone) -> String {
        String(WallTime(moment, in: zone).text.suffix(5))
    }
}
