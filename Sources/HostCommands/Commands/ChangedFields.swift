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
    static func tell(
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

extension CommandPhrases {
    /// The labels of editable fields, by their names in the API.
    enum Fields {
        static let all: [String: Phrase] = [
            "startsAt": Phrase("start", "시작"),
            "endsAt": Phrase("end", "끝"),
            "lateAfterMinutes": Phrase("late after (minutes)", "지각 기준(분)"),
            "checkInOpensMinutesBefore": Phrase("check-in opens (minutes before)", "체크인 시작(몇 분 전)"),
            "feedbackClosesHoursAfter": Phrase("feedback closes (hours after)", "피드백 마감(몇 시간 뒤)"),
            "plannedCount": Phrase("planned count", "예정 인원"),
            "codeKind": Phrase("kind of code", "코드 종류"),
            "codeAcceptedSeconds": Phrase("code accepted (seconds)", "코드 유효 시간(초)"),
            "code": Phrase("code", "코드"),
            "name": Phrase("name", "이름"),
            "place": Phrase("venue", "장소"),
            "description": Phrase("description", "설명"),
            "timeZone": Phrase("time zone", "시간대"),
            "identifyBy": Phrase("identified by", "구분 방법"),
            "email": Phrase("e-mail", "이메일"),
            "number": Phrase("number", "번호"),
            "role": Phrase("role", "역할"),
            "status": Phrase("status", "상태"),
            "checkedInAt": Phrase("checked in at", "체크인 시각"),
            "note": Phrase("note", "메모"),
            "questions": Phrase("questions", "질문"),
            "open": Phrase("open", "열림"),
            "shared": Phrase("shared", "공유"),
            "anonymous": Phrase("anonymous", "익명"),
            "publishedAs": Phrase("published as", "공개 이름"),
            "roster": Phrase("roster", "명단"),
            "image": Phrase("image", "이미지"),
        ]
        static let change = Phrase("{field}: {from} → {to}", "{field}: {from} → {to}")
        static let yes = Phrase("yes", "예")
        static let no = Phrase("no", "아니요")
    }
}

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
