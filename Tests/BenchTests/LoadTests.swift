import Testing

@testable import Bench

@Suite struct LoadTests {
    private func head(_ text: String) -> AnswerHead? { Array(text.utf8).withUnsafeBytes { AnswerHead($0) } }

    @Test func `the reader returns a response's status and length once the head is complete`() {
        #expect(head("HTTP/1.1 201 Created\r\nContent-Length: 12\r\n") == nil)
        let whole = head("HTTP/1.1 201 Created\r\nContent-Length: 12\r\nX: y\r\n\r\n")
        #expect(whole?.status == 201 && whole?.length == 50 + 12 && whole?.bodyStart == 50)
        #expect(head("HTTP/1.1 204 No Content\r\ncontent-length:7\r\n\r\n")?.length == 45 + 7)
        #expect(head("HTTP/1.1 101 Switching Protocols\r\n\r\n")?.length == 36)
    }

    @Test func `each check-in request names a different attendee and has a correct Content-Length`() throws {
        let requests = CheckInRequests(codes: ["AAAA", "BBBB"], port: 80)
        let first = String(decoding: requests.bytes(for: 0), as: UTF8.self)
        #expect(first.contains(#""name":"Attendee 00000000","email":"attendee-00000000@bench.example""#))
        let later = String(decoding: requests.bytes(for: 12_345), as: UTF8.self)
        let shown = String(String(100_000_000 + CheckInRequests.shuffled(12_345)).suffix(8))
        #expect(
            later.contains(
                #""code":"AAAA","name":"Attendee \#(shown)","email":"attendee-\#(shown)@bench.example""#))
        #expect(Set((0..<100_000).map(CheckInRequests.shuffled)).count == 100_000)
        let body = try #require(later.split(separator: "\r\n\r\n").last)
        #expect(later.contains("Content-Length: \(body.utf8.count)\r\n"))
    }

    @Test func `attendees beyond a session's limit check in to the next session`() {
        let requests = CheckInRequests(codes: ["AAAA", "BBBB"], port: 80)
        func code(_ person: Int) -> Bool {
            String(decoding: requests.bytes(for: person), as: UTF8.self).contains("BBBB")
        }
        #expect(!code(CheckInRequests.mostInSession - 1) && code(CheckInRequests.mostInSession))
        #expect(code(CheckInRequests.mostInSession * 2))
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536])
    func `the scanner finds a frame of any length only if all its bytes have arrived`(_ count: Int) throws {
        let length: [UInt8] =
            switch count {
            case ..<126: [UInt8(count)]
            case ..<65_536: [126, UInt8(count >> 8), UInt8(count & 255)]
            default: [127, 0, 0, 0, 0, 0, UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
            }
        let bytes = [0, 0, 0x81] + length + [UInt8](repeating: 97, count: count)
        let found = bytes.withUnsafeBytes { FrameScanner.frame(in: $0, at: 2) }
        #expect(found == FrameScanner.Found(opcode: 1, payload: (3 + length.count)..<bytes.count))
        for missing in 1...min(count + length.count + 1, 12) {
            #expect(bytes.dropLast(missing).withUnsafeBytes { FrameScanner.frame(in: $0, at: 2) } == nil)
        }
    }

    @Test(
        arguments: [
            (#"{"attendance":{"late":3,"checkedIn":15,"walkIns":1}}"#, 15),
            (#"{"checkedInAt":"2026","checkedIn":7}"#, 7),
            (#"{"checkedIn":0}"#, 0), (#"{"arrivals":[]}"#, nil), (#"{"checkedIn":null}"#, nil), ("", nil),
        ] as [(String, Int?)])
    func `the scanner reads checkedIn only if its value is a whole number`(_ text: String, _ expected: Int?) {
        #expect(Array(text.utf8).withUnsafeBytes { FrameScanner.checkedIn(in: $0) } == expected)
    }

    @Test func `a reset of the board clears the deliveries but not the number of joined clients`() {
        let board = CrowdBoard()
        board.sent(0, at: 1000)
        board.add(CrowdBoard.Turn(joined: 2), at: 10)
        board.add(CrowdBoard.Turn(bytes: 300, seen: [1, 1, 7], reached: 1), at: 5000)
        #expect(
            board.counts.deliveries == 3 && board.counts.latencies == [4000, 4000]
                && board.counts.lastReachedAt == 5000)
        board.reset(goal: 9)
        #expect(
            board.goal == 9 && board.counts.joined == 2 && board.counts.deliveries == 0
                && board.counts.latencies.isEmpty)
    }
}
