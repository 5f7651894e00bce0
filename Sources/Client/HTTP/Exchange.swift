internal import CCurl
internal import Synchronization

/// One request on its way: libcurl's handle writes the answer here.
///
/// `@unchecked Sendable`: everything but `outcome` and `request` is touched by the loop's thread alone, which
/// it reaches through the loop's locked inbox; `outcome` has a lock of its own.
final class Exchange: @unchecked Sendable {
    let request: HTTPRequest
    let number: UInt64
    private let outcome: Mutex<CheckedContinuation<Result<HTTPAnswer, TransportError>, Never>?>

    // The loop's thread alone:
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var headerList: UnsafeMutablePointer<curl_slist>?
    var overflowed = false
    var addressWasRefused = false
    let errorText: UnsafeMutablePointer<CChar>

    /// Images are the largest answers, 5 MB at most.
    static let mostBytes = 16 << 20

    init(
        _ request: HTTPRequest, number: UInt64,
        continuation: CheckedContinuation<Result<HTTPAnswer, TransportError>, Never>
    ) {
        self.request = request
        self.number = number
        outcome = Mutex(continuation)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { errorText.deallocate() }

    /// The first call answers; later ones do nothing.
    func finish(_ result: Result<HTTPAnswer, TransportError>) {
        let continuation = outcome.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: result)
    }

    func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard body.count + bytes.count <= request.outside?.mostBytes ?? Self.mostBytes else {
            overflowed = true
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// CURLOPT_HEADERFUNCTION(3): called once for each complete line, the status line of every answer among
    /// them; a 100 Continue comes before the real one, so that a new status line starts over.
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

/// CURLOPT_WRITEFUNCTION(3): returning another number than was given stops the transfer.
nonisolated func takeAnswerBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    return bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
        exchange.takeBody(UnsafeBufferPointer(start: $0, count: size * count)) ? size * count : 0
    }
}

nonisolated func takeAnswerHeader(
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

/// CURLOPT_OPENSOCKETFUNCTION(3): called for each address that libcurl is about to connect to, those of
/// redirects included; the socket is for that very address. CURL_SOCKET_BAD "signals an unrecoverable error",
/// and libcurl tries the name's next address, or fails.
nonisolated func openOutsideSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address else { return -1 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Int(qring_curl_address(address, &bytes))
    guard exchange.request.outside?.allows(Array(bytes.prefix(count))) ?? false else {
        exchange.addressWasRefused = true
        return -1
    }
    return qring_curl_open(address)
}
