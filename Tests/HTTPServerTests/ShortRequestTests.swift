import HTTPServer
import Testing

/// Tests requests that the loop's own thread answers.
struct ShortRequestTests {
    @Test func `the loop's thread answers a short request, also after the request has waited`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        #expect(try await client.ask("GET /short HTTP/1.1\r\nHost: h\r\n\r\n").body == "the loop")
        client.send("GET /short-hold HTTP/1.1\r\nHost: h\r\n\r\n")
        await test.responder.gate.hasWaiting(1)
        // A waiting request delays no other request.
        let other = try test.connect()
        #expect(try await other.ask("GET /short HTTP/1.1\r\nHost: h\r\n\r\n").body == "the loop")
        test.responder.gate.open()
        #expect(try await client.answer().body == "the loop")
    }

    @Test func `another thread answers a short request with a larger body`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        for (size, isOnLoop) in [(4_096, true), (4_097, false), (5, true)] {
            let body = String(repeating: "x", count: size)
            let answer = try await client.ask(
                "POST /short HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n\(body)")
            #expect((answer.body == "the loop") == isOnLoop, "\(size) bytes: \(answer.body)")
        }
    }

    @Test func `a short request that outlives its server ends`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        client.send("GET /short-hold HTTP/1.1\r\nHost: h\r\n\r\n")
        await test.responder.gate.hasWaiting(1)
        await test.server.drain(within: .zero)
        #expect(try await client.answer().status == 503)
        test.responder.gate.open()
        _ = await test.responder.passed.take()
    }
}
