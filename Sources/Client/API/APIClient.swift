package import Meetings
package import Outbound
package import Phrases
internal import Wire

/// A client of the HTTP API of one server, for one caller. The routes are in extensions, with one file for
/// each part of the API contract (`*Routes.swift`).
/// - Throws: every route throws `APIError`: `.problem` if the server refuses the request; `.unreachable`,
///   `.timedOut` or `.cancelled` if there is no response; `.notQRing` if the response is not one of this API.
package struct APIClient: Sendable {
    package let server: ServerAddress
    package let language: Language
    package var authority: Authority
    /// The longest time from the start of a request to the last byte of its response. Waiting in the queue is
    /// not counted.
    package var timeout: Duration
    /// The most items of a list that `all` requests; nil for all.
    private var mostItems: Int?
    let transport: HTTPTransport
    /// Called with each response of a server whose disk is full.
    package var onFullStorage: (@Sendable () -> Void)?
    /// The session that the user means by `@`; nil for the nearest one.
    package var namedSession: SessionID?

    package init(
        _ server: ServerAddress, language: Language = .english, authority: Authority = .nobody,
        transport: HTTPTransport = HTTPTransport(), timeout: Duration = .seconds(30)
    ) {
        self.server = server
        self.language = language
        self.authority = authority
        self.transport = transport
        self.timeout = timeout
    }

    /// Returns a client for another caller, which uses the same server and the same connections.
    package func speaking(for authority: Authority) -> APIClient {
        var client = self
        client.authority = authority
        return client
    }

    /// Returns a client whose lists end after this many items.
    package func limited(to count: Int?) -> APIClient {
        var client = self
        client.mostItems = count
        return client
    }

    // MARK: Calls

    /// The most times that one call is sent while a long change is in progress.
    private static let mostAttempts = 5

    /// Sends a request and returns the response. If the sign-in has expired, this function renews the sign-in
    /// and sends the request once more. If a long change must end first, it waits for the time that the
    /// server gives and sends the request again. A status other than 2xx is an error.
    package func send(_ call: APICall) async throws(APIError) -> OutboundResponse {
        for _ in 1..<Self.mostAttempts {
            do throws(APIError) {
                return try await sendSignedIn(call)
            } catch {
                // The server has done nothing yet, so any request may be repeated.
                guard error.code == .oneAtATime || error.code == .meetingIsBusy,
                    case .problem(let problem) = error,
                    (try? await Task.sleep(for: .seconds(problem.retryAfterSeconds ?? 1))) != nil
                else { throw error }
            }
        }
        return try await sendSignedIn(call)
    }

    private func sendSignedIn(_ call: APICall) async throws(APIError) -> OutboundResponse {
        switch authority {
        case .nobody: return try await sendOnce(call, bearer: nil)
        case .bearer(let token): return try await sendOnce(call, bearer: token)
        case .signIn(let keeper):
            let token = await keeper.accessToken
            do throws(APIError) {
                return try await sendOnce(call, bearer: token)
            } catch {
                switch error.code {
                case .tokenExpired, .notSignedIn, .wrongCredentials: break
                default: throw error
                }
                return try await sendOnce(call, bearer: try await renewedToken(after: token))
            }
        }
    }

    /// Returns a token that is not `stale`, or nil if the caller has no other token. The room client calls
    /// this function, because the server closes a room connection with 4001 when its token expires.
    package func token(after stale: String?) async throws(APIError) -> String? {
        switch authority {
        case .nobody: nil
        case .bearer(let token): stale == nil ? token : nil
        case .signIn(let keeper):
            if let stale { try await renewedToken(after: stale) } else { await keeper.accessToken }
        }
    }

    private func renewedToken(after stale: String) async throws(APIError) -> String {
        guard case .signIn(let keeper) = authority else {
            throw .problem(Problem(code: .notSignedIn, in: language))
        }
        let anonymous = speaking(for: .nobody)
        return try await keeper.renewed(after: stale) { (token) async throws(APIError) in
            try await anonymous.refreshed(token)
        }
    }

    private func sendOnce(_ call: APICall, bearer: String?) async throws(APIError) -> OutboundResponse {
        var request = OutboundRequest(
            call.method, server.url + call.target, headers: call.headers, body: call.body, timeout: timeout)
        request.headers.append(("Accept-Language", language.rawValue))
        let hasType = call.headers.contains { $0.name == "Content-Type" }
        if call.body != nil, !hasType { request.headers.append(("Content-Type", "application/json")) }
        if let bearer { request.headers.append(("Authorization", "Bearer \(bearer)")) }
        let answer: OutboundResponse
        do throws(TransportError) {
            answer = try await transport.send(request)
        } catch {
            switch error {
            case .unreachable(let detail): throw .unreachable(url: server.url, detail: detail)
            case .timedOut: throw .timedOut(url: server.url)
            case .addressRefused: throw .unreachable(url: server.url, detail: "the address is not allowed")
            case .cancelled: throw .cancelled
            case .responseTooLarge, .mailNotTaken: throw .notQRing(url: server.url, status: 0)
            }
        }
        if answer.headers["qring-storage"] == "full" { onFullStorage?() }
        guard (200..<300).contains(answer.status) else { throw refusal(in: answer) }
        return answer
    }

    private func refusal(in answer: OutboundResponse) -> APIError {
        guard answer.headers["content-type"]?.lowercased().hasPrefix("application/problem+json") == true,
            var problem = try? WireJSON.decode(Problem.self, from: answer.body)
        else { return .notQRing(url: server.url, status: answer.status) }
        problem.retryAfterSeconds =
            answer.headers["retry-after"].flatMap { Int($0) } ?? problem.retryAfterSeconds
        return .problem(problem)
    }

    func decode<Body: Decodable>(_ type: Body.Type, from answer: OutboundResponse) throws(APIError) -> Body {
        do {
            return try WireJSON.decode(type, from: answer.body)
        } catch {
            throw .notQRing(url: server.url, status: answer.status)
        }
    }

    func get<Body: Decodable>(_ path: String, _ query: KeyValuePairs<String, String?> = [:])
        async throws(APIError) -> Body
    {
        try decode(Body.self, from: try await send(APICall("GET", path, query)))
    }

    func post<Body: Decodable>(
        _ path: String, _ body: some Encodable, headers: [(name: String, value: String)] = []
    ) async throws(APIError) -> Body {
        try decode(Body.self, from: try await send(APICall("POST", path, body: body, headers: headers)))
    }

    /// Requests the pages of a list in order, and returns their items: all, or as many as `limited(to:)`
    /// says.
    func all<Item: Codable & Sendable>(_ path: String, _ query: KeyValuePairs<String, String?> = [:])
        async throws(APIError) -> [Item]
    {
        var items: [Item] = []
        var cursor: String?
        let most = mostItems ?? .max
        repeat {
            var call = APICall("GET", path, query)
            call.add("limit", String(min(200, most - items.count)))
            call.add("cursor", cursor)
            let page = try decode(Page<Item>.self, from: try await send(call))
            items += page.items
            cursor = page.nextCursor
        } while cursor != nil && items.count < most
        // A list without pages ignores the limit.
        return Array(items.prefix(most))
    }

    /// Sends a request, and returns the response's body with its entity tag. An edit sends this tag in
    /// `If-Match`.
    func versioned<Body: Decodable & Sendable>(_ call: APICall) async throws(APIError) -> Versioned<Body> {
        let answer = try await send(call)
        return Versioned(body: try decode(Body.self, from: answer), tag: answer.headers["etag"])
    }
}

/// A response body, with the entity tag that the server sent.
package struct Versioned<Body: Sendable>: Sendable {
    package let body: Body
    package let tag: String?
}

extension HTTPTransport {
    /// A transport that sends this program's `User-Agent`.
    package convenience init(parallel: Int = 64, environment: [String: String] = [:]) {
        self.init(parallel: parallel, userAgent: ProductVersion.userAgent, environment: environment)
    }
}
