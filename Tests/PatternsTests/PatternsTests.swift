import Patterns
import Testing

@Suite struct PatternsTests {
    private let patterns = Patterns()

    /// Nested repetitions, on which a backtracking engine takes time that doubles with each character.
    private static let catastrophic =
        #"^([\w\.\_\-])*[a-zA-Z0-9]+([\w\.\_\-])*([a-zA-Z0-9])+([\w\.\_\-])+@([a-zA-Z0-9]+\.)+[a-zA-Z0-9]{2,8}$"#

    @Test func `a catastrophic pattern answers for 100,000 characters that do not match within 50 ms`() {
        let text = String(repeating: "a", count: 100_000)
        #expect(!patterns.matches("a@b", Self.catastrophic))
        let times = (0..<5).map { _ in
            ContinuousClock().measure { #expect(!patterns.matches(text, Self.catastrophic)) }
        }
        // The fastest of five: others may hold the machine's cores.
        #expect(times.min() ?? .seconds(9) < .milliseconds(50))
    }

    @Test(arguments: [
        ("a.bc@example.org", true), ("a.b@example.org", false), ("kim@example.org", true),
        ("@example.org", false), ("kim@example", false),
        ("김@example.org", false),
    ])
    func `the pattern for addresses tells them from other texts`(text: String, fits: Bool) {
        #expect(patterns.matches(text, Self.catastrophic) == fits)
    }

    @Test func `a pattern is found anywhere unless it is anchored, by characters and not by bytes`() {
        #expect(patterns.matches("room 12", #"\d+"#))
        #expect(!patterns.matches("room 12", #"^\d+$"#))
        #expect(patterns.matches("김", "^.$"))
        #expect(patterns.matches("👩‍💻", "👩"))
        #expect(patterns.matches("", "^$"))
        #expect(patterns.matches("", ""))
        #expect(patterns.matches("a\0b", "^a.b$"))
    }

    @Test(arguments: ["(", "a{2,1}", #"(a)\1"#, "(?=a)", "[z-a]", #"\"#])
    func `what RE2 does not take is refused with its words`(pattern: String) {
        #expect(patterns.refusal(of: pattern)?.isEmpty == false)
        #expect(!patterns.matches("a", pattern))
    }

    @Test func `a pattern of a thousand characters is taken, and one of a thousand and one is not`() {
        #expect(patterns.refusal(of: String(repeating: "a", count: 1000)) == nil)
        #expect(patterns.refusal(of: String(repeating: "a", count: 1001)) != nil)
        #expect(!patterns.matches(String(repeating: "a", count: 1001), String(repeating: "a", count: 1001)))
    }

    @Test func `a short pattern whose program would be large is refused`() {
        #expect(patterns.refusal(of: #"((\pL{100}){100}){10}"#) != nil)
    }

    @Test(arguments: [#"(?:a?){900}(?:a?){900}x"#, #"(?:.?){900}x$"#, #"^(?:.{0,30}){0,30}x$"#])
    func `a pattern that would cost seconds is refused, and matches nothing`(pattern: String) {
        #expect(patterns.refusal(of: pattern) != nil)
        #expect(!patterns.matches("x", pattern))
    }

    @Test func `a text is matched as long as the work is bounded`() {
        let letters = #"^\pL+$"#
        #expect(patterns.refusal(of: letters) == nil)
        #expect(patterns.matches(String(repeating: "가", count: 5000), letters))
        // 1,196 steps times 16,723 bytes are the first to be too many.
        #expect(patterns.matches(String(repeating: "a", count: 16_500), letters))
        #expect(!patterns.matches(String(repeating: "a", count: 17_000), letters))
    }

    @Test func `many patterns in turn, and many threads at once, get their own answers`() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask { [patterns] in
                    patterns.matches("x\(number)y", "^x\(number)y$")
                        && !patterns.matches("x\(number)", "^\(number)$")
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
