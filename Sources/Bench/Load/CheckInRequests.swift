/// The bytes of check-in requests. The bytes are created once, and only the digits that identify a person
/// change for each request.
package struct CheckInRequests: Sendable {
    private static let digits = 8
    /// The most attendees that the benchmark checks in to one session.
    package static let mostInSession = 90_000

    private let texts: [[UInt8]]
    private let places: [Int]

    /// - Parameter codes: the check-in codes of the sessions, which must have equal lengths. Each session
    ///   gets 90,000 people in turn.
    package init(codes: [String], port: UInt16) {
        let nobody = String(repeating: "0", count: Self.digits)
        let requests = codes.map { code in
            let body =
                #"{"code":"\#(code)","name":"Attendee \#(nobody)","email":"attendee-\#(nobody)@bench.example"}"#
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
        places =
            Self.places(of: "Attendee \(nobody)", in: first, skipping: 9)
            + Self.places(of: "attendee-\(nobody)", in: first, skipping: 9)
    }

    /// Maps each number below 10⁸ to another number below 10⁸. The mapping is one-to-one, because the factor
    /// and 10⁸ have no common divisor.
    static func shuffled(_ person: Int) -> Int { person * 61_803_399 % 100_000_000 }

    private static func places(of text: String, in bytes: [UInt8], skipping count: Int) -> [Int] {
        let text = Array(text.utf8)
        guard bytes.count >= text.count else { return [] }
        return (0...(bytes.count - text.count)).filter { bytes[$0..<($0 + text.count)].elementsEqual(text) }
            .map { $0 + count }
    }

    /// Returns the request for the person with this number, which begins at 0. Names and addresses are unique
    /// and in no order, like those of real attendees. Sorted names would be adjacent in an index, and the
    /// commits would be smaller than with real attendees.
    package func bytes(for person: Int) -> [UInt8] {
        var request = texts[min(person / Self.mostInSession, texts.count - 1)]
        for place in places {
            var rest = Self.shuffled(person)
            for digit in stride(from: Self.digits - 1, through: 0, by: -1) {
                request[place + digit] = UInt8(48 + rest % 10)
                rest /= 10
            }
        }
        return request
    }
}
