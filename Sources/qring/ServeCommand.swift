import HostCommands
import Journal
import Phrases
import Server

private typealias Say = CommandPhrases.Serve

/// `qring serve`: settings from flags, then `QRING_…`, then what is usual.
let serveCommand = CommandDeclaration(
    "serve", Say.summary,
    examples: [
        .init("serve", Say.exampleHere), .init("serve --listen 0.0.0.0:8080", Say.exampleNetwork),
        .init("serve --public-url https://qring.example.org", Say.exampleProxy),
    ],
    options: [
        .value("listen", "ADDRESS:PORT", Say.listen), .value("data", "DIR", Say.data), .value("public-url", "URL", Say.publicURL),
        .oneOf("signup", SignUp.allCases.map(\.rawValue), Say.signUp), .value("loops", "N", Say.loops),
        .oneOf("log", LogFormat.allCases.map(\.rawValue), Say.log),
    ],
    handlesSignals: true
) { call throws(CommandFailure) in
    var settings = ServerSettings(dataFolder: call.setting("data") ?? dataFolder(call.environment))
    settings.listen = call.setting("listen") ?? settings.listen
    settings.publicURL = call.setting("public-url")
    settings.signUp = try call.settingChoice("signup", of: SignUp.self) ?? settings.signUp
    settings.logFormat = try call.settingChoice("log", of: LogFormat.self) ?? settings.logFormat
    settings.loops = try call.integer("loops", 1...64) ?? settings.loops
    try await start(settings, call).run()
    return .success
}

/// Throws with the reason and what to do about it.
func start(_ settings: ServerSettings, _ call: Invocation) throws(CommandFailure) -> Serving {
    do {
        return try Serving(settings)
    } catch {
        let folder = ["folder": settings.dataFolder]
        let reason =
            switch error {
            case JournalError.failed(let failure) where failure.reason == .busy: call.text(Say.inUse, folder)
            case JournalError.failed(let failure):
                if case .newerSchema = failure.reason { call.text(Say.newer, folder) } else { String(describing: failure) }
            default: String(describing: error)
            }
        throw .failed(Say.cannotStart, ["reason": reason])
    }
}

/// Where data of a user's programs is kept (XDG Base Directory).
private func dataFolder(_ environment: [String: String]) -> String {
    if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return "\(folder)/qring" }
    return "\(environment["HOME"] ?? ".")/.local/share/qring"
}

extension Invocation {
    /// The flag, else `QRING_` and its name in capitals.
    fileprivate func setting(_ name: String) -> String? {
        if let given = arguments.value(name) { return given }
        let value = environment["QRING_" + name.uppercased().replacing("-", with: "_")]
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    fileprivate func settingChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(CommandFailure) -> Choice? {
        guard let written = setting(name) else { return nil }
        guard let choice = Choice(rawValue: written) else {
            throw .usage(.notReadable("--\(name)", written, expected: Choice.allCases.map(\.rawValue).joined(separator: ", ")))
        }
        return choice
    }
}
