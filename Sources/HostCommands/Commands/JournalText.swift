internal import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

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
    static let undoes = Phrase("undoes event {sequence}", "{sequence}번 이벤트를 되돌림")
}

extension CommandPhrases {
    /// The words that tables show for values of the API.
    enum Words {
        static let anAttendee = Phrase("attendee", "참석자")
        static let theServer = Phrase("server", "서버")
    }
}
