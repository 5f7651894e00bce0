package import Client
package import Meetings
package import Outbound
package import Phrases
package import Terminal
internal import Wire

/// One run of a command: what was written, and everything it may use.
package struct Invocation: Sendable {
    package let command: CommandDeclaration
    package let arguments: Arguments
    package let environment: [String: String]
    package let console: any Console
    package let language: Language
    package let settingsFile: SettingsFile
    package let transport: HTTPTransport
    package let allCommands: [CommandDeclaration]

    // MARK: Saying

    package func text(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
        phrase.text(in: language, values)
    }
    package func out(_ line: String = "") { console.outLine(line) }
    package func out(_ phrase: Phrase, _ values: [String: String] = [:]) {
        console.outLine(text(phrase, values))
    }
    /// As wide as the terminal.
    package func out(_ table: Table) { console.out(table.text(width: console.width)) }
    /// To standard error.
    package func note(_ phrase: Phrase, _ values: [String: String] = [:]) {
        console.err(TextWrapping.lines(text(phrase, values), indent: 0, width: console.errWidth))
    }

    package var wantsJSON: Bool { arguments.has("json") }
    /// On a line; of its fields only those that were asked for.
    package func json(_ value: some Encodable) {
        let whole = WireJSON.bytes(value)
        let chosen = arguments.value("json").map { JSONSelection($0).applied(to: whole) } ?? whole
        console.out(chosen + [UInt8(ascii: "\n")])
    }

    /// Whether there is somebody to ask, who did not say `--no-input`.
    package var mayAsk: Bool { console.inIsTerminal && !arguments.has("no-input") }

    /// Colours and pictures: a terminal that did not ask for none (no-color.org: any value but an empty one).
    package var isColourful: Bool {
        console.outIsTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    package var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = locale?.lowercased() else { return true }
        return locale.contains("utf-8") || locale.contains("utf8")
    }

    // MARK: The server

    package func settings() throws(CommandFailure) -> SavedSettings {
        do throws(SettingsFileError) { return try settingsFile.load() } catch { throw .settings(error) }
    }

    package func update(_ change: (inout SavedSettings) -> Void) throws(CommandFailure) {
        do throws(SettingsFileError) { try settingsFile.update(change) } catch { throw .settings(error) }
    }

    /// `--server`, `QRING_SERVER`, the saved one, this machine's port 8080.
    package func server() throws(CommandFailure) -> ServerAddress {
        if let given = try givenServer() { return given }
        return try settings().server ?? .standard
    }

    package func givenServer() throws(CommandFailure) -> ServerAddress? {
        for (name, value) in [
            ("--server", arguments.value("server")), ("QRING_SERVER", environment["QRING_SERVER"]),
        ] {
            guard let value, !value.isEmpty else { continue }
            guard let address = ServerAddress(value) else {
                throw .usage(.notReadable(name, value, expected: "http://127.0.0.1:8080"))
            }
            return address
        }
        return nil
    }

    package func client(_ authority: Authority = .nobody, at server: ServerAddress? = nil)
        throws(CommandFailure) -> APIClient
    {
        // `??` would lose the error's type.
        let address: ServerAddress = if let server { server } else { try self.server() }
        return APIClient(address, language: language, authority: authority, transport: transport)
    }

    /// For a host: `QRING_TOKEN`, or the saved sign-in (`QRING_EMAIL` chooses among several).
    package func host() throws(CommandFailure) -> APIClient {
        let server = try server()
        if let token = environment["QRING_TOKEN"], !token.isEmpty {
            return try client(.bearer(token), at: server)
        }
        let email = environment["QRING_EMAIL"].flatMap { $0.isEmpty ? nil : $0 }
        guard let signIn = try settings()[server].signIn(email: email) else {
            throw .said(
                .notAllowed, CommandPhrases.Fail.notSignedIn, ["server": server.url],
                next: "qring login --server \(server.url)")
        }
        let file = settingsFile
        let keeper = SignInKeeper(
            signIn, reload: { try? file.load()[server].signIn(email: signIn.email) },
            save: { renewed in try? file.update { $0[server].replace(renewed) } })
        return try client(.signIn(keeper), at: server)
    }

    // MARK: Options

    /// The flag, else `QRING_` and its name in capitals.
    package func setting(_ name: String) -> String? {
        if let given = arguments.value(name) { return given }
        let value = environment["QRING_" + name.uppercased().replacing("-", with: "_")]
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `--data`, `QRING_DATA`, or where data of a user's programs is kept (XDG Base Directory).
    package var dataFolderPath: String {
        if let given = setting("data") { return given }
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return "\(folder)/qring" }
        return "\(environment["HOME"] ?? ".")/.local/share/qring"
    }

    package func duration(_ name: String) throws(CommandFailure) -> Duration? {
        guard let written = arguments.value(name) else { return nil }
        guard let duration = DurationText.read(written) else {
            throw .usage(.notReadable("--\(name)", written, expected: "30s, 90m, 1h30m"))
        }
        return duration
    }

    package func integer(_ name: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let written = arguments.value(name) else { return nil }
        guard let number = Int(written), range.contains(number) else {
            throw .usage(
                .notReadable("--\(name)", written, expected: "\(range.lowerBound)…\(range.upperBound)"))
        }
        return number
    }

    /// What an edit says it saw: the version that `--if-version` names, else the one that it has just read.
    func seen(_ read: Int?) throws(CommandFailure) -> Seen {
        if let named = try integer("if-version", 0...Int.max) { return .version(named) }
        return read.map { .version($0) } ?? .nothing
    }

    package func choice<Choice: RawRepresentable<String>>(_ name: String, of type: Choice.Type) -> Choice? {
        arguments.value(name).flatMap { Choice(rawValue: $0) }
    }

    /// Of an edit without anything to change.
    package var nothingToChange: CommandFailure {
        .said(.usage, CommandPhrases.Fail.nothingToChange, [:], next: "qring help \(command.name)")
    }

    package func zone() throws(CommandFailure) -> Zone? {
        guard let written = arguments.value("zone") else { return nil }
        guard let zone = Zone(written) else {
            throw .usage(.notReadable("--zone", written, expected: "Asia/Seoul, Europe/Berlin, UTC"))
        }
        return zone
    }

    /// The option, or what the person at the terminal answers.
    package func asked(
        _ option: String, _ prompt: Phrase, _ what: Phrase, hidden: Bool = false
    ) async throws(CommandFailure) -> String {
        if let given = arguments.value(option) { return given }
        guard mayAsk else {
            throw .said(
                .usage, CommandPhrases.Fail.noTerminal, ["what": text(what), "option": "--\(option)"],
                next: nil)
        }
        guard let answer = await console.ask(text(prompt), hidden: hidden) else {
            throw .failed(CommandPhrases.Fail.inputEnded)
        }
        return answer
    }

    /// A file's bytes, or all of standard input for `-`.
    package func contents(of path: String) async throws(CommandFailure) -> [UInt8] {
        if path == "-" { return await console.readInput() }
        do throws(FileFailure) { return try FileBytes.read(path) } catch {
            throw .failed(CommandPhrases.Fail.fileUnreadable, ["path": path, "reason": error.reason])
        }
    }

    /// Into a file, or to standard output for `-`.
    package func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        if path == "-" { return console.out(bytes) }
        do throws(FileFailure) { try FileBytes.write(bytes, to: path) } catch {
            throw .failed(CommandPhrases.Fail.fileUnwritable, ["path": path, "reason": error.reason])
        }
        note(CommandPhrases.Messages.written, ["path": path])
    }
}

/// A call of the API, whose errors become a command's.
package func calling<Value>(_ call: () async throws(APIError) -> Value) async throws(CommandFailure) -> Value
{
    do throws(APIError) { return try await call() } catch { throw .api(error) }
}
