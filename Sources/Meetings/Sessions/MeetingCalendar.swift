/// Writes a meeting's sessions as an iCalendar file (RFC 5545). Calendar programs can subscribe to this file.
package enum MeetingCalendar {
    /// Returns the calendar's text.
    /// - Parameters:
    ///   - sessions: the sessions, in any order. Each session becomes one event. The event's UID is the
    ///     session's id, so that a session whose times change remains the same event.
    ///   - title: returns the title of a session's event.
    ///   - product: the value of `PRODID`.
    ///   - now: the moment at which the calendar is made.
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
            calendar.add("LOCATION", text: meeting.venue)
            calendar.add("DESCRIPTION", text: meeting.description)
            calendar.add("STATUS", "CONFIRMED")
            calendar.add("END", "VEVENT")
        }
        calendar.add("END", "VCALENDAR")
        return calendar.text
    }

    /// Returns the entry of one session as a message to one person (iTIP, RFC 5546 §3.2). The person need not
    /// answer.
    /// - Parameters:
    ///   - organizer: the e-mail address of the sender.
    ///   - isCancelled: whether the session does not take place. Calendars then remove the entry.
    package static func message(
        about announced: AnnouncedSession, from organizer: String, to attendee: String, title: String,
        product: String, isCancelled: Bool, at now: Instant
    ) -> String {
        let zone = announced.zone
        var calendar = CalendarText()
        calendar.add("BEGIN", "VCALENDAR")
        calendar.add("VERSION", "2.0")
        calendar.add("PRODID", product)
        calendar.add("CALSCALE", "GREGORIAN")
        calendar.add("METHOD", isCancelled ? "CANCEL" : "REQUEST")
        if zone != .utc { add(zone, from: announced.startsAt, to: announced.endsAt, to: &calendar) }
        calendar.add("BEGIN", "VEVENT")
        calendar.add("UID", "\(announced.session)@qring")
        calendar.add("DTSTAMP", now.calendarText)
        calendar.add("ORGANIZER;CN=QRing", "mailto:\(organizer)")
        calendar.add("ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=FALSE", "mailto:\(attendee)")
        add("DTSTART", announced.startsAt, in: zone, to: &calendar)
        add("DTEND", announced.endsAt, in: zone, to: &calendar)
        // A deletion is one more change.
        calendar.add("SEQUENCE", String(announced.sequence + (isCancelled ? 1 : 0)))
        calendar.add("SUMMARY", text: title)
        calendar.add("LOCATION", text: announced.venue)
        calendar.add("STATUS", isCancelled ? "CANCELLED" : "CONFIRMED")
        calendar.add("END", "VEVENT")
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

    /// Adds the zone's offset one year before the first session, and every change of the offset until one
    /// year after the last session (RFC 5545 §3.6.5). A rule without an end would contain changes that no
    /// government has decided.
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
            // DTSTART is the local time by the offset before the change (RFC 5545 §3.6.5).
            let local = transition.at + .seconds(transition.offsetBefore)
            calendar.add("DTSTART", String(local.calendarText.dropLast()))
            calendar.add("TZOFFSETFROM", offset(transition.offsetBefore))
            calendar.add("TZOFFSETTO", offset(transition.offsetAfter))
            calendar.add("TZNAME", text: transition.abbreviation)
            calendar.add("END", kind)
        }
        calendar.add("END", "VTIMEZONE")
    }

    /// Returns an offset such as `+0900`. The text includes seconds only if the offset has seconds, as some
    /// old offsets do (RFC 5545 §3.3.14).
    private static func offset(_ seconds: Int) -> String {
        func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let size = abs(seconds)
        let rest = size % 60 == 0 ? "" : padded(size % 60)
        return "\(seconds < 0 ? "-" : "+")\(padded(size / 3600))\(padded(size / 60 % 60))\(rest)"
    }
}

/// Writes content lines (RFC 5545 §3.1). Each line ends with CRLF, and a line of more than 75 octets is
/// folded.
package struct CalendarText: Sendable {
    /// The lines that have been added.
    package private(set) var text = ""

    package init() {}

    /// Adds a line without escaping `value`. It is for dates, offsets and constants.
    package mutating func add(_ name: String, _ value: String) { append("\(name):\(value)") }

    /// Adds a line with an escaped text that a person wrote (RFC 5545 §3.3.11). Adds nothing if the text is
    /// empty.
    package mutating func add(_ name: String, text value: String) {
        if !value.isEmpty { append("\(name):\(Self.escaped(value))") }
    }

    /// Returns the text with `\`, `;`, `,` and line feeds escaped, and without other control characters.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case ";": escaped += "\\;"
            case ",": escaped += "\\,"
            case "\n": escaped += "\\n"
            // Omit the control characters that the grammar excludes (RFC 5545 §3.1), including the CR of a
            // CRLF.
            case let control where control.value < 32 && control != "\t" || control.value == 127: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Adds a line and folds it if it is too long. A folded line continues after CRLF and one space, which
    /// counts as an octet. Lines are folded between characters, so that each part is readable without the
    /// others.
    private mutating func append(_ line: String) {
        var octets = 0
        for character in line {
            let width = character.utf8.count
            if width > 74 {
                // This character is longer than a whole line, so fold it between its scalars.
                for scalar in character.unicodeScalars { place(String(scalar), &octets) }
            } else {
                place(String(character), &octets)
            }
        }
        text += "\r\n"
    }

    private mutating func place(_ piece: String, _ octets: inout Int) {
        let width = piece.utf8.count
        if octets + width > 75 {
            text += "\r\n "
            octets = 1
        }
        text += piece
        octets += width
    }
}

extension WallTime {
    /// The date and time in iCalendar's form, such as `20261121T190000`.
    package var calendarText: String {
        func padded(_ value: Int, _ digits: Int = 2) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let day = padded(date.year, 4) + padded(date.month) + padded(date.day)
        return "\(day)T\(padded(hour))\(padded(minute))00"
    }
}

extension Instant {
    /// The moment in UTC in iCalendar's form, such as `20261121T100000Z`.
    package var calendarText: String {
        let wall = WallTime(self, in: .utc).calendarText
        let second = (milliseconds - floorDivide(milliseconds, 60_000) * 60_000) / 1000
        return "\(wall.dropLast(2))\(second < 10 ? "0" : "")\(second)Z"
    }

    /// Returns the local time in `zone` in iCalendar's form, to the second.
    package func calendarText(in zone: Zone) -> String {
        let second = (milliseconds - floorDivide(milliseconds, 60_000) * 60_000) / 1000
        return "\(WallTime(self, in: zone).calendarText.dropLast(2))\(second < 10 ? "0" : "")\(second)"
    }
}
