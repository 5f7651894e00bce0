package import Client
package import CommandLine
package import Meetings
internal import Outbound
internal import Phrases
internal import RecordText
internal import Synchronization
internal import Terminal
internal import Wire

// Functions with which commands reach the server: addresses, sign-ins, JSON and errors of the API.

extension Invocation {
    /// The user's saved servers and sign-ins.
    package var settingsFile: SettingsFile { SettingsFile(environment: environment) }

    package func settings() throws(CommandFailure) -> SavedSettings {
        do throws(SettingsFileError) { return try settingsFile.load() } catch { throw .caused(error) }
    }

    package func update(_ change: (inout SavedSettings) -> Void) throws(CommandFailure) {
        do throws(SettingsFileError) { try settingsFile.update(change) } catch { throw .caused(error) }
    }

    /// Returns the server that the user names (`givenServer`), or of the last login; otherwise port 8080 of
    /// this machine.
    package func server() throws(CommandFailure) -> ServerAddress {
        if let given = try givenServer() { return given }
        return try settings().server ?? .standard
    }

    /// Returns the server of `--server`, `--context`, `QRING_SERVER` or `QRING_CONTEXT`; nil if the user gave
    /// none of them.
    /// - Throws: `.usage` if the address is malformed; `.said` if no saved server has this name.
    package func givenServer() throws(CommandFailure) -> ServerAddress? {
        if let name = arguments.value("context") {
            if arguments.value("server") != nil { throw .usage(.together("--context", "--server")) }
            return try context(name).server
        }
        for (name, value) in [
            ("--server", arguments.value("server")), ("QRING_SERVER", environment["QRING_SERVER"]),
        ] {
            guard let value, !value.isEmpty else { continue }
            guard let address = ServerAddress(value) else {
                throw .usage(.notReadable(name, value, expected: "http://127.0.0.1:8080"))
            }
            return address
        }
        if let name = environment["QRING_CONTEXT"], !name.isEmpty { return try context(name).server }
        return nil
    }

    /// Names the server on the terminal if several are saved, so that nobody changes the wrong one.
    private func showContext(of server: ServerAddress) throws(CommandFailure) {
        guard console.errIsTerminal else { return }
        let contexts = try settings().contexts
        guard contexts.count > 1, let current = contexts.first(where: { $0.server == server }) else { return }
        let line = text(
            CommandPhrases.Contexts.current,
            ["name": TerminalEscaping.safe(current.name), "server": server.url])
        console.errLine(errPaint.styled(line, .faint))
    }

    /// Returns a client with its own connections to the server.
    package func client(_ authority: Authority = .nobody, at server: ServerAddress? = nil)
        throws(CommandFailure) -> APIClient
    {
        // `??` would lose the error's type.
        let address: ServerAddress = if let server { server } else { try self.server() }
        var client = APIClient(
            address, language: language, authority: authority,
            transport: HTTPTransport(environment: environment))
        // One line for each client, also if a command sends many requests.
        let said = Once()
        let line = errPaint.styled(Phrase.Page.storageFull.text(in: language), .warning)
        client.onFullStorage = { [console] in if said.isFirst() { console.errLine(line) } }
        if let named = environment["QRING_SESSION"], !named.isEmpty {
            guard let session = SessionID(named) else {
                throw .usage(.notReadable("QRING_SESSION", named, expected: "01KC3Z5H8T0000000000000000"))
            }
            client.namedSession = session
        }
        return client
    }

    /// Returns the host's client, which signs in with `QRING_TOKEN` or with the saved sign-in. If several
    /// accounts are saved, `QRING_EMAIL` chooses one of them.
    /// - Throws: `.said` if nobody has signed in to the server on this machine.
    package func host() throws(CommandFailure) -> APIClient {
        let server = try server()
        try showContext(of: server)
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

    /// Prints the command's result as JSON.
    package func json(_ value: some Encodable) { out(json: WireJSON.bytes(value)) }
    /// Prints the server's problem as JSON, whole: `--jq` and the like are for the answer.
    func out(problem: Problem) { console.out(WireJSON.bytes(problem) + [UInt8(ascii: "\n")]) }

    /// Prints one value of a stream as JSON on one line.
    package func jsonLine(_ value: some Encodable) { out(jsonLine: WireJSON.bytes(value)) }

    /// Returns the version for the `If-Match` header of an edit: `--if-version`, or else the version that the
    /// command has read.
    func seen(_ read: Int?) throws(CommandFailure) -> Seen {
        if let named = try integer("if-version", 0...Int.max) { return .version(named) }
        return read.map { .version($0) } ?? .nothing
    }

    /// Returns the heading of a column of times, with the zone's city if this machine's clock differs from
    /// it.
    func heading(_ text: String, in zone: Zone, at moment: Instant) -> String {
        zone.label(at: moment, for: .current).map { "\(text) (\($0))" } ?? text
    }

    /// Returns the time zone of `--zone`; nil if the user did not give this option.
    /// - Throws: `.usage` if `--zone` names no time zone.
    package func zone() throws(CommandFailure) -> Zone? {
        guard let written = arguments.value("zone") else { return nil }
        guard let zone = Zone(written) else {
            throw .usage(.notReadable("--zone", written, expected: "Asia/Seoul, Europe/Berlin, UTC"))
        }
        return zone
    }
}

extension CommandDeclaration.Option {
    static let ifVersion = value("if-version", "N", CommandPhrases.Help.ifVersion)
    /// The options of every command that writes a CSV file (`Invocation.table`).
    static let table = [
        oneOf("headings", TableForm.Headings.allCases.map(\.rawValue), CommandPhrases.Help.headings),
        flag("bom", CommandPhrases.Help.byteOrderMark),
    ]

    /// Returns the option `--json` with the fields of a response body. If the body is a page, the fields are
    /// those of its items.
    package static func json<Body: Decodable & SendableMetatype>(of body: Body.Type) -> Self {
        json(fields: FieldNames.of(body), below: { FieldNames.below(body) })
    }
}

/// Lists the fields of a response body, or of the items of a page.
enum FieldNames {
    static func of(_ body: any Decodable.Type) -> [String] { of(SchemaRecorder.schema(of: body)) }

    private static func of(_ schema: Schema) -> [String] { fields(of: schema).map(\.name) }

    /// Lists the fields of the objects below the body's own fields, with dots: `attendance.present`.
    static func below(_ body: any Decodable.Type) -> [String] {
        below(fields(of: SchemaRecorder.schema(of: body)), depth: 1)
    }

    /// The levels of dots. Deeper objects have other programs.
    private static let deepest = 4

    private static func below(_ fields: [Schema.Field], depth: Int) -> [String] {
        guard depth < deepest else { return [] }
        return fields.flatMap { field in
            let inner = self.fields(of: field.schema)
            let names = inner.map(\.name) + below(inner, depth: depth + 1)
            return names.map { "\(field.name).\($0)" }
        }
    }

    private static func fields(of schema: Schema) -> [Schema.Field] {
        switch schema {
        case .array(let element, _, _): return fields(of: element)
        case .any(let choices): return choices.lazy.map { fields(of: $0) }.first { !$0.isEmpty } ?? []
        case .object(let fields):
            let isPage = fields.map(\.name) == ["items", "nextCursor"]
            return isPage ? self.fields(of: fields[0].schema) : fields
        default: return []
        }
    }
}

// MARK: Errors

/// Calls the API and converts its errors into failures of the command.
package func calling<Value>(_ call: () async throws(APIError) -> Value) async throws(CommandFailure) -> Value
{
    do throws(APIError) { return try await call() } catch { throw .api(error) }
}

extension CommandFailure {
    package static func api(_ error: APIError) -> CommandFailure { .caused(error) }
}

extension SettingsFileError: FailureCause {
    package var exitCode: ExitCode { .failed }

    package func report(in context: FailureContext) -> [String] {
        typealias Fail = CommandPhrases.Fail
        return switch self {
        case .notReadable(let path, let reason):
            [context.headline(Fail.fileUnreadable, ["path": path, "reason": reason])]
        case .notWritable(let path, let reason):
            [context.headline(Fail.fileUnwritable, ["path": path, "reason": reason])]
        case .notSettings(let path):
            [
                context.headline(Fail.settingsBroken, ["path": path]),
                context.next("mv \(path) \(path).broken"),
            ]
        }
    }
}

extension APIError: FailureCause {
    package var exitCode: ExitCode {
        switch self {
        case .problem(let problem):
            switch problem.status {
            case 401, 403: .notAllowed
            case 404: .notFound
            case 409, 412: .conflict
            default: .failed
            }
        case .timedOut: .timedOut
        case .cancelled: .interrupted
        case .unreachable, .notQRing: .failed
        }
    }

    package func report(in context: FailureContext) -> [String] {
        typealias Fail = CommandPhrases.Fail
        switch self {
        case .unreachable(let url, let detail):
            return [
                context.headline(
                    Fail.unreachable, ["url": url, "detail": Fail.reason(detail, in: context.language)]),
                context.next("qring serve"), context.next("… --server URL"),
            ]
        case .timedOut(let url):
            return [
                context.headline(Fail.timedOut, ["url": url]), context.next("qring whoami --server \(url)"),
            ]
        case .notQRing(let url, let status):
            return [
                context.headline(Fail.notQRing, ["url": url, "status": String(status)]),
                context.next("… --server URL"),
            ]
        case .cancelled: return []
        case .problem(let problem):
            // Do not print the server's message, because it mentions tokens and headers, which only programs
            // understand.
            if Self.rejectsToken(problem, context) {
                return [context.headline(Fail.tokenRefused), context.next("unset QRING_TOKEN")]
            }
            if Self.endsSignIn(problem, context) {
                return [context.headline(Fail.signInOver), context.next("qring login")]
            }
            return Self.report(problem, context)
        }
    }

    /// Whether the server rejected `QRING_TOKEN`. In this case, a new login would not help.
    private static func rejectsToken(_ problem: Problem, _ context: FailureContext) -> Bool {
        !context.environment["QRING_TOKEN", default: ""].isEmpty
            && [ProblemCode.notSignedIn.rawValue, ProblemCode.tokenExpired.rawValue].contains(problem.code)
    }

    /// Whether the server rejected the saved sign-in, or refused to renew it.
    private static func endsSignIn(_ problem: Problem, _ context: FailureContext) -> Bool {
        switch ProblemCode(rawValue: problem.code) {
        case .notSignedIn, .tokenExpired: true
        case .wrongCredentials: context.command?.name != "login"
        default: false
        }
    }

    private static func report(_ problem: Problem, _ context: FailureContext) -> [String] {
        typealias Fail = CommandPhrases.Fail
        let words = ErrorWords(context)
        var lines = ["qring: \(problem.title). \(words.detail(of: problem))"]
        for error in problem.errors ?? [] {
            // An error that concerns the whole request has no field.
            let subject = [
                error.line.map { Fail.line.text(in: context.language, ["line": String($0)]) },
                words.subject(of: error.field),
            ].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
            lines.append("  \(subject)\(subject.isEmpty ? "" : ": ")\(words.message(of: error))")
        }
        if problem.status >= 500, let id = problem.requestId {
            lines.append("  \(Fail.requestID.text(in: context.language, ["id": id]))")
        }
        if let following = next(after: problem) { lines.append(context.next(following)) }
        // Escape the lines, because a problem may quote text of other people, and any server may have sent
        // it.
        return lines.map(TerminalEscaping.safe)
    }

    private static func next(after problem: Problem) -> String? {
        switch ProblemCode(rawValue: problem.code) {
        case .sessionOverlap: "… --allow-overlap"
        case .emailTaken, .signInEnded: "qring login"
        case .setupTokenRequired: "… --setup-token-file FILE"
        case .lastOperator: "qring admin user make-operator EMAIL"
        case .receiptNotValid: "qring checkin CODE --name … --email …"
        default: nil
        }
    }
}

extension Invocation {
    /// How the caller wants a CSV file.
    var table: TableQuery {
        TableQuery(
            headings: choice("headings", of: TableForm.Headings.self), byteOrderMark: arguments.has("bom"))
    }
}

extension CommandPhrases.Help {
    static let headings = Phrase(
        "in CSV: words as headings, or keys that are the same in every language (default: words)")
    static let byteOrderMark = Phrase(
        "in CSV: add a byte order mark, so that a spreadsheet, such as a Korean Excel, detects UTF-8")
    static let ifVersion = Phrase("save only if the version is still N (show --json prints it)")
}

extension CommandPhrases.Fail {
    static let line = Phrase("line {line}")
    static let requestID = Phrase("request id: {id}")
    static let settingsBroken = Phrase(
        "{path} is not a settings file of qring. It was not changed. Move it away, then sign in again.")
    static let signInOver = Phrase("your sign-in has expired.")
    static let tokenRefused = Phrase("the server does not accept the token in QRING_TOKEN.")
}

/// Tells the first caller from all others, on any thread.
private final class Once: Sendable {
    private let isDone = Atomic<Bool>(false)

    func isFirst() -> Bool { !isDone.exchange(true, ordering: .relaxed) }
}
