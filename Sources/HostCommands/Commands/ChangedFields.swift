internal import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Prints the fields that an edit changed, with their old and new values, because the person who types the
/// edit has not seen the old values.
enum ChangedFields {
    private typealias Fields = CommandPhrases.Fields

    /// Prints one line for each field that differs.
    /// - Parameter fields: names as the API has them, and values; nil means that the field is empty. Times
    ///   are in RFC 3339.
    static func show(
        _ call: Invocation, _ fields: [(name: String, from: String?, to: String?)], in zone: Zone = .current
    ) {
        guard !call.wantsJSON else { return }
        for (name, from, to) in fields where from != to {
            call.console.errLine("  " + line(name, from, to, call, zone))
        }
    }

    /// Returns the line for one changed field, such as `planned: 30 → 40`.
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
        Phrase.Record.fields[name].map { call.text($0) } ?? name
    }

    private static func value(_ text: String?, of name: String, _ call: Invocation, _ zone: Zone) -> String {
        guard let text, !text.isEmpty else { return "–" }
        if let instant = Instant(rfc3339: text) { return instant.wall(in: zone) }
        if name == "status", let status = AttendanceStatus(rawValue: text) {
            return call.text(status.phrase)
        }
        switch text {
        case "true": return call.text(Fields.yes)
        case "false": return call.text(Fields.no)
        default: return TerminalEscaping.safe(text)
        }
    }
}

extension CommandPhrases {
    /// The texts for changed fields.
    enum Fields {
        static let change = Phrase("{field}: {from} → {to}", "{field}: {from} → {to}")
        static let yes = Phrase.Export.yes
        static let no = Phrase("no", "아니요")
    }
}
