package import Meetings
package import Phrases

/// A session's attendance as a file of text in columns (RFC 4180).
package struct AttendanceTable: Sendable {
    private let language: Language
    private let zone: Zone
    private let sessionIsOver: Bool
    private var lines: SpreadsheetLines

    package var bytes: [UInt8] { lines.bytes }

    /// With the header, in the caller's language.
    /// - Parameter byteOrderMark: by which a Korean Excel knows that the file is UTF-8.
    package init(_ session: Session, of meeting: Meeting, in language: Language, at now: Instant, byteOrderMark: Bool) {
        self.language = language
        zone = meeting.timeZone
        sessionIsOver = session.isOver(at: now)
        lines = SpreadsheetLines(byteOrderMark: byteOrderMark)
        let identity: Phrase =
            switch meeting.identifyBy {
            case .email, .name: Phrase.Export.email
            case .number: Phrase.Export.number
            }
        let heads = [
            Phrase.Export.name, identity, Phrase.Export.status, Phrase.Export.checkedInAt, Phrase.Export.method, Phrase.Export.walkIn,
        ]
        lines.add(heads.map { $0.text(in: language) })
    }

    package mutating func add(_ attendee: Attendee) {
        let status = attendee.status.shown(sessionIsOver: sessionIsOver)
        lines.add([
            attendee.name, attendee.identity, status.exportPhrase.text(in: language),
            attendee.checkedInAt.map { "\(WallTime($0, in: zone).text):\($0.secondText)" } ?? "", attendee.method?.rawValue ?? "",
            attendee.walkIn ? Phrase.Export.yes.text(in: language) : "",
        ])
    }
}

extension Instant {
    var secondText: String {
        let second = ((milliseconds % 60_000) + 60_000) % 60_000 / 1000
        return second < 10 ? "0\(second)" : "\(second)"
    }
}

extension AttendanceStatus {
    /// As exported files and sheets say it.
    package var exportPhrase: Phrase {
        switch self {
        case .awaited: Phrase.Export.awaited
        case .present: Phrase.Export.present
        case .late: Phrase.Export.late
        case .absent: Phrase.Export.absent
        case .excused: Phrase.Export.excused
        }
    }
}
