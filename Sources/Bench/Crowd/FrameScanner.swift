/// Parses frames from a server (RFC 6455 §5.2: never masked), as far as a counting watcher needs them.
package enum FrameScanner {
    package struct Found: Equatable, Sendable {
        package let opcode: UInt8
        package let payload: Range<Int>
    }

    /// Returns the frame that begins at `start`; nil if the frame is incomplete.
    package static func frame(in bytes: UnsafeRawBufferPointer, at start: Int) -> Found? {
        guard bytes.count - start >= 2 else { return nil }
        var length = Int(bytes[start + 1] & 0x7F)
        var header = 2
        if length == 126 {
            header = 4
            guard bytes.count - start >= header else { return nil }
            length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
        } else if length == 127 {
            header = 10
            guard bytes.count - start >= header else { return nil }
            length = (2..<10).reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
        }
        guard bytes.count - start - header >= length else { return nil }
        return Found(opcode: bytes[start] & 0x0F, payload: (start + header)..<(start + header + length))
    }

    /// Returns the number of checked-in attendees; nil if the frame has no whole counts.
    package static func checkedIn(in payload: UnsafeRawBufferPointer) -> Int? {
        let name: StaticString = "\"checkedIn\":"
        guard let found = ByteSearch.first(name, in: payload) else { return nil }
        var offset = found + name.utf8CodeUnitCount
        var number = 0
        var hasDigits = false
        while offset < payload.count, payload[offset] >= 48, payload[offset] <= 57 {
            number = number * 10 + Int(payload[offset] - 48)
            hasDigits = true
            offset += 1
        }
        return hasDigits ? number : nil
    }

    /// Returns a client's frame with at most 125 bytes. Its masking key is zero, which RFC 6455 permits, so
    /// masking does not change the payload.
    package static func clientFrame(opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        precondition(payload.count <= 125)
        return [0x80 | opcode, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }
}
