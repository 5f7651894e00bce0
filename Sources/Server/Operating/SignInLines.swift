import Meetings
import Synchronization
import Wire

/// The lines in which sign-ins wait whose client has not proved that it signed in to the account before.
/// Each account has one line for each address. Its passwords are checked one at a time, each after a delay
/// that the wrong ones before it have caused. So a stranger can guess slowly, and a right password still
/// gets its turn.
///
/// A request that waits holds no thread. The number of waiting requests is limited for a line, an address and
/// the server. The same is true for an account that does not exist, so a wait reveals nothing.
final class SignInLines: Sendable {
    /// The delays after the first and after many wrong passwords. Each one doubles the delay.
    static let shortestDelay = Duration.seconds(1)
    static let longestDelay = Duration.seconds(30)
    /// The longest time for which a request may wait. Proxies give up after 60 s.
    static let longestWait = Duration.seconds(40)
    static let mostInLine = 8
    static let mostOfOrigin = 128
    static let mostAtOnce = 512

    /// Returns the delay after this number of wrong passwords, before any time has passed.
    static func delay(after failures: Int) -> Duration {
        failures < 1 ? .zero : min(longestDelay, shortestDelay * (1 << min(failures - 1, 10)))
    }

    /// Rounds up, so that nobody comes too early.
    static func wholeSeconds(_ duration: Duration) -> Int {
        Int((duration + .milliseconds(999)).components.seconds)
    }

    /// The delay of a line's next password.
    struct Delay: Sendable {
        /// The number of wrong passwords before it.
        var failures = 0
        /// The time since the last one.
        var age = Duration.zero

        var rest: Duration { max(.zero, SignInLines.delay(after: failures) - age) }

        /// Returns the expected wait of a request behind `ahead` others, if all of them are wrong.
        func wait(behind ahead: Int) -> Duration {
            guard ahead > 0 else { return rest }
            return (1...ahead).reduce(rest) { $0 + SignInLines.delay(after: failures + $1) }
        }
    }

    private struct State {
        /// The line of each account and address with a password that is being checked or delayed: the
        /// requests behind it, in order.
        var lines: [String: ArraySlice<CheckedContinuation<Void, Never>>] = [:]
        var waiting = 0
        var waitingByOrigin: [String: Int] = [:]

        mutating func release(_ origin: String) {
            waiting -= 1
            let own = (waitingByOrigin[origin] ?? 1) - 1
            waitingByOrigin[origin] = own > 0 ? own : nil
        }
    }

    private let state = Mutex(State())
    private let clock: any ServerClock

    init(_ clock: any ServerClock) { self.clock = clock }

    /// The number of requests that wait.
    var waitingCount: Int { state.withLock { $0.waiting } }

    /// Waits for the turn of a password, and calls `check`. The next request of the line follows afterwards.
    /// - Parameters:
    ///   - line: the account and the address.
    ///   - delay: returns the delay of the line's next password at this moment.
    /// - Throws: 429 `too_many_attempts` with the time after which a place may be free; errors of `check`.
    func inTurn<Result>(
        _ line: String, from origin: String, delay: () -> Delay, _ check: () async throws -> Result
    ) async throws -> Result {
        let first = delay()
        let entry = state.withLock { state -> Entry in
            let behind = state.lines[line]
            guard behind != nil || first.rest > .zero else {
                state.lines[line] = []
                return .checked
            }
            let wait = first.wait(behind: behind.map { $0.count + 1 } ?? 0)
            guard wait <= Self.longestWait, behind?.count ?? 0 < Self.mostInLine,
                state.waitingByOrigin[origin] ?? 0 < Self.mostOfOrigin, state.waiting < Self.mostAtOnce
            else { return .refused(max(.seconds(1), wait - Self.longestWait)) }
            state.waiting += 1
            state.waitingByOrigin[origin, default: 0] += 1
            if behind == nil { state.lines[line] = [] }
            return .waits(isFirst: behind == nil)
        }
        switch entry {
        case .checked: break
        case .refused(let wait):
            let seconds = Self.wholeSeconds(wait)
            throw RequestError(
                .tooManyAttempts, ["seconds": String(seconds)], retryAfterSeconds: seconds)
        case .waits(let isFirst):
            defer { state.withLock { $0.release(origin) } }
            if !isFirst { await takeTurn(line) }
            let rest = delay().rest
            if rest > .zero { await clock.pause(for: rest) }
        }
        defer { passTurn(line) }
        return try await check()
    }

    private enum Entry {
        case checked
        case refused(Duration)
        case waits(isFirst: Bool)
    }

    /// Waits at the end of the line. The line may have become empty since the caller entered.
    private func takeTurn(_ line: String) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.lines[line] == nil {
                    state.lines[line] = []
                    return true
                }
                state.lines[line, default: []].append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func passTurn(_ line: String) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let next = state.lines[line]?.popFirst() else {
                state.lines[line] = nil
                return nil
            }
            return next
        }
        next?.resume()
    }
}
