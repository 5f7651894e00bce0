/// A packet of Socket.IO, <https://github.com/socketio/socket.io-protocol>: of protocol 5 (on Engine.IO 4),
/// and of protocol 4 (on Engine.IO 3), which has the same form.
package struct SocketPacket: Hashable, Sendable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        case connect = 0
        case disconnect, event, ack
        /// CONNECT_ERROR, or ERROR of protocol 4.
        case error
        case binaryEvent, binaryAck
    }

    package let kind: Kind
    package let namespace: String
    /// The number of the acknowledgement that the sender wants or gives; nil for none.
    package let id: Int?
    /// The number of binary messages that follow.
    package let attachments: Int
    /// JSON, or nothing.
    package let payload: [UInt8]

    /// The longest name of a namespace in bytes, and the most attachments of a packet.
    package static let longestNamespace = 200
    package static let mostAttachments = 16

    package init(
        _ kind: Kind, in namespace: String = "/", id: Int? = nil, attachments: Int = 0,
        _ payload: [UInt8] = []
    ) {
        (self.kind, self.namespace, self.id, self.attachments) = (kind, namespace, id, attachments)
        self.payload = payload
    }

    /// Reads the data of an Engine.IO message. Returns nil if it is malformed. `payload` may still be no
    /// JSON.
    package init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard let digit = rest.popFirst(), digit >= UInt8(ascii: "0"),
            let kind = Kind(rawValue: digit - UInt8(ascii: "0"))
        else { return nil }
        var attachments = 0
        if kind.isBinary {
            guard let count = Self.number(&rest), count <= Self.mostAttachments,
                rest.popFirst() == UInt8(ascii: "-")
            else { return nil }
            attachments = count
        }
        var namespace = "/"
        if rest.first == UInt8(ascii: "/") {
            let text = rest.prefix { $0 != UInt8(ascii: ",") }
            guard text.count <= Self.longestNamespace else { return nil }
            // Clients of protocol 4 add a query to the name.
            namespace = String(decoding: text.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
            rest = rest.dropFirst(text.count + 1)
        }
        var id: Int?
        if let first = rest.first, Self.isDigit(first) {
            guard let number = Self.number(&rest) else { return nil }
            id = number
        }
        self.init(kind, in: namespace, id: id, attachments: attachments, Array(rest))
    }

    /// The data of the Engine.IO message.
    package var bytes: [UInt8] {
        var text = "\(kind.rawValue)"
        if kind.isBinary { text += "\(attachments)-" }
        if namespace != "/" { text += "\(namespace)," }
        if let id { text += "\(id)" }
        return Array(text.utf8) + payload
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Reads a number of one to fifteen digits.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix(while: isDigit)
        guard (1...15).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

extension SocketPacket.Kind {
    package var isBinary: Bool { self == .binaryEvent || self == .binaryAck }
}

/// Collects a packet and its binary attachments.
package struct PacketAssembly: Sendable {
    package enum Outcome: Sendable, Equatable {
        case incomplete
        case complete(SocketPacket, [[UInt8]])
        /// The client broke the protocol.
        case malformed
    }

    /// The most bytes of the attachments of one packet.
    package static let mostBytes = 65_536

    private var packet: SocketPacket?
    private var attachments: [[UInt8]] = []
    private var bytes = 0

    package init() {}

    /// Adds an Engine.IO message.
    package mutating func add(_ message: EnginePacket) -> Outcome {
        guard message.isBinary else {
            guard packet == nil, let next = SocketPacket(message.data) else { return .malformed }
            guard next.attachments > 0 else { return .complete(next, []) }
            packet = next
            return .incomplete
        }
        bytes += message.data.count
        guard let waiting = packet, bytes <= Self.mostBytes else { return .malformed }
        attachments.append(message.data)
        guard attachments.count == waiting.attachments else { return .incomplete }
        defer { (packet, attachments, bytes) = (nil, [], 0) }
        return .complete(waiting, attachments)
    }
}
