/// RFC 6901.
enum JSONPointer {
    /// A name as a pointer has it: `~` and `/` are escaped.
    static func escaped(_ name: String) -> String {
        name.contains { $0 == "~" || $0 == "/" } ? name.replacing("~", with: "~0").replacing("/", with: "~1") : name
    }
}

/// On which lines the values of a JSON text begin, a member where its name stands. The text must be JSON: it is not checked again, and walked
/// once, with a stack of its own, so that no nesting is too deep.
struct JSONLines {
    private var lines: [String: Int] = ["": 1]

    private enum Container {
        case object(String)
        case array(String, index: Int)
    }

    init(_ bytes: [UInt8]) {
        var open: [Container] = []
        var line = 1
        var at = 0
        /// Where the value that comes next stands.
        var place = ""
        var awaitsName = false

        func elementPlace() -> String {
            if case .array(let path, let index)? = open.last { "\(path)/\(index)" } else { place }
        }
        while at < bytes.count {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                place = elementPlace()
                lines[place] = lines[place] ?? line
                open.append(byte == UInt8(ascii: "{") ? .object(place) : .array(place, index: 0))
                awaitsName = byte == UInt8(ascii: "{")
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                awaitsName = false
            case UInt8(ascii: ","):
                if case .array(let path, let index)? = open.last {
                    open[open.count - 1] = .array(path, index: index + 1)
                } else {
                    awaitsName = true
                }
            case UInt8(ascii: "\""):
                let end = Self.end(ofTextAt: at, bytes)
                if awaitsName, case .object(let path)? = open.last {
                    place = "\(path)/\(JSONPointer.escaped(Self.name(Array(bytes[at...min(end, bytes.count - 1)]))))"
                    lines[place] = line
                    awaitsName = false
                } else {
                    let place = elementPlace()
                    lines[place] = lines[place] ?? line
                }
                at = end
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ":"): break
            default:
                let place = elementPlace()
                lines[place] = lines[place] ?? line
            }
            at += 1
        }
    }

    /// Where the value stands, or the nearest one around it that is there.
    func line(of pointer: String) -> Int {
        var rest = pointer[...]
        while true {
            if let line = lines[String(rest)] { return line }
            guard let slash = rest.lastIndex(of: "/") else { return 1 }
            rest = rest[..<slash]
        }
    }

    /// The place of the closing quotation mark.
    private static func end(ofTextAt start: Int, _ bytes: [UInt8]) -> Int {
        var at = start + 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return at
    }

    private static func name(_ quoted: [UInt8]) -> String {
        guard quoted.contains(UInt8(ascii: "\\")) else { return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self) }
        return JSONDocument(quoted)?.root.string ?? ""
    }
}
