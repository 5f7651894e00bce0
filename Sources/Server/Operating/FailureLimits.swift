import Meetings
import Synchronization

/// Counts failures, never successes: a hall that checks in behind one address is no attack, and a hundred wrong passwords are.
final class FailureLimits: Sendable {
    struct Limit: Sendable {
        let failures: Int
        let within: Duration
    }

    /// By account and address: ten wrong passwords in a quarter of an hour.
    static let signIn = Limit(failures: 10, within: .minutes(15))
    /// By address: who tries many accounts.
    static let signInFromAddress = Limit(failures: 100, within: .minutes(15))
    /// By address: generous, since a whole hall may mistype behind one. A billion join codes are not guessed at this rate.
    static let joinCode = Limit(failures: 600, within: .minutes(10))
    /// By address: questions after accounts, which are no failures but tell something each.
    static let availability = Limit(failures: 60, within: .minutes(1))

    private struct Record {
        var count = 0
        var began: Instant
    }

    private static let mostKeys = 100_000
    private let records = Mutex<[String: Record]>([:])

    /// Seconds to wait, or nil where another attempt is allowed.
    func wait(_ key: String, _ limit: Limit, at now: Instant) -> Int? {
        records.withLock { records in
            guard let record = records[key], now < record.began + limit.within, record.count >= limit.failures else { return nil }
            return Int((record.began + limit.within).since(now).components.seconds) + 1
        }
    }

    func failed(_ key: String, _ limit: Limit, at now: Instant) {
        records.withLock { records in
            if records.count >= Self.mostKeys { records = records.filter { now < $0.value.began + .minutes(15) } }
            // Under a flood the oldest go first: clearing all would reset everybody's.
            if records.count >= Self.mostKeys {
                for (key, _) in records.sorted(by: { $0.value.began < $1.value.began }).prefix(Self.mostKeys / 10) { records[key] = nil }
            }
            var record = records[key] ?? Record(began: now)
            if now >= record.began + limit.within { record = Record(began: now) }
            record.count += 1
            records[key] = record
        }
    }

    func succeeded(_ key: String) { records.withLock { $0[key] = nil } }
}
