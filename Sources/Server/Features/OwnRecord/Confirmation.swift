import HTTPServer
import Journal
import Meetings
import Phrases

/// The confirmation of a check-in: a tick, the name, the time and the place. An attendee shows it to staff.
struct Confirmation {
    let person: OwnPage.Person
    let language: Language
    let now: Instant
    /// Whether the confirmation is only one line, because a poll is open.
    var isSlim = false
    /// The element of its heading: `h2` below the heading of a page.
    var heading = "h1"

    func html() -> HTML {
        let (record, facts) = (person.record, SessionFacts(person.record, in: language))
        let isLate = person.attendee.status == .late
        let wait = record.session.startsAt.since(now)
        let countdown: HTML? =
            wait > .zero
            ? "<p class=\"note show\" data-in=\"\(Int(wait.components.seconds))\"></p>"
            : nil
        return """
            <section class="pass\(isLate ? " late" : "")\(isSlim ? " slim" : "")">
            <div class="tick" aria-hidden="true"><svg viewBox="0 0 24 24">\
            <path d="M5 12.5l4.5 4.5L19 7.5"/></svg></div>
            <\(heading) id="result">\
            \(Phrase.Page.youAreIn.text(in: language, ["name": person.name]))</\(heading)>
            <p class="time">\(OwnPage.arrival(person.attendee, record, language))</p>
            \(facts.list(named: true))
            \(countdown)
            <p class="show">\(Phrase.Page.showToStaff.text(in: language))</p>
            <a class="button" href="\(OwnPage.calendarPath(of: person))">\
            \(Phrase.Page.addToCalendar.text(in: language))</a>
            </section>
            """
    }
}
