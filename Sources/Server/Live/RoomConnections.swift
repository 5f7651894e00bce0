import Journal
import Meetings
import Phrases
import Rooms
import SocketIO
import Synchronization
import WebSockets
import Wire

/// Handles room connections: authorization, joining and leaving rooms, and catching up.
/// `RoomConnections+Ending` ends the connections. No function blocks a websocket loop: functions that read
/// the database run in tasks.
final class RoomConnections: WebSocketHandler {
    static let mostRooms = 20
    /// A client that has missed more events than this gets a snapshot.
    private static let mostNews = 10_000
    /// The most messages of one connection that may wait for an answer. If a client sends more, the server
    /// closes the connection.
    static let mostUnderWay = 64
    /// The longest time for which a client that is ahead of its room waits for the room. It is shorter than
    /// the silence after which a node closes its rooms.
    static let mostBehind = Duration.seconds(2)
    /// The time within which a new connection must authorize.
    static let patience = Duration.seconds(30)
    /// The same time for clients of Socket.IO, because each one that polls takes a slot of its address.
    static let socketPatience = Duration.seconds(10)
    /// The time within which an authorized connection must join its first room.
    static let joinPatience = Duration.minutes(5)

    let services: Services
    let rights: RoomRights
    /// The rooms that clients of Socket.IO may recover.
    let recoveries = SocketRecoveries()
    /// The visitors of open connections, by the connection's id.
    private let open = Mutex<[UInt64: Visitor]>([:])

    init(services: Services) {
        self.services = services
        rights = RoomRights(services: services)
    }

    /// The visitors of open connections.
    var visitors: [Visitor] { open.withLock { Array($0.values) } }

    // MARK: Callbacks on the websocket loop

    func opened(_ connection: WebSocketConnection, request: UpgradeHead) {
        services.noteForwarding(request)
        if connection.isOfPackets { return beganSocketIO(connection, request) }
        let visitor = Visitor(
            language: Self.language(of: request), from: Origin.of(services.proxies.client(of: request)),
            connection, at: services.clock.now)
        connection.context = visitor
        enter(visitor)
        if connection.form == .events {
            // `refusal(of:)` has let no malformed request through.
            if let stream = try? StreamRequest(request) { begin(stream, for: visitor) }
            return
        }
        let cookie = request[header: "cookie"].flatMap { Cookies.value(of: Cookies.signIn, in: [$0]) }
        if let bearer = request[header: "authorization"] {
            visitor.enqueue {
                await self.authorize(visitor, AccessCheck.bearer(in: bearer) ?? "", announce: false)
            }
        } else if let cookie {
            // A browser adds the cookie to every connection, whatever page opens it. So the server accepts
            // the cookie only from its own pages (RFC 6455 §10.2).
            guard let origin = request[header: "origin"], services.isOwn(origin: origin, for: request) else {
                connection.close(code: Wire.CloseCode.policy.rawValue, reason: "origin_not_allowed")
                return
            }
            visitor.enqueue { await self.authorize(visitor, cookie, announce: false) }
        }
    }

    func enter(_ visitor: Visitor) { open.withLock { $0[visitor.connection.id] = visitor } }

    /// Removes a visitor whose connection has ended.
    func left(_ visitor: Visitor) {
        open.withLock { $0[visitor.connection.id] = nil }
        visitor.enqueue { visitor.leaveAll(self.services.live.home) }
    }

    func received(binary: [UInt8], from connection: WebSocketConnection) {
        guard let (session, message) = services.engine.received(binary: binary, from: connection) else {
            return
        }
        received(message, from: session)
    }

    func received(_ text: [UInt8], from connection: WebSocketConnection) {
        if connection.isOfPackets {
            guard let (session, message) = services.engine.received(text, from: connection) else { return }
            return received(message, from: session)
        }
        guard let visitor = connection.context as? Visitor else { return }
        guard let message = ClientMessage(text) else {
            connection.close(code: Wire.CloseCode.policy.rawValue, reason: "not_json")
            return
        }
        if case .ping(let number) = message.request {
            connection.send(WireJSON.bytes(Pong(pong: number)))
            return
        }
        let underWay = visitor.enqueue { await self.answer(message, visitor) }
        if underWay > Self.mostUnderWay {
            connection.close(code: Wire.CloseCode.policy.rawValue, reason: "too_many_messages")
        }
    }

    func fellBehind(_ connection: WebSocketConnection, channel: ChannelID, position: UInt64) {
        if let room = services.live.room(ofCounts: channel) {
            return room.beginCounts(connection, isBehind: true)
        }
        guard let (room, view) = services.live.room(of: channel) else {
            Task { await self.startHomeAfresh(connection, channel) }
            return
        }
        Task { await self.catchUp(connection, room, view, from: Int64(position)) }
    }

    private func catchUp(
        _ connection: WebSocketConnection, _ room: LiveRoom, _ view: View, from position: Int64
    ) async {
        if room.catchUp(connection, as: view, from: position, news: nil) { return }
        let news = try? await news(of: room.id, after: position)
        if let news = news ?? nil, room.catchUp(connection, as: view, from: position, news: news) { return }
        room.sendSnapshot(connection, as: view, from: position)
    }

    /// Sends a home snapshot to a client that has missed frames, because a home stores no news.
    private func startHomeAfresh(_ connection: WebSocketConnection, _ channel: ChannelID) async {
        let home = services.live.home
        let context = services.engine.session(of: connection)?.context ?? connection.context
        guard let visitor = context as? Visitor, let account = visitor.account(ofHome: channel)
        else {
            return home.repeatCount(connection, on: channel)
        }
        home.joinAgain()
        defer { home.joined() }
        let snapshot = try? await home.snapshot(for: account)
        connection.catchUp(channel, snapshot.map { [HomeRooms.frame($0)] } ?? [])
    }

    /// Returns the news after `position`; nil if there are more than `mostNews` events.
    private func news(of session: SessionID, after position: Int64) async throws -> [News]? {
        try await services.storage.scan { rows throws(JournalError) in
            try News.read(from: rows, session: session, after: position, most: Self.mostNews)
        }
    }

    func closed(_ connection: WebSocketConnection, code: UInt16) {
        if connection.isOfPackets {
            if let session = services.engine.closed(connection) { endedSocketIO(session) }
            return
        }
        guard let visitor = connection.context as? Visitor else { return }
        // The connection and the visitor hold references to each other. This line breaks the cycle.
        connection.context = nil
        left(visitor)
    }

    // MARK: Messages, in the order of arrival

    private func answer(_ message: ClientMessage, _ visitor: Visitor) async {
        do {
            switch message.request {
            case .authorize(let token): await authorize(visitor, token, announce: true)
            case .join(let name, let since):
                try await join(visitor, name, since: since, message: message.id) { WireJSON.bytes($0) }
            case .leave(let name): try leave(visitor, name, message: message.id)
            case .unknownRoom: throw RequestError(.unknownRoom)
            case .unknown: throw RequestError(.notJSON)
            case .ping: break
            }
        } catch {
            visitor.connection.send(WireJSON.bytes(RoomError(visitor.problem(error), id: message.id)))
        }
    }

    func authorize(_ visitor: Visitor, _ token: String, announce: Bool) async {
        do {
            visitor.show(try await rights.right(of: token))
            // A sign-out may have run since the first check. It closed only the connections whose right was
            // already set, so the right is checked once more.
            _ = try await rights.right(of: token)
            if announce { visitor.connection.send(WireJSON.bytes(Authorized())) }
        } catch JournalError.failed {
            visitor.close(.goingAway, "storage_unavailable")
        } catch {
            let mustWait = error is RoomRights.Forged && !services.isCounted(forgeryFrom: visitor.origin)
            visitor.close(.notAuthorized, mustWait ? "too_many_attempts" : "not_authorized")
        }
    }

    /// Joins a room. `answer` makes the message that tells the client so.
    func join(
        _ visitor: Visitor, _ name: RoomName, since: ClientMessage.Position?, message id: Int?,
        answer: @Sendable (Joined) -> [UInt8]
    ) async throws {
        guard let right = visitor.right else { throw RequestError(.notSignedIn) }
        guard visitor.roomCount < Self.mostRooms || visitor.isIn(name) else {
            throw RequestError(.tooManyRooms, ["limit": String(Self.mostRooms)])
        }
        try await check(right, of: visitor, for: name)
        leaveQuietly(visitor, name)
        guard let session = name.sessionID, let view = name.view else {
            return try await joinHome(visitor, right, message: id, answer)
        }
        let epoch = services.storage.epoch
        let position = since.flatMap { $0.epoch == epoch ? $0.sequence : nil }
        let room = try await join(visitor, session, since: position) { room, since, news in
            room.join(
                visitor.connection, as: view, message: id, epoch: epoch, since: since, news: news, answer)
        }
        visitor.enter(.session(room, view), by: right)
        // The account's membership may have ended since the first check. That change removed the visitor only
        // from rooms that were already joined, so the right is checked once more.
        try await check(right, of: visitor, for: name)
    }

    /// Joins the session's room by `join` as `Resumption` decides, and returns the room. If the room does not
    /// reach the client's position in time, closes the connection and throws.
    private func join(
        _ visitor: Visitor, _ session: SessionID, since: Int64?,
        by join: (LiveRoom, _ since: Int64?, [News]?) -> Resumption.Outcome
    ) async throws -> LiveRoom {
        var resumption = Resumption(since: since)
        var action = resumption.first
        var (room, news) = (try await services.live.room(session), [News]?.none)
        while true {
            switch action {
            case .join(let since): action = resumption.next(after: join(room, since, news))
            case .readNews(let position):
                news = try await self.news(of: session, after: position)
                action = resumption.readNews(hasAll: news != nil)
            case .findRoom:
                (room, news) = (try await services.live.room(session), nil)
                action = resumption.foundRoom()
            case .readSequence:
                do { action = resumption.readSequence(try await room.storedSequence()) } catch {
                    action = resumption.failedToReadSequence()
                }
            case .awaitCommits(let position):
                services.storage.takeCommits()
                action = resumption.waited(
                    isPublished: await room.publishes(position, within: Self.mostBehind))
            case .tryAgain:
                visitor.close(.goingAway, "behind")
                throw RequestError(.overloaded)
            case .refuse: throw Refusal.notFound(.session)
            case .end: return room
            }
        }
    }

    /// Checks that the right opens the room. If the right does not open the room, removes the visitor from it
    /// and throws.
    private func check(_ right: RoomRight, of visitor: Visitor, for name: RoomName) async throws {
        do { try await rights.check(right, for: name) } catch {
            leaveQuietly(visitor, name)
            throw error
        }
    }

    private func joinHome(
        _ visitor: Visitor, _ right: RoomRight, message id: Int?, _ answer: @Sendable (Joined) -> [UInt8]
    ) async throws {
        guard case .account(let account, _) = right.holder else { throw Refusal.notAllowed }
        let home = services.live.home
        let channel = home.join(account)
        visitor.enter(.home(account, channel), by: right)
        // Changes during the read of the snapshot are published again after the snapshot.
        defer { home.joined() }
        do {
            let snapshot = try await home.snapshot(for: account)
            let joined = Joined(
                joined: .home, id: id, epoch: services.storage.epoch, sequence: nil, recovered: false,
                now: services.clock.now)
            visitor.connection.perform([
                .send(answer(joined)), .sendFrame(HomeRooms.frame(snapshot)),
                .subscribe(to: channel, at: 0),
            ])
        } catch {
            leaveQuietly(visitor, .home)
            throw error
        }
    }

    func leave(_ visitor: Visitor, _ name: RoomName, message id: Int?) throws {
        guard visitor.isIn(name) else { throw RequestError(.notJoined) }
        leaveQuietly(visitor, name)
        visitor.tell(Left(left: name, id: id), as: "left", id: id)
    }

    func leaveQuietly(_ visitor: Visitor, _ name: RoomName) {
        guard let joined = visitor.exit(name) else { return }
        if let channel = joined.channel { visitor.connection.unsubscribe(from: channel) }
        if visitor.socket != nil {
            switch joined {
            case .session(let room, _): visitor.connection.unsubscribe(from: room.counts)
            case .home(let account, _): services.live.home.endCount(visitor.connection, of: account)
            }
        }
        joined.leave(services.live.home)
    }
}

extension WebSocketConnection {
    /// Whether the client speaks Engine.IO.
    fileprivate var isOfPackets: Bool { form == .packets || form == .polled }
}
