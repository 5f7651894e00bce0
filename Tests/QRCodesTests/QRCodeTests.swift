import Testing

@testable import QRCodes

struct QRCodeTests {
    @Test func `upper case and digits take the alphanumeric mode, and so a smaller code`() throws {
        let upper = try QRCode.encode(String(repeating: "A", count: 61))
        let lower = try QRCode.encode(String(repeating: "a", count: 61))
        #expect(upper.version == 3)
        #expect(lower.version == 4)
        // Every one of the 45 characters counts as alphanumeric, and 61 of them still fit into version 3.
        let all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
        #expect(all.count == 45)
        #expect(try QRCode.encode(all + "0123456789ABCDEF").version == 3)
    }

    @Test(arguments: [
        (ErrorCorrection.low, 4296, 2953), (.medium, 3391, 2331), (.quartile, 2420, 1663),
        (.high, 1852, 1273),
    ])
    func `the longest text fits the largest code, and one more character is refused`(
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

    @Test func `text that is not ASCII declares UTF-8, which takes two bytes of the longest`() throws {
        #expect(try QRCode.encode("a" + String(repeating: "é", count: 1164)).version == 40)
        #expect(throws: QRCodeError.tooLong(length: 2330, limit: 2329)) {
            try QRCode.encode(String(repeating: "é", count: 1165))
        }
    }

    @Test func `no text is no code`() {
        #expect(throws: QRCodeError.empty) { try QRCode.encode("") }
    }

    @Test func `one character takes version 1 of 21 modules with its three finder patterns`() throws {
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

    @Test func `outside of the code everything is light`() throws {
        let code = try QRCode.encode("A")
        for (x, y) in [(-1, 0), (0, -1), (21, 0), (0, 21), (-4, -4), (Int.max, Int.min)] {
            #expect(!code.isDark(x, y))
        }
    }

    @Test func `many threads encode at once and get what one gets`() async throws {
        let alone = try Sample.texts.map { try QRCode.encode($0) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { @concurrent in try Sample.texts.map { try QRCode.encode($0) } == alone }
            }
            for try await same in group { #expect(same) }
        }
    }

    @Test func `an error never shows the text`() {
        let secret = "SECRET" + String(repeating: "X", count: 5000)
        let error = #expect(throws: QRCodeError.self) { try QRCode.encode(secret) }
        #expect(
            error.map { !"\($0)".contains("SECRET") && !String(reflecting: $0).contains("SECRET") } == true)
    }
}
