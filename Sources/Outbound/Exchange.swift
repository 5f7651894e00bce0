internal import CCurl
internal import Synchronization

/// One request and the response that libcurl collects for it.
///
/// `@unchecked Sendable`: `outcome` has its own lock, and `request` and `number` never change. All other
/// fields belong to the loop's thread, which receives the exchange through the loop's inbox.
final class Exchange: @unchecked Sendable {
    let request: OutboundRequest
    let number: UInt64
    private let outcome: Mutex<CheckedContinuation<Result<OutboundResponse, TransportError>, Never>?>

    // These belong to the loop's thread:
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var headerList: UnsafeMutablePointer<curl_slist>?
    var overflowed = false
    var addressWasRefused = false
    let errorText: UnsafeMutablePointer<CChar>

    /// The largest body without limits. Images are the largest responses of this project, with 5 MB.
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

    /// Gives the result to the waiting task. Only the first call has an effect. Any thread may call this.
    func finish(_ result: Result<OutboundResponse, TransportError>) {
        let continuation = outcome.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: result)
    }

    /// Returns false if the body has become too large.
    func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard body.count + bytes.count <= request.limits?.mostBytes ?? Self.mostBytes else {
            overflowed = true
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Stores one header line. libcurl calls this for each complete line of each response, also for the status
    /// line (CURLOPT_HEADERFUNCTION(3)). A status line starts over, because a 100 or a redirect comes before
    /// the real response.
    func takeHeader(_ line: String) {
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

/// Returning another number than the given size stops the transfer (CURLOPT_WRITEFUNCTION(3)).
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

/// Opens the socket for an address, if the request's limits allow that address. libcurl calls this for each
/// address before it connects, also for those of redirects (CURLOPT_OPENSOCKETFUNCTION(3)). After
/// CURL_SOCKET_BAD it tries the name's next address, or fails.
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
