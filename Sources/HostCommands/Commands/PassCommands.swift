internal import Client
package import CommandLine
internal import Meetings
internal import Paper
internal import Phrases
internal import QRCodes
internal import RecordText
internal import Terminal
internal import Wire

/// The commands for personal passes, and for letting people in by them.
package enum PassCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Passes

    private static let session = CommandDeclaration.Option.value("session", "SESSION", Messages.session)

    package static let all = [
        CommandDeclaration(
            "pass create", Messages.create,
            examples: [
                .init("pass create \"Study group\"", Messages.createExample),
                .init("pass create @ jisoo@example.org --session @", Messages.createOne),
            ], positionals: [RosterCommands.meeting, RosterCommands.anyPerson],
            options: [session, .json(of: PassesCreatedBody.self)], notes: Messages.notes, run: create),
        CommandDeclaration(
            "pass list", Messages.list,
            examples: [
                .init("pass list @", Messages.list), .init("pass list @ jisoo@example.org", Messages.listOne),
            ], positionals: [.init("MEETING", Help.meeting, required: false), RosterCommands.anyPerson],
            options: [.json(of: Page<PassBody>.self)], usesPager: true, run: list),
        CommandDeclaration(
            "pass revoke", Messages.revoke,
            examples: [.init("pass revoke @ jisoo@example.org", Messages.revoke)],
            positionals: [RosterCommands.meeting, RosterCommands.person], options: [session], run: revoke),
        CommandDeclaration(
            "pass renew", Messages.renew,
            examples: [
                .init("pass renew @ jisoo@example.org", Messages.renewExample),
                .init("pass renew \"Study group\" --all", Messages.renewAll),
            ],
            positionals: [RosterCommands.meeting, RosterCommands.anyPerson],
            options: [
                session, .flag("all", Messages.renewAll), .yes, .json(of: Page<PassBody>.self),
            ], needs: [.one(of: "PERSON", "all")], run: renew),
        CommandDeclaration(
            "pass print", Messages.print,
            examples: [
                .init("pass print @", Messages.printExample),
                .init("pass print @ jisoo@example.org --layout badge --to badge.pdf", Messages.printBadge),
            ], positionals: [RosterCommands.meeting, RosterCommands.anyPerson],
            options: [
                .oneOf("layout", PassPaper.Layout.allCases.map(\.rawValue), Messages.layout),
                .value("to", "FILE", Messages.file), session,
            ], run: printPasses),
        CommandDeclaration(
            "attendee admit", Messages.admit,
            examples: [
                .init("attendee admit @ HTTPS://QRING.EXAMPLE.ORG/P/…", Messages.admitExample),
                .init("attendee admit \"Study group\"", Messages.admitScanner),
            ], positionals: [.init("SESSION", Help.session), .init("PASS", Messages.pass, required: false)],
            changesSession: true,
            options: [.flag("anyway", Messages.anyway), .json(of: DoorBody.self)], run: admit),
    ]

    private static func create(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, person) = try await RosterCommands.targetAndPerson(call)
        let passes = NewPasses(
            person: person?.id, session: try await RosterCommands.namedSession(call, host)?.id)
        let made = try await calling { () async throws(APIError) in
            try await host.createPasses(passes, in: meeting)
        }
        if call.wantsJSON {
            call.json(made)
        } else {
            call.note(
                Messages.created, ["created": String(made.created), "existing": String(made.existing)])
        }
        return .success
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, person) = try await RosterCommands.targetAndPerson(call)
        let passes = try await calling { () async throws(APIError) in
            try await host.passes(of: meeting, person: person?.id)
        }
        if call.wantsJSON {
            call.json(Page(items: passes, nextCursor: nil))
            return .success
        }
        guard !passes.isEmpty else {
            call.noteNothing(isSearch: person != nil)
            return .success
        }
        var table = Table(
            [
                CommandPhrases.Messages.headName, Messages.headSession, Messages.headState,
                CommandPhrases.Messages.headCreated, CommandPhrases.Messages.headID,
            ].map { call.text($0) })
        for pass in passes {
            table.add(
                [
                    pass.name, pass.sessionId?.text ?? call.text(Messages.allSessions),
                    call.text(pass.revokedAt == nil ? Messages.valid : Messages.revoked),
                    WallTime(pass.createdAt, in: .current).text, pass.id.text,
                ], [2: pass.revokedAt == nil ? .good : .bad])
        }
        call.out(table)
        return .success
    }

    private static func revoke(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, person, passes) = try await valid(call)
        for pass in passes {
            try await calling { () async throws(APIError) in
                try await host.revokePass(pass.id, of: meeting)
            }
        }
        call.note(
            Messages.saidRevoked,
            ["name": TerminalEscaping.safe(person.name), "count": String(passes.count)])
        return .success
    }

    private static func renew(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if call.arguments.has("all") { return try await renewAll(call) }
        let (host, meeting, person, passes) = try await valid(call)
        var renewed: [PassBody] = []
        for pass in passes {
            renewed.append(
                try await calling { () async throws(APIError) in
                    try await host.renewPass(pass.id, of: meeting)
                })
        }
        if call.wantsJSON {
            call.json(Page(items: renewed, nextCursor: nil))
            return .success
        }
        for pass in renewed { call.out(pass.url ?? "") }
        call.note(
            Messages.saidRenewed,
            ["name": TerminalEscaping.safe(person.name), "meeting": RosterCommands.named(call)])
        return .success
    }

    /// Replaces all passes of the meeting, after a confirmation, because all printed ones end.
    private static func renewAll(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if call.arguments.value("session") != nil {
            throw .said(
                .usage, Messages.allIsForAllSessions, [:],
                next: "qring pass renew \(RosterCommands.named(call)) --all")
        }
        let (host, meeting) = try await RosterCommands.target(call)
        guard try await call.confirmed(Messages.reallyRenewAll, orElse: Messages.renewAllNeedsYes) else {
            throw .failed(Messages.notRenewed)
        }
        // A repetition sends the same moment, so that it replaces no new pass.
        let moment = SystemTime.now
        let done = try await calling { () async throws(APIError) in
            try await host.renewAllPasses(of: meeting, createdBefore: moment)
        }
        if call.wantsJSON {
            call.json(done)
            return .success
        }
        call.note(
            Messages.saidAllRenewed,
            [
                "renewed": String(done.renewed), "revoked": String(done.revoked),
                "meeting": RosterCommands.named(call),
            ])
        return .success
    }

    private static func printPasses(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let layout = call.arguments.value("layout").flatMap { PassPaper.Layout(rawValue: $0) } ?? .sheet
        let (host, meeting, person) = try await RosterCommands.targetAndPerson(call)
        let session = try await RosterCommands.namedSession(call, host)
        let name = try await calling { () async throws(APIError) in try await host.meeting(meeting) }.body
            .name
        let passes = try await calling { () async throws(APIError) in
            try await host.passes(of: meeting, person: person?.id)
        }.filter { $0.url != nil && (session == nil || $0.sessionId == session?.id) }
        guard !passes.isEmpty else {
            throw .said(
                .notFound, Messages.nothingToPrint, [:],
                next: "qring pass create \(RosterCommands.named(call))")
        }
        var sessions: [SessionID: String] = [:]
        if passes.contains(where: { $0.sessionId != nil }) {
            for session in try await calling({ () async throws(APIError) in
                try await host.sessions(of: meeting)
            }) { sessions[session.id] = label(session, call) }
        }
        try call.draw(into: "passes.pdf", orElse: Messages.notDrawn) { () throws(QRCodeError) in
            try PassPaper.pages(passes, of: name, sessions, as: layout)
        }
        return .success
    }

    /// Returns the round or title of a session, and its start, for a card.
    private static func label(_ session: SessionBody, _ call: Invocation) -> String {
        let name = session.title ?? call.text(Messages.round, ["round": String(session.round)])
        return "\(name) · \(WallTime(session.startsAt, in: .named(session.timeZone)).text)"
    }

    // MARK: The door

    private static func admit(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session()
        if let scan = call.arguments.positional("PASS") {
            let answer = try await calling { () async throws(APIError) in
                try await host.admit(
                    NewGuest(scan: scan, anyway: call.arguments.has("anyway")), to: session.id)
            }
            say(answer, in: .named(session.timeZone), call)
            return answer.isIn ? .success : .conflict
        }
        try await admitLines(call, host, to: session.id, in: .named(session.timeZone)) {
            NewGuest(scan: $0, anyway: call.arguments.has("anyway"))
        }
        return .success
    }

    /// Lets in a guest for each line of standard input, as a scanner types them. Neither a wrong line nor a
    /// lost connection stops the door.
    static func admitLines(
        _ call: Invocation, _ host: APIClient, to session: SessionID, in zone: Zone,
        _ guest: (String) -> NewGuest
    ) async throws(CommandFailure) {
        while let line = await call.console.ask("", hidden: false) {
            let scan = line.filter { !$0.isWhitespace }
            if scan.isEmpty { continue }
            do throws(APIError) {
                say(try await host.admit(guest(scan), to: session), in: zone, call)
            } catch {
                let failure = CommandFailure.api(error)
                // No later pass could be checked either.
                if [.notAllowed, .notFound, .interrupted].contains(failure.exitCode) { throw failure }
                call.note(Messages.notChecked, ["reason": failure.sentence(in: call.language)])
            }
            try call.checkOutput()
        }
    }

    private static func say(_ answer: DoorBody, in zone: Zone, _ call: Invocation) {
        if call.wantsJSON {
            call.jsonLine(answer)
            return
        }
        let time = answer.checkedInAt.map {
            String(WallTime($0, in: zone).text.suffix(5))
        }
        call.out(
            answer.stored == nil
                ? Messages.said(answer.verdict, hasName: answer.name != nil, hasTime: time != nil)
                : Messages.stored,
            [
                "name": TerminalEscaping.safe(answer.name ?? ""), "time": time ?? "",
                "status": answer.status.map { call.text($0.phrase) } ?? "",
            ])
    }

    // MARK: The people and their passes

    /// Returns the person's valid passes: all of them, or those for the session of `--session`.
    private static func valid(_ call: Invocation) async throws(CommandFailure) -> (
        APIClient, MeetingID, PersonBody, [PassBody]
    ) {
        let (host, meeting) = try await RosterCommands.target(call)
        let person = try await RosterCommands.person(archived: nil, call, host, meeting)
        let session = try await RosterCommands.namedSession(call, host)
        let passes = try await calling { () async throws(APIError) in
            try await host.passes(of: meeting, person: person.id)
        }.filter { $0.revokedAt == nil && (session == nil || $0.sessionId == session?.id) }
        guard !passes.isEmpty else {
            throw .said(
                .notFound, Messages.hasNone, ["name": TerminalEscaping.safe(person.name)],
                next: "qring pass create \(RosterCommands.named(call))")
        }
        return (host, meeting, person, passes)
    }
}

extension DoorBody {
    /// Whether the person may come in.
    fileprivate var isIn: Bool { verdict == .admitted || verdict == .alreadyIn }
}

extension CommandPhrases {
    /// The texts of `qring pass` and `qring attendee admit`.
    enum Passes {
        static let session = Phrase("only for this session, instead of all sessions of the meeting")
        static let create = Phrase("give personal passes to people on the roster")
        static let createExample = Phrase("a pass for everybody who has none")
        static let createOne = Phrase("a pass of one person, for one session")
        static let notes = Phrase(
            "A pass is a QR code that the door scans. It holds no name. A person with a picture of it can be "
                + "let in as its owner, and can do nothing else with it.")
        static let created = Phrase(
            "{created} {created|pass|passes} created. {existing} {existing|person has|people have} one "
                + "already.")
        static let list = Phrase("list the passes of a meeting")
        static let listOne = Phrase("the passes of one person")
        static let headSession = Phrase("FOR")
        static let headState = Phrase("STATE")
        static let allSessions = Phrase("all sessions")
        static let valid = Phrase("valid", context: "pass")
        static let revoked = Phrase("revoked", context: "pass")
        static let revoke = Phrase("end the passes of a person")
        static let saidRevoked = Phrase("{count} {count|pass|passes} of {name} revoked.")
        static let renew = Phrase("replace the lost pass of a person")
        static let renewExample = Phrase("prints the new pass; the old one ends at once")
        static let saidRenewed = Phrase(
            "The old pass of {name} has ended. Print the new one: qring pass print {meeting} \"{name}\"")
        static let renewAll = Phrase("replace all passes, for example after a theft")
        static let reallyRenewAll = Phrase(
            "All printed passes of the meeting end at once. Replace them? [y/N]")
        static let renewAllNeedsYes = Phrase("all printed passes of the meeting would end. Add --yes")
        static let notRenewed = Phrase("No pass was replaced.")
        static let allIsForAllSessions = Phrase(
            "--all replaces the passes for all sessions. Leave out --session")
        static let saidAllRenewed = Phrase(
            "{renewed} {renewed|pass|passes} replaced, {revoked} ended without a new one. Print the new "
                + "ones: qring pass print {meeting}")
        static let round = Phrase("Round {round}")
        static let hasNone = Phrase("{name} has no valid pass.")
        static let print = Phrase("write passes to a PDF file")
        static let printExample = Phrase("all passes on A4, with marks to cut them")
        static let printBadge = Phrase("one badge with a large name")
        static let layout = Phrase("sheet: A4 with 8 passes (default), a6, or badge: 90 × 55 mm")
        static let file = Phrase("the PDF file (default passes.pdf; - means standard output)")
        static let nothingToPrint = Phrase("there is no valid pass to print.")
        static let notDrawn = Phrase("the passes cannot be drawn: {reason}.")
        static let admit = Phrase("let people in by their passes")
        static let admitExample = Phrase("one pass")
        static let admitScanner = Phrase("all passes that a scanner reads, one a line")
        static let pass = Phrase("the content of the QR code; without it, one a line from standard input")

        static let anyway = Phrase("let people in although no seat is free, or they were declined")

        static let notChecked = Phrase("NOT CHECKED, scan again: {reason}")

        /// What an offline door says of a person whom it has let in or out.
        static let stored = Phrase("STORED HERE, the server does not know yet: {name}")

        /// The words of the door.
        static func said(_ verdict: DoorVerdict, hasName: Bool, hasTime: Bool) -> Phrase {
            switch verdict {
            case .admitted: Phrase("IN: {name}, {status}")
            case .alreadyIn where hasTime: Phrase("ALREADY IN since {time}: {name}, {status}")
            case .alreadyIn: Phrase("ALREADY IN: {name}, {status}")
            case .revoked where hasName: Phrase("NOT VALID: the pass of {name} was revoked")
            case .revoked: Phrase("NOT VALID: the pass was revoked. Search for the name")
            case .unknownHere:
                Phrase("NOT KNOWN HERE: the pass is newer than this laptop's list, or ended")
            case .notForThisSession where hasName:
                Phrase("NOT VALID: {name} is not expected here, or the pass is for another session")
            case .notForThisSession: Phrase("NOT VALID: the pass is for another meeting")
            case .returned: Phrase("IN AGAIN: {name}, {status}")
            case .left: Phrase("OUT: {name}")
            case .alreadyOut: Phrase("ALREADY OUT: {name}")
            case .notIn where hasName: Phrase("NOT CHECKED IN: {name}")
            case .notIn: Phrase("NOT CHECKED IN")
            case .waiting: Phrase("NO SEAT YET: {name}")
            case .declined: Phrase("NOT EXPECTED: {name} is not coming, or was declined")
            case .full: Phrase("FULL: {name} was not let in, because all seats are taken")
            case .expected: Phrase("MAY COME IN: {name}")
            case .sessionCode:
                Phrase("NOT A PASS: this is a session's code. Attendees scan it with their own phones")
            case .notAPass:
                Phrase(
                    "NOT VALID: no pass of this server, and nobody here has this number or address. Search "
                        + "for the name")
            }
        }
    }
}
