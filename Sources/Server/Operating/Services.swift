import Journal
import Secrets
import SocketIO
import Threads
import Wire

/// The settings, the storage, the keys and the other objects that all handlers share.
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
    /// The sessions of Engine.IO.
    let engine: EngineServer
    let metrics: Metrics
    let network: NetworkCounters
    let log: RequestLog
    let limits: FailureLimits
    /// The counts by device cookie, which only delay answers. They have a table of their own, because a
    /// client can invent any number of cookies, and must not displace the counts of `limits`.
    let deviceCounts: FailureLimits
    let codeBudgets: CodeBudgets
    /// The backups; nil if the operator wants none.
    let backups: Backups?
    let repeats: CheckInRepeats
    let delays: Delays
    let signInLines: SignInLines
    let unnamedProxies = UnnamedProxies()
    let joinCodes: JoinCodeTable
    let tickets: RoomTickets
    let drawnCodes = DrawnCodes()
    let heavyWork = HeavyWork()
    let requestIDs = RequestIDs()
    /// The threads for the handlers' scans and large files.
    let background = BackgroundThreads(2, named: "background")
    let changes = ChangeLimits()
    /// The sessions in answers to check-ins.
    let encodedSessions = EncodedSessions()
    /// The sessions in answers to members.
    let sessionsForMembers = EncodedSessions()
    /// Values of repeated reads (decision 0076).
    let knownCallers = RevisionCache<KnownCallerKey, RequestContext.Caller>(
        most: 2000, mostBytes: 8_000_000)
    let knownResults = RevisionCache<KnownResults.Key, KnownResults>(most: 1000, mostBytes: 8_000_000)
    let knownForms = RevisionCache<KnownForm.Key, KnownForm>(most: 500, mostBytes: 16_000_000)

    init(
        settings: ServerSettings, storage: Storage, keys: Keys, passwords: PasswordHasher,
        clock: any ServerClock, codeClock: CodeClock, addresses: PublicAddresses, live: LiveRooms,
        engine: EngineServer, metrics: Metrics, network: NetworkCounters, log: RequestLog
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
        self.engine = engine
        self.metrics = metrics
        self.network = network
        self.log = log
        tickets = RoomTickets(keys: keys)
        limits = FailureLimits(key: keys.attempts) { storage.broadcast($0) }
        codeBudgets = CodeBudgets(settings.codes, in: limits, log)
        deviceCounts = FailureLimits()
        backups = Backups(settings, clock, log)
        repeats = CheckInRepeats()
        delays = Delays(clock)
        signInLines = SignInLines(clock)
        joinCodes = JoinCodeTable(storage: storage, clock: clock, codeClock: codeClock, keys: keys)
    }
}
