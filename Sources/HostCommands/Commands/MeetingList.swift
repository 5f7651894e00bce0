internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Lists a host's meetings. The meeting with the nearest session comes first.
enum MeetingList {
    private typealias Messages = CommandPhrases.Messages

    /// Returns first the meetings with a running or coming session, by its start, and then the other
    /// meetings, newest first.
    static func ordered(_ meetings: [MeetingBody], matching text: String?) -> [MeetingBody] {
        let wanted = text.map { IdentityKey($0).text } ?? ""
        let found = meetings.filter { meeting in
            wanted.isEmpty || IdentityKey(meeting.name).text.contains(wanted)
                || [meeting.nearestSession, meeting.latestSession].contains { session in
                    session.map { $0.startsAt.wall(in: .named($0.timeZone)).hasPrefix(wanted) } ?? false
                }
        }
        let coming = found.filter { $0.nearestSession != nil }.sorted { left, right in
            (left.nearestSession?.startsAt.milliseconds ?? 0, left.id) < (
                right.nearestSession?.startsAt.milliseconds ?? 0, right.id
            )
        }
        return coming + found.filter { $0.nearestSession == nil }
    }

    static func print(_ call: Invocation, _ meetings: [MeetingBody], at now: Instant) {
        var table = Table(
            ["", call.text(Messages.headName)]
                + [
                    Messages.headRound, Messages.headStarts, Messages.headPhase, Messages.headCheckedIn,
                    Messages.headID,
                ].map { call.text($0) })
        let starts = Starts(of: meetings.compactMap { $0.nearestSession ?? $0.latestSession })
        for meeting in meetings {
            let session = meeting.nearestSession ?? meeting.latestSession
            table.add(
                [
                    session?.phase == .running ? (call.isUTF8 ? "▶" : ">") : "", meeting.name,
                    session.map { String($0.round) } ?? "",
                    session.map(starts.text) ?? "",
                    session.map { call.text($0.phase.phrase) } ?? "",
                    session.map { String($0.attendance.checkedIn) } ?? "", meeting.id.text,
                ], session.flatMap(\.phase.role).inColumn(4))
        }
        call.out(table)
        for session in meetings.compactMap(\.nearestSession) {
            guard let soon = SessionSummary.soon(session, at: now) else { continue }
            let said = call.text(CommandPhrases.Roster.startsWithinTheHour, ["minutes": String(soon)])
            call.console.errLine("\(TerminalEscaping.safe(session.meetingName)): \(said)")
            if let code = session.joinCode {
                call.console.errLine("  \(SessionSummary.joinCode(code, at: session.checkInUrl, call))")
            }
        }
    }
}

/// The starts of sessions in one table, each in its session's zone. If one of them differs from this
/// machine's clock, each has its zone's city.
struct Starts {
    private let areLabelled: Bool

    init(of sessions: [SessionBody]) {
        areLabelled = sessions.contains {
            Zone.named($0.timeZone).label(at: $0.startsAt, for: .current) != nil
        }
    }

    func text(of session: SessionBody) -> String {
        let zone = Zone.named(session.timeZone)
        return session.startsAt.wall(in: zone) + (areLabelled ? " \(zone.city)" : "")
    }
}
