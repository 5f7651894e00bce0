internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The host's commands for groups of interest.
package enum GroupsCommands {
    private typealias Groups = CommandPhrases.Groups
    private typealias Declared = CommandDeclaration

    private static let session = Declared.Positional("SESSION", CommandPhrases.Help.session)
    private static let anySession = Declared.Positional(
        "SESSION", CommandPhrases.Help.session, required: false)
    private static let report = Declared.Positional("REPORT", Groups.report)
    private static let json = Declared.Option.json(of: MatchReportBody.self)

    package static let all = [
        CommandDeclaration(
            "groups", Groups.show, examples: [.init("groups @", Groups.show)], positionals: [anySession],
            options: [.json(of: MatchSettingsBody.self)], notes: Groups.notes, run: show),
        CommandDeclaration(
            "groups on", Groups.open,
            examples: [
                .init("groups on @", Groups.open),
                .init("groups on @ --place \"Table 1\" --place \"Table 2\"", Groups.places),
            ],
            positionals: [anySession], changesSession: true,
            options: [
                .values("place", "PLACE", Groups.place), .flag("no-places", Groups.noPlaces),
                .oneOf("names", ["yes", "no"], Groups.names), .json(of: MatchSettingsBody.self),
            ], run: open),
        CommandDeclaration(
            "groups off", Groups.close, examples: [.init("groups off @", Groups.close)],
            positionals: [anySession], changesSession: true, options: [.json(of: MatchSettingsBody.self)],
            run: close),
        CommandDeclaration(
            "groups reports", Groups.reports, examples: [.init("groups reports @", Groups.reports)],
            positionals: [anySession], options: [json], run: reports),
        CommandDeclaration(
            "groups exclude", Groups.exclude,
            examples: [.init("groups exclude @ 7F3K", Groups.exclude)], positionals: [session, report],
            changesSession: true,
            options: [.flag("off", Groups.include), json], run: exclude),
        CommandDeclaration(
            "groups dismiss", Groups.dismiss,
            examples: [.init("groups dismiss @ 7F3K", Groups.dismiss)], positionals: [session, report],
            changesSession: true,
            options: [json], run: dismiss),
    ]

    // MARK: Settings

    private static func show(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let settings = try await calling { () async throws(APIError) in
            try await host.matchSettings(of: session.id)
        }
        print(settings, call)
        return .success
    }

    private static func print(_ settings: MatchSettingsBody, _ call: Invocation) {
        if call.wantsJSON { return call.json(settings) }
        call.out(settings.open ? Groups.saidOpen : Groups.saidClosed)
        if settings.open {
            call.out(settings.promise == .named ? Groups.saidNamed : Groups.saidHidden)
        }
        call.out(
            Groups.counts,
            [
                "people": String(settings.people), "pairs": String(settings.pairs),
                "reports": String(settings.openReports),
            ])
        if !settings.places.isEmpty {
            let places = settings.places.map { TerminalEscaping.safe($0) }.joined(separator: ", ")
            call.out(Groups.saidPlaces, ["places": places])
        }
        guard !settings.keywords.isEmpty else { return }
        var table = Table([Groups.headCount, Groups.headKeyword].map { call.text($0) })
        for keyword in settings.keywords { table.add([String(keyword.count), keyword.keyword]) }
        call.out(table)
    }

    private static func open(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (places, hasNone) = (call.arguments.values("place"), call.arguments.has("no-places"))
        if hasNone, !places.isEmpty { throw .usage(.together("--place", "--no-places")) }
        return try await edit(
            call,
            MatchSettingsChange(
                open: true, promise: call.arguments.value("names").map { $0 == "yes" ? .named : .hidden },
                places: hasNone || !places.isEmpty ? places : nil))
    }

    private static func close(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await edit(call, MatchSettingsChange(open: false))
    }

    private static func edit(_ call: Invocation, _ change: MatchSettingsChange)
        async throws(CommandFailure) -> ExitCode
    {
        let (host, session) = try await target(call)
        let settings = try await calling { () async throws(APIError) in
            try await host.editMatching(of: session.id, change, seen: .anything)
        }
        print(settings, call)
        return .success
    }

    // MARK: Reports

    private static func reports(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let found = try await calling { () async throws(APIError) in
            try await host.matchReports(of: session.id)
        }
        if call.wantsJSON {
            call.json(found)
            return .success
        }
        if found.items.isEmpty {
            call.note(CommandPhrases.Messages.nothing)
            return .success
        }
        var table = Table(
            [Groups.headID, Groups.headState, Groups.headNickname, Groups.headName, Groups.headText].map {
                call.text($0)
            }, main: 4)
        for report in found.items {
            let state = [
                call.text(report.closed ? Groups.stateClosed : Groups.stateOpen),
                report.excluded ? call.text(Groups.stateExcluded) : nil,
            ]
            table.add([
                String(report.id.text.prefix(6)), state.compactMap(\.self).joined(separator: ", "),
                report.nickname, report.name ?? "", report.text,
            ])
        }
        call.out(table)
        return .success
    }

    private static func exclude(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let excludes = !call.arguments.has("off")
        return try await handle(
            call, closed: excludes ? true : nil, excluded: excludes,
            excludes ? Groups.saidExcluded : Groups.saidIncluded)
    }

    private static func dismiss(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await handle(call, closed: true, excluded: nil, Groups.saidDismissed)
    }

    private static func handle(_ call: Invocation, closed: Bool?, excluded: Bool?, _ said: Phrase)
        async throws(CommandFailure) -> ExitCode
    {
        let (host, session) = try await target(call)
        let written = call.arguments.positional("REPORT") ?? ""
        let all = try await calling { () async throws(APIError) in
            try await host.matchReports(of: session.id)
        }
        let found = all.items.filter {
            written.utf8.count >= 4 && $0.id.text.hasPrefix(written.uppercased())
        }
        guard let report = found.first, found.count == 1 else {
            throw .said(
                .notFound, Groups.noReport, ["text": TerminalEscaping.safe(written)],
                next: "qring groups reports @")
        }
        let changed = try await calling { () async throws(APIError) in
            try await host.handle(report.id, in: session.id, closed: closed, excluded: excluded)
        }
        if call.wantsJSON {
            call.json(changed)
        } else {
            call.out(said, ["nickname": TerminalEscaping.safe(changed.nickname)])
        }
        return .success
    }

    private static func target(_ call: Invocation) async throws(CommandFailure) -> (APIClient, SessionBody) {
        let host = try call.host()
        return (host, try await Reference("SESSION", of: call, host).session())
    }
}

extension CommandPhrases {
    fileprivate enum Groups {
        static let show = Phrase("show groups of interest: counts and interests")
        static let notes = Phrase("Nobody sees who asks whom to meet. Reports are for the hosts.")
        static let open = Phrase("switch groups of interest on")
        static let places = Phrase("with two tables to meet")
        static let place = Phrase("a table or place to meet; repeat it for several")
        static let noPlaces = Phrase("no places: two people exchange a line of text")
        static let names = Phrase("whether reports show the hosts the name (default no)")
        static let close = Phrase("switch groups of interest off")
        static let reports = Phrase("list the reports")
        static let report = Phrase("the first 4 or more letters of the report's id")
        static let exclude = Phrase("exclude the reported person")
        static let include = Phrase("include the person again")
        static let dismiss = Phrase("mark a report as dealt with")
        static let saidOpen = Phrase("Groups of interest are on.")
        static let saidClosed = Phrase("Groups of interest are off.")
        static let saidNamed = Phrase("Reports show you the names of people who take part from now on.")
        static let saidHidden = Phrase("The names of people who take part from now on are shown to nobody.")
        static let counts = Phrase(
            "{people} {people|person takes|people take} part, {pairs} {pairs|pair meets|pairs meet} now, "
                + "{reports} open {reports|report|reports}.")
        static let saidPlaces = Phrase("Places: {places}")
        static let headCount = Phrase("PEOPLE")
        static let headKeyword = Phrase("INTEREST")
        static let headID = Phrase("ID")
        static let headState = Phrase("STATE")
        static let headNickname = Phrase("NICKNAME")
        static let headName = Phrase("NAME")
        static let headText = Phrase("REPORT")
        static let stateOpen = Phrase("open", context: "report")
        static let stateClosed = Phrase("dealt with")
        static let stateExcluded = Phrase("excluded")
        static let saidExcluded = Phrase("Excluded from the groups: {nickname}")
        static let saidIncluded = Phrase("Included again: {nickname}")
        static let saidDismissed = Phrase("Marked as dealt with: {nickname}")
        static let noReport = Phrase("no report, or more than one, has an id that begins with \"{text}\".")
    }
}
