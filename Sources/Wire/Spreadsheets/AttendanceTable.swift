package import Meetings
package import Phrases

/// A session's attendance as CSV (RFC 4180).
package struct AttendanceTable: Sendable {
    private let language: Language
    private let zone: Zone
    private let sessionIsOver: Bool
    private let identifyBy: IdentifyBy
    private var lines: SpreadsheetLines

    package var bytes: [UInt8] { lines.bytes }

    /// Creates a table with its header in the caller's language.
    /// - Parameter byteOrderMark: whether the file begins with the mark by which Excel recognizes UTF-8.
    package init(
        _ session: Session, of meeting: Meeting, in language: Language, at now: Instant, byteOrderMark: Bool
    ) {
        self.language = language
        zone = meeting.timeZone
        sessionIsOver = session.isOver(at: now)
        lines = SpreadsheetLines(byteOrderMark: byteOrderMark)
        identifyBy = meeting.identifyBy
        let heads = [
            Phrase.Export.name, Phrase.Export.email, Phrase.Export.number, Phrase.Export.status,
            Phrase.Export.checkedInAt,
            Phrase.Export.method, Phrase.Export.walkIn, Phrase.Export.note, Phrase.Export.firstTimeHeading,
        ]
        lines.add(heads.map { $0.text(in: language) })
    }

    /// Adds a line for an attendee.
    /// - Parameter person: the attendee's roster entry; nil if the attendee is on no roster.
    package mutating func add(_ attendee: Attendee, person: Person? = nil) {
        let own = (
            email: identifyBy == .number ? "" : attendee.identity,
            number: identifyBy == .number ? attendee.identity : ""
        )
        let status = attendee.status.shown(sessionIsOver: sessionIsOver)
        lines.add([
            attendee.name, own.email.isEmpty ? person?.email ?? "" : own.email,
            own.number.isEmpty ? person?.number ?? "" : own.number,
            status.phrase.text(in: language),
            attendee.checkedInAt.map { "\(WallTime($0, in: zone).text):\($0.secondText)" } ?? "",
            attendee.method?.rawValue ?? "",
            attendee.walkIn ? Phrase.Export.yes.text(in: language) : "", attendee.note,
            attendee.firstTime ? Phrase.Export.yes.text(in: language) : "",
        ])
    }

    /// Adds a line for the people whom the planned number counts and no record names, unless there are none.
    package mutating func add(unnamed count: Int) {
        guard count > 0 else { return }
        let status: AttendanceStatus = sessionIsOver ? .absent : .awaited
        lines.add([
            Phrase.Export.unnamed.text(in: language, ["count": String(count)]), "", "",
            status.phrase.text(in: language), "", "", "", "", "",
        ])
    }
}

extension Instant {
    var secondText: String {
        let second = ((milliseconds % 60_000) + 60_000) % 60_000 / 1000
        return second < 10 ? "0\(second)" : "\(second)"
    }
}
