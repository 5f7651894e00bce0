import HTTPServer
import Journal
import Meetings
import Wire

extension RequestContext {
    /// Performs the command and encodes its answer. If the request carries a key, the answer is stored in the
    /// command's own transaction; a repeated request receives the stored answer. Every POST handler that
    /// changes something uses this function, except the handler of `POST /api/v1/check-ins`. For it,
    /// `CheckIns` stores a reference to the attendee instead of the answer. `RightsTests` checks each POST
    /// route.
    ///
    /// If the request has a key, `answer` runs on the writer's queue. `answer` therefore only encodes: it
    /// uses its argument and this context, and neither waits nor reads.
    func perform<C: Command>(
        _ command: C, reporting request: JobReport.Request? = nil,
        started: @escaping Storage.JobListener = { _ in },
        answer: @escaping @Sendable (C.Answer) -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let key = idempotencyKey else {
            return answer(try await perform(command, reporting: request, started: started))
        }
        let keyed = Keyed(command, key: key.retryKey) { found in
            let response = answer(found)
            return (response, StoredContent.of(response, key))
        }
        switch try await perform(keyed, reporting: request, started: started) {
        case .new(let response): return response
        case .repeated(let content): return try await replay(content)
        }
    }

    /// Performs the command. If it may be long, it waits until no other long command and no scan of the
    /// account is running.
    /// - Throws: 429 `one_at_a_time` if too many of them are waiting; the errors of `RequestStorage.perform`.
    func perform<C: Command>(
        _ command: C, reporting request: JobReport.Request? = nil,
        started: @escaping Storage.JobListener = { _ in }
    ) async throws -> C.Answer {
        if command.planning != .scanning, let answer = try await storage.performIfShort(command) {
            return answer
        }
        return try await inTurn {
            try await storage.performLong(command, reporting: request, started: started)
        }
    }

    /// Returns the stored answer if a retry fails before its command runs, for example because its code has
    /// expired. Returns nil if the request is not a retry, or if the failure does not depend on the request.
    func replay(insteadOf failure: any Error) async throws -> HTTPResponse? {
        guard let key = idempotencyKey?.retryKey,
            failure is Refusal || failure is OutsideWindow || failure is RequestError || failure is JSONFault
        else { return nil }
        let now = now
        let stored = try await storage.read { rows throws(JournalError) in
            try rows.storedResponse(key, at: now)
        }
        guard let stored else { return nil }
        do {
            return try await replay(stored)
        } catch Refusal.receiptNotValid {
            // The check-in was withdrawn or deleted with its session. The request fails as without a key.
            return nil
        }
    }

    private func replay(_ content: [UInt8]) async throws -> HTTPResponse {
        if let reference = CheckInReference(content) {
            return CheckIns.answer(try await reference.done(in: nil, storage), self)
        }
        guard let key = idempotencyKey, let answer = StoredContent.answer(in: content, key) else {
            throw RequestError(.internalError)
        }
        return answer.replayed
    }
}

/// A failure that no stored answer replaces: the request's key belongs to the holder of its grant, and the
/// command itself has looked for the answer under that key. The route's key belongs to other clients.
struct FailureOfGrantHolder: Error {
    let reason: any Error
}

extension HTTPResponse {
    static let replayedHeader = "Idempotency-Replayed"

    var replayed: HTTPResponse {
        var response = self
        response.headers.append((Self.replayedHeader, "true"))
        return response
    }

    var isReplayed: Bool { headers.contains { $0.name == Self.replayedHeader } }
}

/// A command together with a query that reads more data for its answer. The query runs in the command's
/// transaction, because the answer is encoded and stored there.
struct CommandWithReading<Inner: Command, More: Sendable>: Command {
    private let command: Inner
    private let read: @Sendable (Inner.Answer, any ReadableRows) throws(JournalError) -> More

    init(
        _ command: Inner,
        with read: @escaping @Sendable (Inner.Answer, any ReadableRows) throws(JournalError) -> More
    ) {
        self.command = command
        self.read = read
    }

    func run(in transaction: Transaction) throws(JournalError) -> (answer: Inner.Answer, more: More) {
        let answer = try command.run(in: transaction)
        return (answer, try read(answer, transaction.rows))
    }

    func takesKey(in transaction: Transaction) throws(JournalError) -> Bool {
        try command.takesKey(in: transaction)
    }

    var checksIn: Bool { command.checksIn }

    func lookAhead(in transaction: Transaction) throws(JournalError) {
        try command.lookAhead(in: transaction)
    }

    var planning: Planning { command.planning }

    func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        try command.work(in: rows, at: now)
    }

    func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        (answer: Inner.Answer, more: More)
    > {
        switch try command.begin(work, in: transaction) {
        case .begun: .begun
        case .outdated: .outdated
        case .answered(let answer): .answered((answer, try read(answer, transaction.rows)))
        }
    }

    func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> (
        answer: Inner.Answer, more: More
    ) {
        let answer = try command.answer(to: work, in: transaction)
        return (answer, try read(answer, transaction.rows))
    }
}
