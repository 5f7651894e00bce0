import CommandLine
import Foundation
import HostCommands
import Journal
import Phrases
import SQLiteJournal

private typealias Messages = CommandPhrases.Admin

/// What an operator does with a data folder: `qring admin …`.
let adminCommands = [backupCommand, restoreCommand, verifyCommand, doctorCommand] + userCommands

extension CommandDeclaration.Option {
    static let data = value("data", "DIR", CommandPhrases.Admin.data)
}

extension Invocation {
    /// Runs what reads a whole file on a thread of its own, and makes a command's failure of what it throws.
    /// `work` asks its argument whether to go on.
    func onThread<Value: Sendable>(
        in folder: String, _ work: @escaping @Sendable (Interruptible) throws(OperatingError) -> Value
    ) async throws(CommandFailure) -> Value {
        let interruption = Interruptible()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<Value, OperatingError>, Never>) in
                Thread.detachNewThread {
                    do throws(OperatingError) {
                        continuation.resume(returning: .success(try work(interruption)))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
        } onCancel: {
            interruption.interrupt()
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw failure(error, in: folder)
        }
    }

    func failure(_ error: OperatingError, in folder: String) -> CommandFailure {
        switch error {
        case .storage(let failure): .failed(Messages.notDone, ["reason": reason(failure, in: folder)])
        case .damaged(let path, let detail):
            .failed(
                Messages.damaged, ["path": path, "detail": detail],
                next: path.hasPrefix(folder) ? "qring admin restore FILE --replace --data \(folder)" : nil)
        case .exists(let path): .said(.conflict, Messages.exists, ["path": path], next: nil)
        case .noData(let folder): .said(.notFound, Messages.noData, ["folder": folder], next: "… --data DIR")
        case .hasData(let folder): .said(.conflict, Messages.hasData, ["folder": folder], next: "… --replace")
        case .inUse(let folder): .said(.conflict, Messages.inUse, ["folder": folder], next: nil)
        case .noSecret(let path): .failed(Messages.noSecret, ["path": path])
        case .secretDamaged(let path): .failed(Messages.secretDamaged, ["path": path])
        case .notABackup(let path): .failed(Messages.notABackup, ["path": path])
        case .noFile(let path): .said(.notFound, Messages.noFile, ["path": path], next: nil)
        case .notReadable(let path, let detail):
            .failed(Messages.notReadable, ["path": path, "detail": detail])
        case .cancelled: .ended(.interrupted)
        }
    }
}
