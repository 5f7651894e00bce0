import CommandLine
import Foundation
import HostCommands
import Journal
import Phrases
import SQLiteJournal
import Server

private typealias Messages = CommandPhrases.Serve

/// The command `qring serve`. Its settings come from options, then from the variables `QRING_…`, then from
/// defaults.
let serveCommand = CommandDeclaration(
    "serve", Messages.summary,
    examples: [
        .init("serve", Messages.exampleHere), .init("serve --listen 0.0.0.0:8080", Messages.exampleNetwork),
        .init("serve --public-url https://qring.example.org --trusted-proxy loopback", Messages.exampleProxy),
    ],
    options: [.value("data", "DIR", Messages.data)] + serveOptions,
    handlesSignals: true, hasServer: false
) { call throws(CommandFailure) in
    // Ignore SIGHUP until the server handles it, because log rotation may send it while the server still
    // checks its files.
    Signals.ignore(SIGHUP)
    let settings = try call.serverSettings()
    call.warnOfPassword()
    let serving = try start(settings, call)
    call.noteRenewal(serving.epochRenewal)
    do { try await serving.server.announceSetup() } catch {
        throw .failed(
            Messages.cannotStart, ["reason": String(describing: error)],
            next: "qring admin doctor --data \(settings.dataFolder)")
    }
    await serving.run()
    return .success
}

/// Starts a server.
/// - Throws: the reason, and the command that may help.
func start(_ settings: ServerSettings, _ call: Invocation) throws(CommandFailure) -> Serving {
    do {
        return try Serving(settings)
    } catch {
        let reason =
            switch error {
            case JournalError.failed(let failure):
                call.reason(failure, in: settings.dataFolder, database: settings.database)
            default: String(describing: error)
            }
        throw .failed(
            Messages.cannotStart, ["reason": reason],
            next: settings.database == nil ? next(after: error, settings.dataFolder) : nil)
    }
}

/// Returns the command line that the operator should type after this error; nil if one line is not enough.
private func next(after error: any Error, _ folder: String) -> String? {
    guard case JournalError.failed(let failure) = error else { return nil }
    switch failure.reason {
    case .databaseLost, .secretLost, .damaged: return "qring admin restore FILE --replace --data \(folder)"
    case .isBackup, .restoreUnfinished: return "qring admin restore FILE --data \(folder)"
    case .readOnly, .inputOutput, .full: return "qring admin doctor --data \(folder)"
    default: return nil
    }
}

extension Invocation {
    /// Returns a sentence that says why the data in `folder` cannot be used, and what the operator can do.
    func reason(_ failure: StorageFailure, in folder: String, database: String? = nil) -> String {
        if database != nil, let reason = databaseReason(failure) { return reason }
        var values = ["folder": folder, "detail": "\(failure.operation): \(failure.detail)"]
        let phrase: Phrase
        switch failure.reason {
        case .busy: phrase = Messages.inUse
        case .newerSchema(let found, let known):
            values["found"] = "\(found)"
            values["known"] = "\(known)"
            phrase = Messages.newer
        case .developmentSchema: phrase = Messages.development
        case .damaged: phrase = Messages.damaged
        case .databaseLost:
            values["found"] = failure.detail
            phrase = Messages.databaseLost
        case .secretLost: phrase = Messages.secretLost
        case .tooManyLosses:
            values["copies"] = failure.detail
            phrase = Messages.tooManyLosses
        case .foreign: phrase = Messages.foreign
        case .isBackup: phrase = Messages.isBackup
        case .restoreUnfinished: phrase = Messages.restoreUnfinished
        case .readOnly: phrase = Messages.readOnly
        case .full: phrase = Messages.full
        case .inputOutput: phrase = Messages.inputOutput
        default: return String(describing: failure)
        }
        return text(phrase, values)
    }

    /// Prints why the data got a new epoch when the data folder was opened. Prints nothing if `renewal` is
    /// nil.
    func noteRenewal(_ renewal: EpochRenewal?) {
        switch renewal {
        case nil: break
        case .older(let commits): note(Messages.epochOlder, ["commits": "\(commits)"])
        case .markMissing: note(Messages.epochMarkMissing)
        case .markOfAnother: note(Messages.epochMarkOfAnother)
        case .copied: note(Messages.epochCopied)
        }
    }
}

extension CommandPhrases.Serve {
    static let summary = Phrase("start the server", "서버 시작")
    static let exampleHere = Phrase("for this machine only", "이 컴퓨터 전용")
    static let exampleNetwork = Phrase("for phones on the same network", "같은 네트워크의 휴대폰용")
    static let exampleProxy = Phrase("behind a TLS proxy", "TLS 프록시 뒤에서")
    static let data = Phrase(
        "the data folder (default ~/.local/share/qring)",
        "데이터 폴더(기본 ~/.local/share/qring)")
    static let inUse = Phrase(
        "another server is using {folder}; stop it, or choose another --data folder",
        "다른 서버가 {folder}을(를) 쓰고 있습니다. 그 서버를 멈추거나 다른 --data 폴더를 지정하세요")
    static let newer = Phrase(
        "{folder} was written by a newer QRing (schema {found}; this version supports {known}); start "
            + "that version, or restore an older backup",
        "{folder}은(는) 더 새로운 QRing이 저장한 데이터입니다(스키마 {found}, 이 버전은 {known}까지 지원). 그 버전을 시작하거나 이전 백업을 복원하세요")
    static let development = Phrase(
        "{folder} was written by a QRing before 0.1.0, whose data this version cannot read; export it with "
            + "that version, and start with an empty folder",
        "{folder}은(는) 0.1.0 이전의 QRing이 저장한 데이터라서 읽을 수 없습니다. 그 버전으로 데이터를 내보낸 뒤 빈 폴더로 시작하세요")
    static let damaged = Phrase(
        "the database in {folder} is damaged ({detail}); copy the folder, check it with qring admin "
            + "verify, and restore a backup",
        "{folder}의 데이터베이스가 손상되었습니다({detail}). 폴더를 복사해 두고 qring admin verify로 검사한 뒤 백업을 복원하세요")
    static let databaseLost = Phrase(
        "journal.db in {folder} is missing or empty, but these files belong to a database: {found}. "
            + "Nothing was changed. Put journal.db back together with its journal.db-wal, or restore a "
            + "backup. To start with an empty database, move the folder away first: mv {folder} "
            + "{folder}.old",
        "{folder}의 journal.db가 없거나 비어 있는데, 데이터베이스에 속한 파일이 남아 있습니다: {found}. 아무것도 바꾸지 않았습니다. journal.db를 "
            + "짝이 되는 journal.db-wal과 함께 되돌려 놓거나 백업을 복원하세요. 빈 데이터베이스로 시작하려면 먼저 폴더를 옮기세요: mv {folder} "
            + "{folder}.old")
    static let secretLost = Phrase(
        "the file secret in {folder} is missing; without it all codes, grants and receipts are invalid. "
            + "Nothing was changed. Put the file back, or restore a backup, which contains it. If you "
            + "accept the loss, create a new one: (umask 077; head -c 32 /dev/urandom > {folder}/secret)",
        "{folder}에 secret 파일이 없습니다. 이 파일이 없으면 코드와 확인증이 모두 무효가 됩니다. 아무것도 바꾸지 않았습니다. 파일을 되돌려 놓거나, 이 파일이 들어 "
            + "있는 백업을 복원하세요. 코드와 확인증을 포기하려면 새로 만드세요: (umask 077; head -c 32 /dev/urandom > "
            + "{folder}/secret)")
    static let tooManyLosses = Phrase(
        "commits are missing again, and the copies of earlier losses are still there ({copies}). Check "
            + "the disk, move the copies out of the folder, and start again. Nothing was overwritten.",
        "커밋이 또 사라졌는데 이전 손실의 사본이 아직 남아 있습니다({copies}). 디스크를 점검하고 사본을 폴더 밖으로 옮긴 뒤 다시 시작하세요. 아무것도 덮어쓰지 않았습니다.")
    static let foreign = Phrase(
        "journal.db in {folder} belongs to another program; choose another --data folder",
        "{folder}의 journal.db는 다른 프로그램의 파일입니다. 다른 --data 폴더를 지정하세요")
    static let isBackup = Phrase(
        "journal.db in {folder} is a backup; move it out of the folder, then restore it",
        "{folder}의 journal.db는 백업입니다. 폴더 밖으로 옮긴 뒤 복원하세요")
    static let restoreUnfinished = Phrase(
        "a restore into {folder} was interrupted; restore again. The previous files stay in "
            + "{folder}/replaced-…",
        "{folder}에 복원하는 작업이 중단되었습니다. 다시 복원하세요. 이전 파일은 {folder}/replaced-…에 있습니다")
    static let readOnly = Phrase(
        "{folder} is not writable ({detail}); make it writable for this user, or choose another --data "
            + "folder",
        "{folder}에 쓸 수 없습니다({detail}). 이 사용자가 쓸 수 있게 하거나 다른 --data 폴더를 지정하세요")
    static let full = Phrase(
        "the disk of {folder} is full ({detail}); free some space, or raise the quota or the limit on "
            + "file sizes, and start again",
        "{folder}의 디스크에 공간이 없습니다({detail}). 공간을 비우거나 할당량 또는 파일 크기 한도를 늘리고 다시 시작하세요")
    static let inputOutput = Phrase(
        "{folder} cannot be read or written ({detail}); check the path, the permissions and the disk",
        "{folder}을(를) 읽거나 쓸 수 없습니다({detail}). 경로와 권한, 디스크를 확인하세요")
    static let epochOlder = Phrase(
        "The data is {commits} {commits|commit|commits} older than before; an older copy may "
            + "have been restored. Clients load everything again.",
        "데이터가 이전보다 커밋 {commits}개만큼 오래되었습니다(사본을 되돌린 경우). 클라이언트가 처음부터 다시 받습니다.")
    static let epochMarkMissing = Phrase(
        "journal.mark is missing, so the data may be an older copy. Clients load everything "
            + "again.",
        "journal.mark가 없어 오래된 사본일 수 있습니다. 클라이언트가 처음부터 다시 받습니다.")
    static let epochMarkOfAnother = Phrase(
        "journal.mark was written for another database, so this database may be an older copy. "
            + "Clients load everything again.",
        "journal.mark가 다른 데이터베이스의 파일이어서 이 데이터는 오래된 사본일 수 있습니다. 클라이언트가 처음부터 다시 받습니다.")
    static let epochCopied = Phrase(
        "The folder was copied or its files were changed since the last start, so the data may be older. "
            + "Clients load everything again.",
        "지난번 시작한 뒤 폴더가 복사되었거나 파일이 바뀌어 오래된 데이터일 수 있습니다. 클라이언트가 처음부터 다시 받습니다.")
}
