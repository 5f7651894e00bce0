internal import Meetings
internal import Phrases
internal import RecordText
internal import Wire

// What a host does at the end of a session: results, files, the next session.

extension SessionState {
    var isOver: Bool { [.ended, .closed].contains(body.phase) }
}

extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    /// The time for which the last row says that the session is over.
    static let offerShows = Duration.seconds(60)

    /// Whether the last row may offer results, files and the next session. A notice, for example about the
    /// action that ended the session, is drawn instead.
    var offersAfterwards: Bool {
        guard let session, let until = session.offersAfterwardsUntil else { return false }
        return session.isOver && now < until
    }

    /// The first entries of the palette after the session. A command that writes something first stands in
    /// the search, so that the host sees and can change it.
    var afterwards: [Palette.Entry] {
        guard let session, session.isOver, !commands.verbs.isEmpty else { return [] }
        let body = session.body
        let start = WallTime(body.startsAt, in: session.zone)
        let day = start.date.text
        let minutes = body.endsAt.since(body.startsAt).wholeMilliseconds / 60_000
        let nextDay = CivilDate(daysSince1970: start.date.daysSince1970 + 7).text
        let clock = String(body.startsAt.clock(in: session.zone).prefix(5))
        // A day can have several sessions.
        let file = "\(day)-\(clock.filter(\.isNumber)).csv"
        let next = "meeting continue @ --starts \"\(nextDay) \(clock)\" --for \(minutes)m "
        let offers: [(Phrase, Palette.Item, String)] = [
            (Messages.offerResults, .line("results @"), "results @"),
            (
                Messages.offerAnswers, .beginning("results @ --output results-\(file) "),
                "results-\(file)"
            ),
            (
                Messages.offerAttendance, .beginning("attendee export @ --output attendance-\(file) "),
                "attendance-\(file)"
            ),
            (Messages.offerNextWeek, .beginning(next), "\(nextDay) \(clock)"),
            (Messages.offerAbsences, .line("meeting absences @"), "meeting absences @"),
        ]
        return offers.map { said, item, detail in
            Palette.Entry(item: item, text: said.text(in: language), detail: detail)
        }
    }
}

extension CommandPhrases.Dashboard {
    static let offersAfterwards = Phrase(
        "The session is over, the hall's screen says thanks. : has results, files, next week")
    static let offerResults = Phrase("After the session: the results")
    static let offerAnswers = Phrase("After the session: save the answers as CSV")
    static let offerAttendance = Phrase("After the session: save the attendance as CSV")
    static let offerAbsences = Phrase("After the session: absences of the meeting's people")
    static let offerNextWeek = Phrase("After the session: meet again next week")
}
