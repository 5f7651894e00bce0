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
    static let list = Phrase("list the people of a meeting with their totals", "모임 명단과 출결 합계")
    static let absentInARow = Phrase(
        "only people absent this many times in a row (1–20)",
        "이 횟수만큼 연속으로 결석한 사람만(1~20)")
    static let archivedOnes = Phrase("only archived people", "보관된 사람만")
    static let importFile = Phrase(
        "import the roster from a CSV file; people not in the file are archived",
        "CSV 파일에서 명단 가져오기(파일에 없는 사람은 보관)")
    static let importExample = Phrase("columns: name, email, number", "열: 이름, 이메일, 번호")
    static let file = Phrase(
        "CSV in UTF-8 or Korean CP949, or - for standard input",
        "CSV 파일(UTF-8 또는 한글 엑셀의 CP949), -는 표준 입력")
    static let importNotes = Phrase(
        "The import takes all rows or none. Errors and duplicates are listed with their line "
            + "numbers. On a terminal, a long import shows its progress. If you interrupt the command, "
            + "the server still completes the import.",
        "모든 행을 가져오거나 아무것도 가져오지 않습니다. 잘못되거나 겹치는 행은 줄 번호와 함께 알려 줍니다. 터미널에서는 오래 걸리는 가져오기의 진행 상황이 "
            + "나옵니다. 진행 중에 명령을 중단해도 서버는 가져오기를 끝까지 처리합니다.")
    static let dryRun = Phrase("only show what would change", "바뀔 내용만 보기")
    static let wouldImport = Phrase(
        "Nothing was changed. The roster would have {people} {people|person|people}: {added} added, "
            + "{updated} changed, {unarchived} restored, {archived} archived.",
        "아무것도 바꾸지 않았습니다. 가져오면 명단은 {people}명입니다. 추가 {added}명, 변경 {updated}명, "
            + "보관 해제 {unarchived}명, 보관 {archived}명."
    )
    static let importing = Phrase("Importing {size}…", "{size} 가져오는 중…")
    static let importingSteps = Phrase(
        "Importing the roster: {done} of {total}", "명단 가져오는 중: {done} / {total}")
    static let add = Phrase("add a person to the roster", "명단에 사람 추가")
    static let rename = Phrase("change a person's name, e-mail address or number", "이름, 이메일, 번호 변경")
    static let archive = Phrase("archive a person; their attendance records stay", "명단에서 보관(출결 기록은 유지)")
    static let unarchive = Phrase("restore an archived person", "보관 해제")
    static let keep = Phrase("add a walk-in to the roster", "현장 참가자를 명단에 추가")
    static let ambiguous = Phrase(
        "The names with ? belong to several attendees who have no address or number. The import does not "
            + "merge them: merge them by hand with \"qring attendee merge\".",
        "? 표시한 이름은 이메일이나 번호가 없는 여러 참석자의 이름과 같습니다. 자동으로 합치지 않으므로 \"qring attendee merge\"로 합치세요.")
    static let sameName = Phrase("add the person even if the roster has the name", "명단에 같은 이름이 있어도 추가")
    static let importAnyway = Phrase("Import the roster? [y/N]", "명단을 가져올까요? [y/N]")
    static let notImported = Phrase("Nothing was imported.", "아무것도 가져오지 않았습니다.")
    static let sameNameAsk = Phrase(
        "{name} is on the roster already. Add another person with this name? [y/N]",
        "{name} 님이 이미 명단에 있습니다. 이름이 같은 다른 사람을 추가할까요? [y/N]")
    static let nameIsKnown = Phrase(
        "{name} is on the roster already. If this is another person, add --same-name.",
        "{name} 님이 이미 명단에 있습니다. 다른 사람이면 --same-name을 붙이세요.")
    static let notAdded = Phrase("{name} was not added.", "{name} 님을 추가하지 않았습니다.")
    static let keepAll = Phrase(
        "add everybody who came to the session to the roster", "회차에 온 사람을 모두 명단에 추가")
    static let keepWhere = Phrase(
        "the meeting, or with --all-who-came a session of it", "모임. --all-who-came에는 회차도 가능")
    static let keptAll = Phrase(
        "{name}, session {round}: {kept} {kept|person|people} added to the roster, {unchanged} on it "
            + "already.",
        "{name} {round}회차: 명단에 {kept}명을 추가했습니다. {unchanged}명은 이미 있습니다.")
    static let person = Phrase(
        "id, e-mail address, number, or a unique name", "ID, 이메일, 번호 또는 이름(같은 이름이 없을 때)")
    static let noPerson = Phrase(
        "nobody on the roster has the id, name, e-mail address or number \"{text}\".",
        "명단에 ID, 이름, 이메일 또는 번호가 \"{text}\"인 사람이 없습니다.")
    static let newName = Phrase("the new name", "새 이름")
    static let added = Phrase("Added to the roster: {name}.", "명단에 추가했습니다: {name}")
    static let archived = Phrase("Archived: {name}.", "보관했습니다: {name}")
    static let unarchived = Phrase("Restored: {name}.", "보관을 해제했습니다: {name}")
    static let imported = Phrase(
        "{people} {people|person|people} on the roster: {added} added, {updated} changed, {unarchived} "
            + "restored, {archived} archived.",
        "명단은 {people}명입니다. 추가 {added}명, 변경 {updated}명, 보관 해제 {unarchived}명, 보관 {archived}명.")
    static let withoutEmail = Phrase(
        "{count} {count|person has|people have} no e-mail address. Add the address, so that a check-in is "
            + "matched with the roster.",
        "{count}명은 이메일이 없습니다. 체크인이 명단과 연결되도록 이메일을 추가하세요.")
    static let withoutNumber = Phrase(
        "{count} {count|person has|people have} no number. Add the number, so that a check-in is matched "
            + "with the roster.",
        "{count}명은 번호가 없습니다. 체크인이 명단과 연결되도록 번호를 추가하세요.")
    static let headPresent = Phrase("PRESENT", "출석")
    static let headLate = Phrase("LATE", "지각")
    static let headAbsent = Phrase("ABSENT", "결석")
    static let headExcused = Phrase("EXCUSED", "공결")
    static let headEmail = Phrase("E-MAIL", "이메일")
    static let headNumber = Phrase("NUMBER", "번호")
}
