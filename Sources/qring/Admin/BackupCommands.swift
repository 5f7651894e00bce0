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
    static let backup = Phrase("back up the data; the server may be running", "데이터 백업(서버 실행 중에도 가능)")
    static let backupExample = Phrase("one file with everything, including the secret", "비밀 키까지 모두 담은 파일 하나")
    static let backupFile = Phrase(
        "the file to create; an existing file is never overwritten",
        "만들 파일(이미 있는 파일은 덮어쓰지 않음)")
    static let backupNotes = Phrase(
        "The backup contains names, addresses and the server's secret. Store it where only you can read it.",
        "백업에는 이름, 주소, 서버의 비밀 키가 들어 있습니다. 본인만 읽을 수 있는 곳에 보관하세요.")
    static let backedUp = Phrase(
        "Backup created and verified: {path} ({size})",
        "백업을 만들고 검사했습니다: {path}({size})")
    static let restore = Phrase("restore a backup into the data folder", "백업을 데이터 폴더에 복원")
    static let restoreExample = Phrase(
        "into a new folder, for example on another machine",
        "새 폴더에 복원(예: 다른 컴퓨터)")
    static let restoreReplaceExample = Phrase(
        "replace the data there; the old data is moved aside",
        "기존 데이터를 옆으로 옮기고 복원")
    static let restoreFile = Phrase("a file that qring admin backup created", "qring admin backup으로 만든 파일")
    static let replace = Phrase("move existing data aside, into replaced-…", "기존 데이터를 replaced-… 폴더로 옮김")
    static let restored = Phrase("The backup was restored into {folder}.", "{folder}에 백업을 복원했습니다.")
    static let restoredFrom = Phrase("The data is from {time}.", "{time} 시점의 데이터입니다.")
    static let replaced = Phrase("The previous data is in {path}.", "이전 데이터는 {path}에 있습니다.")
}

extension CommandPhrases.Progress {
    static let copying = Phrase("copying", "복사 중")
    static let checking = Phrase("checking", "확인 중")
}
