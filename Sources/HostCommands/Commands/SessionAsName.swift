internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// Refuses a session in the place of a person's name, because a host who writes the arguments in the wrong
/// order would otherwise add a person with the name of a session.
enum SessionAsName {
    /// Returns the session of `find`.
    /// - Throws: the refusal if `name` is the id of a session or `NAME#ROUND` of one; also if it is the
    ///   name of a meeting, and the user has not named the session, or no such session exists.
    static func refusing(
        _ name: String, _ call: Invocation, _ host: APIClient,
        _ find: () async throws(CommandFailure) -> SessionBody
    ) async throws(CommandFailure) -> SessionBody {
        let names = IdentityKey(name)
        let meetings = try await calling { () async throws(APIError) in try await host.meetings() }
        let isMeeting = meetings.contains { IdentityKey($0.name) == names || $0.id.text == name.uppercased() }
        if isMeeting, call.arguments.isInEarlierOrder { throw refusal(name, call) }
        if let numbered = NumberedName(name),
            meetings.contains(where: { IdentityKey($0.name) == IdentityKey(numbered.name) })
        {
            throw refusal(name, call)
        }
        if let id = SessionID(name), (try? await host.session(id)) != nil { throw refusal(name, call) }
        do throws(CommandFailure) { return try await find() } catch {
            if isMeeting, error.exitCode == .notFound { throw refusal(name, call) }
            throw error
        }
    }

    /// Returns the failure with the command in the right order. If the user has written two words, the other
    /// one is the name.
    static func refusal(_ name: String, _ call: Invocation) -> CommandFailure {
        let other = call.arguments.positional("SESSION").map { Following.quoted($0) }
        let rest = call.command.positionals.dropFirst().map(\.name)
        let words = [other ?? rest.first ?? "NAME"] + rest.dropFirst()
        let line = ["qring", call.command.name, Following.quoted(name)] + words
        return .said(
            .usage, CommandPhrases.Fail.sessionAsName, ["text": TerminalEscaping.safe(name)],
            next: line.joined(separator: " "))
    }
}

extension CommandPhrases.Fail {
    static let sessionAsName = Phrase(
        "\"{text}\" names a session or a meeting, not a person. Write the session first:")
}
