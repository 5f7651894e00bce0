/// Selects members of JSON objects, in the requested order. It works on the encoded text and copies the
/// values without a change.
package struct JSONSelection {
    private let root: Branch

    /// The requested members of an object, and of the objects below them.
    private struct Branch {
        var fields: [(name: String, below: Branch)] = []

        mutating func add(_ path: ArraySlice<Substring>) {
            guard let name = path.first.map(String.init) else { return }
            if !fields.contains(where: { $0.name == name }) { fields.append((name, Branch())) }
            for index in fields.indices where fields[index].name == name {
                fields[index].below.add(path.dropFirst())
            }
        }
    }

    /// - Parameter list: the names of the members with commas: `id,name`. A dot leads into an object, or into
    ///   every object of an array: `attendance.present`.
    package init(_ list: String) {
        var root = Branch()
        for path in list.split(separator: ",") { root.add(path.split(separator: ".")[...]) }
        self.root = root
    }

    /// Selects from an object, from every item of a page, or from every element of an array. A missing field
    /// becomes null.
    /// - Parameter bytes: JSON without white space between its tokens, as `WireJSON` writes it.
    package func applied(to bytes: [UInt8]) -> [UInt8] { Self.selected(root, from: bytes[...], isTop: true) }

    private static func selected(_ branch: Branch, from value: ArraySlice<UInt8>, isTop: Bool) -> [UInt8] {
        if branch.fields.isEmpty { return Array(value) }
        switch value.first {
        case UInt8(ascii: "["):
            return JSONTokens.array(
                JSONTokens.parts(of: value).map { selected(branch, from: $0, isTop: isTop) })
        case UInt8(ascii: "{"):
            let members = JSONTokens.members(of: value)
            if isTop, JSONTokens.isPage(members) {
                return JSONTokens.object(
                    members.map {
                        (
                            $0.key,
                            $0.key == "items"
                                ? selected(branch, from: $0.value, isTop: true) : Array($0.value)
                        )
                    })
            }
            return JSONTokens.object(
                branch.fields.map { field in
                    let found = members.first { $0.key == field.name }?.value
                    return (
                        field.name,
                        found.map { selected(field.below, from: $0, isTop: false) } ?? Array("null".utf8)
                    )
                })
        default: return Array(value)
        }
    }
}

/// Reads and writes the structure of encoded JSON. All functions expect JSON without white space between its
/// tokens.
enum JSONTokens {
    /// Whether these are the members of a page of a list.
    static func isPage(_ members: [(key: String, value: ArraySlice<UInt8>)]) -> Bool {
        members.map(\.key) == ["items", "nextCursor"]
    }

    /// Returns the elements of an array, or the items of a page; nil for any other value.
    static func elements(of bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
        switch bytes.first {
        case UInt8(ascii: "["): return parts(of: bytes[...])
        case UInt8(ascii: "{"):
            let members = members(of: bytes[...])
            guard isPage(members), members[0].value.first == UInt8(ascii: "[") else { return nil }
            return parts(of: members[0].value)
        default: return nil
        }
    }

    static func object(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
        let written = members.map { Array("\"\($0.key)\":".utf8) + $0.value }
        return [UInt8(ascii: "{")] + written.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    static func array(_ elements: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    static func members(of value: ArraySlice<UInt8>) -> [(key: String, value: ArraySlice<UInt8>)] {
        parts(of: value).map { part in
            // The keys of this program's JSON contain no quotes and no escapes.
            guard let end = part.dropFirst().firstIndex(of: UInt8(ascii: "\"")), end + 2 <= part.endIndex
            else { return ("", part) }
            let key = part[part.index(after: part.startIndex)..<end]
            return (String(decoding: key, as: UTF8.self), part[(end + 2)...])
        }
    }

    /// Returns the parts between the outer brackets that commas separate.
    static func parts(of value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
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

/// Takes encoded lists apart.
package enum JSONElements {
    /// Returns the items of a page as encoded JSON; empty for any other value.
    /// - Parameter bytes: JSON without white space between its tokens.
    package static func items(ofPage bytes: [UInt8]) -> [[UInt8]] {
        JSONTokens.elements(of: bytes)?.map { Array($0) } ?? []
    }
}
