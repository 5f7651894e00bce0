import Journal
import Secrets
import Synchronization
import WebSockets

/// What handlers work with.
final class Services: Sendable {
    let settings: ServerSettings
    let storage: Storage
    let keys: Keys
    let passwords: PasswordHasher
    let clock: any ServerClock
    let codeClock: CodeClock
    let addresses: PublicAddresses
    let proxies: TrustedProxies
    let live: LiveRooms
    let metrics: Metrics
    let log: RequestLog
    let limits: FailureLimits
    private let counting = Mutex<NetworkCounting?>(nil)
    private let connected = Mutex<(sockets: WebSocketServer?, rooms: RoomConnections?)>((nil, nil))

    /// The websockets, once they are there.
    var sockets: WebSocketServer? { connected.withLock { $0.sockets } }
    var rooms: RoomConnections? { connected.withLock { $0.rooms } }

    init(
        settings: ServerSettings, storage: Storage, keys: Keys, passwords: PasswordHasher,
        clock: any ServerClock, codeClock: CodeClock,
        addresses: PublicAddresses, live: LiveRooms, metrics: Metrics, log: RequestLog
    ) {
        self.settings = settings
        self.storage = storage
        self.keys = keys
        self.passwords = passwords
        self.clock = clock
        self.codeClock = codeClock
        self.addresses = addresses
        proxies = TrustedProxies(settings.trustedProxies)
        self.live = live
        self.metrics = metrics
        self.log = log
        limits = FailureLimits()
    }

    /// The door's and HTTP's, once they are there.
    var network: NetworkStatistics { counting.withLock { $0 }?.read() ?? NetworkStatistics() }

    func count(by read: @escaping @Sendable () -> NetworkStatistics) {
        counting.withLock { $0 = NetworkCounting(read: read) }
    }

    func connect(_ sockets: WebSocketServer, _ rooms: RoomConnections) {
        connected.withLock { $0 = (sockets, rooms) }
        live.connect(to: sockets)
    }
}
