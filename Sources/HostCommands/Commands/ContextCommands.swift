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
        static let name = Phrase("the name of a saved server", "저장한 서버의 이름")
        static let newName = Phrase("a name for the server, such as work", "서버에 붙일 이름(예: work)")
        static let list = Phrase("list the saved servers", "저장한 서버 목록")
        static let listExample = Phrase("the current one has a star", "지금 쓰는 서버에 별표")
        static let use = Phrase("choose the server for the next commands", "다음 명령부터 쓸 서버 고르기")
        static let useExample = Phrase(
            "for one command only: qring session list --context work",
            "한 번만 쓰려면: qring session list --context work")
        static let add = Phrase("save a server under a name", "서버를 이름으로 저장")
        static let addExample = Phrase("then: qring login --context work", "다음: qring login --context work")
        static let rename = Phrase("give a saved server another name", "저장한 서버의 이름 바꾸기")
        static let renameExample = Phrase(
            "after a login, a server has its host as name", "로그인한 서버의 처음 이름은 호스트")
        static let remove = Phrase(
            "forget a server and its sign-ins on this computer", "이 컴퓨터에서 서버와 로그인 정보 지우기")
        static let removeExample = Phrase("asks nothing", "묻지 않고 지우기")
        static let none = Phrase(
            "No server is saved. Sign in with: qring login --server URL",
            "저장한 서버가 없습니다. 로그인하려면: qring login --server URL")
        static let used = Phrase("Commands now use {name} ({server}).", "이제 {name}({server})을(를) 사용합니다.")
        static let saved = Phrase("{name} is now the name of {server}.", "{server}의 이름은 이제 {name}입니다.")
        static let taken = Phrase(
            "{name} is already the name of {server}.", "{name}은(는) 이미 {server}의 이름입니다.")
        static let unknown = Phrase("no saved server has the name \"{name}\".", "이름이 \"{name}\"인 서버가 없습니다.")
        static let unknownNear = Phrase(
            "no saved server has the name \"{name}\". Did you mean \"{near}\"?",
            "이름이 \"{name}\"인 서버가 없습니다. 혹시 \"{near}\"인가요?")
        static let confirmRemoval = Phrase(
            "Forget {name} ({server}) and its sign-ins on this computer? [y/N]",
            "이 컴퓨터에서 {name}({server})과(와) 로그인 정보를 지울까요? [y/N]")
        static let removalRefused = Phrase(
            "this deletes {name} ({server}) and its sign-ins from this computer.",
            "이 컴퓨터에서 {name}({server})과(와) 로그인 정보를 지웁니다.")
        static let removed = Phrase(
            "{name} was removed from this computer.", "이 컴퓨터에서 {name}을(를) 지웠습니다.")
        static let headServer = Phrase("SERVER", "서버")
        static let headAccount = Phrase("ACCOUNT", "계정")
        static let current = Phrase("server: {name} ({server})", "서버: {name}({server})")
    }
}

extension CommandPhrases.Help {
    static let serverAddress = Phrase("the address of a server", "서버 주소")
}
