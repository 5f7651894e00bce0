import Journal
import Meetings

/// The storage as handlers use it: a command or query that a rule refuses throws the `Refusal` itself. This
/// is the only place that unwraps refusals for requests, so handlers never look into a `JournalError`.
struct RequestStorage: Sendable {
    private let storage: Storage

    init(_ storage: Storage) { self.storage = storage }

    var patterns: any PatternMatching { storage.patterns }

    /// Returns after the commit of the command's batch.
    /// - Throws: `Refusal` if a rule refused the command; `JournalError.failed` if the storage failed.
    func perform<C: Command>(_ command: C) async throws -> C.Answer {
        do throws(JournalError) { return try await storage.perform(command) } catch { throw error.unwrapped }
    }

    /// Runs a query on a reading thread.
    /// - Throws: as `perform`.
    func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws -> Found {
        do throws(JournalError) { return try await storage.read(query) } catch { throw error.unwrapped }
    }

    /// Returns the committed record of a session, from memory if people are checking in to it.
    /// - Throws: as `perform`.
    func session(_ id: SessionID) async throws -> SessionRecord? {
        do throws(JournalError) { return try await storage.session(id) } catch { throw error.unwrapped }
    }

    /// Applies the patterns of a set to the answers before the command that stores them, so that slow
    /// patterns do not block the writer.
    /// - Throws: as `perform`.
    func judged(_ answers: Answers, to set: String, of session: SessionID) async throws
        -> any PatternMatching
    {
        do throws(JournalError) { return try await storage.judged(answers, to: set, of: session) } catch {
            throw error.unwrapped
        }
    }

    /// Applies the patterns of a published form's set to the submitted values.
    /// - Throws: as `perform`.
    func judged(_ values: [String: PublishedForm.Value], toForm form: String) async throws
        -> any PatternMatching
    {
        do throws(JournalError) { return try await storage.judged(values, toForm: form) } catch {
            throw error.unwrapped
        }
    }

    /// Publishes the responses that a closed anonymous set still holds back, and shuffles the database file.
    /// - Throws: as `perform`.
    func seal(_ set: String, of session: SessionID) async throws {
        do throws(JournalError) { try await storage.seal(set, of: session) } catch { throw error.unwrapped }
    }
}

extension JournalError {
    /// The refusal if a rule said no; otherwise this error.
    var unwrapped: any Error {
        switch self {
        case .refused(let refusal): refusal
        case .failed: self
        }
    }
}
