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

    private struct Work {
        var queue: [@Sendable () async -> Void] = []
        var isRunning = false
    }

    let connection: WebSocketConnection
    private let language: Language
    private let kept = Mutex<(right: RoomRight?, rooms: [RoomName: Place])>((nil, [:]))
    private let work = Mutex(Work())

    init(language: Language, _ connection: WebSocketConnection) {
        self.language = language
        self.connection = connection
    }

    var right: RoomRight? {
        get { kept.withLock { $0.right } }
        set { kept.withLock { $0.right = newValue } }
    }

    var rooms: [RoomName: Place] {
        get { kept.withLock { $0.rooms } }
        set { kept.withLock { $0.rooms = newValue } }
    }

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

    func leaveAll(_ home: HomeRooms) {
        for place in rooms.values { place.leave(home) }
        rooms = [:]
    }

    func problem(_ error: any Error) -> Problem { Problem(of: error, in: language) }
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
