import Foundation
import Meetings
import Seeds
import Testing

@Suite struct PhoneNumberTests {
    @Test(arguments: [
        ("010-1234-5678", "+821012345678"), ("010 1234 5678", "+821012345678"),
        ("+82 (0)10-1234-5678", "+821012345678"), ("+82 10 1234 5678", "+821012345678"),
        ("０１０－１２３４－５６７８", "+821012345678"), ("011-123-4567", "+82111234567"),
        ("+1 (415) 555-0132", "+14155550132"), ("+49.30.123456", "+4930123456"),
        ("+123456789012345", "+123456789012345"),
    ])
    func `numbers are written in many ways and stored in one`(written: String, stored: String) {
        #expect(PhoneNumber.normalized(written) == stored)
    }

    /// A page judges numbers by these patterns while a person types.
    @Test func `the patterns for pages agree with the rule`() throws {
        let ignored = try Regex(PhoneNumber.ignored)
        let forms = try PhoneNumber.forms.map { (try Regex($0.pattern), $0.prefix) }
        func byPatterns(_ written: String) -> String? {
            let kept = written.precomposedStringWithCompatibilityMapping.replacing(ignored, with: "")
            for (pattern, prefix) in forms {
                guard let found = kept.wholeMatch(of: pattern), let rest = found[1].substring else {
                    continue
                }
                return prefix + rest
            }
            return nil
        }
        var generator = SeededNumbers(seed: 15)
        var seeded = (0..<3000).map { number in
            let beginning = [
                "010", "+8210", "+82010", "011", "+8211", "+82", "+1", "+49", "02", "+0", "+820",
            ]
            return beginning[number % beginning.count]
                + (0..<(number / 11 % 14)).map { _ in String(Int.random(in: 0...9, using: &generator)) }
                .joined()
        }
        seeded += ["010-1234-5678", "+82 (0)10-1234-5678", "０１０－１２３４－５６７８", "", "+", "010-1234-567x", "+-"]
        for written in seeded {
            #expect(byPatterns(written) == PhoneNumber.normalized(written), "\(written)")
        }
    }

    @Test(arguments: [
        "a@b", "a@b.c", "김@예시.한국", "a.b+c@x-y.example.org", "", "a", "@b", "a@", "a@-b", "a@b-", "a@b..c",
        "a@.b", "a b@c", "a@b@c", "<a@b>", "a@b,c", "a@b.", "a\"b@c", "a@b.-c",
    ])
    func `the pattern of addresses for pages agrees with the rule`(written: String) throws {
        let pattern = try Regex(EmailAddress.pattern)
        #expect((written.wholeMatch(of: pattern) != nil) == (EmailAddress.normalized(written) != nil))
    }

    @Test(arguments: [
        "", "+", "12345678", "02-123-4567", "010-1234-567", "010-1234-56789", "+0821012345678",
        "+82 10 1234 56",
        "+1234567", "+1234567890123456", "010-1234-567x", "+82\u{0}1012345678", "٠١٠١٢٣٤٥٦٧٨", "+-",
        String(repeating: "0", count: 100),
    ])
    func `a text that is no number is refused`(written: String) {
        #expect(PhoneNumber.normalized(written) == nil)
    }
}
