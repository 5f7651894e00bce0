import HTTPServer
import SocketIO
import Synchronization
import WebSockets

/// Sends back what clients send, over websockets and polls.
struct Echo: WebSocketHandler {
    let engine: EngineServer
    let path: String

    /// The namespaces that a client has joined, and the packet that it is sending.
    final class Client: Sendable {
        let state = Mutex((joined: Set<String>(), assembly: PacketAssembly()))
    }

    func opened(_ connection: WebSocketConnection, request: UpgradeHead) {
        guard let session = engine.opened(connection, request: request, from: request.peer) else { return }
        session.context = Client()
        // The suite allows a second for the first packet of a client.
        guard path == "/socket.io/", session.version == .four else { return }
        Task {
            try? await Task.sleep(for: .seconds(1))
            let isIdle = (session.context as? Client)?.state.withLock { $0.joined.isEmpty } ?? false
            if isIdle { session.connection.close(code: CloseCode.policy) }
        }
    }

    func received(_ text: [UInt8], from connection: WebSocketConnection) {
        if let (session, message) = engine.received(text, from: connection) { answer(message, session) }
    }

    func received(binary: [UInt8], from connection: WebSocketConnection) {
        if let (session, message) = engine.received(binary: binary, from: connection) {
            answer(message, session)
        }
    }

    func fellBehind(_ connection: WebSocketConnection, channel: ChannelID, position: UInt64) {}

    func closed(_ connection: WebSocketConnection, code: UInt16) {
        engine.closed(connection)?.context = nil
    }

    private func answer(_ message: EnginePacket, _ session: EngineSession) {
        if path == "/engine.io/" {
            return message.isBinary ? session.send(binary: message.data) : session.send(message.data)
        }
        guard let client = session.context as? Client else { return }
        switch client.state.withLock({ $0.assembly.add(message) }) {
        case .incomplete: break
        case .malformed: session.connection.close(code: CloseCode.policy)
        case .complete(let packet, let attachments): answer(packet, attachments, client, session)
        }
    }

    private func answer(
        _ packet: SocketPacket, _ attachments: [[UInt8]], _ client: Client, _ session: EngineSession
    ) {
        func send(_ kind: SocketPacket.Kind, id: Int? = nil, _ payload: [UInt8]) {
            session.send(
                SocketPacket(
                    kind, in: packet.namespace, id: id, attachments: kind.isBinary ? attachments.count : 0,
                    payload
                ).bytes)
            if kind.isBinary { for attachment in attachments { session.send(binary: attachment) } }
        }
        let isJoined = client.state.withLock { $0.joined.contains(packet.namespace) }
        switch packet.kind {
        case .connect where !isJoined:
            guard ["/", "/custom"].contains(packet.namespace) else {
                return send(.error, Array(#"{"message":"Invalid namespace"}"#.utf8))
            }
            client.state.withLock { _ = $0.joined.insert(packet.namespace) }
            send(.connect, Array(#"{"sid":"\#(session.sid.prefix(16))"}"#.utf8))
            let auth = packet.payload.isEmpty ? Array("{}".utf8) : packet.payload
            send(.event, Array(#"["auth","#.utf8) + auth + Array("]".utf8))
        case .disconnect: client.state.withLock { _ = $0.joined.remove(packet.namespace) }
        case .event, .binaryEvent:
            guard isJoined, packet.payload.first == UInt8(ascii: "[") else {
                return session.connection.close(code: CloseCode.policy)
            }
            let plain = Array(#"["message","#.utf8)
            let wanting = Array(#"["message-with-ack","#.utf8)
            let isBinary = packet.kind == .binaryEvent
            if packet.payload.starts(with: plain) {
                let rest = packet.payload.dropFirst(plain.count)
                send(isBinary ? .binaryEvent : .event, Array(#"["message-back","#.utf8) + rest)
            } else if packet.payload.starts(with: wanting), let id = packet.id {
                let rest = packet.payload.dropFirst(wanting.count)
                send(isBinary ? .binaryAck : .ack, id: id, Array("[".utf8) + rest)
            }
        default: session.connection.close(code: CloseCode.policy)
        }
    }
}

/// Passes the polls of clients to Engine.IO.
struct Polling: HTTPResponder {
    let engine: EngineServer

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission { .accept(bodyLimit: 1_000_000, waits: true) }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let head = UpgradeHead(target: "\(request.path)?\(request.rawQuery)", peer: request.peer)
        let answer = await engine.answer(request.method, request.body, head, from: request.peer)
        return HTTPResponse(
            status: answer.status, headers: [("Content-Type", answer.type)], body: answer.body)
    }

    func refusal(_ reason: HTTPRefusal, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(status: reason.status)
    }
}
