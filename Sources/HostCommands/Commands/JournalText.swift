internal import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Returns the details of a journal event, without the event's kind: `awaited → late`, `start: 19:00 → 19:30;
/// statuses recomputed: 3`.
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
        let told = Set(changes.map(\.field) + (data.status == nil ? [] : ["status"]))
        parts += (data.fields ?? []).filter { !told.contains($0) }.map { ChangedFields.label($0, call) }
        if let count = data.recomputed {
            parts.append(call.text(Fields.recomputed, ["count": String(count)]))
        }
        if let sequence = data.undoes {
            parts.append(call.text(Fields.undoes, ["sequence": String(sequence)]))
        }
        if let link = data.link { parts.append(link.text) }
        return parts.joined(separator: "; ")
    }

    private static func text(_ status: RecordedStatus, _ call: Invocation) -> String {
        call.text(SessionText.status(status.shown(sessionIsOver: false)))
    }
}

extension CommandPhrases.Fields {
    static let recomputed = Phrase("statuses recomputed: {count}", "상태를 다시 계산했습니다: {count}건")
    static let undoes = Phrase("undoes event {sequence}", "{sequence}번 이벤트를 되돌림")
}
