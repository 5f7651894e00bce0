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

    /// Returns the values that begin with `typed`. Names of attendees only contain it.
    /// - Parameters:
    ///   - placeholder: the value's name in help, such as `SESSION`.
    ///   - given: the arguments before, by name. Without a session among them, it is the nearest one.
    func candidates(
        for placeholder: String, beginningWith typed: String, after given: [String: String] = [:]
    ) async -> [Completer.Candidate] {
        let session = given["SESSION"] ?? "@"
        return switch placeholder {
        case "POLL": await sets(of: session, beginningWith: typed) { $0.isPoll }
        case "SET": await sets(of: session, beginningWith: typed) { _ in true }
        case "ATTENDEE", "INTO": await attendees(of: session, containing: typed)
        case "TOKEN": await tokens(beginningWith: typed)
        case "LINK": await links(of: session, beginningWith: typed)
        case "MEETING": await meetings(typed, areSessions: false)
        case "SESSION", "SESSION|MEETING": await meetings(typed, areSessions: true)
        case "URL": servers.filter { $0.hasPrefix(typed) }.map { Completer.Candidate(word: $0) }
        case "CONTEXT":
            ((try? call.settings())?.contexts ?? []).filter { $0.name.hasPrefix(typed) }
                .map { Completer.Candidate(word: $0.name, meaning: $0.server.url) }
        case "ALIAS":
            call.preferences.aliases.sorted { $0.key < $1.key }.filter { $0.key.hasPrefix(typed) }
                .map { Completer.Candidate(word: $0.key, meaning: $0.value) }
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
            case "SESSION":
                let isChange = call.command.changesSession
                _ = try await Reference(value, try call.host()).session(for: isChange ? .next : .people)
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

    /// Returns a client that gives up soon, with the session that the user named.
    private func found(_ session: String) async -> (host: APIClient, session: SessionBody)? {
        guard var host = try? call.host() else { return nil }
        host.timeout = Self.patience
        guard let session = try? await Reference(session, host).session(for: .people) else { return nil }
        return (host, session)
    }

    private func sets(
        of session: String, beginningWith typed: String, where isOffered: (QuestionSetSummary) -> Bool
    ) async -> [Completer.Candidate] {
        guard let (host, session) = await found(session), let sets = try? await host.sets(of: session.id)
        else { return [] }
        // People type the number of a poll alone, too.
        let isNumber = !typed.isEmpty && typed.allSatisfy(\.isNumber)
        return sets.filter(isOffered).compactMap { set in
            let number = QuestionSet(name: set.set).pollNumber.map(String.init)
            guard let word = isNumber ? number : set.set, word.hasPrefix(typed) else { return nil }
            return .init(
                word: word, meaning: set.headings?.text(in: call.language.rawValue) ?? set.heading ?? "")
        }
    }

    /// The number of attendees that a shell lists.
    private static let mostAttendees = 50

    private func attendees(of session: String, containing typed: String) async -> [Completer.Candidate] {
        guard let (host, session) = await found(session) else { return [] }
        let text = typed.isEmpty ? nil : typed
        guard let people = try? await host.attendees(of: session.id, matching: text) else { return [] }
        let keys = Dictionary(grouping: people) { IdentityKey($0.name) }
        return people.prefix(Self.mostAttendees).map { person in
            let isUnique = keys[IdentityKey(person.name)]?.count == 1 && isPlain(person.name)
            let word = isUnique ? person.name : person.email ?? person.number ?? person.id.text
            let others = [
                isUnique ? person.email ?? person.number : person.name, call.text(person.status.phrase),
            ]
            return .init(word: word, meaning: others.compactMap(\.self).joined(separator: " · "))
        }
    }

    private func tokens(beginningWith typed: String) async -> [Completer.Candidate] {
        guard var host = try? call.host() else { return [] }
        host.timeout = Self.patience
        let all = (try? await host.signIns()) ?? []
        let names = Dictionary(grouping: all.compactMap(\.name)) { $0 }
        return all.compactMap { token in
            let name = token.name.flatMap { names[$0]?.count == 1 && isPlain($0) ? $0 : nil }
            let word = name ?? token.id
            guard word.lowercased().hasPrefix(typed.lowercased()) else { return nil }
            return .init(word: word, meaning: name == nil ? token.name ?? token.client : token.client)
        }
    }

    private func links(of session: String, beginningWith typed: String) async -> [Completer.Candidate] {
        guard let (host, session) = await found(session) else { return [] }
        let links = (try? await host.presenterLinks(of: session.id)) ?? []
        return links.filter { begins($0.id.text, typed) }.map { link in
            .init(
                word: link.id.text,
                meaning: link.createdByName + " · "
                    + link.createdAt.labelledWall(in: .named(session.timeZone), for: .current))
        } + ("all".hasPrefix(typed) ? [.init(word: "all")] : [])
    }

    /// Whether a name can be typed: a shell or the program would read others in another way.
    private func isPlain(_ name: String) -> Bool {
        TerminalEscaping.safe(name) == name && !name.hasPrefix("-") && !name.hasPrefix(":")
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
            let isUnique = isPlain(meeting.name) && keys[IdentityKey(meeting.name)]?.count == 1
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

extension QuestionSetSummary {
    fileprivate var isPoll: Bool { QuestionSet(name: self.set).pollNumber != nil }
}
