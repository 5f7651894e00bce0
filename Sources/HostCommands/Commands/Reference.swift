internal import Client
internal import Meetings
internal import Phrases
internal import Wire

/// A session or meeting as somebody names it: its id, the unique beginning of one, a meeting's name, `NAME#ROUND`, or `@` for the nearest.
struct Reference {
    private let text: String
    private let host: APIClient

    init(_ text: String, _ host: APIClient) {
        self.text = text
        self.host = host
    }

    func meeting() async throws(CommandFailure) -> MeetingID {
        if text == "@" { return try await nearest().meetingId }
        // An id may be a session's: then its meeting is meant.
        let meetings = try await meetings()
        if let id = MeetingID(text), meetings.contains(where: { $0.id == id }) { return id }
        if let id = SessionID(text) { return try await calling { () async throws(APIError) in try await host.session(id) }.body.meetingId }
        let found = meetings.filter { matches($0.name) }
        return try only(found.isEmpty ? meetings.filter { begins($0.id.text) } : found, { "\($0.name) (\($0.id))" }).id
    }

    func session() async throws(CommandFailure) -> SessionBody {
        if text == "@" { return try await nearest() }
        if let id = SessionID(text) {
            do throws(APIError) {
                return try await host.session(id).body
            } catch {
                // It may be a meeting's.
                guard error.code == .notFound else { throw .api(error) }
            }
        }
        let meetings = try await meetings()
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        if parts.count >= 2, let round = Int(parts[parts.count - 1]) {
            let name = parts.dropLast().joined(separator: "#")
            let named = meetings.filter { matches($0.name, name) }
            if !named.isEmpty {
                let meeting = try only(named) { "\($0.name) (\($0.id))" }
                return try only(try await sessions(of: meeting.id).filter { $0.round == round }, { $0.id.text })
            }
        }
        let latest = meetings.compactMap(\.latestSession)
        let named = latest.filter { matches($0.meetingName) }
        if !named.isEmpty { return try only(named) { "\($0.meetingName) (\($0.id))" } }
        let begun = meetings.filter { begins($0.id.text) }.compactMap(\.latestSession) + latest.filter { begins($0.id.text) }
        if !begun.isEmpty { return try only(begun) { "\($0.meetingName) (\($0.id))" } }
        // Earlier rounds are looked for last: that asks once a meeting.
        var earlier: [SessionBody] = []
        if text.count >= 4 {
            for meeting in meetings { earlier += try await sessions(of: meeting.id).filter { begins($0.id.text) } }
        }
        return try only(earlier) { "\($0.meetingName)#\($0.round) (\($0.id))" }
    }

    private func nearest() async throws(CommandFailure) -> SessionBody {
        guard let session = try await calling({ () async throws(APIError) in try await host.nearestSession() }) else {
            throw .said(.notFound, CommandPhrases.Fail.noNearest, [:], next: "qring meeting create NAME --now")
        }
        return session
    }

    private func meetings() async throws(CommandFailure) -> [MeetingBody] {
        try await calling { () async throws(APIError) in try await host.meetings() }
    }

    private func sessions(of id: MeetingID) async throws(CommandFailure) -> [SessionBody] {
        try await calling { () async throws(APIError) in try await host.sessions(of: id) }
    }

    private func matches(_ name: String, _ written: String? = nil) -> Bool { IdentityKey(name) == IdentityKey(written ?? text) }
    private func begins(_ id: String) -> Bool { text.utf8.count >= 4 && id.hasPrefix(text.uppercased()) }

    private func only<Item>(_ items: [Item], _ name: (Item) -> String) throws(CommandFailure) -> Item {
        guard let first = items.first else {
            throw .said(.notFound, CommandPhrases.Fail.notFound, ["text": text], next: "qring meeting list")
        }
        guard items.count == 1 else {
            let names = items.prefix(5).map { ForeignText.safe(name($0)) }.joined(separator: ", ")
            throw .said(.conflict, CommandPhrases.Fail.ambiguous, ["text": text, "candidates": names], next: nil)
        }
        return first
    }
}
