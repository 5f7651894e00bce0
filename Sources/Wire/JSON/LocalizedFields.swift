package import Meetings

extension Fields {
    /// A text in one field without a language, in another by language (`title`, `titles`), or in both; empty
    /// texts are none. A line is trimmed, NFC, and without control characters; other texts stay as written.
    /// Nil where neither field is there.
    package func localized(
        _ plain: String, _ byLanguage: String, required: Bool = false, most: Int, isLine: Bool = false
    ) -> LocalizedText? {
        let one = isLine ? line(plain, most: most) : text(plain, 0...most)
        let many = members(
            byLanguage, of: .string(min: 0, max: most, format: nil, pattern: nil),
            most: LocalizedText.mostLanguages
        ) {
            (key, node) -> Result<(tag: String, text: String), FieldReason> in
            guard let tag = LocalizedText.tag(key) else { return .failure(.notALanguage) }
            return Self.localized(node, most: most, isLine: isLine).map { (tag, $0) }
        }
        if let many, Set(many.map(\.tag)).count != many.count { fail(byLanguage, .repeated) }
        let texts = many.map { LocalizedText(Dictionary($0.map { ($0.tag, $0.text) }) { first, _ in first }) }
        let text = LocalizedText(plain: one?.isEmpty == true ? nil : one, byLanguage: texts)
        // What is wrong with a field has been said; only what is not there is missing.
        if required, text.isEmpty, one != nil || !has(plain), texts != nil || !has(byLanguage) {
            fail(plain, has(plain) ? .length(min: 1, max: most) : .missing)
        }
        return has(plain) || has(byLanguage) ? text : nil
    }

    /// The same check as for the field without a language.
    private static func localized(_ node: JSONNode, most: Int, isLine: Bool) -> Result<String, FieldReason> {
        guard isLine else { return text(node, 0...most) }
        guard let written = node.string else { return .failure(.wrongType(expected: "string")) }
        return written.allSatisfy(\.isWhitespace) ? .success("") : line(written, 0...most)
    }

    /// Any number.
    package func number(_ name: String, within bounds: ClosedRange<Double>) -> Double? {
        value(name, required: false, .number) {
            guard let number = $0.number else {
                return .failure(FieldError("", .wrongType(expected: "number")))
            }
            return bounds.contains(number)
                ? .success(number)
                : .failure(FieldError("", .between(min: bounds.lowerBound, max: bounds.upperBound)))
        }
    }
}
