/// The length of a request's body, as the headers define it (RFC 9112 §6.3). Every ambiguity is refused.
/// Otherwise a proxy and this server could read a request differently, and a client could smuggle a second
/// request past the proxy.
enum MessageFraming: Equatable {
    case none
    case length(UInt64)
    case chunked

    /// The reason why the headers do not define a length.
    enum Fault: Error, Equatable {
        /// There are several lengths, a length together with a transfer coding, or a length that does not
        /// have 1 to 18 digits.
        case ambiguousLength
        /// The transfer coding is not exactly one `chunked`, or an HTTP/1.0 request has a transfer coding.
        case unsupportedCoding
    }

    init(_ headers: HTTPHeaders, isHTTP10: Bool) throws(Fault) {
        let codings = headers.count(of: "transfer-encoding")
        if codings > 0 {
            guard headers.count(of: "content-length") == 0 else { throw .ambiguousLength }
            guard codings == 1, !isHTTP10, headers.first("transfer-encoding")?.lowercased() == "chunked"
            else { throw .unsupportedCoding }
            self = .chunked
        } else if let text = headers.first("content-length") {
            guard headers.count(of: "content-length") == 1, (1...18).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let length = UInt64(text)
            else { throw .ambiguousLength }
            self = length == 0 ? .none : .length(length)
        } else {
            self = .none
        }
    }
}

/// Checks the chunk lines of a body against RFC 9112 §7.1. A chunk has a size of hexadecimal digits, CRLF,
/// the data, and CRLF.
///
/// libmicrohttpd also accepts chunk extensions and lines that end with a single LF, and has no option to
/// reject them. It parses in place and passes each chunk of a read without copying, so the chunk lines are
/// the bytes between two pieces. A line at the end of a read is overwritten before its data arrive, so this
/// check cannot see the line if the client splits its packets there. A client gains nothing by this, because
/// no other server reads the same bytes after this one.
struct ChunkFraming {
    /// The memory address at which the bytes of each read begin, after the rest of the previous read.
    private let start: UInt
    /// The number of the read that delivered the last piece of data. `end` is the address after that piece.
    private var turn: Int?
    private var end: UInt = 0

    /// - Parameter start: the memory address after the blank line of the head.
    init(start: UInt) { self.start = start }

    private static let mostDigits = 16
    /// The length of two line ends with the longest size between them, in bytes.
    private static let longestGap = UInt(mostDigits + 4)

    /// - Parameters:
    ///   - piece: a piece of the body in the memory of libmicrohttpd.
    ///   - turn: the number of the loop's iteration. libmicrohttpd reads a socket at most once per iteration.
    /// - Returns: false if the visible chunk lines before `piece` do not have the strict form.
    mutating func accepts(_ piece: UnsafeRawBufferPointer, in turn: Int) -> Bool {
        guard let address = piece.baseAddress else { return true }
        let begins = UInt(bitPattern: address)
        let isFirst = self.turn == nil
        let isSameRead = self.turn == turn
        let gapStart = isSameRead ? end : start
        self.turn = turn
        end = begins + UInt(piece.count)
        guard begins > gapStart else { return true }
        let size = begins - gapStart
        // A longer gap cannot contain a strict line. The gap is not read, because its memory may not belong
        // to the body.
        guard size <= Self.longestGap, let gap = UnsafeRawPointer(bitPattern: gapStart) else { return false }
        var bytes = UnsafeRawBufferPointer(start: gap, count: Int(size))[...]
        let hasLineEnd = Self.takeLineEnd(&bytes)
        // The line end of the previous chunk may have arrived with an earlier read.
        guard isSameRead ? hasLineEnd : !(isFirst && hasLineEnd) else { return false }
        return Self.takeSize(&bytes) && Self.takeLineEnd(&bytes) && bytes.isEmpty
    }

    /// Checks the line of the last chunk, when the body is complete.
    /// - Returns: false if the last chunk arrived with the last piece of data and its line is malformed.
    func acceptsEnd(in turn: Int) -> Bool {
        guard self.turn == turn, let end = UnsafeRawPointer(bitPattern: end) else { return true }
        // libmicrohttpd has read at least a line end, a zero and another line end here. Each byte therefore
        // exists if the byte before it matches.
        var offset = 0
        func next() -> UInt8 {
            defer { offset += 1 }
            return end.load(fromByteOffset: offset, as: UInt8.self)
        }
        var byte = next()
        let hasReturn = byte == Self.carriageReturn
        if hasReturn { byte = next() }
        guard byte == Self.lineFeed else { return true }
        byte = next()
        guard byte == UInt8(ascii: "0") else { return true }
        while byte == UInt8(ascii: "0"), offset < Self.mostDigits { byte = next() }
        // libmicrohttpd may have moved the next request to this address, so only bytes that cannot belong to
        // a request are rejected.
        return switch byte {
        case UInt8(ascii: ";"), Self.lineFeed: false
        case Self.carriageReturn: hasReturn
        default: true
        }
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    private static func takeLineEnd(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        guard bytes.starts(with: [carriageReturn, lineFeed]) else { return false }
        bytes = bytes.dropFirst(2)
        return true
    }

    private static func takeSize(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let digits = bytes.prefix { PercentCoding.digit($0) != nil }.count
        bytes = bytes.dropFirst(digits)
        return (1...mostDigits).contains(digits)
    }
}
