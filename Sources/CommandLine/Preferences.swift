package import Phrases
package import Terminal

/// The user's saved choices that concern every command.
package struct Preferences: Hashable, Sendable {
    package var language: Language?
    package var theme: Theme?
    /// The command line of the pager; empty for none.
    package var pager: String?
    /// Command lines by their short names.
    package var aliases: [String: String]

    package init(
        language: Language? = nil, theme: Theme? = nil, pager: String? = nil,
        aliases: [String: String] = [:]
    ) {
        self.language = language
        self.theme = theme
        self.pager = pager
        self.aliases = aliases
    }
}

extension Invocation {
    /// The colours: `QRING_THEME`, or else the saved theme.
    package var theme: Theme { Self.theme(environment, preferences) }

    /// The colours and bold letters of standard output; none without a terminal.
    package var paint: Paint { Self.paint(console, environment, preferences) }

    private static func theme(_ environment: [String: String], _ preferences: Preferences) -> Theme {
        environment["QRING_THEME"].flatMap { Theme(rawValue: $0) } ?? preferences.theme ?? .standard
    }

    static func paint(
        _ console: any Console, _ environment: [String: String], _ preferences: Preferences
    ) -> Paint {
        paint(isOn: isColourful(console, environment), environment, preferences)
    }

    private static func paint(isOn: Bool, _ environment: [String: String], _ preferences: Preferences)
        -> Paint
    {
        let kind = environment["TERM", default: ""]
        let has256 = kind.contains("256color") || kind.contains("direct") || environment["COLORTERM"] != nil
        return Paint(
            isOn: isOn, theme: theme(environment, preferences),
            colours: has256 ? 256 : 8)
    }

    /// The colours and bold letters of standard error; none without a terminal.
    package var errPaint: Paint {
        let isOn = console.errIsTerminal && environment["NO_COLOR", default: ""].isEmpty
        return isOn && environment["TERM"] != "dumb"
            ? Self.paint(isOn: true, environment, preferences) : .none
    }

    /// The command line of the pager: `QRING_PAGER`, the saved pager, or `PAGER`; nil if there is none.
    var pager: String? {
        let chosen = environment["QRING_PAGER"] ?? preferences.pager ?? environment["PAGER"]
        guard let chosen, !chosen.isEmpty, chosen != "cat" else { return nil }
        return chosen
    }
}
