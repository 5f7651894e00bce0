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
    static let meeting = CommandDeclaration.Positional("MEETING", Help.meeting)
    static let person = CommandDeclaration.Positional("PERSON", Roster.person)
    static let anyPerson = CommandDeclaration.Positional("PERSON", Roster.person, required: false)
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
                .flag("archived", Roster.archivedOnes), .limit, .json(of: Page<PersonBody>.self),
            ], usesPager: true, run: list),
        CommandDeclaration(
            "meeting roster import", Roster.importFile,
            examples: [
                .init("meeting roster import \"Study group\" people.csv", Roster.importExample),
                .init("meeting roster import \"Study group\" people.csv --dry-run", Roster.dryRun),
            ],
            positionals: [meeting, .init("FILE", Roster.file)],
            options: [.flag("dry-run", Roster.dryRun), .json(of: RosterImportBody.self)],
            notes: Roster.importNotes,
            run: importFile),
        CommandDeclaration(
            "meeting roster add", Roster.add,
            examples: [.init("meeting roster add @ \"Kim Jisoo\" --email jisoo@example.org", Roster.add)],
            positionals: [meeting, .init("NAME", Help.attendeeName)],
            options: identity + [.flag("same-name", Roster.sameName), .json(of: PersonBody.self)], run: add),
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
            examples: [
                .init("meeting roster keep @ choi@example.org", Roster.keep),
                .init("meeting roster keep \"Study group#2\" --all-who-came", Roster.keepAll),
            ],
            positionals: [
                .init("MEETING", Roster.keepWhere),
                .init("ATTENDEE", CommandPhrases.Correct.attendee, required: false),
            ],
            options: [
                .flag("all-who-came", Roster.keepAll), CorrectionCommands.inSession,
                .json(of: PersonBody.self),
            ], needs: [.one(of: "ATTENDEE", "all-who-came")], run: keep),
    ]

    static func target(_ call: Invocation) async throws(CommandFailure) -> (APIClient, MeetingID) {
        let host = try call.host()
        return (host, try await Reference("MEETING", of: call, host).meeting())
    }

    /// Returns the person whom the user named, too; nil for everybody.
    static func targetAndPerson(_ call: Invocation) async throws(CommandFailure) -> (
        APIClient, MeetingID, PersonBody?
    ) {
        let (host, meeting) = try await target(call)
        guard call.arguments.positional("PERSON") != nil else { return (host, meeting, nil) }
        return (host, meeting, try await person(archived: nil, call, host, meeting))
    }

    /// Returns the meeting as the user named it, for a command line.
    static func named(_ call: Invocation) -> String {
        Following.quoted(call.arguments.positional("MEETING") ?? "@")
    }

    /// Returns the session of `--session`; nil if the user named none.
    static func namedSession(_ call: Invocation, _ host: APIClient) async throws(CommandFailure)
        -> SessionBody?
    {
        guard let named = call.arguments.value("session") else { return nil }
        return try await Reference(named, host).session()
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let absences = try call.integer("absent-in-a-row", 1...20)
        let (host, id) = try await target(call)
        let (text, archived) = (call.arguments.value("search"), call.arguments.has("archived"))
        let limited = host.limited(to: try call.limit())
        let people = try await calling { () async throws(APIError) in
            try await limited.roster(of: id, matching: text, archived: archived, absentInARow: absences)
        }
        if call.wantsJSON {
            call.json(Page(items: people, nextCursor: nil))
            return .success
        }
        guard !people.isEmpty else {
            call.noteNothing(isSearch: text != nil || absences != nil)
            return .success
        }
        let heads = [
            Messages.headName, Roster.headEmail, Roster.headNumber, Roster.headPresent, Roster.headLate,
            Roster.headAbsent, Roster.headExcused,
            Messages.headID,
        ]
        // A series without a minimum time has no such column.
        let hasPartial = people.contains { $0.totals?.partial != nil }
        var table = Table((heads + (hasPartial ? [Roster.headPartial] : [])).map { call.text($0) })
        for person in people {
            let totals = person.totals ?? SeriesTotals()
            table.add(
                [
                    person.name, person.email ?? "", person.number ?? "", String(totals.present),
                    String(totals.late), String(totals.absent),
                    String(totals.excused), person.id.text,
                ] + (hasPartial ? [String(totals.partial ?? 0)] : []))
        }
        call.out(table)
        return .success
    }

    private static func importFile(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let file = try await call.contents(of: call.arguments.positional("FILE") ?? "-")
        let (host, id) = try await target(call)
        let seen = Seen.tag(
            try await calling { () async throws(APIError) in try await host.rosterTag(of: id) })
        let named = Following.quoted(call.arguments.positional("MEETING") ?? "@")
        let change = LongChange(call, Roster.importingSteps, seenBy: "meeting roster list \(named)")
        change.wait(Roster.importing, ["size": ByteCount.text(file.count)])
        let dryRun = call.arguments.has("dry-run")
        if !dryRun { try await requireClearNames(file, host, id, seen, call) }
        let done = try await change.sent { (follower) async throws(APIError) in
            try await host.importRoster(file, to: id, seen: seen, dryRun: dryRun, following: follower)
        }
        if call.wantsJSON {
            call.json(done)
            return .success
        }
        if let changes = done.changes { list(changes, call) }
        call.out(
            dryRun ? Roster.wouldImport : Roster.imported,
            [
                "people": String(done.people), "added": String(done.added), "updated": String(done.updated),
                "unarchived": String(done.unarchived), "archived": String(done.archived),
            ])
        if done.encoding == .cp949 { call.note(Phrase.Record.readAsKorean) }
        if done.withoutKey > 0 {
            let kind = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
                .identifyBy
            let missing = kind == .number ? Roster.withoutNumber : Roster.withoutEmail
            call.note(missing, ["count": String(done.withoutKey)])
        }
        return .success
    }

    /// Lists the names that the import could not assign to one attendee, before it writes anything, and asks
    /// whether to import nevertheless.
    private static func requireClearNames(
        _ file: [UInt8], _ host: APIClient, _ id: MeetingID, _ seen: Seen, _ call: Invocation
    ) async throws(CommandFailure) {
        guard call.mayAsk else { return }
        let preview = try await calling { () async throws(APIError) in
            try await host.importRoster(file, to: id, seen: seen, dryRun: true)
        }
        guard let changes = preview.changes, !changes.ambiguous.isEmpty else { return }
        for entry in changes.ambiguous { call.out("? \(TerminalEscaping.safe(entry.name))") }
        call.note(Roster.ambiguous)
        guard try await call.confirmed(Roster.importAnyway, orElse: Roster.notImported) else {
            throw .said(.conflict, Roster.notImported, [:], next: nil)
        }
    }

    /// Prints a line for each changed person: a sign, the name, and the values that change.
    private static func list(_ changes: RosterChangesBody, _ call: Invocation) {
        func line(_ sign: String, _ entry: RosterChangesBody.Entry) -> String {
            let values = [entry.name, entry.email, entry.number].compactMap { $0 }
            return "\(sign) \(TerminalEscaping.safe(values.joined(separator: ", ")))"
        }
        for entry in changes.added + changes.unarchived { call.out(line("+", entry)) }
        for change in changes.updated {
            call.out(line("-", change.before))
            call.out(line("+", change.after))
        }
        for entry in changes.archived { call.out(line("-", entry)) }
        for entry in changes.ambiguous { call.out(line("?", entry)) }
        if !changes.ambiguous.isEmpty { call.note(Roster.ambiguous) }
    }

    private static func add(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        var person = NewPerson()
        person.name = call.arguments.positional("NAME")
        person.email = call.arguments.value("email")
        person.number = call.arguments.value("number")
        person.allowSameName = call.arguments.has("same-name")
        return try await put(person, call)
    }

    private static func keep(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let named = call.arguments.value("session") ?? call.arguments.positional("MEETING") ?? "@"
        if call.arguments.has("all-who-came") { return try await keepAll(of: named, call, host) }
        var person = NewPerson()
        person.attendeeId = try await CorrectionCommands.person(
            "ATTENDEE", call, host, try await Reference(named, host).session(for: .people, telling: call)
        ).id
        return try await put(person, call)
    }

    /// Keeps everybody who came to the named session, or to the last session of the named meeting.
    private static func keepAll(of named: String, _ call: Invocation, _ host: APIClient)
        async throws(CommandFailure) -> ExitCode
    {
        let session = try await Reference(named, host).session(for: .people, telling: call)
        let kept = try await calling { () async throws(APIError) in
            try await host.keepEverybody(of: session.id, in: session.meetingId)
        }
        if call.wantsJSON {
            call.json(kept)
        } else {
            call.note(
                Roster.keptAll,
                [
                    "name": TerminalEscaping.safe(session.meetingName), "round": String(session.round),
                    "kept": String(kept.kept), "unchanged": String(kept.unchanged),
                ])
        }
        return .success
    }

    private static func put(_ person: NewPerson, _ call: Invocation) async throws(CommandFailure) -> ExitCode
    {
        let (host, id) = try await target(call)
        let added: PersonBody
        do throws(APIError) {
            added = try await host.add(person, to: id)
        } catch {
            guard error.code == .nameOnRoster else { throw .api(error) }
            let name = ["name": TerminalEscaping.safe(person.name ?? "")]
            guard call.mayAsk else { throw .said(.conflict, Roster.nameIsKnown, name, next: nil) }
            guard try await call.confirmed(Roster.sameNameAsk, orElse: Roster.nameIsKnown, name) else {
                throw .said(.conflict, Roster.notAdded, name, next: nil)
            }
            var other = person
            other.allowSameName = true
            let asked = other
            added = try await calling { () async throws(APIError) in try await host.add(asked, to: id) }
        }
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

    /// Finds the only person who matches the argument.
    /// - Parameter archived: whether to look among the archived people only, or among the others only; nil
    ///   for everybody.
    /// - Throws: `.said` if nobody or more than one person matches.
    static func person(archived: Bool?, _ call: Invocation, _ host: APIClient, _ id: MeetingID)
        async throws(CommandFailure) -> PersonBody
    {
        let written = call.arguments.positional("PERSON") ?? ""
        let listed = named(call)
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
        return person
    }

    /// Changes the only person who matches the argument.
    private static func edit(_ call: Invocation, archived: Bool?, _ change: PersonChange)
        async throws(CommandFailure) -> PersonBody
    {
        let (host, id) = try await target(call)
        let person = try await person(archived: archived, call, host, id)
        let seen = try call.seen(person.version)
        let changed = try await calling { () async throws(APIError) in
            try await host.edit(person.id, of: id, change, seen: seen)
        }
        ChangedFields.show(
            call,
            [
                ("name", person.name, changed.name), ("email", person.email, changed.email),
                ("number", person.number, changed.number),
            ])
        return changed
    }
}

extension CommandPhrases.Roster {
    static let list = Phrase("list the people of a meeting with their totals")
    static let absentInARow = Phrase("only people absent this many times in a row (1–20)")
    static let archivedOnes = Phrase("only archived people")
    static let importFile = Phrase("import the roster from a CSV file; people not in the file are archived")
    static let importExample = Phrase("columns: name, email, number")
    static let file = Phrase("CSV in UTF-8 or Korean CP949, or - for standard input")
    static let importNotes = Phrase(
        "The import takes all rows or none. Errors and duplicates are listed with their line "
            + "numbers. On a terminal, a long import shows its progress. If you interrupt the command, "
            + "the server still completes the import.")
    static let dryRun = Phrase("only show what would change")
    static let wouldImport = Phrase(
        "Nothing was changed. The roster would have {people} {people|person|people}: {added} added, "
            + "{updated} changed, {unarchived} restored, {archived} archived."
    )
    static let importing = Phrase("Importing {size}…")
    static let importingSteps = Phrase("Importing the roster: {done} of {total}")
    static let add = Phrase("add a person to the roster")
    static let rename = Phrase("change a person's name, e-mail address or number")
    static let archive = Phrase("archive a person; their attendance records stay")
    static let unarchive = Phrase("restore an archived person")
    static let keep = Phrase("add a walk-in to the roster")
    static let ambiguous = Phrase(
        "The names with ? belong to several attendees who have no address or number. The import does not "
            + "merge them: merge them by hand with \"qring attendee merge\".")
    static let sameName = Phrase("add the person even if the roster has the name")
    static let importAnyway = Phrase("Import the roster? [y/N]")
    static let notImported = Phrase("Nothing was imported.")
    static let sameNameAsk = Phrase(
        "{name} is on the roster already. Add another person with this name? [y/N]")
    static let nameIsKnown = Phrase(
        "{name} is on the roster already. If this is another person, add --same-name.")
    static let notAdded = Phrase("{name} was not added.")
    static let keepAll = Phrase("add everybody who came to the session to the roster")
    static let keepWhere = Phrase("the meeting, or with --all-who-came a session of it")
    static let keptAll = Phrase(
        "{name}, session {round}: {kept} {kept|person|people} added to the roster, {unchanged} on it "
            + "already.")
    static let person = Phrase("id, e-mail address, number, or a unique name")
    static let noPerson = Phrase(
        "nobody on the roster has the id, name, e-mail address or number \"{text}\".")
    static let newName = Phrase("the new name")
    static let added = Phrase("Added to the roster: {name}.")
    static let archived = Phrase("Archived: {name}.")
    static let unarchived = Phrase("Restored: {name}.")
    static let imported = Phrase(
        "{people} {people|person|people} on the roster: {added} added, {updated} changed, {unarchived} "
            + "restored, {archived} archived.")
    static let withoutEmail = Phrase(
        "{count} {count|person has|people have} no e-mail address. Add the address, so that a check-in is "
            + "matched with the roster.")
    static let withoutNumber = Phrase(
        "{count} {count|person has|people have} no number. Add the number, so that a check-in is matched "
            + "with the roster.")
    static let headPresent = Phrase("PRESENT")
    static let headLate = Phrase("LATE")
    static let headAbsent = Phrase("ABSENT")
    static let headPartial = Phrase("PARTIALLY PRESENT")
    static let headExcused = Phrase("EXCUSED")
    static let headEmail = Phrase("E-MAIL")
    static let headNumber = Phrase("NUMBER")
}
