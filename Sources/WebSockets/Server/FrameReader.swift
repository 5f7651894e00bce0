/// Parses the frames that one client sends (RFC 6455 §5.2). The bytes may arrive in pieces of any size. The
/// parser is a value without side effects: the caller passes bytes, and the parser returns events. If the
/// client breaks the protocol, the parser throws a `Breach` with the close code (§7.4.1).
///
/// The server does not use the parser of libwebsockets 4.1.6, because that parser violates RFC 6455
/// (docs/decisions/0031).
struct FrameReader {
    enum Event: Equatable {
        /// A complete text message. Its fragments are joined, and the text is valid UTF-8.
        case text([UInt8])
        /// A complete binary message, if `acceptsBinary`.
        case binary([UInt8])
        case ping([UInt8])
        case pong
        /// A close frame. `code` is 1005 if the frame contains no code.
        case close(code: UInt16)
    }

    struct Breach: Error, Equatable {
        let code: UInt16
        let reason: String
    }

    private enum Stage { case first, second, length, mask, payload, broken }

    private enum Opcode: UInt8 {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xa
    }

    /// The longest payload of a control frame (§5.5).
    private static let longestControl = 125

    // Each field has the smallest type for its range, and the fields are in the order of their sizes, because
    // a loop has a reader for each of its thousands of connections.
    private var control: [UInt8] = []
    private var message: [UInt8] = []
    private var length: UInt64 = 0
    private var mask: UInt32 = 0
    /// The number of bytes of the current payload that have arrived.
    private var taken: UInt32 = 0
    private var fragments: UInt32 = 0
    /// The number of bytes of control frames and of empty fragments since the last `takeOverhead`.
    private var overhead: UInt32 = 0
    private let longestMessage: UInt32
    private let mostFragments: UInt32
    /// The number of bytes of the current length or mask that have not arrived yet.
    private var missing: UInt8 = 0
    private var headerBytes: UInt8 = 0
    private var text = UTF8Sequence()
    private var stage = Stage.first
    private var opcode = Opcode.continuation
    private var isFinal = false
    private var isWithinMessage = false
    private var isBinary = false
    /// Whether the client may send binary messages.
    var acceptsBinary = false

    /// - Parameters:
    ///   - longestMessage: in bytes, below 2³².
    ///   - mostFragments: below 2³².
    init(longestMessage: Int, mostFragments: Int) {
        (self.longestMessage, self.mostFragments) = (UInt32(longestMessage), UInt32(mostFragments))
    }

    /// Parses `bytes` up to the next event, and removes the parsed bytes from `bytes`. Returns nil if all
    /// bytes are parsed and no further event is complete.
    /// - Throws: the first breach of the protocol. Every later byte is a breach too, because nobody knows
    ///   where the next frame begins.
    mutating func next(in bytes: inout Slice<UnsafeRawBufferPointer>) throws(Breach) -> Event? {
        do throws(Breach) { return try parse(&bytes) } catch {
            (stage, control, message) = (.broken, [], [])
            throw error
        }
    }

    private mutating func parse(_ bytes: inout Slice<UnsafeRawBufferPointer>) throws(Breach) -> Event? {
        while !bytes.isEmpty || (stage == .payload && UInt64(taken) == length) {
            if stage == .payload {
                try takePayload(from: &bytes)
                guard UInt64(taken) == length else { return nil }
                if let event = try endFrame() { return event }
            } else {
                try takeHeader(bytes.removeFirst())
            }
        }
        return nil
    }

    /// Whether a message or a control frame has begun and is not complete.
    var isUnfinished: Bool { stage != .first || isWithinMessage }

    /// Returns the number of bytes of control frames and of empty fragments since the last call.
    mutating func takeOverhead() -> Int {
        defer { overhead = 0 }
        return Int(overhead)
    }

    // MARK: The header

    private mutating func takeHeader(_ byte: UInt8) throws(Breach) {
        if stage != .broken { headerBytes += 1 }
        switch stage {
        case .first:
            try takeFirst(byte)
        case .second:
            guard byte & 0x80 != 0 else {
                throw Breach(code: CloseCode.protocolError, reason: "frames must be masked")
            }
            try takeShortLength(byte & 0x7f)
        case .length:
            length = length << 8 | UInt64(byte)
            missing -= 1
            if missing == 0 { try endLongLength() }
        case .mask:
            mask = mask << 8 | UInt32(byte)
            missing -= 1
            if missing == 0 { stage = .payload }
        case .broken:
            throw Breach(code: CloseCode.protocolError, reason: "bytes after a breach")
        case .payload:
            preconditionFailure("a payload has no header")
        }
    }

    private mutating func takeFirst(_ byte: UInt8) throws(Breach) {
        guard byte & 0x70 == 0 else {
            throw Breach(code: CloseCode.protocolError, reason: "a reserved bit is set")
        }
        guard let opcode = Opcode(rawValue: byte & 0x0f) else {
            throw Breach(code: CloseCode.protocolError, reason: "unknown opcode")
        }
        isFinal = byte & 0x80 != 0
        switch opcode {
        case .close, .ping, .pong:
            guard isFinal else {
                throw Breach(code: CloseCode.protocolError, reason: "a control frame is fragmented")
            }
        case .text, .binary:
            guard !isWithinMessage else {
                throw Breach(code: CloseCode.protocolError, reason: "a message within a message")
            }
            guard opcode == .text || acceptsBinary else {
                throw Breach(code: CloseCode.unsupportedData, reason: "text only")
            }
            isBinary = opcode == .binary
        case .continuation:
            guard isWithinMessage else {
                throw Breach(code: CloseCode.protocolError, reason: "nothing to continue")
            }
        }
        self.opcode = opcode
        stage = .second
    }

    private var isControl: Bool { opcode.rawValue & 0x8 != 0 }

    private mutating func takeShortLength(_ short: UInt8) throws(Breach) {
        guard !isControl || short <= Self.longestControl else {
            throw Breach(code: CloseCode.protocolError, reason: "a control frame is too long")
        }
        length = 0
        switch short {
        case 126: (stage, missing) = (.length, 2)
        case 127: (stage, missing) = (.length, 8)
        default:
            length = UInt64(short)
            try beginMask()
        }
    }

    /// Checks a length of 2 or 8 bytes: "the minimal number of bytes MUST be used to encode the length", and
    /// "the most significant bit MUST be 0" (§5.2).
    private mutating func endLongLength() throws(Breach) {
        let isShort = headerBytes == 4
        guard isShort ? length >= 126 : (65_536...UInt64(Int64.max)).contains(length) else {
            throw Breach(code: CloseCode.protocolError, reason: "a length is not in its shortest form")
        }
        try beginMask()
    }

    private mutating func beginMask() throws(Breach) {
        if !isControl, length > UInt64(Int(longestMessage) - message.count) {
            throw Breach(code: CloseCode.tooBig, reason: "too big")
        }
        (stage, missing, mask, taken) = (.mask, 4, 0, 0)
    }

    // MARK: The payload

    private mutating func takePayload(from bytes: inout Slice<UnsafeRawBufferPointer>) throws(Breach) {
        let piece = bytes.prefix(Int(length) - Int(taken))
        bytes = bytes.dropFirst(piece.count)
        if isControl {
            control.reserveCapacity(Int(length))
        } else {
            message.reserveCapacity(message.count + piece.count)
        }
        for byte in piece {
            let plain = byte ^ UInt8(truncatingIfNeeded: mask >> (24 - 8 * (taken & 3)))
            taken += 1
            if isControl {
                control.append(plain)
            } else {
                guard isBinary || text.accepts(plain) else { throw Self.notText }
                message.append(plain)
            }
        }
    }

    private static let notText = Breach(code: CloseCode.invalidText, reason: "not UTF-8")

    private mutating func endFrame() throws(Breach) -> Event? {
        if isControl || length == 0 { overhead += UInt32(headerBytes) + UInt32(length) }
        (stage, headerBytes, taken, length) = (.first, 0, 0, 0)
        switch opcode {
        case .ping:
            defer { control = [] }
            return .ping(control)
        case .pong:
            control = []
            return .pong
        case .close:
            defer { control = [] }
            return .close(code: try Self.closeCode(of: control))
        case .text, .binary, .continuation:
            return try endFragment()
        }
    }

    private mutating func endFragment() throws(Breach) -> Event? {
        isWithinMessage = !isFinal
        fragments += 1
        guard isFinal else {
            guard fragments <= mostFragments else {
                throw Breach(code: CloseCode.policy, reason: "too many fragments")
            }
            return nil
        }
        guard text.isComplete else { throw Self.notText }
        defer { (message, fragments) = ([], 0) }
        return isBinary ? .binary(message) : .text(message)
    }

    /// Returns the code of a close frame, or 1005 if `payload` is empty.
    ///
    /// - Throws: if a close frame must not contain this code (§7.4), or if the reason is not UTF-8 (§5.5.1).
    private static func closeCode(of payload: [UInt8]) throws(Breach) -> UInt16 {
        guard !payload.isEmpty else { return CloseCode.noCode }
        guard payload.count >= 2 else {
            throw Breach(code: CloseCode.protocolError, reason: "half a close code")
        }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard CloseCode.maySend(code) else {
            throw Breach(code: CloseCode.protocolError, reason: "not a close code")
        }
        var reason = UTF8Sequence()
        guard payload.dropFirst(2).allSatisfy({ reason.accepts($0) }), reason.isComplete else {
            throw notText
        }
        return code
    }
}

/// Checks UTF-8 byte by byte (RFC 3629 §4), so that the first wrong byte is found as soon as it arrives.
struct UTF8Sequence {
    private var missing: UInt8 = 0
    /// The range of the next continuation byte. Only the first continuation byte of a character can have a
    /// smaller range than 0x80 to 0xbf.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xbf

    /// Whether the bytes so far end with a complete character.
    var isComplete: Bool { missing == 0 }

    /// Checks the next byte. Returns false if `byte` is not valid UTF-8 after the earlier bytes. Callers must
    /// not use this value after a false result.
    mutating func accepts(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= lowest, byte <= highest else { return false }
            (lowest, highest) = (0x80, 0xbf)
            missing -= 1
            return true
        }
        switch byte {
        case 0x00...0x7f: return true
        case 0xc2...0xdf: missing = 1
        case 0xe0: (missing, lowest) = (2, 0xa0)
        case 0xed: (missing, highest) = (2, 0x9f)
        case 0xe1...0xef: missing = 2
        case 0xf0: (missing, lowest) = (3, 0x90)
        case 0xf4: (missing, highest) = (3, 0x8f)
        case 0xf1...0xf3: missing = 3
        default: return false
        }
        return true
    }
}
