import HTTPServer
import Journal
import Meetings
import Phrases
import Synchronization
import Wire

/// The budgets of messages with codes: how many the server sends in an hour, by mail and to phones. A
/// stranger can ask for a code to any address, and each message costs the operator money or reputation.
///
/// A request is counted before any look-up, so a refusal reveals nothing about an account. Requests count
/// even if no message leaves the server.
///
/// | count | limit |
/// |---|---|
/// | all requests | the budget |
/// | requests of clients without a mark | half of the budget |
/// | requests of an address, with and without a mark apart | a twentieth of the budget each |
/// | requests of one mark | ten |
///
/// A mark proves that the client has signed in or checked in before (`RequestContext.earlierUse`). The two
/// counts of an address slow it down early: their first fifth is free, and each further request has to wait
/// longer (`FailureLimits.Charge.free`).
final class CodeBudgets: Sendable {
    static let hour = Duration.hours(1)
    static let mostOfMark = 10
    /// The clients of an address get the twentieth part of a budget with a mark, and as much without one.
    static let addressShare = 20
    /// The part of a budget, in percent, from which it runs low.
    static let lowPercent = 80

    /// The state of a budget. A later case is worse.
    enum State: String, Sendable, Comparable, CaseIterable {
        case enough
        case low
        /// Only clients with a mark still get codes.
        case keptForMarks
        case usedUp

        static func < (one: State, other: State) -> Bool { one.order < other.order }

        private var order: Int {
            switch self {
            case .enough: 0
            case .low: 1
            case .keptForMarks: 2
            case .usedUp: 3
            }
        }
    }

    struct Report: Sendable {
        let channel: OutgoingMail.Channel
        let most: Int
        let used: Int
        let usedWithoutMark: Int
        /// The requests that were refused since this process started.
        let refused: Int

        /// The most requests of clients without a mark.
        var mostWithoutMark: Int { CodeBudgets.share(of: most, 2) }

        var state: State {
            if used >= most { return .usedUp }
            if usedWithoutMark >= mostWithoutMark { return .keptForMarks }
            let isLow =
                used * 100 >= most * CodeBudgets.lowPercent
                || usedWithoutMark * 100 >= mostWithoutMark * CodeBudgets.lowPercent
            return isLow ? .low : .enough
        }
    }

    private struct Noted {
        var state = State.enough
        var refused = 0
    }

    private let settings: CodeBudgetSettings
    private let limits: FailureLimits
    private let log: RequestLog
    private let noted = Mutex<[OutgoingMail.Channel: Noted]>([:])

    /// - Parameter limits: the counts, which the nodes of a database share.
    init(_ settings: CodeBudgetSettings, in limits: FailureLimits, _ log: RequestLog) {
        (self.settings, self.limits, self.log) = (settings, limits, log)
    }

    private static func share(of most: Int, _ divisor: Int) -> Int { max(1, most / divisor) }

    private func key(_ channel: OutgoingMail.Channel, _ more: String) -> String {
        "codes by \(channel) \(more)"
    }

    /// Counts a request for a code. Returns the seconds that the client must wait; nil if the request may go
    /// on.
    /// - Parameters:
    ///   - origin: the client's address (`Origin.of`).
    ///   - mark: the mark of the client's earlier use; nil if it has none.
    func count(_ channel: OutgoingMail.Channel, from origin: String, mark: String?, at now: Instant) -> Int? {
        let most = settings.mostPerHour(on: channel)
        func charge(_ more: String, _ failures: Int, free: Int? = nil) -> FailureLimits.Charge {
            .init(key: key(channel, more), limit: .init(failures: failures, within: Self.hour), free: free)
        }
        let ofAddress = Self.share(of: most, Self.addressShare)
        let isMarked = mark == nil ? "without a mark" : "with a mark"
        var charges = [
            charge("in all", most),
            charge("\(isMarked) from \(origin)", ofAddress, free: Self.share(of: ofAddress, 5)),
        ]
        if let mark {
            charges.append(charge("of \(mark)", Self.mostOfMark))
        } else {
            charges.append(charge("without a mark", Self.share(of: most, 2)))
        }
        let wait = limits.count(charges, at: now)
        if wait != nil { noted.withLock { $0[channel, default: Noted()].refused += 1 } }
        note(report(on: channel, at: now), at: now)
        return wait
    }

    func report(on channel: OutgoingMail.Channel, at now: Instant) -> Report {
        let limit = FailureLimits.Limit(failures: .max, within: Self.hour)
        return Report(
            channel: channel, most: settings.mostPerHour(on: channel),
            used: limits.count(key(channel, "in all"), limit, at: now),
            usedWithoutMark: limits.count(key(channel, "without a mark"), limit, at: now),
            refused: noted.withLock { $0[channel]?.refused ?? 0 })
    }

    /// Logs a state that is worse than the last one. A new hour ends the last state without a line.
    private func note(_ report: Report, at now: Instant) {
        let state = report.state
        let isWorse = noted.withLock { noted in
            defer { noted[report.channel, default: Noted()].state = state }
            return state > (noted[report.channel]?.state ?? .enough)
        }
        guard isWorse else { return }
        let used = "\(report.used) of \(report.most) messages of this hour are used"
        let effect =
            switch state {
            case .enough, .low: "it runs low"
            case .keptForMarks: "the rest is kept for people who have signed in or checked in before"
            case .usedUp: "nobody gets a code until the hour is over"
            }
        log.note(
            "warning: the budget of codes by \(report.channel): \(effect), \(used), "
                + "\(report.usedWithoutMark) of them by unknown clients "
                + "(--\(report.channel)-codes-per-hour)")
    }
}

/// The most messages with codes that the server sends in an hour.
package struct CodeBudgetSettings: Sendable {
    package static let range = 20...1_000_000
    package var phonesPerHour = 6_000
    package var mailsPerHour = 6_000

    package init() {}

    func mostPerHour(on channel: OutgoingMail.Channel) -> Int {
        switch channel {
        case .phone: phonesPerHour
        case .mail: mailsPerHour
        // No code goes to a device or to a web hook.
        case .device, .hook: 0
        }
    }
}

extension OutgoingMail.Channel {
    /// The channels that carry codes, each with a budget. No code goes to a device.
    static let ofCodes: [Self] = [.mail, .phone]
}

extension AccountCode.Purpose {
    /// The way on which the code leaves the server.
    var channel: OutgoingMail.Channel {
        switch self {
        case .verification, .passwordReset: .mail
        case .phoneSignIn: .phone
        }
    }
}

extension RequestContext {
    /// Counts a message to an address that a stranger may have typed. Returns the seconds that the client
    /// must wait before the next one; nil if the message may leave.
    func waitForCode(on channel: OutgoingMail.Channel) async throws -> Int? {
        let mark = try await earlierUse()
        return services.codeBudgets.count(channel, from: origin, mark: mark, at: services.clock.now)
    }

    /// Counts a request for a code, before anything is looked up about its address.
    /// - Throws: 429 with the time to wait.
    func countCodeRequest(on channel: OutgoingMail.Channel) async throws {
        guard let wait = try await waitForCode(on: channel) else { return }
        // A person reads minutes more easily than hundreds of seconds.
        let text =
            wait < 100
            ? Phrase.Page.seconds.text(in: language, ["seconds": String(wait)])
            : Phrase.Page.minutes.text(in: language, ["minutes": String((wait + 59) / 60)])
        throw RequestError(.tooManyCodeRequests, ["time": text], retryAfterSeconds: wait)
    }
}
