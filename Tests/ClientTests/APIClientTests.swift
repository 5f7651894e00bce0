import Client
import Meetings
import Outbound
import Phrases
import Synchronization
import Testing
import TinyServer
import Wire

struct APIClientTests {
    private func client(
        _ server: TinyServer, _ authority: Authority = .nobody, timeout: Duration = .seconds(60),
        parallel: Int = 64
    ) throws -> APIClient {
        APIClient(
            try #require(ServerAddress(server.url)), language: .korean, authority: authority,
            transport: HTTPTransport(parallel: parallel), timeout: timeout)
    }

    private static let me =
        #"""
        {"id":"01M7X9JCZD0KGT7Q6XKPEVTE5F","email":"a@b.c","name":"A","verified":true,\#
        "admin":false,"state":"active","createdAt":"2026-11-20T10:00:00Z","version":1}
        """#

    private static let expired = refusal("not_signed_in")

    private static func refusal(_ code: String) -> TinyServer.Answer {
        TinyServer.Answer(
            status: 401, type: "application/problem+json",
            body: #"{"type":"t","title":"Not signed in","status":401,"detail":"d","code":"\#(code)"}"#)
    }

    @Test func `the client sends its version, its language and its token with a request`() async throws {
        let server = try TinyServer { _ in .init(body: Self.me) }
        defer { server.stop() }
        let account = try await client(server, .bearer("secret")).me()
        #expect(account.email == "a@b.c")
        let request = try #require(server.requests.first)
        #expect(request.headers["user-agent"] == "qring/\(ProductVersion.text)")
        #expect(request.headers["accept-language"] == "ko")
        #expect(request.headers["authorization"] == "Bearer secret")
        #expect(request.method == "GET" && request.target == "/api/v1/me")
    }

    @Test func `a refusal is reported with its code and the time to wait before a retry`() async throws {
        let server = try TinyServer { _ in
            .init(
                status: 503, type: "application/problem+json", headers: ["Retry-After: 7"],
                body: #"{"type":"t","title":"Busy","status":503,"detail":"d","code":"overloaded"}"#)
        }
        defer { server.stop() }
        let error = await #expect(throws: APIError.self) { try await client(server).me() }
        #expect(error?.code == .overloaded)
        #expect(error?.retryAfter == .seconds(7))
    }

    @Test(arguments: [(200, "text/html"), (404, "text/html"), (502, "application/json")])
    func `an answer from a server without this API gives a different error than a refusal`(
        status: Int, type: String
    ) async throws {
        let server = try TinyServer { _ in .init(status: status, type: type, body: "<html>") }
        defer { server.stop() }
        let client = try client(server)
        await #expect(throws: APIError.notQRing(url: server.url, status: status)) { try await client.me() }
    }

    @Test func `a port without a listening server is reported as unreachable`() async throws {
        let server = try TinyServer { _ in nil }
        server.stop()
        let error = await #expect(throws: APIError.self) { try await client(server).me() }
        guard case .unreachable(let url, let detail)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(url == server.url && !detail.isEmpty)
    }

    @Test func `a request to a server that never answers times out`() async throws {
        let server = try TinyServer { _ in nil }
        defer { server.stop() }
        let client = try client(server, timeout: .milliseconds(150))
        await #expect(throws: APIError.timedOut(url: server.url)) { try await client.me() }
    }

    @Test func `a cancelled call ends even if the server never answers`() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let server = try TinyServer { _ in
            arrival.yield()
            return nil
        }
        defer { server.stop() }
        let client = try client(server)
        let call = Task { () -> APIError? in
            do throws(APIError) {
                _ = try await client.me()
                return nil
            } catch {
                return error
            }
        }
        for await _ in arrived { break }
        call.cancel()
        #expect(await call.value == .cancelled)
    }

    @Test func `consecutive requests share one connection`() async throws {
        let server = try TinyServer { _ in .init(body: Self.me) }
        defer { server.stop() }
        let client = try client(server)
        for _ in 1...20 { _ = try await client.me() }
        #expect(server.requests.count == 20)
        #expect(server.connections == 1)
    }

    @Test func `requests succeed even if the server closes the connection after each answer`() async throws {
        let server = try TinyServer { _ in .init(body: #"{"available":true}"#, hangsUp: true) }
        defer { server.stop() }
        let client = try client(server)
        for number in 1...10 { #expect(try await client.isAvailable(email: "\(number)@b.c")) }
        #expect(server.requests.count == 10)
    }

    @Test func `requests that start together reach the server together, each on its own connection`()
        async throws
    {
        // The server answers only after all requests have arrived. If a request waited for another one, the
        // test would never end.
        let count = 48
        let gate = Gate(count)
        let server = try TinyServer { _ in
            gate.wait()
            return .init(body: Self.me)
        }
        defer { server.stop() }
        let client = try client(server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...count { group.addTask { _ = try await client.me() } }
            try await group.waitForAll()
        }
        #expect(server.connections == count)
    }

    @Test func `requests beyond the limit of connections wait, and all are answered`() async throws {
        let server = try TinyServer { request in
            .init(body: #"{"available":\#(request.target.hasSuffix("7"))}"#)
        }
        defer { server.stop() }
        let client = try client(server, parallel: 4)
        let yes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 { group.addTask { try await client.isAvailable(email: String(number)) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(yes == 30)
        #expect(server.connections <= 4)
    }

    @Test func `the client escapes special characters in a query value`() async throws {
        let server = try TinyServer { _ in .init(body: #"{"available":true}"#) }
        defer { server.stop() }
        _ = try await client(server).isAvailable(email: "a&b=c d@예.kr")
        #expect(
            server.requests.first?.target
                == "/api/v1/accounts/availability?email=a%26b%3Dc%20d%40%EC%98%88.kr")
    }

    @Test(arguments: ["token_expired", "not_signed_in"])
    func `an expired sign-in is renewed once for all concurrent calls, and saved`(code: String) async throws {
        let server = try TinyServer { request in
            if request.target.hasSuffix("/refresh") {
                return .init(
                    status: 201,
                    body:
                        #"""
                        {"accessToken":"new","expiresAt":"2026-11-21T10:00:00Z",\#
                        "refreshToken":"r2","verified":true}
                        """#
                )
            }
            return request.headers["authorization"] == "Bearer new"
                ? .init(body: Self.me) : Self.refusal(code)
        }
        defer { server.stop() }
        let saved = Mutex<[SavedSignIn]>([])
        let keeper = SignInKeeper(
            .sample("old", "r1"), reload: { nil }, save: { new in saved.withLock { $0.append(new) } })
        let client = try client(server, .signIn(keeper))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...8 { group.addTask { _ = try await client.me() } }
            try await group.waitForAll()
        }
        let renewals = server.requests.filter { $0.target.hasSuffix("/refresh") }
        #expect(renewals.map(\.body) == [#"{"refreshToken":"r1"}"#])
        #expect(saved.withLock { $0 } == [.sample("new", "r2")])
    }

    @Test func `the client uses tokens that another process has renewed, without another renewal`()
        async throws
    {
        let server = try TinyServer { request in
            request.headers["authorization"] == "Bearer theirs" ? .init(body: Self.me) : Self.expired
        }
        defer { server.stop() }
        let keeper = SignInKeeper(
            .sample("old", "r1"), reload: { .sample("theirs", "r9") },
            save: { _ in Issue.record("nothing is new") })
        _ = try await client(server, .signIn(keeper)).me()
        #expect(server.requests.count == 2)
    }

    @Test func `a sign-in that cannot be renewed gives the error not_signed_in`() async throws {
        let server = try TinyServer { _ in Self.expired }
        defer { server.stop() }
        let keeper = SignInKeeper(.sample("old", "r1"), reload: { nil }, save: { _ in })
        let error = await #expect(throws: APIError.self) { try await client(server, .signIn(keeper)).me() }
        #expect(error?.code == .notSignedIn)
    }

    @Test func `the client reads a list page by page until there is no cursor`() async throws {
        let server = try TinyServer { request in
            let isFirst = !request.target.contains("cursor=")
            return .init(body: #"{"items":[],"nextCursor":\#(isFirst ? #""a b""# : "null")}"#)
        }
        defer { server.stop() }
        #expect(try await client(server).signIns().isEmpty)
        #expect(
            server.requests.map(\.target) == [
                "/api/v1/tokens?limit=200", "/api/v1/tokens?limit=200&cursor=a%20b",
            ])
    }

    @Test func `an answer without content means that there is no session`() async throws {
        let server = try TinyServer { _ in .init(status: 204, body: "") }
        defer { server.stop() }
        #expect(try await client(server).nearestSession() == nil)
    }
}

extension SavedSignIn {
    static func sample(_ access: String, _ refresh: String, email: String = "a@b.c") -> SavedSignIn {
        let token = TokenBody(
            accessToken: access, expiresAt: Instant(seconds: 1_795_255_200), refreshToken: refresh,
            verified: true)
        return SavedSignIn(email: email, token)
    }
}
