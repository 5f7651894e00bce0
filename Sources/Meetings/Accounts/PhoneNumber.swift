import UnicodeForms

/// A phone number in the international form of E.164: `+`, the country's code and the rest, at most 15
/// digits.
package enum PhoneNumber {
    /// Returns the number in the form of E.164, such as `+821012345678`; nil if it is malformed. Korean
    /// mobile numbers may be written as in Korea: `010-1234-5678`. Spaces, hyphens, dots and parentheses are
    /// ignored.
    package static func normalized(_ written: String) -> String? {
        guard written.utf8.count <= mostCharacters else { return nil }
        let kept = String(written.compatibilityComposed.filter { !isIgnored($0) })
        guard let first = kept.first else { return nil }
        var digits = first == "+" ? kept.dropFirst() : kept[...]
        guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        if first != "+" {
            // Without a country's code, only a Korean mobile number is unambiguous.
            guard digits.hasPrefix("01") else { return nil }
            digits = "82" + digits.dropFirst()
        } else if digits.hasPrefix("8201") {
            // People often keep the 0 behind the country's code.
            digits = "82" + digits.dropFirst(3)
        }
        // Korean mobile numbers have 10 or 11 digits behind their 0, and 11 if they begin with 010.
        let lengths = digits.hasPrefix("8210") ? 12...12 : digits.hasPrefix("821") ? 11...12 : 8...15
        guard digits.first != "0", lengths.contains(digits.count) else { return nil }
        return "+" + digits
    }

    /// The same rule as patterns of ECMA-262, by which a page judges a number while a person types it. A page
    /// composes the text (NFKC), removes what `ignored` matches, and tries each form: a match of `pattern`
    /// means `prefix` and the group of the pattern.
    package static let ignored = #"[\s.()\-\u2010-\u2015]"#
    /// The forms: a Korean mobile number, and a number of any other country.
    package static let forms: [(pattern: String, prefix: String)] = [
        (#"^(?:\+820?|0)(10[0-9]{8}|1[1-9][0-9]{7,8})$"#, "+82"),
        (#"^\+(?!820?1)([1-9][0-9]{7,14})$"#, "+"),
    ]
    /// The most characters of a number as a person writes it.
    package static let mostCharacters = 60

    private static func isIgnored(_ character: Character) -> Bool {
        character.isWhitespace || "-.()".contains(character) || ("\u{2010}"..."\u{2015}").contains(character)
    }
}
