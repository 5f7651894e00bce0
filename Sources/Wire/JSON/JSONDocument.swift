private import CJansson
private import Meetings

/// A parsed JSON text (RFC 8259). It rejects duplicate keys, invalid UTF-8, NUL in a key, and anything after
/// the value. NUL in a text (`\u0000`) is valid JSON; the functions that read fields reject it. Only the task
/// that parsed a document may use it.
///
/// An object whose members are plain texts (`PlainObject`) is read from its bytes. Jansson parses all other
/// documents into a tree in its own memory.
package final class JSONDocument {
    package let root: JSONNode

    /// Parses `bytes`. Any value may be the root.
    /// - Throws: `JSONFault` if `bytes` is not JSON or exceeds one of the `JSONLimits`.
    package init(_ bytes: [UInt8]) throws(JSONFault) {
        if let object = PlainObject(bytes) {
            root = JSONNode(.plain(object))
            return
        }
        // The limits are checked before parsing, because the parser may need 270 bytes of memory for a value
        // of three bytes.
        if let fault = JSONLimits.fault(in: bytes) { throw fault }
        var error = json_error_t()
        // An integer beyond 64 bits is valid JSON too (RFC 8259 §6). If the text contains such an integer,
        // all numbers are read as doubles, as JavaScript does.
        guard
            let parsed = Self.parsed(bytes, 0, &error) ?? Self.parsed(bytes, JSON_DECODE_INT_AS_REAL, &error)
        else {
            throw JSONFault(.notJSON, line: max(1, Int(error.line)))
        }
        root = JSONNode(.tree(OpaqueJSON(parsed, in: JSONMemory(parsed))))
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

/// Owns the root of Jansson's tree and frees the tree. All values of the tree refer to this object.
private final class JSONMemory {
    private let root: UnsafeMutablePointer<json_t>

    init(_ root: UnsafeMutablePointer<json_t>) { self.root = root }

    deinit { qring_json_release(root) }
}

/// A pointer into Jansson's tree that keeps the tree alive. It hides Jansson's type from the package
/// interface.
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

/// A value within a document. It keeps the document's memory alive.
package struct JSONNode {
    enum Value {
        /// A value of Jansson's tree.
        case tree(OpaqueJSON)
        /// The root of a document that Jansson has not parsed.
        case plain(PlainObject)
        /// A member of such a root.
        case text(String)
    }

    private let value: Value

    init(_ value: Value) { self.value = value }

    private var tree: OpaqueJSON? { if case .tree(let tree) = value { tree } else { nil } }

    /// Jansson's type of the value; nil if Jansson has not parsed the document.
    private var type: json_type? { tree.map { qring_json_type($0.pointer) } }

    /// Whether the value is `null`.
    package var isNull: Bool { type == JSON_NULL }
    /// Whether the value is an object.
    package var isObject: Bool { if case .plain = value { true } else { type == JSON_OBJECT } }
    /// Whether the value is an array.
    package var isArray: Bool { type == JSON_ARRAY }

    /// The text in stream-safe form, as member names are; nil for any other value.
    package var string: String? {
        switch value {
        case .plain: return nil
        case .text(let text): return text.streamSafe
        case .tree(let tree):
            guard let text = json_string_value(tree.pointer) else { return nil }
            let count = json_string_length(tree.pointer)
            return text.withMemoryRebound(to: UInt8.self, capacity: count) {
                String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self).streamSafe
            }
        }
    }

    /// The number as an integer; nil if the number is not whole. `5`, `5.0` and `5e0` are the same number
    /// (JSON Schema 2020-12, Core §4.2.3). Beyond 2⁵³, only numbers written as plain digits are exact.
    package var integer: Int? {
        guard let tree else { return nil }
        switch qring_json_type(tree.pointer) {
        case JSON_INTEGER: return Int(json_integer_value(tree.pointer))
        case JSON_REAL:
            let number = json_real_value(tree.pointer)
            return number.magnitude <= 0x1p53 ? Int(exactly: number) : nil
        default: return nil
        }
    }

    /// The number; nil for any other value.
    package var number: Double? {
        guard let tree else { return nil }
        switch qring_json_type(tree.pointer) {
        case JSON_INTEGER, JSON_REAL: return json_number_value(tree.pointer)
        default: return nil
        }
    }

    /// The boolean; nil for any other value.
    package var bool: Bool? {
        switch type {
        case JSON_TRUE: true
        case JSON_FALSE: false
        default: nil
        }
    }

    /// The member of an object with this name; nil if there is none, or for any other value.
    package subscript(key: String) -> JSONNode? {
        switch value {
        case .text: nil
        case .plain(let object): object[key].map { JSONNode(.text($0)) }
        case .tree(let tree):
            json_object_get(tree.pointer, key).map { JSONNode(.tree(tree.other($0))) }
        }
    }

    /// The elements of an array; empty for any other value.
    package var elements: [JSONNode] {
        guard let tree else { return [] }
        return (0..<json_array_size(tree.pointer)).compactMap {
            json_array_get(tree.pointer, $0).map { JSONNode(.tree(tree.other($0))) }
        }
    }

    /// The members of an object, sorted by the bytes of the keys; empty for any other value.
    package var members: [(key: String, value: JSONNode)] {
        var members: [(key: String, value: JSONNode)] = []
        switch value {
        case .text: break
        case .plain(let object):
            members = object.members.map { ($0.key.streamSafe, JSONNode(.text($0.value))) }
        case .tree(let tree):
            var iterator = json_object_iter(tree.pointer)
            while let at = iterator {
                if let key = json_object_iter_key(at), let value = json_object_iter_value(at) {
                    members.append((String(cString: key).streamSafe, JSONNode(.tree(tree.other(value)))))
                }
                iterator = json_object_iter_next(tree.pointer, at)
            }
        }
        return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}

/// The reason why a text cannot be read as JSON, and the line at which reading stopped.
package struct JSONFault: Error, Hashable, Sendable {
    /// The kind of fault.
    package enum Reason: Hashable, Sendable, CaseIterable {
        case notJSON, tooDeep, keyTooLong, tooManyValues
    }

    package let reason: Reason
    /// The line, counted from 1.
    package let line: Int

    package init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }
}

/// The limits of a JSON text besides its size in bytes. One pass over the bytes checks the limits before the
/// parser allocates memory.
package enum JSONLimits {
    /// The highest number of nested objects and arrays. The deepest body of the API has seven levels.
    package static let mostLevels = 32
    /// The highest number of bytes of a member's name, with its escapes. The longest name in a body is a
    /// question's name with 40 characters.
    package static let mostKeyBytes = 4096
    /// The highest number of values, including objects and arrays. A roster of 20,000 people with all fields
    /// of the API has 240,002 values.
    package static let mostValues = 250_000

    /// Returns the limit that the text exceeds; nil if it exceeds none. The text may be malformed: everything
    /// before the first syntax error is counted exactly, and the parser stops at that error.
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
                    // A text before a colon is a member's name, so it does not count as a value.
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

    /// Returns the index of the closing quotation mark, or the end of the bytes if there is none.
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
