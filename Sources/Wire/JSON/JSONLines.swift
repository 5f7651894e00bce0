import Meetings

/// Finds the line on which each of the given values of a JSON text begins. A member begins with its name. The
/// memory depends on the number of pointers and not on the size of the text. The text must be valid JSON,
/// because the single pass does not check it.
struct JSONLines {
    private let root = Place()

    /// A value that a pointer names, or that contains such a value.
    private final class Place {
        var line: Int?
        var parts: [String: Place] = [:]
    }

    private struct Container {
        /// The object or array in the tree of pointers; nil if no pointer passes through it.
        let place: Place?
        let isObject: Bool
        var index = 0
    }

    init(_ bytes: [UInt8], of pointers: some Sequence<String>) {
        for pointer in pointers {
            var place = root
            for step in JSONPointer.tokens(of: pointer) {
                let next = place.parts[step] ?? Place()
                place.parts[step] = next
                place = next
            }
        }
        bytes.withUnsafeBufferPointer(walk)
        root.line = 1
    }

    private func walk(_ bytes: UnsafeBufferPointer<UInt8>) {
        var open: [Container] = []
        /// The entry of the next value in the tree of pointers; nil if no pointer names or contains it.
        var next: Place? = root
        var awaitsName = false
        var (line, at) = (1, 0)
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = bytes[at] == UInt8(ascii: "{")
                next?.line = next?.line ?? line
                open.append(Container(place: next, isObject: isObject))
                awaitsName = isObject
                if !isObject { next = next?.parts["0"] }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                awaitsName = false
            case UInt8(ascii: ","):
                guard let last = open.indices.last else { break }
                awaitsName = open[last].isObject
                guard !awaitsName else { break }
                open[last].index += 1
                next = open[last].place.flatMap {
                    $0.parts.isEmpty ? nil : $0.parts[String(open[last].index)]
                }
            case UInt8(ascii: "\""):
                let end = JSONLimits.endOfText(at: at, bytes)
                if awaitsName {
                    awaitsName = false
                    next = open.last?.place.flatMap {
                        $0.parts.isEmpty ? nil : $0.parts[Self.name(bytes[at..<end])]
                    }
                }
                next?.line = next?.line ?? line
                at = end
            case let byte where JSONLimits.isSpace(byte) || byte == UInt8(ascii: ":"): break
            default: next?.line = next?.line ?? line
            }
            at += 1
        }
    }

    /// Returns the line of the value. If the value does not exist, returns the line of the innermost existing
    /// value around it. `pointer` must be one of the given pointers.
    func line(of pointer: String) -> Int {
        var (place, line) = (root, 1)
        for step in JSONPointer.tokens(of: pointer) {
            guard let next = place.parts[step], let found = next.line else { break }
            (place, line) = (next, found)
        }
        return line
    }

    /// - Parameter quoted: the bytes from the opening quotation mark up to, but not including, the closing
    ///   quotation mark.
    private static func name(_ quoted: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst(), as: UTF8.self).streamSafe
        }
        return (try? JSONDocument(quoted + [UInt8(ascii: "\"")]))?.root.string ?? ""
    }
}
