import HTTPServer
import Journal
import Meetings
import Rooms
import SocketIO
import Synchronization
import WebSockets
import Wire

/// Clients of Socket.IO. Each has one visitor, and gets the frames of the rooms as events `frame`.
extension RoomConnections {
    /// The path of Engine.IO.
    static let socketIOPath = "/socket.io/"

    /// Begins the session of a new connection, if it has one.
    func beganSocketIO(_ connection: WebSocketConnection, _ request: UpgradeHead) {
        let origin = Origin.of(services.proxies.client(of: request))
        guard let session = services.engine.opened(connection, request: request, from: origin) else { return }
        let visitor = Visitor(
            language: Self.language(of: request), from: origin, session.connection, at: services.clock.now,
            socket: SocketState(session.version))
        session.context = visitor
        enter(visitor)
        let query = HTTPRequestHead(request).query
        let token =
            AccessCheck.bearer(in: request[header: "authorization"])
            ?? query.first { $0.name == "token" }?.value
        if let token {
            visitor.enqueue { await self.authorize(visitor, token, in: session) }
        }
        // In version 3, the server connects each client to the namespace "/".
        if session.version == .three {
            visitor.enqueue { self.connect(visitor, session) }
        }
    }

    /// Handles a message of a session. Runs on the loop.
    func received(_ message: EnginePacket, from session: EngineSession) {
        guard let visitor = session.context as? Visitor, let socket = visitor.socket else { return }
        switch socket.state.withLock({ $0.assembly.add(message) }) {
        case .incomplete: break
        case .malformed: visitor.close(.policy, "malformed_packet")
        case .complete(let packet, _):
            let underWay = visitor.enqueue { await self.answer(packet, visitor, session) }
            if underWay > Self.mostUnderWay { visitor.close(.policy, "too_many_messages") }
        }
    }

    private func answer(_ packet: SocketPacket, _ visitor: Visitor, _ session: EngineSession) async {
        guard let socket = visitor.socket else { return }
        guard packet.namespace == "/" else {
            if packet.kind == .connect, session.version == .four {
                session.send(
                    SocketPacket(
                        .error, in: packet.namespace, Array(#"{"message":"Invalid namespace"}"#.utf8)
                    ).bytes)
            }
            return
        }
        switch packet.kind {
        case .connect: await connect(visitor, session, packet.payload)
        case .disconnect: session.connection.close(code: WebSockets.CloseCode.normal)
        case .event, .binaryEvent:
            guard socket.state.withLock({ $0.isConnected }) else {
                return visitor.close(.policy, "not_connected")
            }
            await answer(event: packet, visitor, session)
        case .ack, .error, .binaryAck: break
        }
    }

    // MARK: Connecting

    private func authorize(_ visitor: Visitor, _ token: String, in session: EngineSession) async {
        await authorize(visitor, token, announce: false)
        if visitor.right != nil { services.engine.proved(session) }
    }

    private func connect(_ visitor: Visitor, _ session: EngineSession, _ payload: [UInt8]) async {
        guard session.version == .four, let socket = visitor.socket,
            !socket.state.withLock({ $0.isConnected })
        else { return }
        let auth = try? JSONDocument(payload)
        if let token = auth?.root["token"]?.string {
            await authorize(visitor, token, in: session)
            guard visitor.right != nil else { return }
        }
        let recovery = auth?.root["pid"]?.string.flatMap { recoveries.take($0) }
        if let recovery, let right = visitor.right, right.holder == recovery.holder,
            let offset = auth?.root["offset"]?.string, let since = ClientMessage.Position(text: offset)
        {
            do {
                try await join(visitor, recovery.room, since: since, message: nil) { joined in
                    [UInt8(ascii: "4")]
                        + self.connected(visitor, session, with: joined.recovered ? recovery.id : nil)
                }
                services.engine.joined(session)
                return
            } catch {
                // The client connects without its room, and joins it again.
                socket.state.withLock { $0.isConnected = false }
            }
        }
        connect(visitor, session)
    }

    /// Connects a client without its former room.
    private func connect(_ visitor: Visitor, _ session: EngineSession) {
        let text = connected(visitor, session, with: nil)
        if !text.isEmpty { session.send(text) }
    }

    /// Returns the CONNECT packet. With the id of an earlier connection, the client knows that it has missed
    /// nothing.
    private func connected(_ visitor: Visitor, _ session: EngineSession, with id: String?) -> [UInt8] {
        guard let socket = visitor.socket else { return [] }
        return socket.state.withLock { state in
            guard !state.isConnected else { return [] }
            state.isConnected = true
            guard session.version == .four else { return Array("0".utf8) }
            // At most 13 characters, which a Swift string stores inline, without an allocation.
            let recoveryID = id ?? String(UInt64.random(in: .min ... .max), radix: 36)
            state.recoveryID = recoveryID
            // The first half of the session's id says nothing about the other half.
            return Array(#"0{"sid":"\#(session.sid.prefix(16))","pid":"\#(recoveryID)"}"#.utf8)
        }
    }

    /// Remembers the room of a client that has left without saying so.
    func endedSocketIO(_ session: EngineSession) {
        guard let visitor = session.context as? Visitor, let socket = visitor.socket else { return }
        session.context = nil
        if let id = socket.state.withLock({ $0.recoveryID }), let right = visitor.right,
            let room = visitor.onlyRoom, room != .home
        {
            recoveries.put(SocketRecoveries.Entry(id: id, holder: right.holder, room: room))
        }
        left(visitor)
    }

    // MARK: Events

    private func answer(event packet: SocketPacket, _ visitor: Visitor, _ session: EngineSession) async {
        guard let document = try? JSONDocument(packet.payload),
            let name = document.root.elements.first?.string
        else { return visitor.close(.policy, "malformed_packet") }
        let argument = RoomArgument(document.root.elements.dropFirst().first)
        do {
            switch name {
            case "join", "joinRoom":
                let room = try await room(argument.room, for: visitor)
                try await join(visitor, room, since: argument.since, message: packet.id) {
                    visitor.text($0, as: "joined", id: packet.id)
                }
                services.engine.joined(session)
                if argument.isOfFirstApp { visitor.beginCounts(of: room, services.live.home) }
            case "leave", "leaveRoom":
                try leave(visitor, try joinedRoom(argument.room, of: visitor), message: packet.id)
            default: throw RequestError(.badRequest)
            }
        } catch {
            visitor.tell(RoomError(visitor.problem(error), id: nil), as: "problem", id: packet.id)
        }
    }

    // MARK: Bare ids

    /// Returns the room of a name, or of a bare id, as the first app sends it. The id of a session is its
    /// room for members. The id of a meeting is the same room of its running session, or else of its next
    /// one, or else of its latest one. `join` then checks the right, as for a name. A right that opens no
    /// room of members is refused before any look-up, so that it learns nothing about ids.
    private func room(_ text: String, for visitor: Visitor) async throws -> RoomName {
        if let name = RoomName(text) { return name }
        guard let (session, meeting) = bareID(text) else { throw RequestError(.unknownRoom) }
        guard let right = visitor.right else { throw RequestError(.notSignedIn) }
        guard case .account = right.holder else { throw Refusal.notAllowed }
        let now = services.clock.now
        let found = try await services.storage.read { rows throws(JournalError) -> SessionID? in
            if try rows.session(session) != nil { return session }
            if let nearest = try rows.nearestSession(of: meeting, at: now) { return nearest.session.id }
            return try rows.latestSession(of: meeting)?.session.id
        }
        guard let found else { throw Refusal.notFound(.session) }
        return .session(found)
    }

    /// Returns the room of a name, or the joined room of a bare id.
    private func joinedRoom(_ text: String, of visitor: Visitor) throws -> RoomName {
        if let name = RoomName(text) { return name }
        guard let (session, meeting) = bareID(text) else { throw RequestError(.unknownRoom) }
        let joined = visitor.rooms { membership in
            guard case .session(let room, .session) = membership.room else { return false }
            return room.id == session || room.meetingID == meeting
        }
        guard let name = joined.first else { throw RequestError(.notJoined) }
        return name
    }

    private func bareID(_ text: String) -> (SessionID, MeetingID)? {
        guard let session = SessionID(text), let meeting = MeetingID(text) else { return nil }
        return (session, meeting)
    }
}

/// The argument of `join` and `leave`: a text, a list with a text, or an object with the member `room`.
private struct RoomArgument {
    let room: String
    let since: ClientMessage.Position?
    /// The first app sends a text or a list, and knows the counts by names of its own.
    let isOfFirstApp: Bool

    init(_ node: JSONNode?) {
        let text = node?.string ?? node?.elements.first?.string
        room = text ?? node?["room"]?.string ?? ""
        since = node?["since"].flatMap { ClientMessage.Position($0) }
        isOfFirstApp = text != nil
    }
}

extension ClientMessage.Position {
    /// Reads an object with `epoch` and `sequence`, or a text. Returns nil for other values.
    fileprivate init?(_ node: JSONNode) {
        if let text = node.string {
            self.init(text: text)
            return
        }
        guard let epoch = node["epoch"]?.string, let sequence = node["sequence"]?.integer, sequence >= 0
        else { return nil }
        self.init(epoch: epoch, sequence: Int64(sequence))
    }
}

/// The polling of Engine.IO.
enum EnginePolling {
    static func answer(_ context: RequestContext) async throws -> HTTPResponse {
        let head = context.request.head
        var headers: [String: String] = [:]
        for name in ["authorization", "accept-language", "x-forwarded-for", "x-forwarded-host"] {
            headers[name] = head.headers.first(name)
        }
        let request = UpgradeHead(
            target: "\(head.path)?\(head.rawQuery)", peer: head.peer, headers: headers)
        let answer = await context.services.engine.answer(
            head.method, context.request.body, request, from: context.origin)
        guard answer.status == 200 else {
            throw RequestError(answer.status == 503 ? .overloaded : .badRequest)
        }
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", answer.type), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
            ], body: answer.body)
    }
}

/// The state of a Socket.IO client beside its visitor.
final class SocketState: Sendable {
    struct State {
        var assembly = PacketAssembly()
        var isConnected = false
        /// The id by which the client may recover its room; nil in version 3.
        var recoveryID: String?
    }

    let version: EngineVersion
    let state = Mutex(State())

    init(_ version: EngineVersion) { self.version = version }

    /// The packets that end a connection: an event that says why, and DISCONNECT, after which the client
    /// does not connect again by itself. A client that is not connected yet gets an error.
    func ending(_ code: Wire.CloseCode, _ reason: String) -> [[UInt8]] {
        guard state.withLock({ $0.isConnected }) else {
            return [Array((version == .four ? #"44{"message":"\#(reason)"}"# : #"44"\#(reason)""#).utf8)]
        }
        if code.isWorthReconnecting { return [] }
        return [
            Array(#"42["closed",{"code":\#(code.rawValue),"reason":"\#(reason)"}]"#.utf8), Array("41".utf8),
        ]
    }
}

/// The rooms of Socket.IO clients that have lost their connection, for `CONNECT` with `pid` and `offset`.
final class SocketRecoveries: Sendable {
    struct Entry: Sendable {
        let id: String
        let holder: RoomRight.Holder
        let room: RoomName
    }

    /// The most entries. The oldest are removed first; their clients join again.
    static let most = 20_000

    private let entries = Mutex<(byID: [String: Entry], order: [String])>(([:], []))

    func put(_ entry: Entry) {
        entries.withLock { entries in
            if entries.byID.updateValue(entry, forKey: entry.id) == nil { entries.order.append(entry.id) }
            guard entries.order.count > Self.most else { return }
            for id in entries.order.prefix(Self.most / 10) { entries.byID[id] = nil }
            entries.order.removeFirst(Self.most / 10)
        }
    }

    /// Removes and returns an entry. Each id works once.
    func take(_ id: String) -> Entry? {
        entries.withLock { $0.byID.removeValue(forKey: id) }
    }
}
