internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// A session or meeting as a user names it: its id, the unique end or beginning of its id, its join code, a
/// meeting's name, `NAME#ROUND`, a session's title, or `@` for the nearest session.
///
/// `@` is the running session. If none is running or open for check-in, a command that reads means the
/// session that ended last, if it ended within `recently`, and either no session is to come or the command
/// reads what happened (`Purpose.people`). All other commands that read mean the next session. A command that
/// changes a session is refused if one has ended recently, because the host may mean that one, or not know
/// that it has ended.
struct Reference {
    private let text: String
    private let host: APIClient
    /// The command, which says the session that was chosen; nil if nobody reads that.
    private let call: Invocation?
    /// The command that changes the session, and so says which one it is; nil for other commands.
    private var changing: Invocation? { call.flatMap { $0.command.changesSession ? $0 : nil } }

    init(_ text: String, _ host: APIClient, of call: Invocation? = nil) {
        self.text = text
        self.host = host
        self.call = call
    }

    /// Reads the argument with this name; without it, the reference is `@`.
    init(_ positional: String, of call: Invocation, _ host: APIClient) {
        self.init(
            call.arguments.positional(positional) ?? "@", host, of: positional == "SESSION" ? call : nil)
    }

    func meeting() async throws(CommandFailure) -> MeetingID {
        if text == "@" { return try await nearest(for: .next).meetingId }
        // If the id belongs to a session, use the session's meeting.
        let meetings = try await meetings()
        if let id = MeetingID(text), meetings.contains(where: { $0.id == id }) { return id }
        if let id = SessionID(text) {
            return try await calling { () async throws(APIError) in try await host.session(id) }.body
                .meetingId
        }
        let named = meetings.filter { matches($0.name) }
        let found = named.isEmpty ? meetings.filter { begins($0.id.text) } : named
        if found.isEmpty,
            let joined = meetings.first(where: { meeting in
                [meeting.nearestSession, meeting.latestSession].contains { $0.map(isJoinCode) ?? false }
            })
        {
            return joined.id
        }
        guard !found.isEmpty else { throw missing(among: meetings.map(\.name)) }
        return try only(found, { "\($0.id)  \($0.name)" }).id
    }

    /// The session that a command means if the user names only its meeting.
    enum Purpose {
        /// The running session, or else the next one.
        case next
        /// The running session, or else the last one that was held: for results and people.
        case people
    }

    /// Returns the session.
    /// - Parameter call: where the function notes the chosen session, and how to name another one, if the
    ///   user named a meeting with several sessions; nil to note nothing.
    func session(for purpose: Purpose = .next, telling call: Invocation? = nil)
        async throws(CommandFailure) -> SessionBody
    {
        guard let changing else { return try await found(for: purpose, telling: call) }
        let session = try await found(for: purpose, telling: nil)
        changing.note(
            CommandPhrases.Messages.sessionChanged,
            [
                "session": Following.quoted(
                    "\(TerminalEscaping.safe(session.meetingName))#\(session.round)"),
                "phase": changing.text(session.phase.phrase),
            ])
        return session
    }

    private func found(for purpose: Purpose, telling call: Invocation?) async throws(CommandFailure)
        -> SessionBody
    {
        if text == "@" { return try await nearest(for: purpose) }
        if let id = SessionID(text) {
            do throws(APIError) {
                return try await host.session(id).body
            } catch {
                // The id may belong to a meeting.
                guard error.code == .notFound else { throw .api(error) }
            }
        }
        let meetings = try await meetings()
        if let numbered = NumberedName(text) {
            let named = meetings.filter { matches($0.name, numbered.name) }
            if !named.isEmpty {
                let meeting = try only(named) { "\($0.id)  \($0.name)" }
                return try only(
                    try await sessions(of: meeting.id).filter { $0.round == numbered.round }, { $0.id.text })
            }
        }
        // Prefer the nearest session, because the latest session of a planned series may be months away.
        let latest = meetings.compactMap { $0.nearestSession ?? $0.latestSession }
        let named = meetings.filter { matches($0.name) && $0.latestSession != nil }
        if !named.isEmpty {
            let meeting = try only(named) {
                ($0.nearestSession ?? $0.latestSession).map(Self.shown) ?? $0.name
            }
            return try await chosen(of: meeting, for: purpose, telling: call)
        }
        let joined = latest.filter(isJoinCode)
        if !joined.isEmpty { return try only(joined, Self.shown) }
        let begun =
            meetings.filter { begins($0.id.text) }.compactMap { $0.nearestSession ?? $0.latestSession }
            + latest.filter { begins($0.id.text) }
        if !begun.isEmpty { return try only(begun, Self.shown) }
        // Search earlier rounds last, because this search needs one request for each meeting.
        var earlier: [SessionBody] = []
        if text.count >= 4 {
            for meeting in meetings {
                earlier += try await sessions(of: meeting.id).filter {
                    begins($0.id.text) || isJoinCode(of: $0) || matches($0.title ?? "")
                }
            }
        }
        guard !earlier.isEmpty else { throw missing(among: meetings.map(\.name)) }
        return try only(earlier, Self.shown)
    }

    /// Returns the session of this meeting that fits the purpose.
    private func chosen(of meeting: MeetingBody, for purpose: Purpose, telling call: Invocation?)
        async throws(CommandFailure) -> SessionBody
    {
        guard let latest = meeting.latestSession else { return try only([], Self.shown) }
        var session = meeting.nearestSession ?? latest
        if purpose == .people, session.phase == .upcoming, session.round > 1 {
            let now = SystemTime.now
            session = try await sessions(of: meeting.id).first { $0.startsAt <= now } ?? session
        }
        if let call, latest.round > 1 {
            let other = session.round == latest.round ? session.round - 1 : latest.round
            call.note(
                CommandPhrases.Messages.sessionChosen,
                [
                    "name": TerminalEscaping.safe(session.meetingName), "round": String(session.round),
                    "other": Following.quoted("\(meeting.name)#\(other)"),
                ])
        }
        return session
    }

    private static let mostCandidates = 10

    /// Returns the failure for a reference that matches nothing. It suggests a similar name, if there is one.
    private func missing(among names: [String]) -> CommandFailure {
        // The user may have typed only one word of the name.
        let words = names.flatMap { name in name.split(separator: " ").map { (word: String($0), name: name) }
        }
        let byWord = Suggestion.nearest(to: text, among: words.map(\.word)).flatMap { near in
            words.first { $0.word == near }?.name
        }
        guard let near = Suggestion.nearest(to: text, among: names) ?? byWord else {
            return .said(
                .notFound, CommandPhrases.Fail.notFound, ["text": TerminalEscaping.safe(text)],
                next: "qring meeting list")
        }
        let values = ["text": TerminalEscaping.safe(text), "near": TerminalEscaping.safe(near)]
        return .said(.notFound, CommandPhrases.Fail.notFoundNear, values, next: "qring meeting list")
    }

    /// The time after its end for which `@` can mean a session.
    private static let recently = Duration.seconds(12 * 3600)

    private func nearest(for purpose: Purpose) async throws(CommandFailure) -> SessionBody {
        if let named = host.namedSession {
            return try await calling { () async throws(APIError) in try await host.session(named) }.body
        }
        let nearest = try await calling { () async throws(APIError) in try await host.nearestSession() }
        if let nearest,
            nearest.phase == .running || nearest.checkInOpen || purpose == .next && changing == nil
        {
            return nearest
        }
        let mayHaveEnded = purpose == .people || call != nil
        guard mayHaveEnded, let ended = await lastEnded() else {
            if let nearest { return nearest }
            throw .said(
                .notFound, CommandPhrases.Fail.noneToCome, [:], next: "qring meeting create NAME --now")
        }
        func quoted(_ session: SessionBody) -> String {
            Following.quoted(TerminalEscaping.safe("\(session.meetingName)#\(session.round)"))
        }
        let name = quoted(ended)
        // The server's clock may differ from this one.
        let seconds = max(0, SystemTime.now.since(ended.endsAt).components.seconds)
        // A minute is enough.
        let age = Duration.seconds(seconds < 60 ? seconds : seconds / 60 * 60)
        func values(_ call: Invocation) -> [String: String] {
            ["session": name, "time": DurationText.write(age, in: call.language)]
        }
        if let changing {
            var isNamed = false
            let words = changing.arguments.written.map { word in
                guard !isNamed, word == "@" || word == "--session=@" else { return Following.quoted(word) }
                isNamed = true
                return word == "@" ? name : "--session=\(name)"
            }
            let line = ["qring", changing.command.name] + (isNamed ? [] : [name]) + words
            let next = nearest.map(quoted)
            throw .said(
                .notFound,
                next == nil ? CommandPhrases.Fail.hasEnded : CommandPhrases.Fail.hasEndedBefore,
                values(changing).merging(["next": next ?? ""]) { $1 }, next: line.joined(separator: " "))
        }
        if let call { call.note(CommandPhrases.Messages.endedChosen, values(call)) }
        return ended
    }

    /// Returns the caller's session that ended last, if that was recently; nil also if the token may not list
    /// sessions.
    private func lastEnded() async -> SessionBody? {
        let now = SystemTime.now
        // An evening can end after midnight.
        for day in [nil, (now - .seconds(24 * 3600)).wall(in: .current).prefix(10)] {
            let sessions = (try? await host.sessions(on: day.map { String($0) })) ?? []
            let ended = sessions.filter { $0.phase == .ended && now.since($0.endsAt) < Self.recently }
            if let last = ended.max(by: { $0.endsAt < $1.endsAt }) { return last }
        }
        return nil
    }

    private func meetings() async throws(CommandFailure) -> [MeetingBody] {
        try await calling { () async throws(APIError) in try await host.meetings() }
    }

    private func sessions(of id: MeetingID) async throws(CommandFailure) -> [SessionBody] {
        try await calling { () async throws(APIError) in try await host.sessions(of: id) }
    }

    private static func shown(_ session: SessionBody) -> String {
        "\(session.id)  \(session.meetingName)#\(session.round), "
            + "\(session.startsAt.labelledWall(in: .named(session.timeZone), for: .current))"
    }

    private func matches(_ name: String, _ written: String? = nil) -> Bool {
        IdentityKey(name) == IdentityKey(written ?? text)
    }
    /// Whether the text is a part of the id that tells ids apart. Ids of one week begin with the same
    /// letters, so people type the end.
    private func begins(_ id: String) -> Bool {
        text.utf8.count >= 4 && (id.hasSuffix(text.uppercased()) || id.hasPrefix(text.uppercased()))
    }
    /// Whether the text is the session's join code; the letters that look alike count as equal.
    private func isJoinCode(of session: SessionBody) -> Bool {
        JoinCode.normalized(text).map { $0 == session.joinCode } ?? false
    }

    private func only<Item>(_ items: [Item], _ name: (Item) -> String) throws(CommandFailure) -> Item {
        guard let first = items.first else {
            throw .said(
                .notFound, CommandPhrases.Fail.notFound, ["text": TerminalEscaping.safe(text)],
                next: "qring meeting list")
        }
        guard items.count == 1 else {
            let shown = items.prefix(Self.mostCandidates).map { "  " + TerminalEscaping.safe(name($0)) }
            let names = (shown + (items.count > shown.count ? ["  …"] : [])).joined(separator: "\n")
            throw .said(
                .conflict, CommandPhrases.Fail.ambiguous, ["text": text, "candidates": names], next: nil)
        }
        return first
    }
}

extension Array {
    /// Returns the only item; nil if there is none.
    /// - Parameters:
    ///   - written: the text with which the user means one item.
    ///   - shown: an item as the user can tell it from others.
    /// - Throws: a conflict that lists some of the items if there are several.
    func only(meantBy written: String, _ shown: (Element) -> String) throws(CommandFailure) -> Element? {
        guard count > 1 else { return first }
        throw .said(
            .conflict, CommandPhrases.Fail.ambiguous,
            [
                "text": TerminalEscaping.safe(written),
                "candidates": prefix(5).map(shown).joined(separator: ", "),
            ], next: nil)
    }
}

extension CommandPhrases.Messages {
    static let sessionChanged = Phrase("Session {session} ({phase}):")
    static let sessionChosen = Phrase(
        "{name}, session {round}. For another session, write for example {other}.")
}

extension CommandPhrases.Messages {
    static let endedChosen = Phrase("No session is running. @ is {session}, which ended {time} ago.")
}

extension CommandPhrases.Fail {
    static let hasEnded = Phrase(
        "No session is running or planned. {session} ended {time} ago. To change it:")
    static let hasEndedBefore = Phrase(
        "{session} ended {time} ago, and {next} is the next one. Name the one that you mean, for example:")
    static let notFoundNear = Phrase("there is no session or meeting \"{text}\". Did you mean \"{near}\"?")
}
