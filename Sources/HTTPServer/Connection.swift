import Glibc
import Threads

/// A client's connection and its request. HTTP/1 has at most one request at a time.
///
/// `@unchecked Sendable`: only the loop's thread reads or writes its fields. A task that answers a request
/// only carries the reference and a serial number to the loop's inbox.
final class Connection: @unchecked Sendable {
    enum Phase {
        /// The request line has not been read completely.
        case idle
        /// The target is known, and the headers are arriving.
        case head
        /// The body is arriving and is stored.
        case body
        /// The body is arriving and is ignored; the response is known.
        case refusedBody
        /// The library has suspended the connection, and a task is at work.
        case suspended
        /// The library is sending the response.
        case answering
    }

    let descriptor: CInt
    let peer: String
    /// Whether another request may follow a response.
    let keepsAlive: Bool
    /// An object of the owner that lives as long as the connection.
    private let holding: (any AnyObject & Sendable)?
    /// The library's `struct MHD_Connection`, valid until it announces the end of the connection.
    let library: OpaquePointer
    /// The index in `HTTPLoop.connections`.
    var index = 0
    var phase = Phase.idle
    /// The client must act before this moment; nil while the server must act.
    var deadline: Nanoseconds?
    /// The number of the request. It tells a late response from one to the present request.
    var serial: UInt64 = 0
    var begunAt: Nanoseconds = 0
    /// As sent. The storage is used again for the next request.
    var target: [UInt8] = []
    /// The address of the target in the library; only compared, never read.
    var targetAddress: UInt = 0
    var head: HTTPRequestHead?
    var body: [UInt8] = []
    var bodyLimit = 0
    /// The object that the responder returned with its admission.
    var context: (any AnyObject & Sendable)?
    /// The number of ignored bytes of the body.
    var swallowed = 0
    /// The library gets it at the final call of the access handler.
    var answer: HTTPResponse?
    /// Nil unless the body comes in chunks.
    var chunks: ChunkFraming?
    /// Whether the connection ends with this request.
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

    /// The library has read a request line.
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

    /// The request is over.
    func end() {
        phase = .idle
        head = nil
        context = nil
        body = []
        chunks = nil
        swallowed = 0
        answer = nil
        status = nil
        answerBytes = 0
        tag = ""
    }

    /// Ends both directions. The library then closes the socket, because it owns the descriptor.
    func sever() {
        isLast = true
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Whether this side closed the connection before the client did.
    ///
    /// A client may close as soon as it sees our close, so that only the kernel's state tells the order.
    /// After both ends have closed, or a reset, the state is CLOSE and tells nothing: then a connection
    /// counts only if it brought bytes but no whole request line.
    var wasClosedHereFirst: Bool {
        var info = [UInt8](repeating: 0, count: Self.infoBytes)
        var length = socklen_t(info.count)
        guard getsockopt(descriptor, CInt(IPPROTO_TCP), Self.tcpInfo, &info, &length) == 0,
            length == info.count
        else { return false }
        return switch info[0] {
        case Self.closeWait, Self.lastAcknowledgement: false
        // The end of the stream may count as one byte.
        case Self.closed:
            serial == 0
                && info.withUnsafeBytes { $0.load(fromByteOffset: Self.bytesReceived, as: UInt64.self) } > 1
        default: true
        }
    }

    // Linux's `struct tcp_info` (linux/tcp.h), which only ever grows: `tcpi_state` is its first byte,
    // `tcpi_bytes_received` at 128. The states are those of net/tcp_states.h. Swift sees neither header
    // beside Glibc.
    private static let tcpInfo: CInt = 11
    private static let infoBytes = 136
    private static let bytesReceived = 128
    private static let closed: UInt8 = 7
    private static let closeWait: UInt8 = 8
    private static let lastAcknowledgement: UInt8 = 9
}
