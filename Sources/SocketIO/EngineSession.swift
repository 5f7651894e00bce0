import Synchronization
package import WebSockets

/// A session of Engine.IO: a connection that begins by polling or as a websocket, and may change from the
/// first to the second.
package final class EngineSession: Sendable {
    /// The id, which nobody can guess. A client that knows it can poll the session.
    package let sid: String
    package let version: EngineVersion
    package let connection: WebSocketConnection
    private let storedContext = Mutex<(any AnyObject & Sendable)?>(nil)
    /// The websocket that may take over this polled session.
    private let probe = Mutex<WebSocketConnection?>(nil)
    /// Whether a websocket has asked to take over this polled session, so that polls need not wait.
    fileprivate let isUpgrading = Atomic(false)

    init(_ version: EngineVersion, _ connection: WebSocketConnection) {
        // The generator of the system is secure.
        sid = (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        (self.version, self.connection) = (version, connection)
    }

    /// The owner's own state of this session.
    package var context: (any AnyObject & Sendable)? {
        get { storedContext.withLock { $0 } }
        set { storedContext.withLock { $0 = newValue } }
    }

    /// Makes `connection` the only websocket that may take over the session, and returns the one before it.
    /// Nil for none.
    fileprivate func replaceProbe(by connection: WebSocketConnection?) -> WebSocketConnection? {
        probe.withLock { probe in
            defer { probe = connection }
            return probe
        }
    }

    /// Forgets `connection`. Returns whether it was the websocket that may take over the session.
    fileprivate func takeProbe(_ connection: WebSocketConnection) -> Bool {
        probe.withLock { probe in
            guard probe === connection else { return false }
            probe = nil
            return true
        }
    }

    /// Sends a message of text.
    package func send(_ text: [UInt8]) { connection.send(EnginePacket(.message, text).text(version)) }

    /// Sends a binary message.
    package func send(binary: [UInt8]) {
        let packet = EnginePacket(binary: binary)
        connection.perform(.sendBinary(frame: packet.binaryFrame(version), text: packet.text(version)))
    }
}

/// The sessions of a server. It answers the packets of Engine.IO itself, and returns the messages to its
/// owner, who is the handler of the websockets. Any thread may call all functions.
package final class EngineServer: Sendable {
    private struct State {
        var sessions: [String: EngineSession] = [:]
        var slots: PolledSlots
    }

    /// A websocket that may take over a polled session.
    private final class Probe: Sendable {
        let session: EngineSession

        init(_ session: EngineSession) { self.session = session }
    }

    private let channels: WebSocketChannels
    private let state: Mutex<State>
    private let isStopping = Atomic(false)

    /// - Parameters:
    ///   - mostPolledOfOrigin: the most sessions of one address that poll.
    ///   - mostPolled: the most sessions that poll.
    package init(_ channels: WebSocketChannels, mostPolledOfOrigin: Int = 1_000, mostPolled: Int = 5_000) {
        self.channels = channels
        state = Mutex(State(slots: PolledSlots(ofOrigin: mostPolledOfOrigin, inAll: mostPolled)))
    }

    /// Notes that the server is stopping. From then on, a client whose session has ended gets 503, so that it
    /// begins another session.
    package func stop() { isStopping.store(true, ordering: .relaxed) }

    /// Adds the settings that the packets of Engine.IO need.
    package static func prepare(_ settings: inout WebSocketSettings, path: String) {
        settings.packetsPath = path
        settings.closingPacket = EnginePacket(.close).text(.four)
        settings.heartbeat = EnginePacket(.ping).text(.four)
        // In version 3, the client pings.
        settings.getsHeartbeats = { query(of: $0.target).version == .four }
    }

    // MARK: The handler's calls, on a loop

    /// Begins a session, and returns it. Returns nil if the connection is to take over a session, or if its
    /// request is wrong.
    package func opened(_ connection: WebSocketConnection, request: UpgradeHead, from origin: String)
        -> EngineSession?
    {
        let query = Self.query(of: request.target)
        guard let version = query.version else {
            connection.close(code: CloseCode.policy, reason: "unknown version")
            return nil
        }
        if let sid = query.sid {
            guard let session = session(sid), session.connection.form == .polled else {
                connection.close(code: CloseCode.policy, reason: "unknown session")
                return nil
            }
            connection.context = Probe(session)
            session.replaceProbe(by: connection)?.close(code: CloseCode.policy, reason: "another upgrade")
            // The session may have ended meanwhile, on its own loop.
            if self.session(sid) == nil {
                connection.close(code: CloseCode.policy, reason: "unknown session")
            }
            return nil
        }
        let session = EngineSession(version, connection)
        connection.context = session
        let isPolled = connection.form == .polled
        state.withLock { state in
            state.sessions[session.sid] = session
            if isPolled { state.slots.open(session.sid, of: origin) }
        }
        connection.send(EnginePacket(.open, hello(session, mayUpgrade: isPolled)).text(version))
        return session
    }

    private func hello(_ session: EngineSession, mayUpgrade: Bool) -> [UInt8] {
        let settings = channels.settings
        let ping = Int(settings.pingEvery / .milliseconds(1))
        let silence = Int(settings.silenceAllowed / .milliseconds(1))
        return Array(
            """
            {"sid":"\(session.sid)","upgrades":[\(mayUpgrade ? #""websocket""# : "")],\
            "pingInterval":\(ping),"pingTimeout":\(silence - ping),"maxPayload":\(settings.longestMessage)}
            """.utf8)
    }

    /// Handles a packet. Returns a message with its session; nil if the packet was none.
    package func received(_ text: [UInt8], from connection: WebSocketConnection)
        -> (session: EngineSession, message: EnginePacket)?
    {
        guard let packet = EnginePacket(text: text) else {
            connection.close(code: CloseCode.policy, reason: "not a packet")
            return nil
        }
        return received(packet, from: connection)
    }

    package func received(binary: [UInt8], from connection: WebSocketConnection)
        -> (session: EngineSession, message: EnginePacket)?
    {
        let version = session(of: connection)?.version ?? .four
        // A polled packet has been read already.
        let packet =
            connection.form == .polled
            ? EnginePacket(binary: binary) : EnginePacket(binaryFrame: binary, version)
        guard let packet else {
            connection.close(code: CloseCode.policy, reason: "not a packet")
            return nil
        }
        return received(packet, from: connection)
    }

    private func received(_ packet: EnginePacket, from connection: WebSocketConnection)
        -> (session: EngineSession, message: EnginePacket)?
    {
        if let probe = connection.context as? Probe {
            switch (packet.kind, packet.data) {
            case (.ping, Array("probe".utf8)):
                connection.send(EnginePacket(.pong, packet.data).text(.four))
                probe.session.isUpgrading.store(true, ordering: .relaxed)
                // The client has stopped to poll when its last poll is answered.
                probe.session.connection.answerPoll(EnginePacket(.noop).text(.four))
            case (.upgrade, _):
                guard probe.session.takeProbe(connection) else {
                    connection.close(code: CloseCode.policy, reason: "another upgrade")
                    return nil
                }
                state.withLock { $0.slots.free(probe.session.sid) }
                connection.context = probe.session
                connection.becomeSocket(of: probe.session.connection)
            default: connection.close(code: CloseCode.policy, reason: "not a probe")
            }
            return nil
        }
        guard let session = connection.context as? EngineSession else { return nil }
        switch packet.kind {
        case .message: return (session, packet)
        case .ping where session.version == .three:
            session.connection.send(EnginePacket(.pong, packet.data).text(.three))
        case .close:
            session.connection.answerPoll(EnginePacket(.noop).text(session.version), thenClose: true)
        case .pong, .noop: break
        case .open, .ping, .upgrade: session.connection.close(code: CloseCode.policy, reason: "not expected")
        }
        return nil
    }

    /// Ends the connection's session, and returns it; nil if the connection has none.
    package func closed(_ connection: WebSocketConnection) -> EngineSession? {
        defer { connection.context = nil }
        if let probe = connection.context as? Probe { _ = probe.session.takeProbe(connection) }
        guard let session = connection.context as? EngineSession, session.connection === connection else {
            return nil
        }
        // A websocket without a session has no visitor, so nothing else would end it.
        session.replaceProbe(by: nil)?.close(code: CloseCode.policy, reason: "unknown session")
        state.withLock { state in
            state.sessions[session.sid] = nil
            state.slots.free(session.sid)
        }
        return session
    }

    /// Notes that the session's client has shown a valid token, so that it keeps its slot.
    package func proved(_ session: EngineSession) { state.withLock { $0.slots.prove(session.sid) } }

    /// Notes that the session has joined a room, so that sessions that have not give way to new ones first.
    package func joined(_ session: EngineSession) { state.withLock { $0.slots.join(session.sid) } }

    /// The session of a connection.
    package func session(of connection: WebSocketConnection) -> EngineSession? {
        connection.context as? EngineSession
    }

    private func session(_ sid: String) -> EngineSession? { state.withLock { $0.sessions[sid] } }

    // MARK: Polling

    /// An answer to a request for polling.
    package struct Answer: Sendable {
        package let status: Int
        package let type: String
        package let body: [UInt8]

        /// An error of the protocol. `code` and `text` are those of Engine.IO's own server.
        static func error(_ code: Int, _ text: String, status: Int = 400) -> Answer {
            Answer(
                status: status, type: "application/json",
                body: Array(#"{"code":\#(code),"message":"\#(text)"}"#.utf8))
        }

        fileprivate static let unknownSession = error(1, "Session ID unknown")
        fileprivate static let badRequest = error(3, "Bad request")
        fileprivate static let tryAgain = error(
            1, "The session has ended. Begin another one.", status: 503)
    }

    /// Answers a request for polling.
    /// - Parameter origin: the address by which sessions are counted.
    package func answer(_ method: String, _ body: [UInt8], _ request: UpgradeHead, from origin: String) async
        -> Answer
    {
        let query = Self.query(of: request.target)
        guard method == "GET" || method == "POST" else { return .error(2, "Bad handshake method") }
        guard query.transport == "polling" else {
            return query.transport == "websocket" ? .badRequest : .error(0, "Transport unknown")
        }
        guard let version = query.version else { return .error(5, "Unsupported protocol version") }
        guard let sid = query.sid else {
            guard method == "GET" else { return .error(2, "Bad handshake method") }
            guard let connection = await openPolled(request, from: origin) else {
                return .error(4, "Too many sessions. Use a websocket, or try again later.", status: 503)
            }
            return await poll(connection, version)
        }
        guard let session = session(sid), session.connection.form == .polled else { return endedAnswer }
        guard method == "POST" else {
            if session.isUpgrading.exchange(false, ordering: .relaxed) {
                session.connection.send(EnginePacket(.noop).text(session.version))
            }
            return await poll(session.connection, session.version)
        }
        guard let packets = EnginePayload.split(body, session.version) else {
            session.connection.endPolled()
            return .badRequest
        }
        let messages = packets.map { packet -> PolledMessage in
            packet.isBinary ? .binary(packet.data) : .text(packet.text(session.version))
        }
        guard await session.connection.receive(messages) else { return endedAnswer }
        return Answer(status: 200, type: "text/html", body: Array("ok".utf8))
    }

    private var endedAnswer: Answer { isStopping.load(ordering: .relaxed) ? .tryAgain : .unknownSession }

    /// Opens a connection if the address may begin a session. If another session must give way, it ends
    /// first, because the loop handles both in order.
    private func openPolled(_ request: UpgradeHead, from origin: String) async -> WebSocketConnection? {
        switch state.withLock({ $0.slots.admit(origin) }) {
        case .refused: return nil
        case .admitted: break
        case .replacing(let sid): session(sid)?.connection.endPolled()
        }
        let connection = await channels.openPolled(request)
        if connection == nil { state.withLock { $0.slots.cancel(origin) } }
        return connection
    }

    private func poll(_ connection: WebSocketConnection, _ version: EngineVersion) async -> Answer {
        switch await connection.poll() {
        case .packets(let packets):
            return Answer(
                status: 200, type: "text/plain; charset=UTF-8", body: EnginePayload.join(packets, version))
        case .ended: return endedAnswer
        case .tryAgain: return .tryAgain
        }
    }

    // MARK: Queries

    private struct Query {
        var version: EngineVersion?
        var transport = ""
        var sid: String?
    }

    private static func query(of target: String) -> Query {
        var query = Query(version: .three)
        for pair in target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1]) : ""
            switch parts[0] {
            case "EIO": query.version = Int(value).flatMap { EngineVersion(rawValue: $0) }
            case "transport": query.transport = value
            case "sid": query.sid = value
            default: break
            }
        }
        return query
    }
}
