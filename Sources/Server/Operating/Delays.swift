import Journal
import Meetings
import Synchronization
import Wire

/// Delays the answers to repeated attempts, so that a script becomes slow before it is refused. A delay holds
/// a request, but no thread. The number of requests that wait at once is limited, because otherwise they
/// would use up the server's limit of concurrent requests.
final class Delays: Sendable {
    /// How a delay grows with the number of attempts.
    struct Rule: Sendable {
        /// The number of attempts without a delay.
        let free: Int
        let step: Duration
        let most: Duration

        /// Returns the delay after this number of attempts.
        func delay(after attempts: Int) -> Duration {
            attempts <= free ? .zero : min(most, step * (attempts - free))
        }
    }

    /// Wrong join codes of one address in ten minutes. In a hall of 2,000 people, a few hundred may mistype
    /// within a minute, and none of them should wait.
    static let wrongCodes = Rule(free: 300, step: .milliseconds(10), most: .seconds(1))
    /// Wrong join codes of one browser in ten minutes.
    static let wrongCodesOfDevice = Rule(free: 10, step: .milliseconds(100), most: .seconds(1))
    /// The different people for whom one browser sent a check-in although they were already checked in, or
    /// whose check-in it withdrew.
    static let people = Rule(free: 5, step: .milliseconds(100), most: .seconds(2))
    /// The different people for whom one grant was used although they were already checked in. A grant
    /// belongs to one person.
    static let peopleOfGrant = Rule(free: 1, step: .milliseconds(200), most: .seconds(1))
    /// Check-ins of people who are already checked in, and withdrawals, of one address in ten minutes.
    static let repeats = Rule(free: 300, step: .milliseconds(10), most: .seconds(1))
    /// Check-ins of people who are already checked in to one session, with the code itself. Pages always use
    /// grants, so these requests come from programs.
    static let repeatsWithoutGrant = Rule(free: 10, step: .milliseconds(100), most: .seconds(1))
    /// Grants of rotating codes that one browser gets in a minute.
    static let grants = Rule(free: 10, step: .milliseconds(100), most: .seconds(1))
    /// Grants of rotating codes that one address gets for a session in a minute. A hall gets several hundred.
    static let grantsOfAddress = Rule(free: 1_000, step: .milliseconds(1), most: .milliseconds(500))

    static let mostAtOnce = 256
    static let mostOfOrigin = 16

    private struct Waiting {
        var all = 0
        var byOrigin: [String: Int] = [:]
    }

    private let waiting = Mutex(Waiting())
    private let clock: any ServerClock

    init(_ clock: any ServerClock) { self.clock = clock }

    /// Waits for this time and returns true. Returns false at once if too many requests of all clients, or of
    /// this client, are already waiting.
    func pause(for delay: Duration, origin: String) async -> Bool {
        guard delay > .zero else { return true }
        let mayWait = waiting.withLock { waiting in
            let own = waiting.byOrigin[origin] ?? 0
            guard waiting.all < Self.mostAtOnce, own < Self.mostOfOrigin else { return false }
            waiting.all += 1
            waiting.byOrigin[origin] = own + 1
            return true
        }
        guard mayWait else { return false }
        await clock.pause(for: delay)
        waiting.withLock { waiting in
            waiting.all -= 1
            let own = waiting.byOrigin[origin] ?? 1
            waiting.byOrigin[origin] = own > 1 ? own - 1 : nil
        }
        return true
    }
}

extension RequestContext {
    /// The value of the browser's device cookie; nil for other programs. A client can delete the cookie at
    /// any time.
    var deviceCookie: String? { cookie(Cookies.device).flatMap { $0.utf8.count == 26 ? $0 : nil } }

    /// Counts a wrong join code, and delays the answer if there were many. Returns the error to throw: the
    /// refusal, or 429 if the limit is reached or too many answers are already delayed. The caller never
    /// delays a right code.
    func wrongJoinCode() async -> any Error {
        let key = "join code from \(origin)"
        do { try requireAttempt(key, FailureLimits.joinCode) } catch { return error }
        var delay = delay(after: key, FailureLimits.joinCode, Delays.wrongCodes)
        if let deviceCookie {
            delay = max(
                delay,
                self.delay(
                    after: "join code on \(deviceCookie)", FailureLimits.joinCode, Delays.wrongCodesOfDevice,
                    in: services.deviceCounts))
        }
        guard await services.delays.pause(for: delay, origin: origin) else {
            let seconds = max(1, Int(delay.components.seconds))
            return RequestError(
                .tooManyAttempts, ["seconds": String(seconds)], retryAfterSeconds: seconds)
        }
        return Refusal.codeNotValid
    }

    /// Counts a check-in of a person who is already checked in, and delays its answer: by the number of
    /// people of its browser and of its grant, and by the number of requests of its address. Returns at once
    /// if too many answers are already delayed, because people who share a device or an address must not be
    /// refused.
    /// - Parameter grant: the grant in the request; nil if the request contains the code itself.
    func slowDown(repeatIn session: SessionID, by grant: [UInt8]?, on device: [UInt8]?) async {
        let repeats = services.repeats
        var delays = [delay(after: "repeats from \(origin)", FailureLimits.repeats, Delays.repeats)]
        if let device { delays.append(Delays.people.delay(after: repeats.peopleNamed(on: device))) }
        if let grant {
            delays.append(Delays.peopleOfGrant.delay(after: repeats.peopleNamed(by: grant)))
        } else {
            let key = "repeats without grant in \(session) from \(origin)"
            delays.append(delay(after: key, FailureLimits.repeats, Delays.repeatsWithoutGrant))
        }
        _ = await services.delays.pause(for: delays.max() ?? .zero, origin: origin)
    }

    /// Counts a withdrawal, and delays its answer as `slowDown(repeatIn:)` does.
    /// - Parameter device: the device that has withdrawn, if it is known.
    func slowDown(withdrawalOn device: [UInt8]?) async {
        let people = device.map { Delays.people.delay(after: services.repeats.peopleNamed(on: $0)) }
        let address = delay(after: "repeats from \(origin)", FailureLimits.repeats, Delays.repeats)
        _ = await services.delays.pause(for: max(people ?? .zero, address), origin: origin)
    }

    /// Counts a grant of a rotating code, scanned or typed, and delays it for a browser or an address that
    /// got many in the last minute. The client still gets the grant.
    func slowDown(grantTo session: SessionID) async {
        let key = "grants of \(session) from \(origin)"
        var delay = delay(after: key, FailureLimits.grants, Delays.grantsOfAddress)
        if let deviceCookie {
            delay = max(
                delay,
                self.delay(
                    after: "grants on \(deviceCookie)", FailureLimits.grants, Delays.grants,
                    in: services.deviceCounts))
        }
        _ = await services.delays.pause(for: delay, origin: origin)
    }

    /// Counts one more attempt under this key, and returns the delay that the attempts before it give.
    private func delay(
        after key: String, _ limit: FailureLimits.Limit, _ rule: Delays.Rule, in counts: FailureLimits? = nil
    ) -> Duration {
        let (counts, now) = (counts ?? services.limits, services.clock.now)
        defer { counts.failed(key, limit, at: now) }
        return rule.delay(after: counts.count(key, limit, at: now))
    }
}
