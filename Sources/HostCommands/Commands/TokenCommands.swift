internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The commands for sign-ins and named tokens.
package enum TokenCommands {
    private typealias Messages = CommandPhrases.Tokens

    package static let all = [
        CommandDeclaration(
            "token create", Messages.create,
            examples: [
                .init(
                    "token create hall-screen --meeting \"Study group\" --expires 30d", Messages.readExample),
                .init("token create nightly --access write", Messages.shellExample),
            ],
            positionals: [.init("NAME", Messages.name)],
            options: [
                .oneOf("access", TokenLimits.Access.allCases.map(\.rawValue), Messages.access),
                .value("meeting", "MEETING", Messages.meeting),
                .value("expires", "DURATION", Messages.expires),
                .json(of: NamedTokenBody.self),
            ], notes: Messages.notes, run: create),
        CommandDeclaration(
            "token list", Messages.list, examples: [.init("token list", Messages.listExample)],
            options: [.limit, .json(of: Page<SignInBody>.self)], usesPager: true, run: list),
        CommandDeclaration(
            "token revoke", Messages.revoke,
            examples: [
                .init("token revoke nightly", Messages.revokeExample),
                .init("token revoke 01M7X9JCZD0KGT7Q6XKPEVTE5F", Messages.revokeSignIn),
            ],
            positionals: [.init("TOKEN", Messages.token)], run: revoke),
    ]

    private static func create(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let access = call.choice("access", of: TokenLimits.Access.self) ?? .read
        var token = NewNamedToken(name: call.arguments.positional("NAME") ?? "", access: access)
        if let lifetime = try call.duration("expires") {
            guard lifetime > .zero, lifetime <= TokenLimits.longestLifetime else {
                throw .usage(
                    .notReadable(
                        "--expires", call.arguments.value("expires") ?? "", expected: "12h, 30d, 366d"))
            }
            token.expiresAt = SystemTime.now + lifetime
        }
        if let written = call.arguments.value("meeting") {
            token.meetingId = try await Reference(written, host).meeting()
        }
        let asked = token
        let made = try await calling { () async throws(APIError) in try await host.createToken(asked) }
        if call.wantsJSON {
            call.json(made)
        } else {
            call.out(made.token)
            call.note(
                Messages.created,
                [
                    "name": TerminalEscaping.safe(made.name),
                    "time": WallTime(made.expiresAt, in: .current).text,
                ])
        }
        return .success
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let limited = host.limited(to: try call.limit())
        let all = try await calling { () async throws(APIError) in try await limited.signIns() }
        if call.wantsJSON {
            call.json(Page(items: all, nextCursor: nil))
            return .success
        }
        var table = Table(
            [
                Messages.headName, Messages.headAccess, Messages.headAddress, Messages.headExpires,
                CommandPhrases.Messages.headID,
            ].map { call.text($0) }, main: 0)
        let hasLimits = all.contains { $0.meetingId != nil }
        let meetings = try await calling { () async throws(APIError) in
            hasLimits ? try await host.meetings() : []
        }
        let names = Dictionary(meetings.map { ($0.id, $0.name) }) { first, _ in first }
        for one in all {
            let meeting = one.meetingId.map { names[$0] ?? $0.text }
            let access = one.access.map { call.text($0 == .read ? Messages.reads : Messages.writes) }
            let name = one.name ?? one.client
            table.add(
                [
                    one.current ? "\(name) (\(call.text(Messages.current)))" : name,
                    (access ?? call.text(Messages.signIn)) + (meeting.map { " \($0)" } ?? ""),
                    one.address, WallTime(one.expiresAt, in: .current).text, one.id,
                ], one.current ? [0: .good] : [:])
        }
        call.out(table)
        return .success
    }

    private static func revoke(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let written = call.arguments.positional("TOKEN") ?? ""
        let id: String
        if written.utf8.count == 26, ID<Token>(written) != nil {
            id = written
        } else {
            let all = try await calling { () async throws(APIError) in try await host.signIns() }
            let named = all.filter { $0.name == written }
            // A shorter end could mean a sign-in by accident.
            let ended = all.filter { written.utf8.count >= 4 && $0.id.hasSuffix(written.uppercased()) }
            let found = try (named.isEmpty ? ended : named).only(
                meantBy: written, { "\($0.id)  \(TerminalEscaping.safe($0.name ?? $0.client))" })
            guard let one = found else {
                throw .said(
                    .notFound, Messages.unknown, ["text": TerminalEscaping.safe(written)],
                    next: "qring token list")
            }
            id = one.id
        }
        try await calling { () async throws(APIError) in try await host.endSignIn(id) }
        call.note(Messages.revoked)
        return .success
    }
}

extension CommandPhrases {
    /// The texts of `qring token`.
    enum Tokens {
        static let create = Phrase("create a token for a program")
        static let readExample = Phrase("reads one meeting for 30 days")
        static let shellExample = Phrase("a program that changes meetings; it finds the token in QRING_TOKEN")
        static let name = Phrase("a name that tells the token apart")
        static let access = Phrase("read only, or also change (default read)")
        static let meeting = Phrase("open only this meeting")
        static let expires = Phrase("the lifetime, at most 366d (default 90d)")
        static let notes = Phrase(
            "The server stores only a hash of the token, so it is shown once. A token cannot change the "
                + "account or create tokens. It ends with token revoke, with a new password, and with the "
                + "account.")
        static let created = Phrase(
            "The token {name} is valid until {time}. Save it now: it is not shown again.")
        static let list = Phrase("list your sign-ins and tokens")
        static let listExample = Phrase("name, rights, address and end of each")
        static let revoke = Phrase("end a token, or sign out on another device")
        static let revokeExample = Phrase("its open rooms end, too")
        static let revokeSignIn = Phrase("signs that device out")
        static let token = Phrase("a token's name, or the id that token list prints")
        static let revoked = Phrase("It has ended.")
        static let unknown = Phrase("you have no token or sign-in \"{text}\".")
        static let headName = Phrase("NAME")
        static let headAccess = Phrase("ACCESS")
        static let headAddress = Phrase("ADDRESS")
        static let headExpires = Phrase("EXPIRES")
        static let reads = Phrase("read")
        static let writes = Phrase("write")
        static let signIn = Phrase("sign-in")
        static let current = Phrase("this computer")
    }
}
