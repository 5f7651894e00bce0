internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization

/// Ctrl-C and SIGTERM: the first cancels the command, which then has a few seconds to leave its rooms; the
/// second ends it at once.
enum Interruption {
    static let grace = 3

    static func cancelling(
        _ console: any Console, _ work: @escaping @Sendable () async throws(CommandFailure) -> ExitCode
    ) async throws(CommandFailure) -> ExitCode {
        let task = Task<Result<ExitCode, CommandFailure>, Never> {
            do throws(CommandFailure) { return .success(try await work()) } catch { return .failure(error) }
        }
        let queue = DispatchQueue(label: "qring.signals")
        let sources = [SIGINT, SIGTERM].map { number in
            // The default action would come first.
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: queue)
        }
        let state = InterruptionState()
        for source in sources {
            source.setEventHandler {
                if console.giveBackTerminal() || state.isSet { _exit(ExitCode.interrupted.rawValue) }
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
