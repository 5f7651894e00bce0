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
            positionals: [anySession],
            options: [
                .values("place", "PLACE", Groups.place), .flag("no-places", Groups.noPlaces),
                .oneOf("names", ["yes", "no"], Groups.names), .json(of: MatchSettingsBody.self),
            ], run: open),
        CommandDeclaration(
            "groups off", Groups.close, examples: [.init("groups off @", Groups.close)],
            positionals: [anySession], options: [.json(of: MatchSettingsBody.self)], run: close),
        CommandDeclaration(
            "groups reports", Groups.reports, examples: [.init("groups reports @", Groups.reports)],
            positionals: [anySession], options: [json], run: reports),
        CommandDeclaration(
            "groups exclude", Groups.exclude,
            examples: [.init("groups exclude @ 7F3K", Groups.exclude)], positionals: [session, report],
            options: [.flag("off", Groups.include), json], run: exclude),
        CommandDeclaration(
            "groups dismiss", Groups.dismiss,
            examples: [.init("groups dismiss @ 7F3K", Groups.dismiss)], positionals: [session, report],
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
        static let show = Phrase("show groups of interest: counts and interests", "관심사 모임의 인원과 관심사 보기")
        static let notes = Phrase(
            "Nobody sees who asks whom to meet. Reports are for the hosts.",
            "누가 누구에게 만남을 요청했는지는 아무도 볼 수 없습니다. 신고는 진행자만 봅니다.")
        static let open = Phrase("switch groups of interest on", "관심사 모임 켜기")
        static let places = Phrase("with two tables to meet", "만날 테이블 두 곳과 함께")
        static let place = Phrase(
            "a table or place to meet; repeat it for several", "만날 테이블이나 자리(여러 번 쓸 수 있음)")
        static let noPlaces = Phrase(
            "no places: two people exchange a line of text", "자리 없이 한마디를 주고받기")
        static let names = Phrase(
            "whether reports show the hosts the name (default no)", "신고에서 진행자가 이름을 볼지(기본 no)")
        static let close = Phrase("switch groups of interest off", "관심사 모임 끄기")
        static let reports = Phrase("list the reports", "신고 보기")
        static let report = Phrase("the first 4 or more letters of the report's id", "신고 ID의 앞 4자 이상")
        static let exclude = Phrase("exclude the reported person", "신고된 사람을 관심사 모임에서 제외")
        static let include = Phrase("include the person again", "제외 해제")
        static let dismiss = Phrase("mark a report as dealt with", "신고를 처리 완료로 표시")
        static let saidOpen = Phrase("Groups of interest are on.", "관심사 모임이 켜져 있습니다.")
        static let saidClosed = Phrase("Groups of interest are off.", "관심사 모임이 꺼져 있습니다.")
        static let saidNamed = Phrase(
            "Reports show you the names of people who take part from now on.",
            "지금부터 참여하는 사람은 신고에 이름이 보입니다.")
        static let saidHidden = Phrase(
            "The names of people who take part from now on are shown to nobody.",
            "지금부터 참여하는 사람의 이름은 아무에게도 보이지 않습니다.")
        static let counts = Phrase(
            "{people} {people|person takes|people take} part, {pairs} {pairs|pair meets|pairs meet} now, "
                + "{reports} open {reports|report|reports}.",
            "{people}명 참여 중, 지금 {pairs}쌍이 만나는 중, 처리할 신고 {reports}건.")
        static let saidPlaces = Phrase("Places: {places}", "자리: {places}")
        static let headCount = Phrase("PEOPLE", "인원")
        static let headKeyword = Phrase("INTEREST", "관심사")
        static let headID = Phrase("ID", "ID")
        static let headState = Phrase("STATE", "상태")
        static let headNickname = Phrase("NICKNAME", "별명")
        static let headName = Phrase("NAME", "이름")
        static let headText = Phrase("REPORT", "신고 내용")
        static let stateOpen = Phrase("open", "처리 전")
        static let stateClosed = Phrase("dealt with", "처리됨")
        static let stateExcluded = Phrase("excluded", "제외됨")
        static let saidExcluded = Phrase(
            "Excluded from the groups: {nickname}", "관심사 모임에서 제외했습니다: {nickname}")
        static let saidIncluded = Phrase("Included again: {nickname}", "제외를 해제했습니다: {nickname}")
        static let saidDismissed = Phrase(
            "Marked as dealt with: {nickname}", "처리 완료로 표시했습니다: {nickname}")
        static let noReport = Phrase(
            "no report, or more than one, has an id that begins with \"{text}\".",
            "ID가 \"{text}\"(으)로 시작하는 신고가 없거나 여러 개입니다.")
    }
}
