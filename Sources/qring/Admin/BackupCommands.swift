import CommandLine
import HostCommands
import Meetings
import Phrases
import SQLiteJournal
import Server

private typealias Messages = CommandPhrases.Admin

/// The command `qring admin backup FILE`, which copies the data of a server into a file.
let backupCommand = CommandDeclaration(
    "admin backup", Messages.backup,
    examples: [.init("admin backup qring-monday.backup --data /var/lib/qring", Messages.backupExample)],
    positionals: [.init("FILE", Messages.backupFile)],
    options: [.data, .json(fields: ["path", "bytes", "epoch", "schema"])],
    notes: Messages.backupNotes, hasServer: false
) { call throws(CommandFailure) in
    struct Answer: Encodable {
        let path: String
        let bytes: Int
        let epoch: String
        let schema: Int
    }
    try call.needSQLite()
    let folder = call.dataFolderPath
    let path = call.arguments.positional("FILE") ?? ""
    let progress = ProgressBar(call)
    defer { progress.end() }
    let backup = try await call.onThread(in: folder) { (interruption) throws(OperatingError) in
        try Backup.make(of: folder, at: path, now: SystemClock().now) { done, all in
            progress.show(
                done == all ? CommandPhrases.Progress.checking : CommandPhrases.Progress.copying, done,
                of: all)
            return interruption.goesOn
        }
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
    ],
    positionals: [.init("FILE", Messages.restoreFile)],
    options: [
        .data, .flag("replace", Messages.replace), .json(fields: ["folder", "epoch", "madeAt", "replaced"]),
    ], hasServer: false
) { call throws(CommandFailure) in
    struct Answer: Encodable {
        let folder: String
        let epoch: String
        let madeAt: String?
        let replaced: String?
    }
    try call.needSQLite()
    let folder = call.dataFolderPath
    let path = call.arguments.positional("FILE") ?? ""
    let mayReplace = call.arguments.has("replace")
    let progress = ProgressBar(call)
    defer { progress.end() }
    let restore = try await call.onThread(in: folder) { (interruption) throws(OperatingError) in
        try Restore.run(path, to: folder, mayReplace: mayReplace, now: SystemClock().now) { done, all in
            progress.show(
                done == all ? CommandPhrases.Progress.checking : CommandPhrases.Progress.copying, done,
                of: all)
            return interruption.goesOn
        }
    }
    progress.end()
    if call.wantsJSON {
        call.json(
            Answer(
                folder: restore.folder, epoch: restore.epoch, madeAt: restore.madeAt?.rfc3339,
                replaced: restore.replaced))
        return .success
    }
    call.out(Messages.restored, ["folder": restore.folder])
    if let madeAt = restore.madeAt { call.out(Messages.restoredFrom, ["time": madeAt.rfc3339]) }
    if let replaced = restore.replaced { call.out(Messages.replaced, ["path": replaced]) }
    return .success
}

extension CommandPhrases.Admin {
    static let backup = Phrase("back up the data; the server may be running")
    static let backupExample = Phrase("one file with everything, including the secret")
    static let backupFile = Phrase("the file to create; an existing file is never overwritten")
    static let backupNotes = Phrase(
        "The backup contains names, addresses and the server's secret. Store it where only you can read it.")
    static let backedUp = Phrase("Backup created and verified: {path} ({size})")
    static let restore = Phrase("restore a backup into the data folder")
    static let restoreExample = Phrase("into a new folder, for example on another machine")
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
