/// A meeting's sessions as a calendar (RFC 5545) that other programs read.
package enum MeetingCalendar {
    /// - Parameters:
    ///   - sessions: in any order; an event each. Ids are the sessions', so that an event stays itself when
    ///     it moves.
    ///   - title: of a round's event.
    ///   - now: when the calendar is made.
    package static func text(
        of meeting: Meeting, sessions: [Session], title: (Session) -> String, product: String, at now: Instant
    ) -> String {
        let zone = meeting.timeZone
        let sessions = sessions.sorted { ($0.startsAt, $0.round) < ($1.startsAt, $1.round) }
        var calendar = CalendarText()
        calendar.add("BEGIN", "VCALENDAR")
        calendar.add("VERSION", "2.0")
        calendar.add("PRODID", product)
        calendar.add("CALSCALE", "GREGORIAN")
        calendar.add("METHOD", "PUBLISH")
        calendar.add("X-WR-CALNAME", text: meeting.name)
        calendar.add("X-WR-TIMEZONE", zone.name)
        if zone != .utc, let first = sessions.first?.startsAt, let last = sessions.map(\.endsAt).max() {
            add(zone, from: first, to: last, to: &calendar)
        }
        for session in sessions {
            calendar.add("BEGIN", "VEVENT")
            calendar.add("UID", "\(session.id)@qring")
            calendar.add("DTSTAMP", now.calendarText)
            add("DTSTART", session.startsAt, in: zone, to: &calendar)
            add("DTEND", session.endsAt, in: zone, to: &calendar)
            calendar.add("SEQUENCE", String(session.version - 1))
            calendar.add("SUMMARY", text: title(session))
            calendar.add("LOCATION", text: meeting.place)
            calendar.add("DESCRIPTION", text: meeting.description)
            calendar.add("STATUS", "CONFIRMED")
            calendar.add("END", "VEVENT")
        }
        calendar.add("END", "VCALENDAR")
        return calendar.text
    }

    private static func add(_ name: String, _ moment: Instant, in zone: Zone, to calendar: inout CalendarText)
    {
        if zone == .utc {
            calendar.add(name, moment.calendarText)
        } else {
            calendar.add("\(name);TZID=\(zone.name)", moment.calendarText(in: zone))
        }
    }

    /// What holds a year before the first session, and every change from there until a year after the last
    /// (§3.6.5): rules for ever would claim to know what is not decided.
    private static func add(
        _ zone: Zone, from first: Instant, to last: Instant, to calendar: inout CalendarText
    ) {
        let year = Duration.hours(24 * 366)
        calendar.add("BEGIN", "VTIMEZONE")
        calendar.add("TZID", zone.name)
        for transition in [zone.observance(at: first - year)]
            + zone.transitions(from: first - year, to: last + year)
        {
            let kind = transition.isDaylight ? "DAYLIGHT" : "STANDARD"
            calendar.add("BEGIN", kind)
            // In the time that held before (§3.6.5).
            let local = transition.at + .seconds(transition.offsetBefore)
            calendar.add("DTSTART", String(local.calendarText.dropLast()))
            calendar.add("TZOFFSETFROM", offset(transition.offsetBefore))
            calendar.add("TZOFFSETTO", offset(transition.offsetAfter))
            calendar.add("TZNAME", text: transition.abbreviation)
            calendar.add("END", kind)
        }
        calendar.add("END", "VTIMEZONE")
    }

    /// `+0900`; with seconds where an old one has them (§3.3.14).
    private static func offset(_ seconds: Int) -> String {
        func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let size = abs(seconds)
        let rest = size % 60 == 0 ? "" : padded(size % 60)
        return "\(seconds < 0 ? "-" : "+")\(padded(size / 3600))\(padded(size / 60 % 60))\(rest)"
    }
}
