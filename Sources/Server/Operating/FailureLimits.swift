import FoundationEssentials
import HTTPServer
import Meetings
import Secrets
import Synchronization
import Wire

/// Counts failed attempts: a hall of attendees behind one address is no attack, but a hundred wrong passwords
/// are. Of successful requests, it counts only some that `Delays` may slow down.
///
/// Attackers can guess passwords, so each further attempt is checked later (`SignInLines`), and none is
/// refused for long. Attackers cannot guess codes and signed values, so the server checks every attempt and
/// always accepts a valid code or value. Over the limit, only wrong attempts are answered with 429. Nobody
/// in a hall can therefore lock the other attendees out. docs/threat-model.md lists all counters, and a
/// test compares its table with the code.
final class FailureLimits: Sendable {
    struct Limit: Sendable {
        let failures: Int
        let within: Duration
    }

    /// The time for which wrong passwords are counted by account and address. They delay the next attempt
    /// (`SignInLines`), and the number itself refuses none.
    static let signIn = Limit(failures: .max, within: .hours(1))
    /// Limits wrong passwords of a client that has signed in to this account before, counted by account and
    /// mark or sign-in. Over the limit, its passwords wait with those of other clients.
    static let signInByMark = Limit(failures: 10, within: .minutes(15))
    /// The wrong passwords of an address, of any account, from which on its passwords are checked after those
    /// of other clients. No password is refused because of it.
    static let signInFromAddress = Limit(failures: 100, within: .minutes(15))
    /// Limits wrong join codes, counted by address. The limit is high, because many attendees in a hall with
    /// one address may mistype. A valid code is always accepted.
    static let joinCode = Limit(failures: 600, within: .minutes(10))
    /// Limits forged codes, grants and receipts, unknown refresh tokens and, in rooms, all unknown tokens,
    /// counted by address. An unknown token may have been genuine once, because signing out deletes its row.
    /// A valid value is always accepted.
    static let forgery = Limit(failures: 600, within: .minutes(10))
    /// Limits requests that ask whether an e-mail address has an account, counted by address. Each answer
    /// reveals something, so successful requests count too.
    static let availability = Limit(failures: 60, within: .minutes(1))
    /// Limits exports of personal data, counted by account or receipt, because each adds an entry to the
    /// action log.
    static let export = Limit(failures: 60, within: .minutes(10))
    /// Limits rejected sign-ups, which also reveal whether an account exists, and wrong set-up tokens,
    /// counted by address. The limit does not apply to an invited person.
    static let signUp = Limit(failures: 60, within: .minutes(1))

    /// Limits wrong codes of mails and phones, counted by address. A right code is always accepted. Each
    /// code has five tries of its own (`AccountCode`).
    static let code = Limit(failures: 600, within: .minutes(10))

    /// Limits the new accounts of an address, because each of them costs the hash of a password: 100 an
    /// hour. So a class or an office behind one address can sign up. The limit does not apply to an invited
    /// person.
    static let newAccount = Limit(failures: 100, within: .hours(1))
    /// Limits wrong answers to published forms and unknown form names, counted by address. Valid answers are
    /// always accepted.
    static let form = Limit(failures: 600, within: .minutes(10))
    /// Limits replies to sessions, counted by address. Each can add a row, and tells whether somebody has
    /// replied with an address or number, so successful requests count too. The limit is high, because the
    /// people of an office may reply behind one address.
    static let reply = Limit(failures: 300, within: .hours(1))
    /// Limits web addresses that a host wants to import and that the server could not fetch, counted by
    /// account.
    static let fetch = Limit(failures: 20, within: .minutes(10))

    /// Limits the requests of a kiosk, counted by its link: 30 guests a minute, with three requests each.
    static let kiosk = Limit(failures: 90, within: .minutes(1))
    /// Limits names and numbers that nobody has, counted by the kiosk's link. Over the limit, the kiosk takes
    /// no names and numbers, because a refusal of wrong ones alone would tell which are right. Passes open it
    /// even then.
    static let kioskGuesses = Limit(failures: 100, within: .minutes(10))
    /// Limits the exchanges and the snapshots of an offline door, counted by offline door. All of them count.
    static let exchange = Limit(failures: 300, within: .minutes(1))
    static let snapshot = Limit(failures: 60, within: .minutes(10))

    /// The times for which grants of rotating codes, repeated check-ins and withdrawals are counted. They are
    /// delayed (`Delays`), and the number itself refuses none.
    static let grants = Limit(failures: .max, within: .minutes(1))
    static let repeats = Limit(failures: .max, within: .minutes(10))

    fileprivate struct Record {
        var count = 0
        var began: Instant
        var ends: Instant
        /// The time of the last failure.
        var last: Instant

        init(_ limit: Limit, at now: Instant) { (began, ends, last) = (now, now + limit.within, now) }

        /// Whether the record still counts. If the clock is set back, the record ends, so that no client
        /// waits longer than the server announced.
        func lasts(_ limit: Limit, at now: Instant) -> Bool { began <= now && now < began + limit.within }
    }

    /// The highest number of records. A record's key is a hash under a secret key or under a random seed of
    /// this process, so that a long text uses no more memory than a short one.
    private static let mostKeys = 100_000
    private let records = Mutex<[UInt64: Record]>([:])
    private let key: MACKey?
    private let broadcast: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - key: the key of the hashes, which all nodes of a database share; nil if this node counts alone.
    ///   - broadcast: sends a count to other nodes. It arrives within some milliseconds, so several nodes
    ///     together allow hardly more attempts than one.
    init(key: MACKey? = nil, broadcast: @escaping @Sendable ([UInt8]) -> Void = { _ in }) {
        (self.key, self.broadcast) = (key, broadcast)
    }

    var keyCount: Int { records.withLock { $0.count } }

    private func hash(_ text: String) -> UInt64 {
        guard let key else { return UInt64(truncatingIfNeeded: text.hashValue) }
        return Self.number(key.mac(Array(text.utf8))[..<8])
    }

    // MARK: Other nodes

    // A count for other nodes has 12 bytes: the hash, and the seconds for which the failure counts. Zero
    // seconds delete the count, because an attempt has succeeded.
    private static let countLength = 12

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func share(_ hash: UInt64, seconds: Int) {
        guard key != nil else { return }
        broadcast(
            withUnsafeBytes(of: hash.bigEndian) { Array($0) }
                + withUnsafeBytes(of: UInt32(clamping: seconds).bigEndian) { Array($0) })
    }

    /// Applies the counts that other nodes have sent.
    func receive(_ message: [UInt8], at now: Instant) {
        for start in stride(from: 0, through: message.count - Self.countLength, by: Self.countLength) {
            let hash = Self.number(message[start..<start + 8])
            let seconds = Self.number(message[start + 8..<start + Self.countLength])
            if seconds == 0 {
                records.withLock { $0[hash] = nil }
            } else {
                count(hash, Limit(failures: .max, within: .seconds(Int64(seconds))), at: now)
            }
        }
    }

    // MARK: Counting

    /// Returns the seconds that the client must wait; nil if another attempt is allowed.
    func wait(_ key: String, _ limit: Limit, at now: Instant) -> Int? {
        records.withLock { records in
            guard let record = records[hash(key)], record.lasts(limit, at: now),
                record.count >= limit.failures
            else { return nil }
            return Int((record.began + limit.within).since(now).components.seconds) + 1
        }
    }

    /// Returns the number of failures that count at the moment.
    func count(_ key: String, _ limit: Limit, at now: Instant) -> Int {
        records.withLock { records in
            guard let record = records[hash(key)], record.lasts(limit, at: now) else { return 0 }
            return record.count
        }
    }

    /// Returns the number of failures that count at the moment, and the time since the last one.
    func failures(_ key: String, _ limit: Limit, at now: Instant) -> (count: Int, age: Duration) {
        records.withLock { records in
            guard let record = records[hash(key)], record.lasts(limit, at: now) else { return (0, .zero) }
            return (record.count, max(.zero, now.since(record.last)))
        }
    }

    func failed(_ key: String, _ limit: Limit, at now: Instant) {
        let hash = hash(key)
        count(hash, limit, at: now)
        share(hash, seconds: Int(limit.within.components.seconds))
    }

    private func count(_ hash: UInt64, _ limit: Limit, at now: Instant) {
        records.withLock { Self.count(hash, limit, in: &$0, at: now) }
    }

    private static func count(
        _ hash: UInt64, _ limit: Limit, in records: inout [UInt64: Record], at now: Instant
    ) {
        if records.count >= mostKeys {
            records = records.filter { now < $0.value.ends }
        }
        // During a flood of attempts, the lowest counts are removed, and the oldest of them first. Removing
        // all records would reset every count, and removing the oldest ones would reset a count of many.
        if records.count >= mostKeys {
            let lowest = records.sorted {
                ($0.value.count, $0.value.began) < ($1.value.count, $1.value.began)
            }
            for (key, _) in lowest.prefix(mostKeys / 10) { records[key] = nil }
        }
        var record = records[hash] ?? Record(limit, at: now)
        if !record.lasts(limit, at: now) { record = Record(limit, at: now) }
        record.count += 1
        record.last = now
        records[hash] = record
    }

    // MARK: Several counts of one request

    /// A count that a request raises, and what it allows.
    struct Charge: Sendable {
        let key: String
        let limit: Limit
        /// The number of requests that do not wait. Each further one may come a growing time after the first:
        /// by the square of its number, up to the whole time of the limit. Nil if requests wait only when the
        /// limit is reached.
        let free: Int?

        /// Returns the earliest moment of the next request after those of `record`.
        fileprivate func earliest(after record: Record) -> Instant {
            guard record.count < limit.failures else { return record.began + limit.within }
            guard let free, record.count >= free else { return record.began }
            let part = Double(record.count - free + 1) / Double(limit.failures - free + 1)
            return record.began + limit.within * (part * part)
        }
    }

    /// Counts a request under all keys, if all of them allow it at the moment. Returns the seconds that the
    /// client must wait; nil if the request was counted. Two requests at once never pass one free place.
    func count(_ charges: [Charge], at now: Instant) -> Int? {
        let charges = charges.map { (hash: hash($0.key), charge: $0) }
        let wait = records.withLock { records -> Duration in
            let earliest = charges.compactMap { hash, charge in
                records[hash].flatMap { $0.lasts(charge.limit, at: now) ? charge.earliest(after: $0) : nil }
            }.max()
            let wait = earliest.map { $0.since(now) } ?? .zero
            guard wait <= .zero else { return wait }
            for (hash, charge) in charges { Self.count(hash, charge.limit, in: &records, at: now) }
            return .zero
        }
        guard wait <= .zero else { return Int(wait.components.seconds) + 1 }
        for (hash, charge) in charges {
            share(hash, seconds: Int(charge.limit.within.components.seconds))
        }
        return nil
    }

    func succeeded(_ key: String) {
        let hash = hash(key)
        let hadFailed = records.withLock { $0.removeValue(forKey: hash) != nil }
        if hadFailed { share(hash, seconds: 0) }
    }
}

extension RequestContext {
    /// The part of the client's address by which failures are counted: an IPv4 address, or an IPv6 network of
    /// 64 bits, because one client can use every address in such a network.
    var origin: String { Origin.of(client) }

    /// - Throws: 429 if the client has failed too often.
    func requireAttempt(_ key: String, _ limit: FailureLimits.Limit) throws {
        guard let seconds = services.limits.wait(key, limit, at: services.clock.now) else { return }
        throw RequestError(.tooManyAttempts, ["seconds": String(seconds)], retryAfterSeconds: seconds)
    }

    /// Counts a request, whether it fails or not.
    /// - Throws: 429 if there were too many under this key.
    func countRequest(_ key: String, _ limit: FailureLimits.Limit) throws {
        let charge = FailureLimits.Charge(key: key, limit: limit, free: nil)
        guard let seconds = services.limits.count([charge], at: services.clock.now) else { return }
        throw RequestError(.tooManyAttempts, ["seconds": String(seconds)], retryAfterSeconds: seconds)
    }

    /// Counts a sign-up of somebody who was not invited, before the password is hashed.
    /// - Throws: 429 if the client's address has made too many accounts.
    func countNewAccount() throws {
        let (key, limit) = ("new account from \(origin)", FailureLimits.newAccount)
        if let seconds = services.limits.wait(key, limit, at: services.clock.now) {
            throw RequestError(
                .tooManySignUps, ["minutes": String((seconds + 59) / 60)], retryAfterSeconds: seconds)
        }
        failed(key, limit)
    }

    func failed(_ key: String, _ limit: FailureLimits.Limit) {
        services.limits.failed(key, limit, at: services.clock.now)
    }

    /// Counts a wrong attempt that was checked. Returns the error to throw: the refusal, or 429 if the limit
    /// is reached.
    func wrong(_ key: String, _ limit: FailureLimits.Limit, _ refusal: Refusal) -> any Error {
        do { try requireAttempt(key, limit) } catch { return error }
        failed(key, limit)
        return refusal
    }

    /// Counts a value that claims to come from this server, but that the server never signed or stored.
    func forged(_ refusal: Refusal) -> any Error {
        wrong(Origin.forgery(from: origin), FailureLimits.forgery, refusal)
    }
}

extension Services {
    /// Counts a forged token in a room. Returns false if the limit is reached and the client must wait. A
    /// valid token is accepted even then.
    func isCounted(forgeryFrom origin: String) -> Bool {
        let (key, now) = (Origin.forgery(from: origin), clock.now)
        guard limits.wait(key, FailureLimits.forgery, at: now) == nil else { return false }
        limits.failed(key, FailureLimits.forgery, at: now)
        return true
    }
}

enum Origin {
    static func of(_ peer: String) -> String { peer.contains(":") ? network(ofIPv6: peer) : peer }

    /// Returns the key under which forgeries are counted. HTTP requests and rooms share one count.
    static func forgery(from origin: String) -> String { "forgery from \(origin)" }

    /// Returns the network of an IPv6 address: the first four of its eight groups. For an address that
    /// contains an IPv4 address (RFC 4291 §2.5.5.2), returns the IPv4 address.
    static func network(ofIPv6 text: String) -> String {
        let address = text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? text
        if let last = address.split(separator: ":").last, last.contains(".") { return String(last) }
        let halves = address.components(separatedBy: "::")
        let front = halves[0].split(separator: ":").map(String.init)
        let back = halves.count > 1 ? halves[1].split(separator: ":").map(String.init) : []
        let zeros =
            halves.count > 1 ? [String](repeating: "0", count: max(0, 8 - front.count - back.count)) : []
        return (front + zeros + back).prefix(4).joined(separator: ":") + "::/64"
    }
}
