internal import Client
internal import Glibc
internal import Meetings
internal import Outbound
internal import Wire

/// A running meeting, which the benchmark creates through the API like a host.
struct BenchMeeting: Sendable {
    let token: String
    /// The meeting's sessions with their check-in codes. Many attendees need several sessions.
    let sessions: [(id: SessionID, code: String)]

    /// - Parameter count: the number of sessions.
    static func make(at server: BenchServer, sessions count: Int) async throws(BenchError) -> BenchMeeting {
        guard let address = ServerAddress("http://127.0.0.1:\(server.port)") else {
            throw .meeting("\(server.port)")
        }
        let client = APIClient(address, transport: HTTPTransport(parallel: 1))
        do throws(APIError) {
            let password = APICall.randomKey()
            let account = NewAccount(email: "host@bench.example", password: password, name: "Host")
            _ = try await client.signUp(account)
            let token = try await client.signIn(
                email: account.email, password: password, client: "qring bench"
            ).accessToken
            let host = client.speaking(for: .bearer(token))
            var sessions: [(id: SessionID, code: String)] = []
            let start = Instant(milliseconds: Int64(time(nil)) * 1000)
            for number in 1...max(1, count) {
                var session = NewSession(startsAt: start, endsAt: start + .hours(2))
                session.allowOverlap = true
                let made = try await host.createMeeting(
                    NewMeeting(name: "Benchmark \(number)", session: session),
                    idempotencyKey: APICall.randomKey())
                guard let code = made.session.checkInUrl?.split(separator: "/").last else {
                    throw .notQRing(url: address.url, status: 201)
                }
                sessions.append((made.session.id, String(code)))
            }
            return BenchMeeting(token: token, sessions: sessions)
        } catch {
            throw .meeting(String(describing: error))
        }
    }
}
