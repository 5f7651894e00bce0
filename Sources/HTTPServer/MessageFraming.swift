/// The length of a request's body by its headers (RFC 9112 §6.3). Every ambiguity is refused: if two parsers
/// in a row read a request differently, a client can smuggle another request.
enum MessageFraming: Equatable {
    case none
    case length(UInt64)
    case chunked

    /// The fault of the headers.
    enum Fault: Error, Equatable {
        /// Several lengths, a length beside a transfer coding, or a length that is not 1 to 18 digits.
        case ambiguousLength
        /// A transfer coding other than one `chunked`, or any with HTTP/1.0.
        case unsupportedCoding
    }

    init(_ headers: HTTPHeaders, isHTTP10: Bool) throws(Fault) {
        let (codings, lengths) = (headers.count(of: "transfer-encoding"), headers.count(of: "content-length"))
        if codings > 0 {
            guard lengths == 0 else { throw .ambiguousLength }
            guard codings == 1, !isHTTP10, headers.first("transfer-encoding")?.lowercased() == "chunked"
            else { throw .unsupportedCoding }
            self = .chunked
        } else if let text = headers.first("content-length") {
            guard lengths == 1, (1...18).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let length = UInt64(text)
            else { throw .ambiguousLength }
            self = length == 0 ? .none : .length(length)
        } else {
            self = .none
        }
    }
}

/// Checks the chunk lines of a body against RFC 9112 §7.1: a size of hexadecimal digits, CRLF, the data,
/// CRLF.
///
/// The library also accepts lines that end in a lone LF, and chunk extensions, and has no option against
/// them. It parses in place and passes each chunk of a read without copying, so the chunk lines are the bytes
/// between two pieces. A line at the end of a read has been overwritten when its data arrive, so a client can
/// hide it by splitting its packets there. That gains nothing, because no server behind this one reads the
/// same bytes.
struct ChunkFraming {
    /// The address at which each read of the socket begins, after the rest of the previous read.
    private let start: UInt
    /// The read in which the last piece of data came, and where it ended.
    private var turn: Int?
    private var end: UInt = 0

    /// - Parameter start: behind the blank line of the head.
    init(start: UInt) { self.start = start }

    private static let mostDigits = 16
    /// Two line ends and the longest size between them.
    private static let longestGap = UInt(mostDigits + 4)

    /// - Parameters:
    ///   - piece: of the body, where the library keeps it.
    ///   - turn: counts the reads; the library reads a socket at most once in a turn of the loop.
    /// - Returns: false if the lines before `piece` are not in their strict form, as far as they can be seen.
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
        // A longer gap cannot be a strict line, and it is not read, because its memory may not belong to the
        // body.
        guard size <= Self.longestGap, let gap = UnsafeRawPointer(bitPattern: gapStart) else { return false }
        var bytes = UnsafeRawBufferPointer(start: gap, count: Int(size))[...]
        let hasLineEnd = Self.takeLineEnd(&bytes)
        // The end of the chunk before may have come with an earlier read.
        guard isSameRead ? hasLineEnd : !(isFirst && hasLineEnd) else { return false }
        return Self.takeSize(&bytes) && Self.takeLineEnd(&bytes) && bytes.isEmpty
    }

    /// The body is over.
    /// - Returns: false if the last chunk came with the last piece of data and its line is known to be
    ///   sloppy.
    func acceptsEnd(in turn: Int) -> Bool {
        guard self.turn == turn, let end = UnsafeRawPointer(bitPattern: end) else { return true }
        // The library has read at least a line end, a zero and another line end here, so that each byte
        // exists if the one before it fits.
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
        // The next request may have been moved here, so only bytes that cannot belong to it are rejected.
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
