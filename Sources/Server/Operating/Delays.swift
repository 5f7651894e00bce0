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
    /// Grants that one browser gets in a minute.
    static let grants = Rule(free: 10, step: .milliseconds(100), most: .seconds(1))

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
        let now = services.clock.now
        var delay = Delays.wrongCodes.delay(
            after: services.limits.count(key, FailureLimits.joinCode, at: now))
        failed(key, FailureLimits.joinCode)
        if let deviceCookie {
            let (key, counts) = ("join code on \(deviceCookie)", services.deviceCounts)
            delay = max(
                delay,
                Delays.wrongCodesOfDevice.delay(after: counts.count(key, FailureLimits.joinCode, at: now)))
            counts.failed(key, FailureLimits.joinCode, at: now)
        }
        guard await services.delays.pause(for: delay, origin: origin) else {
            let seconds = max(1, Int(delay.components.seconds))
            return RequestError(
                .tooManyAttempts, ["seconds": String(seconds)], retryAfterSeconds: seconds)
        }
        return Refusal.codeNotValid
    }

    /// Delays the answer to a browser that has exceeded the free number of `Delays.people`. Returns at once
    /// if too many answers are already delayed, because people who share a device must not be refused.
    func slowDown(afterPeopleOn device: [UInt8]?) async {
        guard let device else { return }
        let delay = Delays.people.delay(after: services.repeats.peopleNamed(by: device))
        _ = await services.delays.pause(for: delay, origin: origin)
    }

    /// Delays a grant of a rotating code for a browser that got many grants in the last minute. The browser
    /// still gets the grant.
    func slowDown(grantTo device: String?) async {
        guard let device else { return }
        let (key, counts, now) = ("grants on \(device)", services.deviceCounts, services.clock.now)
        let limit = FailureLimits.grantsOfDevice
        let delay = Delays.grants.delay(after: counts.count(key, limit, at: now))
        counts.failed(key, limit, at: now)
        _ = await services.delays.pause(for: delay, origin: origin)
    }
}
