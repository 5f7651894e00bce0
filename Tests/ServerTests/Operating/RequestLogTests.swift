import Foundation
import Meetings
import Testing

@testable import HTTPServer
@testable import Server

struct RequestLogTests {
    /// The characters that move a terminal's cursor, change its colours or end a line.
    private let controls =
        (0...0x9F).filter { $0 < 0x20 || $0 >= 0x7F }.compactMap { Unicode.Scalar($0) } + [
            "\u{2028}", "\u{2029}",
        ]

    private func lines(_ format: LogFormat, _ write: (RequestLog) -> Void) -> [String] {
        let lines = Lines()
        write(RequestLog(format, clock: HandClock(start), sink: { lines.add($0) }))
        return lines.all
    }

    private func isPrintable(_ line: String) -> Bool {
        !line.unicodeScalars.contains { controls.contains($0) }
    }

    @Test(arguments: [
        "/feedback", "/form/evening", "/%66orm/evening", "/api/answers/evening", "/me/1/questions",
        "/api/v1/sessions/1/responses", "/api/v1/sessions/1/audience-questions",
        "/api/v1/sessions/1/audience-questions/2/vote", "/me/1/groups",
    ]) func `the log line of an answer, a question or a vote has no address`(path: String) {
        let head = HTTPRequestHead(
            method: "POST", path: path, rawQuery: "", headers: HTTPHeaders(), peer: "192.0.2.1")
        let exchange = HTTPExchange(
            head: head, status: 201, bodyBytes: 1, duration: .zero, isComplete: true, tag: "1")
        let found = lines(.text) { log in log.request(exchange, from: "192.0.2.1", id: "1") }
        #expect(found.count == 1 && found.allSatisfy { !$0.contains("192.0.2") })
    }

    @Test(arguments: [
        ("GET", "/me/1/groups", false), ("OPTIONS", "/api/answers/evening", false),
        ("OPTIONS", "//api/answers//evening/", false), ("GET", "/api/v1/sessions/1/matching", false),
        ("GET", "/form/evening", true), ("GET", "/me/1/questions", false),
        ("GET", "/api/v1/sessions/1/audience-questions", true),
        ("PATCH", "/api/v1/sessions/1/matching-settings", true), ("POST", "/api/v1/check-ins", true),
    ])
    func `a preflight and a read of groups or questions have no address either, and other lines have one`(
        method: String, path: String, isNamed: Bool
    ) {
        let head = HTTPRequestHead(
            method: method, path: path, rawQuery: "", headers: HTTPHeaders(), peer: "192.0.2.1")
        let exchange = HTTPExchange(
            head: head, status: 200, bodyBytes: 1, duration: .zero, isComplete: true, tag: "1")
        let found = lines(.text) { log in log.request(exchange, from: "192.0.2.1", id: "1") }
        #expect(found.count == 1 && found.allSatisfy { $0.contains("192.0.2") == isNamed })
    }

    @Test func `every route by which an attendee answers, asks or votes hides the address`() {
        // A change of the own record and a withdrawal name the person anyway.
        let named = Set(
            RouteTable.all.filter(\.logsAddress).filter { route in
                route.method != .get && route.method != .options
                    && [.attendee, .memberOrAttendee].contains(route.access)
            }.map { "\($0.method.rawValue) \($0.pattern)" })
        #expect(named == ["PATCH /api/v1/check-ins/current", "DELETE /api/v1/check-ins/current"])
    }

    @Test(arguments: [LogFormat.text, .json]) func `no field of a log line contains a control character`(
        format: LogFormat
    ) throws {
        for control in controls {
            let hostile = "a\(control)[2J\(control)b가"
            let head = HTTPRequestHead(
                method: hostile, path: "/\(hostile)", rawQuery: "", headers: HTTPHeaders(), peer: "192.0.2.1")
            let exchange = HTTPExchange(
                head: head, status: 404, bodyBytes: 1, duration: .zero, isComplete: true, tag: hostile)
            let found = lines(format) { log in
                log.request(exchange, from: hostile, id: hostile)
                log.note(hostile)
            }
            #expect(
                found.count == 2 && found.allSatisfy(isPrintable), "U+\(String(control.value, radix: 16))")
            #expect(found.allSatisfy { $0.contains("b가") })
            let digits = "000" + String(control.value, radix: 16)
            // JSON has short escapes for some control characters, such as `\n`.
            if control.value >= 0x7F || format == .text {
                #expect(found.allSatisfy { $0.contains("\\u\(digits.suffix(4))[2J") })
            }
        }
    }

    @Test func `a log line in JSON decodes to the original characters`() throws {
        let hostile = "a\u{1b}\u{7f}\u{9b}\u{2028}\\u001b\"b"
        let line = try #require(lines(.json) { $0.note(hostile) }.first)
        let read = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(read["note"] == hostile)
    }

    @Test func `the log shows each byte that is not UTF-8 as a replacement character`() {
        #expect(
            String(decoding: RequestLog.escaped([0x61, 0xFF, 0x9B, 0x62]), as: UTF8.self)
                == "a\u{FFFD}\u{FFFD}b")
    }
}
