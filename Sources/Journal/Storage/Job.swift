/// A command on its way through the writer, with whoever waits for its answer.
protocol Job: AnyObject, Sendable {
    /// Whether it runs outside every batch.
    var standsAlone: Bool { get }
    /// Never throws: a refusal is this job's outcome alone.
    func run(in transaction: Transaction)
    /// The batch failed, so whatever `run` found is void.
    func fail(_ error: JournalError)
    /// Answers. Called once, after the commit or its failure.
    func finish()
}

// Unchecked: a job is built by its submitter, then touched on the writer's queue alone; the inbox's lock
// orders the two.
final class CommandJob<C: Command>: Job, @unchecked Sendable {
    typealias Outcome = Result<C.Answer, JournalError>

    private let command: C
    private let continuation: UnsafeContinuation<Outcome, Never>
    private var outcome: Outcome = .failure(.failed(StorageFailure(.closed, operation: "run")))

    init(_ command: C, _ continuation: UnsafeContinuation<Outcome, Never>) {
        self.command = command
        self.continuation = continuation
    }

    var standsAlone: Bool { false }

    func run(in transaction: Transaction) {
        do throws(JournalError) { outcome = .success(try transaction.run(command)) } catch {
            outcome = .failure(error)
        }
    }

    func fail(_ error: JournalError) { outcome = .failure(error) }

    func finish() { continuation.resume(returning: outcome) }
}

// Unchecked: as above.
final class ShuffleJob: Job, @unchecked Sendable {
    typealias Outcome = Result<Void, JournalError>

    private let continuation: UnsafeContinuation<Outcome, Never>
    private var outcome: Outcome = .success(())

    init(_ continuation: UnsafeContinuation<Outcome, Never>) { self.continuation = continuation }

    var standsAlone: Bool { true }

    func run(in transaction: Transaction) {
        do throws(JournalError) { try transaction.rows.shuffle() } catch { outcome = .failure(error) }
    }

    func fail(_ error: JournalError) { outcome = .failure(error) }

    func finish() { continuation.resume(returning: outcome) }
}
