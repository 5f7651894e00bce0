import Journal
import Meetings

/// The storage as handlers use it. If a rule refuses a command or query, the function throws the `Refusal`
/// itself. Only this type unwraps a `Refusal` from a `JournalError` for requests.
struct RequestStorage: Sendable {
    private let storage: Storage

    init(_ storage: Storage) { self.storage = storage }

    var patterns: any PatternMatching { storage.patterns }

    /// Performs a short command. Returns after its batch has been committed. A command that may be long needs
    /// `RequestContext.perform`.
    /// - Throws: `Refusal` if a rule refused the command; `JournalError.failed` if the storage failed.
    func perform<C: Command>(_ command: C) async throws -> C.Answer {
        assert(command.planning == .none, "\(C.self) may be long, but no other work of the account waits")
        return try await performLong(command)
    }

    /// Checks a person in. Returns after the batch has been committed.
    /// - Throws: the same errors as `perform`.
    func checkIn(_ command: CheckInWithReceipt) async throws -> CheckInWithReceipt.Answer {
        do throws(JournalError) { return try await storage.checkIn(command) } catch {
            throw error.unwrapped
        }
    }

    /// Performs the command. Returns nil without a change if the command would run in slices now.
    /// - Throws: the same errors as `perform`.
    func performIfShort<C: Command>(_ command: C) async throws -> C.Answer? {
        do throws(JournalError) { return try await storage.performIfShort(command) } catch {
            throw error.unwrapped
        }
    }

    /// Performs a command that may be long. Only `RequestContext.perform` calls it.
    /// - Throws: the same errors as `perform`.
    func performLong<C: Command>(
        _ command: C, reporting request: JobReport.Request? = nil,
        started: @escaping Storage.JobListener = { _ in }
    ) async throws -> C.Answer {
        do throws(JournalError) {
            return try await storage.perform(command, reporting: request, started: started)
        } catch {
            throw error.unwrapped
        }
    }

    /// Runs a query whose cost grows with the data, on a thread for scans. Handlers call
    /// `RequestContext.scanAlone`, or this function inside `alone` or `inTurn`, unless the query reads only
    /// the data of one person or one session and takes a few milliseconds.
    /// - Throws: the same errors as `perform`; `.tooManySteps` if the query is too large.
    func scan<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws -> Found {
        do throws(JournalError) { return try await storage.scan(query) } catch { throw error.unwrapped }
    }

    /// Runs a query that finds a few records by their keys, such as a token, a session and a role.
    /// - Throws: the same errors as `perform`.
    func lookUp<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws -> Found {
        do throws(JournalError) { return try await storage.lookUp(query) } catch { throw error.unwrapped }
    }

    /// Runs a query on a reading thread.
    /// - Throws: the same errors as `perform`.
    func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws -> Found {
        do throws(JournalError) { return try await storage.read(query) } catch { throw error.unwrapped }
    }

    /// Returns the committed record of a session. If people are checking in to the session, the record is in
    /// memory.
    /// - Throws: the same errors as `perform`.
    func session(_ id: SessionID) async throws -> SessionRecord? {
        do throws(JournalError) { return try await storage.session(id) } catch { throw error.unwrapped }
    }

    /// Applies the regular expressions of a set to the answers. This happens before the command that stores
    /// the answers, so that slow expressions do not block the writer.
    /// - Throws: the same errors as `perform`.
    func judged(_ answers: Answers, to set: String, of session: SessionID) async throws
        -> any PatternMatching
    {
        do throws(JournalError) { return try await storage.judged(answers, to: set, of: session) } catch {
            throw error.unwrapped
        }
    }

    /// Applies the regular expressions of a published form's set to the submitted values.
    /// - Throws: the same errors as `perform`.
    func judged(_ values: [String: PublishedForm.Value], toForm form: String) async throws
        -> any PatternMatching
    {
        do throws(JournalError) { return try await storage.judged(values, toForm: form) } catch {
            throw error.unwrapped
        }
    }
}

extension JournalError {
    /// The refusal if a rule refused the operation; otherwise this error.
    var unwrapped: any Error {
        switch self {
        case .refused(let refusal): refusal
        case .failed: self
        }
    }
}
