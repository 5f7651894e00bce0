import Testing

@testable import QRCodes

struct QRCodeTests {
    @Test func `capitals and digits are encoded in alphanumeric mode, which gives a smaller code`() throws {
        let upper = try QRCode.encode(String(repeating: "A", count: 61))
        let lower = try QRCode.encode(String(repeating: "a", count: 61))
        #expect(upper.version == 3)
        #expect(lower.version == 4)
        // All 45 characters are alphanumeric, and 61 alphanumeric characters still fit into version 3.
        let all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
        #expect(all.count == 45)
        #expect(try QRCode.encode(all + "0123456789ABCDEF").version == 3)
    }

    @Test(arguments: [
        (ErrorCorrection.low, 4296, 2953), (.medium, 3391, 2331), (.quartile, 2420, 1663),
        (.high, 1852, 1273),
    ])
    func `the longest text fits the largest code, and a text with one more character is rejected`(
        correction: ErrorCorrection, characters: Int, bytes: Int
    ) throws {
        for (letter, limit) in [("A", characters), ("a", bytes)] {
            #expect(
                try QRCode.encode(String(repeating: letter, count: limit), errorCorrection: correction)
                    .version == 40)
            #expect(throws: QRCodeError.tooLong(length: limit + 1, limit: limit)) {
                try QRCode.encode(String(repeating: letter, count: limit + 1), errorCorrection: correction)
            }
        }
    }

    @Test func `a text outside ASCII declares UTF-8, which shortens the longest text by two bytes`() throws {
        #expect(try QRCode.encode("a" + String(repeating: "é", count: 1164)).version == 40)
        #expect(throws: QRCodeError.tooLong(length: 2330, limit: 2329)) {
            try QRCode.encode(String(repeating: "é", count: 1165))
        }
    }

    @Test func `an empty text is rejected`() {
        #expect(throws: QRCodeError.empty) { try QRCode.encode("") }
    }

    @Test func `a code for one character is version 1, with 21 modules and three finder patterns`() throws {
        let code = try QRCode.encode("A")
        #expect(code.size == 21)
        #expect(code.version == 1)
        #expect(code.sizeWithQuietZone == 29)
        for (left, top) in [(0, 0), (14, 0), (0, 14)] {
            let dark = (0..<7).map { y in
                (0..<7).map { x in code.isDark(left + x, top + y) ? "#" : "." }.joined()
            }
            #expect(dark == ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"])
        }
    }

    @Test func `all modules outside the code are light`() throws {
        let code = try QRCode.encode("A")
        for (x, y) in [(-1, 0), (0, -1), (21, 0), (0, 21), (-4, -4), (Int.max, Int.min)] {
            #expect(!code.isDark(x, y))
        }
    }

    @Test func `many threads that encode at once get the same codes as a single thread`() async throws {
        let alone = try Sample.texts.map { try QRCode.encode($0) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { @concurrent in try Sample.texts.map { try QRCode.encode($0) } == alone }
            }
            for try await same in group { #expect(same) }
        }
    }

    @Test func `the error for a text that is too long never shows the text`() {
        let secret = "SECRET" + String(repeating: "X", count: 5000)
        let error = #expect(throws: QRCodeError.self) { try QRCode.encode(secret) }
        #expect(
            error.map { !"\($0)".contains("SECRET") && !String(reflecting: $0).contains("SECRET") } == true)
    }
}
