internal import Client
package import CommandLine
internal import Phrases
internal import Terminal
internal import Wire

/// The commands for the saved servers.
package enum ContextCommands {
    private typealias Messages = CommandPhrases.Contexts

    private static let name = CommandDeclaration.Positional("CONTEXT", Messages.name)

    package static let all = [
        CommandDeclaration(
            "context list", Messages.list, examples: [.init("context list", Messages.listExample)],
            options: [.json(fields: ["name", "server", "email", "current"])], hasServer: false, run: list),
        CommandDeclaration(
            "context use", Messages.use, examples: [.init("context use work", Messages.useExample)],
            positionals: [name], hasServer: false, run: use),
        CommandDeclaration(
            "context add", Messages.add,
            examples: [.init("context add work https://qring.example.org", Messages.addExample)],
            positionals: [.init("NAME", Messages.newName), .init("URL", CommandPhrases.Help.serverAddress)],
            hasServer: false, run: add),
        CommandDeclaration(
            "context rename", Messages.rename,
            examples: [.init("context rename qring.example.org work", Messages.renameExample)],
            positionals: [name, .init("NAME", Messages.newName)], hasServer: false, run: rename),
        CommandDeclaration(
            "context remove", Messages.remove,
            examples: [.init("context remove work --yes", Messages.removeExample)],
            positionals: [name], options: [.yes], hasServer: false, run: remove),
    ]

    private struct Listed: Encodable {
        let name: String
        let server: String
        let email: String?
        let current: Bool
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let settings = try call.settings()
        let current = try call.server()
        let all = settings.contexts.map { context in
            Listed(
                name: context.name, server: context.server.url,
                email: settings[context.server].signIn()?.email, current: context.server == current)
        }
        if call.wantsJSON {
            call.json(all)
            return .success
        }
        guard !all.isEmpty else {
            call.note(Messages.none)
            return .success
        }
        var table = Table(
            [
                "", call.text(CommandPhrases.Messages.headName), call.text(Messages.headServer),
                call.text(Messages.headAccount),
            ], main: 1)
        for one in all {
            table.add(
                [one.current ? "*" : "", one.name, one.server, one.email ?? ""],
                one.current ? [1: .good] : [:])
        }
        call.out(table)
        return .success
    }

    private static func use(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let context = try call.context(call.arguments.positional("CONTEXT") ?? "")
        try call.update { $0.server = context.server }
        call.note(Messages.used, ["name": context.name, "server": context.server.url])
        if try call.settings()[context.server].signIn() == nil {
            call.note(CommandPhrases.Fail.notSignedIn, ["server": context.server.url])
            Following.show(call, [("login", CommandPhrases.Help.login)])
        }
        return .success
    }

    private static func add(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let written = call.arguments.positional("URL") ?? ""
        guard let server = ServerAddress(written) else {
            throw .usage(.notReadable("URL", written, expected: "https://qring.example.org"))
        }
        try save(try newName(call), for: server, call)
        return .success
    }

    private static func rename(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let context = try call.context(call.arguments.positional("CONTEXT") ?? "")
        try save(try newName(call), for: context.server, call)
        return .success
    }

    private static func save(_ name: String, for server: ServerAddress, _ call: Invocation)
        throws(CommandFailure)
    {
        if let taken = try call.settings().context(name), taken.server != server {
            throw .said(
                .conflict, Messages.taken, ["name": taken.name, "server": taken.server.url],
                next: "qring context rename \(Following.quoted(name)) …")
        }
        try call.update { _ = $0.name(server, name) }
        call.note(Messages.saved, ["name": name, "server": server.url])
    }

    /// Returns the new name of a server: a word without spaces and control characters.
    private static func newName(_ call: Invocation) throws(CommandFailure) -> String {
        let name = call.arguments.positional("NAME") ?? ""
        guard !name.isEmpty, name.count <= 50, !name.contains(where: \.isWhitespace),
            TerminalEscaping.safe(name) == name, !name.hasPrefix("-")
        else { throw .usage(.notReadable("NAME", name, expected: "work, home")) }
        return name
    }

    private static func remove(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let context = try call.context(call.arguments.positional("CONTEXT") ?? "")
        let values = ["name": context.name, "server": context.server.url]
        if !(try call.settings()[context.server].signIns.isEmpty),
            !(try await call.confirmed(Messages.confirmRemoval, orElse: Messages.removalRefused, values))
        {
            throw .failed(CommandPhrases.Fail.leftAlone, values)
        }
        try call.update { $0.remove(context) }
        call.note(Messages.removed, values)
        return .success
    }
}

extension Invocation {
    /// Returns the saved server with this name.
    /// - Throws: `.said` with a similar name if there is none.
    func context(_ name: String) throws(CommandFailure) -> SavedContext {
        let settings = try settings()
        if let found = settings.context(name) { return found }
        let known = settings.contexts.map(\.name)
        let near = Suggestion.nearest(to: name, among: known)
        throw .said(
            .notFound, near == nil ? CommandPhrases.Contexts.unknown : CommandPhrases.Contexts.unknownNear,
            ["name": TerminalEscaping.safe(name), "near": near ?? ""], next: "qring context list")
    }
}

extension CommandPhrases {
    /// The texts of `qring context`.
    enum Contexts {
        static let name = Phrase("the name of a saved server")
        static let newName = Phrase("a name for the server, such as work")
        static let list = Phrase("list the saved servers")
        static let listExample = Phrase("the current one has a star")
        static let use = Phrase("choose the server for the next commands")
        static let useExample = Phrase("for one command only: qring session list --context work")
        static let add = Phrase("save a server under a name")
        static let addExample = Phrase("then: qring login --context work")
        static let rename = Phrase("give a saved server another name")
        static let renameExample = Phrase("after a login, a server has its host as name")
        static let remove = Phrase("forget a server and its sign-ins on this computer")
        static let removeExample = Phrase("asks nothing")
        static let none = Phrase("No server is saved. Sign in with: qring login --server URL")
        static let used = Phrase("Commands now use {name} ({server}).")
        static let saved = Phrase("{name} is now the name of {server}.")
        static let taken = Phrase("{name} is already the name of {server}.")
        static let unknown = Phrase("no saved server has the name \"{name}\".")
        static let unknownNear = Phrase("no saved server has the name \"{name}\". Did you mean \"{near}\"?")
        static let confirmRemoval = Phrase(
            "Forget {name} ({server}) and its sign-ins on this computer? [y/N]")
        static let removalRefused = Phrase(
            "this deletes {name} ({server}) and its sign-ins from this computer.")
        static let removed = Phrase("{name} was removed from this computer.")
        static let headServer = Phrase("SERVER")
        static let headAccount = Phrase("ACCOUNT")
        static let current = Phrase("server: {name} ({server})")
    }
}

extension CommandPhrases.Help {
    static let serverAddress = Phrase("the address of a server")
}
