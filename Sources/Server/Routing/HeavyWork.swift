import Journal
import Meetings
import Synchronization
import Wire

/// Lets each account do one heavy piece of work at a time. Up to `mostWaiting` further requests
/// wait for their turn, because a page requests several lists at once. Any thread may use it.
final class HeavyWork: Sendable {
    /// The most pieces of work of one account that may wait.
    static let mostWaiting = 4

    /// The accounts that are working, each with the requests that wait for their turn, in order. A request
    /// resumes with false if too many others are waiting.
    private let waiting = Mutex<[AccountID: ArraySlice<CheckedContinuation<Bool, Never>>]>([:])

    /// The number of accounts that are working.
    var count: Int { waiting.withLock { $0.count } }

    /// The number of requests of this account that wait for their turn.
    func waitingCount(of account: AccountID) -> Int { waiting.withLock { $0[account]?.count ?? 0 } }

    /// Runs `body` when no other work of the account is running.
    /// - Throws: 429 `one_at_a_time` if `mostWaiting` pieces of work are waiting; the errors of `body`.
    func alone<Result>(_ account: AccountID, _ body: () async throws -> Result) async throws -> Result {
        let hasTurn = await withCheckedContinuation { continuation in
            let answer = waiting.withLock { waiting -> Bool? in
                guard let others = waiting[account] else {
                    waiting[account] = []
                    return true
                }
                guard others.count < Self.mostWaiting else { return false }
                waiting[account, default: []].append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
        guard hasTurn else { throw RequestError(.oneAtATime, retryAfterSeconds: 2) }
        defer { passTurn(of: account) }
        return try await body()
    }

    private func passTurn(of account: AccountID) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Bool, Never>? in
            guard let next = waiting[account]?.popFirst() else {
                waiting[account] = nil
                return nil
            }
            return next
        }
        next?.resume(returning: true)
    }
}

extension RequestContext {
    /// Runs a query on the threads for scans when no other heavy work of the caller's account is running. A
    /// caller without an account does not wait for a turn. The caller's right is checked again afterwards,
    /// because it may have ended in the meantime.
    /// - Throws: 429 `one_at_a_time` if too much work of the account is waiting; the errors of
    ///   `AccessCheck.caller` and `RequestStorage.scan`.
    func scanAlone<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws -> Found {
        let found = try await inTurnOfAccount { try await storage.scan(query) }
        try await checkAccessAgain()
        return found
    }

    /// Runs `body` on threads of low priority, with the turn and the checks of `scanAlone`. It is for work
    /// that also uses the processor, such as a file or a review, or that has several queries.
    func alone<Result>(_ body: () async throws -> Result) async throws -> Result {
        let result = try await inTurn(body)
        try await checkAccessAgain()
        return result
    }

    /// Runs `body` as `alone` does, without a check of the caller's right: a command judges it itself.
    func inTurn<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await inTurnOfAccount { try await inBackground(body) }
    }

    private func inTurnOfAccount<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard let account = caller.token?.accountID else { return try await body() }
        return try await services.heavyWork.alone(account, body)
    }

    private func checkAccessAgain() async throws {
        if let route { _ = try await AccessCheck(services: services).caller(of: self, for: route) }
    }

    /// Runs `body` on threads of low priority, because it uses the processor for longer than a few
    /// milliseconds. Check-ins would wait for it on the threads of Swift's pool.
    func inBackground<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await withTaskExecutorPreference(services.background) { try await body() }
    }
}

extension [ProblemCode] {
    /// The problem codes of a route that runs scans.
    static let ofScan: [ProblemCode] = [.oneAtATime, .tooMuchAtOnce]
}
