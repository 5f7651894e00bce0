import CommandLine
import FoundationEssentials
import Glibc
import HostCommands
import Journal
import Meetings
import Phrases
import PostgresJournal
import SQLiteJournal
import Secrets
import Server

private typealias Messages = CommandPhrases.Admin

/// The command `qring admin backup FILE`, which copies the data of a server into a file.
let backupCommand = CommandDeclaration(
    "admin backup", Messages.backup,
    examples: [.init("admin backup qring-monday.backup --data /var/lib/qring", Messages.backupExample)],
    positionals: [.init("FILE", Messages.backupFile)],
    options: [
        .data, .database, .value("backup-key", "KEY", CommandPhrases.Serve.backupKey),
        .json(fields: ["path", "bytes", "epoch", "schema"]),
    ],
    notes: Messages.backupNotes, hasServer: false
) { call throws(CommandFailure) in
    struct Answer: Encodable {
        let path: String
        let bytes: Int
        let epoch: String
        let schema: Int
    }
    let (folder, database) = (call.dataFolderPath, call.database)
    let path = call.arguments.positional("FILE") ?? ""
    var options = Backup.Options()
    if let text = call.arguments.value("backup-key") {
        options.seal = encrypting(to: try Invocation.sealingKey(text))
    }
    let progress = ProgressBar(call)
    defer { progress.end() }
    let backup = try await call.onThread(in: folder) { [options] (interruption) throws(OperatingError) in
        try Backup.make(
            of: folder, from: snapshot(of: database, secretIn: folder), at: path, now: SystemClock().now,
            options,
            progress: { done, all in
                progress.show(
                    done == all ? CommandPhrases.Progress.checking : CommandPhrases.Progress.copying, done,
                    of: all)
                return interruption.goesOn
            })
    }
    progress.end()
    if call.wantsJSON {
        call.json(Answer(path: backup.path, bytes: backup.bytes, epoch: backup.epoch, schema: backup.schema))
    } else {
        call.out(Messages.backedUp, ["path": backup.path, "size": byteText(backup.bytes)])
    }
    return .success
}

/// The command `qring admin restore FILE`, which restores a backup into a data folder.
let restoreCommand = CommandDeclaration(
    "admin restore", Messages.restore,
    examples: [
        .init("admin restore qring-monday.backup --data /var/lib/qring", Messages.restoreExample),
        .init("admin restore qring-monday.backup --replace", Messages.restoreReplaceExample),
        .init("admin restore qring-monday.backup --key backups.key", Messages.restoreKeyExample),
    ],
    positionals: [.init("FILE", Messages.restoreFile)],
    options: [
        .data, .database, .flag("replace", Messages.replace), .value("key", "FILE", Messages.restoreKey),
        .json(fields: ["folder", "epoch", "madeAt", "replaced"]),
    ], notes: Messages.restoreNotes, hasServer: false
) { call throws(CommandFailure) in
    struct Answer: Encodable {
        let folder: String
        let epoch: String
        let madeAt: String?
        let replaced: String?
    }
    let path = call.arguments.positional("FILE") ?? ""
    let key = try call.arguments.value("key").map(Invocation.openingKey)
    let progress = ProgressBar(call)
    defer { progress.end() }
    let restore: Restore
    if let database = call.database {
        restore = try await call.restore(path, decryptedWith: key, into: database, progress)
    } else {
        restore = try await call.restore(path, decryptedWith: key, to: call.dataFolderPath, progress)
    }
    progress.end()
    if call.wantsJSON {
        call.json(
            Answer(
                folder: restore.folder, epoch: restore.epoch, madeAt: restore.madeAt?.rfc3339,
                replaced: restore.replaced))
        return .success
    }
    let place = call.database.map { call.text(.server(DatabaseSettings.name(of: $0))) } ?? restore.folder
    call.out(Messages.restored, ["folder": place])
    if let madeAt = restore.madeAt { call.out(Messages.restoredFrom, ["time": madeAt.rfc3339]) }
    if let replaced = restore.replaced { call.out(Messages.replaced, ["path": replaced]) }
    return .success
}

extension Invocation {
    fileprivate func restore(
        _ path: String, decryptedWith key: OpeningKey?, to folder: String, _ progress: ProgressBar
    ) async throws(CommandFailure) -> Restore {
        let mayReplace = arguments.has("replace")
        return try await onThread(in: folder) { (interruption) throws(OperatingError) in
            try Restore.run(
                path, to: folder, decryptedBy: try decrypting(path, with: key), mayReplace: mayReplace,
                now: SystemClock().now
            ) { done, all in
                progress.show(
                    done == all ? CommandPhrases.Progress.checking : CommandPhrases.Progress.copying, done,
                    of: all)
                return interruption.goesOn
            }
        }
    }

    /// Restores a backup into an empty PostgreSQL database: first into a folder of its own in the data
    /// folder, where an older backup is migrated, and then as `admin copy` does. The server's secret stays in
    /// the data folder. Nothing remains of a restore that fails.
    fileprivate func restore(
        _ path: String, decryptedWith key: OpeningKey?, into database: String, _ progress: ProgressBar
    ) async throws(CommandFailure) -> Restore {
        guard !arguments.has("replace") else { throw .failed(Messages.replaceNotOnPostgres) }
        let folder = dataFolderPath
        Backup.removeLeftovers(named: "restore", in: folder)
        let staged = "\(folder)/restore.\(Backup.unfinishedMark)"
        defer { try? FileManager.default.removeItem(atPath: staged) }
        // A database that cannot be used must be found before the backup is copied.
        let usable = await onThread { (_) throws(CopyError) in
            try CopiedDatabase.postgres(database).openTarget(secretFingerprint: nil).close()
        }
        if case .failure(let error) = usable { throw failure(restoring: error) }
        let restored = try await restore(path, decryptedWith: key, to: staged, progress)
        progress.end()
        let needsSecret: Bool
        do throws(CommandFailure) {
            needsSecret = try await onThread(in: folder) { (_) throws(OperatingError) in
                do throws(JournalError) {
                    // Opening the database migrates it.
                    try ServerDatabase(folder: staged, database: nil, as: .administration).engine.close()
                } catch { throw OperatingError(error, path: path) }
                return try Restore.needsSecrets(of: staged, in: folder)
            }
        } catch .said(.conflict, _, _, _) {
            throw .failed(Messages.secretInTheWay, ["path": "\(folder)/secret"])
        }
        let copied = await onThread { interruption throws(CopyError) in
            try copy(.folder(staged), .postgres(database), progress, interruption) { () throws(CopyError) in
                guard needsSecret else { return }
                try copying(at: .folder(folder)) { () throws(JournalError) in
                    try Restore.installSecrets(of: staged, in: folder)
                }
            }
        }
        switch copied {
        case .success(.copied(_, let epoch)):
            return Restore(folder: folder, epoch: epoch, madeAt: restored.madeAt, replaced: nil)
        case .success(.faulty(let faults, _)):
            for line in lines(of: faults) { console.err(line + "\n") }
            throw .failed(Messages.faultyBackup, ["path": path, "count": "\(faults.count)"])
        case .failure(let error): throw failure(restoring: error)
        }
    }

    /// The sentences of `admin copy` name its options, and a source that the operator can change.
    private func failure(restoring error: CopyError) -> CommandFailure {
        switch error {
        case .hasData(.server(let name)):
            .said(.conflict, Messages.databaseHasData, ["name": name], next: nil)
        case .unfit(let table, let key, _):
            .failed(
                Messages.unfitBackup, ["table": table, "key": key],
                next: "qring admin restore FILE --data DIR")
        case .differs(let table, _, _): .failed(Messages.restoreDiffers, ["table": table])
        case .layoutsDiffer(let table): .failed(Messages.layoutsDiffer, ["table": table])
        default: failure(error)
        }
    }
}

/// The command `qring admin backup-key FILE`, which makes the keys of encrypted backups.
let backupKeyCommand = CommandDeclaration(
    "admin backup-key", Messages.backupKey,
    examples: [.init("admin backup-key backups.key", Messages.backupKeyExample)],
    positionals: [.init("FILE", Messages.backupKeyFile)], options: [.json(fields: ["path", "publicKey"])],
    notes: Messages.backupKeyNotes, hasServer: false
) { call throws(CommandFailure) in
    struct Answer: Encodable {
        let path: String
        let publicKey: String
    }
    let path = call.arguments.positional("FILE") ?? ""
    let publicKey: String
    do throws(SecretsError) {
        try Secrets.start()
        let key = OpeningKey()
        try key.write(to: path)
        publicKey = key.sealingKey.text
    } catch {
        guard case .file(_, _, let code) = error else {
            throw .failed(Messages.notDone, ["reason": "\(error)"])
        }
        if code == EEXIST { throw .said(.conflict, Messages.keyExists, ["path": path], next: nil) }
        throw .failed(
            Messages.keyNotWritable, ["path": path, "detail": String(cString: strerror(code))])
    }
    if call.wantsJSON {
        call.json(Answer(path: path, publicKey: publicKey))
    } else {
        call.out(Messages.keyMade, ["path": path])
        call.out(Messages.keyUse, ["key": publicKey])
    }
    return .success
}

/// Returns the function that encrypts a backup.
func encrypting(to key: SealingKey) -> BackupStep {
    { source, target, goesOn throws(OperatingError) in
        do throws(SecretsError) {
            try SealedFile.seal(source, into: target, for: key, goesOn: goesOn)
        } catch { throw OperatingError(error) }
    }
}

/// Returns the function that decrypts this backup; nil if it is not encrypted.
/// - Throws: `.encrypted` if there is no key.
private func decrypting(_ path: String, with key: OpeningKey?) throws(OperatingError) -> BackupStep? {
    guard SealedFile.isSealed(path) else { return nil }
    guard let key else { throw .encrypted(path: path) }
    return { source, target, goesOn throws(OperatingError) in
        do throws(SecretsError) {
            try SealedFile.open(source, into: target, with: key, goesOn: goesOn)
        } catch { throw OperatingError(error) }
    }
}

extension OperatingError {
    /// Makes the operator's error for an encrypted file.
    fileprivate init(_ error: SecretsError) {
        switch error {
        case .sealedFileDamaged(let path, let reason): self = .damaged(path: path, detail: reason)
        case .sealedForAnotherKey(let path): self = .otherKey(path: path)
        case .newerSealedFile(let path): self = .newerBackup(path: path)
        case .cancelled: self = .cancelled
        case .file(let operation, let path, let code):
            self = .storage(StorageFailure(errno: code, operation: "\(operation) \(path)"))
        default: self = .storage(StorageFailure(.other, operation: "encrypt", detail: "\(error)"))
        }
    }
}

extension Invocation {
    /// Reads the text of a public key.
    static func sealingKey(_ text: String) throws(CommandFailure) -> SealingKey {
        do throws(SecretsError) {
            try Secrets.start()
            return try SealingKey(text)
        } catch {
            throw .failed(error == .keyIsPrivate ? Messages.keyIsPrivate : Messages.keyMalformed)
        }
    }

    /// Reads the file with a private key.
    fileprivate static func openingKey(_ path: String) throws(CommandFailure) -> OpeningKey {
        do throws(SecretsError) { return try OpeningKey(file: path) } catch {
            guard case .file(_, _, let code) = error else {
                throw .failed(Messages.keyFileMalformed, ["path": path])
            }
            throw .failed(Messages.notReadable, ["path": path, "detail": String(cString: strerror(code))])
        }
    }
}

extension CommandPhrases.Admin {
    static let backupKey = Phrase("make a key pair for encrypted backups")
    static let backupKeyExample = Phrase("on your own machine, not on the server")
    static let backupKeyFile = Phrase("the file to create for the private key")
    static let backupKeyNotes = Phrase(
        "The server needs only the public key, which this command prints. Store the file with the private "
            + "key elsewhere, twice. Without it, nobody can restore the backups.")
    static let keyMade = Phrase("The private key is in {path}. Store it away from the server.")
    static let keyUse = Phrase("Give the server the public key: --backup-key {key}")
    static let keyExists = Phrase("{path} already exists. Choose another name.")
    static let keyNotWritable = Phrase("{path} cannot be written: {detail}")
    static let keyIsPrivate = Phrase(
        "This is the private key. Do not store it on the server; give the public key, which begins with "
            + "qring-public-.")
    static let keyMalformed = Phrase(
        "This is not a public key of qring admin backup-key, or it has a typing error. Copy it again.")
    static let keyFileMalformed = Phrase(
        "{path} has no private key of qring admin backup-key. Its text begins with qring-private-.")
    static let restoreKey = Phrase("the file with the private key of an encrypted backup")
    static let restoreKeyExample = Phrase("an encrypted backup")
    static let encrypted = Phrase("{path} is encrypted. Add --key FILE with the private key.")
    static let otherKey = Phrase(
        "{path} was encrypted to another key. Add --key with the private key of that time.")
    static let newerBackup = Phrase("A newer QRing has encrypted {path}. Restore it with that version.")
    static let backup = Phrase("back up the data; the server may be running")
    static let backupExample = Phrase("one file with everything, including the secret")
    static let backupFile = Phrase("the file to create; an existing file is never overwritten")
    static let backupNotes = Phrase(
        "The backup contains names, addresses and the server's secret. Store it where only you can read it.")
    static let backedUp = Phrase("Backup created and verified: {path} ({size})")
    static let restore = Phrase("restore a backup into the data folder")
    static let restoreExample = Phrase("into a new folder, for example on another machine")
    static let restoreNotes = Phrase(
        "On PostgreSQL, name an empty database, and a data folder without a secret or with that of the "
            + "backup.")
    static let replaceNotOnPostgres = Phrase(
        "--replace moves the files of SQLite aside. For PostgreSQL, name an empty database instead.")
    static let secretInTheWay = Phrase(
        "The file {path} is not the secret of this backup. Nothing was restored. Name an empty folder with "
            + "--data.")
    static let faultyBackup = Phrase(
        "The recount of {path} found {count} {count|fault|faults}, listed above. Nothing was restored. "
            + "Restore an older backup, or report the faults.")
    static let unfitBackup = Phrase(
        "PostgreSQL cannot store a value of the table {table}. Nothing was restored. Restore the backup "
            + "into an empty data folder, without --database, and copy this folder with qring admin copy, "
            + "which names the value. The row is: {key}")
    static let layoutsDiffer = Phrase(
        "QRing stores {table} differently in PostgreSQL. Nothing was restored. Report this error.")
    static let restoreDiffers = Phrase(
        "After the restore, the table {table} differs from the backup. Nothing was restored. Try again; if "
            + "it happens again, report it.")
    static let databaseHasData = Phrase(
        "The PostgreSQL database {name} already has data. Nothing was restored. Create an empty one, and "
            + "name it with --database: createdb --encoding UTF8 --template template0 NAME")
    static let restoreReplaceExample = Phrase("replace the data there; the old data is moved aside")
    static let restoreFile = Phrase("a file that qring admin backup created")
    static let replace = Phrase("move existing data aside, into replaced-…")
    static let restored = Phrase("The backup was restored into {folder}.")
    static let restoredFrom = Phrase("The data is from {time}.")
    static let replaced = Phrase("The previous data is in {path}.")
}

extension CommandPhrases.Progress {
    static let copying = Phrase("copying")
    static let checking = Phrase("checking")
}
