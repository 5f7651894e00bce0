internal import Phrases

/// What holds for many commands, told once: `qring help environment`.
struct HelpTopic: Sendable {
    let name: String
    let summary: Phrase
    /// A name and its meaning each, or prose where the name is empty.
    let rows: [(name: String, meaning: Phrase)]

    private typealias Topic = CommandPhrases.Topic

    static let all = [environment, exitCodes, times, references, formatting]

    static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }

    func text(in language: Language, width: Int?) -> String {
        let prose = rows.prefix { $0.name.isEmpty }.map {
            TextWrapping.lines($0.meaning.text(in: language), indent: 0, width: width)
        }
        let listed = rows.drop { $0.name.isEmpty }.map { ($0.name, $0.meaning.text(in: language)) }
        return "qring help \(name): \(summary.text(in: language))\n\n" + prose.joined()
            + (prose.isEmpty || listed.isEmpty ? "" : "\n") + HelpText.columns(listed, width: width)
    }

    static let environment = HelpTopic(
        name: "environment", summary: Topic.environment,
        rows: [
            ("", Topic.environmentOrder), ("QRING_SERVER", Topic.server), ("QRING_TOKEN", Topic.token),
            ("QRING_EMAIL", Topic.email),
            ("QRING_LANG", Topic.lang), ("LC_ALL, LC_MESSAGES, LANG", Topic.locale),
            ("NO_COLOR", Topic.noColor), ("TERM", Topic.term),
            ("XDG_CONFIG_HOME", Topic.config), ("XDG_DATA_HOME", Topic.data), ("no_proxy", Topic.noProxy),
            ("QRING_LISTEN, QRING_DATA, …", Topic.serve),
        ])

    static let exitCodes = HelpTopic(
        name: "exit-codes", summary: Topic.exitCodes,
        rows: ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })

    static let times = HelpTopic(
        name: "times", summary: Topic.times,
        rows: [
            ("", Topic.timesZone), ("now", Topic.now), ("+2h, +1h30m, +45m", Topic.later),
            ("19:00, 7pm, 7:30pm", Topic.today),
            ("tomorrow 7pm", Topic.tomorrow), ("Fri 19:00", Topic.weekday),
            ("next friday 9:30", Topic.nextWeekday),
            ("2026-11-21 19:00", Topic.date),
            ("2026-11-21T19:00:00+09:00", Topic.instant), ("내일 오후 7시, 다음 주 금요일 19시 30분", Topic.korean),
        ])

    static let references = HelpTopic(
        name: "names", summary: Topic.references,
        rows: [
            ("", Topic.ambiguous), ("@", Topic.nearest), ("\"Study group\"", Topic.byName),
            ("\"Study group#2\"", Topic.byRound),
            ("01JD…", Topic.byID),
        ])

    static let formatting = HelpTopic(
        name: "formatting", summary: Topic.formatting,
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
