import CommandLine
import Glibc
import HostCommands
import Journal
import Phrases
import SQLiteJournal
import Server

private typealias Messages = CommandPhrases.Serve

/// The command `qring serve`. Its settings come from options, from the variables `QRING_…`, from the file of
/// settings, and from defaults, in this order.
let serveCommand = CommandDeclaration(
    "serve", Messages.summary,
    examples: [
        .init("serve", Messages.exampleHere), .init("serve --listen 0.0.0.0:8080", Messages.exampleNetwork),
        .init("serve --public-url https://qring.example.org --trusted-proxy loopback", Messages.exampleProxy),
        .init("serve --check", Messages.exampleCheck),
    ],
    options: serveOptions + [.flag("check", Messages.check)],
    handlesSignals: true, hasServer: false
) { call throws(CommandFailure) in
    // Ignore SIGHUP until the server handles it, because log rotation may send it while the server still
    // checks its files.
    Signals.ignore(SIGHUP)
    Signals.ignore(SIGUSR2)
    if call.arguments.has("check") { return try await call.checkStart() }
    try call.refuseUnknownVariables()
    var settings = try call.serverSettings()
    let supervisor = Supervisor(call.environment)
    if let inherited = try supervisor.inheritedSocket() {
        settings.inheritedSocket = inherited.descriptor
        settings.listen = "\(inherited.address)"
    }
    call.warnOfPassword()
    let serving = try supervisor.watched { () throws(CommandFailure) in try start(settings, call) }
    call.noteRenewal(serving.epochRenewal)
    do { try await serving.server.announceSetup() } catch {
        throw .failed(
            Messages.cannotStart, ["reason": String(describing: error)],
            next: "qring admin doctor --data \(settings.dataFolder)")
    }
    let listener = await serving.run(
        supervisor, comparing: { call.comparedSettings() },
        findingFault: { call.changedListen() ?? supervisor.restartFault() })
    if let listener {
        throw .failed(Messages.cannotStartAgain, ["reason": supervisor.startAgain(with: listener)])
    }
    return .success
}

extension Invocation {
    /// Returns a sentence if `listen` has changed, because a process that takes over the listening socket
    /// cannot change its address.
    fileprivate func changedListen() -> String? {
        guard let next = try? readingServerSettings(),
            settings["listen"]?.text != next.settings["listen"]?.text
        else { return nil }
        return "listen has changed; stop the server and start it again"
    }

    /// Reads the settings again, and names those that a restart would change.
    fileprivate func comparedSettings() -> Result<String?, Serving.Fault> {
        do throws(CommandFailure) {
            let next = try readingServerSettings()
            _ = try next.serverSettings()
            let changed = ServerSetting.all.map(\.name).filter {
                settings[$0]?.text != next.settings[$0]?.text
            }
            return .success(
                changed.isEmpty
                    ? nil
                    : "these settings have changed and need a restart: \(changed.joined(separator: ", "))")
        } catch {
            return .failure(Serving.Fault(reason: error.sentence(in: language)))
        }
    }
}

/// Starts a server.
/// - Throws: the reason, and the command that may help.
func start(
    _ settings: ServerSettings, _ call: Invocation, at clock: any ServerClock = SystemClock(),
    of satellite: OwnSatellite? = nil
) throws(CommandFailure) -> Serving {
    do {
        return try Serving(settings, clock: clock, satellite: satellite)
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
    case .newerSchema(_, let known): return restoringCopy(ofSchema: known, in: folder)
    default: return nil
    }
}

/// Returns the command that restores the copy from before an upgrade, for a program that knows the schema
/// `known`; nil if the upgrade made no copy of this schema.
func restoringCopy(ofSchema known: Int, in folder: String) -> String? {
    let copy = "\(folder)/journal.db.version-\(known).backup"
    return access(copy, F_OK) == 0 ? "qring admin restore \(copy) --replace --data \(folder)" : nil
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
    static let summary = Phrase("start the server")
    static let exampleHere = Phrase("for this machine only")
    static let exampleNetwork = Phrase("for phones on the same network")
    static let exampleProxy = Phrase("behind a TLS proxy")
    static let exampleCheck = Phrase("check the settings before a restart")
    static let check = Phrase("check all settings, the data folder and the addresses, and start nothing")
    static let data = Phrase("the data folder")
    static let inUse = Phrase("another server is using {folder}; stop it, or choose another --data folder")
    static let newer = Phrase(
        "{folder} was written by a newer QRing (schema {found}; this version supports {known}); start "
            + "that version, or restore a backup from before the upgrade, without what was saved since")
    static let development = Phrase(
        "{folder} was written by a QRing before 0.1.0, whose data this version cannot read; export it with "
            + "that version, and start with an empty folder")
    static let damaged = Phrase(
        "the database in {folder} is damaged ({detail}); copy the folder, check it with qring admin "
            + "verify, and restore a backup")
    static let databaseLost = Phrase(
        "journal.db in {folder} is missing or empty, but these files belong to a database: {found}. "
            + "Nothing was changed. Put journal.db back together with its journal.db-wal, or restore a "
            + "backup. To start with an empty database, move the folder away first: mv {folder} "
            + "{folder}.old")
    static let secretLost = Phrase(
        "the file secret in {folder} is missing; without it all codes, grants and receipts are invalid. "
            + "Nothing was changed. Put the file back, or restore a backup, which contains it. If you "
            + "accept the loss, create a new one: (umask 077; head -c 32 /dev/urandom > {folder}/secret)")
    static let tooManyLosses = Phrase(
        "commits are missing again, and the copies of earlier losses are still there ({copies}). Check "
            + "the disk, move the copies out of the folder, and start again. Nothing was overwritten.")
    static let foreign = Phrase(
        "journal.db in {folder} belongs to another program; choose another --data folder")
    static let isBackup = Phrase(
        "journal.db in {folder} is a backup; move it out of the folder, then restore it")
    static let restoreUnfinished = Phrase(
        "a restore into {folder} was interrupted; restore again. The previous files stay in "
            + "{folder}/replaced-…")
    static let readOnly = Phrase(
        "{folder} is not writable ({detail}); make it writable for this user, or choose another --data "
            + "folder")
    static let full = Phrase(
        "the disk of {folder} is full ({detail}); free some space, or raise the quota or the limit on "
            + "file sizes, and start again")
    static let inputOutput = Phrase(
        "{folder} cannot be read or written ({detail}); check the path, the permissions and the disk")
    static let epochOlder = Phrase(
        "The data is {commits} {commits|commit|commits} older than before; an older copy may "
            + "have been restored. Clients load everything again.")
    static let epochMarkMissing = Phrase(
        "journal.mark is missing, so the data may be an older copy. Clients load everything "
            + "again.")
    static let epochMarkOfAnother = Phrase(
        "journal.mark was written for another database, so this database may be an older copy. "
            + "Clients load everything again.")
    static let epochCopied = Phrase(
        "The folder was copied or its files were changed since the last start, so the data may be older. "
            + "Clients load everything again.")
}
