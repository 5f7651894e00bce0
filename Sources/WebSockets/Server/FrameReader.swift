/// Reads the frames of one client (RFC 6455 §5.2), in pieces of any size. A pure value: bytes go in, events
/// come out. A breach of the protocol is thrown with its close code (§7.4.1).
///
/// The parser of libwebsockets 4.1.6 is not used, because it breaks RFC 6455 (docs/decisions/0031).
struct FrameReader {
    enum Event: Equatable {
        /// A whole message: fragments joined, UTF-8.
        case text([UInt8])
        case ping([UInt8])
        case pong
        /// `code` is 1005 if the client gave none.
        case close(code: UInt16)
    }

    struct Breach: Error, Equatable {
        let code: UInt16
        let reason: String
    }

    private enum Stage { case first, second, length, mask, payload }

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

    /// Bytes that came beside messages since the last `takeOverhead`: control frames, and fragments without a
    /// payload.
    private var overhead = 0
    private var stage = Stage.first
    private var opcode = Opcode.continuation
    private var isFinal = false
    /// Bytes of the length or the mask that are still to come.
    private var missing = 0
    private var length: UInt64 = 0
    private var mask: UInt32 = 0
    private var headerBytes = 0
    /// Bytes of the payload that have come.
    private var taken = 0
    private var control: [UInt8] = []
    private var message: [UInt8] = []
    private var fragments = 0
    private var isWithinMessage = false
    private var text = UTF8Sequence()
    private let longestMessage: Int
    private let mostFragments: Int

    init(longestMessage: Int, mostFragments: Int) {
        (self.longestMessage, self.mostFragments) = (longestMessage, mostFragments)
    }

    /// The next event in `bytes`, which are moved on past it; nil when all of them have been read.
    /// - Throws: the first breach. Nothing may be read after it.
    mutating func next(in bytes: inout Slice<UnsafeRawBufferPointer>) throws(Breach) -> Event? {
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

    /// Returns the bytes that came beside messages since the last call.
    mutating func takeOverhead() -> Int {
        defer { overhead = 0 }
        return overhead
    }

    // MARK: The header

    private mutating func takeHeader(_ byte: UInt8) throws(Breach) {
        headerBytes += 1
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
            guard opcode == .text else { throw Breach(code: CloseCode.unsupportedData, reason: "text only") }
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

    /// "The minimal number of bytes MUST be used to encode the length", and "the most significant bit MUST be
    /// 0" (§5.2).
    private mutating func endLongLength() throws(Breach) {
        let isShort = headerBytes == 4
        guard isShort ? length >= 126 : (65_536...UInt64(Int64.max)).contains(length) else {
            throw Breach(code: CloseCode.protocolError, reason: "a length is not in its shortest form")
        }
        try beginMask()
    }

    private mutating func beginMask() throws(Breach) {
        if !isControl, length > UInt64(longestMessage - message.count) {
            throw Breach(code: CloseCode.tooBig, reason: "too big")
        }
        (stage, missing, mask, taken) = (.mask, 4, 0, 0)
    }

    // MARK: The payload

    private mutating func takePayload(from bytes: inout Slice<UnsafeRawBufferPointer>) throws(Breach) {
        let piece = bytes.prefix(Int(length) - taken)
        bytes = bytes.dropFirst(piece.count)
        if isControl {
            control.reserveCapacity(Int(length))
        } else {
            message.reserveCapacity(message.count + piece.count)
        }
        for byte in piece {
            let plain = byte ^ UInt8(truncatingIfNeeded: mask >> (24 - 8 * UInt32(taken & 3)))
            taken += 1
            if isControl {
                control.append(plain)
            } else {
                guard text.accepts(plain) else { throw Self.notText }
                message.append(plain)
            }
        }
    }

    private static let notText = Breach(code: CloseCode.invalidText, reason: "not UTF-8")

    private mutating func endFrame() throws(Breach) -> Event? {
        if isControl || length == 0 { overhead += headerBytes + Int(length) }
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
        return .text(message)
    }

    /// §5.5.1 and §7.4: no body, or a code that may be sent, and a reason in UTF-8.
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

/// Whether bytes are UTF-8, judged one by one as they come (RFC 3629 §4), so that the first wrong byte is
/// found at once.
struct UTF8Sequence {
    private var missing = 0
    /// What the next continuation byte may be; only the first one of a character is limited further.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xbf

    /// Whether no character is cut short here.
    var isComplete: Bool { missing == 0 }

    /// False if `byte` cannot follow; nothing may be asked after that.
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
