import Seeds
import Testing

@testable import HTTPServer

@Suite struct RequestTargetTests {
    @Test(arguments: [
        ("/", "/", ""), ("/a/b?c=d?e", "/a/b", "c=d?e"), ("/a?", "/a", ""), ("/%41%2f", "/%41%2f", ""),
        ("http://h:80/a?b", "/a", "b"),
        ("HTTP://h/", "/", ""),
    ])
    func `a request target is split into path and query without decoding`(
        text: String, path: String, query: String
    ) throws {
        let target = try #require(RequestTarget(text.utf8))
        #expect(target.path == path && target.query == query)
    }

    @Test(arguments: [
        "", "*", "a", "?a", "http://", "http://h", "http:///a", "ftp://h/", "/a b", "/\u{7f}", "/é", "/a#b",
        "/%", "/%4", "/%4g", "/?%00",
    ])
    func `a malformed request target is rejected`(text: String) {
        #expect(RequestTarget(text.utf8) == nil)
    }
}

@Suite struct PercentCodingTests {
    @Test func `escapes are decoded once, and a plus means a space only in a form`() {
        #expect(PercentCoding.decode("a%2520%ED%95%9C+b") == "a%20한+b")
        #expect(PercentCoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
    }

    @Test(arguments: ["%", "%1", "%zz", "%00", "%ff", "%ED%95"])
    func `a malformed escape, an escaped NUL or invalid UTF-8 decodes to nil`(text: String) {
        #expect(PercentCoding.decode(text) == nil)
    }
}

@Suite struct QueryTests {
    @Test func `one value of a query is the value that all decoded pairs have first`() {
        var random = SeededNumbers(seed: 20_261_130)
        let pieces = ["a", "b", "=", "&", "+", "%61", "%3D", "%26", "%", "%zz", "%ED%95%9C", "%ff", "a=1"]
        for _ in 0..<5000 {
            let query = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let head = HTTPRequestHead(method: "GET", path: "/", rawQuery: query.joined(), peer: "")
            for name in ["a", "aa", "ab", "", "=", " ", "한"] {
                #expect(head.queryValue(name) == head.query.first { $0.name == name }?.value, "\(query)")
            }
        }
    }
}

@Suite struct HTTPHeadersTests {
    private let headers = HTTPHeaders([("Host", "h"), ("X-A", "1"), ("x-a", "2"), ("Empty", "")])

    @Test func `header names are compared without case, and repeated headers keep their order`() {
        #expect(
            headers.first("HOST") == "h" && headers.all("X-a") == ["1", "2"] && headers.first("empty") == "")
        #expect(
            headers.first("hos") == nil && headers.first("hosts") == nil && headers.all("none").isEmpty
                && headers.count == 4)
        #expect(headers.count(of: "X-A") == 2 && headers.count(of: "none") == 0)
        #expect(headers.pairs.map(\.name) == ["host", "x-a", "x-a", "empty"])
        #expect(headers.areWellFormed)
    }

    @Test(arguments: [("a b", "c"), ("", "c"), ("a", "b\u{0}"), ("a", "b\nc"), ("a:", "b")])
    func `a header with a malformed name or a control character in its value is not well-formed`(
        name: String, value: String
    ) {
        #expect(!HTTPHeaders([(name, value)]).areWellFormed)
    }
}

@Suite struct MessageFramingTests {
    @Test func `a message has one length, chunks, or no body`() throws {
        #expect(try MessageFraming(HTTPHeaders([]), isHTTP10: false) == .none)
        #expect(try MessageFraming(HTTPHeaders([("Content-Length", "0")]), isHTTP10: false) == .none)
        #expect(try MessageFraming(HTTPHeaders([("Content-Length", "007")]), isHTTP10: true) == .length(7))
        #expect(
            try MessageFraming(HTTPHeaders([("Transfer-Encoding", "Chunked")]), isHTTP10: false) == .chunked)
    }

    @Test(arguments: ["", " ", "-1", "+1", "1,1", "0x1", "1.0", "1e3", "1234567890123456789", "一"])
    func `a Content-Length is rejected unless it has 1 to 18 digits`(length: String) {
        #expect(throws: MessageFraming.Fault.ambiguousLength) {
            try MessageFraming(HTTPHeaders([("Content-Length", length)]), isHTTP10: false)
        }
    }
}

@Suite struct RawResponseTests {
    @Test func `a raw response has the date format of RFC 9110 in every locale`() {
        #expect(RawResponse.date(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func `a raw response closes the connection and has one Content-Length`() {
        let answer = HTTPResponse(
            status: 503, headers: [("Content-Length", "9"), ("A", "1"), ("B", "x\r\ny")],
            body: Array("no".utf8))
        let text = String(decoding: RawResponse.bytes(answer, at: 784_111_777), as: UTF8.self)
        #expect(
            text
                == "HTTP/1.1 503 Service Unavailable\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nConnection: "
                + "close\r\nA: 1\r\n"
                + "Content-Length: 2\r\n\r\nno")
    }
}
