private import CJansson
private import Meetings

/// A parsed JSON text (RFC 8259) in Jansson's memory. It rejects duplicate keys, invalid UTF-8, NUL in a key,
/// and anything after the value. NUL in a text (`\u0000`) is valid JSON, so the field rejects it. A document
/// stays within the task that parsed it.
package final class JSONDocument {
    package let root: JSONNode

    /// Any value may be the root.
    /// - Throws: `JSONFault` if `bytes` is not JSON or exceeds one of the `JSONLimits`.
    package init(_ bytes: [UInt8]) throws(JSONFault) {
        // The limits are checked first, because the parser takes up to 270 bytes of memory for a value of
        // three bytes.
        if let fault = JSONLimits.fault(in: bytes) { throw fault }
        var error = json_error_t()
        // An integer beyond 64 bits is JSON too (RFC 8259 §6). If there is one, all numbers are read as
        // doubles, as JavaScript does.
        guard
            let parsed = Self.parsed(bytes, 0, &error) ?? Self.parsed(bytes, JSON_DECODE_INT_AS_REAL, &error)
        else {
            throw JSONFault(.notJSON, line: max(1, Int(error.line)))
        }
        root = JSONNode(OpaqueJSON(parsed, in: JSONMemory(parsed)))
    }

    private static func parsed(_ bytes: [UInt8], _ more: Int32, _ error: inout json_error_t)
        -> UnsafeMutablePointer<json_t>?
    {
        let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL | more
        return bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                json_loadb($0.baseAddress, $0.count, Int(flags), &error)
            }
        }
    }
}

/// Owns the reference to Jansson's tree; every value within it borrows from this.
private final class JSONMemory {
    private let root: UnsafeMutablePointer<json_t>

    init(_ root: UnsafeMutablePointer<json_t>) { self.root = root }

    deinit { qring_json_release(root) }
}

/// Keeps the tree alive, and Jansson's type out of the package interface.
struct OpaqueJSON {
    private let raw: UnsafeMutableRawPointer
    private let memory: JSONMemory
    fileprivate var pointer: UnsafeMutablePointer<json_t> { raw.assumingMemoryBound(to: json_t.self) }

    fileprivate init(_ pointer: UnsafeMutablePointer<json_t>, in memory: JSONMemory) {
        raw = UnsafeMutableRawPointer(pointer)
        self.memory = memory
    }

    /// Returns another value of the same tree.
    fileprivate func other(_ pointer: UnsafeMutablePointer<json_t>) -> OpaqueJSON {
        OpaqueJSON(pointer, in: memory)
    }
}

/// A value within a document, which it keeps alive.
package struct JSONNode {
    private let handle: OpaqueJSON

    init(_ handle: OpaqueJSON) { self.handle = handle }

    package var isNull: Bool { qring_json_type(handle.pointer) == JSON_NULL }
    package var isObject: Bool { qring_json_type(handle.pointer) == JSON_OBJECT }
    package var isArray: Bool { qring_json_type(handle.pointer) == JSON_ARRAY }

    /// The text, made stream-safe as member names are; nil for any other value.
    package var string: String? {
        guard let text = json_string_value(handle.pointer) else { return nil }
        let count = json_string_length(handle.pointer)
        return text.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self).streamSafe
        }
    }

    /// The number if it is whole, in any notation: `5`, `5.0` and `5e0` are one number (JSON Schema 2020-12,
    /// Core §4.2.3). Beyond 2⁵³ only plain digits are exact.
    package var integer: Int? {
        switch qring_json_type(handle.pointer) {
        case JSON_INTEGER: return Int(json_integer_value(handle.pointer))
        case JSON_REAL:
            let number = json_real_value(handle.pointer)
            return number.magnitude <= 0x1p53 ? Int(exactly: number) : nil
        default: return nil
        }
    }

    package var number: Double? {
        switch qring_json_type(handle.pointer) {
        case JSON_INTEGER, JSON_REAL: json_number_value(handle.pointer)
        default: nil
        }
    }

    package var bool: Bool? {
        switch qring_json_type(handle.pointer) {
        case JSON_TRUE: true
        case JSON_FALSE: false
        default: nil
        }
    }

    package subscript(key: String) -> JSONNode? {
        json_object_get(handle.pointer, key).map { JSONNode(handle.other($0)) }
    }

    /// The elements of an array; empty for any other value.
    package var elements: [JSONNode] {
        (0..<json_array_size(handle.pointer)).compactMap {
            json_array_get(handle.pointer, $0).map { JSONNode(handle.other($0)) }
        }
    }

    /// The members of an object, sorted by the bytes of the keys; empty for any other value.
    package var members: [(key: String, value: JSONNode)] {
        var members: [(key: String, value: JSONNode)] = []
        var iterator = json_object_iter(handle.pointer)
        while let at = iterator {
            if let key = json_object_iter_key(at), let value = json_object_iter_value(at) {
                members.append((String(cString: key).streamSafe, JSONNode(handle.other(value))))
            }
            iterator = json_object_iter_next(handle.pointer, at)
        }
        return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}

/// The reason why a text is not read as JSON, and the line at which reading stopped.
package struct JSONFault: Error, Hashable, Sendable {
    /// The kind of fault.
    package enum Reason: Hashable, Sendable, CaseIterable {
        case notJSON, tooDeep, keyTooLong, tooManyValues
    }

    package let reason: Reason
    /// Counted from 1.
    package let line: Int

    package init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }
}

/// The limits of a JSON text, whatever its size in bytes. One pass over the bytes checks them before the
/// parser allocates memory.
package enum JSONLimits {
    /// Levels of nested objects and arrays. The deepest body of the API has seven.
    package static let mostLevels = 32
    /// Bytes of a member's name as written, escapes included. The longest name in a body is a question's,
    /// with 40 characters.
    package static let mostKeyBytes = 4096
    /// Values of every kind, objects and arrays included. A roster of 20,000 people with every field of the
    /// API has 240,002.
    package static let mostValues = 250_000

    /// Returns the limit that the text exceeds; nil if none. The text need not be JSON: everything before the
    /// first syntax error is counted exactly, and the parser reads no further.
    static func fault(in bytes: [UInt8]) -> JSONFault? {
        bytes.withUnsafeBufferPointer { bytes in
            var (levels, values, keyBytes, at) = (0, 0, 0, 0)
            func fault(_ reason: JSONFault.Reason) -> JSONFault {
                JSONFault(reason, line: 1 + bytes[..<at].count { $0 == UInt8(ascii: "\n") })
            }
            while at < bytes.count {
                switch bytes[at] {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    (levels, values) = (levels + 1, values + 1)
                    if levels > mostLevels { return fault(.tooDeep) }
                    if values > mostValues { return fault(.tooManyValues) }
                case UInt8(ascii: "}"), UInt8(ascii: "]"): levels -= 1
                case UInt8(ascii: "\""):
                    let end = endOfText(at: at, bytes)
                    // A text before a colon is a member's name and not a value.
                    (keyBytes, values, at) = (end - at - 1, values + 1, end)
                case UInt8(ascii: ":"):
                    values -= 1
                    if keyBytes > mostKeyBytes { return fault(.keyTooLong) }
                case UInt8(ascii: ","): if values > mostValues { return fault(.tooManyValues) }
                case let byte where isSpace(byte): break
                default:
                    values += 1
                    while at + 1 < bytes.count, isWithinScalar(bytes[at + 1]) { at += 1 }
                }
                at += 1
            }
            return values > mostValues ? fault(.tooManyValues) : nil
        }
    }

    /// The index of the closing quotation mark; the end of the bytes if there is none.
    static func endOfText(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var at = start + 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(at, bytes.count)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Whether a number, `true`, `false` or `null` continues with this byte.
    private static func isWithinScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "]"),
            UInt8(ascii: "\""):
            false
        default: !isSpace(byte)
        }
    }
}
