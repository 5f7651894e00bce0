import Meetings
import Phrases
import Rooms
import Synchronization
import WebSockets
import Wire

/// The state of one room connection. The server answers its messages one after the other, in the order in
/// which they arrive.
final class Visitor: Sendable {
    /// A room that the visitor is in.
    enum JoinedRoom: Sendable {
        case session(LiveRoom, View)
        case home(AccountID, ChannelID)

        var name: RoomName {
            switch self {
            case .session(let room, .session): .session(room.id)
            case .session(let room, .presenter): .presenter(room.id)
            case .session(let room, .audience): .audience(room.id)
            case .home: .home
            }
        }

        var channel: ChannelID? {
            switch self {
            case .session(let room, let view): room.channels[view]
            case .home(_, let channel): channel
            }
        }

        func leave(_ home: HomeRooms) {
            switch self {
            case .session(let room, let view): room.left(view)
            case .home(let account, _): home.leave(account)
            }
        }
    }

    /// A joined room with the right that opened it. If the client later shows the right of another holder,
    /// this membership does not change.
    struct RoomMembership: Sendable {
        let room: JoinedRoom
        var right: RoomRight
    }

    fileprivate struct State {
        var right: RoomRight?
        /// At most `RoomConnections.mostRooms`, in the order of joining. Most visitors are in one room, so an
        /// array is smaller than a dictionary, and fast enough.
        var rooms: [RoomMembership] = []
        var hasJoined = false

        func index(of name: RoomName) -> Int? { rooms.firstIndex { $0.room.name == name } }
    }

    private struct Work {
        var queue: [@Sendable () async -> Void] = []
        var isRunning = false
    }

    let connection: WebSocketConnection
    let openedAt: Instant
    /// The client's IPv4 address, or the first four groups of its IPv6 address. Failed authorizations are
    /// counted for this origin.
    let origin: String
    private let language: Language
    /// The state of a client of Socket.IO; nil for others.
    let socket: SocketState?
    private let state = Mutex(State())
    private let work = Mutex(Work())

    init(
        language: Language, from origin: String, _ connection: WebSocketConnection, at now: Instant,
        socket: SocketState? = nil
    ) {
        self.language = language
        self.socket = socket
        self.origin = origin
        self.connection = connection
        openedAt = now
    }

    /// The right that was shown last. It opens rooms.
    var right: RoomRight? { state.withLock { $0.right } }

    /// All rights by which the visitor is in a room, or could join one.
    var rights: Set<RoomRight> {
        state.withLock { Set($0.rooms.map(\.right) + ($0.right.map { [$0] } ?? [])) }
    }

    /// Whether a right that keeps the connection or one of its rooms open matches. The function copies
    /// nothing, because the writer's queue calls it for every visitor.
    func hasRight(where isWanted: (RoomRight) -> Bool) -> Bool {
        state.withLock { state in
            state.right.map(isWanted) ?? false || state.rooms.contains { isWanted($0.right) }
        }
    }

    /// Sets the right that the client has shown. It also replaces the rights of the same holder in the joined
    /// rooms.
    func show(_ right: RoomRight) {
        state.withLock { state in
            state.right = right
            state.replace(with: right)
        }
    }

    /// Replaces the rights of the same holder, because the end of the right has moved.
    func renew(_ right: RoomRight) {
        state.withLock { state in
            if state.right?.holder == right.holder { state.right = right }
            state.replace(with: right)
        }
    }

    var roomCount: Int { state.withLock { $0.rooms.count } }

    func isIn(_ room: RoomName) -> Bool { state.withLock { $0.index(of: room) != nil } }

    /// Adds a room. The visitor must not be in it.
    func enter(_ room: JoinedRoom, by right: RoomRight) {
        state.withLock { state in
            state.rooms.append(RoomMembership(room: room, right: right))
            state.hasJoined = true
        }
    }

    /// Whether the visitor has joined a room since the connection opened.
    var hasJoined: Bool { state.withLock { $0.hasJoined } }

    /// Returns the rooms that this visitor has joined and whose membership matches.
    func rooms(where isWanted: (RoomMembership) -> Bool) -> [RoomName] {
        state.withLock { state in state.rooms.filter(isWanted).map(\.room.name) }
    }

    /// The rooms that the visitor has joined, with their rights.
    var memberships: [RoomMembership] { state.withLock { $0.rooms } }

    /// Removes the room from the joined ones, and returns it.
    func exit(_ room: RoomName) -> JoinedRoom? {
        state.withLock { state in state.index(of: room).map { state.rooms.remove(at: $0).room } }
    }

    /// Queues a job. Returns the number of jobs that wait, with this one.
    @discardableResult
    func enqueue(_ job: @escaping @Sendable () async -> Void) -> Int {
        let (count, mustStart) = work.withLock { work in
            work.queue.append(job)
            defer { work.isRunning = true }
            return (work.queue.count, !work.isRunning)
        }
        if mustStart { Task { await self.runAll() } }
        return count
    }

    private func runAll() async {
        while true {
            let job = work.withLock { work -> (@Sendable () async -> Void)? in
                if work.queue.isEmpty {
                    // A new array, because the old one would stay as large as it was.
                    (work.queue, work.isRunning) = ([], false)
                    return nil
                }
                return work.queue.removeFirst()
            }
            guard let job else { return }
            await job()
        }
    }

    /// Returns the account whose home has this channel; nil if the visitor is not in that home.
    func account(ofHome channel: ChannelID) -> AccountID? {
        guard case .home(let account, channel) = room(.home) else { return nil }
        return account
    }

    func leaveAll(_ home: HomeRooms) {
        let rooms = state.withLock { state in
            defer { state.rooms = [] }
            return state.rooms
        }
        for membership in rooms { membership.room.leave(home) }
    }

    /// The only room that the visitor is in; nil if there is none or more than one.
    var onlyRoom: RoomName? {
        state.withLock { $0.rooms.count == 1 ? $0.rooms.first?.room.name : nil }
    }

    /// Begins to send the counts of a joined room, by the names of the first app.
    func beginCounts(of name: RoomName, _ home: HomeRooms) {
        switch room(name) {
        case .session(let room, _): room.beginCounts(connection)
        case .home(let account, _): home.beginCount(connection, of: account)
        case nil: break
        }
    }

    private func room(_ name: RoomName) -> JoinedRoom? {
        state.withLock { state in state.index(of: name).map { state.rooms[$0].room } }
    }

    /// Returns a message in the form that the client reads: JSON, or an event or acknowledgement of
    /// Socket.IO.
    /// - Parameter id: the number of the acknowledgement.
    func text(_ body: some Encodable, as event: String, id: Int?) -> [UInt8] {
        let json = WireJSON.bytes(body)
        guard socket != nil else { return json }
        return Array((id.map { "43\($0)[" } ?? "42[\"\(event)\",").utf8) + json + [UInt8(ascii: "]")]
    }

    func tell(_ body: some Encodable, as event: String, id: Int? = nil) {
        connection.send(text(body, as: event, id: id))
    }

    /// Ends the connection. `reason` must need no escape in JSON.
    func close(_ code: Wire.CloseCode, _ reason: String) {
        let last = socket?.ending(code, reason) ?? []
        connection.perform(
            last.map { ConnectionAction.send($0) } + [.close(code: code.rawValue, reason: reason)])
    }

    func problem(_ error: any Error) -> Problem { Problem(of: error, in: language) }
}

extension Visitor.State {
    fileprivate mutating func replace(with right: RoomRight) {
        for index in rooms.indices where rooms[index].right.holder == right.holder {
            rooms[index].right = right
        }
    }
}

extension RoomName {
    var view: View? {
        switch self {
        case .session: .session
        case .presenter: .presenter
        case .audience: .audience
        case .home: nil
        }
    }
}
