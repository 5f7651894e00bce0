import Meetings
import Testing

struct StreamSafeTextTests {
    private func longestRun(_ text: String) -> Int {
        var (run, longest) = (0, 0)
        for scalar in text.unicodeScalars {
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            longest = max(longest, run)
        }
        return longest
    }

    private func marks(_ count: Int) -> String {
        String(String.UnicodeScalarView((0..<count).map { $0 % 2 == 0 ? "\u{0301}" : "\u{0316}" }))
    }

    @Test func `texts that people write do not change`() {
        let texts = [
            "", "Kim", "김민준", "Ngu\u{0302}\u{0303}n", String(repeating: "é", count: 500),
            String(repeating: "e\u{0301}", count: 500),
            String(repeating: "👨‍👩‍👧‍👦", count: 40), "a" + marks(30),
            String(repeating: "a" + marks(30), count: 9),
        ]
        for text in texts { #expect(text.streamSafe.utf8.elementsEqual(text.utf8)) }
    }

    @Test(arguments: [31, 32, 60, 61, 1000, 1_000_000])
    func `a stream-safe text has at most thirty combining characters in a row`(count: Int) {
        let text = "a" + marks(count) + "b"
        let safe = text.streamSafe
        #expect(longestRun(safe) == 30)
        // The function added only joiners, and as few joiners as possible.
        #expect(safe.unicodeScalars.count { $0 == "\u{034F}" } == (count - 1) / 30)
        #expect(
            safe.unicodeScalars.filter { $0 != "\u{034F}" } == text.unicodeScalars.filter { $0 != "\u{034F}" }
        )
        #expect(safe.streamSafe.utf8.elementsEqual(safe.utf8))
    }
}
