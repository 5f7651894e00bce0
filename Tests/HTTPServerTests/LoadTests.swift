import Foundation
import HTTPServer
import Testing

/// Checks many connections at once. When libmicrohttpd ran its own thread, the rate of answers fell to a
/// thousandth with more than 128 connections.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LoadTests {
    @Test(arguments: ["/now", "/task"])
    func `the server answers 1, 64, 128 and 512 connections without a collapse of its rate`(path: String)
        async throws
    {
        let test = try TestServer()
        var rates: [Int: Double] = [:]
        var ratio = 0.0
        // Only the best of three rounds counts, because other tests run at the same time. A real collapse
        // is a factor of a hundred in every round.
        for _ in 0..<3 where ratio < 0.3 {
            for connections in [1, 64, 128, 512] {
                let load = Load(
                    connections: try (0..<connections).map { _ in try test.connectDescriptor() }, path: path)
                let each = connections == 1 ? 500 : 8_192 / connections
                let outcome = try await offPool { try load.run(requestsEach: each) }
                #expect(outcome.answers == connections * each)
                #expect(outcome.connectionsAnswered == connections)
                rates[connections] = max(rates[connections] ?? 0, Double(outcome.answers) / outcome.seconds)
            }
            ratio = try #require(rates[512]) / #require(rates[64])
        }
        #expect(ratio >= 0.3, "\(rates)")
    }

    @Test func `512 requests that wait for one event are all answered after the event`() async throws {
        let test = try TestServer()
        let load = Load(connections: try (0..<512).map { _ in try test.connectDescriptor() }, path: "/hold")
        async let outcome = offPool { try load.run(requestsEach: 1) }
        await test.responder.gate.hasWaiting(512)
        #expect(test.server.statistics.inFlight == 512)
        test.responder.gate.open()
        #expect(try await outcome.connectionsAnswered == 512)
        #expect(test.server.statistics.inFlight == 0)
    }
}

/// Keep-alive clients on one thread. Each client sends its next request when its last request is answered.
struct Load: Sendable {
    struct Outcome: Sendable {
        var answers = 0
        var connectionsAnswered = 0
        var seconds = 0.0
    }

    let descriptors: [CInt]
    let request: [UInt8]

    init(connections: [CInt], path: String) {
        descriptors = connections
        request = Array("GET \(path) HTTP/1.1\r\nHost: h\r\nUser-Agent: load\r\nAccept: */*\r\n\r\n".utf8)
    }

    func run(requestsEach: Int) throws -> Outcome {
        defer { for descriptor in descriptors { close(descriptor) } }
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var answered = [Int](repeating: 0, count: descriptors.count)
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var outcome = Outcome()
        let start = ContinuousClock.now
        for descriptor in descriptors { send(descriptor, request, request.count, CInt(MSG_NOSIGNAL)) }
        while outcome.answers < descriptors.count * requestsEach {
            guard poll(&polled, nfds_t(polled.count), 20_000) > 0 else {
                throw ClientError(description: "no answer, after \(outcome.answers)")
            }
            for index in polled.indices where polled[index].revents != 0 {
                // Each answer is small, and a connection has only one open request, so one read returns the
                // complete answer.
                let count = recv(polled[index].fd, &buffer, buffer.count, 0)
                guard count > 12, buffer.starts(with: "HTTP/1.1 200".utf8) else {
                    throw ClientError(description: "not an answer: \(count)")
                }
                answered[index] += 1
                outcome.answers += 1
                if answered[index] < requestsEach {
                    send(polled[index].fd, request, request.count, CInt(MSG_NOSIGNAL))
                } else {
                    polled[index].fd = -1
                }
            }
        }
        outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
        outcome.connectionsAnswered = answered.count { $0 == requestsEach }
        return outcome
    }
}
