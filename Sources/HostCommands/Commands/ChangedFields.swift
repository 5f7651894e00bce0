internal import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// What an edit overwrote, as it was and as it is: who edits by one line has not seen what was there.
enum ChangedFields {
    private typealias Fields = CommandPhrases.Fields

    /// One line a field that differs, by its name in the API; nil where it has no value. Times are in RFC
    /// 3339.
    static func tell(
        _ call: Invocation, _ fields: [(name: String, from: String?, to: String?)], in zone: Zone = .current
    ) {
        guard !call.wantsJSON else { return }
        for (name, from, to) in fields where from != to {
            call.console.errLine("  " + line(name, from, to, call, zone))
        }
    }

    /// `planned: 30 → 40`.
    static func line(_ name: String, _ from: String?, _ to: String?, _ call: Invocation, _ zone: Zone)
        -> String
    {
        let values = [
            "field": label(name, call), "from": value(from, of: name, call, zone),
            "to": value(to, of: name, call, zone),
        ]
        return call.text(Fields.change, values)
    }

    static func label(_ name: String, _ call: Invocation) -> String {
        Fields.all[name].map { call.text($0) } ?? name
    }

    private static func value(_ text: String?, of name: String, _ call: Invocation, _ zone: Zone) -> String {
        guard let text, !text.isEmpty else { return "–" }
        if let instant = Instant(rfc3339: text) { return instant.wall(in: zone) }
        if name == "status", let status = AttendanceStatus(rawValue: text) {
            return call.text(SessionText.status(status))
        }
        switch text {
        case "true": return call.text(Fields.yes)
        case "false": return call.text(Fields.no)
        default: return TerminalEscaping.safe(text)
        }
    }
}
