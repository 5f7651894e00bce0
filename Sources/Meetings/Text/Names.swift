import UnicodeForms

/// The form of an e-mail address, number or name for comparing people: trimmed, NFC and case-folded.
/// Therefore `Kim@Example.org ` and `kim@example.org` are the same person.
package struct IdentityKey: Hashable, Sendable {
    package let text: String

    /// Makes a key from the text of a stored key. The text is not normalized again.
    package init(stored text: String) { self.text = text }

    /// Makes the key of a text that a person wrote.
    package init(_ written: String) {
        if written.isASCII {
            text = written.asciiTrimmed.lowercased()
        } else {
            text = written.trimmed.caseFolded
        }
    }
}

/// The rules for every text of one line that a person writes, such as a name, a word, a nickname or a
/// question: trimmed, NFC, 1–100 visible characters. Texts of several lines have `hasUnfitForLines`.
package enum PersonalText {
    /// A text may have so many bytes for each character of its limit, because a character can consist of many
    /// scalars. A Korean syllable has 3 bytes, and a family as one emoji 25.
    package static let bytesForACharacter = 64

    /// Returns the normalized text. Returns nil if the text is empty, has more than `limit` characters, or
    /// holds characters that do not belong on one line.
    package static func normalized(_ written: String, limit: Int = 100) -> String? {
        do throws(FieldReason) { return try checked(written, limit: limit) } catch { return nil }
    }

    /// Returns the normalized text.
    /// - Throws: `length` if the text has no characters or more than `limit`; `notText` if a character does
    ///   not belong on one line or if no character is visible.
    package static func checked(_ written: String, limit: Int = 100) throws(FieldReason) -> String {
        if written.hasOnlyPrintableASCII {
            let trimmed = written.asciiTrimmed
            guard (1...limit).contains(trimmed.utf8.count) else { throw .length(min: 1, max: limit) }
            return trimmed
        }
        // Refuse a text that is far too long before counting its characters.
        guard written.utf8.count <= limit * bytesForACharacter else { throw .length(min: 1, max: limit) }
        let text = written.trimmed.composed
        guard !text.hasUnfitForLine, text.isEmpty || text.hasVisibleBase else { throw .notText }
        guard (1...limit).contains(text.count) else { throw .length(min: 1, max: limit) }
        return text
    }
}

/// The rules for an e-mail address that the server can check without sending mail: one `@`, 1–64 bytes before
/// the `@`, a host name after the `@`, no spaces or control characters, at most 254 bytes (RFC 5321
/// §4.5.3.1).
package enum EmailAddress {
    /// Returns the trimmed address in NFC. Returns nil if the address is malformed.
    package static func normalized(_ written: String) -> String? {
        let isASCII = written.isASCII
        let text =
            isASCII
            ? written.asciiTrimmed
            : written.trimmed.composed
        guard text.utf8.count <= 254 else { return nil }
        if isASCII {
            let isValid = text.utf8.withContiguousStorageIfAvailable(isAddress) ?? isAddress(Array(text.utf8))
            return isValid ? text : nil
        }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), !parts[1].isEmpty else { return nil }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") && !$0.hasSuffix("-") }) else {
            return nil
        }
        let refused: (Unicode.Scalar) -> Bool = {
            $0.properties.isWhitespace || $0.isControl || $0.properties.generalCategory == .format
                || ($0.isASCII && isSpecial(UInt8($0.value)))
        }
        return text.unicodeScalars.contains(where: refused) ? nil : text
    }

    /// The same rule as a pattern of ECMA-262, by which a page judges an address while a person types it. The
    /// limits of bytes are the server's.
    package static let pattern =
        #"^[^\s<>()\[\]\\,;:"@]+@(?:[^\s<>()\[\]\\,;:"@.\-]|[^\s<>()\[\]\\,;:"@.\-]"#
        + #"[^\s<>()\[\]\\,;:"@.]*[^\s<>()\[\]\\,;:"@.\-])"#
        + #"(?:\.(?:[^\s<>()\[\]\\,;:"@.\-]|[^\s<>()\[\]\\,;:"@.\-]"#
        + #"[^\s<>()\[\]\\,;:"@.]*[^\s<>()\[\]\\,;:"@.\-]))*$"#

    /// Whether ASCII text has the form of an address, by the same rules. A check-in reads one address, and
    /// characters cost ten times as much as bytes.
    private static func isAddress(_ text: some Sequence<UInt8>) -> Bool {
        var local = 0
        var hasAt = false
        var before = UInt8(ascii: ".")
        for byte in text {
            if byte <= 32 || byte == 127 || isSpecial(byte) { return false }
            if byte == UInt8(ascii: "@") {
                if hasAt { return false }
                hasAt = true
                // A domain begins as a label does after a full stop.
                before = UInt8(ascii: ".")
                continue
            }
            guard hasAt else {
                local += 1
                continue
            }
            // A label is not empty, and it neither begins nor ends with a hyphen.
            let endsLabel = byte == UInt8(ascii: ".")
            if before == UInt8(ascii: "."), endsLabel || byte == UInt8(ascii: "-") { return false }
            if before == UInt8(ascii: "-"), endsLabel { return false }
            before = byte
        }
        return hasAt && (1...64).contains(local) && before != UInt8(ascii: ".")
            && before != UInt8(ascii: "-")
    }

    /// Whether the ASCII character may not be a part of an address.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
            UInt8(ascii: "\""):
            true
        default: false
        }
    }
}

extension String {
    fileprivate var asciiTrimmed: String {
        let isSpace: (UInt8) -> Bool = { $0 == 32 || (9...13).contains($0) }
        guard let first = utf8.first, let last = utf8.last, isSpace(first) || isSpace(last) else {
            return self
        }
        let start = utf8.firstIndex { !isSpace($0) } ?? utf8.endIndex
        let end = utf8.lastIndex { !isSpace($0) }.map { utf8.index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
