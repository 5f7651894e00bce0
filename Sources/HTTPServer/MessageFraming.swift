/// How long a request's body is, by its headers (RFC 9112 §6.3), with every ambiguity refused: two parsers in
/// a row that read one differently are how requests are smuggled.
enum MessageFraming: Equatable {
    case none
    case length(UInt64)
    case chunked

    /// What is wrong with the headers.
    enum Fault: Error, Equatable {
        /// Several lengths, one beside a transfer coding, or one that is not 1 to 18 digits.
        case ambiguousLength
        /// Anything but one `chunked`, or with HTTP/1.0.
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
