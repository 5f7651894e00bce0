internal import Dispatch
internal import Glibc
internal import Synchronization

/// Handles Ctrl-C and SIGTERM. The first signal cancels the command, which then has a few seconds to finish.
/// The second signal ends the program immediately.
package enum Interruption {
    /// The time that a cancelled command has to finish, in seconds.
    private static let grace = 3

    package static func cancelling(
        _ console: any Console, _ work: @escaping @Sendable () async throws(CommandFailure) -> ExitCode
    ) async throws(CommandFailure) -> ExitCode {
        let task = Task<Result<ExitCode, CommandFailure>, Never> {
            do throws(CommandFailure) { return .success(try await work()) } catch { return .failure(error) }
        }
        let queue = DispatchQueue(label: "qring.signals")
        let sources = [SIGINT, SIGTERM].map { number in
            // Ignore the signal's default action, because it would end the program before the source sees the
            // signal.
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: queue)
        }
        let state = InterruptionState()
        for source in sources {
            source.setEventHandler {
                if console.restoreTerminal() || state.isSet { _exit(ExitCode.interrupted.rawValue) }
                state.set()
                task.cancel()
                queue.asyncAfter(deadline: .now() + .seconds(grace)) { _exit(ExitCode.interrupted.rawValue) }
            }
            source.resume()
        }
        let result = await task.value
        for source in sources { source.cancel() }
        if state.isSet { return .interrupted }
        return try result.get()
    }
}

private final class InterruptionState: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
