import Client
import CommandLine
import FoundationEssentials
import HostCommands
import Journal
import Meetings
import Phrases
import SQLiteJournal
import Server
import Synchronization
import Threads
import Wire

private typealias Messages = CommandPhrases.Admin

/// The commands `qring admin …`, with which an operator maintains a data folder.
func adminCommands(_ console: RecordingConsole) -> [CommandDeclaration] {
    [
        backupCommand, backupKeyCommand, restoreCommand, copyCommand, verifyCommand, doctorCommand,
        settingsCommand, rotateSecretCommand, nodesCommand, newEpochCommand, topCommand,
    ] + mailCommands + commands(on: .stored(console))
}

extension CommandDeclaration.Option {
    static let data = value("data", "DIR", CommandPhrases.Admin.data)
    static let database = value("database", "URL", CommandPhrases.Database.option)
}

extension Invocation {
    /// Runs `work` on a separate thread, because it reads a whole file or database. `work` must ask its
    /// argument regularly whether to continue.
    func onThread<Value: Sendable, Failure>(
        _ work: @escaping @Sendable (Interruptible) throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        let interruption = Interruptible()
        return await withTaskCancellationHandler {
            await onOwnThread(named: "files") {
                Result { () throws(Failure) in try work(interruption) }
            }
        } onCancel: {
            interruption.interrupt()
        }
    }

    /// Runs `work` on a separate thread, and converts its error into a failure of the command.
    func onThread<Value: Sendable>(
        in folder: String, _ work: @escaping @Sendable (Interruptible) throws(OperatingError) -> Value
    ) async throws(CommandFailure) -> Value {
        switch await onThread(work) {
        case .success(let value): return value
        case .failure(let error): throw failure(error, in: folder)
        }
    }

    /// Runs `work` on the data: opens the data folder or the PostgreSQL database as a server does, and closes
    /// it. Servers on PostgreSQL may run meanwhile. A server on SQLite runs the whole command instead.
    /// - Parameter data: nil for a command that replaces the secret. Then no server may run.
    /// - Throws: `.ended` with the exit code of the command if a server has run it.
    func withStorage<Value>(
        on data: OperatorData?, makingFolder: Bool = false, _ work: (Storage) async throws -> Value
    ) async throws(CommandFailure) -> Value {
        if case .served(let storage, let folder) = data {
            return try await converted(in: folder) { try await work(storage) }
        }
        let folder = dataFolderPath
        do throws(CommandFailure) {
            return try await withOwnStorage(
                in: folder, makingFolder: makingFolder, renewingSecret: data == nil, work)
        } catch .said(.conflict, let phrase, let values, let next) {
            if case .stored(let recorded) = data, database == nil,
                let code = try await runInServer(recorded)
            {
                throw .ended(code)
            }
            throw .said(.conflict, phrase, values, next: next)
        }
    }

    private func withOwnStorage<Value>(
        in folder: String, makingFolder: Bool, renewingSecret: Bool, _ work: (Storage) async throws -> Value
    ) async throws(CommandFailure) -> Value {
        guard
            makingFolder || database != nil || FileManager.default.fileExists(atPath: "\(folder)/journal.db")
        else {
            throw failure(.noData(folder: folder), in: folder)
        }
        return try await converted(in: folder) {
            let clock = SystemClock()
            let opened = try ServerDatabase(
                folder: folder, database: database, as: renewingSecret ? .secretRenewal : .administration)
            noteRenewal(opened.epochRenewal)
            let storage = Storage(engine: opened.engine) { clock.now }
            try storage.open()
            let result: Result<Value, any Error>
            do { result = .success(try await work(storage)) } catch { result = .failure(error) }
            await storage.close()
            return try result.get()
        }
    }

    /// Runs `work`, and converts its error into a failure of the command.
    private func converted<Value>(
        in folder: String, _ work: () async throws -> Value
    ) async throws(CommandFailure) -> Value {
        do { return try await work() } catch let refusal as Refusal {
            throw .api(.problem(Problem(refusal, in: language)))
        } catch JournalError.refused(let refusal) {
            throw .api(.problem(Problem(refusal, in: language)))
        } catch JournalError.failed(let storage) {
            if database != nil, let reason = databaseReason(storage) {
                throw .failed(Messages.notDone, ["reason": reason])
            }
            throw failure(storage.reason == .busy ? .inUse(folder: folder) : .storage(storage), in: folder)
        } catch {
            throw .failed(Messages.notDone, ["reason": String(describing: error)])
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
        case .secretReplaced(let path): .failed(Messages.secretReplaced, ["path": path])
        case .notABackup(let path): .failed(Messages.notABackup, ["path": path])
        case .encrypted(let path): .said(.failed, Messages.encrypted, ["path": path], next: "… --key FILE")
        case .otherKey(let path): .failed(Messages.otherKey, ["path": path])
        case .newerBackup(let path): .failed(Messages.newerBackup, ["path": path])
        case .noFile(let path): .said(.notFound, Messages.noFile, ["path": path], next: nil)
        case .notReadable(let path, let detail):
            .failed(Messages.notReadable, ["path": path, "detail": detail])
        case .notWritable(let folder, let failure):
            failure.reason == .full
                ? .failed(Messages.notDone, ["reason": reason(failure, in: folder)])
                : .failed(Messages.notWritable, ["folder": folder, "detail": failure.detail])
        case .database(let error): self.failure(ofSnapshot: error)
        case .cancelled: .ended(.interrupted)
        }
    }

    private func failure(ofSnapshot error: CopyError) -> CommandFailure {
        switch error {
        case .noData(.server(let name)):
            .said(.notFound, CommandPhrases.Database.noData, ["name": name], next: nil)
        case .olderSchema(let place, let found, let known):
            .failed(
                CommandPhrases.Database.older,
                ["place": text(place), "found": "\(found)", "known": "\(known)"])
        case .otherSecret(let path): .failed(CommandPhrases.Database.secretOfAnother, ["path": path])
        default: failure(error)
        }
    }
}

extension CommandPhrases.Admin {
    static let data = Phrase("the server's data folder (QRING_DATA)")
    static let exists = Phrase(
        "{path} already exists. A backup never overwrites a file; choose another name.")
    static let noData = Phrase("{folder} contains no data.")
    static let hasData = Phrase("{folder} already has data. Add --replace to move them aside first.")
    static let inUse = Phrase("A server is running on {folder}. Stop it first.")
    static let noSecret = Phrase(
        "The secret is missing at {path}. Without it all codes, grants and receipts are invalid. Put the "
            + "file back.")
    static let secretReplaced = Phrase(
        "The secret at {path} was replaced while the data was copied. No backup was written. Run the "
            + "command again.")
    static let secretDamaged = Phrase("The secret at {path} is damaged: it must have 32 bytes.")
    static let notABackup = Phrase("{path} is not a backup of QRing.")
    static let noFile = Phrase("There is no file at {path}. Check the name of the backup.")
    static let notWritable = Phrase(
        "The backup cannot be written into {folder}: {detail}. Choose another folder, or make this one "
            + "writable for this user.")
    static let notReadable = Phrase("{path} cannot be read: {detail}")
    static let damaged = Phrase("{path} is damaged: {detail}")
}

/// A flag that tells work on another thread to end early.
final class Interruptible: Sendable {
    private let flag = Atomic(false)
    var goesOn: Bool { !flag.load(ordering: .relaxed) }
    func interrupt() { flag.store(true, ordering: .relaxed) }
}

/// Returns a size such as `12 MB`. The units are powers of ten, as disk manufacturers use them.
func byteText(_ bytes: Int) -> String {
    var (value, unit) = (Double(bytes), "B")
    for next in ["kB", "MB", "GB", "TB"] where value >= 1000 {
        value /= 1000
        unit = next
    }
    let tenths = Int((value * 10).rounded())
    return unit == "B" || tenths >= 100 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
}
