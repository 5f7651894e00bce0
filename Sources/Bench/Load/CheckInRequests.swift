/// Check-in requests as bytes. The requests are built once; for each person, only the digits in them change.
package struct CheckInRequests: Sendable {
    private static let digits = 8
    /// The maximum number of people in a session.
    package static let mostInSession = 90_000

    private let texts: [[UInt8]]
    private let offsets: [Int]

    /// - Parameter codes: one check-in code for each session, all of the same length. The first 90,000 people
    ///   use the first code, the next 90,000 the second, and so on.
    package init(codes: [String], port: UInt16) {
        let nobody = String(repeating: "0", count: Self.digits)
        let requests = codes.map { code in
            let body =
                #"""
                {"code":"\#(code)","name":"Attendee \#(nobody)",\#
                "email":"attendee-\#(nobody)@bench.example"}
                """#
            return Array(
                """
                POST /api/v1/check-ins HTTP/1.1\r
                Host: 127.0.0.1:\(port)\r
                Content-Type: application/json\r
                Content-Length: \(body.utf8.count)\r
                \r
                \(body)
                """.utf8)
        }
        texts = requests
        let first = requests.first ?? []
        offsets =
            Self.offsets(of: "Attendee \(nobody)", in: first, skipping: 9)
            + Self.offsets(of: "attendee-\(nobody)", in: first, skipping: 9)
    }

    /// Returns a different number for each person below 10⁸, because the factor and 10⁸ have no common
    /// divisor.
    static func shuffled(_ person: Int) -> Int { person * 61_803_399 % 100_000_000 }

    private static func offsets(of text: String, in bytes: [UInt8], skipping count: Int) -> [Int] {
        let text = Array(text.utf8)
        guard bytes.count >= text.count else { return [] }
        return (0...(bytes.count - text.count)).filter { bytes[$0..<($0 + text.count)].elementsEqual(text) }
            .map { $0 + count }
    }

    /// Returns the request of the person with this number; the first number is 0. The names and addresses are
    /// all different and not sorted, as in reality. Sorted names would be neighbours in the database's index,
    /// and commits would be smaller than in a real session.
    package func bytes(for person: Int) -> [UInt8] {
        var request = texts[min(person / Self.mostInSession, texts.count - 1)]
        for offset in offsets {
            var rest = Self.shuffled(person)
            for digit in stride(from: Self.digits - 1, through: 0, by: -1) {
                request[offset + digit] = UInt8(48 + rest % 10)
                rest /= 10
            }
        }
        return request
    }
}
