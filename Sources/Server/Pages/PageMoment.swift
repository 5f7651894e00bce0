import Meetings
import Phrases

/// Formats times for people, in the meeting's time zone.
enum PageMoment {
    /// Returns the day and the time: "Sun, 22 November 2026, 19:00".
    static func text(_ moment: Instant, in zone: Zone, _ language: Language) -> String {
        let wall = WallTime(moment, in: zone)
        return Phrase.Page.dayAndTime.text(
            in: language,
            [
                // 1 January 1970 was a Thursday.
                "weekday": Phrase.Page.weekdays[Int((wall.date.daysSince1970 % 7 + 11) % 7)].text(
                    in: language),
                "day": String(wall.date.day),
                "month": Phrase.Page.months[wall.date.month - 1].text(in: language),
                "year": String(wall.date.year), "time": clock(moment, in: zone),
            ])
    }

    /// Returns the start and the end of a session. The end includes its day only if that is not the start's
    /// day.
    static func span(_ start: Instant, _ end: Instant, in zone: Zone, _ language: Language) -> String {
        let isOneDay = WallTime(start, in: zone).date == WallTime(end, in: zone).date
        return
            "\(text(start, in: zone, language)) – "
            + "\(isOneDay ? clock(end, in: zone) : text(end, in: zone, language))"
    }

    /// Returns the time: "19:00".
    static func clock(_ moment: Instant, in zone: Zone) -> String {
        String(WallTime(moment, in: zone).text.suffix(5))
    }
}
