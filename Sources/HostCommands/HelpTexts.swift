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
                "poll", "results", "moderate", "ask", "groups", "open", "copy", "certificate",
                "rsvp",
            ]),
        HelpSection(Overview.live, ["watch", "dashboard", "events", "simulate"]),
        HelpSection(Overview.attendee, ["checkin", "respond"]),
        HelpSection(
            Overview.account, ["whoami", "logout", "invite", "verify", "password", "token", "account"]),
        HelpSection(Overview.scripting, ["api", "context", "config", "alias"]),
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
            ("", Topic.environmentOrder), ("QRING_SERVER", Topic.server), ("QRING_CONTEXT", Topic.context),
            ("QRING_TOKEN", Topic.token), ("QRING_EMAIL", Topic.email), ("QRING_SESSION", Topic.session),
            ("QRING_ATTENDEE", Topic.attendee),
            ("QRING_LANG", Topic.lang), ("QRING_THEME", Topic.theme),
            ("QRING_PAGER, PAGER", Topic.pager), ("QRING_CA_FILE", Topic.certificates),
            ("BROWSER", Topic.browser),
            ("DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME", Topic.screen), ("TMUX", Topic.tmux),
            ("LC_ALL, LC_MESSAGES, LANG", Topic.locale),
            ("NO_COLOR", Topic.noColor), ("TERM", Topic.term),
            ("XDG_CONFIG_HOME", Topic.config), ("XDG_DATA_HOME", Topic.data), ("no_proxy", Topic.noProxy),
            ("QRING_LISTEN, QRING_DATA, …", Topic.serve),
        ])

    /// The variables `QRING_…` that the commands of hosts read.
    package static var variablesOfClients: [String] {
        environment.rows.flatMap { $0.name.split(separator: ", ").map(String.init) }.filter {
            $0.hasPrefix("QRING_")
        }
    }

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
            ("MWN8B4", Topic.byJoinCode),
            ("C6VRPS9", Topic.byID),
        ])

    static let formatting = HelpTopic(
        name: "formatting", summary: Topic.formatting, manualHeading: Manual.formatting,
        rows: [
            ("--json", Topic.json), ("--json id,name", Topic.jsonFields), ("--json=name", Topic.jsonEquals),
            ("--json attendance.present", Topic.jsonBelow), ("--jsonl", Topic.jsonLines),
            ("--jq '.items[].name'", Topic.jq),
            (#"--template '{name}\t{status}\n'"#, Topic.template), (#"{{ }} \n \t \\"#, Topic.templateSigns),
            ("--limit 20", Topic.limit),
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

extension CommandPhrases.Manual {
    static let exitStatus = Phrase("EXIT STATUS")
    static let environment = Phrase("ENVIRONMENT")
    static let times = Phrase("TIMES")
    static let references = Phrase("MEETINGS AND SESSIONS")
    static let formatting = Phrase("OUTPUT")
}

extension CommandPhrases {
    /// Headings of `qring help`.
    enum Overview {
        static let start = Phrase("Getting started")
        static let host = Phrase("Meetings")
        static let live = Phrase("Live")
        static let attendee = Phrase("As an attendee")
        static let account = Phrase("Account")
        static let scripting = Phrase("Scripts and settings")
        package static let `operator` = Phrase("For operators")
    }
}

extension CommandPhrases.Topic {
    static let environment = Phrase("environment variables")
    static let environmentOrder = Phrase(
        "An option overrides its variable, and a variable overrides config.json.")
    static let server = Phrase(
        "the server (default: the server of the last login, or else http://127.0.0.1:8080)")
    static let token = Phrase("an access token, instead of the saved sign-in")
    static let email = Phrase("the account to use if several are signed in")
    static let session = Phrase("the id of the session that @ means; the dashboard sets it for its commands")
    static let attendee = Phrase(
        "the id of the selected attendee; the dashboard sets it for your own commands")
    static let context = Phrase("the saved server with this name")
    static let lang = Phrase("en or ko")
    static let theme = Phrase("the colours: standard, dark, light, contrast or terminal")
    static let pager = Phrase("the pager for long output on a terminal; empty or cat for none")
    static let certificates = Phrase(
        "a file with certificates of authorities to trust, instead of the system's")
    static let screen = Phrase("whether qring open has a screen for a browser")
    static let tmux = Phrase("notifications pass through tmux")
    static let browser = Phrase("the browser of qring open")
    static let locale = Phrase("the language if nothing else sets it; without UTF-8, text is plain ASCII")
    static let noColor = Phrase("any value switches colours off")
    static let term = Phrase("dumb: no colours, and no line is overwritten")
    static let config = Phrase(
        "the folder of qring/config.json with servers, sign-ins and receipts (default ~/.config)")
    static let data = Phrase("the folder of qring/, the server's data (default ~/.local/share)")
    static let noProxy = Phrase("hosts that bypass http_proxy and https_proxy")
    static let serve = Phrase("the options of serve and admin in capitals: --public-url is QRING_PUBLIC_URL")
    static let exitCodes = Phrase("exit codes")
    static let success = Phrase("success")
    static let failed = Phrase("failure")
    static let usage = Phrase("the command line is wrong; nothing was done")
    static let notAllowed = Phrase("not signed in, or not allowed")
    static let notFound = Phrase("the meeting, session or person does not exist")
    static let conflict = Phrase("a conflict: an overlap, a change by somebody else, or an ambiguous name")
    static let timedOut = Phrase("the time limit has passed, or the server did not answer in time")
    static let interrupted = Phrase("interrupted by Ctrl-C or SIGTERM")
    static let times = Phrase("how to write times")
    static let timesZone = Phrase("Times are in the meeting's time zone. The day may follow the time.")
    static let now = Phrase("immediately")
    static let later = Phrase("from now; with --ends, from the start")
    static let today = Phrase(
        "today, or tomorrow if today's time passed more than six hours ago; an end time is "
            + "after the start")
    static let tomorrow = Phrase("today, tomorrow")
    static let weekday = Phrase("the next such day, which may be today: Fri or friday")
    static let nextWeekday = Phrase("the next such day, but not today")
    static let date = Phrase("a date and time; a T may separate them")
    static let instant = Phrase("RFC 3339, with its own offset")
    static let korean = Phrase("the same in Korean")
    static let references = Phrase("how to name a meeting or session")
    static let ambiguous = Phrase("If several match, they are listed, and nothing is done.")
    static let byName = Phrase("a meeting's name in any case; as a session, it means the latest session")
    static let byRound = Phrase("one session of the meeting")
    static let byID = Phrase("an id, or its unique end of at least four letters")
    static let byJoinCode = Phrase("a session's join code")
    static let formatting = Phrase("JSON and plain text")
    static let json = Phrase("print the API's data to standard output")
    static let jsonFields = Phrase(
        "only these fields; for a list, the fields of its items. An unknown field lists all")
    static let jsonEquals = Phrase("the same as --json name, if the argument SESSION follows directly")
    static let jsonBelow = Phrase("a dot leads into an object, or into every object of a list")
    static let jsonLines = Phrase("JSON Lines: each item of a list on its own line")
    static let jq = Phrase("a program of jq on the JSON; qring needs no jq for this")
    static let template = Phrase(
        "this text for each item, or for the one answer. The fields are those of --json, also with dots. A "
            + "value is on one line; the values of a list have commas between them; a missing value is empty"
    )
    static let templateSigns = Phrase("in a template: braces, the end of a line, a tabulator, a backslash")
    static let limit = Phrase("at most this many items of a list")
    static let plain = Phrase(
        "without a terminal, nothing is cut, coloured or asked; messages go to standard error")
}
