import Testing
import Threads

/// Runs the tests of a suite on threads of their own, because they wait for PostgreSQL without suspending. On
/// Swift's pool, which has one thread for each processor, a test would wait until others have finished, and
/// meanwhile its transactions would reach their deadlines.
struct WaitingThreads: SuiteTrait, TestTrait, TestScoping {
    private static let threads = BackgroundThreads(16, named: "test", isHurried: true)

    var isRecursive: Bool { true }

    @concurrent
    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) { try await function() }
    }
}

extension Trait where Self == WaitingThreads {
    static var waitingThreads: Self { WaitingThreads() }
}
