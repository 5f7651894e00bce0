import Meetings
import Outbound
import Phrases
import Wire

/// The text and the calendar entry of a mail to a person of a roster.
struct Announcement {
    let session: AnnouncedSession
    private let mail: OutgoingMail
    private let language: Language
    private let origin: String

    /// Returns nil if the mail is not about a session, or if nobody knows the session any more.
    init?(
        _ mail: OutgoingMail, about session: AnnouncedSession?, in language: Language, origin: String
    ) {
        if case .cancelled(let deleted) = mail.content {
            self.session = deleted
        } else {
            guard let session else { return nil }
            self.session = session
        }
        (self.mail, self.language, self.origin) = (mail, language, origin)
    }

    private typealias Texts = Phrase.Mail

    var subject: String {
        switch mail.content {
        case .moved: text(Texts.movedSubject)
        case .cancelled: text(Texts.cancelledSubject)
        case .feedbackOpen: text(Texts.feedbackSubject)
        case .checkedInElsewhere: text(Texts.elsewhereSubject)
        default: text(Texts.reminderSubject)
        }
    }

    var parts: [MailText.Part] {
        switch mail.content {
        case .reminder: return [.paragraph(text(Texts.reminder))] + facts
        case .moved: return [.paragraph(text(Texts.moved))] + facts
        case .cancelled: return [.paragraph(text(Texts.cancelled))] + facts
        case .feedbackOpen(let end):
            return [
                .paragraph(text(Texts.feedback, at: end)),
                .link(label: text(Texts.feedbackLink), url: "\(origin)/me/\(session.session)"),
            ]
        case .checkedInElsewhere(let checkedInAt, let triedAt):
            return [
                .paragraph(
                    Texts.elsewhere.text(
                        in: language,
                        [
                            "time": PageMoment.clock(checkedInAt, in: session.zone),
                            "again": PageMoment.clock(triedAt, in: session.zone),
                        ])), .paragraph(text(Texts.elsewhereMeans)),
            ] + facts
        case .verification, .passwordReset, .phoneCode, .invitation, .push, .hook, .hookDisabled, .absences,
            .certificate, .replyConfirmation, .reply:
            return []
        }
    }

    /// Returns the calendar entry; nil for mails that change nothing in a calendar.
    func calendar(from organizer: String, to attendee: String, at now: Instant) -> MailMessage.Calendar? {
        let isCancelled: Bool
        switch mail.content {
        case .reminder, .moved: isCancelled = false
        case .cancelled: isCancelled = true
        default: return nil
        }
        return MailMessage.Calendar(
            method: isCancelled ? "CANCEL" : "REQUEST",
            text: MeetingCalendar.message(
                about: session, from: organizer, to: attendee,
                title: Texts.calendarTitle.text(
                    in: language, ["name": session.meetingName, "round": String(session.round)]),
                product: "-//QRing//\(ProductVersion.text)//EN", isCancelled: isCancelled, at: now))
    }

    /// The name of the session, its time with the time zone, and the venue.
    var facts: [MailText.Part] {
        let times = PageMoment.span(session.startsAt, session.endsAt, in: session.zone, language)
        let when = Texts.when.text(in: language, ["time": times, "zone": session.timeZone])
        let place = Texts.whereItIs.text(in: language, ["place": session.venue])
        return [.paragraph(when)] + (session.venue.isEmpty ? [] : [.paragraph(place)])
    }

    func text(_ phrase: Phrase, at moment: Instant? = nil) -> String {
        phrase.text(
            in: language,
            [
                "name": session.fullTitle,
                "time": PageMoment.text(moment ?? session.startsAt, in: session.zone, language),
            ])
    }
}
