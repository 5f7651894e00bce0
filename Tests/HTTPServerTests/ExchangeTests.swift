import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
    @Test func `the responder gets the request as it was sent, and the client gets the answer`() async throws
    {
        let test = try TestServer()
        let client = try test.connect()
        let answer = try await client.ask(
            "POST /a%2Fb?x=1&y=%ED%95%9C+%EA%B8%80&bad=%FF&empty HTTP/1.1\r\nHost: h\r\nContent-Length: "
                + "5\r\n\r\nhello"
        )
        #expect(answer.status == 200)
        #expect(answer.body == "POST /a%2Fb [x=1;y=한 글;empty=] 192.0.2.7 hello")
        #expect(answer.headers["content-type"] == "text/plain")
        #expect(answer.headers["date"]?.hasSuffix("GMT") == true)
        #expect(answer.headers["connection"] == nil)
        let exchange = await test.responder.over.take()
        #expect(exchange.status == 200 && exchange.isComplete && exchange.bodyBytes == answer.body.utf8.count)
        #expect(exchange.head.headers.first("HOST") == "h" && exchange.duration > .zero)
    }

    @Test func `the responder can answer at once, without a task`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        for _ in 0..<3 { #expect(try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").body == "now") }
        #expect(test.server.statistics.inFlight == 0)
        #expect(test.server.statistics.requests == 3)
    }

    @Test(arguments: ["/now", "/big"])
    func `the answer to HEAD has the length of the answer to GET, and no body`(path: String) async throws {
        let test = try TestServer()
        let client = try test.connect()
        client.send("HEAD \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        let head = try await client.answer(toHead: true)
        let get = try await client.ask("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(head.status == 200 && get.status == 200)
        #expect(head.headers["content-length"] == "\(get.body.utf8.count)")
        #expect(head.headers["content-length"] == get.headers["content-length"])
        #expect(await test.responder.over.take().bodyBytes == 0)
    }

    @Test func `pipelined requests are answered in order, including requests with bodies`()
        async throws
    {
        let test = try TestServer()
        let client = try test.connect()
        client.send(
            "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                + "POST /3 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
                + "chunked\r\n\r\n2\r\nde\r\n1\r\nf\r\n0\r\n\r\nGET /now HTTP/1.1\r\nHost: h\r\n\r\n"
        )
        #expect(try await client.answer().body == "GET /1 [] 192.0.2.7 ")
        #expect(try await client.answer().body == "POST /2 [] 192.0.2.7 abc")
        #expect(try await client.answer().body == "POST /3 [] 192.0.2.7 def")
        #expect(try await client.answer().body == "now")
    }

    @Test func `a body that is sent byte by byte arrives complete`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        for byte in "POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody".utf8 {
            client.send([byte])
        }
        #expect(try await client.answer().body == "POST /slow [] 192.0.2.7 body")
    }

    @Test func `a request that the responder refuses, with or without a body, leaves the connection open`()
        async throws
    {
        let test = try TestServer()
        let client = try test.connect()
        let refused = try await client.ask(
            "POST /only-get HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello")
        #expect(refused.status == 405 && refused.headers["allow"] == "GET, HEAD")
        #expect(try await client.ask("GET /forbidden HTTP/1.1\r\nHost: h\r\n\r\n").body == "forbidden")
        #expect(try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
    }

    @Test func `a client that expects 100-continue gets 100, or 413 if its body is too large`() async throws {
        let test = try TestServer(TestResponder(bodyLimit: 10))
        let client = try test.connect()
        client.send("POST /wait HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        client.send("hello")
        #expect(try await client.answer().body == "POST /wait [] 192.0.2.7 hello")
        let refused = try await client.ask(
            "POST /wait HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n")
        #expect(refused.status == 413)
        #expect(refused.headers["connection"] == "close")
    }

    @Test func `a 204 answer has no length and no body, and a 304 answer has no body`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        let nothing = try await client.ask("GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(nothing.status == 204 && nothing.headers["content-length"] == nil)
        let unchanged = try await client.ask("GET /unchanged HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(unchanged.status == 304 && unchanged.headers["etag"] == "\"a\"")
        #expect(try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").body == "now")
    }

    @Test func `headers that libmicrohttpd writes are never sent twice`() async throws {
        let test = try TestServer()
        let answer = try await test.connect().ask("GET /own HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.headers["date"]?.contains("|") == false && answer.headers["date"] != "x")
        #expect(answer.headers["content-length"] == "0" && answer.headers["connection"] == nil)
        #expect(answer.headers["a"] == "1|2")
    }

    @Test func `an answer with a line break in a header value is replaced with a 500`() async throws {
        let test = try TestServer()
        let answer = try await test.connect().ask("GET /split HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(
            answer.status == 500 && answer.headers["set-cookie"] == nil
                && answer.body == "refused: unsendableAnswer")
    }

    @Test(arguments: ["Connection: close\r\n", "Connection: Upgrade\r\nUpgrade: bogus\r\n"])
    func `a request for close or for an unknown upgrade gets an answer that closes the connection`(
        header: String
    ) async throws {
        let test = try TestServer()
        let client = try test.connect()
        let answer = try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\(header)\r\n")
        #expect(answer.headers["connection"] == "close")
        #expect(try await client.remainder() == "")
    }

    @Test func `the server answers an HTTP/1.0 client and closes the connection`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        #expect(try await client.ask("GET /now HTTP/1.0\r\n\r\n").body == "now")
        #expect(try await client.remainder() == "")
    }

    @Test func `a client that ends its output after its request is answered`() async throws {
        let test = try TestServer()
        let client = try test.connect()
        client.send("GET /half HTTP/1.1\r\nHost: h\r\n\r\n")
        client.finishSending()
        #expect(try await client.answer().body == "GET /half [] 192.0.2.7 ")
        #expect(try await client.remainder() == "")
    }

    @Test func `the responder refuses every kind of upgrade on a keep-alive connection`()
        async throws
    {
        for upgrade in [
            "GET /rooms HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: "
                + "websocket\r\nSec-WebSocket-Version: 13\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: "
                + "h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: "
                + "4\r\n\r\nbody",
        ] {
            let test = try TestServer()
            let client = try test.connect()
            #expect(try await client.ask("GET /now HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
            let answer = try await client.ask(upgrade)
            #expect(
                answer.status == 400 && answer.body == "no upgrade here"
                    && answer.headers["connection"] == "close")
            #expect(try await client.remainder() == "")
        }
    }
}
