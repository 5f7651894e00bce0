internal import CommandLine
internal import Phrases

extension HelpSection {
    private typealias Overview = CommandPhrases.Overview

    /// The headings of the overview.
    static let all = [
        HelpSection(Overview.start, ["demo", "serve", "signup", "login"]),
        HelpSection(
            Overview.host,
            [
                "meeting", "session", "series", "roster", "member", "qr", "present", "attendee", "question",
                "poll", "results",
            ]),
        HelpSection(Overview.live, ["watch", "dashboard", "simulate"]),
        HelpSection(Overview.attendee, ["checkin", "respond"]),
        HelpSection(Overview.account, ["whoami", "logout", "invite"]),
        HelpSection(Overview.operator, ["admin", "bench"]),
    ]
}

extension HelpTopic {
    private typealias Topic = CommandPhrases.Topic
    private typealias Manual = CommandPhrases.Manual

    static let all = [environment, exitCodes, times, references, formatting]

    static let environment = HelpTopic(
        name: "environment", summary: Topic.environment, manualHeading: Manual.environment,
        rows: [
            ("", Topic.environmentOrder), ("QRING_SERVER", Topic.server), ("QRING_TOKEN", Topic.token),
            ("QRING_EMAIL", Topic.email),
            ("QRING_LANG", Topic.lang), ("LC_ALL, LC_MESSAGES, LANG", Topic.locale),
            ("NO_COLOR", Topic.noColor), ("TERM", Topic.term),
            ("XDG_CONFIG_HOME", Topic.config), ("XDG_DATA_HOME", Topic.data), ("no_proxy", Topic.noProxy),
            ("QRING_LISTEN, QRING_DATA, …", Topic.serve),
        ])

    static let exitCodes = HelpTopic(
        name: "exit-codes", summary: Topic.exitCodes, manualHeading: Manual.exitStatus,
        rows: ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })

    static let times = HelpTopic(
        name: "times", summary: Topic.times, manualHeading: Manual.times,
        rows: [
            ("", Topic.timesZone), ("now", Topic.now), ("+2h, +1h30m, +45m", Topic.later),
            ("19:00, 7pm, 7:30pm", Topic.today),
            ("tomorrow 7pm", Topic.tomorrow), ("Fri 19:00", Topic.weekday),
            ("next friday 9:30", Topic.nextWeekday),
            ("2026-11-21 19:00", Topic.date),
            ("2026-11-21T19:00:00+09:00", Topic.instant), ("내일 오후 7시, 다음 주 금요일 19시 30분", Topic.korean),
        ])

    static let references = HelpTopic(
        name: "names", summary: Topic.references, manualHeading: Manual.references,
        rows: [
            ("", Topic.ambiguous), ("@", Topic.nearest), ("\"Study group\"", Topic.byName),
            ("\"Study group#2\"", Topic.byRound),
            ("01JD…", Topic.byID),
        ])

    static let formatting = HelpTopic(
        name: "formatting", summary: Topic.formatting, manualHeading: Manual.formatting,
        rows: [
            ("--json", Topic.json), ("--json id,name", Topic.jsonFields), ("--json=name", Topic.jsonEquals),
            ("| cat", Topic.plain),
        ])
}

extension ExitCode {
    var meaning: Phrase {
        typealias Topic = CommandPhrases.Topic
        return switch self {
        case .success: Topic.success
        case .failed: Topic.failed
        case .usage: Topic.usage
        case .notAllowed: Topic.notAllowed
        case .notFound: Topic.notFound
        case .conflict: Topic.conflict
        case .timedOut: Topic.timedOut
        case .interrupted: Topic.interrupted
        }
    }
}
