import HTTPServer
import Seeds
import Testing

/// Checks chunked bodies. The server accepts a well-formed body in packets of any size, and rejects a
/// malformed body.
@Suite(.timeLimit(.minutes(1)))
struct ChunkTests {
    private static let head = "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(arguments: [
        ("a size that ends in LF", "2\nab\r\n0\r\n\r\n"),
        ("data that end in LF", "2\r\nab\n2\r\ncd\r\n0\r\n\r\n"),
        ("a later size that ends in LF", "2\r\nab\r\n2\ncd\r\n0\r\n\r\n"),
        ("an extension", "2;a=b\r\nab\r\n0\r\n\r\n"),
        ("10 KB of extensions", "2;\(String(repeating: "x", count: 10_000))\r\nab\r\n0\r\n\r\n"),
        ("a later extension", "2\r\nab\r\n2;x\r\ncd\r\n0\r\n\r\n"),
        ("an extension of the last chunk", "2\r\nab\r\n0;x\r\n\r\n"),
        ("a last size that ends in LF", "2\r\nab\r\n0\n\r\n"),
        ("LF alone", "2\nab\n0\n\n"),
        ("a size of 17 digits", "00000000000000002\r\nab\r\n0\r\n\r\n"),
        ("no size", "\r\nab\r\n0\r\n\r\n"),
        ("a size that is none", "xy\r\nab\r\n0\r\n\r\n"),
        ("a size with a space", "2 \r\nab\r\n0\r\n\r\n"),
    ])
    func `a malformed chunk line is answered with 400, and the connection ends`(name: String, body: String)
        async throws
    {
        let test = try TestServer()
        let client = try test.connect()
        client.send(Self.head + body)
        #expect(try await client.remainder().hasPrefix("HTTP/1.1 400 "), "\(name)")
        #expect(await test.responder.over.take().status == 400, "\(name)")
    }

    /// Sends all requests on one connection. Some bodies are followed by another request in the same bytes.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `well-formed chunks are read from packets of any size`(seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        let test = try TestServer()
        let client = try test.connect()
        for round in 0..<60 {
            var body = ""
            var text = ""
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let size = [1, 2, 3, 15, 16, 17, 300, 5_000, 12_000].randomElement(using: &random) ?? 1
                let data = String(
                    repeating: ["a", "0", "\r", "\n", ";"].randomElement(using: &random) ?? "a", count: size)
                body += data
                let zero = Bool.random(using: &random) ? "0" : ""
                let digits = String(size, radix: 16, uppercase: .random(using: &random))
                text += "\(zero)\(digits)\r\n\(data)\r\n"
            }
            let isFollowed = Bool.random(using: &random)
            let next = isFollowed ? "GET /now HTTP/1.1\r\nHost: h\r\n\r\n" : ""
            var bytes = Array((Self.head + text + "0\r\n\r\n" + next).utf8)[...]
            while !bytes.isEmpty {
                let piece = Array(
                    bytes.prefix([1, 2, 7, 100, 1_460, 100_000].randomElement(using: &random) ?? 1))
                client.send(piece)
                bytes = bytes.dropFirst(piece.count)
            }
            let answer = try await client.answer()
            #expect(answer.status == 200 && answer.body == "POST /x [] 192.0.2.7 \(body)", "round \(round)")
            if isFollowed { #expect(try await client.answer().body == "now") }
        }
    }
}
