import CommandLine
import Meetings
import Phrases
import RecordText
import Terminal
import Wire

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

/// Returns the details of a journal event, without the event's kind: `awaited → late`, `start: 19:00 → 19:30;
/// 3 statuses recomputed`.
enum JournalText {
    private typealias Fields = CommandPhrases.Fields

    static func what(_ event: EventBody, _ call: Invocation, in zone: Zone) -> String {
        let data = event.data
        var parts: [String] = []
        if let before = data.before, let status = data.status {
            parts.append("\(text(before, call)) → \(text(status, call))")
        }
        if let set = data.set { parts.append(TerminalEscaping.safe(set)) }
        let changes = data.changes ?? []
        parts += changes.map { ChangedFields.line($0.field, $0.from, $0.to, call, zone) }
        // Do not list a field again if its values or its status are already in the text.
        let listed = Set(changes.map(\.field) + (data.status == nil ? [] : ["status"]))
        parts += (data.fields ?? []).filter { !listed.contains($0) }.map { ChangedFields.label($0, call) }
        if let count = data.recomputed {
            parts.append(call.text(Phrase.Record.recomputed, ["count": String(count)]))
        }
        if let sequence = data.undoes {
            parts.append(call.text(Fields.undoes, ["sequence": String(sequence)]))
        }
        if let link = data.link { parts.append(link.text) }
        return parts.joined(separator: "; ")
    }

    private static func text(_ status: RecordedStatus, _ call: Invocation) -> String {
        call.text(status.shown(sessionIsOver: false).phrase)
    }

    /// Returns the name of the person or program that caused the event; nil if the account was deleted,
    /// because its id means nothing to a reader.
    static func actor(_ event: EventBody, _ call: Invocation) -> String? {
        if let name = event.actorName { return name }
        return switch Event.Actor(event.actor) {
        case .attendee: call.text(CommandPhrases.Words.anAttendee)
        case .server: call.text(CommandPhrases.Words.theServer)
        case .account, nil: nil
        }
    }
}

extension CommandPhrases.Fields {
    static let undoes = Phrase("reverts event {sequence}", "{sequence}번 이벤트를 되돌림")
}

extension CommandPhrases {
    /// The words that tables show for values of the API.
    enum Words {
        static let anAttendee = Phrase("attendee", "참석자")
        static let theServer = Phrase("server", "서버")
    }
}
