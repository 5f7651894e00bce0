/// A JSON object whose members are a few texts without escapes, as the body of a check-in is. It is
/// read from its bytes, without Jansson's tree (decision 0014). It is a class, because reading a field would
/// copy a struct.
///
/// It accepts only a part of the documents that Jansson accepts, and reads them in the same way. The fuzz
/// target `json` compares the two.
final class PlainObject {
    private struct Member {
        let key: Range<Int>
        let value: Range<Int>
    }

    /// The most members. Each key is compared with all keys before it.
    private static let mostMembers = 16

    private let bytes: [UInt8]
    private let ranges: [Member]

    /// Returns nil if `bytes` is any other document, or not JSON.
    init?(_ bytes: [UInt8]) {
        guard let ranges = bytes.withUnsafeBufferPointer(Self.ranges),
            // The texts end at quotation marks, so each of them is valid if the whole is. The test for ASCII
            // has no branches, as `String.isASCII`.
            bytes.reduce(0, |) < 0x80 || String(validating: bytes, as: UTF8.self) != nil
        else { return nil }
        (self.bytes, self.ranges) = (bytes, ranges)
    }

    /// The text of the member with this name; nil if there is none.
    subscript(key: String) -> String? {
        var key = key
        let found = key.withUTF8 { key in
            bytes.withUnsafeBufferPointer { bytes in
                ranges.first { $0.key.count == key.count && bytes[$0.key].elementsEqual(key) }
            }
        }
        return found.map { text($0.value) }
    }

    /// All members in their order.
    var members: [(key: String, value: String)] { ranges.map { (text($0.key), text($0.value)) } }

    private func text(_ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0[range], as: UTF8.self) }
    }

    private static func ranges(in bytes: UnsafeBufferPointer<UInt8>) -> [Member]? {
        var at = 0
        func skipSpaces() {
            while at < bytes.count, JSONLimits.isSpace(bytes[at]) { at += 1 }
        }
        func take(_ byte: UInt8) -> Bool {
            skipSpaces()
            guard at < bytes.count, bytes[at] == byte else { return false }
            at += 1
            return true
        }
        func takeText() -> Range<Int>? {
            guard take(UInt8(ascii: "\"")) else { return nil }
            let start = at
            while at < bytes.count, bytes[at] >= 0x20, bytes[at] != UInt8(ascii: "\\") {
                at += 1
                if bytes[at - 1] == UInt8(ascii: "\"") { return start..<at - 1 }
            }
            return nil
        }
        guard take(UInt8(ascii: "{")) else { return nil }
        var members: [Member] = []
        repeat {
            guard members.count < mostMembers, let key = takeText(), key.count <= JSONLimits.mostKeyBytes,
                take(UInt8(ascii: ":")), let value = takeText(),
                !members.contains(where: { bytes[$0.key].elementsEqual(bytes[key]) })
            else { return nil }
            members.append(Member(key: key, value: value))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { return nil }
        skipSpaces()
        return at == bytes.count ? members : nil
    }
}
