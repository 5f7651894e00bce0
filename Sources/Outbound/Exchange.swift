internal import CCurl
internal import Synchronization

/// One request and the response that libcurl collects for it.
///
/// `@unchecked Sendable`: `outcome` has its own lock, and `request` and `number` never change. Only the
/// loop's thread uses the other fields. That thread receives the exchange through the loop's inbox.
final class Exchange: @unchecked Sendable {
    let request: OutboundRequest
    let number: UInt64
    private let outcome: Mutex<CheckedContinuation<Result<OutboundResponse, TransportError>, Never>?>

    // Only the loop's thread uses the following properties.
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var headerList: UnsafeMutablePointer<curl_slist>?
    var overflowed = false
    var addressWasRefused = false
    /// The commands and replies of an SMTP server.
    var dialogue = SMTPDialogue()
    /// The recipients of a mail for libcurl, and the number of bytes that it has taken of the mail.
    var recipientList: UnsafeMutablePointer<curl_slist>?
    var sentBytes = 0
    let errorText: UnsafeMutablePointer<CChar>

    /// The largest body of a response if the request has no limits, in bytes. The largest responses of this
    /// project are images of 5 MB.
    static let mostBytes = 16 << 20

    init(
        _ request: OutboundRequest, number: UInt64,
        continuation: CheckedContinuation<Result<OutboundResponse, TransportError>, Never>
    ) {
        self.request = request
        self.number = number
        outcome = Mutex(continuation)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { errorText.deallocate() }

    /// Resumes the waiting task with the result. Only the first call has an effect. Any thread may call this
    /// function.
    func finish(_ result: Result<OutboundResponse, TransportError>) {
        let continuation = outcome.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: result)
    }

    /// Appends bytes to the body. Returns false if the body would become too large.
    func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard body.count + bytes.count <= request.limits?.mostBytes ?? Self.mostBytes else {
            if request.limits?.ignoresRest == true { return true }
            overflowed = true
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Stores one header line. libcurl passes each complete line of each response, including the status line
    /// (CURLOPT_HEADERFUNCTION(3)). A status line removes all stored headers, because a 100 response or a
    /// redirect can come before the final response.
    func takeHeader(_ line: String) {
        if request.mail != nil { return dialogue.received(line) }
        if line.hasPrefix("HTTP/") {
            headers = [:]
        } else if let colon = line.firstIndex(of: ":") {
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].trimmed)
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0.isWhitespace }
        return start[
            ..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
    }
}

/// The callback that receives pieces of a body. If the result differs from the given size, libcurl stops the
/// transfer (CURLOPT_WRITEFUNCTION(3)).
nonisolated func takeResponseBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    return bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
        exchange.takeBody(UnsafeBufferPointer(start: $0, count: size * count)) ? size * count : 0
    }
}

nonisolated func takeResponseHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
        exchange.takeHeader(
            String(decoding: UnsafeBufferPointer(start: $0, count: size * count), as: UTF8.self))
    }
    return size * count
}

/// The callback that opens a socket if the request's limits allow the address. libcurl calls it before it
/// connects to any address, including the addresses of redirects (CURLOPT_OPENSOCKETFUNCTION(3)). If the
/// result is CURL_SOCKET_BAD (-1), libcurl tries the next address of the host name, or fails.
nonisolated func openCheckedSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address else { return -1 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Int(qring_curl_address(address, &bytes))
    guard exchange.request.limits?.allows(Array(bytes.prefix(count))) ?? false else {
        exchange.addressWasRefused = true
        return -1
    }
    return qring_curl_open(address)
}
