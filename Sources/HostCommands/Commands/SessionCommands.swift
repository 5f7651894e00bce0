import Client
package import CommandLine
import Meetings
import Phrases
import RecordText
import Terminal
import Wire

package enum SessionCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Messages
    private static let session = CommandDeclaration.Positional("SESSION", Help.session)

    package static let all = [
        CommandDeclaration(
            "session list", Help.sessionList,
            examples: [
                .init("session list \"Study group\"", Help.sessionList),
                .init("session list @ --json id,round,startsAt", Help.jsonSome),
                .init("session list --today", CommandPhrases.Roster.todaysRounds),
            ],
            positionals: [.init("MEETING", Help.meeting, required: false)],
            options: [
                .value("search", "TEXT", CommandPhrases.Roster.searchRounds),
                .flag("today", CommandPhrases.Roster.todaysRounds),
                .value("day", "YYYY-MM-DD", CommandPhrases.Roster.roundsOfDay), .limit,
                .json(of: Page<SessionBody>.self),
            ], usesPager: true, run: list),
        CommandDeclaration(
            "session show", Help.sessionShow, examples: [.init("session show @", Help.sessionNearest)],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [.json(of: SessionBody.self)], run: show),
        CommandDeclaration(
            "session edit", Help.sessionEdit,
            examples: [
                .init("session edit @ --ends +30m", Help.sessionEditExample),
                .init("session edit @ --starts \"Fri 7pm\"", Help.sessionMoveExample),
                .init("session edit @ --starts +10m --note \"waited for the room\"", Help.sessionLateExample),
            ],
            positionals: [session], changesSession: true,
            options: [
                .value("title", "TEXT", Help.roundTitle), .value("starts", "TIME", Help.sessionStarts),
                .value("ends", "TIME", Help.sessionEnds),
                .value("late-after", "MINUTES", Help.lateAfter), .value("planned", "N", Help.planned),
                .flag("renew-code", Help.renewCode), .flag("revoke-presenter-links", Help.revokeLinks),
                .flag("allow-overlap", Help.allowOverlap),
                .value("note", "TEXT", CommandPhrases.Correct.note), .ifVersion, .json(of: SessionBody.self),
            ] + PresenceOptions.all, run: edit),
        CommandDeclaration(
            "session delete", Help.sessionDelete,
            examples: [.init("session delete \"Study group#2\"", Help.sessionDelete)],
            positionals: [session], changesSession: true,
            options: [.value("confirm", "NAME", Help.confirm), .yes], run: delete),
        CommandDeclaration(
            "session nearest", Help.sessionNearest,
            examples: [.init("session nearest --json joinCode", Help.jsonSome)],
            options: [.json(of: SessionBody.self)], run: nearest),
    ]

    static func table(_ sessions: [SessionBody], _ call: Invocation) -> Table {
        let headings = [
            Messages.headRound, Messages.headStarts, Messages.headPhase, Messages.headCheckedIn,
            Messages.headResponses, Messages.headID,
        ]
        var texts = headings.map { call.text($0) }
        if let first = sessions.first {
            texts[1] = call.heading(texts[1], in: .named(first.timeZone), at: first.startsAt)
        }
        var table = Table(texts)
        for session in sessions {
            table.add(
                [
                    session.title.map { "\(session.round) \($0)" } ?? String(session.round),
                    session.startsAt.wall(in: .named(session.timeZone)),
                    call.text(session.phase.phrase), attendance(session),
                    String(session.feedback.responses), session.id.text,
                ], session.phase.role.inColumn(2))
        }
        return table
    }

    /// Returns the attendance: `12/30`, or `12` if nobody else is expected.
    private static func attendance(_ session: SessionBody) -> String {
        let checkedIn = String(session.attendance.checkedIn)
        return SessionSummary.expected(session.attendance).map { "\(checkedIn)/\($0)" } ?? checkedIn
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        if call.arguments.has("today") || call.arguments.value("day") != nil {
            return try await listDay(call, host)
        }
        let id = try await Reference("MEETING", of: call, host).meeting()
        let search = call.arguments.value("search")
        let limited = host.limited(to: try call.limit())
        let sessions = try await calling { () async throws(APIError) in
            try await limited.sessions(of: id, matching: search)
        }
        if call.wantsJSON {
            call.json(Page(items: sessions, nextCursor: nil))
        } else if sessions.isEmpty {
            call.noteNothing(isSearch: search != nil)
        } else {
            call.out(table(sessions, call))
        }
        return .success
    }

    /// Lists the sessions of a day in all meetings, with the meetings' names.
    private static func listDay(_ call: Invocation, _ host: APIClient) async throws(CommandFailure)
        -> ExitCode
    {
        guard call.arguments.positional("MEETING") == nil, call.arguments.value("search") == nil else {
            let day = call.arguments.has("today") ? "--today" : "--day"
            throw .usage(
                .together(day, call.arguments.positional("MEETING") == nil ? "--search" : "MEETING"))
        }
        let day = call.arguments.has("today") ? nil : call.arguments.value("day")
        if let day, CivilDate(day) == nil {
            throw .usage(.notReadable("--day", day, expected: "2026-11-22"))
        }
        let sessions = try await calling { () async throws(APIError) in try await host.sessions(on: day) }
        guard !call.wantsJSON else {
            call.json(Page(items: sessions, nextCursor: nil))
            return .success
        }
        guard !sessions.isEmpty else {
            call.note(CommandPhrases.Roster.noRoundsThatDay)
            return .success
        }
        let headings = [
            CommandPhrases.Correct.headMeeting, Messages.headRound, Messages.headStarts, Messages.headPhase,
            Messages.headCheckedIn, Messages.headID,
        ]
        var table = Table(headings.map { call.text($0) })
        let starts = Starts(of: sessions)
        for session in sessions {
            table.add([
                session.meetingName,
                session.title.map { "\(session.round) \($0)" } ?? String(session.round),
                starts.text(of: session), call.text(session.phase.phrase),
                attendance(session), session.id.text,
            ])
        }
        call.out(table)
        return .success
    }

    private static func show(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session()
        guard !call.wantsJSON else {
            call.json(session)
            return .success
        }
        SessionSummary.print(call, session, draws: false)
        if session.attendance.inside != nil, session.minimumMinutes != nil || session.minimumPercent != nil {
            let presence = try await calling { () async throws(APIError) in
                try await host.presence(in: session.id)
            }
            if let partial = presence.partial, let least = presence.leastSeconds {
                call.out(
                    Messages.partialCount,
                    ["count": String(partial), "minutes": String((least + 59) / 60)])
            }
        }
        return .success
    }

    /// Shows the nearest session. It draws the QR code if check-in is open or the session starts within an
    /// hour.
    private static func nearest(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let session = try await Reference("@", try call.host()).session()
        if call.wantsJSON {
            call.json(session)
            return .success
        }
        let soon = SessionSummary.soon(session, at: SystemTime.now)
        SessionSummary.print(call, session, draws: session.checkInOpen || soon != nil)
        if session.phase == .running { call.note(CommandPhrases.Roster.isRunning) }
        if let soon { call.note(CommandPhrases.Roster.startsWithinTheHour, ["minutes": String(soon)]) }
        return .success
    }

    private static func edit(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let old = try await Reference("SESSION", of: call, host).session()
        let change = try change(call, of: old)
        guard change != SessionChange() else { throw call.nothingToChange }
        if change.startsAt != nil || change.endsAt != nil {
            try await SessionTimesOption.check(
                call, change.startsAt ?? old.startsAt, change.endsAt ?? old.endsAt,
                in: .named(old.timeZone))
        }
        let seen = try call.seen(old.version)
        let named = Following.quoted(call.arguments.positional("SESSION") ?? "@")
        let long = LongChange(call, Messages.recomputing, seenBy: "session show \(named)")
        let changed = try await long.sent { (follower) async throws(APIError) in
            try await host.edit(old.id, change, seen: seen, following: follower)
        }
        ChangedFields.show(
            call,
            [
                ("startsAt", old.startsAt.rfc3339, changed.startsAt.rfc3339),
                ("endsAt", old.endsAt.rfc3339, changed.endsAt.rfc3339),
                ("lateAfterMinutes", String(old.lateAfterMinutes), String(changed.lateAfterMinutes)),
                ("plannedCount", String(old.attendance.planned), String(changed.attendance.planned)),
                (
                    "checkOut", (old.checkOut ?? .notRecorded).rawValue,
                    (changed.checkOut ?? .notRecorded).rawValue
                ),
                ("minimumMinutes", String(old.minimumMinutes ?? 0), String(changed.minimumMinutes ?? 0)),
                ("minimumPercent", String(old.minimumPercent ?? 0), String(changed.minimumPercent ?? 0)),
                ("code", old.joinCode, changed.joinCode),
            ], in: .named(old.timeZone))
        for overlap in changed.overlaps ?? [] {
            call.note(Messages.overlapWarning, ["name": TerminalEscaping.safe(overlap.meetingName)])
        }
        if call.wantsJSON { call.json(changed) } else { SessionSummary.print(call, changed, draws: false) }
        return .success
    }

    private static func change(_ call: Invocation, of session: SessionBody) throws(CommandFailure)
        -> SessionChange
    {
        let (zone, now) = (Zone.named(session.timeZone), SystemTime.now)
        var change = SessionChange()
        if let written = call.arguments.value("starts") {
            guard let starts = WhenText.moved(written, from: session.startsAt, now: now, in: zone) else {
                throw .usage(.notReadable("--starts", written, expected: SessionTimesOption.example))
            }
            change.startsAt = starts
            // A session that moves keeps its duration, unless the user sets its end.
            change.endsAt = starts + session.endsAt.since(session.startsAt)
        }
        if let written = call.arguments.value("ends") {
            let starts = change.startsAt ?? session.startsAt
            guard let ends = WhenText.end(written, startsAt: starts, from: session.endsAt, now: now, in: zone)
            else {
                throw .usage(.notReadable("--ends", written, expected: SessionTimesOption.example))
            }
            change.endsAt = ends
        }
        change.title = call.arguments.value("title")
        change.lateAfterMinutes = try call.integer("late-after", 0...1440)
        change.plannedCount = try call.integer("planned", 0...100_000)
        change.checkOut = call.choice("check-out", of: CheckOut.self)
        (change.minimumMinutes, change.minimumPercent) = try PresenceOptions.minimum(call)
        if call.arguments.has("renew-code") { change.renewCode = true }
        if call.arguments.has("revoke-presenter-links") { change.revokePresenterLinks = true }
        guard change != SessionChange() else {
            throw .said(.usage, CommandPhrases.Fail.nothingToChange, [:], next: "qring help session edit")
        }
        if call.arguments.has("allow-overlap") { change.allowOverlap = true }
        change.note = call.arguments.value("note")
        return change
    }

    private static func delete(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let written = call.arguments.positional("SESSION") ?? "@"
        let session = try await Reference(written, host, of: call).session()
        let named = call.text(
            Messages.roundOn,
            [
                "name": session.meetingName, "round": String(session.round),
                "time": session.startsAt.wall(in: .named(session.timeZone)),
            ])
        try await Deletion.confirmed(
            call, named, data: Deletion.ofSession, name: session.meetingName,
            again: "session delete \(Following.quoted(written))"
        ) {
            (confirmation) async throws(APIError) in
            try await host.deleteSession(session.id, confirmation: confirmation)
        }
        return .success
    }
}

extension CommandPhrases.Help {
    static let sessionMoveExample = Phrase("in the meeting's time zone")
    static let sessionList = Phrase("list the sessions of a meeting, newest first")
    static let sessionShow = Phrase("show a session")
    static let sessionEdit = Phrase("change a session's times, planned count or code")
    static let sessionEditExample = Phrase("half an hour longer")
    static let sessionStarts = Phrase(
        "a time alone means the same day; +10m counts from the old start; the end moves along, unless "
            + "--ends is given")
    static let sessionLateExample = Phrase("starts late; the statuses are recomputed")
    static let sessionEnds = Phrase("like --starts; +30m counts from the current end")
    static let sessionDelete = Phrase("delete a session; the last one deletes its meeting, too")
}

/// The options by which a session records that attendees leave.
enum PresenceOptions {
    static let all: [CommandDeclaration.Option] = [
        .oneOf("check-out", CheckOut.allCases.map(\.rawValue), CommandPhrases.Help.checkOut),
        .value("minimum", "MINUTES|PERCENT%", CommandPhrases.Help.minimum),
    ]

    /// Returns the minimum time of `--minimum`, `45` or `80%`; nil if it was not given. 0 removes it.
    static func minimum(_ call: Invocation) throws(CommandFailure) -> (minutes: Int?, percent: Int?) {
        guard let written = call.arguments.value("minimum") else { return (nil, nil) }
        let isPercent = written.hasSuffix("%")
        let number = Int(isPercent ? written.dropLast() : written[...])
        guard let number, (0...(isPercent ? 100 : SessionTimes.mostDays * 24 * 60)).contains(number) else {
            throw .usage(.notReadable("--minimum", written, expected: "45, 80%, 0"))
        }
        if number == 0 { return (0, 0) }
        return isPercent ? (nil, number) : (number, nil)
    }
}

extension CommandPhrases.Help {
    static let checkOut = Phrase(
        "record when attendees leave: none, door (by hosts and at the door) or phones (also by attendees' "
            + "phones)")
    static let minimum = Phrase("the minimum time for full presence: 45 minutes, 80%, or 0 for none")
}

extension CommandPhrases.Messages {
    static let partialCount = Phrase(
        "Present for less than {minutes} {minutes|minute|minutes}: {count}")
    static let roundOn = Phrase("{name}, session {round} on {time}")
    static let overlapWarning = Phrase("It now overlaps {name}.")
}

extension CommandPhrases.Roster {
    static let todaysRounds = Phrase("today's sessions in all meetings")
    static let roundsOfDay = Phrase("the sessions of a day in all meetings")
    static let noRoundsThatDay = Phrase("No session on that day.")
    static let searchRounds = Phrase(
        "a session's number, a date such as 2026-11-21 or 2026-11, or a part of its title or meeting's name")
    static let isRunning = Phrase("Running now.")
}

/// Reads the start and end of a session from `--now`, `--starts`, `--ends` and `--for`.
enum SessionTimesOption {
    static let example = "\"2026-11-21 19:00\", \"tomorrow 7pm\", \"Fri 19:00\", 19:00, +2h"

    static func newTimes(
        _ call: Invocation, in zone: Zone, now: Instant = SystemTime.now
    ) throws(CommandFailure) -> (starts: Instant, ends: Instant) {
        let (arguments, written) = (call.arguments, call.arguments.value("starts"))
        if arguments.has("now"), written != nil { throw .usage(.together("--now", "--starts")) }
        if arguments.value("ends") != nil, arguments.value("for") != nil {
            throw .usage(.together("--ends", "--for"))
        }
        let starts: Instant
        if let written {
            guard let read = WhenText.start(written, now: now, in: zone) else {
                throw .usage(.notReadable("--starts", written, expected: example))
            }
            starts = read
        } else {
            starts = now.wholeSecond
        }
        guard let end = arguments.value("ends") else {
            return (starts, starts + (try call.duration("for") ?? .hours(2)))
        }
        guard let ends = WhenText.end(end, startsAt: starts, from: starts, now: now, in: zone) else {
            throw .usage(.notReadable("--ends", end, expected: example))
        }
        return (starts, ends)
    }

    /// The length from which a session that ends on the next day is more likely a typing error.
    private static let unlikelyLength = Duration.hours(12)

    /// Prints an end on the next day and a start that is long ago, because the user may have meant another
    /// day. On a terminal, asks whether an unlikely time is right.
    /// - Throws: `.said` if the user says no.
    static func check(
        _ call: Invocation, _ starts: Instant, _ ends: Instant, in zone: Zone, now: Instant = SystemTime.now
    ) async throws(CommandFailure) {
        typealias Messages = CommandPhrases.Messages
        let length = ends.since(starts)
        var isUnlikely = false
        if length > .zero, WallTime(starts, in: zone).date != WallTime(ends, in: zone).date {
            let values = [
                "end": ends.wall(in: zone), "length": DurationText.write(length, in: call.language),
            ]
            call.note(Messages.endsNextDay, values)
            // A duration or a date was meant, but a time alone may be a time that has just passed.
            isUnlikely =
                length >= unlikelyLength
                && call.arguments.value("ends").map(WhenText.isTimeAlone) ?? false
        }
        if now.since(starts) > WhenText.longAgo {
            call.note(Messages.startsLongAgo, ["start": starts.wall(in: zone)])
            isUnlikely = true
        }
        guard isUnlikely, call.mayAsk else { return }
        let answer = await call.console.ask(call.text(Messages.isTimeRight) + " ", hidden: false)
        guard Invocation.isYes(answer) else { throw .failed(CommandPhrases.Fail.nothingSaved) }
    }
}

extension CommandPhrases.Messages {
    static let endsNextDay = Phrase("The session ends on another day: {end} (after {length}).")
    static let startsLongAgo = Phrase("The start is long ago: {start}.")
    static let isTimeRight = Phrase("Is this right? [y/N]")
}

extension CommandPhrases.Fail {
    static let nothingSaved = Phrase("Nothing was saved.")
}
