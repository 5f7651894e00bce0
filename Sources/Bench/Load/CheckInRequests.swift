/// Check-ins as bytes, made once: only the digits that make a person are written into them.
package struct CheckInRequests: Sendable {
    private static let digits = 8
    /// A session takes no more people than this.
    package static let mostInSession = 90_000

    private let texts: [[UInt8]]
    private let places: [Int]

    /// - Parameter codes: check-in codes of one session each, all equally long; people go to them in order,
    ///   90,000 to each.
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

    /// One to one below 10⁸, with which the factor has no divisor in common.
    static func shuffled(_ person: Int) -> Int { person * 61_803_399 % 100_000_000 }

    private static func places(of text: String, in bytes: [UInt8], skipping count: Int) -> [Int] {
        let text = Array(text.utf8)
        guard bytes.count >= text.count else { return [] }
        return (0...(bytes.count - text.count)).filter { bytes[$0..<($0 + text.count)].elementsEqual(text) }
            .map { $0 + count }
    }

    /// For the person with that number, the first being 0. Names and addresses are all different and come in
    /// no order, as people do: those in order would lie side by side in an index, and commits would be
    /// smaller than they are in a hall.
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
