/// Selects members of JSON objects, in the requested order. It works on the encoded text and copies the
/// values without a change.
package struct JSONSelection {
    private let fields: [String]

    /// - Parameter list: the names of the members with commas: `id,name`.
    package init(_ list: String) { fields = list.split(separator: ",").map(String.init) }

    /// Selects from an object, from every item of a page, or from every element of an array. A missing field
    /// becomes null.
    /// - Parameter bytes: JSON without white space between its tokens, as `WireJSON` writes it.
    package func applied(to bytes: [UInt8]) -> [UInt8] { applied(to: bytes[...]) }

    private func applied(to value: ArraySlice<UInt8>) -> [UInt8] {
        switch value.first {
        case UInt8(ascii: "["): return array(value)
        case UInt8(ascii: "{"):
            let members = Self.parts(of: value).map(Self.member)
            if members.map(\.key) == ["items", "nextCursor"] {
                return object(members.map { ($0.key, $0.key == "items" ? array($0.value) : Array($0.value)) })
            }
            return object(
                fields.map { field in
                    (field, members.first { $0.key == field }.map { Array($0.value) } ?? Array("null".utf8))
                })
        default: return Array(value)
        }
    }

    private func array(_ value: ArraySlice<UInt8>) -> [UInt8] {
        guard value.first == UInt8(ascii: "[") else { return Array(value) }
        let elements = Self.parts(of: value).map { applied(to: $0) }
        return [UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    private func object(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
        let written = members.map { Array("\"\($0.key)\":".utf8) + $0.value }
        return [UInt8(ascii: "{")] + written.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    private static func member(_ part: ArraySlice<UInt8>) -> (key: String, value: ArraySlice<UInt8>) {
        // The keys of this program's JSON contain no quotes and no escapes.
        guard let end = part.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else { return ("", part) }
        return (
            String(decoding: part[part.index(after: part.startIndex)..<end], as: UTF8.self),
            part[(end + 2)...]
        )
    }

    /// Returns the parts between the outer brackets that commas separate.
    private static func parts(of value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let inner = value.dropFirst().dropLast()
        guard !inner.isEmpty else { return [] }
        var parts: [ArraySlice<UInt8>] = []
        var (start, depth, isText, isEscaped) = (inner.startIndex, 0, false, false)
        for (index, byte) in zip(inner.indices, inner) {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(inner[start..<index])
                start = index + 1
            default: break
            }
        }
        return parts + [inner[start...]]
    }
}
