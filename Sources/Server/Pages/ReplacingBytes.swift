import Glibc

/// Searches in the files of `Public`, byte by byte. The standard library compares characters, which takes a
/// hundred times as long for a script.
extension String {
    /// Returns the text with every `old` replaced.
    func replacingBytes(of old: String, with new: String) -> String {
        let places = places(of: old)
        guard !places.isEmpty else { return self }
        let size = old.utf8.count
        var replaced = ""
        replaced.reserveCapacity(utf8.count + places.count * max(0, new.utf8.count - size))
        var end = startIndex
        for place in places {
            replaced += self[end..<index(at: place)]
            replaced += new
            end = index(at: place + size)
        }
        return replaced + self[end...]
    }

    /// The lines, without their line breaks.
    var lines: [Substring] {
        var lines: [Substring] = []
        var start = startIndex
        for place in places(of: "\n") {
            lines.append(self[start..<index(at: place)])
            start = index(at: place + 1)
        }
        return lines + [self[start...]]
    }

    /// Returns the range of the first `text`; nil if there is none.
    func firstBytes(of text: String) -> Range<Index>? {
        places(of: text, most: 1).first.map { index(at: $0)..<index(at: $0 + text.utf8.count) }
    }

    /// Returns where `text` begins, in bytes; no two places overlap. Neither text may contain a NUL.
    private func places(of text: String, most: Int = .max) -> [Int] {
        let size = text.utf8.count
        guard size > 0 else { return [] }
        return withCString { start in
            text.withCString { text in
                var (found, rest) = ([Int](), start)
                while found.count < most, let place = strstr(rest, text) {
                    found.append(UnsafePointer(place) - start)
                    rest = UnsafePointer(place) + size
                }
                return found
            }
        }
    }

    private func index(at offset: Int) -> Index { utf8.index(startIndex, offsetBy: offset) }
}
