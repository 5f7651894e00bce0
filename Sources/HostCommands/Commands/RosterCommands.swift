internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

package enum RosterCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Messages
    private typealias Roster = CommandPhrases.Roster
    private static let meeting = CommandDeclaration.Positional("MEETING", Help.meeting)
    private static let person = CommandDeclaration.Positional("PERSON", Roster.person)
    private static let identity: [CommandDeclaration.Option] = [
        .value("email", "ADDRESS", Help.email), .value("number", "NUMBER", Help.number),
    ]

    package static let all = [
        CommandDeclaration(
            "meeting roster list", Roster.list,
            examples: [.init("meeting roster list \"Study group\" --absent-in-a-row 3", Roster.absentInARow)],
            positionals: [.init("MEETING", Help.meeting, required: false)],
            options: [
                .value("search", "TEXT", Help.search), .value("absent-in-a-row", "N", Roster.absentInARow),
                .flag("archived", Roster.archivedOnes), .json(of: PersonBody.self),
            ], run: list),
        CommandDeclaration(
            "meeting roster import", Roster.importFile,
            examples: [.init("meeting roster import \"Study group\" people.csv", Roster.importExample)],
            positionals: [meeting, .init("FILE", Roster.file)], options: [.json(of: RosterImportBody.self)],
            notes: Roster.importNotes,
            run: importFile),
        CommandDeclaration(
            "meeting roster add", Roster.add,
            examples: [.init("meeting roster add @ \"Kim Jisoo\" --email jisoo@example.org", Roster.add)],
            positionals: [meeting, .init("NAME", Help.attendeeName)],
            options: identity + [.json(of: PersonBody.self)], run: add),
        CommandDeclaration(
            "meeting roster rename", Roster.rename,
            examples: [
                .init("meeting roster rename @ jisoo@example.org --name \"Kim Ji-su\"", Roster.rename)
            ],
            positionals: [meeting, person],
            options: [.value("name", "NAME", Roster.newName)] + identity + [
                .ifVersion, .json(of: PersonBody.self),
            ],
            run: rename),
        CommandDeclaration(
            "meeting roster archive", Roster.archive,
            examples: [
                .init("meeting roster archive @ jisoo@example.org", Roster.archive),
                .init("meeting roster archive @ jisoo@example.org --undo", Roster.unarchive),
            ], positionals: [meeting, person],
            options: [.flag("undo", Roster.unarchive), .json(of: PersonBody.self)], run: archive),
        CommandDeclaration(
            "meeting roster keep", Roster.keep,
            examples: [.init("meeting roster keep @ choi@example.org", Roster.keep)],
            positionals: [meeting, .init("ATTENDEE", CommandPhrases.Correct.attendee)],
            options: [CorrectionCommands.inSession, .json(of: PersonBody.self)], run: keep),
    ]

    private static func target(_ call: Invocation) async throws(CommandFailure) -> (APIClient, MeetingID) {
        let host = try call.host()
        return (host, try await Reference(call.arguments.positional("MEETING") ?? "@", host).meeting())
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let absences = try call.integer("absent-in-a-row", 1...20)
        let (host, id) = try await target(call)
        let (text, archived) = (call.arguments.value("search"), call.arguments.has("archived"))
        let people = try await calling { () async throws(APIError) in
            try await host.roster(of: id, matching: text, archived: archived, absentInARow: absences)
        }
        if call.wantsJSON {
            call.json(Page(items: people, nextCursor: nil))
            return .success
        }
        guard !people.isEmpty else {
            call.note(Messages.nothing)
            return .success
        }
        let heads = [
            Messages.headName, Roster.headEmail, Roster.headNumber, Roster.headPresent, Roster.headLate,
            Roster.headAbsent, Roster.headExcused,
            Messages.headID,
        ]
        var table = Table(heads.map { call.text($0) })
        for person in people {
            let totals = person.totals ?? SeriesTotals()
            table.add([
                person.name, person.email ?? "", person.number ?? "", String(totals.present),
                String(totals.late), String(totals.absent),
                String(totals.excused), person.id.text,
            ])
        }
        call.out(table)
        return .success
    }

    private static func importFile(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let file = try await call.contents(of: call.arguments.positional("FILE") ?? "-")
        let (host, id) = try await target(call)
        let seen = Seen.tag(
            try await calling { () async throws(APIError) in try await host.rosterTag(of: id) })
        let bar = ProgressBar(call)
        bar.wait(Roster.importing, ["size": ByteCount.text(file.count)])
        defer { bar.end() }
        let done = try await calling { () async throws(APIError) in
            try await host.importRoster(file, to: id, seen: seen)
        }
        bar.end()
        if call.wantsJSON {
            call.json(done)
            return .success
        }
        call.out(
            Roster.imported,
            [
                "people": String(done.people), "added": String(done.added), "updated": String(done.updated),
                "unarchived": String(done.unarchived), "archived": String(done.archived),
            ])
        if done.encoding == .cp949 { call.note(Roster.readAsKorean) }
        if done.withoutKey > 0 {
            let kind = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
                .identifyBy
            let named = call.text(kind == .number ? Phrase.Export.number : Phrase.Export.email)
            call.note(Roster.withoutKey, ["count": String(done.withoutKey), "kind": named])
        }
        return .success
    }

    private static func add(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        var person = NewPerson()
        person.name = call.arguments.positional("NAME")
        person.email = call.arguments.value("email")
        person.number = call.arguments.value("number")
        return try await put(person, call)
    }

    private static func keep(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let named = call.arguments.value("session") ?? call.arguments.positional("MEETING") ?? "@"
        var person = NewPerson()
        person.attendeeId = try await CorrectionCommands.person(
            "ATTENDEE", call, host, try await Reference(named, host).session()
        ).id
        return try await put(person, call)
    }

    private static func put(_ person: NewPerson, _ call: Invocation) async throws(CommandFailure) -> ExitCode
    {
        let (host, id) = try await target(call)
        let added = try await calling { () async throws(APIError) in try await host.add(person, to: id) }
        if call.wantsJSON {
            call.json(added)
        } else {
            call.note(Roster.added, ["name": TerminalEscaping.safe(added.name)])
        }
        return .success
    }

    private static func rename(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        var change = PersonChange()
        change.name = call.arguments.value("name")
        change.email = call.arguments.value("email")
        change.number = call.arguments.value("number")
        guard change != PersonChange() else {
            throw call.nothingToChange
        }
        let changed = try await edit(call, archived: nil, change)
        if call.wantsJSON { call.json(changed) } else { call.note(Messages.changed) }
        return .success
    }

    private static func archive(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        var change = PersonChange()
        let archives = !call.arguments.has("undo")
        change.archived = archives
        let changed = try await edit(call, archived: !archives, change)
        let said = archives ? Roster.archived : Roster.unarchived
        if call.wantsJSON {
            call.json(changed)
        } else {
            call.note(said, ["name": TerminalEscaping.safe(changed.name)])
        }
        return .success
    }

    /// Finds the one person who is meant, and changes them as they were found.
    private static func edit(_ call: Invocation, archived: Bool?, _ change: PersonChange)
        async throws(CommandFailure) -> PersonBody
    {
        let (host, id) = try await target(call)
        let written = call.arguments.positional("PERSON") ?? ""
        let listed = Following.quoted(call.arguments.positional("MEETING") ?? "@")
        let text = PersonID(written) == nil ? written : nil
        var people: [PersonBody] = []
        for side in archived.map({ [$0] }) ?? [false, true] {
            people += try await calling { () async throws(APIError) in
                try await host.roster(of: id, matching: text, archived: side)
            }
        }
        let key = IdentityKey(written)
        let found = people.filter { person in
            [person.id.text, person.email ?? "", person.number ?? "", person.name].contains {
                !$0.isEmpty && IdentityKey($0) == key
            }
        }
        guard let person = found.first else {
            throw .said(
                .notFound, Roster.noPerson, ["text": TerminalEscaping.safe(written)],
                next: "qring meeting roster list \(listed)")
        }
        guard found.count == 1 else {
            let names = found.prefix(5).map { "  " + TerminalEscaping.safe("\($0.id)  \($0.name)") }.joined(
                separator: "\n")
            throw .said(
                .conflict, CommandPhrases.Fail.ambiguous, ["text": written, "candidates": names], next: nil)
        }
        let seen = try call.seen(person.version)
        let changed = try await calling { () async throws(APIError) in
            try await host.edit(person.id, of: id, change, seen: seen)
        }
        ChangedFields.tell(
            call,
            [
                ("name", person.name, changed.name), ("email", person.email, changed.email),
                ("number", person.number, changed.number),
            ])
        return changed
    }
}
