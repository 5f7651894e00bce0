internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Commands that plan future sessions of a meeting and export past ones.
package enum SeriesCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Roster = CommandPhrases.Roster
    private static let meeting = CommandDeclaration.Positional("MEETING", Help.meeting)
    private static let session = CommandDeclaration.Positional("SESSION", Help.session)
    private static let output = CommandDeclaration.Positional("FILE", Roster.output, required: false)
    private static let outputOption = CommandDeclaration.Option.value("output", "FILE", Roster.output)

    package static let all = [
        CommandDeclaration(
            "meeting repeat", Roster.repeatMeeting,
            examples: [
                .init("meeting repeat \"Study group\" --rule weekly --count 10", Roster.repeatWeekly),
                .init(
                    "meeting repeat @ --rule weekdays --on monday --on wednesday --count 8", Roster.repeatOn),
            ], positionals: [meeting],
            options: [
                .oneOf("rule", RepeatRequest.Rule.allCases.map(\.rawValue), Roster.rule),
                .number("every", "DAYS", SeriesRule.days, Roster.every),
                .values("on", "DAY", Roster.on), .number("count", "N", 1...SeriesRule.most, Roster.count),
                .value("starts", "TIME", Roster.firstStarts),
                .value("ends", "TIME", Help.ends), .value("for", "DURATION", Help.duration),
                .flag("allow-overlap", Help.allowOverlap),
                .json(of: SessionBody.self),
            ],
            needs: [
                .one(of: "rule"), .one(of: "count"),
                .one(of: "every") { $0.value("rule") == RepeatRequest.Rule.days.rawValue },
            ], run: plan),
        CommandDeclaration(
            "meeting calendar", Roster.calendar,
            examples: [.init("meeting calendar \"Study group\" --output study.ics", Roster.calendar)],
            positionals: [meeting, output], options: [outputOption], run: calendar),
        CommandDeclaration(
            "meeting poster", Roster.poster,
            examples: [.init("meeting poster \"Study group\" --output poster.pdf", Roster.poster)],
            positionals: [meeting, output], options: [outputOption], run: poster),
        CommandDeclaration(
            "attendee export", Roster.export,
            examples: [
                .init("attendee export @ --output attendance.csv --bom", CommandPhrases.Help.byteOrderMark)
            ],
            positionals: [session, output], options: [outputOption] + CommandDeclaration.Option.table,
            run: export),
        CommandDeclaration(
            "session sheet", Roster.sheet,
            examples: [.init("session sheet @ --output sheet.html", Roster.sheet)],
            positionals: [session, output], options: [outputOption], run: sheet),
    ]

    private static func plan(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let rule = call.choice("rule", of: RepeatRequest.Rule.self) ?? .weekly
        var series = NewSeries(rule, count: try call.integer("count") ?? 1)
        series.every = try call.integer("every")
        let days = call.arguments.values("on")
        if !days.isEmpty { series.on = try days.map(weekday) }
        if call.arguments.has("allow-overlap") { series.allowOverlap = true }
        let host = try call.host()
        let id = try await Reference("MEETING", of: call, host).meeting()
        if call.arguments.value("starts") != nil {
            let zone = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
                .timeZone
            let (starts, ends) = try SessionTimesOption.newTimes(call, in: .named(zone))
            try await SessionTimesOption.check(call, starts, ends, in: .named(zone))
            (series.startsAt, series.endsAt) = (starts, ends)
        }
        let asked = series
        let named = Following.quoted(call.arguments.positional("MEETING") ?? "@")
        let change = LongChange(
            call, CommandPhrases.Messages.addingSessions, seenBy: "session list \(named)")
        let made = try await change.sent { (follower) async throws(APIError) in
            try await host.repeat(id, asked, following: follower)
        }
        if call.wantsJSON {
            call.json(Page(items: made, nextCursor: nil))
        } else {
            call.out(SessionCommands.table(made, call))
            call.note(Roster.planned, ["count": String(made.count)])
        }
        return .success
    }

    /// Returns the weekday from its full English name, or from its first letters (at least two).
    private static func weekday(_ written: String) throws(CommandFailure) -> Weekday {
        let found = Weekday.allCases.filter {
            written.count >= 2 && $0.rawValue.hasPrefix(written.lowercased())
        }
        guard let day = found.first else {
            throw .usage(
                .notReadable(
                    "--on", written, expected: Weekday.allCases.map(\.rawValue).joined(separator: ", ")))
        }
        return day
    }

    private static func calendar(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await save(call, "MEETING") { (host, reference) async throws(CommandFailure) in
            let id = try await reference.meeting()
            return try await calling { () async throws(APIError) in try await host.calendar(of: id) }
        }
    }

    private static func poster(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let html = path(call).lowercased().hasSuffix(".html")
        return try await save(call, "MEETING") { (host, reference) async throws(CommandFailure) in
            let id = try await reference.meeting()
            return try await calling { () async throws(APIError) in try await host.poster(of: id, html: html)
            }
        }
    }

    private static func export(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        return try await save(call, "SESSION") { (host, reference) async throws(CommandFailure) in
            let id = try await reference.session(for: .people, telling: call).id
            return try await calling { () async throws(APIError) in
                try await host.attendanceFile(of: id, call.table)
            }
        }
    }

    private static func sheet(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await save(call, "SESSION") { (host, reference) async throws(CommandFailure) in
            let id = try await reference.session(for: .people, telling: call).id
            return try await calling { () async throws(APIError) in try await host.sheet(of: id) }
        }
    }

    private static func save(
        _ call: Invocation, _ positional: String,
        _ fetch: (APIClient, Reference) async throws(CommandFailure) -> [UInt8]
    ) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let bytes = try await fetch(host, Reference(positional, of: call, host))
        try call.write(bytes, to: path(call))
        return .success
    }

    /// Returns the file to write; standard output if the user names none.
    private static func path(_ call: Invocation) -> String {
        call.arguments.value("output") ?? call.arguments.positional("FILE") ?? "-"
    }
}

extension CommandPhrases.Roster {
    static let repeatMeeting = Phrase("plan the next sessions by a rule")
    static let repeatWeekly = Phrase("the next ten weeks, at the same local time")
    static let repeatOn = Phrase("Mondays and Wednesdays")
    static let rule = Phrase("weekly, on weekdays, or every few days")
    static let every = Phrase("for days: the interval in days (1–366)")
    static let on = Phrase("for weekdays: which days (default Monday to Friday)")
    static let count = Phrase("the number of sessions (1–100)")
    static let firstStarts = Phrase("start of the first one (default: continue after the latest session)")
    static let planned = Phrase("{count} {count|session|sessions} planned.")
    static let calendar = Phrase("save the sessions as an .ics file")
    static let export = Phrase("save attendance as a CSV file")
    static let sheet = Phrase("save an attendance sheet for printing (HTML)")
    static let poster = Phrase(
        "save a poster with the meeting's code (PDF, or HTML by the file's name), for sessions with a static "
            + "code")
    static let output = Phrase("the file to write (default: standard output)")
}
