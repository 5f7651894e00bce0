package import Meetings
import Phrases

/// A session's attendance as CSV.
package struct AttendanceTable: Sendable {
    private struct Line: Sendable {
        let name: String
        var email = ""
        var number = ""
        let status: AttendanceStatus
        var attendee: Attendee?
        var presence: PresenceTime?
    }

    private let form: TableForm
    private let session: Session
    private let now: Instant
    private var sessionIsOver: Bool { session.isOver(at: now) }
    private let identifyBy: IdentifyBy
    private var table: SpreadsheetTable<Line>

    package var bytes: [UInt8] { table.bytes }

    /// - Parameter hasConsents: whether the meeting has had texts to agree to. The table then has a column
    ///   with the number of the text that each attendee agreed to.
    package init(
        _ session: Session, of meeting: Meeting, _ form: TableForm, hasConsents: Bool = false, at now: Instant
    ) {
        self.form = form
        (self.session, self.now) = (session, now)
        identifyBy = meeting.identifyBy
        var columns = Self.columns(form, meeting.timeZone)
        if hasConsents { columns.append(Self.consent(form)) }
        if session.recordsLeaving { columns += Self.presence(form, meeting.timeZone) }
        table = SpreadsheetTable(form, columns)
    }

    private static func columns(_ form: TableForm, _ zone: Zone) -> [TableColumn<Line>] {
        [
            .init("name", form.word(Phrase.Export.name)) { .text($0.name) },
            .init("email", form.word(Phrase.Export.email)) { .text($0.email) },
            .init("number", form.word(Phrase.Export.number)) { .text($0.number) },
            .init("status", form.word(Phrase.Export.status)) { .text(form.word($0.status.phrase)) },
            .init("checkedInAt", form.word(Phrase.Export.checkedInAt)) {
                .text(
                    $0.attendee?.checkedInAt.map { "\(WallTime($0, in: zone).text):\($0.secondText)" } ?? "")
            },
            .init("method", form.word(Phrase.Export.method)) { .text($0.attendee?.method?.rawValue ?? "") },
            .init("walkIn", form.word(Phrase.Export.walkIn)) { form.yes($0.attendee?.walkIn ?? false) },
            .init("note", form.word(Phrase.Export.note)) { .text($0.attendee?.note ?? "") },
            .init("firstTime", form.word(Phrase.Export.firstTimeHeading)) {
                form.yes($0.attendee?.firstTime ?? false)
            },
        ]
    }

    private static func consent(_ form: TableForm) -> TableColumn<Line> {
        .init("consentNumber", form.word(Phrase.Export.consent)) {
            .text($0.attendee?.consentNumber.map(String.init) ?? "")
        }
    }

    private static func presence(_ form: TableForm, _ zone: Zone) -> [TableColumn<Line>] {
        [
            .init("leftAt", form.word(Phrase.Export.leftHeading)) {
                .text($0.presence?.leftAt.map { "\(WallTime($0, in: zone).text):\($0.secondText)" } ?? "")
            },
            .init("presentMinutes", form.word(Phrase.Export.minutesHeading)) {
                $0.presence.map { .number(String($0.minutes)) } ?? .text("")
            },
            .init("partial", form.word(Phrase.Export.partialHeading)) {
                form.yes($0.presence?.isPartial ?? false)
            },
        ]
    }

    /// Adds a line for an attendee.
    /// - Parameter person: the attendee's roster entry; nil if the attendee is on no roster.
    package mutating func add(_ attendee: Attendee, person: Person? = nil) {
        let own = (
            email: identifyBy == .number ? "" : attendee.identity,
            number: identifyBy == .number ? attendee.identity : ""
        )
        table.add(
            Line(
                name: attendee.name, email: own.email.isEmpty ? person?.email ?? "" : own.email,
                number: own.number.isEmpty ? person?.number ?? "" : own.number,
                status: attendee.status.shown(sessionIsOver: sessionIsOver), attendee: attendee,
                presence: attendee.presence(in: session, at: now)))
    }

    /// Adds a line for the people whom the planned number counts and no record names, unless there are none.
    package mutating func add(unnamed count: Int) {
        guard count > 0 else { return }
        table.add(
            Line(
                name: Phrase.Export.unnamed.text(in: form.language, ["count": String(count)]),
                status: sessionIsOver ? .absent : .awaited))
    }
}

extension Instant {
    var secondText: String {
        let second = ((milliseconds % 60_000) + 60_000) % 60_000 / 1000
        return second < 10 ? "0\(second)" : "\(second)"
    }
}
