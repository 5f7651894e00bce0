import Meetings
import Testing

struct JoinCodeTests {
    @Test func `a random code is kept as it is, and holds no look-alikes`() {
        for _ in 0..<500 {
            let code = JoinCode.random()
            #expect(code.count == 6)
            #expect(JoinCode.normalized(code) == code)
            #expect(!code.contains { "01ILOU".contains($0) })
        }
    }

    @Test(arguments: ["K7QX2M", "k7qx2m", " k7q x2m ", "K7Q-X2M", "k-7-q-x-2-m", "k7q\u{3000}x2m\n"])
    func `case, spaces and hyphens do not matter`(typed: String) {
        #expect(JoinCode.normalized(typed) == "K7QX2M")
    }

    @Test(arguments: [
        "", "K7QX2", "K7QX2MM", "K7QX2O", "K7QX20", "K7QX2I", "K7QX2L", "K7QX2U", "K7QX2_", "ＫＫＫＫＫＫ", "ßKKKK",
    ])
    func `what cannot be a code is refused`(typed: String) {
        #expect(JoinCode.normalized(typed) == nil)
    }

    @Test func `more than 32 bytes are not looked at`() {
        #expect(JoinCode.normalized("K7QX2M" + String(repeating: " ", count: 26)) == "K7QX2M")
        #expect(JoinCode.normalized("K7QX2M" + String(repeating: " ", count: 27)) == nil)
    }
}
