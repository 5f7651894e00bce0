internal import Meetings

/// Writes values directly as JSON bytes, in the given order. This type writes the answer of every check-in
/// and every frame, because Foundation's encoder needed most of their time. `JSONDocument` reads
/// JSON.
///
/// The writer allocates its own memory. An answer consists of a few hundred small pieces, and an array would
/// check at each piece whether its storage is shared.
final class JSONWriter {
    private var memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 2048)
    private var capacity = 2048
    private var count = 0
    /// The number of open objects and arrays, at most 64.
    private(set) var depth = 0
    /// One bit for each open object (0) or array (1); the lowest bit is the innermost. No answer is nested
    /// more than 64 deep. An array of closing characters would need an allocation for each answer.
    private var arrays: UInt64 = 0
    /// Whether the innermost open object or array is still empty.
    private var isAtStart = true

    deinit { memory.deallocate() }

    /// The bytes that have been written so far.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    private func append(_ byte: UInt8) {
        makeRoom(for: 1)
        memory[count] = byte
        count += 1
    }

    private func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        makeRoom(for: bytes.count)
        (memory + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    private func makeRoom(for more: Int) {
        if count + more > capacity { grow(to: max(2 * capacity, count + more)) }
    }

    private func grow(to wanted: Int) {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: memory, count: count)
        memory.deallocate()
        (memory, capacity) = (larger, wanted)
    }

    func beginObject() { begin(UInt8(ascii: "{"), isArray: false) }
    func beginArray() { begin(UInt8(ascii: "["), isArray: true) }

    private func begin(_ opening: UInt8, isArray: Bool) {
        precondition(depth < UInt64.bitWidth, "an answer is nested too deeply")
        append(opening)
        (depth, arrays) = (depth + 1, arrays << 1 | (isArray ? 1 : 0))
        isAtStart = true
    }

    func end(downTo depth: Int) {
        while self.depth > depth {
            append(arrays & 1 == 1 ? UInt8(ascii: "]") : UInt8(ascii: "}"))
            (self.depth, arrays) = (self.depth - 1, arrays >> 1)
            // The enclosing object or array is no longer empty.
            isAtStart = false
        }
    }

    /// Writes the comma before every element except the first.
    func separate() {
        if isAtStart { isAtStart = false } else { append(UInt8(ascii: ",")) }
    }

    func key(_ name: String) {
        separate()
        string(name)
        append(UInt8(ascii: ":"))
    }

    /// Writes a key of the program, which needs no escapes.
    func field(_ name: StaticString) {
        separate()
        let size = name.utf8CodeUnitCount
        makeRoom(for: size + 3)
        memory[count] = UInt8(ascii: "\"")
        (memory + count + 1).update(from: name.utf8Start, count: size)
        memory[count + size + 1] = UInt8(ascii: "\"")
        memory[count + size + 2] = UInt8(ascii: ":")
        count += size + 3
    }

    func instant(_ value: Instant) { quoted(Instant.textSize) { value.write(to: $0) } }

    func id<Of>(_ value: ID<Of>) {
        quoted(ID<Of>.textSize) {
            value.write(to: $0)
            return ID<Of>.textSize
        }
    }

    /// Writes a text that needs no escapes and has at most `most` bytes. `write` returns their number.
    private func quoted(_ most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        makeRoom(for: most + 2)
        memory[count] = UInt8(ascii: "\"")
        let size = write(memory + count + 1)
        memory[count + size + 1] = UInt8(ascii: "\"")
        count += size + 2
    }

    /// Writes a value that is encoded already.
    func encoded(_ value: ArraySlice<UInt8>) { value.withUnsafeBufferPointer { append($0) } }

    func null() { append("null") }
    func bool(_ value: Bool) { append(value ? "true" : "false") }

    func integer(_ value: some BinaryInteger) {
        var rest = UInt64(value.magnitude)
        if value < 0 { append(UInt8(ascii: "-")) }
        let start = count
        repeat {
            append(UInt8(48 + rest % 10))
            rest /= 10
        } while rest > 0
        var digits = UnsafeMutableBufferPointer(start: memory + start, count: count - start)
        digits.reverse()
    }

    /// Writes a number. JSON has neither infinities nor NaN, so they become null.
    func number(_ value: Double) {
        guard value.isFinite else { return null() }
        var text = value.description
        text.withUTF8 { append($0) }
    }

    /// Writes a string. Only quotation marks, backslashes and control characters are escaped (RFC 8259 §7).
    func string(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            // Most texts need no escapes. Checking the whole text first is faster than searching for each
            // character.
            makeRoom(for: utf8.count + 2)
            memory[count] = UInt8(ascii: "\"")
            count += 1
            if Self.holdsWhatMustBeEscaped(utf8) { escaped(utf8) } else { append(utf8) }
            append(UInt8(ascii: "\""))
        }
    }

    /// Whether any byte must be escaped. Examines eight bytes in one step: subtracting a bound from each byte
    /// sets the top bit of a byte below the bound, unless the bit was set before.
    private static func holdsWhatMustBeEscaped(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        guard utf8.count >= 8 else { return utf8.contains(where: mustEscape) }
        let (all, raw) = (0x0101_0101_0101_0101 as UInt64, UnsafeRawBufferPointer(utf8))
        func holds(at place: Int) -> Bool {
            let bytes = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let (quoted, slashed) = (bytes ^ (all * 0x22), bytes ^ (all * 0x5C))
            let found =
                ((bytes &- all * 0x20) & ~bytes) | ((quoted &- all) & ~quoted) | ((slashed &- all) & ~slashed)
            return found & (all * 0x80) != 0
        }
        var place = 0
        while place + 8 < utf8.count {
            if holds(at: place) { return true }
            place += 8
        }
        // The last step may repeat some bytes.
        return holds(at: utf8.count - 8)
    }

    private func escaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        for byte in utf8 {
            if Self.mustEscape(byte) { escape(byte) } else { append(byte) }
        }
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C
    }

    private func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            let hex = Array("0123456789abcdef".utf8)
            append("\\u00")
            append(hex[Int(byte >> 4)])
            append(hex[Int(byte & 15)])
        }
    }
}
