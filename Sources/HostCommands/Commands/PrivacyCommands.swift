internal import Client
package import CommandLine
package import Meetings
package import Phrases
internal import Terminal
package import Wire

/// The commands for exports and erasures of a person's data, and for the action log.
package enum PrivacyCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Privacy

    package static let all = [
        CommandDeclaration(
            "account export", Messages.exportAccount,
            examples: [.init("account export > my-data.json", Messages.exportAccount)], run: exportAccount),
        CommandDeclaration(
            "meeting roster export", Messages.exportPerson,
            examples: [.init("meeting roster export @ jisoo@example.org", Messages.exportPerson)],
            positionals: [RosterCommands.meeting, RosterCommands.person], run: exportPerson),
        CommandDeclaration(
            "meeting roster erase", Messages.erasePerson,
            examples: [.init("meeting roster erase @ jisoo@example.org", Messages.erasePerson)],
            positionals: [RosterCommands.meeting, RosterCommands.person], options: [.yes],
            notes: Messages.eraseNotes, run: erasePerson),
        CommandDeclaration(
            "meeting log", Messages.log, examples: [.init("meeting log \"Study group\"", Messages.log)],
            positionals: [.init("MEETING", Help.meeting, required: false)],
            options: [.json(of: Page<ActionBody>.self)], run: log),
    ]

    private static func exportAccount(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        call.json(try await calling { () async throws(APIError) in try await host.ownData() })
        return .success
    }

    private static func exportPerson(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id) = try await RosterCommands.target(call)
        let person = try await RosterCommands.person(archived: nil, call, host, id)
        call.json(
            try await calling { () async throws(APIError) in try await host.data(of: person.id, in: id) })
        return .success
    }

    private static func erasePerson(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id) = try await RosterCommands.target(call)
        let person = try await RosterCommands.person(archived: nil, call, host, id)
        let name = ["name": TerminalEscaping.safe(person.name)]
        try await Deletion.confirm(call, person.name, data: Deletion.ofPerson)
        try await calling { () async throws(APIError) in try await host.erase(person.id, of: id) }
        call.note(Messages.erased, name)
        return .success
    }

    private static func log(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id) = try await RosterCommands.target(call)
        let actions = try await calling { () async throws(APIError) in try await host.actions(in: id) }
        if call.wantsJSON {
            call.json(Page(items: actions, nextCursor: nil))
            return .success
        }
        guard !actions.isEmpty else {
            call.note(CommandPhrases.Messages.nothing)
            return .success
        }
        for action in actions { call.out(action.line(in: call.language, zone: .current)) }
        return .success
    }
}

extension ActionBody {
    /// The entry as a line for a terminal: time, action, actor, and the account that it concerns.
    package func line(in language: Language, zone: Zone) -> String {
        let actor =
            switch actor {
            case "attendee": CommandPhrases.Privacy.byAttendee.text(in: language)
            case "server": CommandPhrases.Privacy.byServer.text(in: language)
            default: actorName ?? CommandPhrases.Privacy.byFormer.text(in: language)
            }
        let subject =
            accountId == nil ? nil : accountName ?? CommandPhrases.Privacy.byFormer.text(in: language)
        let parts = [
            WallTime(at, in: zone).text, phrase.text(in: language), actor,
            actor == subject ? nil : subject, role?.phrase.text(in: language),
        ]
        return TerminalEscaping.safe(parts.compactMap { $0 }.joined(separator: "  "))
    }
}

extension CommandPhrases {
    enum Privacy {
        static let exportAccount = Phrase("print all data about your account as JSON")
        static let exportPerson = Phrase("print all data about a person of the roster as JSON")
        static let erasePerson = Phrase("erase a person with all records of the meeting")
        static let eraseNotes = Phrase(
            "The command deletes the person's attendance in all sessions, the named answers, and the notes. "
                + "Nobody can undo this. Anonymous answers stay, because nothing shows whose they are.")
        static let erased = Phrase("{name} was erased.")
        static let log = Phrase("list who changed members, links and personal data")
        static let byAttendee = Phrase("an attendee")
        static let byServer = Phrase("the operator")
        static let byFormer = Phrase("a former account")
    }
}
