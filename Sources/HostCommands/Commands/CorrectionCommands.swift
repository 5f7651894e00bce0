internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

package enum CorrectionCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Correct

    private static let session = CommandDeclaration.Positional("SESSION", Help.session)
    private static let attendee = CommandDeclaration.Positional("ATTENDEE", Messages.attendee)
    static let inSession = CommandDeclaration.Option.value("session", "SESSION", Messages.inSession)
    private static let note = CommandDeclaration.Option.value("note", "TEXT", Messages.note)
    private static let ofAttendee = CommandDeclaration.Option.value(
        "attendee", "ATTENDEE", Messages.undoOf)
    private static let newStatus = CommandDeclaration.Option.oneOf(
        "status", AttendanceStatus.allCases.map(\.rawValue), Messages.newStatus)
    private static let at = CommandDeclaration.Option.value("at", "TIME", Messages.at)

    package static let all = [
        CommandDeclaration(
            "attendee add", Messages.add,
            examples: [
                .init(
                    "attendee add @ \"Kim Ha-neul\" --at 19:04 --note \"phone was empty\"",
                    Messages.addExample)
            ],
            positionals: [session, .init("NAME", Help.attendeeName)],
            earlierOrder: ["NAME"], changesSession: true,
            options: [
                .value("email", "ADDRESS", Help.email), .value("number", "NUMBER", Help.number),
                newStatus, at, note,
                .json(of: AttendeeBody.self),
            ], run: add),
        CommandDeclaration(
            "attendee edit", Messages.edit,
            examples: [
                .init(
                    "attendee edit @ kim@example.org --status present --note \"sat in front\"",
                    Messages.editExample)
            ],
            positionals: [session, attendee],
            earlierOrder: ["ATTENDEE"], changesSession: true,
            options: [
                .value("name", "NAME", Help.attendeeName), newStatus, at, note,
                .flag("revoke-receipt", Messages.revokeReceipt), .ifVersion,
                .json(of: AttendeeBody.self),
            ], run: edit),
        CommandDeclaration(
            "attendee remove", Messages.remove,
            examples: [
                .init("attendee remove @ \"Kim Ha-neul\"", Messages.remove),
                .init("attendee remove @ \"Kim Ha-neul\" --erase --yes", Messages.erase),
            ], positionals: [session, attendee],
            earlierOrder: ["ATTENDEE"], changesSession: true,
            options: [.flag("erase", Messages.erase), note, .yes], run: remove),
        CommandDeclaration(
            "attendee merge", Messages.merge,
            examples: [.init("attendee merge @ kim@home.example kim@work.example", Messages.mergeExample)],
            positionals: [session, attendee, .init("INTO", Messages.attendee)],
            earlierOrder: ["ATTENDEE", "INTO"], changesSession: true,
            options: [note, .json(of: AttendeeBody.self)], run: merge),
        CommandDeclaration(
            "attendee leave", Messages.recordsLeaving,
            examples: [.init("attendee leave @ kim@example.org", Messages.recordsLeaving)],
            positionals: [session, attendee], changesSession: true,
            options: [.json(of: AttendeeBody.self)], run: leave),
        CommandDeclaration(
            "attendee return", Messages.recordsReturn,
            examples: [.init("attendee return @ kim@example.org", Messages.recordsReturn)],
            positionals: [session, attendee], changesSession: true,
            options: [.json(of: AttendeeBody.self)], run: enterAgain),
        CommandDeclaration(
            "session undo", Messages.undo,
            examples: [
                .init("session undo @", Messages.undoLatestExample),
                .init("session undo @ --attendee \"Kim Ha-neul\"", Messages.undoOfExample),
                .init("session undo @ 57", Messages.undoExample),
            ],
            positionals: [
                session, .init("NUMBER", Messages.sequence, required: false),
            ], changesSession: true,
            options: [ofAttendee, note, .json(of: UndoneBody.self)],
            run: undo),
        CommandDeclaration(
            "session redo", Messages.redo, examples: [.init("session redo @", Messages.redo)],
            positionals: [session], changesSession: true,
            options: [ofAttendee, note, .json(of: UndoneBody.self)],
            run: redo),
        CommandDeclaration(
            "attendee undo", Messages.undo, examples: [.init("attendee undo @ 57", Messages.undoExample)],
            positionals: [
                .init("SESSION", Help.session, required: false),
                .init("NUMBER", Messages.sequence, required: false),
            ], earlierOrder: ["NUMBER"], changesSession: true,
            options: [ofAttendee, note, .json(of: UndoneBody.self)], run: undo),
        CommandDeclaration(
            "session journal", Messages.journal, examples: [.init("session journal @", Messages.journal)],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [.limit, .json(of: Page<EventBody>.self)], usesPager: true, run: journal),
        CommandDeclaration(
            "session review", Messages.review, examples: [.init("session review @ --json", Help.json)],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [.json(of: ReviewBody.self)], run: review),
    ]

    private static func add(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let name = call.arguments.positional("NAME") ?? ""
        if name == "@" { throw SessionAsName.refusal(name, call) }
        let host = try call.host()
        let session = try await SessionAsName.refusing(name, call, host) { () async throws(CommandFailure) in
            try await Self.session(call, host)
        }
        var person = try change(call, in: session)
        person.name = name
        person.email = call.arguments.value("email")
        person.number = call.arguments.value("number")
        let asked = person
        let added = try await calling { () async throws(APIError) in
            try await host.addAttendee(asked, to: session.id)
        }
        return show(call, added)
    }

    private static func edit(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await session(call, host)
        var asked = try change(call, in: session)
        asked.name = call.arguments.value("name")
        if call.arguments.has("revoke-receipt") { asked.revokeReceipt = true }
        guard asked != AttendeeChange() else {
            throw call.nothingToChange
        }
        let (old, change) = (try await person("ATTENDEE", call, host, session), asked)
        let seen = try call.seen(old.version)
        let corrected = try await calling { () async throws(APIError) in
            try await host.correct(old.id, change, seen: seen)
        }
        let zone = Zone.named(session.timeZone)
        ChangedFields.show(
            call,
            [
                ("name", old.name, corrected.name),
                ("status", old.status.rawValue, corrected.status.rawValue),
                ("checkedInAt", old.checkedInAt?.rfc3339, corrected.checkedInAt?.rfc3339),
                ("note", old.note, corrected.note),
            ], in: zone)
        return show(call, corrected)
    }

    private static func remove(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await session(call, host)
        let found = try await person("ATTENDEE", call, host, session)
        let (erases, note) = (call.arguments.has("erase"), call.arguments.value("note"))
        if erases { try await Deletion.confirm(call, found.name, data: Deletion.ofAttendee) }
        try await calling { () async throws(APIError) in
            try await host.removeAttendee(found.id, erases: erases, note: note)
        }
        let name = Following.quoted("\(session.meetingName)#\(session.round)")
        call.out(
            erases ? Messages.saidErased : Messages.saidRemoved,
            ["name": TerminalEscaping.safe(found.name), "session": TerminalEscaping.safe(name)])
        return .success
    }

    private static func merge(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await session(call, host)
        let (absorbed, remaining) = (
            try await person("ATTENDEE", call, host, session), try await person("INTO", call, host, session)
        )
        let note = call.arguments.value("note")
        let merged = try await calling { () async throws(APIError) in
            try await host.merge(absorbed.id, into: remaining.id, note: note)
        }
        return show(call, merged, Messages.saidMerged)
    }

    private static func leave(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await session(call, host)
        let person = try await person("ATTENDEE", call, host, session)
        let left = try await calling { () async throws(APIError) in try await host.leave(person.id) }
        guard !call.wantsJSON, let leftAt = left.leftAt else { return show(call, left) }
        call.out(
            Messages.saidLeft,
            [
                "name": TerminalEscaping.safe(left.name),
                "time": String(leftAt.clock(in: .named(session.timeZone)).prefix(5)),
            ])
        return .success
    }

    private static func enterAgain(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await session(call, host)
        let person = try await person("ATTENDEE", call, host, session)
        let back = try await calling { () async throws(APIError) in try await host.enterAgain(person.id) }
        return show(call, back, Messages.saidInside)
    }

    private static func undo(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        var sequence: Int64?
        if let written = call.arguments.positional("NUMBER") {
            guard let number = Int64(written), number > 0 else {
                throw .usage(.notReadable("NUMBER", written, expected: "57"))
            }
            sequence = number
        }
        if let sequence, call.arguments.isInEarlierOrder {
            try await refuseMeeting(named: String(sequence), call, host)
        }
        let session = try await session(call, host)
        let attendee = try await attendee(call, host, session)
        let note = call.arguments.value("note")
        let step = sequence == nil ? try await latestStep(of: attendee, in: session, host, call) : sequence
        let undone = try await calling { () async throws(APIError) in
            try await host.undo(step, of: attendee, in: session.id, note: note)
        }
        return show(call, undone, Messages.saidUndone, in: session)
    }

    /// Throws if a meeting has this number as its name, because the user may mean the meeting.
    private static func refuseMeeting(named number: String, _ call: Invocation, _ host: APIClient)
        async throws(CommandFailure)
    {
        let meetings = try await calling { () async throws(APIError) in try await host.meetings() }
        guard meetings.contains(where: { $0.name == number }) else { return }
        throw .said(
            .usage, Messages.numberOrMeeting, ["number": number],
            next: "qring \(call.command.name) @ \(number)")
    }

    /// Returns the event that an undo without a number reverses, which the server chooses. If it is not the
    /// caller's newest event, shows it, and on a terminal asks first.
    private static func latestStep(
        of attendee: AttendeeID?, in session: SessionBody, _ host: APIClient, _ call: Invocation
    ) async throws(CommandFailure) -> Int64 {
        let (step, later, me) = try await calling { () async throws(APIError) in
            let step = try await host.undo(nil, of: attendee, in: session.id, note: nil, preview: true).event
            let later = try await host.journal(of: session.id, since: step.sequence).items
            return (step, later, try await host.me().id.text)
        }
        // Several undos go back through one's own events, so undos and undone events do not count.
        let undone = Set(later.compactMap { $0.kind == .undone ? $0.data.undoes : nil })
        let hasNewer = later.contains {
            $0.actor == me && $0.kind != .undone && !undone.contains($0.sequence)
        }
        guard hasNewer || step.actor != me else { return step.sequence }
        let zone = Zone.named(session.timeZone)
        let what = [
            step.attendeeName.map { TerminalEscaping.safe($0) }, call.text(step.kind.phrase),
            JournalText.what(step, call, in: zone),
        ].compactMap(\.self).filter { !$0.isEmpty }
        call.note(
            Messages.willUndo,
            [
                "sequence": String(step.sequence), "time": String(step.at.clock(in: zone).prefix(5)),
                "name": JournalText.actor(step, call) ?? "-", "what": what.joined(separator: " · "),
            ])
        guard call.mayAsk else { return step.sequence }
        let typed = await call.console.ask(call.text(Messages.reallyUndo) + " ", hidden: false)
        guard Invocation.isYes(typed) else { throw .failed(Messages.notUndone) }
        return step.sequence
    }

    private static func redo(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await session(call, host)
        let attendee = try await attendee(call, host, session)
        let note = call.arguments.value("note")
        let redone = try await calling { () async throws(APIError) in
            try await host.redo(of: attendee, in: session.id, note: note)
        }
        return show(call, redone, Messages.saidRedone, in: session)
    }

    /// Prints what an undo or a redo has changed.
    private static func show(
        _ call: Invocation, _ done: UndoneBody, _ said: Phrase, in session: SessionBody
    ) -> ExitCode {
        guard !call.wantsJSON else {
            call.json(done)
            return .success
        }
        call.out(said, ["sequence": String(done.event.data.undoes ?? 0)])
        let what = JournalText.what(done.event, call, in: .named(session.timeZone))
        let line = [done.event.attendeeName.map { TerminalEscaping.safe($0) }, what].compactMap(\.self)
        call.out("  " + line.filter { !$0.isEmpty }.joined(separator: ": "))
        return .success
    }

    /// Returns the id of the attendee in `--attendee`; nil if it is not given.
    private static func attendee(_ call: Invocation, _ host: APIClient, _ session: SessionBody)
        async throws(CommandFailure) -> AttendeeID?
    {
        guard let written = call.arguments.value("attendee") else { return nil }
        return try await person(written: written, call, host, session).id
    }

    private static func journal(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await session(call, host)
        let limited = host.limited(to: try call.limit())
        let events: [EventBody] = try await calling { () async throws(APIError) in
            try await limited.wholeJournal(of: session.id)
        }
        if call.wantsJSON {
            call.json(Page(items: events, nextCursor: nil))
            return .success
        }
        let zone = Zone.named(session.timeZone)
        var headings = [
            Messages.headNumber, Messages.headTime, Messages.headEvent, Messages.headWho,
            Messages.headWhat, Messages.headBy, Messages.headWhy,
        ].map { call.text($0) }
        headings[1] = call.heading(headings[1], in: zone, at: session.startsAt)
        // The event is never left out; changes and reasons are whole.
        var table = Table(headings, main: 2, wrapping: [4, 6])
        for event in events {
            table.add([
                String(event.sequence), "\(event.at.wall(in: zone).prefix(10)) \(event.at.clock(in: zone))",
                call.text(event.kind.phrase),
                event.attendeeName ?? "",
                JournalText.what(event, call, in: zone), JournalText.actor(event, call) ?? "",
                event.note ?? "",
            ])
        }
        call.out(table)
        return .success
    }

    private static func review(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let id = try await session(call, host).id
        let review = try await calling { () async throws(APIError) in try await host.review(of: id) }
        if call.wantsJSON {
            call.json(review)
        } else if review.findings.isEmpty {
            call.out(Messages.nothingUnusual, ["count": String(review.checkedIn)])
        } else {
            for finding in review.findings {
                call.out(TerminalEscaping.safe(finding.sentence))
                let names = finding.attendees.map { TerminalEscaping.safe($0.name) }
                if names.count > 1 || finding.kind == .atTheEnd {
                    call.out("  \(names.joined(separator: ", "))")
                }
            }
        }
        return .success
    }

    // MARK: Reading arguments

    private static func session(_ call: Invocation, _ host: APIClient) async throws(CommandFailure)
        -> SessionBody
    {
        try await Reference(
            call.arguments.positional("SESSION") ?? call.arguments.value("session") ?? "@", host, of: call
        ).session(for: .people, telling: call)
    }

    private static func change(_ call: Invocation, in session: SessionBody) throws(CommandFailure)
        -> AttendeeChange
    {
        var change = AttendeeChange()
        change.status = call.choice("status", of: AttendanceStatus.self)
        change.note = call.arguments.value("note")
        if let written = call.arguments.value("at") {
            // A time without a date is on the session's day. Only `now` refers to the current time.
            let isNow = WhenText.isNow(written)
            let base = isNow ? SystemTime.now : session.startsAt
            guard let at = WhenText.start(written, now: base, in: .named(session.timeZone)) else {
                throw .usage(.notReadable("--at", written, expected: "19:04, now, 2026-11-21T19:04:00+09:00"))
            }
            change.checkedInAt = at
        }
        return change
    }

    /// Returns the attendee with this id, or the only attendee of the session with this name, e-mail address
    /// or number.
    static func person(
        _ positional: String, _ call: Invocation, _ host: APIClient, _ session: SessionBody
    ) async throws(CommandFailure) -> AttendeeBody {
        try await person(written: call.arguments.positional(positional) ?? "", call, host, session)
    }

    private static func person(
        written: String, _ call: Invocation, _ host: APIClient, _ session: SessionBody
    ) async throws(CommandFailure) -> AttendeeBody {
        if written == "@" { throw SessionAsName.refusal(written, call) }
        if let id = AttendeeID(written) {
            do throws(APIError) { return try await host.attendee(id).body } catch {
                guard error.code == .notFound else { throw .api(error) }
            }
        }
        let key = IdentityKey(written)
        let found = try await calling { () async throws(APIError) in
            try await host.attendees(of: session.id, matching: written)
        }
        .filter { person in
            [person.name, person.email, person.number].contains { $0.map { IdentityKey($0) == key } ?? false }
        }
        guard
            let person = try found.only(
                meantBy: written, { "\(TerminalEscaping.safe($0.name)) (\($0.id))" })
        else {
            let name = "\(session.meetingName)#\(session.round)"
            let near = try await nearest(to: written, call, host, session)
            throw .said(
                .notFound, near == nil ? Messages.noAttendee : Messages.noAttendeeNear,
                [
                    "text": TerminalEscaping.safe(written), "session": TerminalEscaping.safe(name),
                    "near": TerminalEscaping.safe(near ?? ""),
                ],
                next: "qring attendee list \(Following.quoted(name))")
        }
        return person
    }

    /// Returns the name or address of the session's attendee that is most similar to the text; nil if none
    /// is.
    private static func nearest(
        to text: String, _ call: Invocation, _ host: APIClient, _ session: SessionBody
    ) async throws(CommandFailure) -> String? {
        // One page is enough: in a larger session, a suggestion would often be another person.
        let people = try await calling { () async throws(APIError) in
            try await host.attendeePage(of: session.id, after: nil)
        }.items
        let whole = people.flatMap { [$0.name, $0.email].compactMap(\.self) }
        if let near = Suggestion.nearest(to: text, among: whole) { return near }
        let words = people.flatMap { person in
            person.name.split(separator: " ").map { (word: String($0), name: person.name) }
        }
        guard let near = Suggestion.nearest(to: text, among: words.map(\.word)) else { return nil }
        return words.first { $0.word == near }?.name
    }

    private static func show(_ call: Invocation, _ person: AttendeeBody, _ said: Phrase = Messages.saidPerson)
        -> ExitCode
    {
        if call.wantsJSON {
            call.json(person)
        } else {
            call.out(
                said,
                [
                    "name": TerminalEscaping.safe(person.name),
                    "status": call.text(person.status.phrase),
                ])
        }
        return .success
    }
}

extension CommandPhrases.Correct {
    static let add = Phrase("add an attendee who could not scan")
    static let addExample = Phrase("arrived at 19:04 and could not scan")
    static let edit = Phrase("correct an attendee's status, arrival time, name or note")
    static let editExample = Phrase("was on time, although the scan was late")
    static let remove = Phrase("remove an attendee; can be undone for a day")
    static let revokeReceipt = Phrase("end the receipt on the attendee's phone; the attendance stays")
    static let merge = Phrase("merge two records of one person")
    static let recordsLeaving = Phrase("record that an attendee leaves the session")
    static let recordsReturn = Phrase("record that an attendee returns to the session")
    static let saidLeft = Phrase("{name} is out since {time}.")
    static let saidInside = Phrase("{name} is inside.")
    static let mergeExample = Phrase("the second record stays")
    static let undo = Phrase("undo the latest correction, or the one with an event number")
    static let undoLatestExample = Phrase("again for the step before")
    static let undoOfExample = Phrase("the latest correction of one attendee")
    static let undoOf = Phrase("only corrections of this attendee")
    static let redo = Phrase("redo the correction that was undone last")
    static let undoExample = Phrase("qring session journal lists the numbers")
    static let journal = Phrase("list what happened, by whom and why")
    static let review = Phrase("list unusual check-ins, as evidence")
    static let sequence = Phrase("the event's number")
    static let at = Phrase("arrival time: 19:04, or RFC 3339")
    static let erase = Phrase("erase the record completely; this cannot be undone")
    static let inSession = Phrase("the session (default @, the nearest)")
    static let numberOrMeeting = Phrase(
        "{number} can be a meeting or the number of a change. Write the session before the number:")
    static let willUndo = Phrase("This undoes event {sequence}, which {name} made at {time}: {what}")
    static let reallyUndo = Phrase("Undo it? [y/N]")
    static let notUndone = Phrase("Nothing was undone.")
    static let saidPerson = Phrase("{name}: {status}.")
    static let saidRemoved = Phrase("{name} was removed. To undo it, run qring session undo {session}")
    static let saidErased = Phrase("{name} was erased.")
    static let saidMerged = Phrase("The records were merged: {name}, {status}.")
    static let saidUndone = Phrase("Event {sequence} was undone.")
    static let saidRedone = Phrase("The undo in event {sequence} was reversed.")
    static let noAttendee = Phrase(
        "no attendee of {session} has the id, name, e-mail address or number \"{text}\".")
    static let noAttendeeNear = Phrase(
        "no attendee of {session} has the id, name, e-mail address or number \"{text}\". "
            + "Did you mean \"{near}\"?")
    static let newStatus = Phrase("the new status")
    static let nothingUnusual = Phrase("Nothing unusual in {count} {count|check-in|check-ins}.")
    static let headNumber = Phrase("NO")
    static let headTime = Phrase("TIME")
    static let headEvent = Phrase("EVENT")
    static let headWhat = Phrase("WHAT")
    static let headWho = Phrase("ATTENDEE")
    static let headBy = Phrase("BY")
    static let headWhy = Phrase("WHY")
}
