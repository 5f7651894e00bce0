import Client
import Meetings
import Outbound
import Synchronization
import Testing
import TinyServer
import Wire

/// Tests of a client that follows a job to its end.
struct JobFollowingTests {
    private static let id = "01M7X9JCZD0KGT7Q6XKPEVTE5F"
    private static let imported =
        #"{"added":3,"updated":0,"unarchived":0,"archived":0,"unchanged":0,"people":3,"#
        + #""withoutKey":0,"version":1}"#

    private static func running(_ done: Int) -> String {
        #"{"id":"\#(id)","kind":"roster","state":"running","done":\#(done),"total":9}"#
    }

    /// The steps that the caller saw, and the pauses between them.
    private final class Seen: Sendable {
        private let state = Mutex<(steps: [Int], pauses: [Duration])>(([], []))
        var steps: [Int] { state.withLock { $0.steps } }
        var pauses: [Duration] { state.withLock { $0.pauses } }
        var follower: JobFollower {
            JobFollower(
                progress: { job in self.state.withLock { $0.steps.append(job.done) } },
                pause: { pause in self.state.withLock { $0.pauses.append(pause) } })
        }
    }

    /// Imports a roster from a server that gives these answers, one after the other.
    private func importRoster(
        _ answers: [TinyServer.Answer], _ follower: JobFollower
    ) async throws -> (Result<RosterImportBody, any Error>, [TinyServer.Request]) {
        let left = Mutex(answers[...])
        let server = try TinyServer { _ in left.withLock { $0.popFirst() } }
        defer { server.stop() }
        let client = APIClient(try #require(ServerAddress(server.url)), transport: HTTPTransport())
        let meeting = try #require(MeetingID(Self.id))
        let result: Result<RosterImportBody, any Error>
        do throws(APIError) {
            result = .success(
                try await client.importRoster([], to: meeting, seen: .version(4), following: follower))
        } catch {
            result = .failure(error)
        }
        return (result, server.requests)
    }

    private let accepted = TinyServer.Answer(status: 202, body: #"{"job":\#(JobFollowingTests.running(0))}"#)

    private func look(_ done: Int) -> TinyServer.Answer {
        TinyServer.Answer(headers: ["Retry-After: 1"], body: Self.running(done))
    }

    private let done = TinyServer.Answer(
        body:
            #"{"id":"\#(JobFollowingTests.id)","kind":"roster","state":"done","done":9,"total":9,"#
            + #""status":200,"location":"/","result":{"roster":\#(JobFollowingTests.imported)}}"#)

    @Test func `the client prefers an early answer, and a short change needs no job`() async throws {
        let seen = Seen()
        let (result, requests) = try await importRoster([.init(body: Self.imported)], seen.follower)
        #expect(try result.get().added == 3)
        #expect(seen.steps.isEmpty && seen.pauses.isEmpty)
        #expect(requests.count == 1)
        #expect(requests[0].headers["prefer"] == "respond-async")
        #expect(requests[0].headers["if-match"] == "\"v4\"")
    }

    @Test func `the pauses between two polls grow up to the time that the server gives`() async throws {
        let seen = Seen()
        let (result, requests) = try await importRoster(
            [accepted] + (1...6).map(look) + [done], seen.follower)
        #expect(try result.get().added == 3)
        #expect(seen.steps == [0, 1, 2, 3, 4, 5, 6, 9])
        #expect(seen.pauses == [100, 200, 400, 800, 1000, 1000, 1000].map { .milliseconds($0) })
        #expect(requests.dropFirst().allSatisfy { $0.target == "/api/v1/jobs/\(Self.id)" })
    }

    @Test func `a server that restarts does not end the following, but an unknown job does`() async throws {
        let problem =
            #"{"type":"t","title":"T","status":503,"detail":"d","code":"overloaded"}"#
        let busy = TinyServer.Answer(
            status: 503, type: "application/problem+json", headers: ["Retry-After: 3"], body: problem)
        let gone = TinyServer.Answer(
            status: 404, type: "application/problem+json",
            body: problem.replacing("503", with: "404").replacing("overloaded", with: "not_found"))
        let seen = Seen()
        let (result, _) = try await importRoster([accepted, look(2), busy, busy, done], seen.follower)
        #expect(try result.get().added == 3)
        #expect(seen.pauses == [.milliseconds(100), .milliseconds(200), .seconds(3), .seconds(3)])
        let (failed, _) = try await importRoster([accepted, gone], Seen().follower)
        #expect(throws: APIError.self) { try failed.get() }
    }

    @Test func `a failed job throws its problem, and a cancelled task stops the following`() async throws {
        let failed = TinyServer.Answer(
            body:
                #"{"id":"\#(Self.id)","kind":"roster","state":"failed","done":0,"total":9,"status":409,"#
                + #""problem":{"type":"t","title":"T","status":409,"detail":"d","code":"session_over"}}"#)
        let (result, _) = try await importRoster([accepted, failed], Seen().follower)
        #expect { try result.get() } throws: { ($0 as? APIError)?.code == .sessionOver }
        let stopping = JobFollower(pause: { _ in throw CancellationError() })
        let (stopped, requests) = try await importRoster([accepted, done], stopping)
        #expect { try stopped.get() } throws: { ($0 as? APIError) == .cancelled }
        #expect(requests.count == 1)
    }
}
