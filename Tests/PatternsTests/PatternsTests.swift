import Patterns
import Testing

@Suite struct PatternsTests {
    private let patterns = Patterns()

    /// A pattern with nested repetitions. A backtracking engine needs twice as long for each more
    /// character.
    private static let catastrophic =
        #"^([\w\.\_\-])*[a-zA-Z0-9]+([\w\.\_\-])*([a-zA-Z0-9])+([\w\.\_\-])+"#
        + #"@([a-zA-Z0-9]+\.)+[a-zA-Z0-9]{2,8}$"#

    @Test func `a catastrophic pattern rejects a text of 100,000 characters within 50 ms`() {
        let text = String(repeating: "a", count: 100_000)
        #expect(!patterns.matches("a@b", Self.catastrophic))
        let times = (0..<5).map { _ in
            ContinuousClock().measure { #expect(!patterns.matches(text, Self.catastrophic)) }
        }
        // Only the fastest of five runs counts, because other programs may use the processor.
        #expect(times.min() ?? .seconds(9) < .milliseconds(50))
    }

    @Test(arguments: [
        ("a.bc@example.org", true), ("a.b@example.org", false), ("kim@example.org", true),
        ("@example.org", false), ("kim@example", false),
        ("김@example.org", false),
    ])
    func `the pattern for e-mail addresses matches addresses and no other texts`(text: String, fits: Bool) {
        #expect(patterns.matches(text, Self.catastrophic) == fits)
    }

    @Test func `an unanchored pattern matches anywhere, and a dot matches a character, not a byte`() {
        #expect(patterns.matches("room 12", #"\d+"#))
        #expect(!patterns.matches("room 12", #"^\d+$"#))
        #expect(patterns.matches("김", "^.$"))
        #expect(patterns.matches("👩‍💻", "👩"))
        #expect(patterns.matches("", "^$"))
        #expect(patterns.matches("", ""))
        #expect(patterns.matches("a\0b", "^a.b$"))
    }

    @Test(arguments: ["(", "a{2,1}", #"(a)\1"#, "(?=a)", "[z-a]", #"\"#])
    func `a pattern that RE2 cannot compile is rejected with RE2's reason`(pattern: String) {
        #expect(patterns.refusal(of: pattern)?.isEmpty == false)
        #expect(!patterns.matches("a", pattern))
    }

    @Test func `a pattern of 1,000 characters is accepted, and a pattern of 1,001 is rejected`() {
        #expect(patterns.refusal(of: String(repeating: "a", count: 1000)) == nil)
        #expect(patterns.refusal(of: String(repeating: "a", count: 1001)) != nil)
        #expect(!patterns.matches(String(repeating: "a", count: 1001), String(repeating: "a", count: 1001)))
    }

    @Test func `a short pattern that compiles to a large program is rejected`() {
        #expect(patterns.refusal(of: #"((\pL{100}){100}){10}"#) != nil)
    }

    @Test(arguments: [#"(?:a?){900}(?:a?){900}x"#, #"(?:.?){900}x$"#, #"^(?:.{0,30}){0,30}x$"#])
    func `a pattern that would need seconds is rejected and matches no text`(pattern: String) {
        #expect(patterns.refusal(of: pattern) != nil)
        #expect(!patterns.matches("x", pattern))
    }

    @Test func `a text matches only if the pattern's steps times the text's bytes are within the limit`() {
        let letters = #"^\pL+$"#
        #expect(patterns.refusal(of: letters) == nil)
        #expect(patterns.matches(String(repeating: "가", count: 5000), letters))
        // The pattern has 1,196 steps, so a text of 16,723 bytes is the shortest text over the limit.
        #expect(patterns.matches(String(repeating: "a", count: 16_500), letters))
        #expect(!patterns.matches(String(repeating: "a", count: 17_000), letters))
    }

    @Test func `many tasks that match different patterns at once get the right results`() async {
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
