import Meetings
import Phrases
import Rooms
import Synchronization
import WebSockets
import Wire

/// One room connection's state. Its messages are answered one after the other, in the order they came.
final class Visitor: Sendable {
    enum Place: Sendable {
        case session(LiveRoom, View)
        case home(AccountID, ChannelID)

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

    /// A room with the right that opened it: another right that is shown later neither prolongs nor ends it.
    struct RoomMembership: Sendable {
        let place: Place
        var right: RoomRight
    }

    fileprivate struct Kept {
        var right: RoomRight?
        var rooms: [RoomName: RoomMembership] = [:]
    }

    private struct Work {
        var queue: [@Sendable () async -> Void] = []
        var isRunning = false
    }

    let connection: WebSocketConnection
    let openedAt: Instant
    /// Whom its failures are counted by.
    let origin: String
    private let language: Language
    private let kept = Mutex(Kept())
    private let work = Mutex(Work())

    init(language: Language, from origin: String, _ connection: WebSocketConnection, at now: Instant) {
        self.language = language
        self.origin = origin
        self.connection = connection
        openedAt = now
    }

    /// The one that was shown last, which opens rooms.
    var right: RoomRight? { kept.withLock { $0.right } }

    /// All that keep something open.
    var rights: Set<RoomRight> {
        kept.withLock { Set($0.rooms.values.map(\.right) + ($0.right.map { [$0] } ?? [])) }
    }

    /// Whether a right that keeps something open matches. It copies nothing, because it is asked of every
    /// visitor on the writer's queue.
    func hasRight(where isWanted: (RoomRight) -> Bool) -> Bool {
        kept.withLock { kept in
            kept.right.map(isWanted) ?? false || kept.rooms.values.contains { isWanted($0.right) }
        }
    }

    /// Takes the place of what the same holder showed before.
    func show(_ right: RoomRight) {
        kept.withLock { kept in
            kept.right = right
            kept.replace(with: right)
        }
    }

    /// A right whose end has moved.
    func renew(_ right: RoomRight) {
        kept.withLock { kept in
            if kept.right?.holder == right.holder { kept.right = right }
            kept.replace(with: right)
        }
    }

    var roomCount: Int { kept.withLock { $0.rooms.count } }

    func isIn(_ room: RoomName) -> Bool { kept.withLock { $0.rooms[room] != nil } }

    func enter(_ room: RoomName, _ place: Place, by right: RoomRight) {
        kept.withLock { $0.rooms[room] = RoomMembership(place: place, right: right) }
    }

    /// Those it is in whose stay is such a one.
    func rooms(where isWanted: (RoomMembership) -> Bool) -> [RoomName] {
        kept.withLock { kept in kept.rooms.filter { isWanted($0.value) }.map(\.key) }
    }

    /// Where it was.
    func exit(_ room: RoomName) -> Place? { kept.withLock { $0.rooms.removeValue(forKey: room)?.place } }

    /// How many wait with it.
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
                    work.isRunning = false
                    return nil
                }
                return work.queue.removeFirst()
            }
            guard let job else { return }
            await job()
        }
    }

    /// Whose home a channel is, where this visitor is in it.
    func account(ofHome channel: ChannelID) -> AccountID? {
        guard case .home(let account, channel) = kept.withLock({ $0.rooms[.home]?.place }) else { return nil }
        return account
    }

    func leaveAll(_ home: HomeRooms) {
        let rooms = kept.withLock { kept in
            defer { kept.rooms = [:] }
            return kept.rooms
        }
        for stay in rooms.values { stay.place.leave(home) }
    }

    func problem(_ error: any Error) -> Problem { Problem(of: error, in: language) }
}

extension Visitor.Kept {
    fileprivate mutating func replace(with right: RoomRight) {
        for name in rooms.keys where rooms[name]?.right.holder == right.holder { rooms[name]?.right = right }
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
