import Journal
import Meetings
import Phrases
import Synchronization

/// Looks for the people who newly meet a meeting's absence rule in a session that has ended, and queues the
/// mails to its hosts. It runs in a task of its own. It reads parts of the roster on a thread for scans, and
/// writes one short transaction for each session, so that no check-in waits.
final class AbsencePass: Sendable {
    private struct State {
        var next = Instant(milliseconds: 0)
        /// The sessions whose mails wait for the daily limit of an owner, each with its next attempt.
        var limited: [SessionID: Instant] = [:]
    }

    /// The time between two passes. A mail is late by this time at most, if no other session is in front.
    private static let interval = Duration.seconds(10)
    /// The most sessions of a pass. The next pass continues with the others.
    private static let mostSessions = 50
    /// The most people whom one scan looks at.
    private static let mostPeople = 100

    private let services: Services
    private let state = Mutex(State())
    private let work = SingleTask()

    init(_ services: Services) { self.services = services }

    /// Begins a pass if one is due and none is running. The server calls it once a second.
    func tick(at now: Instant) {
        work.begin {
            state.withLock { state in
                guard state.next <= now else { return false }
                state.next = now + Self.interval
                state.limited = state.limited.filter { $0.value > now }
                return true
            }
        } _: {
            await self.run(at: now)
        }
    }

    /// Looks at no more people, and returns when the present part has ended.
    func drain() async { await work.drain() }

    private func run(at now: Instant) async {
        do throws(JournalError) {
            var (last, handled): (SessionToMail?, Int) = (nil, 0)
            var page: [SessionToMail] = []
            // Sessions that wait are left out, so that they do not delay the sessions behind them.
            repeat {
                page = try await services.storage.read { [last] rows throws(JournalError) in
                    try rows.sessionsToMail(
                        .absences, in: Mailing.Kind.absences.due(at: now), after: last,
                        limit: Self.mostSessions)
                }
                last = page.last
                for session in page where handled < Self.mostSessions {
                    if state.withLock({ $0.limited[session.id] != nil }) { continue }
                    guard let found = try await look(in: session.id) else { return }
                    switch try await services.storage.perform(MailAbsences(in: session.id, of: found)) {
                    case .limited:
                        state.withLock { $0.limited[session.id] = now.startOfHour + .hours(1) }
                    case .done, .unfinished: handled += 1
                    case .busy: break
                    }
                }
            } while page.count == Self.mostSessions && handled < Self.mostSessions
        } catch {
            services.log.noteRetry("mails about absences could not be queued", after: error)
        }
    }

    /// Returns the people who newly meet the rule in the session; nil if the server stops meanwhile.
    private func look(in session: SessionID) async throws(JournalError) -> NewAbsences? {
        var (found, position): (NewAbsences, RosterPosition?) = (NewAbsences(), nil)
        repeat {
            guard !work.isStopped else { return nil }
            let (soFar, place) = (found, position)
            (found, position) = try await services.storage.scan { rows throws(JournalError) in
                var found = soFar
                guard let record = try rows.session(session) else { return (found, nil) }
                let next = try rows.addNewAbsences(
                    in: record, after: place, limit: Self.mostPeople, to: &found)
                return (found, next)
            }
        } while position != nil
        return found
    }
}

/// The text of a mail to a host about absences.
struct AbsenceMail {
    private let found: NewAbsences
    private let names: [PersonID: String]
    private let session: AnnouncedSession?
    private let link: String
    private let language: Language

    /// - Parameters:
    ///   - names: the present names. People without one are left out.
    ///   - session: the session in which the people met the rule.
    init(
        about found: NewAbsences, _ names: [PersonID: String], in session: AnnouncedSession?, link: String,
        _ language: Language
    ) {
        (self.found, self.names, self.session) = (found, names, session)
        (self.link, self.language) = (link, language)
    }

    var text: (subject: String, parts: [MailText.Part]) {
        typealias Texts = Phrase.Mail
        let people = found.people.compactMap { person in names[person.id].map { (person, $0) } }
        let values = [
            "name": session?.meetingName ?? "QRing", "count": String(people.count + found.more),
            "time": session.map { PageMoment.text($0.startsAt, in: $0.zone, language) } ?? "",
        ]
        let lines = people.map { person, name in
            Texts.absent.text(
                in: language, ["name": name, "row": String(person.inARow), "all": String(person.inAll)])
        }
        let more = Texts.moreAbsent.text(in: language, ["count": String(found.more)])
        return (
            Texts.absencesSubject.text(in: language, values),
            [.paragraph(Texts.absences.text(in: language, values)), .list(lines)]
                + (found.more > 0 ? [.paragraph(more)] : []) + [
                    .link(label: Texts.absencesLink.text(in: language), url: link),
                    .note(Texts.absencesWhy.text(in: language, values)),
                ]
        )
    }
}
