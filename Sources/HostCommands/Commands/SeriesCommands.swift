internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Rounds ahead, and files of what was.
package enum SeriesCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Roster = CommandPhrases.Roster
    private static let meeting = CommandDeclaration.Positional("MEETING", Help.meeting)
    private static let session = CommandDeclaration.Positional("SESSION", Help.session)
    private static let output = CommandDeclaration.Positional("FILE", Roster.output)

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
                .value("every", "DAYS", Roster.every),
                .values("on", "DAY", Roster.on), .value("count", "N", Roster.count),
                .value("starts", "TIME", Roster.firstStarts),
                .value("ends", "TIME", Help.ends), .value("for", "DURATION", Help.duration),
                .flag("allow-overlap", Help.allowOverlap),
                .json(of: SessionBody.self),
            ], run: plan),
        CommandDeclaration(
            "meeting calendar", Roster.calendar,
            examples: [.init("meeting calendar \"Study group\" study.ics", Roster.calendar)],
            positionals: [meeting, output], run: calendar),
        CommandDeclaration(
            "meeting poster", Roster.poster,
            examples: [.init("meeting poster \"Study group\" poster.pdf", Roster.poster)],
            positionals: [meeting, output], run: poster),
        CommandDeclaration(
            "attendee export", Roster.export,
            examples: [.init("attendee export @ attendance.csv --bom", Roster.bom)],
            positionals: [session, output], options: [.flag("bom", Roster.bom)], run: export),
        CommandDeclaration(
            "session sheet", Roster.sheet, examples: [.init("session sheet @ sheet.html", Roster.sheet)],
            positionals: [session, output],
            run: sheet),
    ]

    private static func plan(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        guard let rule = call.choice("rule", of: RepeatRequest.Rule.self) else {
            throw .usage(.oneNeeded(["--rule"]))
        }
        guard let count = try call.integer("count", 1...SeriesRule.most) else {
            throw .usage(.oneNeeded(["--count"]))
        }
        var series = NewSeries(rule, count: count)
        series.every = try call.integer("every", SeriesRule.days)
        if rule == .days, series.every == nil { throw .usage(.oneNeeded(["--every"])) }
        let days = call.arguments.values("on")
        if !days.isEmpty { series.on = try days.map(weekday) }
        if call.arguments.has("allow-overlap") { series.allowOverlap = true }
        let host = try call.host()
        let id = try await Reference(call.arguments.positional("MEETING") ?? "@", host).meeting()
        if call.arguments.value("starts") != nil {
            let zone = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
                .timeZone
            let (starts, ends) = try SessionTimesOption.newTimes(call, in: .named(zone))
            (series.startsAt, series.endsAt) = (starts, ends)
        }
        let asked = series
        let made = try await calling { () async throws(APIError) in try await host.repeat(id, asked) }
        if call.wantsJSON {
            call.json(Page(items: made, nextCursor: nil))
        } else {
            call.out(SessionCommands.table(made, call))
            call.note(Roster.planned, ["count": String(made.count)])
        }
        return .success
    }

    /// In full, or its first letters.
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
        let html = call.arguments.positional("FILE")?.lowercased().hasSuffix(".html") ?? false
        return try await save(call, "MEETING") { (host, reference) async throws(CommandFailure) in
            let id = try await reference.meeting()
            return try await calling { () async throws(APIError) in try await host.poster(of: id, html: html)
            }
        }
    }

    private static func export(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let mark = call.arguments.has("bom")
        return try await save(call, "SESSION") { (host, reference) async throws(CommandFailure) in
            let id = try await reference.session().id
            return try await calling { () async throws(APIError) in
                try await host.attendanceFile(of: id, byteOrderMark: mark)
            }
        }
    }

    private static func sheet(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await save(call, "SESSION") { (host, reference) async throws(CommandFailure) in
            let id = try await reference.session().id
            return try await calling { () async throws(APIError) in try await host.sheet(of: id) }
        }
    }

    private static func save(
        _ call: Invocation, _ positional: String,
        _ fetch: (APIClient, Reference) async throws(CommandFailure) -> [UInt8]
    ) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let bytes = try await fetch(host, Reference(call.arguments.positional(positional) ?? "@", host))
        try call.write(bytes, to: call.arguments.positional("FILE") ?? "-")
        return .success
    }
}
