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
        let isOut = person.isOut(at: now)
        let isLate = person.attendee.status == .late && !isOut
        let wait = record.session.startsAt.since(now)
        let countdown: HTML? =
            wait > .zero
            ? "<p class=\"note show\" data-in=\"\(Int(wait.components.seconds))\"></p>"
            : nil
        return """
            <section class="pass\(isOut ? " out" : isLate ? " late" : "")\(isSlim ? " slim" : "")">
            <div class="tick" aria-hidden="true"><svg viewBox="0 0 24 24">\
            <path d="M5 12.5l4.5 4.5L19 7.5"/></svg></div>
            <\(heading) id="result">\
            \(title(isOut: isOut))</\(heading)>
            <p class="time">\(OwnPage.arrival(person.attendee, record, language))</p>
            \(facts.list(named: true))
            \(countdown)
            <p class="show">\(Phrase.Page.showToStaff.text(in: language))</p>
            <a class="button" href="\(OwnPage.calendarPath(of: person))">\
            \(Phrase.Page.addToCalendar.text(in: language))</a>
            </section>
            """
    }

    private func title(isOut: Bool) -> String {
        guard isOut, let leftAt = person.attendee.stays?.leftAt else {
            return Phrase.Page.youAreIn.text(in: language, ["name": person.name])
        }
        let time = PageMoment.clock(leftAt, in: person.record.meeting.timeZone)
        return Phrase.Page.youAreOut.text(in: language, ["name": person.name, "time": time])
    }
}

/// The form by which an attendee leaves the session or returns to it. Its button is the undo of the other
/// one.
struct PresenceForm {
    let person: OwnPage.Person
    let receipt: String
    let language: Language
    let now: Instant

    /// Returns nil if the attendee can do neither.
    func html() -> HTML? {
        let session = person.record.session
        guard session.checkOut == .phones, person.attendee.status.countsAsCheckedIn,
            !session.isOver(at: now)
        else { return nil }
        let isOut = person.attendee.isOutside
        let outlined: HTML? = isOut ? nil : " class=\"button\""
        return """
            <form class="card presence" method="post" action="\(OwnPage.recordPath(of: person))">
            <input type="hidden" name="receipt" value="\(receipt)">
            <input type="hidden" name="do" value="\(isOut ? Move.enterAgain.rawValue : Move.leave.rawValue)">
            <p class="note">\((isOut ? Phrase.Page.returnMeans : .Page.leaveMeans).text(in: language))</p>
            <button type="submit"\(outlined)>\
            \((isOut ? Phrase.Page.iAmBack : .Page.iAmLeaving).text(in: language))</button>
            <p class="note" role="status"></p>
            </form>
            """
    }
}

extension OwnPage.Person {
    /// Whether the attendee has left the session, which is not over.
    func isOut(at now: Instant) -> Bool {
        record.session.recordsLeaving && attendee.isOutside && !record.session.isOver(at: now)
    }
}
