import Meetings
import Wire

extension Route {
    /// What may stand behind the question mark. A page of a list, and what each list or picture takes beside
    /// it.
    var query: [(name: String, schema: Schema)] {
        let text = Schema.string(min: nil, max: 100, format: nil, pattern: nil)
        let set = ("set", Schema.string(min: 1, max: 40, format: nil, pattern: "^[a-z0-9-]+$"))
        let language = (
            "language", Schema.string(min: 2, max: 35, format: nil, pattern: LocalizedText.tagPattern)
        )
        let page = [
            ("limit", Schema.integer(min: 1, max: 200)),
            ("cursor", Schema.string(min: nil, max: 300, format: nil, pattern: nil)),
        ]
        return switch (method, pattern) {
        case (.get, "/api/v1/meetings"), (.get, "/api/v1/questions/{id}/answers"),
            (.get, "/api/v1/sessions/{id}/presenter-links"):
            page
        case (.get, "/api/v1/meetings/{id}/sessions"): page + [("q", text)]
        case (.get, "/api/v1/meetings/{id}/roster"):
            page + [("q", text), ("archived", .boolean), ("absentInARow", .integer(min: 1, max: 20))]
        case (.get, "/api/v1/sessions/{id}/attendance.csv"): [("bom", .boolean)]
        case (.post, "/api/v1/sessions/{id}/questions/import"): [set, language]
        case (.get, "/api/v1/sessions/{id}/questions/export"):
            [set, ("format", .oneOf(["qring", "subvey"])), language]
        case (.get, "/api/v1/sessions/{id}/results.csv"): [set, ("bom", .boolean)]
        case (.get, "/api/v1/sessions/{id}/attendees"):
            page + [("status", .oneOf(AttendanceStatus.allCases.map(\.rawValue))), ("q", text)]
        case (.get, "/api/v1/sessions/{id}/journal"): page + [("since", .integer(min: 0, max: .max))]
        case (_, "/api/v1/sessions/{id}/questions"), (.get, "/api/v1/sessions/{id}/results"),
            (.get, "/api/v1/sessions/{id}/results.json"):
            [set]
        case (.get, "/api/v1/accounts/availability"):
            [("email", .string(min: 3, max: 254, format: "email", pattern: nil))]
        case (.delete, "/api/v1/meetings/{id}"), (.delete, "/api/v1/sessions/{id}"), (.delete, "/api/v1/me"):
            [("confirm", .anyText)]
        case (.delete, "/api/v1/attendees/{id}"):
            [("erase", .boolean), ("note", .string(min: nil, max: noteLength, format: nil, pattern: nil))]
        case (.get, _) where pattern.hasSuffix("/qr.png"): [("size", .integer(min: 64, max: 2048))]
        default: []
        }
    }

    /// Those without which there is no answer.
    var neededQuery: Set<String> { pattern == "/api/v1/accounts/availability" ? ["email"] : [] }
}
