import Glibc
import Threads

/// One client's connection, and the request that is on it: HTTP/1 has no more than one at a time.
///
/// `@unchecked Sendable`: only the loop's thread reads or writes its fields. A task that answers a request
/// carries the reference and a number back to the loop's inbox, and never looks inside.
final class Connection: @unchecked Sendable {
    enum Phase {
        /// Nothing of a request has been read, or not all of its first line.
        case idle
        /// Its target is known, its headers are arriving.
        case head
        /// Its body is arriving, and kept.
        case body
        /// Its body is arriving, and thrown away; the answer is known.
        case refusedBody
        /// The library has suspended it; a task is at work.
        case suspended
        /// The answer is in the library's hands.
        case answering
    }

    let descriptor: CInt
    let peer: String
    /// Whether it may carry another request after an answer.
    let keepsAlive: Bool
    /// What its owner wants to be alive as long as this is.
    private let holding: (any AnyObject & Sendable)?
    /// The library's `struct MHD_Connection`, valid until it announces the end of the connection.
    let library: OpaquePointer
    /// Its place in the loop's list.
    var index = 0
    var phase = Phase.idle
    /// Against which `HTTPLoop` holds the clock; nil while the next step is ours.
    var deadline: Nanoseconds?
    /// Tells a late answer from one to the present request.
    var serial: UInt64 = 0
    var begunAt: Nanoseconds = 0
    /// As sent. Its storage lasts as long as the connection.
    var target: [UInt8] = []
    /// Where the library keeps it; for comparing only.
    var targetAddress: UInt = 0
    var head: HTTPRequestHead?
    var body: [UInt8] = []
    var bodyLimit = 0
    /// What the responder found out of the head.
    var finding: (any AnyObject & Sendable)?
    var swallowed = 0
    /// To be given to the library at the request's final call.
    var answer: HTTPResponse?
    /// Of a body in chunks.
    var chunks: ChunkFraming?
    /// Whether it ends with this request, by its answer or otherwise.
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
        finding = nil
        body = []
        chunks = nil
        swallowed = 0
        answer = nil
        status = nil
        answerBytes = 0
        tag = ""
    }

    /// Ends both directions; the library notices, and closes. Closing here would take the descriptor from
    /// under it.
    func sever() {
        isLast = true
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Whether this side closed the connection before the client did.
    ///
    /// A client may close as soon as it sees that we have, so that the kernel's state tells the order and not
    /// the end of the stream. After both ends, or a reset, the state is CLOSE and tells nothing: then a
    /// connection counts only if it brought bytes and no whole first line.
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
