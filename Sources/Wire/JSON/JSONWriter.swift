/// Writes JSON as bytes, straight from values, in the order they come. Every check-in and every frame passes here, and Foundation's
/// encoder took most of their time; reading is left to Jansson.
final class JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var open: [Scope] = []

    private struct Scope {
        let closing: UInt8
        var isEmpty = true
    }

    init() { bytes.reserveCapacity(1024) }

    var depth: Int { open.count }

    func beginObject() { begin(UInt8(ascii: "{"), UInt8(ascii: "}")) }
    func beginArray() { begin(UInt8(ascii: "["), UInt8(ascii: "]")) }

    private func begin(_ opening: UInt8, _ closing: UInt8) {
        bytes.append(opening)
        open.append(Scope(closing: closing))
    }

    func end(downTo depth: Int) {
        while open.count > depth { bytes.append(open.removeLast().closing) }
    }

    /// Before every element of an array.
    func separate() {
        guard !open.isEmpty else { return }
        if !open[open.count - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
        open[open.count - 1].isEmpty = false
    }

    func key(_ name: String) {
        separate()
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    func null() { bytes.append(contentsOf: "null".utf8) }
    func bool(_ value: Bool) { bytes.append(contentsOf: value ? "true".utf8 : "false".utf8) }

    func integer(_ value: some BinaryInteger) {
        var rest = UInt64(value.magnitude)
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        repeat {
            bytes.append(UInt8(48 + rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// JSON has no infinities and no NaN; they are written as null.
    func number(_ value: Double) {
        if value.isFinite { bytes.append(contentsOf: value.description.utf8) } else { null() }
    }

    /// RFC 8259 §7: quotes, backslashes and controls are escaped, and nothing else.
    func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices where Self.mustEscape(utf8[index]) {
                bytes.append(contentsOf: utf8[start..<index])
                escape(utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C
    }

    private func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: bytes.append(contentsOf: "\\\"".utf8)
        case 0x5C: bytes.append(contentsOf: "\\\\".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        default:
            let hex = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(hex[Int(byte >> 4)])
            bytes.append(hex[Int(byte & 15)])
        }
    }
}
