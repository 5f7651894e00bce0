import HTTPServer
import Meetings
import Phrases

/// What attendees' pages tell of a session: its time with the time zone, the venue, the description and the
/// picture.
struct SessionFacts {
    let meeting: Meeting
    let session: Session
    let language: Language

    init(_ record: SessionRecord, in language: Language) {
        (meeting, session, self.language) = (record.meeting, record.session, language)
    }

    /// The longest description that is shown without a click.
    private static let shortDescription = 160

    /// Returns the time and the venue as a list.
    /// - Parameter named: whether the list begins with the name of the meeting.
    func list(named: Bool = false) -> HTML {
        let times = PageMoment.span(session.startsAt, session.endsAt, in: meeting.timeZone, language)
        let name: HTML? = named ? "\(fact(.Page.meeting, "\(meeting.name)"))" : nil
        let venue: HTML? = meeting.venue.isEmpty ? nil : fact(.Page.venue, "\(meeting.venue)")
        return """
            <dl class="facts">\(name)\(fact(.Page.when, "\(times)<small>\(zone)</small>"))\(venue)</dl>
            """
    }

    private func fact(_ name: Phrase, _ value: HTML) -> HTML {
        "<dt>\(name.text(in: language))</dt><dd>\(value)</dd>"
    }

    /// The time zone, such as "UTC+9 (Asia/Seoul)".
    private var zone: String {
        let minutes = meeting.timeZone.observance(at: session.startsAt).offsetAfter / 60
        let clock = minutes % 60 == 0 ? "" : ":\(abs(minutes % 60) < 10 ? "0" : "")\(abs(minutes % 60))"
        let offset = minutes == 0 ? "UTC" : "UTC\(minutes < 0 ? "−" : "+")\(abs(minutes / 60))\(clock)"
        let name = meeting.timeZone.name
        return Phrase.Page.zone.text(in: language, ["offset": offset, "name": name])
    }

    /// Returns the description; nil if there is none. A long one is folded.
    func description() -> HTML? {
        let text = meeting.description
        guard !text.isEmpty else { return nil }
        if text.count <= Self.shortDescription { return "<div class=\"about\"><p>\(text)</p></div>" }
        return """
            <details class="about"><summary>\(Phrase.Page.about.text(in: language))</summary>\
            <p>\(text)</p></details>
            """
    }

    /// Returns the picture. The browser loads it after everything else, and its place is as high as it can
    /// become, so that nothing moves.
    func picture() -> HTML {
        """
        <img class="picture" src="/me/\(session.id)/picture" alt="" loading="lazy" decoding="async">
        """
    }
}
