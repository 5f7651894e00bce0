internal import Client
package import CommandLine
internal import Meetings
internal import Outbound
internal import Phrases
internal import Terminal
internal import Wire

/// Implements `qring api`: sends one request of the API with the saved sign-in.
package enum APICommand {
    private typealias Messages = CommandPhrases.API
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

    package static let all = [
        CommandDeclaration(
            "api", Messages.summary,
            examples: [
                .init("api GET meetings --paginate --jq '.items[].name'", Messages.listExample),
                .init("api PATCH sessions/{@} -F plannedCount=30", Messages.editExample),
                .init(
                    "api POST meetings -f name=Standup -f 'session[startsAt]=2026-11-28T19:00:00Z' "
                        + "-f 'session[endsAt]=2026-11-28T20:00:00Z'", Messages.createExample),
                .init("api PUT sessions/{@}/questions --input questions.json", Messages.inputExample),
            ],
            positionals: [
                .init("METHOD", Messages.method), .init("PATH", Messages.path, required: false),
            ],
            options: [
                .values("raw-field", "KEY=VALUE", Messages.rawField).orShort("f"),
                .values("field", "KEY=VALUE", Messages.field).orShort("F"),
                .value("input", "FILE", Messages.input),
                .values("header", "NAME:VALUE", Messages.header).orShort("H"),
                .flag("include", Messages.include).orShort("i"), .flag("paginate", Messages.paginate), .limit,
            ] + CommandDeclaration.Option.ofJSON,
            needs: [.one(of: "PATH") { methods.contains($0.positional("METHOD")?.uppercased() ?? "") }],
            notes: Messages.notes, usesPager: true, run: run)
    ]

    private static func run(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        var fields = APIFields()
        do throws(UsageError) {
            for field in call.arguments.values("raw-field") { try fields.add(text: field) }
        } catch {
            throw .usage(error)
        }
        for field in call.arguments.values("field") {
            try await fields.add(typed: field) { (path) async throws(CommandFailure) in
                String(decoding: try await call.contents(of: path), as: UTF8.self)
            }
        }
        let (method, written) = try methodAndPath(call, hasFields: !fields.isEmpty)
        let host = try call.hostOrAnybody()
        var request = APICall(method, try await path(written, call, host))
        request.headers = try headers(call)
        if let file = call.arguments.value("input") {
            if !fields.isEmpty { throw .usage(.together("--field", "--input")) }
            request.body = try await call.contents(of: file)
            request.addContentType(of: file)
        } else if !fields.isEmpty, ["GET", "HEAD", "DELETE"].contains(method) {
            do throws(UsageError) {
                for (name, value) in try fields.query() { request.add(name, value) }
            } catch {
                throw .usage(error)
            }
        } else if !fields.isEmpty {
            request.body = fields.json
        }
        if method == "POST", !request.has("Idempotency-Key") {
            request.headers.append(("Idempotency-Key", APICall.randomKey()))
        }
        let limit = try call.limit()
        do throws(APIError) {
            if call.arguments.has("paginate") || limit != nil {
                try await pages(request, limit, host, call)
            } else {
                show(try await sent(request, host), call)
            }
        } catch {
            // Programs read the problem, and people read the message on standard error. The options for
            // the answer, such as --jq, are not for a problem.
            if case .problem(let problem) = error, !call.console.outIsTerminal { call.out(problem: problem) }
            throw .api(error)
        }
        return .success
    }

    /// Returns the method and the path. A single argument is the path; its method is GET, or POST with
    /// fields.
    private static func methodAndPath(_ call: Invocation, hasFields: Bool) throws(CommandFailure)
        -> (String, String)
    {
        let first = call.arguments.positional("METHOD") ?? ""
        guard let path = call.arguments.positional("PATH") else {
            return (hasFields || call.arguments.value("input") != nil ? "POST" : "GET", first)
        }
        let method = first.uppercased()
        guard methods.contains(method) else {
            throw .usage(
                .notOneOf("METHOD", first, methods, near: Suggestion.nearest(to: first, among: methods)))
        }
        return (method, path)
    }

    /// Returns the path from the root of the server. A path without a slash at its beginning is below
    /// `/api/v1/`. A name in braces stands for the id of a meeting or a session.
    private static func path(_ written: String, _ call: Invocation, _ host: APIClient)
        async throws(CommandFailure) -> String
    {
        let isFromRoot = written.hasPrefix("/")
        guard !written.contains("://"),
            !written.contains(where: { $0.isNewline || $0.isWhitespace && !written.contains("{") })
        else { throw .usage(.notReadable("PATH", written, expected: "meetings, /api/v1/sessions/nearest")) }
        let whole = isFromRoot ? written : written.hasPrefix("api/v1/") ? "/\(written)" : "/api/v1/\(written)"
        var parts: [String] = []
        for part in whole.split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
            guard part.first == "{", part.last == "}" else {
                parts.append(part)
                continue
            }
            let named = Reference(String(part.dropFirst().dropLast()), host)
            parts.append(
                parts.last == "meetings" ? try await named.meeting().text : try await named.session().id.text)
        }
        return parts.joined(separator: "/")
    }

    private static func headers(_ call: Invocation) throws(CommandFailure) -> [(name: String, value: String)]
    {
        var headers: [(name: String, value: String)] = []
        for written in call.arguments.values("header") {
            guard let colon = written.firstIndex(of: ":"), colon != written.startIndex,
                !written.contains(where: \.isNewline)
            else { throw .usage(.notReadable("--header", written, expected: "\"Prefer: respond-async\"")) }
            let value = written[written.index(after: colon)...].drop { $0 == " " }
            headers.append((String(written[..<colon]), String(value)))
        }
        return headers
    }

    // MARK: Sending

    /// The pauses before a request is repeated that may have been lost on its way.
    private static let pauses: [Duration] = [.milliseconds(300), .seconds(1)]

    /// Sends a request. If the server wants to know the version that the edit is based on, reads the version
    /// and sends the request again. Repeats a read, and a POST with its idempotency key, after a lost
    /// connection.
    private static func sent(_ call: APICall, _ host: APIClient) async throws(APIError) -> OutboundResponse {
        do throws(APIError) {
            return try await repeated(call, host)
        } catch {
            guard error.code == .preconditionRequired,
                let condition = try await ResourceVersion(of: call, host).condition()
            else { throw error }
            var call = call
            call.headers.append(condition)
            return try await repeated(call, host)
        }
    }

    private static func repeated(_ call: APICall, _ host: APIClient) async throws(APIError)
        -> OutboundResponse
    {
        for pause in ["GET", "POST"].contains(call.method) ? pauses : [] {
            do throws(APIError) { return try await host.send(call) } catch {
                guard case .unreachable = error, (try? await Task.sleep(for: pause)) != nil else {
                    throw error
                }
            }
        }
        return try await host.send(call)
    }

    /// Sends a request for each page of a list, and prints all items as one page, or as lines.
    private static func pages(
        _ first: APICall, _ limit: Int?, _ host: APIClient, _ call: Invocation
    ) async throws(APIError) {
        var items: [[UInt8]] = []
        var cursor: String?
        repeat {
            var request = first
            if let limit, !first.target.contains("limit=") {
                request.add("limit", String(max(1, min(200, limit - items.count))))
            }
            request.add("cursor", cursor)
            let answer = try await sent(request, host)
            guard let page = JSONItems(answer.body) else {
                show(answer, call)
                return
            }
            items += page.items
            cursor = page.nextCursor
        } while cursor != nil && call.arguments.has("paginate") && items.count < limit ?? .max
        let shown = items.prefix(limit ?? .max)
        let next = cursor.map { String(decoding: WireJSON.bytes($0), as: UTF8.self) } ?? "null"
        call.out(
            json: Array(#"{"items":["#.utf8) + shown.joined(separator: [UInt8(ascii: ",")])
                + Array("],\"nextCursor\":\(shown.count < items.count ? "null" : next)}".utf8))
    }

    private static func show(_ answer: OutboundResponse, _ call: Invocation) {
        let type = answer.headers["content-type"]?.lowercased() ?? ""
        if call.arguments.has("include") {
            let lines = answer.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            for line in ["HTTP \(answer.status)"] + lines { call.out(TerminalEscaping.safe(line)) }
            call.out()
        }
        if answer.body.isEmpty { return }
        if type.hasPrefix("application/json") || type.contains("+json") {
            call.out(json: answer.body)
        } else if call.console.outIsTerminal, !type.hasPrefix("text/"), !type.contains("xml") {
            // The bytes of an image would disturb the terminal.
            call.note(
                Messages.binary, ["type": TerminalEscaping.safe(type), "count": String(answer.body.count)])
        } else if call.console.outIsTerminal {
            call.out(TerminalEscaping.safeLines(String(decoding: answer.body, as: UTF8.self)))
        } else {
            call.console.out(answer.body)
        }
    }
}

extension Invocation {
    /// Returns the host's client, or a client without a sign-in if nobody has signed in. Many routes of the
    /// API need no account.
    fileprivate func hostOrAnybody() throws(CommandFailure) -> APIClient {
        do throws(CommandFailure) { return try host() } catch {
            guard error.exitCode == .notAllowed else { throw error }
            return try client()
        }
    }
}

extension APICall {
    fileprivate func has(_ header: String) -> Bool {
        headers.contains { $0.name.lowercased() == header.lowercased() }
    }

    /// Adds the type of a file's content, unless the user has given it.
    fileprivate mutating func addContentType(of file: String) {
        guard !has("Content-Type"), let body else { return }
        let type =
            body.starts(with: [0x89, 0x50, 0x4E, 0x47])
            ? "image/png"
            : body.starts(with: [0xFF, 0xD8, 0xFF])
                ? "image/jpeg" : file.lowercased().hasSuffix(".csv") ? "text/csv" : "application/json"
        headers.append(("Content-Type", type))
    }
}

/// The items of a page, as encoded JSON.
private struct JSONItems {
    let items: [[UInt8]]
    let nextCursor: String?

    /// Returns nil if the text is not a page.
    init?(_ bytes: [UInt8]) {
        guard let page = try? JSONDocument(bytes), page.root["nextCursor"] != nil,
            page.root["items"]?.isArray == true
        else { return nil }
        nextCursor = page.root["nextCursor"]?.string
        items = JSONElements.items(ofPage: bytes)
    }
}

/// Finds the version on which an edit is based: the entity tag of the resource at the same path, or the
/// version of the item in the list that contains it.
private struct ResourceVersion {
    private let call: APICall
    private let host: APIClient

    init(of call: APICall, _ host: APIClient) {
        self.call = call
        self.host = host
    }

    /// Returns the header of the edit; nil if the resource shows no version.
    func condition() async throws(APIError) -> (name: String, value: String)? {
        do throws(APIError) {
            let found = try await host.send(APICall(at: call.target))
            if let tag = found.headers["etag"] { return ("If-Match", tag) }
            if let version = (try? JSONDocument(found.body))?.root["version"]?.integer {
                return Seen.version(version).condition
            }
            return call.method == "PUT" ? Seen.nothing.condition : nil
        } catch {
            guard case .problem(let problem) = error, [404, 405].contains(problem.status) else { throw error }
            return try await conditionInList() ?? (call.method == "PUT" ? Seen.nothing.condition : nil)
        }
    }

    /// Returns the version of the item, in the list at the path above.
    private func conditionInList() async throws(APIError) -> (name: String, value: String)? {
        let path = call.target.prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let (above, id) = (String(path[..<slash]), String(path[path.index(after: slash)...]))
        // A question set is not an item of a list, but its questions have its version.
        if above.hasSuffix("/sets") {
            let questions = above.dropLast("/sets".count) + "/questions?set=\(id)"
            return try await host.send(APICall(at: questions)).headers["etag"].map { ("If-Match", $0) }
        }
        var cursor: String?
        repeat {
            var request = APICall("GET", above, ["limit": "200"])
            request.add("cursor", cursor)
            guard let page = try? JSONDocument(try await host.send(request).body) else { return nil }
            for item in page.root["items"]?.elements ?? [] {
                let isIt = item.members.contains { member in
                    (member.key == "id" || member.key.hasSuffix("Id")) && member.value.string == id
                }
                if isIt { return item["version"]?.integer.map { Seen.version($0).condition } }
            }
            cursor = page.root["nextCursor"]?.string
        } while cursor != nil
        // The list does not contain the item, so the server says whether it exists.
        return Seen.anything.condition
    }
}

extension CommandPhrases {
    /// The texts of `qring api`.
    enum API {
        static let summary = Phrase("send a request of the API with your sign-in")
        static let listExample = Phrase("the names of all meetings")
        static let editExample = Phrase("the nearest session; reads the version for If-Match")
        static let createExample = Phrase("a nested field, with an idempotency key")
        static let inputExample = Phrase("the body is a file")
        static let method = Phrase("GET, POST, PUT, PATCH or DELETE; without it, GET, or POST with fields")
        static let path = Phrase(
            "the path below /api/v1/, or from the root with a slash; a name in braces, such as {@}, "
                + "stands for an id")
        static let rawField = Phrase("a text for the body, or for the query of a GET; a[b]=… and a[]=… nest")
        static let field = Phrase(
            "the same, but true, false, null and numbers keep their type; @FILE reads a file")
        static let input = Phrase("the body from a file: JSON, CSV, PNG or JPEG; - means standard input")
        static let header = Phrase("a header of the request")
        static let include = Phrase("print the status and the headers, too")
        static let paginate = Phrase("all pages of a list")
        static let notes = Phrase(
            "A POST has an idempotency key, and is repeated after a lost connection. If an edit needs the "
                + "version that it is based on, the command reads the version first; to choose it yourself, "
                + "add -H 'If-Match: \"v3\"'. If the server refuses the request, its problem goes to "
                + "standard output unless that is a terminal. qring openapi describes all routes.")
        static let binary = Phrase(
            "The answer has {count} bytes of {type}. To save them, write to a file: … > FILE")
    }
}
