internal import CUnistring
internal import Glibc

/// The normal forms of Unicode (UAX #15) and case folding, by libunistring. Its tables are much smaller than
/// those of ICU, and it orders long rows of accents in n · log n steps.
extension String {
    /// The text in canonical composition (NFC).
    package var composed: String {
        converted { u8_normalize(qring_nfc(), $0, $1, nil, $2) }
    }

    /// The text in compatibility composition (NFKC): wide and narrow letters, ligatures and circled digits
    /// become ordinary ones.
    package var compatibilityComposed: String {
        converted { u8_normalize(qring_nfkc(), $0, $1, nil, $2) }
    }

    // Both foldings compose first: a compatibility form such as ℋ has no small letter, but becomes an H.

    /// The text without differences of case (full case folding of Unicode), in canonical composition.
    package var caseFolded: String {
        composed.converted { u8_casefold($0, $1, nil, qring_nfc(), nil, $2) }
    }

    /// The text without differences of case and of compatibility forms, in compatibility composition.
    package var compatibilityCaseFolded: String {
        compatibilityComposed.converted { u8_casefold($0, $1, nil, qring_nfkc(), nil, $2) }
    }

    /// Calls a function of libunistring. It gets the bytes and their number, and returns new memory, whose
    /// size it writes to its last argument.
    private func converted(
        _ convert: (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<UInt8>?
    ) -> String {
        // The library returns no memory for an empty text.
        if isEmpty { return self }
        var text = self
        return text.withUTF8 { bytes in
            var count = 0
            // The text is valid UTF-8 and not empty, so only a lack of memory can make the function fail.
            guard let start = bytes.baseAddress, let result = convert(start, bytes.count, &count) else {
                preconditionFailure("libunistring: errno \(errno)")
            }
            defer { free(result) }
            return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        }
    }
}
