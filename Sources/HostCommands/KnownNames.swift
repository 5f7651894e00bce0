internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The values that shell completion offers. They come from the server or from this machine. If the server
/// does not answer within a second, completion offers none of its values.
struct KnownNames {
    private let call: Invocation
    private static let patience = Duration.seconds(1)
    /// The minimum number of letters of an id, because fewer letters match too many ids.
    private static let fewestLettersOfID = 2

    init(_ call: Invocation) { self.call = call }

    /// Returns the values that begin with `typed`.
    /// - Parameter placeholder: the value's name in help, such as `SESSION`.
    func candidates(for placeholder: String, beginningWith typed: String) async -> [Completer.Candidate] {
        switch placeholder {
        case "MEETING": await meetings(typed, areSessions: false)
        case "SESSION", "SESSION|MEETING": await meetings(typed, areSessions: true)
        case "URL": servers.filter { $0.hasPrefix(typed) }.map { Completer.Candidate(word: $0) }
        case "CONTEXT":
            ((try? call.settings())?.contexts ?? []).filter { $0.name.hasPrefix(typed) }
                .map { Completer.Candidate(word: $0.name, meaning: $0.server.url) }
        case "ZONE":
            Zone.names().filter { $0.lowercased().hasPrefix(typed.lowercased()) }.sorted()
                .map { Completer.Candidate(word: $0) }
        case "GOAL":
            (WatchGoal.Kind.allCases.map { "\($0.rawValue)=" } + WatchEnd.words.keys.sorted()).filter {
                $0.hasPrefix(typed)
            }
            .map { Completer.Candidate(word: $0) }
        default: []
        }
    }

    /// Returns the reason why a command would refuse a value that the user has typed at a prompt; nil if the
    /// value may be right.
    /// - Parameter label: the argument's name in errors.
    func fault(of value: String, for placeholder: String, named label: String) async -> CommandFailure? {
        do throws(CommandFailure) {
            switch placeholder {
            case "MEETING": _ = try await Reference(value, try call.host()).meeting()
            case "SESSION": _ = try await Reference(value, try call.host()).session()
            case "CONTEXT": _ = try call.context(value)
            case "EMAIL" where !value.contains("@"):
                return .usage(.notReadable(label, value, expected: "kim@example.org"))
            case "TIME" where WhenText.start(value, now: SystemTime.now, in: .current) == nil:
                return .usage(.notReadable(label, value, expected: SessionTimesOption.example))
            default: break
            }
            return nil
        } catch {
            return error
        }
    }

    private var servers: [String] { ((try? call.settings())?.servers ?? []).map(\.url.url) }

    private func meetings(_ typed: String, areSessions: Bool) async -> [Completer.Candidate] {
        guard var host = try? call.host() else { return [] }
        host.timeout = Self.patience
        guard let meetings = try? await host.meetings() else { return [] }
        if areSessions, let hash = typed.lastIndex(of: "#"),
            let meeting = meetings.first(where: {
                IdentityKey($0.name) == IdentityKey(String(typed[..<hash]))
            })
        {
            return await rounds(of: meeting, host).filter { $0.word.hasPrefix(typed) }
        }
        var found: [Completer.Candidate] = []
        if typed.isEmpty || typed == "@" {
            found.append(.init(word: "@", meaning: call.text(CommandPhrases.Topic.nearest)))
        }
        let keys = Dictionary(grouping: meetings) { IdentityKey($0.name) }
        for meeting in meetings {
            // Offer the meeting's id if several meetings have the same name, or if the name cannot be typed.
            let isPlain =
                TerminalEscaping.safe(meeting.name) == meeting.name && !meeting.name.hasPrefix("-")
                && !meeting.name.hasPrefix(":")
            let isUnique = isPlain && keys[IdentityKey(meeting.name)]?.count == 1
            if isUnique, meeting.name.lowercased().hasPrefix(typed.lowercased()) {
                found.append(.init(word: meeting.name, meaning: meeting.latestSession.map(described) ?? ""))
            } else if !isUnique, typed.isEmpty || begins(meeting.id.text, typed) {
                found.append(.init(word: meeting.id.text, meaning: meeting.name))
            }
        }
        guard typed.count >= Self.fewestLettersOfID else { return found }
        for meeting in meetings
        where !found.contains(where: { $0.word == meeting.id.text }) && begins(meeting.id.text, typed) {
            found.append(.init(word: meeting.id.text, meaning: meeting.name))
        }
        for session in meetings.compactMap(\.latestSession)
        where areSessions && begins(session.id.text, typed) {
            found.append(.init(word: session.id.text, meaning: "\(session.meetingName)#\(session.round)"))
        }
        return found
    }

    private func rounds(of meeting: MeetingBody, _ host: APIClient) async -> [Completer.Candidate] {
        let sessions = (try? await host.sessions(of: meeting.id)) ?? []
        return sessions.map { .init(word: "\(meeting.name)#\($0.round)", meaning: described($0)) }
    }

    private func begins(_ id: String, _ typed: String) -> Bool { id.hasPrefix(typed.uppercased()) }

    private func described(_ session: SessionBody) -> String {
        "\(session.startsAt.labelledWall(in: .named(session.timeZone), for: .current)) · "
            + "\(call.text(session.phase.phrase))"
    }
}
