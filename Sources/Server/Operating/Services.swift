import Journal
import Secrets

/// What handlers work with.
final class Services: Sendable {
    let settings: ServerSettings
    let storage: Storage
    let keys: Keys
    let passwords: PasswordHasher
    let clock: any ServerClock
    let address: PublicAddress
    let live: LiveRooms
    let metrics: Metrics
    let log: RequestLog
    let limits: FailureLimits

    init(
        settings: ServerSettings, storage: Storage, keys: Keys, passwords: PasswordHasher, clock: any ServerClock, address: PublicAddress,
        live: LiveRooms, metrics: Metrics, log: RequestLog
    ) {
        self.settings = settings
        self.storage = storage
        self.keys = keys
        self.passwords = passwords
        self.clock = clock
        self.address = address
        self.live = live
        self.metrics = metrics
        self.log = log
        limits = FailureLimits()
    }
}
