import Synchronization
import WebSockets

/// A handler that records all events in order. Tests can wait for events.
final class Recorder: WebSocketHandler {
    enum Event {
        case opened(WebSocketConnection, UpgradeHead)
        case received(String, WebSocketConnection)
        case fellBehind(WebSocketConnection, ChannelID, UInt64)
        case closed(WebSocketConnection, UInt16)
    }

    private struct Waiter {
        let isMet: ([Event]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var events: [Event] = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())
    private let onOpened: @Sendable (WebSocketConnection) -> Void
    private let onReceived: @Sendable ([UInt8], WebSocketConnection) -> Void
    private let onFellBehind: @Sendable (WebSocketConnection, ChannelID, UInt64) -> Void

    init(
        onOpened: @escaping @Sendable (WebSocketConnection) -> Void = { _ in },
        onReceived: @escaping @Sendable ([UInt8], WebSocketConnection) -> Void = { _, _ in },
        onFellBehind: @escaping @Sendable (WebSocketConnection, ChannelID, UInt64) -> Void = { _, _, _ in }
    ) {
        self.onOpened = onOpened
        self.onReceived = onReceived
        self.onFellBehind = onFellBehind
    }

    func opened(_ connection: WebSocketConnection, request: UpgradeHead) {
        onOpened(connection)
        record(.opened(connection, request))
    }

    func received(_ text: [UInt8], from connection: WebSocketConnection) {
        onReceived(text, connection)
        record(.received(String(decoding: text, as: UTF8.self), connection))
    }

    func fellBehind(_ connection: WebSocketConnection, channel: ChannelID, position: UInt64) {
        onFellBehind(connection, channel, position)
        record(.fellBehind(connection, channel, position))
    }

    func closed(_ connection: WebSocketConnection, code: UInt16) { record(.closed(connection, code)) }

    private func record(_ event: Event) {
        let met = state.withLock { state in
            state.events.append(event)
            let met = state.waiters.filter { $0.isMet(state.events) }
            state.waiters.removeAll { $0.isMet(state.events) }
            return met.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }

    /// Waits until `isMet` is true for the recorded events. The suite's time limit is the deadline.
    func wait(until isMet: @escaping @Sendable ([Event]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let already = state.withLock { state in
                if isMet(state.events) { return true }
                state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                return false
            }
            if already { continuation.resume() }
        }
    }

    var events: [Event] { state.withLock { $0.events } }
    var connections: [WebSocketConnection] { events.compactMap(\.openedConnection) }
    var closeCodes: [UInt16] { events.compactMap(\.closeCode) }
    var texts: [String] { events.compactMap(\.text) }
    var falls: [UInt64] { events.compactMap(\.fall) }

    /// Waits for at least `count` connections, and returns all connections.
    func connections(_ count: Int) async -> [WebSocketConnection] {
        await wait { $0.lazy.compactMap(\.openedConnection).count >= count }
        return connections
    }
}

extension Recorder.Event {
    var openedConnection: WebSocketConnection? {
        if case .opened(let connection, _) = self { connection } else { nil }
    }
    var request: UpgradeHead? { if case .opened(_, let head) = self { head } else { nil } }
    var text: String? { if case .received(let text, _) = self { text } else { nil } }
    var fall: UInt64? { if case .fellBehind(_, _, let position) = self { position } else { nil } }
    var closeCode: UInt16? { if case .closed(_, let code) = self { code } else { nil } }
}
