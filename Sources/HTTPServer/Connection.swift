import Glibc
import Threads

/// A client's connection and its current request. An HTTP/1 connection has at most one request at a time.
///
/// `@unchecked Sendable`: only the loop's thread reads or writes the fields. A task that answers a request
/// only passes the reference and a serial number to the loop's inbox.
final class Connection: @unchecked Sendable {
    enum Phase {
        /// libmicrohttpd has not yet read a complete request line.
        case idle
        /// The target is known, and the headers are arriving.
        case head
        /// libmicrohttpd has suspended the connection before the body, while a task checks the request.
        case checking
        /// The check has ended, and libmicrohttpd is about to call the access handler again.
        case checked
        /// The body is arriving and is stored.
        case body
        /// The body is arriving and is ignored, because the request is already refused.
        case refusedBody
        /// libmicrohttpd has suspended the connection while a task prepares the response.
        case suspended
        /// libmicrohttpd is sending the response.
        case answering
    }

    let descriptor: CInt
    let peer: String
    /// Whether the client may send another request after a response.
    let keepsAlive: Bool
    /// An object of the server's owner, which is retained as long as the connection exists.
    private let holding: (any AnyObject & Sendable)?
    /// The `struct MHD_Connection` of libmicrohttpd. It is valid until libmicrohttpd reports the end of the
    /// connection.
    let library: OpaquePointer
    /// The index in `HTTPLoop.connections`.
    var index = 0
    var phase = Phase.idle
    /// The time before which the client must act. Nil while the client waits for the server.
    var deadline: Nanoseconds?
    /// The number of the current request on this connection. A response to an earlier request has a smaller
    /// number and is discarded.
    var serial: UInt64 = 0
    var begunAt: Nanoseconds = 0
    /// The request target, as the client sent it. The next request uses the same storage.
    var target: [UInt8] = []
    /// The memory address of the target in libmicrohttpd. The loop only compares this address, and never
    /// reads from it.
    var targetAddress: UInt = 0
    var head: HTTPRequestHead?
    var body: [UInt8] = []
    var bodyLimit = 0
    /// Whether the response waits for news.
    var waits = false
    /// Whether the response takes little time to compute.
    var isShort = false
    /// The number of bytes of the body that are counted in a share (`BodyShares`).
    var sharedBytes = 0
    /// The length of the body that the head announced; nil if the body is chunked.
    var announced: UInt64?
    /// The object that the responder returned when it admitted the request.
    var context: (any AnyObject & Sendable)?
    /// The number of bytes of the body that were read and ignored.
    var swallowed = 0
    /// The response, which the loop queues at the final call of the access handler.
    var answer: HTTPResponse?
    /// The check of the chunk lines. Nil unless the body is chunked.
    var chunks: ChunkFraming?
    /// Whether the connection ends after this request.
    var isLast = false
    var status: Int?
    var answerBytes = 0
    var tag = ""

    init(_ arrival: HTTPLoopMessage.Arrival, library: OpaquePointer) {
        (descriptor, peer, keepsAlive, holding) = (
            arrival.descriptor, arrival.peer, arrival.keepsAlive, arrival.holding
        )
        self.library = library
    }

    /// The greatest size that the body can have, in bytes.
    var largestBody: UInt64 { announced ?? UInt64(bodyLimit) }

    /// Whether the client has sent bytes that libmicrohttpd has not read yet.
    var hasUnreadBytes: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) > 0
    }

    /// Begins a request. The loop calls this function when libmicrohttpd has read a request line.
    func begin(target uri: UnsafePointer<CChar>?, at now: Nanoseconds) {
        serial += 1
        phase = .head
        begunAt = now
        targetAddress = UInt(bitPattern: uri)
        target.removeAll(keepingCapacity: true)
        if let uri {
            target.append(contentsOf: UnsafeRawBufferPointer(start: uri, count: strlen(uri)))
        }
    }

    /// Resets the state of the request, when the request has ended.
    func end() {
        phase = .idle
        head = nil
        context = nil
        body = []
        bodyLimit = 0
        waits = false
        isShort = false
        announced = nil
        chunks = nil
        swallowed = 0
        answer = nil
        status = nil
        answerBytes = 0
        tag = ""
    }

    /// Shuts both directions of the socket down. libmicrohttpd then closes the socket, because it owns the
    /// descriptor.
    func sever() {
        isLast = true
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Whether the server closed the connection before the client did.
    ///
    /// A client may close as soon as it sees that the server has closed, so only the kernel's TCP state shows
    /// the order. After both sides have closed, or after a reset, the state is CLOSE and does not show the
    /// order. In this case, the result is true only if the client sent bytes but no complete request line.
    var wasClosedHereFirst: Bool {
        var info = [UInt8](repeating: 0, count: Self.infoBytes)
        var length = socklen_t(info.count)
        guard getsockopt(descriptor, CInt(IPPROTO_TCP), Self.tcpInfo, &info, &length) == 0,
            length == info.count
        else { return false }
        return switch info[0] {
        case Self.closeWait, Self.lastAcknowledgement: false
        // The kernel may count the end of the stream as one byte.
        case Self.closed:
            serial == 0
                && info.withUnsafeBytes { $0.load(fromByteOffset: Self.bytesReceived, as: UInt64.self) } > 1
        default: true
        }
    }

    // Constants for Linux's `struct tcp_info` (linux/tcp.h). New kernels only append fields to this struct.
    // `tcpi_state` is the first byte, and `tcpi_bytes_received` has the offset 128. The states are from
    // net/tcp_states.h. The constants are repeated here, because Swift cannot import these headers together
    // with Glibc.
    private static let tcpInfo: CInt = 11
    private static let infoBytes = 136
    private static let bytesReceived = 128
    private static let closed: UInt8 = 7
    private static let closeWait: UInt8 = 8
    private static let lastAcknowledgement: UInt8 = 9
}
